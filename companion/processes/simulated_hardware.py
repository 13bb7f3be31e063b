"""Simulated hardware on a bench: what hands touch instead of giving signals, wired as a table.toml says."""

import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from companion.config import TableSettings
from companion.devices import reader_kinds
from companion.errors import DeviceError, UsageError
from companion.processes.simulation_settings import DRIVERS, FIRMWARE
from companion.simulation.hands_on_hardware import Hardware
from companion.stations import Kit
from companion.troubles import INSTALL


class Bench(Hardware, Protocol):
    """It can be told to go wrong."""

    @property
    def table(self) -> TableSettings: ...

    def misbehave(self, line: str) -> str: ...


def bench(through: str, kit: Kit, players: int, folder: Path) -> AbstractAsyncContextManager[Bench]:
    """Raises UsageError; DeviceError where a library is missing."""
    try:
        return _rig(through, kit, players, folder)
    except ImportError as error:
        raise DeviceError(f"the library {error.name} is not installed: {INSTALL}") from None


def _rig(through: str, kit: Kit, players: int, folder: Path) -> AbstractAsyncContextManager[Bench]:
    """What is simulated is imported only where it is used. Raises ImportError."""
    if through == FIRMWARE:
        from companion.simulation.firmware_rig import FirmwareRig

        return FirmwareRig(folder, pads=players)
    if through == DRIVERS:
        from companion.simulation.rig import Rig

        return Rig("one" if kit == "one" else "full", folder, pads=players)
    from companion.simulation.reader_rig import ReaderRig

    return ReaderRig(through, folder)


def prepare_reader(name: str) -> None:
    """Find out whether this kind of reader can be simulated, before a screen is opened. Raises UsageError."""
    kind = reader_kinds.find(name)
    if isinstance(kind, type) and (why := kind.simulation_needs()):
        raise UsageError(f"--drivers {name} {why}")


def prepare_firmware(kit: Kit | None) -> None:
    """Build what `--firmware` needs, before a screen is opened. Raises UsageError, EmulatorError."""
    from companion.devices.satellite.firmware_build import build

    if kit != "full":
        raise UsageError("--firmware plays on pads with a satellite: leave out --kit, or say --kit full")
    print("companion: building the firmware and its emulator, if they have changed …", file=sys.stderr)
    build()
