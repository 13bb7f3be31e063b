"""`companion demo --firmware`: simulated people play on pads whose firmware is the real one."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.devices.satellite.firmware_build import FirmwareBuild
from companion.gamekit.snapshot import Snapshot
from companion.processes.evenings import runtime_folder
from companion.referee.link import answers
from tests.referee.screen import FakeScreen
from tests.verbs.command import Command
from tests.verbs.conftest import home

__all__ = ["home"]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("home")]

PATIENCE_S = 60.0
"""More than anything here takes on a slow and busy machine."""
NAMES = ("Anna", "Ben", "Cleo")
WORDS = ("table", "--players", *NAMES, "--simulated", *NAMES, "--kit", "full", "--speed", "100", "--seed", "2")


@contextmanager
def playing() -> Iterator[FakeScreen]:
    """A screen at a referee that was started as `companion demo --firmware` starts it."""
    words = [sys.executable, "-m", "companion", *WORDS, "--through", "firmware"]
    with subprocess.Popen(words) as process:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not (sockets := [path for path in runtime_folder().glob("*.sock") if answers(path)]):
                assert process.poll() is None, "the referee has ended"
                assert time.monotonic() < deadline, "the referee does not begin"
                time.sleep(0.02)
            with FakeScreen(sockets[0]) as screen:
                yield screen
        finally:
            process.terminate()
            assert process.wait(PATIENCE_S) == 0


def until(screen: FakeScreen, so: Callable[[Snapshot], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not so(screen.snapshot()):
        assert time.monotonic() < deadline, "waited in vain"


def faults(typed: bytes) -> bytes:
    """A user types this at `companion faults`."""
    words = [sys.executable, "-m", "companion", "faults"]
    return subprocess.run(words, input=typed, capture_output=True, check=True, timeout=PATIENCE_S).stdout


def ready(seen: Snapshot) -> set[str]:
    return {device.station for device in seen.devices if device.state == "ready"}


def test_a_game_is_played_through_the_firmware_and_goes_on_after_its_faults(built: FirmwareBuild) -> None:
    with playing() as screen:
        until(screen, lambda seen: {"centre", "pad0", "pad1", "pad2"} <= ready(seen))
        until(screen, lambda seen: "done" in seen.lights.values())  # a player has chosen
        until(screen, lambda seen: seen.table["phase"] == "bid" and list(seen.lights.values()).count("turn") == 1)
        assert b"done" in faults(b"pad1 unpowered\n")
        until(screen, lambda seen: "pad1" not in ready(seen) and seen.lights["pad1"] == "lost")
        assert b"done" in faults(b"pad1 well\nsatellite hang\n")
        until(screen, lambda seen: "pad1" in ready(seen))
        entry = screen.snapshot().entry
        until(screen, lambda seen: seen.entry > entry + 2)


def test_it_needs_pads(capsys: pytest.CaptureFixture[str]) -> None:
    said = Command(capsys)("demo", "--firmware", "--kit", "one")
    assert said.status == 2
    assert "--kit full" in said.err


def test_without_compilers_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = Command(capsys)("demo", "--firmware")
    assert said.status == 2
    assert "apt-get install" in said.err
    assert "gcc-avr" in said.err
