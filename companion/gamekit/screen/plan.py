"""Who sits where, around the real table as it is seen from this screen: turn, direction and lamps at a glance.

The screen stands at the lower edge. Seats go clockwise from its left: up the left side, along the top, down the right.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit.game import Seat
from companion.gamekit.screen.stations import LAMP, lamp
from companion.language.speech import _

if TYPE_CHECKING:
    from companion.gamekit.screen.face import Sight

LEAST = 3
"""Rows of the smallest plan."""
SIDE = 14
"""Cells for those who sit at the sides, at most."""
AT_TOP = 3
"""So many have room at the upper side; of more, two sit at each of the others."""


class Sides(NamedTuple):
    """Who sits at the left, from the bottom up; along the top; at the right, from the top down."""

    left: list[Seat]
    top: list[Seat]
    right: list[Seat]


def sides(players: int) -> Sides:
    at_side = 0 if players < 2 else 1 if players - 2 <= AT_TOP else 2
    seats = list(range(players))
    return Sides(seats[:at_side], seats[at_side : players - at_side], seats[players - at_side :])


def plan(sight: "Sight", width: int, height: int, notes: tuple[str, ...] = ()) -> Content:
    """`notes`: something short behind each name, perhaps how long they have thought."""
    return _Plan(sight, notes, width, max(LEAST, height) - 1).drawn()


def is_awaited(sight: "Sight", seat: Seat) -> bool:
    """Whether the table waits for this one."""
    awaiting = sight.snapshot.awaiting
    return awaiting is not None and seat in awaiting.seats and seat not in sight.snapshot.settled


class _Plan(NamedTuple):
    sight: "Sight"
    notes: tuple[str, ...]
    width: int
    rows: int
    """Of the table itself; one more is above it."""

    def drawn(self) -> Content:
        left, top, right = sides(len(self.sight.names))
        longest = max((cell_len(self._name(seat)) for seat in (*left, *right)), default=0)
        side = min(SIDE, longest + LAMP + 2, self.width // 3)
        before = self._beside(left[::-1], side, "right")
        behind = self._beside(right, side, "left")
        table = [self._edge(y, self.width - 2 * side - 2) for y in range(self.rows)]
        rows = [Content.assemble(*parts) for parts in zip(before, table, behind, strict=True)]
        return Content("\n").join([self._top(top), *rows])

    def _edge(self, y: int, inner: int) -> Content:
        """The edge of the table says which way round it goes, and where this screen stands."""
        if y == 0:
            return Content.styled(f"┏{_centred(self._going(), inner, '━')}┓", "$quiet")
        if y == self.rows - 1:
            here = f" {_('this screen')} "
            return Content.styled(f"┗{_centred(here, inner, '━')}┛", "$quiet")
        words = _("pause") if self.sight.snapshot.paused and y == self.rows // 2 else ""
        return Content.assemble(("┃", "$quiet"), (_centred(words, inner, " "), "bold"), ("┃", "$quiet"))

    def _going(self) -> str:
        going = self.sight.face.going(self.sight)
        words = {"clockwise": f" ► {_('clockwise')} ► ", "anticlockwise": f" ◄ {_('anticlockwise')} ◄ "}
        return words.get(going, "")

    def _top(self, seats: list[Seat]) -> Content:
        room = self.width // max(1, len(seats))
        return Content("").join([self._seat(seat, room, "centre") for seat in seats])

    def _beside(self, seats: list[Seat], size: int, align: Literal["left", "right"]) -> list[Content]:
        """The names at one side, from the top down, spread over its rows."""
        lines = [Content(" " * size)] * self.rows
        for number, seat in enumerate(seats):
            lines[(2 * number + 1) * self.rows // (2 * len(seats))] = self._seat(seat, size, align)
        return lines

    def _seat(self, seat: Seat, size: int, align: Literal["left", "centre", "right"]) -> Content:
        """A name, what its lamp says, and a mark and a ground for whoever is awaited."""
        acting, light = is_awaited(self.sight, seat), lamp(self.sight.snapshot, seat)
        name = self._name(seat)
        words = set_cell_size(name, min(cell_len(name), size - light.cell_length - 1))
        drawn = Content.assemble(("►" if acting else " ") + words, light)
        if acting:
            drawn = drawn.stylize_before("bold on $primary-muted")
        gap = max(0, size - drawn.cell_length)
        before = {"left": 0, "centre": gap // 2, "right": gap}[align]
        return Content.assemble(" " * before, drawn, " " * (gap - before))

    def _name(self, seat: Seat) -> str:
        note = self.notes[seat] if seat < len(self.notes) else ""
        return f"{self.sight.name(seat)} {note}".rstrip()


def _centred(words: str, width: int, fill: str) -> str:
    words = set_cell_size(words, min(cell_len(words), width))
    gap = width - cell_len(words)
    return fill * (gap // 2) + words + fill * (gap - gap // 2)
