"""Presses on phones: whatever the page offers in a real browser, by touch, by key and by focus."""

import asyncio
from collections import Counter

from playwright.async_api import async_playwright

from tests.campaign.trial import Outcome
from tests.strangers import every_title
from tests.web.browser import CHROMIUM, FLAGS, need_chromium
from tests.web.monkey import phone_case, press_phones

TITLE = "presses on phones"
HOW = (
    "The real page in a real browser, at a real server and referee, in random games of all titles and of the "
    "examples, on phones 320 and 390 pixels wide, a tablet and a laptop, in English and German. Whatever is offered "
    "is pressed: by touch, by Enter and by the space bar. After each press: nothing has raised, in the page or in the "
    "server; something has come of it; what has the focus has an outline; no button is cut off, and the page is not "
    "wider than the screen."
)
FULL = 10_000
QUICK = 80
RUN = 20


def run(count: int, seed: int) -> Outcome:
    need_chromium()
    return asyncio.run(_pressed(count, seed))


async def _pressed(count: int, seed: int) -> Outcome:
    seen: Counter[str] = Counter()
    failures: list[str] = []
    tried = number = 0
    with every_title() as titles:
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            while tried < count:
                monkey = await press_phones(browser, phone_case(number, seed, titles), min(RUN, count - tried))
                seen.update(monkey.seen)
                failures += monkey.failures[:1]
                tried += max(1, monkey.seen.total())
                number += 1
            await browser.close()
    return Outcome(
        tried, {"runs": number, **{f"by {way}": times for way, times in sorted(seen.items())}}, tuple(failures)
    )
