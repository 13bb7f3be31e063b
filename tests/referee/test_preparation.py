"""Before the first action the table is set up as the book tells it: once a game, page by page, by screen or button."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.snapshot import Preparation
from companion.journal import evening_folder
from companion.messages.intentions import Prepare
from companion.referee.referee import Referee
from companion.session.evening import Evening
from tests.referee.table import Table as AllSimulated


class Table(AllSimulated):
    """One where people sit."""

    def __init__(self, folder: Path, *, persons: int = 3, **how: Any) -> None:
        super().__init__(folder, **how)
        self.persons = persons
        self.sit_down()

    def sit_down(self) -> None:
        self.simulate(*range(self.persons, self.players))
        self.referee = Referee(self.journal, self.evening, self.seat_pads)

    def reopen(self) -> "Table":
        self.journal.close()
        self.journal, self.evening = evening_folder.resume(self.journal.path)
        self.sit_down()
        return self

    def turn(self, page: int) -> str:
        return self.heed(Prepare(self.new_id(), page)).what

    @property
    def told(self) -> Preparation:
        assert self.seen.preparation is not None
        return self.seen.preparation


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


# --- Page by page ---------------------------------------------------------------------------------------------


def test_people_are_told_step_by_step_and_last_how_it_lies(table: Table) -> None:
    assert (table.told.page, table.told.pages) == (0, len(table.told.steps) + 1)
    assert [step.rule for step in table.told.steps] == ["L1", "L1", "L1", "L1", "L20", "L21"]
    assert ("deck", 54) in [(lying.place.kind, lying.count) for lying in table.told.layout]
    for page in range(1, table.told.pages):
        table.turn(page)
        assert table.told.page == page
    table.turn(table.told.pages)
    assert table.seen.preparation is None


def test_it_can_be_leafed_back_and_not_before_the_first_page(table: Table) -> None:
    table.turn(2)
    table.turn(1)
    assert table.told.page == 1
    table.turn(-5)
    assert table.told.page == 0


def test_it_can_be_skipped(table: Table) -> None:
    assert table.turn(table.told.pages) == "set up already"
    assert table.seen.preparation is None
    assert table.card("aurochs-brown-blue").kind == "accepted"


def test_the_same_wish_heard_twice_counts_once_and_a_late_one_disturbs_nothing(table: Table) -> None:
    wish = Prepare("screen-x", table.told.pages)
    table.heed(wish)
    assert table.heed(wish).kind == "repeated"
    assert table.heed(Prepare("screen-y", 99)).kind == "noted"
    assert [entry.kind for entry in table.entries] == ["game", "prepared"]


# --- By the buttons of the table ------------------------------------------------------------------------------


@pytest.mark.parametrize("station", ["centre", "pad1"])
def test_green_is_the_next_page_red_the_one_before_and_green_held_the_end(table: Table, station: str) -> None:
    table.press("green", station)
    table.press("green", station)
    assert table.told.page == 2
    table.press("red", station)
    assert table.told.page == 1
    table.hold("green", station)
    assert table.seen.preparation is None
    assert [entry.how for entry in table.entries if entry.kind == "prepared"] == ["button"]


def test_green_goes_through_all_of_it_and_then_means_what_it_always_means(table: Table) -> None:
    for _ in range(table.told.pages):
        table.press("green")
    assert table.seen.preparation is None
    assert table.press("green").what == "cards are drawn"


def test_red_held_still_wants_to_take_back(table: Table) -> None:
    assert table.hold("red").what == "nothing to undo"
    assert table.told.page == 0


# --- A player who plays on knows it -------------------------------------------------------------------------------


def test_an_action_ends_it_and_an_undo_does_not_begin_it_anew(table: Table) -> None:
    assert table.card("aurochs-brown-blue").kind == "accepted"
    assert table.seen.preparation is None
    table.undo()
    assert table.seen.preparation is None
    assert table.reopen().seen.preparation is None


def test_what_is_refused_does_not_end_it(table: Table) -> None:
    table.act("stone", seat=0)
    assert table.told.page == 0


# --- Once a game, remembered ----------------------------------------------------------------------------------


def test_after_a_restart_it_is_told_again_if_no_player_had_gone_through_it(table: Table) -> None:
    table.turn(3)
    assert table.reopen().told.page == 0


def test_after_a_restart_it_is_not_told_again_if_a_player_had(table: Table) -> None:
    table.turn(table.told.pages)
    assert table.reopen().seen.preparation is None


def test_the_next_game_of_a_match_has_its_own_and_says_who_starts_and_which_way_round(table: Table) -> None:
    table.hurry().play_to_end()
    table.next_game()
    start = table.told.steps[-1]
    assert (start.what, start.facts) == ("set up anticlockwise", {"start": 1})
    table.turn(table.told.pages)
    assert table.seen.preparation is None
    assert len(table.evening.played_games) == 2


def test_where_only_the_computer_plays_nothing_is_told(tmp_path: Path) -> None:
    assert Table(tmp_path, persons=0).seen.preparation is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-2, 9), max_size=8))
def test_whatever_is_leafed_through_the_journal_folds_to_the_same_table(
    tmp_path_factory: pytest.TempPathFactory, pages: list[int]
) -> None:
    table = Table(tmp_path_factory.mktemp("evening"))
    table.hurry()
    for page in pages:
        table.turn(page)
    last = table.seen.preparation
    assert table.card("aurochs-brown-blue").kind == "accepted"
    assert (last is None) == any(page >= 7 for page in pages)
    folded = Evening(table.entries)
    assert folded.state == table.evening.state
    assert folded.played_game.prepared
