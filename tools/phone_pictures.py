"""The second half of `make pictures`: phones at a real table, in Debian's chromium."""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from playwright.async_api import Browser, async_playwright

from companion.gamekit.snapshot import OwnView, Snapshot
from companion.messages.client import RefereeLink
from companion.messages.intentions import Act, Peek, Prepare
from companion.messages.lobby import GamePlan
from companion.messages.protocol import FromReferee
from companion.processes.evenings import begin_evening, socket_of
from companion.processes.phone_server import PhoneSettings, TablePhones
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or ""
HERE = PhoneSettings("127.0.0.1", 38137)
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")
UPRIGHT, TABLET, LAPTOP = (360, 640), (768, 1024), (1280, 800)
PATIENCE_S = 60.0
NOBODY = -1


class PhonePicture(NamedTuple):
    game: str
    actions: int
    """So many have been done before."""
    seat: int
    size: tuple[int, int]
    scheme: Any = "dark"
    locale: str = "en-GB"


PICTURES = {
    "phone-sioux": PhonePicture("sioux", 9, 2, UPRIGHT),
    "phone-lascaux": PhonePicture("lascaux", 12, 1, UPRIGHT, "light", "de-DE"),
    "phone-carnuta": PhonePicture("carnuta", 30, 0, UPRIGHT),
    "phone-darwinci-tablet": PhonePicture("darwinci", 40, 0, TABLET),
    "phone-sioux-laptop": PhonePicture("sioux", 21, 0, LAPTOP, "light"),
}


async def main() -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, wanted in PICTURES.items():
            with tempfile.TemporaryDirectory() as home:
                os.environ["COMPANION_HOME"] = home
                await _take(browser, name, wanted)
        await browser.close()


async def _take(browser: Browser, name: str, wanted: PhonePicture) -> None:
    evening = begin_evening(GamePlan(wanted.game, PLAYERS, kit="none"))
    phones = TablePhones(HERE, wanted=True)
    with RefereeSupervisor(evening, SimulationSettings()):
        await asyncio.to_thread(phones.go_to, evening)
        entry = await _play(socket_of(evening), wanted)
        offer = phones.offer()
        assert offer is not None
        width, height = wanted.size
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            is_mobile=width < TABLET[0],
            device_scale_factor=2 if width < TABLET[0] else 1,
            color_scheme=wanted.scheme,
            locale=wanted.locale,
        )
        page = await context.new_page()
        await page.goto(offer.links[wanted.seat])
        while int(await page.get_attribute("html", "data-entry") or 0) < entry:
            await asyncio.sleep(0.05)
        await page.wait_for_function("[...document.querySelectorAll('.figure')].every((each) => each.firstChild)")
        await page.screenshot(path=FOLDER / f"{name}.png")
        await context.close()
        await asyncio.to_thread(phones.leave)
    print(FOLDER / f"{name}.png")


async def _play(path: Path, wanted: PhonePicture) -> int:
    """Act at the table's screen, at random, until the phone's player is asked. Returns the newest entry."""
    heard: list[Snapshot] = []
    owns: list[OwnView] = []

    def hear(message: FromReferee) -> None:
        if isinstance(message, Snapshot):
            heard.append(message)
        elif isinstance(message, OwnView):
            owns.append(message)

    link = RefereeLink(path, hear)
    talking = asyncio.create_task(link.run())
    link.post(Prepare("prepared", 99))
    chance, done = Random(7), 0
    while True:
        await asyncio.sleep(0.02)
        seen = heard[-1] if heard else None
        if seen is None or seen.awaiting is None or seen.preparation is not None or link.unanswered:
            continue
        asked = wanted.seat in seen.awaiting.seats and wanted.seat not in seen.settled
        if done >= wanted.actions and asked:
            break
        spare = wanted.seat if done >= wanted.actions else NOBODY
        able = [each for each in seen.offered if each.get("seat") not in (*seen.settled, spare) and each["do"] != "end"]
        if able and (action := chance.choice(able))["do"] in seen.secret:
            owns.clear()
            link.ask(Peek(f"own{done}", action["seat"]))
            while not owns:
                await asyncio.sleep(0.01)
            able = [each for each in owns[0].offered if each["do"] == action["do"]]
        if able:
            done += 1
            link.post(Act(f"picture{done}", chance.choice(able)))
            await asyncio.sleep(0.03)
    talking.cancel()
    await asyncio.gather(talking, return_exceptions=True)
    return seen.entry


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(), 10 * PATIENCE_S))
