"""The PN532's frames (NXP UM0701-02, 6.2.1). Pure: bytes in, frames out.

All content stands between 00 00 FF and 00, with its length and a check sum for each: a normal frame for up to 255
bytes, an extended one for more. ACK and NACK are frames without content; an error frame says that a command made no
sense (6.2.1.5).
"""

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

START = b"\x00\xff"
HOST, CHIP = 0xD4, 0xD5
"""The sender: the first byte of each content (TFI)."""
SYNTAX_ERROR = 0x7F
NORMAL_LIMIT = 0xFF
EXTENDED_LIMIT = 265
"""UM0701-02, 6.2.1.2: TFI and 264 bytes of data."""


class BareFrame(Enum):
    """Frames without content, whole."""

    ACK = bytes.fromhex("0000FF00FF00")
    """6.2.1.3. From the host it also ends the command that is under way."""
    NACK = bytes.fromhex("0000FFFF0000")
    """6.2.1.4: the last answer is wanted again."""


class ContentFrame(Struct, frozen=True):
    """A frame with content that arrived whole."""

    content: bytes

    @property
    def is_error(self) -> bool:
        return self.content[0] == SYNTAX_ERROR


AnyFrame: TypeAlias = BareFrame | ContentFrame


def command_frame(code: int, data: bytes = b"") -> bytes:
    """What the host wants."""
    content = bytes([HOST, code]) + data
    if len(content) > EXTENDED_LIMIT:
        raise ValueError(f"a frame carries at most {EXTENDED_LIMIT} bytes, not {len(content)}")
    size = len(content)
    if size <= NORMAL_LIMIT:
        head = bytes([size, -size & 0xFF])
    else:
        high, low = divmod(size, 256)
        head = bytes([0xFF, 0xFF, high, low, -(high + low) & 0xFF])
    return b"\x00" + START + head + content + bytes([-sum(content) & 0xFF, 0x00])


class FrameSplitter:
    """Finds frames in what arrives, in pieces of any size. Anything else is counted and left out."""

    def __init__(self) -> None:
        self._unread = bytearray()
        self.bad = 0
        """Frames that could not be understood."""

    def feed(self, data: bytes) -> list[AnyFrame]:
        self._unread += data
        found: list[AnyFrame] = []
        while (start := self._unread.find(START)) >= 0:
            del self._unread[:start]
            size, arrived = _first(bytes(self._unread))
            if size == 0:
                return found  # there is more to come
            if arrived is None:
                self.bad += 1
            else:
                found.append(arrived)
            del self._unread[:size]
        del self._unread[: max(0, len(self._unread) - 1)]  # the last byte may begin a frame
        return found

    @property
    def is_half_way(self) -> bool:
        """Something has begun that has not come to its end."""
        return START in self._unread

    def forget(self) -> None:
        """Forget a frame that was half received."""
        self._unread.clear()


def _first(unread: bytes) -> tuple[int, AnyFrame | None]:
    """How many bytes the frame at the beginning takes, and what it is. 0: more has to come; None: it is none."""
    head = unread[2:4]
    if len(head) < 2:
        return 0, None
    for sign in BareFrame:
        if head == sign.value[3:5]:
            return 4, sign
    if head == b"\xff\xff":
        return _content(unread, 7, *_extended(unread[4:7]))
    return _content(unread, 4, head[0], sum(head) & 0xFF == 0 and head[0] > 0)


def _extended(head: bytes) -> tuple[int, bool | None]:
    """The length in the head of an extended frame, and whether it can be believed; None: more has to come."""
    if len(head) < 3:
        return 0, None
    return head[0] * 256 + head[1], sum(head) & 0xFF == 0 and 0 < head[0] * 256 + head[1] <= EXTENDED_LIMIT


def _content(unread: bytes, start: int, size: int, sound: bool | None) -> tuple[int, AnyFrame | None]:
    if sound is None:
        return 0, None
    if not sound:
        return 1, None
    if len(unread) < start + size + 1:
        return 0, None
    content, check = unread[start : start + size], unread[start + size]
    if (sum(content) + check) & 0xFF:
        return 1, None  # look for another beginning inside
    return start + size + 1, ContentFrame(content)
