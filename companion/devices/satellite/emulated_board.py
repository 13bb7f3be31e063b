"""A satellite's board: its real firmware on an emulated processor, simulated readers, buttons, lamps and a buzzer.

Everything happens in emulated time, which passes only in `run`: the same deeds give the same bytes, every time.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

from msgspec import Struct

from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite.avr_emulator import (
    BEGUN,
    RESET_PIN,
    STILL,
    Emulator,
    EmulatorError,
    Pin,
    PinChanged,
)
from companion.devices.satellite.firmware_build import FirmwareBuild
from companion.devices.satellite.wire import crc16
from companion.devices.simulated.tags import Classic, Ntag, Tag

PRESS_MS = 90
HOLD_MS = 2_300
SERIAL_AT, BOOT_AT, BOOTS = 16, 32, 32
"""In EEPROM; see firmware/avr/memory.c. The serial number is kept twice, one record behind the other; the count of
starts in so many places in turn."""
BOUNCE_MS = 4.0
"""How long the contacts of a button bounce, at worst, when they close and when they open."""


def eeprom_record(number: int) -> bytes:
    """A number with its CRC, as the firmware keeps it."""
    value = number.to_bytes(4, "little")
    return value + crc16(value).to_bytes(2, "little")


class BoardWiring(Struct, frozen=True):
    """Which pin is what, as firmware/avr/board.h says."""

    selects: tuple[Pin, ...]
    lines: dict[str, Pin]
    """"green" and "red" → the line that these buttons of all pads share."""
    lamps: tuple[Pin, ...]
    buzzer: Pin
    reset: Pin


def read_wiring(header: Path) -> BoardWiring:
    """The pin map of the only place where it stands."""
    found = re.findall(r"PIN\((\w+),\s*([BCD]),\s*(\d),", header.read_text(encoding="utf-8"))
    pins: dict[str, Pin] = {name: (port, int(bit)) for name, port, bit in found}
    try:
        lines = {"green": pins["GREEN"], "red": pins["RED"]}
        return BoardWiring(_row(pins, "SELECT"), lines, _row(pins, "LAMP"), pins["BUZZER"], pins["RESET"])
    except KeyError as error:
        raise EmulatorError(f"{header} names no pin {error}") from error


def _row(pins: dict[str, Pin], name: str) -> tuple[Pin, ...]:
    return tuple(pins[f"{name}{number}"] for number in range(sum(pin.startswith(name) for pin in pins)))


class EmulatedBoard:
    """One satellite. `close` it, or use it in a `with`."""

    def __init__(
        self,
        built: FirmwareBuild,
        *,
        serial: int | None = None,
        seed: int = 0,
        chips: Sequence[Chip] | None = None,
    ) -> None:
        """`serial`: the number that it was given when it was flashed, if any. `chips`: NXP's, unless told."""
        self.wiring = read_wiring(built.pins)
        self.emulator = Emulator(built.elf, built.emulator)
        if serial is not None:
            self.emulator.write_eeprom(SERIAL_AT, eeprom_record(serial) * 2)
        self.chips = tuple(chips or (Chip(seed=seed + pad) for pad in range(len(self.wiring.selects))))
        self._tags: dict[str, Tag] = {}
        self._bounces = Random(seed)
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.emulator.connect(list(self.wiring.selects), self.exchange)
        for pad, chip in enumerate(self.chips):
            self.emulator.stand_in(pad, chip.registers, chip.plain_registers)
        self.emulator.listen(self.wiring.reset, self._reset_line)
        for pin in (*self.wiring.lamps, self.wiring.buzzer):
            self.emulator.watch(pin)

    def close(self) -> None:
        self.emulator.close()

    def __enter__(self) -> "EmulatedBoard":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Time -------------------------------------------------------------------------------------------------

    @property
    def now_ms(self) -> float:
        return self.emulator.now_us / 1_000

    def run(self, for_ms: float) -> None:
        """Let time pass, and everything happen that was planned for it."""
        self.run_until(self.now_ms + for_ms)

    def run_until(self, at_ms: float) -> None:
        while self._planned and self._planned[0][0] <= at_ms:
            due_ms, _, deed = heappop(self._planned)
            self.emulator.run_until(due_ms * 1_000)
            deed()
        self.emulator.run_until(at_ms * 1_000)

    def plan(self, at_ms: float, deed: Callable[[], None]) -> None:
        """Let something happen at a time to come."""
        heappush(self._planned, (at_ms, next(self._order), deed))

    # --- The bus ----------------------------------------------------------------------------------------------

    def exchange(self, pad: int, mosi: int, fresh: int, now_us: float) -> int:
        """Being selected again ends the transfer, so a deselection need not be reported."""
        chip = self.chips[pad]
        if fresh:
            chip.select(now_us)
            if fresh >= BEGUN:
                chip.exchange(fresh - BEGUN, now_us)
        miso = chip.exchange(mosi, now_us)
        return miso | STILL if chip.is_still else miso

    def _reset_line(self, high: bool, now_us: float) -> None:
        for chip in self.chips:
            chip.reset(high, now_us)

    # --- What hands do ----------------------------------------------------------------------------------------

    def lay(self, pad: int, uid: str) -> None:
        """Lay the tag with this UID on a pad, where it stays. It is the same tag every time."""
        self.lay_tag(pad, self._tag(uid))

    def lay_tag(self, pad: int, tag: Tag) -> None:
        field = self.chips[pad].field
        field.now_us = self.emulator.now_us
        field.place(tag)

    def lift(self, pad: int, uid: str) -> None:
        self.chips[pad].field.lift(self._tag(uid))

    def _tag(self, uid: str) -> Tag:
        if uid not in self._tags:
            kinds: dict[int, type[Tag]] = {4: Classic, 7: Ntag}
            data = bytes.fromhex(uid)
            self._tags[uid] = kinds.get(len(data), Tag)(data)
        return self._tags[uid]

    def press(self, pad: int, button: str, for_ms: float = PRESS_MS, *, bounce_ms: float = BOUNCE_MS) -> float:
        """A press that begins now and bounces at both ends. Returns when the button is at rest again, in ms."""
        down, up = self.now_ms, self.now_ms + for_ms
        self._bouncing(pad, button, down, bounce_ms, closed=True)
        self._bouncing(pad, button, up, bounce_ms, closed=False)
        return up + bounce_ms

    def hold(self, pad: int, button: str, down: bool) -> None:
        """Put a button down, or let it go, without any bouncing."""
        self.emulator.switch(self.wiring.lines[button], self.wiring.selects[pad], down)

    def _bouncing(self, pad: int, button: str, at_ms: float, bounce_ms: float, *, closed: bool) -> None:
        """An even number of changes at random moments, then the one that lasts."""
        moments = sorted(self._bounces.uniform(0, bounce_ms) for _ in range(6)) if bounce_ms else []
        for moment, state in zip((0.0, *moments), (closed, not closed) * 4, strict=False):
            self.plan(at_ms + moment, partial(self.hold, pad, button, state))

    # --- What eyes and ears notice ----------------------------------------------------------------------------

    def lamp(self, pad: int) -> bool:
        return bool(self.emulator.level(self.wiring.lamps[pad]))

    @property
    def buzzes(self) -> bool:
        return bool(self.emulator.level(self.wiring.buzzer))

    def edges(self) -> list[PinChanged]:
        """What lamps and buzzer did since it was last asked."""
        return self.emulator.edges()

    # --- The line ---------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        self.emulator.send(data)

    def received(self) -> bytes:
        return bytes(byte for byte, _ in self.emulator.received())

    def reset(self, cause: int = RESET_PIN) -> None:
        """`cause`: bits of MCUSR."""
        self.emulator.reset(cause)
