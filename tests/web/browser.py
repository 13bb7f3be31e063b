"""Phones in a real browser: Debian's chromium, driven headless, one context for each phone."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from companion.web.phone_menus import offered, opened
from companion.web.seat_sight import SeatSight
from tests.web.evening import PhonesTable

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The shell is the same browser without its windows, which are not needed here: a page opens in a fifth of the time."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), "")
UPRIGHT, TABLET, LAPTOP = (360, 640), (768, 1024), (1280, 800)
WAIT_MS = 90_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"]
"""One process draws all phones. What a phone knows it keeps in its context, not there."""


def need_chromium() -> None:
    """Where packages can be installed nothing is skipped."""
    if not CHROMIUM and not os.environ.get("COMPANION_NO_SKIP"):
        pytest.skip("there is no chromium here: apt-get install chromium")
    assert CHROMIUM, "chromium is missing: apt-get install chromium"


class Chromium:
    """One browser for many tests, and the loop it lives in: to start one takes longer than most of them."""

    def __init__(self, loop: asyncio.Runner) -> None:
        self._loop = loop
        self._driver = loop.run(async_playwright().start())
        self._browser = loop.run(self._driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS))

    def __call__(self, play: Callable[[Browser], Awaitable[None]]) -> None:
        self._loop.run(self._played(play))

    async def _played(self, play: Callable[[Browser], Awaitable[None]]) -> None:
        """With phones of its own: the next test finds none."""
        try:
            await play(self._browser)
        finally:
            for context in self._browser.contexts:
                await context.close()

    def close(self) -> None:
        self._loop.run(self._browser.close())
        self._loop.run(self._driver.stop())


class PagePhone:
    """One phone: a context of its own, so with cookies of its own."""

    def __init__(self, table: PhonesTable, chair: int, context: BrowserContext, page: Page) -> None:
        self.table, self.chair, self.context, self.page = table, chair, context, page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)

    @classmethod
    async def scan(
        cls, browser: Browser, table: PhonesTable, chair: int, size: tuple[int, int] = UPRIGHT, **how: Any
    ) -> "PagePhone":
        """A player scans a code."""
        mobile = size[0] < 700
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]}, is_mobile=mobile, has_touch=mobile, **how
        )
        context.set_default_timeout(WAIT_MS)
        phone = cls(table, chair, context, await context.new_page())
        await phone.page.goto(table.link_of(chair))
        await phone.sees_newest()
        return phone

    async def sees_newest(self) -> None:
        """Until the page shows what the journal holds now, or more."""
        await self.sees(f"Number(document.documentElement.dataset.entry) >= {self.table.evening.number}")

    async def sees(self, condition: str) -> None:
        """In the page's own time; its policy forbids what Playwright would wait with."""
        await self.page.evaluate(SEES.replace("CONDITION", condition))

    async def text(self, selector: str) -> str:
        return (await self.page.text_content(selector)) or ""

    async def press(self, steps: Sequence[int], entry: int, *, finger: bool = False) -> None:
        """The buttons of this number, one after the other: in the page's own bar, then in the dialog."""
        if finger:
            await self.sees_newest()
            await self._touch(steps)
        else:
            await self.page.evaluate(PRESS, [list(steps), str(entry), WAIT_MS])

    async def _touch(self, steps: Sequence[int]) -> None:
        """With a finger: the browser scrolls there, and looks what lies under it. It is so fast that two touches of the
        same place would be a double one: it touches the header before each action, and the title before each card."""
        first, *others = steps
        await self.page.locator("#who").tap()
        await self.page.locator("#choices > button").nth(first).tap()
        for number in others:
            await self.page.locator("#dialog[open] #dialog-title").tap()
            await self.page.locator("#dialog[open] #dialog-choices > button").nth(number).tap()

    async def leave(self) -> None:
        await self.context.close()


UNTIL = """const until = (done, wait) => new Promise((resolve, reject) => {
  const changes = new MutationObserver(() => look());
  const never = () => { changes.disconnect(); reject(new Error(`never: ${done}, but: ${document.body.innerText}`)); };
  const late = setTimeout(never, wait);
  const look = () => {
    const found = done();
    if (found) { clearTimeout(late); changes.disconnect(); resolve(found); }
  };
  changes.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  look();
});"""
"""Looks again whenever the page has changed."""

SEES = f"() => {{ {UNTIL} return until(() => (CONDITION), {WAIT_MS}).then(() => true); }}"

PRESS = f"""async ([steps, entry, wait]) => {{
  {UNTIL}
  const root = document.documentElement, dialog = document.getElementById("dialog");
  await until(() => root.dataset.entry === entry, wait);
  const bar = await until(() => {{
    const found = document.querySelectorAll("#choices > button")[steps[0]];
    return found && !found.disabled && found;
  }}, wait);
  bar.click();
  const others = steps.slice(1);
  for (const [at, number] of others.entries()) {{
    const next = await until(() => dialog.open && document.querySelectorAll("#dialog-choices > button")[number], wait);
    const before = dialog.dataset.path;
    next.click();
    if (at + 1 < others.length) await until(() => dialog.open && dialog.dataset.path !== before, wait);
  }}
}}"""


# --- What a player could press --------------------------------------------------------------------------------


class Way:
    """The buttons that lead to an action, and the action."""

    def __init__(self, seat: int, steps: Sequence[int], action: dict[str, Any]) -> None:
        self.seat, self.steps, self.action = seat, steps, action


def find_way(table: PhonesTable, seat: int, chance: Random, wanted: Sequence[str] = ()) -> Way | None:
    """A random way through the menus that this seat's phone shows; kinds that are wanted first."""
    sight = table.hub._sight(seat)
    if not isinstance(sight, SeatSight) or sight.over:
        return None
    found = offered(sight)
    inline = len(found) == 1 and _inline(sight, found[0][0])
    ranks = {do: rank for rank, do in enumerate(wanted)}
    order = sorted(range(len(found)), key=lambda at: (ranks.get(found[at][1].do, len(ranks)), chance.random()))
    for at in order:
        number, _command, actions = found[at]
        menu = opened(sight, (number,))
        if menu is None:
            return Way(seat, [at], actions[0])
        steps: list[int] = [] if inline else [at]
        while menu is not None and menu.buttons:
            pick = _pick(menu.buttons, chance)
            steps.append(pick)
            send = menu.buttons[pick].send
            if send["is"] == "act":
                return Way(seat, steps, send["action"])
            menu = opened(sight, send["path"])
    return None


def _inline(sight: SeatSight, number: int) -> bool:
    from companion.web.phone_menus import inline

    return sight.is_asked and inline(sight) is not None


def _pick(buttons: Sequence[Any], chance: Random) -> int:
    """What ends a bid stands first, and is as good as any. A card that cannot be chosen does nothing."""
    possible = [number for number, button in enumerate(buttons) if not button.refused]
    if not buttons[0].refused and buttons[0].send["is"] == "act" and buttons[-1].send["is"] == "open":
        return 0
    return chance.choice(possible)


async def until(condition: Any, what: str = "", seconds: float = WAIT_MS / 1000) -> None:
    for _ in range(int(seconds / 0.002)):
        if condition():
            return
        await asyncio.sleep(0.002)
    raise AssertionError(f"it never came to that: {what}")
