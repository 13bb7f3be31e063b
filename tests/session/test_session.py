"""An action counts in three steps: it is judged, its entry is written, the entry is taken."""

import pytest
from msgspec.structs import replace

from companion.gamekit.snapshot import Told
from companion.journal.store import Journal
from companion.messages.intentions import Act, Drive, LookedOver
from companion.session.entry import Entry
from companion.session.session import Session, Tempo, Wanted
from tests.referee.table import ALL_SIX, Table


def written(journal: Journal, wanted: Wanted) -> Entry:
    heard = wanted.heard
    return journal.append(wanted.kind, wanted.body, heard.how, heard.cause, heard.at)


def test_a_judged_action_changes_nothing_until_its_entry_is_taken(table: Table) -> None:
    session, draw, before = table.referee.session, Act("a", {"do": "draw", "card": ALL_SIX[0]}), table.shown
    wanted = session.heed(draw, 5.0)
    assert isinstance(wanted, Wanted)
    assert (table.shown, table.evening.number) == (before, 1)
    assert session.heed(draw, 5.0) == wanted, "it was never written, so it is judged again and wanted again"
    entry = written(table.journal, wanted)
    assert table.shown == before
    assert session.take(entry).kind == "accepted"
    assert table.evening.number == 2
    assert table.shown.table != before.table
    repeated = session.heed(draw, 6.0)
    assert isinstance(repeated, Told)
    assert repeated.kind == "repeated"


def test_an_entry_that_could_not_be_written_is_refused_and_can_be_wanted_again(table: Table) -> None:
    session, draw, before = table.referee.session, Act("a", {"do": "draw", "card": ALL_SIX[0]}), table.shown
    wanted = session.heed(draw, 5.0)
    assert isinstance(wanted, Wanted)
    told = session.unwritten(wanted, "no room")
    assert (told.kind, told.what, told.facts["problem"]) == ("refused", "cannot be written", "no room")
    assert table.shown == before
    assert session.heed(draw, 5.0) == wanted


def test_after_a_restart_the_table_s_own_entry_comes_first_and_takes_nothing_away(table: Table) -> None:
    """Players have still to check the table until something of theirs is written."""
    table.act("draw", card=ALL_SIX[0])
    table.evening.played_game.header = replace(table.evening.header, simulated=())
    session = Session(table.evening, "tonight", table.seat_pads, resumed=True)
    wanted = session.heed(Act("b", {"do": "draw", "card": ALL_SIX[1]}), 50.0)
    assert isinstance(wanted, Wanted)
    (first,) = session.before(wanted)
    assert (first.kind, first.heard.how, first.heard.at) == ("clock", "", 50.0)
    lines = session.snapshot().history
    session.take(written(table.journal, first))
    assert session.snapshot().history == lines
    assert session.snapshot().layout, "nothing of theirs has been written yet"
    assert session.before(wanted) == []
    session.take(written(table.journal, wanted))
    assert not session.snapshot().layout


def test_players_who_have_checked_the_table_began_to_think_then(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    table.evening.played_game.header = replace(table.evening.header, simulated=())
    session = Session(table.evening, "tonight", table.seat_pads, resumed=True)
    session.heed(LookedOver("c"), 40.0)
    wanted = session.heed(Act("b", {"do": "draw", "card": ALL_SIX[1]}), 50.0)
    assert isinstance(wanted, Wanted)
    (first,) = session.before(wanted)
    assert first.heard.at == 40.0


@pytest.mark.parametrize(
    ("wanted", "speed"), [(1 / 16, 1 / 16), (0.06, 2.0), (64.0, 64.0), (65.0, 2.0), (float("nan"), 2.0), (-1.0, 2.0)]
)
def test_simulated_hands_are_made_16_times_slower_to_64_times_faster_and_no_more(wanted: float, speed: float) -> None:
    assert Tempo(2.0, 3).after(Drive("d", wanted, step=True)) == Tempo(speed, 4)
