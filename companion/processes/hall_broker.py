"""What makes the tables of a hall live: our own Mosquitto or another broker, and the display that shows them."""

import asyncio
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from companion.errors import LinkError
from companion.files import PRIVATE, changing, is_private, load, make_folder, store_all
from companion.hall.hall import Hall
from companion.hall.hall_display import HallDisplays
from companion.hall.hall_messages import LivePlace
from companion.hall.live_board import LiveBoard
from companion.hall.live_hall import LiveHall, admitted, hall_topic
from companion.hall.mosquitto import DISPLAY, HALL, HOME, BrokerPlace, Mosquitto
from companion.home.paths import hall_broker_folder
from companion.messages.live_tables import PORT, TLS_PORT, BrokerAccess
from companion.processes.certificate import Certificate, certificate

if TYPE_CHECKING:
    from aiohttp import web

PASSWORD = "COMPANION_BROKER_PASSWORD"
"""The environment variable with our password at another broker: every user can read a command line."""
PASSWORDS = "passwords.json"
BYTES = 64 * 1024


class LiveOptions(Struct, frozen=True):
    """As the command line says."""

    broker: str = ""
    """Another broker: mqtts://user@broker.example:8883; "": our own Mosquitto."""
    port: int = TLS_PORT
    certificate: Path | None = None
    """Of another broker."""


class OpenLive:
    """The live side of a running hall."""

    def __init__(self, hall: Hall, place: LivePlace, access: BrokerAccess, broker: Mosquitto) -> None:
        self.broker, self.place = broker, place
        self.board = LiveBoard(place.hall, access)
        self._hall = LiveHall(hall, place, broker)
        self._displays = HallDisplays(hall, self.board)
        self._reading = asyncio.create_task(self.board.run())

    @property
    def routes(self) -> "Sequence[web.RouteDef]":
        return (*self._hall.routes, *self._displays.routes)

    async def close(self) -> None:
        self._hall.close()
        self._displays.close()
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self.broker.close()


async def open_live(hall: Hall, address: str, options: LiveOptions, *, quiet: bool = False) -> OpenLive:
    """Start the broker, or connect to another. `quiet`: print nothing later. Raises LinkError."""
    told = _ignore if quiet else _print
    topic, passwords = hall_topic(hall.state), _passwords()
    if options.broker:
        access = _other_broker(options)
        place = LivePlace(topic, "", access.port, access.host, access.tls, access.certificate)
        broker = Mosquitto(hall_broker_folder(), topic, BrokerPlace(access.host), passwords, told)
        broker.admit(admitted(hall.state))
        return OpenLive(hall, place, access, broker)
    made = await asyncio.to_thread(certificate, address)
    broker = Mosquitto(
        hall_broker_folder(), topic, BrokerPlace(address, options.port, certificate=made.pem), passwords, told
    )
    await broker.open(admitted(hall.state))
    public = _public(made)
    place = LivePlace(topic, "", broker.place.port, certificate=public)
    access = BrokerAccess(address, broker.place.port, HALL, passwords[HALL], certificate=public)
    return OpenLive(hall, place, access, broker)


def _public(made: Certificate) -> str:
    """Without the key."""
    return made.pem.partition("-----BEGIN PRIVATE KEY-----")[0]


def _other_broker(options: LiveOptions) -> BrokerAccess:
    """Raises LinkError."""
    try:
        place = urlsplit(options.broker)
        port = place.port
    except ValueError:
        place, port = urlsplit(""), None
    if place.scheme not in ("mqtt", "mqtts") or not place.hostname or place.password:
        words = "expected mqtts:// and an address, as in mqtts://hall@broker.example:8883"
        raise LinkError(f"--broker: {words}; its password is in the environment variable {PASSWORD}")
    tls = place.scheme == "mqtts"
    try:
        trusted = load(options.certificate, BYTES).decode() if options.certificate else ""
    except (OSError, UnicodeDecodeError) as error:
        raise LinkError(f"{options.certificate}: this certificate cannot be read: {error}") from None
    password = os.environ.get(PASSWORD, "")
    return BrokerAccess(
        place.hostname, port or (TLS_PORT if tls else PORT), place.username or "", password, tls, trusted
    )


def _passwords() -> dict[str, str]:
    """Of the broker's users that are no tables. They stay the same: Home Assistant has them in its settings."""
    path = hall_broker_folder() / PASSWORDS
    try:
        make_folder(path.parent, 0o700)
        with changing(path.parent):
            found: dict[str, str] = {}
            with suppress(OSError, ValueError):
                if is_private(path):
                    found = msgspec.json.decode(load(path, BYTES), type=dict[str, str])
            kept = {user: found.get(user) or secrets.token_urlsafe(18) for user in (HALL, DISPLAY, HOME)}
            if kept != found:
                store_all({path: msgspec.json.encode(kept)}, PRIVATE)
            return kept
    except OSError as error:
        raise LinkError(f"{path}: the broker's passwords cannot be stored: {error.strerror}") from None


def _print(problem: str) -> None:
    print(problem or "Mosquitto runs again", flush=True)


def _ignore(_problem: str) -> None:
    """The screen shows whether tables are live."""
