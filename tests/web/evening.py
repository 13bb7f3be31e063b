"""A real evening for phones: a journal, a referee on its socket, and the phones' server, all in one loop."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import date
from pathlib import Path
from random import Random
from ssl import SSLContext
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.gamekit.snapshot import Told
from companion.home.box_files import find_box
from companion.journal.store import Journal
from companion.messages.intentions import Act, Inquiry, Intention, Prepare
from companion.messages.looks import Preference
from companion.messages.phone_access import ResultsWish
from companion.messages.protocol import Knowledge
from companion.people.statistics_pages import results_of
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.link import ScreenLink
from companion.referee.referee import Referee
from companion.session.evening import Evening, game_body
from companion.web.access_codes import AccessCodes, new_codes
from companion.web.connection_limits import ConnectionLimits
from companion.web.hub import Hub
from companion.web.server import Listening, PhonesServer

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")
TONIGHT = date(2026, 11, 17)
HERE = "127.0.0.1"


class PhonesTable:
    """A table with people only. Nothing of it is simulated but the disk's slowness."""

    def __init__(
        self,
        folder: Path,
        header: Header,
        box: str,
        kit: Any = "none",
        *,
        simulated: tuple[int, ...] = (),
        stack: int | None = None,
        tls: SSLContext | None = None,
        preferences: Mapping[int, Preference] | None = None,
    ) -> None:
        """`stack`: the players have no cards, and Companion deals from a stack that this seed has shuffled."""
        self.journal = Journal.create(folder, date=TONIGHT)
        self.journal._ledger.durable = False
        deals = stack is not None
        entry = self.journal.append("game", game_body(header, box, simulated, kit, stack, deals=deals), "", "", 0.0)
        self.evening = Evening([entry])
        seat_pads = seat_pads_of(self.evening)
        dealer = simulated_table(self.evening, seat_pads, SimulationSettings(), deals=True) if deals else None
        self.dealer = dealer
        self.referee = Referee(self.journal, self.evening, seat_pads, dealer=dealer)
        self.link = ScreenLink(folder / "s", self.heed, self.inform)
        self.codes = new_codes(range(len(header.players)))
        self.reported: list[BaseException] = []
        self.hub = Hub(folder / "s", report=self.reported.append, preferences=preferences)
        self.limits = ConnectionLimits()
        self._folder, self._preferences = folder, preferences
        self.server = PhonesServer(Listening(HERE, 0, tls), AccessCodes(self.codes), self.hub, self.limits)
        self._talking: asyncio.Task[None] | None = None
        self.seating = list(range(len(header.players)))
        """Who sits where, each by their first seat, as the tests themselves have it."""
        self.heard: list[Intention] = []
        self.now = 0.0
        self.asked: list[Inquiry[Any]] = []

    async def open_phones(self) -> None:
        self._talking = asyncio.create_task(self.hub.link.run())
        await self.server.open()

    async def close_phones(self) -> None:
        """As if the phones' server had died."""
        await self.server.close()
        if self._talking is not None:
            self._talking.cancel()
            with suppress(asyncio.CancelledError):
                await self._talking

    async def reopen_phones(self) -> None:
        """Another server takes over, with the same codes, at the same address."""
        self.hub = Hub(self._folder / "s", report=self.reported.append, preferences=self._preferences)
        self.limits = ConnectionLimits()
        self.server = PhonesServer(self.server.place, AccessCodes(self.codes), self.hub, self.limits)
        await self.open_phones()

    def restart_referee(self) -> None:
        """Another referee goes on with the journal: it has the lines of entries, and none of what was refused."""
        self.referee = Referee(self.journal, self.evening, self.referee.session._seat_pads, dealer=self.dealer)
        self.publish()

    @property
    def url(self) -> str:
        return self.server.place.url

    def link_of(self, chair: int) -> str:
        return f"{self.url}/#{self.codes[chair]}"

    def heed(self, intention: Intention) -> Told:
        self.heard.append(intention)
        told = self.referee.heed(intention, self.now)
        self.publish()
        return told

    def inform(self, inquiry: Inquiry[Any]) -> Knowledge:
        self.asked.append(inquiry)
        return self.referee.inform(inquiry)

    def publish(self) -> None:
        self.link.publish(msgspec.json.encode(self.referee.snapshot()))

    def act(self, do: str, **fields: Any) -> Told:
        """By a player at the table's own screen."""
        return self.heed(Act(f"screen{len(self.heard)}", {"do": do, **fields}))

    def prepared(self) -> None:
        self.heed(Prepare(f"screen{len(self.heard)}", 99))

    def legal(self) -> list[dict[str, Any]]:
        legal = self.evening.game.legal(self.evening.state)
        return [msgspec.json.decode(msgspec.json.encode(action)) for action in legal]

    def useful(self) -> list[dict[str, Any]]:
        """What brings the game on: no player changes their mind, and no player wants it to end before its time."""
        game, state = self.evening.game, self.evening.state
        settled = game.settled(state) if game.settled and not self.over else ()
        return [each for each in self.legal() if each.get("seat") not in settled and each["do"] != "end"]

    def deal(self) -> None:
        """What Companion does for all players before the next one can act."""
        while self.dealer and (deed := self.dealer.next(self.referee.snapshot(), 0)):
            for _wait_ms, given in deed.steps:
                assert isinstance(given, Act)
                assert self.heed(given).kind == "accepted"

    def play_on(self, chance: Random) -> None:
        """One action, by a player at the table's own screen."""
        assert self.act(**chance.choice(self.useful())).kind == "accepted"

    async def results_page(self, wish: ResultsWish) -> str:
        """As the supervisor of a real server makes it."""
        return results_of(self.journal.path, wish, 100_000)

    @property
    def over(self) -> bool:
        return self.evening.game.awaiting(self.evening.state) is None


@asynccontextmanager
async def evening(
    game: str = "lascaux",
    players: int = 3,
    *,
    options: Mapping[str, Any] | None = None,
    first: int = 0,
    box: str = "",
    **how: Any,
) -> AsyncIterator[PhonesTable]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="phones-")))
        header = Header(game, NAMES[:players], first, dict(options or {}))
        table = PhonesTable(folder, header, box or find_box(discovery.find(game)).text, **how)
        stack.callback(table.journal.close)
        await table.link.open()
        stack.push_async_callback(table.link.close)
        table.publish()
        await table.open_phones()
        try:
            yield table
        finally:
            await table.close_phones()


# --- A phone without a browser --------------------------------------------------------------------------------


class BarePhone:
    """Speaks as the page does, and keeps every byte that it was sent."""

    def __init__(self, table: PhonesTable, chair: int) -> None:
        self.table, self.chair = table, chair
        self.session = ClientSession(cookie_jar=CookieJar(unsafe=True))  # the address is a number
        self.socket: ClientWebSocketResponse | None = None
        self.bytes: list[bytes] = []
        self.view: dict[str, Any] = {}
        self._ids = 0

    async def join(self, code: str | None = None) -> int:
        said = {"code": self.table.codes[self.chair] if code is None else code}
        async with self.session.post(f"{self.table.url}/join", json=said, headers=self.origin) as answer:
            return answer.status

    @property
    def origin(self) -> dict[str, str]:
        return {"Origin": self.table.url}

    async def sit(self, language: str = "en", cells: int = 34, **hello: object) -> "BarePhone":
        assert await self.join() == 204
        await self.come(language, cells, **hello)
        return self

    async def come(self, language: str = "en", cells: int = 34, **hello: object) -> dict[str, Any]:
        """With the cookie that it has."""
        table = f"{self.table.url}/table?page={id(self)}"
        self.socket = await self.session.ws_connect(table, headers=self.origin)
        await self.say({"is": "hello", "language": language, "cells": cells, **hello})
        self.view = {}
        return await self.see(lambda view: True)

    async def say(self, message: Any) -> None:
        assert self.socket is not None
        await self.socket.send_str(msgspec.json.encode(message).decode())

    async def act(self, **action: Any) -> dict[str, Any]:
        """What came of it."""
        self._ids += 1
        return await self.press({"is": "act", "action": action})

    async def press(self, send: dict[str, Any], named: str = "") -> dict[str, Any]:
        self._ids += 1
        named = named or f"id{self.chair}{self._ids}"
        begun = {"begun": self.table.evening.played_game.number} if send["is"] == "act" else {}
        await self.say({**begun, **send, "id": named})
        return await self.hear(lambda message: message.get("is") == "answer" and message["id"] == named)

    async def hear(self, wanted: Any) -> dict[str, Any]:
        assert self.socket is not None
        while True:
            message = await asyncio.wait_for(self.socket.receive(), 20)
            assert message.type is WSMsgType.TEXT, message
            self.bytes.append(message.data.encode())
            heard = msgspec.json.decode(message.data)
            if heard.get("is") == "view":
                self.view = heard
            if wanted(heard):
                return heard

    async def see(self, wanted: Any) -> dict[str, Any]:
        """The view, as soon as it is as wanted."""
        while not self.view or not wanted(self.view):
            await self.hear(lambda message: message.get("is") == "view")
        return self.view

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        await self.session.close()

    async def __aenter__(self) -> "BarePhone":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()
