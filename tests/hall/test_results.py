"""Results reach the hall exactly once, whatever is killed on the way."""

import threading
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.hall import hall_server
from companion.hall.decisions import start_round
from companion.hall.hall_client import HallAwayError, HallClient, HallRefusedError
from companion.hall.hall_messages import GameReport, Stored
from companion.hall.hall_state import ReportedSeat, ResultReported
from companion.hall.hall_store import HallStore
from companion.hall.outbox import Outbox
from companion.hall.standings import night_standings
from companion.home.paths import outbox_folder
from companion.people.past_games import journal_stamp
from tests.hall.halls import RunningHall
from tests.people.evenings import PlayedEvening, ReopenedEvening, played
from tests.verbs.command import Command

NAMES = ("Anna", "Ben", "Cleo")


def report(hall: RunningHall, revision: int = 1, scores: tuple[int, ...] = (9, 6, 3), **more) -> GameReport:
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    seats = tuple(ReportedSeat(*seat) for seat in zip(NAMES, scores, ranks, strict=True))
    facts = {"night": 1, "round": 1, "game": "lascaux", "ended_at": 5.0, "seats": seats} | more
    return GameReport(hall.state.club_id, revision, **facts)


def results_in(place: str) -> list[ResultReported]:
    """What the database holds, read by another connection."""
    store = HallStore(place)
    found = [entry.event for entry in store.entries(0) if isinstance(entry.event, ResultReported)]
    store.close()
    return found


KEY = "ab" * 32


def test_a_result_is_committed_before_the_hall_answers_and_counts_once(hall: RunningHall, place) -> None:
    table = hall.table()
    hall.night(NAMES)
    for _ in range(3):
        assert table.report(KEY, report(hall)).revision == 1
        assert [each.revision for each in results_in(place)] == [1]
    assert [line.games for line in night_standings(hall.state, hall.state.nights[0])] == [1, 1, 1]


def test_the_newest_revision_wins_and_an_older_one_that_comes_late_changes_nothing(hall: RunningHall, place) -> None:
    table = hall.table()
    hall.night(NAMES)
    table.report(KEY, report(hall, 4))
    assert table.report(KEY, report(hall, 7, (1, 2, 3))).revision == 7
    assert table.report(KEY, report(hall, 5)).revision == 7
    assert [line.name for line in night_standings(hall.state, hall.state.nights[0])] == ["Cleo", "Ben", "Anna"]


def test_two_servers_on_one_database_take_the_same_result_once(postgres, run_hall) -> None:
    postgres.clear()
    one, other = run_hall(postgres.url), run_hall(postgres.url)
    table = one.table()
    one.night(NAMES)
    assert table.membership is not None
    known = HallClient(other.url, table.membership)
    other.change(lambda _state: ())  # it has read the log
    tables = [table, known] * 6
    sent = [threading.Thread(target=each.report, args=(KEY, report(one))) for each in tables]
    for thread in sent:
        thread.start()
    for thread in sent:
        thread.join()
    assert len(results_in(postgres.url)) == 1
    other.change(lambda _state: ())
    one.change(lambda _state: ())
    assert one.state.results == other.state.results
    assert one.state.last == other.state.last


def test_decisions_of_two_servers_never_rest_on_old_facts(postgres, run_hall) -> None:
    postgres.clear()
    one, other = run_hall(postgres.url), run_hall(postgres.url)
    one.table()
    one.night(NAMES)
    with pytest.raises(UsageError, match="has started already"):
        other.change(start_round(0.0))


def test_results_of_another_club_are_refused_in_a_line(hall: RunningHall) -> None:
    table = hall.table()
    hall.night(NAMES)
    foreign = GameReport("0123", 1, 1, 1, "lascaux", 5.0, report(hall).seats)
    with pytest.raises(HallRefusedError, match="this result belongs to another club, and this is Café"):
        table.report(KEY, foreign)
    assert hall.state.results == {}


def test_a_result_of_other_players_is_refused_in_a_line(hall: RunningHall) -> None:
    table = hall.table()
    hall.night(("Dora", "Emil", "Finn"))
    with pytest.raises(HallRefusedError, match="and this game was played by Anna, Ben and Cleo"):
        table.report(KEY, report(hall))


def test_a_database_that_is_away_is_no_loss(postgres, run_hall) -> None:
    postgres.clear()
    hall = run_hall(postgres.url)
    table = hall.table()
    hall.night(NAMES)
    postgres.kill()
    with pytest.raises(HallAwayError, match="database"):
        table.report(KEY, report(hall))
    postgres.start()
    assert table.report(KEY, report(hall)).revision == 1
    assert len(results_in(postgres.url)) == 1


# --- The outbox -----------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The table is switched off."""


class TableAtHome:
    """A table with its folder, whose process can be killed at every step."""

    def __init__(self, tmp_path: Path, hall: RunningHall, folder: Path | None = None) -> None:
        self.evenings, self.folder = tmp_path / "evenings", folder or tmp_path / "outbox"
        self.evenings.mkdir()
        self.client = hall.table()
        self.club_id = hall.state.club_id

    @property
    def outbox(self) -> Outbox:
        """As a new process finds it."""
        return Outbox(self.folder, self.evenings)

    def take_and_play(self) -> PlayedEvening:
        plan = self.client.take()
        name = self.outbox.take(self.club_id, plan, 0.0)
        evening = played(self.evenings, plan.game, plan.players)
        self.outbox.bind(name, evening.path.stem)
        return evening

    def deliver(self) -> str:
        outbox = self.outbox
        outbox.collect()
        return outbox.deliver(self.club_id, self.client.report)


@pytest.fixture
def table(tmp_path: Path, hall: RunningHall) -> TableAtHome:
    made = TableAtHome(tmp_path, hall)
    hall.night(NAMES)
    return made


def test_a_finished_game_goes_through_the_outbox_to_the_hall(hall: RunningHall, table: TableAtHome, place) -> None:
    evening = table.take_and_play()
    assert table.deliver() == ""
    (result,) = results_in(place)
    totals = dict(zip(evening.evening.header.players, evening.evening.played_game.result.totals, strict=True))
    assert {seat.name: seat.score for seat in result.seats} == totals
    assert table.deliver() == ""
    assert len(results_in(place)) == 1


def test_a_person_is_forgotten_in_what_the_hall_has_got_and_not_before(
    hall: RunningHall, place, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is a result lost by that nor sent a second time under another name."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    command = Command(capsys)
    table = TableAtHome(tmp_path, hall, outbox_folder())
    hall.night(NAMES)
    evening = table.take_and_play()
    said = command("people", "--forget", "Anna", "--yes")
    assert said.status == 1
    assert f"The club's hall has not got the result of {evening.path.stem} yet." in said.out
    assert table.deliver() == ""
    assert {seat.name for seat in results_in(place)[0].seats} == {*NAMES}
    assert command("people").out.startswith("Replaced by Guest 1.\n")
    kept = [path for folder in (outbox_folder(), table.evenings) for path in folder.iterdir()]
    assert not any(b"Anna" in path.read_bytes() for path in kept)
    assert table.deliver() == ""
    assert len(results_in(place)) == 1


def test_a_correction_after_the_end_is_a_newer_revision(hall: RunningHall, table: TableAtHome, place) -> None:
    evening = table.take_and_play()
    table.deliver()
    again = ReopenedEvening(evening.path, seed=2)
    again.undo()
    table.deliver()
    assert [each.finished for each in results_in(place)] == [True, False]
    assert [*hall.state.results_of(1)] == []
    again.play().close()
    table.deliver()
    (counted,) = hall.state.results_of(1)
    assert counted.revision == again.evening.number


def test_a_table_that_was_offline_for_a_week_delivers_then(hall: RunningHall, table: TableAtHome, place) -> None:
    away = HallClient("http://127.0.0.1:9", table.client.membership)
    table.take_and_play()
    outbox = table.outbox
    outbox.collect()
    assert "does not answer" in outbox.deliver(table.club_id, away.report)
    assert results_in(place) == []
    assert table.deliver() == ""
    assert len(results_in(place)) == 1


def test_results_for_another_club_wait_for_their_own_hall(hall: RunningHall, table: TableAtHome, place) -> None:
    table.take_and_play()
    outbox = table.outbox
    outbox.collect()
    assert outbox.deliver("another", table.client.report) == "results wait for another club's hall"
    assert results_in(place) == []


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_correction_that_another_process_collects_while_a_result_is_sent_is_not_lost(
    hall: RunningHall, table: TableAtHome, is_refused: bool
) -> None:
    evening = table.take_and_play()
    outbox = table.outbox
    outbox.collect()
    (before,) = outbox.results()
    again = ReopenedEvening(evening.path, seed=2)

    def send(key: str, report: GameReport) -> Stored:
        again.undo()
        table.outbox.collect()
        if is_refused:
            raise HallRefusedError("no")
        return Stored(report.revision)

    outbox.deliver(table.club_id, send)
    (after,) = outbox.results()
    assert after.report.revision == before.report.revision + 1
    assert not after.report.finished
    assert after.is_waiting, "the correction has not been sent"
    assert max(after.confirmed, after.refused) == before.report.revision


def test_what_another_process_has_collected_since_is_not_replaced_by_an_older_state(
    hall: RunningHall, table: TableAtHome
) -> None:
    evening = table.take_and_play()
    slow = table.outbox
    slow.collect()
    before = slow._fold(evening.path)
    again = ReopenedEvening(evening.path, seed=2)
    again.undo()
    table.outbox.collect()
    (newest,) = slow.results()
    slow._folded[evening.path.name] = journal_stamp(evening.path), before
    slow.collect()
    assert slow.results() == [newest]


STEPS = ("taken", "begun", "bound", "collected", "sent", "committed", "confirmed")


@pytest.mark.parametrize("step", STEPS)
def test_a_table_that_is_killed_at_any_step_delivers_each_result_exactly_once(
    hall: RunningHall, table: TableAtHome, place: str, step: str
) -> None:
    def killed_at(reached: str) -> None:
        if step == reached:
            raise Killed

    def send(key: str, told: GameReport):
        killed_at("sent")
        stored = table.client.report(key, told)
        killed_at("committed")
        return stored

    try:
        plan = table.client.take()
        name = table.outbox.take(table.club_id, plan, 0.0)
        killed_at("taken")
        evening = played(table.evenings, plan.game, plan.players)
        killed_at("begun")
        table.outbox.bind(name, evening.path.stem)
        killed_at("bound")
        table.outbox.collect()
        killed_at("collected")
        table.outbox.deliver(table.club_id, send)
        killed_at("confirmed")
    except Killed:
        pass
    if step == "taken":  # nothing has been played: the players press the button again
        table.take_and_play()
    for _ in range(2):
        assert table.deliver() == ""
    assert len(results_in(place)) == 1
    assert len([*hall.state.results_of(1)]) == 1


@pytest.mark.parametrize("step", ["begin", "read", "append", "commit", "answer"])
def test_a_hall_that_is_killed_at_any_step_of_a_commit_has_each_result_exactly_once(
    place: str, run_hall, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed process closes nothing: its connection breaks, and the database rolls back what was not committed."""
    hall = run_hall(place)
    table = hall.table()
    hall.night(NAMES)
    store = hall.hall._store
    database = store._database()

    def cut(*_words: object) -> None:
        database.close()
        raise database.errors[0]("killed")

    target, name = {
        "begin": (database, "begin"),
        "read": (store, "entries"),
        "append": (store, "append"),
        "commit": (database, "run"),
        "answer": (hall_server, "answer"),
    }[step]
    whole = getattr(target, name)
    if step == "commit":
        monkeypatch.setattr(database, "run", lambda sql, *values: cut() if sql == "COMMIT" else whole(sql, *values))
    else:
        monkeypatch.setattr(target, name, cut)
    with pytest.raises(HallAwayError):
        table.report(KEY, report(hall))
    assert len(results_in(place)) == (1 if step == "answer" else 0)
    monkeypatch.undo()
    again = run_hall(place)
    HallClient(again.url, table.membership).report(KEY, report(again))
    assert len(results_in(place)) == 1
