"""What somebody chose on a screen, kept for the next time: its language and its theme."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.screen.text import LANGUAGES
from companion.screen.themes import THEMES


class Chosen(Struct, frozen=True):
    """None: nobody has chosen."""

    language: str | None = None
    theme: str | None = None


class Memory:
    """A small file of two lines, `screen.toml`. It may be missing; one that cannot be read is a `problem`, no more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.problem = ""
        """Why what was chosen is not known; "" if it is."""

    def recall(self) -> Chosen:
        try:
            chosen = _read(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Chosen()
        except (OSError, ValueError) as error:  # msgspec's and the decoder's errors are ValueErrors
            self.problem = f"{self._path.name}: {_reason(error)}"
            return Chosen()
        return chosen

    def keep(self, *, language: str | None = None, theme: str | None = None) -> None:
        """What is None stays as it was. Raises OSError; a file is whole, or as it was before."""
        known = self.recall()
        lines = {"language": language or known.language, "theme": theme or known.theme}
        text = "".join(f'{name} = "{value}"\n' for name, value in lines.items() if value)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            new.write_text(text, encoding="utf-8")
            new.replace(self._path)
        finally:
            with suppress(OSError):
                new.unlink()


def _read(text: str) -> Chosen:
    chosen = msgspec.toml.decode(text, type=Chosen)
    for name, value, known in (("language", chosen.language, LANGUAGES), ("theme", chosen.theme, THEMES)):
        if value is not None and value not in known:
            raise ValueError(f"{name} = {value!r}: one of {', '.join(known)} is known")
    return chosen


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or "") if isinstance(error, OSError) else str(error)
