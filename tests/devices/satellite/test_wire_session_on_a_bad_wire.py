"""Both pure ends on a bad wire: every event arrives once and in order, whatever the wire, a reset or a crash does."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.satellite import wire
from companion.devices.satellite.simulated_board import Weather
from companion.devices.satellite.simulated_link import RESEND_MS
from tests.devices.satellite.cable import Cable

seeds = st.integers(0, 2**32)


def weathers(worst: float) -> Any:
    chance = st.floats(0, worst)
    return st.builds(lambda seed, a, b, c: Weather(seed, lost=a, doubled=b, flipped=c), seeds, chance, chance, chance)


def cables_in(worst: float) -> st.SearchStrategy[Cable]:
    return st.builds(
        lambda seed, up, down, late_ms: Cable(seed, up=up, down=down, late_ms=late_ms),
        *(seeds, weathers(worst), weathers(worst), st.integers(0, 60)),
    )


cables = cables_in(0.03)
good_cables = cables_in(0.01)
"""On these no session is given up."""


def content(number: int) -> bytes:
    return number.to_bytes(4, "big")


def send(cable: Cable, events: int, already: int = 0) -> None:
    """So many tags are laid, as fast as there is room for their events, and until all have arrived."""
    for number in range(already, already + events):
        cable.run(lambda: cable.satellite.room > 0)
        cable.satellite.keep(cable.now_ms, 0, wire.PLACED, content(number))
    cable.run(lambda: cable.satellite.room == cable.satellite.identity.room)


def assert_once_and_in_order(cable: Cable, events: int) -> None:
    assert list(cable.taken) == [(1, number % 0x10000) for number in range(events)]
    assert list(cable.taken.values()) == [content(number) for number in range(events)]


# --- The wire -------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(cables, st.integers(0, 40))
def test_all_events_arrive_once_and_in_order(cable: Cable, events: int):
    send(cable, events)
    assert_once_and_in_order(cable, events)
    assert cable.repeated == 0 or cable.ended > 0


def test_ten_thousand_events_arrive_once_and_in_order_with_one_byte_in_a_hundred_flipped():
    cable = Cable(1, up=Weather(2, flipped=0.01), down=Weather(3, flipped=0.01), late_ms=3)
    send(cable, 10_000)
    assert_once_and_in_order(cable, 10_000)
    assert cable.session.bad > 1000, "it was a bad wire"
    assert cable.ended == 0, "and no reason to close it"


def test_numbers_go_round():
    cable = Cable()
    cable.satellite = type(cable.satellite)(cable.satellite.identity, 1, first=65_500)
    send(cable, 100)
    assert list(cable.taken.values()) == list(map(content, range(100)))
    assert list(cable.taken)[-1] == (1, (65_500 + 99) % 0x10000)


def test_a_lost_event_is_asked_for_again_long_before_the_satellite_would_resend_it():
    """The ones behind it show the gap."""
    cable = Cable()
    cable.run(lambda: cable.opened > 0)
    cable.wait(10)
    cable.up.weather = Weather(lost=1.0)
    cable.satellite.keep(cable.now_ms, 0, wire.PLACED, content(0))
    cable.step(cable.now_ms + 1)
    cable.up.weather = Weather()
    began_ms = cable.now_ms
    send(cable, 2, already=1)
    assert_once_and_in_order(cable, 3)
    assert cable.now_ms - began_ms < RESEND_MS // 4


def test_a_wire_that_carries_nothing_back_repeats_no_event_to_the_disk():
    cable = Cable()
    cable.run(lambda: cable.opened > 0)
    cable.down.weather = Weather(lost=1.0)
    for number in range(6):
        cable.satellite.keep(cable.now_ms, 0, wire.PLACED, content(number))
    cable.wait(1500)
    assert_once_and_in_order(cable, 4)
    cable.down.weather = Weather()
    cable.run(lambda: cable.satellite.room == cable.satellite.identity.room)
    assert_once_and_in_order(cable, 6)
    assert cable.repeated == 0


@given(st.lists(st.binary(max_size=60), max_size=8), st.binary(max_size=24))
def test_whatever_arrives_neither_end_fails_and_what_is_right_counts_afterwards(chunks: list[bytes], start: bytes):
    cable = Cable()
    cable.run(lambda: cable.opened > 0)
    framed = [wire.frame(bytes([kind]) + start[:23]) for kind in (*range(1, 5), *range(0x41, 0x46))]
    for chunk in (*chunks, *framed):
        cable.session.receive(chunk, cable.now_ms)
        cable.satellite.receive(chunk, cable.now_ms)
        cable.session.receive(b"\0", cable.now_ms)
        cable.satellite.receive(b"\0", cable.now_ms)
    cable.crash()
    cable.taken.clear()
    already = cable.satellite._next
    send(cable, 3, already=already)
    assert [(1, number) for number in range(already, already + 3)] == list(cable.taken)


# --- Resets and crashes ---------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(cables, st.lists(st.integers(0, 1500), min_size=1, max_size=4), st.integers(1, 20))
def test_a_satellite_may_start_anew_at_any_point(cable: Cable, resets: list[int], events: int):
    """What it had not sent is gone with its memory; of each life a beginning without gaps has arrived, of the last
    one everything."""
    told = 0
    for wait_ms in resets:
        for _ in range(events):
            cable.satellite.keep(cable.now_ms, 0, wire.PLACED, content(told))
            told += 1
        cable.wait(wait_ms)
        cable.reset()
    send(cable, events, already=told)
    for boot in range(1, len(resets) + 2):
        of_this_life = [number for life, number in cable.taken if life == boot]
        assert of_this_life == list(range(len(of_this_life)))
        assert len(of_this_life) == events or boot <= len(resets)
    assert list(cable.taken.values()) == sorted(cable.taken.values())


@settings(max_examples=60, deadline=None)
@given(cables, st.integers(1, 40), seeds, st.floats(0, 0.4))
def test_a_host_may_crash_at_any_point_and_knows_again_what_it_has_written_down(
    cable: Cable, events: int, seed: int, rate: float
):
    """Also between writing an event down and acknowledging it."""
    chance = Random(seed)
    cable.disk = lambda: chance.random() >= rate
    send(cable, events)
    assert_once_and_in_order(cable, events)


def test_an_event_that_was_written_down_before_a_crash_comes_again_and_is_recognised():
    cable = Cable()
    lives = iter([False, True])
    cable.disk = lambda: next(lives)
    send(cable, 1)
    assert_once_and_in_order(cable, 1)
    assert cable.repeated == 1


def test_events_that_nothing_came_for_are_kept_as_long_as_there_is_room_and_the_rest_is_counted():
    cable = Cable()
    room = cable.satellite.identity.room
    for number in range(room + 5):
        cable.satellite.keep(cable.now_ms, 0, wire.PLACED, content(number))
    cable.run(lambda: (1, room) in cable.taken)
    assert list(cable.taken.values()) == [*map(content, range(room)), (5).to_bytes(2, "little")]


# --- Orders ---------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(good_cables, st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 40)), max_size=25))
def test_in_the_end_each_lamp_shows_the_newest_light(cable: Cable, lights: list[tuple[int, int, int]]):
    shown: dict[int, int] = {}

    def newest() -> dict[int, int]:
        shown.update((order.pad, order.value) for order in cable.orders)
        return shown

    cable.crash = lambda: None  # type: ignore[method-assign]
    cable.run(lambda: cable.opened > 0)
    for pad, pattern, wait_ms in lights:
        cable.session.light(pad, pattern)
        cable.wait(wait_ms)
    cable.run(lambda: newest() == cable.session.lights)
    cable.wait(500)
    assert newest() == cable.session.lights


@pytest.mark.parametrize("rate", [0.0, 0.05])
def test_an_order_is_carried_out_once(rate: float):
    cable = Cable(1, up=Weather(2, flipped=rate), down=Weather(3, doubled=rate), late_ms=5)
    cable.run(lambda: cable.opened > 0)
    for number in range(300):
        cable.session.sound(0, number % 3, cable.now_ms)
        cable.run(lambda number=number: len(cable.orders) == number + 1)
    cable.wait(1000)
    assert [order.value for order in cable.orders] == [number % 3 for number in range(300)]
