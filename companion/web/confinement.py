"""What the phones' server gives up once it listens: it writes no file, starts no process and leaves no memory behind.

On a Pi its unit takes more from it (hardware/pi/companion-phones@.service); this is for every Linux.
"""

import ctypes
import os
import resource
from contextlib import suppress

NO_NEW_PRIVILEGES, DUMPABLE = 38, 4
"""linux/prctl.h: PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE"""
GIVEN_UP = (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE)
"""Files may not grow, no thread and no process may be added, and no core shows hands."""


def confine() -> None:
    """From now on, in this process, and for good."""
    os.chdir("/")
    for limit in GIVEN_UP:
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (0, 0))
    with suppress(OSError, AttributeError):  # another C library than Linux has
        prctl = ctypes.CDLL(None).prctl
        prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        prctl(DUMPABLE, 0, 0, 0, 0)  # other programs of the same user cannot read its memory
