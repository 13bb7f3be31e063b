"""Buttons as the core debounces them, sampled every millisecond, or as often as its steps allow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.satellite import wire
from companion.devices.satellite.wire import HELD, PRESSED, STUCK
from tests.firmware.core import Core

GREEN, RED = "00", "01"
STEADY_MS = 10


def satellite() -> Core:
    """With all buttons up, and without readers."""
    core = Core(chips=[None] * wire.PADS)
    core.pings = True
    core.greet()
    core.run(100)
    core.received.clear()
    return core


def test_a_press_is_reported_when_it_ends() -> None:
    core = satellite()
    core.hold(1, red=True)
    core.run(500)
    assert core.told() == []
    core.hold(1)
    core.run(STEADY_MS)
    assert core.told() == [(PRESSED, RED)]
    assert core.events[0].pad == 1
    assert core.events[0].age_ms == STEADY_MS - 1, "the age counts from the edge that was first seen"


def test_held_is_reported_after_two_seconds_and_no_press_follows() -> None:
    core = satellite()
    core.hold(0, green=True)
    core.run(1999)
    assert core.told() == []
    core.run(2)
    assert core.told() == [(HELD, GREEN)]
    core.hold(0)
    core.run(100)
    assert core.told() == [(HELD, GREEN)]


def test_stuck_is_reported_once_after_ten_seconds_and_the_button_works_again_afterwards() -> None:
    core = satellite()
    core.hold(4, green=True)
    core.run(9999)
    assert core.told() == [(HELD, GREEN)]
    core.run(2)
    assert core.told() == [(HELD, GREEN), (STUCK, GREEN)]
    core.run(70_000)
    assert core.told() == [(HELD, GREEN), (STUCK, GREEN)]
    core.hold(4)
    core.run(50)
    core.hold(4, green=True)
    core.run(50)
    core.hold(4)
    core.run(50)
    assert core.told()[2:] == [(PRESSED, GREEN)]


def test_a_button_that_was_down_at_the_start_says_nothing_until_it_was_up() -> None:
    core = Core(chips=[None] * wire.PADS)
    core.hold(0, red=True)
    core.pings = True
    core.greet()
    core.run(5000)
    core.hold(0)
    core.run(50)
    assert {kind for kind, _ in core.told()} == {wire.FAULT}
    core.hold(0, red=True)
    core.run(50)
    core.hold(0)
    core.run(50)
    assert core.told(0)[-1] == (PRESSED, RED)


def test_one_that_is_stuck_from_the_start_is_reported() -> None:
    core = Core(chips=[None] * wire.PADS)
    core.hold(0, red=True)
    core.pings = True
    core.greet()
    core.run(10_010)
    assert core.told(0)[1:] == [(STUCK, RED)]


@pytest.mark.parametrize("later_ms", [1000, 58_000, 62_000, 120_000])
def test_one_that_is_stuck_is_reported_again_in_a_new_session(later_ms: int) -> None:
    core = satellite()
    core.hold(0, green=True)
    core.run(10_010 + later_ms)
    assert core.told(0) == [(HELD, GREEN), (STUCK, GREEN)]
    core.received.clear()
    core.greet(session=2)
    core.run(200)
    assert core.told(0) == [(STUCK, GREEN), (wire.FAULT, "01")]
    fresh = next(message.fresh for message in core.received if isinstance(message, wire.Welcome))
    assert core.events[0].number >= fresh
    core.hold(0)
    core.run(20)
    core.received.clear()
    core.greet(session=3)
    core.run(20_000)
    assert (STUCK, GREEN) not in core.told(0)


def test_all_ten_at_once_are_ten_presses() -> None:
    core = satellite()
    for pad in range(wire.PADS):
        core.hold(pad, green=True, red=True)
    core.run(100)
    for pad in range(wire.PADS):
        core.hold(pad)
    core.run(50)
    pressed = [(event.pad, event.kind, event.uid) for event in core.events]
    assert pressed == [(pad, PRESSED, colour) for pad in range(wire.PADS) for colour in (GREEN, RED)]


def pass_ms(core: Core, ms: int, step_ms: int) -> None:
    for _ in range(0, ms, step_ms):
        core.step(step_ms)


@pytest.mark.parametrize("step_ms", [1, 2, 3])
def test_debouncing_takes_as_long_also_when_steps_do(step_ms: int) -> None:
    core = satellite()
    core.hold(2, green=True)
    pass_ms(core, 60, step_ms)
    core.hold(2)
    let_go_ms = core.now_ms
    while not core.told():
        core.step(step_ms)
    assert STEADY_MS <= core.now_ms - let_go_ms < STEADY_MS + 2 * step_ms
    assert core.events[0].age_ms == core.now_ms - let_go_ms - step_ms, (
        "the age counts from the edge that was first seen"
    )


def test_two_samples_with_a_long_gap_between_are_no_press() -> None:
    core = satellite()
    core.hold(2, green=True)
    core.step()
    core.step(50)
    core.hold(2)
    core.run(100)
    assert core.told() == []


bounces = st.lists(st.integers(1, STEADY_MS - 1), max_size=8)
"""Lengths of the pulses of a contact that bounces, in ms."""


def bounce(core: Core, pulses: list[int], down: bool) -> None:
    """Ends where it began."""
    for index, ms in enumerate(pulses[: len(pulses) // 2 * 2]):
        core.hold(2, green=(index % 2 == 0) == down)
        core.run(ms)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(bounces, st.integers(STEADY_MS, 300), bounces), min_size=1, max_size=4))
def test_however_contacts_bounce_a_press_is_one_press(presses: list[tuple[list[int], int, list[int]]]) -> None:
    core = satellite()
    for going_down, down_ms, coming_up in presses:
        bounce(core, going_down, down=True)
        core.hold(2, green=True)
        core.run(down_ms)
        bounce(core, coming_up, down=False)
        core.hold(2)
        core.run(STEADY_MS)
    assert core.told() == [(PRESSED, GREEN)] * len(presses)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, STEADY_MS - 1), st.integers(1, 30)), max_size=20))
def test_a_glitch_is_nothing(glitches: list[tuple[int, int]]) -> None:
    core = satellite()
    for down_ms, up_ms in glitches:
        core.hold(3, red=True)
        core.run(down_ms)
        core.hold(3)
        core.run(up_ms)
    core.run(50)
    assert core.told() == []


def test_a_hold_across_the_end_of_the_16_bit_clock_is_a_hold() -> None:
    core = satellite()
    core.run(0x10000 - core.now_ms % 0x10000 - 1000)
    core.received.clear()
    core.hold(0, green=True)
    core.run(2002)
    assert core.told() == [(HELD, GREEN)]
