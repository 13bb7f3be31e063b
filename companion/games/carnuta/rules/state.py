"""What players of Carnuta agree on, what they do, and the table that they do it on."""

from typing import Any, TypeAlias

from msgspec import UNSET, Struct, field

from companion.gamekit import GameAction, Private, Refusal, Seat, Step, no_such_seat
from companion.games.carnuta.components import Box, Card, Pair, Price, Side
from companion.games.carnuta.options import Options
from companion.games.carnuta.view import Phase

# --- What players do ------------------------------------------------------------------------------------------


class Start(GameAction, frozen=True, omit_defaults=True):
    seat: Seat
    card: Private[str]
    """C17 Secret until it is played."""
    as_: Any = field(default=None, name="as")
    """C7 An ingredient, for salt that is played at once; ignored for anything else, whatever it is."""


class Deal(GameAction, frozen=True):
    row: Side
    card: str


class Take(GameAction, frozen=True):
    seat: Seat
    card: str


class Play(GameAction, frozen=True, omit_defaults=True):
    seat: Seat
    card: str
    as_: Any = field(default=None, name="as")
    """C7 An ingredient, for salt; ignored for anything else, whatever it is."""


class Bonus(GameAction, frozen=True):
    seat: Seat
    ingredient: str


class Runes(GameAction, frozen=True):
    seat: Seat
    face: Side
    count: Any = UNSET
    """C9 Left out: as many as possible. Read only with the option `partial_runes`, else it is an extra field."""


class Flip(GameAction, frozen=True):
    seat: Seat
    face: Side
    count: Any = UNSET
    """C10 Left out: all of them. Read only with the option `flip: "any"`, else it is an extra field."""


class Sickle(GameAction, frozen=True):
    seat: Seat
    row: Side


class Discard(GameAction, frozen=True):
    seat: Seat
    card: str


class EndTurn(GameAction, frozen=True, tag="done"):
    seat: Seat


Action: TypeAlias = Start | Deal | Take | Play | Bonus | Runes | Flip | Sickle | Discard | EndTurn


# --- The table ------------------------------------------------------------------------------------------------


class Played(Struct, frozen=True, gc=False):
    """A card that lies in front of a player."""

    card: str
    column: str
    """Its ingredient; for salt the one that it was assigned to."""


class Holdings(Struct, frozen=True, gc=False):
    runes: Pair[int]
    slots: int
    """Without a padlock, filled or not."""
    sickles: int
    hand: tuple[str, ...]
    secret: str | None
    """C17 The start card, as long as no player has seen it."""
    played: tuple[Played, ...]
    """In the order of playing."""
    bonus: tuple[str, ...]
    doubted: bool = False
    """C17 The start card may be another one than was named: that one was named or seen elsewhere. `secret` only stands
    for it."""
    named: str | None = None
    """C17 The start card as its player has named it."""


class State(Struct, frozen=True, gc=False):
    options: Options
    box: Box
    cards: dict[str, Card]
    """The box's cards by id."""
    prices: dict[str, Price]
    """What they cost, by id."""
    first: Seat
    round: int
    turn: Seat | None
    """None when the game is over."""
    phase: Phase
    starting: Seat
    """In the phase "start": who names their start card next."""
    due: Side | None
    """In the phase "deal": the row that waits for a card."""
    actions_left: int
    sickled: int
    """How often in this turn."""
    checked: bool
    """C13 Whether the board was looked at since both actions are used."""
    rows: Pair[tuple[str, ...]]
    decks: Pair[dict[str, Card]]
    """What may be dealt, by id; no player knows the real order. Never changed in place."""
    discards: Pair[tuple[str, ...]]
    reserve: Pair[int]
    players: tuple[Holdings, ...]
    bonus_left: tuple[str, ...]
    last_round: bool
    """The round in play is known to be the last."""
    reshuffled: tuple[Side, ...] = ()
    """C12 The decks that ran out once, so that all their cards have lain open."""


Outcome: TypeAlias = Step[State] | Refusal


def unfolded(player: Holdings) -> tuple[str, ...]:
    """C17 The hand cards that all players know."""
    return tuple([card for card in player.hand if card != player.secret])


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The others, in their order: a card or an ingredient lies somewhere only once."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


# --- C18 Refusals of an action out of turn or at the wrong time -------------------------------------------------


def not_now(state: State, seat: Seat) -> Refusal:
    """C18 Why this seat can't do this now."""
    if not 0 <= seat < len(state.players):
        return no_such_seat("C18", seat, len(state.players))
    if state.phase == "over":
        return game_over()
    if state.phase == "start":
        return Refusal("C1", "start cards first", {"turn": state.starting})
    if state.phase == "deal":
        return Refusal("C3", "a place is empty", {"row": state.due})
    if seat != state.turn:
        return Refusal("C18", "out of turn", {"seat": seat, "turn": state.turn})
    if state.phase == "bonus":
        return Refusal("C8", "the bonus first", {"seat": seat, "ingredients": state.bonus_left})
    return Refusal("C8", "no bonus now", {"seat": seat})


def not_starting(state: State, seat: Seat) -> Refusal:
    """C1 Start cards come first. C18 In seat order."""
    if not 0 <= seat < len(state.players):
        return no_such_seat("C18", seat, len(state.players))
    if state.phase == "over":
        return game_over()
    if state.phase != "start":
        return Refusal("C1", "all have start cards")
    return Refusal("C18", "another's start card", {"seat": seat, "turn": state.starting})


def game_over() -> Refusal:
    """C14 After the end every further action is refused."""
    return Refusal("C14", "the game is over")
