"""Where tests put their files: in memory, if there is such a place.

They look at which calls are made, in which order, and at what a killed process leaves behind. All of that is the same
in memory, where a flush takes no time. Disks that fail and power cuts have models of their own: tests/disk,
tests/campaign.
"""

import os
import tempfile
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""A whole run needs much less; containers often have no more than 64 MB."""


def quick_place() -> str:
    """A short path, too, as that of a socket must be."""
    return str(IN_MEMORY) if _will_do(IN_MEMORY) else "/tmp"


def short_folder() -> Path:
    """Of one's own; whoever made it removes it."""
    return Path(tempfile.mkdtemp(dir=quick_place()))


def _will_do(place: Path) -> bool:
    """Programs are installed and run there, too."""
    if not (place.is_dir() and os.access(place, os.W_OK)):
        return False
    about = os.statvfs(place)
    return about.f_bavail * about.f_frsize >= ROOM and not about.f_flag & os.ST_NOEXEC
