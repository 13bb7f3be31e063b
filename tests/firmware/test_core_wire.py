"""docs/wire.md in C, held against the same page in Python: every byte alike."""

import ctypes
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.devices import iso14443
from companion.devices.iso14443 import UID_LENGTHS
from companion.devices.satellite import wire
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
    WireError,
)
from tests.firmware.core import library
from tests.firmware.tools import FIRMWARE, need, run

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "wire.json").read_text())
BAD = 0xFF

payloads = st.binary(min_size=1, max_size=wire.PAYLOAD_LIMIT)
u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))


class CSplitter(ctypes.Structure):
    _fields_ = (("held", ctypes.c_uint8 * (wire.FRAME_LIMIT - 1)), ("count", ctypes.c_uint8))


class CMessage(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_uint8),
        ("version", ctypes.c_uint8),
        ("session", ctypes.c_uint32),
        ("next", ctypes.c_uint16),
        *((name, ctypes.c_uint8) for name in ("number", "command", "pad", "value")),
    )


class CWelcome(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_uint32) for name in ("session", "serial")),
        *((name, ctypes.c_uint16) for name in ("boot", "next", "fresh")),
        *((name, ctypes.c_uint8) for name in ("major", "minor", "room")),
    )


class CEvent(ctypes.Structure):
    _fields_ = (
        ("at_ms", ctypes.c_uint32),
        ("pad", ctypes.c_uint8),
        ("kind", ctypes.c_uint8, 4),
        ("size", ctypes.c_uint8, 4),
        ("content", ctypes.c_uint8 * 10),
    )


def c_bytes(function: Any, *arguments: Any, room: int = wire.FRAME_LIMIT) -> bytes:
    """What a C function writes behind the place where its bytes go; it returns how many."""
    buffer = (ctypes.c_uint8 * (room + 4))(*[0xA5] * (room + 4))
    count = function(*(buffer if argument is ... else argument for argument in arguments))
    assert count <= room
    assert bytes(buffer[room:]) == b"\xa5" * 4, "written behind the end"
    return bytes(buffer[:count])


def c_frame(payload: bytes) -> bytes:
    return c_bytes(library().wire_frame, payload, len(payload), ...)


def c_split(line: bytes, splitter: CSplitter | None = None) -> tuple[list[bytes], int]:
    """The payloads in these bytes, and how many frames could not be read."""
    splitter = splitter or CSplitter()
    counts = []
    payloads = []
    for byte in line:
        counts.append(library().wire_take(ctypes.byref(splitter), byte))
        if 0 < counts[-1] < BAD:
            payloads.append(bytes(splitter.held[: counts[-1]]))
    return payloads, counts.count(BAD)


def c_read(payload: bytes) -> wire.FromHost | None:
    message = CMessage()
    if not library().wire_read(payload, len(payload), ctypes.byref(message)):
        return None
    match message.type:
        case Hello.TYPE:
            return Hello(message.version, message.session)
        case Ping.TYPE:
            return Ping()
        case Ack.TYPE:
            return Ack(message.next)
    return Order(message.number, message.command, message.pad, message.value)


def c_write(message: wire.FromSatellite) -> bytes:
    c = library()
    match message:
        case Welcome():
            names = [name for name, *_ in CWelcome._fields_]
            welcome = CWelcome(*(getattr(message, name) for name in names))
            return c_bytes(c.wire_write_welcome, ..., ctypes.byref(welcome), room=wire.PAYLOAD_LIMIT)
        case Status(kept, overruns, bad):
            return c_bytes(c.wire_write_status, ..., kept, overruns, bad, room=wire.PAYLOAD_LIMIT)
        case Event(number, age_ms, pad, kind, content):
            event = CEvent(0, pad, kind, len(content), (ctypes.c_uint8 * 10)(*content))
            return c_bytes(c.wire_write_event, ..., number, age_ms, ctypes.byref(event), room=wire.PAYLOAD_LIMIT)
        case Done(number, result):
            return c_bytes(c.wire_write_done, ..., number, result, room=wire.PAYLOAD_LIMIT)
    return c_bytes(c.wire_write_stranger, ..., room=wire.PAYLOAD_LIMIT)


# --- Frames ---------------------------------------------------------------------------------------------------


@given(st.binary(max_size=255))
@example(b"123456789")
def test_both_sides_sum_up_alike(data: bytes) -> None:
    assert library().wire_crc(data, len(data)) == wire.crc16(data)


@given(st.binary(max_size=20))
def test_tags_are_summed_up_as_on_the_pi(data: bytes) -> None:
    assert library().iso14443_crc(data, len(data)).to_bytes(2, "little") == iso14443.crc_a(data)


@given(payloads)
@example(bytes(wire.PAYLOAD_LIMIT))
@example(b"\xff" * wire.PAYLOAD_LIMIT)
def test_both_sides_frame_alike(payload: bytes) -> None:
    assert c_frame(payload) == wire.frame(payload)


stuffed = st.one_of(
    payloads.map(wire.frame),
    st.lists(st.integers(0, 6), max_size=60).map(bytes),  # much COBS that is nearly right
    st.binary(max_size=60),
)


@given(st.lists(stuffed, max_size=8).map(b"".join))
@example(b"\x01" * 27 + b"\0")
@example(b"\x01" * 28 + b"\0")
@example(b"\x02\x00\x01\x01\x01\x00")
def test_both_sides_cut_any_stream_alike(line: bytes) -> None:
    splitter = Splitter()
    assert c_split(line) == (splitter.feed(line), splitter.bad)


@given(st.lists(stuffed, min_size=1, max_size=8))
def test_a_splitter_goes_on_where_it_was(pieces: list[bytes]) -> None:
    c_splitter, splitter = CSplitter(), Splitter()
    for piece in pieces:
        bad = splitter.bad
        assert c_split(piece, c_splitter) == (splitter.feed(piece), splitter.bad - bad)


# --- Messages -------------------------------------------------------------------------------------------------


@given(
    st.one_of(
        payloads,
        st.builds(Hello, u8, u32).map(wire.pack),
        st.builds(Ack, u16).map(wire.pack),
        st.builds(Order, u8, u8, u8, u8).map(wire.pack),
        st.builds(lambda kind, rest: bytes([kind]) + rest, st.integers(1, 4), st.binary(max_size=8)),
    )
)
def test_both_sides_read_a_host_alike(payload: bytes) -> None:
    try:
        expected: wire.FromHost | None = wire.from_host(payload)
    except WireError:
        expected = None
    if payload[0] == Hello.TYPE and len(payload) > 6 and payload[1] != wire.VERSION:
        expected = wire.from_host(payload[:6])  # the HELLO of another version may be longer, and is answered
    assert c_read(payload) == expected


uids = st.sampled_from(UID_LENGTHS).flatmap(lambda size: st.binary(min_size=size, max_size=size))
features = wire.READERS | wire.HAS_BUTTONS | wire.LAMPS | wire.BUZZER


@given(
    st.one_of(
        st.builds(
            lambda *about: Welcome(wire.VERSION, *about[:5], wire.PADS, features, *about[5:]),  # type: ignore[call-arg]
            *(u32, u32, u16, u8, u8, u16, u16, u8),
        ),
        st.builds(Status, u8, u16, u16),
        st.builds(Event, u16, u16, u8, st.integers(0, 15), st.one_of(uids, st.binary(max_size=10))),
        st.builds(Done, u8, u8),
        st.just(Stranger()),
    )
)
def test_both_sides_write_a_satellite_alike(message: wire.FromSatellite) -> None:
    assert c_write(message) == wire.pack(message)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["says"])
def test_the_shared_frames_are_read_or_written_as_they_stand(vector: dict[str, Any]) -> None:
    framed = bytes.fromhex(vector["frame"])
    ((payload,), bad) = c_split(framed)
    assert bad == 0
    assert c_frame(payload) == framed
    if payload[0] < Welcome.TYPE:
        assert c_read(payload) == wire.from_host(payload)
    elif vector["says"] != "Welcome all ones":  # its version, pads and features are not those of this satellite
        assert c_write(wire.from_satellite(payload)) == payload


# --- Any bytes ------------------------------------------------------------------------------------------------


def test_bytes_of_chance_do_no_harm_to_memory() -> None:
    """Line, chips, buttons and time from 6,000 inputs, with ASan and UBSan watching (firmware/host/fuzz.c)."""
    need("cc", "gcc")
    run("make", "-C", FIRMWARE, "build/fuzz-once")
    done = subprocess.run([str(FIRMWARE / "build" / "fuzz-once"), "6000"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("6000 inputs: ")
