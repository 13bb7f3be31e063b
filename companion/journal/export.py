"""A game of an evening as a transcript that holds no secret."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import JournalError, UsageError
from companion.files import store_all
from companion.gamekit.beginning import Beginning, Header, begin, check, read_action
from companion.gamekit.game import Game, Refusal
from companion.journal.evening import Evening
from companion.journal.sitting import Sitting
from companion.journal.standins import Fate, fates


class Exported(Struct, frozen=True):
    """The files that were written."""

    transcript: Path
    box: Path


def transcript(evening: Evening, box_name: str | None = None, *, game: int | None = None) -> str:
    """The game of this number (from 1; the newest if none is named) as JSON Lines, header first.

    `box_name` is what the header calls the box; without it the header names none. Raises UsageError for a game that
    was not played.
    """
    return _text(_sitting(evening, game), box_name)


def untold(evening: Evening, *, game: int | None = None) -> int:
    """How many actions at the end of a game are left out, because the first of them cannot be told yet."""
    sitting = _sitting(evening, game)
    _told, end = _public(sitting)
    return len(sitting.played) - end


def write_export(evening: Evening, path: Path, *, game: int | None = None, force: bool = False) -> Exported:
    """Write the transcript, and its box beside it. Raises UsageError rather than overwrite a file, unless forced."""
    sitting = _sitting(evening, game)
    box = path.with_name(f"{path.stem}.box.toml")
    for file in () if force else (path, box):
        if file.exists() or file.is_symlink():
            raise UsageError(f"{file}: there is such a file already; --force overwrites it")
    try:
        store_all({box: sitting.box_text, path: _text(sitting, box.name)})
    except OSError as error:
        raise JournalError(f"{path}: cannot write the transcript: {error.strerror}") from None
    return Exported(path, box)


def replay(text: str, box_text: str) -> tuple[Game[Any, Any], Any]:
    """Play an export again: its game, and the state that it reaches. Raises JournalError if a line is refused."""
    first, *lines = text.rstrip("\n").split("\n")
    header = msgspec.json.decode(first, type=Header)
    start = begin(header, check(header).parse_box(box_text, "the box of the export"))
    actions = [read_action(start.game, msgspec.json.decode(line)) for line in lines]
    state = _refold(start, actions)
    if state is None:
        raise JournalError("the rules refuse a line of this transcript")
    return start.game, state


# --- What may be told -----------------------------------------------------------------------------------------


def public_actions(sitting: Sitting) -> list[Any]:
    """The actions of a game without what was never revealed.

    A choice that its player replaced, or that the end of the game left face down, is left out: nothing else depends on
    it. While the game runs, all ends before the first action that is still hidden. What is left must lead to the same
    table; where it does not, less is told: all up to the first action that cannot be told.
    """
    told, _end = _public(sitting)
    return told


def _public(sitting: Sitting) -> tuple[list[Any], int]:
    """What is told, and before which action it ends."""
    found = fates(sitting.game, sitting.played)
    end = len(found) if sitting.finished else _index(found, {"hidden"})
    actions = _corrected(sitting)
    told = [action for action, fate in zip(actions, found[:end], strict=False) if fate == "open"]
    reached = _refold(sitting.start, told)
    expected = sitting.played[end].before if end < len(found) else sitting.state
    if reached is not None and sitting.game.table(reached) == sitting.game.table(expected):
        return told, end
    end = _index(found, {"hidden", "replaced"})
    return list(actions[:end]), end


def _corrected(sitting: Sitting) -> Sequence[Any]:
    """All actions, as the rules of transcripts want them."""
    actions = [played.action for played in sitting.played]
    correct = sitting.game.corrected
    return correct(sitting.start.state, actions) if correct else actions


def _index(found: Sequence[Fate], wanted: set[Fate]) -> int:
    return next((index for index, fate in enumerate(found) if fate in wanted), len(found))


def _refold(start: Beginning, actions: Iterable[Any]) -> Any | None:
    """The state that these actions lead to; None if one of them is refused."""
    state = start.state
    for action in actions:
        step = action if isinstance(action, Refusal) else start.game.apply(state, action)
        if isinstance(step, Refusal):
            return None
        state = step.state
    return state


# --- Text and files -------------------------------------------------------------------------------------------


def _sitting(evening: Evening, game: int | None) -> Sitting:
    if game is None:
        return evening.sitting
    if not 1 <= game <= len(evening.sittings):
        raise UsageError(f"there is no game {game} in this evening; it has {len(evening.sittings)}")
    return evening.sittings[game - 1]


def _text(sitting: Sitting, box_name: str | None) -> str:
    header = msgspec.to_builtins(sitting.header)
    if box_name is not None:
        header["box"] = box_name
    lines = (header, *public_actions(sitting))
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
