"""The doctor's check of [hall] in table.toml: can this table be published there?"""

import asyncio
from collections.abc import Callable, Iterable

from companion.devices.finding import Check, Finding
from companion.errors import CompanionError
from companion.messages.live_tables import LiveSettings
from companion.troubles import to_add

SUBJECT = "live table"
ADVICE = "see [hall] in table.toml (docs/hall.md)"


def broker_check(find: Callable[[], LiveSettings]) -> Check:
    """`find`: what table.toml says; it may raise ConfigError."""
    return Check(SUBJECT, lambda: _look(find))


def _look(find: Callable[[], LiveSettings]) -> Iterable[Finding]:
    try:
        settings = find()
        asyncio.run(_try(settings))
    except ImportError as error:
        yield Finding.problem(SUBJECT, f"{error.name} is not installed", to_add("hall"))
    except CompanionError as error:
        yield Finding.problem(SUBJECT, str(error), ADVICE)
    else:
        yield Finding.ok(SUBJECT, f"{settings.broker.name} takes it as {settings.topics.presence}")


async def _try(settings: LiveSettings) -> None:
    """Publish that this table is offline, and read it back, as its publisher does. Raises BrokerError, ImportError."""
    from companion.messages.broker import check_rights, connected

    async with connected(settings.broker) as client:
        await check_rights(client, settings.broker, settings.topics.presence)
