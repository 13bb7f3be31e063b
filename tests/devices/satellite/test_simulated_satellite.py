"""The simulated satellite: the unmodified pyserial talks to it, and finds all that is awkward about real lines."""

import asyncio
import errno
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from companion.devices.satellite import wire
from companion.devices.satellite.fault_words import FAULTS, HELP, command
from companion.devices.satellite.simulated_board import SatelliteBoard, Weather
from companion.devices.satellite.simulated_link import Identity, SatelliteLink
from companion.devices.satellite.simulated_satellite import SimulatedSatellite, Threaded, in_thread
from companion.devices.satellite.wire import Ack, Event, Hello, Order, Ping, Splitter, Status, Stranger, Welcome
from companion.simulation import rig as rig_module
from companion.simulation.rig import Rig

A, B = "04A1B2C3D4E5F6", "DEADBEEF"


class Blocking:
    """A host as people write them: a port, a read with a time limit, no loop."""

    def __init__(self, path: Path) -> None:
        self.port = serial.Serial(str(path), wire.BAUD, timeout=2, exclusive=True)
        self._splitter = Splitter()
        self._heard: list[wire.FromSatellite] = []

    def say(self, *messages: wire.FromHost) -> None:
        self.port.write(b"".join(wire.frame(wire.pack(message)) for message in messages))

    def hear(self) -> wire.FromSatellite:
        while not self._heard:
            data = self.port.read_until(b"\0")
            assert data, "nothing comes"
            self._heard += map(wire.from_satellite, self._splitter.feed(data))
        return self._heard.pop(0)

    def hear_events(self, count: int) -> list[Event]:
        return [event for event in (self.hear() for _ in range(count)) if isinstance(event, Event)]


# --- The wire by the book -------------------------------------------------------------------------------------


def test_the_unmodified_pyserial_shakes_hands_and_gets_events(tmp_path: Path):
    with in_thread(tmp_path / "satellite", serial=5, pads=2) as satellite:
        satellite.do(lambda it: it.pads[1].lay(A))
        host = Blocking(tmp_path / "satellite")
        host.say(Ping())
        assert host.hear() == Stranger()
        host.say(Hello(wire.VERSION, 99))
        welcome = host.hear()
        assert isinstance(welcome, Welcome)
        assert (welcome.session, welcome.serial, welcome.boot, welcome.next, welcome.fresh) == (99, 5, 2, 0, 1)
        kinds = [(event.pad, event.kind, event.uid) for event in host.hear_events(4)]
        assert kinds == [(1, wire.PLACED, A), (0, wire.READY, ""), (1, wire.FOUND, A), (1, wire.READY, "")]
        host.say(Ack(4), Ping())
        assert host.hear() == Status(0, 0, 0)
        satellite.do(lambda it: it.pads[0].press("red"))
        once, again = host.hear_events(2)
        assert (once.number, once.kind) == (again.number, again.kind) == (4, wire.PRESSED)
        assert again.age_ms >= once.age_ms + 100, "it is sent again until it is acknowledged"
        host.port.close()


def test_orders_reach_lamps_and_buzzer_and_wrong_ones_are_refused(tmp_path: Path):
    with in_thread(tmp_path / "satellite") as satellite:
        host = Blocking(tmp_path / "satellite")
        host.say(Hello(wire.VERSION, 1))
        host.hear()
        host.hear_events(4)
        host.say(
            *[Ack(4), Ack(5)],
            *[Order(1, wire.LIGHT, 3, 2), Order(2, wire.SOUND, 0, 1), Order(2, wire.SOUND, 0, 1)],
            *[Order(3, 9, 0, 0), Order(4, wire.LIGHT, 5, 0), Order(5, wire.LIGHT, 0, 5)],
        )
        done = [message for message in (host.hear() for _ in range(7)) if isinstance(message, wire.Done)]
        assert [(each.number, each.result) for each in done] == [(1, 0), (2, 0), (2, 0), (3, 1), (4, 2), (5, 2)]
        lamps, sounds = satellite.do(lambda it: ([pad.lamp for pad in it.pads], it.pads[0].sounds))
        assert lamps == ["off", "off", "off", "done", "off"]
        assert sounds == ["refused"]
        host.port.close()


def test_a_host_that_goes_away_is_missed_after_three_seconds():
    now = [0]
    board = SatelliteBoard(lambda: now[0])
    board.receive(wire.frame(wire.pack(Hello(wire.VERSION, 1))))
    board.to_send()
    assert {pad.lamp for pad in board.pads} == {"off"}
    now[0] = 2999
    board.receive()
    assert {pad.lamp for pad in board.pads} == {"off"}
    now[0] = 3000
    board.receive()
    assert {pad.lamp for pad in board.pads} == {"lost"}
    assert board.to_send() == b""
    board.receive(wire.frame(wire.pack(Ping())))
    assert board.to_send() == wire.frame(wire.pack(Stranger()))


def test_when_there_is_no_room_events_are_counted_and_the_pads_looked_at_when_there_is():
    board = SatelliteBoard(lambda: 0)
    for _ in range(board.identity.room + 3):
        board.pads[0].press("green")
    board.pads[1].lay(A)
    splitter = Splitter()

    def said() -> list[wire.FromSatellite]:
        return [wire.from_satellite(payload) for payload in splitter.feed(board.to_send())]

    board.receive(wire.frame(wire.pack(Hello(wire.VERSION, 1))))
    board.pads[2].lay(B)  # will be found
    events = [message for message in said() if isinstance(message, Event)]
    for _ in range(20):
        board.receive(wire.frame(wire.pack(Ack((events[-1].number + 1) % 0x10000))))
        events += [message for message in said() if isinstance(message, Event)]
    kinds = [(event.pad, event.kind) for event in events]
    assert kinds[: board.identity.room] == [(0, wire.PRESSED)] * board.identity.room
    assert kinds[board.identity.room :] == [
        (wire.WHOLE, wire.LOST),
        *[(0, wire.READY), (1, wire.FOUND), (1, wire.READY), (2, wire.FOUND)],
        *[(pad, wire.READY) for pad in (2, 3, 4)],
    ]
    assert events[board.identity.room].content == (4).to_bytes(2, "little")


def greeted(board: SatelliteBoard) -> Callable[[], list[tuple[int, str]]]:
    """A new session with one pad; gives what it has told since it was last asked: kinds and contents."""
    splitter = Splitter()
    board.receive(wire.frame(wire.pack(Hello(wire.VERSION, 1))))

    def told() -> list[tuple[int, str]]:
        messages = [wire.from_satellite(payload) for payload in splitter.feed(board.to_send())]
        events = [message for message in messages if isinstance(message, Event)]
        if events:
            board.receive(wire.frame(wire.pack(Ack(events[-1].number + 1))))
        return [(event.kind, event.uid) for event in events]

    return told


def test_a_look_at_what_is_unclear_is_not_over_until_it_is_clear():
    """As in the firmware."""
    board = SatelliteBoard(lambda: 0, Identity(pads=1))
    (pad,) = board.pads
    pad.blur()
    pad.lay(A)
    told = greeted(board)
    assert told() == [(wire.UNCLEAR, "")]
    pad.lay(B)
    assert told() == []
    pad.mend_reader()
    assert told() == [(wire.FOUND, A), (wire.FOUND, B), (wire.READY, "")]


def test_what_was_reported_before_is_neither_removed_nor_told_again_while_it_is_unclear():
    board = SatelliteBoard(lambda: 0, Identity(pads=1))
    (pad,) = board.pads
    told = greeted(board)
    pad.lay(A)
    assert told() == [(wire.READY, ""), (wire.PLACED, A)]
    pad.blur()
    pad.blur()
    assert told() == [(wire.UNCLEAR, "")]
    pad.lay(B)
    pad.lift(A)
    assert told() == []
    pad.mend_reader()
    assert told() == [(wire.REMOVED, A), (wire.PLACED, B)]


def test_a_stuck_button_is_told_to_every_host_until_it_is_pressed():
    board = SatelliteBoard(lambda: 0, Identity(pads=1))
    (pad,) = board.pads
    told = greeted(board)
    pad.jam("red")
    assert told() == [(wire.READY, ""), (wire.STUCK, "01")]
    for _ in range(2):
        board.reset()
        told = greeted(board)
        assert told() == [(wire.READY, ""), (wire.STUCK, "01")]
    pad.press("red")
    assert told() == [(wire.PRESSED, "01")]
    board.reset()
    assert greeted(board)() == [(wire.READY, "")]


def test_another_version_is_told_ours_and_ends_the_session_and_session_0_is_none():
    link = SatelliteLink(Identity(), boot=1)
    splitter = Splitter()

    def answers(payload: bytes) -> list[wire.FromSatellite]:
        link.receive(wire.frame(payload), 0)
        return [wire.from_satellite(each) for each in splitter.feed(link.to_send(0))]

    assert answers(wire.pack(Hello(wire.VERSION, 0))) == []
    assert [type(answer) for answer in answers(wire.pack(Hello(wire.VERSION, 5)))] == [Welcome]
    assert [type(answer) for answer in answers(wire.pack(Ping()))] == [Status]
    (welcome,) = answers(wire.pack(Hello(wire.VERSION + 1, 77)) + b"and more")
    assert isinstance(welcome, Welcome)
    assert (welcome.version, welcome.session) == (wire.VERSION, 77)
    assert answers(wire.pack(Ping())) == [Stranger()]


def test_an_ack_that_tells_nothing_new_is_heeded_every_five_ms_and_one_for_what_was_never_sent_not_at_all():
    link = SatelliteLink(Identity(), boot=1)
    link.receive(wire.frame(wire.pack(Hello(wire.VERSION, 1))), 0)
    for _ in range(6):
        link.keep(0, 0, wire.PRESSED, b"\0")
    splitter = Splitter()

    def sent(ack: int, now_ms: int) -> list[int]:
        link.receive(wire.frame(wire.pack(Ack(ack))), now_ms)
        messages = [wire.from_satellite(payload) for payload in splitter.feed(link.to_send(now_ms))]
        return [message.number for message in messages if isinstance(message, Event)]

    assert sent(0, 0) == [0, 1, 2, 3]
    assert sent(5, 10) == sent(9, 10) == []
    assert sent(0, 10) == [0, 1, 2, 3]
    assert sent(0, 14) == []
    assert sent(0, 15) == [0, 1, 2, 3]
    assert sent(2, 20) == [4, 5]
    assert sent(6, 20) == []


@pytest.mark.parametrize(
    ("do", "what"), [("lay", "04A1"), ("lay", "xyz"), ("press", "blue"), ("hold", ""), ("jam", "GREEN")]
)
def test_hands_cannot_do_what_cannot_be(do: str, what: str):
    with pytest.raises(ValueError, match=r"4, 7 or 10 bytes|non-hexadecimal|green or red"):
        getattr(SatelliteBoard(lambda: 0).pads[0], do)(what)


def test_the_same_weather_spoils_the_same_bytes():
    data = bytes(range(256)) * 20
    spoilt = Weather(3, lost=0.01, doubled=0.01, flipped=0.01).spoil(data)
    assert spoilt == Weather(3, lost=0.01, doubled=0.01, flipped=0.01).spoil(data) != data
    assert Weather(3).spoil(data) == data
    assert Weather(3, lost=1.0).spoil(data) == b""
    assert Weather(3, doubled=1.0).spoil(b"ab") == b"aabb"


# --- pyserial's own quirks, which drivers have to know --------------------------------------------------------


def unplugged(satellite: Threaded) -> None:
    satellite.do(SimulatedSatellite.unplug)


def test_after_an_unplug_in_waiting_raises_a_plain_oserror_and_the_port_still_calls_itself_open(tmp_path: Path):
    with in_thread(tmp_path / "satellite") as satellite:
        port = serial.Serial(str(tmp_path / "satellite"), wire.BAUD)
        unplugged(satellite)
        with pytest.raises(OSError, match=r"\[Errno 5\]") as caught:
            _ = port.in_waiting
        assert not isinstance(caught.value, serial.SerialException)
        assert port.is_open
        port.close()


def test_a_blocked_read_notices_an_unplug_at_once(tmp_path: Path):
    with in_thread(tmp_path / "satellite") as satellite:
        port = serial.Serial(str(tmp_path / "satellite"), wire.BAUD, timeout=20)
        noticed: list[BaseException | float] = []

        def read() -> None:
            try:
                port.read(1)
            except serial.SerialException as error:
                noticed.extend([error, time.monotonic()])

        reader = threading.Thread(target=read)
        reader.start()
        began = time.monotonic()
        unplugged(satellite)
        reader.join(10)
        assert isinstance(noticed[0], serial.SerialException)
        assert isinstance(noticed[1], float)
        assert noticed[1] - began < 5
        port.close()


def test_dtr_and_rts_cannot_be_set_on_a_pseudo_terminal(tmp_path: Path):
    with in_thread(tmp_path / "satellite"):
        port = serial.Serial(str(tmp_path / "satellite"), wire.BAUD)
        for line in ("dtr", "rts"):
            with pytest.raises(OSError, match="Inappropriate ioctl") as caught:
                setattr(port, line, False)
            assert caught.value.errno == errno.ENOTTY
        port.close()


def test_a_port_that_has_gone_while_it_is_configured_raises_what_is_no_oserror(tmp_path: Path):
    """pyserial lets `termios.error` through, which neither `except OSError` nor `except SerialException` catches."""
    with in_thread(tmp_path / "satellite") as satellite:
        port = serial.Serial(str(tmp_path / "satellite"), wire.BAUD)
        unplugged(satellite)
        with pytest.raises(termios.error) as caught:
            port.reset_input_buffer()
        assert not isinstance(caught.value, OSError)
        port.close()


# --- By hand --------------------------------------------------------------------------------------------------


def test_commands_that_are_typed(tmp_path: Path):
    async def by_hand() -> None:
        async with SimulatedSatellite(tmp_path / "satellite") as satellite:
            assert command(satellite, f"pad2 lay {A}") == "done\n"
            assert A in command(satellite, "show").splitlines()[2]
            assert command(satellite, "pad2 lift") == "done\n"
            assert A not in command(satellite, "show")
            assert "green or red" in command(satellite, "pad0 press blue")
            assert "4, 7 or 10 bytes" in command(satellite, "pad0 lay 04A1")
            for line in ("dance", "pad9 press green", "pad0 press", "pad0 lay", "pad0 dance", "satellite dance", ""):
                assert command(satellite, line) == HELP
            command(satellite, "satellite unplug")
            assert not satellite.path.exists()
            command(satellite, "satellite plug")
            assert satellite.path.exists()
        assert not satellite.path.exists()

    asyncio.run(by_hand())


def test_every_fault_that_the_help_names_is_one_by_hand_and_in_a_rig(tmp_path: Path):
    named = [
        f"{whose} {what}"
        for line in FAULTS.splitlines()
        for whose, whats in [line.split()[:2]]
        for what in whats.split("|")
    ]
    assert len(named) == 14

    async def bench() -> None:
        async with SimulatedSatellite(tmp_path / "satellite") as satellite, Rig("full", tmp_path / "rig") as rig:
            for line in named:
                assert command(satellite, line) == "done\n"
                assert rig.misbehave(line) == "done"

    (tmp_path / "rig").mkdir()
    assert FAULTS in HELP
    assert FAULTS in rig_module.HELP
    asyncio.run(bench())
