"""The page on a phone, in a real browser: readable, reachable, honest about what was counted."""

from contextlib import AsyncExitStack
from random import Random

import pytest
from playwright.async_api import Browser

from companion.web.access_codes import WATCHING
from companion.web.server import SPECTATORS
from tests.ours import GAMES
from tests.web.axe import findings, needs_axe
from tests.web.browser import LAPTOP, TABLET, PagePhone, until
from tests.web.evening import BarePhone, evening

SMALLEST = 48
LETTERS = 16

MEASURE = """() => {
  const seen = (each) => { const box = each.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
  const buttons = [...document.querySelectorAll("button")].filter(seen).map((each) => {
    const box = each.getBoundingClientRect();
    return [each.getAttribute("aria-label") ?? each.textContent, box.width, box.height];
  });
  const texts = [...document.querySelectorAll("body *")].filter((each) => seen(each) && each.textContent.trim())
    .map((each) => parseFloat(getComputedStyle(each).fontSize));
  return { buttons, smallest: Math.min(...texts), overflow: document.documentElement.scrollWidth - innerWidth };
}"""


CLICK = "(each) => { window.before = document.documentElement.dataset.entry; each.click(); }"
CAME_OF_IT = """!document.getElementById("status").textContent.includes("Sending:") && (
  document.getElementById("dialog").open || !document.getElementById("box").hidden
  || document.getElementById("status").textContent || document.documentElement.dataset.entry !== window.before)"""
"""A menu, a question, a word of the referee, or one more entry."""
DEAF = "() => { window.spoken = WebSocket.prototype.send; WebSocket.prototype.send = () => {}; }"
"""The Wi-Fi goes just as the finger comes down."""
GONE = "() => { WebSocket.prototype.send = window.spoken; dispatchEvent(new Event('offline')); }"
BACK = "() => dispatchEvent(new Event('online'))"


@pytest.mark.parametrize("name", GAMES)
def test_everything_is_large_enough_for_a_thumb_and_for_eyes(name, in_browser):
    async def play(browser: Browser) -> None:
        async with evening(name, 3) as table:
            phone = await PagePhone.scan(browser, table, 0)
            await _measure(phone)
            table.prepared()
            chance = Random(name)
            for _ in range(6):
                for _step in range(5):
                    table.play_on(chance)
                await phone.sees_newest()
                await _measure(phone)
                button = phone.page.locator("#choices > button:enabled")
                if await button.count():
                    await button.first.evaluate(CLICK)
                    await phone.sees(CAME_OF_IT)
                    await _measure(phone)
                    await phone.page.keyboard.press("Escape")
            assert phone.errors == []

    in_browser(play)


async def _measure(phone: PagePhone) -> None:
    found = await phone.page.evaluate(MEASURE)
    small = [each for each in found["buttons"] if min(each[1:]) < SMALLEST - 0.5]
    assert not small, small
    assert found["smallest"] >= LETTERS
    assert found["overflow"] <= 0


@needs_axe
@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_axe_finds_nothing_in_any_theme(theme, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            scheme = {"color_scheme": "light" if theme == "light" else "dark"}
            phone = await PagePhone.scan(browser, table, 0, **scheme)
            await phone.page.evaluate("(theme) => { localStorage.setItem('theme', theme); }", theme)
            await phone.page.reload()
            await phone.sees_newest()
            assert await findings(phone.page) == []  # the preparation
            table.prepared()
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            await phone.sees_newest()
            assert await findings(phone.page) == []  # the table, with choices
            await phone.page.locator("#lines button").first.click()
            await phone.sees("document.getElementById('dialog').open")
            assert await findings(phone.page) == []  # why
            await phone.page.keyboard.press("Escape")
            chance = Random(1)
            while not table.over:
                table.play_on(chance)
            await phone.sees_newest()
            assert await findings(phone.page) == []  # the result
            await phone.context.clear_cookies()
            await phone.page.reload()
            await phone.sees("document.body.classList.contains('removed')")
            assert await findings(phone.page) == []  # the phone is unknown

    in_browser(play)


NARROW = """async () => {
  const { reachable } = await import("/drawing.js");
  const block = document.createElement("pre");
  document.getElementById("panels").append(block);
  Object.assign(block, { textContent: "x".repeat(20) }).style.width = "max-content";
  block.style.width = `${block.getBoundingClientRect().width}px`;
  const found = [];
  for (const letters of [22, 25, 80, 10]) {
    block.textContent = "x".repeat(letters);
    reachable(block, "a table");
    found.push([block.style.fontSize, block.tabIndex, block.scrollWidth > block.clientWidth]);
  }
  block.remove();
  return found;
}"""


def test_a_picture_gets_the_letters_that_what_it_shows_now_needs(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            phone = await PagePhone.scan(browser, table, 0)
            (wide, wider, widest, narrow) = await phone.page.evaluate(NARROW)
            assert float(wide[0].removesuffix("rem")) > float(wider[0].removesuffix("rem")), "each fits by itself"
            assert (wide[1:], wider[1:]) == ([-1, False], [-1, False])
            assert widest == ["", 0, True], "moved by keys, at full size"
            assert narrow == ["", -1, False]

    in_browser(play)


def test_what_was_tapped_without_a_line_is_visibly_not_counted_and_counts_once_when_it_is_back(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 0)
            before = table.evening.number
            await phone.page.evaluate(DEAF)
            await phone.page.locator("#choices > button").first.tap()
            await phone.sees("document.getElementById('status').textContent.includes('Sending:')")
            assert table.evening.number == before
            assert await phone.page.locator("#choices > button:enabled").count() == 0
            await phone.page.evaluate(GONE)
            await phone.page.evaluate(BACK)
            await until(lambda: table.evening.number == before + 1)
            await phone.sees_newest()
            await phone.sees("document.getElementById('status').textContent === ''")
            assert len(table.evening.played_game.played) == 1

    in_browser(play)


def test_an_answer_is_not_sent_again_when_the_table_has_gone_on(in_browser):
    """It could mean something else by now: the page says that one should look."""

    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 0)
            await phone.page.evaluate(DEAF)
            await phone.page.locator("#choices > button").first.tap()
            table.act("play", seat=1, card="9")
            await phone.page.evaluate(GONE)
            await phone.page.evaluate(BACK)
            await phone.sees("document.getElementById('status').textContent.includes('game moved on')")
            await phone.sees_newest()
            assert len(table.evening.played_game.played) == 1
            assert await phone.page.locator("#choices > button:enabled").count() > 0

    in_browser(play)


def test_a_phone_without_a_code_is_told_what_to_do_in_its_language(in_browser):
    async def play(browser: Browser) -> None:
        async with evening() as table:
            context = await browser.new_context(locale="de-DE")
            page = await context.new_page()
            await page.goto(table.url)
            phone = PagePhone(table, 0, context, page)
            await phone.sees("document.getElementById('status').textContent.includes('Scanne deinen Code')")
            assert await page.get_attribute("html", "lang") == "de"
            await page.goto(f"{table.url}/#{table.codes[0]}")  # only the fragment changes: no new page is loaded
            await phone.sees_newest()
            assert page.url == f"{table.url}/"
            assert "Du bist Anna" in await phone.text("#who")

    in_browser(play)


def test_a_spectator_for_whom_there_is_no_room_is_told_so_and_comes_in_when_there_is(in_browser):
    async def play(browser: Browser) -> None:
        async with evening() as table, AsyncExitStack() as stack:
            crowd = [await stack.enter_async_context(BarePhone(table, WATCHING)) for _ in range(SPECTATORS)]
            for each in crowd:
                await each.sit()
            context = await browser.new_context()
            page = await context.new_page()
            await page.goto(table.link_of(WATCHING))
            phone = PagePhone(table, WATCHING, context, page)
            await phone.sees("document.getElementById('status').textContent.includes('Too many phones')")
            assert table.hub.counts == {WATCHING: SPECTATORS}
            await crowd[0].leave()
            await phone.sees_newest()
            assert "You are watching" in await phone.text("#who")

    in_browser(play)


def test_a_phone_can_be_used_with_keys_alone_and_says_whose_turn_it_is(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 1, LAPTOP)
            assert await phone.page.get_attribute("#said", "aria-live") == "polite"
            assert "Your turn" in await phone.page.locator("#said > p").last.inner_text()
            await phone.page.locator("#choices > button").nth(3).focus()
            await phone.page.keyboard.press("Enter")
            await until(lambda: len(table.evening.played_game.played) == 1)
            await phone.sees_newest()
            assert "Your turn" not in await phone.page.locator("#said > p").last.inner_text()

    in_browser(play)


def test_a_name_cannot_become_markup(in_browser):
    from tests.web import evening as evenings

    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, WATCHING, TABLET)
            assert await phone.page.locator("main b, main img").count() == 0
            assert "<b>An" in await phone.text("#table")

    names = evenings.NAMES
    try:
        evenings.NAMES = ("<b>An</b>", "<img src=x>", "Cleo")
        in_browser(play)
    finally:
        evenings.NAMES = names


FIGURES = "[...document.querySelectorAll('#choices > button .figure')]"
DRAWN = f"{FIGURES}.length === 6 && {FIGURES}.every((each) => each.firstChild)"


def test_a_figure_is_drawn_in_the_colour_of_the_letters_below_it(in_browser):
    """Put into the page itself: in an image it could not know the colour."""

    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            for scheme in ("dark", "light"):
                phone = await PagePhone.scan(browser, table, 0, color_scheme=scheme)
                await phone.sees(DRAWN)
                inks = await phone.page.evaluate(
                    "() => [...document.querySelectorAll('#choices > button')].map((each) => ["
                    "getComputedStyle(each).color, getComputedStyle(each.querySelector('svg path')).fill])"
                )
                assert all(letters == figure for letters, figure in inks)
                assert await findings(phone.page) == []
                assert phone.errors == []

    in_browser(play)


def test_without_its_figure_a_button_has_its_label_and_the_figure_is_fetched_again(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            phone = await PagePhone.scan(browser, table, 0)
            failed: list[object] = []
            phone.page.on("requestfailed", lambda each: failed.append(each.url))
            await phone.context.route("**/figures/**", lambda route: route.abort())
            table.prepared()
            await phone.sees_newest()
            await until(lambda: len(failed) == 6)
            assert "mammoth" in await phone.page.locator("#choices").inner_text()
            await phone.context.unroute("**/figures/**")
            await phone.page.locator("#language").click()
            await phone.sees(f"document.documentElement.lang === 'de' && {DRAWN}")
            assert phone.errors == []

    in_browser(play)
