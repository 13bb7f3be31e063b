"""The hall's process: its database, its server, and what the terminal shows."""

import asyncio
from contextlib import suppress

from companion.hall.hall import Hall
from companion.hall.hall_messages import PORTS
from companion.hall.hall_server import HallServer
from companion.hall.hall_store import HallStore
from companion.home.paths import hall_path
from companion.processes.certificate import certificate
from companion.processes.phone_server import PhoneSettings, chosen_address
from companion.web.server import Listening
from companion.web.server_process import tls_context


async def run_hall(name: str, database: str, settings: PhoneSettings) -> None:
    """Serve until cancelled. Raises LinkError, StoreError."""
    address = chosen_address(settings)
    tls = tls_context(certificate(address).pem) if settings.tls else None
    store = HallStore(database or str(hall_path()))
    hall = Hall(store)
    await hall.open(name)
    server = HallServer(Listening(address, settings.port, tls), hall)
    committing = asyncio.create_task(hall.run())
    try:
        await server.open(PORTS)
        print_codes(hall, server)
        await committing
    finally:
        committing.cancel()
        with suppress(asyncio.CancelledError):
            await committing
        await server.close()
        store.close()


def print_codes(hall: Hall, server: HallServer) -> None:
    url = server.place.url
    print(f"{hall.state.club} is open at {url}", flush=True)
    print(f"  tables:   companion play --hall {server.place.host}   code {hall.table_code}", flush=True)
    print(f"  players:  {url}/in/{hall.guest_code}", flush=True)
    print(f"  director: {url}/in/{hall.director_code}", flush=True)
