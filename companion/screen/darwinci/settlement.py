"""The auction is settled, step by step: who wins which tile, and where every stone goes."""

from collections.abc import Sequence

from textual.content import Content

from companion.screen.darwinci.colours import jewel, stone, stones
from companion.screen.darwinci.people import tiles
from companion.screen.darwinci.words import tile
from companion.screen.face import Sight
from companion.screen.text import _
from companion.snapshot import Seat, Told
from companion.wording import Said

STEPS = frozenset({"wins", "wins the tie", "nobody bids"})


def step(sight: Sight, told: Told) -> Content:
    """A tile and its winner in one line, the stones that go in the lines below it."""
    seat, owner, count = (told.facts.get(name) for name in ("seat", "owner", "stones"))
    if told.what == "stones go" and isinstance(owner, int) and isinstance(seat, int) and isinstance(count, int):
        counts = [0] * owner + [count]
        return Content.assemble("    ", *stones(counts), f" ► {sight.name(seat)}")
    if told.what in STEPS and isinstance(seat, int):
        name = (tile(sight, str(told.facts.get("tile"))), "bold")
        if told.what == "nobody bids":
            return Content.assemble(name, " ► ", _("out of the game"))
        tie = f"  ({_('tie')})" if told.what == "wins the tie" else ""
        return Content.assemble(name, " ► ", stone(seat), " ", (sight.name(seat), "bold"), tie)
    return Content(sight.say(told))


def grounds(sight: Sight, said: Said) -> Sequence[str]:
    """Why? For a tile, how many stones of each colour lay on it; for jewellery, what each tile of the line shows."""
    counts, line, kind = (said.facts.get(name) for name in ("counts", "tiles", "kind"))
    if isinstance(counts, tuple):
        return [_count(sight, seat, int(count)) for seat, count in enumerate(counts) if count]
    if isinstance(line, tuple) and isinstance(kind, str):
        known = tiles(sight)
        sign = jewel(kind, sight.box.jewels)[0]
        shown = [(tile(sight, str(each)), known[str(each)].jewels.count(kind)) for each in line if each in known]
        return [f"{name}  {sign * count}" for name, count in shown]
    return ()


def _count(sight: Sight, seat: Seat, count: int) -> str:
    return f"{sight.name(seat)}: {count}"
