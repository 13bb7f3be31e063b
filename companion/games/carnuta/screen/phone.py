"""Carnuta on a phone: both rows card by card, and two lines for each player."""

from collections.abc import Sequence

from textual.content import Content

from companion.gamekit import Seat
from companion.gamekit.screen import Sight
from companion.games.carnuta.components import FACES, Side
from companion.games.carnuta.screen import board, cards, signs
from companion.games.carnuta.screen.board import LINE
from companion.games.carnuta.screen.texts import _, plural
from companion.games.carnuta.view import View


def panels(sight: Sight, width: int) -> Sequence[Content]:
    return (
        *(_row(sight, face, width) for face in FACES),
        _status(sight, width),
        LINE.join([line for seat in range(len(sight.names)) for line in _seat(sight, seat, width)]),
    )


def _row(sight: Sight, face: Side, width: int) -> Content:
    table: View = sight.table
    known = board.known_cards(sight.box)
    deck = _("deck {number}", "narrow").format(number=table.decks.of(face))
    due = "►" if table.due == face else " "
    head = Content.assemble(
        due, (f" {signs.SHAPES[face]} {signs.faces(face)} ", f"bold {signs.face_style(face)}"), f"  {deck}"
    )
    drawn = [
        line for card in table.rows.of(face) for line in cards.drawn(known[card], width, 2, board.payable(sight, card))
    ]
    return LINE.join([head, *drawn])


def _status(sight: Sight, width: int) -> Content:
    table: View = sight.table
    words = [_("round {number}").format(number=table.round)]
    words.append(plural("{count} action", "{count} actions", table.actions_left))
    words += [_("last round")] if table.last_round else []
    reserve = Content.assemble((_("reserve"), "bold"), " ", signs.counted(table.reserve))
    return LINE.join([Content.styled("   ".join(words), "bold").truncate(width, ellipsis=True), reserve])


def _seat(sight: Sight, seat: Seat, width: int) -> list[Content]:
    table: View = sight.table
    acting = seat == board.acting(sight)
    head = Content.assemble(
        "►" if acting else " ",
        sight.marked(seat, 14),
        " ",
        signs.board(table.runes[seat], table.slots[seat]),
        f"  {_('S{count}', 'sickles').format(count=table.sickles[seat])} ",
        board.hand_signs(sight, seat),
    ).truncate(width, pad=True)
    lines = [head.stylize_before("bold on $primary-muted") if acting else head]
    track = Content.assemble("  ", signs.track(table.marker[seat]))
    columns = Content.assemble("  ", board.columns(sight, seat))
    together = track.cell_length + columns.cell_length <= width
    return [*lines, Content.assemble(track, columns)] if together else [*lines, track, columns]
