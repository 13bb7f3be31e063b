"""A watch over a reader's field, on a clock that moves by hand: time passes only because something takes time."""

from typing import Any, Self

from companion.devices.rc522.simulated_bus import ModelledClock
from companion.devices.reader import FieldWatch


class Watched:
    """What a test does with one: let it look, and ask for the news."""

    clock: ModelledClock

    def __init__(self, watch: FieldWatch) -> None:
        self.watch = watch
        self.told: list[Any] = []
        self.pauses: list[float] = []

    def now_ms(self) -> int:
        return int(self.clock.now_us / 1000)

    def begin(self) -> Self:
        self.told += self.watch.begin(self.now_ms())
        return self

    def turn(self, times: int = 1) -> Self:
        for _ in range(times):
            signals, pause_s = self.watch.turn(self.now_ms)
            self.told += signals
            self.pauses.append(pause_s)
            self.clock.sleep(pause_s)
        return self

    def run(self, seconds: float) -> Self:
        until_us = self.clock.now_us + seconds * 1e6
        while self.clock.now_us < until_us:
            self.turn()
        return self

    def news(self) -> list[Any]:
        """What was reported since the last call: kind, and UID if it has one."""
        told, self.told = self.told, []
        return [(type(each), bytes.fromhex(each.uid)) if hasattr(each, "uid") else type(each) for each in told]
