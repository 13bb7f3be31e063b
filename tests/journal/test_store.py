"""The store: what `append` returned is there, whatever happens afterwards, and there is one writer."""

import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.errors import DoubtError, JournalError
from companion.journal.store import Journal, read, rewrite
from tests.journal.table import TONIGHT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "evenings"


def say(journal: Journal, *words: str) -> None:
    for word in words:
        journal.append("action", word.encode(), "tag", f"cause of {word}", 1.5)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- A new evening --------------------------------------------------------------------------------------------


def test_an_evening_is_named_after_its_date_and_a_running_number(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as first, Journal.create(folder, date=TONIGHT) as second:
        assert (first.id, second.id) == ("2026-11-16-1", "2026-11-16-2")
        assert first.path == folder / "2026-11-16-1.journal"


def test_numbers_go_on_behind_ten_and_behind_an_evening_that_was_set_aside(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "2026-11-16-9.journal").touch()
    (folder / "2026-11-16-10.journal.set-aside").touch()
    with Journal.create(folder, date=TONIGHT) as journal:
        assert journal.id == "2026-11-16-11"


def test_a_closed_evening_is_as_old_as_its_newest_entry(folder: Path) -> None:
    """So a list by date has it where it was played, whoever looked at it since."""
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
    assert journal.path.stat().st_mtime == 1.5


def test_only_the_owner_may_read_an_evening(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_the_file_says_whose_it_is_and_whether_a_ledger_belongs_to_it(folder: Path) -> None:
    def says(path: Path) -> list[int | str]:
        with closing(sqlite3.connect(path)) as db:
            pragmas = ("journal_mode", "application_id", "user_version")
            return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]

    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        alone = folder / "copy.journal"
        alone.write_bytes(journal.path.read_bytes())
        assert says(alone) == ["wal", 0x434F4D50, 2]
    assert says(journal.path) == ["wal", 0x434F4D50, 1]


@pytest.mark.parametrize("length", [0, 10, 300, 400, 420, 440, 460, 480, 5000])
def test_what_was_stored_is_on_the_disk_whatever_becomes_of_the_log(folder: Path, length: int) -> None:
    """What a ledger cannot hold, SQLite itself has waited for."""
    with Journal.create(folder, date=TONIGHT) as journal:
        entry = journal.append("action", b"x" * length, "tag", "", 1.0)
        kept = {end: journal.path.with_name(journal.path.name + end).read_bytes() for end in ("", "-wal", "-ledger")}
    for end, data in kept.items():
        if end != "-wal" or length > 400:
            (folder / f"copy.journal{end}").write_bytes(data)
    assert read(folder / "copy.journal") == [entry]


def test_a_new_evening_is_whole_in_its_own_file_before_the_first_entry(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        assert journal.path.with_name(journal.path.name + "-wal").stat().st_size == 0
        assert read(journal.path) == []


def test_a_closed_evening_is_one_single_file(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
    read(journal.path)
    assert names(folder) == ["2026-11-16-1.journal"]


def test_close_may_be_said_twice(folder: Path) -> None:
    journal = Journal.create(folder, date=TONIGHT)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="was not stored"):
        say(journal, "too late")


# --- Entries --------------------------------------------------------------------------------------------------


def test_entries_come_back_as_they_were_stored(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        stored = [
            journal.append("game", b'{"game":"lascaux"}', "", "", 1_794_600_000.25),
            journal.append("action", '{"do":"draw","card":"Höhlenbär\x00"}'.encode(), "tag", "pad0\x00é:7", 2),
            journal.append("undo", b'{"undo":2}', "button", "", 3.0),
        ]
        assert list(journal.entries()) == read(journal.path) == stored
    assert read(journal.path) == stored
    assert [entry.number for entry in stored] == [1, 2, 3]


def test_an_evening_goes_on_where_it_stopped(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one", "two")
    with Journal.open(journal.path, folder=folder) as again:
        say(again, "three")
    assert [entry.body for entry in read(journal.path)] == [b"one", b"two", b"three"]
    assert [entry.number for entry in read(journal.path)] == [1, 2, 3]


def test_an_evening_may_be_read_while_it_is_written(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        for number in range(1, 30):
            say(journal, str(number))
            assert len(read(journal.path)) == number
        with closing(sqlite3.connect(journal.path)) as elsewhere:
            assert elsewhere.execute("SELECT count(*) FROM entry").fetchone() == (29,)


def test_another_process_reads_while_we_write(folder: Path) -> None:
    reader = (
        "import sys, pathlib; from companion.journal.store import read; print(len(read(pathlib.Path(sys.argv[1]))))"
    )
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one", "two")
        told = subprocess.run([sys.executable, "-c", reader, journal.path], capture_output=True, check=True, text=True)
        say(journal, "three")
    assert told.stdout.strip() == "2"
    assert len(read(journal.path)) == 3


# --- One writer -----------------------------------------------------------------------------------------------


def test_a_second_writer_is_told_who_plays_this_evening(folder: Path) -> None:
    with (
        Journal.create(folder, date=TONIGHT) as journal,
        pytest.raises(JournalError, match=rf"is being played by another referee \(process {os.getpid()}\)"),
    ):
        Journal.open(journal.path, folder=folder)
    Journal.open(journal.path, folder=folder).close()


def test_a_killed_writer_leaves_its_log_and_no_lock(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
    writer = (
        "import os, pathlib, sys\n"
        "from companion.journal.store import Journal\n"
        "Journal.open(pathlib.Path(sys.argv[1])).append('action', b'two', '', '', 2.0)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", writer, journal.path], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert "2026-11-16-1.journal-wal" in names(folder)
    assert len(read(journal.path)) == 2
    with Journal.open(journal.path, folder=folder) as again:
        assert [entry.body for entry in again.entries()] == [b"one", b"two"]
    assert names(folder) == ["2026-11-16-1.journal"]


@pytest.mark.parametrize("name", ["link.journal", "second.journal"])
def test_a_second_name_is_the_same_evening(folder: Path, name: str) -> None:
    """A lock is on what the file is, not on what it is called."""
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        if name == "link.journal":
            (folder / name).symlink_to(journal.path)
            assert len(read(folder / name)) == 1
        else:
            (folder / name).hardlink_to(journal.path)
        for path in (folder / name, journal.path):
            words = [sys.executable, "-m", "companion", "table", "--evening", str(path)]
            ended = subprocess.run(words, capture_output=True, check=False, text=True)
            assert f"is being played by another referee (process {os.getpid()})" in ended.stderr
            with pytest.raises(JournalError, match="is being played by another referee"):
                Journal.open(path)
        say(journal, "two")
    assert len(read(folder / name)) == 2


def test_nothing_that_can_be_removed_holds_the_lock(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        assert names(folder) == [f"2026-11-16-1.journal{end}" for end in ("", "-ledger", "-shm", "-wal")]
        (folder / "2026-11-16-1.journal-ledger").unlink()
        with pytest.raises(JournalError, match="is being played by another referee"):
            Journal.open(journal.path)


# --- A disk that does not take it -----------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot keep an evening here"):
        Journal.create(tmp_path / "file" / "evenings", date=TONIGHT)


def test_a_folder_that_takes_no_files_is_named() -> None:
    with pytest.raises(JournalError, match="cannot keep an evening here"):
        Journal.create(Path("/proc/evenings"), date=TONIGHT)  # not even root may make a folder there


def in_a_child(work: Callable[[Callable[[int], None]], None]) -> None:
    """Do this in a process of its own, whose files may be told not to grow any more, as on a full disk: here, such a
    limit would also meet whatever the tests themselves write."""
    said, saying = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            work(lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard)))
        except BaseException:  # all of it is for the parent to tell
            os.write(saying, traceback.format_exc().encode())
        finally:
            os._exit(0)
    os.close(saying)
    with os.fdopen(said) as told:
        problem = told.read()
    os.waitpid(child, 0)
    assert problem == ""


def test_an_entry_that_a_full_disk_refuses_does_not_count_and_may_be_said_again(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count={pages}")
        for _ in range(3):
            with pytest.raises(JournalError, match="was not stored and does not count"):
                say(journal, "two" * 5000)
        assert [entry.body for entry in read(journal.path)] == [b"one"]
        journal._db.execute("PRAGMA max_page_count=1000")
        say(journal, "two", "three")
    assert [entry.body for entry in read(journal.path)] == [b"one", b"two", b"three"]


def test_an_entry_at_which_the_disk_fails_is_in_doubt_until_the_journal_is_opened_anew(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        os.dup2(os.open("/dev/full", os.O_WRONLY), journal._ledger._descriptor)
        for word in ("two", "three"):
            with pytest.raises(
                DoubtError, match=r"the disk failed as entry 2 .* `companion resume 2026-11-16-1` goes on"
            ):
                say(journal, word)
    with Journal.open(journal.path, folder=folder) as again:
        assert [entry.body for entry in again.entries()] == [b"one", b"two"]
        say(again, "three")
    assert [entry.body for entry in read(journal.path)] == [b"one", b"two", b"three"]


def test_a_writer_that_fails_beyond_its_room_leaves_a_doubt_that_is_told_by_the_next(folder: Path) -> None:
    def work(no_room: Callable[[int], None]) -> None:
        with Journal.create(folder, date=TONIGHT) as journal:
            say(journal, "one")
            no_room(journal.path.with_name(journal.path.name + "-wal").stat().st_size + 100)
            with pytest.raises(DoubtError, match="the disk failed as entry 2 was written"):
                say(journal, "two")
            no_room(10_000_000)
        with Journal.open(journal.path, folder=folder) as journal:
            assert journal.doubted == 2
            assert [entry.body for entry in journal.entries()] == [b"one"]
        with Journal.open(journal.path, folder=folder) as journal:
            assert journal.doubted == 0

    in_a_child(work)


def test_a_journal_that_was_moved_away_takes_nothing_any_more(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        journal.path.rename(folder / "elsewhere")
        with pytest.raises(JournalError, match="was moved away: this was not stored and does not count"):
            say(journal, "two")


def test_a_ledger_that_is_full_is_begun_anew_also_while_it_is_read(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one")
        with closing(sqlite3.connect(journal.path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM entry").fetchone() == (1,)
            for number in range(700):
                say(journal, str(number))
            assert len(read(journal.path)) == 701
            copy = {end: journal.path.with_name(journal.path.name + end).read_bytes() for end in ("", "-ledger")}
        for number in range(700):
            say(journal, str(number))
        assert journal.path.with_name(journal.path.name + "-ledger").stat().st_size < len(copy["-ledger"])
    for end, data in copy.items():
        (folder / f"copy.journal{end}").write_bytes(data)
    assert len(read(folder / "copy.journal")) == 701


@pytest.mark.parametrize("room", [0, 50, 4000, 5000, 9000])
def test_an_evening_that_finds_no_room_leaves_nothing_behind(folder: Path, room: int) -> None:
    def work(no_room: Callable[[int], None]) -> None:
        no_room(room)
        with pytest.raises(JournalError, match=r"cannot (begin this evening|keep an evening here)"):
            Journal.create(folder, date=TONIGHT)

    in_a_child(work)
    assert names(folder) == []


# --- Rewriting ------------------------------------------------------------------------------------------------


def test_a_journal_is_made_again_only_if_an_entry_changes(folder: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as journal:
        say(journal, "one", "two")
    path = journal.path
    before = path.stat().st_ino, path.read_bytes()
    assert not rewrite(path, lambda entry: entry)
    assert (path.stat().st_ino, path.read_bytes()) == before
    assert rewrite(path, lambda entry: replace(entry, how="other") if entry.number == 2 else entry)
    assert [entry.how for entry in read(path)] == ["tag", "other"]
    assert not rewrite(path, lambda entry: replace(entry, how="other") if entry.number == 2 else entry)
