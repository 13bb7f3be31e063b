"""Publishes a table: a spectator of the referee, and a client of an MQTT broker.

It sees what every spectator sees (`companion.web.live_view`), so no secret can enter a topic. The referee never waits
for it: a slow client gets only the newest snapshot. A broker that is away is tried again until it is back; then the
newest state is published again. Home Assistant finds the table, and may pause it if its owner allows that.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import aiomqtt
import msgspec

from companion.errors import CompanionError
from companion.gamekit.snapshot import Snapshot
from companion.messages.broker import BrokerError, check_rights, connected, expiring, subscribed
from companion.messages.client import Connect, RefereeLink
from companion.messages.intentions import Pause, may_send
from companion.messages.live_tables import KEPT_S, OFFLINE, ONLINE, Glance, LiveOrder, LiveSettings, read_glance
from companion.messages.protocol import FromReferee
from companion.web.home_assistant import device
from companion.web.live_view import glance, spectator, views

FIRST_PAUSE_S, LAST_PAUSE_S = 0.5, 30.0
"""Between two tries to connect."""
LEAST_S = 0.2
"""Between two publications: simulated hands may play faster than people can look."""

_encode = msgspec.json.Encoder().encode


class LivePublisher:
    def __init__(
        self,
        settings: LiveSettings,
        where: Path | Connect,
        told: Callable[[str], None] = lambda problem: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`where`: the referee's socket. `told`: gets each new problem in one line, and "" when the table is live."""
        self._settings, self._topics = settings, settings.topics
        self._told, self._clock = told, clock
        self._link = RefereeLink(where, self._heard, self._link_changed)
        self._newest: Snapshot | None = None
        self._is_up = False
        self._news = asyncio.Event()
        self._problem: str | None = None

    async def run(self) -> None:
        """Publish until cancelled."""
        talking = asyncio.create_task(self._link.run())
        try:
            pause_s = FIRST_PAUSE_S
            while True:
                try:
                    await self._converse()
                    pause_s = FIRST_PAUSE_S
                except BrokerError as error:
                    pause_s = FIRST_PAUSE_S if self._problem == "" else min(pause_s * 2, LAST_PAUSE_S)
                    self._tell(str(error))
                await asyncio.sleep(pause_s)
        finally:
            talking.cancel()
            await asyncio.gather(talking, return_exceptions=True)

    def _tell(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self._told(problem)

    # --- The referee ------------------------------------------------------------------------------------------

    def _heard(self, message: FromReferee) -> None:
        if isinstance(message, Snapshot):
            self._newest = message
            self._news.set()

    def _link_changed(self, up: bool) -> None:
        self._is_up = up
        self._news.set()

    # --- The broker -------------------------------------------------------------------------------------------

    async def _converse(self) -> None:
        """One connection. Raises BrokerError."""
        broker, topics = self._settings.broker, self._topics
        will = aiomqtt.Will(topics.presence, OFFLINE, qos=1, retain=True)
        async with connected(broker, will) as client:
            await check_rights(client, broker, topics.presence)
            if self._settings.pause:
                await subscribed(client, broker, [topics.pause])
            self._tell("")
            commands = asyncio.create_task(self._obey(client))
            sending = asyncio.create_task(self._send(client))
            try:
                done, _pending = await asyncio.wait((commands, sending), return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                commands.cancel()
                sending.cancel()
                await asyncio.gather(commands, sending, return_exceptions=True)
                with suppress(aiomqtt.MqttError):
                    await client.publish(topics.presence, OFFLINE, qos=1, retain=True, timeout=1.0)

    async def _send(self, client: aiomqtt.Client) -> None:
        """Send what is new, the newest only, until the connection is lost."""
        sent: dict[str, bytes] = {}
        while True:
            self._news.clear()
            for topic, payload in self._payloads().items():
                if sent.get(topic) != payload:
                    said = self._dated(payload) if topic == self._topics.glance else payload
                    await client.publish(topic, said, qos=1, retain=True, properties=expiring(KEPT_S))
                    sent[topic] = payload
            await asyncio.sleep(LEAST_S)
            await self._news.wait()

    def _payloads(self) -> dict[str, bytes]:
        """Topic → what it should say now. The presence comes last: a table that is online can be shown."""
        topics, snapshot = self._topics, self._newest
        presence = {topics.presence: (ONLINE if self._is_up else OFFLINE).encode()}
        if snapshot is None:
            return presence
        try:
            sight = spectator(snapshot)
            tile, drawn = glance(sight), views(sight)
        except (CompanionError, msgspec.ValidationError) as error:
            self._tell(f"this table cannot be published: {error}")
            return presence
        return {topics.glance: _encode(tile), topics.view: drawn, **self._for_home_assistant(tile), **presence}

    def _dated(self, payload: bytes) -> bytes:
        return _encode(msgspec.structs.replace(read_glance(payload), at=self._clock()))

    def _for_home_assistant(self, tile: Glance) -> dict[str, bytes]:
        if not self._settings.home_assistant:
            return {}
        named = self._settings.title or self._settings.table
        return {self._topics.discovery: _encode(device(self._topics, named, tile, self._settings.pause))}

    async def _obey(self, client: aiomqtt.Client) -> None:
        """Commands, if they are allowed. Nothing else is subscribed to."""
        async for message in client.messages:
            intention = Pause(uuid4().hex, message.payload == b"on")
            is_command = str(message.topic) == self._topics.pause and message.payload in (b"on", b"off")
            if is_command and not message.retain and may_send(intention, "home"):
                self._link.post(intention)


# --- Its process ----------------------------------------------------------------------------------------------


async def publish_by_order() -> None:
    """Publish as standard input says, until it is closed. Problems go to standard output, one line each."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    order = msgspec.json.decode(await reader.readline(), type=LiveOrder)
    publisher = LivePublisher(order.settings, Path(order.socket), _say)
    publishing = asyncio.create_task(publisher.run())
    ended = asyncio.create_task(reader.read())
    await asyncio.wait((publishing, ended), return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    publishing.cancel()
    with suppress(asyncio.CancelledError):
        await publishing


def _say(problem: str) -> None:
    print(" ".join(problem.split()), flush=True)  # noqa: T201 - this is what its supervisor reads
