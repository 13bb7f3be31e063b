"""That was the wrong card: what the referee says to it, and what no player learns from it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.drawing.event_lines import counting
from companion.gamekit.snapshot import Before, Past, Told
from companion.messages.intentions import Correct, LookBack, Reconsider, Undo
from tests.referee.table import ALL_SIX, Table, telltale_box

OTHER = "goat-brown-blue"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.simulate()
    return table


def correct(table: Table, entry: int, do: str, **fields: Any) -> Told:
    return table.heed(Correct(table.new_id(), entry, table.evening.number, {"do": do, **fields}))


def past(table: Table) -> Past:
    found = table.referee.inform(LookBack("1"))
    assert isinstance(found, Past)
    return found


def before(table: Table, entry: int, seat: int | None = None) -> Before:
    found = table.referee.inform(Reconsider("1", entry, seat))
    assert isinstance(found, Before)
    return found


def test_the_wrong_card_is_replaced_and_told_with_what_was_wrong(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    told = correct(table, 2, "draw", card=OTHER)
    assert (told.kind, told.what, told.moves, told.voids) == ("corrected", "corrected", (), (2,))
    assert table.seen.table.row == (OTHER,)
    assert table.newest.facts["card"] == OTHER
    assert [line.facts["card"] for line in counting(table.seen.history)] == [OTHER]


def test_the_line_of_a_correction_outlives_the_referee(table: Table) -> None:
    def lines() -> list[object]:
        return [(line.kind, line.what, line.facts, line.about, line.voids, line.how) for line in table.seen.history]

    table.act("draw", card=ALL_SIX[0])
    correct(table, 2, "draw", card=OTHER)
    table.act("draw", card=ALL_SIX[1])
    told = lines()
    table.reopen()
    assert lines() == told
    assert [line.facts["card"] for line in counting(table.seen.history)] == [OTHER, ALL_SIX[1]]


def test_what_was_undone_is_not_told_again_after_a_restart(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    correct(table, 2, "draw", card=OTHER)
    table.undo()
    table.act("draw", card=ALL_SIX[1])
    table.undo()
    table.reopen()
    assert [(line.kind, line.facts["card"]) for line in table.seen.history] == [("accepted", ALL_SIX[0])]


def test_a_correction_counts_once_however_often_it_is_sent(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    intention = Correct("once", 2, 2, {"do": "draw", "card": OTHER})
    assert table.heed(intention).kind == "corrected"
    assert table.heed(intention).kind == "repeated"
    assert table.evening.number == 3


def test_a_screen_that_has_not_seen_the_newest_action_corrects_nothing(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    table.act("draw", card=ALL_SIX[1])
    told = table.heed(Correct(table.new_id(), 2, 2, {"do": "draw", "card": OTHER}))
    assert (told.kind, told.what) == ("refused", "the table has changed")


@pytest.mark.parametrize(
    ("entry", "action"),
    [
        (2, {"do": "draw", "card": ALL_SIX[1]}),
        (2, {"do": "draw"}),
        (2, {"do": "dance"}),
        (2, {"do": "pass", "seat": 0}),
        (99, {"do": "draw", "card": OTHER}),
        (1, {"do": "draw", "card": OTHER}),
        (-5, {"do": "draw", "card": OTHER}),
    ],
)
def test_a_refused_correction_leaves_the_table_and_the_journal_alone(
    table: Table, entry: int, action: dict[str, Any]
) -> None:
    table.act("draw", card=ALL_SIX[0])
    table.act("draw", card=ALL_SIX[1])
    shown, entries = table.shown, table.entries
    told = table.heed(Correct(table.new_id(), entry, table.evening.number, action))
    assert told.kind == "refused"
    assert (table.shown, table.entries) == (shown, entries)


def test_a_correction_is_there_after_a_restart(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    table.act("draw", card=ALL_SIX[1])
    correct(table, 2, "draw", card=OTHER)
    shown = table.shown
    table.reopen().simulate()
    assert table.shown == shown


def test_going_back_takes_back_everything_from_an_action_on(table: Table) -> None:
    for card in ALL_SIX:
        table.act("draw", card=card)
    told = table.heed(Undo(table.new_id(), table.evening.number, 3))
    assert (told.kind, told.facts, len(told.about)) == ("undone", {"count": 2}, 2)
    assert table.seen.table.row == ALL_SIX[:1]
    assert [line.entry for line in counting(table.seen.history)] == [2]
    assert table.heed(Undo(table.new_id(), table.evening.number, 3)).kind == "refused"


def test_behind_a_reveal_every_player_is_asked_before_something_is_corrected(table: Table) -> None:
    table.to_reveal()
    newest = table.evening.played_game.played[-1]
    row = table.seen.table.row
    told = table.heed(Undo(table.new_id(), table.evening.number, newest.number))
    assert told.what == "undo needs all players"
    table.decline()
    chosen = next(played.number for played in table.evening.played_game.played if hasattr(played.action, "colour"))
    told = correct(table, chosen, "choose", seat=0, colour="pink")
    assert told.what == "rests on it", "what was revealed rests on what was chosen"
    assert table.seen.table.row == row


# --- What can be said anew ---


def test_the_past_says_what_is_free_and_what_rests_on_something(table: Table) -> None:
    table.to_reveal()
    deeds = past(table).deeds
    assert [deed.entry for deed in deeds] == sorted((deed.entry for deed in deeds), reverse=True)
    by_kind = {deed.told.what: deed for deed in reversed(deeds)}
    assert not by_kind["draws"].free, "the cards were taken since"
    assert not any(deed.hidden for deed in deeds)


def test_what_could_have_been_done_instead_changes_nothing_else(table: Table) -> None:
    table.act("draw", card=ALL_SIX[0])
    table.act("draw", card=ALL_SIX[1])
    assert [deed.free for deed in past(table).deeds] == [True, True]
    found = before(table, 2)
    assert found.snapshot is not None
    assert found.snapshot.table.row == ()
    cards = {action.card for action in found.offered}
    assert ALL_SIX[0] not in cards, "that is what was said"
    assert ALL_SIX[1] not in cards, "that one was drawn later"
    assert OTHER in cards


def test_what_simulated_hands_did_is_not_for_people_to_correct(table: Table) -> None:
    table.to_choosing()
    table.simulate(1, 2)
    table.act("choose", seat=1, colour="white")
    (newest, *_others) = past(table).deeds
    assert not newest.free
    assert before(table, newest.entry, 1).snapshot is None


def test_cards_that_a_reader_saw_can_be_corrected_where_no_hands_are_simulated(table: Table) -> None:
    table.card(ALL_SIX[0])
    assert table.newest.how == "tag"
    assert [deed.free for deed in past(table).deeds] == [True]
    table.simulate(1, 2)
    assert [deed.free for deed in past(table).deeds] == [False], "it may have been a simulated hand"


# --- Secrets ---


def secret_table(folder: Path, colour: str) -> Table:
    table = Table(folder, kit="none", box=telltale_box())
    table.simulate()
    for number in range(1, 55):
        if table.seen.table.phase == "draw":
            table.act("draw", card=f"card-{number}")
    table.act("choose", seat=0, colour=colour)
    table.act("choose", seat=1, colour="zzgreen")
    return table


def test_a_secret_choice_is_corrected_without_a_word_about_it(tmp_path: Path) -> None:
    """Whatever was chosen, and whatever it should have been: every player hears and sees the same."""
    heard = []
    for number, (wrong, right) in enumerate((("zzwhite", "zzblue"), ("zzpink", "zzbrown"))):
        table = secret_table(tmp_path / str(number), wrong)
        chosen = table.evening.played_game.played[-2].number
        told = correct(table, chosen, "choose", seat=0, colour=right)
        assert (told.kind, told.what) == ("corrected", "chosen again")
        assert table.evening.state.choices[0] == right
        everything = msgspec.json.encode((told, table.seen.history, past(table), table.seen.table))
        assert not any(colour.encode() in everything.split(b'"box"')[0] for colour in (wrong, right))
        heard.append((told, table.shown, past(table)))
    assert heard[0] == heard[1]


def test_only_its_owner_is_told_what_else_could_have_been_chosen(tmp_path: Path) -> None:
    table = secret_table(tmp_path, "zzwhite")
    chosen = table.evening.played_game.played[-2].number
    for seat in (None, 1, 2, 7):
        found = before(table, chosen, seat)
        assert (found.snapshot, found.hand, found.offered) == (None, None, ())
    assert len(before(table, chosen, 0).offered) == 5


def test_a_choice_that_was_replaced_never_comes_to_light(tmp_path: Path) -> None:
    """L6 White, then blue: after the reveal no player can find out that it had been white."""
    table = secret_table(tmp_path, "zzwhite")
    first = table.evening.played_game.played[-2].number
    table.act("choose", seat=0, colour="zzblue")
    table.act("choose", seat=2, colour="zzbrown")
    for seat in (0, 1):
        table.act("pass", seat=seat)
    deed = next(deed for deed in past(table).deeds if deed.entry == first)
    assert (deed.hidden, deed.free) == (True, False)
    for seat in (None, 0, 1, 2):
        assert before(table, first, seat).snapshot is None
