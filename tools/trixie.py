"""`make trixie`: the wheel and the fast tests on Debian 13 with its own Python, the ground of today's Raspberry Pi OS.

Debian is a folder here, made once by mmdebstrap and kept in ~/.cache/companion. What is installed into it are wheels,
and nothing else: a library that would have to be compiled is refused. It needs root, mmdebstrap and uv.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools import release

ROOT = Path(__file__).parents[1]
SUITE, PYTHON = "trixie", "3.13"
PACKAGES = ("python3", "python3-venv", "make", "git", "tzdata", "procps", "udev", "systemd")
SITE = f"venv/lib/python{PYTHON}/site-packages"
LEFT_AT_HOME = {".git", ".venv", "dist", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "build"}
MOST_SAID = 20_000
INSIDE = """\
mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" || exit 77
root=$1 path=/venv/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; shift
set -- sh -c 'cd /src && exec "$@"' sh "$@"
exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 TERM=xterm PATH="$path" "$@"
"""


class CannotError(Exception):
    """Why this machine cannot do it."""


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "companion"


def archive(packages: Sequence[str] = PACKAGES, suite: str = SUITE, *source: str) -> Path:
    """Debian with these packages, as a tar file. The first time it is made, which takes a minute, or some. `source`:
    where mmdebstrap finds a suite that is not Debian's."""
    if os.geteuid():
        raise CannotError("only root can enter another system's folder")
    if shutil.which("mmdebstrap") is None:
        raise CannotError("there is no mmdebstrap (Debian: mmdebstrap)")
    kept = cache() / f"{suite}-{'-'.join(packages)}.tar"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = kept.with_suffix(f".{os.getpid()}.tar")
        _run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}", suite, str(made), *source)
        made.rename(kept)
    return kept


@contextmanager
def debian(wheel: Path, extra: str = "") -> Iterator[Path]:
    """A Debian with this wheel installed, and with this checkout in /src."""
    kept = archive()
    with tempfile.TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        unpack(kept, root)
        shutil.copytree(ROOT, root / "src", ignore=_left_at_home, symlinks=True)
        _run("chroot", folder, "python3", "-m", "venv", "--without-pip", "/venv")
        install(wheel, root / SITE, extra)
        yield root


def _left_at_home(folder: str, names: Sequence[str]) -> set[str]:
    """Only at the top: `hardware/build` belongs to the repository."""
    return LEFT_AT_HOME & set(names) if Path(folder) == ROOT else set()


def unpack(kept: Path, root: Path) -> None:
    _run("tar", "-xf", str(kept), "-C", str(root), "--exclude=./dev/*")


def install(wheel: Path, into: Path, extra: str) -> None:
    """Wheels only, as uv finds them for that Python."""
    what = f"{wheel}[{extra}]" if extra else str(wheel)
    machine = f"{platform.machine()}-manylinux_2_28"
    common = ("pip", "install", "--quiet", "--target", str(into), "--only-binary", ":all:", "-c", "constraints.txt")
    there = ("--python-version", PYTHON, "--python-platform", machine)
    release.uv(*common, *there, what)
    if extra:
        release.uv(*common, *there, "--no-deps", "mfrc522")


def clear(folder: Path) -> None:
    """Remove a folder in which another system was made. An interrupted run may have left this computer's own /dev and
    /proc mounted in it."""
    mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text(encoding="ascii").splitlines()]
    for place in sorted((place for place in mounted if Path(place).is_relative_to(folder)), reverse=True):
        _run("umount", place)
    shutil.rmtree(folder, ignore_errors=True)


def entering(root: Path, *command: str) -> tuple[str, ...]:
    """The words that run a command in there. Its mounts go with it."""
    return ("unshare", "--mount", "sh", "-c", INSIDE, "sh", str(root), *command)


def inside(root: Path, *command: str) -> str:
    """What a command says in there."""
    return _run(*entering(root, *command))


def _run(*words: str) -> str:
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise CannotError("nothing can be mounted here")
    if done.returncode:
        raise RuntimeError(f"{' '.join(words[:6])} …\n{done.stdout[-MOST_SAID:]}{done.stderr[-MOST_SAID:]}")
    return done.stdout


def main() -> int:
    try:
        with tempfile.TemporaryDirectory() as dist:
            (wheel,) = release.built(Path(dist), "--wheel")
            with debian(wheel, "test") as root:
                print(inside(root, "python", "-m", "companion", *release.GAME).rstrip().splitlines()[-1])
                print(inside(root, "python", "-m", "pytest", "-q", "-n", "2", "-m", "not slow", *sys.argv[1:]))
    except CannotError as error:
        print(f"companion: not on this machine: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
