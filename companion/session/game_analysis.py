"""A finished game, looked at again: how likely each player was to win, where that turned, and what else each could have
done.

The chances come from playouts of the true states: now all is known. A decision is judged by what its player could know
at the time, with the same search as that of simulated players. Pure: the same game and the same seed give the same.
"""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Seat, named
from companion.gamekit.search import Judgement, Search, Skill, UnclearPastError, chances, knowledge_of
from companion.session.actions import CountedAction
from companion.session.played_game import PlayedGame

TURNS = 3
"""How many turning points are named."""
PLAYOUTS = 60
"""For the chances after each action: they are right to about a fifteenth."""
AROUND = 3
"""A turning point is told by so many actions before it and after it, because single chances are that rough."""
TRIED = 8
"""An action has a worth when it was tried this often."""
CLEAR = 0.06
"""Another action was better when it brings this much more of a victory."""


class Alternative(Struct, frozen=True):
    action: Any
    worth: float
    """From 0 to 1, as far as a player could know: about how likely it leads to a victory."""


class JudgedDecision(Struct, frozen=True):
    """What a player did, and the best that they could have done instead."""

    step: int
    """How many actions came before it."""
    seat: Seat
    done: Alternative
    best: Alternative

    @property
    def cost(self) -> float:
        """How much of a victory it cost; 0 if nothing better was found."""
        return max(0.0, self.best.worth - self.done.worth)

    @property
    def is_clear(self) -> bool:
        return self.cost >= CLEAR


class GameAnalysis(Struct, frozen=True):
    chances: tuple[tuple[float, ...], ...]
    """At the beginning and after each action: how likely each seat wins."""
    turning_points: tuple[int, ...]
    """The steps after which the chances had changed most, in the order of play."""
    decisions: tuple[JudgedDecision, ...]


def analyse(played: PlayedGame, judgement: Judgement[Any, Any], skill: Skill, seed: int = 1) -> Iterator[GameAnalysis]:
    """The analysis so far, after each action of a finished game; the last one is whole."""
    actions = list(played.played)
    curve = [chances(judgement, played.first_state, PLAYOUTS, Random(f"{seed}/0"))]
    decisions: list[JudgedDecision] = []
    for step, action in enumerate(actions):
        curve.append(chances(judgement, action.step.state, PLAYOUTS, Random(f"{seed}/{step + 1}")))
        judged = _judged(played, judgement, actions, step, skill)
        if judged is not None:
            decisions.append(judged)
        yield GameAnalysis(tuple(curve), turning_points(curve), tuple(decisions))


def turning_points(curve: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """Where the chances changed most, of all seats together."""
    changes = {step: _change(curve, step) for step in range(1, len(curve))}
    found: list[int] = []
    for step in sorted(changes, key=lambda each: changes[each], reverse=True):
        if len(found) < TURNS and changes[step] and all(abs(step - other) > AROUND for other in found):
            found.append(step)
    return tuple(sorted(found))


def _change(curve: Sequence[Sequence[float]], step: int) -> float:
    """How much the chances changed with this action."""
    before, after = curve[max(0, step - AROUND) : step], curve[step : step + AROUND]
    return sum(
        abs(fmean(row[seat] for row in after) - fmean(row[seat] for row in before)) for seat in range(len(curve[0]))
    )


def _judged(
    played: PlayedGame, judgement: Judgement[Any, Any], actions: Sequence[CountedAction], step: int, skill: Skill
) -> JudgedDecision | None:
    """None where there was nothing to decide."""
    game, action = played.game, actions[step]
    done, seat, state = action.counting, getattr(action.counting, "seat", None), action.before
    if seat is None or judgement.turn(state) is None or isinstance(done, game.communal):
        return None
    # Where the rules do not know hands, all that is certain is that the player had this piece.
    held = frozenset(named(done) & {piece.id for piece in game.pieces(played.setup.box)}) or None
    if all(each == done for each in judgement.candidates(state, seat, held)):
        return None
    past = [(each.counting, each.step.revealed) for each in actions[:step]]
    luck = Random(f"{step}/{seat}")
    try:
        knowledge = replace(knowledge_of(game, played.setup, state, past, seat), held=held)
        search = Search(game, judgement, knowledge, skill)
        bandit = search.run(luck)
        worths = {each: bandit.won[each] / tried for each, tried in bandit.tried.items() if tried >= TRIED}
        worth = worths[done] if done in worths else search.worth(done, 2 * TRIED, luck)
    except UnclearPastError:
        return None
    best = max(worths, key=lambda each: worths[each], default=done)
    return JudgedDecision(step, seat, Alternative(done, worth), Alternative(best, worths.get(best, worth)))
