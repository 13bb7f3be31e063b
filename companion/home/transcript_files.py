"""Reads the file of a transcript, and finds the box that it names."""

from collections.abc import Iterator
from pathlib import Path

from companion.errors import BoxError, TranscriptError
from companion.files import TooLongError, load_lines
from companion.gamekit import discovery
from companion.gamekit.transcript import Transcript, parse_lines
from companion.home.box_files import FoundBox, find_box

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
    except FileNotFoundError:
        raise TranscriptError(f"{path}: this transcript is missing: there is no such file") from None
    except OSError as error:
        raise TranscriptError(f"{path}: cannot read this transcript: {error.strerror}") from None
    except ValueError:  # no file can have such a name
        raise TranscriptError(f"{str(path)!r}: this transcript is missing: there is no such file") from None


def box_of(transcript: Transcript, path: Path) -> FoundBox:
    """The box that a transcript names. Raises TranscriptError."""
    try:
        return find_box(discovery.find(transcript.header.game), transcript.box)
    except BoxError as error:
        raise TranscriptError(f"{path}, line 1: box: {error}") from None
    except ValueError:  # no file can have such a name
        raise TranscriptError(f"{path}, line 1: box: there is no file {transcript.header.box!r}") from None
