"""Hands, faults and stickers of every quality, by chance: what happens to the pads of one table, and who judges it.

A `Table` is a driver with simulated chips behind it. After everything has passed, what it believes must be what lies
there, and it must never have told a removal that no hand has made.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Protocol

from companion.devices.rc522.simulated_chip import Chip, Register
from companion.devices.simulated.tags import Tag
from companion.table.presence import DeviceStatus, Presence
from companion.table.signals import ReaderFault, Signal, TagFound, TagPlaced, TagRemoved, TagsUnclear
from tests.campaign.stickers import sticker
from tests.campaign.trial import Outcome

SETTLED_MS = 2000
"""So long after the last hand and the last fault everything must be known."""
LATE_MS = 10_000
"""A pad that says after that time that it is not ready, or that it cannot tell its tags apart, has so long."""
SHORT_MS = 150
"""A tag that is not heard for longer may as well have been lifted."""
MOST = 4
"""Tags on a pad at a time."""
STUCK = (0x00, 0x01, 0x20, 0x21, 0x60, 0x80, 0x83, 0x92, 0xFF)
DEAF = (
    *(Register.MOD_WIDTH, Register.TX_SEL, Register.RX_SEL, Register.RX_THRESHOLD, Register.DEMOD, Register.RF_CFG),
    *(Register.GS_N, Register.CW_GS_P, Register.MOD_GS_P, Register.TX_MODE, Register.RX_MODE, Register.TX_ASK),
    *(Register.TX_CONTROL, Register.T_MODE, Register.T_PRESCALER, Register.T_RELOAD_H, Register.MF_RX),
)
"""Registers in which one wrong bit may make a chip deaf."""


class Table(Protocol):
    """Time passes only in `run`."""

    @property
    def chips(self) -> Sequence[Chip]: ...

    @property
    def now_ms(self) -> float: ...

    @property
    def signals(self) -> Sequence[Signal]:
        """All that was ever told. The station of chip number 3 is "pad3"."""
        ...

    due: Callable[[], None]
    """Called while time passes, as often as can be: what is due happens then, in the middle of whatever is going on."""

    def run(self, for_ms: float) -> None: ...

    def lay(self, pad: int, tag: Tag) -> None: ...


class Evening:
    """What happens at one table, and what was seen of it."""

    def __init__(
        self, table: Table, chance: Random, *, besides: Mapping[str, Callable[[], None]] | None = None
    ) -> None:
        """`besides`: what else may happen to this table."""
        self._table, self._chance, self._besides = table, chance, dict(besides or {})
        table.due = self._due
        self.stickers = [sticker(chance, number) for number in range(3 * len(table.chips))]
        self._lying: dict[Tag, int] = {}
        self._lifted: set[tuple[str, str]] = set()
        """Stations and tags: where a hand has taken one away, or might have, and no signal has come yet."""
        self._presence, self._status = Presence(), DeviceStatus()
        self._heard = 0
        self._plans: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.seen: Counter[str] = Counter()
        self.problems: list[str] = []
        self.deeds: list[str] = []

    def play(self, deeds: int) -> None:
        """So many things happen, then all faults pass, and then it must be known what lies there."""
        for _ in range(deeds):
            self._act()
            self._run(self._chance.choice((5, 20, 60, 150, 400)) * self._chance.random())
        while self._plans:
            self._run(self._plans[0][0] - self._table.now_ms)
        for chip in self._table.chips:
            chip.faults.clear()
        self._run(SETTLED_MS)
        if wrong := self._wrong():
            ready = {device.station for device in self._status.devices if device.state == "ready"}
            if not ready & {station for _uid, station in wrong}:
                self.seen["pads that were late and said so"] += 1
                self._run(LATE_MS - SETTLED_MS)
                wrong = self._wrong()
        if wrong:
            self._blame(f"2 s later {wrong} is believed or lies there, not both")

    def _wrong(self) -> list[tuple[str, str]]:
        """Tags and stations: what is believed and not so, and what is not known."""
        lying = {(tag.uid.hex().upper(), f"pad{pad}") for tag, pad in self._lying.items()}
        return sorted(lying ^ set(self._presence.lying.items()))

    def _blame(self, problem: str) -> None:
        self.problems.append(f"{problem}; after {'; '.join(self.deeds[-8:])}")

    # --- Deeds ------------------------------------------------------------------------------------------------

    def _act(self) -> None:
        if self._besides and self._chance.random() < 0.1:
            what = self._chance.choice(list(self._besides))
            self._note(what, what)
            self._besides[what]()
            return
        pad = self._chance.randrange(len(self._table.chips))
        deed = self._chance.choice((self._lay, self._lay, self._lift, self._blink, self._disturb, *[self._break] * 5))
        deed(pad)

    def _note(self, kind: str, what: str) -> None:
        self.seen[kind] += 1
        self.deeds.append(f"{self._table.now_ms:.0f} {what}")

    def _on(self, pad: int) -> list[Tag]:
        return [tag for tag, where in self._lying.items() if where == pad]

    def _lay(self, pad: int) -> None:
        free = [tag for tag in self.stickers if tag not in self._lying]
        if free and len(self._on(pad)) < MOST:
            tag = self._chance.choice(free)
            self._lying[tag] = pad
            self._table.lay(pad, tag)
            self._note(
                "hands",
                f"lay {tag.uid.hex().upper()} on {pad} ({type(tag).__name__}, {tag.reliability:.2f}, {tag.flicker})",
            )

    def _lift(self, pad: int) -> None:
        if tags := self._on(pad):
            tag = self._chance.choice(tags)
            del self._lying[tag]
            self._lifted.add((f"pad{pad}", tag.uid.hex().upper()))
            self._table.chips[pad].field.lift(tag)
            self._note("hands", f"lift {tag.uid.hex().upper()} from {pad}")

    def _blink(self, pad: int) -> None:
        """A tag loses its power for a moment."""
        if tags := self._on(pad):
            self._chance.choice(tags).lose_power()
            self._note("losses of a tag's power", f"blink on {pad}")

    def _disturb(self, pad: int) -> None:
        register, value = self._chance.choice(DEAF), self._chance.randrange(256)
        at_ms = self._table.now_ms + 20 * self._chance.random()
        self._plan(at_ms, partial(self._table.chips[pad].disturb, register, value))
        self._note("registers disturbed", f"{register.name}={value:#x} in {pad} at {at_ms:.1f}")

    def _break(self, pad: int) -> None:
        chance, faults = self._chance, self._table.chips[pad].faults
        stuck = chance.choice((*STUCK, chance.randrange(256)))
        name, value = chance.choice(
            (
                *(
                    ("gone", 0x00),
                    ("gone", 0xFF),
                    ("stuck", stuck),
                    ("hung", True),
                    ("garbled", True),
                ),
                *(("colliding", True), ("muffled", True), ("stubborn", True), ("unpowered", True)),
                *(("sparks", 0.001), ("sparks", 0.01), ("sparks", 0.2)),
            )
        )
        lasts_ms = chance.choice((2, 8, 30, 100, 500, 1500)) * chance.random()
        if name == "muffled" and lasts_ms > SHORT_MS:
            self._lifted |= {(f"pad{pad}", tag.uid.hex().upper()) for tag in self._on(pad)}
        begins_ms = self._table.now_ms + 20 * chance.random()
        self._note("faults", f"{name}={value} in {pad} from {begins_ms:.1f} for {lasts_ms:.1f}")
        self._plan(begins_ms, partial(setattr, faults, name, value))
        self._plan(begins_ms + lasts_ms, faults.clear)

    def _plan(self, at_ms: float, act: Callable[[], None]) -> None:
        heappush(self._plans, (at_ms, next(self._order), act))

    # --- Time -------------------------------------------------------------------------------------------------

    def _run(self, for_ms: float) -> None:
        until = self._table.now_ms + max(0.0, for_ms)
        while self._table.now_ms < until:
            next_ms = self._plans[0][0] if self._plans else until
            self._table.run(max(0.1, min(next_ms, until) - self._table.now_ms))
            self._due()
        self._listen()

    def _due(self) -> None:
        while self._plans and self._plans[0][0] <= self._table.now_ms:
            heappop(self._plans)[2]()

    def _listen(self) -> None:
        for signal in self._news():
            self._presence, self._status = self._presence.after(signal), self._status.after(signal)
            match signal:
                case TagRemoved(station, at_ms, uid):
                    self.seen["removals"] += 1
                    if (station, uid) not in self._lifted:
                        self._blame(f"{at_ms}: {station} told {uid} as removed, and no hand was there")
                    self._lifted.discard((station, uid))
                case TagPlaced() | TagFound():
                    self.seen["tags told"] += 1
                case ReaderFault():
                    self.seen["faults told"] += 1
                case TagsUnclear():
                    self.seen["unclear"] += 1

    def _news(self) -> Iterator[Signal]:
        while self._heard < len(self._table.signals):
            yield self._table.signals[self._heard]
            self._heard += 1


def evenings(numbers: Sequence[int], seed: int, play: Callable[[int, Random], Evening]) -> Outcome:
    """Each by chances of its own: it is the same whichever were played before."""
    seen: Counter[str] = Counter()
    failures: list[str] = []
    for number in numbers:
        evening = play(number, Random(f"{seed} {number}"))
        seen += evening.seen
        failures += [f"run {number} of seed {seed}: {problem}" for problem in evening.problems]
    return Outcome(len(numbers), dict(sorted(seen.items())), tuple(failures))
