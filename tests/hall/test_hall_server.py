"""The hall's server: who may come in, and what tables get from it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import msgspec

from companion.hall.hall import Hall
from companion.hall.hall_messages import PROTOCOL, PROTOCOL_HEADER, Joined, JoinRequest
from companion.hall.hall_server import HallServer
from companion.hall.hall_store import HallStore
from companion.web.server import Listening


@asynccontextmanager
async def running(place: Path) -> AsyncIterator[tuple[Hall, HallServer, aiohttp.ClientSession]]:
    store = HallStore(str(place / "hall.sqlite"))
    hall = Hall(store)
    await hall.open("Café")
    server = HallServer(Listening("127.0.0.1", 0), hall)
    await server.open()
    committing = asyncio.create_task(hall.run())
    async with aiohttp.ClientSession(server.place.url, headers={PROTOCOL_HEADER: str(PROTOCOL)}) as session:
        try:
            yield hall, server, session
        finally:
            committing.cancel()
            await asyncio.gather(committing, return_exceptions=True)
            await server.close()
            store.close()


def test_a_table_joins_with_the_code_that_the_hall_shows(tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            body = msgspec.json.encode(JoinRequest(hall.table_code.lower().replace("-", " ")))
            answer = await session.post("/tables", data=body)
            assert answer.status == 200
            joined = msgspec.json.decode(await answer.read(), type=Joined)
            assert (joined.table, joined.club) == ("1", "Café")
            assert [*hall.state.tables] == ["1"]
            assert joined.credential not in msgspec.json.encode(hall.state.tables["1"]).decode()
        async with running(tmp_path) as (again, _server, _session):
            assert again.state.tables == hall.state.tables
            assert again.table_code == hall.table_code

    asyncio.run(scene())


def test_a_table_with_a_wrong_code_does_not_join(tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            answers = [await session.post("/tables", data=b'{"code":"AAAA-AAAA"}') for _ in range(12)]
            assert {each.status for each in answers} == {403, 429}
            assert hall.state.tables == {}

    asyncio.run(scene())
