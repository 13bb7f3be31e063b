"""Readers on a simulated chip: SPI transfers of an empty look, from a tag in the field to its signal, eight readers.

Both sides, our driver and the unmodified library `mfrc522` 0.0.7, run on the same chip. Time is modelled: transfers at
1 MHz with 30 µs each for the system call, frames in the air, and what a driver sleeps. Nothing of it is from a real Pi.
"""

import logging
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.reader import FieldWatch
from companion.devices.reader_settings import ReaderPace
from companion.devices.simulated.tags import POWER_UP_US, Classic, Ntag, Tag
from companion.table.signals import LinkUp, TagPlaced

EMPTY_LOOK = 12
ARRIVALS = 40
CROWD = (1, 2, 4, 8)
ROUNDS = 9
LOOKS = 150


def figures(effort: Effort = WHOLE) -> list[Figure]:
    return [_empty_look(), *_latency(effort.of(ARRIVALS)), _eight_readers(effort)]


class _Pi:
    """A Pi with readers, on a modelled clock."""

    def __init__(self, readers: int = 1) -> None:
        self.board = Board()
        self.chips = [self.board.plug(Chip(), bus=bus, reset_pin=4 + bus) for bus in range(readers)]
        self.clock = self.board.clock

    def reader(self, bus: int = 0) -> Rc522:
        with self.board.installed():
            return Rc522(bus, 0, 4 + bus, sleep=self.clock.sleep)

    def library(self) -> Any:
        logging.getLogger("mfrc522Logger").disabled = True  # it complains about every tag without a key
        with self.board.installed():
            from mfrc522 import SimpleMFRC522

            return SimpleMFRC522()

    def transfers(self, act: Callable[[], object]) -> int:
        before = self.board.transfers
        act()
        return self.board.transfers - before


# --- An empty look --------------------------------------------------------------------------------------------


def _empty_look() -> Figure:
    ours, theirs = _Pi(), _Pi()
    reader, library = ours.reader(), theirs.library()
    reader.look(())
    count = ours.transfers(lambda: reader.look(()))
    other = theirs.transfers(library.read_no_block)
    detail = f"{count} against {other} of mfrc522 0.0.7, which is {other / count:.0f} times as many"
    return Figure("SPI transfers of an empty look", count, EMPTY_LOOK, False, detail)


# --- From a tag in the field to its signal --------------------------------------------------------------------


def _latency(arrivals: int) -> list[Figure]:
    return [
        _latency_of("NTAG sticker", arrivals, lambda: Ntag(bytes.fromhex("04A1B2C3D4E5F6"))),
        _latency_of("Classic sticker", arrivals, lambda: Classic(bytes.fromhex("12345678"))),
    ]


def _latency_of(kind: str, arrivals: int, tag: Callable[[], Tag]) -> Figure:
    """Tags wake at chance moments (5 ms after they are laid down); both sides look again and again without a rest."""
    chance = random.Random(1)
    moments_us = [chance.uniform(100_000, 300_000) for _ in range(arrivals)]
    ours = [_our_latency(moment, tag(), 0.0) for moment in moments_us]
    theirs = [_their_latency(moment, tag()) for moment in moments_us]
    rested = [_our_latency(moment, tag(), ReaderPace().look_s) for moment in moments_us]
    detail = (
        f"{statistics.mean(ours):.1f} ms against {statistics.mean(theirs):.0f} on average, {max(ours):.0f} against "
        f"{max(theirs):.0f} at worst; with our rests {statistics.mean(rested):.0f}, at worst {max(rested):.0f}"
    )
    return Figure(
        f"{kind} in the field until its signal ÷ SimpleMFRC522.read_no_block",
        statistics.mean(ours) / statistics.mean(theirs),
        0.1,
        False,
        detail,
    )


def _our_latency(moment_us: float, tag: Tag, rest_s: float) -> float:
    """From the moment on at which the reader is ready: a tag that lay there before would be found, and not placed."""
    pi = _Pi()
    watch = FieldWatch("centre", pi.reader, ReaderPace(), None)
    while not any(isinstance(signal, LinkUp) for signal in watch.turn(lambda: int(pi.clock.now_us))[0]):
        pi.clock.sleep(rest_s)
    moment_us += pi.clock.now_us
    pi.chips[0].field.place(tag, at_us=moment_us - POWER_UP_US)
    while True:
        signals, _ = watch.turn(lambda: int(pi.clock.now_us))
        if any(isinstance(signal, TagPlaced) for signal in signals):
            return (pi.clock.now_us - moment_us) / 1000
        pi.clock.sleep(rest_s)


def _their_latency(moment_us: float, tag: Tag) -> float:
    pi = _Pi()
    library = pi.library()
    pi.chips[0].field.place(tag, at_us=moment_us - POWER_UP_US)
    while True:
        number, _ = library.read_no_block()
        if number:
            return (pi.clock.now_us - moment_us) / 1000


# --- Eight readers --------------------------------------------------------------------------------------------


def _eight_readers(effort: Effort) -> Figure:
    """Processor time, a tag on each reader; transfers grow exactly with the readers."""
    results = medians(effort.of(ROUNDS), *(_looking(readers, effort.of(LOOKS)) for readers in CROWD))
    each = ", ".join(f"{number}: {median(results, place) * 1e6:,.0f} µs" for place, number in enumerate(CROWD))
    return Figure(
        "processor time of a look, each of 8 readers ÷ one alone",
        ratio(results, len(CROWD) - 1, 0),
        1.2,
        False,
        f"{each} for each reader's look, the simulated chips included",
    )


def _looking(readers: int, looks: int) -> Callable[[], float]:
    """Seconds of processor time for one look of one reader."""
    pi = _Pi(readers)
    opened = [pi.reader(bus) for bus in range(readers)]
    for number, chip in enumerate(pi.chips):
        chip.field.place(Ntag(bytes([4, 1, 2, 3, 4, 5, number])))
    pi.clock.sleep(0.01)
    turns = max(1, looks // readers)
    known = [reader.look(()).seen for reader in opened]
    assert all(known), "every reader sees its tag"

    def look() -> float:
        began = time.process_time()
        for _ in range(turns):
            for reader, uids in zip(opened, known, strict=True):
                reader.look(uids)
        return (time.process_time() - began) / (turns * readers)

    return look
