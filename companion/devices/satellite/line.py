"""A serial line, by pyserial on the event loop.

Quirks (those of opening a port are in `companion.devices.serial_port`):

- Opening may block for seconds, or for ever, when a USB converter hangs, and so may closing. Each is done in a thread
  of its own, and we wait for it no longer than OPEN_S or CLOSE_S, not even when the process ends.
- When the line is unplugged while something is written, the transport reports an error of the program. It is none.
- A transport that is closed waits for what it has written to be sent. A satellite that hangs never takes it: the line
  is aborted instead, and what was written is thrown away.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from serial_asyncio_fast import SerialTransport

from companion.devices.satellite import wire
from companion.devices.serial_port import LineError, OpenPort, open_port
from companion.troubles import LineTrouble

OPEN_S = 4.0
"""A line that takes longer to open hangs. It is tried again once that attempt has ended."""
CLOSE_S = 2.0
"""How long a line may take to close. One that takes longer hangs, and is left to its thread."""
UNSENT_LIMIT = 4096
"""With this many bytes unsent the other side hangs, and no more are added."""


class SerialLine(asyncio.Protocol):
    """Bytes in and out. It belongs to the loop in which it was opened."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._arrived = bytearray()
        self._news = asyncio.Event()
        self._closed = asyncio.Event()
        self._transport: _Transport | None = None
        self._fd = -1

    @classmethod
    async def open(cls, port: str) -> "SerialLine":
        """Raises LineError."""
        if port in _hanging:
            raise LineError(port, LineTrouble.CANNOT_OPEN)
        thread = _OwnThread()
        try:
            async with asyncio.timeout(OPEN_S):
                opened = await asyncio.get_running_loop().run_in_executor(thread, open_port, port, wire.BAUD)
        except TimeoutError:
            _hanging.add(port)
            thread.afterwards(_close_late)
            thread.afterwards(lambda _: _hanging.discard(port))
            raise LineError(port, LineTrouble.CANNOT_OPEN) from None
        except asyncio.CancelledError:
            thread.afterwards(_close_late)
            raise
        line = cls(port)
        line._fd = opened.fileno()
        line._transport = _Transport(asyncio.get_running_loop(), line, opened)
        return line

    async def read(self, within_ms: int) -> bytes:
        """What has arrived; nothing if the time is up, or after a nudge. Raises LineError when the line has gone."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_ms / 1000):
                await self._news.wait()
        self._news.clear()
        data = bytes(self._arrived)
        self._arrived.clear()
        if self._closed.is_set() and not data:
            raise LineError(self._port, LineTrouble.UNPLUGGED)
        return data

    def nudge(self) -> None:
        """Let `read` return."""
        self._news.set()

    def write(self, data: bytes) -> None:
        """Returns at once. What a line that hangs cannot take is dropped."""
        if data and self._transport and self._transport.get_write_buffer_size() < UNSENT_LIMIT:
            self._transport.write(data)

    async def close(self) -> None:
        """Idempotent."""
        if self._transport and not self._transport.is_closing():
            import termios

            with suppress(OSError, termios.error):
                termios.tcflush(self._fd, termios.TCOFLUSH)
            self._transport.abort()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._closed.wait()

    # --- For the transport ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._arrived += data
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._news.set()


class _Transport(SerialTransport):  # type: ignore[misc, unused-ignore]  # without types where it is not installed
    def _fatal_error(self, exc: BaseException, message: str = "") -> None:
        """A line that is unplugged while something is written is no mistake of the program."""
        self._abort(exc)

    async def _call_connection_lost(self, exc: Exception | None, *, flush: bool) -> None:
        """Closes the port. In a thread of the loop, as the library has it, a port that hangs would keep the process."""
        self._write_buffer.clear()
        with suppress(Exception):  # the line has gone, even if closing fails
            await asyncio.get_running_loop().run_in_executor(_OwnThread(), self._serial.close)
        self._serial = None
        self._protocol.connection_lost(exc)


def _close_late(opening: Future[OpenPort]) -> None:
    """Close a line that was opened too late."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


_hanging: set[str] = set()
"""Ports that a hanging thread is still opening."""

P = ParamSpec("P")
T = TypeVar("T")


class _OwnThread(Executor):
    """For one piece of work that may hang: unlike the threads of the loop it does not keep the process alive."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        work: Future[T] = Future()

        def do() -> None:
            if not work.set_running_or_notify_cancel():
                return
            try:
                work.set_result(fn(*args, **kwargs))
            except BaseException as error:  # passed on to the caller
                work.set_exception(error)

        self._work: Future[Any] = work
        threading.Thread(target=do, name="a line", daemon=True).start()
        return work

    def afterwards(self, do: Callable[[Future[Any]], object]) -> None:
        """In that thread, or at once if it is done."""
        self._work.add_done_callback(do)
