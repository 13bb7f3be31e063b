"""How the screen looks: what the command line says, and what was chosen on the screen and stored for the next time."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.files import changing, load, store
from companion.language.screen_language import LANGUAGES
from companion.messages.looks import MOTION, SPEECH, THEMES, TIMES, Chosen
from companion.toml import read_toml, toml_text

SIZE_LIMIT = 64 * 1024
"""Bytes: the file has five lines."""


class LooksFile:
    """The file `screen.toml`. It may be missing. If it cannot be read, that is only a `problem`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.problem = ""
        """Why the file could not be read; "" if it could."""

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
        """Change these fields, and write the file atomically. Raises OSError."""
        with changing(self._path.parent):
            lines = msgspec.structs.asdict(self.recall()) | chosen
            store(self._path, toml_text({name: value for name, value in lines.items() if value}))


def _read(text: str) -> Chosen:
    chosen = msgspec.convert(read_toml(text), Chosen)
    known_values = {
        "language": LANGUAGES,
        "theme": THEMES,
        "speech": SPEECH,
        "times": TIMES,
        "motion": MOTION,
        "speech_language": LANGUAGES,
    }
    for name, known in known_values.items():
        value = getattr(chosen, name)
        if value is not None and value not in known:
            raise ValueError(f"{name} = {value!r}: one of {', '.join(known)} is known")
    return chosen


class ScreenSettings(Struct, frozen=True):
    """What was said about the screen. None: as it was set last time."""

    language: str | None
    theme: str | None
    kiosk: bool
    memory: LooksFile

    def arguments(self) -> dict[str, Any]:
        """For `companion.screen.app.run`."""
        return {name: getattr(self, name) for name in self.__struct_fields__}
