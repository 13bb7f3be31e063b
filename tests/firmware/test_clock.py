"""The readers' clock is chosen when the firmware is made: 2 MHz, or 1 MHz for bad wires. It works with both."""

import subprocess
from itertools import pairwise

import pytest
from msgspec.structs import replace

from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.firmware_build import FirmwareBuild
from companion.devices.satellite.wire import Ping, frame, pack
from companion.simulation.emulated_host import EmulatedHost
from companion.table.signals import Pressed
from tests.firmware.conftest import READY_MS, check
from tests.firmware.test_elf import UIDS
from tests.firmware.tools import BUILD, FIRMWARE, run

ELF = {2000: BUILD / "satellite.elf", 1000: BUILD / "1MHz" / "satellite.elf"}


@pytest.fixture
def slow_or_fast(built: FirmwareBuild, khz: int) -> EmulatedHost:
    run("make", "-C", FIRMWARE, f"SPI_KHZ={khz}")
    host = EmulatedHost(EmulatedBoard(replace(built, elf=ELF[khz]), serial=7))
    host.run(READY_MS)
    return host


@pytest.mark.parametrize("khz", ELF)
def test_tags_buttons_and_bytes_come_through_at_both_clocks(slow_or_fast: EmulatedHost, khz: int) -> None:
    host = slow_or_fast
    assert host.ready == set(host.stations)
    for pad in range(5):
        host.board.lay(pad, UIDS[pad])
    host.board.send(frame(pack(Ping())) * 400)
    host.run(600)
    assert host.lying == {UIDS[pad]: f"pad{pad}" for pad in range(5)}
    host.board.press(4, "red")
    host.run(300)
    assert isinstance(host.signals[-1], Pressed)
    assert host.session is not None
    assert (host.session.status.overruns, host.session.status.bad) == (0, 0)
    check(host)
    host.board.close()


@pytest.mark.parametrize("khz", ELF)
def test_a_byte_takes_eight_of_its_clocks(slow_or_fast: EmulatedHost, khz: int) -> None:
    times: list[float] = []
    board = slow_or_fast.board

    def watched(pad: int, byte: int, fresh: int, now_us: float) -> int:
        times.append(now_us)
        return board.exchange(pad, byte, fresh, now_us) & 0xFF  # never STILL: it hears every byte

    board.emulator.connect(list(board.wiring.selects), watched)
    slow_or_fast.run(50)
    board.close()
    shortest = min(later - earlier for earlier, later in pairwise(times))
    assert 8_000 / khz <= shortest < 8_000 / khz + 4


def test_no_other_clock_can_be_chosen() -> None:
    done = subprocess.run(["make", "-C", str(FIRMWARE), "SPI_KHZ=4000"], capture_output=True, text=True, check=False)
    assert done.returncode
    assert "1000 or 2000" in done.stderr
