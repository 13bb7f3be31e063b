"""The pages of results in a real browser: each fits a phone, a tablet and a laptop, and axe finds nothing."""

import pytest
from playwright.async_api import Browser

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
