"""The real firmware on an emulated satellite. Whatever a test does with it, in the end the same things must hold."""

from collections.abc import Callable, Iterator

import pytest

from companion.devices.satellite.avr_emulator import EmulatorError
from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.firmware_build import FirmwareBuild, build
from companion.simulation.emulated_host import EmulatedHost
from tests.firmware.tools import give_up

Start = Callable[..., EmulatedHost]
"""Switches a satellite on, with a host on the other end of its line."""

READY_MS = 400


@pytest.fixture(scope="session")
def built() -> FirmwareBuild:
    try:
        return build()
    except EmulatorError as error:
        give_up(str(error))
        raise


@pytest.fixture
def start(built: FirmwareBuild) -> Iterator[Start]:
    hosts: list[EmulatedHost] = []

    def started(**options: int) -> EmulatedHost:
        hosts.append(EmulatedHost(EmulatedBoard(built, **options)))
        return hosts[-1]

    yield started
    for host in hosts:
        check(host)
        host.board.close()


@pytest.fixture
def host(start: Start) -> EmulatedHost:
    """A satellite that is ready: all its pads have been looked at."""
    host = start(serial=7)
    host.run(READY_MS)
    assert host.ready == set(host.stations)
    return host


def check(host: EmulatedHost) -> None:
    """What must hold after every run."""
    host.board.run(50)  # it may have been reset a moment ago
    emulator = host.board.emulator
    counts = emulator.counts()
    wrong = counts.two_selected, counts.wrong_mode, counts.collisions, counts.cut_short, counts.select_unguarded
    assert wrong == (0, 0, 0, 0, 0), counts
    assert emulator.baud == 250_000
    assert counts.wrong_speed == 0
    assert emulator.stack_margin >= emulator.ram // 4
    assert counts.overruns == 0, "the receiver's interrupt was too late"
