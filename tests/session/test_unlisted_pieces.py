"""A card that the box does not list joins it, in the course of a game."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.gamekit.parts import enrolment_plan
from companion.gamekit.snapshot import Told
from companion.home.box_files import find_box, keep_changed
from companion.home.paths import box_path
from companion.journal.store import Journal
from companion.messages.intentions import Act, Correct, Enlist
from companion.processes.referee_process import seat_pads_of
from companion.referee.referee import Referee
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from companion.toml import read_toml
from tests.referee.table import ALL_SIX, LASCAUX, NAMES, STANDIN, TONIGHT, Table
from tests.session.exports import replay


def enlist(table: Table, step: str = "mammoth 1", **values: Any) -> Told:
    return table.heed(Enlist(table.new_id(), step, values))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path, kit="none")
    table.act("draw", card=ALL_SIX[0])
    return table


def cards(table: Table) -> set[str]:
    return {card.id for card in table.evening.setup.box.cards}


def test_it_takes_the_place_of_a_card_that_no_player_has_seen_and_can_be_drawn(table: Table) -> None:
    before = cards(table)
    assert enlist(table, pair="brown/yellow").what == "joined the box"
    (new,), (gone,) = cards(table) - before, before - cards(table)
    assert new == "mammoth-brown-yellow"
    assert gone.startswith("mammoth")
    assert table.seen.table.row == ALL_SIX[:1]
    assert table.act("draw", card=new).kind == "accepted"
    assert table.act("draw", card=gone).kind == "refused"


def test_a_card_that_was_said_wrongly_stays_until_no_player_can_say_it_again(table: Table) -> None:
    """Its correction may be taken back: then it lies in the row once more, whatever has joined the box."""
    *_others, right, wrong = [card.id for card in table.evening.setup.box.cards if card.id.startswith("mammoth")]
    table.act("draw", card=wrong)
    number = table.evening.number
    table.heed(Correct(table.new_id(), number, number, {"do": "draw", "card": right}))
    enlist(table, pair="brown/yellow")
    assert wrong in cards(table)
    assert table.undo().what == "uncorrected"
    assert table.reopen().seen.table.row == (ALL_SIX[0], wrong)


def test_two_cards_may_look_alike(table: Table) -> None:
    enlist(table, pair="brown/yellow")
    enlist(table, pair="brown/yellow")
    assert {"mammoth-brown-yellow", "mammoth-brown-yellow-2"} <= cards(table)


def test_it_is_there_after_a_restart_in_an_export_and_in_the_next_game(table: Table) -> None:
    enlist(table, pair="brown/yellow")
    table.act("draw", card="mammoth-brown-yellow")
    shown = table.shown
    assert table.reopen().shown == shown
    game, state = replay(transcript(table.evening), table.evening.played_game.box_text)
    assert game.table(state) == game.table(table.evening.state)
    table.play_to_end()
    table.next_game()
    assert "mammoth-brown-yellow" in cards(table)


@pytest.mark.parametrize(
    ("step", "values"),
    [
        ("mammoth 1", {"pair": "brown/brown"}),
        ("mammoth 1", {}),
        ("mammoth 99", {"pair": "brown/yellow"}),
        ("colours", {"colours": ["brown"]}),
        ("mammoth 1", {"pair": ["brown/yellow"]}),
        ("mammoth 1", {"pair": 7}),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(table: Table, step: str, values: dict[str, Any]) -> None:
    shown, entries = table.shown, table.entries
    assert enlist(table, step, **values).kind == "refused"
    assert (table.shown, table.entries) == (shown, entries)


@pytest.mark.parametrize("game", ["darwinci", "carnuta"])
def test_where_a_player_hides_such_a_piece_it_joins_the_next_game(tmp_path: Path, game: str) -> None:
    """Which listed piece gives way would tell something about the hidden one."""
    rules = discovery.find(game)
    journal = Journal.create(tmp_path, date=TONIGHT)
    body = game_body(Header(game, NAMES[:3]), rules.standin())
    evening = Evening([journal.append("game", body, "", "", 1.0)])
    referee = Referee(journal, evening, seat_pads_of(evening))
    while not any(rules.conceals(played.action) is not None for played in evening.played_game.played):
        action = rules.legal(evening.state)[0]
        referee.heed(Act(f"{evening.number}", _plain(action)), 1.0)
    step = next(
        step for step in enrolment_plan(game).steps(read_toml(rules.standin()), {}) if step.fields and step.tagged
    )
    told = referee.heed(Enlist("new", step.key, dict(step.values)), 1.0)
    assert told.what == "joins the next box"
    assert evening.played_game.box_text == rules.standin()
    assert evening.header.box != rules.standin()
    rules.parse_box(evening.header.box, "the next box")
    journal.close()


def _plain(action: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(action)
    return plain


def test_the_owner_s_own_box_has_it_from_then_on_unless_it_was_changed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    after = STANDIN.replace("mammoth-brown-green", "mammoth-x")
    keep_changed("lascaux", STANDIN, after)
    assert find_box(LASCAUX).text == after
    keep_changed("lascaux", STANDIN, STANDIN)
    assert box_path("lascaux").read_text(encoding="utf-8") == after, "it was changed by hand: that counts"
