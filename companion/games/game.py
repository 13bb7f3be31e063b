"""What every game is: a record of pure functions over frozen states.

A rule engine never reads a clock, a file or a random number. Chance happens at the real table and reaches the
engine as actions. Illegal moves are normal at a table, so a refusal is a value; an exception is a bug.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct, field

Seat: TypeAlias = int
"""Seats are numbered 0…n-1 in clockwise order."""

Fact: TypeAlias = int | str | bool | tuple[int | str, ...] | None
Facts: TypeAlias = dict[str, Fact]

S = TypeVar("S")
A = TypeVar("A")


# --- What the rules say ---------------------------------------------------------------------------------------


class Ruling(Struct, frozen=True, gc=False):
    """Something that the rules decided: the number of the ruling, what happened, and the facts in it.

    `what` names a sentence of the game's `sentences`; it is put into words elsewhere, in the reader's language.
    A fact never holds a secret.
    """

    rule: str | None
    what: str
    facts: Facts = {}


class Refusal(Struct, frozen=True, gc=False):
    """An action that the rules do not allow. Nothing has changed. The same shape as a ruling."""

    rule: str | None
    what: str
    facts: Facts = {}


class Step(Struct, Generic[S], frozen=True, gc=False):
    """An accepted action: the new state, what was ruled, and the seats whose secrets came to light in it."""

    state: S
    rulings: tuple[Ruling, ...]
    revealed: tuple[Seat, ...] = ()


class Awaiting(Struct, frozen=True):
    """Who may act now, and which actions are possible."""

    seats: tuple[Seat, ...]
    do: tuple[str, ...]


class Part(Struct, frozen=True):
    """Points for one thing, with the ruling that gives them and the facts that made them."""

    for_: str = field(name="for")
    points: int
    rule: str
    what: str
    facts: Facts = {}


class Score(Struct, frozen=True):
    seat: Seat
    parts: tuple[Part, ...]

    @property
    def total(self) -> int:
        return sum(part.points for part in self.parts)


# --- Pieces and where they lie --------------------------------------------------------------------------------


class Thing(Struct, frozen=True, order=True):
    """A physical piece, or one of several that look alike from outside: a card by its id, a stone, a marker."""

    kind: str
    id: str = ""
    owner: Seat | None = None


class Place(Struct, frozen=True, order=True):
    """Where pieces lie: the deck, the pot, or something that belongs to a seat."""

    kind: str
    seat: Seat | None = None


Whereabouts: TypeAlias = Mapping[tuple[Thing, Place], int]
"""How many of each thing lie where. What is secret is left out of the thing: a chosen marker has no colour."""


class Move(Struct, frozen=True):
    """So many pieces of one kind go from one place to another."""

    thing: Thing
    count: int
    source: Place
    target: Place


def moves(before: Whereabouts, after: Whereabouts) -> tuple[Move, ...]:
    """What hands have to move so that a table that looks like `before` looks like `after`."""
    places: dict[Thing, dict[Place, int]] = {}
    for thing, place in (*before, *after):
        change = after.get((thing, place), 0) - before.get((thing, place), 0)
        places.setdefault(thing, {})[place] = change
    return tuple(move for thing, changes in places.items() for move in _even_out(thing, changes))


def _even_out(thing: Thing, changes: dict[Place, int]) -> Iterator[Move]:
    """From the places that have too many to those that have too few."""
    missing = [place for place, change in changes.items() for _ in range(change)]
    for source, change in changes.items():
        taken, missing = missing[: max(-change, 0)], missing[max(-change, 0) :]
        for target, count in Counter(taken).items():
            yield Move(thing, count, source, target)


# --- What hands do --------------------------------------------------------------------------------------------


class Laid(Struct, frozen=True):
    """A piece was laid on a reader: the centre's (`seat` is None) or the pad of a seat."""

    piece: Thing
    seat: Seat | None = None


class Button(Struct, frozen=True):
    """ "green" or "red" was pressed or held, at the centre (`seat` is None) or at the pad of a seat."""

    colour: str
    seat: Seat | None = None
    held: bool = False


Gesture: TypeAlias = Laid | Button


class Aside(Struct, frozen=True):
    """A signal that is no action: an `unknown` tag; a `foreign` piece, which belongs to somebody else or somewhere
    else; one that is `repeated` and known already; an `idle` one that means nothing now; a device's, just `noted`."""

    kind: Literal["unknown", "foreign", "repeated", "idle", "noted"]
    what: str
    facts: Facts = {}


class Draft(Struct, frozen=True):
    """Half an action: hands have begun to say it and will go on. Everybody may see it; nothing has changed yet."""

    so_far: Any
    """What has been said, in a form of the game's own; None: it was dropped."""
    what: str
    facts: Facts = {}


# --- Words ----------------------------------------------------------------------------------------------------


class Translate(Protocol):
    """An English text → the reader's language. The context tells texts apart that only look alike in English."""

    def __call__(self, message: str, context: str = "") -> str: ...


def no_word(box: Any, fact: str, value: int | str, _: Translate) -> str | None:
    """For a game that has no words of its own: every fact is shown as it is."""
    return None


# --- A game ---------------------------------------------------------------------------------------------------


class Setup(Struct, frozen=True):
    """What the players agree on before the first action."""

    players: int
    first: Seat
    options: Any
    box: Any


class Game(Struct, Generic[S, A], frozen=True):
    """A game is data: its components, its actions and its rules."""

    name: str
    players: range
    options: type
    actions: tuple[type[A], ...]
    """Tagged structs; the tag field is `do`."""
    form: str | None
    """The ruling under which an action that cannot be read is refused; None if the game has none."""

    standin: Callable[[], str]
    """The text of the box file that ships."""
    parse_box: Callable[[str, str], Any]
    """Text and its origin → box; raises BoxError."""
    pieces: Callable[[Any], Sequence[Thing]]
    """Everything in a box that may carry a tag."""

    setup: Callable[[Setup], S]
    apply: Callable[[S, A], Step[S] | Refusal]
    legal: Callable[[S], Sequence[A]]
    """Every action that would be accepted now; empty when the game is over."""
    offered: Callable[[S], Sequence[A]]
    """What a screen may offer: `legal`, plus what would betray a secret by its absence. Where an action is put together
    from many parts (the stones of a bid), some stand for all."""
    awaiting: Callable[[S], Awaiting | None]
    scores: Callable[[S], tuple[Score, ...]]
    winners: Callable[[S], tuple[Seat, ...]]

    table: Callable[[S], Struct]
    """Everything public, in the shape that transcripts promise."""
    per_player: tuple[str, ...]
    """The fields of `table` that list something for every player."""
    seats: tuple[str, ...]
    """The fields of `table` that name players by their seats."""
    view: Callable[[S], Struct]
    """What a screen may see: `table` less what an option hides."""
    whereabouts: Callable[[S], Whereabouts]
    conceals: Callable[[A], Seat | None]
    """The seat whose secret this action holds, until a step reveals it."""
    meaning: Callable[[S, Gesture], A | Draft | Aside]
    """What a gesture of real hands means in this state."""
    communal: tuple[type[A], ...]
    """Actions that everybody at the table has to agree to."""
    rematch: Callable[[Setup], tuple[Seat, dict[str, Any]]]
    """Who starts the next game of a match, and the options that change from game to game."""
    sentences: Mapping[str, str]
    """English sentences by message id; the facts are named in braces."""
    continued: Callable[[S, Any, Gesture], A | Draft | Aside] | None = None
    """What the next gesture means after a draft, given what was said so far; None for a game without drafts."""
    layout: Callable[[Any], Whereabouts] | None = None
    """What should lie where, as far as the `view` that it is made of tells; None: people have to remember."""
    settled: Callable[[S], tuple[Seat, ...]] | None = None
    """Who of those that are awaited has acted already, and may only change his mind; None: nobody can."""
    course: Callable[[S], tuple[int, ...]] | None = None
    """What is worth looking back at after the end, a number for each seat: in Lascaux the stones; None for nothing."""
    word: Callable[[Any, str, int | str, Translate], str | None] = no_word
    """Box, name of a fact and its value → the word for it in a sentence; None: shown as it is."""
