"""`make fresh-debian`: each way of docs/install.md on a fresh Debian and Ubuntu, with nothing of ours but built files.

Each of them is a folder that mmdebstrap has made, and every scene gets a copy of its own. The scene runs the one
command that docs/install.md names, and the start screen is read from a terminal. What was seen goes into
docs/install.md. It needs root. Where a scene installs from an index of Python packages, a folder stands in for it.
"""

import fcntl
import hashlib
import json
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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from companion import __version__
from tools import card, deb, release, trixie
from tools.install.layout import DEBIAN

SUITES = {
    "bookworm": ("Debian 12", "3.11"),
    "trixie": ("Debian 13", "3.13"),
    "noble": ("Ubuntu 24.04", "3.12"),
    "resolute": ("Ubuntu 26.04", "3.14"),
}
"""Name → what people call it, and its Python: one of each that Companion is for."""
DEBIANS = ("bookworm", "trixie")
UBUNTU = "http://archive.ubuntu.com/ubuntu"
KEYS = (
    f"{UBUNTU}/pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb",
    "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8",
)
"""Which sign Ubuntu's packages: Debian 12 has no package with them. An address, and its SHA-256."""
PACKAGES = ("python3", "adduser", "debconf", "tzdata", "procps", "pipx")
"""Of every fresh Debian here. pipx is for one of the ways; what the Debian package needs is in most systems."""
WITH_CLOUD_INIT = (*PACKAGES[:-1], "cloud-init", "netplan.io", "network-manager", "systemd-sysv", "udev")
AS_ON_A_PI = {
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": (
        "datasource_list: [NoCloud, None]\ndatasource: {NoCloud: {seedfrom: file:///boot/firmware}}\n"
        "ssh_deletekeys: false\nssh_genkeytypes: []\n"
    ),
    "usr/lib/netplan/00-network-manager-all.yaml": "network: {version: 2, renderer: NetworkManager}\n",
    "boot/firmware/config.txt": "#dtparam=spi=on\n",
}
"""What matters of Raspberry Pi OS, as github.com/RPi-Distro/pi-gen makes it (stage2/04-cloud-init)."""
STAGES = ("init --local", "init", "modules --mode=config", "modules --mode=final")
"""Of cloud-init, in the order in which systemd runs them."""
NETWORK = card.Wifi("Game night", "mammoth and rhino", "DE", is_own=True)
PAGE = release.ROOT / "docs" / "install.md"
BEGIN, END = "<!-- fresh-debian: begin (written by `make fresh-debian`) -->", "<!-- fresh-debian: end -->"
START_SCREEN = "Play Lascaux against Ben and Cleo"
PLAYERS = ("Anna", "Ben", "Cleo")
HOME = "var/lib/companion"
EVENINGS = f"{HOME}/.local/share/companion/evenings"
SIZE = (30, 100)
SEEN_WITHIN_S = 60.0
FORGET = f"{deb.PACKAGE} {deb.PACKAGE}/remove-evenings boolean true"
AS_THE_TABLE = ("setpriv", "--reuid=companion", "--regid=companion", "--init-groups", "env", f"HOME=/{HOME}")
UNPUBLISHED = ("bogus-mail-host", "bogus-mail-host-in-debian-changelog")
"""What lintian says of a package without a maintainer: DEBEMAIL names one."""


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
        with terminal(trixie.entering(self.root, *command)) as shown:
            shown.reads(START_SCREEN)
        return time.monotonic() - began_s


# --- Scenes ---------------------------------------------------------------------------------------------------


def pipx(debian: Debian) -> Iterator[str]:
    """`pipx install 'companion-table[phones]'`"""
    _index(debian)
    debian.run("env", "PIPX_BIN_DIR=/usr/local/bin", "pipx", "install", f"{deb.PACKAGE}[phones]")
    yield from _plays(debian, "companion")
    assert "installed by pipx" in debian.run("companion", "update")


def uv_tool(debian: Debian) -> Iterator[str]:
    """`uv tool install 'companion-table[phones]'`"""
    _index(debian)
    debian.run("env", "UV_TOOL_BIN_DIR=/usr/local/bin", "uv", "tool", "install", f"{deb.PACKAGE}[phones]")
    yield from _plays(debian, "companion")
    assert "installed by uv" in debian.run("companion", "update")


def uvx(debian: Debian) -> Iterator[str]:
    """`uvx companion-table play`"""
    _index(debian)
    yield from _plays(debian, "uvx", deb.PACKAGE)
    assert "run by uvx" in debian.run("uvx", deb.PACKAGE, "update")


def _index(debian: Debian) -> None:
    """A folder of wheels instead of an index, and uv's own two programs, which Debian has not."""
    debian.carry(debian.built.wheels)
    settings = {"etc/pip.conf": "[global]\nno-index = true\nfind-links = /src/wheels\n"}
    settings |= {"etc/uv/uv.toml": 'no-index = true\nfind-links = ["/src/wheels"]\npython-downloads = "never"\n'}
    for name, text in settings.items():
        (debian.root / name).parent.mkdir(exist_ok=True)
        (debian.root / name).write_text(text, encoding="utf-8")
    for name in ("uv", "uvx"):
        shutil.copy(Path(sys.executable).with_name(name), debian.root / "usr/local/bin")


def package(debian: Debian) -> Iterator[str]:
    """`apt install ./companion-table_….deb`"""
    debian.carry(debian.built.package)
    debian.run("apt-get", "install", "-y", f"./{debian.built.package.name}")
    yield from _plays(debian, "companion")
    assert "installed as a Debian package" in debian.run("companion", "update")
    libraries = "aiohttp, aiomqtt, gpiod, msgspec, reportlab, segno, serial"
    debian.run(f"{DEBIAN.program}/bin/python3", "-c", f"import {libraries}")
    groups = debian.run("id", "-Gn", "companion").split()
    assert {"companion", "spi", "gpio", "dialout"} <= set(groups), groups
    assert "companion play" in debian.run("sh", "-c", "zcat /usr/share/man/man1/companion-play.1.gz")


def upgrade(debian: Debian) -> Iterator[str]:
    """An upgrade of the package in the middle of an evening loses nothing"""
    debian.carry(debian.built.package, debian.built.newer)
    debian.run("apt-get", "install", "-y", f"./{debian.built.package.name}")
    with _played(debian):
        before = _waited(debian, 20)
        assert _open_files(debian, "companion.simulation.bot_process") == ["0"], "the bot has no confined process"
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


def club_night(debian: Debian) -> Iterator[str]:
    """`apt install ./companion-table_….deb mosquitto`: a hall with live tables, and a table that joins it"""
    debian.carry(debian.built.package)
    debian.run("apt-get", "update")
    debian.run("apt-get", "install", "-y", f"./{debian.built.package.name}", "mosquitto")
    with terminal(trixie.entering(debian.root, "companion", "hall", "Tuesdays", "--game", "lascaux")) as hall:
        shown = hall.reads("?display")  # that page is there only if the broker runs
        (url, code), *_ = re.findall(r"companion play --hall (\S+) +with the code (\S+)", shown)
        began_s = time.monotonic()
        command = ("env", "COMPANION_HOME=/root/table", "companion", "play", "--hall", url)
        with terminal(trixie.entering(debian.root, *command)) as table:
            table.reads("The code that the hall of Tuesdays shows")
            table.types(code)
            table.reads("Take the table from the hall")
            yield f"start screen of the table after {time.monotonic() - began_s:.1f} s"


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


def first_start(debian: Debian) -> Iterator[str]:
    """A card of `make card`: cloud-init's own schema and its four stages, without a network"""
    for name, text in AS_ON_A_PI.items():
        (debian.root / name).parent.mkdir(parents=True, exist_ok=True)
        (debian.root / name).write_text(text, encoding="utf-8")
    with tempfile.TemporaryDirectory() as packages:
        shutil.copy(debian.built.package, packages)
        card.fetch(Path(packages), "amd64")
        login = card.Login("anna", "$6$salt$hash", "")
        card.write(debian.root / "boot/firmware", card.seed(NETWORK, login), NETWORK, Path(packages))
    for kind, name in (("cloud-config", "user-data"), ("network-config", "network-config")):
        debian.run("cloud-init", "schema", "-t", kind, "--config-file", f"/boot/firmware/{name}")
    stages = "; ".join(f"cloud-init {stage}" for stage in STAGES)
    said = debian.run("env", "SYSTEMD_OFFLINE=1", "sh", "-c", f"({stages}) 2>&1")  # there is no systemd to ask
    status = json.loads((debian.root / "var/lib/cloud/data/status.json").read_text(encoding="utf-8"))["v1"]
    failed = [error for stage in status.values() if isinstance(stage, dict) for error in stage.get("errors", ())]
    assert not failed, f"{failed}\n{said[-3000:]}"
    unit = (debian.root / "etc/systemd/system/companion-card.service").read_text(encoding="utf-8")
    (command,) = re.findall("^ExecStart=(.*)$", unit, re.MULTILINE)
    said = debian.run("env", "SYSTEMD_OFFLINE=1", *command.split())
    point = "run/NetworkManager/system-connections/netplan-wlan0-Game%20night.nmconnection"
    network = (debian.root / point).read_text(encoding="utf-8")
    assert "mode=ap" in network, network
    assert "method=shared" in network, network
    wanted = "etc/systemd/system/multi-user.target.wants/companion@companion.service"
    assert (debian.root / wanted).is_symlink(), said[-3000:]
    for name in ("cage", "foot"):
        assert (debian.root / "usr/bin" / name).exists(), f"{name} was not installed"
    assert "dtparam=spi=on\n" in (debian.root / "boot/firmware/config.txt").read_text(encoding="utf-8")
    assert NETWORK.password in (debian.root / HOME / ".local/share/companion/table.toml").read_text(encoding="utf-8")
    assert "anna" in (debian.root / "etc/passwd").read_text(encoding="utf-8")
    yield "the access point, the service and its panel are set up"
    yield from _plays(debian, *AS_THE_TABLE, "companion")


class Scene(NamedTuple):
    play: Callable[[Debian], Iterator[str]]
    suites: tuple[str, ...] = DEBIANS
    packages: tuple[str, ...] = PACKAGES


SCENES = {
    "pipx": Scene(pipx, tuple(SUITES)),
    "uv": Scene(uv_tool, tuple(SUITES)),
    "uvx": Scene(uvx, tuple(SUITES)),
    "deb": Scene(package, tuple(SUITES)),
    "hall": Scene(club_night),
    "upgrade": Scene(upgrade),
    "removal": Scene(removal),
    "card": Scene(first_start, ("trixie",), WITH_CLOUD_INIT),
}


def _plays(debian: Debian, *command: str) -> Iterator[str]:
    """The start screen, then a whole game as text."""
    yield f"start screen after {debian.seen_s(*command, 'play'):.1f} s"
    assert debian.run(*command, *release.GAME).rstrip().endswith("wins.")


# --- An evening in there --------------------------------------------------------------------------------------


@contextmanager
def _played(debian: Debian, *words: str) -> Iterator[None]:
    """While this lasts, simulated players play on the package's own table."""
    simulated = (*PLAYERS[:-1], f"{PLAYERS[-1]}:easy")  # the last one searches, in a process of its own
    players = () if words else ("lascaux", "--players", *PLAYERS, "--simulated", *simulated, "--seed", "1")
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


def _open_files(debian: Debian, module: str) -> list[str]:
    """How many files each process in there may open that runs this module."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            is_there = (process / "root").resolve() == debian.root.resolve()
            if is_there and module.encode() in (process / "cmdline").read_bytes():
                found += re.findall(r"^Max open files +(\S+)", (process / "limits").read_text(), re.MULTILINE)
    return found


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


class Terminal:
    """What a command shows, and what is typed there."""

    def __init__(self, line: int) -> None:
        self._line, self._shown = line, b""

    def reads(self, wanted: str) -> str:
        """All that was shown until this can be read. Raises AssertionError after a minute."""
        deadline = time.monotonic() + SEEN_WITHIN_S
        with suppress(OSError):  # it has ended
            while wanted.encode() not in self._shown and time.monotonic() < deadline:
                if select.select([self._line], [], [], 1.0)[0]:
                    self._shown += os.read(self._line, 65536)
        text = re.sub(r"\x1b\[[0-9;?<>=]*[ -/]*[@-~]", "", self._shown.decode(errors="replace"))
        assert wanted in text, f"{wanted!r} was not shown, but:\n{text[-3000:]}"
        return text

    def types(self, line: str) -> None:
        os.write(self._line, f"{line}\n".encode())


@contextmanager
def terminal(command: tuple[str, ...]) -> Iterator[Terminal]:
    """While this lasts, the command runs."""
    own, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True)
    os.close(its)
    try:
        yield Terminal(own)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(own)


# --- What is built for it -------------------------------------------------------------------------------------


def built(place: Path) -> Built:
    os.environ["SOURCE_DATE_EPOCH"] = str(release.built_at())  # even if something is committed meanwhile
    (wheel,) = release.built(place, "--wheel")
    package = deb.built(place, "amd64", wheel)
    (place / "again").mkdir()
    before = os.umask(0o077)
    again = deb.built(place / "again", "amd64", Path(shutil.copy(wheel, place / "again")))
    os.umask(before)
    assert package.read_bytes() == again.read_bytes(), "two builds of the package differ"
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


def _system(suite: str, packages: tuple[str, ...]) -> Path:
    """As a tar file."""
    if suite in DEBIANS:
        return trixie.archive(packages, suite)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # apt reads the keys as a user of its own
        source = (f"--keyring={_keys(folder)}", "--include=apt", f"deb {UBUNTU} {suite} main universe")
        return trixie.archive(packages, suite, *source)


def _keys(folder: Path) -> Path:
    address, digest = KEYS
    with urlopen(address) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != digest:
        raise trixie.CannotError(f"{address} is not what it was")
    package = folder / "keys.deb"
    package.write_bytes(content)
    subprocess.run(["dpkg-deb", "--extract", str(package), str(folder)], check=True)
    return folder / "usr/share/keyrings/ubuntu-archive-keyring.gpg"


# --- All of it ------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    way: str
    debian: str
    seen: str
    took_s: float


def play(scene: Scene, suite: str, built: Built) -> Row:
    kept = _system(suite, scene.packages)
    with tempfile.TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        trixie.unpack(kept, root)
        (root / "src").mkdir()
        began_s = time.monotonic()
        seen = "; ".join(scene.play(Debian(root, built)))
        return Row((scene.play.__doc__ or "").strip(), SUITES[suite][0], seen, time.monotonic() - began_s)


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
    parser.add_argument("--suite", choices=tuple(SUITES), action="append", help="only this Debian (default: each)")
    said = parser.parse_args()
    wanted = [(SCENES[name], suite) for name in said.scene or SCENES for suite in SCENES[name].suites]
    wanted = [(scene, suite) for scene, suite in wanted if suite in (said.suite or SUITES)]
    try:
        for scene, suite in wanted:
            _system(suite, scene.packages)
        with tempfile.TemporaryDirectory() as folder:
            files = built(Path(folder))
            if found := errors(files.package):
                raise AssertionError("\n".join(("lintian says:", *found)))
            rows = []
            for scene, suite in wanted:
                rows.append(play(scene, suite, files))
                print(" | ".join(map(str, rows[-1])), flush=True)
    except trixie.CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    except (AssertionError, RuntimeError, card.CardError, release.ReleaseError) as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    if not said.scene and not said.suite:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), block(rows)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
