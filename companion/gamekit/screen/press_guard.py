"""Presses that nobody meant: a key that is held repeats itself, a touch bounces, a finger comes late.

Where the next person is asked the same thing at once, such a press would speak for somebody else.
"""

import time
from math import inf

SETTLE_S = 0.4
"""Nothing is heard for this long after something new has appeared: nobody can have read it yet."""
REPEAT_S = 0.7
"""The same key again within this time is a key held down: keyboards wait up to 0.66 s before they repeat it."""

clock = time.monotonic


class Calm:
    """Tells a press that was meant from one that was not."""

    def __init__(self) -> None:
        self._since = clock()
        self._pressed: dict[str, float] = {}

    def begin(self) -> None:
        """Something new has appeared."""
        self._since = clock()

    def takes(self, key: str = "") -> bool:
        """Whether this press counts; a touch has no key."""
        now = clock()
        held = now - self._pressed.get(key, -inf) < REPEAT_S
        if key:
            self._pressed[key] = now
        return not held and now - self._since >= SETTLE_S
