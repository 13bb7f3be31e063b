"""The process of the phones' server: told by its keeper which codes are valid, it tells who has come."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from companion.gamekit.game import Seat
from companion.messages.phones import PORTS, ForServer, FromServer
from companion.web.guests import Guests
from companion.web.hub import Hub
from companion.web.server import Listening, PhonesServer

LINE_LIMIT = 64 * 1024

_decoder = msgspec.json.Decoder(ForServer)


async def serve(socket_path: Path, place: Listening, ports: int = PORTS) -> None:
    """Let phones come to this referee's table until the standard input ends. Raises LinkError."""
    orders = await _standard_input()
    first = await orders.readline()
    if not first:
        return
    guests = Guests(_decoder.decode(first).codes)

    def tell(moved: Mapping[Seat, Seat] | None = None) -> None:
        counts = {chair: count for chair, count in hub.counts.items() if count}
        told = FromServer(server.place.url, counts, dict(moved or {}))
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()

    def reseat(moved: Mapping[Seat, Seat]) -> None:
        guests.reseat(moved)
        tell(moved)

    hub = Hub(socket_path, tell, reseat)
    server = PhonesServer(place, guests, hub)
    await server.open(ports)
    talking = asyncio.create_task(hub.link.run())
    try:
        tell()
        while line := await orders.readline():
            for chair, code in _decoder.decode(line).codes.items():
                server.renew(chair, code)
    finally:
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)
        await server.close()


async def _standard_input() -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader
