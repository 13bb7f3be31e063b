"""What somebody chose on a screen, kept for the next time: its language, its theme, what it says aloud, whose times it
shows."""

from pathlib import Path

import msgspec

from companion.files import changing, load, store
from companion.language.screen_language import LANGUAGES
from companion.messages.looks import SPEECH, THEMES, TIMES, Chosen
from companion.toml import read_toml, toml_text

SIZE_LIMIT = 64 * 1024
"""It has four lines."""


class LooksFile:
    """A small file, `screen.toml`. It may be missing; one that cannot be read is a `problem`, no more."""

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

    def keep(self, **chosen: str) -> None:
        """What is left out stays as it was. Raises OSError; a file is whole, or as it was before."""
        with changing(self._path.parent):
            lines = msgspec.structs.asdict(self.recall()) | chosen
            store(self._path, toml_text({name: value for name, value in lines.items() if value}))


def _read(text: str) -> Chosen:
    chosen = msgspec.convert(read_toml(text), Chosen)
    for name, known in (("language", LANGUAGES), ("theme", THEMES), ("speech", SPEECH), ("times", TIMES)):
        value = getattr(chosen, name)
        if value is not None and value not in known:
            raise ValueError(f"{name} = {value!r}: one of {', '.join(known)} is known")
    return chosen
