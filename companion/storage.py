"""Files that are whole, or as they were before: a power cut leaves no half ones and no empty ones behind."""

import os
from contextlib import suppress
from pathlib import Path


def store(path: Path, text: str) -> None:
    """Under another name first, and that on the disk, before it takes its place. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
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


def _settle(folder: Path) -> None:
    """The new name, too, is on the disk then."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
