"""A whole table of simulated hardware, for the real drivers: chips on a Pi's SPI bus, a pigpiod, a satellite on a line.

    async with Rig("full", folder) as rig:
        devices = equipment(rig.table)      # as from a table.toml
        rig.lay("centre", "04A1B2C3D4E5F6")
        rig.misbehave("pad1 break")

Hands touch it, and anything on it can be told to go wrong while it runs.
"""

import asyncio
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from companion.config import GpioSettings, SatelliteSettings, TableSettings, kit_table
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.devices.rc522.settings import Rc522Settings
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_reader import SimulatedRc522
from companion.devices.satellite import fault_words
from companion.devices.satellite.simulated_satellite import SimulatedSatellite
from companion.stations import PADS, ReaderKit

PRESS_S, HOLD_S = 0.06, 2.1
BOUNCE_US = (300, 900, 300, 1500)
"""What a cheap button does before it is down, and again before it is up…"""
WORN_US = (700, 2500, 1200, 900, 3000, 400, 800, 500)
"""…and what an old one does."""

OF_THE_PI = f"""\
centre FAULT          FAULT: {" ".join(SimulatedRc522.fault_names)}; or well
pigpiod kill|start|silence|speak|wrap    wrap: begins again, two seconds before its clock is at its end
pigpiod bounce|well   the Pi's buttons are worn, or as good as new
"""
HELP = f"{OF_THE_PI}{fault_words.FAULTS}"


class Rig:
    """The hardware of a kit. It lives in the event loop in which it was entered."""

    has_buttons = True

    def __init__(self, kit: ReaderKit, folder: Path, *, pads: int = 5) -> None:
        """`folder`: where the satellite's line appears."""
        self._board = Board(WallClock())
        self._pigpiod = Pigpiod(paced=True)
        self._satellite = SimulatedSatellite(folder / "satellite", pads=pads) if kit == "full" else None
        self._wired = kit_table(kit)
        self._readers: dict[str, SimulatedRc522] = {
            reader.station: SimulatedRc522(reader, self._board)
            for reader in self._wired.readers
            if isinstance(reader, Rc522Settings)
        }
        self._pins: dict[tuple[str, str], int] = {
            (button.station, button.colour): button.pin for button in self._wired.buttons
        }
        self._pads = {station: number for number, station in enumerate(PADS[:pads] if self._satellite else ())}
        self._bounce_us: tuple[int, ...] = BOUNCE_US
        self._stack = ExitStack()

    async def __aenter__(self) -> "Rig":
        self._stack.enter_context(self._board.installed())
        self._stack.enter_context(self._pigpiod)
        if self._satellite:
            self._satellite.plug()
            self._stack.callback(self._satellite.unplug)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def table(self) -> TableSettings:
        """What table.toml would say."""
        gpio = GpioSettings("pigpio", "127.0.0.1", self._pigpiod.port)
        if not self._satellite:
            return replace(self._wired, gpio=gpio)
        satellite = SatelliteSettings(str(self._satellite.path), pads=tuple(self._pads))
        return replace(self._wired, gpio=gpio, satellite=satellite)

    def lamp(self, station: str) -> str:
        """What can be seen of a station's lamp: its pattern on a pad, "on" or "off" on the Pi's own pin."""
        if station in self._pads and self._satellite:
            return self._satellite.pads[self._pads[station]].lamp
        pin = next(lamp.pin for lamp in self._wired.lamps if lamp.station == station)
        return "on" if self._pigpiod.level(pin) else "off"

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, station: str, uid: str) -> None:
        if station in self._pads and self._satellite:
            self._satellite.pads[self._pads[station]].lay(uid)
        else:
            self._readers[station].lay(uid)

    def lift(self, station: str, uid: str) -> None:
        if station in self._pads and self._satellite:
            self._satellite.pads[self._pads[station]].lift(uid)
        else:
            self._readers[station].lift(uid)

    async def press(self, station: str, button: str, *, held: bool) -> None:
        if station in self._pads and self._satellite:
            pad = self._satellite.pads[self._pads[station]]
            (pad.hold if held else pad.press)(button)
            return
        pin = self._pins[station, button]
        self._pigpiod.press(pin, self._bounce_us)
        await asyncio.sleep(HOLD_S if held else PRESS_S)
        self._pigpiod.release(pin, self._bounce_us)

    # --- Faults -----------------------------------------------------------------------------------------------

    def misbehave(self, line: str) -> str:
        """Cause a fault, or end it, by one line as a person types it. The answer to it."""
        match line.split():
            case [station, "well"] if station in self._readers:
                self._readers[station].mend()
            case [station, fault] if station in self._readers and fault in SimulatedRc522.fault_names:
                self._readers[station].spoil(fault)
            case ["pigpiod", "kill" | "start" | "silence" | "speak" | "wrap" as what]:
                getattr(self._pigpiod, what)()
            case ["pigpiod", "bounce" | "well" as what]:
                self._bounce_us = WORN_US if what == "bounce" else BOUNCE_US
            case _ if not self._satellite or not fault_words.misbehave(self._satellite, line):
                return HELP
        return "done"
