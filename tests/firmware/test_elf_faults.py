"""The satellite's firmware, as it is flashed, on an emulated board: what goes wrong around it."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.devices.gpio.lamps import LIGHTS
from companion.devices.satellite import wire
from companion.devices.satellite.emulated_board import BOOT_AT, SERIAL_AT, eeprom_record
from companion.devices.satellite.emulator_commands import FAULTS
from companion.devices.satellite.simulated_board import Weather
from companion.devices.satellite.wire import Ping, frame, pack
from companion.simulation.emulated_host import EmulatedHost
from companion.table.effects import Light, Sound
from companion.table.signals import (
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
)
from tests.firmware.conftest import READY_MS, Start
from tests.firmware.test_elf import PLACED_MS, REMOVED_MS, UIDS, kinds, since

pytestmark = pytest.mark.slow

RECORD = len(eeprom_record(0))
SAFE_MS = 3_000
"""Without a host for so long, and the lamps show it."""


def of(signals: list[Signal], station: str) -> list[Signal]:
    return [signal for signal in signals if signal.station == station]


# --- Chips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "value"),
    [("gone", 0x00), ("gone", 0xFF), ("stuck", 0x00), ("stuck", 0xFF), ("hung", True), ("unpowered", True)],
)
def test_a_broken_reader_is_a_fault_never_a_removal_and_the_others_go_on(
    host: EmulatedHost, fault: str, value: Any
) -> None:
    host.board.lay(1, UIDS[0])
    host.board.lay(2, UIDS[1])
    host.run(200)
    before = len(host.signals)
    setattr(host.board.chips[1].faults, fault, value)
    host.run(1_500)
    assert [type(signal) for signal in of(since(host, before), "pad1")] == [ReaderFault]
    for pad in (0, 3, 4):
        host.board.lay(pad, UIDS[5 + pad])
        laid_ms = host.board.now_ms
        assert host.run_until(lambda uid=UIDS[5 + pad]: uid in host.lying, PLACED_MS + 5)
        assert host.board.now_ms - laid_ms <= PLACED_MS
    assert host.lying[UIDS[0]] == "pad1"

    before = len(host.signals)
    host.board.chips[1].faults.clear()
    assert host.run_until(lambda: "pad1" in host.ready, 5_000)
    assert [type(signal) for signal in of(since(host, before), "pad1")] == [LinkUp]
    assert host.lying[UIDS[0]] == "pad1"


def test_what_changed_on_a_pad_while_its_reader_was_broken_is_reported_when_it_works_again(host: EmulatedHost) -> None:
    host.board.lay(1, UIDS[0])
    host.run(200)
    host.board.chips[1].faults.hung = True
    host.run(500)
    host.board.lift(1, UIDS[0])
    host.board.lay(1, UIDS[1])
    host.run(1_000)
    before = len(host.signals)
    host.board.chips[1].faults.clear()
    host.run_until(lambda: "pad1" in host.ready, 5_000)
    told = of(since(host, before), "pad1")
    assert [type(signal) for signal in told] == [TagRemoved, TagFound, LinkUp]


def test_bits_that_arrive_wrong_never_make_up_a_tag(host: EmulatedHost) -> None:
    host.board.chips[0].faults.garbled = True
    host.board.lay(0, UIDS[0])
    host.run(3_000)
    assert set(host.lying) <= {UIDS[0]}
    host.board.chips[0].faults.clear()
    host.run_until(lambda: "pad0" in host.ready, 5_000)
    host.run(500)
    assert host.lying == {UIDS[0]: "pad0"}


def test_noise_in_a_field_makes_up_nothing_and_ends_with_it(host: EmulatedHost) -> None:
    host.board.chips[0].faults.colliding = True
    host.run(1_500)
    assert host.lying == {}
    host.board.chips[0].faults.clear()
    host.run(3_000)
    host.board.lay(0, UIDS[0])
    host.run(300)
    assert host.lying == {UIDS[0]: "pad0"}


@pytest.mark.parametrize("seed", range(3))
def test_no_sequence_of_faults_takes_a_tag_away_or_lays_it_twice(host: EmulatedHost, seed: int) -> None:
    chance = Random(seed)
    for pad in range(5):
        host.board.lay(pad, UIDS[pad])
    host.run(300)
    for _ in range(25):
        faults = chance.choice(host.board.chips).faults
        name, value = chance.choice(list(FAULTS.items()))
        setattr(faults, name, value)
        host.board.plan(host.board.now_ms + chance.uniform(1, 400), faults.clear)
        host.run(chance.uniform(10, 200))
    host.run_until(lambda: host.ready == set(host.stations), 10_000)
    host.run(500)
    assert host.lying == {UIDS[pad]: f"pad{pad}" for pad in range(5)}
    told = kinds(host.signals)
    assert told[TagPlaced.__name__] == 5
    assert told[TagRemoved.__name__] == told[TagFound.__name__] == 0
    assert told[ReaderFault.__name__] > 3


def test_a_reader_that_is_not_there_from_the_start_is_a_fault_and_the_others_are_ready(start: Start) -> None:
    host = start()
    host.board.chips[3].faults.gone = 0xFF
    host.run(READY_MS)
    assert host.ready == {"pad0", "pad1", "pad2", "pad4"}
    assert ReaderFault.__name__ in kinds(of(host.signals, "pad3"))


# --- The wire -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weather",
    [Weather(flipped=0.01), Weather(lost=0.01), Weather(doubled=0.01), Weather(lost=0.01, doubled=0.01, flipped=0.01)],
)
def test_over_a_bad_wire_every_press_arrives_once_and_in_order(host: EmulatedHost, weather: Weather) -> None:
    host.weather = weather
    chance = Random(1)
    pressed: list[tuple[str, str]] = []
    for _ in range(80):
        pad, button = chance.randrange(5), chance.choice(wire.BUTTONS)
        host.board.press(pad, button, for_ms=30, bounce_ms=2)
        pressed.append((f"pad{pad}", button))
        host.run(60)
    host.weather = Weather()
    host.run(1_000)
    told = [(signal.station, signal.button) for signal in host.signals if isinstance(signal, Pressed)]
    assert told == pressed
    assert host.session is not None
    assert host.session.bad + host.session.status.bad > 0


@pytest.mark.parametrize("seed", range(4))
def test_lamps_show_the_newest_order_though_the_wire_is_bad(host: EmulatedHost, seed: int) -> None:
    """While it is, an order may take longer than 700 ms, and a cue is a flash of the same lamp."""
    for turn in range(8):
        host.weather = Weather(8 * seed + turn, lost=0.01, doubled=0.01, flipped=0.02)
        host.show(Light("pad2", "turn" if turn % 2 else "off"))
        host.show(Sound("pad2", "accepted"))
        host.run(700)
        host.weather = Weather()
        host.run(700)
        assert host.board.lamp(2) is bool(turn % 2)


def test_rubbish_at_full_speed_is_counted_and_the_session_goes_on(host: EmulatedHost) -> None:
    chance = Random(2)
    before = len(host.signals)
    for _ in range(50):
        host.board.send(chance.randbytes(24))
        host.board.press(0, "green", for_ms=20, bounce_ms=0)
        host.run(40)
    host.run(1_000)
    assert [type(signal) for signal in since(host, before)] == [Pressed] * 50
    assert host.session is not None
    assert host.session.status.bad > 20
    assert host.session.status.overruns == 0


@pytest.mark.parametrize("tags", range(4))
def test_of_six_kilobytes_without_a_pause_not_a_byte_is_lost(host: EmulatedHost, tags: int) -> None:
    """While so many tags are being laid on each pad. That the receiver was in time, too, is seen after each test."""
    for pad in range(5):
        for tag in range(tags):
            host.board.lay(pad, UIDS[3 * pad + tag])
    host.board.send(frame(pack(Ping())) * 1_200)
    host.run(1_000)
    host.board.press(4, "red")
    host.run(300)
    assert isinstance(host.signals[-1], Pressed)
    assert host.session is not None
    assert (host.session.status.overruns, host.session.status.bad) == (0, 0)


# --- The host goes and comes ----------------------------------------------------------------------------------


def test_without_its_host_a_satellite_shows_it_and_keeps_what_happens(host: EmulatedHost) -> None:
    for station in host.stations:
        host.show(Light(station, "turn"))
    host.run(500)
    host.board.edges()
    host.go()
    host.board.run(SAFE_MS - 300)
    assert host.board.edges() == [], "the host may still come back"
    host.board.run(600)
    host.board.edges()
    host.board.run(2_000)
    blinks = Counter(edge.pin for edge in host.board.edges())
    assert blinks == dict.fromkeys(host.board.wiring.lamps, 8)  # on and off, twice a second
    host.board.lay(0, UIDS[0])
    host.board.press(1, "green")
    host.board.run(2_500)

    before = len(host.signals)
    host.come()
    host.run(READY_MS)
    told = kinds(since(host, before))
    assert told[TagFound.__name__] == 1
    assert told[Missed.__name__] == 1  # pressed more than two seconds ago
    assert told[Pressed.__name__] == 0
    assert host.ready == set(host.stations)
    assert all(host.board.lamp(pad) for pad in range(5)), "the lamps show again what they did"


def test_a_press_just_before_the_host_is_back_counts(host: EmulatedHost) -> None:
    host.go()
    host.board.run(SAFE_MS + 1_000)
    host.board.press(1, "green")
    host.board.run(500)
    before = len(host.signals)
    host.come()
    host.run(READY_MS)
    (pressed,) = [signal for signal in since(host, before) if isinstance(signal, Pressed)]
    assert pressed.station == "pad1"
    assert host.now_ms - READY_MS - 700 <= pressed.at_ms <= host.now_ms - READY_MS - 300


def test_more_than_can_be_kept_is_counted_honestly_and_what_lies_there_is_reported(host: EmulatedHost) -> None:
    assert host.welcome is not None
    room = host.welcome.room
    host.go()
    host.board.run(SAFE_MS + 500)
    for _ in range(room + 10):
        host.board.press(3, "red", for_ms=30, bounce_ms=0)
        host.board.run(60)
    host.board.lay(0, UIDS[0])
    host.board.run(500)
    events = len(host.events)
    host.come()
    host.run(READY_MS + 1_000)
    came = [told.event for told in host.events[events:]]
    presses = [event for event in came if event.kind == wire.PRESSED]
    (lost,) = [event for event in came if event.kind == wire.LOST]
    assert (len(presses), int.from_bytes(lost.content, "little")) == (room, 10 + 1)  # the tag was dropped, too
    assert host.lying == {UIDS[0]: "pad0"}
    assert host.ready == set(host.stations)


def test_a_host_that_comes_and_goes_many_times_always_knows_what_lies_there(host: EmulatedHost) -> None:
    chance = Random(8)
    lying: dict[int, str] = {}
    for turn in range(6):
        host.go()
        pad = chance.randrange(5)
        if pad in lying:
            host.board.lift(pad, lying.pop(pad))
        else:
            lying[pad] = UIDS[turn]
            host.board.lay(pad, UIDS[turn])
        host.board.run(chance.choice([50, 400, 3_500]))
        host.come()
        assert host.run_until(lambda: host.ready == set(host.stations), 1_000)
        assert host.lying == {uid: f"pad{pad}" for pad, uid in lying.items()}


# --- Resets ---------------------------------------------------------------------------------------------------


def test_after_a_reset_it_is_met_again_and_nothing_is_reported_twice(host: EmulatedHost) -> None:
    chance = Random(4)
    host.board.lay(0, UIDS[0])
    host.run(200)
    host.show(Light("pad4", "turn"))
    for boot in range(1, 6):
        host.run(chance.uniform(0, 300))
        host.board.reset()
        host.run(READY_MS + 500)
        assert host.welcome is not None
        assert host.welcome.boot == boot
        assert host.ready == set(host.stations)
        assert host.board.lamp(4), "its lamp was told again"
        host.board.press(2, "green")
        host.run(200)
    assert kinds(host.signals)[TagPlaced.__name__] == 1
    assert kinds(host.signals)[TagRemoved.__name__] == kinds(host.signals)[TagFound.__name__] == 0
    assert kinds(host.signals)[Pressed.__name__] == 5
    assert LinkDown.__name__ not in kinds(host.signals), "a reset is over before it is missed"


def test_a_button_that_is_down_while_it_starts_is_no_press_and_is_one_when_it_comes_again(host: EmulatedHost) -> None:
    host.board.hold(2, "red", True)
    host.board.reset()
    host.run(READY_MS + 1_500)
    host.board.hold(2, "red", False)
    host.run(300)
    assert not any(isinstance(signal, Pressed | Held) for signal in host.signals)
    host.board.press(2, "red")
    host.run(300)
    assert kinds(host.signals)[Pressed.__name__] == 1


def counted(host: EmulatedHost, *numbers: int) -> None:
    """Its EEPROM holds these numbers of starts, each in its place."""
    for number in numbers:
        host.board.emulator.write_eeprom(BOOT_AT + RECORD * (number % 2), eeprom_record(number))


def boot_of(host: EmulatedHost) -> int:
    host.run(READY_MS + 500)
    assert host.welcome is not None
    return host.welcome.boot


@pytest.mark.parametrize("numbers", [(0x01FE,), (0x01FD, 0x01FE), (0xFFFE,), (0xFFFE, 0xFFFD), (0xFFFF, 0x0000)])
def test_the_count_of_starts_goes_on(start: Start, numbers: tuple[int, ...]) -> None:
    host = start()
    counted(host, *numbers)
    last = 0 if 0 in numbers else max(numbers)
    for boot in (last + 1, last + 2, last + 3):
        assert boot_of(host) == boot % 0x10000
        host.board.reset()


@pytest.mark.parametrize("cut_ms", [0.2, 1, 4, 7, 11, 15, 19, 24])
def test_a_loss_of_power_while_the_count_is_written_repeats_no_number(start: Start, cut_ms: float) -> None:
    host = start()
    counted(host, 0x01FF, 0x0200)
    host.go()
    host.board.run(cut_ms)
    host.board.reset()
    host.come()
    assert boot_of(host) in (0x0201, 0x0202)
    host.board.reset()
    assert boot_of(host) in (0x0202, 0x0203)


def test_a_serial_number_outlives_the_loss_of_either_of_its_places(start: Start) -> None:
    host = start(serial=0xC0FFEE)
    for place in (SERIAL_AT, SERIAL_AT + RECORD):
        host.board.emulator.write_eeprom(place, b"\xa5\xff\x00")
        host.board.reset()
        host.run(READY_MS + 500)
        assert host.welcome is not None
        assert host.welcome.serial == 0xC0FFEE
        assert host.board.emulator.read_eeprom(SERIAL_AT, 2 * RECORD) == eeprom_record(0xC0FFEE) * 2


@pytest.mark.parametrize("rubbish", [b"\xff" * 12, b"\x00" * 12, b"\xee\xff\xc0\x00\x00\x00" * 2])
def test_what_is_no_record_is_no_serial_number(start: Start, rubbish: bytes) -> None:
    host = start()
    host.board.emulator.write_eeprom(SERIAL_AT, rubbish)
    host.run(READY_MS + 500)
    assert host.welcome is not None
    assert host.welcome.serial == 0


def test_a_program_that_hangs_is_started_again_by_its_watchdog(host: EmulatedHost) -> None:
    host.board.lay(0, UIDS[0])
    host.run(300)
    host.board.emulator.hang()
    host.run(400)
    assert host.board.emulator.counts().watchdog_resets == 0
    host.run(READY_MS + 1_500)
    assert host.board.emulator.counts().watchdog_resets == 1
    assert host.ready == set(host.stations)
    assert host.lying == {UIDS[0]: "pad0"}
    before = len(host.signals)
    host.board.lift(0, UIDS[0])
    host.run(REMOVED_MS)
    assert [type(signal) for signal in since(host, before)] == [TagRemoved]


def test_lamps_are_dark_or_lost_while_it_starts(start: Start) -> None:
    host = start()
    host.go()
    host.board.run(2_000)
    lost = LIGHTS["lost"]
    seen = [edge for edge in host.board.edges() if edge.pin == host.board.wiring.lamps[0]]
    assert seen[0].at_us < 100_000
    assert (seen[1].at_us - seen[0].at_us) / 1_000 == pytest.approx(lost.on_ms, abs=2.5)


def version_of(host: EmulatedHost, pad: int) -> int:
    """What a reader answers who it is; 0: nothing."""
    chip, now_us = host.board.chips[pad], host.board.emulator.now_us
    chip.select(now_us)
    chip.exchange(0x80 | 0x37 << 1, now_us)
    return chip.exchange(0, now_us)


def test_the_readers_are_held_in_reset_until_the_program_lets_them_go(start: Start) -> None:
    host = start()
    for _ in range(2):
        assert [version_of(host, pad) for pad in range(5)] == [0x00] * 5
        host.board.run(50)
        assert [version_of(host, pad) for pad in range(5)] == [0x92] * 5
        host.board.reset()
