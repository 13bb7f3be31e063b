"""A table with one reader on USB and nothing else: a simulated PN532 on a line, or tags behind the real pcscd.

async with UsbRig("pn532", folder) as rig:
    devices = equipment(rig.table)
    rig.lay("centre", "04A1B2C3D4E5F6")
    rig.misbehave("centre unplug")

Hands touch it as they touch a `Rig`. It has no buttons: whatever is pressed is said on the screen.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from companion.config.settings import ReaderSettings, TableSettings
from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.devices.pn532.simulated_reader import Pn532Faults, SimulatedPn532
from companion.devices.simulated.shared_field import SimulatedField
from companion.devices.simulated.tags import Stickers
from companion.simulation.rig import TRAITS, WELL
from companion.stations import CENTRE

UsbKind: TypeAlias = Literal["pn532", "pcsc"]

OF_TAGS = f"centre {'|'.join(TRAITS)}|well   how its tags answer"
PN532_HELP = f"""\
centre FAULT           FAULT: {" ".join(Pn532Faults.NAMES)}; or well
centre unplug|plug|reset|babble
{OF_TAGS}
"""
PCSC_HELP = f"""\
centre FAULT           FAULT: {" ".join(VirtualReader.FAULTS)}; or well
{OF_TAGS}
"""


class UsbRig:
    """What is faulty with a reader is well again by `centre well`."""

    has_buttons = False

    def __init__(self, kind: UsbKind, folder: Path) -> None:
        """`folder`: where the line of a PN532 appears. Raises DeviceError where there is no pcscd to be run."""
        self._board = SimulatedPn532(folder / "pn532") if kind == "pn532" else None
        self._behind = VirtualReader() if kind == "pcsc" else None
        self._tags = Stickers()
        self._traits = WELL

    async def __aenter__(self) -> "UsbRig":
        await asyncio.to_thread(self._reader.__enter__)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._reader.__exit__)

    @property
    def _reader(self) -> SimulatedPn532 | VirtualReader:
        reader = self._board or self._behind
        assert reader is not None
        return reader

    @property
    def _field(self) -> SimulatedField:
        return self._reader.field

    @property
    def table(self) -> TableSettings:
        """What stands in this table's table.toml."""
        if self._board:
            return TableSettings(readers=(ReaderSettings(kind="pn532", port=str(self._board.path)),))
        return TableSettings(readers=(ReaderSettings(kind="pcsc"),))

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, station: str, uid: str) -> None:
        tag = self._tags[uid]
        tag.reliability, tag.flicker = self._traits
        self._field.place(tag)

    def lift(self, station: str, uid: str) -> None:
        self._field.lift(self._tags[uid])

    async def press(self, station: str, button: str, *, held: bool) -> None:
        raise NotImplementedError("there is nothing to press")

    # --- Faults -----------------------------------------------------------------------------------------------

    def misbehave(self, line: str) -> str:
        """Let something go wrong, or well again, by one line as somebody types it. What came of it."""
        match line.split():
            case [station, what] if station == CENTRE and what in (*TRAITS, "well"):
                self._change(what)
            case [station, what] if station == CENTRE and self._spoil(what):
                pass
            case _:
                return PN532_HELP if self._board else PCSC_HELP
        return "done"

    def _change(self, what: str) -> None:
        if what == "well":
            self._mend()
        self._traits = TRAITS.get(what, WELL)
        for tag in self._field.tags:
            tag.reliability, tag.flicker = self._traits

    def _mend(self) -> None:
        if self._board:
            self._board.faults.clear()
            self._board.plug()
        elif self._behind:
            self._behind.spoil("")

    def _spoil(self, what: str) -> bool:
        """False: there is no such fault."""
        if self._behind and what in VirtualReader.FAULTS:
            self._behind.spoil(what)
            return True
        if self._board and what in Pn532Faults.NAMES:
            setattr(self._board.faults, what, True)
            return True
        deeds: dict[str, Callable[[SimulatedPn532], None]] = {
            "unplug": SimulatedPn532.unplug,
            "plug": SimulatedPn532.plug,
            "reset": SimulatedPn532.reset,
            "babble": SimulatedPn532.babble,
        }
        if self._board and what in deeds:
            deeds[what](self._board)
            return True
        return False
