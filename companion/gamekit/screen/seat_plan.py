"""Who sits where, around the real table as it is seen from this screen: turn, direction and lamps at a glance.

The screen stands at the lower edge. Seats go clockwise from its left: up the left side, along the top, down the right.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit.game import Seat
from companion.gamekit.screen.device_marks import LAMP, lamp_sign
from companion.language.screen_language import _

if TYPE_CHECKING:
    from companion.gamekit.screen.face import Sight

LEAST = 3
"""Rows of the smallest plan."""
SIDE = 14
"""Cells for those who sit at the sides, at most."""
AT_TOP = 3
"""How many have room at the upper side; with more, two sit at each of the others."""


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
    seated = tuple(
        SeatedPlayer(
            f"{name} {notes[seat] if seat < len(notes) else ''}".rstrip(),
            lamp_sign(sight.snapshot, seat),
            is_awaited(sight, seat),
        )
        for seat, name in enumerate(sight.names)
    )
    words = Inscriptions(_going(sight), _("pause") if sight.snapshot.paused else "", f" {_('this screen')} ")
    return _drawn(seated, words, width, max(LEAST, height) - 1)


def is_awaited(sight: "Sight", seat: Seat) -> bool:
    """Whether the table waits for this one."""
    awaiting = sight.snapshot.awaiting
    return awaiting is not None and seat in awaiting.seats and seat not in sight.snapshot.settled


class SeatedPlayer(NamedTuple):
    """Who sits there, what the lamp says, and whether the table waits for them."""

    name: str
    light: tuple[str, str] | None
    awaited: bool


class Inscriptions(NamedTuple):
    """What is written on the table: at its upper edge, in the middle, and where the screen stands."""

    above: str
    middle: str
    below: str


def _going(sight: "Sight") -> str:
    going = sight.face.going(sight)
    words = {"clockwise": f" ► {_('clockwise')} ► ", "anticlockwise": f" ◄ {_('anticlockwise')} ◄ "}
    return words.get(going, "")


@lru_cache(32)
def _drawn(seated: tuple[SeatedPlayer, ...], words: Inscriptions, width: int, rows: int) -> Content:
    """`rows`: of the table itself; one more is above it. Turns go round the table, so the same plans come again."""
    left, top, right = sides(len(seated))
    longest = max((cell_len(seated[seat].name) for seat in (*left, *right)), default=0)
    side = min(SIDE, longest + LAMP + 2, width // 3)
    before = _beside([seated[seat] for seat in left[::-1]], rows, side, "right")
    behind = _beside([seated[seat] for seat in right], rows, side, "left")
    table = _edges(words, width - 2 * side - 2, rows)
    lines = [Content.assemble(*parts) for parts in zip(before, table, behind, strict=True)]
    return Content("\n").join([_top([seated[seat] for seat in top], width), *lines])


def _edges(words: Inscriptions, inner: int, rows: int) -> list[Content]:
    lines = [_across(words.middle if y == rows // 2 else "", inner) for y in range(rows)]
    lines[0] = Content.styled(f"┏{_centred(words.above, inner, '━')}┓", "$quiet")
    lines[-1] = Content.styled(f"┗{_centred(words.below, inner, '━')}┛", "$quiet")
    return lines


def _across(words: str, inner: int) -> Content:
    return Content.assemble(("┃", "$quiet"), (_centred(words, inner, " "), "bold"), ("┃", "$quiet"))


def _top(seated: list[SeatedPlayer], width: int) -> Content:
    room = width // max(1, len(seated))
    return Content("").join([_seat(player, room, "centre") for player in seated])


def _beside(seated: list[SeatedPlayer], rows: int, size: int, align: Literal["left", "right"]) -> list[Content]:
    """The names at one side, from the top down, spread over its rows."""
    lines = [Content(" " * size)] * rows
    for number, player in enumerate(seated):
        lines[(2 * number + 1) * rows // (2 * len(seated))] = _seat(player, size, align)
    return lines


def _seat(player: SeatedPlayer, size: int, align: Literal["left", "centre", "right"]) -> Content:
    """A name, what its lamp says, and a mark and a ground for whoever is awaited."""
    light = Content.assemble(" ", player.light) if player.light else Content("")
    words = set_cell_size(player.name, min(cell_len(player.name), size - light.cell_length - 1))
    drawn = Content.assemble(("►" if player.awaited else " ") + words, light)
    if player.awaited:
        drawn = drawn.stylize_before("bold on $primary-muted")
    gap = max(0, size - drawn.cell_length)
    before = {"left": 0, "centre": gap // 2, "right": gap}[align]
    return Content.assemble(" " * before, drawn, " " * (gap - before))


def _centred(words: str, width: int, fill: str) -> str:
    words = set_cell_size(words, min(cell_len(words), width))
    gap = width - cell_len(words)
    return fill * (gap // 2) + words + fill * (gap - gap // 2)
