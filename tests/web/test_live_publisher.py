"""A table on MQTT: a real referee, the publisher, and a real Mosquitto."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import jinja2
import msgspec
import pytest

from companion.gamekit.snapshot import Snapshot
from companion.hall.mosquitto import DISPLAY, HOME
from companion.language.screen_language import LANGUAGES
from companion.messages.broker import connected
from companion.messages.intentions import Act, Pause
from companion.messages.live_tables import ROOT, Glance, LiveSettings, TableTopics, read_glance, unpacked_view
from companion.processes.live_table import LiveTable
from companion.web.home_assistant import device
from companion.web.live_publisher import LivePublisher
from companion.web.live_view import glance, spectator, views
from tests.hall.brokers import CLUB, TestBroker, Topics, broker, reading
from tests.ours import GAMES
from tests.session.worlds import Evenings, World
from tests.web.evening import PhonesTable, evening

ONE = TableTopics(CLUB, "one")


@asynccontextmanager
async def published(real: TestBroker, table: PhonesTable, **how) -> AsyncIterator[list[str]]:
    """What the publisher says about itself."""
    told: list[str] = []
    settings = LiveSettings(CLUB, "one", how.pop("access", None) or real.access("one"), **how)
    task = asyncio.create_task(LivePublisher(settings, table.link._path, told.append, lambda: 1000.0).run())
    try:
        yield told
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def tile(newest: dict[str, bytes]) -> Glance | None:
    return read_glance(newest[ONE.glance]) if ONE.glance in newest else None


async def shows_newest(topics: Topics, table: PhonesTable) -> Glance:
    entry = table.referee.snapshot().entry
    await topics.until(lambda newest: (found := tile(newest)) and found.entry >= entry)
    await topics.until(lambda newest: ONE.view in newest and _entry(newest[ONE.view]) >= entry)
    found = tile(topics.newest)
    assert found is not None
    return found


def _entry(view: bytes) -> int:
    return unpacked_view(view)["en"]["wide"]["entry"]


@pytest.mark.parametrize("name", GAMES)
def test_a_display_that_comes_late_sees_the_table_as_spectators_do(name):
    async def scene() -> None:
        async with broker(["one"]) as real, evening(name, 3 if name != "carnuta" else 2) as table:
            async with published(real, table) as told:
                table.prepared()
                chance = Random(name)
                for _turn in range(6):
                    table.play_on(chance)
                async with reading(real.access(DISPLAY), f"{ROOT}/{CLUB}/tables/#") as topics:
                    found = await shows_newest(topics, table)
                    await topics.until(lambda newest: newest.get(ONE.presence) == b"online")
                    view = unpacked_view(topics.newest[ONE.view])
                assert told == [""]
            assert (found.game, found.phase, found.at) == (name, "playing", 1000.0)
            assert found.players[0] == "Anna"
            assert set(found.turn) == {seat for seat, lamp in enumerate(found.lamps) if lamp == "turn"}
            assert found.turn
            assert found.headline.keys() == view.keys() == set(LANGUAGES)
            assert found.headline["en"] != found.headline["de"]
            assert view["de"]["wide"]["headline"] == found.headline["de"]
            assert view["en"]["wide"]["panels"] != view["en"]["narrow"]["panels"]
            assert "Anna" in str(view["en"]["wide"]["panels"])
            assert len(topics.newest[ONE.view]) < 6_000
            assert len(topics.newest[ONE.glance]) < 2_000

    asyncio.run(scene())


def test_at_the_end_points_and_winners_are_there_and_before_it_none_are():
    async def scene() -> None:
        async with (
            broker(["one"]) as real,
            evening("sioux", 3) as table,
            published(real, table),
            reading(real.access(DISPLAY), ONE.glance, ONE.view) as topics,
        ):
            table.prepared()
            assert (await shows_newest(topics, table)).scores == ()
            chance = Random(1)
            while not table.over:
                table.play_on(chance)
            found = await shows_newest(topics, table)
            assert found.phase == "over"
            snapshot = table.referee.snapshot()
            assert found.scores == tuple(score.total for score in snapshot.scores)
            assert found.winners == snapshot.winners
            assert found.since is None
            assert found.ruling is not None
            assert found.ruling.said["en"] == found.headline["en"]

    asyncio.run(scene())


def test_a_table_whose_publisher_ends_is_offline_and_keeps_its_last_state():
    async def scene() -> None:
        async with broker(["one"]) as real, evening() as table:
            async with published(real, table), reading(real.access(DISPLAY), ONE.presence) as topics:
                await topics.until(lambda newest: newest.get(ONE.presence) == b"online")
            async with reading(real.access(DISPLAY), f"{ROOT}/{CLUB}/tables/#") as topics:
                await topics.until(lambda newest: newest.get(ONE.presence) == b"offline")
                await topics.until(lambda newest: newest.keys() >= {ONE.glance, ONE.view})

    asyncio.run(scene())


def test_a_table_whose_publisher_is_killed_is_offline_by_its_last_will():
    async def scene() -> None:
        async with broker(["one"]) as real, evening() as table:
            settings = LiveSettings(CLUB, "one", real.access("one"))
            with LiveTable(table.link._path, lambda: settings) as live:
                async with reading(real.access(DISPLAY), ONE.presence) as topics:
                    await topics.until(lambda newest: newest.get(ONE.presence) == b"online")
                    topics.newest.clear()
                    os.kill(live.pid, signal.SIGKILL)
                    await topics.until(lambda newest: newest.get(ONE.presence) == b"offline")
                    await topics.until(lambda newest: newest.get(ONE.presence) == b"online")  # it was started again
                    assert live.problem == ""
            async with reading(real.access(DISPLAY), ONE.presence) as topics:
                await topics.until(lambda newest: newest.get(ONE.presence) == b"offline")

    asyncio.run(scene())


def test_after_the_broker_was_killed_everything_is_published_again():
    async def scene() -> None:
        async with broker(["one"]) as real, evening() as table, published(real, table) as told:
            table.prepared()
            async with reading(real.access(DISPLAY), ONE.glance, ONE.view) as topics:
                await shows_newest(topics, table)
            os.kill(real.mosquitto._process.pid, signal.SIGKILL)
            table.play_on(Random(1))
            await _until(lambda: "" in real.problems)
            async with reading(real.access(DISPLAY), ONE.glance, ONE.view) as topics:
                await shows_newest(topics, table)
            assert told[0] == told[-1] == ""
            assert all(told[1:-1])

    asyncio.run(scene())


async def _until(so) -> None:
    async with asyncio.timeout(20):
        while not so():
            await asyncio.sleep(0.02)


def test_the_referee_plays_on_without_a_broker_and_the_problem_is_said_once(monkeypatch):
    monkeypatch.setattr("companion.web.live_publisher.FIRST_PAUSE_S", 0.01)

    async def scene() -> None:
        async with broker(["one"]) as real, evening() as table:
            wrong = real.access("one", "wrong")
            async with published(real, table, access=wrong) as told:
                await _until(lambda: told)
                table.prepared()
                table.play_on(Random(1))
                await asyncio.sleep(0.1)
                assert len(told) == 1
                assert "does not know the user 'one'" in told[0]

    asyncio.run(scene())


def test_a_credential_without_the_right_to_publish_is_said(monkeypatch):
    monkeypatch.setattr("companion.messages.broker.ECHO_S", 0.3)

    async def scene() -> None:
        async with broker(["one", "two"]) as real, evening() as table:
            async with published(real, table, access=real.access("two")) as told:
                await _until(lambda: told)
            assert "does not let 'two' publish" in told[0]

    asyncio.run(scene())


# --- Secrets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_two_tables_that_differ_in_a_secret_publish_the_same_bytes(name):
    """Byte by byte, until the secret is revealed: a snapshot in, payloads out, and nothing else goes in."""
    compared = 0
    for seed in range(3):
        for situation in Evenings(name, Random(seed)).situations(30):
            one, *others = [_bytes(World(situation, secret)) for secret in situation.secrets[:3]]
            assert all(other == one for other in others)
            compared += len(others)
    assert compared > 1


def _bytes(world: World) -> tuple[bytes, bytes, bytes]:
    snapshot = msgspec.json.decode(msgspec.json.encode(world.referee.snapshot()), type=Snapshot)
    sight = spectator(snapshot)
    shown = glance(sight)
    found = msgspec.json.encode(device(ONE, "1", shown, True))
    return msgspec.json.encode(shown), views(sight), found


def test_the_publisher_asks_the_referee_for_nothing():
    async def scene() -> None:
        async with broker(["one"]) as real, evening("sioux", 3) as table, published(real, table):
            async with reading(real.access(DISPLAY), ONE.glance, ONE.view) as topics:
                table.prepared()
                table.play_on(Random(1))
                await shows_newest(topics, table)
            assert table.asked == []
            assert [type(each) for each in table.heard if not isinstance(each, Act)] == [type(table.heard[0])]

    asyncio.run(scene())


# --- Home Assistant -------------------------------------------------------------------------------------------


def test_home_assistant_finds_the_table_with_its_entities():
    async def scene() -> None:
        async with broker(["one"]) as real, evening("lascaux", 3) as table:
            async with published(real, table, home_assistant=True, title="Kitchen", pause=True):
                table.prepared()
                async with reading(real.access(HOME), ONE.discovery, ONE.glance, ONE.view) as topics:
                    found = await shows_newest(topics, table)
                    await topics.until(lambda newest: ONE.discovery in newest)
            said = msgspec.json.decode(topics.newest[ONE.discovery])
            assert said["dev"]["name"] == "Table Kitchen"
            assert said["o"]["name"] == "Companion"
            parts = said["cmps"]
            assert all(part["p"] in ("sensor", "binary_sensor", "button") for part in parts.values())
            assert len({part["unique_id"] for part in parts.values()}) == len(parts)
            assert {"turn", "phase", "question", "points_1", "lamp_3", "pause"} <= parts.keys()
            assert said["state_topic"] == ONE.glance
            shown = _rendered(said, topics.newest[ONE.glance])
            assert shown["turn"] == found.players[found.turn[0]]
            assert shown["phase"] == "playing"
            assert shown["question"] == "OFF"
            assert shown["points_1"] == "None"
            assert [shown[f"lamp_{seat + 1}"] for seat in range(3)].count("ON") == len(found.turn)

    asyncio.run(scene())


def _rendered(said: dict, payload: bytes) -> dict[str, str]:
    """As Home Assistant does it, with Jinja."""
    value = msgspec.json.decode(payload)
    templates = {key: part["value_template"] for key, part in said["cmps"].items() if "value_template" in part}
    return {key: jinja2.Template(text).render(value_json=value) for key, text in templates.items()}


@pytest.mark.parametrize("allowed", [True, False])
def test_home_assistant_pauses_the_game_only_if_its_owner_allows_it(allowed):
    async def scene() -> None:
        async with broker(["one"]) as real, evening() as table, published(real, table, pause=allowed):
            table.prepared()
            async with reading(real.access(HOME), ONE.glance, ONE.presence) as topics:
                await topics.until(lambda newest: newest.get(ONE.presence) == b"online")
                async with connected(real.access(HOME)) as home:
                    for word in ("rubbish", b"\xff", "on"):
                        await home.publish(ONE.pause, word, qos=1)
                if allowed:
                    await topics.until(lambda newest: tile(newest).phase == "paused")
                else:
                    table.play_on(Random(1))
                    entry = table.referee.snapshot().entry
                    await topics.until(lambda newest: tile(newest).entry >= entry)
            assert [each.on for each in table.heard if isinstance(each, Pause)] == ([True] if allowed else [])

    asyncio.run(scene())


# --- Payloads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"rubbish",
        b"{}",
        b"[" * 100_000,
        b'{"game":"x","title":"x","players":["A"],"phase":"asleep"}',
        b'{"game":"x","title":"x","players":["A"],"phase":"over","turn":[1]}',
        b'{"game":"x","title":"x","players":["A"],"phase":"over","scores":[1,2]}',
        b'{"game":"x","title":"x","players":["A"],"phase":"over","turn":[-1]}',
        b" " * 40_000,
    ],
)
def test_rubbish_is_no_glance(payload):
    with pytest.raises(ValueError, match=r"."):
        read_glance(payload)


def test_rubbish_is_no_view():
    from companion.messages.live_tables import packed_view

    good = packed_view({"en": {"wide": {"headline": "x"}}})
    assert unpacked_view(good) == {"en": {"wide": {"headline": "x"}}}
    bomb = packed_view({"en": {"wide": {"x": "y" * 10_000_000}}})
    assert len(bomb) < 20_000
    for payload in (b"", b"rubbish", good[:-3], bomb, bytes(300_000), packed_view({"en": [1]})):
        with pytest.raises(ValueError, match=r"."):
            unpacked_view(payload)
