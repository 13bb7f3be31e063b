"""Each evening is known by all of its files, and to look at them changes nothing, whatever has become of them."""

import random
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.computer import System
from companion.doctor.owner_files import home_checks
from companion.errors import JournalError
from companion.journal.evening_folder import evenings, find, latest_open, newest_at, recall, resume
from companion.journal.schema import SELECT, connect_to_read
from companion.journal.sqlite_image import put_together
from companion.journal.store import Journal, inspect, read
from tests.journal.table import TONIGHT, Table

Files = dict[str, bytes]
"""The ends of the names of an evening, and what is in them."""
NAME = "2026-11-16-1.journal"
ACTIONS = 30


def killed(folder: Path, seed: int, actions: int = ACTIONS) -> Files:
    """What a referee leaves that was killed: most of the evening is in the log."""
    with Journal.create(folder, date=TONIGHT) as journal:
        Table(journal).play_at_random(random.Random(seed), actions)
        return {end: journal.path.with_name(journal.path.name + end).read_bytes() for end in ("", "-wal", "-ledger")}


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return killed(tmp_path_factory.mktemp("ours"), 7)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Another evening of the same game, as long as ours."""
    return killed(tmp_path_factory.mktemp("theirs"), 8)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / "evenings").mkdir()
    return home


def lay(folder: Path, files: Files) -> Path:
    for path in folder.iterdir():
        path.unlink()
    for end, data in files.items():
        (folder / f"{NAME}{end}").write_bytes(data)
    return folder / NAME


def lying(folder: Path) -> Files:
    return {path.name.removeprefix(NAME): path.read_bytes() for path in folder.iterdir()}


def look_everywhere(home: Path) -> str:
    """The list, the doctor, the clock, an export: what is wrong with the one evening."""
    folder = home / "evenings"
    (listed,) = evenings(folder)
    latest_open(folder)
    newest_at(folder)
    for check in home_checks(home, datetime(2026, 11, 18, tzinfo=UTC), System(Path("/"))):
        list(check.look())
    path = find(folder, "2026-11-16-1")
    for look in (recall, read):
        with suppress(JournalError):
            look(path)
    return listed.problem


@given(st.one_of(st.integers(0, 4096), st.integers(0, 60_000)), st.sets(st.sampled_from(["-wal", "-ledger"])))
def test_whatever_was_cut_off_a_journal_to_look_at_it_changes_no_file(
    home: Path, ours: Files, size: int, gone: set[str]
) -> None:
    files = {end: data for end, data in ours.items() if end not in gone} | {"": ours[""][:size]}
    lay(home / "evenings", files)
    problem = look_everywhere(home)
    assert lying(home / "evenings") == files
    if size < 4096:
        assert "is empty, as a power cut leaves it" not in problem or (size == 0 and gone == {"-wal", "-ledger"})
        assert ("-ledger" in gone) != (f"; {ACTIONS + 1} entries had been stored, its ledger says" in problem)


@pytest.mark.parametrize(
    ("size", "words"), [(0, "its file is empty"), (1, "it was cut to 1 byte;"), (4095, "it was cut to 4095 bytes;")]
)
def test_a_journal_of_hardly_any_bytes_keeps_its_log_and_says_what_its_ledger_has(
    home: Path, ours: Files, size: int, words: str
) -> None:
    """SQLite takes a file of one byte for an empty one, and deletes its log."""
    path = lay(home / "evenings", ours | {"": ours[""][:size]})
    problem = look_everywhere(home)
    assert words in problem
    assert "is damaged" in problem
    assert f"{ACTIONS + 1} entries had been stored, its ledger says" in problem
    with pytest.raises(JournalError, match="was set aside"):
        resume(path, folder=home / "evenings")
    assert lying(home / "evenings") == {f".set-aside{end}": data for end, data in ours.items()} | {
        ".set-aside": ours[""][:size]
    }


def test_where_the_journal_is_gone_the_list_says_what_its_ledger_has(home: Path, ours: Files) -> None:
    lay(home / "evenings", {"-ledger": ours["-ledger"]})
    (listed,) = evenings(home / "evenings")
    assert f"there is no journal here; {ACTIONS + 1} entries had been stored" in listed.problem


NAMED = {
    "": "another evening",
    "-wal": "its write-ahead log belongs to another evening",
    "-ledger": "its ledger belongs to another evening",
}


@pytest.mark.parametrize("end", NAMED)
@pytest.mark.parametrize("actions", [0, 3, ACTIONS, 300])
def test_a_file_of_another_evening_is_named_and_never_read_as_this_one(
    home: Path, tmp_path: Path, ours: Files, end: str, actions: int
) -> None:
    foreign = killed(tmp_path / "theirs", 8, actions)
    files = ours | {end: foreign[end]}
    path = lay(home / "evenings", files)
    problem = look_everywhere(home)
    assert NAMED[end] in problem
    assert lying(home / "evenings") == files
    with pytest.raises(JournalError, match=r"another evening.*was set aside"):
        Journal.open(path, folder=home / "evenings")


def test_a_log_and_a_ledger_of_another_evening_are_not_read_as_this_one(home: Path, ours: Files, theirs: Files) -> None:
    """They agree with each other, and not with the journal."""
    files = theirs | {"": ours[""]}
    lay(home / "evenings", files)
    problem = look_everywhere(home)
    assert "its write-ahead log belongs to another evening; its ledger belongs to another evening" in problem
    assert lying(home / "evenings") == files


def test_a_foreign_log_costs_nothing_that_the_journal_and_its_ledger_have(
    home: Path, ours: Files, theirs: Files
) -> None:
    """The first entry is too long for a ledger: so it has to be in the journal's own file."""
    path = lay(home / "evenings", ours)
    with Journal.open(path) as journal:
        journal.append("action", b"more", "", "", 1.0)
        files, right = lying(home / "evenings"), read(path)
    lay(home / "evenings", {end: files[end] for end in ("", "-ledger")} | {"-wal": theirs["-wal"]})
    assert "its write-ahead log belongs to another evening" in inspect(path).problem
    with pytest.raises(JournalError, match=f"entries 1 to {len(right)} are sound"):
        read(path)


@pytest.mark.parametrize("end", ["-wal", "-ledger"])
def test_a_closed_evening_beside_which_the_file_of_another_lies_is_not_played_on(
    home: Path, tmp_path: Path, theirs: Files, end: str
) -> None:
    """To play on would be to write over the only copy of what the other evening had last."""
    with Journal.create(tmp_path / "ours", date=TONIGHT) as journal:
        Table(journal).play_at_random(random.Random(7), ACTIONS)
    path = lay(home / "evenings", {"": journal.path.read_bytes(), end: theirs[end]})
    assert "belongs to another evening" in look_everywhere(home)
    with pytest.raises(JournalError, match=r"another evening.*was set aside"):
        Journal.open(path, folder=home / "evenings")
    assert lying(home / "evenings")[f".set-aside{end}"] == theirs[end]


def test_no_two_evenings_have_one_identity(ours: Files, theirs: Files) -> None:
    assert {ours[end] == theirs[end] for end in ours} == {False}
    for files in (ours, theirs):
        image = put_together(files[""], files["-wal"])
        with closing(connect_to_read(image.whole)) as db:
            (identity,) = {row[-1] for row in db.execute(SELECT)}
        assert len(identity) == 16
        assert identity.hex().encode() in files[""]
        assert all(identity == files["-ledger"][start + 4 : start + 20] for start in range(0, 256 * 512, 512))


@given(st.integers(0, 200_000), st.integers(0, 255), st.booleans())
def test_of_a_damaged_log_exactly_that_is_read_that_sqlite_reads(
    tmp_path_factory: pytest.TempPathFactory, ours: Files, at: int, to: int, is_cut: bool
) -> None:
    """So that SQLite goes on with what was found to be sound."""
    log = bytearray(ours["-wal"])
    if is_cut:
        del log[at:]
    else:
        log[at % len(log)] = to
    path = tmp_path_factory.mktemp("sqlite") / NAME
    path.write_bytes(ours[""])
    path.with_name(f"{NAME}-wal").write_bytes(log)
    with closing(connect_to_read(put_together(ours[""], bytes(log)).whole)) as read_by_us:
        found = read_by_us.execute(SELECT).fetchall()
    with closing(sqlite3.connect(path)) as read_by_sqlite:
        assert read_by_sqlite.execute(SELECT).fetchall() == found
