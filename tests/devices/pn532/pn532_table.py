"""A simulated PN532 on a modelled line, and a watch over its field: time passes only because something takes time."""

from random import Random
from typing import Any

from companion.devices.pn532.commands import Pn532Link
from companion.devices.pn532.driver import Pn532
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_chip import Pn532Chip
from companion.devices.pn532.simulated_reader import ModelledLine, Pn532Faults
from companion.devices.pn532.source_readings import Pn532Reading
from companion.devices.rc522.simulated_bus import ModelledClock
from companion.devices.reader import FieldWatch
from companion.devices.reader_settings import ReaderPace
from companion.devices.serial_port import LineError
from companion.devices.tag_field import ReaderError
from tests.devices.pi import tag_of
from tests.devices.watched import Watched


class Pn532Bench:
    """A chip, its line and a clock."""

    def __init__(self, reading: Pn532Reading | None = None, chance: Random | None = None) -> None:
        self.clock = ModelledClock()
        self.chip = Pn532Chip(reading=reading, chance=chance)
        self.faults = Pn532Faults()
        self.line = ModelledLine(self.chip, self.clock, self.faults)

    @property
    def field(self):
        return self.chip.field

    def link(self) -> Pn532Link:
        """As a program opens it. Raises LineError as ReaderError, as the real way does."""
        try:
            return Pn532Link(self.line.open(), "the PN532", lambda: self.clock.now_us / 1e6)
        except LineError as error:
            raise ReaderError(error.problem, "the PN532") from None

    def open(self) -> Pn532:
        return Pn532(self.link, sleep=self.clock.sleep)

    def lay(self, *uids: bytes, **traits: Any) -> list[Any]:
        tags = [tag_of(uid, **traits) for uid in uids]
        self.field.now_us = self.clock.now_us
        self.field.place(*tags)
        return tags

    def octets(self, act) -> int:
        """On the line, in both directions."""
        before = self.line.octets
        act()
        return self.line.octets - before


class WatchedPn532(Pn532Bench, Watched):
    """The same, being watched as at a table."""

    def __init__(
        self,
        greet=None,
        pace: ReaderPace | None = None,
        reading: Pn532Reading | None = None,
        chance: Random | None = None,
    ) -> None:
        Pn532Bench.__init__(self, reading, chance)
        Watched.__init__(self, FieldWatch("centre", self.open, pace or Pn532Settings.pace, greet))
