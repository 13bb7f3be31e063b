"""The process of the phones' server: its supervisor sends it the valid codes and a connection to the referee.

It writes no file, and reads only what is installed: pages, looks, catalogues. All else comes over one socket, its
standard input, so it needs no right but to listen (`companion.web.server_process`,
hardware/pi/companion-phones@.service).
"""

import asyncio
import logging
import os
import socket
import ssl
from collections import deque
from contextlib import suppress
from typing import Any

import msgspec

from companion import crash
from companion.errors import CompanionError, LinkError
from companion.files import confine
from companion.gamekit import discovery
from companion.gamekit.screen.face_discovery import find_face
from companion.messages.client import LINE_LIMIT
from companion.messages.phone_access import MESSAGE_BYTES, EnrolmentWish, ForServer, FromServer, ResultsWish
from companion.web.access_codes import AccessCodes
from companion.web.enrolment_connection import EnrolmentHub, EnrolmentServer
from companion.web.hub import Hub
from companion.web.rate_limit import Allowance
from companion.web.server import Listening, PhonesServer

CRASHES, CRASHES_A_SECOND = 5, 1 / 60
"""How many errors of ours are reported."""
REFEREE_S = 10.0
"""How long the supervisor may take to answer. After that the question is sent again."""

_decoder = msgspec.json.Decoder(ForServer)


async def serve(line: socket.socket) -> None:
    """Serve phones until the supervisor closes its end of this socket."""
    _keep_quiet()
    supervisor = SupervisorLink(line)
    first = await supervisor.order()
    if first is None or first.place is None:
        return
    place = first.place
    if first.game is not None:
        _load(first.game)
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: _unexpected(what, supervisor))
    hub: Hub | EnrolmentHub

    def changed() -> None:
        supervisor.tell(_here(server, hub))

    try:
        tls = tls_context(place.certificate) if place.certificate else None
        listening, codes = Listening(place.address, place.port, tls), AccessCodes(first.codes)
        if first.enrolment is None:
            hub = Hub(supervisor.referee, changed, supervisor.report, first.preferences)
            server = PhonesServer(listening, codes, hub, results=supervisor.results)
        else:
            hub = EnrolmentHub(first.enrolment, supervisor.wish, changed, supervisor.report)
            server = EnrolmentServer(listening, codes, hub)
        await server.open(place.ports)
    except (LinkError, ssl.SSLError) as error:
        supervisor.tell(FromServer(problem=str(error)))
        return
    confine()
    talking = asyncio.create_task(hub.link.run()) if isinstance(hub, Hub) else None
    try:
        supervisor.tell(_here(server, hub))
        while (order := await supervisor.order()) is not None:
            for guest, code in order.codes.items():
                server.renew(guest, code)
            if order.enrolment is not None and isinstance(hub, EnrolmentHub):
                hub.show(order.enrolment)
    finally:
        if talking is not None:
            talking.cancel()
            await asyncio.gather(talking, return_exceptions=True)
        await server.close()


def _load(game: discovery.Found) -> None:
    """Import the looks of the game while threads and processes may still be started. An error here comes again when a
    phone shows the game, and is reported there."""
    discovery.rely_on(game)
    for name in game.manifests:
        with suppress(CompanionError):
            find_face(name)


def _here(server: PhonesServer, hub: Hub | EnrolmentHub) -> FromServer:
    counts = {guest: count for guest, count in hub.counts.items() if count}
    return FromServer(server.place.url, counts, trust=server.trust)


def _keep_quiet() -> None:
    """Libraries log what clients send: a malformed request, a broken handshake."""
    logging.disable(logging.CRITICAL)


def _unexpected(what: dict[str, Any], supervisor: "SupervisorLink") -> None:
    """An error in a task that nothing awaits. Any client may have caused an error on a connection."""
    error = what.get("exception")
    if isinstance(error, Exception) and not what.keys() & {"transport", "protocol"}:
        supervisor.report(error)


def tls_context(pem: str) -> ssl.SSLContext:
    """A certificate and its key. `ssl` only reads files, so there is one in memory for a moment. Raises SSLError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    descriptor = os.memfd_create("certificate")
    try:
        os.write(descriptor, pem.encode())
        context.load_cert_chain(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)
    return context


class SupervisorLink:
    """The supervisor of this server, at the other end of the socket: a message is a packet."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        line.setblocking(False)
        self._orders: deque[ForServer | None] = deque()
        self._news = asyncio.Event()
        self._asked: asyncio.Future[socket.socket | None] | None = None
        self._results: asyncio.Future[str] | None = None
        self._allowance = Allowance(CRASHES, CRASHES_A_SECOND)
        asyncio.get_running_loop().add_reader(line, self._hear)

    async def order(self) -> ForServer | None:
        """The next message; None when the supervisor has closed its end."""
        while not self._orders:
            self._news.clear()
            await self._news.wait()
        return self._orders.popleft()

    def tell(self, told: FromServer) -> None:
        with suppress(OSError):  # one that does not read is about to end
            self._line.send(msgspec.json.encode(told))

    def report(self, error: BaseException) -> None:
        if self._allowance.takes():
            self.tell(FromServer(crash=crash.account(error)))

    def wish(self, wish: EnrolmentWish) -> None:
        self.tell(FromServer(wish=wish))

    async def referee(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the referee. Raises OSError while there is none, or if the supervisor does not answer."""
        self._asked = asyncio.get_running_loop().create_future()
        self.tell(FromServer(wants_referee=True))
        async with asyncio.timeout(REFEREE_S):  # its TimeoutError is an OSError
            connected = await self._asked
        if connected is None:
            raise ConnectionRefusedError("there is no referee now")
        return await asyncio.open_unix_connection(sock=connected, limit=LINE_LIMIT)

    async def results(self, wish: ResultsWish) -> str:
        """The page with the results. Raises OSError if the supervisor does not answer."""
        self._results = asyncio.get_running_loop().create_future()
        self.tell(FromServer(wants_results=wish))
        async with asyncio.timeout(REFEREE_S):
            return await self._results

    def _hear(self) -> None:
        try:
            packet, descriptors, _flags, _address = socket.recv_fds(self._line, MESSAGE_BYTES, 1)
        except BlockingIOError:
            return
        except OSError:
            packet, descriptors = b"", []
        if not packet:
            asyncio.get_running_loop().remove_reader(self._line)
            self._put(None)
            return
        order = _decoder.decode(packet)
        if order.results is not None:
            if self._results is not None and not self._results.done():
                self._results.set_result(order.results)
            return
        if order.referee is None:
            self._put(order)
            return
        connected = socket.socket(fileno=descriptors[0]) if descriptors else None
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(connected)
        elif connected is not None:
            connected.close()

    def _put(self, order: ForServer | None) -> None:
        self._orders.append(order)
        self._news.set()
