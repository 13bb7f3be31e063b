"""A hall with a real broker, its board, its displays and its server, in one loop."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import aiomqtt
import msgspec
from playwright.async_api import Browser, Page

from companion.hall.hall import Hall
from companion.hall.hall_display import HallDisplays
from companion.hall.hall_server import HallServer
from companion.hall.hall_store import HallStore
from companion.hall.live_board import LiveBoard
from companion.hall.mosquitto import HALL
from companion.messages.broker import connected
from companion.messages.live_tables import Glance, PublicRuling, TableTopics
from companion.web.server import Listening
from tests.hall.brokers import CLUB, HERE, TestBroker, broker

NOW = 1_000_000.0


class LiveClub:
    def __init__(self, hall: Hall, real: TestBroker) -> None:
        self.hall, self.real = hall, real
        self.board = LiveBoard(CLUB, real.access(HALL), lambda: NOW)
        self.displays = HallDisplays(hall, self.board, lambda: NOW)
        self.server = HallServer(Listening(HERE, 0), hall, self.displays.routes)
        self.tables: dict[str, aiomqtt.Client] = {}
        self.failures: list[str] = []
        """What went wrong in a browser."""

    @property
    def url(self) -> str:
        return self.server.place.url

    @property
    def display_url(self) -> str:
        return f"{self.url}/in/{self.hall.guest_code}?display"

    async def say(self, table: str, glance: Glance | bytes, presence: str = "online") -> None:
        topics = TableTopics(CLUB, table)
        payload = glance if isinstance(glance, bytes) else msgspec.json.encode(glance)
        await self.tables[table].publish(topics.glance, payload, qos=1, retain=True)
        await self.tables[table].publish(topics.presence, presence, qos=1, retain=True)

    async def until(self, so) -> None:
        async with asyncio.timeout(20):
            while not so():
                await asyncio.sleep(0.01)

    async def open_display(self, browser: Browser, size: tuple[int, int] = (1920, 1080), **how) -> Page:
        context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, **how)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.failures.append(said.text))
        await page.goto(self.display_url)
        await page.wait_for_selector(f'html[data-tables="{len(self.board.tiles)}"]')
        return page


@asynccontextmanager
async def live_club(tables: Sequence[str] = ()) -> AsyncIterator[LiveClub]:
    async with AsyncExitStack() as stack:
        real = await stack.enter_async_context(broker(tables))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="hall-"))
        store = HallStore(f"{folder}/hall.sqlite")
        hall = Hall(store, lambda: NOW)
        await hall.open("Tuesdays")
        club = LiveClub(hall, real)
        await club.server.open()
        tasks = [asyncio.create_task(club.board.run()), asyncio.create_task(hall.run())]
        for table in tables:
            club.tables[table] = await stack.enter_async_context(connected(real.access(table)))
        try:
            yield club
        finally:
            club.displays.close()
            await club.server.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            store.close()


def glance(number: int = 0, **how) -> Glance:
    """Anna, Ben and Cleo play."""
    names = ("Anna", "Ben", "Cleo")
    name = names[number % 3]
    said = {"en": f"{name}: lay a stone or pass", "de": f"{name}: einen Stein legen oder passen"}
    lamps = tuple("turn" if seat == number % 3 else "" for seat in range(3))
    usual = {"game": "lascaux", "title": "Lascaux", "players": names, "phase": "playing", "entry": number, "at": NOW}
    more = {"turn": (number % 3,), "headline": said, "lamps": lamps, "thought": (1.0, 2.0, 3.0), "since": NOW - 65.0}
    return Glance(**(usual | more | how))


def ruling(number: int) -> PublicRuling:
    return PublicRuling(number, {"en": f"Anna takes {number} cards", "de": f"Anna nimmt {number} Karten"}, "L12")
