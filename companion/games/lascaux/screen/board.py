"""The table of Lascaux, drawn for screens and phones: the row of cards, pot and pile, and the seats."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit import Seat, plain
from companion.gamekit.figure import figures_in
from companion.gamekit.screen import Sight, big
from companion.gamekit.screen.block_art import block_art
from companion.gamekit.sign_table import DOWN, FACE_DOWN, NOTHING, RIGHT, SIMULATED, STARTS, STONE, TURN, UP
from companion.games.lascaux import sentences
from companion.games.lascaux.colours import INK, PARCHMENT, Swatch, swatch
from companion.games.lascaux.components import ANIMALS, Card
from companion.games.lascaux.screen import TEXTS, _
from companion.games.lascaux.view import Table

ROW_LIMIT = 7
FIGURES = figures_in("companion.games.lascaux")
CARD = f"bold {INK} on {PARCHMENT}"
LINE = Content("\n")
WIDE = 90
SIZES = ((11, 5), (15, 9))
"""Cells for a name and for an animal: on a narrow screen, and on a wide one."""
LARGE_ROWS, LARGEST = 7, 32
"""Rows of a card on a huge screen, and its cells at most."""
REVEALED_ROWS = 11
"""The same in a reveal."""
LARGE_WORDS = 11
"""Cells for the words on such a card."""
LARGE_WIDTH = 150
"""From this width on cards of a reveal are as large."""
FEWEST = 4
"""Cards that the room is shared out among, if there are not more."""
PHONE_STATE = 12
"""Cells of what a player is doing, on a phone."""


def animal(name: str) -> str:
    return plain(sentences.animal(name, _))


def handprint(shown: Swatch, width: int) -> Content:
    """One line of a card; the widest cards have room for a margin."""
    return Content.styled(set_cell_size(shown.label if width < 10 else f" {shown.label}", width), shown.style)


def legend(sight: Sight) -> Content:
    """The shape of each colour, and the stone."""
    shown = [swatch(colour, sight.box.colours, _) for colour in sight.box.colours]
    colours = [Content.assemble((each.shape, each.style), " ", each.word) for each in shown]
    return Content("  ").join([*colours, Content(f"{STONE} {_('stone')}")])


def swatch_lines(shown: Swatch, width: int, height: int) -> list[Content]:
    """A handprint that fills several lines, with its words in the middle one."""
    lines = [Content.styled(" " * width, shown.style)] * height
    lines[height // 2] = Content.styled(set_cell_size(shown.label.center(width), width), f"bold {shown.style}")
    return lines


# --- The row --------------------------------------------------------------------------------------------------


def row(sight: Sight, width: int, tall: bool) -> Content:
    """Each card with its animal and its two colours."""
    table: Table = sight.table
    known = {card.id: card for card in sight.box.cards}
    cards = [known[card] for card in table.row if card in known]
    height = 5 if tall else 3
    if not cards:
        lines = [Content("")] * height
        lines[height // 2] = Content.styled(_("  no cards in the row"), "dim")
        return LINE.join(lines)
    return _row(tuple(cards), sight.box.colours, _card_size(width - 2, ROW_LIMIT), tall, TEXTS.language().code)


@lru_cache(16)
def _row(cards: tuple[Card, ...], known: tuple[str, ...], size: int, tall: bool, spoken: str) -> Content:
    """It lies there for many turns, and looks the same."""
    return LINE.join([Content.assemble(" ", line) for line in _side_by_side(cards, known, size, tall, spoken)])


def laid(sight: Sight, cards: Sequence[Card], width: int, tall: bool, most: int) -> Content:
    """Cards side by side, each as wide as if there were the `most` of them."""
    if tall and width >= LARGE_WIDTH:
        return LINE.join(
            _large_row(cards, sight.box.colours, min(LARGEST, (width - (most - 1)) // most), REVEALED_ROWS)
        )
    return LINE.join(_side_by_side(cards, sight.box.colours, _card_size(width, most), tall, TEXTS.language().code))


def _card_size(width: int, most: int) -> int:
    return min(13, (width - (most - 1)) // most)


def _side_by_side(cards: Sequence[Card], known: tuple[str, ...], size: int, tall: bool, spoken: str) -> list[Content]:
    drawn = [_card(card, known, size, tall, spoken) for card in cards]
    return [Content(" ").join(rows) for rows in zip(*drawn, strict=True)]


@lru_cache(256)
def _card(card: Card, known: tuple[str, ...], size: int, tall: bool, spoken: str) -> list[Content]:
    """The same card looks the same as long as the same language is `spoken`."""
    name = Content.styled(set_cell_size(animal(card.animal).center(size), size), CARD)
    blank = Content.styled(" " * size, CARD)
    colours = [handprint(swatch(colour, known, _), size) for colour in card.colours]
    return [blank, name, blank, *colours] if tall else [name, *colours]


def printed(name: str, colours: Sequence[str], known: tuple[str, ...]) -> Content:
    """What is printed on a card, as it lies in a row."""
    return LINE.join(_card(Card("", name, (colours[0], colours[-1])), known, 13, True, TEXTS.language().code))


# --- On the wall ----------------------------------------------------------------------------------------------


def grown(sight: Sight, width: int) -> Sequence[Content]:
    """The same larger: cards of seven rows, and numbers in big letters."""
    known = {card.id: card for card in sight.box.cards}
    cards = [known[card] for card in sight.table.row if card in known]
    size = min(LARGEST, (width - 2) // max(FEWEST, len(cards)) - 1)
    rows = _large_row(cards, sight.box.colours, size, LARGE_ROWS) or [Content("")] * LARGE_ROWS
    row = LINE.join([Content.assemble(" ", row) for row in rows])
    return row, _large_middle(sight), _large_seats(sight, width)


def _large_row(cards: Sequence[Card], known: tuple[str, ...], size: int, height: int) -> list[Content]:
    drawn = [_large_card(card, known, size, height, TEXTS.language().code) for card in cards]
    return [Content(" ").join(rows) for rows in zip(*drawn, strict=True)]


@lru_cache(256)
def _large_card(card: Card, known: tuple[str, ...], size: int, height: int, spoken: str) -> list[Content]:
    """The animal at the left; at the right its name, and the handprints below it."""
    left = min(2 * height + 2, size - LARGE_WORDS)
    right = size - left
    art = block_art(FIGURES[card.animal], left - 2, height, INK, PARCHMENT) if card.animal in FIGURES else []
    figure = [Content.styled(" " * left, CARD)] * height
    above = (height - len(art)) // 2
    for y, line in enumerate(art, above):
        gap = left - line.cell_length
        figure[y] = Content.assemble(" " * (gap // 2), line, " " * (gap - gap // 2)).stylize_before(CARD)
    name = Content.styled(set_cell_size(animal(card.animal).center(right), right), CARD)
    blank = Content.styled(" " * right, CARD)
    band = (height - 3) // 2
    colours = []
    for shown in (swatch(colour, known, _) for colour in card.colours):
        lines = [Content.styled(" " * right, shown.style)] * band
        lines[(band - 1) // 2] = handprint(shown, right)
        colours += lines
    return [at_left + at_right for at_left, at_right in zip(figure, [blank, name, blank, *colours], strict=True)]


def _large_middle(sight: Sight) -> Content:
    table: Table = sight.table
    numbers = (
        (_("round {number}", number=""), table.round),
        (_("deck {number}", number=""), table.deck),
        (_("pot {number}", number=""), table.pot),
    )
    rows = [Content("  ")] * 3
    for words, number in numbers:
        label = words.strip()
        digits = big(str(number)) or ("", str(number), "")
        rows = [
            Content.assemble(
                row, (label if y == 2 else " " * cell_len(label), "bold"), " ", (digits[y], "bold"), "     "
            )
            for y, row in enumerate(rows)
        ]
    if table.pile:
        rows[2] += _pile(sight, 80)
    return LINE.join([Content(""), *rows, Content("")])


def _large_seats(sight: Sight, width: int) -> Content:
    """Three rows for each player, readable from across the room."""
    name_size, column = 26, 15
    head = " " * (name_size + 4) + _("stones").rjust(10) + "".join(animal(name).rjust(column) for name in ANIMALS)
    lines = [Content.styled(f"{head}   {_going(sight, width - cell_len(head) - 3)}", "dim")]
    animals = {card.id: card.animal for card in sight.box.cards}
    for seat in range(len(sight.names)):
        herd = Counter(animals.get(card) for card in sight.table.won[seat])
        stones = sight.table.stones[seat]
        numbers = [
            ("—" if stones is None else str(stones), 10),
            *((str(herd[name] or NOTHING), column) for name in ANIMALS),
        ]
        drawn = [(big(text) or ("", text, ""), size) for text, size in numbers]
        start = f" {TURN if acting(sight, seat) else ' '}{STARTS if seat == sight.table.start else ' '} "
        for y in range(3):
            first = Content.assemble(start, sight.marked(seat, name_size)) if y == 1 else Content(" " * (name_size + 4))
            cells = "".join(set_cell_size(rows[y].rjust(size), size) for rows, size in drawn)
            line = Content.assemble(first, cells, f"   {state(sight, seat) if y == 1 else ''}").truncate(
                width, pad=True
            )
            style = "bold on $primary-muted" if acting(sight, seat) else "dim" if seat in sight.table.pile else ""
            lines.append(line.stylize_before(style))
    return LINE.join(lines)


# --- Pot and pile ---------------------------------------------------------------------------------------------


def middle(sight: Sight, width: int, tall: bool) -> Content:
    """Round, deck, pot, and the pile of face-down markers in the order of passing, top last."""
    table: Table = sight.table
    stones = STONE * min(table.pot, 10) if width >= WIDE or not table.pile else ""
    line = Content.assemble(
        " ",
        (_("round {number}", number=table.round), "bold"),
        "   ",
        (_("deck {number}", number=table.deck), "bold"),
        "   ",
        (_("pot {number}", number=table.pot), "bold"),
        (f" {stones}   ", "$quiet"),
    )
    if table.pile:
        line += _pile(sight, width - line.cell_length)
    return LINE.join([Content(""), line, Content("")]) if tall else line


def _pile(sight: Sight, width: int) -> Content:
    pile = sight.table.pile
    word, top = _("pile", "narrow"), " " + _("top")
    room = (width - len(word) - len(top) - 1) // len(pile) - 4
    if room < 3:  # then only the beginnings of the names
        top = ""
        room = max(1, (width - len(word) - 1) // len(pile) - 4)
    names = [set_cell_size(sight.name(seat), min(room, cell_len(sight.name(seat)))) for seat in pile]
    markers = [Content.styled(f"{FACE_DOWN} {name} ", "black on #bbbbbb") for name in names]
    return Content.assemble((word, "bold"), " ", Content(" ").join(markers), (top, "dim"))


# --- The seats ------------------------------------------------------------------------------------------------


def seats(sight: Sight, width: int) -> Content:
    """All players in table order: stones, won cards by animal, and what they are doing."""
    wide = width >= WIDE
    name_size, animal_size = SIZES[wide]
    head = _heading(wide, sight.rings, TEXTS.language().code)
    head += _going(sight, width - cell_len(head))
    lines = [Content.styled(head, "dim")]
    animals = {card.id: card.animal for card in sight.box.cards}
    for seat, name in enumerate([sight.marked(seat, name_size) for seat in range(len(sight.names))]):
        herd = Counter(animals.get(card) for card in sight.table.won[seat])
        stones = sight.table.stones[seat]
        line = Content.assemble(
            f" {TURN if acting(sight, seat) else ' '}{STARTS if seat == sight.table.start else ' '} ",
            name,
            f"{'—' if stones is None else stones:>6}",
            "".join(str(herd[kind] or NOTHING).rjust(animal_size) for kind in ANIMALS),
            f"  {state(sight, seat)}",
        ).truncate(width, pad=True)
        style = "bold on $primary-muted" if acting(sight, seat) else "dim" if seat in sight.table.pile else ""
        lines.append(line.stylize_before(style))
    return LINE.join(lines)


@lru_cache(16)
def _heading(wide: bool, rings: bool, spoken: str) -> str:
    """The same above every seat, as long as the same language is `spoken`."""
    name_size, animal_size = SIZES[wide]
    words = [animal(name) if wide else sentences.short_animal(name, _) for name in ANIMALS]
    legend = set_cell_size(f"{STARTS} {_('starts')}" + (f" {SIMULATED} {_('sim')}" if rings else ""), name_size + 4)
    return legend + _("stones").rjust(6) + "".join(word.rjust(animal_size) for word in words) + "  "


def _going(sight: Sight, room: int) -> str:
    """Seats are listed clockwise: turns go down the list, or up."""
    if sight.table.direction == "clockwise":
        sign, words, short = DOWN, _("clockwise"), _("clockwise", "narrow")
    else:
        sign, words, short = UP, _("anticlockwise"), _("anticlock.", "narrow")
    return f"{sign} {words if cell_len(words) + 2 <= room else short}"


def acting(sight: Sight, seat: Seat) -> bool:
    """Whether the table waits for this one."""
    awaiting = sight.snapshot.awaiting
    if awaiting is None or seat not in awaiting.seats:
        return False
    return not (sight.table.phase == "choose" and sight.table.chosen[seat])


def state(sight: Sight, seat: Seat) -> str:
    table: Table = sight.table
    if table.phase == "choose":
        return _("chosen") if table.chosen[seat] else _("thinking")
    if seat in table.pile:
        return _passed(table.pile.index(seat) + 1)
    if acting(sight, seat):
        return _("bids") if table.phase == "bid" else _("draws")
    return _("still in") if table.phase == "bid" else ""


def _passed(rank: int) -> str:
    """The n-th to pass, counted from 1."""
    ranks = (_("passed 1st"), _("passed 2nd"), _("passed 3rd"), _("passed 4th"), _("passed 5th"))
    return ranks[rank - 1] if 0 < rank <= len(ranks) else _("passed")


# --- On a phone: a line for each card, and two for each player ------------------------------------------------


def phone_panels(sight: Sight, width: int) -> Sequence[Content]:
    return _phone_row(sight, width), _phone_middle(sight, width), _phone_seats(sight, width)


def _phone_row(sight: Sight, width: int) -> Content:
    known = {card.id: card for card in sight.box.cards}
    cards = [known[card] for card in sight.table.row if card in known]
    if not cards:
        return Content.styled(_("  no cards in the row").strip(), "$quiet")
    return _phone_cards(tuple(cards), sight.box.colours, width, TEXTS.language().code)


@lru_cache(16)
def _phone_cards(cards: tuple[Card, ...], colours: tuple[str, ...], width: int, spoken: str) -> Content:
    """The row lies there for many turns, and looks the same on every phone."""
    return LINE.join([_phone_card(card, colours, width) for card in cards])


def _phone_card(card: Card, colours: tuple[str, ...], width: int) -> Content:
    size = width // 3
    name = Content.styled(set_cell_size(f" {animal(card.animal)}", width - 2 * size), CARD)
    return Content.assemble(name, *(handprint(swatch(colour, colours, _), size) for colour in card.colours))


def _phone_middle(sight: Sight, width: int) -> Content:
    table: Table = sight.table
    words = [
        _("round {number}", number=table.round),
        _("deck {number}", number=table.deck),
        _("pot {number}", number=table.pot),
    ]
    lines = [Content.styled("   ".join(words), "bold")]
    if table.pile:
        names = f" {RIGHT} ".join(sight.name(seat) for seat in table.pile)
        lines.append(Content(f"{_('pile', 'narrow')}: {names}").truncate(width, ellipsis=True))
    return LINE.join(lines)


def _phone_seats(sight: Sight, width: int) -> Content:
    animals = {card.id: card.animal for card in sight.box.cards}
    return LINE.join([line for seat in range(len(sight.names)) for line in _phone_seat(sight, seat, width, animals)])


def _phone_seat(sight: Sight, seat: Seat, width: int, animals: dict[str, str]) -> list[Content]:
    """`animals`: of the cards."""
    table: Table = sight.table
    herd = Counter(animals.get(card) for card in table.won[seat])
    won = ", ".join(f"{herd[name]} {animal(name)}" for name in ANIMALS if herd[name])
    stones = "—" if table.stones[seat] is None else f"{STONE} {table.stones[seat]}"
    signs = f"{TURN if acting(sight, seat) else ' '}{STARTS if seat == table.start else ' '}"
    head = Content.assemble(
        signs,
        sight.marked(seat, width - PHONE_STATE - 7),
        f"{stones:>4} ",
        set_cell_size(state(sight, seat), PHONE_STATE),
    ).truncate(width, pad=True)
    style = "bold on $primary-muted" if acting(sight, seat) else ""
    below = [Content.styled(f"  {won}", "$quiet").truncate(width, ellipsis=True)] if won else []
    return [head.stylize_before(style), *below]
