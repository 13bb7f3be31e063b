"""Games that chance plays, from seeds: what all properties of the contract look at."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from companion.gamekit import discovery
from companion.gamekit.game import Game, Refusal, Seat, Setup, Step, Whereabouts
from companion.gamekit.game_start import read_action
from companion.gamekit.table_options import table_options

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


def told(game: Game[Any, Any], state: Any) -> tuple[str, Whereabouts]:
    """All that leaves the rules: the table, what screens see, who is awaited, what is offered, where the pieces are."""
    awaiting, offered = game.awaiting(state), list(game.offered(state))
    shown = (game.table(state), game.view(state), awaiting, offered, game.settled(state) if game.settled else ())
    where = {key: count for key, count in game.whereabouts(state).items() if count}
    return msgspec.json.encode(shown).decode(), where


STRANGE: tuple[Any, ...] = ("", "unicorn", -1, 0, 1, 2, 99, None)
"""Values that may arrive in a field of an action."""


class Moment(Struct, frozen=True):
    """One action of a game that was played by chance."""

    before: Any
    action: Any
    step: Step[Any]


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
        """Every number of players and every value of every option, mixed; `games` of them."""
        chance = Random(self.name)
        values, boxes, setups = options_of(self.game.options), list(self.boxes()), []
        for number in range(self.games):
            players = self.game.players[number % len(self.game.players)]
            options = {name: chance.choice(several) for name, several in values.items()}
            first, box = chance.randrange(players), boxes[number % len(boxes)]
            setups.append(Setup(players, first, self.game.options(**options), box))
        return setups

    def played(self, setup: Setup, seed: int) -> Iterator[Moment]:
        """A game of legal actions that chance picks, until it is over."""
        chance, game = Random(seed), self.game
        state = game.setup(setup)
        for _ in range(self.longest):
            legal = game.legal(state)
            if not legal:
                return
            action = self.choose(legal, chance)
            step = game.apply(state, action)
            assert isinstance(step, Step), f"{action} is legal, but was refused: {step}"
            yield Moment(state, action, step)
            state = step.state
        raise AssertionError(f"after {self.longest} actions the game is still not over")

    def all_played(self) -> Iterator[tuple[Setup, Iterator[Moment]]]:
        return ((setup, self.played(setup, seed)) for seed, setup in enumerate(self.setups()))

    def looked_at(self) -> Iterator[tuple[Setup, Moment, Random]]:
        """Some moments of all games, with chance of their own."""
        for seed, (setup, moments) in enumerate(self.all_played()):
            chance = Random(f"look {seed}")
            yield from ((setup, moment, chance) for moment in moments if chance.random() < self.looks)

    def _changed(self, action: Any, name: str, value: Any) -> Iterator[Any]:
        """The action with another value, if such an action can be read at all."""
        data = msgspec.to_builtins(action) | {name: value}
        read = read_action(self.game, data)
        if not isinstance(read, Refusal):
            yield read
