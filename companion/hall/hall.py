"""A running hall: its state, and the one way to change it.

Decisions that wait at the same time are committed together, so a burst of results costs one commit. All database work
is in another thread, which has a state of its own; the state that pages show changes only here, after the commit.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from companion.errors import CompanionError, UsageError
from companion.hall.credentials import new_table_code
from companion.hall.decisions import HallDecision
from companion.hall.hall_messages import USUAL_CLUB
from companion.hall.hall_state import AnyEvent, ClubFounded, HallState, LogEntry
from companion.hall.hall_store import HallStore, StoreError
from companion.hall.hall_texts import TableNote, note_line
from companion.hall.standings import HallStanding, night_standings
from companion.web.access_codes import new_code

LOOK_S = 1.0
"""How often to look for what another server has appended."""
MOST_AT_ONCE = 500
"""Decisions in one commit."""
CLUB_BYTES = 8


class Hall:
    """`state` may be read at any time. `change` is the only way to change it."""

    def __init__(self, store: HallStore, now: Callable[[], float] = time.time) -> None:
        self._store, self.now = store, now
        self.state = HallState()
        self._ledger = HallState()
        """The state of the thread that commits."""
        self._waiting: list[tuple[HallDecision, asyncio.Future[None]]] = []
        self._news = asyncio.Event()
        self._listeners: list[Callable[[LogEntry], object]] = []
        self.director_code = self.guest_code = self.table_code = ""
        self.problem = ""
        """Why the database cannot be used now; "" if it can."""
        self.table_notes: dict[str, Sequence[TableNote]] = {}
        """What is wrong at a table, for the director."""
        self.on_table_note: Callable[[str, str], object] = lambda _table, _note: None
        self._standings: tuple[int, Sequence[HallStanding]] = 0, ()
        """The number of an entry, and the standings after it."""

    # --- Starting ---------------------------------------------------------------------------------------------

    async def open(self, name: str = "") -> None:
        """Read the log, or begin one for a club of this name. Raises StoreError, and UsageError if the log is another
        club's."""
        self._take(await asyncio.to_thread(self._begin, name or USUAL_CLUB))
        if name and name != self.state.club:
            raise UsageError(
                f"this hall belongs to {self.state.club}; for {name}, use another folder (COMPANION_HOME) or --database"
            )

    def _begin(self, name: str) -> list[LogEntry]:
        with self._store.writing():
            entries = self._store.entries(0)
            if not entries:
                entries = [LogEntry(1, self.now(), ClubFounded(secrets.token_hex(CLUB_BYTES), name))]
                self._store.append(entries)
            for setting, value in (("director", new_code()), ("guests", new_code()), ("tables", new_table_code())):
                self._store.set_once(setting, value)
            codes = self._store.settings()
        self.director_code, self.guest_code, self.table_code = codes["director"], codes["guests"], codes["tables"]
        self._ledger.take_all(entries)
        return entries

    # --- Changing ---------------------------------------------------------------------------------------------

    async def change(self, decide: HallDecision) -> None:
        """Append what this decision says. It returns after the commit. Raises CompanionError if it is refused, and
        StoreError if it is unknown whether it was stored."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((decide, done))
        self._news.set()
        await done

    async def run(self) -> None:
        """Commit what is waiting, and read what other servers commit, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._news.wait()
            self._news.clear()
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            if self._waiting:
                self._news.set()
            await self._settle(batch)

    async def _settle(self, batch: Sequence[tuple[HallDecision, "asyncio.Future[None]"]]) -> None:
        try:
            entries, refusals = await asyncio.to_thread(self._commit, [decide for decide, _ in batch])
        except Exception as error:  # a mistake of ours in one decision must not stop the hall
            self.problem = str(error) if isinstance(error, StoreError) else self.problem
            entries, refusals = [], [error] * len(batch)
        else:
            self.problem = ""
        self._take(entries)
        for (_, done), refusal in zip(batch, refusals, strict=True):
            if done.cancelled():
                continue
            if refusal is None:
                done.set_result(None)
            else:
                done.set_exception(refusal)

    def _commit(self, decisions: Sequence[HallDecision]) -> tuple[list[LogEntry], Sequence[BaseException | None]]:
        """All new entries, and why decisions were refused. Raises StoreError."""
        known = self._ledger.last
        if not decisions:
            entries = self._store.entries(known)
            self._ledger.take_all(entries)
            return entries, []
        refusals: list[BaseException | None] = []
        try:
            with self._store.writing():
                entries = self._store.entries(known)
                self._ledger.take_all(entries)
                ours: list[LogEntry] = []
                for decide in decisions:
                    try:
                        made = self._numbered(decide(self._ledger))
                    except CompanionError as error:
                        refusals.append(error)
                    else:
                        refusals.append(None)
                        self._ledger.take_all(made)
                        ours += made
                self._store.append(ours)
        except BaseException:
            self._ledger = HallState()  # it may hold what was not committed: the next commit reads all of the log
            raise
        return [*entries, *ours], refusals

    def _numbered(self, events: Iterable[AnyEvent]) -> list[LogEntry]:
        at, first = self.now(), self._ledger.last + 1
        return [LogEntry(number, at, event) for number, event in enumerate(events, first)]

    def _take(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            if entry.number > self.state.last:
                self.state.take(entry)
                for tell in self._listeners:
                    tell(entry)

    # --- What follows from the state --------------------------------------------------------------------------

    def standings(self) -> Sequence[HallStanding]:
        """Of the night that is open. They are computed once for all phones."""
        if self._standings[0] != self.state.last:
            night = self.state.night
            self._standings = self.state.last, night_standings(self.state, night) if night else ()
        return self._standings[1]

    def note_table(self, table: str, *notes: TableNote) -> None:
        """What is wrong at a table now."""
        before = self.table_notes.pop(table, ())
        if notes:
            self.table_notes[table] = notes
            if notes != before:
                self.on_table_note(table, note_line(notes))

    # --- Listening --------------------------------------------------------------------------------------------

    def listen(self, tell: Callable[[LogEntry], object]) -> Callable[[], None]:
        """Call this for every new entry, after it was committed. Returns how to stop that."""
        self._listeners.append(tell)
        return lambda: self._listeners.remove(tell)
