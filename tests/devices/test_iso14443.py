"""ISO 14443-3 as bytes, against the examples of the standard and of data sheets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices import iso14443 as iso


@st.composite
def uids(draw):
    """UIDs as tags may have them, and as they should not: any byte may look like the cascade tag."""
    length = draw(st.sampled_from(iso.UID_LENGTHS))
    uid = bytearray(draw(st.binary(min_size=length, max_size=length)))
    for place in draw(st.sets(st.integers(0, length - 1), max_size=2)):
        uid[place] = iso.CASCADE_TAG
    return bytes(uid)


@pytest.mark.parametrize(("data", "crc"), [("0000", "A01E"), ("1234", "26CF"), ("5000", "57CD"), ("3000", "02A8")])
def test_the_check_sum_is_that_of_the_standard(data: str, crc: str) -> None:
    """The first two stand in ISO 14443-3 Annex B; HLTA and READ of page 0 in every trace."""
    assert iso.crc_a(bytes.fromhex(data)) == bytes.fromhex(crc)


@given(st.binary(min_size=1, max_size=20), st.data())
def test_no_flipped_bit_passes_the_check_sum(data: bytes, draw) -> None:
    frame = bytearray(iso.with_crc(data))
    assert iso.without_crc(bytes(frame)) == data
    bit = draw.draw(st.integers(0, len(frame) * 8 - 1))
    frame[bit // 8] ^= 1 << bit % 8
    assert iso.without_crc(bytes(frame)) is None


def test_frames_that_are_too_short_for_a_check_sum_say_nothing() -> None:
    assert [iso.without_crc(data) for data in (b"", b"\x00", iso.crc_a(b""))] == [None, None, None]


def test_a_uid_of_seven_bytes_is_reported_in_two_levels() -> None:
    assert iso.cascade(bytes.fromhex("04A1B2C3D4E5F6")) == [bytes.fromhex("8804A1B2"), bytes.fromhex("C3D4E5F6")]


@given(uids())
def test_levels_and_uids_are_the_same_thing(uid: bytes) -> None:
    levels = iso.cascade(uid)
    assert len(levels) == {4: 1, 7: 2, 10: 3}[len(uid)]
    assert iso.uid_of(levels) == uid


@pytest.mark.parametrize("length", [0, 1, 3, 5, 8, 11])
def test_no_uid_has_another_length(length: int) -> None:
    with pytest.raises(ValueError, match=f"4, 7 or 10 bytes, not {length}"):
        iso.cascade(bytes(length))


@pytest.mark.parametrize("levels", [["12345678", "C3D4E5F6"], ["88040506", "12345678", "88010203"]])
def test_levels_that_make_no_uid_are_refused(levels: list[str]) -> None:
    """A level that goes on without the cascade tag."""
    assert iso.uid_of([bytes.fromhex(level) for level in levels]) is None


def test_only_in_the_first_two_levels_a_cascade_tag_promises_more() -> None:
    begins, ends = bytes.fromhex("88040506"), bytes.fromhex("04050607")
    assert [iso.goes_on(level, begins) for level in range(3)] == [True, True, False]
    assert [iso.goes_on(level, ends) for level in range(3)] == [False] * 3


@given(st.binary(min_size=4, max_size=4), st.integers(0, 39))
def test_no_flipped_bit_passes_the_check_byte(level: bytes, bit: int) -> None:
    answer = bytearray([*level, iso.bcc(level)])
    assert iso.level_of(bytes(answer)) == level
    answer[bit // 8] ^= 1 << bit % 8
    assert iso.level_of(bytes(answer)) is None


def test_anticollision_tells_how_many_bits_are_known() -> None:
    assert iso.anticollision(0, 0, 0) == (bytes([0x93, 0x20]), 0)
    assert iso.anticollision(1, 0x5A5, 12) == (bytes([0x95, 0x34, 0xA5, 0x05]), 4)
    assert iso.anticollision(2, 0x01020304, 32) == (bytes([0x97, 0x60, 4, 3, 2, 1]), 0)


def test_a_select_is_that_of_the_data_sheet() -> None:
    assert iso.select(0, bytes.fromhex("8804A1B2"))[:7] == bytes.fromhex("93708804A1B29F")


def test_an_sak_needs_its_check_sum() -> None:
    assert iso.sak_of(bytes.fromhex("08B6DD")) == 8
    assert iso.sak_of(bytes.fromhex("08B6DC")) is None
    assert iso.sak_of(b"") is None
