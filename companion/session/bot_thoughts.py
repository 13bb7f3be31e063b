"""Why a simulated player did something: what it expected of its action, and of the best of all others.

The expectation is stored beside the action, and told when nothing that the player knew then is hidden any more: neither
this choice, nor one before it, nor a piece in its hand. So what is told depends on nothing that is still secret.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from companion.gamekit.game import Game, Seat, Step, named
from companion.gamekit.game_start import read_action
from companion.gamekit.simulated import Expectation
from companion.gamekit.snapshot import Considered, Thought, Thoughts
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


def told_thoughts(evening: "Evening", ask: AskWhy) -> Thoughts:
    """What may be told about it now."""
    index = evening.played_game.find(ask.entry)
    meant = _meant(evening.played_game, index) if index is not None else ()
    told = [_told(evening, each) for each in meant]
    return Thoughts(ask.id, tuple(each for each in told if each is not None))


def _meant(played_game: "PlayedGame", index: int) -> Iterator[int]:
    """The indexes of this action, and of the choices that it revealed."""
    game, played = played_game.game, played_game.played
    seat = getattr(played[index].action, "seat", None)
    yield index
    for other in played[index].step.revealed:
        if other != seat:
            earlier = range(index - 1, -1, -1)
            yield from islice((at for at in earlier if game.conceals(played[at].action) == other), 1)


def _told(evening: "Evening", index: int) -> Thought | None:
    """None: no simulated player's who searches."""
    played_game = evening.played_game
    played = played_game.played[index]
    expected = evening.expectations.get(played.number)
    if expected is None or played.corrected_by:
        return None
    seat: Seat = played.action.seat
    level = (played_game.header.levels or {}).get(str(seat), "")
    if not played_game.finished and _is_hidden(played_game, seat, index, expected.held):
        return Thought(seat, level)
    game, other = played_game.game, expected.other
    done = considered(game, played.before, msgspec.to_builtins(played.action), expected.worth)
    if other is None:
        return Thought(seat, level, done)
    best = _alternative(played_game, index, other, expected.other_worth)
    return Thought(seat, level, done, best, expected.other_worth)


def _alternative(played_game: "PlayedGame", index: int, other: dict[str, Any], worth: float) -> Considered | None:
    """What a player could have done instead. Until the game is over it is judged from public information: what the
    rules say to it must not depend on what others still hide."""
    game = played_game.game
    if played_game.finished:
        return considered(game, played_game.played[index].before, other, worth)
    if game.from_memory:  # it would remind the others of what is in the hand
        return None
    before = played_game.imagined.before(index)
    return None if before is None else considered(game, before, other, worth)


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


def considered(game: Game[Any, Any], before: Any, said: dict[str, Any], worth: float) -> Considered | None:
    """What the rules say to an action. None: they do not know it, or would not have allowed it."""
    action = read_action(game, said)
    step = game.at_table(before, action) if isinstance(action, game.actions) else None
    if not isinstance(step, Step):
        return None
    secret = game.conceals(action) is not None
    return Considered(said, None if secret or not step.rulings else step.rulings[0], worth)
