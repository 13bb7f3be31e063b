"""Texts on tags: written and read through the real driver and the real ndeflib, on simulated stickers."""

import ndef
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.ndef import Introductions, NdefBlock, find_block, message_of, read_text, text_in, write_text
from companion.devices.simulated.tags import Ntag
from companion.devices.tag_field import Failed, Pages, Written
from tests.devices.pi import ANNA, BEN, KEY_RING, LONG, Pi

TEXT = "companion:1;lascaux;marker;white;2"
LOCK_CONTROL = bytes.fromhex("0103A00C34")
"""What the first bytes of a fresh NTAG213 hold."""


class Memory:
    """A field with one tag in it: nothing but pages. `breaks_at`: it is lifted before the n-th page is written."""

    def __init__(
        self, data: bytes = b"\x03\x00\xfe\x00", size: int = 0x12, breaks_at: int | None = None, access: int = 0
    ):
        user = size * 8
        self.pages = bytearray(bytes(12) + bytes([0xE1, 0x10, size, access]) + data.ljust(user, b"\0") + bytes(20))
        self.breaks_at = breaks_at
        self.writes: list[int] = []

    def read_page(self, uid: bytes, page: int) -> Pages | Failed:
        return Pages(page, bytes(self.pages[page * 4 : page * 4 + 16]))

    def write_page(self, uid: bytes, page: int, data: bytes) -> Written | Failed:
        assert len(data) == 4
        if self.breaks_at is not None and len(self.writes) >= self.breaks_at:
            return Failed("no answer")
        self.writes.append(page)
        self.pages[page * 4 : page * 4 + 4] = data
        return Written(page)


# --- Through the driver ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [213, 215, 216])
def test_what_is_written_on_a_sticker_is_read_from_it(model: int) -> None:
    with Pi() as pi:
        reader = pi.open()
        pi.lay(ANNA, model=model)
        assert read_text(reader, ANNA) is None
        assert write_text(reader, ANNA, TEXT) == "written"
        assert read_text(reader, ANNA) == TEXT


def test_ndeflib_reads_what_stands_in_the_memory_of_the_sticker() -> None:
    with Pi() as pi:
        reader = pi.open()
        (tag,) = pi.lay(ANNA)
        write_text(reader, ANNA, TEXT)
        assert isinstance(tag, Ntag)
        kind, length = tag.memory[16], tag.memory[17]
        (record,) = ndef.message_decoder(bytes(tag.memory[18 : 18 + length]))
        assert (kind, record.text, record.language) == (0x03, TEXT, "en")
        assert tag.memory[18 + length] == 0xFE


def test_the_second_sticker_in_the_field_is_not_written_by_mistake() -> None:
    with Pi() as pi:
        reader = pi.open()
        pi.lay(ANNA, BEN)
        assert write_text(reader, BEN, TEXT) == "written"
        assert (read_text(reader, ANNA), read_text(reader, BEN)) == (None, TEXT)


def test_a_sticker_that_says_so_already_is_not_worn_out() -> None:
    with Pi() as pi:
        reader = pi.open()
        (tag,) = pi.lay(ANNA)
        write_text(reader, ANNA, TEXT)
        tag.lock(4)
        assert write_text(reader, ANNA, TEXT) == "the same"
        assert write_text(reader, ANNA, "another") == "refused"
        assert read_text(reader, ANNA) == TEXT


@pytest.mark.parametrize("uid", [KEY_RING, LONG], ids=["MIFARE Classic", "ten bytes"])
def test_other_tags_are_known_by_their_number_only(uid: bytes) -> None:
    with Pi() as pi:
        reader = pi.open()
        pi.lay(uid)
        assert write_text(reader, uid, TEXT) == "number only"


def test_a_tag_that_is_not_there_does_not_answer() -> None:
    with Pi() as pi:
        reader = pi.open()
        assert write_text(reader, ANNA, TEXT) == "no answer"
        assert read_text(reader, ANNA) == Failed("no answer")


# --- Memory ---------------------------------------------------------------------------------------------------


@given(st.text(max_size=400), st.binary(max_size=9))
def test_any_text_is_read_back_and_what_stood_before_it_stays(text: str, padding: bytes) -> None:
    before = bytes(len(padding)) + LOCK_CONTROL
    memory = Memory(before + b"\x03\x00\xfe", size=0x6D)
    outcome = write_text(memory, ANNA, text)  # type: ignore[arg-type]  # all that is asked of a field
    if outcome == "no room":
        assert len(message_of(text)) + len(before) + 4 > 0x6D * 8
    else:
        assert outcome == "written" or text == ""
        assert read_text(memory, ANNA) == text  # type: ignore[arg-type]
    assert bytes(memory.pages[16 : 16 + len(before)]) == before


@given(st.text(max_size=300), st.integers(0, 5), st.integers(0, 90))
@settings(max_examples=200)
def test_a_tag_that_is_lifted_too_early_has_the_old_text_or_none_and_never_half_of_one(
    text: str, shift: int, breaks_at: int
) -> None:
    old = message_of("an old text")
    memory = Memory(bytes(shift) + bytes([0x03, len(old)]) + old + b"\xfe", size=0x6D, breaks_at=breaks_at)
    outcome = write_text(memory, ANNA, text)  # type: ignore[arg-type]
    told = read_text(memory, ANNA)  # type: ignore[arg-type]
    assert told == text if outcome == "written" else told in ("an old text", None, text)


@pytest.mark.parametrize("shift", range(4))
def test_nor_has_a_tag_with_a_long_text_whose_length_is_on_two_pages(shift: int) -> None:
    for breaks_at in range(85):
        memory = Memory(bytes(shift) + b"\x03\x00\xfe", size=0x6D, breaks_at=breaks_at)
        assert write_text(memory, ANNA, "x" * 300) in ("no answer", "written")  # type: ignore[arg-type]
        assert read_text(memory, ANNA) in (None, "x" * 300)  # type: ignore[arg-type]
    assert read_text(memory, ANNA) == "x" * 300  # type: ignore[arg-type]


def test_a_text_that_fills_the_sticker_to_the_last_byte_fits_and_one_more_does_not() -> None:
    room = 144 - 2 - 7
    for letters, outcome in ((room, "written"), (room + 1, "no room")):
        memory = Memory()
        assert write_text(memory, ANNA, "x" * letters) == outcome  # type: ignore[arg-type]
        assert memory.pages[16 + 144 :] == bytes(20)
    assert memory.writes == []


@pytest.mark.parametrize("before", [b"", LOCK_CONTROL])
def test_a_sticker_with_nothing_but_zeros_has_room_for_a_text(before: bytes) -> None:
    memory = Memory(before)
    assert write_text(memory, ANNA, TEXT) == "written"  # type: ignore[arg-type]
    assert read_text(memory, ANNA) == TEXT  # type: ignore[arg-type]
    assert bytes(memory.pages[16:]).startswith(before)


def test_a_sticker_that_is_full_of_something_else_has_no_room() -> None:
    memory = Memory(bytes([0x01, 142]) + bytes(142))
    assert write_text(memory, ANNA, TEXT) == "no room"  # type: ignore[arg-type]
    assert memory.writes == []


def test_a_tag_without_a_capability_container_is_left_alone() -> None:
    memory = Memory()
    memory.pages[12] = 0
    assert write_text(memory, ANNA, TEXT) == "not formatted"  # type: ignore[arg-type]
    assert read_text(memory, ANNA) is None  # type: ignore[arg-type]
    assert memory.writes == []


def test_a_tag_that_must_not_be_written_is_left_alone() -> None:
    memory = Memory(access=0x0F)
    assert write_text(memory, ANNA, TEXT) == "read only"  # type: ignore[arg-type]
    assert memory.writes == []


@given(st.binary(max_size=144))
def test_nonsense_on_a_tag_is_no_text_and_no_crash(data: bytes) -> None:
    told = read_text(Memory(data), ANNA)  # type: ignore[arg-type]
    assert told is None or isinstance(told, str)


@given(st.binary(max_size=60))
def test_nonsense_is_no_message(data: bytes) -> None:
    assert text_in(data) is None or isinstance(text_in(data), str)


def test_a_web_address_is_not_a_text() -> None:
    assert text_in(b"".join(ndef.message_encoder([ndef.UriRecord("https://example.org")]))) is None


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (b"\x03\x02ab\xfe", NdefBlock(0, 2, 2)),
        (b"\x00\x00\x03\x02ab\xfe", NdefBlock(2, 4, 2)),
        (LOCK_CONTROL + b"\x03\x00\xfe", NdefBlock(5, 7, 0)),
        (b"\x03\xff\x01\x00", NdefBlock(0, 4, 256)),
        (b"\x03\xff\x01", None),
        (b"\x03", None),
        (b"\xfe\x00", NdefBlock(0, 0, 0)),
        (b"\x00\x00", None),
        (b"\x01\x09ab", None),
    ],
)
def test_a_message_is_found_among_other_blocks(memory: bytes, expected: NdefBlock | None) -> None:
    assert find_block(memory) == expected


# --- At the table ---------------------------------------------------------------------------------------------


def test_an_unknown_tag_is_asked_once_what_is_written_on_it() -> None:
    with Pi() as pi:
        reader = pi.open()
        pi.lay(ANNA)
        write_text(reader, ANNA, TEXT)
        told: list[str | None] = []
        meet = Introductions(())
        assert meet(reader, ANNA) == TEXT
        assert pi.transfers(lambda: told.append(meet(reader, ANNA))) == 0
        assert told == [None]


def test_a_known_tag_and_one_without_memory_are_not_asked() -> None:
    with Pi() as pi:
        reader = pi.open()
        pi.lay(ANNA, KEY_RING)
        meet = Introductions({"04A1B2C3D4E5F6"})
        assert pi.transfers(lambda: (meet(reader, ANNA), meet(reader, KEY_RING))) == 0


def test_a_tag_that_was_lifted_too_early_is_asked_again_when_it_comes_back() -> None:
    with Pi() as pi:
        reader = pi.open()
        (tag,) = pi.lay(ANNA)
        write_text(reader, ANNA, TEXT)
        pi.field.lift(tag)
        meet = Introductions(())
        assert meet(reader, ANNA) is None
        pi.field.place(tag)
        pi.clock.sleep(0.006)
        assert meet(reader, ANNA) == TEXT


def test_a_blank_sticker_is_asked_once_and_introduces_nothing() -> None:
    with Pi() as pi:
        reader = pi.open()
        pi.lay(ANNA)
        meet = Introductions(())
        assert meet(reader, ANNA) is None
        assert pi.transfers(lambda: meet(reader, ANNA)) == 0
