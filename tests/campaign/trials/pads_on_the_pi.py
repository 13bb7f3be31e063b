"""Readers on the Pi's own bus: our driver on the unmodified library `mfrc522`, on a clock that only moves with them."""

from collections.abc import Callable, Sequence
from contextlib import closing
from random import Random

from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board, ModelledClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.reader import FieldWatch
from companion.devices.reader_settings import ReaderPace
from companion.devices.simulated.tags import Tag
from companion.table.signals import Signal
from tests.campaign.chips import make
from tests.campaign.hands import Evening, evenings
from tests.campaign.trial import Outcome

TITLE = "readers on the Pi"
HOW = (
    "Our driver on the unmodified library: hands lay and lift tags of every quality on a reader of any make while it "
    "breaks in every way; 2 s later the reported tags are those on the reader (10 s where a pad says then that "
    "it is not ready), and no removal was reported that no hand made."
)
FULL = 5000
QUICK = 10
DEEDS = 12


class _Busy(Board):
    """What is due happens between two transfers."""

    def __init__(self, clock: ModelledClock) -> None:
        super().__init__(clock)
        self.due: Callable[[], None] = lambda: None

    def transfer(self, place: tuple[int, int], speed_hz: int, data: Sequence[int]) -> list[int]:
        self.due()
        return super().transfer(place, speed_hz, data)


class PiTable:
    """One reader. A reset pin that it shares with a neighbour is not pulled: that would reset the neighbour, too."""

    def __init__(self, chip: Chip, *, shares_its_pin: bool) -> None:
        self._clock = ModelledClock()
        self._board = _Busy(self._clock)
        self.chips: Sequence[Chip] = [self._board.plug(chip)]
        self._neighbour = self._meet_neighbour() if shares_its_pin else None
        self._watch = FieldWatch("pad0", lambda: Rc522(0, 0, 25, sleep=self._clock.sleep), ReaderPace(), None)
        self._rests_until_us = 0.0
        self.signals: list[Signal] = self._watch.begin(0)

    def _meet_neighbour(self) -> Rc522:
        self._board.plug(Chip(), device=1)
        with self._board.installed():
            return Rc522(0, 1, 25, sleep=self._clock.sleep)

    def close(self) -> None:
        """So that it shares its pin with no later one."""
        with self._board.installed():
            self._watch.close()
            if self._neighbour is not None:
                self._neighbour.close()

    @property
    def due(self) -> Callable[[], None]:
        return self._board.due

    @due.setter
    def due(self, due: Callable[[], None]) -> None:
        self._board.due = due

    @property
    def now_ms(self) -> float:
        return self._clock.now_us / 1000

    def lay(self, pad: int, tag: Tag) -> None:
        field = self.chips[pad].field
        field.now_us = self._clock.now_us
        field.place(tag)

    def run(self, for_ms: float) -> None:
        until_us = self._clock.now_us + for_ms * 1000
        with self._board.installed():
            while self._clock.now_us < until_us:
                self._go_on(until_us)

    def _go_on(self, until_us: float) -> None:
        if self._rests_until_us > self._clock.now_us:
            self._clock.advance(min(self._rests_until_us, until_us) - self._clock.now_us)
            return
        signals, pause_s = self._watch.turn(lambda: int(self.now_ms))
        self.signals += signals
        self._rests_until_us = self._clock.now_us + pause_s * 1e6


def evening(number: int, chance: Random) -> Evening:
    with closing(PiTable(make(chance, number), shares_its_pin=number % 3 > 0)) as table:
        evening = Evening(table, chance)
        evening.play(DEEDS)
    return evening


def run(count: int, seed: int) -> Outcome:
    return evenings(range(count), seed, evening)
