"""The table of Sioux, drawn for screens and phones: winter and bank, the cards and the outcome of this hunt, the
seats."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit import Seat, plain
from companion.gamekit.screen import Sight, big, huge
from companion.gamekit.sign_table import FACE_DOWN, LEADS, NOTHING, TURN
from companion.games.sioux import colours, sentences
from companion.games.sioux.colours import INK, AnimalKind, kinds
from companion.games.sioux.components import HUNTER as HUNTER_CARD
from companion.games.sioux.components import KINDS, WINTERS, Box
from companion.games.sioux.screen import _, hunt_outcome
from companion.games.sioux.screen.hunt_outcome import HUNTER, SUPPLY, Hunt, chips, seen
from companion.games.sioux.view import View

LINE = Content("\n")
HUNTING_ENDS = 20
WIDE, WIDER, WIDEST = 90, 120, 150
CARD, BEST, BACK = f"{INK} on {colours.PARCHMENT}", f"bold {INK} on {colours.BEST}", f"{INK} on {colours.BACK}"
EMPTY = "$quiet on $panel"
CARD_WIDTH, LARGE_CARD_WIDTH = 24, 50
LARGE_CARD = 8
"""Rows of a card with a huge number: its name, the number, a word."""
LARGE_BACK = 20
"""Cells of the pattern on its back."""
LARGE_LEFT = 11
"""Two big digits, and a gap before them: 0 and 20 are not to be read as 020."""
SMALLEST_BIG = 14
"""A card that is lower than five rows needs this width for a big number with words beside it."""
PHONE_ROWS = 8
"""At most so many rows tell what a hunt brought, on a phone."""


def panels(sight: Sight, width: int, tall: bool) -> Sequence[Content]:
    """At 66×20 ten rows, so that two are left for what is said: there the table below says what lies in the middle."""
    hunt = seen(sight)
    players = len(sight.names)
    rows = 2 if tall or players == 3 else 1
    cards = stage(sight, hunt, width, 5 if tall else 3 if players < 5 else 2)
    gap = [Content("")] if tall else []
    return (
        *([LINE.join([middle(sight, width), *gap])] if width >= WIDE else []),
        LINE.join([*cards, *gap]),
        LINE.join(hunt_outcome.lines(sight, hunt, width, rows)),
        seats(sight, width),
    )


def grown(sight: Sight, width: int) -> Sequence[Content]:
    """The same larger: cards of eight rows with huge numbers, and totals in big letters."""
    hunt = seen(sight)
    cards = stage(sight, hunt, width, LARGE_CARD)
    return (
        LINE.join([middle(sight, width), Content("")]),
        LINE.join([*cards, Content("")]),
        LINE.join([*hunt_outcome.lines(sight, hunt, width, 2), Content("")]),
        _large_seats(sight, width),
    )


def _large_seats(sight: Sight, width: int) -> Content:
    """Prey and what is missing in big letters, the rest in the middle of three rows."""
    columns = _columns(width)._replace(left=LARGE_LEFT)
    lines = [_head(sight, columns, width)]
    for seat in range(len(sight.names)):
        before = columns.name + 2 + columns.hand + 1 + columns.animal * len(kinds(sight.box, _))
        total, left = sight.table.totals[seat], max(0, HUNTING_ENDS - sight.table.totals[seat])
        drawn = [(big(str(total)), columns.total), (big(str(left)), columns.left)]
        rows = [Content(" " * before), _seat(sight, seat, columns, width), Content(" " * before)]
        lines += [_numbers(drawn, y, before, row) for y, row in enumerate(rows)]
    return LINE.join(lines)


def _numbers(drawn: Sequence[tuple[tuple[str, str, str] | None, int]], y: int, before: int, row: Content) -> Content:
    """One of three rows: the numbers stand where the small ones would."""
    digits = "".join(set_cell_size((rows[y] if rows else "").rjust(size - 1) + " ", size) for rows, size in drawn)
    behind = before + sum(size for _rows, size in drawn) - 1
    return Content.assemble(row[:before], (digits, "bold"), row[behind:])


# --- Winter and bank ------------------------------------------------------------------------------------------


def middle(sight: Sight, width: int) -> Content:
    """Which winter, the supply cards that lie there, and what is left in the bank."""
    table: View = sight.table
    before = Content.assemble(
        " ",
        (_winter(table), "bold"),
        "    ",
        (_("supply"), "bold"),
        " ",
        _laid_out(table),
        "    ",
        (_("bank"), "bold"),
        " ",
    )
    left = [(kind, table.bank.get(kind.name, 0)) for kind in kinds(sight.box, _)]
    for margin in (" ", ""):
        words = [Content.styled(f"{margin}{kind.word} {count}{margin}", kind.style) for kind, count in left]
        line = before + Content("  ").join(words)
        if line.cell_length <= width:
            return line
    signs = [Content.styled(f"{kind.sign}{count}", kind.style) for kind, count in left]
    return before + Content("  ").join(signs)


def _winter(table: View) -> str:
    return _("winter {number}/{last}", number=table.winter, last=WINTERS[-1])


def _laid_out(table: View) -> Content:
    """The supply cards that lie there."""
    return Content(" ").join([Content.styled(f" {value} ", SUPPLY) for value in table.laid_out]) or Content("—")


def legend(sight: Sight) -> Content:
    """The two letters of each kind of prey, with what it is worth, and the hues of cards."""
    prey = [
        Content.assemble((kind.sign, kind.style), " ", _("{animal}, worth {value}", animal=kind.word, value=kind.value))
        for kind in kinds(sight.box, _)
    ]
    supply = Content.assemble(("3", SUPPLY), " ", _("a supply card, worth 3"))
    return Content("  ").join([*prey, supply])


def in_words(sight: Sight) -> list[str]:
    """S24 Open cards are told as long as they lie there."""
    table: View = sight.table
    said = [_("Winter {number} of {last}.", number=table.winter, last=WINTERS[-1])]
    for seat, total in enumerate(table.totals):
        said.append(_("{name}: prey worth {total} of {last}.", name=sight.name(seat), total=total, last=HUNTING_ENDS))
    laid = tuple(sight.name(seat) for seat, has in enumerate(table.laid) if has)
    if laid:
        said.append(_("Card laid face down: {names}.", names=laid))
    cards = [sentences.card(sight.box, card, _) or card for card in table.open]
    if cards:
        said.append(_("Open cards, from {name} on: {cards}.", name=sight.name(0), cards=tuple(cards)))
    return said


# --- The cards of this hunt -----------------------------------------------------------------------------------


class Shown(NamedTuple):
    """What is drawn of one card: its value for the big letters, a word for it, what it means, and its paper."""

    number: str
    word: str
    mark: str
    style: str


def stage(sight: Sight, hunt: Hunt | None, width: int, height: int) -> list[Content]:
    """Each player's card before them: not laid, face down, or open."""
    players = len(sight.names)
    size = min(LARGE_CARD_WIDTH if height >= LARGE_CARD else CARD_WIDTH, (width - 1 - players) // players)
    drawn = [_card(sight.name(seat), shown(sight, hunt, seat), size, height) for seat in range(players)]
    return [Content.assemble(" ", Content(" ").join([card[y] for card in drawn])) for y in range(height)]


def shown(sight: Sight, hunt: Hunt | None, seat: Seat) -> Shown:
    """The card before this player."""
    return _open(sight, hunt, seat) if hunt else _down(sight, seat)


def _down(sight: Sight, seat: Seat) -> Shown:
    if sight.table.laid[seat]:
        return Shown("", " ".join(FACE_DOWN * 3), _("laid"), BACK)
    return Shown("", " ".join(NOTHING * 3), _("thinking"), EMPTY)


def _open(sight: Sight, hunt: Hunt, seat: Seat) -> Shown:
    """An open card; in a duel the second one is told below it."""
    counts = hunt.counts(seat, sight.box)
    card = hunt.cards[seat]
    number = "" if card == HUNTER_CARD else "?" if counts is None else str(counts)
    best, mark = _mark(sight, hunt, seat, counts)
    second = _second(sight, hunt, seat)
    return Shown(number, special(card, sight.box), second or mark, BEST if best else CARD)


def _mark(sight: Sight, hunt: Hunt, seat: Seat, counts: int | None) -> tuple[bool, str]:
    """Whether this card is among the best, and what it is for the hunt."""
    if seat in hunt.tied():
        return True, _("tied")
    if seat in (hunt.fact("takes the deer", "seat"), hunt.fact("steals the deer", "seat")):
        return True, _("takes the deer")
    if seat in (hunt.fact("takes other prey", "seat"), hunt.fact("steals other prey", "seat")):
        return True, _("takes prey")
    if seat == hunt.fact("wins prey", "seat"):
        return True, _("highest")
    if counts is not None and counts == hunt.fact("wins prey", "second"):
        return False, _("second")
    return False, ""


def _second(sight: Sight, hunt: Hunt, seat: Seat) -> str:
    seconds = hunt.seconds()
    if seat in seconds:
        return "+ " + (card_word(seconds[seat], sight.box) if seconds[seat] in _ids(sight) else "–")
    if sight.table.phase == "duel" and seat in sight.table.tied:
        return f"+ {FACE_DOWN} " + _("laid") if sight.table.laid[seat] else "+ …"
    return ""


def _ids(sight: Sight) -> list[str]:
    return [card.id for card in sight.box.tribe] + [HUNTER_CARD]


def _card(name: str, card: Shown, size: int, height: int) -> list[Content]:
    """Five rows: name, a big number, a word. Three: the number at the left, words at the right. Two: all in words."""
    number = big(card.number) if card.number else None
    texts = [name, card.word, card.mark]
    if height >= LARGE_CARD:
        drawn = (FACE_DOWN * LARGE_BACK,) * 6 if card.style == BACK else ("", "", card.word, "", "", "")
        large = (huge(card.number) if card.number else None) or drawn
        rows = [name, *large, " ".join(text for text in (card.word if card.number else "", card.mark) if text)]
        return [Content.styled(_centred(row, size), card.style) for row in rows]
    if height >= 5:
        middle = number or ("", card.word, "")
        below = " ".join(text for text in ((card.word if number else ""), card.mark) if text)
        rows = [name, *middle, below if cell_len(below) <= size else card.mark or card.word]
        return [Content.styled(_centred(row, size), card.style) for row in rows]
    if height == 3:
        left = number if number and size >= SMALLEST_BIG else (card.number, "", "")
        column = max(cell_len(row) for row in left) + 1 if card.number else 0
        rows = [
            set_cell_size(row, column) + set_cell_size(text, size - column - 1)
            for row, text in zip(left, texts, strict=True)
        ]
        return [Content.styled(" " + row, card.style) for row in rows]
    sign = LEADS if card.style == BEST else ""
    below = " ".join(text for text in (sign, card.number, card.word or ("" if card.number else card.mark)) if text)
    return [Content.styled(set_cell_size(" " + row, size), card.style) for row in (name, below)]


def printed(card: str) -> Content:
    """A card of a tribe, as it lies in a hunt."""
    number = "" if card in KINDS else card
    word = {"crow": _("crow"), "shaman": _("shaman")}.get(card, "")
    return LINE.join(_card("", Shown(number, word, "", CARD), 13, 5))


def card_word(card_id: str, box: Box) -> str:
    """A plain card is named by its value."""
    return plain(sentences.card(box, card_id, _) or card_id)


def special(card_id: str, box: Box) -> str:
    """The word of a card that is more than its value; "" for a plain one."""
    plain_ones = [known.id for known in box.tribe if known.kind is None]
    return "" if card_id in plain_ones else card_word(card_id, box)


def _centred(text: str, size: int) -> str:
    room = max(0, size - cell_len(text))
    return set_cell_size(" " * (room // 2) + text, size)


# --- The seats ------------------------------------------------------------------------------------------------


class Columns(NamedTuple):
    """How wide everything is."""

    name: int
    hand: int
    animal: int
    total: int
    left: int
    bar: int
    supply: int


def _columns(width: int) -> Columns:
    if width >= WIDEST:
        return Columns(22, 8, 13, 10, 11, HUNTING_ENDS + 2, 10)
    if width >= WIDER:
        return Columns(17, 8, 10, 8, 8, HUNTING_ENDS + 2, 14)
    return Columns(14, 6, 9, 7, 7, 0, 9) if width >= WIDE else Columns(10, 4, 5, 6, 6, 0, 6)


def seats(sight: Sight, width: int) -> Content:
    """All players in table order: hand cards, how many of each animal, their worth, what is missing to 20, supply, the
    hunter."""
    columns = _columns(width)
    lines = [_head(sight, columns, width)]
    lines += [_bank(sight, columns, width)] if width < WIDE else []
    lines += [_seat(sight, seat, columns, width) for seat in range(len(sight.names))]
    return LINE.join(lines)


def _head(sight: Sight, columns: Columns, width: int) -> Content:
    first = set_cell_size(f" {_winter(sight.table)}" if width < WIDE else "", columns.name + 2)
    parts: list[tuple[str, str]] = [(first, "bold"), (_("hand").rjust(columns.hand) + " ", "$quiet")]
    for kind in kinds(sight.box, _):
        short = sentences.short_animal(kind.name, _)
        labels = (kind.word, short)
        label = next((label for label in labels if cell_len(label) < columns.animal), labels[-1])
        parts.append((set_cell_size(label, columns.animal), "$quiet"))
    rest = _("prey").rjust(columns.total - 1) + _("to 20").rjust(columns.left) + " " * columns.bar
    parts.append((rest + " " + _("supply"), "$quiet"))
    return Content.assemble(*parts)


def _bank(sight: Sight, columns: Columns, width: int) -> Content:
    """What is left of each animal, and the supply cards of this winter, above what the players have."""
    left = [_prey(kind, sight.table.bank.get(kind.name, 0), columns.animal) for kind in kinds(sight.box, _)]
    label = set_cell_size("  " + _("bank"), columns.name + columns.hand + 3)
    line, cards = Content.assemble((label, "bold"), *left), _laid_out(sight.table)
    behind = line.cell_length + columns.total + columns.left + cell_len(_("supply"))
    gap = max(1, min(width, max(behind, line.cell_length + cards.cell_length)) - line.cell_length - cards.cell_length)
    return Content.assemble(line, " " * gap, cards)


def _seat(sight: Sight, seat: Seat, columns: Columns, width: int) -> Content:
    table: View = sight.table
    acting = sight.snapshot.awaiting is not None and seat in sight.snapshot.awaiting.seats
    base = "bold on $primary-muted" if acting else ""
    herd = [_prey(kind, table.prey[seat].get(kind.name, 0), columns.animal) for kind in kinds(sight.box, _)]
    total = table.totals[seat]
    left = max(0, HUNTING_ENDS - total)
    return Content.assemble(
        (f" {TURN if acting else ' '}", base),
        sight.marked(seat, columns.name).stylize_before(base),
        (f"{table.hands[seat]}".rjust(columns.hand) + " ", base),
        *herd,
        (f"{total}".rjust(columns.total - 1), "bold"),
        (f"{left}".rjust(columns.left), ""),
        *_bar(total, columns.bar),
        (" " + set_cell_size(supply(table.supply[seat], sums=width >= WIDE), columns.supply), ""),
        *([_tag(width)] if table.hunter == seat else []),
    )


def _tag(width: int) -> Content:
    """Who owns the hunter card."""
    margin = " " if width >= WIDE else ""
    return Content.styled(f"{margin}{_('hunter')}{margin}", HUNTER)


def _prey(kind: AnimalKind, count: int, size: int) -> Content:
    if not count:
        return Content.styled(set_cell_size(f" {NOTHING}", size), "$quiet")
    return Content.assemble((set_cell_size(f" {count}", size - 1), kind.style), " ")


def _bar(total: int, size: int) -> list[Content]:
    if not size:
        return []
    full = min(total, HUNTING_ENDS)
    return [
        Content("  "),
        Content.styled("█" * full, "$success"),
        Content.styled("━" * (HUNTING_ENDS - full), "$quiet"),
    ]


def supply(values: Sequence[int], *, sums: bool) -> str:
    """5+3=8"""
    total = f"={sum(values)}" if sums and len(values) > 1 else ""
    return "+".join(map(str, values)) + total if values else "—"


# --- On a phone: winter and bank, what this hunt brought, and two lines for each player -------------------------


def phone_panels(sight: Sight, width: int) -> Sequence[Content]:
    hunt = seen(sight)
    brought = [line for line in hunt_outcome.lines(sight, hunt, width, PHONE_ROWS) if line.plain.strip()]
    seats = [line for seat in range(len(sight.names)) for line in _phone_seat(sight, hunt, seat, width)]
    return _phone_middle(sight), LINE.join(brought), LINE.join(seats)


def _phone_middle(sight: Sight) -> Content:
    table: View = sight.table
    laid_out = Content("").join([Content.styled(f" {value} ", SUPPLY) for value in table.laid_out]) or Content("—")
    bank = [Content.styled(f"{kind.sign}{table.bank.get(kind.name, 0)}", kind.style) for kind in kinds(sight.box, _)]
    winter = _("winter {number}/{last}", number=table.winter, last=WINTERS[-1])
    return LINE.join(
        [
            Content.assemble((winter, "bold"), "  ", (_("supply"), "bold"), " ", laid_out),
            Content.assemble((_("bank"), "bold"), " ", Content(" ").join(bank)),
        ]
    )


def _phone_seat(sight: Sight, hunt: Hunt | None, seat: Seat, width: int) -> list[Content]:
    """The name and the card before them; then their prey."""
    table: View = sight.table
    acting = sight.snapshot.awaiting is not None and seat in sight.snapshot.awaiting.seats
    card = shown(sight, hunt, seat)
    name = Content.assemble(TURN if acting else " ", sight.marked(seat, 14))
    head = Content.assemble(
        name.stylize_before("bold on $primary-muted") if acting else name, " ", _phone_card(card, width - 16)
    )
    prey = {kind: table.prey[seat].get(kind.name, 0) for kind in kinds(sight.box, _)}
    words = f"{_('hand')} {table.hands[seat]}, {_('prey')} {table.totals[seat]}/{HUNTING_ENDS}"
    words += f", {_('supply')} {supply(table.supply[seat], sums=False)}" if table.supply[seat] else ""
    below = [Content.styled(f"  {words}", "$quiet").truncate(width, ellipsis=True)]
    herd = chips({kind: count for kind, count in prey.items() if count}, full=False)
    tag = Content.styled(f" {_('hunter')} ", HUNTER) if table.hunter == seat else Content("")
    if herd.plain or tag.plain:
        below += Content.assemble("  ", herd, " " if herd.plain and tag.plain else "", tag).wrap(width)
    return [head, *below]


def _phone_card(card: Shown, width: int) -> Content:
    words = " ".join(word for word in (card.number, card.word, card.mark) if word)
    return Content.styled(set_cell_size(f" {words}", width), card.style)
