"""Filters accidental presses: a held key repeats, a touch bounces, a finger comes late.

If the next player is asked the same question at once, such a press would act for them.
"""

import time
from math import inf

SETTLE_S = 0.4
"""Presses are ignored for this long after a new question: no player can have read it yet."""
REPEAT_S = 0.7
"""The same key within this time may be a held key: keyboards wait up to 0.66 s before they repeat it."""
HELD_S = 0.15
"""From then on a held key repeats sooner than this."""

clock = time.monotonic


class Calm:
    """Tells intended presses from accidental ones. A held key counts once. If a player presses the same key again and
    again, every other press counts: the one between may be the first repeat of a held key."""

    def __init__(self) -> None:
        self._since = clock()
        self._pressed: dict[str, float] = {}
        self._doubted: set[str] = set()
        """Keys whose newest press may have been the first repeat."""

    def begin(self) -> None:
        """A new question has appeared."""
        self._since = clock()

    def takes(self, key: str = "", *, again: bool = False) -> bool:
        """Whether this press counts; a touch has no key. `again`: a second press may follow at once, as in 11."""
        now = clock()
        gap = now - self._pressed.get(key, -inf)
        held = gap < min(HELD_S, REPEAT_S)
        doubtful = not held and gap < REPEAT_S and key not in self._doubted
        if key:
            self._pressed[key] = now
            (self._doubted.add if doubtful else self._doubted.discard)(key)
        return (again or not (held or doubtful)) and now - self._since >= SETTLE_S
