"""Real halls for tests: a server in a thread, on SQLite or PostgreSQL."""

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterable

from companion.hall.decisions import HallDecision, open_night, seat_next_round, sign_in, start_round
from companion.hall.hall import Hall
from companion.hall.hall_client import HallClient
from companion.hall.hall_server import HallServer
from companion.hall.hall_state import HallState, NightOpened
from companion.hall.hall_store import HallStore
from companion.web.server import Listening

BEGIN = 1_794_700_000.0


class RunningHall:
    """A hall that serves."""

    def __init__(
        self,
        place: str,
        name: str = "Café",
        now: Callable[[], float] = lambda: BEGIN,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._place, self._name, self._now, self._tls = place, name, now, tls
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.hall: Hall
        self.server: HallServer
        self._thread.start()
        assert self._ready.wait(30)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        store = HallStore(self._place)
        self.hall = Hall(store, self._now)
        await self.hall.open(self._name)
        self.server = HallServer(Listening("127.0.0.1", 0, self._tls), self.hall)
        await self.server.open()
        self._committing = asyncio.create_task(self.hall.run())
        self._ready.set()
        await asyncio.gather(self._committing, return_exceptions=True)
        await self.server.close()
        store.close()

    def close(self) -> None:
        """May be called twice."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._committing.cancel)
        self._thread.join(30)

    # --- What a director and tables do ---

    @property
    def state(self) -> HallState:
        return self.hall.state

    @property
    def url(self) -> str:
        return self.server.place.url

    def change(self, decide: HallDecision) -> None:
        asyncio.run_coroutine_threadsafe(self.hall.change(decide), self._loop).result(30)

    def table(self, name: str = "") -> HallClient:
        """A table that has joined."""
        client = HallClient(self.url)
        client.join(self.hall.table_code, name)
        return client

    def night(self, players: Iterable[str], game: str = "lascaux") -> None:
        """Open a night, sign in these players and start its first round."""
        self.change(open_night(NightOpened(game)))
        for name in players:
            self.change(sign_in(name))
        self.change(seat_next_round)
        self.change(start_round(self._now()))
