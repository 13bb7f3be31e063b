"""The hall's own broker, the real one: who may read and write what, and what is said when it fails."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.errors import LinkError
from companion.hall import mosquitto
from companion.hall.mosquitto import DISPLAY, HALL, HOME, BrokerPlace, Mosquitto
from companion.messages.broker import BrokerError, connected, subscribed
from companion.messages.live_tables import ROOT, BrokerAccess, TableTopics
from companion.processes.certificate import certificate
from tests.hall.brokers import CLUB, HERE, broker, hashes, needs_mosquitto, reading

ONE, TWO = TableTopics(CLUB, "one"), TableTopics(CLUB, "two")
ALL = (
    *(getattr(table, name) for table in (ONE, TWO) for name in ("presence", "glance", "view", "pause", "discovery")),
    *(f"{ROOT}/other/tables/one/glance", "homeassistant/status", "$SYS/broker/uptime", "anything"),
)
OWN = {ONE.presence, ONE.glance, ONE.view, ONE.discovery}
MAY_WRITE = {
    "one": OWN,
    DISPLAY: set(),
    HALL: set(),
    HOME: {ONE.pause, TWO.pause, "homeassistant/status"},
}
OF_TABLES = {topic for table in (ONE, TWO) for topic in (table.presence, table.glance, table.view, table.pause)}
MAY_READ = {
    "one": {ONE.presence, ONE.pause},
    DISPLAY: OF_TABLES,
    HALL: OF_TABLES,
    HOME: OF_TABLES | {ONE.discovery, TWO.discovery, "homeassistant/status"},
}


def test_every_forbidden_publication_is_refused_and_every_allowed_one_arrives():
    """An observer that may read everything would be a right too many: the broker's answer to QoS 1 tells."""

    async def scene() -> None:
        async with broker(["one", "two"]) as real:
            for user, allowed in MAY_WRITE.items():
                assert await _published(real.access(user), ALL) == allowed, user

    asyncio.run(scene())


async def _published(access: BrokerAccess, topics: Sequence[str]) -> set[str]:
    """Those that the broker takes, as its PUBACK says: MQTT 5 has a reason in it."""
    taken: set[str] = set()
    async with connected(access) as client:
        reasons: asyncio.Queue[int] = asyncio.Queue()
        before = client._client.on_publish

        def acknowledged(*said) -> None:
            reasons.put_nowait(said[3].value)
            before(*said)

        client._client.on_publish = acknowledged
        for topic in topics:
            async with asyncio.timeout(20):
                await client.publish(topic, b"x", qos=1)
                if await reasons.get() < 128:
                    taken.add(topic)
    return taken


def test_nothing_reaches_a_client_that_may_not_read_it():
    """Mosquitto accepts some filters and then delivers nothing: what counts is what arrives."""

    async def scene() -> None:
        async with broker(["one", "two"]) as real:
            async with connected(real.access("one")) as one, connected(real.access("two")) as two:
                for client, table in ((one, ONE), (two, TWO)):
                    for topic in (table.presence, table.glance, table.view, table.discovery):
                        await client.publish(topic, b"x", qos=1, retain=True)
            async with connected(real.access(HOME)) as home:
                for topic in (ONE.pause, TWO.pause, "homeassistant/status"):
                    await home.publish(topic, b"x", qos=1, retain=True)
            for user, allowed in MAY_READ.items():
                async with reading(real.access(user), *sorted(allowed)) as topics:
                    await topics.until(lambda newest, allowed=allowed: newest.keys() >= allowed)
                heard = await _everything(real.access(user))
                assert heard <= allowed, user

    asyncio.run(scene())


async def _everything(access: BrokerAccess) -> set[str]:
    """What comes if everything is subscribed to: by name, and with wildcards. The pings are answered in order, so
    whatever the broker has for us comes before the second answer."""
    heard: set[str] = set()
    async with connected(access) as client:
        for topic in ("#", "+/+/+/+/+/+", f"{ROOT}/#", "homeassistant/#", *ALL):
            await client.subscribe(topic)
        await client.unsubscribe("nothing")
        while len(client.messages):
            heard.add(str((await anext(aiter(client.messages))).topic))
    return heard


def test_a_wrong_password_an_unknown_user_and_no_user_are_one_clear_line():
    async def scene() -> None:
        async with broker(["one"]) as real:
            for access in (real.access("one", "wrong"), real.access("nobody"), real.access("", "")):
                with pytest.raises(BrokerError, match=r"does not know the user .* ask the hall for a new one"):
                    async with connected(access):
                        pass

    asyncio.run(scene())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho's sockets
def test_with_tls_the_halls_certificate_is_trusted_and_no_other(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "one"))
    ours = certificate(HERE).pem
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "two"))
    other = certificate(HERE).pem
    monkeypatch.setattr("companion.messages.broker.TIMEOUT_S", 1.0)

    async def scene() -> None:
        async with broker(["one"], ours) as real:
            async with reading(real.access(DISPLAY), ONE.presence) as topics:
                async with connected(real.access("one")) as one:
                    await one.publish(ONE.presence, "online", qos=1)
                await topics.until(lambda newest: newest.get(ONE.presence) == b"online")
            right = real.access("one")
            stranger = BrokerAccess(HERE, right.port, "one", "one", True, other)
            with pytest.raises(BrokerError, match="has another certificate than the hall"):
                async with connected(stranger):
                    pass
            with pytest.raises(BrokerError, match="certificate cannot be read"):
                async with connected(BrokerAccess(HERE, right.port, "one", "one", True, "rubbish")):
                    pass
            with pytest.raises(BrokerError):
                async with connected(BrokerAccess(HERE, right.port, "one", "one", False)):
                    pass
            async with broker(["one"]) as bare:
                plain = BrokerAccess(HERE, bare.mosquitto.place.port, "one", "one", True, right.certificate)
                with pytest.raises(BrokerError, match=r"does not encrypt|cannot be reached|does not answer"):
                    async with connected(plain):
                        pass

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"\x20\x02\x00\x01", "does not speak MQTT 5"),
        (b"\x20\x03\x00\x84\x00", "does not speak MQTT 5"),
        (b"\x20\x03\x00\x97\x00", "refuses the connection"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is lost|does not answer|cannot be reached"),
        (b"", "is lost|does not answer|cannot be reached"),
    ],
)
def test_a_broker_of_another_version_and_what_is_no_broker_are_one_clear_line(answer, words, monkeypatch):
    monkeypatch.setattr("companion.messages.broker.TIMEOUT_S", 0.3)

    async def scene() -> None:
        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(100)
            writer.write(answer)
            writer.close()

        server = await asyncio.start_server(greet, HERE, 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BrokerError, match=words):
            async with connected(BrokerAccess(HERE, port, tls=False)):
                pass
        server.close()

    asyncio.run(scene())


def test_a_broker_that_is_not_there_is_one_clear_line():
    async def scene() -> None:
        with socket.socket() as free:
            free.bind((HERE, 0))
            with pytest.raises(BrokerError, match="cannot be reached"):
                async with connected(BrokerAccess(HERE, free.getsockname()[1], tls=False)):
                    pass

    asyncio.run(scene())


def test_a_subscription_that_a_broker_refuses_is_said():
    """Mosquitto grants every subscription, and delivers what is allowed; other brokers refuse."""

    async def scene() -> None:
        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1000)
            writer.write(b"\x20\x03\x00\x00\x00")
            subscribe = await reader.read(1000)
            writer.write(b"\x90\x04" + subscribe[2:4] + b"\x00\x87")
            await reader.read(1000)
            writer.close()

        server = await asyncio.start_server(refuse, HERE, 0)
        access = BrokerAccess(HERE, server.sockets[0].getsockname()[1], "one", tls=False)
        with pytest.raises(BrokerError, match=f"does not let 'one' read {TWO.glance}"):
            async with connected(access) as client:
                await subscribed(client, access, [TWO.glance])
        server.close()

    asyncio.run(scene())


def test_a_table_that_joins_later_is_let_in_and_one_that_was_removed_is_not():
    async def scene() -> None:
        async with broker(["one"]) as real:
            with pytest.raises(BrokerError):
                async with connected(real.access("two")):
                    pass
            real.mosquitto.admit(hashes(["two"]))
            await _within(lambda: _published(real.access("two"), [TWO.glance]))
            with pytest.raises(BrokerError):
                async with connected(real.access("one")):
                    pass

    asyncio.run(scene())


async def _within(attempt, within_s: float = 20.0) -> None:
    """Mosquitto reads its files again in its own time."""
    async with asyncio.timeout(within_s):
        while True:
            try:
                if await attempt():
                    return
            except BrokerError:
                pass
            await asyncio.sleep(0.02)


def test_a_broker_that_was_killed_is_started_again():
    async def scene() -> None:
        async with broker(["one"]) as real:
            os.kill(real.mosquitto._process.pid, signal.SIGKILL)
            await _within(lambda: asyncio.sleep(0, "" in real.problems))
            assert "stopped" in real.problems[0]
            assert await _published(real.access("one"), [ONE.glance])

    asyncio.run(scene())


def test_without_mosquitto_the_line_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(mosquitto, "PLACES", ("no-such-program",))
    with pytest.raises(LinkError, match="sudo apt install mosquitto"):
        asyncio.run(Mosquitto(tmp_path, CLUB, BrokerPlace(HERE, 0), {}).open({}))


def test_a_configuration_that_mosquitto_refuses_is_quoted(tmp_path):
    needs_mosquitto()

    async def scene() -> None:
        place = BrokerPlace(HERE, 0, certificate="x\n-----BEGIN PRIVATE KEY-----\nrubbish\n-----END PRIVATE KEY-----\n")
        with pytest.raises(LinkError, match=r"Mosquitto does not start: .*PEM"):
            await Mosquitto(tmp_path, CLUB, place, {}).open({})

    asyncio.run(scene())


def test_its_files_are_for_its_owner_alone(tmp_path):
    needs_mosquitto()

    async def scene() -> None:
        made = Mosquitto(tmp_path / "broker", CLUB, BrokerPlace(HERE, 0), {HALL: "secret"})
        await made.open(hashes(["one"]))
        await made.close()
        await made.close()

    asyncio.run(scene())
    assert (tmp_path / "broker").stat().st_mode & 0o077 == 0
    files = [*(tmp_path / "broker").iterdir()]
    assert len(files) == 4
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert all("secret" not in file.read_text() for file in files)


def test_strangers_without_a_password_make_it_write_nothing(tmp_path, monkeypatch):
    """A handshake that fails is a line of OpenSSL's each time."""
    needs_mosquitto()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    pem = certificate(HERE).pem

    async def scene() -> None:
        made = Mosquitto(tmp_path / "broker", CLUB, BrokerPlace(HERE, 0, certificate=pem), {})
        await made.open({})
        before = {file.name: file.stat().st_size for file in (tmp_path / "broker").iterdir()}

        async def strangers() -> bool:
            for _ in range(50):
                _reader, writer = await asyncio.open_connection(HERE, made.place.port)
                writer.write(b"no handshake at all\r\n" * 3)
                writer.close()
            return len(made._words) >= mosquitto.LOG_TAIL

        await _within(strangers)
        for _ in range(3):
            await strangers()
            await asyncio.sleep(0.1)
        assert made._words.count(b"OpenSSL Error") >= 20
        assert len(made._words) == mosquitto.LOG_TAIL
        assert {file.name: file.stat().st_size for file in (tmp_path / "broker").iterdir()} == before
        assert made._is_running()
        await made.close()

    asyncio.run(scene())


def test_a_broker_that_a_killed_hall_has_left_is_ended_and_replaced(tmp_path):
    needs_mosquitto()

    async def scene() -> None:
        left = Mosquitto(tmp_path, CLUB, BrokerPlace(HERE, 0), {})
        await left.open({})
        left._keeping.cancel()
        again = Mosquitto(tmp_path, CLUB, left.place, {})
        await again.open({})
        assert left._process.wait() is not None
        assert again.place.port == left.place.port
        await again.close()

    asyncio.run(scene())


HALL_THAT_DIES = """
import asyncio, os, signal, sys
from pathlib import Path
from companion.hall.mosquitto import BrokerPlace, Mosquitto

async def scene():
    made = Mosquitto(Path(sys.argv[1]), "club", BrokerPlace("127.0.0.1", 0), {})
    await made.open({})
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(scene())
"""


@pytest.mark.skipif(not shutil.which("setpriv"), reason="only Linux ends a child with its parent")
def test_a_hall_that_is_killed_takes_its_broker_along(tmp_path):
    needs_mosquitto()
    assert subprocess.run([sys.executable, "-c", HALL_THAT_DIES, str(tmp_path)], check=False).returncode == -9
    place = Path("/proc", (tmp_path / "mosquitto.pid").read_text(), "cmdline")

    def is_running() -> bool:
        try:
            return b"mosquitto" in place.read_bytes()
        except OSError:
            return False

    asyncio.run(_within(lambda: asyncio.sleep(0, not is_running())))


def test_a_taken_port_leads_to_the_next_one_and_all_taken_is_said(tmp_path):
    needs_mosquitto()

    async def scene() -> None:
        with socket.socket() as taken:
            taken.bind((HERE, 0))
            taken.listen()
            port = taken.getsockname()[1]
            with pytest.raises(LinkError, match="is taken; say --broker-port"):
                await Mosquitto(tmp_path, CLUB, BrokerPlace(HERE, port, 1), {}).open({})
            assert mosquitto._free(BrokerPlace(HERE, port, 5)).port > port

    asyncio.run(scene())
