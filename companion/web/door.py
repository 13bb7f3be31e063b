"""The door: how many may stand in it, and for how long. Whoever has shown a cookie is inside, and no longer our
concern.

A page takes a few short connections. One that says nothing, or says it slowly, is disconnected; of many, whoever has
taken longest makes room for the next. So nobody can keep others out by standing in the door.
"""

import asyncio
from typing import Any

from aiohttp import web

NEWCOMERS = 64
STAY_S = 30.0
"""How long somebody may be connected without having come in."""


class Door:
    def __init__(self, newcomers: int = NEWCOMERS, stay_s: float = STAY_S) -> None:
        self._most, self._stay_s = newcomers, stay_s
        self._waiting: dict[asyncio.BaseTransport, asyncio.TimerHandle] = {}
        """In the order in which they came."""

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def guard(self, server: web.Server) -> None:
        """From now on whoever comes and goes is noticed."""
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

    def leave(self, transport: asyncio.BaseTransport | None) -> None:
        """Somebody has come in, or has gone."""
        timer = self._waiting.pop(transport, None) if transport else None
        if timer is not None:
            timer.cancel()

    def _forget(self) -> None:
        """Those that are closing have gone, whoever noticed."""
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
