"""The link to the screens: JSON Lines over a Unix socket, snapshots out, intentions in.

A screen may come, go, hang or send rubbish; none of it reaches the game. A screen that is slow gets only the newest
snapshot; one that does not read at all is dropped.
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

import msgspec

from companion.errors import LinkError
from companion.snapshot import PROTOCOL, Fault, FromScreen, Hello, Intention, Reply, Told

LINE_LIMIT = 64 * 1024
"""No intention is longer."""
PATIENCE_S = 10.0
"""How long a screen may leave what it was sent unread."""
UNREAD_REPLIES = 256
ANSWER_S = 1.0
"""How long a referee may take to accept a connection; the system does it for one that is busy."""

_decoder = msgspec.json.Decoder(FromScreen)


class Link:
    def __init__(self, path: Path, heed: Callable[[Intention], Told]) -> None:
        self._path = path
        self._heed = heed
        self._newest = b""
        self._screens: set[_Screen] = set()
        """Those that have said hello."""
        self._visits: dict[asyncio.Task[None], _Screen] = {}
        """Everybody who is connected."""
        self._server: asyncio.Server | None = None

    @property
    def screens(self) -> int:
        return len(self._screens)

    async def open(self) -> None:
        """Listen. Raises LinkError if somebody else does already, or if the path cannot be used."""
        try:
            make_private(self._path.parent)
            _clear_stale(self._path)
            self._server = await asyncio.start_unix_server(self._welcome, self._path, limit=LINE_LIMIT)
            self._path.chmod(0o600)
        except OSError as error:
            raise LinkError(f"{self._path}: cannot listen for screens here: {error}") from None

    def publish(self, snapshot: bytes) -> None:
        """Show this snapshot on every screen, now and to those who come later."""
        self._newest = snapshot
        for screen in self._screens:
            screen.show(snapshot)

    async def close(self) -> None:
        """Stop listening and let every screen go. May be called twice."""
        if self._server is None:
            return
        server, self._server = self._server, None
        server.close()
        await asyncio.sleep(0)  # for a connection that is accepted already, but not yet welcomed
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
        sending = asyncio.create_task(screen.send_all())
        try:
            await self._listen(reader, screen)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the screen has gone; the game goes on
        finally:
            self._screens.discard(screen)
            screen.finish()
            await sending
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            del self._visits[visit]

    async def _listen(self, reader: asyncio.StreamReader, screen: "_Screen") -> None:
        while not screen.dropped and (line := await _line(reader)):
            await asyncio.sleep(0)  # a screen that says much at once does not keep the others waiting
            try:
                message = _decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                return screen.answer(Fault(f"cannot read this: {error}"))
            if isinstance(message, Hello):
                if message.protocol != PROTOCOL:
                    return screen.answer(
                        Fault(f"this referee speaks version {PROTOCOL}, the screen {message.protocol}")
                    )
                self._screens.add(screen)
                screen.show(self._newest)
            elif screen not in self._screens:
                return screen.answer(Fault("say hello first"))
            else:
                screen.answer(Reply(message.id, self._heed(message)))
        return None


class _Screen:
    """What is still to be sent to one screen: replies in order, and the newest snapshot."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._replies: deque[bytes] = deque()
        self._snapshot = b""
        self._news = asyncio.Event()
        self._finished = False
        self.dropped = False

    def show(self, snapshot: bytes) -> None:
        self._snapshot = snapshot
        self._news.set()

    def answer(self, message: Reply | Fault) -> None:
        if len(self._replies) >= UNREAD_REPLIES:
            self.drop()
        self._replies.append(msgspec.json.encode(message))
        self._news.set()

    def finish(self) -> None:
        self._finished = True
        self._news.set()

    def drop(self) -> None:
        self.dropped = True
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
            return self._replies.popleft()
        snapshot, self._snapshot = self._snapshot, b""
        return snapshot


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ValueError:  # longer than LINE_LIMIT: not one of ours
        return b""


def make_private(folder: Path) -> None:
    """Make a folder that only we can look into. Raises LinkError if it is somebody else's: in /tmp anybody may have
    made it before us, and would then listen in."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise LinkError(f"{folder}: this folder is not ours alone, so screens could be deceived")


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
    """Whether a referee listens on this socket. One that is too busy to say so does listen. Raises LinkError."""
    try:
        if not path.exists():
            return False
        make_private(path.parent)
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(ANSWER_S)
            return probe.connect_ex(os.fspath(path)) in (0, errno.EAGAIN)
    except OSError as error:
        raise LinkError(f"{path}: screens cannot meet their referee here: {error}") from None
