"""Lamps and buzzer in C do what companion/devices/gpio/lamps.py says, millisecond by millisecond."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.gpio.lamps import Buzzer, Lamp
from companion.devices.satellite import wire
from tests.firmware.core import Core

PAD = 3


class Both:
    """A satellite in C, and the lamp and the buzzer in Python that it has to be like."""

    def __init__(self) -> None:
        self.core = Core(chips=[None] * wire.PADS)
        self.core.pings = True
        self.core.greet()
        self.core.run(100)
        self.lamp = Lamp(light_ms=self.core.now_ms)
        self.buzzer = Buzzer()
        self._order = 0

    def _say(self, command: int, value: int) -> None:
        self._order = self._order % 255 + 1
        self.core.say(wire.Order(self._order, command, PAD, value))

    def light(self, pattern: int) -> None:
        self.lamp = self.lamp.shows(wire.PATTERNS[pattern], self.core.now_ms)
        self._say(wire.LIGHT, pattern)

    def cue(self, cue: int) -> None:
        self.lamp = self.lamp.cued(wire.CUES[cue], self.core.now_ms)
        self.buzzer = Buzzer(wire.CUES[cue], self.core.now_ms)
        self._say(wire.SOUND, cue)

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.core.step()
            now_ms = self.core.now_ms
            assert self.core.lamp(PAD) == self.lamp.is_on(now_ms), now_ms
            assert self.core.buzzer() == self.buzzer.is_on(now_ms), now_ms
        assert not any(self.core.lamp(pad) for pad in range(wire.PADS) if pad != PAD)


@pytest.mark.parametrize("pattern", range(len(wire.PATTERNS)), ids=wire.PATTERNS)
def test_a_light_is_on_and_off_as_the_table_says(pattern: int) -> None:
    both = Both()
    both.light(pattern)
    both.run(7000)


@pytest.mark.parametrize("cue", range(len(wire.CUES)), ids=wire.CUES)
@pytest.mark.parametrize("pattern", range(len(wire.PATTERNS)), ids=wire.PATTERNS)
def test_a_cue_sounds_and_flashes_and_then_the_light_goes_on(pattern: int, cue: int) -> None:
    both = Both()
    both.light(pattern)
    both.run(333)
    both.cue(cue)
    both.run(1500)


deeds = st.tuples(st.sampled_from(["light", "cue"]), st.integers(0, 4), st.integers(0, 900))


@settings(max_examples=30, deadline=None)
@given(st.lists(deeds, max_size=8))
def test_any_sequence_of_orders_looks_the_same(sequence: list[tuple[str, int, int]]) -> None:
    both = Both()
    for deed, value, ms in sequence:
        if deed == "light":
            both.light(value)
        else:
            both.cue(value % 3)
        both.run(ms)
    both.run(1000)
