"""How many connections without a cookie there may be, for how long, and how much each connection may send.

A page takes a few short connections. The server disconnects one that sends nothing, or sends it slowly. If there are
too many, it disconnects the oldest, so idle connections cannot block new ones. A connection that has shown a cookie
stays; but none may send more bytes than a page of ours would: what comes beyond that is not even parsed.
"""

import asyncio
from typing import Any

from aiohttp import web

from companion.web.rate_limit import Allowance

NEWCOMERS = 64
STAY_S = 30.0
"""How long a connection without a cookie may last."""
BYTES_AT_ONCE, BYTES_A_SECOND = 64 * 1024, 4 * 1024
"""A page sends 4 KiB to load, and then a few hundred bytes for each tap."""


class _Metered(asyncio.Protocol):
    """Passes everything on to a handler, up to a limit. A message in a thousand empty parts, or a thousand pings, would
    otherwise cost more than its bytes."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler
        self._allowance = Allowance(BYTES_AT_ONCE, BYTES_A_SECOND)
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._handler.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._handler.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._allowance.takes(len(data)):
            self._handler.data_received(data)
        elif isinstance(self._transport, asyncio.Transport):
            self._transport.abort()

    def eof_received(self) -> bool | None:
        return bool(self._handler.eof_received())

    def pause_writing(self) -> None:
        self._handler.pause_writing()

    def resume_writing(self) -> None:
        self._handler.resume_writing()


class ConnectionLimits:
    def __init__(self, newcomers: int = NEWCOMERS, stay_s: float = STAY_S) -> None:
        self._most, self._stay_s = newcomers, stay_s
        self._waiting: dict[asyncio.BaseTransport, asyncio.TimerHandle] = {}
        """In the order in which they came."""

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def guard(self, server: web.Server) -> None:
        """Count all connections of this server from now on."""
        made, lost = server.connection_made, server.connection_lost

        def connection_made(handler: Any, transport: asyncio.Transport) -> None:
            made(handler, transport)
            self._come(transport)

        def connection_lost(handler: Any, exc: BaseException | None = None) -> None:
            self.leave(handler.transport)
            lost(handler, exc)
            self._forget()

        server.connection_made = connection_made  # type: ignore[method-assign]
        server.connection_lost = connection_lost  # type: ignore[method-assign]

    def metered(self, server: web.Server) -> asyncio.Protocol:
        """What answers one connection, and ends it if it sends too much."""
        return _Metered(server())

    def leave(self, transport: asyncio.BaseTransport | None) -> None:
        """This connection has shown a cookie, or has been closed."""
        timer = self._waiting.pop(transport, None) if transport else None
        if timer is not None:
            timer.cancel()

    def _forget(self) -> None:
        """A connection that is closing no longer counts."""
        for transport in [each for each in self._waiting if each.is_closing()]:
            self.leave(transport)

    def _come(self, transport: asyncio.Transport) -> None:
        self._forget()
        if len(self._waiting) >= self._most:
            self._turn_away(next(iter(self._waiting)))
        loop = asyncio.get_running_loop()
        self._waiting[transport] = loop.call_later(self._stay_s, self._turn_away, transport)

    def _turn_away(self, transport: asyncio.BaseTransport) -> None:
        self.leave(transport)
        if isinstance(transport, asyncio.Transport):
            transport.abort()
