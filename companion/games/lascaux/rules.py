"""The rules of Lascaux, in the order of its rule book. L1 to L21 are the numbers of docs/rules/lascaux.md."""

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Refusal, Ruling, Seat, Step
from companion.games.lascaux.components import Box, Card

ROW_LIMIT = 7
STONES_PER_POINT = 6


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    stones: Literal["open", "secret"] = "open"
    tie: Literal["shared", "stones"] = "shared"
    direction: Literal["clockwise", "anticlockwise"] = "clockwise"


# --- What players do ------------------------------------------------------------------------------------------


class Draw(Struct, frozen=True, gc=False, tag_field="do", tag="draw"):
    card: str


class Choose(Struct, frozen=True, gc=False, tag_field="do", tag="choose"):
    seat: Seat
    colour: str


class Stone(Struct, frozen=True, gc=False, tag_field="do", tag="stone"):
    seat: Seat


class Pass(Struct, frozen=True, gc=False, tag_field="do", tag="pass"):
    seat: Seat


class End(Struct, frozen=True, gc=False, tag_field="do", tag="end"):
    pass


Action: TypeAlias = Draw | Choose | Stone | Pass | End


# --- The table ------------------------------------------------------------------------------------------------


class State(Struct, frozen=True, gc=False):
    box: Box
    options: Options
    order: tuple[Seat, ...]
    round: int
    start: Seat
    phase: Literal["draw", "choose", "bid", "over"]
    row: tuple[Card, ...]
    deck: frozenset[str]
    stones: tuple[int, ...]
    pot: int
    won: tuple[tuple[Card, ...], ...]
    choices: tuple[str | None, ...]
    bidders: tuple[Seat, ...]
    pile: tuple[Seat, ...]
    stalemate: bool


def lay_stone(state: State, action: Stone) -> "Step[State] | Refusal":
    seat = action.seat
    bidders = state.bidders
    if not bidders or seat != bidders[0]:
        return Refusal("L10","x")
    stones = state.stones
    left = stones[seat]
    if not left:
        return Refusal("L9", "no stones left", {"seat": seat})
    pot = state.pot + 1
    return Step(
        replace(state, stones=stones[:seat] + (left - 1,) + stones[seat + 1 :], pot=pot, bidders=bidders[1:] + bidders[:1]),
        (Ruling("L7", "lays a stone", {"seat": seat, "pot": pot}),),
    )
