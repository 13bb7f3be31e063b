"""A disk that is written down, and that fails when it is told to: see disk.c."""

import ctypes
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def library() -> Path:
    """Compiled once for each process that asks."""
    made = Path(tempfile.mkdtemp(prefix="companion-disk-")) / "disk.so"
    source = Path(__file__).with_name("disk.c")
    flags = ("-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["cc", *flags, "-o", made, source, "-ldl"], check=True)
    return made


def run(module: str, *words: str, log: Path | None = None) -> str:
    """Run a module of the tests on such a disk, and return what it says."""
    surroundings = os.environ | {"LD_PRELOAD": str(library())} | ({"DISK_LOG": str(log)} if log else {})
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, env=surroundings, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fail(call: str, after: int, error: int, part: str) -> None:
    """On this disk: let the call after so many fail, once."""
    ctypes.CDLL(None).disk_fail(call.encode(), ctypes.c_long(after), error, part.encode())
