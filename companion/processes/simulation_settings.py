"""How simulated hands play, and what they touch: said once, and passed on to the referee that they play with."""

from typing import Literal, TypeAlias

from msgspec import Struct

Through: TypeAlias = Literal["signals", "drivers", "firmware", "pn532", "pcsc"]
"""What hands touch: nothing but signals, simulated chips on a Pi, emulated firmware, or one reader on USB."""
ON_USB: tuple[Through, ...] = ("pn532", "pcsc")


class Pace(Struct, frozen=True):
    seed: int | None = None
    speed: float = 1.0
    mischief: float = 0.0
    through: Through = "signals"
    otherwise: int | None = None
    """The seed, if nobody has given one and the evening has none of its own."""
