"""The satellite's end of the wire, as in docs/wire.md, in Python. Pure: bytes and times in, orders and bytes out.

It is what firmware/core does in C: events are kept until they are acknowledged, orders are carried out once. The source
of each fact is docs/wire.md.
"""

from collections import deque
from typing import TypeAlias

from msgspec import Struct

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
    WireError,
)

ROOM = 24
WINDOW = 4
RESEND_MS = 100
HEED_MS = 5
"""An ACK that tells nothing new is heeded at most so often."""
SILENCE_MS = 3000
SATURATED = 0xFFFF
HELLO_BYTES = 6
OUTLASTING = (wire.PLACED, wire.PRESSED, wire.HELD, wire.LOST, wire.STARTED)
"""What a host wants to know of the time in which it was away. What lies there is told to it again."""


class Identity(Struct, frozen=True):
    """What a satellite says of itself in WELCOME."""

    serial: int = 1
    version: int = wire.VERSION
    major: int = 1
    minor: int = 0
    pads: int = wire.PADS
    features: int = wire.READERS | wire.HAS_BUTTONS | wire.LAMPS | wire.BUZZER
    room: int = ROOM


class Begun(Struct, frozen=True):
    """A new session: lamps off, and all pads are looked at again."""


class Deserted(Struct, frozen=True):
    """The host has gone."""


class Ordered(Struct, frozen=True):
    command: int
    pad: int
    value: int


Occurrence: TypeAlias = Begun | Deserted | Ordered


class _Kept(Struct):
    number: int
    at_ms: int
    pad: int
    kind: int
    content: bytes
    sent: bool = False
    """In this session…"""
    known: bool = False
    """…or in any."""
    sent_ms: int | None = None
    """None: it has to go now, for the first time or again."""


class SatelliteLink:
    def __init__(self, identity: Identity, boot: int, first: int = 0, cause: int = 0) -> None:
        """`first`: the number of the first event; a real one begins at 0. `cause`: why it has started, which the first
        host is told; 0: unknown."""
        self._cause = cause
        self.identity = identity
        self.boot = boot
        self.dropped = 0
        """Events that found no room, and of which the host has not been told."""
        self._kept: deque[_Kept] = deque()
        self._next = self._fresh = first
        self._session = 0
        self._splitter = Splitter()
        self._first_bytes = True
        self._answers: list[wire.FromSatellite] = []
        self._heard_ms = 0
        self._heeded_ms = -HEED_MS
        self._done: Done | None = None
        self._unread = 0

    # --- Events -----------------------------------------------------------------------------------------------

    @property
    def room(self) -> int:
        return self.identity.room - len(self._kept)

    def keep(self, now_ms: int, pad: int, kind: int, content: bytes = b"") -> None:
        """An event is kept until the host has it, or dropped and counted. Nothing overtakes what was dropped. Without a
        host only some are."""
        if not self._session and kind not in OUTLASTING:
            return
        if self.dropped or not self.room:
            self.dropped = min(self.dropped + 1, SATURATED)
        else:
            self._append(now_ms, pad, kind, content)

    def confess(self, now_ms: int) -> bool:
        """As soon as there is room the host is told how many events are missing. Whether it was just now."""
        if not self.dropped or not self.room:
            return False
        self._append(now_ms, wire.WHOLE, wire.LOST, self.dropped.to_bytes(2, "little"))
        self.dropped = 0
        return True

    def _tell_cause(self, now_ms: int) -> None:
        if self._session and self._cause and self.room:
            self._append(now_ms, wire.WHOLE, wire.STARTED, bytes([self._cause]))
            self._cause = 0

    def _append(self, now_ms: int, pad: int, kind: int, content: bytes) -> None:
        self._kept.append(_Kept(self._next, now_ms, pad, kind, content))
        self._next = (self._next + 1) % 0x10000

    # --- What arrives -----------------------------------------------------------------------------------------

    def receive(self, data: bytes, now_ms: int) -> list[Occurrence]:
        occurrences: list[Occurrence] = []
        for payload in self._splitter.feed(data):
            try:
                message = self._read(payload)
            except WireError:
                self._unread += 1
                continue
            self._heard_ms = now_ms
            occurrences += self._hear(message, now_ms)
            self._tell_cause(now_ms)
        if self._session and now_ms - self._heard_ms >= SILENCE_MS:
            self._session = 0
            occurrences.append(Deserted())
        return occurrences

    def _read(self, payload: bytes) -> wire.FromHost:
        """A HELLO of another version may be longer; in every version it begins with version and session."""
        foreign = payload[0] == Hello.TYPE and payload[1:2] != bytes([self.identity.version])
        message = wire.from_host(payload[:HELLO_BYTES] if foreign else payload)
        if isinstance(message, Hello) and message.session == 0:
            raise WireError("a HELLO without a session")
        return message

    def _hear(self, message: wire.FromHost, now_ms: int) -> list[Occurrence]:
        if isinstance(message, Hello):
            return self._greet(message)
        if not self._session:
            self._answers.append(Stranger())
            return []
        match message:
            case Ping():
                self._answers.append(Status(len(self._kept), 0, min(self._splitter.bad + self._unread, SATURATED)))
            case Ack(number):
                self._acknowledge(number, now_ms)
            case Order():
                return self._carry_out(message)
        return []

    def _greet(self, hello: Hello) -> list[Occurrence]:
        begun: list[Occurrence] = []
        if hello.version != self.identity.version:
            self._session = 0
        elif hello.session != self._session:
            self._session, self._done = hello.session, None
            self._forget_looks()
            self._fresh = self._next
            for kept in self._kept:
                kept.sent, kept.sent_ms = False, None
            begun = [Begun()]
        self._answers.append(self._welcome(hello.session))
        return begun

    def _forget_looks(self) -> None:
        """What lies there will be told again. Events that may have reached a host keep their numbers."""
        kept = [each for each in self._kept if each.known or each.kind in OUTLASTING]
        self._next = kept[0].number if kept else self._next - len(self._kept)
        for number, each in enumerate(kept, self._next):
            each.number = number % 0x10000
        self._next = (self._next + len(kept)) % 0x10000
        self._kept = deque(kept)

    def _welcome(self, session: int) -> Welcome:
        own = self.identity
        oldest = self._kept[0].number if self._kept else self._next
        about = (own.serial, self.boot, own.major, own.minor, own.pads, own.features)
        return Welcome(own.version, session, *about, oldest, self._fresh, own.room)

    def _acknowledge(self, number: int, now_ms: int) -> None:
        under_way = self._under_way()
        taken = wire.ahead(number, under_way[0].number) if under_way else 0
        if 0 < taken <= len(under_way):
            for _ in range(taken):
                self.boot += self._kept.popleft().number == 0xFFFF  # from 0 on they get another name
        elif taken <= 0 and now_ms - self._heeded_ms >= HEED_MS:
            self._heeded_ms = now_ms
            for kept in under_way:
                kept.sent_ms = None

    def _carry_out(self, order: Order) -> list[Occurrence]:
        if self._done and self._done.number == order.number:
            self._answers.append(self._done)
            return []
        values = {wire.LIGHT: wire.PATTERNS, wire.SOUND: wire.CUES}.get(order.command)
        fits = values is not None and order.pad < self.identity.pads and order.value < len(values)
        self._done = Done(order.number, 0 if fits else 1 if values is None else 2)
        self._answers.append(self._done)
        return [Ordered(order.command, order.pad, order.value)] if fits else []

    # --- What is said -----------------------------------------------------------------------------------------

    def to_send(self, now_ms: int) -> bytes:
        messages, self._answers = self._answers, []
        if self._session:
            messages += self._events(now_ms)
        data = b"".join(wire.frame(wire.pack(message)) for message in messages)
        if data and self._first_bytes:
            self._first_bytes = False
            return b"\0" + data
        return data

    def _events(self, now_ms: int) -> list[wire.FromSatellite]:
        """Those that may go now; if the oldest has waited for too long, all that are under way go again."""
        under_way = self._under_way()
        if under_way and under_way[0].sent_ms is not None and now_ms - under_way[0].sent_ms >= RESEND_MS:
            for kept in under_way:
                kept.sent_ms = None
        messages: list[wire.FromSatellite] = []
        for kept in list(self._kept)[:WINDOW]:
            if kept.sent_ms is None:
                kept.sent, kept.known, kept.sent_ms = True, True, now_ms
                age_ms = min(now_ms - kept.at_ms, SATURATED)
                messages.append(Event(kept.number, age_ms, kept.pad, kept.kind, kept.content))
        return messages

    def _under_way(self) -> list[_Kept]:
        return [kept for kept in list(self._kept)[:WINDOW] if kept.sent]

    @property
    def wake_ms(self) -> int | None:
        """When something is due if nothing arrives; 0: at once."""
        if self._answers:
            return 0
        if not self._session:
            return None
        sent = [0 if kept.sent_ms is None else kept.sent_ms + RESEND_MS for kept in list(self._kept)[:WINDOW]]
        return min([self._heard_ms + SILENCE_MS, *sent])
