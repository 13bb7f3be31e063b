"""A serial line, by pyserial on the event loop.

Quirks that are dealt with here:

- Opening, and every change of a setting, may block for seconds, or for ever, when a USB converter hangs. So a line is
  opened in a thread of its own, for which nobody waits longer than OPEN_S, not even when the process ends; and when the
  transport sets its time limits, pyserial must not configure the line anew.
- A line that is unplugged while it is being opened makes pyserial raise `termios.error`, which is no OSError.
- Opening a line raises DTR, which resets many boards. Closing it would lower DTR again, also when this process dies, so
  HUPCL is cleared: only the first opening after the plug resets the satellite.
- When the line is unplugged while something is written, the transport reports an error of the program. It is none.
- A transport that is closed waits for what it has written to be sent. A satellite that hangs never takes it: the line
  is aborted instead, and what was written is thrown away.
"""

import asyncio
import errno
import termios
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

import serial
from serial_asyncio_fast import SerialTransport

from companion.devices import problems, wire
from companion.errors import DeviceError

OPEN_S = 4.0
"""Who has not opened by then hangs. It is tried again when that attempt has come to its end."""
UNSENT_LIMIT = 4096
"""When so many bytes could not be written the other side hangs, and no more are added."""

_PROBLEMS = {
    **dict.fromkeys((errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO), problems.UNPLUGGED),
    **dict.fromkeys((errno.EACCES, errno.EPERM), problems.NO_PERMISSION),
    **dict.fromkeys((errno.EBUSY, errno.EAGAIN), problems.IN_USE),
    **dict.fromkeys((errno.ENOTTY, errno.EISDIR, errno.EINVAL), problems.NO_SERIAL_LINE),
}


class LineError(DeviceError):
    """A line cannot be opened, or has gone. Its problem is one of `problems`."""

    def __init__(self, port: str, problem: str) -> None:
        self.problem = problem
        super().__init__(f"{port}: {problem}; {problems.REMEDIES[problem]}")


class Line(asyncio.Protocol):
    """Bytes in and out. It belongs to the loop in which it was opened."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._arrived = bytearray()
        self._news = asyncio.Event()
        self._closed = asyncio.Event()
        self._transport: _Transport | None = None
        self._fd = -1

    @classmethod
    async def open(cls, port: str) -> "Line":
        """Raises LineError."""
        if port in _hanging:
            raise LineError(port, problems.CANNOT_OPEN)
        thread = _OwnThread()
        try:
            async with asyncio.timeout(OPEN_S):
                opened = await asyncio.get_running_loop().run_in_executor(thread, _open, port)
        except TimeoutError:
            _hanging.add(port)
            thread.afterwards(_close_late)
            thread.afterwards(lambda _: _hanging.discard(port))
            raise LineError(port, problems.CANNOT_OPEN) from None
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
            raise LineError(self._port, problems.UNPLUGGED)
        return data

    def nudge(self) -> None:
        """Let `read` return."""
        self._news.set()

    def write(self, data: bytes) -> None:
        """Returns at once. What a line that hangs cannot take is dropped."""
        if data and self._transport and self._transport.get_write_buffer_size() < UNSENT_LIMIT:
            self._transport.write(data)

    async def close(self) -> None:
        """Twice is as good as once."""
        if self._transport and not self._transport.is_closing():
            with suppress(OSError, termios.error):
                termios.tcflush(self._fd, termios.TCOFLUSH)
            self._transport.abort()
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


class _Port(serial.Serial):  # type: ignore[misc, unused-ignore]  # as above
    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Only when it is opened; what is changed later is kept in Python alone."""
        if force_update:
            super()._reconfigure_port(force_update)


def _open(port: str) -> _Port:
    try:
        opened = _Port(port, wire.BAUD, timeout=0, write_timeout=0, exclusive=True)
    except (OSError, ValueError, termios.error) as error:
        raise LineError(port, _problem(error)) from None
    with suppress(OSError, termios.error):
        settings = termios.tcgetattr(opened.fileno())
        settings[2] &= ~termios.HUPCL
        termios.tcsetattr(opened.fileno(), termios.TCSANOW, settings)
    with suppress(OSError, ValueError, NotImplementedError):
        opened.set_low_latency_mode(True)  # some converters else hold bytes back for 16 ms
    return opened


def _problem(error: Exception) -> str:
    """pyserial tells the number of an error as its own, or keeps it in the error behind it, or not at all."""
    for each in (error, error.__context__):
        number = each.errno if isinstance(each, OSError) else each.args[0] if isinstance(each, termios.error) else None
        if number in _PROBLEMS:
            return _PROBLEMS[number]
    return problems.CANNOT_OPEN


def _close_late(opening: Future[_Port]) -> None:
    """Nobody waits for this line any more."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


_hanging: set[str] = set()
"""Ports that are still being opened by somebody who hangs."""

P = ParamSpec("P")
T = TypeVar("T")


class _OwnThread(Executor):
    """For one piece of work that may hang: unlike the threads of the loop it keeps nobody from leaving."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        work: Future[T] = Future()

        def do() -> None:
            if not work.set_running_or_notify_cancel():
                return
            try:
                work.set_result(fn(*args, **kwargs))
            except BaseException as error:  # whatever it is, it is for the one who waits
                work.set_exception(error)

        self._work: Future[Any] = work
        threading.Thread(target=do, name="opening a line", daemon=True).start()
        return work

    def afterwards(self, do: Callable[[Future[Any]], object]) -> None:
        """In that thread, or at once if it is done."""
        self._work.add_done_callback(do)
