"""What somebody chose on a screen, kept for the next time: its language and its theme."""

from pathlib import Path

import msgspec

from companion.files import load, store
from companion.language.speech import LANGUAGES
from companion.messages.looks import THEMES, Chosen
from companion.toml import read_toml, toml_text

SIZE_LIMIT = 64 * 1024
"""It has two lines."""


class LooksFile:
    """A small file of two lines, `screen.toml`. It may be missing; one that cannot be read is a `problem`, no more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.problem = ""
        """Why what was chosen is not known; "" if it is."""

    def recall(self) -> Chosen:
        try:
            return _read(load(self._path, SIZE_LIMIT).decode())
        except FileNotFoundError:
            return Chosen()
        except OSError as error:
            self.problem = f"{self._path.name}: {error.strerror}"
        except ValueError as error:  # msgspec's, tomllib's and the decoder's errors are ValueErrors
            self.problem = f"{self._path.name}: {error}"
        return Chosen()

    def keep(self, *, language: str | None = None, theme: str | None = None) -> None:
        """What is None stays as it was. Raises OSError; a file is whole, or as it was before."""
        known = self.recall()
        lines = {"language": language or known.language, "theme": theme or known.theme}
        store(self._path, toml_text({name: value for name, value in lines.items() if value}))


def _read(text: str) -> Chosen:
    chosen = msgspec.convert(read_toml(text), Chosen)
    for name, value, known in (("language", chosen.language, LANGUAGES), ("theme", chosen.theme, THEMES)):
        if value is not None and value not in known:
            raise ValueError(f"{name} = {value!r}: one of {', '.join(known)} is known")
    return chosen
