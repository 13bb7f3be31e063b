"""What all can see of every player: money, stones, jewellery, the Darwin card, half an action; and of the round."""

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.cells import cell_len
from textual.content import Content

from companion.gamekit import Seat, plain
from companion.gamekit.screen import Action, Sight
from companion.gamekit.sign_table import DONE, JOINS, NOTHING, STARTS, TURN
from companion.games.darwinci import sentences
from companion.games.darwinci.colours import BONE, CLOSED, EARTH, INK, STONE_HUES, STONES, chip, jewel_look
from companion.games.darwinci.components import Tile
from companion.games.darwinci.display import FULL, Cell, run
from companion.games.darwinci.screen import _
from companion.games.darwinci.screen.display_chart import Anatomy
from companion.games.darwinci.screen.tiles import fit, jewel_word, stone, stones
from companion.games.darwinci.view import Built, HalfBid, Stones, Table, foreign_due, most_stones

CHIP = f"bold {INK} on #f4f4f0"
CARD = f"bold {INK} on #e69f00"
ACTING = "bold on $primary-muted"


def acting(sight: Sight, seat: Seat) -> bool:
    """Whether the table waits for this one."""
    awaiting = sight.snapshot.awaiting
    return awaiting is not None and seat in awaiting.seats


def named(sight: Sight, seat: Seat, width: int) -> Content:
    """A player's name in the colour of their stones, with an arrow if they are awaited, and a house if they have the
    round counter."""
    table: Table = sight.table
    mark = Content.assemble(TURN if acting(sight, seat) else " ", stone(seat))
    chip = ""
    if seat == (table.counter if table.phase != "bid" else table.start):
        chip = STARTS
    light = sight.lamp(seat)
    room = width - 2 - light.cell_length - (cell_len(chip) + 1 if chip else 0)
    marked = sight.name(seat) + sight.mark(seat)
    words = marked if cell_len(marked) <= room else sight.name(seat)
    name = fit(Content(words).truncate(room, ellipsis=True) + light, room + light.cell_length)
    line = Content.assemble(mark, name, " " if chip else "", (chip, CHIP))
    return line.stylize_before(ACTING) if acting(sight, seat) else line


def money(sight: Sight, seat: Seat) -> Content:
    """How much, and the Darwin card: one stone more in the second bidding round."""
    amount = _("{amount} Darwin", amount=sight.table.money[seat])
    card = "+1" if sight.table.darwin_card == seat else ""
    return Content.assemble((amount, "bold"), " " if card else "", (card, CARD))


def held(sight: Sight, seat: Seat) -> Content:
    """The stones that a player holds, by colour."""
    return Content("").join(stones(sight.table.stones[seat])) or Content.styled(_("no stones"), "$quiet")


def jewels(sight: Sight, seat: Seat) -> Content:
    """Jewellery still to be had; a dot for what is scored."""
    kinds: tuple[str, ...] = sight.box.jewels
    scored = sight.table.jewels_scored[seat]
    shown = [(NOTHING, f"{BONE} on {EARTH[0]}") if kind in scored else _lit(kind, kinds) for kind in kinds]
    return Content.assemble(*shown)


def legend(sight: Sight) -> list[Content]:
    """What the signs mean, one by one."""
    kinds: tuple[str, ...] = sight.box.jewels
    signs = [Content.assemble(_lit(kind, kinds), f" {jewel_word(kind)}") for kind in kinds]
    card = Content.assemble(("+1", CARD), " ", _("Darwin card"))
    return [*signs, card]


def whole_legend(sight: Sight) -> Content:
    """Also whose stones are whose, and what joins."""
    stones = [
        Content.assemble((STONES[seat], STONE_HUES[seat]), " ", _("{name}'s stones", name=plain(name)))
        for seat, name in enumerate(sight.names)
    ]
    joins = Content(f"{JOINS} {_('two bones that join')}")
    return Content("  ").join([*legend(sight), *stones, joins])


def _lit(kind: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    sign, hue = jewel_look(kind, kinds)
    return sign, f"bold {hue} on {EARTH[0]}"


def creatures(sight: Sight, seat: Seat) -> Content:
    """What each closed creature was worth, in its own hue."""
    sums = [body.creature.points for body in anatomy(sight, seat).closed]
    words = [Content.styled(f"{DONE}{points}", chip(CLOSED[n % len(CLOSED)])) for n, points in enumerate(sums)]
    return Content(" ").join(words)


def size(sight: Sight, seat: Seat) -> str:
    return f"{len(sight.table.built[seat])}/{FULL}"


def status(sight: Sight, width: int) -> Content:
    """Round and bidding round, the stacks, who holds what."""
    table: Table = sight.table
    parts = [_("round {number}", number=table.round)]
    if table.bidding:
        parts.append(_("bidding {number} of 3", number=table.bidding))
    parts += [
        _("stacks {number}", number=table.stack),
        _("{name} starts", name=sight.name(table.start)),
    ]
    line = Content.assemble(" ", ("  ".join(parts), "bold"))
    if table.darwin_card is None:
        return fit(line, width)
    holder = sight.name(table.darwin_card)
    words = _("Darwin card: {name}", name=holder), holder
    lines = [Content.assemble(line, "  ", ("+1", CARD), f" {each}") for each in words]
    return fit(next((each for each in lines if each.cell_length <= width), lines[-1]), width)


def anatomy(sight: Sight, seat: Seat, ghost: Built | None = None) -> Anatomy:
    return Anatomy(sight.table.built[seat], tiles(sight), ghost)


def tiles(sight: Sight) -> dict[str, Tile]:
    """The box's tiles by their ids."""
    return {tile.id: tile for tile in sight.box.tiles}


def tile_word(sight: Sight, tile_id: str) -> str:
    known = tiles(sight).get(tile_id)
    return plain(sentences.tile(known, _) if known else tile_id, 30)


# --- A bid ------------------------------------------------------------------------------------------------------


def due_words(table: Table, seat: Seat, stones: Sequence[Stones]) -> str:
    """D4, D5 What may be laid, and what must; and how many are still to go."""
    if table.bidding == 1:
        due = foreign_due(table, seat)
        must = _("{count:stone of another colour|stones of other colours}", count=due)
        words = _("lay {stones}, 1 of yours if you like", stones=must) if due else _("one of your own stones, or none")
    else:
        most = _("{count:stone|stones}", count=most_stones(table, seat))
        words = _("up to {stones} of any colour", stones=most)
    left = to_go(table, seat, stones)
    return f"{words}: {_('{count} to go', count=left)}" if left else words


def to_go(table: Table, seat: Seat, stones: Sequence[Stones]) -> int:
    """D4 The foreign stones that must still be laid."""
    foreign = sum(part.count for part in stones if part.colour != seat)
    return foreign_due(table, seat) - foreign if table.bidding == 1 else 0


# --- Half an action: hands have begun it, all can see it, and nothing has changed yet ----------------------------


def half_bid(sight: Sight) -> HalfBid | None:
    draft = _draft(sight, "bid")
    return None if draft is None else msgspec.convert(draft, HalfBid)


def half_built(sight: Sight) -> Built | None:
    """The tile that would be built, and where."""
    draft = _draft(sight, "build")
    return None if draft is None else Built(draft["tile"], draft["x"], draft["y"], draft["turn"])


def half_scored(sight: Sight) -> tuple[Cell, ...]:
    """The places of the line that would be scored."""
    draft = _draft(sight, "jewels")
    return () if draft is None else line_of(sight, draft)


def line_of(sight: Sight, action: Action) -> tuple[Cell, ...]:
    """D15 The places of a jewellery line: the whole run, or the part that is named."""
    built = sight.table.built[action["seat"]]
    row = action["line"] == "row"
    cells = [(tile.x, tile.y) for tile in run(built, "row" if row else "column", action["x"], action["y"])]
    first, last = action.get("from"), action.get("to")
    if first is not None and last is not None:
        cells = [cell for cell in cells if first <= cell[0 if row else 1] <= last]
    return tuple(cells)


def laid(stones: tuple[Stones, ...], on: Seat, players: int) -> list[int]:
    """How many stones of each colour half a bid lays on this tile."""
    counts = [0] * players
    for part in stones:
        if part.on == on:
            counts[part.colour] += part.count
    return counts


def _draft(sight: Sight, do: str) -> Any:
    """As it came over the line, unless it is another kind of action."""
    draft = sight.snapshot.draft
    if not isinstance(draft, dict):
        draft = msgspec.to_builtins(draft)
    return draft if isinstance(draft, dict) and draft.get("do") == do else None
