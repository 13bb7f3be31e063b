"""Buttons, on levels and times alone."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.gpio.buttons import WRAP_US, Buttons, Timing, unwrapped
from companion.table.signals import Held, LinkUp, Missed, Pressed, ReaderFault, Signal
from companion.troubles import STUCK

MS = 1000
GREEN, RED, OTHER = 17, 27, 22
WIRING = {GREEN: ("centre", "green"), RED: ("centre", "red"), OTHER: ("pad1", "green")}
DOWN, UP = 0, 1
STEADY = Timing().steady_us

Edge = tuple[int, int, int]
"""When, which pin, which level."""


def table(*down: int, timing: Timing | None = None, resumed: Iterable[str] = ()) -> Buttons:
    """Buttons that have been up for a while, except these."""
    buttons = Buttons(WIRING, timing, frozenset(resumed))
    for pin in WIRING:
        assert buttons.edge(pin, DOWN if pin in down else UP, 0) == []
    return buttons


def play(buttons: Buttons, edges: Iterable[Edge], until: int | None = None) -> list[Signal]:
    """Feed these edges; ask when it is due, as a device does, and at the end until nothing more happens."""
    told: list[Signal] = []
    for at, pin, level in edges:
        told += _ask_until(buttons, at) + buttons.edge(pin, level, at)
    return told + _ask_until(buttons, until)


def _ask_until(buttons: Buttons, at: int | None) -> list[Signal]:
    told: list[Signal] = []
    while (due := buttons.due_us) is not None and (at is None or due <= at):
        told += buttons.ask(due)
        assert buttons.due_us is None or buttons.due_us >= due
    return told


def press(at: int, lasts: int, pin: int = GREEN) -> list[Edge]:
    return [(at, pin, DOWN), (at + lasts, pin, UP)]


# --- Down from the beginning ----------------------------------------------------------------------------------


def test_a_button_that_was_pressed_while_nothing_listened_is_missed_when_it_comes_up_and_then_as_good_as_any() -> None:
    buttons = table(GREEN, OTHER, resumed=["centre"])
    assert play(buttons, [(300 * MS, GREEN, UP), (350 * MS, OTHER, UP)]) == [Missed("centre", 300)]
    assert play(buttons, press(500 * MS, 100 * MS)) == [Pressed("centre", 600, "green")]


def test_a_button_that_was_up_when_we_came_back_misses_nothing() -> None:
    buttons = table(resumed=["centre", "pad1"])
    assert play(buttons, press(500 * MS, 100 * MS)) == [Pressed("centre", 600, "green")]
    assert play(buttons, press(1000 * MS, 2500 * MS)) == [Held("centre", 3000, "green")]


# --- Press and hold -------------------------------------------------------------------------------------------


def test_a_press_is_told_when_the_button_comes_up_with_the_time_at_which_it_did() -> None:
    buttons = table()
    assert play(buttons, [(100 * MS, GREEN, DOWN)], until=400 * MS) == []
    assert play(buttons, [(400 * MS, GREEN, UP)]) == [Pressed("centre", 400, "green")]


def test_a_button_that_stays_down_for_two_seconds_is_held_and_its_release_says_nothing() -> None:
    buttons = table()
    assert play(buttons, [(100 * MS, RED, DOWN)], until=2099 * MS) == []
    assert play(buttons, [], until=2100 * MS) == [Held("centre", 2100, "red")]
    assert play(buttons, [(2500 * MS, RED, UP)]) == []
    assert play(buttons, press(3000 * MS, 50 * MS, RED)) == [Pressed("centre", 3050, "red")]


def test_who_lets_go_just_before_two_seconds_has_pressed() -> None:
    edges = press(100 * MS, 1999 * MS)
    assert play(table(), edges) == [Pressed("centre", 2099, "green")]


def test_a_glitch_just_before_two_seconds_only_makes_the_hold_a_little_late() -> None:
    edges = [(100 * MS, RED, DOWN), (2095 * MS, RED, UP), (2105 * MS, RED, DOWN), (3000 * MS, RED, UP)]
    assert play(table(), edges) == [Held("centre", 2100, "red")]


def test_a_hold_is_reported_though_it_was_polled_too_late() -> None:
    buttons = table()
    buttons.edge(RED, DOWN, 100 * MS)
    assert buttons.edge(RED, UP, 5000 * MS) == [Held("centre", 2100, "red")]


def test_two_buttons_at_once_are_two_presses_in_the_order_of_their_release() -> None:
    edges = sorted([*press(100 * MS, 80 * MS, GREEN), *press(105 * MS, 60 * MS, RED), *press(105 * MS, 90 * MS, OTHER)])
    told = [Pressed("centre", 165, "red"), Pressed("centre", 180, "green"), Pressed("pad1", 195, "green")]
    assert play(table(), edges) == told


def test_one_can_be_pressed_while_the_other_is_held() -> None:
    edges = sorted([*press(100 * MS, 3000 * MS, RED), *press(900 * MS, 50 * MS, GREEN)])
    assert play(table(), edges) == [Pressed("centre", 950, "green"), Held("centre", 2100, "red")]


# --- Bounce and glitches --------------------------------------------------------------------------------------


def test_contacts_that_bounce_for_ten_milliseconds_give_one_press() -> None:
    def bounce(at: int, last: int) -> list[Edge]:
        gaps = (0, 300, 900, 2500, 300, 2000, 4000)
        times = [at + sum(gaps[: number + 1]) for number in range(len(gaps))]
        return [(time, GREEN, last if number % 2 == 0 else 1 - last) for number, time in enumerate(times)]

    assert play(table(), bounce(100 * MS, DOWN) + bounce(200 * MS, UP)) == [Pressed("centre", 210, "green")]


@pytest.mark.parametrize("lasts", [1, STEADY - 1])
def test_a_glitch_is_nothing(lasts: int) -> None:
    assert play(table(), press(100 * MS, lasts)) == []


def test_a_level_that_is_just_steady_enough_counts() -> None:
    assert play(table(), press(100 * MS, STEADY)) == [Pressed("centre", 115, "green")]


@pytest.mark.parametrize("lasts", [1, STEADY - 1])
def test_a_glitch_upwards_does_not_end_a_press(lasts: int) -> None:
    edges = [(100 * MS, GREEN, DOWN), (300 * MS, GREEN, UP), (300 * MS + lasts, GREEN, DOWN), (500 * MS, GREEN, UP)]
    assert play(table(), edges) == [Pressed("centre", 500, "green")]


def test_levels_that_come_already_steady_are_told_at_once() -> None:
    buttons = table(timing=Timing(steady_us=0))
    assert buttons.edge(GREEN, DOWN, 100 * MS) == []
    assert buttons.edge(GREEN, UP, 150 * MS) == [Pressed("centre", 150, "green")]


# --- At the start, and stuck ----------------------------------------------------------------------------------


def test_a_button_that_is_down_at_the_start_says_nothing_until_it_has_been_up_once() -> None:
    buttons = table(GREEN)
    assert play(buttons, [(5000 * MS, GREEN, UP)]) == []
    assert play(buttons, press(6000 * MS, 50 * MS)) == [Pressed("centre", 6050, "green")]


def test_a_button_that_was_never_heard_of_is_not_pressed_by_its_first_level() -> None:
    assert play(Buttons(WIRING), press(0, 100 * MS)) == []


def test_a_button_that_stays_down_for_ten_seconds_is_a_fault_of_its_station_once_until_it_comes_up() -> None:
    buttons = table()
    held, stuck = Held("centre", 2100, "red"), ReaderFault("centre", 10_100, STUCK["red"])
    assert play(buttons, [(100 * MS, RED, DOWN)]) == [held, stuck]
    assert play(buttons, press(20_000 * MS, 50 * MS, OTHER)) == [Pressed("pad1", 20_050, "green")]
    assert play(buttons, [(30_000 * MS, RED, UP)]) == [LinkUp("centre", 30_000)]
    assert play(buttons, press(31_000 * MS, 50 * MS, RED)) == [Pressed("centre", 31_050, "red")]


def test_a_button_that_is_stuck_from_the_start_is_told_too() -> None:
    assert play(table(RED), []) == [ReaderFault("centre", 10_000, STUCK["red"])]


def test_as_long_as_one_is_stuck_another_that_comes_free_is_not_the_end_of_it() -> None:
    buttons = table(RED, OTHER)
    assert len(play(buttons, [])) == 2
    assert play(buttons, [(20_000 * MS, RED, UP)]) == []
    assert play(buttons, [(30_000 * MS, OTHER, UP)]) == [LinkUp("pad1", 30_000)]


# --- What a line may bring besides ----------------------------------------------------------------------------


def test_repeated_levels_time_outs_and_other_pins_say_nothing_and_prolong_nothing() -> None:
    noise = [(at * MS, GREEN, DOWN) for at in range(150, 2100, 50)]
    noise += [(at * MS, GREEN, 2) for at in range(175, 2100, 50)] + [(500 * MS, 4, DOWN), (900 * MS, 4, UP)]
    assert play(table(), [(100 * MS, GREEN, DOWN), *sorted(noise)], until=2100 * MS) == [Held("centre", 2100, "green")]


def test_a_level_that_is_repeated_does_not_begin_anew() -> None:
    edges = [(100 * MS, GREEN, DOWN), (105 * MS, GREEN, DOWN), (110 * MS, GREEN, DOWN), (118 * MS, GREEN, UP)]
    assert play(table(), edges) == [Pressed("centre", 118, "green")]


def test_a_level_that_comes_late_counts_from_now() -> None:
    buttons = table()
    play(buttons, press(500 * MS, 50 * MS, RED))
    now = buttons.now_us
    assert now is not None
    assert buttons.edge(GREEN, DOWN, 100 * MS) == []
    assert buttons.now_us == now
    assert play(buttons, [(now + 80 * MS, GREEN, UP)]) == [Pressed("centre", now // MS + 80, "green")]


def test_nothing_is_due_while_no_button_is_touched() -> None:
    buttons = table()
    play(buttons, [])
    assert buttons.due_us is None


def test_a_press_that_has_not_been_told_is_interrupted_when_the_line_is_lost() -> None:
    buttons = table()
    assert buttons.interrupted() == ()
    play(buttons, [(100 * MS, OTHER, DOWN)], until=200 * MS)
    assert buttons.interrupted() == ("pad1",)
    play(buttons, [], until=3000 * MS)
    assert buttons.interrupted() == ()


# --- Properties -----------------------------------------------------------------------------------------------

GAPS = st.lists(st.integers(1, STEADY - 1), max_size=8).filter(lambda gaps: len(gaps) % 2 == 0)
"""An even number of changes: the contact ends where it went."""
Presses = list[tuple[list[int], int, list[int], int]]
PRESSES = st.lists(st.tuples(GAPS, st.integers(STEADY, 1800 * MS), GAPS, st.integers(STEADY, 500 * MS)), max_size=6)
Gaps = list[tuple[int, int, int]]
EDGES = st.lists(st.tuples(st.integers(1, 40 * MS), st.sampled_from([GREEN, RED]), st.sampled_from([UP, DOWN])))
"""Anything at all: gaps, pins, levels."""


def bounced(at: int, level: int, gaps: list[int]) -> list[Edge]:
    edges = [(at, GREEN, level)]
    for gap in gaps:
        at, level = at + gap, 1 - level
        edges.append((at, GREEN, level))
    return edges


@given(PRESSES)
def test_however_contacts_bounce_each_press_is_told_once_and_in_order(
    presses: Presses,
) -> None:
    at, edges, expected = 100 * MS, [], []
    for down_gaps, lasts, up_gaps, pause in presses:
        edges += bounced(at, DOWN, down_gaps)
        edges += bounced(edges[-1][0] + lasts, UP, up_gaps)
        expected.append(Pressed("centre", edges[-1][0] // MS, "green"))
        at = edges[-1][0] + pause
    assert play(table(), edges) == expected


def timed(gaps: Gaps, start: int) -> list[Edge]:
    edges = []
    for gap, pin, level in gaps:
        start += gap
        edges.append((start, pin, level))
    return edges


@given(EDGES)
def test_whatever_comes_no_button_speaks_twice_without_having_been_up_and_down_in_between(
    gaps: Gaps,
) -> None:
    edges = timed(gaps, 100 * MS)
    told = [each for each in play(table(), edges) if isinstance(each, Pressed | Held)]
    for pin, colour in ((GREEN, "green"), (RED, "red")):
        levels = [level for _, each, level in edges if each == pin]
        falls = sum(before == UP and after == DOWN for before, after in zip([UP, *levels], levels, strict=False))
        assert sum(each.button == colour for each in told) <= falls
    times = [each.at_ms for each in told if isinstance(each, Pressed)]
    assert times == sorted(times)


@given(EDGES, st.lists(st.integers(0, 3000 * MS), max_size=20))
def test_asking_at_any_other_time_changes_nothing(gaps: Gaps, asked: list[int]) -> None:
    edges = timed(gaps, 100 * MS)
    told: list[Signal] = []
    buttons = table()
    for at, pin, level in sorted([*edges, *((at, -1, UP) for at in asked)], key=lambda edge: edge[0]):
        told += buttons.ask(at) if pin < 0 else buttons.edge(pin, level, at)
    assert told + play(buttons, []) == play(table(), edges)


@given(EDGES, st.integers(0, WRAP_US - 1))
def test_a_clock_that_wraps_at_any_point_changes_nothing(gaps: Gaps, tick: int) -> None:
    edges = timed(gaps, 100 * MS)
    near, unwound = tick, []
    for at, pin, level in edges:
        near = unwrapped((tick + at) % WRAP_US, near)
        unwound.append((near - tick, pin, level))
    assert unwound == edges


@given(st.integers(0, 1 << 40), st.integers(-(WRAP_US // 2), WRAP_US // 2 - 1))
def test_a_tick_is_found_again_within_half_an_hour_before_and_after(near: int, away: int) -> None:
    assert unwrapped((near + away) % WRAP_US, near) == near + away


def test_a_tick_has_32_bits_as_pigpio_counts_them() -> None:
    assert unwrapped(5, (1 << 32) + 3) == (1 << 32) + 5
    assert unwrapped(3 << 29, 0) == 3 << 29, "27 minutes ahead"
    assert unwrapped((1 << 32) - 1, 1 << 32) == (1 << 32) - 1
