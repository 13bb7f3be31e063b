"""The satellite's firmware, its core compiled for this machine, with five simulated readers and the real host's end."""

from collections.abc import Callable, Sequence
from itertools import count
from random import Random

from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite.pads import Pads
from companion.devices.satellite.wire_session import Ended, Happened, Opened, WireSession
from companion.devices.simulated.tags import Tag
from companion.stations import PADS
from companion.table.signals import Signal
from tests.campaign.chips import make
from tests.campaign.hands import Evening, evenings
from tests.campaign.trial import Outcome
from tests.firmware.core import Core

TITLE = "pads of the satellite"
HOW = (
    "The firmware's core and the host's driver: hands lay and lift tags of every quality on five pads while readers "
    "break in every way; 2 s later the reported tags are those on the reader (10 s where a pad says then that "
    "it is not ready), and no removal was reported that no hand made."
)
FULL = 1000
QUICK = 3
DEEDS = 40


class CoreTable:
    """The core, and a host that has manners."""

    def __init__(self, chips: Sequence[Chip]) -> None:
        self._core = Core(chips=chips)
        self._core.acknowledges = False
        numbers = count(1)
        self._session = WireSession(lambda: next(numbers), self._core.now_ms)
        self._pads = Pads(dict(enumerate(PADS)))
        self._heard = 0
        self.due: Callable[[], None] = lambda: None
        self.signals: list[Signal] = []

    @property
    def chips(self) -> Sequence[Chip]:
        return [chip for chip in self._core.chips if chip is not None]

    @property
    def now_ms(self) -> float:
        return self._core.now_ms

    def lay(self, pad: int, tag: Tag) -> None:
        field = self.chips[pad].field
        field.now_us = self._core.now_ms * 1000.0
        field.place(tag)

    def run(self, for_ms: float) -> None:
        for _ in range(max(1, round(for_ms))):
            self._step()

    def _step(self) -> None:
        core, session = self._core, self._session
        core.step()
        news, self._heard = core.heard[self._heard :], len(core.heard)
        for happening in session.receive(news, core.now_ms):
            match happening:
                case Opened(welcome):
                    self.signals += self._pads.welcomed(welcome, core.now_ms)
                case Happened(event, at_ms):
                    self.signals += self._pads.hear(event, at_ms)
                    self._pads.taken(event.number)
                    session.taken(event.number)
                case Ended(problem):
                    raise AssertionError(problem)
        core.give(session.to_send(core.now_ms))


def evening(number: int, chance: Random) -> Evening:
    chips = [make(chance, number * 8 + pad) for pad in range(len(PADS))]
    evening = Evening(CoreTable(chips), chance)
    evening.play(DEEDS)
    return evening


def run(count: int, seed: int) -> Outcome:
    return evenings(range(count), seed, evening)
