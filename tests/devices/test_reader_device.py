"""Readers at work in threads of their own, beside an event loop, on simulated chips in real time."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from companion.devices.device import Device
from companion.devices.field import Look
from companion.devices.reader import STALLED, Pace, Reader
from companion.simulation.hardware.board import Board, WallClock
from companion.simulation.hardware.chip import Chip
from companion.simulation.hardware.tags import Ntag
from companion.table.effects import Light
from companion.table.signals import Connecting, LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved
from tests.devices.pi import ANNA, BEN, PLACE

PACE = Pace(look_s=0.005, first_pause_s=0.01, longest_pause_s=0.05, stalled_s=10)
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
        async with asyncio.timeout(10):
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
    device: Device = Reader("centre", *PLACE)
    device.show(Light("centre", "turn"))
    assert device.stations == ("centre",)


def test_a_tag_goes_all_the_way_from_the_chip_to_the_event_loop(board: Board) -> None:
    async def evening() -> None:
        chip(board).field.place(Ntag(ANNA))
        async with running(Reader("centre", *PLACE, pace=PACE)) as ears:
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
        async with running(Reader("centre", *PLACE, pace=PACE)) as ears:
            await ears.hear(LinkUp)
            assert threads() == {"reader centre"}

    asyncio.run(evening())
    assert threads() == set()
    assert board.cleanups == []
    assert chip(board)._values[0x14] == 0x80  # the antenna is off


def test_a_reader_can_run_again(board: Board) -> None:
    async def evening() -> None:
        reader = Reader("centre", *PLACE, pace=PACE)
        chip(board).field.place(Ntag(ANNA))
        async with running(reader) as ears:
            await ears.hear(LinkUp)
        async with running(reader) as ears:
            await ears.hear(LinkUp)
            assert [type(each) for each in ears.told] == [Connecting]  # whoever lies there still is known

    asyncio.run(evening())


def test_two_readers_of_which_one_hangs_in_the_kernel_and_the_other_goes_on(board: Board) -> None:
    async def evening() -> None:
        readers = Reader("centre", *PLACE, pace=IMPATIENT), Reader("pad0", 1, 0, 24, pace=PACE)
        anna = Ntag(ANNA)
        chip(board, 0).field.place(anna)
        async with running(*readers) as ears:
            await ears.hear(LinkUp, "centre")
            await ears.hear(LinkUp, "pad0")
            held = chip(board, 0).faults.blocked = threading.Event()
            assert (await ears.hear(ReaderFault, "centre")).problem == STALLED
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
        async with running(Reader("centre", *PLACE, pace=IMPATIENT)) as ears:
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
        readers = [Reader(station, number, 0, number + 4, pace=PACE) for number, station in enumerate(stations)]
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
        await Reader("centre", *PLACE, open_field=Broken).run(lambda signal: None)

    with pytest.raises(ZeroDivisionError, match="a mistake"):
        asyncio.run(evening())
