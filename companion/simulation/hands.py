"""What simulated hands do, and the signals that real readers and buttons would give for it.

What no reader or button can tell is said on the screen: then the hands give an intention instead of a signal.

Hands hold the physical truth: which tag lies on which pad. With one reader nothing stays there: pieces are tapped.
Without a reader they only deal, and read a card as a phone would.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from companion.gamekit.game import Seat, Thing
from companion.gamekit.simulated import TAP_MS, Clear, HandAct, Lay, Press, Say, Stray, Tap
from companion.messages.intentions import Act, BotAct
from companion.stations import CENTRE, Kit, pad
from companion.table.pieces import Pack
from companion.table.signals import Held, Pressed, Signal, TagPlaced, TagRemoved, TagTapped

MOVE_MS = 150
"""From lifting one piece to what the hand does next."""


Given: TypeAlias = Signal | Act
"""What hands give to the referee."""


class Timed(Struct, frozen=True):
    """An act, and how long the hand waits before it."""

    wait_ms: int
    act: HandAct


# --- What readers make of it ----------------------------------------------------------------------------------


class Hands:
    def __init__(self, kit: Kit, pack: Pack) -> None:
        self._kit = kit
        self._uids = {piece: uid for uid, piece in pack.tags.items()}
        self.lying: dict[str, str] = {}
        """Pad → the tag on it. Never changed in place, so that an earlier one can be put back."""
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

    def _signals(self, act: HandAct) -> "Iterator[tuple[int, Callable[[int], Given]]]":
        match act:
            case Tap(piece, seat) | Lay(piece, seat) if self._kit == "none":
                yield 0, _Unstamped(TagTapped, self._station(seat), self._uids[piece])
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
            case Say(action, thought):
                said = msgspec.to_builtins(action)
                yield 0, lambda _: BotAct("", said, thought=thought) if thought else Act("", said)

    def _station(self, seat: Seat | None) -> str:
        return CENTRE if seat is None or self._kit == "one" else pad(seat)

    def _lift(self, piece: Thing) -> "Iterator[tuple[int, _Unstamped]]":
        for station in [station for station, uid in self.lying.items() if uid == self._uids[piece]]:
            yield from self._clear(station)

    def _clear(self, station: str) -> "Iterator[tuple[int, _Unstamped]]":
        uid = self.lying.get(station)
        if uid is not None:
            self.lying = {where: tag for where, tag in self.lying.items() if where != station}
            yield MOVE_MS, _Unstamped(TagRemoved, station, uid)


class _Unstamped(Struct, frozen=True):
    kind: type[TagPlaced | TagRemoved | TagTapped | Pressed | Held]
    station: str
    what: str

    def __call__(self, at_ms: int) -> Signal:
        return self.kind(self.station, at_ms, self.what)


def _tap(station: str, uid: str, for_ms: int) -> Iterator[tuple[int, _Unstamped]]:
    yield 0, _Unstamped(TagPlaced, station, uid)
    yield for_ms, _Unstamped(TagRemoved, station, uid)
