"""Damage: whatever happened to the bytes, a journal gives the right entries or says clearly what is wrong."""

import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.evening_folder import evenings, recall, resume
from companion.journal.store import Journal, inspect, read
from companion.session.entry import Entry
from companion.session.evening import Evening
from tests.journal.table import TONIGHT, Table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evenings"


@pytest.fixture
def path(folder: Path) -> Path:
    """An evening at rest: a game and a hundred actions."""
    with Journal.create(folder, date=TONIGHT) as journal:
        Table(journal).play_at_random(random.Random(7), 100, undo=0.1)
    return journal.path


def flip(path: Path, *places: int, mask: int = 0x55) -> None:
    data = bytearray(path.read_bytes())
    for place in places:
        data[place] ^= mask
    path.write_bytes(data)


def change(path: Path, *statements: str) -> None:
    """As another program would, with the file open."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


# --- Every kind of damage -------------------------------------------------------------------------------------


def is_cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def is_cut_in_a_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def has_lost_its_last_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


def is_empty(path: Path) -> None:
    path.write_bytes(b"")


def is_full_of_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def is_a_text(path: Path) -> None:
    path.write_text("Dear diary, tonight we played Lascaux. " * 200, encoding="utf-8")


def belongs_to_another_program(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE recipe(cake)", "INSERT INTO recipe VALUES ('apple')")


def has_another_application_id(path: Path) -> None:
    change(path, "PRAGMA application_id=7")


def has_no_table(path: Path) -> None:
    change(path, "DROP TABLE entry")


def lacks_an_entry(path: Path) -> None:
    change(path, "DELETE FROM entry WHERE number = 40")


def has_a_changed_entry(path: Path) -> None:
    change(path, "UPDATE entry SET body = CAST(replace(body, ':', ': ') AS BLOB) WHERE number = 40")


def has_an_entry_of_an_unknown_kind(path: Path) -> None:
    change(path, "UPDATE entry SET kind = 'rumour' WHERE number = 40")


def has_an_entry_without_time(path: Path) -> None:
    change(path, "UPDATE entry SET at = 'tonight' WHERE number = 40")


DAMAGES: list[tuple[Callable[[Path], None], str, int | None]] = [
    (is_cut_in_half, "damaged", None),
    (is_cut_in_a_page, "damaged", None),
    (has_lost_its_last_page, "damaged", None),
    (is_empty, "is empty", 0),
    (is_full_of_zeros, "no journal of Companion", 0),
    (is_a_text, "no journal of Companion", 0),
    (belongs_to_another_program, "belongs to another program", 0),
    (has_another_application_id, "belongs to another program", None),
    (has_no_table, "damaged", 0),
    (lacks_an_entry, "entry 40 is missing", 39),
    (has_a_changed_entry, "entry 40 is not what was stored", 39),
    (has_an_entry_of_an_unknown_kind, "entry 40 cannot be read", 39),
    (has_an_entry_without_time, "entry 40 cannot be read", 39),
]
damages = pytest.mark.parametrize(
    ("damage", "problem", "sound"), DAMAGES, ids=lambda value: getattr(value, "__name__", "")
)


@damages
def test_an_evening_is_set_aside_if_it(
    folder: Path, path: Path, damage: Callable[[Path], None], problem: str, sound: int | None
) -> None:
    entries = read(path)
    damage(path)
    data = path.read_bytes()
    aside = folder / "2026-11-16-1.journal.set-aside"
    with pytest.raises(JournalError, match=problem) as told:
        resume(path, folder=folder)
    assert f"was set aside as {aside}" in str(told.value)
    assert aside.read_bytes() == data
    assert [name.name for name in folder.iterdir() if not name.name.startswith(aside.name)] == []
    evening = recall(aside).evening
    assert evening.number == sound or sound is None
    assert not evening.played_games or evening.state == Evening(entries[: evening.number]).state
    tells = f"entries 1 to {evening.number} are sound, and `companion export {aside}` can still tell them"
    assert (tells if evening.number else "no entry of it is sound") in str(told.value)


@damages
def test_a_file_elsewhere_is_refused_and_left_alone_if_it(
    path: Path, tmp_path: Path, damage: Callable[[Path], None], problem: str, sound: int | None
) -> None:
    damage(path)
    data = path.read_bytes()
    for folder in (None, tmp_path / "other"):
        with pytest.raises(JournalError, match=f"{problem}.*was left as it is"):
            resume(path, folder=folder)
    with pytest.raises(JournalError, match=problem):
        read(path)
    assert path.read_bytes() == data
    assert [name.name for name in path.parent.iterdir()] == [path.name]


@damages
def test_a_list_tells_what_is_wrong_and_renames_nothing_if_it(
    folder: Path, path: Path, damage: Callable[[Path], None], problem: str, sound: int | None
) -> None:
    damage(path)
    (listed,) = evenings(folder)
    assert listed.standing == "damaged"
    assert problem in listed.problem
    assert path.exists()


# --- Setting aside --------------------------------------------------------------------------------------------


def test_what_was_set_aside_before_stays(folder: Path, path: Path) -> None:
    for number, name in enumerate(("", "-2", "-3")):
        path.write_text(f"text {number}", encoding="utf-8")
        with pytest.raises(JournalError, match=f"set-aside{name};"):
            Journal.open(path, folder=folder)
    asides = sorted(folder.iterdir())
    assert [aside.read_text(encoding="utf-8") for aside in asides] == ["text 0", "text 1", "text 2"]


def test_a_log_goes_along_with_its_journal(folder: Path, path: Path) -> None:
    stored = read(path)
    with Journal.open(path, folder=folder) as journal:
        stored += [journal.append("action", b'{"do":"nonsense"}', "", "", 1.0)]
        copies = {name: name.read_bytes() for name in folder.iterdir()}
    for name, data in copies.items():
        name.write_bytes(data)
    with pytest.raises(JournalError, match=f"entry {len(stored)}: the rules refuse this action"):
        resume(path, folder=folder)
    aside = folder / "2026-11-16-1.journal.set-aside"
    assert read(aside) == stored
    assert min(path.name for path in folder.iterdir()) == aside.name


def test_entries_that_make_no_game_are_reported_up_to_there(folder: Path, path: Path) -> None:
    stored = read(path)
    with Journal.open(path, folder=folder) as journal:
        journal.append("undo", b'{"undo":1}', "", "", 1.0)
        journal.append("undo", b'{"undo":1}', "", "", 1.0)
    with pytest.raises(JournalError, match=f"entries 1 to {len(stored)} are sound"):
        resume(path, folder=folder)
    assert recall(folder / "2026-11-16-1.journal.set-aside").evening.state == Evening(stored).state


def test_a_newer_format_is_refused_and_not_touched(folder: Path, path: Path) -> None:
    change(path, "PRAGMA user_version=3")
    data = path.read_bytes()
    for attempt in (read, recall, lambda path: Journal.open(path, folder=folder)):
        with pytest.raises(JournalError, match="a newer Companion wrote this journal"):
            attempt(path)
    assert evenings(folder)[0].standing == "refused"
    assert [(name.name, name.read_bytes()) for name in folder.iterdir()] == [(path.name, data)]


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_journal_from_before_the_first_release_is_named_as_such_and_not_touched(
    folder: Path, path: Path, version: int
) -> None:
    """It is neither damaged nor newer."""
    change(
        path,
        "ALTER TABLE entry RENAME TO other",
        "CREATE TABLE entry(\n  number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, how TEXT NOT NULL, "
        "cause TEXT NOT NULL, body BLOB NOT NULL, seal INTEGER NOT NULL\n)",
        "INSERT INTO entry SELECT number, at, kind, how, cause, body, seal FROM other",
        "DROP TABLE other",
        f"PRAGMA user_version={version}",
    )
    data = path.read_bytes()
    for attempt in (read, recall, lambda path: Journal.open(path, folder=folder)):
        with pytest.raises(JournalError, match=r"by a version before 1\.0, which this one cannot read") as error:
            attempt(path)
        assert not re.search("damaged|newer", str(error.value))
    assert evenings(folder)[0].standing == "refused"
    assert [(name.name, name.read_bytes()) for name in folder.iterdir()] == [(path.name, data)]


def test_a_format_that_no_companion_will_ever_have_is_damage(folder: Path, path: Path) -> None:
    change(path, "PRAGMA user_version=9437186")
    with pytest.raises(JournalError, match=r"there is no format 9437186.*set aside"):
        Journal.open(path, folder=folder)


def test_a_file_that_is_not_there_is_named(folder: Path) -> None:
    for attempt in (read, recall, Journal.open):
        with pytest.raises(JournalError, match="there is no journal here"):
            attempt(folder / "2026-11-16-1.journal")
    assert not folder.exists()


def test_a_file_that_was_cut_still_tells_its_beginning(path: Path) -> None:
    right = read(path)
    has_lost_its_last_page(path)
    evening = recall(path).evening
    assert 30 < evening.number < len(right)
    assert evening.state == Evening(right[: evening.number]).state


def test_a_message_about_damage_quotes_no_secret(path: Path) -> None:
    change(path, "UPDATE entry SET body = CAST(x'6d79206368656f6963653a20ff' AS TEXT) WHERE number = 40")
    with pytest.raises(JournalError) as told:
        read(path)
    assert "my" not in str(told.value).split(": ", 1)[1]


# --- Flipped bytes --------------------------------------------------------------------------------------------


def read_or_refuse(path: Path) -> list[Entry] | None:
    try:
        return read(path)
    except JournalError:
        return None


@pytest.mark.parametrize("count", [1, 2, 50])
def test_flipped_bytes_give_the_right_entries_or_an_error(path: Path, count: int) -> None:
    right, data, chance = read(path), path.read_bytes(), random.Random(count)
    seen = {True: 0, False: 0}
    for _ in range(600):
        path.write_bytes(data)
        flip(path, *chance.sample(range(len(data)), count), mask=chance.randrange(1, 256))
        entries = read_or_refuse(path)
        assert entries is None or entries == right
        seen[entries is None] += 1
    assert seen[True], "no flip was noticed"


def test_every_flipped_byte_of_the_header_gives_the_right_entries_or_an_error(path: Path) -> None:
    right, data = read(path), path.read_bytes()
    for place in range(100):
        for mask in (0x01, 0x80, 0xFF):
            path.write_bytes(data)
            flip(path, place, mask=mask)
            assert read_or_refuse(path) in (None, right)


def test_a_page_that_hides_its_newest_entries_is_noticed(path: Path) -> None:
    """Their seals cannot tell: what is left is a sound beginning. SQLite's own check finds the unused bytes."""
    right, data = read(path), path.read_bytes()
    leaves = [start for start in range(4096, len(data), 4096) if data[start] == 0x0D]
    for leaf in leaves:
        cells = int.from_bytes(data[leaf + 3 : leaf + 5])
        path.write_bytes(data[: leaf + 3] + (cells - 1).to_bytes(2) + data[leaf + 5 :])
        assert read_or_refuse(path) is None
    assert len(leaves) > 1
    path.write_bytes(data)
    assert read(path) == right


def test_the_sound_beginning_of_a_flipped_file_is_a_beginning_of_the_evening(path: Path) -> None:
    right, data, chance = read(path), path.read_bytes(), random.Random(3)
    for _ in range(150):
        path.write_bytes(data)
        flip(path, chance.randrange(len(data)), mask=chance.randrange(1, 256))
        try:
            evening = recall(path).evening
        except JournalError:
            continue
        if evening.played_games:
            assert evening.state == Evening(right[: evening.number]).state


# --- A log and a ledger that were left behind -----------------------------------------------------------------


@pytest.fixture
def killed(folder: Path) -> Path:
    """An evening whose referee was killed: most of it is still in the log."""
    with Journal.create(folder, date=TONIGHT) as journal:
        Table(journal).play_at_random(random.Random(7), 40)
        copies = {name: name.read_bytes() for name in folder.iterdir() if not name.name.endswith("-shm")}
    for name, data in copies.items():
        name.write_bytes(data)
    return journal.path


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def test_a_log_that_was_left_behind_is_read_and_gone_on_with(folder: Path, killed: Path) -> None:
    entries = read(killed)
    assert len(entries) == 41
    journal, evening = resume(killed, folder=folder)
    with journal:
        assert evening.number == 41
        assert evening.state == Evening(entries).state


def is_zeroed_at_its_beginning(log: Path) -> None:
    log.write_bytes(bytes(512) + log.read_bytes()[512:])


def is_zeroed_at_its_end(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-512] + bytes(512))


def is_full_of_nothing(log: Path) -> None:
    log.write_bytes(bytes(log.stat().st_size))


def is_cut(log: Path) -> None:
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 3])


def is_gone(log: Path) -> None:
    log.unlink()


LOSSES = [is_zeroed_at_its_beginning, is_zeroed_at_its_end, is_full_of_nothing, is_cut, is_gone]
losses = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.__name__)


@losses
def test_no_entry_is_missing_if_the_log(folder: Path, killed: Path, loss: Callable[[Path], None]) -> None:
    with Journal.open(killed, folder=folder) as journal:  # the game itself is too long for a ledger
        journal.append("action", b"one", "", "", 1.0)
        journal.append("action", b"two", "", "", 2.0)
        copies = {name: name.read_bytes() for name in folder.iterdir() if not name.name.endswith("-shm")}
        right = read(killed)
    for name, data in copies.items():
        name.write_bytes(data)
    loss(beside(killed, "-wal"))
    assert read(killed) == right
    with Journal.open(killed, folder=folder) as journal:
        assert list(journal.entries()) == right
        journal.append("action", b"three", "", "", 3.0)
    assert [entry.body for entry in read(killed)][-3:] == [b"one", b"two", b"three"]


@losses
def test_an_entry_that_was_only_in_the_log_is_missed_and_the_rest_told_if_it(
    folder: Path, path: Path, loss: Callable[[Path], None]
) -> None:
    """A long entry, with the text of a box in it, is only named in the ledger."""
    with Journal.open(path, folder=folder) as journal:
        right = list(journal.entries())
        journal.append("game", b"x" * 5000, "", "", 1.0)
        copies = {name: name.read_bytes() for name in folder.iterdir() if not name.name.endswith("-shm")}
    for name, data in copies.items():
        name.write_bytes(data)
    loss(beside(path, "-wal"))
    with pytest.raises(JournalError, match=r"entry 102 is missing, so what was played last may be missing.*set aside"):
        Journal.open(path, folder=folder)
    assert list(inspect(folder / "2026-11-16-1.journal.set-aside").entries) == right


def loses_its_newest_sectors(ledger: Path) -> None:
    ledger.write_bytes(ledger.read_bytes()[: 30 * 512])


@pytest.mark.parametrize(
    "loss",
    [is_zeroed_at_its_beginning, is_full_of_nothing, loses_its_newest_sectors, is_gone],
    ids=lambda loss: loss.__name__,
)
def test_an_evening_is_set_aside_if_its_ledger(folder: Path, killed: Path, loss: Callable[[Path], None]) -> None:
    loss(beside(killed, "-ledger"))
    (listed,) = evenings(folder)
    assert (listed.standing, listed.actions) == ("damaged", 40)
    assert "what was played last may be missing" in listed.problem
    with pytest.raises(JournalError, match=r"was set aside as .* entries 1 to 41 are sound"):
        resume(killed, folder=folder)


@pytest.mark.parametrize("sector", [1, 7, 40, 43, 200])
def test_a_bad_sector_in_a_ledger_costs_nothing_as_long_as_the_journal_has_its_entry(
    folder: Path, killed: Path, sector: int
) -> None:
    right, ledger = read(killed), beside(killed, "-ledger")
    data = ledger.read_bytes()
    ledger.write_bytes(data[: sector * 512] + bytes(512) + data[(sector + 1) * 512 :])
    assert read(killed) == right
    beside(killed, "-wal").unlink()
    if sector <= 40:
        with pytest.raises(JournalError, match=r"is missing, so what was played last may be missing"):
            read(killed)


def test_an_evening_whose_journal_is_gone_is_still_listed(folder: Path, killed: Path) -> None:
    killed.unlink()
    (listed,) = evenings(folder)
    assert listed.id == "2026-11-16-1"
    assert listed.standing == "refused"
    assert "there is no journal here" in listed.problem


def test_a_ledger_of_another_evening_is_noticed(folder: Path, killed: Path) -> None:
    with Journal.create(folder, date=TONIGHT) as other:
        for number in range(41):
            other.append("action", str(number).encode(), "", "", 1.0)
        foreign = beside(other.path, "-ledger").read_bytes()
    beside(killed, "-ledger").write_bytes(foreign)
    with pytest.raises(JournalError, match=r"entry 2 is missing|belongs to another evening"):
        read(killed)


def test_flipped_bytes_in_a_log_change_nothing(killed: Path) -> None:
    right, log = read(killed), beside(killed, "-wal")
    data, chance = log.read_bytes(), random.Random(11)
    exact = 0
    for _ in range(100):
        log.write_bytes(data)
        flip(log, chance.randrange(len(data)), mask=chance.randrange(1, 256))
        entries = read_or_refuse(killed)
        assert entries in (None, right)
        exact += entries is not None
    assert exact > 50
