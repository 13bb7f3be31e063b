"""The hall's server: who may come in, and what tables get from it."""

import asyncio
import contextlib
import hmac
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from companion.hall import hall_server
from companion.hall.decisions import open_night, sign_in
from companion.hall.hall import Hall
from companion.hall.hall_messages import PROTOCOL, PROTOCOL_HEADER, TIME_HEADER, Joined, JoinRequest
from companion.hall.hall_pages import PageView, league_page
from companion.hall.hall_server import BODY_BYTES, BOX_BYTES, FIELDS, LOOKS, NEWCOMERS, SIGN_INS, HallServer
from companion.hall.hall_state import NightOpened
from companion.hall.hall_store import HallStore
from companion.web import rate_limit
from companion.web.server import Listening


@asynccontextmanager
async def running(place: Path) -> AsyncIterator[tuple[Hall, HallServer, aiohttp.ClientSession]]:
    store = HallStore(str(place / "hall.sqlite"))
    hall = Hall(store)
    await hall.open("Café")
    reported: list[BaseException] = []
    server = HallServer(Listening("127.0.0.1", 0), hall, report=reported.append)
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


# --- Hostile clients ------------------------------------------------------------------------------------------


async def _status(session: aiohttp.ClientSession, method: str, path: str, **how: Any) -> int:
    async with session.request(method, path, **how) as answer:
        return answer.status


async def _credential(hall: Hall, session: aiohttp.ClientSession) -> str:
    """Of a table that has joined."""
    async with session.post("/tables", data=msgspec.json.encode(JoinRequest(hall.table_code))) as answer:
        joined = msgspec.json.decode(await answer.read(), type=Joined)
    return f"Bearer {joined.table}:{joined.credential}"


def test_only_a_table_may_send_more_than_a_form_and_none_more_than_a_box(tmp_path) -> None:
    """256 connections without a code could fill a gigabyte otherwise."""

    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            assert await _status(session, "POST", "/tables", data=b" " * (BODY_BYTES + 1)) == 413
            known = {"Authorization": await _credential(hall, session)}
            assert await _status(session, "POST", "/table/take", data=b" " * (BODY_BYTES + 1), headers=known) == 413
            box = b'{"name":"","printed":"%s","tags":"x"}' % (b" " * (BODY_BYTES + 1))
            assert await _status(session, "PUT", "/boxes/lascaux", data=box, headers=known) == 409, "no tags"
            assert await _status(session, "PUT", "/boxes/lascaux", data=b" " * (BOX_BYTES + 1), headers=known) == 413

    asyncio.run(scene())


def test_nothing_compressed_is_unpacked(tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            body = zlib.compress(msgspec.json.encode(JoinRequest(hall.table_code)))
            packed = {"Content-Encoding": "deflate"}
            assert await _status(session, "POST", "/tables", data=body, headers=packed) == 400
            assert hall.state.tables == {}

    asyncio.run(scene())


@pytest.mark.parametrize("credential", [b"1:\xff\xfe", "1:é".encode(), b"\xff:x", b"%ff%00:x"])
def test_a_credential_that_is_no_text_is_a_wrong_one(credential, tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, server, session):
            await _credential(hall, session)
            for _ in range(12):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.place.port)
                head = f"POST /table/take HTTP/1.1\r\nHost: {server.place.host}\r\nContent-Length: 0\r\n"
                writer.write(head.encode() + b"Authorization: Bearer " + credential + b"\r\n\r\n")
                status = (await reader.readline()).split()[1]
                writer.close()
                assert status in (b"401", b"429")
            assert status == b"429"

    asyncio.run(scene())


def test_a_signature_that_is_no_text_signs_nobody_out(tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, server, session):
            async with session.get(f"/in/{hall.guest_code}", allow_redirects=False) as answer:
                cookie = answer.headers["Set-Cookie"].partition(";")[0].encode()
            reader, writer = await asyncio.open_connection("127.0.0.1", server.place.port)
            head = f"GET / HTTP/1.1\r\nHost: {server.place.host}\r\nConnection: close\r\n".encode()
            writer.write(head + b"Cookie: " + cookie + b"; companion-name=\xff.\xfe\r\n\r\n")
            assert (await reader.readline()).split()[1] == b"200"
            writer.close()

    asyncio.run(scene())


def test_a_guest_cannot_sign_out_somebody_else(tmp_path) -> None:
    """The players' code is no secret among players, so nothing that is made of it may say who they are."""

    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            await hall.change(open_night(NightOpened("lascaux")))
            await hall.change(sign_in("Ben"))
            async with session.get(f"/in/{hall.guest_code}", allow_redirects=False) as answer:
                cookie = answer.headers["Set-Cookie"].partition(";")[0]
            for key in (hall.guest_code, cookie.partition("=")[2], ""):
                seal = hmac.new(key.encode(), b"1 Ben", "sha256").hexdigest()
                forged = {"Cookie": f"{cookie}; companion-name={seal}.Ben"}
                async with session.get("/", headers=forged) as answer:
                    assert "You are signed in as" not in await answer.text()

    asyncio.run(scene())


def test_a_player_posts_forms_and_no_files_and_signs_in_a_few_people_a_minute(tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            async with session.get(f"/in/{hall.guest_code}", allow_redirects=False) as answer:
                mine = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}
            file = aiohttp.FormData()
            file.add_field("name", b"Anna", filename="anna.txt")
            assert await _status(session, "POST", "/sign-in", data=file, headers=mine) == 400
            long = {"name": "x" * BODY_BYTES}
            assert await _status(session, "POST", "/sign-in", data=long, headers=mine) == 413
            fields = "&".join(f"n{number}=" for number in range(FIELDS + 1))
            form = {**mine, "Content-Type": "application/x-www-form-urlencoded"}
            assert await _status(session, "POST", "/sign-in", data=fields, headers=form) == 400
            tried = [
                await _status(session, "POST", "/sign-in", data={"name": ""}, headers=mine) for _ in range(SIGN_INS + 5)
            ]
            assert tried.index(429) == SIGN_INS - 3, "the three above counted, too"

    asyncio.run(scene())


def test_an_error_of_ours_is_reported_only_if_a_client_with_a_code_has_met_it(tmp_path, monkeypatch) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, server, session):
            known = {"Authorization": await _credential(hall, session)}
            reported: list[BaseException] = []
            monkeypatch.setattr(server, "_tell", reported.append)
            monkeypatch.setattr(hall, "now", None)
            assert await _status(session, "GET", "/club") == 500
            assert reported == []
            assert await _status(session, "GET", "/club", headers=known) == 500
            assert [type(each) for each in reported] == [TypeError]
            for _ in range(20):
                await _status(session, "GET", "/club", headers=known)
            assert len(reported) == 5

    asyncio.run(scene())


def test_a_crowd_with_the_players_code_that_never_ends_its_requests_keeps_no_table_out(tmp_path, monkeypatch) -> None:
    """The players' code is on the display, for all to see."""
    monkeypatch.setattr(hall_server, "LOOKS", 2 * NEWCOMERS)  # as if they had many addresses

    async def scene() -> None:
        async with running(tmp_path) as (hall, server, session):
            known = {"Authorization": await _credential(hall, session)}
            async with session.get(f"/in/{hall.guest_code}", allow_redirects=False) as answer:
                cookie = answer.headers["Set-Cookie"].partition(";")[0]
            page = f"GET / HTTP/1.1\r\nHost: {server.place.host}\r\nCookie: {cookie}\r\n"
            crowd = []
            for _ in range(NEWCOMERS + 50):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.place.port)
                writer.write(f"{page}\r\n{page}".encode())  # one request, and half of another
                crowd.append((reader, writer))
            for reader, _writer in crowd[-20:]:
                assert (await reader.readline()).split()[1] == b"200"
            assert server._limits.waiting <= NEWCOMERS
            assert await _status(session, "GET", "/boxes/lascaux", headers=known) == 200
            for reader, _writer in crowd[:20]:
                with contextlib.suppress(ConnectionError):
                    await asyncio.wait_for(reader.read(), 5)  # it ends
            for _reader, writer in crowd:
                writer.close()

    asyncio.run(scene())


@pytest.mark.parametrize("clock", ["inf", "-1e999", "nan", "", "x" * 100])
def test_a_table_may_send_any_clock(clock: str, tmp_path) -> None:
    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            told = {"Authorization": await _credential(hall, session), TIME_HEADER: clock}
            assert await _status(session, "POST", "/table/take", data=b"{}", headers=told) == 409

    asyncio.run(scene())


def test_the_league_is_added_up_once_in_a_while_and_not_for_each_guest(tmp_path, monkeypatch) -> None:
    """After many nights it takes long, and nothing else happens in the hall meanwhile."""
    made = list[str]()

    def counted(view: PageView, *more: Any) -> str:
        made.append(view.language.code)
        return league_page(view, *more)

    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            async with session.get(f"/in/{hall.guest_code}", allow_redirects=False) as answer:
                cookie = answer.headers["Set-Cookie"].partition(";")[0]
            for language in ("en", "de", "en", "de"):
                async with session.get("/league", headers={"Accept-Language": language, "Cookie": cookie}) as answer:
                    assert f'lang="{language}"' in await answer.text()
            assert made == ["en", "de"]
            monkeypatch.setattr(hall_server, "LEAGUE_S", 0.0)
            assert await _status(session, "GET", "/league", headers={"Cookie": cookie}) == 200
            assert made == ["en", "de", "en"]

    monkeypatch.setattr(hall_server, "league_page", counted)
    asyncio.run(scene())


def test_a_guest_who_asks_without_end_has_to_wait_and_nobody_else_has(tmp_path, monkeypatch) -> None:
    """A page of a league is computed from all nights."""
    monkeypatch.setattr(rate_limit, "clock", lambda: 0.0)

    async def scene() -> None:
        async with running(tmp_path) as (hall, _server, session):
            cookies = []
            for code in (hall.guest_code, hall.director_code):
                async with session.get(f"/in/{code}", allow_redirects=False) as answer:
                    cookies.append({"Cookie": answer.headers["Set-Cookie"].partition(";")[0]})
            guest, director = cookies
            tried = [await _status(session, "GET", "/league", headers=guest) for _ in range(LOOKS + 5)]
            assert tried == [200] * LOOKS + [429] * 5
            assert await _status(session, "GET", "/league", headers=director) == 200

    asyncio.run(scene())
