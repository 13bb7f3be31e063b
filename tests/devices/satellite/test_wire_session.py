"""The host's end of the wire on a manual clock: what it says, when, and what it makes of what it hears."""

from itertools import count

import pytest

from companion.devices.satellite import wire, wire_session
from companion.devices.satellite.wire import (
    Ack,
    Done,
    Event,
    Hello,
    Order,
    Ping,
    Splitter,
    Status,
    Stranger,
    Welcome,
)
from companion.devices.satellite.wire_session import Ended, Happened, Opened, WireSession
from companion.troubles import SatelliteTrouble

GREEN = b"\0"


class Host:
    """A session, and what it says, read as a satellite would."""

    def __init__(self, lights: dict[int, int] | None = None) -> None:
        numbers = count(7)
        self.now_ms = 50_000
        self.session = WireSession(lambda: next(numbers), self.now_ms, lights)
        self._splitter = Splitter()

    def says(self) -> list[wire.FromHost]:
        return [wire.from_host(payload) for payload in self._splitter.feed(self.session.to_send(self.now_ms))]

    def hears(self, *messages: wire.FromSatellite) -> list[wire_session.Happening]:
        return self.hears_bytes(b"".join(wire.frame(wire.pack(message)) for message in messages))

    def hears_bytes(self, data: bytes) -> list[wire_session.Happening]:
        return self.session.receive(data, self.now_ms)

    def waits(self, ms: int) -> list[wire_session.Happening]:
        self.now_ms += ms
        return self.hears_bytes(b"")

    def opens(self, number: int = 7, first: int = 0, features: int = 15) -> Welcome:
        self.says()
        welcome = welcome_to(number, first, features)
        assert self.hears(welcome) == [Opened(welcome)]
        return welcome


def welcome_to(number: int, first: int = 0, features: int = 15) -> Welcome:
    return Welcome(wire.VERSION, number, 12, 3, 1, 0, 5, features, first, first, 24)


def press(number: int, age_ms: int = 0) -> Event:
    return Event(number, age_ms, 0, wire.PRESSED, GREEN)


# --- Shaking hands --------------------------------------------------------------------------------------------


def test_hello_is_said_every_200_ms_until_it_is_answered():
    host = Host()
    assert host.session.to_send(host.now_ms).startswith(b"\0"), "a zero ends whatever stood in the line"
    assert host.says() == []
    assert host.waits(199) == host.says() == []
    assert host.session.wake_ms == host.now_ms + 1
    host.waits(1)
    assert host.says() == [Hello(wire.VERSION, 7)]
    assert host.hears(welcome_to(7)) == [Opened(welcome_to(7))]
    host.waits(200)
    assert host.says() == []


def test_after_three_seconds_without_an_answer_it_gives_up():
    host = Host()
    for _ in range(14):
        assert host.waits(200) == []
        assert host.says() == [Hello(wire.VERSION, 7)]
    assert host.waits(200) == [Ended(SatelliteTrouble.NO_ANSWER)]
    assert host.says() == []
    assert host.session.wake_ms is None
    assert host.hears(welcome_to(7)) == []


def test_a_device_that_talks_but_never_welcomes_is_given_up_all_the_same():
    host = Host()
    for _ in range(14):
        host.waits(200)
        host.says()
        assert host.hears(Stranger(), Status(0, 0, 0), welcome_to(6), press(0)) == []
    assert host.waits(200) == [Ended(SatelliteTrouble.NO_ANSWER)]


@pytest.mark.parametrize(
    ("version", "problem"),
    [(0, SatelliteTrouble.TOO_OLD), (2, SatelliteTrouble.TOO_NEW), (255, SatelliteTrouble.TOO_NEW)],
)
@pytest.mark.parametrize("behind", [b"", b"x", b"a welcome may grow"])
def test_another_version_is_reported_whatever_follows_its_session(version: int, problem: str, behind: bytes):
    host = Host()
    host.says()
    payload = bytes([Welcome.TYPE, version]) + (7).to_bytes(4, "little") + behind
    assert host.hears_bytes(wire.frame(payload)) == [Ended(problem)]
    assert host.says() == []


def test_another_version_that_was_said_to_another_session_means_nothing():
    host = Host()
    host.says()
    assert host.hears_bytes(wire.frame(bytes([Welcome.TYPE, 9]) + bytes(4))) == []


def test_a_second_welcome_changes_nothing():
    host = Host()
    host.opens()
    assert host.hears(press(0)) == [Happened(press(0), host.now_ms)]
    assert host.hears(welcome_to(7)) == []
    assert host.hears(press(1)) == [Happened(press(1), host.now_ms)]


def test_a_satellite_that_has_forgotten_the_session_gets_a_new_one_but_not_more_often_than_every_200_ms():
    host = Host()
    host.opens()
    host.hears(press(0))
    assert host.hears(Stranger(), Stranger()) == []
    assert host.says() == []
    host.waits(200)
    assert host.says() == [Hello(wire.VERSION, 8)]
    assert host.hears(press(1), welcome_to(7), welcome_to(8, 40)) == [Opened(welcome_to(8, 40))]
    assert host.hears(press(40)) == [Happened(press(40), host.now_ms)]


# --- Events ---------------------------------------------------------------------------------------------------


def test_an_event_is_acknowledged_only_when_it_has_been_taken():
    host = Host()
    host.opens()
    assert host.hears(press(0, age_ms=30)) == [Happened(press(0, age_ms=30), host.now_ms - 30)]
    assert host.says() == []
    host.session.taken(0)
    assert host.says() == [Ack(1)]
    assert host.says() == []


def test_one_ack_is_enough_for_all_that_came_together():
    host = Host()
    host.opens(first=65534)
    events = [press(65534), press(65535), press(0)]
    assert host.hears(*events) == [Happened(event, host.now_ms) for event in events]
    for event in events:
        host.session.taken(event.number)
    assert host.says() == [Ack(1)]


@pytest.mark.parametrize("number", [1, 3, 65535, 40_000])
def test_an_event_that_is_not_the_next_one_is_answered_with_the_last_ack(number: int):
    host = Host()
    host.opens()
    assert host.hears(press(number)) == []
    assert host.says() == [Ack(0)]


def test_an_event_that_comes_twice_counts_once():
    host = Host()
    host.opens()
    assert len(host.hears(press(0), press(0))) == 1
    host.session.taken(0)
    assert host.says() == [Ack(1)]
    assert host.hears(press(0)) == []
    assert host.says() == [Ack(1)]


@pytest.mark.parametrize("rubbish", [b"rubbish\0", wire.frame(b"\x99"), wire.frame(b"\x43\0"), b"\x55" * 99 + b"\0"])
def test_a_frame_that_cannot_be_read_asks_for_what_it_may_have_been(rubbish: bytes):
    host = Host()
    assert host.hears_bytes(rubbish) == []
    host.opens()
    assert host.says() == []
    assert host.hears_bytes(rubbish * 5) == []
    assert host.says() == [Ack(0)]
    assert host.session.bad == 6


def test_a_satellite_that_does_not_wait_for_acks_is_not_listened_to_beyond_four_events():
    host = Host()
    host.opens()
    assert len(host.hears(*map(press, range(50)))) == wire_session.WINDOW
    assert host.says() == [Ack(0)]
    for number in range(wire_session.WINDOW):
        host.session.taken(number)
    assert host.says() == [Ack(4)]
    assert len(host.hears(press(4))) == 1


def test_what_was_never_reported_cannot_be_taken():
    host = Host()
    host.opens()
    host.hears(press(0))
    for number in (1, 65535, 30_000):
        host.session.taken(number)
    assert host.says() == []
    host.session.taken(0)
    host.session.taken(0)
    assert host.says() == [Ack(1)]


def test_an_event_taken_after_the_satellite_has_forgotten_is_not_acknowledged_in_the_new_session():
    host = Host()
    host.opens()
    assert host.hears(press(0), Stranger()) == [Happened(press(0), host.now_ms)]
    host.session.taken(0)
    host.waits(200)
    host.opens(8, first=0)
    assert host.says() == []


@pytest.mark.parametrize(
    "strange", [Event(0, 0, 0, 0x0B, b"\1"), Event(0, 0, 7, wire.READY), Event(0, 0, 0, wire.FAULT, b"\x09")]
)
def test_an_event_of_an_unknown_kind_is_taken_and_says_nothing_and_the_next_one_is_heard(strange: Event):
    host = Host()
    assert host.hears(strange) == [], "nothing is taken before the session"
    host.opens()
    nothing = Event(0, 0, wire.WHOLE, wire.NOTHING)
    assert host.hears(strange, press(1)) == [Happened(nothing, host.now_ms), Happened(press(1), host.now_ms)]
    assert host.says() == [], "what has not been taken is not acknowledged"
    host.session.taken(0)
    host.session.taken(1)
    assert host.says() == [Ack(2)]
    assert host.hears(strange) == [], "it came again"
    assert (host.session.strange, host.session.bad) == (1, 0)


# --- Orders ---------------------------------------------------------------------------------------------------


def test_an_order_is_sent_again_every_100_ms_until_it_is_done():
    host = Host()
    host.opens()
    host.session.light(2, 1)
    light = Order(1, wire.LIGHT, 2, 1)
    assert host.says() == [light]
    assert host.hears(Done(9, 0)) == host.says() == []
    host.waits(99)
    assert host.says() == []
    assert host.session.wake_ms == host.now_ms + 1
    host.waits(1)
    assert host.says() == [light]
    host.hears(Done(1, 0))
    host.waits(100)
    assert host.says() == []


def test_of_a_pads_lights_only_the_newest_is_sent():
    host = Host()
    host.opens()
    for pad, pattern in ((0, 1), (1, 1), (0, 2), (0, 3), (1, 4)):
        host.session.light(pad, pattern)
    assert host.says() == [Order(1, wire.LIGHT, 0, 3)]
    host.session.light(0, 0)
    host.hears(Done(1, 0))
    assert host.says() == [Order(2, wire.LIGHT, 1, 4)]
    host.hears(Done(2, 0))
    assert host.says() == [Order(3, wire.LIGHT, 0, 0)]
    host.hears(Done(3, 2))
    assert host.says() == []


def test_the_same_light_again_is_no_order():
    host = Host()
    host.opens()
    host.session.light(0, 1)
    host.says()
    host.hears(Done(1, 0))
    host.session.light(0, 1)
    assert host.says() == []


def test_a_sound_comes_before_lights_and_is_not_made_up_for():
    host = Host()
    host.session.sound(0, 0, host.now_ms)
    host.opens()
    assert host.says() == []
    host.session.light(1, 1)
    host.session.light(2, 1)
    host.session.sound(3, 1, host.now_ms)
    assert host.says() == [Order(1, wire.SOUND, 3, 1)]
    host.session.sound(4, 2, host.now_ms)
    host.waits(wire_session.SOUND_LATE_MS)
    host.hears(Done(1, 0))
    assert host.says()[0] == Order(2, wire.LIGHT, 1, 1)


def test_lights_are_shown_again_in_a_new_session_and_orders_are_numbered_again():
    host = Host({0: 1, 3: 2})
    host.opens()
    for number, pad in ((1, 0), (2, 3)):
        assert host.says() == [Order(number, wire.LIGHT, pad, host.session.lights[pad])]
        host.hears(Done(number, 0))
    host.session.light(0, 4)
    assert host.says() == [Order(3, wire.LIGHT, 0, 4)]
    host.hears(Stranger())
    host.waits(200)
    host.opens(8)
    assert host.says() == [Order(1, wire.LIGHT, 0, 4)]


def test_order_numbers_go_round_without_0():
    host = Host()
    host.opens()
    numbers = []
    for step in range(257):
        host.session.light(0, step % 2 + 1)
        (order,) = host.says()
        numbers.append(order.number)
        host.hears(Done(order.number, 0))
    assert numbers == [*range(1, 256), 1, 2]


@pytest.mark.parametrize(
    ("features", "sent"),
    [
        (wire.READERS | wire.HAS_BUTTONS, []),
        (wire.LAMPS, [wire.SOUND, wire.LIGHT]),
        (wire.BUZZER, [wire.SOUND]),
    ],
)
def test_a_satellite_is_not_ordered_to_do_what_it_has_nothing_for(features: int, sent: list[int]):
    """A lamp flashes where there is no buzzer."""
    host = Host({0: 1})
    host.opens(features=features)
    host.session.sound(1, 0, host.now_ms)
    assert orders(host) == sent
    assert host.session.wake_ms == host.now_ms + wire_session.PING_MS, "nothing is left to do"
    host.session.light(2, 1)
    assert orders(host) == sent[1:], "nor later"


def orders(host: Host) -> list[int]:
    """The commands that are sent, one after another, each of them done at once."""
    commands = []
    while said := host.says():
        (order,) = said
        assert isinstance(order, Order)
        commands.append(order.command)
        host.hears(Done(order.number, 0))
    return commands


def test_a_command_that_the_satellite_does_not_know_is_not_sent_again_in_this_session():
    host = Host()
    host.opens()
    host.session.sound(0, 0, host.now_ms)
    assert host.says() == [Order(1, wire.SOUND, 0, 0)]
    host.hears(Done(1, wire.UNKNOWN_COMMAND))
    host.session.sound(0, 1, host.now_ms)
    host.session.light(3, 1)
    assert host.says() == [Order(2, wire.LIGHT, 3, 1)]
    host.hears(Done(2, 2))
    host.session.light(3, 2)
    assert host.says() == [Order(3, wire.LIGHT, 3, 2)], "only that argument was wrong"
    host.hears(Stranger())
    host.waits(200)
    host.opens(8)
    host.session.sound(0, 1, host.now_ms)
    assert host.says() == [Order(1, wire.SOUND, 0, 1)]


# --- Being there ----------------------------------------------------------------------------------------------


def test_a_ping_is_sent_every_half_second_and_its_answer_remembered():
    host = Host()
    host.opens()
    host.waits(499)
    assert host.says() == []
    assert host.session.wake_ms == host.now_ms + 1
    host.waits(1)
    assert host.says() == [Ping()]
    assert host.hears(Status(3, 1, 2)) == []
    assert host.session.status == Status(3, 1, 2)


def test_two_seconds_without_a_whole_frame_end_it():
    host = Host()
    host.opens()
    host.waits(1999)
    assert host.hears_bytes(b"rubbish\0") == []
    assert host.hears_bytes(wire.frame(wire.pack(Status(0, 0, 0)))) == []
    host.says()
    host.waits(1999)
    host.says()
    assert host.session.wake_ms == host.now_ms + 1
    assert host.waits(1) == [Ended(SatelliteTrouble.NO_ANSWER)]


def test_what_has_arrived_counts_before_the_clock():
    """The process was stopped for a while: the line held what the satellite said meanwhile."""
    host = Host()
    host.opens()
    host.now_ms += 60_000
    assert host.hears(press(0)) == [Happened(press(0), host.now_ms)]
