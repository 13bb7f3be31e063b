"""A table whose satellite runs its real firmware, emulated; the Pi's own reader is a simulated chip. See rig.py.

async with FirmwareRig(folder, pads=4) as rig:
    devices = equipment(rig.table)
    rig.lay("pad0", "04A1B2C3D4E5F6")
    rig.misbehave("pad1 hung")
"""

import asyncio
from pathlib import Path

from msgspec.structs import replace

from companion.config import SatelliteSettings, TableSettings
from companion.devices.satellite.emulated_board import HOLD_MS, PRESS_MS
from companion.devices.satellite.emulator_client import Workbench
from companion.devices.satellite.emulator_commands import (
    FAULTS,
    WELL,
    BoardDeed,
    Disturb,
    Hang,
    Jam,
    LayTag,
    LiftTag,
    Plug,
    PressButton,
    Reset,
    Spoil,
    Unplug,
)
from companion.devices.satellite.fault_words import NOISE
from companion.simulation import rig
from companion.stations import PADS

SATELLITE: dict[str, BoardDeed] = {
    "unplug": Unplug(),
    "plug": Plug(),
    "reset": Reset(),
    "hang": Hang(),
    "noise": Disturb(NOISE),
    "clear": Disturb(0.0),
}

HELP = f"""\
{rig.OF_THE_PI}\
pad0 FAULT            … pad4, FAULT: {" ".join(FAULTS)}; or {WELL}
pad0 jam|free         its green button stays down, comes up again
satellite {"|".join(SATELLITE)}
show                  what the satellite's lamps and buzzer do at this moment: its pins, not what it was told
"""


class FirmwareRig:
    """It lives in the event loop in which it was entered; the emulated satellite in a process of its own."""

    has_buttons = True

    def __init__(self, folder: Path, *, pads: int = 5) -> None:
        self._pi = rig.Rig("one", folder)
        self._path = folder / "satellite"
        self._pads = {station: number for number, station in enumerate(PADS[:pads])}
        self._bench: Workbench | None = None

    async def __aenter__(self) -> "FirmwareRig":
        """Raises EmulatorError if tools are missing."""
        self._bench = await asyncio.to_thread(Workbench, self._path)
        await self._pi.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pi.__aexit__()
        await asyncio.to_thread(self._on_bench.close)

    @property
    def _on_bench(self) -> Workbench:
        assert self._bench is not None, "it has not been entered"
        return self._bench

    @property
    def table(self) -> TableSettings:
        """What table.toml would say."""
        satellite = SatelliteSettings(str(self._path), pads=tuple(self._pads))
        return replace(self._pi.table, satellite=satellite)

    def lamp(self, station: str) -> str:
        """What can be seen of a station's lamp at this moment: "on" or "off"."""
        if station not in self._pads:
            return self._pi.lamp(station)
        return "on" if self._on_bench.shown.lamps[self._pads[station]] else "off"

    def _shown(self) -> str:
        lamps = ", ".join(f"{station} {self.lamp(station)}" for station in self._pads)
        return f"{lamps}; buzzer {'on' if self._on_bench.shown.buzzes else 'off'}"

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, station: str, uid: str) -> None:
        if station in self._pads:
            self._on_bench.do(LayTag(self._pads[station], uid))
        else:
            self._pi.lay(station, uid)

    def lift(self, station: str, uid: str) -> None:
        if station in self._pads:
            self._on_bench.do(LiftTag(self._pads[station], uid))
        else:
            self._pi.lift(station, uid)

    async def press(self, station: str, button: str, *, held: bool) -> None:
        if station not in self._pads:
            await self._pi.press(station, button, held=held)
            return
        for_ms = HOLD_MS if held else PRESS_MS
        self._on_bench.do(PressButton(self._pads[station], button, for_ms))
        await asyncio.sleep(for_ms / 1_000)

    # --- Faults -----------------------------------------------------------------------------------------------

    def misbehave(self, line: str) -> str:
        """Cause a fault, or end it, by one line as a person types it. The answer to it."""
        match line.split():
            case [station, fault] if station in self._pads and fault in (*FAULTS, WELL):
                self._on_bench.do(Spoil(self._pads[station], fault))
            case [station, "jam" | "free" as what] if station in self._pads:
                self._on_bench.do(Jam(self._pads[station], "green", what == "jam"))
            case ["show"]:
                return self._shown()
            case ["satellite", what] if what in SATELLITE:
                self._on_bench.do(SATELLITE[what])
            case [station, _] if station not in self._pads and station != "satellite":
                return HELP if self._pi.misbehave(line) == rig.HELP else "done"
            case _:
                return HELP
        return "done"
