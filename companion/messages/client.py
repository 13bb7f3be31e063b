"""A client's line to the referee: JSON Lines over a Unix socket. It reconnects until the referee is there.

An intention that got no reply before the line broke is sent again with the same id, and the referee counts an id once.
Once answered it is forgotten, because it may hold a secret.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from companion.gamekit.snapshot import Snapshot
from companion.messages.intentions import Inquiry, Intention
from companion.messages.protocol import PROTOCOL, Fault, FromReferee, Reply, ScreenHello

LINE_LIMIT = 16 * 1024 * 1024
FIRST_DELAY = 0.1
LAST_DELAY = 2.0


Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


def connected_to(path: Path) -> Connect:
    return lambda: asyncio.open_unix_connection(path, limit=LINE_LIMIT)


class RefereeLink:
    """Keeps one connection up. `heard` gets the referee's messages, `changed` whether the line is up: it is, from the
    first snapshot on."""

    def __init__(
        self,
        where: "Path | Connect",
        heard: Callable[[FromReferee], None],
        changed: Callable[[bool], None] = lambda up: None,
    ) -> None:
        """`where`: the referee's socket, or a function that connects to it, which may raise OSError."""
        self._connect = connected_to(where) if isinstance(where, Path) else where
        self._heard, self._changed = heard, changed
        self._decoder = msgspec.json.Decoder(FromReferee)
        self._encoder = msgspec.json.Encoder()
        self._writer: asyncio.StreamWriter | None = None
        self._unanswered: dict[str, Intention] = {}
        self._delay = FIRST_DELAY
        self._up = False

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The ids of the intentions that the referee has not answered yet."""
        return tuple(self._unanswered)

    def post(self, intention: Intention) -> None:
        """Send an intention, now or as soon as the line is up."""
        self._unanswered[intention.id] = intention
        self._send(intention)

    def ask(self, inquiry: Inquiry[Any]) -> None:
        """Send an inquiry. It is not sent again if the line breaks."""
        self._send(inquiry)

    async def run(self) -> None:
        """Stay connected until cancelled."""
        try:
            while True:
                with contextlib.suppress(OSError):
                    await self._converse()
                await asyncio.sleep(self._delay)
                self._delay = min(self._delay * 2, LAST_DELAY)
        finally:
            self._unanswered.clear()

    async def _converse(self) -> None:
        reader, writer = await self._connect()
        self._writer = writer
        try:
            self._send(ScreenHello(PROTOCOL))
            self._send_again()
            while line := await self._read(reader):
                self._hear(line)
        finally:
            self._writer, self._up = None, False
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            self._changed(False)

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readline()
        except ValueError:  # longer than the limit
            return b""

    def _hear(self, line: bytes) -> None:
        try:
            message: FromReferee = self._decoder.decode(line)
        except (msgspec.MsgspecError, RecursionError) as error:  # our fault, not the referee's: it may still answer
            self._heard(Fault(f"the referee's message cannot be read: {error}"))
            return
        if isinstance(message, Reply):
            self._unanswered.pop(message.id, None)
        elif isinstance(message, Fault):
            self._unanswered.clear()  # sent again, it would be unreadable again
        elif isinstance(message, Snapshot):
            self._delay = FIRST_DELAY
        self._heard(message)
        if isinstance(message, Snapshot) and not self._up:
            self._up = True
            self._changed(True)

    def _send_again(self) -> None:
        for intention in self._unanswered.values():
            self._send(intention)

    def _send(self, message: Intention | Inquiry[Any] | ScreenHello) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(self._encoder.encode(message) + b"\n")
