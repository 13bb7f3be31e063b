"""Whole games through the real mfrc522, pigpio and pyserial on simulated hardware that goes wrong all the time."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from companion.devices.gpio.driver import Gpio
from companion.devices.simulated.reader_faults import Faults
from companion.devices.simulated.shared_field import TRAITS
from companion.processes.table_devices import equipment
from companion.simulation.rig import HELP, Rig
from companion.stations import PINS
from companion.table.signals import LinkUp, Pressed
from tests.devices.gpio.gpio_table import running
from tests.referee.table import Table
from tests.simulation import whole_game
from tests.simulation.whole_game import FAULTS, LIMIT_S, SEED, Outcome

KITS = ("one", "full")


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    return whole_game.outcomes({kit: (whole_game.__name__, kit, "--faults") for kit in KITS}, LIMIT_S)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[tuple[int, ...], int]]:
    """The same hands without any hardware: totals, and how many actions it took."""
    return {kit: _undisturbed(tmp_path_factory.mktemp(kit), kit) for kit in KITS}


def _undisturbed(folder: Path, kit: str) -> tuple[tuple[int, ...], int]:
    table = Table(folder, kit=kit).hurry()
    hands, at_ms = table.simulation(SEED, 0.0), 0
    while deed := hands.next(table.seen, at_ms):
        for wait_ms, signal in deed.steps:
            at_ms += wait_ms
            table.hear(signal)
    return tuple(score.total for score in table.seen.scores), len(table.evening.played_game.played)


@pytest.mark.slow
@pytest.mark.parametrize("kit", KITS)
def test_a_whole_game_ends_with_the_same_score_whatever_goes_wrong_with_the_hardware(
    kit: str, outcomes: dict[str, Outcome], expected: dict[str, tuple[tuple[int, ...], int]]
) -> None:
    outcome = outcomes[kit]
    assert (outcome.totals, outcome.actions) == expected[kit]
    assert outcome.undone == 0


@pytest.mark.slow
@pytest.mark.parametrize("kit", KITS)
def test_the_drivers_told_what_went_wrong_and_recovered_by_themselves(kit: str, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[kit]
    assert outcome.injected == len(FAULTS[kit])
    assert outcome.faults >= len(FAULTS[kit]) // 2
    assert outcome.recoveries > outcome.faults / 2


# --- The console ----------------------------------------------------------------------------------------------


def test_every_fault_that_is_named_can_be_switched_on_and_off(tmp_path: Path) -> None:
    async def bench() -> None:
        async with Rig("full", tmp_path) as rig:
            for wrong, well in (*FAULTS["one"], *FAULTS["full"]):
                assert rig.misbehave(wrong) == "done"
                assert rig.misbehave(well) == "done"

    asyncio.run(bench())


def test_whatever_the_help_names_can_be_said(tmp_path: Path) -> None:
    async def bench() -> None:
        async with Rig("full", tmp_path) as rig:
            said = [f"centre {fault}" for fault in (*Faults.NAMES, "weak", "flicker", "well")]
            said += [f"pigpiod {what}" for what in ("kill", "start", "silence", "speak", "wrap", "bounce", "well")]
            assert [line for line in said if line.split()[1] not in HELP] == []
            assert [line for line in said if rig.misbehave(line) != "done"] == []

    asyncio.run(bench())


def test_who_was_blocked_goes_on_however_often_it_was_said(tmp_path: Path) -> None:
    async def bench() -> bool:
        async with Rig("one", tmp_path) as rig:
            rig.misbehave("centre blocked")
            blocked = rig._readers["centre"].chip.faults.blocked
            assert blocked is not None
            rig.misbehave("centre blocked")
            rig.misbehave("centre well")
            return blocked.is_set()

    assert asyncio.run(bench())


def test_a_pigpiod_that_runs_is_started_again_in_vain_and_a_press_is_still_told(tmp_path: Path) -> None:
    async def bench() -> list[tuple[Any, ...]]:
        async with Rig("one", tmp_path) as rig, running(pins_of(rig)) as listener:
            await listener.count(LinkUp)
            rig.misbehave("pigpiod start")
            await rig.press("centre", "green", held=False)
            await listener.count(Pressed)
            return listener.take()

    assert asyncio.run(bench()) == [("Connecting", PINS), ("LinkUp", PINS), ("Pressed", "centre", "green")]


def test_a_worn_button_is_pressed_once_and_held_across_the_end_of_the_clock(tmp_path: Path) -> None:
    async def bench() -> list[tuple[Any, ...]]:
        async with Rig("one", tmp_path) as rig, running(pins_of(rig)) as listener:
            await listener.count(LinkUp)
            rig.misbehave("pigpiod bounce")
            rig.misbehave("pigpiod wrap")
            await listener.count(LinkUp, 2)
            listener.take()
            await rig.press("centre", "red", held=True)
            await rig.press("centre", "green", held=False)
            await listener.count(Pressed)
            assert rig._pigpiod.board.now_us > 1 << 32
            return listener.take()

    assert asyncio.run(bench()) == [("Held", "centre", "red"), ("Pressed", "centre", "green")]


@pytest.mark.parametrize("trait", ["weak", "flicker"])
def test_a_trait_holds_for_the_tags_that_lie_there_and_for_those_that_come(trait: str, tmp_path: Path) -> None:
    async def bench() -> None:
        async with Rig("one", tmp_path) as rig:
            rig.lay("centre", "04A1B2C3D4E5F6")
            rig.misbehave(f"centre {trait}")
            rig.lay("centre", "12345678")
            tags = rig._readers["centre"].field.tags
            assert [(tag.reliability, tag.flicker) for tag in tags] == [TRAITS[trait]] * 2
            rig.misbehave("centre well")
            assert [(tag.reliability, tag.flicker) for tag in tags] == [(1.0, None)] * 2

    asyncio.run(bench())


def pins_of(rig: Rig) -> Gpio:
    (pins,) = (device for device in equipment(rig.table) if isinstance(device, Gpio))
    return pins


@pytest.mark.parametrize(
    "line", ["", "help", "centre", "centre sad", "pad9 break", "satellite", "pigpiod dance", "x y z"]
)
def test_what_is_no_fault_is_answered_with_all_there_are(line: str, tmp_path: Path) -> None:
    async def bench() -> str:
        async with Rig("full", tmp_path) as rig:
            return rig.misbehave(line)

    assert asyncio.run(bench()) == HELP


def test_a_rig_of_kit_one_has_no_satellite(tmp_path: Path) -> None:
    async def bench() -> None:
        async with Rig("one", tmp_path) as rig:
            assert rig.table.satellite is None
            assert rig.misbehave("satellite unplug") == HELP

    asyncio.run(bench())
    assert list(tmp_path.iterdir()) == []


def test_a_rig_can_be_left_while_everything_is_wrong(tmp_path: Path) -> None:
    async def bench() -> None:
        async with Rig("full", tmp_path) as rig:
            for wrong, _ in random.Random(1).sample(FAULTS["full"], len(FAULTS["full"])):
                rig.misbehave(wrong)

    asyncio.run(bench())
