"""A host for an emulated board, in the board's own time: the real session and pads, without a serial port between.

    host = EmulatedHost(board)
    host.run(1_000)
    host.signals        # what the referee would have heard

The wire between them can be made bad while it runs.
"""

from collections.abc import Callable
from itertools import count

from msgspec import Struct

from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.pads import Pads
from companion.devices.satellite.simulated_board import Weather
from companion.devices.satellite.wire import CUES, PATTERNS, Event, Welcome
from companion.devices.satellite.wire_session import Ended, Happened, Happening, Opened, WireSession
from companion.stations import PADS
from companion.table.effects import Effect, Light, Sound
from companion.table.presence import Presence
from companion.table.signals import Connecting, LinkDown, LinkUp, ReaderFault, Signal

STEP_MS = 1.0
"""A USB frame: this is how often bytes are handed over."""


class Arrived(Struct, frozen=True):
    """An event, and when the last bit of its frame was on the wire."""

    event: Event
    through_us: float


class EmulatedHost:
    """Shakes hands, takes events and gives orders until `go` is called."""

    def __init__(self, board: EmulatedBoard, deliver: Callable[[Signal], object] | None = None) -> None:
        self.board = board
        self.stations = PADS[: len(board.chips)]
        self.pads = Pads(dict(enumerate(self.stations)))
        self.weather = Weather()
        """What the wire does to bytes, in both directions. Set another one at any time."""
        self.signals: list[Signal] = []
        self.events: list[Arrived] = []
        self.problems: list[str] = []
        self.welcome: Welcome | None = None
        """The answer to the newest HELLO that was answered."""
        self.ready: set[str] = set()
        """The stations that can be relied on."""
        self._presence = Presence()
        self.deliver = deliver
        self._numbers = count(1)
        self._lights: dict[int, int] = {}
        self.session: WireSession | None = None
        self.come()

    @property
    def now_ms(self) -> int:
        return int(self.board.now_ms)

    @property
    def lying(self) -> dict[str, str]:
        """Tag → station, as reported so far."""
        return self._presence.lying

    def come(self) -> None:
        """Begin a session, as a referee does that was started, or that has found its satellite again."""
        self.board.received()
        self.session = WireSession(lambda: next(self._numbers), self.now_ms, self._lights)
        self._hear(self.pads.connecting(self.now_ms))

    def go(self) -> None:
        """From now on, say nothing and hear nothing."""
        self.session = None

    def run(self, for_ms: float) -> None:
        """Let time pass for both."""
        until = self.board.now_ms + for_ms
        while self.board.now_ms < until:
            self.step()

    def run_until(self, done: Callable[[], bool], within_ms: float) -> bool:
        """Let time pass until something is so. Whether it was so in time."""
        until = self.board.now_ms + within_ms
        while not done():
            if self.board.now_ms >= until:
                return False
            self.step()
        return True

    def step(self) -> None:
        """A millisecond passes."""
        self.board.run(STEP_MS)
        heard = self._heard()
        session = self.session
        if session is None:
            return
        for piece, through_us in heard:
            for happening in session.receive(piece, self.now_ms):
                self._take(session, happening, through_us)
        if self.session is not None:
            self.board.send(self.weather.spoil(self.session.to_send(self.now_ms)))

    def _heard(self) -> list[tuple[bytes, float]]:
        """What has arrived, cut behind each frame, and when that was through. Nothing is something to hear, too."""
        pieces: list[tuple[bytes, float]] = []
        piece = b""
        for byte, through_us in self.board.emulator.received():
            piece += self.weather.spoil(bytes([byte]))
            if piece.endswith(b"\0"):
                pieces.append((piece, through_us))
                piece = b""
        return [*pieces, (piece, self.board.emulator.now_us)]

    def _take(self, session: WireSession, happening: Happening, through_us: float) -> None:
        match happening:
            case Opened(welcome):
                self.welcome = welcome
                self._hear(self.pads.welcomed(welcome, self.now_ms))
            case Happened(event, at_ms):
                self.events.append(Arrived(event, through_us))
                self._hear(self.pads.hear(event, at_ms))
                self.pads.taken(event.number)
                session.taken(event.number)
            case Ended(problem):
                self.problems.append(problem)
                self._hear(self.pads.lost(problem, self.now_ms))
                self.come()

    def _hear(self, signals: list[Signal]) -> None:
        for signal in signals:
            self.signals.append(signal)
            self._presence = self._presence.after(signal)
            match signal:
                case LinkUp(station):
                    self.ready.add(station)
                case Connecting(station) | LinkDown(station) | ReaderFault(station):
                    self.ready.discard(station)
            if self.deliver:
                self.deliver(signal)

    def show(self, effect: Effect) -> None:
        """What the referee wants lamps and buzzer to do."""
        if effect.station not in self.stations:
            return
        pad = self.stations.index(effect.station)
        match effect:
            case Light(_, pattern):
                self._lights[pad] = PATTERNS.index(pattern)
                if self.session is not None:
                    self.session.light(pad, PATTERNS.index(pattern))
            case Sound(_, cue):
                if self.session is not None:
                    self.session.sound(pad, CUES.index(cue), self.now_ms)
