"""How the firmware starts, again and again: the watchdog, the count of starts in the EEPROM, and why it started.

On the emulated board, and on this machine where only the core matters.
"""

import shutil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.devices.satellite import wire
from companion.devices.satellite.avr_emulator import BROWN_OUT, POWER, RESET_PIN, WATCHDOG
from companion.devices.satellite.emulated_board import BOOT_AT, BOOTS, EmulatedBoard, eeprom_record
from companion.devices.satellite.firmware_build import FirmwareBuild
from companion.devices.satellite.wire import Ack, Hello, Ping, Status, Welcome, frame, pack
from companion.simulation.emulated_host import EmulatedHost
from companion.table.signals import Remarked
from companion.troubles import StartCause
from tests.firmware.conftest import READY_MS, Start
from tests.firmware.core import Core
from tests.firmware.test_elf import UIDS
from tests.firmware.tools import BUILD, FIRMWARE, need, run

TIMSK0 = 0x6E
"""The register that lets the timer interrupt (ATmega328P data sheet)."""
WATCHDOG_MS = 500
HELLO = frame(pack(Hello(wire.VERSION, 7)))
PING = frame(pack(Ping()))
BLANK = [None] * wire.PADS
RECORD = len(eeprom_record(0))


def bites(board: EmulatedBoard) -> int:
    return board.emulator.counts().watchdog_resets


# --- The watchdog ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_dead_timer_and_a_live_host_are_work_for_the_watchdog(host: EmulatedHost) -> None:
    """Each byte of the host wakes the processor; that is no sign of life."""
    host.board.emulator.poke(TIMSK0, 0)
    for _ in range(2 * WATCHDOG_MS // 10):
        host.board.send(PING)
        host.board.run(10)
    assert bites(host.board) == 1
    assert host.run_until(lambda: host.ready == set(host.stations), 5_000), "after the reset it works again"


@pytest.mark.slow
def test_pads_that_never_get_their_turn_are_work_for_the_watchdog(built: FirmwareBuild, tmp_path: Path) -> None:
    """The same firmware with one mistake: it polls one pad for ever."""
    for folder in ("core", "avr"):
        shutil.copytree(FIRMWARE / folder, tmp_path / folder)
    shutil.copy(FIRMWARE / "Makefile", tmp_path)
    pads = tmp_path / "core" / "pads.c"
    pads.write_text(pads.read_text().replace("turn = (uint8_t)(turn + 1) % WIRE_PADS;", "turn = 1;"))
    run("make", "-C", tmp_path)
    with EmulatedBoard(replace(built, elf=tmp_path / "build" / "satellite.elf")) as board:
        EmulatedHost(board).run(3 * WATCHDOG_MS)
        assert bites(board) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hung", "garbled", "colliding", "gone"])
def test_slow_and_broken_readers_and_a_busy_line_never_wake_the_watchdog(host: EmulatedHost, fault: str) -> None:
    for pad in range(5):
        for tag in range(3):
            host.board.lay(pad, UIDS[3 * pad + tag])
        setattr(host.board.chips[pad].faults, fault, 0xFF if fault == "gone" else True)
    for _ in range(20):
        host.board.send(PING * 40)
        host.run(100)
    assert bites(host.board) == 0


def test_a_round_is_made_only_when_time_goes_on_and_each_pad_has_had_its_turn() -> None:
    core = Core(chips=BLANK)
    for _ in range(50):
        core.give(PING)
        core.step(0)
    assert core.library.host_rounds() == 0, "time stands still"
    core.run(50)
    assert core.library.host_rounds() == 50 * 2 // wire.PADS


# --- The count of starts --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_thousand_starts_without_a_host_write_nothing(built: FirmwareBuild) -> None:
    with EmulatedBoard(built, serial=7) as board:
        for _ in range(1_000):
            board.run(8)
            board.send(PING)
            board.reset(POWER)
        assert board.emulator.counts().eeprom_writes == 0


@pytest.mark.slow
def test_a_start_is_counted_once_at_its_first_hello(start: Start) -> None:
    host = start(serial=7)
    for boot in range(3):
        host.run(READY_MS)
        host.come()
        host.run(READY_MS)
        assert host.welcome is not None
        assert host.welcome.boot == boot
        assert host.board.emulator.counts().eeprom_writes <= RECORD * (boot + 1)
        host.board.reset()


@pytest.mark.slow
def test_a_hello_of_another_version_is_answered_and_not_counted(built: FirmwareBuild) -> None:
    with EmulatedBoard(built, serial=7) as board:
        board.run(10)
        board.send(frame(pack(Hello(wire.VERSION + 1, 7))))
        board.run(10)
        assert len(board.received()) > 20
        assert board.emulator.counts().eeprom_writes == 0


@pytest.mark.slow
def test_while_the_count_is_written_not_a_byte_from_the_host_is_lost(built: FirmwareBuild) -> None:
    """A record takes 20 ms and more, and the ring holds what comes in 2.5 ms."""
    with EmulatedBoard(built, serial=7) as board:
        board.run(10)
        board.send(HELLO + PING * 600)
        board.run(300)
        counts = board.emulator.counts()
        assert counts.eeprom_writes == RECORD
        assert counts.overruns == 0
        board.received()
        board.send(PING)
        board.run(10)
        (payload,) = wire.Splitter().feed(board.received())[-1:]
        status = wire.from_satellite(payload)
        assert isinstance(status, Status)
        assert (status.overruns, status.bad) == (0, 0)


@pytest.mark.slow
def test_wherever_the_power_is_cut_no_start_that_a_host_knows_has_the_number_of_another(built: FirmwareBuild) -> None:
    """Nothing is said to a host before the count is kept. A byte that was being written may hold anything then."""
    chance = Random(3)
    known: list[int] = []
    with EmulatedBoard(built, serial=7) as board:
        for cut_ms in range(60):
            board.run(10)
            board.received()
            board.send(HELLO)
            board.run(cut_ms * 0.7)
            said = [wire.from_satellite(payload) for payload in wire.Splitter().feed(board.received())]
            known += [message.boot for message in said if isinstance(message, Welcome)]
            board.emulator.cut_power(torn=chance.randrange(256))
    assert len(known) > 20
    assert len(set(known)) == len(known)


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=2, max_size=8))
@settings(max_examples=40, deadline=None)
def test_no_two_events_of_different_starts_have_the_same_name(lives: list[tuple[int, bool]]) -> None:
    """`lives`: for how long each lasts, and whether a host comes. Two that no host met may have the same number."""
    kept, names = 3, set()
    for lasts_ms, is_met in lives:
        core = Core(boot=kept + 1, chips=BLANK, cause=RESET_PIN)
        core.library.host_keeps_within(20)
        if is_met:
            core.greet()
        core.run(lasts_ms)
        mine = {(kept + 1, event.number) for event in core.events}
        assert not mine & names
        names |= mine
        assert bool(core.library.host_boots_kept()) == is_met
        kept = core.library.host_boot()


@pytest.mark.slow
def test_the_count_goes_on_where_a_firmware_with_two_places_left_it(start: Start) -> None:
    host = start(serial=7)
    for number in (0x0201, 0x0200):
        host.board.emulator.write_eeprom(BOOT_AT + RECORD * (number % 2), eeprom_record(number))
    for boot in range(0x0202, 0x0202 + BOOTS + 3):
        host.board.reset()
        host.come()
        assert host.run_until(lambda: host.welcome is not None and host.session is not None, READY_MS)
        host.run(40)
        assert host.welcome is not None
        assert host.welcome.boot == boot


# --- Why it started -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "cause", "told"),
    [
        (POWER, StartCause.POWER, True),
        (POWER | BROWN_OUT | RESET_PIN, StartCause.POWER, True),
        (BROWN_OUT, StartCause.BROWN_OUT, True),
        (RESET_PIN, StartCause.RESET_PIN, False),
        (RESET_PIN | WATCHDOG, StartCause.RESET_PIN, False),
        (WATCHDOG, StartCause.WATCHDOG, True),
    ],
)
def test_after_a_reset_the_host_is_told_why(host: EmulatedHost, flags: int, cause: StartCause, told: bool) -> None:
    assert host.pads.started is StartCause.POWER
    assert not any(isinstance(signal, Remarked) for signal in host.signals), "it was plugged in, so a start is expected"
    host.board.reset(flags)
    host.run(3_000)
    assert host.ready == set(host.stations)
    assert host.pads.started is cause
    assert [signal.problem for signal in host.signals if isinstance(signal, Remarked)] == [cause] * told


@pytest.mark.slow
def test_what_a_boot_loader_has_erased_is_not_made_up(host: EmulatedHost) -> None:
    host.board.reset(0)
    before = len(host.events)
    host.run(3_000)
    assert host.ready == set(host.stations)
    assert wire.STARTED not in [arrived.event.kind for arrived in host.events[before:]]


def test_the_cause_is_reported_once_in_a_start_and_outlasts_sessions() -> None:
    core = Core(chips=BLANK, cause=WATCHDOG)
    core.acknowledges = False
    core.greet(session=1)
    core.run(20)
    core.greet(session=2)
    core.run(20)
    core.acknowledges = True
    core.run(300)
    assert [event.content for event in core.events if event.kind == wire.STARTED] == [bytes([WATCHDOG])]
    core.greet(session=3)
    core.run(300)
    assert [event.kind for event in core.events].count(wire.STARTED) == 1
    core.say(Ack(0))


# --- Undefined behaviour --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_undefined_happens_in_an_int_of_16_bits(built: FirmwareBuild) -> None:
    """A trap stops the program, and its watchdog bites. A shift into the sign bit did, with every second frame."""
    need("avr-gcc", "gcc-avr avr-libc")
    run("make", "-C", FIRMWARE, "undefined")
    with EmulatedBoard(replace(built, elf=BUILD / "undefined.elf"), serial=0xFEDCBA98) as board:
        host = EmulatedHost(board)
        host.run(READY_MS + 100)
        assert host.ready == set(host.stations)
        for pad, uid in enumerate(["FFEEDDCC", "88FFFEFDFCFBFA", "FF" * 10, UIDS[3], UIDS[4]]):
            board.lay(pad, uid)
            board.press(pad, "red", for_ms=30)
            host.run(250)
        board.send(bytes(range(255, 0, -1)))
        host.run(500)
        assert len(host.lying) == 5
        assert board.emulator.counts().resets == 0
