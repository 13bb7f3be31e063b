"""The table of Darwinci, drawn: the market while tiles are bid for, the workshop while they are built and scored."""

from collections.abc import Sequence

from rich.cells import set_cell_size
from textual.content import Content

from companion.gamekit import Seat, numeral
from companion.gamekit.screen import Sight
from companion.games.darwinci.colours import GHOST, PLACE, STONE_HUES
from companion.games.darwinci.display import FRAME
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.display_chart import Chart, tiny_display
from companion.games.darwinci.screen.tiles import (
    LARGE,
    MEDIUM,
    Block,
    Size,
    TileLook,
    beside,
    blank,
    drawn,
    face_down,
    fit,
    stones,
)
from companion.games.darwinci.view import Stones, Table

LOW, TALL = 10, 15
"""The rows that there is room for."""
NAMED, ROOMY, ROOMIEST = 20, 24, 34
"""Widths from which on stones and tiles have their words; money and stones stand side by side; with words, too."""
LONG = FRAME[1]
WORDED = 58
"""From this width on the signs of jewellery have their words below the table."""


# --- Market: a column for each player's tile and the stones on it ----------------------------------------------


def market(sight: Sight, width: int, tall: bool, size: Size = LARGE) -> Block:
    """The columns; above them the state of the round, and below them jewellery, where there is room."""
    table: Table = sight.table
    column = (width - 1) // len(sight.names) - 1
    half = people.half_bid(sight)
    height = max(_heights(sight))
    short = [_person(sight, seat, column) for seat in range(len(sight.names))]
    rows = 1 + (size.height if table.phase != "buy" else 0) + len(short[0]) + height
    more = (TALL if tall else LOW) + size.height - LARGE.height - rows
    columns = []
    for seat, person in enumerate(short):
        lines = [fit(people.named(sight, seat, column), column)]
        if table.phase != "buy":
            lines += offered(sight, seat, column, half.stones if half else (), size)
        lines += person
        if more > 1:
            lines.append(
                fit(
                    Content.assemble(
                        "  ",
                        _("{tiles} tiles", tiles=people.size(sight, seat))
                        if column >= NAMED
                        else people.size(sight, seat),
                        "  ",
                        people.jewels(sight, seat),
                    ),
                    column,
                )
            )
        lines += [Content(" " * column)] * (more > 3)
        anatomy = people.anatomy(sight, seat)
        if size == LARGE:
            lines += tiny_display(anatomy, column, height, 3 if column >= 12 else 2)
        else:
            lines += _small_display(sight, seat, column)
        columns.append(lines)
    block = [Content.assemble(" ", line) for line in beside(*columns)]
    head = [people.status(sight, width)] if more > 0 else []
    foot = [Content(" ") + _fitting(people.legend(sight), width - 1)] if more > 4 else []
    foot = [*([Content("")] if more > 5 else []), *foot]
    return [*head, *([Content("")] if more > 2 else []), *block, *foot]


def _small_display(sight: Sight, seat: Seat, width: int) -> Block:
    """What a player has built, with bones and jewellery, where a screen is large."""
    anatomy = people.anatomy(sight, seat)
    return [fit(line, width) for line in Chart(anatomy, MEDIUM, sight.box.jewels).drawn()] if anatomy.all else []


def _heights(sight: Sight) -> list[int]:
    """How many rows each display has; never none, so that little moves."""
    found = []
    for seat in range(len(sight.names)):
        (_, top), (_, bottom) = people.anatomy(sight, seat).extent()
        found.append(bottom - top + 1)
    return found


def _person(sight: Sight, seat: Seat, width: int) -> Block:
    money, held = people.money(sight, seat), people.held(sight, seat)
    label = _("stones", "column") + " "
    if width >= ROOMY:
        return [fit(Content.assemble("  ", fit(money, 13), " ", label if width >= ROOMIEST else "", held), width)]
    if width >= NAMED:
        held = Content.assemble(label, held)
    margin = "  " if width > 12 else " "
    return [fit(Content.assemble(margin, money), width), fit(Content.assemble(margin, held), width)]


# --- Offered tiles --------------------------------------------------------------------------------------------


def offered(sight: Sight, seat: Seat, width: int, draft: tuple[Stones, ...] = (), size: Size = LARGE) -> Block:
    """The tile that this player offers, and beside it the stones on it by colour; those of half a bid with a plus."""
    table: Table = sight.table
    tile = people.tiles(sight).get(table.offers[seat] or "")
    if tile is not None:
        picture = drawn(TileLook(tile), size, sight.box.jewels)
    elif table.phase == "offer" and not people.acting(sight, seat):
        picture = face_down(size)
    else:
        picture = blank(size, PLACE, "?" if table.phase == "offer" else "")
    beside_it = _piled(sight, seat, draft, width - size.width, size.height)
    return [fit(Content.assemble(line, more), width) for line, more in zip(picture, beside_it, strict=True)]


def _piled(sight: Sight, seat: Seat, draft: tuple[Stones, ...], width: int, rows: int) -> Block:
    """Stones in rows, two colours in each; where half a bid adds to them they look different."""
    new = people.laid(draft, seat, len(sight.names))
    there = [count + more for count, more in zip(sight.table.on[seat], new, strict=True)]
    colours = [colour for colour, count in enumerate(there) if count]
    signs = [
        sign.stylize(f"bold {STONE_HUES[colour]} on {GHOST}") if new[colour] else sign
        for sign, colour in zip(stones(there), colours, strict=True)
    ]
    gap = " " if width >= 8 else ""
    return [Content.assemble(gap, Content(gap).join(signs[n : n + 2])) for n in range(0, 2 * rows, 2)]


# --- Workshop: the display of the player who is asked is large, the others' are tiny -----------------------------


def workshop(sight: Sight, width: int, tall: bool, size: Size | None = None) -> Block:
    """Left the large display; right all belongings, the other displays and the won tiles. `size`: of its tiles, where
    there is room for larger ones."""
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
            right.append(fit(_fitting(people.legend(sight), room), room))
    if len(right) + LARGE.height <= (len(left) if size else TALL if tall else LOW):
        right += _won(sight, turn, room)
    return beside([Content(" ")], left, right, gap=1)


def _fitting(parts: Sequence[Content], room: int) -> Content:
    """As many of them as fit, whole."""
    line = Content("")
    for part in parts:
        longer = Content.assemble(line, "  " if line else "", part)
        if longer.cell_length > room:
            break
        line = longer
    return line


def _display(sight: Sight, seat: Seat, size: Size) -> Block:
    """The whole display, with a tile or a line that hands are about to choose."""
    anatomy = people.anatomy(sight, seat, people.half_built(sight))
    chart = Chart(anatomy, size, sight.box.jewels, lit=people.half_scored(sight))
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
    held = set_cell_size(_("stones", "column"), stones)
    tiles = _("tiles", "column")
    more = f" {set_cell_size(_('jewel', 'column'), 5)}{tiles:>6}" if wide else f"{tiles:>8}"
    return Content.styled(fit(f"{'Darwin':>{name + 4}} {held}{more}", width).plain, "$quiet")


def _displays(sight: Sight, seats: list[Seat], width: int, tile: int) -> Block:
    if tile > 3 and len(seats) * (LONG * MEDIUM.width + 1) <= width:
        column = LONG * MEDIUM.width
        named = [[fit(sight.name(seat), column), *_small_display(sight, seat, column)] for seat in seats]
        return [fit(line, width) for line in beside(*named, gap=1)]
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
