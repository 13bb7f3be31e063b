"""Transcripts: a game as JSON Lines. The first line is the header, every other line is one action.

Only the form is read here. Whether an action is legal, or has all its fields, is a matter for the rules.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import CompanionError, TranscriptError
from companion.games.beginning import Header, action_names, check, read_options
from companion.games.box import explained

SIZE_LIMIT = 16_000_000
"""Bytes. A game of Lascaux has some 20,000."""
DIGITS = 100
"""A number with more of them is no seat, card or value of any game; it is not worth its weight."""


class HeaderLine(Header, frozen=True):
    """Line 1: the header, and the path of the box, relative to the transcript."""

    box: str | None = None


class Line(Struct, frozen=True):
    """An action as it stands in the file. Skipped lines count in the numbering."""

    number: int
    action: dict[str, Any]


class Transcript(Struct, frozen=True):
    header: HeaderLine
    box: Path | None
    lines: tuple[Line, ...]


def read_transcript(path: Path) -> Transcript:
    """Read a transcript file. Raises TranscriptError, which names the file and the line."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise TranscriptError(f"{path}: cannot read this transcript: {error.strerror}") from None
    except ValueError:  # no file can have such a name
        raise TranscriptError(f"{str(path)!r}: cannot read this transcript: there is no such file") from None
    if len(data) > SIZE_LIMIT:
        raise TranscriptError(f"{path}: this is too long for a transcript, expected at most {SIZE_LIMIT} bytes")
    return parse_transcript(data, str(path), path.parent)


def parse_transcript(data: bytes, origin: str, folder: Path = Path()) -> Transcript:
    """Read a transcript's bytes; `folder` is where its box is looked for. Raises TranscriptError."""
    first, *others = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    header = _read_header(first, f"{origin}, line 1")
    names = action_names(check(header))
    lines = tuple(
        Line(number, _read_action_line(text, f"{origin}, line {number}", header.game, names))
        for number, text in _unskipped(others)
    )
    return Transcript(header, folder / header.box if header.box is not None else None, lines)


def _read_header(text: bytes, place: str) -> HeaderLine:
    if _is_skipped(text):
        raise TranscriptError(f'{place}: there is no header, expected one like {{"game": "lascaux", "players": […]}}')
    data = _read_object(text, place)
    try:
        header = msgspec.convert(data, HeaderLine)
        read_options(check(header), header.options)
    except msgspec.ValidationError as error:
        raise TranscriptError(f"{place}: {explained(str(error), data, HeaderLine)}") from None
    except CompanionError as error:
        raise TranscriptError(f"{place}: {error}") from None
    return header


def _unskipped(lines: list[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, text) for number, text in enumerate(lines, 2) if not _is_skipped(text))


def _is_skipped(text: bytes) -> bool:
    """Blank lines and comments; what is in a comment does not matter, it may be in any encoding."""
    content = text.decode("utf-8", "replace").strip()
    return not content or content.startswith("#")


def _read_action_line(text: bytes, place: str, game: str, names: tuple[str, ...]) -> dict[str, Any]:
    action = _read_object(text, place)
    if "do" not in action:
        raise TranscriptError(f'{place}: this action has no "do", expected one of {", ".join(names)}')
    if action["do"] not in names:
        raise TranscriptError(
            f"{place}: {game} has no action {_shown(action['do'])}, expected one of {', '.join(names)}"
        )
    return action


def _read_object(text: bytes, place: str) -> dict[str, Any]:
    try:
        data = json.loads(text.decode("utf-8"), parse_int=_number, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{place}: byte {error.start + 1} is not UTF-8, expected JSON") from None
    except json.JSONDecodeError as error:
        raise TranscriptError(f"{place}: {error.msg} at column {error.colno}, expected JSON") from None
    except ValueError as error:
        raise TranscriptError(f"{place}: {error}, expected JSON") from None
    except RecursionError:
        raise TranscriptError(f"{place}: this is nested too deeply, expected an object of plain values") from None
    if not isinstance(data, dict):
        raise TranscriptError(f"{place}: found {_shown(data)}, expected an object in braces")
    return data


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS else float(digits)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _shown(data: object) -> str:
    """A value from outside, short and on one line."""
    if isinstance(data, list | dict):
        return "a list" if isinstance(data, list) else "an object"
    text = json.dumps(data)
    return text if len(text) <= 40 else text[:39] + "…"
