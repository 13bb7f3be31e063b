"""The PN532's frames, as bytes: whole, in pieces, damaged, and between noise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.pn532.frames import EXTENDED_LIMIT, BareFrame, ContentFrame, FrameSplitter, command_frame

CONTENTS = st.binary(min_size=0, max_size=EXTENDED_LIMIT - 2)


def test_the_frames_of_the_manual() -> None:
    assert command_frame(0x02).hex(" ") == "00 00 ff 02 fe d4 02 2a 00"
    assert command_frame(0x14, b"\x01\x00\x00").hex(" ") == "00 00 ff 05 fb d4 14 01 00 00 17 00"
    assert command_frame(0x4A, b"\x02\x00").hex(" ") == "00 00 ff 04 fc d4 4a 02 00 e0 00"
    assert FrameSplitter().feed(bytes.fromhex("0000ff00ff00")) == [BareFrame.ACK]
    assert FrameSplitter().feed(bytes.fromhex("0000ffff0000")) == [BareFrame.NACK]
    assert FrameSplitter().feed(bytes.fromhex("0000ff06fad50332010607e800")) == [
        ContentFrame(bytes.fromhex("d50332010607"))
    ]


def test_an_error_frame_is_known() -> None:
    (said,) = FrameSplitter().feed(bytes.fromhex("0000ff01ff7f8100"))
    assert isinstance(said, ContentFrame)
    assert said.is_error


def test_a_frame_without_content_is_none() -> None:
    """Its check sums are right, and there would be nothing to look at."""
    splitter = FrameSplitter()
    assert splitter.feed(bytes.fromhex("0000ff00000000") + command_frame(0x02)) == [ContentFrame(b"\xd4\x02")]
    assert splitter.bad


def test_more_than_255_bytes_go_into_an_extended_frame_and_no_more_than_265() -> None:
    frame = command_frame(0x40, bytes(263))
    assert frame[3:8] == bytes([0xFF, 0xFF, 0x01, 0x09, 0xF6])
    assert FrameSplitter().feed(frame) == [ContentFrame(b"\xd4\x40" + bytes(263))]
    with pytest.raises(ValueError, match="at most 265"):
        command_frame(0x40, bytes(264))


@given(st.lists(CONTENTS, min_size=1, max_size=4), st.data())
def test_whatever_was_sent_arrives_in_pieces_of_any_size(contents: list[bytes], data) -> None:
    line = b"".join(command_frame(0x40, content) for content in contents)
    splitter, arrived = FrameSplitter(), []
    while line:
        size = data.draw(st.integers(1, len(line)))
        arrived += splitter.feed(line[:size])
        line = line[size:]
    assert arrived == [ContentFrame(b"\xd4\x40" + content) for content in contents]
    assert splitter.bad == 0


@given(CONTENTS, st.data())
def test_one_flipped_bit_never_makes_another_message(content: bytes, data) -> None:
    frame = command_frame(0x40, content)
    place = data.draw(st.integers(3, len(frame) - 2))
    damaged = bytearray(frame)
    damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    arrived = [each for each in FrameSplitter().feed(bytes(damaged)) if isinstance(each, ContentFrame)]
    assert all(each.content in content for each in arrived), "only what was part of it may be taken for a frame"


@given(st.binary(max_size=40))
def test_after_any_noise_a_frame_is_found_at_the_latest_when_it_is_sent_again(noise: bytes) -> None:
    """A head among the noise may promise up to 265 bytes."""
    splitter = FrameSplitter()
    splitter.feed(noise)
    splitter.forget()
    assert splitter.feed(command_frame(0x02)) == [ContentFrame(b"\xd4\x02")]


@given(st.binary(max_size=40).filter(lambda noise: b"\x00\xff" not in noise and not noise.endswith(b"\x00")))
def test_noise_without_a_beginning_is_passed_over(noise: bytes) -> None:
    assert FrameSplitter().feed(noise + command_frame(0x02)) == [ContentFrame(b"\xd4\x02")]


@given(st.binary(max_size=2000))
def test_no_noise_fills_the_memory_or_ends_the_program(noise: bytes) -> None:
    splitter = FrameSplitter()
    for place in range(0, len(noise), 7):
        splitter.feed(noise[place : place + 7])
        assert len(splitter._unread) <= EXTENDED_LIMIT + 10


def test_a_frame_is_an_error_by_its_first_byte_and_not_by_data_that_ends_like_one() -> None:
    assert ContentFrame(b"\x7f").is_error
    assert not ContentFrame(b"\xd5\x41\x00\x7f").is_error
