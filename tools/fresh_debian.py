"""`make fresh-debian`: each way of docs/install.md on a fresh Debian 12 and 13, with nothing of ours but built files.

Each Debian is a folder that mmdebstrap has made, and every scene gets a copy of its own. The scene runs the one command
that docs/install.md names, and the start screen is read from a terminal. What was seen goes into docs/install.md. It
needs root. Where a scene installs from an index of Python packages, a folder stands in for it.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion import __version__
from tools import deb, release, trixie
from tools.install.layout import DEBIAN

SUITES = {"bookworm": ("Debian 12", "3.11"), "trixie": ("Debian 13", "3.13")}
PACKAGES = ("python3", "adduser", "debconf", "tzdata", "procps", "pipx")
"""Of every fresh Debian here. pipx is for one of the ways; what the Debian package needs is in most systems."""
PAGE = release.ROOT / "docs" / "install.md"
BEGIN, END = "<!-- fresh-debian: begin (written by `make fresh-debian`) -->", "<!-- fresh-debian: end -->"
START_SCREEN = "Play Lascaux against Ben and Cleo"
HOME = "var/lib/companion"
EVENINGS = f"{HOME}/.local/share/companion/evenings"
SIZE = (30, 100)
SEEN_WITHIN_S = 60.0
FORGET = f"{deb.PACKAGE} {deb.PACKAGE}/remove-evenings boolean true"
AS_THE_TABLE = ("setpriv", "--reuid=companion", "--regid=companion", "--init-groups", "env", f"HOME=/{HOME}")
UNPUBLISHED = ("bogus-mail-host", "bogus-mail-host-in-debian-changelog")
"""What lintian says of a package that nobody has put a name to yet: DEBEMAIL does."""


class Built(NamedTuple):
    """What is copied into a fresh Debian."""

    wheel: Path
    package: Path
    newer: Path
    """The same, as the next version of it."""
    wheels: Path
    """A folder with wheels of everything that the wheel needs, and with itself."""


class Debian(NamedTuple):
    root: Path
    built: Built

    def run(self, *command: str) -> str:
        return trixie.inside(self.root, *command)

    def carry(self, *files: Path) -> None:
        """Into its /src, which is where commands run."""
        for file in files:
            (shutil.copytree if file.is_dir() else shutil.copy)(file, self.root / "src" / file.name)

    def seen_s(self, *command: str) -> float:
        """How long it takes from this command until the start screen can be read. Raises AssertionError."""
        began_s = time.monotonic()
        shown = _read_until(START_SCREEN, trixie.entering(self.root, *command))
        assert START_SCREEN in shown, f"{' '.join(command)} showed:\n{shown[-3000:]}"
        return time.monotonic() - began_s


# --- Scenes ---------------------------------------------------------------------------------------------------


def pipx(debian: Debian) -> Iterator[str]:
    """`pipx install 'companion-table[phones]'`"""
    debian.carry(debian.built.wheels)
    env = ("env", "PIP_NO_INDEX=1", "PIP_FIND_LINKS=/src/wheels", "PIPX_BIN_DIR=/usr/local/bin")
    debian.run(*env, "pipx", "install", f"{deb.PACKAGE}[phones]")
    yield from _plays(debian, "companion")
    assert "installed by pipx" in debian.run("companion", "update")


def uv_tool(debian: Debian) -> Iterator[str]:
    """`uv tool install 'companion-table[phones]'`"""
    env = _uv(debian)
    debian.run(*env, "uv", "tool", "install", f"{deb.PACKAGE}[phones]")
    yield from _plays(debian, "companion")
    assert "installed by uv" in debian.run("companion", "update")


def uvx(debian: Debian) -> Iterator[str]:
    """`uvx companion-table play`"""
    yield from _plays(debian, *_uv(debian), "uvx", deb.PACKAGE)


def _uv(debian: Debian) -> tuple[str, ...]:
    """Debian has no uv: its own two programs are copied, too."""
    debian.carry(debian.built.wheels)
    for name in ("uv", "uvx"):
        shutil.copy(Path(sys.executable).with_name(name), debian.root / "usr/local/bin")
    folders = ("UV_TOOL_BIN_DIR=/usr/local/bin", "UV_PYTHON_DOWNLOADS=never", "UV_CACHE_DIR=/var/cache/uv")
    return ("env", "UV_NO_INDEX=1", "UV_FIND_LINKS=/src/wheels", *folders)


def package(debian: Debian) -> Iterator[str]:
    """`apt install ./companion-table_….deb`"""
    debian.carry(debian.built.package)
    debian.run("apt-get", "install", "-y", f"./{debian.built.package.name}")
    yield from _plays(debian, "companion")
    assert "installed as a Debian package" in debian.run("companion", "update")
    debian.run(f"{DEBIAN.program}/bin/python3", "-c", "import aiohttp, gpiod, msgspec, reportlab, segno, serial")
    groups = debian.run("id", "-Gn", "companion").split()
    assert {"companion", "spi", "gpio", "dialout"} <= set(groups), groups
    assert "companion play" in debian.run("sh", "-c", "zcat /usr/share/man/man1/companion-play.1.gz")


def upgrade(debian: Debian) -> Iterator[str]:
    """An upgrade of the package in the middle of an evening loses nothing"""
    debian.carry(debian.built.package, debian.built.newer)
    debian.run("apt-get", "install", "-y", f"./{debian.built.package.name}")
    with _played(debian):
        before = _waited(debian, 20)
        debian.run("apt-get", "install", "-y", f"./{debian.built.newer.name}")
        at_upgrade = _transcript(debian)
        _waited(debian, len(at_upgrade) + 10)  # the old program plays on until it is started again
    kept = _transcript(debian)
    with _played(debian, "--evening", _evening(debian)):
        _waited(debian, len(kept) + 10)
    after = _transcript(debian)
    assert after[: len(kept)] == kept, "an upgrade has changed an evening"
    assert kept[: len(before)] == before
    newer = debian.run("dpkg-query", "-W", "-f", "${Version}", deb.PACKAGE)
    assert newer == _next_version(), newer
    yield f"{len(kept)} actions before the restart, {len(after)} after it, none lost"


def removal(debian: Debian) -> Iterator[str]:
    """`apt remove` and `apt purge` keep the evenings, unless the one question is answered with yes"""
    install = ("apt-get", "install", "-y", f"./{debian.built.package.name}")
    debian.carry(debian.built.package)
    debian.run(*install)
    debian.run(*AS_THE_TABLE, "mkdir", "-p", f"/{EVENINGS}")
    debian.run(*AS_THE_TABLE, "touch", f"/{EVENINGS}/kept.journal")
    kept = debian.root / EVENINGS / "kept.journal"
    quietly = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
    debian.run(*quietly, "remove", "-y", deb.PACKAGE)
    assert kept.exists()
    for name in (DEBIAN.program, DEBIAN.command):
        assert not os.path.lexists(debian.root / name[1:]), f"{name} is still there"
    debian.run(*quietly, "purge", "-y", deb.PACKAGE)
    assert kept.exists()
    debian.run(*install)
    debian.run("sh", "-c", f"echo '{FORGET}' | debconf-set-selections")
    debian.run(*quietly, "purge", "-y", deb.PACKAGE)
    assert not (debian.root / HOME).exists(), "yes was answered, and the evenings are still there"
    assert "companion" not in (debian.root / "etc/passwd").read_text(encoding="utf-8")
    yield "kept twice, then removed when asked"


SCENES: dict[str, Callable[[Debian], Iterator[str]]] = {
    "pipx": pipx,
    "uv": uv_tool,
    "uvx": uvx,
    "deb": package,
    "upgrade": upgrade,
    "removal": removal,
}


def _plays(debian: Debian, *command: str) -> Iterator[str]:
    """The start screen, then a whole game as text."""
    yield f"start screen after {debian.seen_s(*command, 'play'):.1f} s"
    assert debian.run(*command, *release.GAME).rstrip().endswith("wins.")


# --- An evening in there --------------------------------------------------------------------------------------


@contextmanager
def _played(debian: Debian, *words: str) -> Iterator[None]:
    """While this lasts, simulated players play on the package's own table."""
    players = () if words else ("lascaux", "--players", "Anna", "Ben", "--simulated", "Anna", "Ben", "--seed", "1")
    command = trixie.entering(debian.root, *AS_THE_TABLE, "companion", "table", *words, *players, "--speed", "6")
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        try:
            yield
            if process.poll() is not None:
                said.seek(0)
                raise AssertionError(f"the table ended by itself:\n{said.read().decode()}")
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # as rough as a power cut
            process.wait()


def _waited(debian: Debian, actions: int) -> list[str]:
    """The evening, as soon as it has so many entries."""
    deadline = time.monotonic() + SEEN_WITHIN_S
    while time.monotonic() < deadline:
        time.sleep(0.5)
        if list((debian.root / EVENINGS).glob("*.journal")) and len(played := _transcript(debian)) >= actions:
            return played
    raise AssertionError(f"after {SEEN_WITHIN_S:.0f} s there are not yet {actions} actions")


def _transcript(debian: Debian) -> list[str]:
    try:
        said = debian.run(*AS_THE_TABLE, "companion", "export", "-o", f"/{HOME}/export.jsonl", "--force")
    except RuntimeError:  # the first entry is just being written
        return []
    assert said is not None
    return (debian.root / HOME / "export.jsonl").read_text(encoding="utf-8").splitlines()


def _evening(debian: Debian) -> str:
    (journal,) = (debian.root / EVENINGS).glob("*.journal")
    return journal.stem


# --- A terminal -----------------------------------------------------------------------------------------------


def _read_until(wanted: str, command: tuple[str, ...]) -> str:
    """What a command shows on a terminal until this can be read, or for a minute."""
    own, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True)
    os.close(its)
    shown, deadline = b"", time.monotonic() + SEEN_WITHIN_S
    try:
        while wanted.encode() not in shown and time.monotonic() < deadline:
            if select.select([own], [], [], 1.0)[0]:
                shown += os.read(own, 65536)
    except OSError:  # it has ended
        pass
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(own)
    return re.sub(r"\x1b\[[0-9;?<>=]*[ -/]*[@-~]", "", shown.decode(errors="replace"))


# --- What is built for it -------------------------------------------------------------------------------------


def built(place: Path) -> Built:
    (wheel,) = release.built(place, "--wheel")
    package = deb.built(place, "amd64", wheel)
    wheels = place / "wheels"
    for _, python in SUITES.values():
        _download(wheels, python, f"{deb.PACKAGE}[phones] @ {wheel.as_uri()}", "pip", "setuptools", "wheel")
    shutil.copy(wheel, wheels)
    return Built(wheel, package, _as_the_next(package, place), wheels)


def _download(into: Path, python: str, *what: str) -> None:
    systems = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")
    platforms = [word for system in systems for word in ("--platform", f"{system}_x86_64")]
    wheels = ("--only-binary=:all:", "--python-version", python, *platforms, "-c", "constraints.txt")
    words = (sys.executable, "-m", "pip", "download", "--quiet", "-d", str(into), *wheels, *what)
    subprocess.run(words, check=True, capture_output=True, cwd=release.ROOT)


def _next_version() -> str:
    return f"{__version__}-2"


def _as_the_next(package: Path, place: Path) -> Path:
    """The same files under the next version: an upgrade replaces each of them."""
    unpacked, newer = place / "newer", place / package.name.replace(f"{__version__}-1", _next_version())
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(unpacked)], check=True)
    control = unpacked / "DEBIAN/control"
    control.write_text(control.read_text("utf-8").replace(f"Version: {__version__}-1", f"Version: {_next_version()}"))
    words = ("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(unpacked), str(newer))
    subprocess.run(words, check=True, capture_output=True)
    return newer


def errors(package: Path) -> list[str]:
    """What lintian calls an error. The package overrides nothing."""
    words = ("lintian", "--suppress-tags", ",".join(UNPUBLISHED), str(package))
    said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return [line for line in said.splitlines() if line.startswith("E:")]


# --- All of it ------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    way: str
    debian: str
    seen: str
    took_s: float


def play(name: str, suite: str, built: Built) -> Row:
    kept = trixie.archive(PACKAGES, suite)
    with tempfile.TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        trixie.unpack(kept, root)
        (root / "src").mkdir()
        began_s = time.monotonic()
        seen = "; ".join(SCENES[name](Debian(root, built)))
        return Row((SCENES[name].__doc__ or "").strip(), SUITES[suite][0], seen, time.monotonic() - began_s)


def block(rows: list[Row]) -> str:
    head = ["| what | on | seen | took |", "|---|---|---|---|"]
    lines = [f"| {row.way} | {row.debian} | {row.seen} | {row.took_s:.0f} s |" for row in rows]
    return "\n".join([BEGIN, "", *head, *lines, "", END])


def written(page: str, text: str) -> str:
    """The page with this block in the place of the old one."""
    assert BEGIN in page, "docs/install.md has no place for it"
    return re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: text, page, flags=re.DOTALL)


def main() -> int:
    parser = ArgumentParser("make fresh-debian", description="Each way in, on a Debian without our checkout.")
    parser.add_argument("--scene", choices=tuple(SCENES), action="append", help="only this one (default: all of them)")
    parser.add_argument("--suite", choices=tuple(SUITES), action="append", help="only this Debian (default: both)")
    said = parser.parse_args()
    try:
        for suite in said.suite or SUITES:
            trixie.archive(PACKAGES, suite)
        with tempfile.TemporaryDirectory() as folder:
            files = built(Path(folder))
            if found := errors(files.package):
                raise AssertionError("\n".join(("lintian says:", *found)))
            rows = []
            for name in said.scene or SCENES:
                for suite in said.suite or SUITES:
                    rows.append(play(name, suite, files))
                    print(" | ".join(map(str, rows[-1])), flush=True)
    except trixie.CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    except (AssertionError, RuntimeError, release.ReleaseError) as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    if not said.scene and not said.suite:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), block(rows)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
