"""What players of Sioux can do, and all that a table of theirs is."""

from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from companion.gamekit import GameAction, Private, Refusal, Sealed, Seat, Step, missing_seats, no_such_seat
from companion.games.sioux.components import PREY_VALUES, TRIBE_SETS, Box
from companion.games.sioux.options import Options
from companion.games.sioux.view import Phase

PLAYERS = range(3, TRIBE_SETS + 1)


# --- What players do ------------------------------------------------------------------------------------------


class Play(GameAction, frozen=True):
    seat: Seat
    card: Private[str]
    """S24 Hidden until all have laid one, in a duel until both have."""


class Name(GameAction, frozen=True):
    seat: Seat
    value: int


class Crow(GameAction, frozen=True):
    seat: Seat
    call: bool


class Duel(GameAction, frozen=True):
    seat: Seat
    card: Private[str | UnsetType | None] = UNSET
    """None with an empty hand. It has to be said: a duel without it is refused under S13."""


class Gifts(GameAction, frozen=True):
    seat: Seat
    from_: tuple[Seat, ...] = field(name="from")


class Dealt(GameAction, frozen=True):
    seats: tuple[Any, ...] | dict[str, Any] | str | float | int | bool | None = ()
    """In the order in which they got the tied ranks' cards, highest first. Anything else is refused under S20."""


Action: TypeAlias = Play | Name | Crow | Duel | Gifts | Dealt


# --- The table ------------------------------------------------------------------------------------------------

Hand: TypeAlias = tuple[Play, ...]
"""A player's cards in the order of the box, each as the play that it allows."""

Animals: TypeAlias = tuple[int, ...]
"""How many of each animal, the most valuable first."""


class Fixed(Struct, frozen=True, gc=False):
    """What the players agreed on and what is printed: it does not change during a game."""

    options: Options
    box: Box
    seats: tuple[Seat, ...]
    sets: tuple[Hand, ...]
    """Each player's tribe cards, without the hunter."""
    hunters: tuple[Play, ...]
    """The hunter card as a play, by seat."""
    duels: tuple[dict[str, Duel], ...]
    """Every card as each player would lay it in a duel, by its id."""
    worth: dict[str, int]
    """What a card counts, by its id; a shaman 6 unless its player is asked, the hunter nothing."""
    crow: str
    shaman: str
    animals: tuple[str, ...]
    """Their names, the most valuable first."""
    bank: Animals
    """All the prey of the box."""
    winters: tuple[tuple[int, ...], ...]
    """The supply cards of each winter that are in the game, highest first."""


class State(Struct, frozen=True, gc=False):
    fixed: Fixed
    winter: int
    phase: Phase
    own: tuple[Hand, ...]
    """All cards of each seat that are in the game, in hand or not, the hunter card with its owner."""
    hands: tuple[Hand, ...]
    """What each player holds; a card that lies face down is still among them."""
    laid: Sealed[int]
    """The secret: the place in the hand of the card that each seat has laid face down in this round."""
    seconds: tuple[Duel, ...]
    """The secret: the duel's cards, as long as they lie face down."""
    choices: tuple[Hand, ...]
    """The plays that each seat may make in this round: the hand, and none once its card is laid."""
    open: tuple[str, ...]
    """This round's cards, seat by seat, once they are revealed."""
    asked: tuple[Seat, ...]
    """Who names the shaman's value; or those of the two tied who have not said yet whether they call the crow."""
    free: tuple[int, ...]
    """What the shaman may be named, since no other player has it on the table."""
    tied: tuple[Seat, ...]
    """The two with the highest card (`crow`, `duel`), or those who are dealt supply cards (`dealt`)."""
    bank: Animals
    prey: tuple[Animals, ...]
    totals: tuple[int, ...]
    """What each player's prey is worth."""
    before: tuple[int, ...]
    """The totals at the beginning of this round."""
    claims: tuple[tuple[Seat, tuple[Seat, ...]], ...]
    """Who may still claim gifts, and from whom; the first is asked now."""
    hunter: Seat | None
    supply: tuple[tuple[int, ...], ...]
    brought: tuple[tuple[Animals, ...], ...]
    """The prey for which each seat has got its supply cards, in the order of the winters."""
    laid_out: tuple[int, ...]
    ranks: tuple[tuple[Seat, ...], ...]
    """In winter: who still gets supply cards, the highest rank first; those who are tied together."""
    ranked: tuple[Seat, ...]
    """In winter: who has got their supply card, the highest rank first."""
    taken_back: bool
    """S22 In this round all have taken back what they played before; the cards on the table follow at its end."""


Outcome: TypeAlias = Step[State] | Refusal


def waiting_for(state: State) -> tuple[Seat, ...]:
    """Who may act now."""
    if state.phase == "play":
        return missing_seats(state.laid)
    if state.phase == "duel":
        laid = [second.seat for second in state.seconds]
        return tuple([seat for seat in state.tied if seat not in laid])
    if state.phase == "gifts":
        return (state.claims[0][0],)
    if state.phase == "dealt":
        return state.tied
    return () if state.phase == "over" else state.asked


# --- Prey -----------------------------------------------------------------------------------------------------


def names_of(state: State, animals: Animals) -> tuple[str, ...]:
    """Each animal by its name, as often as there is one."""
    named: list[str] = []
    for animal, count in zip(state.fixed.animals, animals, strict=True):
        if count:
            named += [animal] * count
    return tuple(named)


def worth(animals: Animals) -> int:
    return sum(value * count for value, count in zip(reversed(PREY_VALUES), animals, strict=True))


# --- Refusals that many actions share -------------------------------------------------------------------------


def not_now(rule: str, state: State, seat: Seat | None = None) -> Refusal:
    """No such seat; the game is over (S23); or the table waits for something else."""
    if seat is not None and seat not in state.fixed.seats:
        return no_such_seat(None, seat, len(state.laid))
    if state.phase == "over":
        return Refusal("S23", "the game is over")
    return Refusal(rule, "not now", {"phase": state.phase, "seats": waiting_for(state)})


def out_of_turn(rule: str, state: State, seat: Seat) -> Refusal:
    """Another player is asked."""
    if seat not in state.fixed.seats:
        return not_now(rule, state, seat)
    return Refusal(rule, "out of turn", {"seat": seat, "turn": waiting_for(state)[0]})
