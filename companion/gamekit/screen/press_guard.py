"""Filters accidental presses: a held key repeats, a touch bounces, a finger comes late.

If the next player is asked the same question at once, such a press would act for them.
"""

import time
from math import inf

SETTLE_S = 0.4
"""Presses are ignored for this long after a new question: no player can have read it yet."""
REPEAT_S = 0.7
"""The same key within this time is a held key: keyboards wait up to 0.66 s before they repeat it."""

clock = time.monotonic


class Calm:
    """Tells intended presses from accidental ones."""

    def __init__(self) -> None:
        self._since = clock()
        self._pressed: dict[str, float] = {}

    def begin(self) -> None:
        """A new question has appeared."""
        self._since = clock()

    def takes(self, key: str = "", *, again: bool = False) -> bool:
        """Whether this press counts; a touch has no key. `again`: a second press may follow at once, as in 11."""
        now = clock()
        held = not again and now - self._pressed.get(key, -inf) < REPEAT_S
        if key:
            self._pressed[key] = now
        return not held and now - self._since >= SETTLE_S
