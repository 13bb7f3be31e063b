"""A table finds the hall's broker with its credential, and is live there: with TLS and the real Mosquitto."""

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.config import HallTableSettings, parse_table
from companion.devices.finding import Finding
from companion.doctor.broker_check import broker_check
from companion.errors import ConfigError, LinkError
from companion.hall import mosquitto
from companion.hall.hall import Hall
from companion.hall.hall_client import HallClient
from companion.hall.hall_server import HallServer
from companion.hall.hall_state import HallState, LogEntry, TableJoined, TableRemoved
from companion.hall.hall_store import HallStore
from companion.hall.live_hall import NO_LIVE, hall_topic, table_topics
from companion.messages.live_tables import BrokerAccess, LiveSettings, topic_name
from companion.processes.hall_broker import LiveOptions, OpenLive, open_live
from companion.processes.hall_link import HallLink
from companion.processes.live_table import live_settings, own_broker
from companion.web.live_publisher import LivePublisher
from companion.web.server import Listening
from tests.hall.brokers import HERE, broker, needs_mosquitto
from tests.web.evening import evening


@asynccontextmanager
async def open_hall(home: Path, *, live: bool = True) -> AsyncIterator[tuple[Hall, HallServer, OpenLive | None]]:
    needs_mosquitto()
    store = HallStore(str(home / "hall.sqlite"))
    hall = Hall(store)
    await hall.open("Café am Eck")
    opened = await open_live(hall, HERE, LiveOptions(port=0)) if live else None
    server = HallServer(Listening(HERE, 0), hall, opened.routes if opened else NO_LIVE)
    await server.open()
    committing = asyncio.create_task(hall.run())
    try:
        yield hall, server, opened
    finally:
        if opened:
            await opened.close()
        await server.close()
        committing.cancel()
        await asyncio.gather(committing, return_exceptions=True)
        store.close()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def test_a_table_that_joins_is_live_with_its_credential_and_its_certificate(home):
    async def scene() -> None:
        async with open_hall(home) as (hall, server, live), evening("lascaux", 3) as table:
            client = HallClient(server.place.url)
            link = HallLink(await asyncio.to_thread(client.join, hall.table_code, "Anna's table"))
            settings = await asyncio.to_thread(live_settings, link)
            assert settings.table == "anna-s-table"
            assert settings.broker.tls
            told: list[str] = []
            publishing = asyncio.create_task(LivePublisher(settings, table.link._path, told.append).run())
            async with asyncio.timeout(20):
                while not (tile := live.board.tiles.get("anna-s-table")) or not tile.online:
                    await asyncio.sleep(0.02)
            assert tile.glance.title == "Lascaux"
            publishing.cancel()
            await asyncio.gather(publishing, return_exceptions=True)
            assert [problem for problem in told if "does not know the user" not in problem][-1:] == [""]

    asyncio.run(scene())


def test_a_hall_that_cannot_write_the_brokers_passwords_goes_on(home, capsys, monkeypatch):
    async def scene() -> None:
        async with open_hall(home) as (hall, server, _live):
            monkeypatch.setattr(mosquitto, "store_all", full)
            await asyncio.to_thread(HallClient(server.place.url).join, hall.table_code, "one")
            monkeypatch.undo()
            await asyncio.to_thread(HallClient(server.place.url).join, hall.table_code, "two")
            assert [*hall.state.tables] == ["one", "two"]

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    asyncio.run(scene())
    told = "the broker's passwords cannot be written: No space left on device; new tables are not live"
    assert capsys.readouterr().out.count(told) == 1
    passwords = (home / "hall" / "broker" / "passwords").read_text()
    assert "one:" in passwords
    assert "two:" in passwords


def test_without_a_broker_a_hall_goes_on_and_its_tables_are_not_live(home):
    async def scene() -> None:
        async with open_hall(home, live=False) as (hall, server, _live):
            link = HallLink(await asyncio.to_thread(HallClient(server.place.url).join, hall.table_code))
            assert await asyncio.to_thread(live_settings, link) is None

    asyncio.run(scene())
    assert live_settings(None) is None


def test_another_broker_is_used_by_its_address_and_gets_the_rights_as_files(home, monkeypatch):
    monkeypatch.setenv("COMPANION_BROKER_PASSWORD", "the hall's")

    async def scene() -> None:
        async with broker() as real:
            store = HallStore(str(home / "hall.sqlite"))
            hall = Hall(store)
            await hall.open("Tuesdays")
            url = f"mqtt://_hall@{HERE}:{real.mosquitto.place.port}"
            live = await open_live(hall, HERE, LiveOptions(url))
            async with asyncio.timeout(20):
                while live.board._client is None:
                    await asyncio.sleep(0.02)
            assert live.place.host == HERE
            await live.close()
            store.close()

    asyncio.run(scene())
    assert "_display" in (home / "hall" / "broker" / "rights").read_text()


@pytest.mark.parametrize(
    "url", ["broker.example", "http://broker.example", "mqtts://", "mqtts://a:secret@b", "mqtts://b:x"]
)
def test_an_address_of_a_broker_that_cannot_be_is_explained_without_its_password(url, home):
    store = HallStore(str(home / "hall.sqlite"))
    hall = Hall(store)
    with pytest.raises(LinkError, match="expected mqtts://") as told:
        asyncio.run(open_live(hall, HERE, LiveOptions(url)))
    assert "secret" not in str(told.value)
    store.close()


def test_names_in_topics_are_plain_and_no_two_tables_share_one():
    assert topic_name("Tisch 3 (Küche)") == "tisch-3-kueche"
    assert topic_name("+/#") == ""
    state = HallState()
    for number, table in enumerate(("Tisch 1", "tisch-1", "#", "§", "x" * 60), 1):
        state.take(LogEntry(number, 0.0, TableJoined(table, "hash")))
    assert [*table_topics(state).values()] == ["tisch-1", "tisch-1-2", "table", "table-2", "x" * 40]
    state.take(LogEntry(6, 0.0, TableRemoved("#")))
    assert "table" in table_topics(state).values()


def test_two_halls_of_one_name_have_topics_of_their_own():
    one, other = HallState(), HallState()
    one.club = other.club = "Tuesdays"
    one.club_id, other.club_id = "1a2b3c", "9f8e7d"
    assert (hall_topic(one), hall_topic(other)) == ("tuesdays-1a2b", "tuesdays-9f8e")


# --- [hall] in table.toml -------------------------------------------------------------------------------------


def test_a_table_has_a_broker_of_its_own_in_table_toml(home):
    (home / "broker.pem").write_text("PEM")
    text = f"""[hall]
broker = "mqtts://broker.example:1234"
name = "Home"
table = "Kitchen table"
user = "companion"
password = "secret"
certificate = "{home}/broker.pem"
home_assistant = true
"""
    (home / "table.toml").write_text(text)
    settings = live_settings(None)
    assert settings.broker == BrokerAccess("broker.example", 1234, "companion", "secret", True, "PEM")
    assert (settings.hall, settings.table, settings.title) == ("home", "kitchen-table", "Kitchen table")
    assert settings.home_assistant
    assert not settings.pause
    assert "secret" not in repr(settings)
    assert own_broker(HallTableSettings("mqtt://broker.example")).broker.port == 1883


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('broker = "broker.example"', "line 2: broker: expected mqtts:// and an address"),
        ('broker = "mqtts://me:secret@broker.example"', "user and password are keys of their own"),
        ('broker = "mqtts://broker.example:99999"', "line 2: broker: expected mqtts:// and an address"),
        ('broker = "mqtt://broker[1"', "line 2: broker: expected mqtts:// and an address"),
        ('certificate = "broker.pem"', "expected a path that begins with /"),
        ("pause = 1", "expected true or false"),
        ('nmae = "x"', "unknown key 'nmae'"),
    ],
)
def test_a_mistake_in_hall_is_explained(line, words):
    with pytest.raises(ConfigError, match=words):
        parse_table(f"[hall]\n{line}\n", "table.toml")


def test_a_certificate_that_is_missing_is_explained():
    with pytest.raises(ConfigError, match="cannot be read"):
        own_broker(HallTableSettings("mqtts://broker.example", certificate="/nothing.pem"))


def test_the_doctor_says_whether_the_broker_takes_this_table():
    async def told(**how) -> Finding:
        async with broker(["kitchen"]) as real:
            access = real.access("kitchen", how.get("password"))
            settings = LiveSettings("club", how.get("table", "kitchen"), access)
            (found,) = await asyncio.to_thread(lambda: list(broker_check(lambda: settings).look()))
            return found

    assert asyncio.run(told()).verdict == "ok"
    assert "does not know the user" in asyncio.run(told(password="wrong")).words
    missing = HallTableSettings("mqtts://broker.example", certificate="/nothing.pem")
    (found,) = broker_check(lambda: own_broker(missing)).look()
    assert (found.verdict, "docs/hall.md" in found.advice) == ("problem", True)
