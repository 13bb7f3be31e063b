"""How simulated hands play, and what they touch: said once, and passed on to the referee that they play with."""

from msgspec import Struct

SIGNALS, DRIVERS, FIRMWARE = "signals", "drivers", "firmware"
"""What hands touch: nothing but signals, simulated chips on a Pi, or emulated firmware. Any other word is a kind of
reader: one that is simulated, and nothing else."""


class Pace(Struct, frozen=True):
    seed: int | None = None
    speed: float = 1.0
    mischief: float = 0.0
    through: str = SIGNALS
    otherwise: int | None = None
    """The seed, if nobody has given one and the evening has none of its own."""
