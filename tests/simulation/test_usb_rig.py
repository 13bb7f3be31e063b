"""Whole games of every title through one reader on USB, and what can be typed to let it fail."""

import asyncio
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.errors import DeviceError
from companion.simulation.hardware.usb_rig import PCSC_HELP, PN532_HELP, UsbRig
from tests.ours import GAMES
from tests.pcsc import needs_pcscd
from tests.simulation.whole_game import Outcome
from tests.simulation.whole_game_on_usb import FAULTS, LIMIT_S, undisturbed

ROOT = Path(__file__).parents[2]
MODULE = "tests.simulation.whole_game_on_usb"


@pytest.fixture(scope="module", params=("pn532", "pcsc"))
def outcomes(request: pytest.FixtureRequest) -> tuple[str, dict[str, Outcome]]:
    """All at the same time, because most of a game is waiting; through pcscd more than anywhere."""
    kind = request.param
    if kind == "pcsc":
        needs_pcscd()
    games = {
        game: subprocess.Popen(
            [sys.executable, "-m", MODULE, kind, game, "--faults"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for game in GAMES
    }
    try:
        told = {name: game.communicate(timeout=LIMIT_S + 30) for name, game in games.items()}
    finally:
        for game in games.values():
            game.kill()
    problems = {name: err.decode() for name, (_, err) in told.items() if games[name].returncode}
    assert problems == {}
    return kind, {name: msgspec.json.decode(out, type=Outcome) for name, (out, _) in told.items()}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_ends_with_the_same_score_whatever_goes_wrong_with_the_reader(
    game: str, outcomes: tuple[str, dict[str, Outcome]], tmp_path: Path
) -> None:
    kind, ended = outcomes
    outcome = ended[game]
    assert (outcome.totals, outcome.actions) == undisturbed(tmp_path, game)
    assert outcome.undone == 0
    assert outcome.injected == len(FAULTS[kind])
    assert outcome.faults >= len(FAULTS[kind]) // 2
    assert outcome.recoveries > 1, "one outage may be told by several troubles, and is over with one word"


def test_what_can_be_typed_to_a_pn532_is_told_and_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with UsbRig("pn532", tmp_path) as rig:
            assert rig.misbehave("") == PN532_HELP
            assert rig.misbehave("centre explode") == PN532_HELP
            assert rig.misbehave("pad0 hung") == PN532_HELP
            for line in ("hung", "well", "unplug", "plug", "reset", "babble", "weak", "well"):
                assert rig.misbehave(f"centre {line}") == "done"
            assert Path(rig.table.readers[0].port).exists()

    asyncio.run(story())


@pytest.mark.slow
def test_what_can_be_typed_to_a_pcscd_is_told_and_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with UsbRig("pcsc", tmp_path) as rig:
            assert rig.misbehave("centre hung") == PCSC_HELP
            for line in ("killed", "unplugged", "failing", "silent", "flicker", "well"):
                assert rig.misbehave(f"centre {line}") == "done"

    needs_pcscd()
    asyncio.run(story())


def test_without_pcscd_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("companion.simulation.hardware.pcscd.DRIVER", tmp_path / "nowhere")
    with pytest.raises(DeviceError, match="sudo apt install pcscd vsmartcard-vpcd"):
        UsbRig("pcsc", tmp_path)
