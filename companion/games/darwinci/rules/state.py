"""What players of Darwinci do, and what a table of Darwinci is. D1 to D22 are the numbers of docs/rules/darwinci.md."""

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, field

from companion.gamekit import GameAction, Part, Private, Refusal, Sealed, Seat, Step, no_such_seat
from companion.games.darwinci.components import COLOURS, Box, Tile
from companion.games.darwinci.options import Options
from companion.games.darwinci.view import Built, Phase, Stones

PLAYERS = range(3, COLOURS + 1)


# --- What players do ------------------------------------------------------------------------------------------

Coordinate: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Anywhere: as far as every program that reads a journal can count."""


class Build(GameAction, frozen=True):
    seat: Seat
    tile: str
    x: Coordinate
    y: Coordinate
    turn: int
    """0, 90, 180 or 270 degrees clockwise."""


class Buy(GameAction, frozen=True):
    seat: Seat


class Keep(GameAction, frozen=True):
    seat: Seat


class Offer(GameAction, frozen=True):
    seat: Seat
    tile: Private[str]
    """D21 An offered tile is hidden until all are there."""


class Bid(GameAction, frozen=True):
    seat: Seat
    stones: tuple[Stones, ...]


class Discard(GameAction, frozen=True):
    seat: Seat
    tile: str


class Jewels(GameAction, frozen=True, omit_defaults=True):
    seat: Seat
    line: str
    """ "row" or "column"."""
    x: int
    y: int
    kind: str
    from_: Any = field(default=UNSET, name="from")
    """First and last coordinate; read only with the option `run: "part"`, else they are extra fields."""
    to: Any = UNSET


class Skip(GameAction, frozen=True):
    seat: Seat


Action: TypeAlias = Build | Buy | Keep | Offer | Bid | Discard | Jewels | Skip


# --- The table ------------------------------------------------------------------------------------------------

Counts: TypeAlias = tuple[tuple[int, ...], ...]
"""Stones: for a holder or an offered tile, how many of each colour."""


class State(Struct, frozen=True, gc=False):
    options: Options
    box: Box
    tiles: dict[str, Tile]
    """The box's tiles by id."""
    seats: tuple[Seat, ...]
    round: int
    start: Seat
    phase: Phase
    turn: Seat
    """Who is asked; while tiles are offered, all are."""
    bidding: int | None
    money: tuple[int, ...]
    stones: Counts
    fresh: tuple[str, ...]
    """Tiles that were never built or offered, in the order of the box: in stacks or hands, which are secret."""
    offers: Sealed[str]
    """The secret, until all have offered."""
    on: Counts
    built: tuple[tuple[Built, ...], ...]
    looked: tuple[int, ...]
    """How many tiles each display had when creatures were last looked for."""
    hands: tuple[int, ...]
    stack: int
    darwin_card: Seat | None
    jewels_scored: tuple[tuple[str, ...], ...]
    creatures: tuple[tuple[int, ...], ...]
    won: tuple[tuple[str, ...], ...]
    counter: Seat
    ledger: tuple[tuple[Part, ...], ...]
    """Where each player's money came from and went to."""


Outcome: TypeAlias = Step[State] | Refusal

# --- D22 Order and form: refusals of an action out of turn, at the wrong time or from no seat --------------------

_OVER = Refusal("D22", "the game is over")


def out_of_turn(state: State, seat: Seat, do: str) -> Refusal:
    """D22 Why this seat may not do this now."""
    if not 0 <= seat < len(state.seats):
        return no_such_seat("D22", seat, len(state.seats))
    if do in _POSSIBLE[state.phase]:
        return Refusal("D22", "out of turn", {"seat": seat, "turn": state.turn})
    return not_now(state, seat, do)


def not_now(state: State, seat: Seat, do: str) -> Refusal:
    """D22 At the wrong time."""
    if state.phase == "over":
        return _OVER
    return Refusal("D22", "not now", {"seat": seat, "do": do, "possible": _POSSIBLE[state.phase]})


_POSSIBLE: dict[str, tuple[str, ...]] = {
    "setup": ("build",),
    "buy": ("buy", "keep"),
    "offer": ("offer",),
    "bid": ("bid",),
    "build": ("build", "discard"),
    "jewels": ("jewels", "skip"),
    "over": (),
}
