"""The hall's server: tables, phones and the director on one address.

Nothing changes without a credential: a table's own, or a code of this hall, which a browser exchanges for a cookie.
`Host` and `Origin` have to be ours, as at the phones' server. Guesses and connections are limited.
"""

import asyncio
import errno
import hmac
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from enum import IntEnum
from typing import TypeVar
from urllib.parse import parse_qs, quote, unquote

import msgspec
from aiohttp import web

from companion import crash
from companion.drawing.qr_code import code_svg
from companion.errors import CompanionError, LinkError, UsageError
from companion.hall.credentials import bytes_of, credential_hash, is_credential, new_credential, typed_code
from companion.hall.decisions import (
    JoinTable,
    ShareBox,
    free_boxes,
    report_result,
    sign_in,
    sign_out,
    spelled,
    take_box,
)
from companion.hall.director_orders import form_decision
from companion.hall.hall import Hall
from companion.hall.hall_messages import (
    CLOCK_S,
    PROTOCOL,
    PROTOCOL_HEADER,
    TIME_HEADER,
    BoxUse,
    ClubBox,
    ClubBoxes,
    ClubFacts,
    GameReport,
    HallRefusal,
    Joined,
    JoinRequest,
    Stored,
    TablePlan,
)
from companion.hall.hall_pages import STYLE, PageView, director_page, language_of, league_page, phone_page, script
from companion.hall.hall_state import ResultReported
from companion.hall.hall_store import StoreError
from companion.hall.hall_texts import OrderRefusedError, TableNote, note_line, refusal_line
from companion.language.facts import N_
from companion.language.wording import Language, plain
from companion.web.access_codes import AccessCodes
from companion.web.connection_limits import STAY_S, ConnectionLimits
from companion.web.rate_limit import Allowance
from companion.web.server import COOKIE, COOKIE_BYTES, EVENING_S, GUESSES, GUESSES_A_SECOND, LAST_PORT, Listening

BODY_BYTES = 16 * 1024
"""Forms and messages are never longer. Anybody may send one…"""
BOX_BYTES = 256 * 1024
"""…but a box with its tags, which only a table may send."""
CONNECTION_BYTES_A_SECOND = 16 * 1024
"""How fast one connection may send, once it has sent a box."""
NEWCOMERS = 256
ADDRESSES = 10_000
"""How many addresses are remembered."""
FIELDS = 100
"""A form has fewer."""
LOOKS, LOOKS_A_SECOND = 60, 5.0
"""How often guests may ask for pages and lines from one address. A page keeps itself up to date with one in seconds."""
LEAGUE_S = 10.0
"""How long the page of the league is kept before it is made again: it takes half a second after a hundred nights."""
SIGN_INS, SIGN_INS_A_SECOND = 60, 0.5
"""How often players may sign in from one address."""
FORM = "application/x-www-form-urlencoded"
NAME_COOKIE = "companion-name"
MOST_OFF_S = 1e9
"""A clock that is further off is told as if it were so."""
CRASHES, CRASHES_A_SECOND = 5, 1 / 60
"""How many errors of ours are reported."""
KEY = re.compile(r"[0-9a-f]{64}")

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


class OldVersionError(CompanionError):
    """A table speaks another protocol."""


class HallServer:
    """`routes`: pages of other modules, such as the display's. They find the hall as `request.app[HALL]`, and who asks
    with `role_of` and `table_of`."""

    def __init__(
        self,
        place: Listening,
        hall: Hall,
        routes: Iterable[web.RouteDef] = (),
        who: Callable[[str], str] = str,
        report: Callable[[BaseException], None] = crash.tell,
    ) -> None:
        """`who`: the person whom a name means, for leagues. `report`: gets errors of ours."""
        self.place, self.hall, self.who = place, hall, who
        self._routes = tuple(routes)
        self._script = script()
        self._tell, self._crashes = report, Allowance(CRASHES, CRASHES_A_SECOND)
        self._codes = AccessCodes({HallRole.DIRECTOR: hall.director_code, HallRole.GUEST: hall.guest_code})
        self._limits = ConnectionLimits(
            NEWCOMERS, bytes_at_once=BOX_BYTES + BODY_BYTES, bytes_a_second=CONNECTION_BYTES_A_SECOND
        )
        self._guesses: dict[str, Allowance] = {}
        self._looks: dict[str, Allowance] = {}
        self._sign_ins: dict[str, Allowance] = {}
        self._leagues: dict[str, tuple[float, str]] = {}
        """Language → when its page of the league was made, and the page."""
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None

    # --- Listening --------------------------------------------------------------------------------------------

    async def open(self, ports: int = 1) -> None:
        """Listen on the address, on its port or on one of the next ones. Raises LinkError."""
        app = web.Application(client_max_size=BODY_BYTES, middlewares=[self._check])
        app[HALL], app[SERVER] = self.hall, self
        app.add_routes([*self._own_routes(), *self._routes])
        self._runner = web.AppRunner(
            app, access_log=None, logger=_SILENT, keepalive_timeout=STAY_S, auto_decompress=False
        )
        await self._runner.setup()
        assert self._runner.server is not None
        first = self.place.port
        for port in range(first, min(first + ports, LAST_PORT + 1)):
            try:
                self._server = await self._limits.listen(self._runner.server, self.place.address, port, self.place.tls)
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
        return (
            web.get("/in/{code}", self._come_in),
            web.get("/hall.css", self._style),
            web.get("/refresh.js", self._page_script),
            web.get("/players.svg", self._players_code),
            web.get("/", self._phone_page),
            web.get("/league", self._league_page),
            web.post("/sign-in", self._sign_in),
            web.post("/sign-out", self._sign_out),
            web.get("/director", self._director_page),
            web.post("/director/{order}", self._direct),
            web.get("/club", self._club),
            web.post("/tables", self._join_table),
            web.post("/table/take", self._take_table),
            web.put("/results/{key}", self._take_result),
            web.put("/boxes/{game}", self._share_box),
            web.get("/boxes/{game}", self._list_boxes),
        )

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
            response = _plain_answer(error, request)
        except StoreError as error:
            response = refused(503, str(error))
        except OldVersionError as error:
            response = refused(426, str(error))
        except CompanionError as error:
            response = refused(409, refusal_line(error, _language(request)))
        except Exception as error:  # reported only for clients with a code: others must not fill the disk
            if self._has_code(request):
                self._report(error)
            response = web.Response(status=500)
        if not response.prepared:
            response.headers.update({**HEADERS, **response.headers})
        return response

    def role_of(self, request: web.Request) -> HallRole | None:
        """Who has the cookie of this request. Guests are many, and their requests short: their connections do not
        stay."""
        cookie = request.cookies.get(COOKIE, "")[:COOKIE_BYTES]
        found = self._codes.guest_of(cookie)
        if found == HallRole.DIRECTOR:
            self.keep(request)
        return None if found is None else HallRole(found)

    def keep(self, request: web.Request) -> None:
        """This connection stays."""
        self._limits.leave(request.transport)

    def table_of(self, request: web.Request) -> str:
        """The table whose credential this request has. Raises HTTPUnauthorized, and HTTPTooManyRequests after too many
        wrong ones."""
        name, _, credential = request.headers.get("Authorization", "").removeprefix("Bearer ").partition(":")
        table = self.hall.state.tables.get(unquote(name))
        if table is not None and is_credential(credential, table.credential):
            self.keep(request)
            return table.name
        self.guess(request)
        raise web.HTTPUnauthorized

    def guess(self, request: web.Request) -> None:
        """Count a wrong code. Raises HTTPTooManyRequests after too many."""
        _limit(self._guesses, request, GUESSES, GUESSES_A_SECOND)

    def _has_code(self, request: web.Request) -> bool:
        """A table, a player or the director."""
        with suppress(web.HTTPException):
            return self.role_of(request) is not None or bool(self.table_of(request))
        return False

    def _report(self, error: BaseException) -> None:
        if self._crashes.takes():
            self._tell(error)

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

    def allow(self, request: web.Request, *roles: HallRole) -> HallRole:
        """Raises HTTPUnauthorized if none of these asks, and HTTPTooManyRequests for a guest who asks too often."""
        role = self.role_of(request)
        if role not in roles:
            self.guess(request)
            raise web.HTTPUnauthorized
        if role == HallRole.GUEST:
            _limit(self._looks, request, LOOKS, LOOKS_A_SECOND)
        return role

    # --- Phones -----------------------------------------------------------------------------------------------

    @property
    def players_link(self) -> str:
        """Where phones sign in."""
        return f"{self.place.url}/in/{self.hall.guest_code}"

    async def _players_code(self, request: web.Request) -> web.Response:
        """The players' link as a QR code, for the display and the director's page."""
        self.allow(request, HallRole.GUEST, HallRole.DIRECTOR)
        return web.Response(body=code_svg(self.players_link), content_type="image/svg+xml")

    async def _style(self, _request: web.Request) -> web.Response:
        return web.Response(text=STYLE, content_type="text/css")

    async def _page_script(self, _request: web.Request) -> web.Response:
        return web.Response(body=self._script, content_type="text/javascript", charset="utf-8")

    def _view(self, request: web.Request, note: str = "") -> PageView:
        hall = self.hall
        language = _language(request)
        is_director = self.role_of(request) == HallRole.DIRECTOR
        return PageView(
            hall.state,
            language,
            hall.now(),
            note or hall.problem,
            hall.table_code if is_director else "",
            hall.table_notes if is_director else {},
            self._name_of(request),
            hall.standings(),
            any(route.path == "/display" for route in self._routes),
        )

    def _name_of(self, request: web.Request) -> str:
        """Who has signed in on this phone; "" if nobody has."""
        seal, _, quoted = request.cookies.get(NAME_COOKIE, "")[:COOKIE_BYTES].partition(".")
        name = unquote(quoted)
        return name if hmac.compare_digest(bytes_of(seal), self._seal(name).encode()) else ""

    def _seal(self, name: str) -> str:
        """With the director's code as the key: every guest knows the other one, and could sign out anybody."""
        return hmac.new(self.hall.director_code.encode(), bytes_of(f"{self._night} {name}"), "sha256").hexdigest()

    @property
    def _night(self) -> int:
        return len(self.hall.state.nights)

    async def _phone_page(self, request: web.Request) -> web.Response:
        self.allow(request, HallRole.GUEST, HallRole.DIRECTOR)
        return _html(phone_page(self._view(request), whole="whole" in request.query))

    async def _league_page(self, request: web.Request) -> web.Response:
        self.allow(request, HallRole.GUEST, HallRole.DIRECTOR)
        now, code = asyncio.get_running_loop().time(), _language(request).code
        if code not in self._leagues or now - self._leagues[code][0] >= LEAGUE_S:
            self._leagues[code] = now, league_page(self._view(request), self.hall.state.nights, self.who)
        return _html(self._leagues[code][1])

    async def _sign_in(self, request: web.Request) -> web.Response:
        """A phone signs in one person."""
        self.allow(request, HallRole.GUEST, HallRole.DIRECTOR)
        _limit(self._sign_ins, request, SIGN_INS, SIGN_INS_A_SECOND)
        name = plain((await _form(request)).get("name", [""])[0])
        try:
            await self.hall.change(sign_in(name))
        except UsageError as error:
            return _html(phone_page(self._view(request, refusal_line(error, _language(request)))))
        name = spelled(name, self.hall.state.night.players if self.hall.state.night else ())
        response = web.Response(status=303, headers={"Location": "/"})
        value = f"{self._seal(name)}.{quote(name)}"
        secure = bool(self.place.tls)
        response.set_cookie(NAME_COOKIE, value, max_age=EVENING_S, httponly=True, samesite="Strict", secure=secure)
        return response

    async def _sign_out(self, request: web.Request) -> web.Response:
        """A phone signs out the person whom it signed in."""
        self.allow(request, HallRole.GUEST, HallRole.DIRECTOR)
        name = self._name_of(request)
        if name:
            await self.hall.change(sign_out(name))
        return web.Response(status=303, headers={"Location": "/"})

    # --- The director -----------------------------------------------------------------------------------------

    async def _director_page(self, request: web.Request) -> web.Response:
        self.allow(request, HallRole.DIRECTOR)
        return _html(director_page(self._view(request)))

    async def _direct(self, request: web.Request) -> web.Response:
        """One form of the director's page."""
        self.allow(request, HallRole.DIRECTOR)
        form = await _form(request)
        try:
            await self.hall.change(form_decision(request.match_info["order"], form, self.hall.now()))
        except CompanionError as error:
            return _html(director_page(self._view(request, refusal_line(error, _language(request)))))
        return web.Response(status=303, headers={"Location": "/director"})

    # --- Tables -----------------------------------------------------------------------------------------------

    async def _club(self, _request: web.Request) -> web.Response:
        state = self.hall.state
        return answer(ClubFacts(state.club, state.club_id, PROTOCOL, self.hall.now()))

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

    async def _take_table(self, request: web.Request) -> web.Response:
        """What this table has to play now."""
        table, use = self.table_of(request), await read(request, BoxUse)
        clock = clock_notes(request, self.hall.now())
        self.hall.note_table(table, *clock)
        state, night = self.hall.state, self.hall.state.night
        newest = night.round if night else None
        if night is None or newest is None or newest.ended_at is not None:
            raise OrderRefusedError(N_("The hall has not seated a round yet."))
        if table not in newest.seats:
            raise OrderRefusedError(N_("No one plays at table {table} in this round."), table=table)
        if any(result.table == table for result in state.results_of(night.number, newest.number)):
            raise OrderRefusedError(
                N_("Table {table} has finished round {round}. Wait for the next one."), table=table, round=newest.number
            )
        box, notes = await self._assign_box(night.plan.game, use.own_box, table)
        self.hall.note_table(table, *notes, *clock)
        return answer(
            TablePlan(
                night.number,
                newest.number,
                night.plan.game,
                newest.seats[table],
                night.plan.options,
                newest.ends_at if newest.started_at is not None else 0.0,
                ClubBox(box, state.boxes[night.plan.game, box].printed, state.boxes[night.plan.game, box].tags)
                if box
                else None,
                note_line(notes, _language(request)),
            )
        )

    async def _assign_box(self, game: str, wanted: str, table: str) -> tuple[str, Sequence[TableNote]]:
        """The club's box for this table, and what is wrong with the one that it wanted."""
        notes = list[TableNote]()
        for name in ([wanted] if wanted else []) + list(free_boxes(self.hall.state, game, table)):
            try:
                await self.hall.change(take_box(game, name, table))
            except OrderRefusedError as error:
                notes.append(TableNote(error.text, error.facts))
            else:
                return name, notes[:1]
        return "", notes[:1]

    async def _take_result(self, request: web.Request) -> web.Response:
        """200 means that the result is stored, or a newer one is."""
        table, key = self.table_of(request), request.match_info["key"]
        report = await read(request, GameReport)
        if not KEY.fullmatch(key):
            raise web.HTTPBadRequest
        if report.club_id != self.hall.state.club_id:
            raise UsageError(f"this result belongs to another club, and this is {self.hall.state.club}")
        await self.hall.change(report_result(reported(key, table, report)))
        return answer(Stored(self.hall.state.results[key].revision))

    # --- Boxes ------------------------------------------------------------------------------------------------

    async def _share_box(self, request: web.Request) -> web.Response:
        """A table has enrolled a box: it works at all tables from now on."""
        self.table_of(request)
        game, box = request.match_info["game"], await read(request, ClubBox, BOX_BYTES)
        decision = ShareBox(game, box.printed, box.tags)
        await self.hall.change(decision.decide)
        return answer(ClubBox(decision.name, "", ""))

    async def _list_boxes(self, request: web.Request) -> web.Response:
        """All boxes of a game, with their tags."""
        self.table_of(request)
        game = request.match_info["game"]
        found = [box for box in self.hall.state.boxes.values() if box.game == game]
        return answer(ClubBoxes(tuple(ClubBox(box.name, box.printed, box.tags) for box in found)))


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" a browser sends forms with `Origin: null`
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer, unless a page has its own."""


def _limit(known: dict[str, Allowance], request: web.Request, at_once: float, a_second: float) -> None:
    """Count what comes from this address. Raises HTTPTooManyRequests after too many."""
    address = request.remote or ""
    if address not in known and len(known) >= ADDRESSES:
        known.pop(next(iter(known)))
    if not known.setdefault(address, Allowance(at_once, a_second)).takes():
        raise web.HTTPTooManyRequests


async def _form(request: web.Request) -> dict[str, list[str]]:
    """What a page of ours posts. Raises HTTPBadRequest for anything else, such as files."""
    if request.content_type != FORM:
        raise web.HTTPBadRequest
    body = (await request.read()).decode("ascii", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError:
        raise web.HTTPBadRequest from None


async def read(request: web.Request, kind: type[TableMessage], most: int = BODY_BYTES) -> TableMessage:
    """The message of a table. Raises HTTPBadRequest, HTTPRequestEntityTooLarge, and OldVersionError for another
    protocol."""
    spoken = request.headers.get(PROTOCOL_HEADER, "none")
    if spoken != str(PROTOCOL):
        raise OldVersionError(
            f"this hall speaks protocol {PROTOCOL}, the table {plain(spoken, 10)}: update the older one"
        )
    try:
        return msgspec.json.decode(await request.clone(client_max_size=most).read(), type=kind)
    except (msgspec.MsgspecError, RecursionError):
        raise web.HTTPBadRequest from None


def reported(key: str, table: str, report: GameReport) -> ResultReported:
    return ResultReported(
        key,
        report.revision,
        table,
        report.night,
        report.round,
        report.game,
        report.ended_at,
        report.seats,
        report.finished,
        report.lowest_wins,
    )


def clock_notes(request: web.Request, now: float) -> Sequence[TableNote]:
    """How wrong the clock of the table that asks is. The hall's own clock counts."""
    try:
        off_s = float(request.headers.get(TIME_HEADER, "")) - now
    except ValueError:
        return ()
    if not abs(off_s) > CLOCK_S:
        return ()
    fast = N_("The clock of this table is {minutes:minute|minutes} fast; the hall's clock counts.")
    slow = N_("The clock of this table is {minutes:minute|minutes} slow; the hall's clock counts.")
    return (TableNote(fast if off_s > 0 else slow, {"minutes": round(min(abs(off_s), MOST_OFF_S) / 60)}),)


def _plain_answer(error: web.HTTPException, request: web.Request) -> web.Response:
    """A status; and a line for a person whose browser has no code."""
    _ = _language(request).text
    if error.status in (401, 403) and request.method == "GET":
        return web.Response(
            status=error.status, text=_("Scan the code that the hall shows, or ask the director for it.")
        )
    return web.Response(status=error.status)


def _language(request: web.Request) -> Language:
    return language_of(request.headers.get("Accept-Language", ""))


def _html(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")


def answer(message: msgspec.Struct) -> web.Response:
    return web.Response(body=msgspec.json.encode(message), content_type="application/json")


def refused(status: int, problem: str) -> web.Response:
    """A clear line for the person at the table."""
    return web.Response(status=status, body=msgspec.json.encode(HallRefusal(problem)), content_type="application/json")
