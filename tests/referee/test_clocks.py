"""Thinking: whose time counts and whose does not; a pause; who sits where in the next game."""

from pathlib import Path
from typing import Any

import pytest

from companion.gamekit.snapshot import AWAY_S, Snapshot
from companion.journal import evening_folder
from companion.messages.intentions import Act, Drive, LookedOver, NextGame, Pause, Prepare, Undo
from companion.referee.referee import Referee
from companion.session.entry import Entry, clock_body
from companion.session.evening import Evening
from tests.referee.table import Table


def bidding(folder: Path) -> "Clocked":
    """Anna is to lay a stone or to pass; from here on we say when things happen."""
    return Clocked(Table(folder).to_bidding())


class Clocked:
    def __init__(self, table: Table) -> None:
        self.table, self.referee, self._number = table, table.referee, 0
        self.now = table.entries[-1].at
        self.before = self.snapshot.thought

    @property
    def snapshot(self) -> Snapshot:
        return self.referee.snapshot()

    @property
    def thought(self) -> list[float]:
        """Since the bidding began."""
        return [round(now - then, 3) for now, then in zip(self.snapshot.thought, self.before, strict=True)]

    def after(self, seconds: float, wish: Any, **facts: Any) -> str:
        self.now += seconds
        self._number += 1
        return self.referee.heed(wish(f"clock {self._number}", **facts), self.now).kind

    def stone(self, seconds: float, seat: int) -> str:
        return self.after(seconds, Act, action={"do": "stone", "seat": seat})

    def restarted(self, **known: float) -> None:
        """The power is cut, and a new referee starts. `known`: when it did, and when the old one was last alive."""
        self.table.journal.close()
        self.table.journal, evening = evening_folder.resume(self.table.journal.path)
        self.referee = Referee(self.table.journal, evening, self.table.seat_pads, resumed=True, **known)


def test_the_time_between_two_actions_is_that_of_the_player_who_was_waited_for(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    assert clocked.stone(12.0, 0) == "accepted"
    assert clocked.stone(3.5, 1) == "accepted"
    assert clocked.stone(0.25, 2) == "accepted"
    assert clocked.stone(7.0, 0) == "accepted"
    assert clocked.thought == [19.0, 3.5, 0.25]
    assert clocked.snapshot.since == clocked.now


def test_what_was_refused_is_still_thinking_and_what_was_taken_back_was_thought(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    assert clocked.stone(5.0, 1) == "refused"
    assert clocked.stone(5.0, 0) == "accepted"
    assert clocked.after(2.0, Undo) == "undone"
    assert clocked.thought == [10.0, 2.0, 0.0]
    clocked.stone(1.0, 0)
    assert clocked.thought == [11.0, 2.0, 0.0]


def test_all_who_still_choose_think_at_the_same_time(tmp_path: Path) -> None:
    table = Table(tmp_path).to_choosing()
    clocked = Clocked(table)
    for seconds, seat in ((4.0, 2), (6.0, 0), (1.0, 1)):
        assert clocked.after(seconds, Act, action={"do": "choose", "seat": seat, "colour": "white"}) == "accepted"
    assert clocked.thought == [10.0, 11.0, 4.0]


def test_a_pause_does_not_count_and_ends_with_a_word_or_with_the_next_action(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.after(5.0, Pause, on=True)
    assert (clocked.snapshot.paused, clocked.snapshot.since) == (True, None)
    clocked.after(600.0, Pause, on=False)
    clocked.stone(2.0, 0)
    clocked.after(1.0, Pause, on=True)
    assert clocked.stone(300.0, 1) == "accepted"
    assert not clocked.snapshot.paused
    clocked.stone(4.0, 2)
    assert clocked.thought == [7.0, 1.0, 4.0]


def test_no_clock_runs_once_the_game_is_over(tmp_path: Path) -> None:
    table = Table(tmp_path).hurry()
    table.play_to_end()
    assert table.referee.snapshot().awaiting is None
    assert table.referee.snapshot().since is None


def test_a_power_cut_does_not_count_nor_does_looking_the_table_over(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.stone(5.0, 0)
    clocked.restarted()
    assert clocked.snapshot.since is None
    clocked.after(500.0, LookedOver)
    clocked.stone(8.0, 1)
    assert clocked.thought == [5.0, 8.0, 0.0]
    clocked.restarted()
    clocked.stone(60.0, 2)
    clocked.stone(2.0, 0)
    assert clocked.thought == [7.0, 8.0, 0.0], "no player said when they were back, so the next action does"


def test_the_time_before_a_referee_was_killed_still_counts(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.stone(5.0, 0)
    clocked.restarted(alive_at=clocked.now + 100.0, resumed_at=clocked.now + 103.0)
    assert clocked.thought == [5.0, 100.0, 0.0], "seen at once, before anything else happens"
    assert clocked.snapshot.since == clocked.now + 103.0, "and Ben goes on thinking"
    clocked.stone(110.0, 1)
    assert clocked.thought == [5.0, 107.0, 0.0]
    clocked.restarted()
    assert clocked.thought == [5.0, 107.0, 0.0]


def test_a_referee_that_is_killed_again_before_anything_happened_neither_loses_nor_adds_time(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.stone(5.0, 0)
    began = clocked.now
    clocked.restarted(alive_at=began + 600.0, resumed_at=began + 1000.0)
    clocked.restarted(alive_at=began + 1020.0, resumed_at=began + 1025.0)
    assert clocked.thought == [5.0, 620.0, 0.0], "ten minutes, then twenty seconds; nothing for the time between"
    clocked.stone(1030.0, 1)
    assert clocked.thought == [5.0, 625.0, 0.0]


def test_the_first_thought_of_a_game_goes_on_after_a_kill(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.simulate()  # persons set up their table themselves
    table.referee = Referee(table.journal, table.evening, table.seat_pads)
    clocked = Clocked(table)
    clocked.after(1.0, Prepare, page=99)
    assert clocked.snapshot.since == clocked.now
    clocked.restarted(alive_at=clocked.now + 10.0, resumed_at=clocked.now + 12.0)
    assert clocked.snapshot.since == clocked.now + 12.0
    assert sum(clocked.thought) == 10.0


def test_what_is_said_after_a_kill_may_be_a_pause(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.stone(5.0, 0)
    clocked.restarted(alive_at=clocked.now + 10.0, resumed_at=clocked.now + 300.0)
    clocked.after(302.0, Pause, on=True)
    assert clocked.thought == [5.0, 12.0, 0.0]


@pytest.mark.parametrize("alive_after", [-50.0, AWAY_S + 1])
def test_a_referee_that_was_last_alive_at_an_impossible_time_adds_nothing(tmp_path: Path, alive_after: float) -> None:
    clocked = bidding(tmp_path)
    clocked.stone(5.0, 0)
    clocked.restarted(alive_at=clocked.now + alive_after, resumed_at=clocked.now + 2.0)
    clocked.stone(6.0, 1)
    assert clocked.thought == [5.0, 4.0, 0.0]


def test_a_pause_stays_a_pause_when_the_referee_is_killed(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.after(5.0, Pause, on=True)
    clocked.restarted(alive_at=clocked.now + 100.0, resumed_at=clocked.now + 103.0)
    assert (clocked.snapshot.paused, clocked.snapshot.since) == (True, None)
    clocked.stone(150.0, 0)
    assert clocked.thought == [5.0, 0.0, 0.0]


def test_a_resumed_evening_has_the_same_times(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    for seconds, seat in ((5.0, 0), (1.0, 1), (2.0, 2)):
        clocked.stone(seconds, seat)
    clocked.after(9.0, Pause, on=True)
    before = clocked.snapshot
    clocked.restarted()
    assert (clocked.snapshot.thought, clocked.snapshot.paused) == (before.thought, True)


@pytest.mark.parametrize("seconds", [-3600.0, AWAY_S + 1, 1e9])
def test_a_clock_that_is_set_is_no_thinking(tmp_path: Path, seconds: float) -> None:
    clocked = bidding(tmp_path)
    assert clocked.stone(seconds, 0) == "accepted"
    assert clocked.thought == [0.0, 0.0, 0.0]


def test_a_pause_said_twice_is_written_down_once_and_after_the_end_there_is_none(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    clocked.after(1.0, Pause, on=True)
    entries = len(clocked.table.entries)
    clocked.after(1.0, Pause, on=True)
    assert len(clocked.table.entries) == entries
    table = Table(tmp_path / "over").play_to_end()
    over = Clocked(table)
    entries = len(table.entries)
    over.after(1.0, Pause, on=True)
    assert len(table.entries) == entries


def test_a_clock_entry_before_any_game_does_not_fit() -> None:
    with pytest.raises(Exception, match="no game has begun"):
        Evening([Entry(1, 1.0, "clock", "", "", clock_body(runs=True))])


# --- Simulated hands ------------------------------------------------------------------------------------------


def test_how_fast_hands_play_is_bounded_and_in_no_journal(tmp_path: Path) -> None:
    clocked = bidding(tmp_path)
    entries = len(clocked.table.entries)
    clocked.after(1.0, Drive, speed=2.0)
    clocked.after(1.0, Drive, speed=2.0, step=True)
    for nonsense in (0.0, -1.0, float("nan"), float("inf")):
        clocked.after(1.0, Drive, speed=nonsense)
    assert (clocked.snapshot.speed, clocked.snapshot.steps) == (2.0, 1)
    assert len(clocked.table.entries) == entries


# --- Seats ----------------------------------------------------------------------------------------------------


def test_L21_people_may_change_seats_between_two_games_and_the_match_goes_on(tmp_path: Path) -> None:
    table = Table(tmp_path).play_to_end()
    clocked = Clocked(table)
    before = clocked.snapshot
    totals = {before.players[score.seat].name: score.total for score in before.scores}
    winners = {before.players[seat].name for seat in before.winners}
    first = table.evening.game.rematch(table.evening.setup)[0]
    starts = before.players[first].name
    assert clocked.after(1.0, NextGame, seats=(2, 0, 1)) == "noted"
    now = clocked.snapshot
    assert [player.name for player in now.players] == ["Cleo", "Anna", "Ben"]
    assert now.players[table.evening.header.first].name == starts
    (result,) = now.match
    assert {player.name: result.totals[seat] for seat, player in enumerate(now.players)} == totals
    assert {now.players[seat].name for seat in result.winners} == winners


def test_simulated_players_move_with_their_names(tmp_path: Path) -> None:
    table = Table(tmp_path).play_to_end()
    table.simulate(1, 2)
    clocked = Clocked(table)
    clocked.after(1.0, NextGame, seats=(1, 0, 2))
    assert [(player.name, player.simulated) for player in clocked.snapshot.players] == [
        ("Ben", True),
        ("Anna", False),
        ("Cleo", True),
    ]


@pytest.mark.parametrize("seats", [(0, 0, 1), (0, 1), (0, 1, 3), (0, 1, 2, 3), (-1, 0, 1)])
def test_every_player_needs_a_seat_of_their_own(tmp_path: Path, seats: tuple[int, ...]) -> None:
    clocked = Clocked(Table(tmp_path).play_to_end())
    entries = len(clocked.table.entries)
    assert clocked.after(1.0, NextGame, seats=seats) == "refused"
    assert len(clocked.table.entries) == entries
