"""A sticker that says itself what it sits on: known from then on at this table, and nowhere else."""

from pathlib import Path

import pytest

from companion.gamekit.game import Thing
from companion.games.lascaux.rules import GAME
from companion.table.interpreter import SeatPads
from companion.table.pieces import Pack, introduced
from companion.table.signals import LinkUp, TagFound, TagIntroduced, TagPlaced
from tests.referee.table import ALL_SIX, Table
from tests.table.old_stickers import piece_text

BOX = GAME.parse_box(GAME.standin(), "the stand-in")
WHITE, BLUE = Thing("marker", "white", 0), Thing("marker", "blue", 0)
STICKER = "04A1B2C3D4E5F6"


def text_of(piece: Thing) -> str:
    return piece_text("lascaux", piece)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Every player is to choose a colour."""
    table = Table(tmp_path)
    for card in ALL_SIX:
        table.act("draw", card=card)
    return table


def introduce(table: Table, text: str, station: str = "pad0") -> None:
    table.hear(TagIntroduced(station, table.now_ms, STICKER, text))


# --- The pack -------------------------------------------------------------------------------------------------


def test_the_pack_that_was_there_is_left_as_it_is() -> None:
    before = Pack({})
    after = introduced(before, GAME, BOX, STICKER, text_of(WHITE))
    assert (before.tags, after.tags) == ({}, {STICKER: WHITE})


def test_a_desk_that_has_met_a_sticker_is_another_desk() -> None:
    before = SeatPads("one", Pack({}))
    after = before.acquainted(GAME, BOX, TagIntroduced("centre", 0, STICKER, text_of(WHITE)))
    assert (before.pack.tags, after.pack.tags) == ({}, {STICKER: WHITE})


def test_the_word_of_the_owner_counts_more_than_that_of_a_sticker() -> None:
    known = Pack({STICKER: BLUE})
    assert introduced(known, GAME, BOX, STICKER, text_of(WHITE)) is known


@pytest.mark.parametrize(
    "text", ["", "https://example.org", piece_text("sioux", WHITE), text_of(Thing("marker", "gold", 0))]
)
def test_a_text_that_names_no_piece_of_the_box_changes_nothing(text: str) -> None:
    empty = Pack({})
    assert introduced(empty, GAME, BOX, STICKER, text) is empty


# --- At the table ---------------------------------------------------------------------------------------------


def test_a_sticker_that_has_introduced_itself_is_laid_like_any_other(table: Table) -> None:
    introduce(table, text_of(WHITE))
    assert table.hear(TagPlaced("pad0", table.now_ms, STICKER)).kind == "accepted"
    assert table.seen.table.chosen == (True, False, False)


def test_without_an_introduction_it_is_unknown(table: Table) -> None:
    assert table.hear(TagPlaced("pad0", table.now_ms, STICKER)).what == "unknown tag"


def test_an_introduction_is_no_action_and_nothing_to_read_about(table: Table) -> None:
    before, lines = table.entries, table.seen.history
    introduce(table, text_of(WHITE))
    assert (table.entries, table.seen.history) == (before, lines)


def test_a_sticker_that_is_found_when_its_pad_comes_back_means_what_it_says(table: Table) -> None:
    table.hear(LinkUp("pad0", table.now_ms))
    introduce(table, text_of(WHITE))
    table.hear(TagFound("pad0", table.now_ms, STICKER))
    assert table.hear(LinkUp("pad0", table.now_ms)).kind == "accepted"


def test_the_evening_that_is_resumed_is_the_one_that_was_played_though_the_sticker_is_unknown_now(
    table: Table,
) -> None:
    introduce(table, text_of(WHITE))
    table.hear(TagPlaced("pad0", table.now_ms, STICKER))
    state, shown = table.evening.state, table.shown
    table.reopen()
    assert table.evening.state == state
    assert table.shown.table == shown.table
    assert STICKER not in table.referee.session._seat_pads.pack.tags
