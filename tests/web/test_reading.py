"""Phones that read pieces, in a real browser: Web NFC by a stub of `NDEFReader`, links by opening their address."""

import asyncio
import re
from pathlib import Path

import pytest
from aiohttp import ClientSession
from msgspec.structs import replace
from playwright.async_api import Browser, Error

from companion.gamekit.game import Thing
from companion.messages.intentions import BeCentre, TapTag
from companion.processes.certificate import certificate
from companion.table.pieces import token_text
from companion.web.server_process import tls_context
from tests.web.axe import findings, needs_axe
from tests.web.browser import PagePhone, until
from tests.web.evening import PhonesTable, evening

WHITE, BLUE = Thing("marker", "white", 0), Thing("marker", "blue", 1)
TOKEN = "c2l4dGVlbi1ieXRl"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


STUB = """(problem) => {
  window.readers = [];
  window.NDEFReader = class {
    async scan({ signal }) {
      if (problem) throw new DOMException("no", problem);
      window.readers.push(this);
      signal.addEventListener("abort", () => { window.readers = window.readers.filter((each) => each !== this); });
    }
  };
  window.touch = (serialNumber, text) => {
    const data = new DataView(new TextEncoder().encode(text).buffer);
    const records = text ? [{ recordType: "url" }, { recordType: "text", encoding: "utf-8", data }] : [];
    for (const each of window.readers) each.onreading({ serialNumber, message: { records } });
    return window.readers.length;
  };
}"""
"""As Chrome on Android has it: `scan` after a tap, `reading` for each tag, and nothing when a tag leaves."""
SECURE = "Object.defineProperty(window, 'isSecureContext', { value: true })"


async def android(browser: Browser, table: PhonesTable, chair: int, problem: str = "", **how: str) -> PagePhone:
    phone = await PagePhone.scan(browser, table, chair, **how)
    await phone.page.evaluate(STUB, problem)
    await phone.page.evaluate(SECURE)
    return phone


async def read_pieces(phone: PagePhone) -> None:
    """Until it reads, or says why it does not."""
    await phone.page.get_by_role("button", name="Read pieces").click()
    await phone.sees("document.getElementById('read').textContent")


async def read(phone: PagePhone) -> str:
    return await phone.text("#read")


def serial(uid: str) -> str:
    return ":".join(re.findall("..", uid.lower()))


def uid_of(table: PhonesTable, piece: Thing) -> str:
    return str(table.referee.session._seat_pads.pack.uid_of(piece))


def choosing(table: PhonesTable) -> None:
    """Every player is to choose a colour."""
    table.prepared()
    while table.evening.state.phase == "draw":
        table.act(**table.legal()[0])


def test_a_marker_that_touches_the_phone_is_chosen_and_its_player_alone_is_told_which(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            anna, ben = await android(browser, table, 0), await android(browser, table, 1)
            await read_pieces(anna)
            await anna.sees("document.getElementById('read').textContent.includes('Hold a piece')")
            assert await anna.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, WHITE))) == 1
            await until(lambda: table.evening.state.choices[0] == "white")
            await anna.sees("document.getElementById('read').textContent.includes('marker white')")
            await ben.sees_newest()
            assert "Anna has chosen" in await ben.text("#lines")
            assert "marker white" not in await ben.text("#lines")
            assert table.evening.played_game.played[-1].how == "tag"
            await anna.page.get_by_role("button", name="Stop reading").click()
            assert await anna.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, WHITE))) == 0
            assert anna.errors == ben.errors == []

    in_browser(play)


@pytest.mark.parametrize("moved_on", [False, True])
def test_a_touch_whose_answer_was_lost_is_sent_again_unless_the_game_has_moved_on(moved_on, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            phone = await android(browser, table, 0)
            await read_pieces(phone)
            await phone.sees("readers.length === 1")
            (connection,) = table.hub.phones
            taps: list[object] = []
            connection.heed = lambda said: taps.append(said) is None  # type: ignore[method-assign]
            await phone.page.evaluate(TOUCH, serial(uid_of(table, WHITE)))
            await until(lambda: taps)
            if moved_on:
                table.act("choose", seat=1, colour="blue")
            connection.drop()
            if moved_on:
                await phone.sees("document.getElementById('read').textContent.includes('The game moved on')")
                assert "The game moved on" in await phone.page.locator("#said > p").last.inner_text()
                assert table.evening.state.choices[0] is None
            else:
                await until(lambda: table.evening.state.choices[0] == "white")
                await phone.sees("document.getElementById('read').textContent.includes('white')")
            assert phone.errors == []

    in_browser(play)


def test_another_player_s_piece_is_reported_on_every_phone_and_never_which(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            anna, ben = await android(browser, table, 0), await android(browser, table, 1)
            await read_pieces(ben)
            await ben.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, WHITE)))
            for phone in (anna, ben):
                await phone.sees("document.getElementById('lines').textContent.includes(\"Ben's phone has read\")")
                assert "one of Anna's pieces" in await phone.text("#lines")
                assert "marker white" not in await phone.text("body")
            assert table.evening.state.choices == (None, None, None)

    in_browser(play)


def test_one_phone_in_the_middle_is_the_centre_and_reads_for_all(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await android(browser, table, 2)
            await read_pieces(phone)
            centre = phone.page.get_by_role("button", name="This phone is the centre")
            await centre.click()
            await phone.sees("document.getElementById('lines').textContent.includes(\"Cleo's phone is the centre\")")
            assert await centre.get_attribute("aria-pressed") == "true"
            cards = [Thing("card", each) for each in ("aurochs-brown-blue", "aurochs-yellow-white")]
            for number, card in enumerate(cards, 1):
                table.now += 10
                await phone.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, card)))
                await until(lambda number=number: len(table.evening.state.row) == number)

    in_browser(play)


IS_CENTRE = "document.querySelectorAll('#reading [aria-pressed=true]').length === "
TOUCH = "(tag) => touch(tag, '')"


def test_a_phone_is_the_centre_until_another_one_is(in_browser):
    """Not even a piece that another player touched to it too early, or a reload, ends that."""

    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await android(browser, table, 2)
            await phone.page.get_by_role("button", name="This phone is the centre").click()
            await phone.sees(IS_CENTRE + "1")
            assert await phone.page.evaluate(TOUCH, serial(uid_of(table, WHITE))) == 1, "to be the centre is to read"
            await phone.sees("!document.getElementById('read').textContent.includes('Hold a piece')")
            assert table.legal()[0]["do"] == "draw", "it counted for nothing"
            await phone.page.reload()
            await phone.sees(IS_CENTRE + "1")
            await phone.page.evaluate(STUB, "")
            await phone.page.evaluate(SECURE)
            await read_pieces(phone)
            await phone.sees("readers.length === 1")
            table.now += 10
            card = Thing("card", "aurochs-brown-blue")
            await phone.page.evaluate(TOUCH, serial(uid_of(table, card)))
            await until(lambda: len(table.evening.state.row) == 1)
            table.heed(BeCentre("ben", 1, True))
            await phone.sees(IS_CENTRE + "0")
            assert phone.errors == []

    in_browser(play)


def test_a_phone_that_stops_reading_is_the_centre_no_more(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await android(browser, table, 2)
            await phone.page.get_by_role("button", name="This phone is the centre").click()
            await phone.sees(IS_CENTRE + "1")
            await phone.page.get_by_role("button", name="Stop reading").click()
            await phone.sees("document.getElementById('lines').textContent.includes('no longer the centre')")
            await phone.sees(IS_CENTRE + "0")

    in_browser(play)


def test_a_phone_that_cannot_read_does_not_become_the_centre(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await android(browser, table, 2, "NotReadableError")
            await phone.page.get_by_role("button", name="This phone is the centre").click()
            await phone.sees("document.getElementById('read').textContent.includes('NFC is off')")
            assert not any(isinstance(each, BeCentre) for each in table.heard)

    in_browser(play)


AWAKE = """() => { window.locks = []; Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
  const lock = { kind, released: false, release() { lock.released = true; } };
  window.locks.push(lock);
  return lock;
} } }); }"""


def test_a_phone_that_reads_stays_awake_because_chrome_reads_nothing_with_a_dark_screen(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await android(browser, table, 0)
            await phone.page.evaluate(AWAKE)
            await read_pieces(phone)
            await phone.sees("locks.length === 1 && locks[0].kind === 'screen'")
            await phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            assert await phone.page.evaluate("locks.length") == 2, "a browser ends it when the page is hidden"
            await phone.page.get_by_role("button", name="Stop reading").click()
            await phone.sees("locks.at(-1).released")
            await phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            assert await phone.page.evaluate("locks.length") == 2

    in_browser(play)


STRANGE = {
    "an emoji at the end of what is sent": "'x'.repeat(199) + '\\u{1F600}'.repeat(9)",
    "more than a sticker holds": "'x'.repeat(100000)",
    "a half letter": "'\\ud83d'",
    "markup": "'<img src=x onerror=alert(1)>'",
    "a piece that no game has": "'companion:1;lascaux;marker;;99999999999999'",
}


@pytest.mark.parametrize("text", STRANGE)
def test_whatever_is_on_a_stranger_s_sticker_the_phone_stays_at_the_table(text, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            phone = await android(browser, table, 0)
            await read_pieces(phone)
            await phone.sees("readers.length === 1")
            await phone.page.evaluate(f"touch('de:ad:be:ef', {STRANGE[text]})")
            await phone.sees("document.getElementById('read').textContent.includes('on no piece')")
            broken = "{ recordType: 'text', encoding: 'no-such', data: null }"
            await phone.page.evaluate(
                f"readers[0].onreading({{ serialNumber: 'de:ad:be:e0', message: {{ records: [{broken}] }} }})"
            )
            await until(lambda: sum(isinstance(each, TapTag) for each in table.heard) == 2)
            assert await phone.page.evaluate("readers[0].onreading({ serialNumber: null, message: null })") is None
            await until(lambda: sum(isinstance(each, TapTag) for each in table.heard) == 3)
            assert phone.errors == []
            assert table.reported == []

    in_browser(play)


def test_a_phone_can_say_what_a_piece_is_without_playing_it(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            phone = await android(browser, table, 0)
            await phone.page.get_by_role("button", name="Only say what it is").click()
            await read_pieces(phone)
            entry = table.evening.number
            await phone.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, WHITE)))
            await phone.sees("document.getElementById('read').textContent.includes('You may play it.')")
            assert "white" in await read(phone)
            assert "white" in await phone.page.locator("#said > p").last.inner_text()
            assert table.evening.number == entry

    in_browser(play)


PROBLEMS = {
    "NotAllowedError": "Chrome may not use NFC",
    "NotSupportedError": "This device cannot read stickers",
    "NotReadableError": "NFC is off",
    "AbortError": "NFC does not answer",
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_wrong_with_nfc_is_said_with_what_to_do(problem, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await android(browser, table, 0, problem)
            await read_pieces(phone)
            await phone.sees(f"document.getElementById('read').textContent.includes('{PROBLEMS[problem]}')")
            assert PROBLEMS[problem] in await phone.page.locator("#said > p").last.inner_text()
            assert phone.errors == []

    in_browser(play)


AGENTS = {
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130 Mobile": "needs an encrypted connection",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/130 Mobile": "An app shows this page",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1": "Hold the top of the iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Instagram 300": "An app shows this page",
}


@pytest.mark.parametrize("agent", AGENTS, ids=range(len(AGENTS)))
def test_a_browser_that_cannot_read_says_why_and_what_to_do(agent, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 0, user_agent=agent)
            if "encrypted" in AGENTS[agent]:
                await phone.page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })")
            await read_pieces(phone)
            await phone.sees(f"document.getElementById('read').textContent.includes('{AGENTS[agent]}')")

    in_browser(play)


@pytest.mark.parametrize(
    ("agent", "says"), [("Android 14", "Open this page in Chrome"), ("X11", "Use an Android phone")]
)
def test_without_web_nfc_the_page_says_which_browser_or_device_can(agent, says, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await PagePhone.scan(browser, table, 0, user_agent=f"Mozilla/5.0 ({agent}; rv:130) Firefox/130")
            await phone.page.evaluate("delete window.NDEFReader")
            await read_pieces(phone)
            await phone.sees(f"document.getElementById('read').textContent.includes('{says}')")

    in_browser(play)


def test_a_sticker_that_cannot_be_read_and_one_of_no_piece_are_named(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            phone = await android(browser, table, 0)
            await read_pieces(phone)
            await phone.sees("document.getElementById('read').textContent.includes('Hold a piece')")
            await phone.page.evaluate("readers[0].onreadingerror()")
            await phone.sees("document.getElementById('read').textContent.includes('cannot be read')")
            await phone.page.evaluate("touch('de:ad:be:ef', '')")
            await phone.sees("document.getElementById('read').textContent.includes('on no piece')")

    in_browser(play)


def test_what_reading_needs_is_loaded_when_it_is_asked_for_and_again_after_a_failure(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            phone = await android(browser, table, 0)
            loaded: list[str] = []
            phone.page.on("request", lambda request: loaded.append(request.url))
            await phone.page.route("**/reading.js*", lambda route: route.abort())
            await phone.page.get_by_role("button", name="Read pieces").click()
            await phone.sees("document.getElementById('status').textContent.includes('Connection lost')")
            assert any("/reading.js" in each for each in loaded), "not before"
            await phone.page.unroute("**/reading.js*")
            await read_pieces(phone)
            await phone.sees("document.getElementById('read').textContent.includes('Hold a piece')")

    in_browser(play)


# --- Links ------------------------------------------------------------------------------------------------------


def linked(table: PhonesTable, piece: Thing) -> None:
    """This piece's sticker carries a link."""
    session = table.referee.session
    pack = replace(session._seat_pads.pack, tokens={uid_of(table, piece): TOKEN})
    session._seat_pads = replace(session._seat_pads, pack=pack)


def test_the_link_on_a_sticker_opens_the_page_at_that_seat_and_plays_the_piece(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            linked(table, WHITE)
            phone = await PagePhone.scan(browser, table, 0)
            await phone.page.goto("about:blank")
            await phone.page.goto(f"{table.url}/t#{TOKEN}")
            await until(lambda: table.evening.state.choices[0] == "white")
            await phone.sees("document.getElementById('read').textContent.includes('white')")
            assert await phone.text("#who") == "You are Anna"
            assert phone.page.url == f"{table.url}/", "a reload plays it no second time"

    in_browser(play)


def test_a_page_that_is_open_already_plays_it_and_both_say_what_it_was(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            choosing(table)
            linked(table, WHITE)
            phone = await PagePhone.scan(browser, table, 0)
            second = await phone.context.new_page()
            await second.goto(f"{table.url}/t#{TOKEN}")
            await phone.sees("document.getElementById('read').textContent.includes('white')")
            taps = [each for each in table.heard if isinstance(each, TapTag)]
            assert [each.text for each in taps] == [token_text(TOKEN)]
            if not second.is_closed():
                other = PagePhone(table, 0, phone.context, second)
                await other.sees("document.getElementById('read').textContent.includes('white')")

    in_browser(play)


def test_a_phone_without_a_seat_is_told_to_scan_its_code_first(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            context = await browser.new_context()
            page = await context.new_page()
            await page.goto(f"{table.url}/t#{TOKEN}")
            phone = PagePhone(table, 0, context, page)
            await phone.sees("document.getElementById('status').textContent.includes('Scan your code')")
            assert table.heard == []

    in_browser(play)


# --- The certificate --------------------------------------------------------------------------------------------


def test_a_new_phone_is_told_about_the_warning_and_then_reads_pieces_over_https(in_browser, home):
    """In a profile that has never seen the table. `ignore_https_errors` is the tap on "Proceed"."""
    made = certificate("127.0.0.1")
    assert certificate("127.0.0.1").pem == made.pem, "the same one every evening"

    async def play(browser: Browser) -> None:
        async with evening("lascaux", tls=tls_context(made.pem)) as table:
            choosing(table)
            fresh = await browser.new_context()
            page = await fresh.new_page()
            with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
                await page.goto(table.link_of(0))
            page = await fresh.new_page()
            await page.goto(table.server.trust)
            assert "Trust this table, once" in await page.inner_text("main")
            assert await page.get_by_role("img").get_attribute("aria-label")
            assert await page.get_by_role("link", name="Go to the table").get_attribute("href") == f"{table.url}/"
            phone = await PagePhone.scan(browser, table, 0, ignore_https_errors=True)
            assert await phone.page.evaluate("isSecureContext")
            await phone.page.evaluate(STUB, "")
            await read_pieces(phone)
            await phone.sees("document.getElementById('read').textContent.includes('Hold a piece')")
            await phone.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, WHITE)))
            await until(lambda: table.evening.state.choices[0] == "white")

    in_browser(play)


@needs_axe
def test_the_page_about_the_certificate_passes_axe_and_gives_nothing_else_away(in_browser, home):
    async def play(browser: Browser) -> None:
        async with evening("lascaux", tls=tls_context(certificate("127.0.0.1").pem)) as table:
            page = await browser.new_page()
            for path in ("/", "/words.json", "/table", "/t"):
                await page.goto(table.server.trust + path)
                assert "Trust this table, once" in await page.inner_text("main")
            assert await findings(page) == []

    in_browser(play)


def test_a_link_for_another_address_names_the_changed_address_as_the_cause():
    async def play() -> None:
        async with evening("lascaux") as table, ClientSession() as session:
            async with session.get(f"{table.url}/t", headers={"Host": "192.168.1.20:8137"}) as answer:
                assert answer.status == 421
                text = await answer.text()
                assert "was written for another address" in text
                assert table.url in text
            async with session.get(f"{table.url}/", headers={"Host": "192.168.1.20:8137"}) as answer:
                assert (answer.status, await answer.text()) == (421, "")

    asyncio.run(play())
