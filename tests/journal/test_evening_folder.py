"""The folder of the evenings: what `companion games` lists and `companion resume` takes up."""

import random
from datetime import date
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.evening_folder import evenings, find, is_idle, latest_open, recall, remove, resume, summary
from companion.journal.store import Journal
from tests.journal.table import TONIGHT, Table


def play(folder: Path, actions: int, day: date = TONIGHT) -> Table:
    with Journal.create(folder, date=day) as journal:
        table = Table(journal)
        table.play_at_random(random.Random(2), actions)
    return table


def test_an_empty_shelf_has_no_evenings(tmp_path: Path) -> None:
    assert evenings(tmp_path / "nothing") == []
    assert latest_open(tmp_path / "nothing") is None


def test_evenings_are_listed_newest_first(tmp_path: Path) -> None:
    for _ in range(11):
        Journal.create(tmp_path, date=TONIGHT).close()
    Journal.create(tmp_path, date=date(2026, 12, 1)).close()
    Journal.create(tmp_path, date=date(2025, 12, 1)).close()
    ids = [summary.id for summary in evenings(tmp_path)]
    assert ids[:3] == ["2026-12-01-1", "2026-11-16-11", "2026-11-16-10"]
    assert ids[-2:] == ["2026-11-16-1", "2025-12-01-1"]


def test_a_copy_that_has_no_number_is_listed_after_the_evenings_of_its_day(tmp_path: Path) -> None:
    for _ in range(2):
        Journal.create(tmp_path, date=TONIGHT).close()
    (tmp_path / "2026-11-16-1.journal").rename(tmp_path / "2026-11-16-copy.journal")
    assert [summary.id for summary in evenings(tmp_path)] == ["2026-11-16-2", "2026-11-16-copy"]


def test_a_summary_tells_who_played_what_and_how_far(tmp_path: Path) -> None:
    table = play(tmp_path, 20)
    (summary,) = evenings(tmp_path)
    assert (summary.id, summary.standing, summary.problem) == ("2026-11-16-1", "open", "")
    assert (summary.game, summary.players, summary.games, summary.actions) == (
        "lascaux",
        ("Anna", "Ben", "Cleo"),
        1,
        20,
    )
    assert summary.begun_at == table.clock.now - 20
    assert summary.result is None


def test_a_finished_evening_tells_totals_and_winners(tmp_path: Path) -> None:
    table = play(tmp_path, 5000)
    (summary,) = evenings(tmp_path)
    assert summary.standing == "finished"
    assert summary.result == table.evening.played_game.result
    assert latest_open(tmp_path) is None


def test_the_latest_open_evening_is_the_newest_that_is_not_finished(tmp_path: Path) -> None:
    play(tmp_path, 20, date(2026, 11, 1))
    play(tmp_path, 20, date(2026, 11, 2))
    play(tmp_path, 5000, date(2026, 11, 3))
    Journal.create(tmp_path, date=date(2026, 11, 4)).close()
    found = latest_open(tmp_path)
    assert found is not None
    assert found.id == "2026-11-02-1"


def test_a_damaged_evening_is_not_passed_over(tmp_path: Path) -> None:
    play(tmp_path, 20, date(2026, 11, 1))
    (tmp_path / "2026-11-02-1.journal").touch()
    found = latest_open(tmp_path)
    assert found is not None
    assert (found.id, found.standing) == ("2026-11-02-1", "damaged")
    with pytest.raises(JournalError, match="set aside"):
        resume(found.path, folder=tmp_path)
    found = latest_open(tmp_path)
    assert found is not None
    assert found.id == "2026-11-01-1"
    assert [summary.id for summary in evenings(tmp_path)] == ["2026-11-02-1.journal.set-aside", "2026-11-01-1"]


def test_an_evening_is_found_by_its_id(tmp_path: Path) -> None:
    play(tmp_path, 1)
    assert find(tmp_path, "2026-11-16-1") == tmp_path / "2026-11-16-1.journal"
    with pytest.raises(JournalError, match=r"there is no evening '\.\./2026-11-16-1'"):
        find(tmp_path, "../2026-11-16-1")


def test_a_resumed_evening_is_played_on(tmp_path: Path) -> None:
    table = play(tmp_path, 20)
    journal, evening = resume(tmp_path / "2026-11-16-1.journal", folder=tmp_path)
    with journal:
        assert evening.state == table.evening.state
        table.journal, table.evening = journal, evening
        table.play_at_random(random.Random(5), 20)
    assert recall(journal.path).evening.state == evening.state


def test_an_evening_is_listed_and_recalled_while_it_is_played(tmp_path: Path) -> None:
    with Journal.create(tmp_path, date=TONIGHT) as journal:
        table = Table(journal)
        for number in range(1, 10):
            table.play_at_random(random.Random(number), 1)
            assert evenings(tmp_path)[0].actions == number
            assert recall(journal.path).evening.state == table.evening.state


# --- Removing -------------------------------------------------------------------------------------------------


def test_an_evening_that_is_removed_lies_whole_in_another_folder_with_its_results(tmp_path: Path) -> None:
    folder, removed = tmp_path / "evenings", tmp_path / "removed"
    kept, gone = play(folder, 20, date(2026, 11, 1)), play(folder, 30)
    beside = [f"{gone.journal.id}-lascaux-1.txt", f"{gone.journal.id}-lascaux-1.svg"]
    for name in (*beside, f"{gone.journal.id}1-lascaux-1.txt", "notes.txt"):
        (folder / name).write_text("a result")
    there = remove(gone.journal.path, removed)
    assert [summary.id for summary in evenings(folder)] == [kept.journal.id]
    assert sorted(path.name for path in removed.iterdir()) == sorted([there.name, *beside])
    assert (folder / "notes.txt").exists(), "what is not of this evening stays"
    assert recall(there).evening.played_game.header.players == ("Anna", "Ben", "Cleo")
    there.rename(folder / there.name)
    assert [summary.actions for summary in evenings(folder)] == [30, 20], "moved back, it is listed again"


def test_two_removed_evenings_of_one_name_are_both_kept(tmp_path: Path) -> None:
    folder, removed = tmp_path / "evenings", tmp_path / "removed"
    for actions in (5, 10, 15):
        path = play(folder, actions).journal.path
        path.with_name(f"{path.stem}-lascaux-1.txt").write_text(f"after {actions} actions")
        there = remove(path, removed)
        assert there.with_name(f"{there.stem}-lascaux-1.txt").read_text() == f"after {actions} actions"
    assert sorted(summary(path).actions for path in removed.glob("*[!t]")) == [5, 10, 15]
    assert len(list(removed.glob("*.txt"))) == 3


def test_an_evening_that_is_being_played_is_not_removed(tmp_path: Path) -> None:
    folder, removed = tmp_path / "evenings", tmp_path / "removed"
    with Journal.create(folder, date=TONIGHT) as journal:
        Table(journal).play_at_random(random.Random(2), 5)
        with pytest.raises(JournalError, match="being played"):
            remove(journal.path, removed)
        assert journal.path.exists()


def test_a_damaged_evening_can_be_removed_with_all_that_lies_beside_it(tmp_path: Path) -> None:
    folder, removed = tmp_path / "evenings", tmp_path / "removed"
    path = play(folder, 20).journal.path
    path.write_bytes(path.read_bytes()[:3000])
    path.with_name(path.name + "-ledger").write_bytes(b"what is left")
    there = remove(path, removed)
    assert list(folder.iterdir()) == []
    assert there.with_name(there.name + "-ledger").read_bytes() == b"what is left"


def test_an_evening_in_which_nothing_has_happened_is_in_the_way_and_any_other_is_not(tmp_path: Path) -> None:
    empty, begun, one = (tmp_path / name for name in ("empty", "begun", "one"))
    Journal.create(empty, date=TONIGHT).close()
    play(begun, 0)
    play(one, 1)
    assert [is_idle(evenings(folder)[0]) for folder in (empty, begun, one)] == [True, True, False]
    with Journal.create(tmp_path / "now", date=TONIGHT) as journal:
        Table(journal)
        assert not is_idle(summary(journal.path)), "it is being played"
