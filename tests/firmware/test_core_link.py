"""The satellite's end of docs/wire.md in C: rule by rule, and against the host's end in Python over a bad line."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.satellite import wire
from companion.devices.satellite.wire import Ack, Done, Event, Hello, Order, Ping, Status, Stranger, Welcome
from companion.devices.satellite.wire_session import Happened, Opened, WireSession
from tests.firmware.core import Core

ROOM = 15
BLANK = [None] * wire.PADS
"""No reader is there: each look at the pads gives a FAULT of each, and nothing else."""


def satellite(*, acknowledges: bool = False) -> Core:
    core = Core(chips=BLANK)
    core.acknowledges = acknowledges
    return core


def greeted() -> Core:
    """A satellite in a session that has told all it had to tell, with event 5 as the next one."""
    core = satellite(acknowledges=True)
    core.greet()
    core.run(20)
    assert [event.kind for event in core.events] == [wire.FAULT] * wire.PADS
    core.acknowledges = False
    core.received.clear()
    return core


def tell(core: Core, number: int) -> None:
    """An event whose content is a number."""
    core.library.events_tell(core.now_ms, number % wire.PADS, wire.PLACED, number.to_bytes(4, "big"), 4)


def numbers(core: Core) -> list[int]:
    return [message.number for message in core.received if isinstance(message, Event)]


# --- Shaking hands --------------------------------------------------------------------------------------------


def test_it_says_nothing_by_itself_and_shows_that_no_host_is_there() -> None:
    core = satellite()
    core.hold(0, green=True)
    core.run(50)
    core.hold(0)
    lit = [(core.step(), core.lamp(0))[1] for _ in range(500)]
    assert core.heard == b""
    assert 100 <= sum(lit) <= 140


def test_it_answers_hello_with_all_that_it_is() -> None:
    core = Core(serial=0xC0FFEE, boot=41, chips=BLANK)
    core.greet(session=99)
    assert core.received == [Welcome(wire.VERSION, 99, 0xC0FFEE, 41, 1, 0, wire.PADS, 15, 0, 0, ROOM)]
    assert core.heard[0] == 0, "a zero ends whatever stood in the line"


def test_what_was_pressed_before_the_first_session_is_kept_for_it() -> None:
    core = satellite()
    core.run(20)
    core.hold(2, red=True)
    core.run(30)
    core.hold(2)
    core.run(500)
    core.greet()
    welcome, first, *_ = core.received
    assert isinstance(welcome, Welcome)
    assert (welcome.next, welcome.fresh) == (0, 1)
    assert first == Event(0, 500 - 1, 2, wire.PRESSED, b"\1")


def test_the_same_hello_again_changes_nothing() -> None:
    core = greeted()
    core.say(Order(1, wire.LIGHT, 0, 1))
    core.step()
    assert core.lamp(0)
    core.greet()
    core.run(50)
    assert core.lamp(0)
    assert [type(message) for message in core.received] == [Done, Welcome]


def test_a_new_session_darkens_the_lamps_and_looks_at_all_pads_anew() -> None:
    core = greeted()
    core.say(Order(1, wire.LIGHT, 0, 1))
    core.run(2)
    core.received.clear()
    core.greet(session=5)
    core.run(20)
    assert not core.lamp(0)
    welcome, *faults = core.received
    assert isinstance(welcome, Welcome)
    assert (welcome.session, welcome.next, welcome.fresh) == (5, 5, 5)
    told = [event for event in faults if isinstance(event, Event)]
    assert [event.kind for event in told] == [wire.FAULT] * 4
    assert len({event.pad for event in told}) == 4


def test_another_version_is_told_ours_and_that_is_all() -> None:
    core = greeted()
    core.give(wire.frame(wire.pack(Hello(2, 77)) + b"and more"))
    core.run(5)
    core.say(Ping())
    (welcome, stranger) = core.received
    assert isinstance(welcome, Welcome)
    assert (welcome.version, welcome.session) == (wire.VERSION, 77)
    assert stranger == Stranger()


def test_session_0_is_no_session() -> None:
    core = satellite()
    core.greet(session=0)
    core.say(Ping())
    assert core.received == [Stranger()]


@pytest.mark.parametrize("message", [Ping(), Ack(0), Order(1, wire.LIGHT, 0, 1)])
def test_without_a_session_everything_is_strange(message: wire.FromHost) -> None:
    core = satellite()
    core.say(message)
    assert core.received == [Stranger()]


# --- Events ---------------------------------------------------------------------------------------------------


def test_four_events_are_under_way_and_the_next_ones_wait() -> None:
    core = greeted()
    for number in range(6):
        tell(core, number)
    core.run(3)
    assert numbers(core) == [5, 6, 7, 8]
    core.say(Ack(7))
    assert numbers(core) == [5, 6, 7, 8, 9, 10]


def test_after_100_ms_what_is_under_way_is_sent_again_with_its_age() -> None:
    core = greeted()
    tell(core, 1)
    core.step()
    core.run(50)
    tell(core, 2)
    core.run(49)
    assert numbers(core) == [5, 6]
    core.run(1)
    assert numbers(core) == [5, 6, 5, 6]
    assert [event.age_ms for event in core.received if isinstance(event, Event)] == [1, 1, 101, 50]


def test_an_ack_of_nothing_new_asks_for_all_again_but_not_too_often() -> None:
    core = greeted()
    tell(core, 1)
    tell(core, 2)
    core.step()
    core.say(Ack(5))
    assert numbers(core) == [5, 6, 5, 6]
    core.step(4)
    core.say(Ack(5))
    assert numbers(core) == [5, 6, 5, 6]
    core.step()
    core.say(Ack(5))
    assert numbers(core) == [5, 6] * 3


def test_an_ack_of_events_that_were_never_sent_is_ignored() -> None:
    core = greeted()
    for number in range(6):
        tell(core, number)
    core.step()
    core.say(Ack(10))
    core.say(Ack(5000))
    core.say(Ping())
    assert core.received[-1] == Status(6, 0, 0)


def test_in_a_new_session_only_what_was_sent_in_it_can_be_acknowledged() -> None:
    core = greeted()
    tell(core, 1)
    core.step()
    core.received.clear()
    core.library.host_block(1)
    core.greet(session=8)
    core.say(Ack(6))
    core.library.host_block(0)
    core.step()
    assert numbers(core)[:1] == [5]


def test_the_age_stops_at_its_end() -> None:
    core = satellite()
    tell(core, 1)
    core.step(70_000)
    core.greet()
    assert core.events[0].age_ms == 0xFFFF


def test_numbers_wrap() -> None:
    core = satellite()
    for number in range(0xFFFC):
        tell(core, number)
        core.library.events_forget(1, core.now_ms)
    core.acknowledges = True
    core.greet()
    core.run(20)
    assert numbers(core) == [0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0]
    assert core.library.host_boot() == 4, "the numbers begin anew, and so their names have to differ"
    core.say(Ack(0xFFFF))
    tell(core, 7)
    core.run(20)
    assert core.received[-1] == Event(1, 1, 2, wire.PLACED, b"\0\0\0\7")
    core.greet(session=9)
    assert next(message.boot for message in reversed(core.received) if isinstance(message, Welcome)) == 4


def test_numbers_that_wrap_wait_until_the_next_count_of_starts_is_kept() -> None:
    """Event 0 after event 65535 has that count in its name. Sent before it is kept, it could share it after a cut."""
    core = satellite()
    for number in range(0xFFFE):
        tell(core, number)
        core.library.events_forget(1, core.now_ms)
    core.library.host_keeps_within(20)
    core.greet()
    core.run(25)
    assert numbers(core)[:2] == [0xFFFE, 0xFFFF]
    assert 0 not in numbers(core)
    core.run(25)
    assert core.library.host_boot() == 4
    assert 0 in numbers(core)


def test_nothing_is_said_in_a_session_before_the_start_is_counted() -> None:
    core = satellite(acknowledges=True)
    core.library.host_keeps_within(20)
    core.greet()
    core.run(19)
    assert core.received == []
    core.run(2)
    assert isinstance(core.received[0], Welcome)
    assert core.library.host_boot() == 3


def test_what_finds_no_room_is_counted_and_told_in_its_place() -> None:
    core = greeted()
    for number in range(ROOM + 3):
        tell(core, number)
    core.step()
    core.acknowledges = True
    core.say(Ack(6))
    core.run(400)
    told = core.events
    assert [event.number for event in told] == list(range(5, 5 + len(told)))
    assert [int(event.uid, 16) for event in told[:ROOM]] == list(range(ROOM))
    assert told[ROOM] == Event(5 + ROOM, told[ROOM].age_ms, wire.WHOLE, wire.LOST, b"\3\0")
    assert [event.kind for event in told[ROOM + 1 :]] == [wire.FAULT] * wire.PADS, "all pads were looked at anew"


def test_looking_waits_for_room_and_none_of_it_is_dropped() -> None:
    core = greeted()
    for number in range(ROOM):
        tell(core, number)
    core.greet(session=9)
    core.run(300)
    core.acknowledges = True
    core.run(400)
    assert [event.kind for event in core.events] == [wire.PLACED] * ROOM + [wire.FAULT] * wire.PADS


# --- Orders ---------------------------------------------------------------------------------------------------


def test_an_order_is_carried_out_once_and_answered_as_often_as_it_comes() -> None:
    core = greeted()
    core.say(Order(1, wire.SOUND, 0, 2))
    core.run(300)
    assert core.buzzer()
    core.say(Order(1, wire.SOUND, 0, 2))
    core.run(200)
    assert not core.buzzer(), "it did not begin anew"
    core.say(Order(2, wire.SOUND, 0, 2))
    core.step()
    assert core.buzzer()
    assert core.received == [Done(1, 0), Done(1, 0), Done(2, 0)]


def test_orders_are_numbered_anew_in_a_new_session() -> None:
    core = greeted()
    core.say(Order(1, wire.LIGHT, 0, 1))
    core.greet(session=8)
    core.say(Order(1, wire.LIGHT, 3, 1))
    core.step()
    assert (core.lamp(0), core.lamp(3)) == (False, True)


@pytest.mark.parametrize(
    ("command", "pad", "value", "result"),
    [
        (wire.LIGHT, 4, 4, 0),
        (wire.LIGHT, 5, 0, 2),
        (wire.LIGHT, 0, 5, 2),
        (wire.SOUND, 4, 2, 0),
        (wire.SOUND, 255, 0, 2),
        (wire.SOUND, 0, 3, 2),
        (3, 0, 0, 1),
        (0, 0, 0, 1),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_answered_too(command: int, pad: int, value: int, result: int) -> None:
    core = greeted()
    core.say(Order(200, command, pad, value))
    assert core.received == [Done(200, result)]


# --- Being there ----------------------------------------------------------------------------------------------


def test_ping_is_answered_with_what_is_kept_and_what_went_wrong() -> None:
    core = greeted()
    core.library.host_overrun(258)
    tell(core, 1)
    core.give(b"rubbish\0" + wire.frame(b"\x77") + wire.frame(wire.pack(Order(0, 1, 0, 0))))
    core.say(Ping())
    assert core.received[0] == Status(1, 258, 3)


def test_after_three_silent_seconds_the_session_ends_and_the_pads_show_it() -> None:
    core = greeted()
    core.say(Order(1, wire.LIGHT, 0, 0))
    core.run(2999)
    assert not core.lamp(0)
    core.run(2)
    assert [core.lamp(pad) for pad in range(wire.PADS)] == [True] * wire.PADS
    tell(core, 1)
    core.run(300)
    assert numbers(core) == []
    core.say(Ping())
    assert core.received[-1] == Stranger()


def test_a_host_that_is_heard_keeps_its_session() -> None:
    core = greeted()
    for _ in range(10):
        core.run(2900)
        core.say(Ping())
    assert core.received == [Status(0, 0, 0)] * 10


def test_a_clock_that_wraps_changes_nothing() -> None:
    core = Core(chips=BLANK, now_ms=2**32 - 100)
    core.greet()
    core.run(90)
    for _ in range(3):
        core.say(Ping())
        core.run(2900)
    tell(core, 1)
    core.say(Ping())
    assert core.received[-1] == Event(core.events[-1].number, 0, 1, wire.PLACED, b"\0\0\0\1")


def test_answers_wait_while_the_line_is_full() -> None:
    core = greeted()
    core.library.host_block(1)
    core.say(Ping())
    core.say(Order(1, wire.LIGHT, 0, 1))
    core.greet()
    core.run(10)
    assert core.received == []
    core.library.host_block(0)
    core.step()
    assert [type(message) for message in core.received] == [Welcome, Status, Done]


# --- Against the host's end, over a bad line ------------------------------------------------------------------


class BadLine:
    """Loses, doubles and flips bytes."""

    def __init__(self, chance: Random, rate: float) -> None:
        self._chance, self._rate = chance, rate

    def through(self, data: bytes) -> bytes:
        return b"".join(map(self._byte, data)) if self._rate else data

    def _byte(self, byte: int) -> bytes:
        if self._chance.random() >= self._rate:
            return bytes([byte])
        return self._chance.choice([b"", bytes([byte, byte]), bytes([byte ^ 1 << self._chance.randrange(8)])])


class Evening:
    """A satellite in C and a host in Python, joined by a line."""

    def __init__(self, seed: int, rate: float) -> None:
        self.chance = Random(seed)
        self.line = BadLine(self.chance, rate)
        self.core = Core(chips=BLANK)
        self.told = 0
        self.taken: dict[int, int] = {}
        """Number of the event → content, over all sessions of this boot."""
        self._untaken: list[int] = []
        """What the host has not dealt with yet."""
        self.session = self._new_session()

    def _new_session(self) -> WireSession:
        return WireSession(lambda: self.chance.randrange(1, 2**32), self.core.now_ms)

    def host_crashes(self) -> None:
        self._untaken.clear()
        self.session = self._new_session()

    def line_breaks(self, ms: int) -> None:
        for _ in range(ms):
            self._satellite_steps()
        self.host_crashes()

    def _satellite_steps(self) -> bytes:
        core = self.core
        core.now_ms += 1
        assert core.library.host_step(core.now_ms) == 0
        return core.take()

    def ms(self) -> None:
        core = self.core
        if self.told < 0x10000 and core.library.events_kept() < ROOM - 6:
            tell(core, self.told)
            self.told += 1
        core.give(self.line.through(self.session.to_send(core.now_ms)))
        said = self._satellite_steps()
        for happening in self.session.receive(self.line.through(said), core.now_ms):
            self._happens(happening)
        if self._untaken and self.chance.random() < 0.7:
            self.session.taken(self._untaken.pop(0))

    def _happens(self, happening: object) -> None:
        match happening:
            case Opened(welcome):
                assert welcome.next <= len(self.taken)
                self._untaken.clear()
            case Happened(event):
                self._take(event)

    def _take(self, event: Event) -> None:
        """What was taken before a crash of the host comes again as it was; all else in order."""
        assert event.kind in (wire.PLACED, wire.FAULT)
        content = int(event.uid, 16) if event.kind == wire.PLACED else -1
        assert self.taken.get(event.number, content) == content
        assert event.number <= len(self.taken)
        self.taken[event.number] = content
        self._untaken.append(event.number)

    @property
    def placed(self) -> list[int]:
        return [content for _, content in sorted(self.taken.items()) if content >= 0]


def test_two_thousand_events_with_one_byte_in_a_hundred_spoilt_arrive_once_and_in_order() -> None:
    evening = Evening(seed=1, rate=0.01)
    while len(evening.placed) < 2000:
        evening.ms()
        assert evening.core.now_ms < 60_000
    assert evening.placed == list(range(len(evening.placed)))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**16),
    st.sampled_from([0.0, 0.002, 0.01, 0.03]),
    st.lists(st.tuples(st.integers(1, 900), st.sampled_from(["host crashes", "line breaks"])), max_size=3),
)
def test_whatever_happens_to_host_and_line_no_event_is_lost_or_doubled(
    seed: int, rate: float, mishaps: list[tuple[int, str]]
) -> None:
    evening = Evening(seed, rate)
    for after_ms, mishap in mishaps:
        for _ in range(after_ms):
            evening.ms()
        if mishap == "line breaks":
            evening.line_breaks(after_ms * 7)
        else:
            evening.host_crashes()
    enough = len(evening.placed) + 40
    begun_ms = evening.core.now_ms
    while len(evening.placed) < enough:
        evening.ms()
        assert evening.core.now_ms < begun_ms + 30_000
    assert evening.placed == list(range(len(evening.placed)))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**16), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_the_newest_light_of_each_pad_is_shown_in_the_end(seed: int, lights: list[tuple[int, int]]) -> None:
    evening = Evening(seed, rate=0.01)
    evening.told = 0x10000
    for pad, pattern in lights:
        evening.session.light(pad, pattern)
        for _ in range(evening.chance.randrange(40)):
            evening.ms()
    for _ in range(3000):
        evening.ms()
    shown = {pad: evening.core.lamp(pad) for pad, pattern in dict(lights).items() if pattern < 2}
    assert shown == {pad: pattern == 1 for pad, pattern in dict(lights).items() if pattern < 2}
