"""The hall's process: its database, its server, and what the terminal shows."""

import asyncio
import signal
from contextlib import suppress

from companion.errors import LinkError
from companion.hall.hall import Hall
from companion.hall.hall_messages import PORTS
from companion.hall.hall_server import HallServer
from companion.hall.hall_store import HallStore
from companion.home.paths import hall_path
from companion.processes.certificate import certificate
from companion.processes.hall_broker import LiveOptions, OpenLive, open_live
from companion.processes.phone_server import PhoneSettings, chosen_address
from companion.web.server import Listening
from companion.web.server_process import tls_context


async def run_hall(name: str, database: str, settings: PhoneSettings, live: LiveOptions | None = None) -> None:
    """Serve until cancelled. `live`: how tables are live; None: they are not. Raises LinkError, StoreError."""
    address = chosen_address(settings)
    tls = tls_context(certificate(address).pem) if settings.tls else None
    store = HallStore(database or str(hall_path()))
    hall = Hall(store)
    await hall.open(name)
    opened = await _opened_live(hall, address, live) if live else None
    server = HallServer(Listening(address, settings.port, tls), hall, opened.routes if opened else ())
    committing = asyncio.create_task(hall.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, committing.cancel)
    try:
        await server.open(PORTS)
        print_codes(hall, server)
        if opened is not None:
            print_live(hall, server, opened)
        with suppress(asyncio.CancelledError):
            await committing
    finally:
        committing.cancel()
        with suppress(asyncio.CancelledError):
            await committing
        if opened is not None:
            await opened.close()
        await server.close()
        store.close()


async def _opened_live(hall: Hall, address: str, live: LiveOptions) -> OpenLive | None:
    """Without a broker there are rounds and results all the same."""
    try:
        return await open_live(hall, address, live)
    except LinkError as error:
        print(f"Tables are not live: {error}", flush=True)
        return None


def print_live(hall: Hall, server: HallServer, live: OpenLive) -> None:
    place = live.place
    broker = f"{'mqtts' if place.tls else 'mqtt'}://{place.host or server.place.address}:{place.port}"
    print(f"  display:  {server.place.url}/in/{hall.guest_code}?display", flush=True)
    print(f"  live:     {broker}, topics companion/1/{place.hall}/…", flush=True)


def print_codes(hall: Hall, server: HallServer) -> None:
    url = server.place.url
    print(f"{hall.state.club} is open at {url}", flush=True)
    print(f"  tables:   companion play --hall {server.place.host}   code {hall.table_code}", flush=True)
    print(f"  players:  {url}/in/{hall.guest_code}", flush=True)
    print(f"  director: {url}/in/{hall.director_code}", flush=True)
