"""A game of an evening as a transcript that holds no secret."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from companion.errors import UsageError
from companion.gamekit.game import Game, Refusal
from companion.session.evening import Evening
from companion.session.played_game import PlayedGame
from companion.session.stand_ins import Fate, fates


def transcript(evening: Evening, box_name: str | None = None, *, game: int | None = None) -> str:
    """The game of this number (from 1; the newest if none is named) as JSON Lines, header first.

    `box_name` is what the header calls the box; without it the header names none. Raises UsageError for a game that
    was not played.
    """
    return _text(chosen_game(evening, game), box_name)


def untold(evening: Evening, *, game: int | None = None) -> int:
    """How many actions at the end of a game an export leaves out, because the first of them is still hidden."""
    played_game = chosen_game(evening, game)
    _told, end = _public(played_game)
    return len(played_game.played) - end


def public_actions(played_game: PlayedGame) -> list[Any]:
    """The actions of a game without what was never revealed.

    A choice that its player replaced, or that the end of the game left face down, is left out: nothing else depends on
    it. While the game runs, the list ends before the first action that is still hidden. The rest must lead to the same
    table; if it does not, the list ends before the first action that was never revealed.
    """
    told, _end = _public(played_game)
    return told


def _public(played_game: PlayedGame) -> tuple[list[Any], int]:
    """The public actions, and the index of the action before which they end."""
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
    """All actions, in the form that transcripts need."""
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


def chosen_game(evening: Evening, game: int | None) -> PlayedGame:
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
