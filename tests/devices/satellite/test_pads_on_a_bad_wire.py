"""Hands, faults, resets and a bad wire, and on the other side what is believed: in the end it is what lies there."""

from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.satellite.pads import Pads
from companion.devices.satellite.simulated_board import SatelliteBoard, Weather
from companion.devices.satellite.wire_session import Ended, Happened, Opened, WireSession
from companion.table.presence import Presence
from companion.table.signals import Missed, Pressed, Signal, TagFound, TagPlaced, TagRemoved
from companion.troubles import LineTrouble

PADS = {0: "pad0", 1: "pad1"}


class Table:
    """A board with two pads and its host, joined by a wire, on a manual clock."""

    def __init__(self, seed: int, rate: float) -> None:
        self._numbers = count(1)
        self.now_ms = 0
        self.board = SatelliteBoard(lambda: self.now_ms)
        self._up = Weather(seed, lost=rate, doubled=rate, flipped=rate)
        self._down = Weather(seed + 1, lost=rate, doubled=rate, flipped=rate)
        self.pads = Pads(PADS)
        self.presence = Presence()
        self.told: list[Signal] = []
        self._tell(self.pads.begin(0))
        self.connect()

    def connect(self) -> None:
        self.session = WireSession(lambda: next(self._numbers), self.now_ms)

    def lose_the_line(self) -> None:
        self._tell(self.pads.lost(LineTrouble.UNPLUGGED, self.now_ms))
        self.connect()

    def mend_the_wire(self) -> None:
        self._up = self._down = Weather()

    def _tell(self, signals: list[Signal]) -> None:
        self.told += signals
        for signal in signals:
            self.presence = self.presence.after(signal)

    def run(self, ms: int) -> None:
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            wakes = [wake for wake in (self.session.wake_ms, self.board.wake_ms) if wake is not None]
            self.now_ms = min(max(self.now_ms + 1, min(wakes)), end_ms)
            self._step()

    def _step(self) -> None:
        """Both ends speak until neither has anything to say just now."""
        for _ in range(8):
            down = self._down.spoil(self.session.to_send(self.now_ms))
            self.board.receive(down)
            up = self._up.spoil(self.board.to_send())
            self._hear(up)
            if not up and not down:
                return

    def _hear(self, data: bytes) -> None:
        session = self.session
        for happening in session.receive(data, self.now_ms):
            match happening:
                case Opened(welcome):
                    self._tell(self.pads.welcomed(welcome, self.now_ms))
                case Happened(event, at_ms):
                    self._tell(self.pads.hear(event, at_ms))
                    self.pads.taken(event.number)
                    session.taken(event.number)
                case Ended():
                    self.lose_the_line()

    def do(self, deed: tuple[Any, ...]) -> None:
        match deed:
            case ("wait", ms):
                self.run(ms)
            case ("reset",):
                self.board.reset()
            case ("line",):
                self.lose_the_line()
            case ("lose",):
                self.board.lose_events(1)
            case (verb, pad, *rest):
                getattr(self.board.pads[pad], verb)(*rest)

    def believed(self) -> dict[str, set[str]]:
        return {station: set(self.presence.at(station)) for station in PADS.values()}

    def truth(self) -> dict[str, set[str]]:
        return {station: set(self.board.pads[pad].tags) for pad, station in PADS.items()}


UIDS = {0: "04A1B2C3D4E5F6", 1: "DEADBEEF"}
"""One tag for each pad: a tag cannot lie in two places."""
OF_A_PAD = [
    *[("lay", pad, uid) for pad, uid in UIDS.items()] * 2,
    *[("lift", pad) for pad in UIDS] * 2,
    *[(verb, pad) for verb in ("break_reader", "mend_reader", "blur") for pad in UIDS],
    *[("press", pad, "green") for pad in UIDS],
]
WAITS = [("wait", 20)] * 4 + [("wait", 600)] * 2 + [("wait", 3500)]
deeds = st.sampled_from([*OF_A_PAD, *WAITS, ("reset",), ("line",), ("lose",)])
tables = st.builds(Table, st.integers(0, 2**32), st.floats(0, 0.005))


@settings(max_examples=400, deadline=None)
@given(tables, st.lists(deeds, min_size=4, max_size=12))
def test_in_the_end_what_is_believed_is_what_lies_there(table: Table, done: list[tuple[Any, ...]]):
    table.run(600)
    for deed in done:
        table.do(deed)
    for pad in PADS:
        table.board.pads[pad].mend_reader()
    table.run(8000)
    assert table.believed() == table.truth()
    names = [signal.id for signal in table.told if isinstance(signal, TagPlaced | TagFound | TagRemoved | Pressed)]
    assert len(set(names)) == len(names), "each event counts once"


@settings(max_examples=60, deadline=None)
@given(tables, st.lists(st.sampled_from([("reset",), ("line",), ("wait", 700), ("wait", 5)]), max_size=12))
def test_as_long_as_they_are_not_touched_no_tag_is_removed(table: Table, done: list[tuple[Any, ...]]):
    """Whatever becomes of cables, readers and satellites."""
    for pad, uid in UIDS.items():
        table.board.pads[pad].lay(uid)
    table.run(10_000)
    assert table.believed() == table.truth()
    table.told.clear()
    for number, deed in enumerate(done):
        table.do(deed)
        table.board.pads[number % 2].break_reader()
        table.do(("wait", 40))
        table.board.pads[number % 2].mend_reader()
    table.run(10_000)
    assert [signal for signal in table.told if isinstance(signal, TagRemoved | TagFound | TagPlaced)] == []


@settings(max_examples=60, deadline=None)
@given(tables, st.lists(st.one_of(st.just(("press", 0, "green")), st.tuples(st.just("wait"), st.integers(1, 600)))))
def test_every_press_is_told_or_called_missed(table: Table, done: list[tuple[Any, ...]]):
    table.run(5000)
    presses = 0
    for deed in done:
        presses += deed[0] == "press"
        table.do(deed)
    table.run(20_000)
    told = [signal for signal in table.told if isinstance(signal, Pressed)]
    if not any(isinstance(signal, Missed) for signal in table.told):
        assert len(told) == presses
    assert len(told) <= presses


worse_tables = st.builds(Table, st.integers(0, 2**32), st.floats(0.01, 0.03))
"""On which READY often comes much later than what was kept."""
TAPS = [("lay", 0, UIDS[0])] * 3 + [("lift", 0)] * 3
BREAKS = [("line",)] * 2 + [("wait", 1), ("wait", 2), ("wait", 20), ("wait", 700), ("wait", 3500)]


@settings(max_examples=200, deadline=None)
@given(worse_tables, st.lists(st.sampled_from([*TAPS, *BREAKS]), min_size=4, max_size=20))
def test_whatever_is_laid_is_told_or_called_missed(table: Table, done: list[tuple[Any, ...]]):
    """However often the line breaks before the pads have been looked at."""
    table.run(5000)
    laid_after = 0
    for deed in done:
        if deed[0] == "lay" and not table.board.pads[0].tags:
            laid_after = len(table.told)
        table.do(deed)
    table.mend_the_wire()
    table.run(8000)
    told = [signal for signal in table.told[laid_after:] if isinstance(signal, TagPlaced | TagFound | Missed)]
    assert told or not any(deed[0] == "lay" for deed in done)
