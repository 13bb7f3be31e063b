"""A board that speaks the protocol, on a pseudo-terminal: for `companion demo --drivers zaparoo`, and for tests."""

import os
import threading
import tty
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Self

from zaparoo_reader import ZaparooSettings

REPEAT_S = 0.1
"""How often a board repeats its line."""


class SimulatedBoard:
    """`path` becomes a link to the pseudo-terminal for as long as the board is plugged in."""

    fault_names = ("unplug", "plug", "babbling", "garbled", "hung")
    unseen_faults = ("hung",)

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tags: list[str] = []
        self._faults: set[str] = set()
        self._chance = Random(0)
        self._lock = threading.Lock()
        self._cable: tuple[int, int] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated board", daemon=True)

    @property
    def settings(self) -> ZaparooSettings:
        return ZaparooSettings(port=str(self._path))

    def __enter__(self) -> Self:
        self._plug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._unplug()

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, uid: str) -> None:
        if uid not in self._tags:
            self._tags = [*self._tags, uid]

    def lift(self, uid: str) -> None:
        self._tags = [each for each in self._tags if each != uid]

    def spoil(self, fault: str) -> None:
        if fault == "unplug":
            self._unplug()
        elif fault == "plug":
            self._plug()
        else:
            self._faults.add(fault)

    def mend(self) -> None:
        self._faults.clear()
        self._plug()

    # --- The board --------------------------------------------------------------------------------------------

    def _plug(self) -> None:
        with self._lock:
            if self._cable is None:
                own, hosts = os.openpty()
                tty.setraw(hosts)
                os.set_blocking(own, False)
                self._path.unlink(missing_ok=True)
                self._path.symlink_to(os.ttyname(hosts))
                self._cable = own, hosts

    def _unplug(self) -> None:
        with self._lock:
            cable, self._cable = self._cable, None
            if cable is not None:
                self._path.unlink(missing_ok=True)
                for end in cable:
                    os.close(end)

    def _run(self) -> None:
        while not self._stop.wait(REPEAT_S):
            with self._lock, suppress(OSError):  # the host may not read in time: then a line is lost
                if self._cable is not None and "hung" not in self._faults:
                    os.write(self._cable[0], self._said())

    def _said(self) -> bytes:
        """One tag at a time: the one that came first."""
        line = f"SCAN\tuid={self._tags[0].lower()}\tremovable=yes\n".encode() if self._tags else b""
        if line and "garbled" in self._faults and self._chance.random() < 0.5:
            place = self._chance.randrange(len(line))
            line = line[:place] + bytes([line[place] ^ 1 << self._chance.randrange(7)]) + line[place + 1 :]
        return b"boot ok\r\n\xff\tuid=\n" + line if "babbling" in self._faults else line
