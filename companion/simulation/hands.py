"""What simulated hands do, and the signals that real readers and buttons would give for it.

What no reader or button can tell is said on the screen: then the hands give an intention instead of a signal.

Hands hold the physical truth: which tag lies on which pad. With one reader nothing stays there: pieces are tapped.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from companion import snapshot
from companion.games.game import Seat, Thing
from companion.table.pieces import Pack
from companion.table.signals import CENTRE, Held, Pressed, Signal, TagPlaced, TagRemoved

TAP_MS = 400
"""How long a piece that is tapped stays on the reader."""
MOVE_MS = 150
"""From lifting one piece to whatever the hand does next."""


# --- What hands can do ----------------------------------------------------------------------------------------


class Tap(Struct, frozen=True):
    """A piece touches the centre, or the pad of a seat, and is taken away again."""

    piece: Thing
    seat: Seat | None = None
    for_ms: int = TAP_MS


class Lay(Struct, frozen=True):
    """A piece is laid on the own pad instead of the one that lies there; with one reader it is tapped on it."""

    piece: Thing
    seat: Seat
    for_ms: int = TAP_MS


class Clear(Struct, frozen=True):
    """What lies on this pad is taken away; None: on all pads."""

    seat: Seat | None = None


class Press(Struct, frozen=True):
    """A button at the pad of a seat, or at the centre."""

    button: Literal["green", "red"]
    seat: Seat | None
    held: bool = False


class Stray(Struct, frozen=True):
    """A tag that belongs to nothing: a key ring, a travel card."""

    uid: str


class Say(Struct, frozen=True):
    """An action is chosen on the screen, because no reader or button could tell it."""

    action: Any


Act: TypeAlias = Tap | Lay | Clear | Press | Stray | Say

Given: TypeAlias = Signal | snapshot.Act
"""What hands give to the referee."""


class Timed(Struct, frozen=True):
    """An act, and how long the hand waits before it."""

    wait_ms: int
    act: Act


# --- What readers make of it ----------------------------------------------------------------------------------


class Hands:
    def __init__(self, kit: Literal["one", "full"], pack: Pack) -> None:
        self._kit = kit
        self._uids = {piece: uid for uid, piece in pack.tags.items()}
        self.lying: dict[str, str] = {}
        """Pad → the tag that lies on it. Never changed in place, so that an earlier one can be put back."""
        self.now_ms = 0

    def do(self, acts: Sequence[Timed], at_ms: int) -> tuple[tuple[int, Given], ...]:
        """The signals of these acts, each with the time to wait before it. Time never goes back: hands that are
        played faster than life run ahead of the clock."""
        self.now_ms = max(self.now_ms, at_ms)
        steps: list[tuple[int, Given]] = []
        waited = 0
        for timed in acts:
            waited += timed.wait_ms
            for wait_ms, signal in self._signals(timed.act):
                waited += wait_ms
                self.now_ms += waited
                steps.append((waited, signal(self.now_ms)))
                waited = 0
        return tuple(steps)

    def _signals(self, act: Act) -> "Iterator[tuple[int, Callable[[int], Given]]]":
        match act:
            case Tap(piece, seat, for_ms):
                yield from self._lift(piece)
                yield from _tap(self._station(seat), self._uids[piece], for_ms)
            case Lay(piece, _, for_ms) if self._kit == "one":
                yield from _tap(CENTRE, self._uids[piece], for_ms)
            case Lay(piece, seat):
                yield from self._clear(self._station(seat))
                yield from self._lift(piece)
                self.lying = self.lying | {self._station(seat): self._uids[piece]}
                yield MOVE_MS, _Unstamped(TagPlaced, self._station(seat), self._uids[piece])
            case Clear(seat):
                for station in tuple(self.lying) if seat is None else (self._station(seat),):
                    yield from self._clear(station)
            case Press(button, seat, held):
                yield 0, _Unstamped(Held if held else Pressed, self._station(seat), button)
            case Stray(uid):
                yield from _tap(CENTRE, uid, TAP_MS)
            case Say(action):
                yield 0, lambda _: snapshot.Act("", msgspec.to_builtins(action))

    def _station(self, seat: Seat | None) -> str:
        return CENTRE if seat is None or self._kit == "one" else f"pad{seat}"

    def _lift(self, piece: Thing) -> "Iterator[tuple[int, _Unstamped]]":
        for station in [pad for pad, uid in self.lying.items() if uid == self._uids[piece]]:
            yield from self._clear(station)

    def _clear(self, station: str) -> "Iterator[tuple[int, _Unstamped]]":
        uid = self.lying.get(station)
        if uid is not None:
            self.lying = {pad: tag for pad, tag in self.lying.items() if pad != station}
            yield MOVE_MS, _Unstamped(TagRemoved, station, uid)


class _Unstamped(Struct, frozen=True):
    kind: type[TagPlaced | TagRemoved | Pressed | Held]
    station: str
    what: str

    def __call__(self, at_ms: int) -> Signal:
        return self.kind(self.station, at_ms, self.what)


def _tap(station: str, uid: str, for_ms: int) -> Iterator[tuple[int, _Unstamped]]:
    yield 0, _Unstamped(TagPlaced, station, uid)
    yield for_ms, _Unstamped(TagRemoved, station, uid)
