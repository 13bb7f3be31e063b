"""What every game is: a record of pure functions over frozen states.

A rule engine never reads a clock, a file or a random number. Chance happens at the real table and reaches the
engine as actions. Illegal moves are normal at a table, so a refusal is a value; an exception is a bug.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, Generic, Literal, SupportsIndex, TypeAlias, TypeVar

from msgspec import Struct, field

from companion.language.facts import Facts, Translate


class FieldMark(Struct, frozen=True):
    """Says what a field is, beside its type (companion.gamekit.state_fields)."""

    name: str


SEAT = FieldMark("seat")
Seat: TypeAlias = Annotated[int, SEAT]
"""Seats are numbered 0…n-1 in clockwise order."""

S = TypeVar("S")
A = TypeVar("A")


# --- What players do ------------------------------------------------------------------------------------------


class GameAction(Struct, frozen=True, gc=False, tag_field="do", tag=str.lower):
    """What players can do: `class Bid(GameAction, frozen=True)`. The player who acts is called `seat`. A transcript
    calls it by its name in small letters, `{"do":"bid", …}`, unless `tag="…"` says otherwise."""


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


def awaited(seats: Iterable[Seat], legal: Iterable[Any]) -> Awaiting | None:
    """These seats, and the kinds of all legal actions; None: there is nothing more to do."""
    kinds: dict[Any, None] = dict.fromkeys(map(type, legal))
    return Awaiting(tuple(seats), tuple([str(kind.__struct_config__.tag) for kind in kinds])) if kinds else None


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
    notes: tuple[Ruling, ...] = ()
    """What the points are counted from, or what gave none. Shown before the parts; worth nothing itself."""

    @property
    def total(self) -> int:
        return sum(part.points for part in self.parts)


class Tally(Struct, frozen=True):
    """A line of a game's own statistics: a number for each player of a finished game, from rulings or score parts.

    `Tally(N_("Stones laid"), rulings=("lays a stone",))` counts rulings, `Tally(N_("Points for stones"),
    parts=("stones",))` adds up points.
    """

    label: str
    """English, in N_("…")."""
    rulings: tuple[str, ...] = ()
    """The message ids of rulings that count once each, or as much as their `fact` says."""
    parts: tuple[str, ...] = ()
    """The names (`for`) of score parts, whose points count."""
    fact: str = ""
    """A fact of these rulings: its number counts, or how many things it lists."""
    who: str = "seat"
    """The fact of these rulings that names the player, or the players."""
    most: bool = False
    """The largest of these numbers counts, not their sum."""


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
    """Some pieces of one kind go from one place to another."""

    thing: Thing
    count: int
    source: Place
    target: Place


def moves(before: Whereabouts, after: Whereabouts) -> tuple[Move, ...]:
    """What hands have to move so that a table that looks like `before` looks like `after`."""
    places: dict[Thing, dict[Place, int]] = {}
    for key in (*before, *(key for key in after if key not in before)):
        thing, place = key
        changes = places.setdefault(thing, {})
        if change := after.get(key, 0) - before.get(key, 0):
            changes[place] = change
    return tuple(move for thing, changes in places.items() if changes for move in _even_out(thing, changes))


def _even_out(thing: Thing, changes: dict[Place, int]) -> Iterator[Move]:
    """From the places that have too many to those that have too few."""
    missing = [place for place, change in changes.items() for _ in range(change)]
    for source, change in changes.items():
        taken, missing = missing[: max(-change, 0)], missing[max(-change, 0) :]
        for target, count in Counter(taken).items():
            yield Move(thing, count, source, target)


class FaceDown(Struct, frozen=True):
    """Cards that are dealt face down: the rules know how many each player holds, but not which."""

    unseen: tuple[str, ...]
    """The ids of all cards in hands and in the stock."""
    held: tuple[int, ...]
    """How many each player holds. The rest is the stock. A player who holds one fewer without having shown a card has
    given one away, to a player who holds one more or to the stock: Companion says which, by chance."""
    deal: int = 0
    """A new deal has a new number: then all cards are shuffled and dealt again."""
    known: Mapping[str, Seat] = {}
    """Cards in a hand that all players have seen, and whose hand it is."""
    lacks: tuple[frozenset[str], ...] = ()
    """The cards that each player cannot hold, as all players know: a set for each seat, from the beginning on. Empty:
    any."""

    @property
    def is_possible(self) -> bool:
        """Whether such hands can exist: any cards together need enough places with players who can hold one of them.
        The stock holds anything."""
        room, places = list(self.held), Counter[frozenset[Seat]]()
        for card, seat in self.known.items():
            room[seat] -= 1
            if self.lacks and card in self.lacks[seat]:
                return False
        stock = len(self.unseen) - len(self.known) - sum(room)
        if not any(self.lacks):
            return min(room) >= 0 <= stock
        for card in self.unseen:
            if card not in self.known:
                places[frozenset([seat for seat, cards in enumerate(self.lacks) if card not in cards])] += 1
        return min(room) >= 0 <= stock and all(
            sum(count for each, count in places.items() if each <= seats) <= sum(room[seat] for seat in seats) + stock
            for size in range(len(room) + 1)
            for seats in map(frozenset, combinations(range(len(room)), size))
        )


# --- What hands do --------------------------------------------------------------------------------------------


class Laid(Struct, frozen=True):
    """A piece was laid on a reader: the centre's (`seat` is None) or the pad of a seat."""

    piece: Thing
    seat: Seat | None = None


class Pushed(Struct, frozen=True):
    """ "green" or "red" was pressed or held, at the centre (`seat` is None) or at the pad of a seat."""

    colour: str
    seat: Seat | None = None
    held: bool = False


Gesture: TypeAlias = Laid | Pushed


class Aside(Struct, frozen=True):
    """A signal that is no action: an `unknown` tag; a `foreign` piece, which belongs to another player or somewhere
    else; one that is `repeated` and known already; an `idle` one that means nothing now; a device's, just `noted`."""

    kind: Literal["unknown", "foreign", "repeated", "idle", "noted"]
    what: str
    facts: Facts = {}


class Draft(Struct, frozen=True):
    """Half an action: a player has begun it and will go on. All players may see it; nothing has changed yet."""

    so_far: Any
    """What has been said, in a form of the game's own; None: it was dropped."""
    what: str
    facts: Facts = {}


# --- Words ----------------------------------------------------------------------------------------------------


def no_word(box: Any, fact: str, value: int | str, _: Translate) -> str | None:
    """For a game that has no words of its own: every fact is shown as it is."""
    return None


# --- A game ---------------------------------------------------------------------------------------------------


class Setup(Struct, frozen=True):
    """What the players agree on before the first action."""

    players: int
    """How many."""
    first: Seat
    """Who begins."""
    options: Any
    """What they said to the table options, as the game's `options`."""
    box: Any
    """The components, as `parse_box` has read them."""


POINTS = "{total:point|points}"
LEFT_OUT: Any = None
"""A part that a game does not bring: `companion.gamekit.default_rules` makes it from the others."""


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A game on which there is nothing to agree before it begins."""


class Game(Struct, Generic[S, A], frozen=True):
    """A game is data: its components, its actions and its rules. What may be left out has a default."""

    name: str
    """What commands, transcripts and the manifest call it. Example: `"gops"`"""
    players: range
    """How many can play. Example: `range(2, 4)`"""
    setup: Callable[[Setup], S]
    """The first state, from what the players agreed on. Example: `lambda agreed: State(hands=deal(agreed.players))`"""
    legal: Callable[[S], Sequence[A]]
    """Every action that would be accepted now; none when the game is over. Example: `lambda state: [Draw(card) for card
    in state.deck]`"""
    sentences: Mapping[str, str]
    """English sentences by message id; the facts are named in braces. Example: `{"has bid": "{seat} has bid"}`"""

    state: type[S] = LEFT_OUT
    """The struct of the state, if the marks of its fields say what is public, private, counted or per seat. Then
    `table`, `own_view` and `whereabouts` can be left out. Left out: bring a `table`. Example: `State`"""
    perform: Callable[[S, A], Step[S]] = LEFT_OUT
    """What a legal action does. The kit refuses all others. Left out: bring `apply` or `rules`. Example: `lambda state,
    draw: Step(drawn(state, draw.card), (Ruling("L2", "draws"),))`"""
    refusal: Callable[[S, A], Refusal | None] | None = None
    """Beside `perform`: why an action that is not legal is refused, or None. It is never asked about a seat that does
    not exist. Left out: the kit says that it is not this player's turn, that the game is over, or that this is not
    possible now. Example: `lambda state, action: Refusal("G4", "not in hand")`"""
    apply: Callable[[S, A], Step[S] | Refusal] = LEFT_OUT
    """Instead of `perform` and `refusal`, and faster: what the rules say to any action. Left out: what `perform`, or
    one of the `rules`, does. Example: `lambda state, action: bid(state, action)`"""
    rules: Mapping[type[A], Callable[[S, Any], Step[S] | Refusal]] = LEFT_OUT
    """Instead of `actions` and `apply`: what the rules say to each kind of action. Left out: bring `actions`. Example:
    `{Draw: draw, Bid: bid}`"""
    actions: tuple[type[A], ...] = LEFT_OUT
    """What can be done: each a `GameAction`. Left out: those of the `rules`. Example: `(Draw, Bid)`"""
    scores: Callable[[S], tuple[Score, ...]] = LEFT_OUT
    """The points of each player, part by part, each with its ruling. Left out: the `points`. Example: `lambda state:
    (Score(0, (Part("stones", 3, "L18", "stones left"),)), Score(1, ()))`"""
    points: Callable[[S], Sequence[int]] | None = None
    """Instead of `scores`: a number for each seat. Left out: bring `scores`. Example: `lambda state: [len(won) for won
    in state.won]`"""
    table: Callable[[S], Struct] = LEFT_OUT
    """Everything public, in the shape that transcripts promise. Left out: the public fields of the `state`. Example:
    `lambda state: shown_as(Table, state, deck=len(state.deck))`"""

    options: type = NoOptions
    """A frozen struct with a default for each table option. Left out: there is nothing to agree on. Example:
    `Options`"""
    form: str | None = None
    """The ruling under which an action that cannot be read is refused. Left out: no ruling is named. Example: `"G9"`"""

    # --- Components: left out, there is nothing to enrol and nothing that carries a tag ---

    standin: Callable[[], str] = LEFT_OUT
    """The text of the box file that ships. Left out: there are no components. Example: `components.standin`"""
    parse_box: Callable[[str, str], Any] = LEFT_OUT
    """Text and its origin → box; raises BoxError. Left out: as `standin`. Example: `components.parse_box`"""
    pieces: Callable[[Any], Sequence[Thing]] = LEFT_OUT
    """Everything in a box that may carry a tag. Left out: nothing may. Example: `lambda box: [Thing("card", card.id)
    for card in box.cards]`"""
    whereabouts: Callable[[S], Whereabouts] = LEFT_OUT
    """Where every piece is, so that an undo can say what to put back. Left out: a place for each field of the `state`,
    if it has a `box`; else players have to remember. Example: `lambda state: {(Thing("stone"), Place("pot")):
    state.pot}`"""
    layout: Callable[[Any], Whereabouts] | None = None
    """What should lie where, as far as the `view` that it is made of tells. Left out: players have to remember.
    Example: `lambda seen: {(Thing("stone"), Place("pot")): seen.pot}`"""

    preparation: Callable[[Setup], Sequence[Ruling]] | None = None
    """How the book sets the table up, step by step: what belongs where, what leaves the game, who begins. Players are
    told before the first action, and then see the `layout` of the beginning. Left out: nothing is told. Example:
    `lambda agreed: [Ruling("L1", "set up the stones", {"stones": 12})]`"""

    # --- Who may do what, and who has won ---

    at_table: Callable[[S, A], Step[S] | Refusal] = LEFT_OUT
    """The rules at a real table, where players hide things. It is `apply`, which judges transcripts, except where a
    refusal would reveal what another player hides: then the action is believed until the reveal. Left out: `apply`;
    with `face_down` and a `Sealed` choice, all that is `offered` is believed. Example: Darwinci's `rules/engine.py`"""
    corrected: Callable[[S, Sequence[A]], Sequence[A]] | None = None
    """The first state and all actions `at_table` → the actions that lead `apply` to the same end: what was named
    wrongly in secret, as it turned out. As many, in the same order. Left out: nothing can have been named wrongly.
    Example: Carnuta's `rules/engine.py`"""
    offered: Callable[[S], Sequence[A]] = LEFT_OUT
    """What a screen may offer: `legal`, plus what would betray a secret by its absence. Where an action is put together
    from many parts (the stones of a bid), some stand for all. Left out: `legal`; with `face_down` and a `Sealed`
    choice, as if no card had been chosen yet. Example: `lambda state: [Play(seat, card) for seat in waiting(state) for
    card in ALL_CARDS]`"""
    awaiting: Callable[[S], Awaiting | None] = LEFT_OUT
    """Who may act now, and how. Left out: the seats of all legal actions; every seat where one of them has none.
    Example: `lambda state: awaited((state.start,), legal(state))`"""
    unit: str = POINTS
    """How a total is shown. Left out: `"{total:point|points}"`. Example: `"{total} Darwin"`"""
    tallies: tuple[Tally, ...] = ()
    """The game's own lines in `companion stats`, beside those that every game has. Example: `(Tally(N_("Stones laid"),
    rulings=("lays a stone",)),)`"""
    lowest_wins: bool = False
    """The fewest points win, as where points are penalties. Example: `True`"""
    teams: Callable[[int], tuple[tuple[Seat, ...], ...]] | None = None
    """Who plays with whom, by the number of players: `partners`, `together`, or a function of the game's own. All
    players of a team have its points and win with it. Where all play `together`, bring `winners`: all of them, or none
    if they have lost. Left out: each player plays alone. Example: `partners`"""
    winners: Callable[[S], tuple[Seat, ...]] = LEFT_OUT
    """Who has won. Left out: all players with the most points, or with the fewest if `lowest_wins`. Example: `lambda
    state: highest([(total(state, seat), state.stones[seat]) for seat in state.seats])`"""
    tie_break: Callable[[S, tuple[Seat, ...]], Ruling] = LEFT_OUT
    """Why only some of those who share the best total have won: asked when that is so, with the tied seats. Left out:
    who was tied, and who won. Example: `lambda state, tied: Ruling("L19", "most stones win", {"seats": tied})`"""
    shared: Callable[[S, tuple[Seat, ...]], Ruling] = LEFT_OUT
    """Why several have won: what was compared, and was equal. Asked when that is so, with the winners. Left out: who
    has the most points together. Example: `lambda state, winners: Ruling("L19", "equal stones", {"seats": winners})`"""
    instruction: Callable[[S], Ruling | None] | None = None
    """What hands have to do before the next action can be said, such as who shuffles and deals. Left out: nothing.
    Example: `lambda state: Ruling("S20", "deals", {"seat": state.dealer})`"""
    settled: Callable[[S], tuple[Seat, ...]] | None = None
    """Which of the awaited seats have acted already and may only change their minds. Left out: those whose `Sealed`
    choice is made; without such a field no player can. Example: `lambda state: chosen_seats(state.choices)`"""
    communal: tuple[type[A], ...] = ()
    """Actions that all players have to agree to. Left out: none. Example: `(End,)`"""
    rematch: Callable[[Setup], tuple[Seat, dict[str, Any]]] = LEFT_OUT
    """Who starts the next game of a match, and the options that change from game to game. Left out: the next seat.
    Example: `lambda played: (played.first, {"direction": "clockwise"})`"""

    # --- What is seen, and what is secret ---

    view: Callable[[S], Struct] = LEFT_OUT
    """What a screen may see: `table` less what an option hides. Left out: `table`. Example: `lambda state:
    replace(table(state), stones=None)`"""
    own_view: Callable[[S, Seat], Struct] | None = None
    """What only this player may see, besides the view: their hand, their own choice. Left out: the private fields of
    the `state`, if it has any. Example: `lambda state, seat: OwnHand(state.hands[seat])`"""
    own_offers: Callable[[S, Seat], Sequence[A]] = LEFT_OUT
    """What may be offered to this player while no other player looks. It may depend on this player's secrets only. Left
    out: what is `offered`, as far as it is theirs. Example: `lambda state, seat: [Play(seat, card) for card in
    state.hands[seat]]`"""
    per_player: tuple[str, ...] = ()
    """The fields of `table` that list something for every player. Left out: those that are `PerSeat` in the `state`, or
    in the struct that `table` says it returns. Example: `("stones", "won")`"""
    seats: tuple[str, ...] = ()
    """The fields of `table` that name players by their seats. Left out: those of the type `Seat`, in the same way.
    Example: `("start", "turn")`"""
    conceals: Callable[[A], Seat | None] = LEFT_OUT
    """The seat whose secret this action holds, until a step reveals it. Left out: an action with a `Private` field is
    the secret of its `seat`. Example: `lambda action: action.seat if isinstance(action, Bid) else None`"""
    face_down: Callable[[S], FaceDown] | None = None
    """For cards that are dealt face down, and of which the rules learn when they are played: what all may know about
    the hands. An action without a seat that names a card shows the next card of the stock. A simulated table then
    deals, persons are offered what they hold, and players who search imagine the other hands. Left out: there are no
    such cards. Example: `lambda state: FaceDown(state.unseen, state.held)`"""
    from_memory: bool = False
    """What has been revealed is not shown again: remembering it is part of the game. So there is no looking back before
    the game is over. Example: `True`"""
    course: Callable[[S], tuple[int, ...]] | None = None
    """What is worth looking back at after the end: a number for each seat. Left out: nothing. Example: `lambda state:
    state.stones`"""

    # --- What hands mean ---

    meaning: Callable[[S, Gesture], A | Draft | Aside] = LEFT_OUT
    """What a gesture of real hands means in this state. Left out: a piece means the one legal action that names it,
    green the one legal action that there is. Example: `lambda state, gesture: Pass(gesture.seat) if isinstance(gesture,
    Pushed) else Draw(gesture.piece.id)`"""
    continued: Callable[[S, Any, Gesture], A | Draft | Aside] | None = None
    """What the next gesture means after a draft, given what was said so far. Left out: there are no drafts. Example:
    Sioux's `rules/gestures.py`"""
    word: Callable[[Any, str, int | str, Translate], str | None] = no_word
    """Box, name of a fact and its value → the word for it in a sentence, or None: shown as it is. Left out: every fact
    is shown as it is. Example: `lambda box, fact, value, _: _("ace") if value == "A" else None`"""

    def __post_init__(self) -> None:
        """Raises TypeError for a game that leaves out too much."""
        from companion.gamekit.default_rules import complete

        complete(self)


class FieldHelp(str):
    """The docstring of a record. Whatever shows it tidies it first, and so expands its tabs (`inspect.cleandoc`): only
    then all fields are read from the source and added."""

    kind: type

    @classmethod
    def of(cls, kind: type) -> "FieldHelp":
        made = cls(kind.__doc__ or "")
        made.kind = kind
        return made

    def expandtabs(self, tabsize: SupportsIndex = 8) -> str:
        from companion.gamekit.field_table import in_help

        return f"{self}\n\n{in_help(self.kind)}"


Game.__doc__ = FieldHelp.of(Game)
Setup.__doc__ = FieldHelp.of(Setup)
FaceDown.__doc__ = FieldHelp.of(FaceDown)


def named(action: Any) -> set[str]:
    """All words in an action; those that are a piece's id name that piece. A search asks this very often."""
    found: set[str] = set()
    _add_words(action, found)
    return found


def _add_words(value: Any, found: set[str]) -> None:
    if isinstance(value, str):
        found.add(value)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            _add_words(getattr(value, name), found)
    elif isinstance(value, dict | list | tuple | set | frozenset):
        for each in value.values() if isinstance(value, dict) else value:
            _add_words(each, found)
