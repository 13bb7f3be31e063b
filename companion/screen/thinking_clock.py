"""How long everybody has thought, in a few cells; and the one reminder, where people want one."""

import time

from companion.gamekit.game import Seat
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.seat_plan import is_awaited
from companion.gamekit.snapshot import AWAY_S
from companion.language.screen_language import _


class Watched:
    """The table's clocks between two snapshots: this screen's own clock goes on where the referee's stood."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._began = 0.0
        self._reminded: float | None = None

    def see(self, sight: Sight) -> None:
        """A thought that began before this screen came is told by the time of day, if that can be."""
        if sight.snapshot.since == self._since:
            return
        self._since = sight.snapshot.since
        ago = time.time() - self._since if self._since is not None else 0.0
        self._began = time.monotonic() - (ago if 0 <= ago <= AWAY_S else 0.0)

    def now(self) -> float:
        """How many seconds the newest thought has taken so far."""
        return time.monotonic() - self._began if self._since is not None else 0.0

    def seconds(self, sight: Sight) -> list[float]:
        """For each seat, all its thinking in this game."""
        now = self.now()
        return [total + (now if is_awaited(sight, seat) else 0.0) for seat, total in enumerate(sight.snapshot.thought)]

    def overdue(self, sight: Sight, minutes: int) -> Seat | None:
        """Who has thought longer than that; told once for each thought. It only reminds."""
        if self._since is None or self._reminded == self._since or self.now() < 60 * minutes:
            return None
        self._reminded = self._since
        return next((seat for seat in range(len(sight.names)) if is_awaited(sight, seat)), None)


def reminder(sight: Sight, seat: Seat, minutes: int) -> str:
    told = _("{count:minute|minutes}", count=minutes)
    return _("{name} has been thinking for {minutes}", name=sight.name(seat), minutes=told)
