"""An ATmega328P that runs a compiled program: firmware/emulator through ctypes. See firmware/emulator/README.md.

It is deterministic: time is counted in clock cycles, and passes only in `run`.
"""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from companion.errors import DeviceError

HZ = 16_000_000
CYCLES_PER_US = HZ // 1_000_000
LINE_BAUD = 250_000

Pin: TypeAlias = tuple[str, int]
"""A port and a bit: ("D", 2)."""

Exchange: TypeAlias = Callable[[int, int, int, float], int]
"""A part on the SPI bus: chip, byte sent, whether it is the first one since its chip-select fell (1, else 0; or BEGUN
and the address that was told to a chip which stood still), time in µs → the byte that it answers at the same time, with
STILL where nothing will change in it by itself."""
BEGUN = STILL = 0x100

RUNS, CRASHED, STOPPED, BROKEN_OFF = range(4)
POWER, RESET_PIN, BROWN_OUT, WATCHDOG = 0x01, 0x02, 0x04, 0x08
"""Why a program starts: bits of MCUSR (ATmega328P data sheet)."""
_ROOM = 4096
_WORDS = 200


class EmulatorError(DeviceError):
    """The emulator cannot be loaded, or the emulated program has crashed."""


class EmulatorCounts(Struct, frozen=True):
    """What happened in all, most of which never should. See emulator.h."""

    overruns: int
    overruns_seen: int
    wrong_speed: int
    two_selected: int
    wrong_mode: int
    collisions: int
    cut_short: int
    select_unguarded: int
    resets: int
    watchdog_resets: int
    spi_bytes: int
    wakeups: int
    eeprom_writes: int


class PinChanged(Struct, frozen=True):
    """A watched pin has changed."""

    at_us: float
    pin: Pin
    level: bool


class _Edge(ctypes.Structure):
    _fields_ = (
        ("cycle", ctypes.c_uint64),
        ("port", ctypes.c_uint8),
        ("bit", ctypes.c_uint8),
        ("level", ctypes.c_uint8),
    )


class _Counts(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in EmulatorCounts.__struct_fields__)


_LineC = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_double)
_ExchangeC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_double)


class Emulator:
    """One microcontroller. `close` it, or use it in a `with`."""

    def __init__(self, elf: Path, library: Path, baud: int = LINE_BAUD) -> None:
        self._c = _load(library)
        why = ctypes.create_string_buffer(_WORDS)
        if not elf.is_file():
            raise EmulatorError(f"there is no program {elf}; `make -C firmware` builds the satellite's")
        self._handle = self._c.emulator_open(str(elf).encode(), HZ, baud, why, len(why))
        if not self._handle:
            raise EmulatorError(why.value.decode())
        self._on_bus: Any = None
        self._on_line: Any = None
        self._registers: list[Any] = []  # kept, as those
        self._problem: BaseException | None = None
        self._bytes = (ctypes.c_uint8 * _ROOM)()
        self._cycles = (ctypes.c_uint64 * _ROOM)()
        self._edges = (_Edge * _ROOM)()

    def close(self) -> None:
        if self._handle:
            self._c.emulator_close(self._handle)
            self._handle = None

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Time -------------------------------------------------------------------------------------------------

    @property
    def now_us(self) -> float:
        return float(self._c.emulator_cycle(self._handle)) / CYCLES_PER_US

    def run_until(self, at_us: float) -> None:
        """Let time pass. Raises what a chip on the bus raised, or EmulatorError if the program has crashed."""
        state = self._c.emulator_run(self._handle, int(at_us * CYCLES_PER_US))
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem
        if state == CRASHED:
            raise EmulatorError(f"the emulated program has crashed: {self._last_words()}")
        if state == STOPPED:
            raise EmulatorError("the emulated program sleeps with interrupts off: nothing can wake it")

    def run(self, for_us: float) -> None:
        self.run_until(self.now_us + for_us)

    def reset(self, cause: int = RESET_PIN) -> None:
        """Press the reset button, or let something else reset it. SRAM and EEPROM keep their content."""
        self._c.emulator_reset(self._handle, cause)

    def cut_power(self, torn: int = 0xFF) -> None:
        """Take its power away and give it back. A byte of the EEPROM that is being written becomes `torn`."""
        self._c.emulator_cut_power(self._handle, torn)

    def poke(self, at: int, value: int) -> None:
        """Change a register or a variable by its address."""
        self._c.emulator_poke(self._handle, at, value)

    def hang(self) -> None:
        """Let the main program loop where it is until the next reset, interrupts apart: work for a watchdog."""
        self._c.emulator_hang(self._handle)

    def _last_words(self) -> str:
        words: bytes = self._c.emulator_last_words(self._handle)
        return words.decode(errors="replace").strip() or "it said nothing"

    # --- The line ---------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Bytes from the host: they arrive one after the other, at the line's speed."""
        if self._c.emulator_send(self._handle, data, len(data)) < len(data):
            raise EmulatorError("more bytes are on the line than a line can hold")

    def received(self) -> list[tuple[int, float]]:
        """What the program has sent since it was last asked: each byte with the time at which it was through."""
        all_of_it: list[tuple[int, float]] = []
        while count := self._c.emulator_received(self._handle, self._bytes, self._cycles, _ROOM):
            all_of_it += [(self._bytes[i], self._cycles[i] / CYCLES_PER_US) for i in range(count)]
        return all_of_it

    @property
    def baud(self) -> float:
        """What the program has set its UART to."""
        return float(self._c.emulator_baud(self._handle))

    # --- Pins -------------------------------------------------------------------------------------------------

    def connect(self, selects: list[Pin], exchange: Exchange) -> None:
        """Chips on the SPI bus: the number of a chip is the place of its chip-select in the list."""

        def guarded(chip: int, mosi: int, fresh: int, now_us: float) -> int:
            try:
                return exchange(chip, mosi, fresh, now_us)
            except BaseException as problem:  # ctypes would print it and go on
                self._problem = problem
                return -1

        self._on_bus = _ExchangeC(guarded)  # kept: C holds only a pointer
        self._c.emulator_on_bus(self._handle, self._on_bus)
        for chip, (port, bit) in enumerate(selects):
            self._c.emulator_chip_select(self._handle, chip, port.encode(), bit)

    def stand_in(self, chip: int, registers: bytearray, plain: int) -> None:
        """Let the emulator itself read those registers of a chip whose bit is set in `plain`, while it is STILL."""
        shared = (ctypes.c_uint8 * len(registers)).from_buffer(registers)
        self._registers.append(shared)
        self._c.emulator_registers(self._handle, chip, shared, plain)

    def listen(self, pin: Pin, told: Callable[[bool, float], None]) -> None:
        """Report the level of this pin now and whenever it changes, to a chip's reset pin, say. While the program does
        not drive it, it is low."""

        def guarded(level: int, now_us: float) -> None:
            try:
                told(bool(level), now_us)
            except BaseException as problem:  # ctypes would print it and go on
                self._problem = problem

        self._on_line = _LineC(guarded)
        self._c.emulator_on_line(self._handle, pin[0].encode(), pin[1], self._on_line)

    def switch(self, pin: Pin, to: Pin, closed: bool) -> None:
        """Close or open a switch with a diode: `pin` reads low while it is closed and `to` is a low output."""
        self._c.emulator_switch(self._handle, pin[0].encode(), pin[1], to[0].encode(), to[1], int(closed))

    def drive(self, pin: Pin, level: bool | None) -> None:
        """Hold a pin from outside; None lets go of it."""
        self._c.emulator_drive(self._handle, pin[0].encode(), pin[1], -1 if level is None else int(level))

    def level(self, pin: Pin) -> bool | None:
        """None: the pin floats."""
        level = self._c.emulator_level(self._handle, pin[0].encode(), pin[1])
        return None if level < 0 else bool(level)

    def watch(self, pin: Pin) -> None:
        """Keep the changes of this pin for `edges`: the newest few thousand."""
        self._c.emulator_watch(self._handle, pin[0].encode(), pin[1])

    def edges(self) -> list[PinChanged]:
        """The changes of watched pins since it was last asked."""
        count = self._c.emulator_edges(self._handle, self._edges, _ROOM)
        return [
            PinChanged(edge.cycle / CYCLES_PER_US, (chr(edge.port), edge.bit), bool(edge.level))
            for edge in self._edges[:count]
        ]

    # --- Memory -----------------------------------------------------------------------------------------------

    @property
    def ram(self) -> int:
        return int(self._c.emulator_ram(self._handle))

    @property
    def static_ram(self) -> int:
        return int(self._c.emulator_static_ram(self._handle))

    @property
    def stack_margin(self) -> int:
        """Bytes behind the variables that the stack has never reached."""
        return int(self._c.emulator_stack_margin(self._handle))

    def write_eeprom(self, at: int, data: bytes) -> None:
        self._c.emulator_eeprom_write(self._handle, at, data, len(data))

    def read_eeprom(self, at: int, count: int) -> bytes:
        room = ctypes.create_string_buffer(count)
        self._c.emulator_eeprom_read(self._handle, at, room, count)
        return room.raw

    def counts(self) -> EmulatorCounts:
        counts = _Counts()
        self._c.emulator_count(self._handle, ctypes.byref(counts))
        return EmulatorCounts(*(getattr(counts, name) for name in EmulatorCounts.__struct_fields__))


_HANDLE = ctypes.c_void_p
_RESULTS: dict[str, Any] = {
    "emulator_open": _HANDLE,
    "emulator_cycle": ctypes.c_uint64,
    "emulator_last_words": ctypes.c_char_p,
    "emulator_baud": ctypes.c_double,
}
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "emulator_open": (ctypes.c_char_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_uint32),
    "emulator_close": (_HANDLE,),
    "emulator_run": (_HANDLE, ctypes.c_uint64),
    "emulator_cycle": (_HANDLE,),
    "emulator_last_words": (_HANDLE,),
    "emulator_reset": (_HANDLE, ctypes.c_int),
    "emulator_cut_power": (_HANDLE, ctypes.c_uint8),
    "emulator_poke": (_HANDLE, ctypes.c_uint16, ctypes.c_uint8),
    "emulator_hang": (_HANDLE,),
    "emulator_send": (_HANDLE, ctypes.c_char_p, ctypes.c_uint32),
    "emulator_received": (_HANDLE, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32),
    "emulator_baud": (_HANDLE,),
    "emulator_on_bus": (_HANDLE, _ExchangeC),
    "emulator_chip_select": (_HANDLE, ctypes.c_int, ctypes.c_char, ctypes.c_int),
    "emulator_registers": (_HANDLE, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64),
    "emulator_on_line": (_HANDLE, ctypes.c_char, ctypes.c_int, _LineC),
    "emulator_switch": (_HANDLE, ctypes.c_char, ctypes.c_int, ctypes.c_char, ctypes.c_int, ctypes.c_int),
    "emulator_drive": (_HANDLE, ctypes.c_char, ctypes.c_int, ctypes.c_int),
    "emulator_level": (_HANDLE, ctypes.c_char, ctypes.c_int),
    "emulator_watch": (_HANDLE, ctypes.c_char, ctypes.c_int),
    "emulator_edges": (_HANDLE, ctypes.c_void_p, ctypes.c_uint32),
    "emulator_ram": (_HANDLE,),
    "emulator_static_ram": (_HANDLE,),
    "emulator_stack_margin": (_HANDLE,),
    "emulator_eeprom_write": (_HANDLE, ctypes.c_uint16, ctypes.c_char_p, ctypes.c_uint16),
    "emulator_eeprom_read": (_HANDLE, ctypes.c_uint16, ctypes.c_char_p, ctypes.c_uint16),
    "emulator_count": (_HANDLE, ctypes.c_void_p),
}


def _load(library: Path) -> ctypes.CDLL:
    try:
        loaded = ctypes.CDLL(str(library))
    except OSError as error:
        raise EmulatorError(f"the emulator cannot be loaded ({error}); `make emulator` builds it") from error
    for name, arguments in _ARGUMENTS.items():
        function = getattr(loaded, name)
        function.argtypes = arguments
        function.restype = _RESULTS.get(name, ctypes.c_int)
    return loaded
