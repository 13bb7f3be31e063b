"""The link to the screens: JSON Lines over a Unix socket, snapshots out, intentions in.

A screen may come, go, hang or send rubbish without disturbing the game. A slow screen gets only the newest snapshot.
One that does not read at all is disconnected.
"""

import asyncio
import contextlib
import errno
import os
import socket
import stat
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion.crash import fault_of
from companion.errors import LinkError
from companion.files import make_folder
from companion.gamekit.discovery import strangers
from companion.gamekit.snapshot import Told
from companion.messages.intentions import Inquiry, Intention
from companion.messages.protocol import FROM_SCREEN, PROTOCOL, Fault, FromScreen, Knowledge, Reply, ScreenHello

LINE_LIMIT = 64 * 1024
"""No intention is longer."""
QUOTED = 300
"""How many characters of an error in a message are sent."""
PATIENCE_S = 10.0
"""How long a screen may leave a message unread."""
HELLO_S = 5.0
"""How long a client may be connected without saying hello."""
NEWCOMERS = 32
"""How many clients may be connected without having said hello. The oldest of them makes room for the next."""
SCREENS = 200
"""How many screens a table may have: more than any table needs, and few enough for files and memory."""
UNREAD_REPLIES = 256
UNREAD_BYTES = 64 * 1024
ANSWER_S = 1.0
"""How long a referee may take to accept a connection. The kernel accepts for a busy one."""

_decoder: msgspec.json.Decoder[FromScreen] = msgspec.json.Decoder(FROM_SCREEN)


class ScreenLink:
    def __init__(
        self, path: Path, heed: Callable[[Intention], Told], inform: Callable[[Inquiry[Any]], Knowledge]
    ) -> None:
        self._path = path
        self._heed = heed
        self._inform = inform
        self._newest = b""
        self._screens: set[_Screen] = set()
        """Screens that have said hello."""
        self._newcomers: dict[_Screen, None] = {}
        """Clients that have not, oldest first."""
        self._visits: dict[asyncio.Task[None], _Screen] = {}
        """All connections."""
        self._server: asyncio.Server | None = None

    @property
    def screens(self) -> int:
        return len(self._screens)

    async def open(self) -> None:
        """Listen. Raises LinkError if another referee listens here already, or if the path cannot be used."""
        try:
            make_private(self._path.parent)
            _clear_stale(self._path)
            self._server = await asyncio.start_unix_server(self._welcome, self._path, limit=LINE_LIMIT)
            self._path.chmod(0o600)
        except OSError as error:
            raise LinkError(f"{self._path}: cannot listen for screens here: {error}") from None

    def publish(self, snapshot: bytes) -> None:
        """Send this snapshot to every screen, also to those that connect later."""
        self._newest = snapshot
        for screen in self._screens:
            screen.show(snapshot)

    async def close(self) -> None:
        """Stop listening and disconnect every screen. May be called twice."""
        if self._server is None:
            return
        server, self._server = self._server, None
        server.close()
        await asyncio.sleep(0)  # a connection may be accepted already, but not yet in `_visits`
        for screen in self._visits.values():
            screen.drop()
        if self._visits:
            await asyncio.wait(self._visits)
        with contextlib.suppress(OSError):
            self._path.unlink()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        screen = _Screen(writer)
        visit = asyncio.current_task()
        assert visit is not None
        if self._server is None:
            screen.drop()
        self._visits[visit] = screen
        if len(self._newcomers) >= NEWCOMERS:
            self._turn_away(next(iter(self._newcomers)))
        self._newcomers[screen] = None
        sending = asyncio.create_task(screen.send_all())
        try:
            if await self._introduced(reader, screen):
                await self._listen(reader, screen)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the screen has gone; the game goes on
        finally:
            self._newcomers.pop(screen, None)
            self._screens.discard(screen)
            screen.finish()
            await sending
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            del self._visits[visit]

    def _turn_away(self, newcomer: "_Screen") -> None:
        del self._newcomers[newcomer]
        newcomer.drop()

    async def _introduced(self, reader: asyncio.StreamReader, screen: "_Screen") -> bool:
        """Wait for the hello. Whether the screen may stay; if not, it gets the reason."""
        try:
            line = await asyncio.wait_for(_line(reader), HELLO_S)
        except TimeoutError:
            screen.answer(Fault(f"no hello within {HELLO_S:g} s"))
            return False
        message = _read(line, screen) if line and not screen.dropped else None
        if message is None:
            return False
        if objection := self._objection(message):
            screen.answer(Fault(objection))
            return False
        self._newcomers.pop(screen, None)
        self._screens.add(screen)
        screen.show(self._newest)
        return True

    def _objection(self, message: FromScreen) -> str:
        """Why a client that says this first is disconnected; "" for a screen that may stay."""
        if not isinstance(message, ScreenHello):
            return "say hello first"
        if message.protocol != PROTOCOL:
            return _other_version(message)
        return f"{SCREENS} screens are at this table already" if len(self._screens) >= SCREENS else ""

    async def _listen(self, reader: asyncio.StreamReader, screen: "_Screen") -> None:
        while not screen.dropped and (line := await _line(reader)):
            await asyncio.sleep(0)  # a screen that sends a burst does not keep the others waiting
            message = _read(line, screen)
            if message is None:
                return
            if isinstance(message, ScreenHello) and message.protocol == PROTOCOL:
                screen.show(self._newest)
                continue
            if isinstance(message, ScreenHello):
                screen.answer(Fault(_other_version(message)))
                return
            try:
                screen.answer(self._answer_to(message))
            except OSError:  # whether it counts only the next referee knows
                raise
            except Exception as error:  # `heed` has reported it; sent again, it would fail again
                screen.answer(Fault(f"{_blamed(error)} and starts over: check whether this counted"))
                return

    def _answer_to(self, message: Intention | Inquiry[Any]) -> Reply | Knowledge:
        if isinstance(message, Inquiry):
            return self._inform(message)
        return Reply(message.id, self._heed(message))


def _blamed(error: Exception) -> str:
    """The package to blame, if it is not ours. No value is quoted."""
    fault = fault_of(error, strangers())
    return f"the game of {fault.package} failed ({fault.where})" if fault else "the referee failed"


def _other_version(hello: ScreenHello) -> str:
    return f"this referee speaks version {PROTOCOL}, the screen {hello.protocol}"


def _read(line: bytes, screen: "_Screen") -> FromScreen | None:
    """The message of a line; None if it cannot be read, and then the screen gets a fault."""
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        screen.answer(Fault(f"cannot read this: {str(error)[:QUOTED]}"))
        return None


class _Screen:
    """The output queue of one screen: replies in order, and the newest snapshot."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        writer.transport.set_write_buffer_limits(high=0)  # buffer no more than the rest of one message
        self._replies: deque[bytes] = deque()
        self._unread = 0
        """Bytes of replies that are waiting."""
        self._snapshot = b""
        self._news = asyncio.Event()
        self._finished = False
        self.dropped = False

    def show(self, snapshot: bytes) -> None:
        self._snapshot = b"" if self.dropped else snapshot
        self._news.set()

    def answer(self, message: Reply | Knowledge | Fault) -> None:
        """A screen that asks for more answers than it reads is disconnected."""
        reply = msgspec.json.encode(message)
        self._unread += len(reply)
        self._replies.append(reply)
        if len(self._replies) > UNREAD_REPLIES or (len(self._replies) > 1 and self._unread > UNREAD_BYTES):
            self.drop()
        self._news.set()

    def finish(self) -> None:
        self._finished = True
        self._news.set()

    def drop(self) -> None:
        self.dropped = True
        self._replies.clear()
        self._snapshot = b""
        self._writer.transport.abort()

    async def send_all(self) -> None:
        while not self._finished or self._replies:
            await self._news.wait()
            self._news.clear()
            try:
                while self._replies or self._snapshot:
                    self._writer.write(self._next() + b"\n")
                    await asyncio.wait_for(self._writer.drain(), PATIENCE_S)
            except (OSError, TimeoutError):
                return self.drop()
        return None

    def _next(self) -> bytes:
        """A reply comes before the snapshot that shows its effect."""
        if self._replies:
            reply = self._replies.popleft()
            self._unread -= len(reply)
            return reply
        snapshot, self._snapshot = self._snapshot, b""
        return snapshot


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ValueError:  # longer than LINE_LIMIT: not one of ours
        return b""


def make_private(folder: Path) -> None:
    """Make a folder that only this user can read. Raises LinkError if another user owns it: in /tmp any user may have
    made it before us, in order to listen in."""
    make_folder(folder, 0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise LinkError(
            f"{folder}: this is no folder of ours, so screens could be deceived: "
            "remove it, or name another place in XDG_RUNTIME_DIR"
        )
    if found.st_mode & 0o077:
        raise LinkError(
            f"{folder}: others can look into this folder, so screens could be deceived: "
            "`chmod 700` it, or name another place in XDG_RUNTIME_DIR"
        )


def _clear_stale(path: Path) -> None:
    """Remove the socket of a referee that was killed; leave one that still answers alone."""
    if not path.exists():
        return
    if not path.is_socket():
        raise LinkError(f"{path}: cannot listen for screens here: there is a file that is no socket")
    if answers(path):
        raise LinkError(f"{path}: another referee is listening here already; `companion screen` joins it")
    path.unlink()


def answers(path: Path) -> bool:
    """Whether a referee listens on this socket. One that is too busy to answer does. Raises LinkError."""
    try:
        if not path.exists():
            return False
        make_private(path.parent)
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(ANSWER_S)
            return probe.connect_ex(os.fspath(path)) in (0, errno.EAGAIN)
    except OSError as error:
        raise LinkError(f"{path}: screens cannot meet their referee here: {error}") from None
