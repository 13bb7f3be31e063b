"""A table with one simulated reader and nothing else, of any kind that can be simulated.

async with ReaderRig("pn532", folder) as rig:
    devices = equipment(rig.table)
    rig.lay("centre", "04A1B2C3D4E5F6")
    rig.misbehave("centre unplug")

Hands touch it as they touch a `Rig`. It has no buttons: players use the screen instead.
"""

import asyncio
from pathlib import Path

from companion.config import TableSettings
from companion.devices import reader_kinds
from companion.errors import DeviceError
from companion.stations import CENTRE


class ReaderRig:
    """`centre well` ends all faults of the reader."""

    has_buttons = False

    def __init__(self, kind: str, folder: Path) -> None:
        """`folder`: for the files of the reader, such as its line. Raises DeviceError where it cannot run."""
        found = reader_kinds.find(kind)
        if not isinstance(found, type):
            raise DeviceError(f"there are no readers of kind {kind!r} here; `companion doctor` says more")
        self._reader = found.simulated(folder)

    async def __aenter__(self) -> "ReaderRig":
        await asyncio.to_thread(self._reader.__enter__)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._reader.__exit__)

    @property
    def table(self) -> TableSettings:
        """What table.toml would say."""
        return TableSettings(readers=(self._reader.settings,))

    @property
    def help(self) -> str:
        return f"centre FAULT           FAULT: {' '.join(self._reader.fault_names)}; or well\n"

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, station: str, uid: str) -> None:
        self._reader.lay(uid)

    def lift(self, station: str, uid: str) -> None:
        self._reader.lift(uid)

    async def press(self, station: str, button: str, *, held: bool) -> None:
        raise NotImplementedError("there is nothing to press")

    # --- Faults -----------------------------------------------------------------------------------------------

    def misbehave(self, line: str) -> str:
        """Cause a fault, or end all, by one line as a person types it. The answer to it."""
        match line.split():
            case [station, "well"] if station == CENTRE:
                self._reader.mend()
            case [station, fault] if station == CENTRE and fault in self._reader.fault_names:
                self._reader.spoil(fault)
            case _:
                return self.help
        return "done"
