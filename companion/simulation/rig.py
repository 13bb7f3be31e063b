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
from threading import Event
from typing import Literal

from msgspec.structs import replace

from companion.config.table import FULL_TABLE, KIT_ONE_TABLE, Gpio, Satellite, Table
from companion.simulation import satellite_console
from companion.simulation.board import Board, WallClock
from companion.simulation.chip import Chip
from companion.simulation.faults import Faults
from companion.simulation.pigpiod import Pigpiod
from companion.simulation.satellite import SimulatedSatellite
from companion.simulation.tags import Classic, Ntag, Tag

PRESS_S, HOLD_S = 0.06, 2.1
BOUNCE_US = (300, 900, 300, 1500)
"""What a cheap button does before it is down, and again before it is up."""

HELP = f"""\
centre FAULT          FAULT: gone stuck hung garbled colliding unpowered refused blocked; or well
pigpiod kill|start|silence|speak
{satellite_console.FAULTS}"""


class Rig:
    """The hardware of a kit. It lives in the event loop in which it was entered."""

    def __init__(self, kit: Literal["one", "full"], folder: Path, *, pads: int = 5) -> None:
        """`folder`: where the satellite's line appears."""
        self._board = Board(WallClock())
        self._pigpiod = Pigpiod(paced=True)
        self._satellite = SimulatedSatellite(folder / "satellite", pads=pads) if kit == "full" else None
        self._wired = KIT_ONE_TABLE if kit == "one" else FULL_TABLE
        self._chips: dict[str, Chip] = {
            reader.station: self._board.plug(Chip(), reader.bus, reader.device, reader.reset)
            for reader in self._wired.readers
        }
        self._pins: dict[tuple[str, str], int] = {
            (button.station, button.colour): button.pin for button in self._wired.buttons
        }
        self._pads = {f"pad{number}": number for number in range(pads if self._satellite else 0)}
        self._tags: dict[str, Tag] = {}
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
    def table(self) -> Table:
        """What stands in this table's table.toml."""
        gpio = Gpio("pigpio", "127.0.0.1", self._pigpiod.port)
        if not self._satellite:
            return replace(self._wired, gpio=gpio)
        satellite = Satellite(str(self._satellite.path), pads=tuple(self._pads))  # type: ignore[arg-type]  # stations
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
            self._chips[station].field.place(self._tag(uid))

    def lift(self, station: str, uid: str) -> None:
        if station in self._pads and self._satellite:
            self._satellite.pads[self._pads[station]].lift(uid)
        else:
            self._chips[station].field.lift(self._tag(uid))

    async def press(self, station: str, button: str, *, held: bool) -> None:
        if station in self._pads and self._satellite:
            pad = self._satellite.pads[self._pads[station]]
            (pad.hold if held else pad.press)(button)
            return
        pin = self._pins[station, button]
        self._pigpiod.press(pin, BOUNCE_US)
        await asyncio.sleep(HOLD_S if held else PRESS_S)
        self._pigpiod.release(pin, BOUNCE_US)

    def _tag(self, uid: str) -> Tag:
        """The same sticker every time: what it remembers stays with it."""
        if uid not in self._tags:
            data = bytes.fromhex(uid)
            self._tags[uid] = Classic(data) if len(data) == 4 else Ntag(data) if len(data) == 7 else Tag(data)
        return self._tags[uid]

    # --- Faults -----------------------------------------------------------------------------------------------

    def misbehave(self, line: str) -> str:
        """Let something go wrong, or well again, by one line as somebody types it. What came of it."""
        match line.split():
            case [station, fault] if station in self._chips and fault in (*Faults.NAMES, "well"):
                self._spoil(self._chips[station].faults, fault)
            case ["pigpiod", "kill" | "start" | "silence" | "speak" as what]:
                getattr(self._pigpiod, what)()
            case _ if not self._satellite or not satellite_console.misbehave(self._satellite, line):
                return HELP
        return "done"

    @staticmethod
    def _spoil(faults: Faults, fault: str) -> None:
        if fault == "well":
            faults.clear()
        else:
            setattr(faults, fault, {"gone": 0x00, "stuck": 0x00, "blocked": Event()}.get(fault, True))
