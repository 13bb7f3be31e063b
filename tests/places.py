"""Where tests put their files: in memory, if there is such a place.

They look at which calls are made, in which order, and at what a killed process leaves behind. All of that is the same
in memory, where a flush takes no time. Disks that fail and power cuts have models of their own: tests/disk,
tests/campaign.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""A whole run needs much less; containers often have no more than 64 MB."""
OF_A_RUN = "cmp-"
"""Short, too."""


def of_this_run() -> Path:
    """A folder for all files of a run. What earlier runs have left is gone then: it takes memory."""
    place = Path(quick_place())
    own = place / f"{OF_A_RUN}{os.getpid()}"
    for left in place.glob(f"{OF_A_RUN}*"):
        process = left.name.removeprefix(OF_A_RUN)
        if left == own or (process.isdecimal() and not _is_alive(int(process))):
            shutil.rmtree(left, ignore_errors=True)
    own.mkdir(mode=0o700)
    return own


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def quick_place() -> str:
    """A short path, too, as that of a socket must be."""
    if Path(own := tempfile.gettempdir()).name.startswith(OF_A_RUN):
        return own
    return str(IN_MEMORY) if _will_do(IN_MEMORY) else "/tmp"


def short_folder() -> Path:
    """A folder of its own; its maker removes it."""
    return Path(tempfile.mkdtemp(dir=quick_place()))


@contextmanager
def at_home(home: Path) -> Iterator[None]:
    """While this lasts, the owner's files lie there, also for processes that are started."""
    before = {name: os.environ.pop(name, None) for name in ("COMPANION_HOME", "XDG_RUNTIME_DIR")}
    os.environ["COMPANION_HOME"] = str(home)
    try:
        yield
    finally:
        del os.environ["COMPANION_HOME"]
        os.environ.update({name: value for name, value in before.items() if value is not None})


def _will_do(place: Path) -> bool:
    """Programs are installed and run there, too."""
    if not (place.is_dir() and os.access(place, os.W_OK)):
        return False
    about = os.statvfs(place)
    return about.f_bavail * about.f_frsize >= ROOM and not about.f_flag & os.ST_NOEXEC
