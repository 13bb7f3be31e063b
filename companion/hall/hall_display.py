"""The hall's display: a web page for a large screen and for phones, and the line that keeps it live.

A display gets everything once, and then only what changes, each change encoded once for all displays. What waits for a
display goes out as one frame. One that reads too slowly gets everything again instead of what it has missed.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from aiohttp import WSMsgType, web
from msgspec import Meta, Struct

from companion.files import load
from companion.gamekit.discovery import title
from companion.hall.hall import Hall
from companion.hall.hall_server import HEADERS, SERVER, HallRole
from companion.hall.hall_state import LogEntry, NightRound, TableJoined, TableRemoved
from companion.hall.hall_texts import points_text, reason_line
from companion.hall.live_board import LiveBoard, LiveView
from companion.hall.live_hall import table_topics
from companion.language.facts import Translate
from companion.language.screen_language import LANGUAGES, _, speaking
from companion.language.screen_language import load as load_language
from companion.language.wording import plain
from companion.web.page_files import FILE_BYTES, KINDS, theme_css
from companion.web.rate_limit import Allowance

DISPLAYS = 200
"""How many may be connected."""
UNSENT = 2000
"""Changes that may wait for one display."""
STEADY_S = 1.0
"""The standings are computed at most this often."""
PLACES = 100
"""Lines of the standings."""
HEARTBEAT_S = 15.0
LINE_BYTES = 4096
PAGES = {"display.html": "/display", "display.js": "/display.js", "display.css": "/display.css"}
SHARED = {"drawing.js": "/drawing.js", "table_svg.js": "/table_svg.js", "icon.svg": "/icon.svg"}
"""Files that the phones' pages have, too."""

_encode = msgspec.json.Encoder().encode


def display_words(_: Translate) -> dict[str, str]:
    return {
        "connecting": _("Connecting to the hall …"),
        "lost": _("Connection lost. Reconnecting …"),
        "stale": _("The broker is away: the tables may have moved on."),
        "tables": _("Tables"),
        "all tables": _("All tables"),
        "find": _("Find a table or a player"),
        "no tables": _("No table is live yet."),
        "offline": _("offline"),
        "paused": _("pause"),
        "question": _("a question is open"),
        "round": _("Round {number}: {game}"),
        "standings": _("Standings"),
        "latest": _("Just now, {table}"),
        "table": _("Table {table}"),
        "seating": _("Who sits where"),
        "byes": _("Sitting out"),
        "sign in": _("Sign in with your phone"),
        "unreadable": _("This table cannot be shown here."),
    }


def words_file() -> bytes:
    """The page's own texts, in every language."""
    said = {}
    for code in LANGUAGES:
        with speaking(code):
            said[code] = display_words(_)
    return _encode(said)


class FollowTable(Struct, frozen=True, tag_field="is", tag="follow"):
    """A display wants one table large; "": no longer."""

    table: Annotated[str, Meta(pattern=r"\A[a-z0-9-]{0,40}\Z")]
    """As it stands in topics: with a wildcard a guest could subscribe to everything."""
    language: Annotated[str, Meta(max_length=8)] = "en"
    width: Literal["wide", "narrow"] = "wide"


_decoder = msgspec.json.Decoder(FollowTable)


class HallDisplays:
    """All displays of a hall. It hears what changes at the tables (`BoardListener`) and in the log."""

    def __init__(self, hall: Hall, board: LiveBoard, now: Callable[[], float] = time.time) -> None:
        self._hall, self._board, self._now = hall, board, now
        self._displays: set[ConnectedDisplay] = set()
        self._forget = hall.listen(self._heard)
        self._due: asyncio.TimerHandle | None = None
        self._files = _files()
        self._names = self._tables_by_topic()
        board.listen(self)

    def close(self) -> None:
        self._forget()
        self._board.forget(self)
        if self._due is not None:
            self._due.cancel()
        for display in tuple(self._displays):
            display.drop()

    @property
    def routes(self) -> Sequence[web.RouteDef]:
        return (*(web.get(path, self._file) for path in self._files), web.get("/display/line", self._line))

    # --- What changes -----------------------------------------------------------------------------------------

    def tile_changed(self, table: str, change: Mapping[str, Any]) -> None:
        name = self._names.get(table, table)
        if "online" in change and name != table:  # it may be new
            change = {**change, "name": name}
        self._send({"is": "tile", "table": table, "change": change})

    def view_changed(self, table: str, view: LiveView) -> None:
        for display in tuple(self._displays):
            if display.follows.table == table:
                display.show(view)

    def link_changed(self, problem: str) -> None:
        self._send({"is": "link", "problem": problem})

    def _heard(self, entry: LogEntry) -> None:
        """Results may come by the hundred a second."""
        if isinstance(entry.event, TableJoined | TableRemoved):
            self._names = self._tables_by_topic()
        if self._due is None and self._displays:
            self._due = asyncio.get_running_loop().call_later(STEADY_S, self._send_night)

    def _tables_by_topic(self) -> dict[str, str]:
        return {topic: table for table, topic in table_topics(self._hall.state).items()}

    def _send_night(self) -> None:
        self._due = None
        self._send({"is": "night", "night": night_shown(self._hall)})

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._displays:
            encoded = _encode(message)
            for display in self._displays:
                display.push(encoded)

    def everything(self) -> bytes:
        """What a new display needs."""
        drama = self._board.drama
        tables = {
            topic: {**self._board.shown(topic), "name": self._names.get(topic, topic)}
            for topic in tuple(self._board.tiles)
        }
        return _encode(
            {
                "is": "all",
                "now": self._now(),
                "tables": tables,
                "drama": {"table": drama[0], "ruling": drama[1]} if drama else None,
                "night": night_shown(self._hall),
                "problem": self._board.problem,
            }
        )

    # --- Pages and lines --------------------------------------------------------------------------------------

    async def _file(self, request: web.Request) -> web.Response:
        """The page itself holds nothing of the hall."""
        kind, body = self._files[request.path]
        response = web.Response(body=body, content_type=kind, charset="utf-8")
        talk = request.app[SERVER].place.url.replace("http", "ws", 1)
        response.headers["Content-Security-Policy"] = HEADERS["Content-Security-Policy"].replace(
            "connect-src 'self'", f"connect-src 'self' {talk}"
        )
        return response

    async def _line(self, request: web.Request) -> web.StreamResponse:
        """A display. Raises HTTPForbidden for another page, HTTPUnauthorized without a code, HTTPTooManyRequests for a
        guest who comes again and again, HTTPServiceUnavailable for too many."""
        server = request.app[SERVER]
        if request.headers.getall("Origin", []) != [server.place.url]:
            raise web.HTTPForbidden
        server.allow(request, HallRole.GUEST, HallRole.DIRECTOR)
        if len(self._displays) >= DISPLAYS:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, autoping=False, max_msg_size=LINE_BYTES, compress=False)
        await socket.prepare(request)
        server.keep(request)
        display = ConnectedDisplay(socket, self._board, self.everything)
        self._displays.add(display)
        try:
            await display.run()
        finally:
            self._displays.discard(display)
            display.close()
        return socket


class ConnectedDisplay:
    def __init__(self, socket: web.WebSocketResponse, board: LiveBoard, everything: Callable[[], bytes]) -> None:
        self._socket, self._board, self._everything = socket, board, everything
        self._unsent: list[bytes] = []
        self._news = asyncio.Event()
        self._needs_all = True
        self._news.set()
        self._allowance = Allowance()
        self.follows = FollowTable("")

    async def run(self) -> None:
        """Until it leaves."""
        sending = asyncio.create_task(self._send())
        try:
            async for message in self._socket:
                if not self._allowance.takes():  # control frames count like any other message
                    return
                if message.type is WSMsgType.PING:
                    await self._socket.pong(message.data)
                elif message.type is WSMsgType.TEXT:
                    self._hear(message.data)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    def push(self, encoded: bytes) -> None:
        if self._needs_all:
            return
        self._unsent.append(encoded)
        if len(self._unsent) > UNSENT:
            self._unsent.clear()
            self._needs_all = True
        self._news.set()

    def show(self, view: LiveView) -> None:
        said = view.get(self.follows.language) or view.get("en") or {}
        drawn = said.get(self.follows.width)
        if drawn is not None:
            self.push(_encode({"is": "view", "table": self.follows.table, "view": drawn}))

    async def _send(self) -> None:
        with suppress(ConnectionError):
            while True:
                await self._news.wait()
                self._news.clear()
                if self._needs_all:
                    self._needs_all, self._unsent = False, [self._everything()]
                frame, self._unsent = b"[" + b",".join(self._unsent) + b"]", []
                await self._socket.send_str(frame.decode())

    def _hear(self, text: str) -> None:
        """What no page of ours says is ignored."""
        with suppress(msgspec.MsgspecError, RecursionError):
            wanted = _decoder.decode(text)
            before, self.follows = self.follows.table, wanted
            if before != wanted.table:
                if before:
                    self._board.unfollow(before)
                if wanted.table:
                    self._board.follow(wanted.table)
            if wanted.table in self._board.views:
                self.show(self._board.views[wanted.table])

    def drop(self) -> None:
        task = asyncio.ensure_future(self._socket.close())
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def close(self) -> None:
        if self.follows.table:
            self._board.unfollow(self.follows.table)
            self.follows = FollowTable("")


def night_shown(hall: Hall) -> dict[str, Any]:
    """Round, clock, seating and standings."""
    state, night = hall.state, hall.state.night
    shown: dict[str, Any] = {"hall": state.club}
    if night is None:
        return shown
    newest = night.round
    return {
        **shown,
        "game": title(night.plan.game),
        "round": newest.number if newest else 0,
        "ends": newest.ends_at if newest and newest.started_at is not None and newest.ended_at is None else None,
        "seating": _seating(newest) if newest and newest.started_at is None else [],
        "standings": [
            [line.rank, plain(line.name), points_text(line.table_points)] for line in hall.standings()[:PLACES]
        ],
    }


def _seating(seated: NightRound) -> list[dict[str, Any]]:
    """Who sits where, until the round starts; table "" are those who sit out."""
    groups = [*seated.seats.items(), *([("", seated.byes)] if seated.byes else [])]
    return [
        {
            "table": table,
            "players": [plain(name) for name in names],
            "why": {
                language.code: reason_line(seated.reasons[table], language)
                for language in map(load_language, LANGUAGES)
                if table in seated.reasons
            },
        }
        for table, names in groups
    ]


def _files() -> dict[str, tuple[str, bytes]]:
    """Path → its kind and its content."""
    ours = Path(__file__).with_name("page")
    theirs = ours.parent.parent / "web" / "page"
    found = {}
    for folder, paths in ((ours, PAGES), (theirs, SHARED)):
        for name, path in paths.items():
            found[path] = KINDS[name.rpartition(".")[2]], load(folder / name, FILE_BYTES)
    kind, style = found["/display.css"]
    found["/display.css"] = kind, f"{theme_css()}\n".encode() + style
    found["/display/words.json"] = "application/json", words_file()
    return found
