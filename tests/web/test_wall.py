"""Shows on phones, and the table on a wall: a television's browser, with the spectators' code."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser

from companion.drawing.qr_code import code
from companion.gamekit import discovery
from companion.web.access_codes import WATCHING, new_code
from companion.web.server import ResultPages
from tests.ours import GAMES
from tests.web.axe import findings, needs_axe
from tests.web.browser import UPRIGHT, PagePhone
from tests.web.evening import BarePhone, PhonesTable, evening

TELEVISION = (1920, 1080)
BESIDE = (("#table", "right"), ("#code", "left"))
"""What stands beside each other when a game is over."""
REQUESTS: list[str] = []
"""What walls have asked for."""


async def wall(browser: Browser, table: PhonesTable, guest: int = WATCHING, **how: Any) -> PagePhone:
    context = await browser.new_context(viewport={"width": TELEVISION[0], "height": TELEVISION[1]}, **how)
    found = PagePhone(table, guest, context, await context.new_page())
    found.page.on("request", lambda request: REQUESTS.append(request.url))
    await found.page.goto(f"{table.url}/wall#{table.codes[guest]}")
    return found


def play_to_end(table: PhonesTable, chance: Random) -> None:
    table.prepared()
    while not table.over:
        table.play_on(chance)


@pytest.mark.parametrize("name", GAMES)
def test_the_wall_draws_every_game_as_one_svg_that_fits_and_loads_nothing_from_outside(name, in_browser):
    async def play(browser: Browser) -> None:
        async with evening(name, max(discovery.find(name).players)) as table:
            table.prepared()
            REQUESTS.clear()
            television = await wall(browser, table)
            chance = Random(name)
            for _turn in range(12):
                table.play_on(chance)
                await television.sees_newest()
            await television.page.keyboard.press("Escape")  # a show, if there is one
            await television.sees("document.getElementById('show').hidden")
            size = await television.page.evaluate(
                """() => { const box = document.querySelector("#drawn svg").getBoundingClientRect();
                return [box.width, box.height, document.documentElement.scrollWidth - innerWidth,
                        document.documentElement.scrollHeight - innerHeight]; }"""
            )
            assert size[0] > TELEVISION[0] / 2, "it uses the space"
            assert size[2:] == [0, 0], "nothing has to be scrolled"
            label = await television.page.get_attribute("#drawn svg", "aria-label")
            assert label
            assert "Anna" in label
            assert REQUESTS
            assert all(url.startswith(table.url) for url in REQUESTS)
            assert television.errors == []
            assert table.reported == []

    in_browser(play)


def test_a_players_code_opens_no_wall_and_without_a_code_nothing_is_shown(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux", 3) as table:
            table.prepared()
            mine = await wall(browser, table, 0)
            await mine.sees("document.getElementById('status').textContent.includes('code for watching')")
            assert await mine.page.query_selector("#drawn svg") is None
            context = await browser.new_context()
            stranger = PagePhone(table, WATCHING, context, await context.new_page())
            await stranger.page.goto(f"{table.url}/wall")
            await stranger.sees("document.getElementById('status').textContent.includes('code behind the #')")
            assert await stranger.page.query_selector("#drawn svg") is None

    in_browser(play)


def test_a_wall_sees_what_spectators_see_and_no_hand(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            television = await wall(browser, table)
            await television.sees_newest()
            assert {phone.guest for phone in table.hub.phones} == {WATCHING}
            assert await television.page.query_selector("button") is None, "it can do nothing"

    in_browser(play)


@needs_axe
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_on_the_wall_and_in_a_show(scheme, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux", 3) as table:
            table.prepared()
            television = await wall(browser, table, color_scheme=scheme)
            phone = await PagePhone.scan(browser, table, 0, color_scheme=scheme)
            await television.sees_newest()
            assert await findings(television.page) == []
            play_to_end(table, Random(3))
            for each in (television, phone):
                await each.sees("!document.getElementById('show').hidden")
                assert await findings(each.page) == []

    in_browser(play)


def test_when_a_game_is_over_the_wall_shows_a_code_for_phones_and_they_see_the_result(in_browser, tmp_path):
    """A phone that plays keeps its seat; one without a code becomes a spectator's."""

    async def play(browser: Browser) -> None:
        async with evening("lascaux", 5) as table:
            table.server._results = ResultPages(table.results_page)
            table.prepared()
            television = await wall(browser, table)
            anna = await PagePhone.scan(browser, table, 0)
            await television.sees_newest()
            assert await television.page.is_hidden("#code")
            play_to_end(table, Random(3))
            await television.sees("!document.getElementById('show').hidden")
            assert await television.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            await television.page.keyboard.press("Escape")
            await television.sees("document.querySelector('#code svg') !== null")
            link = f"{table.url}/?1#{table.codes[WATCHING]}"
            shown = await television.page.evaluate(DARK_CELLS)
            assert shown == "".join(code(link).plain.split("\n")).count("█")
            box = await television.page.evaluate("document.documentElement.scrollHeight - innerHeight")
            assert box == 0
            edges = [f"document.querySelector('{part}').getBoundingClientRect().{edge}" for part, edge in BESIDE]
            right, left = [await television.page.evaluate(edge) for edge in edges]
            assert right <= left, "the code covers nothing of the result"
            assert await television.page.get_attribute("#code svg", "aria-label") == "This result on your phone"
            stranger = await browser.new_context(viewport={"width": 360, "height": 640})
            other = await stranger.new_page()
            for page in (anna.page, other):
                await page.goto(link)
                await page.wait_for_url(f"{table.url}/results?language=en#game-1")
                assert "Lascaux" in (await page.text_content("#game-1") or "")
            await anna.page.get_by_role("link", name="Back to the table").click()
            await anna.sees_newest()
            assert await anna.text("#who") == "You are Anna"

    in_browser(play)


DARK_CELLS = """() => [...document.querySelectorAll("#code rect")].filter((each) =>
  each.getAttribute("height") === "20" && each.getAttribute("width") === "10").length"""


# --- Shows ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_scoring_comes_to_phones_step_by_step_and_can_be_skipped_and_repeated(name, in_browser):
    async def play(browser: Browser) -> None:
        async with evening(name, 3) as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 0, UPRIGHT)
            play_to_end(table, Random(name))
            await phone.sees("document.getElementById('show-title').textContent.includes('The scoring (1/')")
            totals = [str(score.total).replace("-", "−") for score in table.evening.game.scores(table.evening.state)]
            await phone.page.click("#show-buttons .primary")
            await phone.sees("document.getElementById('show-title').textContent.includes('(2/')")
            await phone.page.click("#show-buttons button:first-child")
            await phone.sees("document.getElementById('show-title').textContent.includes('(1/')")
            while "Close" not in await phone.text("#show-buttons .primary"):
                await phone.page.click("#show-buttons .primary")
            shown = await phone.page.eval_on_selector_all(
                "#show .total", "(all) => all.map((each) => each.textContent)"
            )
            assert shown == totals
            await phone.page.click("#show-buttons .primary")
            await phone.sees("document.getElementById('show').hidden")
            await phone.page.click("#evening button:has-text('Show again')")
            await phone.sees("!document.getElementById('show').hidden")
            await phone.page.click("#show-buttons button:last-child")
            await phone.sees("document.getElementById('show').hidden")
            assert phone.errors == []

    in_browser(play)


def test_a_phone_that_comes_late_is_shown_no_old_show(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux", 3) as table:
            play_to_end(table, Random(1))
            phone = await PagePhone.scan(browser, table, 0)
            assert await phone.page.evaluate("document.getElementById('show').hidden")

    in_browser(play)


def test_bars_stand_still_for_readers_who_want_less_motion(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux", 3) as table:
            table.prepared()
            moving = await PagePhone.scan(browser, table, 0)
            still = await PagePhone.scan(browser, table, 1, reduced_motion="reduce")
            play_to_end(table, Random(1))
            for phone, name in ((moving, "grow"), (still, "none")):
                await phone.sees("document.querySelector('#show .part') !== null")
                drawn = "getComputedStyle(document.querySelector('#show .part:last-child')).animationName"
                assert await phone.page.evaluate(drawn) == name

    in_browser(play)


# --- Phones that have chosen, and phones that were removed ----------------------------------------------------


def test_after_a_choice_its_button_says_change(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux", 3) as table:
            table.prepared()
            while table.evening.state.phase != "choose":
                table.play_on(Random(1))
            phone = await PagePhone.scan(browser, table, 0)
            assert table.act("choose", seat=0, colour="white").kind == "accepted"
            await phone.sees_newest()
            await phone.sees("document.querySelector('#choices > button')?.textContent === 'Change'")
            await phone.page.click("#choices > button")
            await phone.sees("document.getElementById('dialog').open")

    in_browser(play)


def test_a_removed_phone_says_so_where_its_player_looks_and_keeps_no_hand(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 0)
            table.server.renew(0, new_code())
            await phone.sees("document.getElementById('headline').textContent.includes('no longer valid')")
            left = await phone.page.evaluate("document.querySelector('main').innerText")
            assert set(left.split("\n")) - {""} == {"This code is no longer valid. Scan the one on the table's screen."}
            assert await phone.page.evaluate("document.activeElement.id") == "headline"

    in_browser(play)


def test_a_phone_that_asks_for_a_show_before_there_is_one_gets_no_answer() -> None:
    async def play() -> None:
        async with evening("lascaux", 3) as table:
            phone = await BarePhone(table, 0).sit()
            await phone.say({"is": "show"})
            await phone.say({"is": "help"})
            told = await phone.hear(lambda message: message["is"] in ("show", "why"))
            assert told["is"] == "why"
            await phone.session.close()

    asyncio.run(play())


def test_a_phone_that_asks_about_a_line_that_is_gone_is_told_so() -> None:
    async def play() -> None:
        async with evening("sioux", 3) as table:
            phone = await BarePhone(table, 0).sit()
            await phone.say({"is": "why", "line": 4711})
            told = await phone.hear(lambda message: message["is"] in ("problem", "why"))
            assert told == {"is": "problem", "text": "This line is no longer shown."}
            await phone.session.close()

    asyncio.run(play())


def test_the_pages_files_have_no_address_of_another_place() -> None:
    for path in (Path(__file__).parents[2] / "companion/web/page").iterdir():
        assert "//" not in path.read_text().replace("http://www.w3.org/2000/svg", "").replace("// ", "").replace(
            "${location.protocol", ""
        ).replace('"wss" : "ws"}://${location.host}', "").replace("https://TABLE/", ""), path.name
