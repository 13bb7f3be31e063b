"""Games that chance plays, from seeds: what all properties of the contract look at."""

import traceback
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from random import Random
from typing import Any, ClassVar, NoReturn
from unittest import SkipTest

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from companion.errors import CompanionError
from companion.gamekit import discovery
from companion.gamekit.contract.failure import BrokenContractError, Spot, file_of, raised, rule_of, shown
from companion.gamekit.game import Game, Refusal, Seat, Setup, Step, Whereabouts
from companion.gamekit.game_start import read_action, usual_names
from companion.gamekit.table_options import table_options
from companion.language.general_sentences import SENTENCES as GENERAL
from companion.language.wording import Said, say

# --- Options, actions and states of any game ------------------------------------------------------------------


def options_of(kind: type) -> Mapping[str, tuple[Any, ...]]:
    """Every table option with the values that it may have; of a number, some."""
    return {name: option.values for name, option in table_options(kind).items()}


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def counted(lying: Whereabouts) -> Counter[str]:
    """How many pieces of each kind there are, wherever they lie."""
    kinds: Counter[str] = Counter()
    for (thing, _), count in lying.items():
        kinds[thing.kind] += count
    return +kinds


_HARD = frozenset({str, int, float, bool, bytes, type(None)})
"""What nearly all of a state is made of in the end."""


def soft_spots(value: Any, path: str = "state") -> Iterator[str]:
    """Where a state could be changed in place: a struct that is not frozen, a list, a set. Mappings are left alone."""
    return (path + spot for spot in _soft_spots(value))


def _soft_spots(value: Any) -> Iterator[str]:
    """The way to each from here, and what is wrong with it."""
    if type(value) in _HARD:
        return
    if isinstance(value, Struct):
        if not value.__struct_config__.frozen:
            yield f" is a {type(value).__name__}, which is not frozen"
        for name in value.__struct_fields__:
            yield from (f".{name}{spot}" for spot in _soft_spots(getattr(value, name)))
    elif isinstance(value, list | set | bytearray):
        yield f" is a {type(value).__name__}"
    elif isinstance(value, tuple | frozenset):
        for number, each in enumerate(value):
            yield from (f"[{number}]{spot}" for spot in _soft_spots(each))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (f"[{key!r}]{spot}" for spot in _soft_spots(each))
    elif not isinstance(value, Hashable):
        yield f" is a {type(value).__name__}, which cannot be hashed"


class Public(Struct, frozen=True):
    """All that leaves the rules, as JSON where order matters."""

    table: str
    view: str
    awaiting: str
    offered: str
    settled: str
    whereabouts: Whereabouts


def told(game: Game[Any, Any], state: Any) -> Public:
    def json(value: Any) -> str:
        return msgspec.json.encode(value).decode()

    return Public(
        table=json(game.table(state)),
        view=json(game.view(state)),
        awaiting=json(game.awaiting(state)),
        offered=json(list(game.offered(state))),
        settled=json(game.settled(state) if game.settled else ()),
        whereabouts={key: count for key, count in game.whereabouts(state).items() if count},
    )


STRANGE: tuple[Any, ...] = ("", "unicorn", -1, 0, 1, 2, 99, None)
"""Values that may arrive in a field of an action."""


ACCEPTED = "`apply` gives a Step for every action that `legal` lists"
ENDLESS, PIECES = "endless", "pieces"
"""Keys: the game has no end; pieces get lost."""


class Moment(Struct, frozen=True):
    """One action of a game that was played by chance."""

    before: Any
    action: Any
    step: Step[Any]


class ChanceGame(Struct, frozen=True):
    """A game that chance has played, from its beginning to its end."""

    seed: int
    setup: Setup
    moments: tuple[Moment, ...]


def property_of_games(test: Callable[[Any], None]) -> Callable[[Any], None]:
    """A test of the contract. What fails in it says what was expected, what was found, where, and how to see it again.
    The same mistake fails one test; the others that meet it are skipped."""

    @wraps(test)
    def tested(self: "PlayedByChance") -> None:
        __tracebackhide__ = True  # pytest shows the message, not the way to it
        self.spot = None
        failure = self._failure_of(test)
        if failure is None:
            return
        known = type(self)._reported.setdefault(failure.key or test.__name__, test.__name__)
        if known != test.__name__:
            raise SkipTest(f"the same mistake as in {known}")
        raise failure.with_traceback(None)

    return tested


class PlayedByChance:
    name: ClassVar[str]
    games: ClassVar[int] = 8
    """How many games are played for each property."""
    longest: ClassVar[int] = 20_000
    """No game takes more actions."""
    looks: ClassVar[float] = 0.2
    """How often a moment is looked at closely: a lot is tried there."""
    drawn_every: ClassVar[int] = 9
    """Of the moments that are looked at, one in this many is drawn."""
    endless: ClassVar[frozenset[str]] = frozenset({"bank"})
    """Places from which more can be taken than was ever put there."""

    _played: ClassVar[list[ChanceGame] | BrokenContractError | None] = None
    """The games of this class, played once for all its tests; or why they cannot be played."""
    _reported: ClassVar[dict[str, str]] = {}
    """Mistakes that a test of this class has reported, and which."""
    spot: Spot | None = None
    """Where we are: what fails here is reported with it."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls._played, cls._reported = None, {}
        if cls.__module__.startswith(__package__ or ""):
            for name, made in list(vars(cls).items()):
                if name.startswith("test_"):
                    setattr(cls, name, property_of_games(made))

    # --- What a game may say about its tests ---

    def boxes(self) -> Sequence[Any]:
        """Components to play with."""
        return [self.game.parse_box(self.game.standin(), "the stand-in")]

    def choose(self, actions: Sequence[Any], chance: Random) -> Any:
        """One of the legal actions."""
        return chance.choice(actions)

    def forms(self, state: Any, chance: Random) -> Iterator[Any]:
        """Actions to try in this state, most of them wrong: legal ones with one field changed."""
        legal = self.game.legal(state)
        for action in chance.sample(legal, min(3, len(legal))):
            for field in fields(type(action)):
                for value in STRANGE:
                    yield from self._changed(action, field.encode_name, value)

    def alike(self, state: Any, action: Any, other: Any) -> bool:
        """Whether the others must not be able to tell these two secret actions of a player apart before the reveal."""
        return True

    def concerned(self, state: Any, action: Any) -> Collection[Seat] | None:
        """The seats that a legal action concerns; None: not known, as where any player may do it."""
        return (action.seat,) if hasattr(action, "seat") else None

    def lying(self, state: Any) -> Whereabouts:
        """Where every piece is. A game that lists face-down pieces twice, by name and by number, leaves one out."""
        return self.game.whereabouts(state)

    # --- Playing ---

    @cached_property
    def game(self) -> Game[Any, Any]:
        return discovery.find(self.name)

    def setups(self) -> list[Setup]:
        """The fewest players, the most, then every number between them; every value of every option, mixed; `games` of
        them."""
        chance = Random(self.name)
        values, boxes, setups = options_of(self.game.options), list(self.boxes()), []
        span = [*self.game.players]
        counts = list(dict.fromkeys((span[0], span[-1], *span)))
        for number in range(self.games):
            players = counts[number % len(counts)]
            options = {name: chance.choice(several) for name, several in values.items()}
            first, box = chance.randrange(players), boxes[number % len(boxes)]
            setups.append(Setup(players, first, self.game.options(**options), box))
        return setups

    def played(self, setup: Setup, seed: int) -> Iterator[Moment]:
        """A game of legal actions that chance picks, until it is over. Raises BrokenContractError if there is none."""
        chance, game = Random(seed), self.game
        self.spot = Spot(seed, setup, 0)
        state = game.setup(setup)
        for number in range(1, self.longest + 1):
            legal = game.legal(state)
            if not legal:
                return
            action = self.choose(legal, chance)
            self.spot = Spot(seed, setup, number, action)
            step = game.apply(state, action)
            if not isinstance(step, Step):
                self.fail(ACCEPTED, f"`legal` lists this action, and `apply` gives {shown(step)}", ACCEPTED)
            yield Moment(state, action, step)
            state = step.state
        self.fail(
            f"the game is over, with no legal action, after at most {self.longest} actions that chance picks",
            f"{len(legal)} legal actions after {self.longest}; if your game only needs better play, override `choose`",
            ENDLESS,
        )

    def all_games(self) -> Iterator[ChanceGame]:
        """Every game, played once for all tests of this class. Raises BrokenContractError."""
        kind = type(self)
        if kind._played is None:
            kind._played = self._play_all()
        if isinstance(kind._played, BrokenContractError):
            raise kind._played
        for game in kind._played:
            self.spot = Spot(game.seed, game.setup, 0)
            yield game

    def _play_all(self) -> list[ChanceGame] | BrokenContractError:
        try:
            return [self._play(seed, setup) for seed, setup in enumerate(self.setups())]
        except Exception as error:
            failure = self._explained(error)
            return self._placed(failure or self._untried(error))

    def _play(self, seed: int, setup: Setup) -> ChanceGame:
        """A game may have no end because a piece was lost or doubled: then that is what is wrong."""
        moments: list[Moment] = []
        try:
            moments.extend(self.played(setup, seed))
        except BrokenContractError as failure:
            if failure.key == ENDLESS:
                self.expect_pieces_kept(ChanceGame(seed, setup, tuple(moments)))
            raise
        return ChanceGame(seed, setup, tuple(moments))

    def expect_pieces_kept(self, game: ChanceGame) -> None:
        """As many pieces of each kind as at the beginning, and nowhere fewer than none."""
        there = counted(self.lying(self.game.setup(game.setup)))
        for moment in self._visited(game):
            lying = self.lying(moment.step.state)
            short = [
                f"{count} × {thing} in {place}"
                for (thing, place), count in lying.items()
                if count < 0 and place.kind not in self.endless
            ]
            self.expect(not short, "`whereabouts` has nowhere fewer pieces than none", ", ".join(short), PIECES)
            if (now := counted(lying)) != there:
                expected = f"`whereabouts` has as many pieces of each kind as at the beginning: {dict(there)}"
                self.fail(expected, f"after this action {dict(now)}", PIECES)

    def all_played(self) -> Iterator[tuple[Setup, Iterator[Moment]]]:
        """The moments of each game."""
        return ((game.setup, self._visited(game)) for game in self.all_games())

    def _visited(self, game: ChanceGame) -> Iterator[Moment]:
        """What fails at a moment is reported with it."""
        for number, moment in enumerate(game.moments, 1):
            self.spot = Spot(game.seed, game.setup, number, moment.action)
            yield moment

    def looked_at(self) -> Iterator[tuple[Setup, Moment, Random]]:
        """Some moments of all games, with chance of their own."""
        for game in self.all_games():
            chance = Random(f"look {game.seed}")
            yield from ((game.setup, moment, chance) for moment in self._visited(game) if chance.random() < self.looks)

    def _changed(self, action: Any, name: str, value: Any) -> Iterator[Any]:
        """The action with another value, if such an action can be read at all."""
        data = msgspec.to_builtins(action) | {name: value}
        read = read_action(self.game, data)
        if not isinstance(read, Refusal):
            yield read

    def answer(self, state: Any, form: Any) -> Step[Any] | Refusal | None:
        """What the rules say at the table; None if they raise, which one property alone reports."""
        try:
            return self.game.at_table(state, form)
        except Exception:
            return None

    # --- What fails ---

    def fail(self, expected: str, found: str, key: str = "", replay: str = "") -> NoReturn:
        """Raises BrokenContractError. The same key is the same mistake, whichever test finds it first."""
        failure = BrokenContractError(expected, found, key)
        failure.replay = replay
        raise failure

    def expect(self, kept: object, expected: str, found: object = "", key: str = "") -> None:
        """Raises BrokenContractError where this is not kept."""
        if not kept:
            self.fail(expected, found if isinstance(found, str) else shown(found), key)

    def expect_sentence(self, said: Said, setup: Setup) -> None:
        """Raises BrokenContractError for a message id without a sentence, or a sentence without its facts."""
        sentence = self.game.sentences.get(said.what) or GENERAL.get(said.what)
        if not sentence:
            expected = f"`sentences` has one for the message id {said.what!r}"
            self.fail(expected, "none", f"no sentence for {said.what}")
        worded = say(said, self.game.sentences, usual_names(setup.players))
        if "{" in worded:
            expected = f"every fact that a sentence names is given with it: {sentence!r}"
            self.fail(expected, f"{said.what!r} is said with the facts {sorted(said.facts)}", f"facts of {said.what}")

    @contextmanager
    def trying(self, what: object) -> Iterator[None]:
        """Something is tried in place of the action at this moment: what raises is reported with it."""
        try:
            yield
        except Exception as error:
            error.add_note(f"tried in place of this action: {shown(what)}")
            raise

    def _failure_of(self, test: Callable[[Any], None]) -> BrokenContractError | None:
        """What a test finds wrong; None if nothing. Raises SkipTest."""
        try:
            test(self)
        except SkipTest:
            raise
        except Exception as error:
            failure = self._explained(error) or self._untried(error)
            failure.rule = rule_of(test)
            return failure if failure.where or failure.replay else self._placed(failure)
        return None

    def _explained(self, error: Exception) -> BrokenContractError | None:
        if isinstance(error, BrokenContractError):
            return error
        if isinstance(error, CompanionError):  # it is not installed, or its package fails
            return BrokenContractError(f"the game {self.name!r} is installed and can be loaded", str(error), str(error))
        failure = raised(error, discovery.manifest(self.name).rules)
        if failure is None and isinstance(error, AssertionError):
            return BrokenContractError("", str(error) or "see the lines above")
        return failure

    def _untried(self, error: Exception) -> BrokenContractError:
        """What no code of the game raised. Another mistake that was reported may be the reason."""
        self.expect_nothing_reported()
        lines = traceback.format_exception(error)
        return BrokenContractError("this can be tried", "".join(lines[-2:]).strip())

    def expect_nothing_reported(self) -> None:
        """Raises SkipTest if another mistake has been found."""
        if type(self)._reported:
            raise SkipTest(f"cannot be tried: first mend {next(iter(type(self)._reported.values()))}")

    def _placed(self, failure: BrokenContractError) -> BrokenContractError:
        """With where it was found, and how to see that again."""
        if self.spot is not None and not failure.replay:
            failure.where = str(self.spot)
            failure.replay = f"companion check {self.name}{self._own_tests()} --seed {self.spot.seed}"
            failure.replay += f" --action {self.spot.action}" if self.spot.action else ""
        return failure

    def _own_tests(self) -> str:
        """The file of a class that plays other games than the contract alone would."""
        steered = ("games", "longest", "boxes", "choose", "setups", "played")
        kind = next((each for each in type(self).__mro__ if any(name in vars(each) for name in steered)), None)
        is_own = kind is not None and not kind.__module__.startswith(__package__ or "")
        return f" --tests {file_of(type(self))}" if is_own and file_of(type(self)) else ""
