"""Makes of the reader's chip: copies that do the same in a slightly different way.

What differs: the version, what reserved bits hold, how the analogue part begins, what a bus reads that nothing drives,
how the place of a collision is counted, which of the flags that nothing needs are raised, and whether the timer goes on
while an answer comes in. No source tells which copy does which of this, so any of them may do any of it.
"""

from random import Random

from msgspec.structs import replace

from companion.devices.rc522.simulated_chip import (
    COPIES,
    IDLE_IRQ,
    NXP_1,
    NXP_2,
    OTHER_VALUES,
    RESERVED,
    Chip,
    Make,
    Register,
)

READINGS = [
    NXP_1,
    *(
        replace(make, reserved=reserved, after_reset=values)
        for make in (NXP_2, *COPIES)
        for reserved in RESERVED
        for values in ({}, OTHER_VALUES)
    ),
]
"""Every make that keeps the data sheet's promises, in each way that it may."""
ALERTS = 0x0C
"""HiAlert and LoAlert of ComIrqReg: how full the FIFO is."""


def make(chance: Random, seed: int) -> Chip:
    kind = chance.choice((Chip, Chip, _Chatty, _Timed))
    return kind(
        seed=seed,
        make=make_of(chance),
        position_counts_align=chance.random() < 0.5,
        open_level=chance.choice((0x00, 0xFF)),
    )


def make_of(chance: Random) -> Make:
    copy = chance.choice((NXP_1, NXP_2, *COPIES))
    if copy in (NXP_1, NXP_2):
        return copy
    values = chance.choice(({}, OTHER_VALUES))
    return replace(copy, reserved=chance.choice(RESERVED), after_reset=values)


class _Chatty(Chip):
    """It reports more than needed: that a command has ended, and how full its FIFO is."""

    def _raise(self, flags: int) -> None:
        super()._raise(flags | IDLE_IRQ | self._chance.choice((0, ALERTS)))

    def _write_flags(self, register: int, value: int) -> None:
        super()._write_flags(register, value)
        if register == Register.COM_IRQ:
            self._values[register] |= self._chance.choice((0, ALERTS))


class _Timed(Chip):
    """Its timer runs out, even if an answer has come by then."""

    def _listen(self, at_us: float) -> None:
        timer_us = self._timer_us
        super()._listen(at_us)
        self._timer_us = timer_us
