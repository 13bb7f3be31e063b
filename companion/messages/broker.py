"""A connection to an MQTT broker: every way in which it can fail is one line for the person who has to mend it."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiomqtt
from aiomqtt.exceptions import MqttCodeError, MqttConnectError
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.errors import LinkError
from companion.messages.live_tables import OFFLINE, TLS_PORT, BrokerAccess

KEEPALIVE_S = 15
"""A table whose computer was switched off is offline after one and a half of these."""
TIMEOUT_S = 10.0
ECHO_S = 5.0
"""How long the broker may take to repeat what we publish."""
WRONG_VERSION, WRONG_PASSWORD, FORBIDDEN = (1, 132), (4, 134), (5, 135)
"""Reason codes of MQTT 3.1.1 and 5."""
_SILENT = logging.getLogger("companion.messages.unheard")
"""The library's log: what goes wrong is an error here."""
_SILENT.disabled = True


class BrokerError(LinkError):
    """The broker cannot be reached, or does not let us in."""


def tls_trust(certificate: str) -> ssl.SSLContext:
    """Trust this certificate and no other; "": those that this computer trusts. Raises BrokerError."""
    try:
        context = ssl.create_default_context(cadata=certificate or None)
    except (ssl.SSLError, ValueError):
        raise BrokerError("the broker's certificate cannot be read; copy it again, whole") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


@asynccontextmanager
async def connected(
    access: BrokerAccess, will: aiomqtt.Will | None = None, identifier: str | None = None
) -> AsyncIterator[aiomqtt.Client]:
    """Connect with MQTT 5. Raises BrokerError when that fails, and when the connection is lost."""
    trust = tls_trust(access.certificate) if access.tls else None
    client = aiomqtt.Client(
        access.host,
        access.port,
        username=access.user or None,
        password=access.password or None,
        identifier=identifier,
        protocol=aiomqtt.ProtocolVersion.V5,
        will=will,
        logger=_SILENT,
        tls_context=trust,
        keepalive=KEEPALIVE_S,
        timeout=TIMEOUT_S,
    )
    try:
        async with client:
            yield client
    except aiomqtt.MqttError as error:
        raise BrokerError(_reason(access, error)) from None


def _reason(access: BrokerAccess, error: aiomqtt.MqttError) -> str:
    said = f"the broker at {access.name}"
    code = error.rc if isinstance(error, MqttCodeError) else None
    number = code.value if isinstance(code, ReasonCode) else code
    if isinstance(error, MqttConnectError):
        if number in WRONG_PASSWORD or number in FORBIDDEN:
            return f"{said} does not know the user {access.user!r} with this password; ask the hall for a new one"
        if number in WRONG_VERSION:
            return f"{said} does not speak MQTT 5; Mosquitto 2 and every newer broker do"
        return f"{said} refuses the connection: {code}"
    words = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in words:
        why = words.partition("CERTIFICATE_VERIFY_FAILED] ")[2].partition(" (_ssl")[0]
        return f"{said} has another certificate than the hall ({why}); take the hall's certificate again"
    if "[SSL" in words:
        return f"{said} does not encrypt, or in another way; is {access.port} its port for TLS ({TLS_PORT})?"
    if "timed out" in words.lower():
        return f"{said} does not answer; is it a broker, and is it on?"
    if code is None and "isconnected" not in words:
        return f"{said} cannot be reached ({words}); is it on, and in this network?"
    return f"the connection to {said} is lost"


def expiring(seconds: int) -> Properties:
    """For `publish`: the broker forgets the message after this time."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's own
    properties.MessageExpiryInterval = seconds
    return properties


async def subscribed(client: aiomqtt.Client, access: BrokerAccess, topics: Sequence[str], qos: int = 1) -> None:
    """Subscribe to these. Raises BrokerError if the broker refuses one: a refused subscription is silent otherwise."""
    codes: Any = await client.subscribe([(topic, qos) for topic in topics])
    for topic, code in zip(topics, codes, strict=True):
        if (code.value if isinstance(code, ReasonCode) else code) >= 128:
            raise BrokerError(f"the broker at {access.name} does not let {access.user!r} read {topic}")


async def first_message(client: aiomqtt.Client, within_s: float) -> aiomqtt.Message | None:
    """The next message, or None if there is none in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            return await anext(aiter(client.messages))
    return None


async def check_rights(client: aiomqtt.Client, access: BrokerAccess, presence: str) -> None:
    """A broker drops what a client may not publish, without a word: so a table publishes that it is offline, and reads
    that back. Raises BrokerError."""
    await subscribed(client, access, [presence])
    await client.publish(presence, OFFLINE, qos=1, retain=True)
    while (echo := await first_message(client, ECHO_S)) is None or echo.retain:
        if echo is None:
            raise BrokerError(f"the broker at {access.name} does not let {access.user!r} publish {presence}")
    await client.unsubscribe(presence)
