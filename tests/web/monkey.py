"""A monkey at phones: it presses whatever the real page offers, by touch, by key and by focus, in a real browser, at a
table with a real referee.

Nothing may raise, in the page or in the server. Whatever is offered does something that can be seen. Whatever has the
focus has an outline. No button is cut off, and the page is never wider than the phone.
"""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from playwright.async_api import Browser, Error

from companion.gamekit import discovery
from companion.stations import KITS
from tests.web.browser import PagePhone
from tests.web.evening import PhonesTable, evening

SIZES = ((320, 568), (390, 844), (768, 1024), (1280, 800))
LANGUAGES = ("en", "de")
Way: TypeAlias = Literal["touch", "focus", "key"]
WAYS: tuple[Way, ...] = ("touch", "focus", "key")
PHONES = 2
"""So many players have one; the others play at the table's screen."""
BURST = 6
QUIET_MS = 5000

OFFERED = """() => [...document.querySelectorAll("button")].flatMap((each, number) => {
  const dialog = document.getElementById("dialog");
  const box = each.getBoundingClientRect();
  const seen = box.width > 0 && box.height > 0 && (!dialog.open || dialog.contains(each)) && !each.disabled;
  const label = each.getAttribute("aria-label") ?? each.textContent.trim();
  const outside = box.left < -0.5 || box.right > innerWidth + 0.5;
  return seen ? [[number, label, outside, each.scrollWidth > each.clientWidth + 1]] : [];
})"""
SEEN = """[document.body.innerText, document.documentElement.dataset.theme,
  document.getElementById("dialog").open, document.querySelectorAll("[aria-pressed=true]").length].join("|")"""
PAGE = f"() => {SEEN}"
FOCUS = """(number) => {
  const each = document.querySelectorAll("button")[number];
  each.focus({ focusVisible: true });
  const style = getComputedStyle(each);
  return document.activeElement === each ? [style.outlineStyle, style.outlineWidth] : null;
}"""
WIDER = "() => document.documentElement.scrollWidth - innerWidth"
CHANGED = f"""async ([before, wait]) => {{
  const now = () => {SEEN};
  const ends = performance.now() + wait;
  while (now() === before && performance.now() < ends) await new Promise((done) => setTimeout(done, 10));
  return now() !== before;
}}"""


class PhoneCase(NamedTuple):
    game: str
    size: tuple[int, int]
    language: str
    seed: int

    def __str__(self) -> str:
        width, height = self.size
        return f"{self.game} on phones, {width}×{height}, {self.language}, seed {self.seed}"


class PhoneMonkey:
    def __init__(self, about: PhoneCase, table: PhonesTable, phones: list[PagePhone]) -> None:
        self.about, self.table, self.phones = about, table, phones
        self.chance = Random(f"{about}")
        self.seen: Counter[str] = Counter()
        self.failures: list[str] = []
        self._did: list[str] = []

    async def play(self, presses: int) -> None:
        while self.seen.total() < presses and not self.failures:
            for _press in range(self.chance.randint(1, BURST)):
                await self._press(self.chance.choice(self.phones))
                if self.failures or self.seen.total() >= presses:
                    return
            self._go_on()
            for phone in self.phones:
                await phone.sees_newest()

    def _go_on(self) -> None:
        """The game goes on at the table's own screen."""
        for _action in range(self.chance.choice((1, 1, 2, 5))):
            self.table.deal()
            if not self.table.over and self.table.referee.snapshot().question is None and self.table.useful():
                self.table.act(**self.chance.choice(self.table.useful()))
        self.table.deal()
        self._did.append("(the game went on)")

    async def _press(self, phone: PagePhone) -> None:
        await phone.sees_newest()
        offered = await phone.page.evaluate(OFFERED)
        await self._look(phone, offered)
        if not offered or self.failures:
            return
        number, label, *_edges = self.chance.choice(offered)
        way = self.chance.choice(WAYS)
        self.seen[way] += 1
        self._did.append(f"{way} {label!r} on phone {phone.chair}")
        before = await phone.page.evaluate(PAGE)
        heard = len(self.table.heard)
        try:
            await self._do(phone, way, number)
        except Error as error:
            if "not visible" not in str(error) and "detached" not in str(error):
                self._fail(f"{type(error).__name__}: {str(error).splitlines()[0]}")
            return
        changed = await phone.page.evaluate(CHANGED, [before, QUIET_MS])
        if not changed and len(self.table.heard) == heard:
            self._fail("nothing came of it")
        self._look_for_errors()

    async def _do(self, phone: PagePhone, way: Way, number: int) -> None:
        button = phone.page.locator("button").nth(number)
        if way == "touch":
            await button.scroll_into_view_if_needed(timeout=2000)
            await (button.tap(timeout=2000) if self.about.size[0] < 700 else button.click(timeout=2000))
            return
        await phone.page.bring_to_front()
        await phone.page.keyboard.press("Tab")  # after a touch, a browser shows no focus until a key is pressed
        outline = await phone.page.evaluate(FOCUS, number)
        if outline is None:
            return
        if outline[0] == "none" or outline[1] == "0px":
            self._fail("the focus cannot be seen")
        await phone.page.keyboard.press("Enter" if way == "focus" else "Space")

    async def _look(self, phone: PagePhone, offered: list[list[object]]) -> None:
        for _number, label, outside, cut in offered:
            if outside or cut:
                self._fail(f"{label!r} is cut off")
        if await phone.page.evaluate(WIDER) > 0:
            self._fail("the page is wider than the phone")

    def _look_for_errors(self) -> None:
        for phone in self.phones:
            if phone.errors:
                self._fail(f"the page raised {phone.errors[0]}")
        if self.table.reported:
            self._fail(f"the server raised {self.table.reported[0]!r}")

    def _fail(self, problem: str) -> None:
        did = " · ".join(self._did[-12:])
        self.failures.append(f"{self.about}: {problem}\n    after {len(self._did)} presses, the last: {did}")


def phone_case(number: int, seed: int, games: tuple[str, ...]) -> PhoneCase:
    return PhoneCase(
        games[number % len(games)],
        SIZES[(number + number // 4) % len(SIZES)],
        LANGUAGES[(number + number // 3) % len(LANGUAGES)],
        1000 * seed + number,
    )


async def press_phones(browser: Browser, about: PhoneCase, presses: int) -> PhoneMonkey:
    """One table, its phones, and the monkey."""
    chance = Random(f"{about} table")
    async with AsyncExitStack() as stack:
        game = discovery.find(about.game)
        players, kit = chance.choice(game.players), chance.choice(KITS)
        cards = 7 if kit == "none" and game.face_down and chance.random() < 0.5 else None
        table = await stack.enter_async_context(evening(about.game, players, kit=kit, stack=cards))
        table.prepared()
        for _action in range(chance.choice((0, 3, 12, 40))):
            table.deal()
            if not table.over:
                table.play_on(chance)
        phones = []
        for chair in range(PHONES):
            phone = await PagePhone.scan(browser, table, chair, about.size, locale=about.language)
            stack.push_async_callback(phone.leave)
            phones.append(phone)
        monkey = PhoneMonkey(about, table, phones)
        async with asyncio.timeout(600):
            await monkey.play(presses)
        return monkey
