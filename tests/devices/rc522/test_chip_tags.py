"""Simulated tags: states, cascade levels, memory, weakness."""

from typing import TypeVar

import pytest

from companion.devices.iso14443 import HALT, bcc, cascade, read, select, with_crc, without_crc, write
from companion.devices.simulated.shared_field import SimulatedField
from companion.devices.simulated.tags import Classic, Flicker, Frame, Ntag, Tag, TagState

ANNA, BEN = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("04A1B2C3D4E5F7")
KEY_RING = bytes.fromhex("12345678")
REQA, WUPA = Frame(0x26, 7), Frame(0x52, 7)


def hear(tag: Tag, data: bytes | Frame, now_us: float = 0.0) -> bytes | None:
    answer = tag.hear(data if isinstance(data, Frame) else Frame.of(data), now_us)
    return None if answer is None else answer.frame.data


AnyTag = TypeVar("AnyTag", bound=Tag)


def selected(tag: AnyTag, request: Frame = REQA) -> AnyTag:
    assert hear(tag, request)
    for level, four in enumerate(cascade(tag.uid)):
        assert hear(tag, select(level, four))
    assert tag.state is TagState.ACTIVE
    return tag


# --- States ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("uid", "atqa"), [(KEY_RING, "0400"), (ANNA, "4400"), (bytes(range(1, 11)), "8400")])
def test_the_answer_to_a_request_tells_how_long_the_uid_is(uid: bytes, atqa: str) -> None:
    assert hear(Tag(uid), REQA) == bytes.fromhex(atqa)


def test_a_second_request_sends_a_tag_back_to_sleep() -> None:
    tag = Tag(KEY_RING)
    assert [hear(tag, REQA) is not None for _ in range(4)] == [True, False, True, False]


def test_a_halted_tag_hears_only_the_wake_up() -> None:
    tag = selected(Tag(KEY_RING))
    assert hear(tag, HALT) is None
    assert tag.state is TagState.HALT
    assert hear(tag, REQA) is None
    assert hear(tag, WUPA) is not None


@pytest.mark.parametrize(
    "disturbance", [REQA, WUPA, HALT, select(0, b"\x09\x09\x09\x09"), b"\x93\x21\x01", b"\x95\x20"]
)
def test_who_was_woken_from_halt_and_not_selected_falls_back_to_halt(disturbance: bytes | Frame) -> None:
    tag = selected(Tag(KEY_RING))
    hear(tag, HALT)
    hear(tag, WUPA)
    assert hear(tag, disturbance) is None
    assert tag.state is TagState.HALT


def test_who_was_idle_falls_back_to_idle() -> None:
    tag = Tag(KEY_RING)
    hear(tag, REQA)
    hear(tag, select(0, b"\x09\x09\x09\x09"))
    assert tag.state is TagState.IDLE


def test_a_select_with_a_wrong_check_sum_selects_nothing() -> None:
    tag = Tag(KEY_RING)
    hear(tag, REQA)
    assert hear(tag, select(0, KEY_RING)[:-1] + b"\x00") is None
    assert tag.state is TagState.IDLE


def test_levels_go_up_with_the_cascade_bit_until_the_uid_is_whole() -> None:
    tag = Ntag(ANNA)
    hear(tag, REQA)
    first, second = cascade(ANNA)
    assert hear(tag, b"\x93\x20") == first + bytes([bcc(first)])
    assert without_crc(hear(tag, select(0, first)) or b"") == b"\x04"
    assert hear(tag, b"\x95\x20") == second + bytes([bcc(second)])
    assert without_crc(hear(tag, select(1, second)) or b"") == b"\x00"


def test_known_bits_are_not_told_again() -> None:
    tag = Tag(b"\xa5\x5a\x00\x00")
    hear(tag, REQA)
    answer = tag.hear(Frame(0x93 | 0x34 << 8 | 0xAA5 << 16, 28), 0.0)
    assert answer is not None
    assert answer.frame == Frame((0xFF00005AA5 >> 12), 28)


# --- The field ------------------------------------------------------------------------------------------------


def test_tags_in_one_field_answer_together() -> None:
    field = SimulatedField()
    field.switch(True, 0)
    field.place(Ntag(ANNA), Tag(KEY_RING))
    received = field.ask(REQA, 10_000)
    assert received is not None
    assert (received.collision, received.frame.bits) == (6, 16)  # ATQA 0x44 and 0x04


def test_only_a_field_that_was_off_long_enough_wakes_the_halted() -> None:
    field = SimulatedField()
    field.switch(True, 0)
    tag = Tag(KEY_RING)
    field.place(tag)
    hear(selected(tag), HALT)
    for off_ms, state in ((1, TagState.HALT), (5, TagState.IDLE)):
        field.switch(False, 10_000)
        field.switch(True, 10_000 + off_ms * 1000)
        assert tag.state is state


def test_who_is_lifted_is_silent_and_comes_back_as_a_newcomer() -> None:
    field = SimulatedField()
    field.switch(True, 0)
    tag, other = Tag(KEY_RING), Ntag(ANNA)
    field.place(tag, other)
    hear(selected(tag), HALT)
    field.lift(tag)
    assert field.tags == (other,)
    field.place(tag)
    assert tag.state is TagState.IDLE
    field.lift()
    assert field.tags == ()


def test_a_weak_tag_answers_as_often_as_it_should_and_the_same_every_time() -> None:
    def answers() -> list[bytes | None]:
        tag = Tag(KEY_RING, reliability=0.3)
        return [hear(tag, REQA) for _ in range(2000)]

    heard = [answer for answer in answers() if answer]
    assert 250 < len(heard) < 350  # of 1000: every second request sends it back
    assert answers() == answers()


def test_a_flickering_tag_forgets_everything_in_between() -> None:
    tag = Tag(KEY_RING, flicker=Flicker(on_ms=10, off_ms=5))
    hear(selected(tag), HALT)
    assert hear(tag, WUPA, 9_000) is not None
    assert hear(tag, WUPA, 12_000) is None
    assert tag.state is TagState.IDLE
    assert hear(tag, REQA, 16_000) is not None
    assert hear(tag, REQA, 31_000) is not None  # woken anew in the next spell, though nothing asked in between


# --- Memory ---------------------------------------------------------------------------------------------------


def test_an_ntag_tells_its_uid_and_capabilities_in_its_first_pages() -> None:
    memory = without_crc(hear(selected(Ntag(ANNA)), read(0)) or b"")
    assert memory == bytes.fromhex("04A1B29F C3D4E5F6 04480000 E1101200")


@pytest.mark.parametrize(("model", "pages", "size"), [(213, 45, 0x12), (215, 135, 0x3E), (216, 231, 0x6D)])
def test_models_differ_in_size(model: int, pages: int, size: int) -> None:
    tag = selected(Ntag(ANNA, model))
    assert (tag.pages, tag.memory[14]) == (pages, size)
    last = without_crc(hear(tag, read(pages - 1)) or b"")
    assert last is not None
    assert last[4:] == bytes(tag.memory[:12])  # after the last page comes the first
    assert hear(tag, read(pages)) == b"\x00"
    assert tag.state is TagState.IDLE


def test_pages_can_be_written_and_read_back() -> None:
    tag = selected(Ntag(ANNA))
    assert tag.hear(Frame.of(write(5, b"here")), 0.0).frame == Frame(0x0A, 4)
    assert without_crc(hear(tag, read(5)) or b"")[:4] == b"here"
    assert without_crc(hear(tag, with_crc(b"\x3a\x05\x05")) or b"") == b"here"


@pytest.mark.parametrize("page", [0, 1, 45, 255])
def test_some_pages_cannot_be_written(page: int) -> None:
    tag = selected(Ntag(ANNA))
    assert tag.hear(Frame.of(write(page, b"away")), 0.0).frame == Frame(0x00, 4)


def test_locked_pages_stay_as_they_are_and_locks_are_for_ever() -> None:
    tag = selected(Ntag(ANNA))
    tag.lock(4)
    assert tag.hear(Frame.of(write(4, b"away")), 0.0).frame == Frame(0x00, 4)
    selected(tag)
    hear(tag, write(2, bytes(4)))
    assert tag.memory[8:12] == bytes.fromhex("04481000")
    hear(tag, write(3, b"\x00\x00\x00\x0f"))
    assert tag.memory[12:16] == bytes.fromhex("E110120F")


def test_a_wrong_check_sum_is_refused_by_an_ntag() -> None:
    assert selected(Ntag(ANNA)).hear(Frame.of(read(4)[:-1] + b"\x00"), 0.0).frame == Frame(0x01, 4)


def test_an_ntag_tells_its_version() -> None:
    assert without_crc(hear(selected(Ntag(ANNA)), with_crc(b"\x60")) or b"") == bytes.fromhex("0004040201000F03")


def test_an_ntag_has_seven_bytes() -> None:
    with pytest.raises(ValueError, match="7 bytes, not 4"):
        Ntag(KEY_RING)


def test_a_classic_tag_tells_nothing_before_it_is_authenticated() -> None:
    tag = selected(Classic(KEY_RING))
    assert hear(tag, read(4)) is None
    assert tag.state is TagState.IDLE
    assert not selected(tag).authenticate(4, b"\x00" * 6, KEY_RING)
    assert selected(tag).authenticate(4, b"\xff" * 6, KEY_RING)
    assert without_crc(hear(tag, read(5)) or b"") == bytes(16)
    assert hear(tag, read(8)) is None  # another sector


@pytest.mark.parametrize(("page", "octet", "bit"), [(3, 10, 3), (7, 10, 7), (8, 11, 0), (15, 11, 7)])
def test_each_page_has_its_own_lock_bit(page, octet, bit):
    """Static lock bytes of the NTAGs: L3 to L7 in byte 2 of page 2, L8 to L15 in byte 3."""
    tag = Ntag(bytes.fromhex("04A1B2C3D4E5F6"))
    before = bytes(tag.memory)
    tag.lock(page)
    changed = [
        (place, now ^ then) for place, (now, then) in enumerate(zip(tag.memory, before, strict=True)) if now != then
    ]
    assert changed == [(octet, 1 << bit)]
