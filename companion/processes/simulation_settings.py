"""How simulated players play. The command line says it, and a screen passes it on to the referee that it starts."""

from msgspec import Struct

SIGNALS, DRIVERS, FIRMWARE = "signals", "drivers", "firmware"
"""What simulated hands use: only signals, simulated chips on a Pi, or emulated firmware. Any other word is a kind of
reader: one that is simulated, and nothing else."""


class SimulationSettings(Struct, frozen=True):
    seed: int | None = None
    speed: float = 1.0
    mischief: float = 0.0
    """0 to 1: how often simulated players make mistakes."""
    through: str = SIGNALS
    fallback_seed: int | None = None
    """The seed if none was given and the evening has none of its own."""
