"""An MFRC522, register by register, as its SPI pins show it. Time is told to it with every call.

    chip.select(now_us); chip.exchange(byte, now_us) → byte; …; chip.deselect(now_us)
    chip.transfer(bytes, now_us, octet_us) → bytes          all of that at once

What its registers do is in `chip_registers`; here are its pins, and what can be wrong with them.
"""

from collections.abc import Sequence
from math import inf
from random import Random

from companion.simulation.hardware.chip_registers import ChipRegisters
from companion.simulation.hardware.registers import MEANT, NXP_2, Make, Register


class Chip(ChipRegisters):
    """One reader: registers, a field with tags, and faults that can be switched on."""

    def __init__(
        self,
        *,
        version: int | None = None,
        seed: int = 0,
        position_counts_align: bool = True,
        open_level: int = 0x00,
        make: Make = NXP_2,
    ) -> None:
        """`position_counts_align`: whether the position of a collision is that in the bytes stored, with the bits that
        RxAlign skips, or that among the bits received. The data sheet can be read both ways.

        `open_level`: what the bus reads when nobody drives it. A Pi up to 4 pulls its GPIO9 down (BCM2835 ARM
        Peripherals, alternative functions of the pins); others do not.

        `make`: whose chip it is; `version`: what it says, if not what that make does."""
        super().__init__(make.version if version is None else version, Random(seed), position_counts_align, make)
        self._open_level = open_level
        self._outages = 0
        self._held_in_reset = False
        self._address: int | None = None
        self._reading = False
        self._look_at_faults()

    def select(self, now_us: float) -> None:
        """Chip select goes low: a transfer begins."""
        self._now_us = self.field.now_us = now_us
        self._address, self._reading = None, False
        if self.faults.changes != self._changes:
            self._look_at_faults()

    def _look_at_faults(self) -> None:
        faults = self.faults
        self._changes = faults.changes
        if faults.outages != self._outages:
            self._outages = faults.outages
            self._lose_power()
        absent = faults.unpowered or self._held_in_reset
        self._silent = faults.gone if faults.gone is not None else self._open_level if absent else None
        """What the bus reads while the chip is not there."""
        self._disturbed = self._silent is not None or faults.stuck is not None or faults.sparks > 0

    def exchange(self, mosi: int, now_us: float) -> int:
        """One byte in, one byte out. The first one says where to read (bit 7 set) or write; when reading, each further
        one is the next address; when writing, all others go to the same (data sheet, 8.1.2)."""
        return self._exchange_disturbed(mosi, now_us) if self._disturbed else self._exchange(mosi, now_us)

    def _exchange_disturbed(self, mosi: int, now_us: float) -> int:
        if self._silent is not None:
            return self._silent
        faults, chance = self.faults, self._chance
        miso = self._exchange(faults.spark(mosi, chance) if faults.sparks else mosi, now_us)
        if faults.stuck is not None:
            miso = faults.stuck
        return faults.spark(miso, chance) if faults.sparks else miso

    def _exchange(self, mosi: int, now_us: float) -> int:
        self._now_us = now_us
        if now_us >= self._due_us:
            self._settle(now_us)
        address = self._address
        if address is None:
            self._address, self._reading = mosi, mosi >= 0x80
            return 0
        register = address >> 1 & 0x3F
        if self._reading:
            self._address = mosi
            read = self._readers[register]
            return read() if read else self._values[register]
        write = self._writers[register]
        if write:
            write(mosi)
        else:
            self._values[register] = mosi
        return 0

    @property
    def is_still(self) -> bool:
        """Nothing is under way and nothing is wrong: until somebody writes, all registers hold what they do."""
        return self._due_us == inf and not self._disturbed and self._changes == self.faults.changes

    def deselect(self, now_us: float) -> None:
        """Chip select goes high."""
        self._now_us = self.field.now_us = now_us
        self._address = None

    def transfer(self, data: Sequence[int], now_us: float, octet_us: float) -> list[int]:
        """A whole one, from select to deselect, of which each byte takes so long."""
        self.select(now_us)
        if self._disturbed:
            answer = [self.exchange(octet, now_us + place * octet_us) for place, octet in enumerate(data, 1)]
        elif data[0] >= 0x80:
            answer = self._read_each(data, now_us + octet_us, octet_us)
        else:
            answer = self._write_each(data, now_us + octet_us, octet_us)
        self.deselect(now_us + len(data) * octet_us)
        return answer

    def _read_each(self, addresses: Sequence[int], now_us: float, octet_us: float) -> list[int]:
        values, readers = self._values, self._readers
        answer = [0]
        for address in addresses[:-1]:
            now_us += octet_us
            self._now_us = now_us
            if now_us >= self._due_us:
                self._settle(now_us)
            register = address >> 1 & 0x3F
            read = readers[register]
            answer.append(read() if read else values[register])
        return answer

    def _write_each(self, data: Sequence[int], now_us: float, octet_us: float) -> list[int]:
        register = data[0] >> 1 & 0x3F
        write = self._writers[register]
        for octet in data[1:]:
            now_us += octet_us
            self._now_us = now_us
            if now_us >= self._due_us:
                self._settle(now_us)
            if write:
                write(octet)
            else:
                self._values[register] = octet
        return [0] * len(data)

    def reset(self, high: bool, now_us: float) -> None:
        """The NRSTPD pin: low cuts everything off, the rising edge is a reset."""
        self._now_us = self.field.now_us = now_us
        if self._held_in_reset == high:
            self._lose_power()
        self._held_in_reset = not high
        self._look_at_faults()

    def disturb(self, register: Register, value: int) -> None:
        """What a spark does: a register holds what nobody has written. Reserved bits that keep nothing cannot be
        disturbed either."""
        if self.make.reserved != "kept" and register in MEANT:
            value = value & MEANT[register] | self._values[register] & ~MEANT[register]
        if register == Register.TX_CONTROL:
            self._write_antenna(value)
        else:
            self._values[register] = value
