"""The table while tiles are built and scored: the display of the one who is asked is large, the others' are tiny."""

from rich.cells import set_cell_size
from textual.content import Content

from companion.gamekit import Seat, numeral
from companion.gamekit.screen import Sight
from companion.games.darwinci.display import FRAME
from companion.games.darwinci.screen import people
from companion.games.darwinci.screen.board import Chart, tiny_display
from companion.games.darwinci.screen.colours import Block, beside, fit
from companion.games.darwinci.screen.drafts import half_built, half_scored
from companion.games.darwinci.screen.texts import _
from companion.games.darwinci.screen.tiles import LARGE, MEDIUM, Size, TileLook, drawn
from companion.games.darwinci.view import Table

LOW, TALL = 10, 15
"""So many rows there are for it."""
LONG = FRAME[1]
WORDED = 58
"""From this width on the signs of jewellery have their words below the table."""


def workshop(sight: Sight, width: int, tall: bool, size: Size | None = None) -> Block:
    """Left the large display, right everybody's belongings, the other displays and what was won. `size`: of its tiles,
    where there is room for larger ones."""
    awaiting = sight.snapshot.awaiting
    turn = awaiting.seats[0] if awaiting else sight.table.start
    left = _display(sight, turn, size or (LARGE if tall else MEDIUM))
    room = width - left[0].cell_length - 3
    right = _belongings(sight, room)
    others = [seat for seat in range(len(sight.names)) if seat != turn]
    if not tall:
        right += _displays(sight, others, room, 2)
        del right[: max(0, len(right) - LOW)]  # what the columns are, where five players have high displays
    else:
        right = [people.status(sight, room), Content(" " * room), *right, Content(" " * room)]
        right += _displays(sight, others, room, 5 if size else 3)
        if room >= WORDED:
            right.append(fit(people.legend(sight), room))
    if len(right) + LARGE.height <= (len(left) if size else TALL if tall else LOW):
        right += _won(sight, turn, room)
    return beside([Content(" ")], left, right, gap=1)


def _display(sight: Sight, seat: Seat, size: Size) -> Block:
    """The whole display, with a tile or a line that hands are about to choose."""
    anatomy = people.anatomy(sight, seat, half_built(sight))
    chart = Chart(anatomy, size, sight.box.jewels, lit=half_scored(sight))
    width = LONG * size.width
    picture = [fit(line, width) for line in chart.drawn()] if anatomy.all else []
    blank = [Content(" " * width)] * (LONG * size.height - len(picture))
    return [_caption(sight, seat, width), *picture, *blank]


def _caption(sight: Sight, seat: Seat, width: int) -> Content:
    words = f"{sight.name(seat)}  {people.size(sight, seat)}"
    return fit(Content.assemble((words, "bold"), "  ", people.creatures(sight, seat)), width)


def _belongings(sight: Sight, width: int) -> Block:
    """A row for each player: money, stones, jewellery still to be had, number of tiles."""
    stones, wide = 2 * len(sight.names), width > 37
    name = max(11, min(20, width - stones - (17 if wide else 13)))
    lines = [_head(name, stones, width, wide)]
    for seat in range(len(sight.names)):
        line = Content.assemble(
            people.named(sight, seat, name),
            f"{numeral(sight.table.money[seat]):>4} ",
            fit(people.held(sight, seat), stones),
            " " * wide,
            fit(people.jewels(sight, seat), 5),
            people.size(sight, seat).rjust(6) if wide else f"{len(sight.table.built[seat]):>3}",
        )
        lines.append(fit(line, width))
    return lines


def _head(name: int, stones: int, width: int, wide: bool) -> Content:
    """What the columns are."""
    held, jewels = set_cell_size(_("stones", "column"), stones), set_cell_size(_("jewel", "column"), 5)
    tiles = _("tiles", "column").rjust(6) if wide else _("no.", "tiles").rjust(3)
    gap = " " * wide
    return Content.styled(fit(f"{'Darwin':>{name + 4}} {held}{gap}{jewels}{tiles}", width).plain, "$quiet")


def _displays(sight: Sight, seats: list[Seat], width: int, tile: int) -> Block:
    column = LONG * tile
    columns = []
    bodies = {seat: people.anatomy(sight, seat) for seat in seats}
    spans = [body.extent() for body in bodies.values()]
    height = max((bottom - top + 1 for (_left, top), (_right, bottom) in spans), default=1)
    for seat, body in bodies.items():
        columns.append([fit(sight.name(seat), column), *tiny_display(body, column, height, tile)])
    return [fit(line, width) for line in beside(*columns, gap=1)]


def _won(sight: Sight, seat: Seat, width: int) -> Block:
    """Tiles that wait to be built."""
    known = people.tiles(sight)
    table: Table = sight.table
    pictures = [drawn(TileLook(known[tile]), LARGE, sight.box.jewels) for tile in table.won[seat] if tile in known]
    if not pictures:
        return []
    label = [fit(_("won"), 6), *[Content(" " * 6)] * (LARGE.height - 1)]
    return [fit(line, width) for line in beside(label, *pictures, gap=1)]
