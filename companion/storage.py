"""Files that are whole, or as they were before: a power cut leaves no half ones and no empty ones behind."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path


def store(path: Path, text: str) -> None:
    """Under another name first, and that on the disk, before it takes its place. Raises OSError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, f"{path.parent} is no folder") from None
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink()
    _settle(path.parent)


def load(path: Path, limit: int) -> bytes:
    """What is in a file, up to the limit and one byte more, so that one that is too long can be told. A pipe or a
    device could let us wait for ever: only regular files are read. Raises OSError, ValueError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "this is a folder, and no file")
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "this is a pipe or a device, and no file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(limit + 1)
    finally:
        os.close(descriptor)


def _settle(folder: Path) -> None:
    """The new name, too, is on the disk then."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
