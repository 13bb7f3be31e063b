"""Who may come in, and what is refused: codes, cookies, foreign pages, crowds, rubbish."""

import asyncio
import socket
import ssl
import zlib
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession, CookieJar, WSMsgType, WSServerHandshakeError

from companion.messages.phone_access import ResultsWish
from companion.processes.certificate import certificate
from companion.web import connection_limits, rate_limit
from companion.web.access_codes import WATCHING, AccessCodes, new_code, new_codes
from companion.web.connection_limits import NEWCOMERS
from companion.web.phone_connection import UNREAD, Phone
from companion.web.server import COMINGS, COOKIE, MESSAGE_BYTES, RESULT_LOOKS, RESULT_REST, ResultPages
from companion.web.server_process import tls_context
from tests.web.evening import BarePhone, PhonesTable, evening


def test_a_code_has_128_bits_and_no_two_are_alike():
    codes = [new_code() for _ in range(1000)]
    assert len(set(codes)) == 1000
    assert {len(code) for code in codes} == {22}  # 22 letters of 6 bits


def test_a_cookie_is_made_of_a_code_and_does_not_tell_it():
    codes = new_codes(range(3))
    guests = AccessCodes(codes)
    for chair, code in codes.items():
        cookie = guests.cookie_for(code)
        assert cookie is not None
        assert guests.guest_of(cookie) == chair
        assert code not in cookie
    assert guests.cookie_for("") is None
    assert guests.guest_of("") is None
    assert guests.cookie_for(new_code()) is None


def test_a_code_made_anew_ends_the_old_one_and_its_cookie():
    guests = AccessCodes({0: "old", 1: "other"})
    cookie = guests.cookie_for("old")
    assert cookie is not None
    guests.renew(0, "new")
    assert guests.cookie_for("old") is None
    assert guests.guest_of(cookie) is None
    assert guests.cookie_for("new") is not None
    assert guests.cookie_for("other") is not None


def test_a_code_is_exchanged_for_a_cookie_that_no_page_can_read():
    async def play() -> None:
        async with evening() as table, BarePhone(table, 1) as phone:
            said = {"code": table.codes[1]}
            async with phone.session.post(f"{table.url}/join", json=said, headers=phone.origin) as answer:
                assert answer.status == 204
                cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
            assert table.codes[1] not in cookie

    asyncio.run(play())


@pytest.mark.parametrize("code", ["", "x", "A" * 22, "é" * 400])
def test_a_guessed_code_is_refused_and_soon_nothing_more_is_heard_from_there(code):
    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            answers = [await phone.join(code) for _ in range(14)]
            assert set(answers[:5]) <= {403, 413}
            assert set(answers) <= {403, 413, 429}
            assert len(code) > 100 or answers[-1] == 429
            assert await phone.join() == 204  # the right one is heard all the same

    asyncio.run(play())


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"code": 1}', "application/json", 400),
        (b"{", "application/json", 400),
        (b'{"code": ' + b"[" * 900, "application/json", 400),
        (b'{"code": "x"}', "text/plain", 415),
        (b'{"code": "' + b"x" * 1024 + b'"}', "application/json", 413),
        (b'{"code": "x"}', "application/json", 403),
        (b'{"code": "\\ud800"}', "application/json", 400),
    ],
)
def test_what_is_no_code_is_refused_with_the_status_that_says_why(body, kind, status):
    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            headers = {**phone.origin, "Content-Type": kind}
            async with phone.session.post(f"{table.url}/join", data=body, headers=headers) as answer:
                assert answer.status == status

    asyncio.run(play())


def test_nothing_compressed_is_unpacked():
    """64 KiB could become 64 MB."""

    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            body = zlib.compress(msgspec.json.encode({"code": table.codes[0]}))
            headers = {**phone.origin, "Content-Type": "application/json", "Content-Encoding": "deflate"}
            async with phone.session.post(f"{table.url}/join", data=body, headers=headers) as answer:
                assert answer.status == 400

    asyncio.run(play())


def test_a_phone_that_asks_and_never_reads_is_dropped_before_its_answers_fill_the_memory():
    async def play() -> None:
        aborted: list[bool] = []
        phone = Phone(Any, 0, Any, lambda: aborted.append(True))  # type: ignore[arg-type]
        for number in range(UNREAD):
            phone.answer(f"phone0.{number}", "accepted", "")
        assert (phone.dropped, aborted) == (False, [])
        phone.answer("phone0.last", "accepted", "")
        assert (phone.dropped, aborted) == (True, [True])

    asyncio.run(play())


ROADS = ["/", "/page.js", "/seat", "/table"]


@pytest.mark.parametrize("path", ROADS)
def test_another_name_for_us_is_not_ours(path):
    """A foreign DNS name may point to us: then the browser says that name."""

    async def play() -> None:
        async with evening() as table, ClientSession() as session:
            for host in ("evil.example", f"evil.example:{table.server.place.port}", "127.0.0.1", "localhost"):
                async with session.get(table.url + path, headers={"Host": host}) as answer:
                    assert answer.status == 421

    asyncio.run(play())


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://{host}", "http://{host}.evil.example", ""]
)
def test_another_page_can_neither_join_nor_speak(origin):
    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            assert await phone.join() == 204
            headers = {} if origin is None else {"Origin": origin.format(host=table.server.place.host)}
            said = {"code": table.codes[0]}
            async with phone.session.post(f"{table.url}/join", json=said, headers=headers) as answer:
                assert answer.status == 403
            with pytest.raises(WSServerHandshakeError) as refused:
                await phone.session.ws_connect(f"{table.url}/table", headers=headers)
            assert refused.value.status == 403

    asyncio.run(play())


def test_every_answer_forbids_scripts_from_elsewhere_and_frames():
    async def play() -> None:
        async with evening() as table, ClientSession() as session:
            for path in (*ROADS, "/nothing", "/../server.py"):
                async with session.get(table.url + path) as answer:
                    policy = answer.headers["Content-Security-Policy"]
                    assert "default-src 'none'" in policy
                    assert "script-src 'self'" in policy
                    assert "unsafe" not in policy
                    assert "frame-ancestors 'none'" in policy
                    assert "Access-Control-Allow-Origin" not in answer.headers
                    assert answer.headers["Cache-Control"] == "no-store"

    asyncio.run(play())


def test_a_page_loads_nothing_from_outside_and_has_no_inline_script():
    async def play() -> None:
        async with evening() as table, ClientSession() as session:
            for path in table.server._site.files:
                async with session.get(table.url + path) as answer:
                    body = await answer.text()
                    assert answer.status == 200
                    addresses = body.replace("http://www.w3.org/2000/svg", "")
                    assert "http://" not in addresses
                    assert "https://" not in addresses
                    assert "innerHTML" not in body
                    assert path != "/" or ("<script>" not in body and "onclick" not in body and " style=" not in body)

    asyncio.run(play())


def test_a_stolen_cookie_of_another_evening_is_worth_nothing():
    async def play() -> None:
        async with evening() as table, evening() as other:
            cookie = AccessCodes(other.codes).cookie_for(other.codes[0])
            async with ClientSession() as session:
                with pytest.raises(WSServerHandshakeError) as refused:
                    await session.ws_connect(
                        f"{table.url}/table", headers={"Origin": table.url, "Cookie": f"{COOKIE}={cookie}"}
                    )
            assert refused.value.status == 401

    asyncio.run(play())


def test_a_lost_phone_is_sent_away_and_its_code_is_dead():
    async def play() -> None:
        async with (
            evening() as table,
            BarePhone(table, 0) as lost,
            BarePhone(table, 1) as other,
            BarePhone(table, 0) as new,
        ):
            await lost.sit()
            await other.sit()
            table.codes[0] = new_code()
            table.server.renew(0, table.codes[0])
            assert lost.socket is not None
            message = await asyncio.wait_for(_last(lost), 10)
            assert message in (WSMsgType.CLOSED, WSMsgType.CLOSE, WSMsgType.ERROR)
            async with lost.session.get(f"{table.url}/seat") as answer:
                assert answer.status == 401
            await new.sit()
            assert new.view["name"] == "Anna"
            assert table.hub.counts == {0: 1, 1: 1}
            await new.leave()

    asyncio.run(play())


async def _last(phone: BarePhone) -> WSMsgType:
    assert phone.socket is not None
    while (message := await phone.socket.receive()).type is WSMsgType.TEXT:
        pass
    return message.type


RUBBISH = [
    "",
    "{",
    "null",
    "[" * 5000,
    '{"is":"act","id":"x","begun":1,"action":' + '{"a":' * 2000 + "1" + "}" * 2000 + "}",
    '{"is":"hello","cells":-3}',
    '{"is":"hello","language":"' + "x" * 100 + '"}',
    '{"is":"settle","id":"x","what":"shut down"}',
    '{"is":"act","id":"' + "x" * 41 + '","action":{},"begun":1}',
    '{"is":"peek","id":"x","seat":1}',
    '{"is":"open","path":[]}',
    "x" * (MESSAGE_BYTES + 1),
    b"\x00\x01",
]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=range(len(RUBBISH)))
def test_rubbish_ends_one_connection_and_nothing_else(rubbish):
    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as bad, BarePhone(table, 1) as good:
            await bad.sit()
            await good.sit()
            assert bad.socket is not None
            with suppress(ConnectionError):
                await (bad.socket.send_bytes(rubbish) if isinstance(rubbish, bytes) else bad.socket.send_str(rubbish))
            assert await asyncio.wait_for(_last(bad), 10) is not WSMsgType.TEXT
            table.prepared()
            await good.see(lambda view: "box" not in view)
            assert [each for each in table.heard if not each.id.startswith("screen")] == []

    asyncio.run(play())


def test_a_phone_that_says_too_much_is_disconnected(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rate_limit, "clock", lambda: now[0])

    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            await phone.sit()
            with suppress(ConnectionError):
                for _ in range(rate_limit.AT_ONCE + 5):
                    await phone.say({"is": "open", "path": [0]})
            assert await asyncio.wait_for(_last(phone), 10) is not WSMsgType.TEXT

    asyncio.run(play())


CONTROL = {"ping": b"\x89\x80\0\0\0\0", "pong": b"\x8a\x80\0\0\0\0", "part": b"\x00\x80\0\0\0\0"}
"""A ping, a pong, and an empty part of a message that never ends: six bytes each, as a client masks them."""


@pytest.mark.parametrize("kind", CONTROL)
def test_a_phone_that_sends_control_frames_without_end_is_disconnected_and_no_other_waits(kind, monkeypatch):
    """An honest phone sends one pong in fifteen seconds. The clock stands still: no allowance grows again."""
    now = [0.0]
    monkeypatch.setattr(rate_limit, "clock", lambda: now[0])

    async def play() -> None:
        async with evening() as table, BarePhone(table, WATCHING) as flood, BarePhone(table, 0) as honest:
            table.prepared()
            await flood.sit()
            await honest.sit()
            assert flood.socket is not None
            line: Any = flood.socket._response.connection.transport
            if kind == "part":
                line.write(b"\x01\x80\0\0\0\0")  # a text begins
            for _ in range(100):
                if line.is_closing():
                    break
                line.write(CONTROL[kind] * 1000)
                await asyncio.sleep(0)
            assert await asyncio.wait_for(_last(flood), 10) is not WSMsgType.TEXT
            while table.hub.counts[WATCHING]:
                await asyncio.sleep(0.01)
            drawn = table.legal()[0]
            assert (await honest.act(**drawn))["kind"] == "accepted"

    asyncio.run(play())


def test_a_ping_is_answered():
    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as phone:
            await phone.sit()
            assert phone.socket is not None
            phone.socket._autoping = False
            await phone.socket.ping(b"there?")
            while (message := await asyncio.wait_for(phone.socket.receive(), 10)).type is WSMsgType.TEXT:
                pass
            assert (message.type, bytes(message.data)) == (WSMsgType.PONG, b"there?")

    asyncio.run(play())


def test_a_phone_that_is_let_go_again_and_again_has_to_wait_before_it_comes_back(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rate_limit, "clock", lambda: now[0])

    async def play() -> None:
        async with evening() as table, BarePhone(table, WATCHING) as flood:
            assert await flood.join() == 204
            for _ in range(COMINGS):
                await flood.come()
            with pytest.raises(WSServerHandshakeError) as refused:
                await flood.come()
            assert refused.value.status == 429
            now[0] = 2.0
            await flood.come()

    asyncio.run(play())


def test_a_phone_that_asks_for_results_without_end_has_to_wait(monkeypatch):
    """Each other person is another page, and the table's own screen makes it."""
    monkeypatch.setattr(rate_limit, "clock", lambda: 0.0)
    made: list[str] = []

    async def make(wish: ResultsWish) -> str:
        made.append(wish.person)
        return "<style></style>"

    async def play() -> None:
        async with evening() as table, BarePhone(table, WATCHING) as phone:
            table.server._results = ResultPages(make)
            await phone.join()
            tried = []
            for number in range(RESULT_LOOKS + 5):
                async with phone.session.get(f"{table.url}/results?person={number}") as answer:
                    tried.append(answer.status)
            assert tried == [200] * RESULT_LOOKS + [429] * 5
            assert made == [str(number) for number in range(RESULT_LOOKS)]

    asyncio.run(play())


@pytest.mark.parametrize("fails", [False, True])
def test_pages_of_results_leave_the_table_most_of_its_time(fails):
    times: list[float] = []

    async def make(wish: ResultsWish) -> str:
        times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.1)
        times.append(asyncio.get_running_loop().time())
        if fails:
            raise TimeoutError
        return "page"

    async def ask() -> None:
        pages = ResultPages(make)
        wishes = [ResultsWish("en", person) for person in ("Anna", "Ben", "Cleo")]
        await asyncio.gather(*(pages.page(wish, 1) for wish in wishes), return_exceptions=True)
        if not fails:
            assert await pages.page(wishes[-1], 1) == "page"  # at once: it is kept

    asyncio.run(ask())
    assert len(times) == 6
    for begun, ended, next_begun in zip(times[::2], times[1::2], times[2::2], strict=False):
        assert next_begun - ended >= 0.99 * RESULT_REST * (ended - begun)


def test_an_allowance_grows_again_with_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rate_limit, "clock", lambda: now[0])
    allowance = rate_limit.Allowance(3, 2.0)
    assert [allowance.takes() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [allowance.takes() for _ in range(2)] == [True, False]


# --- Crowds ---------------------------------------------------------------------------------------------------


async def _crowd(table: PhonesTable, many: int) -> list[socket.socket]:
    """Connections that say nothing, or half a request, or a request again and again."""
    loop = asyncio.get_running_loop()
    found = []
    for number in range(many):
        each = socket.socket()
        each.setblocking(False)
        with suppress(OSError):
            await asyncio.wait_for(loop.sock_connect(each, ("127.0.0.1", table.server.place.port)), 5)
            with suppress(OSError):
                if number % 2:
                    await loop.sock_sendall(each, b"GET / HTTP/1.1\r\nHost: ")
        found.append(each)
    return found


def test_a_thousand_connections_keep_no_player_out_and_the_game_goes_on():
    async def play() -> None:
        async with evening() as table, BarePhone(table, 0) as first, BarePhone(table, 1) as second:
            await first.sit()
            crowd = await _crowd(table, 1000)
            try:
                await second.sit()
                assert table.limits.waiting <= 64
                table.prepared()
                await first.see(lambda view: "box" not in view)
                await second.see(lambda view: "box" not in view)
                assert (await first.act(do="draw", card=table.legal()[0]["card"]))["kind"] == "accepted"
            finally:
                for each in crowd:
                    each.close()

    asyncio.run(play())


def test_connections_that_never_end_their_handshake_are_counted_too(monkeypatch, tmp_path):
    """Else a crowd of them takes all files that a process may have open."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    tls = tls_context(certificate("127.0.0.1").pem)

    async def play() -> None:
        async with evening(tls=tls) as table, ClientSession() as session:
            crowd = await _crowd(table, 3 * NEWCOMERS)
            try:
                loop = asyncio.get_running_loop()
                for each in crowd[:NEWCOMERS]:
                    assert await asyncio.wait_for(_hears_the_end(loop, each), 10)
                async with session.get(f"{table.url}/seat", ssl=False) as answer:
                    assert answer.status == 401
                assert table.limits.waiting <= NEWCOMERS
            finally:
                for each in crowd:
                    each.close()
            for _ in range(500):
                if not table.limits.waiting:
                    break
                await asyncio.sleep(0.01)
            assert table.limits.waiting <= 1

    asyncio.run(play())


def test_a_handshake_that_takes_too_long_is_ended(monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setattr(connection_limits, "HANDSHAKE_S", 0.2)
    tls = tls_context(certificate("127.0.0.1").pem)

    async def play() -> None:
        async with evening(tls=tls) as table:
            (silent,) = await _crowd(table, 1)
            assert await asyncio.wait_for(_hears_the_end(asyncio.get_running_loop(), silent), 10)
            silent.close()
            assert table.limits.waiting == 0

    asyncio.run(play())


def test_a_phone_that_has_shown_its_cookie_no_longer_counts_encrypted_or_not(monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    tls = tls_context(certificate("127.0.0.1").pem)

    async def play() -> None:
        for encrypted in (None, tls):
            async with evening(tls=encrypted) as table, ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
                table.limits._stay_s = 0.3
                here = {"Origin": table.url}
                said = {"code": table.codes[0]}
                async with session.post(f"{table.url}/join", json=said, headers=here, ssl=False) as answer:
                    assert answer.status == 204
                url = f"{table.url.replace('http', 'ws', 1)}/table"
                async with session.ws_connect(url, headers=here, ssl=False) as line:
                    await asyncio.sleep(0.6)
                    assert table.hub.counts == {0: 1}
                    await line.send_json({"is": "hello"})
                    assert (await asyncio.wait_for(line.receive(), 10)).type is WSMsgType.TEXT

    asyncio.run(play())


def test_a_connection_without_a_cookie_is_closed_after_a_while():
    async def play() -> None:
        async with evening() as table:
            table.limits._stay_s = 0.2
            (silent,) = await _crowd(table, 1)
            loop = asyncio.get_running_loop()
            assert await asyncio.wait_for(_hears_the_end(loop, silent), 10)
            silent.close()
            assert table.limits.waiting == 0

    asyncio.run(play())


def test_a_connection_that_has_left_counts_no_more():
    async def play() -> None:
        async with evening() as table:
            (left,) = await _crowd(table, 1)
            while not table.limits.waiting:
                await asyncio.sleep(0.01)
            left.close()
            async with asyncio.timeout(10):
                while table.limits.waiting:
                    await asyncio.sleep(0.01)

    asyncio.run(play())


async def _hears_the_end(loop: asyncio.AbstractEventLoop, each: socket.socket) -> bool:
    try:
        return await loop.sock_recv(each, 1) == b""
    except ConnectionResetError:
        return True


MOST_UNREAD = 16 * 1024
"""A few views: nothing piles up."""


def test_a_phone_that_reads_nothing_costs_the_others_nothing(monkeypatch):
    """What it does not read does not pile up, and after a while it is let go; meanwhile the others see everything."""
    from companion.web import phone_connection as phones

    monkeypatch.setattr(phones, "PATIENCE_S", 0.3)

    async def play() -> None:
        async with evening() as table, BarePhone(table, 1) as quick, BarePhone(table, 0) as slow:
            await slow.sit()
            (theirs,) = table.hub.phones
            await quick.sit()
            table.prepared()
            assert slow.socket is not None
            here: Any = slow.socket._response.connection.transport
            abort: Any = theirs._abort
            there = abort.__self__
            there.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            here.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            here.pause_reading()
            chance = Random(2)
            while table.hub.counts[0] and not table.over:
                table.play_on(chance)
                entry = table.evening.number
                await quick.see(lambda view, entry=entry: view["entry"] == entry)
                assert there.get_write_buffer_size() < MOST_UNREAD
            for _ in range(500):
                if not table.hub.counts[0]:
                    break
                await asyncio.sleep(0.02)
            assert table.hub.counts == {1: 1}
            here.abort()

    asyncio.run(play())


@pytest.mark.parametrize(("guest", "most"), [(WATCHING, 40), (0, 4)])
def test_as_many_phones_as_promised_come_and_stay_and_one_more_is_refused_until_there_is_room(guest, most):
    """The real numbers: 40 spectators, and 4 phones for each player."""

    async def play() -> None:
        async with evening() as table, AsyncExitStack() as stack:
            phones = [await stack.enter_async_context(BarePhone(table, guest)) for _ in range(most)]
            for phone in phones:
                await phone.sit()
            late = await stack.enter_async_context(BarePhone(table, guest))
            assert await late.join() == 204
            for _ in range(3):
                with pytest.raises(WSServerHandshakeError) as refused:
                    await late.session.ws_connect(f"{table.url}/table", headers=late.origin)
                assert refused.value.status == 429
            async with late.session.get(f"{table.url}/seat") as told:
                assert told.status == 429  # so that the page can say why
            table.prepared()
            for phone in phones:  # all of them are still here
                await phone.see(lambda view: view["entry"] == table.evening.number)
            assert table.hub.counts == {guest: most}
            await phones[0].leave()
            while table.hub.counts[guest] == most:
                await asyncio.sleep(0.01)
            await late.come()

    asyncio.run(play())


def test_pages_that_come_back_take_their_own_place_and_no_other_player_s():
    """A line that has died looks alive for a while. With a full table every player can reconnect all the same."""

    async def play() -> None:
        async with evening() as table, AsyncExitStack() as stack:
            phones = [await stack.enter_async_context(BarePhone(table, WATCHING)) for _ in range(40)]
            for phone in phones:
                await phone.sit()
            before = [phone.socket for phone in phones]
            for phone in phones[:5]:
                await phone.come()
            while table.hub.counts[WATCHING] > 40:
                await asyncio.sleep(0.01)
            assert table.hub.counts == {WATCHING: 40}
            table.prepared()
            for phone in phones:
                await phone.see(lambda view: view["entry"] == table.evening.number)
            for old in before[:5]:
                assert old is not None
                await old.close()

    asyncio.run(play())


def test_a_port_that_is_taken_is_told_or_the_next_one_is_used():
    from companion.errors import LinkError
    from companion.web.hub import Hub
    from companion.web.server import Listening, PhonesServer

    async def play() -> None:
        async with evening() as table:
            port = table.server.place.port
            hub = Hub(table.link._path)
            second = PhonesServer(Listening("127.0.0.1", port), AccessCodes({}), hub)
            with pytest.raises(LinkError, match="is taken"):
                await second.open()
            await second.close()
            third = PhonesServer(Listening("127.0.0.1", port), AccessCodes({}), hub)
            await third.open(ports=50)
            assert third.place.port != port
            await third.close()

    asyncio.run(play())


def test_the_usual_port_goes_without_saying_as_browsers_have_it():
    from companion.web.server import Listening

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    assert Listening("10.0.0.2", 80).url == "http://10.0.0.2"
    assert Listening("10.0.0.2", 443, tls).url == "https://10.0.0.2"
    assert Listening("10.0.0.2", 443).url == "http://10.0.0.2:443"
    assert Listening("fd00::2", 8137).url == "http://[fd00::2]:8137"


def test_a_cookie_jar_full_of_rubbish_is_no_cookie():
    async def play() -> None:
        async with evening() as table, ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            for rubbish in ("companion", "companion=", "companion=" + "x" * 9000, "=;;;=", "\x80=1", 'companion="é"'):
                async with session.get(f"{table.url}/seat", headers={"Cookie": rubbish}) as answer:
                    assert answer.status in (400, 401)

    asyncio.run(play())


def test_the_page_about_the_certificate_goes_to_any_port_where_its_own_is_taken():
    from companion.web.hub import Hub
    from companion.web.server import TRUST_PORT, Listening, PhonesServer

    async def play() -> None:
        async with evening() as table:
            taken = table.server.place.port
            place = Listening("127.0.0.1", taken - TRUST_PORT)
            server = PhonesServer(place, AccessCodes({}), Hub(table.link._path))
            await server._explain()
            assert server.trust.startswith("http://127.0.0.1:")
            assert not server.trust.endswith(f":{taken}")
            server._unencrypted.close()

    asyncio.run(play())
