"""How many connections without a cookie there may be, for how long, and how much each connection may send.

A page takes a few short connections. The server disconnects one that sends nothing, or sends it slowly. If there are
too many, it disconnects the oldest, so idle connections cannot block new ones. With TLS a connection counts from its
first byte, not from its handshake: one that never ends its handshake costs as much as any other. A connection that has
shown a cookie stays; but none may send more bytes than a page of ours would: what comes beyond that is not even parsed.
"""

import asyncio
import ssl
from contextlib import suppress
from typing import Any

from aiohttp import web

from companion.web.rate_limit import Allowance

NEWCOMERS = 64
STAY_S = 30.0
"""How long a connection without a cookie may last."""
HANDSHAKE_S = 5.0
BYTES_AT_ONCE, BYTES_A_SECOND = 64 * 1024, 4 * 1024
"""A page sends 4 KiB to load, and then a few hundred bytes for each tap."""


class _Metered(asyncio.Protocol):
    """Passes everything on to a handler, up to a limit. A message in a thousand empty parts, or a thousand pings, would
    otherwise cost more than its bytes."""

    def __init__(self, limits: "ConnectionLimits", handler: Any, tls: ssl.SSLContext | None) -> None:
        self._limits, self._handler, self._tls = limits, handler, tls
        self._allowance = limits.allowance()
        self._transport: asyncio.Transport | None = None
        """What the handler writes to; None until the connection is encrypted."""
        self._early: list[bytes] = []
        """What came with the end of the handshake."""
        self._encrypting: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._limits.come(transport)
        if self._tls is None:
            self._begin(transport)
        else:
            self._encrypting = asyncio.create_task(self._encrypt(transport, self._tls))

    async def _encrypt(self, transport: asyncio.Transport, tls: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        encrypted: asyncio.Transport | None = None
        with suppress(OSError):  # it hangs up, waits too long, or speaks another language
            encrypted = await loop.start_tls(transport, self, tls, server_side=True, ssl_handshake_timeout=HANDSHAKE_S)
        if encrypted is None:
            self._limits.leave(transport)
            transport.abort()
        else:
            self._begin(encrypted)

    def _begin(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._handler.connection_made(transport)
        early, self._early = self._early, []
        for data in early:
            self._handler.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._handler.connection_lost(exc)
        self._limits.forget()

    def data_received(self, data: bytes) -> None:
        if not self._allowance.takes(len(data)):
            if self._transport is not None:
                self._transport.abort()
        elif self._transport is None:
            self._early.append(data)
        else:
            self._handler.data_received(data)

    def eof_received(self) -> bool | None:
        return bool(self._handler.eof_received()) if self._transport is not None else None

    def pause_writing(self) -> None:
        self._handler.pause_writing()

    def resume_writing(self) -> None:
        self._handler.resume_writing()


class ConnectionLimits:
    def __init__(
        self,
        newcomers: int = NEWCOMERS,
        stay_s: float = STAY_S,
        bytes_at_once: int = BYTES_AT_ONCE,
        bytes_a_second: int = BYTES_A_SECOND,
    ) -> None:
        self._most, self._stay_s = newcomers, stay_s
        self._bytes = bytes_at_once, bytes_a_second
        self._waiting: dict[Any, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}
        """By their sockets, which stay the same when a connection is encrypted; in the order in which they came."""

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def allowance(self) -> Allowance:
        """What one connection may send."""
        return Allowance(*self._bytes)

    async def listen(
        self, server: web.Server, address: str, port: int, tls: ssl.SSLContext | None = None
    ) -> asyncio.Server:
        """Let this server answer what comes to a port, and count all of its connections. Raises OSError."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: _Metered(self, server(), tls), address, port)

    def come(self, transport: asyncio.Transport) -> None:
        """A new connection, which has shown nothing yet."""
        self.forget()
        if len(self._waiting) >= self._most:
            self._turn_away(next(iter(self._waiting)))
        came = transport.get_extra_info("socket")
        timer = asyncio.get_running_loop().call_later(self._stay_s, self._turn_away, came)
        self._waiting[came] = transport, timer

    def leave(self, transport: asyncio.BaseTransport | None) -> None:
        """This connection has shown a cookie, or has been closed."""
        if transport is not None:
            _transport, timer = self._waiting.pop(transport.get_extra_info("socket"), (None, None))
            if timer is not None:
                timer.cancel()

    def forget(self) -> None:
        """A connection that is closing no longer counts."""
        for transport in [each for each, _timer in self._waiting.values() if each.is_closing()]:
            self.leave(transport)

    def _turn_away(self, came: Any) -> None:
        transport, timer = self._waiting.pop(came)
        timer.cancel()
        transport.abort()
