"""Whole games by ear: one seat has the accessibility tree, the live region and a keyboard, and nothing else."""

import asyncio
from random import Random

from playwright.async_api import async_playwright

from tests.campaign.trial import Outcome
from tests.ours import GAMES
from tests.web.browser import CHROMIUM, FLAGS, need_chromium
from tests.web.listener import MOST, hurrying, play_by_ear

TITLE = "games by ear"
HOW = (
    "The real page in a real browser, at a real server and referee, in random games of all titles. One player sees "
    "only what Chromium gives to a screen reader, and presses keys; every action of a whole game is played this way. "
    "Every line of the evening is announced once and in order, and no button is without a name."
)
FULL = 2000
QUICK = 5


def run(count: int, seed: int) -> Outcome:
    need_chromium()
    with hurrying():
        return asyncio.run(_played(count, seed))


async def _played(count: int, seed: int) -> Outcome:
    """`count` actions by ear. Each game comes to its end."""
    seen, failures, tried, number = dict.fromkeys(GAMES, 0), [], 0, 0
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        while tried < count:
            name = GAMES[number % len(GAMES)]
            try:
                tried += await play_by_ear(browser, name, Random(f"{seed} {number}"), min(MOST, max(count - tried, 5)))
            except AssertionError as error:
                failures.append(f"{name}, seed {seed}, game {number}: {error}")
                tried += 1
            seen[name] += 1
            number += 1
        await browser.close()
    return Outcome(tried, {f"games of {name}": games for name, games in seen.items() if games}, tuple(failures))
