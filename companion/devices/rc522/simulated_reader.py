"""An RC522 without hardware: a simulated chip on a simulated bus, with hands at its field.

with SimulatedRc522(Rc522Settings()) as reader:
    reader.lay("04A1B2C3D4E5F6")
    reader.spoil("hung")
"""

from contextlib import ExitStack
from threading import Event
from typing import Self

from companion.devices.rc522.settings import Rc522Settings
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.simulated.reader_faults import Faults
from companion.devices.simulated.shared_field import TRAITS, StickerHands

LEVELS = {"gone": 0x00, "stuck": 0x00, "sparks": 0.002}
"""How strong the faults are that have a strength. Source: none, ours."""


class SimulatedRc522(StickerHands):
    fault_names = (*Faults.NAMES, *TRAITS)
    unseen_faults = ("muffled", "weak", "flicker")

    def __init__(self, settings: Rc522Settings, board: Board | None = None) -> None:
        """`board`: what it is plugged into, with others; without one, it has a Pi of its own."""
        self.settings = settings
        self._board = board or Board(WallClock())
        self.chip = self._board.plug(Chip(), settings.bus, settings.device, settings.reset)
        self._stack = ExitStack()
        super().__init__(self.chip.field)

    def __enter__(self) -> Self:
        self._stack.enter_context(self._board.installed())
        return self

    def __exit__(self, *_: object) -> None:
        self.chip.faults.clear()
        self._stack.close()

    def spoil(self, fault: str) -> None:
        if fault in TRAITS:
            self.weaken(fault)
        elif fault == "blocked":
            self.chip.faults.blocked = self.chip.faults.blocked or Event()  # threads may wait for this one
        else:
            setattr(self.chip.faults, fault, LEVELS.get(fault, True))

    def mend(self) -> None:
        self.chip.faults.clear()
        self.weaken("")
