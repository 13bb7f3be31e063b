"""What a command adds to the hall's log, or why it is refused. Pure: a state in, events out."""

from collections.abc import Iterable

from companion.errors import UsageError
from companion.hall.hall_state import AnyEvent, HallState, TableJoined
from companion.language.wording import plain

TABLES = 10_000
"""More than any hall has."""


class JoinTable:
    """A table joins the hall. `table` is its name, once it was decided."""

    def __init__(self, wanted: str, credential: str) -> None:
        self._wanted, self._credential = plain(wanted), credential
        self.table = ""

    def decide(self, state: HallState) -> Iterable[AnyEvent]:
        """Raises UsageError if another table has this name."""
        if self._wanted in state.tables:
            raise UsageError(f"there is a table called {self._wanted} already; give this one another name")
        numbers = (str(number) for number in range(1, TABLES))
        self.table = self._wanted or next(number for number in numbers if number not in state.tables)
        return (TableJoined(self.table, self._credential),)
