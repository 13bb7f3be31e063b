"""A phone enrols a box, in a real browser over https: the same screen and the same files as with a reader."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.async_api import Browser, Page

from companion.enrolment.course import Course, finish, standing
from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.home.enrolment_progress import resumed
from companion.home.paths import pack_path
from companion.home.tag_packs import store_pack, stored_pack
from companion.messages.phone_access import ENROLLER, EnrolmentWish, ForServer, FromServer, PhonesOffer
from companion.processes.certificate import certificate
from companion.processes.enrolment_store import FileEnrolmentStore
from companion.processes.phone_server import EnrolmentPhoneServer, PhoneSettings
from companion.screen.enrolment.enrolment_app import EnrollApp
from companion.screen.enrolment.enrolment_screen import EnrollScreen
from companion.table.pieces import Pack, token_in
from companion.web.access_codes import AccessCodes
from companion.web.enrolment_connection import EnrolmentHub, EnrolmentServer
from companion.web.server import Listening
from companion.web.server_process import tls_context
from tests.web.axe import findings
from tests.web.browser import UPRIGHT, WAIT_MS, until

GAME = "lascaux"
HERE = PhoneSettings("127.0.0.1", 28700)
ONE, TWO, THREE = "04:a1:b2:c3:d4:e5:f6", "04:a1:b2:c3:d4:e5:f7", "04:a1:b2:c3:d4:e5:f8"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130 Mobile"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


STICKERS = """() => {
  window.readers = []; window.stickers = {}; window.problem = ""; window.spoken = [];
  const bytes = (text) => new DataView(new TextEncoder().encode(text).buffer);
  const record = (text) => ({ recordType: "text", encoding: "utf-8", data: bytes(text) });
  window.NDEFReader = class {
    async scan({ signal }) {
      if (window.problem) throw new DOMException("no", window.problem);
      window.readers.push(this);
      signal.addEventListener("abort", () => { window.readers = window.readers.filter((each) => each !== this); });
    }
    async write({ records }) {
      const sticker = window.stickers[window.near];
      if (sticker.refuses) throw new DOMException("Failed to write due to an IO error: null", sticker.refuses);
      sticker.links = records.filter((each) => each.recordType === "url").map((each) => each.data);
      sticker.text = sticker.garbles ? "" : records.find((each) => each.recordType === "text").data;
      sticker.garbles = false;
    }
  };
  window.touch = (serialNumber) => {
    const sticker = (window.stickers[serialNumber] ??= {});
    window.near = serialNumber;
    const records = sticker.text ? [record(sticker.text)] : [];
    for (const each of window.readers) each.onreading({ serialNumber, message: { records } });
  };
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const speak = (each) => window.spoken.push(each.text);
  Object.defineProperty(window, "speechSynthesis", { value: { speak, cancel() {} } });
}"""
"""As Chrome on Android has it: a sticker that is near is read, and can be written; a locked one, one without room and
one that was lifted fail alike."""


class ServerHere(EnrolmentPhoneServer):
    """The same server in this process: to start another one takes longer than most tests."""

    async def start(self) -> None:
        self.hub = EnrolmentHub(
            self._view, lambda wish: self._call(FromServer(wish=wish)), lambda: self._call(None), print
        )
        self.codes = self.new_codes()
        place = Listening("127.0.0.1", 0, tls_context(certificate("127.0.0.1").pem))
        self.server = EnrolmentServer(place, AccessCodes(self.codes.all), self.hub)
        await self.server.open()

    def offer(self) -> PhonesOffer:
        url = self.server.place.url
        links = {ENROLLER: f"{url}/#{self.codes.all[ENROLLER]}"}
        return PhonesOffer(url, links, self.hub.counts, trust=self.server.trust)

    def _tell(self, order: ForServer, connected: object = None) -> None:
        if order.enrolment is not None:
            self.hub.show(order.enrolment)

    def renew(self, person: int) -> None:
        self.server.renew(person, self.codes.renew(person))


class Enroller:
    """An owner with the screen of `companion enroll` and a phone."""

    def __init__(self, store: FileEnrolmentStore, app: EnrollApp, page: Page, phones: EnrolmentPhoneServer) -> None:
        self.store, self.app, self.page, self.phones = store, app, page, phones

    async def touch(self, serial: str) -> None:
        await self.page.evaluate("(serial) => touch(serial)", serial)

    async def sees(self, text: str) -> None:
        await self.page.get_by_text(text, exact=False).first.wait_for(state="attached")

    async def hears(self, text: str) -> None:
        await self.page.locator("#said > p", has_text=text).last.wait_for(state="attached")

    async def press(self, name: str) -> None:
        await self.page.get_by_role("button", name=name).click()

    async def enrol(self, serial: str) -> None:
        """Touch the sticker of the next piece."""
        before = len(self.store.course.log)
        await self.touch(serial)
        await until(lambda: len(self.store.course.log) == before + 1, "the piece is enrolled")
        await self.page.locator(f"[data-step='{self.screen._changes}']").wait_for(state="attached")

    async def sticker(self, serial: str, what: str) -> None:
        """This sticker is like that."""
        await self.page.evaluate(f"(serial) => {{ stickers[serial] = {what}; }}", serial)

    @property
    def screen(self) -> EnrollScreen:
        return next(each for each in self.app.screen_stack if isinstance(each, EnrollScreen))

    @property
    def tags(self) -> dict[str, Thing]:
        return stored_pack(self.store.course.game).tags


class Setting(NamedTuple):
    game: str = GAME
    links: str = ""
    language: str = "en-GB"
    printed: bool = True
    """Each step asks for a tag alone."""
    left: int | None = None
    """So many steps are left."""
    in_process: bool = True


@asynccontextmanager
async def enrolling(browser: Browser, setting: Setting) -> AsyncIterator[Enroller]:
    game = discovery.find(setting.game)
    phones = ServerHere(game.name, HERE) if setting.in_process else EnrolmentPhoneServer(game.name, HERE)
    if isinstance(phones, ServerHere):
        await phones.start()
    store = FileEnrolmentStore(game, [], printed=setting.printed, phones=phones, links=setting.links)
    while setting.left and len(standing(store.course).waiting) > setting.left:
        course = finish(store.course, {})
        assert isinstance(course, Course)
        store.course = course
    app = EnrollApp(store, language="en", phone_first=True)
    context = await browser.new_context(
        viewport={"width": UPRIGHT[0], "height": UPRIGHT[1]},
        ignore_https_errors=True,
        user_agent=ANDROID,
        locale=setting.language,
    )
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    await page.add_init_script(f"({STICKERS})()")
    try:
        async with app.run_test(size=(100, 30)):
            await until(lambda: phones.offer() is not None, "the server listens")
            offer = phones.offer()
            assert offer is not None
            await page.goto(offer.links[ENROLLER])
            await page.locator("[data-step]").wait_for(state="attached")
            await until(lambda: isinstance(app.screen, EnrollScreen), "the code has gone: a phone is there")
            yield Enroller(store, app, page, phones)
    finally:
        if isinstance(phones, ServerHere):
            await phones.server.close()
        else:
            await asyncio.to_thread(phones.stop)
    assert errors == []


@pytest.fixture
def with_phone(in_browser) -> Callable[..., None]:
    def play(scene: Callable[[Enroller], Awaitable[None]], **how: Any) -> None:
        async def played(browser: Browser) -> None:
            async with enrolling(browser, Setting(**how)) as owner:
                await scene(owner)

        in_browser(played)

    return play


def test_a_phone_says_which_piece_is_next_and_each_sticker_counts_for_it_at_once(with_phone):
    async def scene(owner: Enroller) -> None:
        steps = standing(owner.store.course).steps
        assert await owner.page.evaluate("isSecureContext")
        await owner.press("Start reading")
        await owner.hears(f"Tap piece 1 of {len(steps)}")
        await owner.sees("Hold the sticker of this piece")
        await owner.enrol(ONE)
        assert list(owner.tags) == ["04A1B2C3D4E5F6"]
        await owner.hears(f"Tap piece 2 of {len(steps)}")
        await owner.enrol(TWO)
        assert list(owner.tags) == ["04A1B2C3D4E5F6", "04A1B2C3D4E5F7"]
        assert await owner.page.text_content("#progress") == f"2 of {len(steps)} done, 2 tags"
        spoken = await owner.page.evaluate("spoken")
        said = await owner.page.locator("#said > p").all_inner_texts()
        assert said[0] == "Connecting to the table …"
        assert spoken == said[1:], "aloud what the live region says, in order, none lost, none repeated"
        nexts = [each for each in spoken if "Tap piece" in each]
        assert [each.split("Tap piece ")[1].split(" of")[0] for each in nexts] == ["1", "2", "3"]
        await owner.press("Voice")
        await owner.press("Later")
        await owner.hears("Tap piece 4")
        assert await owner.page.evaluate("spoken.length") == len(spoken)
        await owner.press("Undo")
        await owner.hears("Tap piece 3")
        await owner.press("No tag")
        await until(lambda: len(owner.store.course.log) == 3)
        assert resumed(discovery.find(GAME)) == owner.store.course

    with_phone(scene, in_process=False)


def test_a_sticker_that_cannot_count_is_refused_with_its_reason_and_nothing_changes(with_phone):
    store_pack(pack_path("sioux"), Pack({"04A1B2C3D4E5F8": Thing("hunter", "hunter")}))

    async def scene(owner: Enroller) -> None:
        await owner.press("Start reading")
        await owner.hears("Tap piece 1")
        await owner.enrol(ONE)
        await owner.touch(TWO)
        await until(lambda: len(owner.store.course.log) == 2)
        await owner.hears("Tap piece 3")
        refused = {ONE: "already on another piece", THREE: "already on a piece of Sioux", "": "no number of its own"}
        for serial, words in refused.items():
            await owner.touch(serial)
            await owner.hears(words)
        await owner.touch("08:12:34")
        await owner.hears("no number of its own")
        await owner.page.evaluate("readers[0].onreadingerror()")
        await owner.hears("This sticker cannot be read")
        assert len(owner.store.course.log) == 2
        assert len(owner.tags) == 2

    with_phone(scene)


# --- Writing ------------------------------------------------------------------------------------------------------


async def text_on(owner: Enroller, serial: str) -> str:
    return str(await owner.page.evaluate("(serial) => stickers[serial]?.text ?? ''", serial))


async def start_writing(owner: Enroller) -> None:
    await owner.press("Start reading")
    await owner.press("Write on stickers, too")
    await owner.page.locator("#writing [aria-pressed=true]", has_text="Write").wait_for()


def test_a_sticker_is_written_with_a_secret_token_and_counts_as_written_when_it_was_read_again(with_phone):
    async def scene(owner: Enroller) -> None:
        await start_writing(owner)
        await owner.enrol(ONE)
        await owner.hears("Written. Lift the sticker, and touch it once more")
        token = token_in(await text_on(owner, ONE))
        assert token is not None
        assert await owner.page.evaluate("(serial) => stickers[serial].links", ONE) == [
            f"https://10.42.0.1:8137/t#{token}"
        ]
        assert stored_pack(GAME).tokens == {}, "nothing counts that was not read again"
        await owner.touch(TWO)
        await owner.hears("First touch the last sticker once more")
        assert len(owner.store.course.log) == 1
        await owner.touch(ONE)
        await owner.hears("written and checked")
        assert stored_pack(GAME).tokens == {"04A1B2C3D4E5F6": token}
        assert stored_pack(GAME).links == "https://10.42.0.1:8137"
        await owner.sticker(TWO, "{ garbles: true }")
        await owner.enrol(TWO)
        await until(lambda: owner.screen._writing is not None)
        assert await text_on(owner, TWO) == "", "it did not arrive"
        await owner.touch(TWO)
        await until_text(owner, TWO)
        await owner.touch(TWO)
        await until(lambda: len(stored_pack(GAME).tokens) == 2)

    with_phone(scene, links="https://10.42.0.1:8137")


async def until_text(owner: Enroller, serial: str) -> None:
    for _ in range(500):
        if await text_on(owner, serial):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it was never written")


def test_a_locked_or_small_sticker_gets_no_text_and_works_by_its_number(with_phone):
    async def scene(owner: Enroller) -> None:
        await start_writing(owner)
        await owner.sticker(ONE, "{ refuses: 'NetworkError' }")
        await owner.enrol(ONE)
        await owner.hears("Writing failed. Lift the sticker, touch it again")
        await owner.touch(ONE)
        await owner.hears("This sticker cannot be written: it is locked, too small")
        assert list(owner.tags) == ["04A1B2C3D4E5F6"]
        assert stored_pack(GAME).tokens == {}
        await owner.sticker(TWO, "{ refuses: 'NotSupportedError' }")
        await owner.enrol(TWO)
        await until(lambda: owner.screen._writing is None, "the phone says at once that this one cannot be written")
        await owner.sticker(THREE, "{ refuses: 'NotAllowedError' }")
        await owner.enrol(THREE)
        await owner.hears("Chrome may not write")
        await owner.press("Write on stickers")
        await owner.enrol("04:a1:b2:c3:d4:e5:f9")
        assert len(owner.tags) == 4

    with_phone(scene)


def test_stickers_that_were_enrolled_before_are_written_when_they_are_touched(with_phone):
    """Those of a reader, those that name their piece, and those whose writing was interrupted."""

    async def scene(owner: Enroller) -> None:
        await owner.press("Start reading")
        await owner.enrol(ONE)
        await owner.hears("All enrolled. You can put the phone away.")
        assert await findings(owner.page) == []
        await owner.press("Write on stickers")
        await owner.page.locator("#writing [aria-pressed=true]", has_text="Write").wait_for()
        await owner.sticker(ONE, "{ text: 'companion:1;lascaux;card;aurochs-brown-blue;' }")
        await owner.touch(ONE)
        await owner.hears("Written. Lift")
        await owner.touch(ONE)
        await owner.hears("written and checked")
        assert stored_pack(GAME).tokens == {"04A1B2C3D4E5F6": token_in(await text_on(owner, ONE))}
        await owner.touch(TWO)
        await owner.hears("Everything is enrolled already")

    with_phone(scene, left=1)


# --- What goes wrong ----------------------------------------------------------------------------------------------


def test_what_the_phone_says_about_an_earlier_step_does_not_count(with_phone):
    async def scene(owner: Enroller) -> None:
        await owner.press("Start reading")
        owner.phones._call(FromServer(wish=EnrolmentWish("tap", owner.screen._changes - 1, "04A1B2C3D4E5F6")))
        await owner.hears("The screen has moved on")
        assert owner.store.course.log == ()
        await owner.app._press_keys(["f1"])
        await until(lambda: not isinstance(owner.app.screen, EnrollScreen))
        await owner.touch(ONE)
        await owner.hears("A dialog is open on the screen")
        assert owner.store.course.log == ()
        await owner.app._press_keys(["escape"])
        await until(lambda: isinstance(owner.app.screen, EnrollScreen))

    with_phone(scene)


def test_the_enrolment_goes_on_where_it_was_after_the_server_and_after_the_screen_has_died(in_browser):
    async def play(browser: Browser) -> None:
        async with enrolling(browser, Setting(in_process=False)) as owner:
            await owner.press("Start reading")
            await owner.enrol(ONE)
            process = owner.phones._process
            assert process is not None
            process.kill()
            await owner.hears("Connection lost")
            await until(lambda: owner.phones._process is not process)
            await owner.page.locator("#choices > button:enabled").first.wait_for()
            await owner.enrol(TWO)
        async with enrolling(browser, Setting()) as owner:
            await owner.sees("Tap piece 3")
            assert await owner.page.text_content("#progress") == "2 of 84 done, 2 tags"

    in_browser(play)


def test_a_phone_whose_code_was_replaced_says_so_and_counts_no_more(with_phone):
    async def scene(owner: Enroller) -> None:
        await owner.press("Start reading")
        owner.phones.renew(ENROLLER)
        await owner.hears("This code is no longer valid")
        assert await owner.page.locator("#choices > button:enabled").count() == 0
        await owner.touch(ONE)
        await owner.hears("No connection. Touch the piece again")
        assert owner.store.course.log == ()

    with_phone(scene)


PROBLEMS = {
    "NotAllowedError": "Chrome may not use NFC",
    "NotSupportedError": "This device cannot read stickers",
    "NotReadableError": "NFC is off",
    "AbortError": "NFC does not answer",
}
AGENTS = {
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/130": "An app shows this page",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1": "An iPhone cannot read tags here",
}


def test_what_is_wrong_with_nfc_is_said_with_what_to_do(with_phone):
    async def scene(owner: Enroller) -> None:
        for problem, words in PROBLEMS.items():
            await owner.page.evaluate("(problem) => { window.problem = problem; }", problem)
            await owner.press("Start reading")
            await owner.hears(words)
        await owner.page.evaluate("delete window.NDEFReader")
        await owner.press("Start reading")
        await owner.hears("This browser cannot read stickers. Open this page in Chrome.")
        assert await findings(owner.page) == []
        for agent, words in AGENTS.items():
            say = "(value) => Object.defineProperty(navigator, 'userAgent', { value, configurable: true })"
            await owner.page.evaluate(say, agent)
            await owner.press("Start reading")
            await owner.hears(words)

    with_phone(scene)


# --- For all eyes, ears and fingers -------------------------------------------------------------------------------


OVERFLOW = "document.documentElement.scrollWidth - innerWidth"


def test_a_box_from_a_shop_is_enrolled_by_keyboard_alone_in_german_at_320_px_and_in_double_size(in_browser):
    """What is printed is said; sheets are confirmed; axe finds nothing in any state."""

    async def play(browser: Browser) -> None:
        async with enrolling(browser, Setting("carnuta", printed=False, language="de-DE")) as owner:
            page = owner.page
            await page.set_viewport_size({"width": 320, "height": 640})
            assert await findings(page) == []
            await page.get_by_role("button", name="Lesen starten").focus()
            await page.keyboard.press("Enter")
            await page.locator("#printed li").first.wait_for()
            assert "Zutat: Honig" in await page.locator("#printed").inner_text()
            await owner.hears("Zutat: Honig")
            await owner.enrol(ONE)
            for _key in range(3):
                await page.keyboard.press("Tab")
            assert await page.evaluate("document.activeElement.tagName") == "BUTTON"
            assert await page.evaluate(OVERFLOW) <= 0
            await page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert await page.evaluate(OVERFLOW) <= 0
            assert await findings(page) == []
            assert await page.evaluate("document.documentElement.lang") == "de"

    in_browser(play)
