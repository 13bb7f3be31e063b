"""A rate limit: a few messages at once, and then a number per second."""

import time

AT_ONCE = 30
A_SECOND = 10.0

clock = time.monotonic


class Allowance:
    def __init__(self, at_once: float = AT_ONCE, a_second: float = A_SECOND) -> None:
        self._most, self._rate = at_once, a_second
        self._left, self._since = at_once, clock()

    def takes(self, count: int = 1) -> bool:
        """Whether this one, or so many at once, are within the allowance."""
        now = clock()
        self._left = min(self._most, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < count:
            return False
        self._left -= count
        return True
