"""The host's end of the wire to a satellite, as in docs/wire.md. Pure: bytes and times in, happenings and bytes out.

The owner of the line gives it what arrives (`receive`; nothing, when `wake_ms` has come), sends what it wants sent
(`to_send`), and says of each event when it has been dealt with (`taken`). After `Ended` a session is over: close the
line and begin another one.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

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
    StrangeEventError,
    Stranger,
    Welcome,
    WireError,
)
from companion.troubles import SatelliteTrouble

HELLO_MS = 200
PATIENCE_MS = 3000
"""How long to say HELLO without an answer: a board that starts listens to its boot loader first."""
PING_MS = 500
SILENCE_MS = 2000
ORDER_MS = 100
"""After this long an order that was not answered is sent again."""
WINDOW = 4
"""How many events may be under way. A satellite that sends more is not listened to until those have been taken, so
that it cannot keep its host from other work."""
SOUND_LATE_MS = 1000
SOUNDS = 8
"""A sound that could not be sent for this long, or before this many others, is dropped."""

ORDER_NUMBERS = 255


class Opened(Struct, frozen=True):
    """The satellite has answered: a new session, even if it had forgotten the one before."""

    welcome: Welcome


class Happened(Struct, frozen=True):
    """The next event, once and in order. It comes again, to another session, unless it is `taken`."""

    event: Event
    at_ms: int


class Ended(Struct, frozen=True):
    problem: SatelliteTrouble


Happening: TypeAlias = Opened | Happened | Ended


class WireSession:
    """`draw` gives numbers for sessions: random, 1 to 2³² − 1. `lights`: what the lamps of the pads should show."""

    def __init__(self, draw: Callable[[], int], now_ms: int, lights: Mapping[int, int] | None = None) -> None:
        self._draw = draw
        self._splitter = Splitter()
        self._orders = _Orders(lights or {})
        self._first = True
        self._hello_ms = now_ms
        self.status = Status(0, 0, 0)
        """What the satellite said last of itself."""
        self.bad = 0
        """Frames that could not be read."""
        self.strange = 0
        """Events that arrived whole but mean nothing to us. They are taken like all others, else none would follow."""
        self._ask(now_ms)

    def _ask(self, now_ms: int) -> None:
        """Say HELLO with a new number, though never more often than every HELLO_MS."""
        self._state: Literal["asking", "open", "ended"] = "asking"
        self._session = self._draw()
        self._asked_ms = self._heard_ms = now_ms
        self._owes_ack = False

    # --- What arrives -----------------------------------------------------------------------------------------

    def receive(self, data: bytes, now_ms: int) -> list[Happening]:
        """What these bytes mean, or that none came for too long."""
        happenings: list[Happening] = []
        for payload in self._read(data):
            self._heard_ms = now_ms
            if self._state != "ended":
                happenings += self._hear(payload, now_ms)
        if self._state != "ended" and now_ms >= self._given_up_ms:
            happenings.append(self._end(SatelliteTrouble.NO_ANSWER))
        return happenings

    def _read(self, data: bytes) -> list[bytes]:
        bad = self._splitter.bad
        payloads = self._splitter.feed(data)
        self._count_bad(self._splitter.bad - bad)
        return payloads

    def _count_bad(self, frames: int) -> None:
        """What could not be read may have been an event: the ACK asks for it again."""
        self.bad += frames
        self._owes_ack |= frames > 0

    def _hear(self, payload: bytes, now_ms: int) -> list[Happening]:
        if self._state == "asking" and (problem := self._mismatch(payload)):
            return [self._end(problem)]
        try:
            message = wire.from_satellite(payload)
        except StrangeEventError as strange:
            return self._take_strange(strange.event, now_ms)
        except WireError:
            self._count_bad(1)
            return []
        if self._state == "asking":
            return self._meet(message, now_ms)
        match message:
            case Event():
                return self._take(message, now_ms)
            case Status():
                self.status = message
            case Done(number, result):
                self._orders.done(number, result)
            case Stranger():
                self._ask(now_ms)
        return []

    def _mismatch(self, payload: bytes) -> SatelliteTrouble | None:
        """In every version WELCOME begins with version and session; the rest may differ."""
        answer = wire.pack(Hello(0, self._session))
        if payload[0] != Welcome.TYPE or payload[2:6] != answer[2:6] or payload[1] == wire.VERSION:
            return None
        return SatelliteTrouble.TOO_OLD if payload[1] < wire.VERSION else SatelliteTrouble.TOO_NEW

    def _meet(self, message: wire.FromSatellite, now_ms: int) -> list[Happening]:
        """All but the WELCOME to this very session was meant for another one."""
        if not isinstance(message, Welcome) or message.session != self._session:
            return []
        self._state = "open"
        self._expected = self._taken = message.next
        self._owes_ack = False
        self._ping_ms = now_ms + PING_MS
        self._orders.begin(message.features)
        return [Opened(message)]

    def _take(self, event: Event, now_ms: int) -> list[Happening]:
        if event.number != self._expected or wire.ahead(self._expected, self._taken) >= WINDOW:
            self._owes_ack = True
            return []
        self._expected = (self._expected + 1) % 0x10000
        return [Happened(event, now_ms - event.age_ms)]

    def _take_strange(self, event: Event, now_ms: int) -> list[Happening]:
        happenings = self._take(event, now_ms) if self._state == "open" else []
        self.strange += len(happenings)
        return happenings

    def _end(self, problem: SatelliteTrouble) -> Ended:
        self._state = "ended"
        return Ended(problem)

    # --- What is said -----------------------------------------------------------------------------------------

    def taken(self, number: int) -> None:
        """What this event led to is on the disk."""
        if self._state == "open" and 0 <= wire.ahead(number, self._taken) < wire.ahead(self._expected, self._taken):
            self._taken = (number + 1) % 0x10000
            self._owes_ack = True

    def light(self, pad: int, pattern: int) -> None:
        """Only the newest one of a pad counts. They are shown again after each new session."""
        self._orders.light(pad, pattern)

    def sound(self, pad: int, cue: int, now_ms: int) -> None:
        """Soon or never: a sound that was wanted before the session is dropped."""
        self._orders.sound(pad, cue, now_ms)

    @property
    def lights(self) -> Mapping[int, int]:
        return self._orders.lights

    def to_send(self, now_ms: int) -> bytes:
        """What is due."""
        data = b"".join(wire.frame(wire.pack(message)) for message in self._due(now_ms))
        if data and self._first:
            self._first = False
            return b"\0" + data
        return data

    def _due(self, now_ms: int) -> list[wire.FromHost]:
        if self._state == "asking" and now_ms >= self._hello_ms:
            self._hello_ms = now_ms + HELLO_MS
            return [Hello(wire.VERSION, self._session)]
        if self._state != "open":
            return []
        messages: list[wire.FromHost] = [Ack(self._taken)] * self._owes_ack
        self._owes_ack = False
        messages += self._orders.due(now_ms)
        if now_ms >= self._ping_ms:
            self._ping_ms = now_ms + PING_MS
            messages.append(Ping())
        return messages

    # --- When -------------------------------------------------------------------------------------------------

    @property
    def wake_ms(self) -> int | None:
        """When something will be due if nothing arrives; 0: at once; None: never again."""
        match self._state:
            case "asking":
                return min(self._hello_ms, self._given_up_ms)
            case "open":
                return 0 if self._owes_ack else min(self._ping_ms, self._given_up_ms, *self._orders.wake_ms())
        return None

    @property
    def _given_up_ms(self) -> int:
        return self._asked_ms + PATIENCE_MS if self._state == "asking" else self._heard_ms + SILENCE_MS


class _Orders:
    """One at a time, each until it is answered. Of a pad's lights only the newest is worth sending, and only what the
    satellite can do: it says so in its WELCOME, or answers that it does not know the command."""

    def __init__(self, lights: Mapping[int, int]) -> None:
        self.lights = dict(lights)
        self._unsent: dict[int, None] = {}
        """Pads with a new light, in the order in which they are to be told."""
        self._sounds: deque[tuple[int, int, int]] = deque(maxlen=SOUNDS)
        """Pad, cue, and when it is too late."""
        self._number = 0
        self._sent: Order | None = None
        self._again_ms = 0
        self._able: set[int] = set()
        """Commands that the satellite knows."""

    def begin(self, features: int) -> None:
        """A new session: all lamps are off, and orders are numbered from the beginning. A sound is also a flash of the
        lamp."""
        needed = {wire.LIGHT: wire.LAMPS, wire.SOUND: wire.LAMPS | wire.BUZZER}
        self._able = {command for command, either in needed.items() if features & either}
        self._unsent = dict.fromkeys(self.lights)
        self._sounds.clear()
        self._number, self._sent = 0, None

    def light(self, pad: int, pattern: int) -> None:
        if self.lights.get(pad) != pattern:
            self.lights[pad] = pattern
            self._unsent[pad] = None

    def sound(self, pad: int, cue: int, now_ms: int) -> None:
        self._sounds.append((pad, cue, now_ms + SOUND_LATE_MS))

    def done(self, number: int, result: int) -> None:
        if self._sent and self._sent.number == number:
            if result == wire.UNKNOWN_COMMAND:
                self._able.discard(self._sent.command)
            self._sent = None

    def due(self, now_ms: int) -> list[Order]:
        if self._sent is None:
            self._sent = self._next(now_ms)
        elif now_ms < self._again_ms:
            return []
        self._again_ms = now_ms + ORDER_MS
        return [self._sent] if self._sent else []

    def _next(self, now_ms: int) -> Order | None:
        """Sounds come first: they answer a hand that has just moved."""
        while self._sounds:
            pad, cue, late_ms = self._sounds.popleft()
            if now_ms < late_ms and wire.SOUND in self._able:
                return self._order(wire.SOUND, pad, cue)
        if wire.LIGHT not in self._able:
            self._unsent.clear()
        if not self._unsent:
            return None
        pad = next(iter(self._unsent))
        del self._unsent[pad]
        return self._order(wire.LIGHT, pad, self.lights[pad])

    def _order(self, command: int, pad: int, value: int) -> Order:
        self._number = self._number % ORDER_NUMBERS + 1
        return Order(self._number, command, pad, value)

    def wake_ms(self) -> list[int]:
        """When the order that is under way has to be sent again, or the next one for the first time."""
        return [self._again_ms] if self._sent else [0] * bool(self._unsent or self._sounds)
