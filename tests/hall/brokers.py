"""A real Mosquitto for tests: the hall's own, on this computer."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from companion.hall.credentials import credential_hash
from companion.hall.mosquitto import DISPLAY, HALL, HOME, BrokerPlace, Mosquitto, mosquitto_path
from companion.messages.broker import connected, subscribed
from companion.messages.live_tables import BrokerAccess

HERE = "127.0.0.1"
CLUB = "club"
SECRETS = {HALL: "the hall's", DISPLAY: "a display's", HOME: "the home's"}


def needs_mosquitto() -> None:
    """Where packages can be installed nothing is skipped."""
    if mosquitto_path() is None and not os.environ.get("COMPANION_NO_SKIP"):
        pytest.skip("there is no mosquitto here: apt-get install mosquitto")
    assert mosquitto_path(), "mosquitto is missing: apt-get install mosquitto"


class TestBroker:
    __test__ = False

    def __init__(self, mosquitto: Mosquitto, certificate: str) -> None:
        self.mosquitto, self._certificate = mosquitto, certificate
        self.problems: list[str] = []

    def access(self, user: str, password: str | None = None) -> BrokerAccess:
        """As this user. Tables have their names as passwords."""
        place = self.mosquitto.place
        known = SECRETS.get(user, user) if password is None else password
        return BrokerAccess(HERE, place.port, user, known, bool(self._certificate), self._certificate)


@asynccontextmanager
async def broker(tables: Sequence[str] = (), pem: str = "") -> AsyncIterator[TestBroker]:
    """`pem`: a certificate with its key."""
    needs_mosquitto()
    with tempfile.TemporaryDirectory(prefix="broker-") as folder:
        place = BrokerPlace(HERE, 0, certificate=pem)
        problems: list[str] = []
        made = Mosquitto(Path(folder), CLUB, place, SECRETS, problems.append)
        await made.open(hashes(tables))
        found = TestBroker(made, pem.partition("-----BEGIN PRIVATE KEY-----")[0])
        found.problems = problems
        try:
            yield found
        finally:
            await made.close()


def hashes(tables: Sequence[str]) -> dict[str, str]:
    return {table: credential_hash(table) for table in tables}


class Topics:
    """What a subscriber has heard: topic → its newest payload."""

    def __init__(self) -> None:
        self.newest: dict[str, bytes] = {}
        self.heard: list[tuple[str, bytes]] = []
        self._news = asyncio.Event()

    def take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        assert isinstance(payload, bytes)
        self.newest[str(message.topic)] = payload
        self.heard.append((str(message.topic), payload))
        self._news.set()

    async def until(self, so: Callable[[dict[str, bytes]], Any], within_s: float = 20.0) -> Any:
        async with asyncio.timeout(within_s):
            while not (found := so(self.newest)):
                self._news.clear()
                await self._news.wait()
            return found


@asynccontextmanager
async def reading(access: BrokerAccess, *filters: str) -> AsyncIterator[Topics]:
    """Everything in these topics."""
    async with connected(access) as client:
        await subscribed(client, access, filters)
        topics = Topics()

        async def read() -> None:
            async for message in client.messages:
                topics.take(message)

        task = asyncio.create_task(read())
        try:
            yield topics
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
