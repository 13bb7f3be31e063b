"""What is written on a tag: an NDEF text in the memory of an NTAG or Ultralight (NFC Forum, Type 2 Tag).

Page 3 is the capability container: E1, version, size in units of eight bytes, access. From page 4 on there are blocks
of type, length and value; type 03 is the NDEF message, FE the end. Others (lock control on a fresh NTAG213) stay as
they are. A MIFARE Classic tag has another memory, which is not read: such a tag is known by its UID alone.
"""

from collections.abc import Container
from typing import Literal, TypeAlias

import ndef
from msgspec import Struct

from companion.devices.tag_field import Failed, TagField, Uid

CAPABILITY_PAGE, FIRST_PAGE = 3, 4
PAGE_BYTES, READ_BYTES = 4, 16
MAGIC = 0xE1
UNIT_BYTES = 8
NULL, MESSAGE, END = 0x00, 0x03, 0xFE
LONG = 0xFF
"""A length that does not fit into one byte: two more follow."""
PAGED_UID_BYTES = 7
"""NTAGs and Ultralights have UIDs of seven bytes; a MIFARE Classic of four answers no page."""

WriteOutcome: TypeAlias = Literal[
    "written", "the same", "no room", "not formatted", "read only", "number only", "no answer", "garbled", "refused"
]
"""What came of writing. "number only": this kind of tag carries no text."""


# --- Texts and bytes ------------------------------------------------------------------------------------------


def message_of(text: str, link: str = "") -> bytes:
    """An NDEF message that is this text and nothing else; or a link, which iPhones open, and then the text."""
    address = [ndef.UriRecord(link)] if link else []
    return b"".join(ndef.message_encoder([*address, ndef.TextRecord(text, "en")]))


def text_in(message: bytes) -> str | None:
    """The first text of an NDEF message; None: there is none, or it is no message."""
    try:
        records = list(ndef.message_decoder(message))
    except (ndef.DecodeError, ValueError):  # the library lets Unicode errors through
        return None
    return next((str(record.text) for record in records if isinstance(record, ndef.TextRecord)), None)


class NdefBlock(Struct, frozen=True):
    """Where the NDEF message stands in a tag's memory, counted from its first page."""

    offset: int
    """Of its type. Where there is no message yet: where one may begin."""
    start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def find_block(memory: bytes) -> NdefBlock | None:
    """The NDEF message, or the place for one; None: more of the memory has to be read."""
    offset = 0
    while offset < len(memory) and memory[offset] != END:
        if memory[offset] == NULL:
            offset += 1
            continue
        lengths = memory[offset + 1 : offset + 4]
        if not lengths or (lengths[0] == LONG and len(lengths) < 3):
            return None
        long = lengths[0] == LONG
        start = offset + (4 if long else 2)
        length = int.from_bytes(lengths[1:3], "big") if long else lengths[0]
        if memory[offset] == MESSAGE:
            return NdefBlock(offset, start, length)
        offset = start + length
    return NdefBlock(offset, offset, 0) if offset < len(memory) else None


def _block_bytes(message: bytes) -> bytes:
    length = len(message)
    head = bytes([length]) if length < LONG else bytes([LONG, *length.to_bytes(2, "big")])
    return bytes([MESSAGE]) + head + message + bytes([END])


# --- Reading --------------------------------------------------------------------------------------------------


class _Memory(Struct):
    """A tag's memory, as far as it was read, from its first page on."""

    capacity: int
    access: int
    data: bytes
    block: NdefBlock | None = None


def read_text(field: TagField, uid: Uid) -> str | Failed | None:
    """The text on this tag; None: it carries none. Raises ReaderError."""
    memory = _read(field, uid)
    if memory is None or isinstance(memory, Failed):
        return memory
    return text_in(_message_in(memory))


def _message_in(memory: "_Memory") -> bytes:
    """The message that this memory holds; empty if there is none."""
    block = memory.block
    return memory.data[block.start : block.end] if block and block.end <= memory.capacity else b""


def _read(field: TagField, uid: Uid) -> _Memory | Failed | None:
    """As much as the NDEF message takes; None: this tag is not formatted for one."""
    head = field.read_page(uid, CAPABILITY_PAGE)
    if isinstance(head, Failed):
        return head
    magic, _version, units, access = head.data[:PAGE_BYTES]
    if magic != MAGIC:
        return None
    memory = _Memory(units * UNIT_BYTES, access, head.data[PAGE_BYTES:])
    while True:
        memory.data = memory.data[: memory.capacity]
        memory.block = find_block(memory.data)
        wanted = memory.block.end if memory.block else len(memory.data) + 1
        if len(memory.data) >= min(wanted, memory.capacity):
            # Nothing but zeros to the end: no message, and no mark where one may begin.
            memory.block = memory.block or find_block(memory.data.rstrip(b"\0") + bytes([END]))
            return memory
        more = field.read_page(uid, FIRST_PAGE + len(memory.data) // PAGE_BYTES)
        if isinstance(more, Failed):
            return more
        memory.data += more.data


# --- Writing --------------------------------------------------------------------------------------------------


def write_text(field: TagField, uid: Uid, text: str, link: str = "") -> WriteOutcome:
    """Write this text, and a link before it, in place of what the tag says now. Raises ReaderError.

    The length comes last: a tag that is lifted too early has no text then, and not half of one."""
    if len(uid) != PAGED_UID_BYTES:
        return "number only"
    memory = _read(field, uid)
    if isinstance(memory, Failed):
        return memory.why
    if memory is None:
        return "not formatted"
    if memory.block is None:
        return "no room"
    message = message_of(text, link)
    if _message_in(memory) == message:
        return "the same"
    if memory.access & 0x0F:
        return "read only"
    written = _write(field, uid, memory, memory.block.offset, message)
    if written != "written":
        return written
    again = _read(field, uid)
    if isinstance(again, Failed):
        return again.why
    return "written" if again is not None and _message_in(again) == message else "garbled"


def _write(field: TagField, uid: Uid, memory: _Memory, offset: int, message: bytes) -> WriteOutcome:
    block = _block_bytes(message)
    first = offset // PAGE_BYTES
    whole = memory.data[first * PAGE_BYTES : offset] + block
    if first * PAGE_BYTES + len(whole.removesuffix(bytes([END]))) > memory.capacity:
        return "no room"
    whole = whole.ljust(-(-len(whole) // PAGE_BYTES) * PAGE_BYTES, b"\0")
    whole = whole[: memory.capacity - first * PAGE_BYTES]
    at = offset % PAGE_BYTES + 1  # of the length
    after = at + (1 if len(message) < LONG else 3)
    empty = whole[:at] + bytes(after - at) + whole[after:]
    pages = range(len(whole) // PAGE_BYTES)
    with_length = range(at // PAGE_BYTES, (after - 1) // PAGE_BYTES + 1)
    for source, numbers in ((empty, pages), (whole, with_length)):
        for number in numbers:
            data = source[number * PAGE_BYTES : (number + 1) * PAGE_BYTES]
            outcome = field.write_page(uid, FIRST_PAGE + first + number, data)
            if isinstance(outcome, Failed):
                return outcome.why
    return "written"


# --- At the table ---------------------------------------------------------------------------------------------


class Introductions:
    """Meets the tags of a reader (`Reader(greet=…)`): an unknown one is asked once what is written on it."""

    def __init__(self, known: Container[str]) -> None:
        """`known`: UIDs that need not be asked."""
        self._known = known
        self._asked: set[str] = set()

    def __call__(self, field: TagField, uid: Uid) -> str | None:
        """Its text. Raises ReaderError."""
        name = uid.hex().upper()
        if len(uid) != PAGED_UID_BYTES or name in self._asked or name in self._known:
            return None
        text = read_text(field, uid)
        if isinstance(text, Failed) and text.why != "refused":
            return None  # it was lifted, or lies badly: when it comes again it is asked again
        self._asked.add(name)
        return text if isinstance(text, str) else None
