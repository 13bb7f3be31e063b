"""The wire to a satellite, as in docs/wire.md: frames and messages. Pure: bytes in, messages out, no line and no clock.

Frames are read byte by byte. A `Splitter` never holds more than one frame.
"""

import struct
from binascii import crc_hqx
from typing import Any, ClassVar, TypeAlias, get_args

from msgspec import Struct

from companion import stations
from companion.devices.iso14443 import UID_LENGTHS
from companion.errors import DeviceError
from companion.stations import ButtonColour
from companion.table.effects import Cue, Pattern
from companion.troubles import PadTrouble, StartCause

VERSION = 1
BAUD = 250_000

PAYLOAD_LIMIT = 24
FRAME_LIMIT = PAYLOAD_LIMIT + 4
"""With two bytes of CRC, one of COBS, and the zero at its end."""

PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
CUES: tuple[Cue, ...] = get_args(Cue)
BUTTONS: tuple[ButtonColour, ...] = stations.BUTTON_COLOURS
"""In the order of their numbers on the wire."""
FAULTS: dict[int, PadTrouble] = {1: PadTrouble.NO_CHIP, 2: PadTrouble.HANGS, 3: PadTrouble.WRONG_ANSWERS}
WHOLE = 0xFF
"""In place of a pad: the whole satellite."""
PADS = len(stations.PADS)


class WireError(DeviceError):
    """These bytes are no message."""


# --- Frames ---------------------------------------------------------------------------------------------------


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return crc_hqx(data, 0xFFFF)


def frame(payload: bytes) -> bytes:
    """A payload as it goes over the line. It must have 1 to PAYLOAD_LIMIT bytes."""
    if not 1 <= len(payload) <= PAYLOAD_LIMIT:
        raise ValueError(f"a payload has 1 to {PAYLOAD_LIMIT} bytes, not {len(payload)}")
    return _stuff(payload + crc16(payload).to_bytes(2, "little")) + b"\0"


def unframe(stuffed: bytes) -> bytes:
    """The payload of a frame without its zero. Raises WireError."""
    whole = _unstuff(stuffed)
    if not 3 <= len(whole) <= PAYLOAD_LIMIT + 2:
        raise WireError(f"a frame of {len(whole)} bytes")
    payload, crc = whole[:-2], int.from_bytes(whole[-2:], "little")
    if crc16(payload) != crc:
        raise WireError("a wrong CRC")
    return payload


def _stuff(data: bytes) -> bytes:
    """COBS: each zero becomes the distance to the next one. So little data never needs a second overhead byte."""
    return b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0"))


def _unstuff(stuffed: bytes) -> bytes:
    parts = []
    at = 0
    while at < len(stuffed):
        distance = stuffed[at]
        part = stuffed[at + 1 : at + distance]
        if distance == 0 or len(part) != distance - 1 or 0 in part:
            raise WireError("broken byte stuffing")
        parts.append(part)
        at += distance
    return b"\0".join(parts)


class Splitter:
    """Cuts a stream of bytes into payloads, and counts what could not be read."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._too_long = False
        self.bad = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that these bytes complete. Rubbish is skipped up to the next zero."""
        payloads: list[bytes] = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._hold(piece)
            payloads += self._end()
        self._hold(rest)
        return payloads

    def _hold(self, piece: bytes) -> None:
        room = FRAME_LIMIT - 1 - len(self._held)
        self._too_long |= len(piece) > room
        self._held += piece[:room]

    def _end(self) -> list[bytes]:
        held, too_long = bytes(self._held), self._too_long
        self._held.clear()
        self._too_long = False
        if not held:
            return []
        try:
            if too_long:
                raise WireError("a frame that is too long")
            return [unframe(held)]
        except WireError:
            self.bad += 1
            return []


# --- Messages -------------------------------------------------------------------------------------------------


class Hello(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x01
    FORM: ClassVar[str] = "<BI"
    version: int
    session: int


class Ping(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x02
    FORM: ClassVar[str] = "<"


class Ack(Struct, frozen=True):
    """Every event before `next` has been taken."""

    TYPE: ClassVar[int] = 0x03
    FORM: ClassVar[str] = "<H"
    next: int


class Order(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x04
    FORM: ClassVar[str] = "<BBBB"
    number: int
    command: int
    pad: int
    value: int


class Welcome(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x41
    FORM: ClassVar[str] = "<BIIHBBBBHHB"
    version: int
    session: int
    serial: int
    boot: int
    major: int
    minor: int
    pads: int
    features: int
    next: int
    fresh: int
    room: int


class Status(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x42
    FORM: ClassVar[str] = "<BHH"
    kept: int
    overruns: int
    bad: int


class Event(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x43
    FORM: ClassVar[str] = "<HHBB"
    number: int
    age_ms: int
    pad: int
    kind: int
    content: bytes = b""

    @property
    def uid(self) -> str:
        return self.content.hex().upper()


class Done(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x44
    FORM: ClassVar[str] = "<BB"
    number: int
    result: int


class Stranger(Struct, frozen=True):
    TYPE: ClassVar[int] = 0x45
    FORM: ClassVar[str] = "<"


FromHost: TypeAlias = Hello | Ping | Ack | Order
FromSatellite: TypeAlias = Welcome | Status | Event | Done | Stranger
Message: TypeAlias = FromHost | FromSatellite

LIGHT, SOUND = 0x01, 0x02
"""Commands of an order."""

UNKNOWN_COMMAND = 1
"""A result of an order."""

READERS, HAS_BUTTONS, LAMPS, BUZZER = 1, 2, 4, 8
"""Features of a satellite."""

NOTHING = 0x00
"""A kind that no satellite sends: what becomes of an event that means nothing to us."""

PLACED, REMOVED, FOUND, READY, FAULT, UNCLEAR, PRESSED, HELD, STUCK, LOST, STARTED, COPY = range(0x01, 0x0D)
"""Kinds of events."""

BY_POWER, BY_RESET_PIN, BY_BROWN_OUT, BY_WATCHDOG = 0x01, 0x02, 0x04, 0x08
"""Causes of a start, as the ATmega328P has them in MCUSR (data sheet)."""


class StrangeEventError(WireError):
    """A whole event whose content means nothing to us, perhaps from a newer satellite."""

    def __init__(self, event: Event, problem: str) -> None:
        self.event = Event(event.number, event.age_ms, WHOLE, NOTHING)
        """In its place: it has a number, and so it has to be taken before the next one can come."""
        super().__init__(f"an event: {problem}")


_CONTENT = {
    **dict.fromkeys((PLACED, REMOVED, FOUND), UID_LENGTHS),
    **dict.fromkeys((READY, UNCLEAR), (0,)),
    **dict.fromkeys((FAULT, PRESSED, HELD, STUCK), (1,)),
    **dict.fromkeys((LOST, COPY), (2,)),
    STARTED: (1,),
}
"""How many bytes belong to an event of each kind."""

_FROM_HOST: dict[int, Any] = {kind.TYPE: kind for kind in (Hello, Ping, Ack, Order)}
_FROM_SATELLITE: dict[int, Any] = {kind.TYPE: kind for kind in (Welcome, Status, Event, Done, Stranger)}


def pack(message: Message) -> bytes:
    """The payload of a message."""
    values = [getattr(message, name) for name in message.__struct_fields__ if name != "content"]
    content = message.content if isinstance(message, Event) else b""
    return bytes([message.TYPE]) + struct.pack(message.FORM, *values) + content


def from_satellite(payload: bytes) -> FromSatellite:
    """What a satellite says. Raises WireError, StrangeEventError among them."""
    message: FromSatellite = _unpack(payload, _FROM_SATELLITE)
    if isinstance(message, Event):
        _check(message)
    return message


def from_host(payload: bytes) -> FromHost:
    """What a host says. Raises WireError."""
    message: FromHost = _unpack(payload, _FROM_HOST)
    return message


def _unpack(payload: bytes, kinds: dict[int, Any]) -> Any:
    kind = kinds.get(payload[0])
    if kind is None:
        raise WireError(f"a message of type {payload[0]:#04x}")
    fixed = 1 + struct.calcsize(kind.FORM)
    if len(payload) < fixed or (len(payload) > fixed and kind is not Event):
        raise WireError(f"{kind.__name__} with {len(payload) - 1} bytes")
    content = (payload[fixed:],) if kind is Event else ()
    return kind(*struct.unpack(kind.FORM, payload[1:fixed]), *content)


def _check(event: Event) -> None:
    """An event that is whole says something that can be."""
    if len(event.content) not in _CONTENT.get(event.kind, ()):
        raise StrangeEventError(event, f"kind {event.kind} with {len(event.content)} bytes")
    if event.pad != WHOLE and event.pad >= PADS:
        raise StrangeEventError(event, f"pad {event.pad}")
    if (event.kind in (LOST, STARTED)) != (event.pad == WHOLE):
        raise StrangeEventError(event, f"kind {event.kind} of pad {event.pad}")
    if event.kind in (PRESSED, HELD, STUCK) and event.content[0] >= len(BUTTONS):
        raise StrangeEventError(event, f"a button {event.content[0]}")
    if event.kind == FAULT and event.content[0] not in FAULTS:
        raise StrangeEventError(event, f"a fault {event.content[0]}")


def start_cause(flags: int) -> StartCause | None:
    """Why a satellite has started. Of several flags the first one counts: while power comes its voltage is low, and the
    reset pin, too; and a boot loader that was asked by the reset pin ends by its own watchdog (Optiboot, `main`)."""
    return next((cause for flag, cause in _CAUSES if flags & flag), None)


_CAUSES = (
    (BY_POWER, StartCause.POWER),
    (BY_BROWN_OUT, StartCause.BROWN_OUT),
    (BY_RESET_PIN, StartCause.RESET_PIN),
    (BY_WATCHDOG, StartCause.WATCHDOG),
)


# --- Numbers that wrap ----------------------------------------------------------------------------------------


def ahead(number: int, of: int) -> int:
    """How far an event's number lies ahead of another one, from −32768 to 32767."""
    return (number - of + 0x8000) % 0x10000 - 0x8000
