"""Before a game, a phone reads player cards: its holder sits at the table that is being set up."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from companion.gamekit.screen.controls import KeyButton
from companion.home.paths import people_path
from companion.messages.phone_access import ENROLLER
from companion.people.persons import change_people
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.screen.enrolment.enrolment_codes import EnrolmentCodes
from companion.screen.screens.setup_screen import SetupScreen
from tests.screen.evening_flow import Visit, visit
from tests.web.axe import findings
from tests.web.browser import LAPTOP, TABLET, UPRIGHT, WAIT_MS
from tests.web.test_enrolment import ANDROID, HERE, STICKERS, ServerHere


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    change_people(people_path(), lambda people: people.added("Zoe", card="04A1B2C3D4E5F6"))
    return tmp_path / "home"


@pytest.fixture
def setting_up(in_browser) -> Callable[[Callable[[Visit, Page], Awaitable[None]]], None]:
    """The set-up screen, and a phone that has scanned its code."""

    def play(scene: Callable[[Visit, Page], Awaitable[None]]) -> None:
        async def played(browser: Browser) -> None:
            phones = ServerHere("", HERE)
            await phones.start()
            lobby = TableLobby(SimulationSettings())
            lobby.card_phones = phones
            context = await browser.new_context(
                viewport={"width": UPRIGHT[0], "height": UPRIGHT[1]}, ignore_https_errors=True, user_agent=ANDROID
            )
            context.set_default_timeout(WAIT_MS)
            page = await context.new_page()
            await page.add_init_script(f"({STICKERS})()")
            async with visit() as here:
                here.lobby.cards, here.lobby.card_phones = lobby.cards, phones
                await here.press("n")
                await here.until(lambda: isinstance(here.app.screen, SetupScreen))
                next(each for each in here.app.screen.query(KeyButton) if each.name == "card phone").press()
                await here.until(lambda: isinstance(here.app.screen, EnrolmentCodes))
                await here.until(lambda: "reads player cards" in here.text())
                await page.goto(phones.offer().links[ENROLLER])
                await here.until(lambda: isinstance(here.app.screen, SetupScreen))
                await scene(here, page)
            await phones.server.close()

        in_browser(played)

    return play


@pytest.mark.slow
def test_a_card_at_a_phone_seats_its_person_and_the_phone_says_so(setting_up) -> None:
    async def scene(here: Visit, page: Page) -> None:
        buttons = [await each.text_content() for each in await page.locator("#choices button").all()]
        assert buttons == ["Start reading"], "nothing is enrolled here"
        await page.get_by_role("button", name="Start reading").click()
        await page.evaluate("() => touch('04:a1:b2:c3:d4:e5:f6')")
        await page.locator("#said > p", has_text="Zoe plays.").wait_for(state="attached")
        assert "Zoe" in (await page.text_content("#progress") or "")
        assert "2  Zoe" in here.text()
        await page.evaluate("() => touch('04:ff:ff:ff')")
        await page.locator("#said > p", has_text="--card 04FFFFFF").wait_for(state="attached")

    setting_up(scene)


@pytest.mark.slow
def test_its_page_fits_every_size_and_axe_finds_nothing(setting_up) -> None:
    async def scene(_here: Visit, page: Page) -> None:
        for width, height in (UPRIGHT, TABLET, LAPTOP):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert await findings(page) == []

    setting_up(scene)
