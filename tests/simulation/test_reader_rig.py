"""Whole games of every title through one reader on USB, and what can be typed to let it fail."""

import asyncio
import itertools
from pathlib import Path

import pytest

from companion.devices.pn532.settings import Pn532Settings
from companion.errors import DeviceError
from companion.simulation.reader_rig import ReaderRig
from tests.ours import GAMES
from tests.pcsc import needs_pcscd, why_no_pcscd
from tests.simulation import whole_game
from tests.simulation.whole_game import Outcome
from tests.simulation.whole_game_on_a_reader import FAULTS, LIMIT_S, undisturbed

MODULE = "tests.simulation.whole_game_on_a_reader"
KINDS = ("pn532", "pcsc")
TOLD = {"pn532": 1, "pcsc": len(FAULTS["pcsc"]) // 2}
"""How many faults are told at least. A PN532 bridges short ones without a word: only a pulled plug is always told."""


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], Outcome]:
    names = itertools.product(KINDS if not why_no_pcscd() else KINDS[:1], GAMES)
    return whole_game.outcomes({name: (MODULE, *name, "--faults") for name in names}, LIMIT_S)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_ends_with_the_same_score_whatever_goes_wrong_with_the_reader(
    kind: str, game: str, outcomes: dict[tuple[str, str], Outcome], tmp_path: Path
) -> None:
    if kind == "pcsc":
        needs_pcscd()
    outcome = outcomes[kind, game]
    assert (outcome.totals, outcome.actions) == undisturbed(tmp_path, game)
    assert outcome.undone == 0
    assert outcome.injected == len(FAULTS[kind])
    assert outcome.faults >= TOLD[kind]
    assert outcome.recoveries > 1, "one outage may be told by several troubles, and is over with one word"


def test_what_can_be_typed_to_a_pn532_is_reported_and_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with ReaderRig("pn532", tmp_path) as rig:
            assert rig.misbehave("") == rig.help
            assert rig.misbehave("centre explode") == rig.help
            assert rig.misbehave("pad0 hung") == rig.help
            for line in ("hung", "well", "unplug", "plug", "reset", "babble", "weak", "well"):
                assert rig.misbehave(f"centre {line}") == "done"
            assert "lost_acks" in rig.help
            assert (tmp_path / "pn532").exists()
            assert rig.table.readers == (Pn532Settings(port=str(tmp_path / "pn532")),)

    asyncio.run(story())


@pytest.mark.slow
def test_what_can_be_typed_to_a_pcscd_is_reported_and_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with ReaderRig("pcsc", tmp_path) as rig:
            assert rig.misbehave("centre hung") == rig.help
            for line in ("killed", "unplugged", "failing", "silent", "flicker", "well"):
                assert rig.misbehave(f"centre {line}") == "done"

    needs_pcscd()
    asyncio.run(story())


def test_without_pcscd_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("companion.devices.pcsc.simulated_daemon.DRIVER", tmp_path / "nowhere")
    with pytest.raises(DeviceError, match="sudo apt install pcscd vsmartcard-vpcd"):
        ReaderRig("pcsc", tmp_path)
