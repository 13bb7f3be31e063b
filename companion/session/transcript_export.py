"""A game of an evening as a transcript that holds no secret."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import JournalError, UsageError
from companion.files import store_all
from companion.gamekit.game import Game, Refusal
from companion.gamekit.game_start import Header, begin, check, read_action
from companion.session.evening import Evening
from companion.session.played_game import PlayedGame
from companion.session.stand_ins import Fate, fates


class Exported(Struct, frozen=True):
    """The files that were written."""

    transcript: Path
    box: Path


def transcript(evening: Evening, box_name: str | None = None, *, game: int | None = None) -> str:
    """The game of this number (from 1; the newest if none is named) as JSON Lines, header first.

    `box_name` is what the header calls the box; without it the header names none. Raises UsageError for a game that
    was not played.
    """
    return _text(_played_game(evening, game), box_name)


def untold(evening: Evening, *, game: int | None = None) -> int:
    """How many actions at the end of a game are left out, because the first of them cannot be told yet."""
    played_game = _played_game(evening, game)
    _told, end = _public(played_game)
    return len(played_game.played) - end


def write_export(evening: Evening, path: Path, *, game: int | None = None, force: bool = False) -> Exported:
    """Write the transcript, and its box beside it. Raises UsageError rather than overwrite a file, unless forced."""
    played_game = _played_game(evening, game)
    box = path.with_name(f"{path.stem}.box.toml")
    for file in () if force else (path, box):
        if file.exists() or file.is_symlink():
            raise UsageError(f"{file}: there is such a file already; --force overwrites it")
    try:
        store_all({box: played_game.box_text, path: _text(played_game, box.name)})
    except OSError as error:
        raise JournalError(f"{path}: cannot write the transcript: {error.strerror}") from None
    return Exported(path, box)


def replay(text: str, box_text: str) -> tuple[Game[Any, Any], Any]:
    """Play an export again: its game, and the state that it reaches. Raises JournalError if a line is refused."""
    first, *lines = text.rstrip("\n").split("\n")
    header = msgspec.json.decode(first, type=Header)
    game = check(header)
    _setup, first = begin(header, game.parse_box(box_text, "the box of the export"))
    state = _refold(game, first, [read_action(game, msgspec.json.decode(line)) for line in lines])
    if state is None:
        raise JournalError("the rules refuse a line of this transcript")
    return game, state


# --- What may be told -----------------------------------------------------------------------------------------


def public_actions(played_game: PlayedGame) -> list[Any]:
    """The actions of a game without what was never revealed.

    A choice that its player replaced, or that the end of the game left face down, is left out: nothing else depends on
    it. While the game runs, all ends before the first action that is still hidden. What is left must lead to the same
    table; where it does not, less is told: all up to the first action that cannot be told.
    """
    told, _end = _public(played_game)
    return told


def _public(played_game: PlayedGame) -> tuple[list[Any], int]:
    """What is told, and before which action it ends."""
    found = fates(played_game.game, played_game.played)
    end = len(found) if played_game.finished else _index(found, {"hidden"})
    actions = _corrected(played_game)
    told = [action for action, fate in zip(actions, found[:end], strict=False) if fate == "open"]
    reached = _refold(played_game.game, played_game.first_state, told)
    expected = played_game.played[end].before if end < len(found) else played_game.state
    if reached is not None and played_game.game.table(reached) == played_game.game.table(expected):
        return told, end
    end = _index(found, {"hidden", "replaced"})
    return list(actions[:end]), end


def _corrected(played_game: PlayedGame) -> Sequence[Any]:
    """All actions, as the rules of transcripts want them."""
    actions = [played.action for played in played_game.played]
    correct = played_game.game.corrected
    return correct(played_game.first_state, actions) if correct else actions


def _index(found: Sequence[Fate], wanted: set[Fate]) -> int:
    return next((index for index, fate in enumerate(found) if fate in wanted), len(found))


def _refold(game: Game[Any, Any], state: Any, actions: Iterable[Any]) -> Any | None:
    """The state that these actions lead to; None if one of them is refused."""
    for action in actions:
        step = action if isinstance(action, Refusal) else game.apply(state, action)
        if isinstance(step, Refusal):
            return None
        state = step.state
    return state


# --- Text and files -------------------------------------------------------------------------------------------


def _played_game(evening: Evening, game: int | None) -> PlayedGame:
    if game is None:
        return evening.played_game
    if not 1 <= game <= len(evening.played_games):
        raise UsageError(f"there is no game {game} in this evening; it has {len(evening.played_games)}")
    return evening.played_games[game - 1]


def _text(played_game: PlayedGame, box_name: str | None) -> str:
    stored = played_game.header
    header = {"game": stored.game, "players": stored.players, "first": stored.first, "options": stored.options}
    lines = (header if box_name is None else header | {"box": box_name}, *public_actions(played_game))
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
