"""What simulated hands touch: nothing but signals, simulated chips under the real drivers, or emulated firmware."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from companion.config import Table
from companion.devices.trouble import INSTALL
from companion.errors import DeviceError, LinkError, UsageError
from companion.referee.link import make_private
from companion.simulation.acting import Hardware
from companion.wording import plain

Through: TypeAlias = Literal["signals", "drivers", "firmware"]

SUFFIX = ".faults"
"""Of the console's socket; it lies beside that of the referee."""


class Bench(Hardware, Protocol):
    """Simulated hardware that hands can touch, wired as a table.toml says, and that can be told to go wrong."""

    @property
    def table(self) -> Table: ...

    def misbehave(self, line: str) -> str: ...


@asynccontextmanager
async def bench(through: Through, kit: str, players: int, folder: Path) -> AsyncIterator[Bench]:
    """Raises UsageError, DeviceError."""
    try:
        from companion.simulation.hardware.firmware_rig import FirmwareRig
        from companion.simulation.hardware.rig import Rig
    except ImportError as error:
        raise DeviceError(f"the library {error.name} is not installed: {INSTALL}") from None
    if through == "firmware":
        async with FirmwareRig(folder, pads=players) as emulated:
            yield emulated
    else:
        async with Rig("one" if kit == "one" else "full", folder, pads=players) as rig:
            yield rig


def prepare_firmware(kit: str) -> None:
    """Build what `--firmware` needs, before a screen is opened. Raises UsageError, EmulatorError."""
    from companion.simulation.hardware.firmware import build

    if kit != "full":
        raise UsageError("--firmware plays on pads with a satellite: leave out --kit, or say --kit full")
    print("companion: building the firmware and its emulator, if they have changed …", file=sys.stderr)
    build()


# --- A console for faults -------------------------------------------------------------------------------------


def console_of(socket_path: Path) -> Path:
    return socket_path.with_suffix(SUFFIX)


@asynccontextmanager
async def console(rig: Bench, path: Path, title: str) -> AsyncIterator[None]:
    """While this lasts, `companion faults` can reach the hardware: first its title, then for each line an answer, all
    of them ended by a zero."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(title.encode() + b"\0")
        with suppress(OSError, ValueError):
            while line := await reader.readline():
                writer.write(_answered(rig, line.decode(errors="replace")).encode() + b"\0")
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


def _answered(rig: Bench, line: str) -> str:
    """A line that means nothing is answered with all that there is."""
    answer = rig.misbehave(line)
    unknown = line.split() not in ([], ["help"]) and answer == rig.misbehave("")
    return f"Nobody here knows {plain(line, 60)!r}. There is:\n{answer}" if unknown else answer


def converse(folder: Path) -> int:
    """A person's end of the console: what is typed goes to the newest table, and its answers are printed."""
    with _connected(folder) as line:
        print(f"{plain(_answer(line).decode(), 200)}. What shall go wrong? An empty line shows what can; Ctrl-D ends.")
        while typed := _typed():
            try:
                line.sendall(typed.encode())
                answer = _answer(line)
            except OSError:
                raise LinkError("the table has ended") from None
            print(answer.decode().rstrip())
    return 0


def _connected(folder: Path) -> socket.socket:
    """A table that was killed leaves its socket behind: nobody answers there."""
    found = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(path))
        except OSError:
            line.close()
        else:
            return line
    raise LinkError("no table with simulated hardware is running; `companion demo --drivers` begins one")


def _answer(line: socket.socket) -> bytes:
    answer = b""
    while not answer.endswith(b"\0"):
        part = line.recv(4096)
        if not part:
            raise ConnectionError
        answer += part
    return answer[:-1]


def _typed() -> str:
    try:
        return input("> ") + "\n"
    except EOFError:
        return ""
