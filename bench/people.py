"""Results: how long all journals take from cold, and a page of results on a phone.

The other side of the fold is SQLite, which reads every row of the same files; that of the page is a bare aiohttp
server with a page of the same size.
"""

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import aiohttp
from aiohttp import web

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.language.screen_language import LANGUAGES
from companion.messages.phone_access import ResultsWish
from companion.people.past_games import past_games
from companion.people.persons import People
from companion.people.result_pages import EveningResults
from companion.people.statistics_pages import results_page
from companion.web.access_codes import WATCHING, AccessCodes, new_codes
from companion.web.hub import Hub
from companion.web.server import Listening, PhonesServer
from tests.people.evenings import played

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
PLAYERS = ("Anna", "Ben", "Cleo")
EVENINGS = 48
ROUNDS, REQUESTS = 9, 200


def figures(effort: Effort = WHOLE) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        evenings = Path(folder)
        for number in range(effort.of(EVENINGS)):
            played(evenings, GAMES[number % len(GAMES)], PLAYERS, number + 1)
        return [_fold(evenings, effort), asyncio.run(_page(evenings, effort))]


def _fold(evenings: Path, effort: Effort) -> Figure:
    """In processor time: all of it is computing, and other programs may be running."""
    journals = sorted(evenings.glob("*.journal"))

    def ours() -> float:
        began = time.process_time()
        past_games(evenings)
        return time.process_time() - began

    def sqlite() -> float:
        began = time.process_time()
        for path in journals:
            with closing(sqlite3.connect(path)) as base:
                (table,) = base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchone()
                base.execute(f"SELECT * FROM {table}").fetchall()
        return time.process_time() - began

    measured = medians(effort.of(ROUNDS), ours, sqlite, warm_up=effort.warm_up)
    per = 1000 / len(journals)
    detail = f"a thousand evenings take {per * median(measured, 0):.1f} s; SQLite {per * median(measured, 1):.2f} s"
    return Figure("evenings folded from cold ÷ SQLite reading their rows", ratio(measured, 0, 1), 10.0, False, detail)


async def _page(evenings: Path, effort: Effort) -> Figure:
    past = past_games(evenings).games
    text = results_page(EveningResults(past[-1:], past, People()))
    codes = new_codes(range(2))

    async def make(_wish: ResultsWish) -> str:
        return text

    async def static(_request: web.Request) -> web.Response:
        return web.Response(text=text, content_type="text/html")

    server = PhonesServer(
        Listening("127.0.0.1", 0),
        AccessCodes(codes),
        Hub(_no_referee, lambda: None, lambda error: None),
        results=make,
    )
    await server.open()
    bare = web.Application()
    bare.router.add_get("/", static)
    runner = web.AppRunner(bare, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    here, there = server.place.url, f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as phone:
            await phone.post(f"{here}/join", json={"code": codes[WATCHING]}, headers={"Origin": here})
            pages = f"{here}/results?language={LANGUAGES[0]}", there
            rows = [[await _took(phone, page, effort) for page in pages] for _ in range(effort.of(ROUNDS))]
    finally:
        await server.close()
        await runner.cleanup()
    detail = f"{1000 * median(rows, 0):.2f} ms for {len(text.encode()) / 1024:.0f} KiB; {1000 * median(rows, 1):.2f} ms"
    return Figure("a page of results, warm ÷ a static page of its size", ratio(rows, 0, 1), 2.0, False, detail)


async def _took(phone: aiohttp.ClientSession, path: str, effort: Effort) -> float:
    """Seconds for one request."""
    requests = effort.of(REQUESTS)
    began = time.perf_counter()
    for _ in range(requests):
        async with phone.get(path) as answer:
            assert answer.status == 200
            await answer.read()
    return (time.perf_counter() - began) / requests


async def _no_referee() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    raise ConnectionRefusedError
