"""How simulated players play. The command line says it, and a screen passes it on to the referee that it starts."""

from typing import Literal, TypeAlias

from msgspec import Struct

Through: TypeAlias = Literal["signals", "drivers", "firmware", "pn532", "pcsc"]
"""What simulated hands use: only signals, simulated chips on a Pi, emulated firmware, or one simulated reader on
USB."""
ON_USB: tuple[Through, ...] = ("pn532", "pcsc")


class SimulationSettings(Struct, frozen=True):
    seed: int | None = None
    speed: float = 1.0
    mischief: float = 0.0
    """0 to 1: how often simulated players make mistakes."""
    through: Through = "signals"
    fallback_seed: int | None = None
    """The seed if none was given and the evening has none of its own."""
