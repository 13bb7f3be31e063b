"""Transcripts: a game as JSON Lines. The first line is the header, every other line is one action.

Only the form is read here. Whether an action is legal, or has all its fields, is a matter for the rules.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError, TranscriptError
from companion.gamekit.box import converted, escaped, explained
from companion.gamekit.game_start import Header, action_names, check, read_options

DIGITS = 100
"""A longer number is no seat, card or value of any game, and is not read exactly."""


class TranscriptLine(Struct, frozen=True):
    """An action as written in the file. Skipped lines count in the numbering."""

    number: int
    action: dict[str, Any]


class Transcript(Struct, frozen=True):
    header: Header
    box: Path | None
    lines: Iterable[TranscriptLine]
    """May be read lazily, and only once. Raises TranscriptError at a line that cannot be read."""


def parse_transcript(data: bytes, origin: str, folder: Path = Path()) -> Transcript:
    """Read a transcript's bytes; `folder` is where its box is looked for. Raises TranscriptError."""
    read = parse_lines(iter(data.split(b"\n")), origin, folder)
    return replace(read, lines=tuple(read.lines))


def parse_lines(texts: Iterator[bytes], origin: str, folder: Path) -> Transcript:
    """The same, lazily: however long the transcript is, only one line at a time is in memory. Raises TranscriptError
    for the header."""
    header = _read_header(next(texts, b"").removeprefix(b"\xef\xbb\xbf"), f"{origin}, line 1")
    names = action_names(check(header))
    lines = (
        TranscriptLine(number, _read_action_line(text, f"{origin}, line {number}", header.game, names))
        for number, text in enumerate(texts, 2)
        if not _is_skipped(text)
    )
    return Transcript(header, folder / header.box if header.box is not None else None, lines)


def _read_header(text: bytes, place: str) -> Header:
    if _is_skipped(text):
        raise TranscriptError(f'{place}: there is no header, expected one like {{"game": "lascaux", "players": […]}}')
    data = _read_object(text, place)
    try:
        header = converted(data, Header)
        read_options(check(header), header.options)
    except msgspec.ValidationError as error:
        raise TranscriptError(f"{place}: {explained(str(error), data, Header)}") from None
    except CompanionError as error:
        raise TranscriptError(f"{place}: {error}") from None
    return header


def _is_skipped(text: bytes) -> bool:
    """Blank lines and comments; what is in a comment does not matter, it may be in any encoding."""
    if text[:1] == b"{":  # nearly all
        return False
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
        data = _decoder.decode(text.decode("utf-8"))
        data = _with_whole_keys(data) if b"\\u" in text else data
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{place}: byte {error.start + 1} is not UTF-8, expected JSON") from None
    except json.JSONDecodeError as error:
        problem = error.msg.removesuffix(" at")  # "Unterminated string starting at"
        raise TranscriptError(f"{place}: {problem} at column {error.colno}, expected JSON") from None
    except ValueError as error:
        raise TranscriptError(f"{place}: {error}, expected JSON") from None
    except RecursionError:
        raise TranscriptError(f"{place}: this is nested too deeply, expected an object of plain values") from None
    if not isinstance(data, dict):
        raise TranscriptError(f"{place}: found {_shown(data)}, expected an object in braces")
    return data


def _with_whole_keys(value: Any) -> Any:
    """JSON can say half a character, and msgspec cannot look up a key with one: such a key is escaped. None of ours has
    one, so it stays unknown."""
    if isinstance(value, dict):
        return {escaped(key): _with_whole_keys(each) for key, each in value.items()}
    return [_with_whole_keys(each) for each in value] if isinstance(value, list) else value


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS else float(digits)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


_decoder = json.JSONDecoder(parse_int=_number, parse_constant=_no_number)


def _shown(data: object) -> str:
    """A value from outside, short and on one line."""
    if isinstance(data, list | dict):
        return "a list" if isinstance(data, list) else "an object"
    text = json.dumps(data)
    return text if len(text) <= 40 else text[:39] + "…"
