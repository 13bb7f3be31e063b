"""Great moments, step by step: the auction is settled stone by stone, and a creature closes tile by tile."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.content import Content

from companion.gamekit import Said, Seat, Told, plain
from companion.gamekit.screen import Call, Sight
from companion.gamekit.sign_table import RIGHT
from companion.games.darwinci.colours import jewel_look
from companion.games.darwinci.screen import _
from companion.games.darwinci.screen.people import tile_word, tiles
from companion.games.darwinci.screen.tiles import HUGE, LARGE, WALL, Size, TileLook, beside, drawn, stone, stones

LINE = Content("\n")
TIES = frozenset({"start player wins the tie", "wins the tie", "nearest wins the tie", "clockwise wins the tie"})
WON = TIES | {"wins"}
CLOSED = "closes a creature"
STEPS = WON | {"nobody bids", CLOSED}
WIDE = 150
"""From this width on tiles are as large as the table's."""


class Stage(NamedTuple):
    """One step: its words, and what is large."""

    words: Content
    call: Call | None


def steps(sight: Sight, lines: Sequence[Told]) -> list[Content]:
    return [stage.words for stage in _stages(sight, lines)]


def calls(sight: Sight, lines: Sequence[Told], width: int) -> list[Call | None]:
    return [stage.call for stage in _stages(sight, lines, width)]


def _stages(sight: Sight, lines: Sequence[Told], width: int = 0) -> Iterator[Stage]:
    left: list[int] = []
    """The stones that are still on the tile, by colour."""
    for told in lines:
        if told.what == CLOSED:
            yield from _creature(sight, told, width)
            continue
        counts = told.facts.get("counts")
        if told.what in WON and isinstance(counts, tuple):
            left = [int(count) for count in counts]
        if told.what == "stones go":
            left = _without(left, told)
        yield Stage(_words(sight, told), _call(sight, told, left, _tile_size(width)))


def _tile_size(width: int, tiles: int = 1) -> Size:
    """As large as so many tiles side by side can be."""
    if width < WIDE:
        return LARGE
    return next((size for size in (WALL, HUGE) if tiles * (size.width + 1) <= width), LARGE)


# --- Stone by stone -------------------------------------------------------------------------------------------


def _without(left: Sequence[int], told: Told) -> list[int]:
    owner, count = told.facts.get("owner"), told.facts.get("stones")
    if not (isinstance(owner, int) and isinstance(count, int) and owner < len(left)):
        return list(left)
    return [max(0, n - count) if colour == owner else n for colour, n in enumerate(left)]


def _words(sight: Sight, told: Told) -> Content:
    said = _going(sight, told) if told.what == "stones go" else _step(sight, told)
    return Content.assemble(said, (f"  {plain(told.rule or '')}", "$quiet"))


def _call(sight: Sight, told: Told, left: Sequence[int], size: Size) -> Call | None:
    """The tile with the stones that are still on it, and who gets it, or some of them."""
    seat = told.facts.get("seat")
    if told.what not in (*WON, "stones go", "nobody bids") or not isinstance(seat, int):
        return None
    known = tiles(sight).get(str(told.facts.get("tile")))
    tile = drawn(TileLook(known), size, sight.box.jewels) if known else []
    picture = LINE.join([*tile, Content.assemble(*stones(list(left))) if any(left) else Content(" ")])
    if told.what == "nobody bids":
        return Call((_("no bid", "big"),), picture)
    return Call((sight.name(seat),), picture)


def _going(sight: Sight, told: Told) -> Content:
    seat, owner, count = (told.facts.get(name) for name in ("seat", "owner", "stones"))
    if not (isinstance(seat, int) and isinstance(owner, int) and isinstance(count, int)):
        return Content(sight.say(told))
    return Content.assemble("    ", *stones([0] * owner + [count]), f" {RIGHT} {sight.name(seat)}")


def _step(sight: Sight, told: Told) -> Content:
    seat = told.facts.get("seat")
    if told.what not in STEPS or not isinstance(seat, int):
        return Content(sight.say(told))
    offering = told.facts.get("seat_offering", seat)
    whose = sight.name(offering if isinstance(offering, int) else None)
    name = (f"{whose}: {tile_word(sight, str(told.facts.get('tile')))}", "bold")
    if told.what == "nobody bids":
        return Content.assemble(name, f" {RIGHT} ", _("out of the game"))
    tie = f"  ({_('tie')})" if told.what in TIES else ""
    return Content.assemble(name, f" {RIGHT} ", stone(seat), " ", (sight.name(seat), "bold"), tie)


# --- Tile by tile ---------------------------------------------------------------------------------------------


def _creature(sight: Sight, told: Told, width: int) -> Iterator[Stage]:
    """D14 Its tiles, one after the other, with their end pieces; then what it pays."""
    bones = told.facts.get("bones_in_order")
    parts = [str(bone).rpartition(" × ") for bone in bones] if isinstance(bones, tuple) else []
    seat = told.facts.get("seat")
    name = sight.name(seat if isinstance(seat, int) else None)
    known, tile_size = tiles(sight), _tile_size(width, len(parts))
    looks: list[list[Content]] = []
    ends = 0
    for number, (tile, _times, count) in enumerate(parts, 1):
        if tile in known:
            looks.append(drawn(TileLook(known[tile]), tile_size, sight.box.jewels))
        ends += int(count) if count.isdecimal() else 0
        so_far = _("{size:tile|tiles} × {ends:end piece|end pieces}", size=number, ends=ends)
        yield Stage(Content.assemble((name, "bold"), f"  {so_far}"), Call((name,), LINE.join(beside(*looks))))
    points = f"+{told.facts.get('points')}"
    picture = LINE.join(beside(*looks)) if looks else Content("")
    yield Stage(
        Content.assemble((sight.say(told), "bold"), (f"  {plain(told.rule or '')}", "$quiet")),
        Call((f"{name} {points}", points), picture),
    )


# --- Why ------------------------------------------------------------------------------------------------------


def grounds(sight: Sight, said: Said) -> Sequence[str]:
    """Why? For a tile, how many stones of each colour lay on it; for jewellery, what each tile of the line shows."""
    counts, line, kind = (said.facts.get(name) for name in ("counts", "tiles", "kind"))
    if isinstance(counts, tuple):
        return [_count(sight, seat, int(count)) for seat, count in enumerate(counts) if count]
    if isinstance(line, tuple) and isinstance(kind, str):
        known = tiles(sight)
        sign = jewel_look(kind, sight.box.jewels)[0]
        shown = [(tile_word(sight, str(each)), known[str(each)].jewels.count(kind)) for each in line if each in known]
        return [f"{name}  {sign * count}" for name, count in shown]
    return ()


def _count(sight: Sight, seat: Seat, count: int) -> str:
    return f"{sight.name(seat)}: {count}"
