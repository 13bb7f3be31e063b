"""A satellite as a device, on a real pseudo-terminal through the real pyserial."""

import asyncio
import os
from pathlib import Path
from statistics import median

import pytest

from companion.devices.satellite import driver as satellite_module
from companion.devices.satellite import wire
from companion.devices.satellite.driver import Satellite
from companion.devices.satellite.simulated_board import Weather
from companion.devices.satellite.simulated_satellite import SimulatedSatellite
from companion.table.effects import Light, Sound
from companion.table.signals import (
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    TagFound,
    TagPlaced,
    TagRemoved,
)
from companion.troubles import LineTrouble, SatelliteTrouble
from tests.devices.hasty import hastily, now_ms, until
from tests.devices.satellite.satellite_table import PADS, A, B, C, Told, plugged_in, running

FILES = Path("/proc/self/fd")
"""What this process has open."""


# --- When all is well -----------------------------------------------------------------------------------------


def test_each_station_is_connecting_then_tells_what_lies_there_then_is_ready(tmp_path: Path):
    async def evening() -> None:
        async with SimulatedSatellite(tmp_path / "satellite", serial=77) as satellite:
            satellite.pads[1].lay(A)
            async with running(Satellite(PADS, str(satellite.path), clock=now_ms)) as told:
                await told.becomes("ready")
                assert [type(signal) for signal in told.signals] == [
                    *[Connecting] * 5,
                    *[LinkUp, TagFound, *[LinkUp] * 4],
                ]
                assert told.of(TagFound)[0].uid == A

    hastily(evening())


def test_what_hands_do_is_reported_in_order_and_by_names(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            told.forget()
            pad = satellite.pads[2]
            began_ms = now_ms()
            pad.lay(A)
            pad.press("green")
            pad.hold("red")
            pad.lift(A)
            await told.hears(TagRemoved)
            assert [type(signal) for signal in told.signals] == [TagPlaced, Pressed, Held, TagRemoved]
            assert [signal.id for signal in told.signals] == [f"77.2.{number}" for number in range(5, 9)]
            assert all(signal.station == "pad2" for signal in told.signals)
            assert all(began_ms - 5 <= signal.at_ms <= now_ms() for signal in told.signals)

    hastily(evening())


def test_an_event_is_reported_within_milliseconds(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            took_ms = []
            for count in range(1, 22):
                began_ms = now_ms()
                satellite.pads[0].press("green")
                await told.hears(Pressed, count)
                took_ms.append(now_ms() - began_ms)
            assert median(took_ms) < 20, "on a busy machine one or the other may take longer"

    hastily(evening())


def test_lamps_show_the_newest_light_and_sounds_are_heard(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            for pattern in ("turn", "done", "question"):
                told.device.show(Light("pad3", pattern))
            told.device.show(Sound("pad4", "refused"))
            told.device.show(Light("centre", "turn"))
            await until(lambda: satellite.pads[3].lamp == "question" and satellite.pads[4].sounds == ["refused"])
            satellite.unplug()
            await told.becomes(LineTrouble.UNPLUGGED)
            told.device.show(Light("pad0", "lost"))
            told.device.show(Sound("pad0", "turn"))
            satellite.plug()
            await until(lambda: [pad.lamp for pad in satellite.pads] == ["lost", "off", "off", "question", "off"])
            assert satellite.pads[0].sounds == [], "a sound that is late is not made up for"

    hastily(evening())


def test_a_light_is_shown_at_once(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            began_ms = now_ms()
            for turn in range(20):
                pattern = "turn" if turn % 2 else "done"
                told.device.show(Light("pad0", pattern))
                await until(lambda pattern=pattern: satellite.pads[0].lamp == pattern)
            assert now_ms() - began_ms < 3000, "not only with the next PING"

    hastily(evening())


# --- Coming and going -----------------------------------------------------------------------------------------


def test_unplugged_all_stations_are_lost_at_once_and_plugged_in_the_differences_are_reported(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.pads[0].lay(A)
            satellite.pads[1].lay(B)
            await told.hears(TagPlaced, 2)
            told.forget()
            satellite.unplug()
            await told.hears(LinkDown, 5)
            assert told.signals == [
                LinkDown(pad, told.signals[0].at_ms, LineTrouble.UNPLUGGED) for pad in PADS.values()
            ]
            satellite.pads[0].lift(A)
            satellite.pads[0].lay(C)
            told.forget()
            satellite.plug()
            await told.becomes("ready")
            assert [type(signal) for signal in told.signals[:5]] == [Connecting] * 5
            assert [(type(signal), signal.uid) for signal in told.signals if hasattr(signal, "uid")] == [
                (TagRemoved, A),
                (TagFound, C),
            ]

    hastily(evening())


def test_a_satellite_that_starts_again_is_looked_at_again_and_was_never_away(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.pads[0].lay(A)
            await told.hears(TagPlaced)
            told.forget()
            satellite.reset()
            satellite.pads[0].lay(B)
            await told.hears(LinkUp, 5)
            assert told.of(LinkDown) == told.of(TagRemoved) == []
            assert [found.uid for found in told.of(TagFound)] == [B]

    hastily(evening())


def test_a_satellite_that_hangs_is_lost_after_two_seconds_and_found_again_when_it_goes_on(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.pads[0].lay(A)
            await told.hears(TagPlaced)
            told.forget()
            satellite.silent = True
            began_ms = now_ms()
            await told.becomes(SatelliteTrouble.NO_ANSWER)
            assert 1500 <= now_ms() - began_ms <= 2600
            await asyncio.sleep(20)
            assert told.problems == [SatelliteTrouble.NO_ANSWER], "told once, however often it is tried"
            satellite.silent = False
            await told.becomes("ready")
            assert told.of(TagFound) == told.of(TagRemoved) == []

    hastily(evening())


def test_presses_while_the_cable_was_out_count_if_they_are_not_too_old(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            for wait_s, heard in ((0.5, Pressed), (5.0, Missed)):
                told.forget()
                satellite.unplug()
                await told.becomes(LineTrouble.UNPLUGGED)
                satellite.pads[0].press("green")
                await asyncio.sleep(wait_s)
                satellite.plug(powered=True)
                await told.becomes("ready")
                assert [type(each) for each in told.signals if isinstance(each, Pressed | Missed)] == [heard]

    hastily(evening())


def test_what_was_laid_while_the_cable_was_out_is_reported_though_it_looks_as_before(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.pads[0].lay(A)
            await told.hears(TagPlaced)
            told.forget()
            satellite.unplug()
            await told.becomes(LineTrouble.UNPLUGGED)
            satellite.pads[0].lift(A)
            satellite.pads[0].lay(A)
            satellite.pads[1].lay(B)
            satellite.pads[1].lift(B)
            satellite.plug(powered=True)
            await told.becomes("ready")
            assert [type(each) for each in told.signals if each.station == "pad0"] == [
                *[LinkDown, Connecting, TagRemoved, TagFound, LinkUp]
            ]
            assert [type(each) for each in told.signals if each.station == "pad1"] == [
                *[LinkDown, Connecting, Missed, LinkUp]
            ]

    hastily(evening())


def test_a_loose_plug_does_not_flood_the_table_with_news(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            told.forget()
            began_ms = now_ms()
            while now_ms() - began_ms < 10_000:
                satellite.unplug()
                await asyncio.sleep(0.01)
                satellite.plug()
                await asyncio.sleep(0.01)
            assert 3 <= len(told.problems) <= 20
            await told.becomes("ready")

    hastily(evening())


@pytest.mark.slow
def test_a_thousand_times_unplugged_and_plugged_in_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(satellite_module, "STEADY_MS", 0)  # however short it was there, it is looked for at once

    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            lines = len(list(FILES.iterdir()))
            for cycle in range(1000):
                uid = f"04{cycle:012X}"
                satellite.unplug()
                await told.becomes(LineTrouble.UNPLUGGED, ["pad0"])
                satellite.pads[0].lift()
                satellite.pads[0].lay(uid)
                told.forget()
                satellite.plug()
                await told.becomes("ready", ["pad4"])
                assert [signal.uid for signal in told.of(TagFound)] == [uid]
                assert len(told.of(TagRemoved)) == (cycle > 0)
            assert len(list(FILES.iterdir())) == lines, "nothing is left open"

    hastily(evening())


# --- Faults ---------------------------------------------------------------------------------------------------


def test_a_broken_reader_costs_one_station_and_no_tag(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.pads[0].lay(A)
            satellite.pads[0].break_reader()
            await told.hears(ReaderFault)
            assert told.of(ReaderFault)[0].problem == "the chip hangs"
            satellite.pads[0].lift(A)
            satellite.pads[1].lay(B)
            satellite.pads[0].press("red")
            await told.hears(Pressed)
            assert [placed.uid for placed in told.of(TagPlaced)] == [A, B]
            satellite.reset()
            await told.becomes("ready", ["pad1", "pad2", "pad3", "pad4"])
            await told.becomes("the chip hangs", ["pad0"])
            assert told.of(TagRemoved) == []
            satellite.pads[0].mend_reader()
            assert (await told.hears(TagRemoved)).uid == A
            await told.becomes("ready")

    hastily(evening())


def test_lost_events_are_reported_at_every_station_and_what_lies_there_is_looked_at(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.lose_events(3)
            await told.hears(Missed, 5)
            satellite.pads[0].lay(A)
            await told.until(lambda: len(told.of(TagPlaced)) + len(told.of(TagFound)) == 1)

    hastily(evening())


def test_a_bad_cable_costs_time_and_nothing_else(tmp_path: Path):
    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            satellite.weather = Weather(5, lost=0.003, doubled=0.003, flipped=0.004)
            uids = [f"04{number:012X}" for number in range(200)]
            for number, uid in enumerate(uids):
                satellite.pads[number % 5].lay(uid)
                await told.hears(TagPlaced, number + 1)
                told.device.show(Light(f"pad{number % 5}", "turn" if number % 2 else "done"))
            assert [placed.uid for placed in told.of(TagPlaced)] == uids
            assert told.of(LinkDown) == told.of(Missed) == []
            satellite.half_a_frame()
            satellite.pads[0].press("green")
            await told.hears(Pressed)

    hastily(evening())


def test_a_million_bytes_of_rubbish_fill_no_memory_and_the_session_goes_on(tmp_path: Path):
    """Between them the satellite says something now and then, else it would rightly be called lost."""

    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            told.forget()
            rubbish = bytes(range(256)) + b"\x55" * 300 + os.urandom(1000)
            sent = longest = 0
            while sent < 1_000_000:
                sent += satellite.babble(rubbish)
                await asyncio.sleep(0)
                assert told.device._line is not None
                longest = max(longest, len(told.device._line._arrived))
            assert longest <= 8192
            satellite.babble(b"\0")
            satellite.pads[0].press("green")
            await told.hears(Pressed)
            assert [type(signal) for signal in told.signals] == [Pressed]

    hastily(evening())


def test_a_satellite_that_says_more_than_it_may_does_not_keep_others_waiting(tmp_path: Path):
    """It sends events without end and waits for no ACK: of each piece that arrives only four are taken."""

    async def evening() -> None:
        async with plugged_in(tmp_path) as (satellite, told):
            await asyncio.sleep(0.1)
            told.forget()
            events = [wire.Event(number, 0, 0, wire.PRESSED, b"\0") for number in range(5, 2000)]
            flood = b"".join(wire.frame(wire.pack(event)) for event in events)
            while flood:
                flood = flood[satellite.babble(flood) :]
                before = len(told.signals)
                await asyncio.sleep(0)
                assert len(told.signals) - before <= 4
            await until(lambda: len(told.of(Pressed)) >= 4)
            numbers = [int(pressed.id.rpartition(".")[2]) for pressed in told.of(Pressed)]
            assert numbers == list(range(5, 5 + len(numbers))), "none is left out, none comes twice"
            assert told.of(LinkDown) == []

    hastily(evening())


def test_when_the_referee_cannot_write_an_event_down_it_is_not_acknowledged_and_comes_again(tmp_path: Path):
    async def evening() -> None:
        async with SimulatedSatellite(tmp_path / "satellite", serial=77) as satellite:
            device = Satellite(PADS, str(satellite.path), clock=now_ms)
            told = Told(device)
            task = asyncio.create_task(device.run(told.deliver))
            await told.becomes("ready")
            told.failing = OSError("disk full")
            satellite.pads[0].press("green")
            with pytest.raises(OSError, match="disk full"):
                await task
            async with running(device) as told:
                assert (await told.hears(Pressed)).id == "77.2.5"
                await told.becomes("ready")

    hastily(evening())
