"""The hall's server: tables, phones and the director on one address.

Nothing changes without a credential: a table's own, or a code of this hall, which a browser exchanges for a cookie.
`Host` and `Origin` have to be ours, as at the phones' server. Guesses and connections are limited.
"""

import asyncio
import errno
import hmac
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import IntEnum
from typing import TypeVar

import msgspec
from aiohttp import web

from companion.errors import CompanionError, LinkError
from companion.hall.credentials import credential_hash, is_credential, new_credential, typed_code
from companion.hall.decisions import JoinTable
from companion.hall.hall import Hall
from companion.hall.hall_messages import PROTOCOL, PROTOCOL_HEADER, HallRefusal, Joined, JoinRequest
from companion.hall.hall_store import StoreError
from companion.web.access_codes import AccessCodes
from companion.web.connection_limits import STAY_S, ConnectionLimits
from companion.web.rate_limit import Allowance
from companion.web.server import COOKIE, COOKIE_BYTES, EVENING_S, GUESSES, GUESSES_A_SECOND, LAST_PORT, Listening

BODY_BYTES = 4 * 1024 * 1024
"""A box with its tags is the longest message."""
NEWCOMERS = 256
ADDRESSES = 10_000
"""How many addresses are remembered."""

HallHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]
TableMessage = TypeVar("TableMessage")


class HallRole(IntEnum):
    """Who has which cookie."""

    GUEST = 0
    DIRECTOR = 1


HALL: web.AppKey[Hall] = web.AppKey("hall", Hall)
SERVER: web.AppKey["HallServer"] = web.AppKey("server")

_SILENT = logging.getLogger("companion.hall.unheard")
"""aiohttp's log of malformed requests."""
_SILENT.disabled = True


class HallServer:
    """`routes`: pages of other modules, such as the display's. They find the hall as `request.app[HALL]`, and who asks
    with `role_of` and `table_of`."""

    def __init__(self, place: Listening, hall: Hall, routes: Iterable[web.RouteDef] = ()) -> None:
        self.place, self.hall = place, hall
        self._routes = tuple(routes)
        self._codes = AccessCodes({HallRole.DIRECTOR: hall.director_code, HallRole.GUEST: hall.guest_code})
        self._limits = ConnectionLimits(NEWCOMERS)
        self._guesses: dict[str, Allowance] = {}
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None

    # --- Listening --------------------------------------------------------------------------------------------

    async def open(self, ports: int = 1) -> None:
        """Listen on the address, on its port or on one of the next ones. Raises LinkError."""
        app = web.Application(client_max_size=BODY_BYTES, middlewares=[self._check])
        app[HALL], app[SERVER] = self.hall, self
        app.add_routes([*self._own_routes(), *self._routes])
        self._runner = web.AppRunner(app, access_log=None, logger=_SILENT, keepalive_timeout=STAY_S)
        await self._runner.setup()
        assert self._runner.server is not None
        self._limits.guard(self._runner.server)
        first = self.place.port
        for port in range(first, min(first + ports, LAST_PORT + 1)):
            try:
                self._server = await asyncio.get_running_loop().create_server(
                    self._runner.server, self.place.address, port, ssl=self.place.tls
                )
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise LinkError(f"the hall cannot listen on {self.place.address}: {error.strerror}") from None
            else:
                found = self._server.sockets[0].getsockname()[1]
                self.place = msgspec.structs.replace(self.place, port=found)
                return
        raise LinkError(f"the hall cannot listen on {self.place.address}: port {first} is taken; say --port")

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def _own_routes(self) -> Sequence[web.RouteDef]:
        return (web.get("/in/{code}", self._come_in), web.post("/tables", self._join_table))

    # --- Who asks ---------------------------------------------------------------------------------------------

    @web.middleware
    async def _check(self, request: web.Request, handler: HallHandler) -> web.StreamResponse:
        """A request with another host name, or a change from another page, is refused."""
        if request.headers.getall("Host", []) != [self.place.host]:
            return web.Response(status=421, headers=HEADERS)
        origin = request.headers.getall("Origin", [self.place.url])
        if request.method != "GET" and origin != [self.place.url]:
            return web.Response(status=403, headers=HEADERS)
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = error if 300 <= error.status < 400 else web.Response(status=error.status)
        except StoreError as error:
            response = refused(503, str(error))
        except CompanionError as error:
            response = refused(409, str(error))
        if not response.prepared:
            response.headers.update({**HEADERS, **response.headers})
        return response

    def role_of(self, request: web.Request) -> HallRole | None:
        """Who has the cookie of this request."""
        cookie = request.cookies.get(COOKIE, "")[:COOKIE_BYTES]
        found = self._codes.guest_of(cookie)
        if found is None:
            return None
        self._limits.leave(request.transport)
        return HallRole(found)

    def table_of(self, request: web.Request) -> str:
        """The table whose credential this request has. Raises HTTPUnauthorized, and HTTPTooManyRequests after too many
        wrong ones."""
        name, _, credential = request.headers.get("Authorization", "").removeprefix("Bearer ").partition(":")
        table = self.hall.state.tables.get(name)
        if table is not None and is_credential(credential, table.credential):
            self._limits.leave(request.transport)
            return table.name
        self.guess(request)
        raise web.HTTPUnauthorized

    def guess(self, request: web.Request) -> None:
        """Count a wrong code. Raises HTTPTooManyRequests after too many."""
        address = request.remote or ""
        if address not in self._guesses and len(self._guesses) >= ADDRESSES:
            self._guesses.pop(next(iter(self._guesses)))
        if not self._guesses.setdefault(address, Allowance(GUESSES, GUESSES_A_SECOND)).takes():
            raise web.HTTPTooManyRequests

    async def _come_in(self, request: web.Request) -> web.Response:
        """Exchange a code for a cookie."""
        cookie = self._codes.cookie_for(request.match_info["code"])
        if cookie is None:
            self.guess(request)
            raise web.HTTPForbidden
        is_director = self._codes.guest_of(cookie) == HallRole.DIRECTOR
        page = "/display" if "display" in request.query else "/director" if is_director else "/"
        response = web.Response(status=303, headers={"Location": page})
        response.set_cookie(
            COOKIE, cookie, max_age=EVENING_S, httponly=True, samesite="Strict", secure=bool(self.place.tls), path="/"
        )
        return response

    # --- Tables -----------------------------------------------------------------------------------------------

    async def _join_table(self, request: web.Request) -> web.Response:
        """A table shows the code of this hall and gets its own credential."""
        wanted = await read(request, JoinRequest)
        if not hmac.compare_digest(typed_code(wanted.code).encode(), typed_code(self.hall.table_code).encode()):
            self.guess(request)
            return refused(403, "this is not the code that the hall shows for new tables")
        credential = new_credential()
        decision = JoinTable(wanted.table, credential_hash(credential))
        await self.hall.change(decision.decide)
        state = self.hall.state
        return answer(Joined(decision.table, credential, state.club, state.club_id))


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer, unless a page has its own."""


async def read(request: web.Request, kind: type[TableMessage]) -> TableMessage:
    """The message of a table. Raises HTTPBadRequest, and HTTPUpgradeRequired for another protocol."""
    if request.headers.get(PROTOCOL_HEADER) != str(PROTOCOL):
        raise web.HTTPUpgradeRequired
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.MsgspecError, RecursionError):
        raise web.HTTPBadRequest from None


def answer(message: msgspec.Struct) -> web.Response:
    return web.Response(body=msgspec.json.encode(message), content_type="application/json")


def refused(status: int, problem: str) -> web.Response:
    """A clear line for the person at the table."""
    return web.Response(status=status, body=msgspec.json.encode(HallRefusal(problem)), content_type="application/json")
