"""How often each kind of reader is asked, and how long its silence is tolerated.

Here and not beside the drivers, which want libraries that may be missing: a reader without its library is watched, too.
"""

from msgspec import Struct

from companion.devices.rollcall import MISSES, MISSING_MS


class ReaderPace(Struct, frozen=True):
    look_s: float = 0.03
    """Between two looks…"""
    hurry_s: float = 0.005
    """…and just after somebody has come, or while somebody is missing: soon it is known how well it answers, and
    whether it has gone. A flickering tag is met while it has power, even if that is no longer than 60 ms."""
    first_pause_s: float = 0.05
    """After a fault; the pauses double while it lasts."""
    longest_pause_s: float = 0.5
    """Soon after a fault is over, what lies there is known."""
    steady_looks: int = 30
    """After this many good looks the pauses start over."""
    misses: int = MISSES
    missing_ms: int = MISSING_MS
    """How often and for how long a tag has to be missed before it counts as lifted."""
    stalled_s: float = 2.0
    """A look that takes longer hangs."""


PACES = {
    "rc522": ReaderPace(),
    # In each look it asks everybody anew, many times over: half of the usual doubt is enough.
    "pn532": ReaderPace(look_s=0.002, misses=2, missing_ms=100, stalled_s=6.0),
    # It waits for tags by itself, behind a daemon that takes its time.
    "pcsc": ReaderPace(look_s=0.002, stalled_s=4.0, missing_ms=1000),
}
"""By the kinds of a table.toml."""
