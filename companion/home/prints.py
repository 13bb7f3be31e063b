"""Which box was printed on paper last: enrolling that one asks for tags, and for nothing else."""

import hashlib

from companion.files import load, store
from companion.home.paths import print_path
from companion.toml import read_toml, toml_text

SIZE_LIMIT = 4096
"""It has one line."""


def note_print(game: str, box: str) -> None:
    """The box with this text was printed. Raises OSError."""
    store(print_path(game), toml_text({"box": _digest(box)}))


def was_printed(game: str, box: str) -> bool:
    """Whether the box with this text was printed last. A note that cannot be read says nothing."""
    try:
        return read_toml(load(print_path(game), SIZE_LIMIT).decode()).get("box") == _digest(box)
    except (OSError, ValueError):
        return False


def _digest(box: str) -> str:
    return hashlib.sha256(box.encode()).hexdigest()
