"""ISO 14443-3, type A, as bytes: how a reader finds the tags in its field. Pure.

A UID has 4, 7 or 10 bytes. It is told in one, two or three cascade levels of four bytes; where more follows, the first
of the four is the cascade tag 0x88. Each level is guarded by a check byte (BCC), each longer frame by a CRC_A.
"""

from functools import lru_cache

REQA = 0x26
"""Wakes tags that are IDLE, so only newcomers. Seven bits."""
WUPA = 0x52
"""Wakes halted tags, too. Seven bits."""
SHORT_FRAME_BITS = 7
SELECTS = (0x93, 0x95, 0x97)
"""The command of each cascade level."""
CASCADE_TAG = 0x88
CASCADE_BIT = 0x04
"""In an SAK: the UID goes on at the next level."""
LEVEL_BITS = 32
NVB_WHOLE = 0x70
UID_LENGTHS = (4, 7, 10)

READ = 0x30
WRITE = 0xA2
PAGE_BYTES = 4
READ_PAGES = 4
"""How many pages a READ gives at once."""
ACK = 0x0A
ACK_BITS = 4


@lru_cache(1024)
def crc_a(data: bytes) -> bytes:
    """The check sum of ISO 14443-3 Annex B: reflected polynomial 0x8408, beginning with 0x6363, low byte first.

    Kept for a while: the same tags are called by the same frames, many times a second."""
    crc = 0x6363
    for octet in data:
        low = (octet ^ crc) & 0xFF
        low ^= low << 4 & 0xFF
        crc = crc >> 8 ^ low << 8 ^ low << 3 ^ low >> 4
    return crc.to_bytes(2, "little")


def with_crc(data: bytes) -> bytes:
    return data + crc_a(data)


def without_crc(data: bytes) -> bytes | None:
    """What a frame says; None when its check sum is wrong."""
    return data[:-2] if len(data) > 2 and crc_a(data[:-2]) == data[-2:] else None


HALT = with_crc(b"\x50\x00")


# --- Cascade levels -------------------------------------------------------------------------------------------


def bcc(level: bytes) -> int:
    """The check byte of a cascade level: all of its bytes, exclusive or."""
    check = 0
    for octet in level:
        check ^= octet
    return check


def cascade(uid: bytes) -> list[bytes]:
    """The levels, four bytes each, in which a tag gives its UID. Raises ValueError where no UID is so long."""
    if len(uid) not in UID_LENGTHS:
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}: {uid.hex().upper()}")
    head = [bytes([CASCADE_TAG]) + uid[start : start + 3] for start in range(0, len(uid) - 4, 3)]
    return [*head, uid[-4:]]


def level_of(answer: bytes) -> bytes | None:
    """The four bytes of a level from the five that a tag sends; None when the check byte is wrong."""
    return answer[:4] if len(answer) == 5 and bcc(answer[:4]) == answer[4] else None


def goes_on(level: int, four: bytes) -> bool:
    """Whether more levels follow this one, as far as its bytes tell: in the last one 0x88 is a byte like any other."""
    return level < len(SELECTS) - 1 and four[0] == CASCADE_TAG


def uid_of(levels: list[bytes]) -> bytes | None:
    """The UID that these levels make; None where a cascade tag is missing. The tag itself has said that the last one is
    the last: so it may begin with 0x88, though no maker should give such a number (ISO 14443-3, 6.4.4)."""
    *head, last = levels
    if len(levels) > len(SELECTS) or any(level[0] != CASCADE_TAG for level in head):
        return None
    return b"".join(level[1:] for level in head) + last


# --- Frames of a reader ---------------------------------------------------------------------------------------


def anticollision(level: int, known: int, known_bits: int) -> tuple[bytes, int]:
    """Asks all tags whose UID begins, at this level, with these bits (the first is the lowest) for the rest.

    Gives the bytes, and how many bits of the last one are sent (0: all)."""
    whole, odd = divmod(known_bits, 8)
    nvb = (2 + whole) << 4 | odd
    return bytes([SELECTS[level], nvb]) + known.to_bytes(4, "little")[: whole + bool(odd)], odd


def select(level: int, four: bytes) -> bytes:
    return with_crc(bytes([SELECTS[level], NVB_WHOLE]) + four + bytes([bcc(four)]))


def sak_of(answer: bytes) -> int | None:
    """What a tag says when it is selected; None when the check sum is wrong."""
    sak = without_crc(answer)
    return sak[0] if sak is not None and len(sak) == 1 else None


def read(page: int) -> bytes:
    return with_crc(bytes([READ, page]))


def write(page: int, data: bytes) -> bytes:
    return with_crc(bytes([WRITE, page]) + data)
