"""The fault console: a second terminal taps pieces on the simulated hardware of a running table, and makes it fail."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from companion.errors import LinkError
from companion.gamekit.simulated import TAP_MS
from companion.language.wording import plain
from companion.processes.simulated_hardware import Bench
from companion.referee.link import make_private

SUFFIX = ".faults"
"""Of the console's socket, which is beside the referee's."""

ANSWER_LENGTH = 64 * 1024
"""Bytes, at most: the list of faults fills a page."""
HANDS = """\
STATION tap PIECE     lay a piece there for a moment: centre tap marker white 1
STATION lay PIECE     leave it there; STATION lift PIECE takes it away
pieces                the pieces of this game (a player's own with the number of the seat)
"""
TAP_S = TAP_MS / 1000

# --- The table's end ------------------------------------------------------------------------------------------


def console_of(socket_path: Path) -> Path:
    return socket_path.with_suffix(SUFFIX)


@asynccontextmanager
async def console(rig: Bench, path: Path, title: str, pieces: Mapping[str, str] | None = None) -> AsyncIterator[None]:
    """Serve `companion faults` while this lasts: first the title, then an answer to each line. Each ends with a zero
    byte. `pieces`: the tag of each piece that can be laid, by its name."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(title.encode() + b"\0")
        with suppress(OSError, ValueError):
            while line := await reader.readline():
                answer = await _answered(rig, line.decode(errors="replace"), pieces or {})
                writer.write(answer.encode() + b"\0")
                await writer.drain()
        writer.close()

    make_private(path.parent)
    path.unlink(missing_ok=True)
    server = await asyncio.start_unix_server(talk, path)
    path.chmod(0o600)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def _answered(rig: Bench, line: str, pieces: Mapping[str, str]) -> str:
    """An unknown command is answered with the list of commands."""
    words = line.split()
    if words == ["pieces"]:
        return "\n".join(pieces)
    if len(words) > 2 and words[1] in ("tap", "lay", "lift"):
        return await _touched(rig, words[0], words[1], pieces.get(" ".join(words[2:])))
    answer = rig.misbehave(line)
    if answer != rig.misbehave(""):
        return answer
    unknown = "" if words in ([], ["help"]) else f"Unknown command {plain(line, 60)!r}. Available:\n"
    return f"{unknown}{HANDS if pieces else ''}{answer}"


async def _touched(rig: Bench, station: str, how: str, uid: str | None) -> str:
    """Lay a piece, lift it, or both."""
    if station not in rig.table.stations:
        return f"there is no reader {plain(station, 20)!r}; there is {', '.join(rig.table.stations)}"
    if uid is None:
        return "there is no such piece; `pieces` lists them"
    if how in ("tap", "lay"):
        rig.lay(station, uid)
    if how == "tap":
        await asyncio.sleep(TAP_S)
    if how in ("tap", "lift"):
        rig.lift(station, uid)
    return "done"


# --- The user's end -------------------------------------------------------------------------------------------


def converse(folder: Path) -> int:
    """Send what is typed to the newest table, and print its answers."""
    with _connected(folder) as line:
        table = plain(_printable(_answer(line)), 200)
        print(f"{table}. What should happen? Enter lists what you can type, Ctrl-D quits.")
        while typed := _typed():
            try:
                line.sendall(typed.encode())
                answer = _answer(line)
            except OSError:
                raise LinkError("the table has ended") from None
            print(_printable(answer).rstrip())
    return 0


def _connected(folder: Path) -> socket.socket:
    """The newest table that answers: one that was killed leaves its socket behind."""
    found = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(path))
        except OSError:
            line.close()
        else:
            return line
    raise LinkError("no table with simulated hardware is running; `companion demo --drivers` starts one")


def _answer(line: socket.socket) -> bytes:
    answer = b""
    while not answer.endswith(b"\0"):
        part = line.recv(4096)
        if not part or len(answer) > ANSWER_LENGTH:
            raise ConnectionError
        answer += part
    return answer[:-1]


def _printable(answer: bytes) -> str:
    """Several lines without control characters, except line ends."""
    return "".join(char for char in answer.decode(errors="replace") if char.isprintable() or char == "\n")


def _typed() -> str:
    try:
        return input("> ") + "\n"
    except EOFError:
        return ""
