"""The emulated satellite in a process of its own: the real driver, by pyserial, on a pseudo-terminal, in real time."""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from companion.devices.satellite import firmware_build
from companion.devices.satellite.avr_emulator import EmulatorError
from companion.devices.satellite.driver import Satellite
from companion.devices.satellite.emulator_client import Workbench
from companion.devices.satellite.emulator_commands import (
    BoardDeed,
    Disturb,
    Hang,
    LayTag,
    LiftTag,
    Plug,
    PressButton,
    Spoil,
    Unplug,
)
from companion.devices.satellite.firmware_build import FirmwareBuild
from companion.simulation.firmware_rig import HELP, FirmwareRig
from companion.table.effects import Light
from companion.table.signals import Held, LinkDown, LinkUp, Pressed, ReaderFault, Signal, TagPlaced, TagRemoved

pytestmark = pytest.mark.slow

STATIONS = {pad: f"pad{pad}" for pad in range(5)}
STATES = (LinkUp, LinkDown, ReaderFault)
PATIENCE_S = 30.0
"""On a machine that is busy with other things."""


class Watched:
    """The driver, and all that it has said."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.satellite = Satellite(STATIONS, str(bench.path))
        self.signals: list[Signal] = []

    async def until(self, kind: type[Signal], count: int = 1) -> list[Signal]:
        """All signals of this kind, once there are so many."""
        await self.when(lambda: len(self._of(kind)) >= count)
        return self._of(kind)

    def _of(self, kind: type[Signal]) -> list[Signal]:
        return [signal for signal in self.signals if isinstance(signal, kind)]

    async def when(self, so: Callable[[], bool]) -> bool:
        async with asyncio.timeout(PATIENCE_S):
            while not so():
                await asyncio.sleep(0.01)
        return True

    def last_of(self, station: str) -> str:
        """What was last told of a station: "ready", or what is wrong."""
        states = [signal for signal in self.signals if signal.station == station and isinstance(signal, STATES)]
        return getattr(states[-1], "problem", "ready")

    @property
    def starts(self) -> int:
        """How often the satellite has started, as the names of its signals tell."""
        return len({signal.id.rpartition(".")[0] for signal in self.signals if isinstance(signal, LinkUp)})

    def do(self, *deeds: BoardDeed) -> None:
        for deed in deeds:
            self.bench.do(deed)


@asynccontextmanager
async def watching(bench: Workbench) -> AsyncIterator[Watched]:
    watched = Watched(bench)
    task = asyncio.create_task(watched.satellite.run(watched.signals.append))
    try:
        await watched.until(LinkUp, 5)
        yield watched
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def test_the_real_driver_plays_with_the_real_firmware(built: FirmwareBuild, tmp_path: Path) -> None:
    async def play() -> None:
        with Workbench(tmp_path / "satellite") as bench:
            async with watching(bench) as table:
                table.do(LayTag(3, "04A1B2C3D4E5F6"))
                (placed,) = await table.until(TagPlaced)
                assert (placed.station, placed.uid) == ("pad3", "04A1B2C3D4E5F6")
                table.do(Disturb(0.01), PressButton(1, "red", 60), PressButton(2, "green", 60))
                pressed = await table.until(Pressed, 2)
                assert {(each.station, each.button) for each in pressed} == {("pad1", "red"), ("pad2", "green")}
                table.satellite.show(Light("pad0", "turn"))
                await table.when(lambda: bench.shown.lamps[0])
                table.do(Disturb(0.0), LiftTag(3, "04A1B2C3D4E5F6"), Spoil(4, "hung"))
                await table.until(TagRemoved)
                (fault,) = await table.until(ReaderFault)
                assert fault.station == "pad4"

    asyncio.run(play())


def test_it_can_be_unplugged_and_plugged_in_again_and_its_watchdog_works(built: FirmwareBuild, tmp_path: Path) -> None:
    async def play() -> None:
        with Workbench(tmp_path / "satellite") as bench:
            async with watching(bench) as table:
                table.do(Unplug())
                await table.when(lambda: table.last_of("pad4") == "unplugged")
                await table.when(lambda: not any(bench.shown.lamps))
                dark = bench.shown
                await asyncio.sleep(1.0)  # twice as long as the lamps of a satellite without its host take to blink
                assert bench.shown is dark, "it has no power"
                table.do(Plug())
                await table.when(lambda: table.last_of("pad4") == "ready")
                assert table.starts == 2
                table.do(Hang())
                await table.when(lambda: table.starts == 3 and table.last_of("pad0") == "ready")
                table.do(PressButton(0, "green", 60))
                await table.until(Pressed)

    asyncio.run(play())


def test_beside_a_slow_host_its_own_seconds_are_longer(built: FirmwareBuild, tmp_path: Path) -> None:
    """Two of its seconds make a press a long one: four of ours."""

    async def play() -> None:
        with Workbench(tmp_path / "satellite", slower=2) as bench:
            async with watching(bench) as table:
                began_s = time.monotonic()
                table.do(PressButton(0, "red", 2_300))
                await table.until(Held)
                assert time.monotonic() - began_s >= 4.0

    asyncio.run(play())


def test_a_rig_with_emulated_firmware_is_touched_as_any_other(built: FirmwareBuild, tmp_path: Path) -> None:
    async def play() -> None:
        async with FirmwareRig(tmp_path, pads=4) as rig:
            assert rig.table.satellite is not None
            assert rig.table.satellite.pads == ("pad0", "pad1", "pad2", "pad3")
            rig.lay("pad1", "04A1B2C3D4E5F6")
            rig.lay("centre", "04A1B2C3D4E5F7")
            rig.lift("pad1", "04A1B2C3D4E5F6")
            rig.lift("centre", "04A1B2C3D4E5F7")
            await rig.press("pad0", "green", held=False)
            assert rig.lamp("pad3") in ("on", "off")
            for line in ("pad1 hung", "pad1 well", "pad0 jam", "satellite reset", "centre gone", "pigpiod kill"):
                assert rig.misbehave(line) == "done", line
            shown = rig.misbehave("show")
            assert re.fullmatch(r"(pad\d (on|off), ){3}pad3 (on|off); buzzer (on|off)", shown), shown
            for line in ("", "pad4 hung", "pad1 refused", "satellite fly", "centre fly", "nonsense"):
                assert rig.misbehave(line) == HELP, line

    asyncio.run(play())


def test_it_ends_with_the_process_that_started_it(built: FirmwareBuild, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "companion.devices.satellite.emulated_process", str(tmp_path / "satellite")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert b"ready" in process.stdout.readline()
        assert (tmp_path / "satellite").is_symlink()
        process.stdin.close()
        assert process.wait(10) == 0
    assert not (tmp_path / "satellite").is_symlink()


# --- What is missing is told ----------------------------------------------------------------------------------


def test_without_its_sources_it_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(EmulatorError, match="needs a checkout"):
        firmware_build.build(tmp_path)


def test_without_compilers_it_says_which_packages_bring_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Makefile").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmulatorError, match="apt-get install make gcc libc6-dev gcc-avr avr-libc libsimavr2"):
        firmware_build.build(tmp_path)


def test_what_the_compiler_says_is_passed_on(built: FirmwareBuild, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\t@echo 'core/wire.c:7: error: oh dear' >&2; false\n")
    with pytest.raises(EmulatorError, match=r"the firmware cannot be built.*oh dear"):
        firmware_build.build(tmp_path)


def test_a_workbench_that_cannot_begin_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmulatorError, match="apt-get install"):
        Workbench(tmp_path / "satellite")
