"""All live tables of a hall, as the broker has them: the newest glance of each, and who wants to know what changes.

One client reads for all displays. A display follows one table at most, so only the views of those are subscribed to.
What a table sends is checked here; a payload that no table sends is dropped and reported, and changes nothing.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import aiomqtt
import msgspec

from companion.language.wording import plain
from companion.messages.broker import BrokerError, connected, subscribed
from companion.messages.live_tables import (
    ONLINE,
    BrokerAccess,
    Glance,
    TableTopics,
    every_table,
    read_glance,
    table_of,
    unpacked_view,
)

FIRST_PAUSE_S, LAST_PAUSE_S = 0.2, 10.0
"""Between two tries to connect."""
MOST_TABLES = 20_000
SKEW_S = 5.0
"""A table's clock that is this far from ours is wrong: its times are corrected."""

LiveView = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Language → width → a spectator's view."""


class LiveTile(NamedTuple):
    """A table on a display."""

    online: bool = False
    glance: Glance | None = None

    @property
    def shown(self) -> dict[str, Any]:
        """As a display gets it."""
        told = msgspec.to_builtins(self.glance) if self.glance else {}
        return {"online": self.online, **told}


class BoardListener(Protocol):
    def tile_changed(self, table: str, change: Mapping[str, Any]) -> None:
        """These fields of this tile have new values."""

    def view_changed(self, table: str, view: LiveView) -> None: ...
    def link_changed(self, problem: str) -> None:
        """Why the tables may have changed unseen; "" when they are live."""


class LiveBoard:
    def __init__(self, hall: str, access: BrokerAccess, clock: Callable[[], float] = time.time) -> None:
        self._hall, self._access, self._clock = hall, access, clock
        self.tiles: dict[str, LiveTile] = {}
        self.views: dict[str, LiveView] = {}
        """Of the tables that are followed."""
        self.problem = ""
        """Why the tables are not live now; "" if they are."""
        self.refused = 0
        """How many payloads no table of ours can have sent…"""
        self.last_refused = ""
        """…and the newest of them, in one line."""
        self.drama: tuple[str, Mapping[str, Any]] | None = None
        """The latest ruling that revealed something, and its table."""
        self._shown: dict[str, dict[str, Any]] = {}
        self._skews: dict[str, float] = {}
        self._followed: Counter[str] = Counter()
        self._listeners: dict[BoardListener, None] = {}
        self._client: aiomqtt.Client | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def listen(self, listener: BoardListener) -> None:
        self._listeners[listener] = None

    def forget(self, listener: BoardListener) -> None:
        self._listeners.pop(listener, None)

    def shown(self, table: str) -> Mapping[str, Any]:
        """This tile as it was sent to displays."""
        return self._shown.get(table, {})

    # --- The broker -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Stay connected until cancelled."""
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                async with connected(self._access) as client:
                    await subscribed(client, self._access, [every_table(self._hall, "presence")], qos=0)
                    await subscribed(client, self._access, [every_table(self._hall, "glance")], qos=0)
                    self._client = client
                    for table in tuple(self._followed):  # displays go on following
                        await client.subscribe(TableTopics(self._hall, table).view)
                    self._set_problem("")
                    pause_s = FIRST_PAUSE_S
                    async for message in client.messages:
                        self._take(message)
            except BrokerError as error:
                self._set_problem(str(error))
            finally:
                self._client = None
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LAST_PAUSE_S)

    def _set_problem(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            for listener in tuple(self._listeners):
                listener.link_changed(problem)

    def _take(self, message: aiomqtt.Message) -> None:
        found, payload = table_of(str(message.topic)), message.payload
        if found is None or found[0].hall != self._hall or not isinstance(payload, bytes):
            return
        table, what = found[0].table, found[1]
        try:
            if what == "presence":
                self._tile(table, self.tiles.get(table, LiveTile())._replace(online=payload == ONLINE.encode()))
            elif what == "glance" and payload:
                glance = self._in_our_time(table, read_glance(payload), retained=message.retain)
                self._tile(table, self.tiles.get(table, LiveTile())._replace(glance=glance))
            elif what == "view" and payload and self._followed[table]:
                self._view(table, unpacked_view(payload))
        except ValueError as error:
            self.refused += 1
            self.last_refused = plain(f"{message.topic}: {error}", 300)

    def _in_our_time(self, table: str, glance: Glance, *, retained: bool) -> Glance:
        """A fresh message tells how far its table's clock is from ours."""
        if not retained:
            self._skews[table] = self._clock() - glance.at
        skew = self._skews.get(table, 0.0)
        if abs(skew) < SKEW_S:
            return glance
        since = None if glance.since is None else glance.since + skew
        return msgspec.structs.replace(glance, at=glance.at + skew, since=since)

    def _tile(self, table: str, tile: LiveTile) -> None:
        if table not in self.tiles and len(self.tiles) >= MOST_TABLES:
            return
        before, now = self._shown.get(table, {}), tile.shown
        self.tiles[table], self._shown[table] = tile, now
        change = {key: value for key, value in now.items() if key not in before or before[key] != value}
        change.pop("at", None)
        if "ruling" in change and change["ruling"] and "phase" in before:
            self.drama = table, change["ruling"]
        if change:
            for listener in tuple(self._listeners):
                listener.tile_changed(table, change)

    def _view(self, table: str, view: LiveView) -> None:
        self.views[table] = view
        for listener in tuple(self._listeners):
            listener.view_changed(table, view)

    # --- Following one table ----------------------------------------------------------------------------------

    def follow(self, table: str) -> None:
        """A display wants the view of this table."""
        self._followed[table] += 1
        if self._followed[table] == 1:
            self._later(lambda client: client.subscribe(TableTopics(self._hall, table).view))

    def unfollow(self, table: str) -> None:
        self._followed[table] -= 1
        if self._followed[table] <= 0:
            del self._followed[table]
            self.views.pop(table, None)
            self._later(lambda client: client.unsubscribe(TableTopics(self._hall, table).view))

    def _later(self, ask: Callable[[aiomqtt.Client], Any]) -> None:
        """After a lost connection everything that is followed is subscribed to again."""
        if (client := self._client) is None:
            return

        async def asked() -> None:
            with suppress(aiomqtt.MqttError):
                await ask(client)

        task = asyncio.create_task(asked())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
