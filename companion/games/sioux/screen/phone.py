"""Sioux on a phone: winter and bank, what this hunt brought, and two lines for each player."""

from collections.abc import Sequence

from rich.cells import set_cell_size
from textual.content import Content

from companion.gamekit import Seat
from companion.gamekit.screen import Sight
from companion.games.sioux.components import WINTERS
from companion.games.sioux.screen import hunt_outcome
from companion.games.sioux.screen.board import HUNTING_ENDS, LINE, Shown, shown, supply
from companion.games.sioux.screen.hunt_outcome import HUNTER, SUPPLY, Hunt, seen
from companion.games.sioux.screen.prey import chips, kinds
from companion.games.sioux.screen.texts import _
from companion.games.sioux.view import View

MOST_ROWS = 8


def panels(sight: Sight, width: int) -> Sequence[Content]:
    hunt = seen(sight)
    brought = [line for line in hunt_outcome.lines(sight, hunt, width, MOST_ROWS) if line.plain.strip()]
    seats = [line for seat in range(len(sight.names)) for line in _seat(sight, hunt, seat, width)]
    return _middle(sight), LINE.join(brought), LINE.join(seats)


def _middle(sight: Sight) -> Content:
    table: View = sight.table
    laid_out = Content("").join([Content.styled(f" {value} ", SUPPLY) for value in table.laid_out]) or Content("—")
    bank = [Content.styled(f"{kind.shape}{table.bank.get(kind.name, 0)}", kind.style) for kind in kinds(sight.box)]
    winter = _("winter {number}/{last}").format(number=table.winter, last=WINTERS[-1])
    return LINE.join(
        [
            Content.assemble((winter, "bold"), "  ", (_("supply"), "bold"), " ", laid_out),
            Content.assemble((_("bank"), "bold"), " ", Content(" ").join(bank)),
        ]
    )


def _seat(sight: Sight, hunt: Hunt | None, seat: Seat, width: int) -> list[Content]:
    """The name and the card before them; then their prey."""
    table: View = sight.table
    acting = sight.snapshot.awaiting is not None and seat in sight.snapshot.awaiting.seats
    card = shown(sight, hunt, seat)
    name = Content.assemble("►" if acting else " ", sight.marked(seat, 14))
    head = Content.assemble(
        name.stylize_before("bold on $primary-muted") if acting else name, " ", _card(card, width - 16)
    )
    prey = {kind: table.prey[seat].get(kind.name, 0) for kind in kinds(sight.box)}
    words = f"{_('hand')} {table.hands[seat]} · {_('prey')} {table.totals[seat]}/{HUNTING_ENDS}"
    words += f" · {_('supply')} {supply(table.supply[seat], sums=False)}" if table.supply[seat] else ""
    below = [Content.styled(f"  {words}", "$quiet").truncate(width, ellipsis=True)]
    herd = chips({kind: count for kind, count in prey.items() if count}, full=False)
    tag = Content.styled(f" {_('hunter')} ", HUNTER) if table.hunter == seat else Content("")
    if herd.plain or tag.plain:
        below.append(Content.assemble("  ", herd, " " if herd.plain and tag.plain else "", tag))
    return [head, *below]


def _card(card: Shown, width: int) -> Content:
    words = " ".join(word for word in (card.number, card.word, card.mark) if word)
    return Content.styled(set_cell_size(f" {words}", width), card.style)
