"""The phones' server: pages and WebSockets on one address, for phones with a code.

It trusts no client. `Host` and `Origin` have to be ours, so that no other page can use a phone's cookie, and no foreign
DNS name that points here is answered. Messages, connections and their rates are limited.
"""

import asyncio
import contextlib
import errno
import logging
import ssl
from base64 import b64encode
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import Any, Protocol

import msgspec
from aiohttp import web
from msgspec import Struct

from companion.errors import LinkError
from companion.language.screen_language import LANGUAGES
from companion.language.wording import plain
from companion.messages.phone_access import ResultsWish, result_link
from companion.web.access_codes import WATCHING, AccessCodes, Guest
from companion.web.connection_limits import STAY_S, ConnectionLimits
from companion.web.page_files import FIGURE_ROUTE, LINKED, Site, figure_file, inline_hash, site
from companion.web.phone_connection import Connection, Phone
from companion.web.rate_limit import Allowance

COOKIE = "companion"
COOKIE_BYTES = 4096
EVENING_S = 24 * 3600
"""A phone that was switched off and on again still has its seat."""
MESSAGE_BYTES = 8 * 1024
"""Our messages are never longer."""
JOIN_BYTES = 1024
PER_PLAYER, SPECTATORS = 4, 40
"""How many phones one player may have, and how many spectators there may be. One more is refused and keeps trying: if
it replaced another, that one would come back, and so on for ever."""
COMINGS, COMINGS_A_SECOND = 60, 1.0
"""How often phones at one address may connect."""
PAGE_NAME = 40
WALL = "wall"
"""In the query of a page on a wall."""
HEARTBEAT_S = 15.0
"""How often a phone is pinged: a sleeping one does not answer."""
GUESSES, GUESSES_A_SECOND = 10, 0.2
"""How often a client at one address may try an unknown code."""
ADDRESSES = 1000
"""How many addresses are remembered."""
TRUST_PORT = 10
"""How far behind the table's port the page is that explains its certificate."""
RESULTS_S = 10.0
"""How long a page of results is kept before it is made again."""
RESULT_PAGES = 40
"""How many of them are kept at most."""
RESULT_LOOKS, RESULT_LOOKS_A_SECOND = 20, 0.5
"""How often phones at one address may ask for one."""
RESULT_REST = 3
"""After a page the next one waits this many times as long as it took: the table's screen makes them."""
SELECTION_LENGTH = 60
"""How long the name of a person or game may be in the query of a page of results."""
LAST_PORT = 65535


class Listening(Struct, frozen=True):
    """Where it listens."""

    address: str
    port: int
    tls: ssl.SSLContext | None = None

    @property
    def host(self) -> str:
        """As browsers write it: without the default port."""
        name = f"[{self.address}]" if ":" in self.address else self.address
        return name if self.port == (443 if self.tls else 80) else f"{name}:{self.port}"

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}"


_SILENT = logging.getLogger("companion.web.unheard")
"""aiohttp's log of malformed requests: any client could fill it with a gigabyte."""
_SILENT.disabled = True


def _allowance(known: dict[str, Allowance], address: str, at_once: int, a_second: float) -> Allowance:
    if address not in known and len(known) >= ADDRESSES:
        known.pop(next(iter(known)))
    return known.setdefault(address, Allowance(at_once, a_second))


def _page(request: web.Request) -> str:
    """The page's own id; "" if it sends none."""
    return request.query.get("page", "")[:PAGE_NAME]


def _hash(text: str) -> str:
    """As a policy names a style that stands in a page."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


class ResultPages:
    """Pages of results, each kept for a moment. One is made at a time, however many phones ask."""

    def __init__(self, make: Callable[[ResultsWish], Awaitable[str]]) -> None:
        self._make = make
        self._kept: dict[ResultsWish, tuple[float, int, str]] = {}
        self._making = asyncio.Lock()
        self._rest_until = 0.0

    async def page(self, wish: ResultsWish, entry: int) -> str:
        """`entry`: the newest one of the journal; a page from before it is not shown. Raises OSError if it cannot be
        made now."""
        time = asyncio.get_running_loop().time
        async with self._making:
            now = time()
            made_at, made_for, page = self._kept.get(wish, (now - RESULTS_S, entry, ""))
            if now - made_at >= RESULTS_S or made_for != entry:
                await asyncio.sleep(self._rest_until - now)
                begun = time()
                try:
                    page = await self._make(wish)
                finally:
                    self._rest_until = time() + min(RESULT_REST * (time() - begun), RESULTS_S)
                self._kept.pop(wish, None)
                self._kept[wish] = begun, entry, page
                if len(self._kept) > RESULT_PAGES:
                    del self._kept[next(iter(self._kept))]
            return page


class _Join(Struct, frozen=True):
    code: str


class ServerHub(Protocol):
    """Knows all connected phones: those of a table, or those that enrol a box."""

    @property
    def phones(self) -> Sequence[Connection]: ...

    @property
    def entry(self) -> int:
        """The newest one of the journal; 0 if there is none."""

    def welcome(self, phone: Any) -> None: ...

    def part(self, phone: Any) -> None: ...

    def expel(self, guest: Guest) -> None: ...

    def report(self, error: BaseException) -> None: ...


class PhonesServer:
    connection: Callable[..., Connection] = Phone
    pages: Callable[[], Site] = staticmethod(site)

    def __init__(
        self,
        place: Listening,
        guests: AccessCodes,
        hub: ServerHub,
        limits: ConnectionLimits | None = None,
        results: Callable[[ResultsWish], Awaitable[str]] | None = None,
    ) -> None:
        """`results`: makes a page of results; it may raise OSError."""
        self.place, self._guests, self._hub = place, guests, hub
        self._results = ResultPages(results) if results else None
        self._limits = limits or ConnectionLimits()
        self._site = self.pages()
        self._guesses: dict[str, Allowance] = {}
        self._comings: dict[str, Allowance] = {}
        self._looks: dict[str, Allowance] = {}
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None
        self._unencrypted: asyncio.Server | None = None
        self.trust = ""
        """With TLS: where a page explains the warning, without encryption."""

    # --- Listening --------------------------------------------------------------------------------------------

    async def open(self, ports: int = 1) -> None:
        """Listen on the address, on its port or on one of the next ones. Raises LinkError."""
        app = web.Application(client_max_size=JOIN_BYTES, middlewares=[self._check])
        app.router.add_post("/join", self._join)
        app.router.add_get("/table", self._table)
        app.router.add_get("/seat", self._seat)
        app.router.add_get("/results", self._show_results)
        for path in self._site.files:
            app.router.add_get(path, self._file)
        app.router.add_get(FIGURE_ROUTE, self._figure)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=_SILENT,
            keepalive_timeout=STAY_S,
            shutdown_timeout=1.0,
            auto_decompress=False,  # no page of ours compresses what it sends
        )
        await self._runner.setup()
        assert self._runner.server is not None
        first = self.place.port
        last = min(first + ports - 1, LAST_PORT)
        for port in range(first, last + 1):
            try:
                self._server = await self._limits.listen(self._runner.server, self.place.address, port, self.place.tls)
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise LinkError(f"phones cannot come to {self.place.address}: {error.strerror}") from None
            else:
                self.place = msgspec.structs.replace(self.place, port=self._server.sockets[0].getsockname()[1])
                if self.place.tls:
                    await self._explain()
                return
        taken = f"port {first} is taken" if first == last else f"ports {first} to {last} are taken"
        raise LinkError(f"phones cannot come to {self.place.address}: {taken}; say another with --port")

    async def _explain(self) -> None:
        """A phone that does not trust the table yet gets one page of it, on another port: what the warning is, and what
        to tap. If no port is free, phones warn without it."""
        server = web.Server(self._trust_page, access_log=None, logger=_SILENT, auto_decompress=False)
        for port in (self.place.port + TRUST_PORT, 0):
            with contextlib.suppress(OSError, OverflowError):
                self._unencrypted = await self._limits.listen(server, self.place.address, port)
                found = self._unencrypted.sockets[0].getsockname()[1]
                self.trust = Listening(self.place.address, found).url
                return

    async def _trust_page(self, _request: web.BaseRequest) -> web.Response:
        page = self._site.trust.replace("TABLE", self.place.host)
        style = page.partition("<style>")[2].partition("</style>")[0]
        policy = f"default-src 'none'; style-src 'sha256-{inline_hash(style)}'; base-uri 'none'; frame-ancestors 'none'"
        headers = self._headers() | {"Content-Security-Policy": policy}
        return web.Response(text=page, content_type="text/html", headers=headers)

    async def close(self) -> None:
        for server in (self._server, self._unencrypted):
            if server is not None:
                server.close()
        for phone in self._hub.phones:
            phone.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    def renew(self, guest: Guest, code: str) -> None:
        """For a lost phone: the old code is invalid, and the phones that used it are disconnected."""
        self._guests.renew(guest, code)
        self._hub.expel(guest)

    # --- Answering --------------------------------------------------------------------------------------------

    @web.middleware
    async def _check(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """A request with another host name, or from another page, is refused."""
        if request.headers.getall("Host", []) != [self.place.host]:
            return self._moved() if request.path == LINKED else self._no(421)
        if request.path in ("/join", "/table") and request.headers.getall("Origin", []) != [self.place.url]:
            return self._no(403)
        try:
            response = await handler(request)
        except web.HTTPException as error:
            return self._no(error.status)
        except Exception as error:  # reported only for clients with a code: others must not fill the disk
            if self._guest(request) is not None:
                self._hub.report(error)
            return self._no(500)
        if not response.prepared:
            response.headers.update({**self._headers(), **response.headers})
        return response

    def _headers(self) -> dict[str, str]:
        talk = f"{'wss' if self.place.tls else 'ws'}://{self.place.host}"
        policy = (
            "default-src 'none'; script-src 'self'; img-src 'self'; "
            f"style-src 'self' 'sha256-{self._site.style_hash}'; "
            f"connect-src 'self' {talk}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
        }

    def _moved(self) -> web.Response:
        """A sticker's link was written for another address, and still leads here. The page holds no secret."""
        page = self._site.moved.replace("TABLE", self.place.url)
        return web.Response(status=421, text=page, content_type="text/html", headers=self._headers())

    def _no(self, status: int) -> web.Response:
        return web.Response(status=status, headers=self._headers())

    async def _file(self, request: web.Request) -> web.Response:
        file = self._site.files[request.path]
        return web.Response(body=file.body, content_type=file.kind, charset="utf-8")

    async def _figure(self, request: web.Request) -> web.Response:
        """A file that an installed game has: names are looked up, never made into a path."""
        file = figure_file(request.match_info["game"], request.match_info["name"])
        if file is None:
            return self._no(404)
        return web.Response(body=file.body, content_type=file.kind, charset="utf-8")

    async def _show_results(self, request: web.Request) -> web.Response:
        """Results of this and earlier evenings, for phones with a code."""
        if self._guest(request) is None:
            return self._no(401)
        language = request.query.get("language", LANGUAGES[0])
        if self._results is None or language not in LANGUAGES:
            return self._no(404)
        if not _allowance(self._looks, request.remote or "", RESULT_LOOKS, RESULT_LOOKS_A_SECOND).takes():
            return self._no(429)
        selected = (
            plain(request.query.get(name, ""), SELECTION_LENGTH) for name in ("person", "game", "since", "until")
        )
        try:
            page = await self._results.page(ResultsWish(language, *selected), self._hub.entry)
        except OSError:
            return self._no(503)
        style = page.partition("<style>")[2].partition("</style>")[0]
        policy = f"default-src 'none'; style-src '{_hash(style)}'; form-action 'self'; frame-ancestors 'none'"
        return web.Response(text=page, content_type="text/html", headers={"Content-Security-Policy": policy})

    async def _join(self, request: web.Request) -> web.Response:
        """Exchange a code for a cookie."""
        allowance = _allowance(self._guesses, request.remote or "", GUESSES, GUESSES_A_SECOND)
        if request.content_type != "application/json":
            return self._no(415)
        try:
            code = msgspec.json.decode(await request.read(), type=_Join).code
        except (msgspec.MsgspecError, RecursionError):
            return self._no(400)
        cookie = self._guests.cookie_for(code)
        if cookie is None:
            return self._no(403 if allowance.takes() else 429)
        response = web.Response(status=204)
        response.set_cookie(
            COOKIE, cookie, max_age=EVENING_S, httponly=True, samesite="Strict", secure=bool(self.place.tls), path="/"
        )
        return response

    def _guest(self, request: web.Request) -> Guest | None:
        try:
            jar = SimpleCookie(request.headers.get("Cookie", "")[:COOKIE_BYTES])
        except CookieError:
            return None
        return self._guests.guest_of(jar[COOKIE].value) if COOKIE in jar else None

    async def _seat(self, request: web.Request) -> web.Response:
        """Whether the cookie is still valid: a refused WebSocket does not tell its page why."""
        return self._no(self._objection(self._guest(request), request) or 204)

    def _objection(self, guest: Guest | None, request: web.Request) -> int:
        """Why this page cannot connect now, as a status; 0 if it can. Its own earlier connection does not count. A wall
        is for all to see, so it shows what spectators see, and no player's code opens it."""
        page = _page(request)
        if guest is None:
            return 401
        if WALL in request.query and guest != WATCHING:
            return 403
        others = [each for each in self._hub.phones if each.guest == guest and not each.dropped]
        here = sum(not page or each.page != page for each in others)
        return 429 if here >= (SPECTATORS if guest == WATCHING else PER_PLAYER) else 0

    async def _table(self, request: web.Request) -> web.StreamResponse:
        """One phone. A page that reconnects replaces its own earlier connection, which may look alive."""
        guest, page = self._guest(request), _page(request)
        objection = self._objection(guest, request)
        if guest is None or objection:
            return self._no(objection)
        if not _allowance(self._comings, request.remote or "", COMINGS, COMINGS_A_SECOND).takes():
            return self._no(429)
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, autoping=False, max_msg_size=MESSAGE_BYTES, compress=False, writer_limit=1
        )
        if not socket.can_prepare(request):
            return self._no(400)
        for earlier in self._hub.phones:
            if page and (earlier.guest, earlier.page) == (guest, page):
                earlier.drop()
        transport = request.transport
        abort = transport.abort if transport else lambda: None
        phone = self.connection(self._hub, guest, socket, abort, page)
        if WALL in request.query:
            phone.result_link = self._result_link
        self._hub.welcome(phone)
        try:
            await socket.prepare(request)
            self._limits.leave(transport)
            if transport is not None:
                transport.set_write_buffer_limits(high=0)  # what one message leaves unsent, and no more
            await self._attend(phone)
        finally:
            self._hub.part(phone)
        return socket

    def _result_link(self, game: int) -> str:
        return result_link(self.place.url, self._guests.code_of(WATCHING), game)

    async def _attend(self, phone: Connection) -> None:
        sending = asyncio.create_task(phone.send_all())
        try:
            await phone.listen()
        except (OSError, TimeoutError):
            pass  # it has left
        except Exception as error:  # an error of ours closes this phone's connection only
            self._hub.report(error)
        finally:
            phone.drop()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending
