"""The auction is settled, step by step: who wins which tile, and where every stone goes."""

from collections.abc import Sequence

from textual.content import Content

from companion.gamekit import Said, Seat, Told, plain
from companion.gamekit.screen import Call, Sight
from companion.gamekit.sign_table import RIGHT
from companion.games.darwinci.colours import jewel_look
from companion.games.darwinci.screen import _
from companion.games.darwinci.screen.people import tile_word, tiles
from companion.games.darwinci.screen.tiles import LARGE, TileLook, drawn, stone, stones

LINE = Content("\n")
TIES = frozenset({"start player wins the tie", "wins the tie", "nearest wins the tie", "clockwise wins the tie"})
STEPS = TIES | {"wins", "nobody bids"}


def steps(sight: Sight, lines: Sequence[Told]) -> list[Content]:
    """A step for each tile: its winner, and below it where the stones go."""
    found: list[Content] = []
    for told in lines:
        if told.what == "stones go" and found:
            joint = "  " if "\n" in found[-1].plain else "\n    "
            found[-1] = Content.assemble(found[-1], joint, _going(sight, told))
        else:
            found.append(Content.assemble(_step(sight, told), (f"  {plain(told.rule or '')}", "$quiet")))
    return found


def calls(sight: Sight, lines: Sequence[Told]) -> list[Call | None]:
    """Who wins each tile."""
    return [_call(sight, told) for number, told in enumerate(lines) if told.what != "stones go" or not number]


def _call(sight: Sight, told: Told) -> Call | None:
    seat, known = told.facts.get("seat"), tiles(sight).get(str(told.facts.get("tile")))
    if told.what not in TIES | {"wins"} or not isinstance(seat, int):
        return None
    picture = LINE.join(drawn(TileLook(known), LARGE, sight.box.jewels)) if known else Content("")
    return Call((sight.name(seat),), picture)


def _going(sight: Sight, told: Told) -> Content:
    seat, owner, count = (told.facts.get(name) for name in ("seat", "owner", "stones"))
    if not (isinstance(seat, int) and isinstance(owner, int) and isinstance(count, int)):
        return Content("")
    return Content.assemble(*stones([0] * owner + [count]), f" {RIGHT} {sight.name(seat)}")


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
