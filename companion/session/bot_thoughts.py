"""Why a simulated player did something: what it expected of its action, and of the best of all others.

The expectation is stored beside the action, and told when nothing that the player knew then is hidden any more: neither
this choice, nor one before it, nor a piece in its hand. So what is told depends on nothing that is still secret.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from companion.gamekit.game import Game, Seat, Step, named
from companion.gamekit.game_start import read_action
from companion.gamekit.simulated import Expectation
from companion.gamekit.snapshot import Considered, Thought
from companion.messages.intentions import AskWhy

if TYPE_CHECKING:
    from companion.session.evening import Evening
    from companion.session.played_game import PlayedGame

THOUGHT = "@thought"
"""What a simulated player expected, beside the fields of its action."""


def expected_in(body: Mapping[str, Any]) -> Expectation | None:
    """What is stored beside an action; None: nothing that can be read."""
    try:
        return msgspec.convert(body[THOUGHT], Expectation) if THOUGHT in body else None
    except msgspec.ValidationError:
        return None


def told_thought(evening: "Evening", ask: AskWhy) -> Thought:
    """What may be told about it now."""
    played_game, expected = evening.played_game, evening.expectations.get(ask.entry)
    index = played_game.find(ask.entry)
    if expected is None or index is None or played_game.played[index].corrected_by:
        return Thought(ask.id, ask.entry)
    played = played_game.played[index]
    seat: Seat = played.action.seat
    level = (played_game.header.levels or {}).get(str(seat), "")
    if not played_game.finished and _is_hidden(played_game, seat, index, expected.held):
        return Thought(ask.id, ask.entry, seat, level)
    game, other = played_game.game, expected.other
    done = _considered(game, played.before, msgspec.to_builtins(played.action), expected.worth)
    if other is None:
        return Thought(ask.id, ask.entry, seat, level, done)
    may_name = played_game.finished or not game.from_memory  # else it would remind the others of what is in the hand
    best = _considered(game, played.before, other, expected.other_worth) if may_name else None
    return Thought(ask.id, ask.entry, seat, level, done, best, expected.other_worth)


def _is_hidden(played_game: "PlayedGame", seat: Seat, index: int, held: tuple[str, ...]) -> bool:
    """Whether a choice of this player up to that action, or a piece that they held then, is still hidden."""
    game, hidden = played_game.game, False
    for number, played in enumerate(played_game.played):
        if number <= index and game.conceals(played.action) == seat:
            hidden = True
        if seat in played.step.revealed:
            hidden = False
    if hidden or not held:
        return hidden
    if game.face_down is not None:
        now = game.face_down(played_game.state)
        return not {*held}.isdisjoint({*now.unseen} - now.known.keys())
    return not {*held} <= named(game.view(played_game.state))


def _considered(game: Game[Any, Any], before: Any, said: dict[str, Any], worth: float) -> Considered | None:
    """None: an action that the rules do not know, or would not have allowed."""
    action = read_action(game, said)
    step = game.at_table(before, action) if isinstance(action, game.actions) else None
    if not isinstance(step, Step):
        return None
    secret = game.conceals(action) is not None
    return Considered(said, None if secret or not step.rulings else step.rulings[0], worth)
