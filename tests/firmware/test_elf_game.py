"""Whole games of Lascaux through the satellite's firmware, as it is flashed, on an emulated board."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.devices.satellite.simulated_board import Weather
from companion.gamekit.game import Score
from companion.simulation.emulated_host import EmulatedHost
from companion.table.signals import LinkDown, Missed, ReaderFault
from tests.firmware.evening import PlayedEvening
from tests.firmware.test_elf import kinds

pytestmark = pytest.mark.slow

SEED = 11

Begin = Callable[..., PlayedEvening]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    evenings: list[PlayedEvening] = []

    def begun(players: int, host: EmulatedHost | None = None) -> PlayedEvening:
        evenings.append(PlayedEvening(tmp_path / str(len(evenings)), SEED, players, host))
        return evenings[-1]

    yield begun
    for evening in evenings:
        evening.close()


def told(scores: tuple[Score, ...]) -> list[tuple[int, int]]:
    return [(score.seat, score.total) for score in scores]


def test_a_whole_game_ends_as_it_does_without_hardware_and_lamps_say_whose_turn_it_is(
    begin: Begin, host: EmulatedHost
) -> None:
    evening = begin(5, host)
    seen = 0

    def look_at_lamps(deed: int) -> None:
        nonlocal seen
        if deed % 12:
            return
        host.run(700)  # sounds and flashes are over
        assert "turn" in evening.lights.values()
        for pad, station in enumerate(host.stations):
            if evening.lights[station] in ("turn", "off"):
                assert host.board.lamp(pad) is (evening.lights[station] == "turn")
                seen += 1

    scores = evening.play(look_at_lamps)
    assert told(scores) == told(begin(5).play())
    assert sum(score.total for score in scores) > 0
    assert seen > 40
    assert Missed.__name__ not in kinds(host.signals)


def test_with_everything_going_wrong_the_game_ends_with_the_same_score(begin: Begin, host: EmulatedHost) -> None:
    chance = Random(6)
    host.weather = Weather(lost=0.003, doubled=0.003, flipped=0.003)

    def mishap(_: int) -> None:
        host.run(20)  # the watchdog is on some microseconds after a reset, not before
        match chance.randrange(20):
            case 0:
                host.board.reset()
            case 1:
                host.go()
                host.board.run(chance.choice([200, 2_200, 3_200]))
                host.come()
            case 2:
                faults = chance.choice(host.board.chips).faults
                faults.hung = True
                host.board.plan(host.board.now_ms + chance.uniform(100, 1_500), faults.clear)
                host.run(chance.uniform(50, 400))
            case 3:
                host.board.emulator.hang()  # the watchdog's work

    scores = begin(3, host).play(mishap)
    assert told(scores) == told(begin(3).play())
    counts = host.board.emulator.counts()
    assert counts.watchdog_resets > 3
    assert counts.resets - counts.watchdog_resets > 3
    assert kinds(host.signals)[ReaderFault.__name__] > 3
    assert LinkDown.__name__ not in kinds(host.signals), "it was always back within two seconds"
