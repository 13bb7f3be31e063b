"""Reads transcript files."""

from collections.abc import Iterator
from pathlib import Path

from companion.errors import TranscriptError
from companion.files import TooLongError, load_lines
from companion.gamekit.transcript import Transcript, parse_lines

SIZE_LIMIT = 16_000_000
"""Bytes. A long game has about 20,000."""


def read_transcript(path: Path) -> Transcript:
    """Read a transcript file. Its lines are read lazily, so TranscriptError, which names the file and the line, may be
    raised now or while they are read."""
    return parse_lines(_lines(path), str(path), path.parent)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        yield from load_lines(path, SIZE_LIMIT)
    except TooLongError:
        raise TranscriptError(
            f"{path}: this is too long for a transcript, expected at most {SIZE_LIMIT} bytes"
        ) from None
    except OSError as error:
        raise TranscriptError(f"{path}: cannot read this transcript: {error.strerror}") from None
    except ValueError:  # no file can have such a name
        raise TranscriptError(f"{str(path)!r}: cannot read this transcript: there is no such file") from None
