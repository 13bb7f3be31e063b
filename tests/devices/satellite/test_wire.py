"""docs/wire.md: frames and messages, byte by byte, and what is not one."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

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
)
from companion.stations import BUTTON_COLOURS

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "wire.json").read_text())
KINDS = {kind.__name__: kind for kind in (Hello, Ping, Ack, Order, Welcome, Status, Event, Done, Stranger)}

payloads = st.binary(min_size=1, max_size=wire.PAYLOAD_LIMIT)
u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
uids = st.sampled_from(UID_LENGTHS).flatmap(lambda size: st.binary(min_size=size, max_size=size))
pads = st.integers(0, wire.PADS - 1)
events = st.one_of(
    st.builds(Event, u16, u16, pads, st.sampled_from([wire.PLACED, wire.REMOVED, wire.FOUND]), uids),
    st.builds(Event, u16, u16, pads, st.sampled_from([wire.READY, wire.UNCLEAR])),
    st.builds(
        Event, u16, u16, pads, st.sampled_from([wire.PRESSED, wire.HELD, wire.STUCK]), st.sampled_from([b"\0", b"\1"])
    ),
    st.builds(Event, u16, u16, pads, st.just(wire.FAULT), st.sampled_from([b"\1", b"\2", b"\3"])),
    st.builds(Event, u16, u16, st.just(wire.WHOLE), st.just(wire.LOST), st.binary(min_size=2, max_size=2)),
)
said_by_satellites = st.one_of(
    st.builds(Welcome, u8, u32, u32, u16, u8, u8, u8, u8, u16, u16, u8),
    st.builds(Status, u8, u16, u16),
    events,
    st.builds(Done, u8, u8),
    st.just(Stranger()),
)
said_by_hosts = st.one_of(
    st.builds(Hello, u8, u32), st.just(Ping()), st.builds(Ack, u16), st.builds(Order, u8, u8, u8, u8)
)


# --- Frames ---------------------------------------------------------------------------------------------------


def test_the_crc_is_the_one_that_is_called_ccitt_false():
    assert wire.crc16(b"123456789") == 0x29B1


@given(payloads)
def test_a_frame_has_its_zero_at_the_end_and_nowhere_else(payload: bytes):
    framed = wire.frame(payload)
    assert framed.index(0) == len(framed) - 1 <= wire.FRAME_LIMIT - 1
    assert Splitter().feed(framed) == [payload]


@pytest.mark.parametrize("payload", [b"", bytes(wire.PAYLOAD_LIMIT + 1)])
def test_a_payload_that_does_not_fit_is_a_mistake_of_ours(payload: bytes):
    with pytest.raises(ValueError, match="1 to 24 bytes"):
        wire.frame(payload)


@given(st.lists(payloads, max_size=6), st.integers(1, 9))
def test_it_does_not_matter_in_how_many_pieces_bytes_arrive(sent: list[bytes], step: int):
    line = b"".join(map(wire.frame, sent))
    splitter = Splitter()
    assert [payload for at in range(0, len(line), step) for payload in splitter.feed(line[at : at + step])] == sent
    assert splitter.bad == 0


@given(st.binary(max_size=200), payloads)
def test_after_any_rubbish_the_next_frame_behind_a_zero_is_read(rubbish: bytes, payload: bytes):
    assert Splitter().feed(rubbish + b"\0" + wire.frame(payload))[-1:] == [payload]


@given(payloads, st.data())
def test_a_flipped_byte_is_never_taken_for_a_frame(payload: bytes, data: Any):
    framed = bytearray(wire.frame(payload))
    framed[data.draw(st.integers(0, len(framed) - 2))] ^= data.draw(st.integers(1, 255))
    splitter = Splitter()
    assert splitter.feed(bytes(framed)) == []
    assert splitter.bad >= 1


def test_a_line_that_never_ends_a_frame_fills_no_memory_and_counts_once():
    splitter = Splitter()
    for _ in range(100):
        assert splitter.feed(b"\x55" * 1000) == []
    assert len(splitter._held) < wire.FRAME_LIMIT
    assert splitter.feed(b"\0" + wire.frame(b"x")) == [b"x"]
    assert splitter.bad == 1


# --- Messages -------------------------------------------------------------------------------------------------


@given(said_by_satellites)
def test_what_a_satellite_says_is_read_as_it_was_meant(message: wire.FromSatellite):
    payload = wire.pack(message)
    assert len(payload) <= wire.PAYLOAD_LIMIT
    assert wire.from_satellite(payload) == message


@given(said_by_hosts)
def test_what_a_host_says_is_read_as_it_was_meant(message: wire.FromHost):
    assert wire.from_host(wire.pack(message)) == message


@given(payloads)
def test_whatever_comes_is_a_message_or_no_message(payload: bytes):
    for read in (wire.from_host, wire.from_satellite):
        with suppress(wire.WireError):
            assert wire.pack(read(payload)) == payload


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (Event(0, 0, 0, wire.PLACED, bytes(5)), "kind 1 with 5 bytes"),
        (Event(0, 0, 0, 99), "kind 99"),
        (Event(0, 0, 5, wire.READY), "pad 5"),
        (Event(0, 0, 0, wire.LOST, bytes(2)), "kind 10 of pad 0"),
        (Event(0, 0, wire.WHOLE, wire.READY), "kind 4 of pad 255"),
        (Event(0, 0, 0, wire.PRESSED, b"\2"), "a button 2"),
        (Event(0, 0, 0, wire.FAULT, b"\0"), "a fault 0"),
    ],
)
def test_an_event_that_cannot_be_is_strange_and_says_nothing_but_its_number(message: Event, problem: str):
    message = replace(message, number=77, age_ms=3)
    with pytest.raises(wire.StrangeEventError, match=problem) as caught:
        wire.from_satellite(wire.pack(message))
    assert caught.value.event == Event(77, 3, wire.WHOLE, wire.NOTHING)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["says"])
def test_the_shared_frames_are_written_and_read_as_they_stand(vector: dict[str, Any]):
    values = dict(vector["values"])
    if "content" in values:
        values["content"] = bytes.fromhex(values["content"])
    message = KINDS[vector["says"].split()[0]](**values)
    framed = bytes.fromhex(vector["frame"])
    assert wire.frame(wire.pack(message)) == framed
    (payload,) = Splitter().feed(framed)
    assert (wire.from_host if message.TYPE < 0x40 else wire.from_satellite)(payload) == message


def test_every_kind_of_message_and_event_is_among_the_shared_frames():
    assert {vector["says"].split()[0] for vector in VECTORS} == KINDS.keys()
    assert {vector["values"].get("kind") for vector in VECTORS} - {None} == set(range(wire.PLACED, wire.LOST + 1))


@pytest.mark.parametrize(
    ("event", "frame"),
    [
        (Event(0, 0, wire.WHOLE, wire.STARTED, bytes([wire.BY_WATCHDOG])), "STARTED"),
        (Event(7, 300, 4, wire.COPY, b"\x88\0"), "COPY"),
    ],
)
def test_kinds_that_were_added_are_ordinary_events_to_both_sides(event: Event, frame: str):
    """An older host takes an event of a kind that it does not know, and goes on: so nothing else may be new of it."""
    payload = wire.pack(event)
    assert wire.from_satellite(payload) == event
    assert payload[0] == Event.TYPE
    assert len(payload) <= wire.PAYLOAD_LIMIT
    page = (Path(__file__).parents[3] / "docs" / "wire.md").read_text()
    assert f"{frame}, kind 0x{event.kind:02X}" in page
    header = (Path(__file__).parents[3] / "firmware" / "core" / "wire.h").read_text()
    kinds = re.findall(r"WIRE_(\w+)", header.split("enum wire_kind")[1].split("};")[0])
    assert kinds.index(frame) + 1 == event.kind


@given(u16, st.integers(-0x8000, 0x7FFF))
def test_numbers_wrap(number: int, distance: int):
    assert wire.ahead((number + distance) % 0x10000, number) == distance


# --- The page says the same -----------------------------------------------------------------------------------


def test_the_page_names_the_same_numbers():
    page = (Path(__file__).parents[3] / "docs" / "wire.md").read_text()
    rows = {
        name: int(number, 16) for number, name in re.findall(r"^\| (0x[0-9A-F]{2}) \| ([A-Z]+) \|", page, re.MULTILINE)
    }
    types = {kind.__name__.upper(): kind.TYPE for kind in KINDS.values()}
    named = ("LIGHT", "SOUND", "PLACED", "REMOVED", "FOUND", "READY", "FAULT", "UNCLEAR", "PRESSED", "HELD", "STUCK")
    assert rows == types | {name: getattr(wire, name) for name in (*named, "LOST")}
    assert f"{wire.BAUD:_} baud".replace("_", " ") in page
    assert f"1 to {wire.PAYLOAD_LIMIT} bytes" in page
    assert f"at most {wire.FRAME_LIMIT} bytes" in page
    for number, fault in wire.FAULTS.items():
        assert f"{number} {fault}" in page
    for names in (wire.PATTERNS, wire.CUES, wire.BUTTONS):
        assert ", ".join(f"{number} {name}" for number, name in enumerate(names)) in page


def test_the_buttons_are_the_same_everywhere():
    assert wire.BUTTONS == BUTTON_COLOURS
