"""The table of Carnuta, drawn for screens and phones: both rows, the hand of the player in turn, all boards."""

from collections.abc import Sequence

from rich.cells import set_cell_size
from textual.content import Content

from companion.gamekit import Seat
from companion.gamekit.screen import Sight
from companion.gamekit.sign_table import BONUS, FACE_DOWN, FLIP, LOCK, MARKER, NOTHING, REMOVE, TURN, WRONG
from companion.games.carnuta import view
from companion.games.carnuta.colours import BACK, BLACK, FACE_SHAPES, HUES
from companion.games.carnuta.components import FACES, INGREDIENTS, SALT, TRACK, Box, Card, Side
from companion.games.carnuta.screen import _, cards, signs

LABEL, NARROW_LABEL = 10, 6
ROW = 4
HAND = 3
LARGEST = 34
LARGE_LINES = 5
"""Of a card on a huge screen."""
LINE = Content("\n")
WIDE, WIDEST = 90, 150


def known_cards(box: Box) -> dict[str, Card]:
    return {card.id: card for card in box.cards}


def acting(sight: Sight) -> Seat | None:
    awaiting = sight.snapshot.awaiting
    return awaiting.seats[0] if awaiting else None


# --- The rows -------------------------------------------------------------------------------------------------


def grown(sight: Sight, width: int) -> Sequence[Content]:
    """The same larger: cards of five rows with space between them, and a legend, without what stands beside the round
    already."""
    meaning = Content(" ") + legend(costs=sight.table.last_round).truncate(width - 2, ellipsis=True)
    return (
        rows(sight, width, True, LARGE_LINES),
        LINE.join([Content(""), hand(sight, width, True, LARGE_LINES)]),
        LINE.join([Content(""), status(sight, width), meaning, Content("")]),
        boards(sight, width, True),
    )


def rows(sight: Sight, width: int, tall: bool, large: int = 0) -> Content:
    """Sun above, moon below, each card with its ingredient, its cost and its condition."""
    table: view.View = sight.table
    lines = large or (3 if tall else 2)
    size = _size(width, ROW)
    known = known_cards(sight.box)
    drawn: list[Content] = []
    for face in FACES:
        row = [cards.drawn(known[card], size, lines, payable(sight, card)) for card in table.rows.of(face)]
        row += [cards.empty(size, lines)] * (ROW - len(row))
        drawn += [Content("")] * bool(large and drawn) + _beside(_deck(table, face, lines, _label(width)), row)
    return LINE.join(drawn)


def _deck(table: view.View, face: Side, lines: int, label: int) -> list[Content]:
    """Before each row, whose it is and how many cards are left to fill it."""
    word = f"{FACE_SHAPES[face]} {signs.faces(face)}" if label == LABEL else FACE_SHAPES[face]
    due = TURN if table.due == face else " "
    number = table.decks.of(face)
    deck = _("deck {number}", "narrow", number=number) if label == LABEL else f"{FACE_DOWN} {number}"
    name = Content.assemble(due, (set_cell_size(word, label - 1), f"bold {signs.face_style(face)}"))
    return [name, Content(set_cell_size(" " + deck, label)), *[Content(" " * label)] * (lines - 2)]


def _label(width: int) -> int:
    return LABEL if width >= WIDE else NARROW_LABEL


def _size(width: int, count: int) -> int:
    return min(LARGEST, (width - _label(width)) // count - 1)


def _beside(label: Sequence[Content], row: Sequence[Sequence[Content]]) -> list[Content]:
    return [
        Content.assemble(start, *(part for card in row for part in (" ", card[y]))) for y, start in enumerate(label)
    ]


def payable(sight: Sight, card: str) -> bool | None:
    """C5 None outside a player's actions."""
    table: view.View = sight.table
    return card in table.payable if table.phase == "act" and table.actions_left else None


# --- The hand -------------------------------------------------------------------------------------------------


def hand(sight: Sight, width: int, tall: bool, large: int = 0) -> Content:
    """C17 The hand of the player in turn, as far as all players know it; an unseen start card is a back."""
    table: view.View = sight.table
    seat = acting(sight)
    lines = large or (3 if tall else 2 if len(sight.names) < 3 else 1)
    if seat is None:
        return LINE.join([Content("")] * lines)
    secret = table.hands[seat] - len(table.known[seat])
    size = _size(width, max(ROW, table.hands[seat]))
    known = known_cards(sight.box)
    row = [cards.drawn(known[card], size, lines, payable(sight, card)) for card in table.known[seat]]
    row += [cards.hidden(size, lines)] * secret
    if not row:
        row = [[Content.styled(_("no cards"), "$quiet"), *[Content("")] * (lines - 1)]]
    cells = _label(width)
    label = [Content.styled(set_cell_size(" " + text, cells), "bold") for text in (_("hand"), sight.name(seat), "")]
    label += [Content(" " * cells)] * (lines - len(label))
    return LINE.join(_beside(label[:lines], row))


# --- Round and reserve ----------------------------------------------------------------------------------------


def status(sight: Sight, width: int) -> Content:
    table: view.View = sight.table
    parts = [Content.styled(_("round {number}", number=table.round), "bold")]
    if width >= WIDE or not table.last_round:  # the headline says it, too
        parts.append(Content.styled(_("{count:action|actions}", count=table.actions_left), "bold"))
    parts += [
        Content.assemble((_("reserve"), "bold"), " ", signs.counted(table.reserve)),
        Content.assemble((_("discards"), "bold"), " ", signs.counted(table.discards)),
    ]
    if table.last_round:
        parts.append(Content.styled(" " + _("last round") + " ", f"bold {BLACK} on {HUES['honey']}"))
    elif width >= WIDE:
        parts.append(
            Content.styled(f"{FLIP} {_('turn')}  {REMOVE} {_('remove')}  {WRONG} {_('cannot be paid')}", "$quiet")
        )
    return Content.assemble(" ", Content("   " if width >= WIDE else "  ").join(parts))


# --- The boards -----------------------------------------------------------------------------------------------


def boards(sight: Sight, width: int, tall: bool) -> Content:
    """All players in table order: runes, track, sickles, hand, columns and bonus ingredients."""
    wide = width >= WIDE
    hands, tails = _belongings(sight, width)
    longest, held = max(tail.cell_length for tail in tails), hands[0].cell_length
    gap, fixed = (" ", 48) if wide else ("", 25)
    name_size = max(5, min(16, width - fixed - held - longest))
    lines = [_head(name_size, held) if wide else _narrow_head(name_size)]
    for seat, tail in enumerate(tails):
        line = Content.assemble(
            TURN if seat == acting(sight) else " ",
            sight.marked(seat, name_size),
            " ",
            signs.board(sight.table.runes[seat], sight.table.slots[seat], gap),
            " ",
            signs.track(sight.table.marker[seat], gap),
            " ",
            _sickles(sight.table.sickles[seat], wide),
            " ",
            hands[seat],
            " ",
            tail,
        ).truncate(width, pad=True)
        lines.append(line.stylize_before("bold on $primary-muted") if seat == acting(sight) else line)
    return LINE.join(lines)


def _belongings(sight: Sight, width: int) -> tuple[list[Content], list[Content]]:
    """Every hand, all equally wide, and what lies in every column: in words, where there is room for all of them."""
    seats, wide = range(len(sight.names)), width >= WIDE
    signs_ = [hand_signs(sight, seat) for seat in seats], [columns(sight, seat, wide) for seat in seats]
    if width < WIDEST:
        return signs_
    hands = [hand_words(sight, seat) for seat in seats]
    held = max(4, *(hand.cell_length for hand in hands))
    tails = [columns(sight, seat, wide, worded=True) for seat in seats]
    if 64 + held + max(tail.cell_length for tail in tails) > width:
        return signs_
    return [hand.pad_right(held - hand.cell_length) for hand in hands], tails


def _head(name_size: int, held: int) -> Content:
    """What the columns are; the numbers of the track."""
    fields = "".join(f"{number:>2}" if number % 2 else "  " for number in range(1, TRACK + 1))
    words = (_("runes"), 11), (fields, 22), (_("sickles", "narrow"), 8), (_("hand"), held), (_("columns"), 9)
    text = "".join(set_cell_size(word, size) + " " for word, size in words)
    return Content.styled(" " * (name_size + 2) + text, "$quiet")


def _narrow_head(name_size: int) -> Content:
    words = (_("runes"), 6), (_("track"), 11), ("", 2), (_("hand"), 6), (_("columns"), 9)
    text = "".join(set_cell_size(word, size) + " " for word, size in words)
    return Content.styled(" " * (name_size + 2) + text, "$quiet")


def legend(costs: bool = True) -> Content:
    """What the signs mean: runes and boards, costs, and the two letters of each ingredient."""
    runes = [(FACE_SHAPES[face], signs.face_style(face), signs.faces(face)) for face in FACES]
    board = (
        (NOTHING, "", _("open slot")),
        (LOCK, "", _("padlock")),
        (BONUS, "", _("bonus")),
        (MARKER, "", _("marker")),
    )
    cost = [(FLIP, "", _("turn")), (REMOVE, "", _("remove")), (WRONG, "", _("cannot be paid"))]
    kinds = [(sign.short, sign.style, sign.word) for sign in map(signs.ingredient, (*INGREDIENTS, SALT))]
    signs_ = (*runes, *board, *(cost if costs else ()), *kinds)
    return Content("  ").join([Content.assemble((sign, style), f" {word}") for sign, style, word in signs_])


def whole_legend() -> Content:
    """Also what only a narrow screen needs."""
    sickles = Content.assemble((_("S{count}", "sickles", count=2), "bold"), " ", _("2 sickles"))
    per = Content.assemble("4/", signs.symbols(("egg", "moth")), " ", _("4 points for each egg + moth"))
    return Content("  ").join([legend(), sickles, per])


def _sickles(count: int, wide: bool) -> Content:
    if wide:
        return Content(f"{count:^8}")
    return Content(set_cell_size(_("S{count}", "sickles", count=count), 2))


def hand_signs(sight: Sight, seat: Seat) -> Content:
    """Three cards at most; a start card that no player has seen is a question mark."""
    known, count = sight.table.known[seat], sight.table.hands[seat]
    ingredients = {card.id: card.ingredient for card in sight.box.cards}
    shown = [signs.symbols([ingredients[card]]) for card in known]
    shown += [Content.styled("? ", f"{BLACK} on {BACK}")] * (count - len(known))
    if count > HAND:
        shown = [*shown[: HAND - 1], Content(f"+{count - HAND + 1}")]
    return Content("").join(shown).truncate(2 * HAND, pad=True)


def hand_words(sight: Sight, seat: Seat) -> Content:
    """The same in words."""
    known = sight.table.known[seat]
    kinds = [signs.ingredient(each.ingredient) for card in known for each in sight.box.cards if each.id == card]
    shown = [Content.styled(f" {kind.word} ", kind.style) for kind in kinds]
    shown += [Content.styled(" ? ", f"{BLACK} on {BACK}")] * (sight.table.hands[seat] - len(known))
    return Content(" ").join(shown)


def columns(sight: Sight, seat: Seat, wide: bool = False, *, worded: bool = False) -> Content:
    """How many cards lie in each column, and the bonus ingredients."""
    parts = []
    for ingredient, column in sight.table.columns[seat].items():
        if column:
            sign = signs.ingredient(ingredient)
            words = f" {sign.word} {len(column)} " if worded else f"{sign.short}{len(column)}"
            parts.append(Content.styled(words, sign.style))
    line = Content(" " if wide else "").join(parts)
    if sight.table.bonus[seat]:
        line += Content.assemble(" +" if wide else "+", signs.symbols(sight.table.bonus[seat]))
    return line


# --- On a phone: both rows card by card, and two lines for each player -------------------------------------------


def phone_panels(sight: Sight, width: int) -> Sequence[Content]:
    return (
        *(_phone_row(sight, face, width) for face in FACES),
        _phone_status(sight, width),
        LINE.join([line for seat in range(len(sight.names)) for line in _phone_seat(sight, seat, width)]),
    )


def _phone_row(sight: Sight, face: Side, width: int) -> Content:
    table: view.View = sight.table
    known = known_cards(sight.box)
    deck = _("deck {number}", "narrow", number=table.decks.of(face))
    due = TURN if table.due == face else " "
    head = Content.assemble(
        due, (f" {FACE_SHAPES[face]} {signs.faces(face)} ", f"bold {signs.face_style(face)}"), f"  {deck}"
    )
    drawn = [line for card in table.rows.of(face) for line in cards.drawn(known[card], width, 2, payable(sight, card))]
    return LINE.join([head, *drawn])


def _phone_status(sight: Sight, width: int) -> Content:
    table: view.View = sight.table
    words = [_("round {number}", number=table.round)]
    words.append(_("{count:action|actions}", count=table.actions_left))
    words += [_("last round")] if table.last_round else []
    reserve = Content.assemble((_("reserve"), "bold"), " ", signs.counted(table.reserve))
    return LINE.join([Content.styled("   ".join(words), "bold").truncate(width, ellipsis=True), reserve])


def _phone_seat(sight: Sight, seat: Seat, width: int) -> list[Content]:
    table: view.View = sight.table
    is_acting = seat == acting(sight)
    head = Content.assemble(
        TURN if is_acting else " ",
        sight.marked(seat, 14),
        " ",
        signs.board(table.runes[seat], table.slots[seat]),
        f"  {_('S{count}', 'sickles', count=table.sickles[seat])} ",
        hand_signs(sight, seat),
    ).truncate(width, pad=True)
    lines = [head.stylize_before("bold on $primary-muted") if is_acting else head]
    track = Content.assemble("  ", signs.track(table.marker[seat]))
    counts = Content.assemble("  ", columns(sight, seat))
    together = track.cell_length + counts.cell_length <= width
    return [*lines, Content.assemble(track, counts)] if together else [*lines, track, counts]
