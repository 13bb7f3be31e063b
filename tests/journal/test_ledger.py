"""The ledger: whatever is done to it, it says what was promised, or that it cannot."""

import struct
import zlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal.ledger import LENGTH, ROOM, SECTOR, SIZE_LIMIT, Ledger, Promise, fits, read_ledger
from companion.session.entry import Entry, seal

EVENING = bytes(range(16))


def promises(count: int, length: int = 20) -> list[Promise]:
    made: list[Promise] = []
    last = 7
    for number in range(1, count + 1):
        entry = Entry(10 + number, 1.5, "action", "tag", f"cause {number}", b"x" * length)
        last = seal(last, entry)
        made.append(Promise(entry.number, last, entry))
    return made


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "ledger"
    ledger = Ledger.begin(path, EVENING, 10, 7, promises(3))
    for promise in promises(9)[3:]:
        ledger.append(promise)
    ledger.close()
    return path


def test_what_was_promised_is_read(written: Path) -> None:
    found = read_ledger(written)
    assert found is not None
    assert (found.base, found.base_seal, found.newest, found.problem) == (10, 7, 19, "")
    assert list(found.promises) == promises(9)


def test_a_ledger_has_its_full_size_from_the_beginning(tmp_path: Path) -> None:
    ledger = Ledger.begin(tmp_path / "ledger", EVENING, 0, 0)
    size = (tmp_path / "ledger").stat().st_size
    room = 0
    while not ledger.full:
        ledger.append(Promise(room := room + 1, 0, None))
    ledger.doubt(5)
    ledger.close()
    assert (tmp_path / "ledger").stat().st_size == size == ROOM * SECTOR
    found = read_ledger(tmp_path / "ledger")
    assert found is not None
    assert (found.newest, found.doubt, found.problem) == (room, 5, "")
    assert room == ROOM - 2


@pytest.mark.parametrize(("room", "base"), [(2**62, 0), (SIZE_LIMIT // SECTOR + 1, 0), (0, 0), (-1, 0), (ROOM, -3)])
def test_a_head_that_promises_what_no_ledger_has_is_no_head(tmp_path: Path, room: int, base: int) -> None:
    path = tmp_path / "ledger"
    Ledger.begin(path, EVENING, 0, 0).close()
    head = bytearray(path.read_bytes()[:SECTOR])
    held = msgspec.msgpack.encode((room, base, 0))
    head[33:SECTOR] = (struct.pack(">H", len(held)) + held).ljust(SECTOR - 33, b"\0")
    head[-4:] = struct.pack(">I", zlib.crc32(head[:-4]))
    path.write_bytes(head)
    found = read_ledger(path)
    assert found is not None
    assert found.problem == "its head cannot be right"


def test_there_is_no_ledger_where_there_is_no_file(tmp_path: Path) -> None:
    assert read_ledger(tmp_path / "ledger") is None


@pytest.mark.parametrize(("length", "is_held"), [(0, True), (LENGTH - 100, True), (LENGTH - 20, False), (5000, False)])
def test_an_entry_that_is_too_long_is_named(tmp_path: Path, length: int, is_held: bool) -> None:
    (promise,) = promises(1, length)
    assert promise.entry is not None
    Ledger.begin(tmp_path / "ledger", EVENING, 10, 7, [promise]).close()
    found = read_ledger(tmp_path / "ledger")
    assert found is not None
    (read,) = found.promises
    assert (read.number, read.seal) == (promise.number, promise.seal)
    assert read.entry == (promise.entry if is_held else None)
    assert fits(promise.entry) == is_held


def test_an_entry_is_expected_in_its_sector_exactly_if_it_fits_with_the_longest_seal() -> None:
    """A reader that expected more would report a loss that is none; one that expected less would overlook one."""
    fitting = set()
    for length in range(LENGTH - 120, LENGTH):
        (promise,) = promises(1, length)
        assert promise.entry is not None
        fitting.add(fits(promise.entry))
        assert fits(promise.entry) == (len(msgspec.msgpack.encode((0xFFFF_FFFF, promise.entry))) <= LENGTH)
    assert fitting == {True, False}


@given(st.data())
def test_whatever_is_done_to_a_sector_it_promises_no_less(written: Path, data: st.DataObject) -> None:
    whole = written.read_bytes()
    place = data.draw(st.integers(0, ROOM - 1)) * SECTOR
    sector = data.draw(
        st.one_of(
            st.just(bytes(SECTOR)),
            st.binary(min_size=SECTOR, max_size=SECTOR),
            st.integers(0, ROOM - 1).map(lambda other: whole[other * SECTOR : (other + 1) * SECTOR]),
            st.tuples(st.integers(0, SECTOR - 1), st.integers(1, 255)).map(
                lambda flip: bytes(
                    byte ^ (flip[1] if at == flip[0] else 0) for at, byte in enumerate(whole[place : place + SECTOR])
                )
            ),
        )
    )
    _check(written.with_name("damaged"), whole[:place] + sector + whole[place + SECTOR :])


def test_what_is_behind_the_first_free_sector_does_not_matter(written: Path) -> None:
    whole = written.read_bytes()
    cut = written.with_name("cut")
    for end in (11 * SECTOR, 12 * SECTOR + 7, len(whole) - 1):
        cut.write_bytes(whole[:end])
        assert read_ledger(cut) == read_ledger(written)


@given(st.integers(0, ROOM * SECTOR - 1))
def test_whatever_is_cut_off_it_promises_no_less(written: Path, size: int) -> None:
    whole = written.read_bytes()
    _check(written.with_name("cut"), whole[:size])


def _check(path: Path, damaged: bytes) -> None:
    """Nothing is promised that was not, and what was promised is, even if it cannot be read."""
    path.write_bytes(damaged)
    found = read_ledger(path)
    assert found is not None
    right = promises(9)
    if found.problem:
        return
    assert (found.base, found.base_seal, found.doubt) == (10, 7, 0)
    assert found.newest >= 19
    for promise in found.promises:
        assert promise in right or (promise.seal, promise.entry) == (None, None)
