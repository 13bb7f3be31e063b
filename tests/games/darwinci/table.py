"""A small vocabulary for tests of Darwinci: Table(3).set_up().keep().offer("e1", "e2", "e3").bid(0, (1, 0, 1))."""

from collections.abc import Sequence
from typing import Any, Self

from msgspec.structs import replace

from companion.gamekit.game import Refusal, Ruling, Setup
from companion.games.darwinci.components import Box, Tile, parse_box, standin
from companion.games.darwinci.options import Options
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import (
    Action,
    Bid,
    Build,
    Buy,
    Discard,
    Jewels,
    Keep,
    Offer,
    Skip,
    State,
)
from companion.games.darwinci.view import Built, Stones

STANDIN = parse_box(standin(), "the stand-in box")


def _many(letter: str, count: int, *bones: str, value: int | None = None) -> list[Tile]:
    return [Tile(f"{letter}{number}", bones, value) for number in range(1, count + 1)]


BOX = Box(
    "darwinci",
    "enrolled",
    jewels=("shell", "tooth"),
    tiles=(
        *_many("e", 10, "N", value=1),
        *_many("s", 12, "NS"),
        *_many("c", 8, "NE", value=2),
        *_many("b", 2, "NES"),
        *_many("m", 4, "NS", value=-2),
        *_many("p", 30, "EW"),
        Tile("dear", ("EW",), -20),
        Tile("ends", ("N", "S")),
        Tile("curves", ("NE", "SW")),
        Tile("shells", ("E",), 3, ("shell", "shell")),
        Tile("shell", ("W",), 2, ("shell",)),
        Tile("teeth", ("EW",), -4, ("tooth", "tooth")),
        Tile("both", ("NS",), None, ("shell", "tooth")),
    ),
)
"""Ends of value 1, straights, curves of value 2, branches, minus tiles, plain ones, and some with a name."""


class Table:
    """A table in play. Everything that is done must be allowed, except what `refused` tries."""

    def __init__(self, players: int = 3, first: int = 0, *, box: Box = BOX, **options: Any) -> None:
        self.state: State = GAME.setup(Setup(players, first, Options(**options), box))
        self.players = players
        self.rulings: tuple[Ruling, ...] = ()
        """What was ruled at the last step."""

    def do(self, *actions: Action) -> Self:
        for action in actions:
            outcome = GAME.apply(self.state, action)
            assert not isinstance(outcome, Refusal), f"{action} was refused: {outcome}"
            self.state, self.rulings = outcome.state, outcome.rulings
        return self

    def refused(self, action: Action) -> tuple[str | None, str]:
        """The ruling that refuses, and what it says."""
        before = self.state
        outcome = GAME.apply(self.state, action)
        assert isinstance(outcome, Refusal), f"{action} was not refused"
        assert self.state == before
        return outcome.rule, outcome.what

    @property
    def order(self) -> list[int]:
        return [(self.state.start + step) % self.players for step in range(self.players)]

    # What players do

    def set_up(self) -> Self:
        """Every player lays two plain tiles side by side."""
        return self.set_up_with(*(f"p{number}" for number in range(1, 2 * self.players + 1)))

    def set_up_with(self, *tiles: str) -> Self:
        """The same with two of these tiles each."""
        for number, seat in enumerate(self.order):
            one, other = tiles[number * 2 : number * 2 + 2]
            self.do(Build(seat, one, 0, 0, 0), Build(seat, other, 1, 0, 0))
        return self

    def keep(self) -> Self:
        return self.do(*(Keep(seat) for seat in self.order))

    def offer(self, *tiles: str) -> Self:
        """Seat 0 the first tile, seat 1 the second…"""
        return self.do(*(Offer(seat, tile) for seat, tile in enumerate(tiles)))

    def bid(self, seat: int, *stones: tuple[int, int, int]) -> Self:
        """Stones as (on whose tile, whose colour, how many)."""
        return self.do(bid(seat, *stones))

    def nobody_bids(self, rounds: int) -> Self:
        return self.do(*(Bid(seat, ()) for _ in range(rounds) for seat in self.order))

    def build(self, seat: int, *tiles: tuple[str, int, int, int]) -> Self:
        return self.do(*(Build(seat, *tile) for tile in tiles))

    def discard(self, seat: int, *tiles: str) -> Self:
        return self.do(*(Discard(seat, tile) for tile in tiles))

    def skip(self) -> Self:
        return self.do(*(Skip(seat) for seat in self.order))

    # Tables that are not at their beginning

    def up_for_auction(self, *offers: str, holding: Sequence[Sequence[int]] | None = None) -> Self:
        """All have offered. `holding` replaces the stones that every player holds."""
        self.set_up().keep().offer(*offers)
        return self.holding(*holding) if holding else self

    def holding(self, *stones: Sequence[int]) -> Self:
        self.state = replace(self.state, stones=tuple(map(tuple, stones)))
        return self

    def free(self) -> Self:
        """Every player holds all their own stones: no player must lay a foreign one."""
        return self.holding(*([9 * (seat == colour) for colour in range(self.players)] for seat in range(self.players)))

    def auction(self, offers: Sequence[str], winners: Sequence[int | None]) -> Self:
        """A round up to its building: each winner lays one own stone on the tile, first come, first laid."""
        self.keep().offer(*offers)
        left = {seat: [on for on, winner in enumerate(winners) if winner == seat] for seat in range(self.players)}
        for most in (1, 2, 2):
            for seat in self.order:
                tiles, left[seat] = left[seat][:most], left[seat][most:]
                self.bid(seat, *((on, seat, 1) for on in tiles))
        return self

    def building(self, seat: int, won: Sequence[str], built: Sequence[tuple[str, int, int, int]] | None = None) -> Self:
        """A player has won these tiles and builds; perhaps with another display than that of the set-up."""
        tiles = tuple(tile for tile in self.state.fresh if tile not in won)
        wins = tuple(tuple(won) if each == seat else () for each in range(self.players))
        self.state = replace(self.state, phase="build", turn=seat, won=wins, fresh=tiles)
        return self.displaying(seat, *built) if built is not None else self

    def displaying(self, seat: int, *built: tuple[str, int, int, int]) -> Self:
        display = tuple(Built(*tile) for tile in built)
        used = {tile.tile for tile in display}
        self.state = replace(
            self.state,
            built=(*self.state.built[:seat], display, *self.state.built[seat + 1 :]),
            fresh=tuple(tile for tile in self.state.fresh if tile not in used),
        )
        return self

    def scoring(self, seat: int, *built: tuple[str, int, int, int]) -> Self:
        """It is this player's turn to score jewellery."""
        self.set_up()
        self.state = replace(self.state, phase="jewels", turn=seat)
        return self.displaying(seat, *built)

    def with_money(self, *money: int) -> Self:
        self.state = replace(self.state, money=money)
        return self

    # What is to be seen

    def __getattr__(self, name: str) -> Any:
        """Table(3).stack: what the public table says."""
        return getattr(GAME.table(self.state), name)

    @property
    def ruled(self) -> list[tuple[str | None, str]]:
        return [(ruling.rule, ruling.what) for ruling in self.rulings]

    def said(self, what: str) -> list[dict[str, Any]]:
        """The facts of the rulings of this kind at the last step."""
        return [ruling.facts for ruling in self.rulings if ruling.what == what]

    @property
    def awaited(self) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        awaiting = GAME.awaiting(self.state)
        return (awaiting.seats, awaiting.do) if awaiting else None

    @property
    def winners(self) -> tuple[int, ...]:
        return GAME.winners(self.state)

    def parts(self, seat: int) -> list[tuple[str, int, str]]:
        return [(part.for_, part.points, part.rule) for part in GAME.scores(self.state)[seat].parts]


def bid(seat: int, *stones: tuple[int, int, int]) -> Bid:
    return Bid(seat, tuple(Stones(*each) for each in stones))


FULL_ROWS = [("s1", 0, 0, 0), *((f"s{y * 3 + x + 1}", x, y, 0) for y in range(4) for x in range(3) if x or y)]
"""Twelve straights in three columns and four rows; take the first few for a frame that is nearly full."""

__all__ = ["BOX", "FULL_ROWS", "STANDIN", "Buy", "Jewels", "Table", "bid"]
