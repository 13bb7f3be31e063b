"""The pages of results in a real browser: each fits a phone, a tablet and a laptop, and axe finds nothing."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from companion.people.past_games import fold_evening
from companion.people.persons import People
from companion.people.recap import courses
from companion.people.result_pages import PICTURE_WIDTH, EveningResults, evening_picture
from tests.people.evenings import played
from tests.people.golden import FOLDER
from tests.web.axe import findings, needs_axe
from tests.web.browser import LAPTOP, TABLET, UPRIGHT

PAGES = tuple(f"{name}.{code}.html" for name in ("evening", "results", "person", "game") for code in ("en", "de"))
SMALLEST = 11
"""Pixels of a letter in the chart, as it is shown."""
MEASURE = """() => ({
  overflow: document.documentElement.scrollWidth - innerWidth,
  letters: Math.min(...[...document.querySelectorAll("svg text")].map((each) => each.getBoundingClientRect().height)),
})"""


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_it_fits_a_phone_a_tablet_and_a_laptop(name, in_browser):
    async def look(browser: Browser) -> None:
        for width, height in (UPRIGHT, TABLET, LAPTOP):
            page = await browser.new_page(viewport={"width": width, "height": height})
            await page.goto((FOLDER / name).as_uri())
            measured = await page.evaluate(MEASURE)
            assert measured["overflow"] <= 0
            assert measured["letters"] >= SMALLEST

    in_browser(look)


@pytest.mark.slow
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_it(name, scheme, in_browser):
    async def look(browser: Browser) -> None:
        page = await browser.new_page(viewport={"width": 360, "height": 640}, color_scheme=scheme)
        await page.goto((FOLDER / name).as_uri())
        assert await findings(page) == []

    in_browser(look)


@pytest.mark.slow
@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("game", ["lascaux", "carnuta"])
def test_every_line_fits_into_the_picture_of_an_evening(game: str, code: str, in_browser, tmp_path: Path) -> None:
    folded = fold_evening(played(tmp_path, game, ("Annegret", "Bartholomew", "Clementine"), 3).path)
    evening = EveningResults(folded.games, folded.games, People(), courses(folded))
    (tmp_path / "evening.svg").write_text(evening_picture(evening, code), encoding="utf-8")

    async def look(browser: Browser) -> None:
        page = await browser.new_page()
        await page.goto((tmp_path / "evening.svg").as_uri())
        ends = "[...document.querySelectorAll('text')].map((each) => each.getBBox().x + each.getBBox().width)"
        assert max(await page.evaluate(ends)) <= PICTURE_WIDTH - 24

    in_browser(look)
