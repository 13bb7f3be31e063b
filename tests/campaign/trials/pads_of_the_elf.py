"""The satellite's firmware as it is flashed, on an emulated board with five simulated readers, and the real host."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.firmware_build import build
from companion.devices.satellite.simulated_board import Weather
from companion.devices.simulated.tags import Tag
from companion.simulation.emulated_host import EmulatedHost
from companion.stations import PADS
from companion.table.signals import Signal
from tests.campaign.chips import make
from tests.campaign.hands import Evening, evenings
from tests.campaign.trial import Outcome

TITLE = "pads of the emulated satellite"
HOW = (
    "The compiled firmware on an emulated ATmega328P with five pads: hands, weak and flickering tags, broken readers, "
    "a bad line, resets; 2 s later the reported tags are those on the reader (10 s where a pad says then that "
    "it is not ready), and no removal was reported that no hand made."
)
FULL = 900
QUICK = 2
DEEDS = 20


class ElfTable:
    def __init__(self, board: EmulatedBoard, chance: Random) -> None:
        self._host = EmulatedHost(board)
        self._chance = chance
        self.due: Callable[[], None] = lambda: None

    @property
    def chips(self) -> Sequence[Chip]:
        return self._host.board.chips

    @property
    def now_ms(self) -> float:
        return self._host.board.now_ms

    @property
    def signals(self) -> Sequence[Signal]:
        return self._host.signals

    def lay(self, pad: int, tag: Tag) -> None:
        self._host.board.lay_tag(pad, tag)

    def run(self, for_ms: float) -> None:
        """A millisecond at least: that is a step of the host."""
        self._host.run(max(1.0, for_ms))

    def flood(self) -> None:
        """The line is bad for a while, in both directions."""
        host = self._host
        host.weather = Weather(self._chance.randrange(1 << 30), flipped=0.01)
        host.board.plan(self.now_ms + 300 * self._chance.random(), lambda: setattr(host, "weather", Weather()))

    def reset(self) -> None:
        """A user presses its reset button, or its watchdog bites."""
        self._host.board.reset()

    @property
    def mistakes(self) -> list[str]:
        """What no program may do to its board."""
        emulator = self._host.board.emulator
        counts = emulator.counts()
        wrong = {
            "two chips selected": counts.two_selected,
            "bytes that were not received in time": counts.overruns,
            "a line at the wrong speed": counts.wrong_speed,
        }
        margin = ["the stack is too deep"] if emulator.stack_margin < emulator.ram // 4 else []
        return [*(what for what, often in wrong.items() if often), *margin]


_built = cache(build)


def evening(number: int, chance: Random) -> Evening:
    chips = [make(chance, number * 8 + pad) for pad in range(len(PADS))]
    with EmulatedBoard(_built(), serial=7, seed=8 * number, chips=chips) as board:
        table = ElfTable(board, chance)
        evening = Evening(table, chance, besides={"spells of a bad line": table.flood, "resets": table.reset})
        evening.play(DEEDS)
        evening.problems += table.mistakes
    return evening


def run(count: int, seed: int) -> Outcome:
    return evenings(range(count), seed, evening)
