"""The hall's display, in a real browser, with a real broker."""

import asyncio
import os
import signal
from contextlib import suppress

import aiohttp
import aiomqtt
import msgspec
import pytest
from msgspec.structs import replace
from playwright.async_api import Browser

from companion.hall.decisions import JoinTable
from companion.hall.hall_display import UNSENT
from companion.hall.hall_state import AnyEvent, NightOpened, RoundSeated, RoundStarted, SignedIn
from companion.hall.live_board import LiveTile
from companion.hall.mosquitto import DISPLAY
from companion.hall.seating import SeatingReason
from companion.messages.broker import connected
from companion.messages.live_tables import TableTopics, packed_view
from companion.web.live_view import spectator, views
from companion.web.rate_limit import AT_ONCE
from tests.hall.brokers import CLUB, reading
from tests.hall.live_halls import NOW, glance, live_club, ruling
from tests.web.axe import findings, needs_axe
from tests.web.evening import evening

SIZES = {"phone": (360, 640), "laptop": (1280, 800), "television": (1920, 1080)}


def test_a_display_shows_every_table_with_turn_time_and_points(in_browser):
    async def play(browser: Browser) -> None:
        async with live_club(["one", "two"]) as club:
            await club.say("one", glance(1))
            over = glance(2, phase="over", scores=(12, 7, 9), winners=(0,), turn=(), since=None)
            await club.say("two", over, "offline")
            await club.until(lambda: len([tile for tile in club.board.tiles.values() if tile.glance]) == 2)
            page = await club.open_display(browser)
            texts = await page.locator(".tile").all_inner_texts()
            assert "one · Lascaux" in texts[0]
            assert "1:05" in texts[0]
            assert "Ben: lay a stone or pass" in texts[0]
            assert "► Ben" in texts[0]
            assert "offline" in texts[1]
            assert "» Anna 12" in texts[1]
            await club.say("one", glance(2, since=NOW))
            await page.get_by_text("► Cleo").wait_for()
            assert club.failures == []

    in_browser(play)


def test_the_night_its_clock_its_standings_and_the_latest_ruling_are_shown(in_browser):
    async def play(browser: Browser) -> None:
        async with live_club(["one"]) as club:
            await club.say("one", glance(1, ruling=ruling(3)))
            await club.until(lambda: "one" in club.board.tiles and club.board.tiles["one"].glance)
            page = await club.open_display(browser)
            assert not await page.locator("#news").is_visible(), "what was ruled before the hall began is no news"
            started: list[AnyEvent] = [
                NightOpened("lascaux"),
                *map(SignedIn, ("Anna", "Ben", "Cleo")),
                RoundSeated(1, {"one": ("Anna", "Ben", "Cleo")}),
                RoundStarted(NOW + 600),
            ]
            await club.hall.change(lambda _state: started)
            await page.get_by_text("Round 1: Lascaux").wait_for()
            assert (await page.inner_text("#clock")) in ("10:00", "9:59", "9:58")
            assert (await page.locator("#places li").all_inner_texts())[0].split() == ["1.", "Anna", "0"]
            await club.say("one", glance(2, ruling=ruling(4)))
            await page.get_by_text("Anna takes 4 cards (L12)").wait_for()
            second = await club.open_display(browser, locale="de-DE")
            assert "Anna nimmt 4 Karten" in await second.inner_text("#news")

    in_browser(play)


def test_before_a_round_starts_it_shows_who_sits_where_and_a_code_to_sign_in(in_browser):
    async def play(browser: Browser) -> None:
        async with live_club(["1"]) as club:
            await club.say("1", glance(1))
            await club.until(lambda: "1" in club.board.tiles and club.board.tiles["1"].glance)
            page = await club.open_display(browser, locale="de-DE")
            reasons = {
                "1": SeatingReason("by lot"),
                "": SeatingReason("byes", {"names": ("Dora",), "seats": 3, "players": 4}),
            }
            seated: list[AnyEvent] = [
                NightOpened("lascaux"),
                *map(SignedIn, ("Anna", "Ben", "Cleo", "Dora")),
                RoundSeated(1, {"1": ("Anna", "Ben", "Cleo")}, ("Dora",), reasons),
            ]
            await club.hall.change(lambda _state: seated)
            await page.get_by_text("Wer sitzt wo").wait_for()
            groups = await page.locator("#groups li").all_inner_texts()
            assert [each.split("\n\n") for each in groups] == [
                ["Tisch 1", "Anna, Ben, Cleo", "Erste Runde, ausgelost."],
                [
                    "Setzt aus",
                    "Dora",
                    "Es setzen aus: Dora. Für 4 Spieler gibt es 3 Plätze, und das Aussetzen geht reihum.",
                ],
            ]
            assert await page.locator("#code img").evaluate("(image) => image.naturalWidth") > 0
            assert await page.get_by_text("Mit dem Handy anmelden").is_visible()
            await club.hall.change(lambda _state: [RoundStarted(NOW + 600)])
            await page.locator("#seating").wait_for(state="hidden")

    in_browser(play)


def test_one_table_is_followed_as_the_wall_draws_it(in_browser):
    async def play(browser: Browser) -> None:
        async with live_club(["one"]) as club, evening("lascaux", 3) as table:
            table.prepared()
            sight = spectator(
                msgspec.convert(msgspec.to_builtins(table.referee.snapshot()), type=type(table.referee.snapshot()))
            )
            topics = TableTopics(CLUB, "one")
            await club.say("one", glance(1))
            await club.tables["one"].publish(topics.view, views(sight), qos=1, retain=True)
            await club.until(lambda: "one" in club.board.tiles and club.board.tiles["one"].glance)
            page = await club.open_display(browser)
            assert club.board.views == {}, "nothing is read for tables that no display follows"
            await page.click(".tile button")
            await page.wait_for_selector("#drawn svg")
            assert "Anna" in await page.get_attribute("#drawn svg", "aria-label")
            await club.tables["one"].publish(topics.view, packed_view({"en": {"wide": {"headline": "Now!"}}}), qos=1)
            await page.get_by_text("Now!").wait_for()
            await club.tables["one"].publish(topics.view, b"rubbish", qos=1)
            await club.until(lambda: club.board.refused == 1)
            assert "one/view" in club.board.last_refused
            await page.keyboard.press("Escape")
            await page.wait_for_selector("#followed", state="hidden")
            await club.until(lambda: not club.board.views)
            assert club.failures == []

    in_browser(play)


@needs_axe
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_in_any_size_and_nothing_comes_from_outside(theme, in_browser):
    async def play(browser: Browser) -> None:
        async with live_club(["one", "two"]) as club:
            await club.say("one", glance(1, ruling=ruling(1)))
            await club.say("two", glance(2, phase="question"), "offline")
            await club.until(lambda: len([tile for tile in club.board.tiles.values() if tile.glance]) == 2)
            await club.say("one", glance(2, ruling=ruling(2)))
            await club.until(lambda: club.board.drama)
            started: list[AnyEvent] = [
                NightOpened("lascaux"),
                SignedIn("Anna"),
                RoundSeated(1, {}),
                RoundStarted(NOW - 60),
            ]
            await club.hall.change(lambda _state: started)
            for size in SIZES.values():
                page = await club.open_display(browser, size, color_scheme=theme)
                requests: list[str] = []
                page.on("request", lambda request, requests=requests: requests.append(request.url))
                await page.reload()
                await page.wait_for_selector('html[data-tables="2"]')
                assert await findings(page) == [], size
                assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
                assert requests
                assert all(url.startswith(club.url) for url in requests)
                await page.context.close()

    in_browser(play)


def test_a_new_display_gets_all_tables_at_once_and_then_only_what_changes():
    async def scene() -> None:
        names = [f"t{number}" for number in range(100)]
        async with live_club(["t0"]) as club:
            for name in names:
                club.board._tile(name, LiveTile(False, glance(0)))
            async with joined(club) as line:
                (everything,) = await line.receive_json()
                assert everything["is"] == "all"
                assert set(everything["tables"]) == set(names)
                await club.say("t0", glance(2))
                changes = await _messages(line, 2)
                changed = {key for each in changes for key in each["change"]}
                assert changed == {"online", "turn", "headline", "lamps", "entry"}, "diffs only"

    asyncio.run(scene())


def test_a_table_that_joins_later_is_shown_by_its_name():
    async def scene() -> None:
        async with live_club(["blue-table"]) as club, joined(club) as line:
            await line.receive_json()
            await club.hall.change(JoinTable("Blue table", "hash").decide)
            await club.say("blue-table", glance(1))
            messages: list[dict] = []
            while not any(each.get("change", {}).get("online") for each in messages):
                messages += await _messages(line, 1)
            assert "Blue table" in [each["change"].get("name") for each in messages if each["is"] == "tile"]

    asyncio.run(scene())


def joined(club, origin: str | None = None, *, cookie: bool = True):
    return _Joined(club, origin or club.url, cookie)


class _Joined:
    def __init__(self, club, origin: str, cookie: bool) -> None:
        self._club, self._origin, self._cookie = club, origin, cookie

    async def __aenter__(self):
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        try:
            if self._cookie:
                await self._session.get(self._club.display_url)
            self._line = await self._session.ws_connect(
                f"{self._club.url}/display/line", headers={"Origin": self._origin}
            )
        except BaseException:
            await self._session.close()
            raise
        return self._line

    async def __aexit__(self, *_: object) -> None:
        await self._line.close()
        await self._session.close()


async def _messages(line, count: int) -> list[dict]:
    found: list[dict] = []
    async with asyncio.timeout(20):
        while len(found) < count:
            found += await line.receive_json()
    return found


def test_without_a_code_or_from_another_page_there_is_no_line():
    async def scene() -> None:
        async with live_club() as club:
            for status, how in (("401", {"cookie": False}), ("403", {"origin": "http://elsewhere.example"})):
                with pytest.raises(aiohttp.WSServerHandshakeError, match=status):
                    async with joined(club, **how):
                        pass

    asyncio.run(scene())


def test_a_display_that_sends_rubbish_or_does_not_read_harms_only_itself():
    async def scene() -> None:
        async with live_club(["one"]) as club:
            await club.say("one", glance(1))
            await club.until(lambda: "one" in club.board.tiles)
            async with joined(club) as good, joined(club) as bad:
                await good.receive_json()
                await bad.receive_json()
                for rubbish in ("", "[", "{}", '{"is":"follow"}', '{"is":"follow","table":7}', "[" * 3000):
                    await bad.send_str(rubbish)
                slow = next(iter(club.displays._displays))
                for _ in range(UNSENT + 1):
                    slow.push(b"0")
                assert slow._needs_all
                assert slow._unsent == []
                await slow_again(slow)
                await club.say("one", glance(2))
                for line in (good, bad):
                    while (await _messages(line, 1))[-1].get("change", {}).get("entry") != 2:
                        pass

    asyncio.run(scene())


def test_a_display_that_sends_control_frames_without_end_is_disconnected():
    async def scene() -> None:
        async with live_club() as club, joined(club) as good, joined(club) as flood:
            await good.receive_json()
            await flood.receive_json()
            with suppress(ConnectionError):
                for _ in range(AT_ONCE + 5):
                    await flood.ping(b"x")
            async with asyncio.timeout(20):
                while len(club.displays._displays) > 1:
                    await asyncio.sleep(0.01)
            await good.ping()
            await asyncio.sleep(0)
            assert not good.closed

    asyncio.run(scene())


async def slow_again(slow) -> None:
    """It reads again, and gets everything."""
    async with asyncio.timeout(20):
        while slow._needs_all:
            await asyncio.sleep(0)


def test_rubbish_on_a_topic_changes_nothing_and_is_reported():
    async def scene() -> None:
        async with live_club(["one"]) as club:
            await club.say("one", glance(1))
            await club.until(lambda: "one" in club.board.tiles and club.board.tiles["one"].glance)
            before = club.board.tiles["one"]
            for number, payload in enumerate((b"rubbish", b"{}", b'{"game":7}', b"[" * 5000), 1):
                await club.say("one", payload)
                await club.until(lambda number=number: club.board.refused == number)
            assert club.board.tiles["one"] == before
            assert "one/glance" in club.board.last_refused
            await club.say("one", replace(glance(2), title="x" * 3000))
            await club.until(lambda: club.board.refused == 5)

    asyncio.run(scene())


def test_a_table_with_a_wrong_clock_is_shown_in_the_halls_time():
    async def scene() -> None:
        async with live_club(["one"]) as club:
            await club.until(lambda: club.board._client)
            await club.say("one", glance(1, at=NOW - 5000.0, since=NOW - 5065.0))
            await club.until(lambda: "one" in club.board.tiles and club.board.tiles["one"].glance)
            assert club.board.tiles["one"].glance.since == NOW - 65.0

    asyncio.run(scene())


def test_when_the_broker_is_away_displays_say_so_and_then_go_on():
    async def scene() -> None:
        async with live_club(["one"]) as club:
            await club.say("one", glance(1))
            await club.until(lambda: "one" in club.board.tiles and not club.board.problem)
            async with joined(club) as line:
                (everything,) = await line.receive_json()
                assert everything["problem"] == ""
                os.kill(club.real.mosquitto._process.pid, signal.SIGKILL)
                (said,) = await _messages(line, 1)
                assert said["is"] == "link"
                assert "broker" in said["problem"]
                while said.get("problem") != "":
                    said = (await _messages(line, 1))[-1]
                async with connected(club.real.access("one")) as table:
                    await table.publish(TableTopics(CLUB, "one").presence, "offline", qos=1)
                told = await _messages(line, 1)
                assert told[-1]["change"] == {"online": False}

    asyncio.run(scene())


@pytest.mark.parametrize("table", ["#", "+", "one/view", "One", "\0", "x" * 41])
def test_a_display_follows_only_what_may_be_a_table_in_a_topic(table, monkeypatch):
    """A wildcard would subscribe to all views, and what is no filter at all would end the board."""

    async def scene() -> None:
        async with live_club(["one"]) as club, joined(club) as line:
            followed = list[str]()
            monkeypatch.setattr(club.board, "follow", followed.append)
            await line.receive_json()
            await line.send_json({"is": "follow", "table": table})
            await line.send_json({"is": "follow", "table": "one"})
            await club.until(lambda: "one" in followed)
            assert followed == ["one"]

    asyncio.run(scene())


def test_displays_that_follow_tables_while_the_board_connects_do_not_end_it(monkeypatch):
    async def scene() -> None:
        async with live_club(["one"]) as club:
            subscribe, joining = aiomqtt.Client.subscribe, iter(("two", "three", "four"))

            async def slowly(client, topic, *more, **how):
                codes = await subscribe(client, topic, *more, **how)
                if str(topic).endswith("/view") and (table := next(joining, "")):
                    club.board._followed[table] += 1
                return codes

            await club.until(lambda: club.board._client)
            club.board._followed["one"] += 1
            monkeypatch.setattr(aiomqtt.Client, "subscribe", slowly)
            os.kill(club.real.mosquitto._process.pid, signal.SIGKILL)
            await club.until(lambda: club.board.problem)
            await club.until(lambda: not club.board.problem)
            async with connected(club.real.access("one")) as table:
                await table.publish(TableTopics(CLUB, "one").presence, "online", qos=1)
                await club.until(lambda: "one" in club.board.tiles)

    asyncio.run(scene())


def test_a_display_of_others_reads_the_same_topics():
    """Any MQTT client with the display's password may be one."""

    async def scene() -> None:
        async with live_club(["one"]) as club:
            await club.say("one", glance(1))
            async with reading(club.real.access(DISPLAY), f"companion/1/{CLUB}/tables/+/glance") as topics:
                await topics.until(lambda newest: TableTopics(CLUB, "one").glance in newest)

    asyncio.run(scene())
