"""A finished game, looked at again: how likely each player was to win, where that turned, and what else each could have
done.

The chances come from playouts of the true states: now all is known. A decision is judged by what its player could know
at the time, with the same search as that of simulated players. What looks clearly better is tried once more, with other
chances, so that luck alone makes nothing better. Pure: the same game and the same seed give the same.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from random import Random
from statistics import fmean, stdev
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Part, Refusal, Seat, named
from companion.gamekit.game_start import read_action
from companion.gamekit.parts import seat_players
from companion.gamekit.search import (
    ImaginedDeal,
    Judgement,
    Sampler,
    Search,
    SeatKnowledge,
    Skill,
    UnclearPastError,
    chances,
    knowledge_of,
    played_on,
    rewards_at,
)
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
BATCHES, BATCH = 8, 20
"""How often two actions are tried when one looks clearly better: so many times so many playouts each."""
SURE = 2.4
"""The difference has to be so many times as large as its standard error: then chance makes it in one case of forty."""

KnownHands: TypeAlias = Callable[[int, Seat], frozenset[str] | None]
"""What this player held before the action of this number, counted from 0; None: only the player knew."""


class Analyst(Struct, frozen=True):
    """Judges decisions."""

    judgement: Judgement[Any, Any]
    skill: Skill
    """How much is thought about each; without a clock."""
    hands: KnownHands = lambda _step, _seat: None


class Alternative(Struct, frozen=True):
    action: dict[str, Any]
    worth: float
    """From 0 to 1, as far as a player could know: about how likely it leads to a victory."""
    points: dict[str, float] = {}
    """What it brings, by the kinds of points, as far as the playouts went. Known of what was tried twice."""


def gains(one: Alternative, other: Alternative) -> dict[str, float]:
    """By how many points the other one brings more, by the kinds of points."""
    kinds = dict.fromkeys((*one.points, *other.points))
    return {kind: other.points.get(kind, 0.0) - one.points.get(kind, 0.0) for kind in kinds}


class JudgedDecision(Struct, frozen=True):
    """What a player did, and the best of all that they could have done instead."""

    step: int
    """How many actions came before it."""
    seat: Seat
    done: Alternative
    other: Alternative
    is_clear: bool = False
    """The other one was better; looked at twice."""

    @property
    def cost(self) -> float:
        """How much of a victory it cost; 0 if nothing better was found."""
        return max(0.0, self.other.worth - self.done.worth)


class GameAnalysis(Struct, frozen=True):
    chances: tuple[tuple[float, ...], ...]
    """At the beginning and after each action: how likely each seat wins."""
    turning_points: tuple[int, ...]
    """The steps after which the chances had changed most, in the order of play."""
    decisions: tuple[JudgedDecision, ...]


def analyse(played: PlayedGame, analyst: Analyst, seed: int = 1) -> Iterator[GameAnalysis]:
    """The analysis so far, after each action of a finished game; the last one is whole. The decisions are those of
    persons; where only the computer played, all."""
    actions, players = list(played.played), range(len(played.header.players))
    judged = {seat for seat in players if seat not in played.header.simulated} or {*players}
    judgement = analyst.judgement
    curve = [chances(judgement, played.first_state, PLAYOUTS, Random(f"{seed}/0"))]
    decisions: list[JudgedDecision] = []
    for step, action in enumerate(actions):
        curve.append(chances(judgement, action.step.state, PLAYOUTS, Random(f"{seed}/{step + 1}")))
        seat = getattr(action.counting, "seat", None)
        decision = Position(played, actions, step, analyst).judged() if seat in judged else None
        if decision is not None:
            decisions.append(decision)
        yield GameAnalysis(tuple(curve), turning_points(curve), tuple(decisions))


def fingerprint(played: PlayedGame) -> str:
    """Of all that an analysis rests on: the same for the same game, until something in it is corrected."""
    header = played.header
    began = header.game, len(header.players), header.first, header.options, played.box_text
    actions = [action.counting for action in played.played]
    return hashlib.sha256(msgspec.json.encode((began, actions), order="sorted")).hexdigest()


def as_data(action: Any) -> dict[str, Any]:
    """As a file and a screen have it."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(action))
    return data


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
    return sum(abs(then - now) for then, now in zip(*around(curve, step), strict=True))


def around(curve: Sequence[Sequence[float]], step: int) -> tuple[list[float], list[float]]:
    """The chances of each seat before this action and after it, as far as single chances can be relied on."""
    before, after = curve[max(0, step - AROUND) : step], curve[step : step + AROUND]
    return [fmean(seat) for seat in zip(*before, strict=True)], [fmean(seat) for seat in zip(*after, strict=True)]


# --- One decision ---------------------------------------------------------------------------------------------


class Position:
    """Where a player had to decide, and what they could know then."""

    def __init__(self, played: PlayedGame, actions: Sequence[CountedAction], step: int, analyst: Analyst) -> None:
        """Of the player who did the action after so many others. `actions`: all of the game."""
        self._played, self._step = played, step
        self._judgement, self._skill = analyst.judgement, analyst.skill
        self._state, self._done = actions[step].before, actions[step].counting
        self._seat: Seat = self._done.seat
        self.held = analyst.hands(step, self._seat) or self._certain()
        self._past = [(each.counting, each.step.revealed) for each in actions[:step]]

    def _certain(self) -> frozenset[str] | None:
        """Where the rules do not know hands, all that is certain is that the player had this piece."""
        game = self._played.game
        if game.face_down is None and not hasattr(seat_players(game.name, 0, frozenset(), "full"), "held"):
            return None
        return frozenset(named(self._done) & {piece.id for piece in game.pieces(self._played.setup.box)}) or None

    def judged(self) -> JudgedDecision | None:
        """None where there was nothing to decide."""
        judgement, done = self._judgement, self._done
        if judgement.turn(self._state) is None or isinstance(done, self._played.game.communal):
            return None
        if all(each == done for each in judgement.candidates(self._state, self._seat, self.held)):
            return None
        try:
            return self._compared()
        except UnclearPastError:
            return None

    def _compared(self) -> JudgedDecision | None:
        done, luck = self._done, Random(f"{self._step}/{self._seat}")
        search = Search(self._played.game, self._judgement, self._knowledge, self._skill)
        bandit = search.run(luck)
        others = {each: tried for each, tried in bandit.tried.items() if each != done}
        if not others:
            return None
        worths = {each: bandit.won[each] / tried for each, tried in bandit.tried.items() if tried >= TRIED}
        often = [each for each in others if each in worths] or [max(others, key=lambda each: others[each])]
        best = max(often, key=lambda each: worths.get(each, 0.0))
        worth = [worths[each] if each in worths else search.worth(each, 2 * TRIED, luck) for each in (done, best)]
        found = JudgedDecision(
            self._step,
            self._seat,
            Alternative(as_data(done), worth[0]),
            Alternative(as_data(best), worth[1]),
        )
        return self._tried_again(found, done, best) if found.cost >= CLEAR else found

    def _tried_again(self, found: JudgedDecision, done: Any, best: Any) -> JudgedDecision:
        """With other chances, the same for both."""
        one, other = self.prospects(done), self.prospects(best)
        if one is None or other is None:
            return found
        differences = [after - before for before, after in zip(one.batches, other.batches, strict=True)]
        mean, error = fmean(differences), stdev(differences) / math.sqrt(len(differences))
        return replace(
            found,
            done=Alternative(found.done.action, one.worth, one.points),
            other=Alternative(found.other.action, other.worth, other.points),
            is_clear=mean >= CLEAR and mean > SURE * error,
        )

    def prospects(self, action: Any) -> "Prospects | None":
        """What an action brings its player; the same chances for each. None: no more can be said of it. Raises
        UnclearPastError."""
        batches = [list(self._outcomes(action, batch)) for batch in range(BATCHES)]
        if not all(batches):
            return None
        outcomes = [each for batch in batches for each in batch]
        points: dict[str, float] = {}
        for _worth, parts in outcomes:
            for part in parts:
                points[part.for_] = points.get(part.for_, 0.0) + part.points / len(outcomes)
        means = tuple(fmean(worth for worth, _parts in batch) for batch in batches)
        return Prospects(fmean(means), means, {kind: round(each, 2) for kind, each in points.items()})

    def _outcomes(self, action: Any, batch: int) -> Iterator[tuple[float, Sequence[Part]]]:
        """A sample in which another player hides the piece says nothing about it."""
        game, judgement, held = self._played.game, self._judgement, self._knowledge.held
        for number in range(BATCH):
            luck = Random(f"{self._step}/{batch}/{number}")
            sample = self._sampler.sample(luck)
            deal = ImaginedDeal(game, sample.state, {} if held is None else {self._seat: held}, luck)
            step = game.apply(sample.state, action)
            if isinstance(step, Refusal):
                continue
            deal.go_on(step.state, luck)
            state, over = played_on(judgement, sample.state, step.state, luck, deal)
            yield (
                rewards_at(judgement, state, over, self._skill.boldness)[self._seat],
                game.scores(state)[self._seat].parts,
            )

    @cached_property
    def _sampler(self) -> Sampler:
        return Sampler(self._played.game, self._judgement, self._knowledge)

    @cached_property
    def _knowledge(self) -> SeatKnowledge:
        game, setup = self._played.game, self._played.setup
        return replace(knowledge_of(game, setup, self._state, self._past, self._seat), held=self.held)

    def considered(self, said: dict[str, Any]) -> Alternative | None:
        """What any other action would have been worth. None: no more can be said of it."""
        action = read_action(self._played.game, said)
        try:
            found = None if isinstance(action, Refusal) else self.prospects(action)
        except UnclearPastError:
            return None
        return Alternative(said, found.worth, found.points) if found else None


class Prospects(Struct, frozen=True):
    """What an action brought in playouts."""

    worth: float
    batches: tuple[float, ...]
    """The same for each batch of playouts."""
    points: dict[str, float]
