"""ISO 14443-A tags: what a sticker hears, what it answers, and when it falls silent.

Sources: states, frames, anticollision: ISO/IEC 14443-3, 6 (states 6.3, anticollision 6.5, frame delay 6.2.1.1). Memory
and commands of NTAG213, 215 and 216: NXP's data sheet of them, under each command's name; MIFARE Classic: NXP's of the
MF1S50yyX. Reliability and flicker are what hands, metal and distance do: drivers have to live with any of them.

Frames are bits as they fly. Parity is left out (it only costs time), and so is Crypto1: after a successful
authentication a MIFARE Classic tag answers in plain.
"""

from enum import Enum
from random import Random
from typing import NamedTuple

from companion.devices.iso14443 import (
    ACK,
    ACK_BITS,
    CASCADE_BIT,
    HALT,
    NVB_WHOLE,
    READ,
    REQA,
    SELECTS,
    SHORT_FRAME_BITS,
    WUPA,
    bcc,
    cascade,
    with_crc,
    without_crc,
)

CARRIER_MHZ = 13.56
BIT_US = 128 / CARRIER_MHZ
"""106 kbit/s."""
POWER_UP_US = 5_000
"""ISO 14443-3, 5.1: a tag may take this long until it hears, and the field must be off this long to reset it."""
READ_US = 300.0
WRITE_US = 4_000.0
"""What memory takes. The data sheet has bounds, 5 ms for READ and 10 ms for WRITE: these are guesses within them."""


class Frame(NamedTuple):
    """Bits as they fly: the first one is the lowest."""

    value: int
    bits: int

    @classmethod
    def of(cls, data: bytes) -> "Frame":
        return cls(int.from_bytes(data, "little"), len(data) * 8)

    @property
    def data(self) -> bytes:
        return self.value.to_bytes((self.bits + 7) // 8, "little")

    @property
    def air_us(self) -> float:
        """Start, data, a parity bit for each whole byte, end."""
        return (self.bits + self.bits // 8 + 2) * BIT_US

    @property
    def delay_us(self) -> float:
        """The frame delay time (ISO 14443-3, 6.2.1.1), which depends on the last bit that the reader has sent."""
        return (1236 if self.value >> (self.bits - 1) else 1172) / CARRIER_MHZ


class Answer(NamedTuple):
    frame: Frame
    extra_us: float = 0.0
    """What the tag takes beyond the frame delay time."""


class TagState(Enum):
    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


# An enumeration's members are slow to look up, and tags look at theirs with every frame.
_IDLE, _READY, _ACTIVE, _HALTED = TagState


class Flicker(NamedTuple):
    """A tag at the edge of the field: it has power for a while, then none for a while, and so on."""

    on_ms: float
    off_ms: float


class Tag:
    """A tag that can be found, selected and halted, with a UID of 4, 7 or 10 bytes."""

    sak = 0x00

    def __init__(
        self, uid: bytes, *, reliability: float = 1.0, flicker: Flicker | None = None, chance: Random | None = None
    ) -> None:
        """`reliability`: how likely an answer reaches the reader."""
        self.uid = uid
        self.reliability = reliability
        self.flicker = flicker
        self._chance = chance or Random(uid)
        self._levels = [int.from_bytes([*level, bcc(level)], "little") for level in cascade(uid)]
        self._spell = 0
        self.state = _IDLE
        self._level = 0
        self._was_halted = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.uid.hex().upper()} {self.state.value}>"

    def lose_power(self) -> None:
        self.state = _IDLE
        self._was_halted = False

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        """What the reader receives from this tag, if anything."""
        if not self._has_power(now_us):
            return None
        answer = self._react(frame)
        return answer if answer and (self.reliability >= 1 or self._chance.random() < self.reliability) else None

    def _has_power(self, now_us: float) -> bool:
        if self.flicker is None:
            return True
        spell, into_ms = divmod(now_us / 1000, self.flicker.on_ms + self.flicker.off_ms)
        if spell != self._spell or into_ms >= self.flicker.on_ms:
            self.lose_power()
        self._spell = int(spell)
        return into_ms < self.flicker.on_ms

    def _react(self, frame: Frame) -> Answer | None:
        if frame.bits == SHORT_FRAME_BITS:
            return self._wake(frame.value)
        if self.state is _READY:
            return self._anticollision(frame)
        if self.state is _ACTIVE:
            return self._active(frame)
        return None

    def _wake(self, request: int) -> Answer | None:
        if self.state is _IDLE and request in (REQA, WUPA):
            self._was_halted = False
        elif self.state is _HALTED and request == WUPA:
            self._was_halted = True
        else:
            return self._fall_back()
        self.state, self._level = _READY, 0
        return Answer(Frame.of(bytes([0x04 | (len(self._levels) - 1) << 6, 0x00])))

    def _fall_back(self) -> Answer | None:
        """A frame that a tag does not expect sends it back, silently, to where it was woken (ISO 14443-3, 6.3)."""
        if self.state in (_READY, _ACTIVE):
            self.state = _HALTED if self._was_halted else _IDLE
        return None

    def _anticollision(self, frame: Frame) -> Answer | None:
        own = self._levels[self._level]
        command, nvb = frame.value & 0xFF, frame.value >> 8 & 0xFF
        if command != SELECTS[self._level] or frame.bits < 16:
            return self._fall_back()
        if nvb == NVB_WHOLE:
            return self._selected(frame, own)
        known = (nvb >> 4) * 8 + (nvb & 7) - 16
        if not 0 <= known < 40 or frame.bits != 16 + known or frame.value >> 16 != own & ((1 << known) - 1):
            return self._fall_back()
        return Answer(Frame(own >> known, 40 - known))

    def _selected(self, frame: Frame, own: int) -> Answer | None:
        said = without_crc(frame.data)
        if said is None or said[2:] != own.to_bytes(5, "little"):
            return self._fall_back()
        self._level += 1
        if self._level < len(self._levels):
            return Answer(Frame.of(with_crc(bytes([self.sak | CASCADE_BIT]))))
        self.state = _ACTIVE
        return Answer(Frame.of(with_crc(bytes([self.sak]))))

    def _active(self, frame: Frame) -> Answer | None:
        if frame.data == HALT:
            self.state = _HALTED
            return None
        said = without_crc(frame.data) if frame.bits % 8 == 0 else None
        return self._refuse(0x1) if said is None else self._obey(said)

    def _obey(self, command: bytes) -> Answer | None:
        """A command to the selected tag, its check sum taken off. This kind of tag has none."""
        return self._fall_back()

    def _refuse(self, why: int) -> Answer | None:
        """A tag that cannot say no says nothing."""
        return self._fall_back()


class Ntag(Tag):
    """NTAG213, 215 or 216: pages of four bytes, of which the first four are not for the user."""

    MODELS = {213: (45, 0x12, 0x0F), 215: (135, 0x3E, 0x11), 216: (231, 0x6D, 0x13)}
    """Pages, and the sizes in the capability container and in the answer to GET_VERSION."""

    def __init__(
        self,
        uid: bytes,
        model: int = 213,
        *,
        reliability: float = 1.0,
        flicker: Flicker | None = None,
        chance: Random | None = None,
    ) -> None:
        super().__init__(uid, reliability=reliability, flicker=flicker, chance=chance)
        if len(uid) != 7:
            raise ValueError(f"an NTAG has a UID of 7 bytes, not {len(uid)}")
        pages, size, self._storage = self.MODELS[model]
        first, second = cascade(uid)
        head = uid[:3] + bytes([bcc(first)]) + uid[3:] + bytes([bcc(second), 0x48, 0, 0])
        self.memory = bytearray(head + bytes([0xE1, 0x10, size, 0x00]) + b"\x03\x00\xfe\x00")
        self.memory.extend(bytes(pages * 4 - len(self.memory)))

    @property
    def pages(self) -> int:
        return len(self.memory) // 4

    def lock(self, page: int) -> None:
        """Set the lock bit of a page from 3 to 15: it can be read, and not written again (static lock bytes)."""
        self.memory[10 + page // 8] |= 1 << page % 8

    def _obey(self, command: bytes) -> Answer | None:
        match command[0], len(command):
            case (0x60, 1):  # GET_VERSION
                return self._tell(bytes([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self._storage, 0x03]))
            case (0x30, 2) if command[1] < self.pages:  # READ: four pages, after the last comes the first
                rolled = self.memory * 2
                return self._tell(bytes(rolled[command[1] * 4 :][:16]))
            case (0x3A, 3) if command[1] <= command[2] < self.pages:  # FAST_READ
                return self._tell(bytes(self.memory[command[1] * 4 : command[2] * 4 + 4]))
            case (0xA2, 6) if self._may_write(command[1]):  # WRITE
                self._write(command[1], command[2:])
                return Answer(Frame(ACK, ACK_BITS), WRITE_US)
        return self._refuse(0x0)

    def _tell(self, data: bytes) -> Answer:
        return Answer(Frame.of(with_crc(data)), READ_US)

    def _may_write(self, page: int) -> bool:
        locked = page in range(3, 16) and self.memory[10 + page // 8] >> page % 8 & 1
        return 2 <= page < self.pages and not locked

    def _write(self, page: int, data: bytes) -> None:
        """Lock bits (page 2) and capability container (page 3) can only be set, never cleared again."""
        for place, octet in enumerate(data, page * 4):
            if page > 3:
                self.memory[place] = octet
            elif page == 3 or place >= 10:
                self.memory[place] |= octet

    def _refuse(self, why: int) -> Answer | None:
        self._fall_back()
        return Answer(Frame(why, ACK_BITS))


class Classic(Tag):
    """MIFARE Classic 1K, as it comes with many readers. Before an authentication it tells nothing but its UID."""

    sak = 0x08

    def __init__(
        self, uid: bytes, *, reliability: float = 1.0, flicker: Flicker | None = None, chance: Random | None = None
    ) -> None:
        super().__init__(uid, reliability=reliability, flicker=flicker, chance=chance)
        self.key = b"\xff" * 6
        self.memory = bytearray(1024)
        self._open_sector: int | None = None

    def authenticate(self, block: int, key: bytes, uid: bytes) -> bool:
        """Whether this tag, being selected, accepts the key. A failure sends it back, as any error does."""
        fits = self.state is _ACTIVE and key == self.key and uid == self.uid[-4:] and block < 64
        self._open_sector = block // 4 if fits else None
        if not fits:
            self._fall_back()
        return fits

    def _obey(self, command: bytes) -> Answer | None:
        if command[0] != READ or len(command) != 2 or command[1] // 4 != self._open_sector:
            return self._fall_back()
        block = command[1] * 16
        return Answer(Frame.of(with_crc(bytes(self.memory[block : block + 16]))), READ_US)

    def _wake(self, request: int) -> Answer | None:
        self._open_sector = None
        return super()._wake(request)


def sticker(uid: str) -> Tag:
    """A tag with this UID, of the kind that has UIDs of this length."""
    data = bytes.fromhex(uid)
    return Classic(data) if len(data) == 4 else Ntag(data) if len(data) == 7 else Tag(data)


class Stickers(dict[str, Tag]):
    """By UID. The same sticker every time: what it remembers stays with it."""

    def __missing__(self, uid: str) -> Tag:
        self[uid] = sticker(uid)
        return self[uid]
