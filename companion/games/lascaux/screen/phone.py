"""Lascaux on a phone: a line for each card, and two for each player."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rich.cells import set_cell_size
from textual.content import Content

from companion.gamekit import Seat
from companion.gamekit.screen import Sight
from companion.games.lascaux.components import ANIMALS, Card
from companion.games.lascaux.screen.board import LINE, PARCHMENT, acting, state
from companion.games.lascaux.screen.colours import swatch
from companion.games.lascaux.screen.texts import _, language
from companion.games.lascaux.screen.words import animal
from companion.games.lascaux.view import Table

STATE = 12


def panels(sight: Sight, width: int) -> Sequence[Content]:
    return _row(sight, width), _middle(sight, width), _seats(sight, width)


def _row(sight: Sight, width: int) -> Content:
    known = {card.id: card for card in sight.box.cards}
    cards = [known[card] for card in sight.table.row if card in known]
    if not cards:
        return Content.styled(_("  no cards in the row").strip(), "$quiet")
    return _cards(tuple(cards), sight.box.colours, width, language().code)


@lru_cache(16)
def _cards(cards: tuple[Card, ...], colours: tuple[str, ...], width: int, spoken: str) -> Content:
    """The row lies there for many turns, and looks the same on every phone."""
    return LINE.join([_card(card, colours, width) for card in cards])


def _card(card: Card, colours: tuple[str, ...], width: int) -> Content:
    size = width // 3
    name = Content.styled(set_cell_size(f" {animal(card.animal)}", width - 2 * size), PARCHMENT)
    return Content.assemble(name, *(swatch(colour, colours).drawn(size) for colour in card.colours))


def _middle(sight: Sight, width: int) -> Content:
    table: Table = sight.table
    words = [
        _("round {number}").format(number=table.round),
        _("deck {number}").format(number=table.deck),
        _("pot {number}").format(number=table.pot),
    ]
    lines = [Content.styled("   ".join(words), "bold")]
    if table.pile:
        names = " ► ".join(sight.name(seat) for seat in table.pile)
        lines.append(Content(f"{_('pile', 'narrow')}: {names}").truncate(width, ellipsis=True))
    return LINE.join(lines)


def _seats(sight: Sight, width: int) -> Content:
    animals = {card.id: card.animal for card in sight.box.cards}
    return LINE.join([line for seat in range(len(sight.names)) for line in _seat(sight, seat, width, animals)])


def _seat(sight: Sight, seat: Seat, width: int, animals: dict[str, str]) -> list[Content]:
    """`animals`: of the cards."""
    table: Table = sight.table
    herd = Counter(animals.get(card) for card in table.won[seat])
    won = ", ".join(f"{herd[name]} {animal(name)}" for name in ANIMALS if herd[name])
    stones = "—" if table.stones[seat] is None else f"● {table.stones[seat]}"
    signs = f"{'►' if acting(sight, seat) else ' '}{'◆' if seat == table.start else ' '}"
    head = Content.assemble(
        signs,
        sight.marked(seat, width - STATE - 7),
        f"{stones:>4} ",
        set_cell_size(state(sight, seat), STATE),
    ).truncate(width, pad=True)
    style = "bold on $primary-muted" if acting(sight, seat) else ""
    below = [Content.styled(f"  {won}", "$quiet").truncate(width, ellipsis=True)] if won else []
    return [head.stylize_before(style), *below]
