"""Readers at work in threads of their own, beside an event loop, on simulated chips in real time."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from msgspec.structs import replace

from companion.devices.device import Device
from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.reader import Reader
from companion.devices.reader_settings import ReaderPace
from companion.devices.simulated.tags import Ntag
from companion.devices.tag_field import Failed, Look
from companion.table.effects import Light
from companion.table.signals import Connecting, LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved
from companion.troubles import ReaderTrouble
from tests.devices.pi import ANNA, BEN, PLACE

PACE = ReaderPace(look_s=0.005, first_pause_s=0.01, longest_pause_s=0.05, stalled_s=10)
IMPATIENT = replace(PACE, stalled_s=0.3)


class Ears:
    """Takes signals in the event loop's thread, and waits for one of a kind."""

    def __init__(self) -> None:
        self.told: list = []
        self._thread = threading.get_ident()
        self._news = asyncio.Event()

    def deliver(self, signal) -> None:
        assert threading.get_ident() == self._thread
        self.told.append(signal)
        self._news.set()

    async def hear(self, kind, station: str = "centre"):
        """The first signal of this kind that has not been asked for, of this station."""
        async with asyncio.timeout(60):
            while not (found := [each for each in self.told if isinstance(each, kind) and each.station == station]):
                self._news.clear()
                await self._news.wait()
        self.told.remove(found[0])
        return found[0]


@asynccontextmanager
async def running(*readers: Reader) -> AsyncIterator[Ears]:
    ears = Ears()
    tasks = [asyncio.create_task(reader.run(ears.deliver)) for reader in readers]
    try:
        yield ears
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def board():
    board = Board(WallClock())
    for bus in (0, 1):
        board.plug(Chip(), bus=bus, reset_pin=25 - bus)
    with board.installed():
        yield board


def chip(board: Board, bus: int = 0) -> Chip:
    return board._chips[bus, 0]


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name.startswith("reader")}


def test_a_reader_is_a_device_that_shows_nothing() -> None:
    device: Device = Reader("centre", partial(Rc522, *PLACE))
    device.show(Light("centre", "turn"))
    assert device.stations == ("centre",)


def test_a_tag_goes_all_the_way_from_the_chip_to_the_event_loop(board: Board) -> None:
    async def evening() -> None:
        chip(board).field.place(Ntag(ANNA))
        async with running(Reader("centre", partial(Rc522, *PLACE), pace=PACE)) as ears:
            await ears.hear(LinkUp)
            assert [type(each) for each in ears.told] == [Connecting, TagFound]
            ben = Ntag(BEN)
            chip(board).field.place(ben)
            assert (await ears.hear(TagPlaced)).uid == BEN.hex().upper()
            chip(board).field.lift(ben)
            assert (await ears.hear(TagRemoved)).uid == BEN.hex().upper()

    asyncio.run(evening())


def test_a_cancelled_reader_closes_and_leaves_no_thread(board: Board) -> None:
    async def evening() -> None:
        async with running(Reader("centre", partial(Rc522, *PLACE), pace=PACE)) as ears:
            await ears.hear(LinkUp)
            assert threads() == {"reader centre"}

    asyncio.run(evening())
    assert threads() == set()
    assert board.cleanups == [PLACE[2]]
    assert chip(board)._values[0x14] == 0x80  # the antenna is off


def test_a_reader_can_run_again(board: Board) -> None:
    async def evening() -> None:
        reader = Reader("centre", partial(Rc522, *PLACE), pace=PACE)
        chip(board).field.place(Ntag(ANNA))
        async with running(reader) as ears:
            await ears.hear(LinkUp)
        async with running(reader) as ears:
            await ears.hear(LinkUp)
            assert [type(each) for each in ears.told] == [Connecting]  # a tag that is still there is known

    asyncio.run(evening())


def test_two_readers_of_which_one_hangs_in_the_kernel_and_the_other_goes_on(board: Board) -> None:
    async def evening() -> None:
        readers = (
            Reader("centre", partial(Rc522, *PLACE), pace=IMPATIENT),
            Reader("pad0", partial(Rc522, 1, 0, 24), pace=PACE),
        )
        anna = Ntag(ANNA)
        chip(board, 0).field.place(anna)
        async with running(*readers) as ears:
            await ears.hear(LinkUp, "centre")
            await ears.hear(LinkUp, "pad0")
            held = chip(board, 0).faults.blocked = threading.Event()
            assert (await ears.hear(ReaderFault, "centre")).problem == ReaderTrouble.STALLED
            chip(board, 1).field.place(Ntag(BEN))
            assert (await ears.hear(TagPlaced, "pad0")).uid == BEN.hex().upper()
            ears.told.clear()
            chip(board, 0).faults.clear()
            assert held.is_set()
            await ears.hear(LinkUp, "centre")
            assert [each for each in ears.told if isinstance(each, TagRemoved | TagFound | TagPlaced)] == []

    asyncio.run(evening())


def test_a_hung_reader_is_left_behind_when_the_evening_ends(board: Board) -> None:
    async def evening() -> threading.Event:
        async with running(Reader("centre", partial(Rc522, *PLACE), pace=IMPATIENT)) as ears:
            await ears.hear(LinkUp)
            held = chip(board).faults.blocked = threading.Event()
            await ears.hear(ReaderFault)
        return held

    held = asyncio.run(evening())
    assert threads() == {"reader centre"}
    held.set()
    for thread in threading.enumerate():
        if thread.name == "reader centre":
            thread.join(5)
    assert threads() == set()


def test_eight_readers_work_side_by_side() -> None:
    board = Board(WallClock())
    chips = [board.plug(Chip(), bus=number, reset_pin=number + 4) for number in range(8)]
    stations = [f"pad{number}" for number in range(8)]

    async def evening() -> None:
        readers = [
            Reader(station, partial(Rc522, number, 0, number + 4), pace=PACE) for number, station in enumerate(stations)
        ]
        async with running(*readers) as ears:
            for station in stations:
                await ears.hear(LinkUp, station)
            for number, each in enumerate(chips):
                each.field.place(Ntag(bytes([4, 1, 2, 3, 4, 5, number])))
            for number, station in enumerate(stations):
                assert (await ears.hear(TagPlaced, station)).uid.endswith(f"{number:02X}")

    with board.installed():
        asyncio.run(evening())


def test_a_mistake_in_a_driver_ends_the_run_and_is_not_hidden() -> None:
    class Broken:
        def inventory(self, known) -> Look:
            raise ZeroDivisionError("a mistake")

        def close(self) -> None: ...

    async def evening() -> None:
        await Reader("centre", Broken).run(lambda signal: None)

    with pytest.raises(ZeroDivisionError, match="a mistake"):
        asyncio.run(evening())


class Slow(tuple):
    """Who was seen, as it is told by a machine that is busy elsewhere at that very moment."""

    times = 0

    def __iter__(self):
        self.times += 1
        if self.times > 1:  # the look itself has ended: this is the one that reports it
            time.sleep(0.4)
        return super().__iter__()


class Empty:
    """An empty field, until a tag comes, once."""

    def __init__(self) -> None:
        self.seen: tuple[bytes, ...] = ()

    def restart(self) -> None: ...

    def look(self, known) -> Look:
        seen, self.seen = self.seen, tuple(known)
        return Look(seen=seen)

    def inventory(self, known) -> Look:
        return self.look(known)

    def read_page(self, uid, page) -> Failed:
        return Failed("no answer")

    def write_page(self, uid, page, data) -> Failed:
        return Failed("no answer")

    def close(self) -> None: ...


def test_a_guard_that_fires_just_as_a_look_ends_does_not_overtake_what_it_has_shown(monkeypatch) -> None:
    monkeypatch.setattr("companion.devices.reader.GUARD_S", 0.01)
    field = Empty()

    async def evening() -> None:
        async with running(Reader("centre", lambda: field, pace=replace(PACE, stalled_s=0.2))) as ears:
            await ears.hear(LinkUp)
            ears.told.clear()
            field.seen = Slow((ANNA,))
            await ears.hear(TagPlaced)
            assert ears.told == [], "and the guard has nothing to say: the thread works"

    asyncio.run(evening())
