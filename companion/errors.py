"""The one error tree. Each message is a sentence for the person at the table: what is wrong and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches


class CompanionError(Exception):
    """A problem that the user can fix. The command line prints it without a traceback."""


class UsageError(CompanionError):
    """The command does not fit: an unknown game, too few players."""


class GameError(CompanionError):
    """The package of a game is broken."""


class BoxError(CompanionError):
    """A box file is missing or wrong."""


class TranscriptError(CompanionError):
    """A transcript cannot be read."""


class JournalError(CompanionError):
    """A journal cannot be opened or written."""


class UnplayableError(JournalError):
    """A journal is sound, but its game is not installed here, or fails. Nothing is lost: the file is left alone."""

    def __init__(self, problem: str, game: str = "", package: str = "") -> None:
        """`package`: what has to be installed; "" if that would not help, or if it is unknown."""
        super().__init__(problem)
        self.game, self.package = game, package


class DoubtError(JournalError):
    """The disk failed during a write. Whether the entry counts is known when the journal has been read again."""


class LinkError(CompanionError):
    """The referee cannot be reached, or another program listens there."""


class DeviceError(CompanionError):
    """A device does not answer, or not as it should."""


class ConfigError(CompanionError):
    """table.toml is wrong."""


def or_rather(word: str, choices: Iterable[str]) -> str:
    """What was probably meant, at the end of a usage error; "" if nothing is like it."""
    alike = get_close_matches(word, list(choices), 1)
    return f"; did you mean {alike[0]}?" if alike else ""
