"""A player for every game: it searches for good actions with nothing but the rules and what its seat may know.

Information-set Monte-Carlo tree search (Cowling, Powley, Whitehouse 2012), several observers, a reward for each player:

1. Sample a full state that looks to this seat exactly as the table does (`Sampler`).
2. Walk down the tree. Where the next player has decided before, take what has served them best so far or was tried too
   little (`Bandit`). What a player knows is the key: what all have seen, and what they hide themselves. So players who
   choose in secret at the same time decide independently of each other (decoupled UCT), and draws are never chosen.
3. At the first new decision go on as a game's own weights suggest, to the end or until its `Judgement` stops.
4. All who decided on the way learn what they themselves got.

Nothing but a player's `SeatKnowledge` and a seed goes in. `knowledge_of` leaves out what others still hide.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.ending import leads, sides, strengths, teams_of
from companion.gamekit.face_down import after_action, dealt, drawn, playable
from companion.gamekit.game import Game, Refusal, Seat, Setup, Step, named
from companion.gamekit.state_fields import dealt_again

S = TypeVar("S")
A = TypeVar("A")

CHANCE = -1
"""The seat of what no player decides: a card is drawn, tied players are dealt cards."""
EXPLORATION = 2.0
"""How much an action is worth trying that was tried rarely, in standard deviations of what playouts bring."""
MIXING = 0.3
"""Where others choose in secret at the same time, what was tried nearly as often as the best is done, too:
whoever always does the same is found out."""
SURPRISE = 0.1
"""How often a hidden choice is guessed to be just any that there is, where the others do what looks good at first
sight."""
FORCED = 8
"""So many playouts are enough where there is nothing to choose."""
OBVIOUS = 4.0
"""So many standard errors behind, an action is not thought about any longer."""
TRIED = 10
"""Before that it has been tried so often."""
TRIES = 400
"""How often a hidden past is guessed again if the rules refuse it; then as often with what people are believed."""
LONGEST = 5_000
"""After so many actions a playout is broken off, in a game that can go on for ever."""


# --- What a player may know -----------------------------------------------------------------------------------


class Hidden(Struct, frozen=True):
    """An action whose content one of the others still hides: the others have only seen that it was done."""

    seat: Seat
    kind: type


class SeatKnowledge(Struct, frozen=True):
    """All that one seat may know."""

    setup: Setup
    seat: Seat
    view: Any
    """What all players see now."""
    own: Any
    """What this player alone sees."""
    past: tuple[Any, ...]
    """Every action that counts, oldest first: as it was done, or `Hidden`."""
    state: Any = None
    """The state itself, if the others hide no action: then every player can work it out. None: it has to be guessed."""
    held: frozenset[str] | None = None
    """The pieces in this player's hand, where the rules do not know them; None: the rules know all."""


def knowledge_of(
    game: Game[Any, Any],
    setup: Setup,
    state: Any,
    past: Iterable[tuple[Any, Iterable[Seat]]],
    seat: Seat,
) -> SeatKnowledge:
    """What this seat may know of a state: `past` has each action and the seats whose secrets it brought to light."""
    known: list[Any] = []
    hidden: dict[Seat, list[tuple[int, Any]]] = {}
    for action, revealed in past:
        owner = game.conceals(action)
        if owner is None or owner == seat:
            known.append(action)
        else:
            hidden.setdefault(owner, []).append((len(known), action))
            known.append(Hidden(owner, type(action)))
        for shown in revealed:
            for index, its_action in hidden.pop(shown, ()):
                known[index] = its_action
    own = game.own_view(state, seat) if game.own_view else None
    known_state = None if any(isinstance(action, Hidden) for action in known) else state
    return SeatKnowledge(setup, seat, game.view(state), own, tuple(known), known_state)


# --- What a game knows about itself ---------------------------------------------------------------------------


class Judgement(Generic[S, A]):
    """How to think about a game. Everything has a default that is made of the rules; a game overrides what it knows
    better, and makes faster what a search asks for thousands of times."""

    spread: float = 5.0
    """A lead of so many points is a clear one."""
    habit: float = 0.0
    """How often the others do what looks good at first sight, as people do. 0: they always do what is best for them."""
    draws_matter: bool = True
    """Whether plans depend on what chance brings. If not, what was drawn is forgotten when a search goes on."""

    _newest: tuple[S, Sequence[A]] | None = None
    """The state that was asked about last, and what is legal in it."""

    def __init__(self, game: Game[S, A]) -> None:
        self.game = game

    def turn(self, state: S) -> Seat | None:
        """Who decides next; `CHANCE` if no player does, None if the game is over. Of several who choose at the same
        time any one who has not chosen yet."""
        awaiting = self.game.awaiting(state)
        if awaiting is None:
            return None
        if not all(hasattr(kind, "seat") for kind in {*map(type, self._legal(state))}):
            return CHANCE
        settled = self.game.settled(state) if self.game.settled else ()
        return next((seat for seat in awaiting.seats if seat not in settled), awaiting.seats[0])

    def candidates(self, state: S, seat: Seat, held: frozenset[str] | None = None) -> Sequence[A]:
        """What this player should think about; of what comes from the hand only what is `held`, if that is known."""
        actions = [action for action in self._legal(state) if getattr(action, "seat", None) == seat]
        if held is None or self.game.face_down is None:
            return actions
        return playable(self.game, state, seat, held, actions)

    def blunder(self, state: S, past: Sequence[Any], action: A) -> bool:
        """Whether all at the table would shake their heads: not done, whatever a search makes of it, as long as
        there is anything else. `past` is the one of the player's `SeatKnowledge`."""
        return False

    def draw(self, state: S, luck: Random) -> A:
        """What chance does: anything that can happen, all alike."""
        drawn = [action for action in self._legal(state) if not hasattr(action, "seat")]
        return drawn[int(luck.random() * len(drawn))]

    def weights(self, state: S, seat: Seat, actions: Sequence[A]) -> Sequence[float] | None:
        """How good the actions look at first sight, as odds; None: all alike."""
        return None

    def guess(self, state: S, seat: Seat, luck: Random) -> A:
        """What this player might do, in a playout: there it has to be quick."""
        actions = self.candidates(state, seat)
        return picked(actions, self.weights(state, seat, actions), luck) if len(actions) > 1 else actions[0]

    def resampled(self, state: S, seat: Seat, luck: Random) -> S | None:
        """Another state that this seat cannot tell from this one, all that there are being equally likely; None: the
        past has to be played once more with other secrets, which takes longer."""
        return dealt_again(self.game, state, seat, luck)

    def stops(self, root: S, state: S) -> bool:
        """Whether a playout that began at `root` has seen enough; then `totals` are what it is judged by."""
        return False

    def totals(self, state: S) -> Sequence[float]:
        """How many points each player has, or may be expected to get."""
        return [score.total for score in self.game.scores(state)]

    def clear_lead(self, state: S) -> float:
        """A lead of so many points is a clear one in this state: the more is still to come, the more it takes."""
        return self.spread

    def _legal(self, state: S) -> Sequence[A]:
        """Without what all have to agree to: that is not for one player to decide. A search asks several times about
        the same state."""
        if self._newest is None or self._newest[0] is not state:
            legal = self.game.legal(state)
            if self.game.communal:
                legal = [action for action in legal if not isinstance(action, self.game.communal)]
            self._newest = state, legal
        return self._newest[1]


class UnclearPastError(Exception):
    """No state agrees with what a seat knows, as when people have corrected what was done. Then there is nothing to
    search."""


# --- Sampling -------------------------------------------------------------------------------------------------


class Sample(Struct, Generic[S], frozen=True):
    """A state that this seat cannot tell from the real one."""

    state: S
    secrets: dict[Seat, tuple[Any, ...]]
    """What each of the others hides in it."""


class Sampler:
    """Full states that agree with what a player knows. Until the first hidden action all have the same past."""

    def __init__(self, game: Game[Any, Any], judgement: Judgement[Any, Any], knowledge: SeatKnowledge) -> None:
        self._game, self._judgement, self._knowledge = game, judgement, knowledge
        first = next(
            (at for at, action in enumerate(knowledge.past) if isinstance(action, Hidden)), len(knowledge.past)
        )
        self._open = knowledge.past[first:]
        self._before = game.setup(knowledge.setup) if knowledge.state is None else knowledge.state
        for action in knowledge.past[:first] if knowledge.state is None else ():
            step = game.at_table(self._before, action)
            if not isinstance(step, Step):
                raise UnclearPastError(f"{game.name}: {type(action).__name__} is refused when it is played again")
            self._before = step.state
        self._found: Any = None
        self._refuted: set[tuple[int, Any]] = set()
        """What hidden actions cannot have been, by their place in the past: a later action shows it."""

    def sample(self, luck: Random) -> Sample[Any]:
        """Hidden actions are guessed: each legal one alike, or by first sight where the others go by it. A guess that
        the rest of the past refutes is dropped. Raises UnclearPastError."""
        if self._found is not None:
            other = self._judgement.resampled(self._found, self._knowledge.seat, luck)
            if other is not None:
                return Sample(other, {})
        for judge in (self._game.apply, self._game.at_table):
            for _ in range(TRIES):
                found = self._guessed(luck, judge) if self._open else Sample(self._before, {})
                if found is not None and self._looks_alike(found.state):
                    self._found = found.state
                    return found
        raise UnclearPastError(f"{self._game.name}: no state looks like this to seat {self._knowledge.seat}")

    def _guessed(self, luck: Random, judge: Callable[[Any, Any], Any]) -> Sample[Any] | None:
        state, secrets, guesses = self._before, dict[Seat, tuple[Any, ...]](), dict[int, Any]()
        for at, action in enumerate(self._open):
            if isinstance(action, Hidden):
                might = self._possible(state, at, action)
                if not might:
                    self._refuted.clear()
                    return None
                guesses[at] = picked(might, self._odds(state, action.seat, might, luck), luck)
                secrets[action.seat] = (*secrets.get(action.seat, ()), guesses[at])
            done = guesses.get(at, action)
            step = judge(state, done)
            if not isinstance(step, Step):
                self._refute(guesses, done)
                return None
            state = step.state
            for seat in step.revealed:
                secrets.pop(seat, None)
        return Sample(state, secrets)

    def _possible(self, state: Any, at: int, hidden: Hidden) -> list[Any]:
        every: Sequence[Any] = self._game.legal(state)
        legal = [each for each in every if getattr(each, "seat", None) == hidden.seat and type(each) is hidden.kind]
        if held := self._knowledge.held:
            legal = [each for each in legal if not held & named(each)]
        return [each for each in legal if (at, each) not in self._refuted] if self._refuted else legal

    def _odds(self, state: Any, seat: Seat, might: Sequence[Any], luck: Random) -> Sequence[float] | None:
        by_habit = self._judgement.habit and len(might) > 1 and luck.random() >= SURPRISE
        return self._judgement.weights(state, seat, might) if by_habit else None

    def _refute(self, guesses: dict[int, Any], refused: Any) -> None:
        """What was guessed names a piece that turned up elsewhere."""
        names = named(refused)
        self._refuted.update((at, guess) for at, guess in guesses.items() if names & named(guess))

    def _looks_alike(self, state: Any) -> bool:
        if self._game.view(state) != self._knowledge.view:
            return False
        return self._game.own_view is None or self._game.own_view(state, self._knowledge.seat) == self._knowledge.own


# --- Levels ---------------------------------------------------------------------------------------------------

Level: TypeAlias = Literal["easy", "solid", "strong"]
Temper: TypeAlias = Literal["bold", "careful"]


class Skill(Struct, frozen=True):
    """How well a player plays. A search ends after so many playouts or seconds, whatever comes first: with `seconds`
    None the same seed decides the same on every machine."""

    playouts: int
    seconds: float | None = None
    boldness: float = 0.7
    """1: only winning counts. 0: only points do, compared with the best of the others."""
    doubt: float = 0.0
    """0: what looks best is done. 1: anything that was looked at, as often as it was."""
    habit: float = 1.0
    """Others are taken for people who do what looks good at first sight at most this often, else for players who
    think. See `Judgement.habit`."""


def steady(skill: Skill) -> Skill:
    """The same, whatever the clock says."""
    return replace(skill, seconds=None)


LEVELS: dict[Level, Skill] = {
    "easy": Skill(8, 0.5, doubt=1.0),
    "solid": Skill(60, 1.0, doubt=0.3),
    "strong": Skill(600, 1.8, habit=0.5),
}
TEMPERS: dict[Temper, float] = {"bold": 1.0, "careful": 0.3}


def skill_of(said: str) -> Skill | None:
    """ "strong" or "easy:bold"; None for anything else."""
    level, colon, temper = said.partition(":")
    if level not in get_args(Level) or (colon and temper not in get_args(Temper)):
        return None
    skill = LEVELS[cast("Level", level)]
    return replace(skill, boldness=TEMPERS[cast("Temper", temper)]) if temper else skill


# --- The tree -------------------------------------------------------------------------------------------------


class Bandit:
    """What one player has learned about one decision: for each action how often it was tried, and what it brought."""

    __slots__ = ("squares", "tried", "won")

    def __init__(self) -> None:
        self.tried: dict[Any, int] = {}
        self.won: dict[Any, float] = {}
        self.squares = 0.0
        """The sum of all rewards, each squared: how much they differ."""

    def pick(self, actions: Sequence[Any], weights: Sequence[float] | None, luck: Random) -> Any:
        """What has served best, with a bonus for what looks good at first sight and was tried little (PUCT). The less
        playouts differ, the less first sight counts."""
        tried, won = self.tried, self.won
        total = sum(tried.values())
        if not total:
            return picked(actions, weights, luck)
        mean = sum(won.values()) / total
        deviation = math.sqrt(max(0.0, self.squares / total - mean * mean)) or 1.0
        counts = [tried.get(action, 0) for action in actions]
        odds = weights or [1.0] * len(actions)
        bonus = EXPLORATION * deviation * math.sqrt(sum(counts)) / (sum(odds) or 1.0)
        best, most = actions[0], -1.0
        for action, count, chance in zip(actions, counts, odds, strict=True):
            worth = (won[action] / count if count else mean) + bonus * chance / (1 + count)
            if worth > most:
                best, most = action, worth
        return best

    def is_settled(self, actions: Sequence[Any], left: int) -> bool:
        """Whether so many more playouts would hardly make another action the one that was tried most."""
        tried, won = self.tried, self.won
        if not tried:
            return False
        total, best = sum(tried.values()), max(tried, key=tried.__getitem__)
        most, mean = tried[best], won[best] / tried[best]
        deviation = math.sqrt(max(0.0, self.squares / total - (sum(won.values()) / total) ** 2))
        for action in actions:
            count = tried.get(action, 0)
            if action == best or most - count > left:
                continue
            if count < TRIED or mean - won[action] / count < OBVIOUS * deviation * math.sqrt(1 / most + 1 / count):
                return False
        return True

    def learn(self, action: Any, reward: float) -> None:
        self.tried[action] = self.tried.get(action, 0) + 1
        self.won[action] = self.won.get(action, 0.0) + reward
        self.squares += reward * reward


class Node:
    """A moment that all players can tell from others, and what they may think in it."""

    __slots__ = ("after", "bandits")

    def __init__(self) -> None:
        self.after: dict[Any, Node] = {}
        self.bandits: dict[tuple[Seat, Any], Bandit] = {}


class ImaginedDeal:
    """In one playout: what is face down in which hand, where the rules do not know it."""

    def __init__(self, game: Game[Any, Any], state: Any, own: Mapping[Seat, frozenset[str]], luck: Random) -> None:
        """`own`: hands that are known."""
        self._game = game
        self._now = game.face_down(state) if game.face_down else None
        self._hidden = dealt(self._now, luck, own) if self._now else None

    def hand(self, seat: Seat) -> frozenset[str] | None:
        return self._hidden.hands[seat] if self._hidden else None

    def drawn(self, state: Any) -> Any | None:
        """The action of chance that shows the next card of the stock; None: nothing is face down."""
        return drawn(self._game.legal(state), self._hidden) if self._hidden else None

    def guess(self, judgement: Judgement[Any, Any]) -> Callable[[Any, Seat, Random], Any]:
        """Like `Judgement.guess`, from the hands that are imagined; None: nobody can go on with theirs."""

        def guess(state: Any, seat: Seat, luck: Random) -> Any:
            seat, actions = self.choices(judgement, state, seat)
            if len(actions) > 1:
                return picked(actions, judgement.weights(state, seat, actions), luck)
            return actions[0] if actions else None

        return guess

    def choices(self, judgement: Judgement[Any, Any], state: Any, seat: Seat) -> tuple[Seat, Sequence[Any]]:
        """Who decides, and among what: this player, or another of those who may act, if this one holds nothing that
        fits."""
        actions = judgement.candidates(state, seat, self.hand(seat))
        if actions or self._hidden is None:
            return seat, actions
        awaiting = self._game.awaiting(state)
        for other in awaiting.seats if awaiting else ():
            if actions := judgement.candidates(state, other, self.hand(other)):
                return other, actions
        return seat, ()

    def go_on(self, after: Any, luck: Random) -> None:
        if self._hidden is not None and self._now is not None and self._game.face_down is not None:
            then = self._game.face_down(after)
            self._hidden, self._now = after_action(self._hidden, self._now, then, luck), then


class Search:
    """A decision of one seat, as far as it has been thought through."""

    def __init__(
        self, game: Game[Any, Any], judgement: Judgement[Any, Any], knowledge: SeatKnowledge, skill: Skill
    ) -> None:
        self._game, self._judgement, self._knowledge, self._skill = game, judgement, knowledge, skill
        self._perform = game.apply if game.perform is None else game.perform
        """Only what is legal is thought about, so it need not be judged."""
        self._sampler = Sampler(game, judgement, knowledge)
        self._root = Node()
        self._choice: tuple[Sequence[Any], Sequence[float] | None] = (), None
        self._tries: dict[Any, int] = {}
        self.playouts = 0
        self._usual = 0.0
        """What all players together have got on average, where they are one team."""

    def run(self, luck: Random) -> Bandit:
        """Think until the budget is spent, or more thinking would change nothing. Returns what was learned about the
        decision. Raises UnclearPastError if every sample refuses all that there is to do."""
        seat, skill = self._knowledge.seat, self._skill
        until = math.inf if skill.seconds is None else time.monotonic() + skill.seconds
        self._choice = actions, _ = self._choices(self._sampler.sample(luck).state)
        if not actions:
            raise UnclearPastError(f"{self._game.name}: nothing that this seat could do")
        bandit = self._root.bandits[seat, None] = Bandit()
        most = skill.playouts if len(actions) > 1 else min(FORCED, skill.playouts)
        worlds = luck.getrandbits(32) if self._judgement.habit else None
        goes_for_best = not skill.doubt and not _mixes(self._judgement, actions[0])
        while self.playouts < most and (not self.playouts or time.monotonic() < until):
            self._play_out(bandit, worlds, luck)
            self.playouts += 1
            if goes_for_best and self.playouts % TRIED == 0 and bandit.is_settled(actions, most - self.playouts):
                break
        if not bandit.tried:
            raise UnclearPastError(f"{self._game.name}: no state in which this seat could do anything")
        return bandit

    def worth(self, action: Any, playouts: int, luck: Random) -> float:
        """What this action brings its player, on average, from 0 to 1; also one that the search would not look at. A
        sample in which another player hides the piece says nothing about it."""
        seat, judgement, gained, counted = self._knowledge.seat, self._judgement, 0.0, 0
        for _ in range(playouts):
            sample = self._sampler.sample(luck)
            table = self._imagined(sample, luck)
            step: Any = self._game.apply(sample.state, action)
            if isinstance(step, Refusal):
                continue
            counted += 1
            table.go_on(step.state, luck)
            state, over = played_on(judgement, sample.state, step.state, luck, table)
            gained += rewards_at(judgement, state, over, self._skill.boldness)[seat]
        return gained / counted if counted else 0.0

    def _play_out(self, bandit: Bandit, worlds: int | None, luck: Random) -> None:
        """Down the tree, on to the end, and back with what each player got. Where the others do what looks good, all
        actions are tried in the same worlds, one after another: then they differ less by what others happened to do."""
        first = bandit.pick(*self._choice, luck)
        self._tries[first] = number = self._tries.get(first, 0) + 1
        world = luck if worlds is None else Random(worlds + number)
        sample = self._sampler.sample(world)
        decided: list[tuple[Bandit, Seat, Any]] = [(bandit, self._knowledge.seat, first)]
        state, table = self._descend(sample, decided, world)
        state, over = played_on(self._judgement, sample.state, state, world, table)
        rewards = rewards_at(self._judgement, state, over, self._skill.boldness, self._usual)
        if len(teams_of(self._game, len(rewards))) == 1:
            self._usual += (self._judgement.totals(state)[0] - self._usual) / (self.playouts + 1)
        for learning, whose, action in decided:
            learning.learn(action, rewards[whose])

    def _descend(
        self, sample: Sample[Any], decided: list[tuple[Bandit, Seat, Any]], luck: Random
    ) -> tuple[Any, ImaginedDeal]:
        """To the first decision that is not in the tree yet; it belongs to it from now on. What was `decided` first is
        done first. Returns the state after it, and what is face down."""
        judgement, knowledge, node = self._judgement, self._knowledge, self._root
        habit = min(judgement.habit, self._skill.habit)
        state, secrets, new = sample.state, dict[Seat, Any](sample.secrets), False
        table = self._imagined(sample, luck)
        seat, action = knowledge.seat, decided[0][2]
        while True:
            step: Any = self._perform(state, action)
            if isinstance(step, Refusal):  # in this sample another player hides the piece: it says nothing about it
                decided.pop()
                break
            table.go_on(step.state, luck)
            state = step.state
            if seat != CHANCE or judgement.draws_matter:
                node = self._follow(node, action, step.revealed, secrets)
            following = judgement.turn(state)
            if following is None or new or judgement.stops(sample.state, state):
                break
            seat = following
            if seat == CHANCE:
                action = table.drawn(state) or judgement.draw(state, luck)
                continue
            seat, actions = table.choices(judgement, state, following)
            if not actions:
                break
            weights = judgement.weights(state, seat, actions) if len(actions) > 1 else None
            bandit = node.bandits.get((seat, secrets.get(seat)))
            if bandit is None:
                bandit = node.bandits[seat, secrets.get(seat)] = Bandit()
                new = True
            if seat != knowledge.seat and luck.random() < habit:
                action = picked(actions, weights, luck)
            else:
                action = bandit.pick(actions, weights, luck)
            decided.append((bandit, seat, action))
        return state, table

    def _imagined(self, sample: Sample[Any], luck: Random) -> ImaginedDeal:
        seat, held = self._knowledge.seat, self._knowledge.held
        return ImaginedDeal(self._game, sample.state, {} if held is None else {seat: held}, luck)

    def _choices(self, state: Any) -> tuple[Sequence[Any], Sequence[float] | None]:
        """What to choose from, without blunders if there is anything else, and how it looks: in every sample the same,
        because this player cannot tell them apart."""
        past, judgement, seat = self._knowledge.past, self._judgement, self._knowledge.seat
        actions = judgement.candidates(state, seat, self._knowledge.held)
        actions = [action for action in actions if not judgement.blunder(state, past, action)] or actions
        return actions, judgement.weights(state, seat, actions) if len(actions) > 1 else None

    def _follow(self, node: Node, action: Any, revealed: tuple[Seat, ...], secrets: dict[Seat, Any]) -> Node:
        """What the others see of an action is where the tree goes on: of a secret one only what it brought to light."""
        owner = self._game.conceals(action)
        if owner is not None and owner not in revealed:
            secrets[owner] = (*secrets.get(owner, ()), action)
            return node
        seen = (action, *(secrets.pop(seat, None) for seat in revealed))
        following = node.after.get(seen)
        if following is None:
            following = node.after[seen] = Node()
        return following


def played_on(
    judgement: Judgement[Any, Any], root: Any, state: Any, luck: Random, table: ImaginedDeal | None = None
) -> tuple[Any, bool]:
    """On by first sight, until the judgement has seen enough, and whether the game is over then. Most of the time of a
    search is spent here."""
    game, turn, draw, stops = judgement.game, judgement.turn, judgement.draw, judgement.stops
    perform = game.apply if game.perform is None else game.perform
    table = table or ImaginedDeal(game, state, {}, luck)
    guess = judgement.guess if game.face_down is None else table.guess(judgement)
    for _ in range(LONGEST):
        seat = turn(state)
        if seat is None:
            return state, True
        if stops(root, state):
            break
        chosen = (table.drawn(state) or draw(state, luck)) if seat == CHANCE else guess(state, seat, luck)
        if chosen is None:
            break
        step: Any = perform(state, chosen)
        table.go_on(step.state, luck)
        state = step.state
    return state, False


def rewards_at(
    judgement: Judgement[Any, Any], state: Any, over: bool, boldness: float, usual: float | None = None
) -> Sequence[float]:
    """From 0 to 1 for each seat: how likely it wins, and how far it is ahead of the best of the others. All players of
    a team get the same. Where all play together there is no lead: their total is compared with the `usual` one."""
    game, totals, clear = judgement.game, judgement.totals(state), judgement.clear_lead(state)
    totals = strengths(totals, game.lowest_wins)
    teams = teams_of(game, len(totals))
    if len(teams) == 1:
        better = _rising(totals[0] - (totals[0] if usual is None else usual), clear)
        won = bool(game.winners(state)) if over else better
        return [boldness * won + (1 - boldness) * better] * len(totals)
    every = sides(teams, len(totals))
    of_sides = _rewards_of(every, [totals[side[0]] for side in every], game.winners(state) if over else None, clear)
    rewards = [boldness * win + (1 - boldness) * ahead for win, ahead in of_sides]
    if not teams:
        return rewards
    by_seat = {seat: reward for side, reward in zip(every, rewards, strict=True) for seat in side}
    return [by_seat[seat] for seat in range(len(totals))]


def _rewards_of(
    every: Sequence[Sequence[Seat]],
    totals: Sequence[float],
    winners: Sequence[Seat] | None,
    clear: float,
) -> list[tuple[float, float]]:
    """For each player or team: how likely it wins, and how far it is ahead. `winners`: None if the game is not over."""
    if winners is not None:
        won = [side[0] in winners for side in every]
        wins = [each / sum(won) for each in won]
    else:
        most = max(totals)
        odds = [math.exp((total - most) / clear * 2) for total in totals]
        wins = [each / sum(odds) for each in odds]
    return [(win, _rising(lead, clear)) for win, lead in zip(wins, leads(totals), strict=True)]


def _rising(lead: float, spread: float) -> float:
    """0 far behind, ½ level, 1 far ahead."""
    return 1 / (1 + math.exp(min(50.0, -lead / spread)))


def chances(judgement: Judgement[Any, Any], state: Any, playouts: int, luck: Random) -> tuple[float, ...]:
    """How likely each seat wins from here if all go on as they would at first sight."""
    sums: Sequence[float] = ()
    for _ in range(playouts):
        wins = rewards_at(judgement, *played_on(judgement, state, state, luck), 1.0)
        sums = [each + win for each, win in zip(sums, wins, strict=True)] if sums else wins
    return tuple(each / playouts for each in sums)


def picked(actions: Sequence[A], weights: Sequence[float] | None, luck: Random) -> A:
    """One of the actions by chance, with these odds."""
    if weights is None:
        return actions[int(luck.random() * len(actions))]
    at = luck.random() * sum(weights)
    for action, weight in zip(actions, weights, strict=True):
        at -= weight
        if at < 0:
            return action
    return actions[-1]


# --- Deciding -------------------------------------------------------------------------------------------------


def decide(
    game: Game[Any, Any], judgement: Judgement[Any, Any], knowledge: SeatKnowledge, skill: Skill, seed: str
) -> Any:
    """What this seat does. The same knowledge and the same seed decide the same, unless the clock ends the search."""
    return considered(game, judgement, knowledge, skill, seed)[0]


def considered(
    game: Game[Any, Any], judgement: Judgement[Any, Any], knowledge: SeatKnowledge, skill: Skill, seed: str
) -> tuple[Any, Bandit]:
    """What this seat does, and what it has learned about the decision."""
    luck = Random(seed)
    bandit = Search(game, judgement, knowledge, skill).run(luck)
    odds = mixture(judgement, bandit, skill)
    return picked([*odds], [*odds.values()], luck), bandit


def mixture(judgement: Judgement[Any, Any], bandit: Bandit, skill: Skill) -> dict[Any, float]:
    """What a player does who has learned this, and how often. Others who act by habit find nothing out."""
    tried, won = bandit.tried, bandit.won
    most = max(tried.values())
    doubt = max(skill.doubt, MIXING if _mixes(judgement, next(iter(tried))) else 0.0)
    if not doubt:
        return {max(tried, key=lambda action: (tried[action], won[action])): 1.0}
    return {action: count for action, count in tried.items() if count >= most * (1 - doubt)}


def _mixes(judgement: Judgement[Any, Any], action: Any) -> bool:
    """Whether whoever always does the same here is found out."""
    return not judgement.habit and judgement.game.conceals(action) is not None
