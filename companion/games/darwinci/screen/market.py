"""The table while tiles are bought, offered and bid for: a column for each player's tile and the stones on it."""

from textual.content import Content

from companion.gamekit import Seat
from companion.gamekit.screen import Sight
from companion.games.darwinci.hues import STONE_HUES
from companion.games.darwinci.screen import people
from companion.games.darwinci.screen.board import tiny_display
from companion.games.darwinci.screen.colours import GHOST, PLACE, Block, beside, fit, stones
from companion.games.darwinci.screen.drafts import half_bid, laid
from companion.games.darwinci.screen.tiles import LARGE, Size, TileLook, blank, drawn, face_down
from companion.games.darwinci.view import Stones, Table

LOW, TALL = 10, 15
"""So many rows there are for it."""
ROOMY = 24
"""From this width on, money and stones stand side by side."""


def market(sight: Sight, width: int, tall: bool, size: Size = LARGE) -> Block:
    """The columns; above them the state of the round, and below them jewellery, where there is room."""
    table: Table = sight.table
    column = (width - 1) // len(sight.names) - 1
    half = half_bid(sight)
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
                fit(Content.assemble("  ", people.size(sight, seat), "  ", people.jewels(sight, seat)), column)
            )
        lines += [Content(" " * column)] * (more > 3)
        lines += tiny_display(
            people.anatomy(sight, seat), column, height, 5 if size != LARGE else 3 if column >= 12 else 2
        )
        columns.append(lines)
    block = [Content.assemble(" ", line) for line in beside(*columns)]
    head = [people.status(sight, width)] if more > 0 else []
    return [*head, *([Content("")] if more > 2 else []), *block]


def _heights(sight: Sight) -> list[int]:
    """How many rows each display has; never none, so that little moves."""
    found = []
    for seat in range(len(sight.names)):
        (_, top), (_, bottom) = people.anatomy(sight, seat).extent()
        found.append(bottom - top + 1)
    return found


def _person(sight: Sight, seat: Seat, width: int) -> Block:
    money, held = people.money(sight, seat), people.held(sight, seat)
    if width >= ROOMY:
        return [fit(Content.assemble("  ", fit(money, 13), " ", held), width)]
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
    new = laid(draft, seat, len(sight.names))
    there = [count + more for count, more in zip(sight.table.on[seat], new, strict=True)]
    colours = [colour for colour, count in enumerate(there) if count]
    signs = [
        sign.stylize(f"bold {STONE_HUES[colour]} on {GHOST}") if new[colour] else sign
        for sign, colour in zip(stones(there), colours, strict=True)
    ]
    gap = " " if width >= 8 else ""
    return [Content.assemble(gap, Content(gap).join(signs[n : n + 2])) for n in range(0, 2 * rows, 2)]
