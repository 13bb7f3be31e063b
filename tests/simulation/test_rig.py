"""Whole games through the real mfrc522, pigpio and pyserial on simulated hardware that goes wrong all the time."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.simulation.rig import HELP, Rig
from tests.referee.table import Table
from tests.simulation.whole_game import FAULTS, LIMIT_S, SEED, Outcome

KITS = ("one", "full")


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """Both at the same time, because most of a game is waiting."""
    command = [sys.executable, "-m", "tests.simulation.whole_game"]
    root = Path(__file__).parents[2]
    games = {
        kit: subprocess.Popen([*command, kit, "--faults"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for kit in KITS
    }
    try:
        told = {kit: game.communicate(timeout=LIMIT_S + 30) for kit, game in games.items()}
    finally:
        for game in games.values():
            game.kill()
    problems = {kit: err.decode() for kit, (_, err) in told.items() if games[kit].returncode}
    assert problems == {}
    return {kit: msgspec.json.decode(out, type=Outcome) for kit, (out, _) in told.items()}


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
    return tuple(score.total for score in table.seen.scores), len(table.evening.sitting.played)


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
