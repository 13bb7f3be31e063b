"""Makes of the reader's chip: copies that do the same in a slightly different way.

What differs: the version, what the bus reads when nobody drives it, how the place of a collision is counted, which of
the flags that nobody needs are raised, and whether the timer goes on while an answer comes in.
"""

from random import Random

from companion.simulation.hardware.chip import Chip
from companion.simulation.hardware.registers import IDLE_IRQ, Register

VERSIONS = (0x91, 0x92, 0x88, 0x12, 0xB2)
ALERTS = 0x0C
"""HiAlert and LoAlert of ComIrqReg: how full the FIFO is."""


def make(chance: Random, seed: int) -> Chip:
    kind = chance.choice((Chip, Chip, _Chatty, _Timed))
    return kind(
        seed=seed,
        version=chance.choice(VERSIONS),
        position_counts_align=chance.random() < 0.5,
        open_level=chance.choice((0x00, 0xFF)),
    )


class _Chatty(Chip):
    """It says more than anybody needs: that a command has ended, and how full its FIFO is."""

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
