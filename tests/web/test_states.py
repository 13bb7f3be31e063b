"""Every state of the page, for all eyes, ears and fingers: axe finds nothing at all."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from aiohttp import ClientSession
from playwright.async_api import Browser

from companion.web.access_codes import WATCHING, new_code
from tests.strangers import gops_installed
from tests.web.axe import findings, needs_axe
from tests.web.browser import PagePhone
from tests.web.evening import evening
from tests.web.listener import PLAYERS
from tests.web.test_listening import listening
from tests.web.test_reading import PROBLEMS, TOKEN, android, read_pieces


@pytest.fixture
def gops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with gops_installed(tmp_path, monkeypatch):
        yield


OVERFLOW = "document.documentElement.scrollWidth - innerWidth"


@needs_axe
@pytest.mark.parametrize("name", sorted(PLAYERS))
def test_axe_finds_nothing_at_all_at_320_px_with_double_size_and_without_motion(name, in_browser, gops):
    async def play(browser: Browser) -> None:
        async with evening(name, PLAYERS[name]) as table:
            phone = await listening(browser, table, size=(320, 640), reduced_motion="reduce")
            assert await findings(phone.page) == []  # the preparation
            table.prepared()
            chance = Random(name)
            for _ in range(12):
                table.play_on(chance)
            await phone.sees_newest()
            assert await findings(phone.page) == []  # the table, in words
            assert await phone.page.evaluate(OVERFLOW) <= 0
            await phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert await phone.page.evaluate(OVERFLOW) <= 0
            assert await findings(phone.page) == []
            await phone.page.evaluate("document.documentElement.style.fontSize = ''")
            await phone.page.get_by_role("button", name="Voice").click()
            assert await findings(phone.page) == []  # the question about headphones
            await phone.page.keyboard.press("Escape")
            button = phone.page.locator("#choices > button:enabled")
            if await button.count():
                await button.first.click()
            assert await findings(phone.page) == []  # a menu
            await phone.page.keyboard.press("Escape")
            while not table.over:
                table.play_on(chance)
            await phone.sees_newest()
            assert await findings(phone.page) == []  # the result
            assert await phone.page.evaluate("document.getAnimations().length") == 0

    in_browser(play)


DIALOG = "document.getElementById('dialog').open"
SAYS = "document.getElementById('read').textContent.includes({words!r})"


@needs_axe
def test_axe_finds_nothing_while_pieces_are_read_nor_in_any_error(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            chance = Random(4)
            for _ in range(6):
                table.play_on(chance)
            phone = await android(browser, table, 0, size=(320, 640))
            await read_pieces(phone)
            await phone.page.get_by_role("button", name="This phone is the centre").click()
            await phone.sees("document.querySelectorAll('#reading [aria-pressed=true]').length === 1")
            assert await findings(phone.page) == []  # it is the centre
            await phone.page.get_by_role("button", name="Stop reading").click()
            for problem, words in PROBLEMS.items():
                stub = "(name) => { NDEFReader.prototype.scan = async () => { throw new DOMException('no', name); }; }"
                await phone.page.evaluate(stub, problem)
                await read_pieces(phone)
                await phone.sees(SAYS.format(words=words))
            assert await findings(phone.page) == []  # the last of the errors: they differ in their words alone
            await phone.page.locator("#lines button").last.click()
            await phone.sees(DIALOG)
            assert await findings(phone.page) == []  # all lines
            await phone.page.keyboard.press("Escape")
            await phone.page.locator("#help").click()
            await phone.sees(DIALOG)
            assert await findings(phone.page) == []  # the rules
            await phone.page.keyboard.press("Escape")
            await phone.context.set_offline(True)
            await phone.sees("document.getElementById('status').textContent.includes('Connection lost')")
            assert await findings(phone.page) == []  # without a connection
            await phone.context.set_offline(False)
            await phone.sees("!document.getElementById('status').textContent.includes('Connection lost')")
            table.server.renew(0, new_code())
            await phone.sees("document.body.classList.contains('removed')")
            assert await findings(phone.page) == []  # the code was replaced
            assert await phone.page.evaluate(OVERFLOW) <= 0

    in_browser(play)


@needs_axe
def test_axe_finds_nothing_in_any_step_of_a_show_with_letters_of_double_size(in_browser):
    """What is wider than the phone is scrolled by arrow keys, too."""

    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            chance = Random(3)
            phone = await PagePhone.scan(browser, table, 0, (320, 640))
            await phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
            while not await phone.page.locator("#show").is_visible():
                table.play_on(chance)
                await phone.sees_newest()
            wide = 0
            while await phone.page.locator("#show").is_visible():
                wide += await phone.page.evaluate("document.querySelectorAll('#show-step [tabindex]').length")
                assert await findings(phone.page) == []
                await phone.page.locator("#show-buttons button").nth(1).click()
            assert wide

    in_browser(play)


@needs_axe
def test_axe_finds_nothing_for_phones_that_are_unknown_or_too_many_nor_on_the_page_for_a_changed_address(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            context = await browser.new_context(viewport={"width": 320, "height": 640})
            page = await context.new_page()
            await page.goto(f"{table.url}/t#{TOKEN}")
            phone = PagePhone(table, WATCHING, context, page)
            await phone.sees("document.getElementById('status').textContent.includes('Scan your code')")
            assert await findings(page) == []
            elsewhere = {"Host": "192.168.1.20:8137"}
            async with ClientSession() as session, session.get(f"{table.url}/t", headers=elsewhere) as answer:
                moved = await answer.text()
            await page.goto("about:blank")
            await page.set_content(moved)
            assert await findings(page) == []
            assert await page.evaluate(OVERFLOW) <= 0

    in_browser(play)
