"""A seat for players who listen: whole games by the accessibility tree alone, and every line said once, in order."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser

from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.messages.looks import Preference
from companion.web.access_codes import WATCHING, new_code
from tests.strangers import gops_installed
from tests.web.browser import LAPTOP, PagePhone, until
from tests.web.evening import BarePhone, PhonesTable, evening
from tests.web.listener import MOST, PLAYERS, REMEMBER, SEAT, Listener, hurrying, on_the_wire, play_by_ear

BY_EAR = {"darwinci": 12, "carnuta": 8}
"""So many actions of a long game; `make campaign` plays whole ones. Of the others: all."""


@pytest.fixture(autouse=True)
def hurry() -> Iterator[None]:
    with hurrying():
        yield


@pytest.fixture
def gops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with gops_installed(tmp_path, monkeypatch):
        yield


def test_a_strangers_game_is_played_by_ear_without_a_line_about_it(gops, in_browser):
    in_browser(lambda browser: play_by_ear(browser, "gops", Random("gops")))


@pytest.mark.parametrize("name", sorted(PLAYERS.keys() - {"gops"}))
def test_a_whole_game_is_played_by_ear(name, in_browser):
    in_browser(lambda browser: play_by_ear(browser, name, Random(name), BY_EAR.get(name, MOST)))


# --- What a player can ask for ------------------------------------------------------------------------------------


async def listening(browser: Browser, table: PhonesTable, seat: int = SEAT, **how: Any) -> PagePhone:
    """With the table in words."""
    phone = await PagePhone.scan(browser, table, seat, how.pop("size", LAPTOP), **how)
    await phone.page.get_by_role("button", name="Table in words").click()
    await phone.sees("document.querySelectorAll('#talking li').length > 0")
    await phone.page.evaluate(REMEMBER)
    return phone


async def hears(phone: PagePhone, words: str) -> None:
    await phone.sees(f"window.everSaid.some((each) => each.includes({words!r}))")


def test_table_hand_choices_why_and_again_are_said_by_button_key_and_swipe(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            phone = await listening(browser, table)
            asked = {"t": "Winter 1 of 3.", "h": "In hand: ", "c": "Lay a card face down", "w": "S3"}
            for key, words in asked.items():
                await phone.page.evaluate("window.everSaid.length = 0")
                await phone.page.keyboard.press(key)
                await hears(phone, words)
                await phone.page.keyboard.press("Escape")
            last = await phone.page.evaluate("everSaid.at(-1)")
            await phone.page.evaluate("window.everSaid.length = 0")
            await phone.page.keyboard.press("a")
            await phone.sees("window.everSaid.length === 1")
            assert await phone.page.evaluate("everSaid[0]") == last
            for name, words in {"Table (t)": "Winter 1", "My hand (h)": "In hand"}.items():
                await phone.page.evaluate("window.everSaid.length = 0")
                await phone.page.get_by_role("button", name=name).click()
                await hears(phone, words)
            for dx, dy, words in ((0, -60, "Winter 1"), (0, 60, "In hand"), (60, 0, "Lay a card"), (-60, 0, "S3")):
                await phone.page.evaluate("window.everSaid.length = 0")
                await phone.page.locator(".pad").scroll_into_view_if_needed()
                box = await phone.page.locator(".pad").bounding_box()
                assert box is not None
                x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
                await phone.page.mouse.move(x, y)
                await phone.page.mouse.down()
                await phone.page.mouse.move(x + dx, y + dy)
                await phone.page.mouse.up()
                await hears(phone, words)
                await phone.page.keyboard.press("Escape")
            assert phone.errors == []

    in_browser(play)


def test_when_a_game_is_over_the_points_the_winner_and_the_reasons_can_be_asked_for(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            chance = Random(7)
            while not table.over:
                table.play_on(chance)
            phone = await listening(browser, table)
            await phone.page.keyboard.press("t")
            score = table.referee.snapshot().scores[0]
            for words in (f"Anna: {score.total} points", "Anna and Ben have 10 points each", "for prey worth"):
                await hears(phone, words)
            assert "win" in (await phone.page.evaluate("everSaid"))[0]
            await phone.page.keyboard.press("w")
            await hears(phone, "S")
            assert not any("no longer shown" in each for each in await phone.page.evaluate("everSaid"))

    in_browser(play)


def test_in_a_menu_of_several_steps_the_focus_goes_to_the_next_question(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("darwinci", 3) as table:
            table.prepared()
            phone = await listening(browser, table)
            await phone.page.locator("#choices > button:enabled").first.focus()
            for question in ("Anna: which tile do you build?", "How is it turned?"):
                await phone.page.keyboard.press("Enter")
                await phone.sees(f"document.getElementById('dialog-title').textContent === {question!r}")
                assert await phone.page.evaluate("document.activeElement.id") == "dialog-title"
                await phone.page.keyboard.press("Tab")
            assert phone.errors == []

    in_browser(play)


CELLS = "(each) => [...each.rows].map((row) => [...row.cells].map((cell) => cell.innerText))"
WALK = (("ArrowRight", 1, 0), ("ArrowDown", 0, 1), ("ArrowLeft", -1, 0), ("ArrowUp", 0, -1), ("ArrowUp", 0, 0))


@pytest.mark.parametrize(("name", "players", "title"), [("darwinci", 3, "Anna's display"), ("carnuta", 2, "the rows")])
def test_boards_and_rows_are_grids_for_the_arrow_keys(name, players, title, in_browser):
    async def play(browser: Browser) -> None:
        async with evening(name, players) as table:
            table.prepared()
            chance = Random(3)
            for _ in range(12):
                table.play_on(chance)
            phone = await listening(browser, table)
            grid = phone.page.get_by_role("grid", name=title)
            rows = await grid.evaluate(CELLS)
            assert len({len(row) for row in rows}) == 1
            await grid.locator("td").first.focus()
            here = [0, 0]
            for key, dx, dy in WALK:
                await phone.page.keyboard.press(key)
                here = [here[0] + dx, here[1] + dy]
                assert await phone.page.evaluate("document.activeElement.innerText") == rows[here[1]][here[0]]
            reached = await phone.page.evaluate("document.querySelectorAll('[role=grid] td[tabindex=\"0\"]').length")
            assert reached == await phone.page.get_by_role("grid").count(), "each grid is one stop of the tab key"

    in_browser(play)


VOICE = """() => {
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const speak = (words) => { window.spoken.push(words.text); window.current = words; };
  const cancel = () => { window.cancelled.push(window.current?.text); window.current = null; };
  window.cancelled = [];
  Object.defineProperty(window, "speechSynthesis", { value: { speak, cancel }, configurable: true });
}"""


SPEAK_ON = "() => { while (window.current) { const words = window.current; window.current = null; words.onend(); } }"
"""The voice comes to the end of what it has to say."""


def test_the_voice_is_off_until_headphones_are_confirmed_and_can_be_interrupted_without_losing_a_sentence(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await listening(browser, table)
            await phone.page.evaluate(VOICE)
            await phone.page.keyboard.press("h")
            await hears(phone, "In hand")
            assert await phone.page.evaluate("spoken") == []
            voice = phone.page.get_by_role("button", name="Voice")
            await voice.click()
            assert "Do you wear headphones?" in await phone.text("#dialog-title")
            await phone.page.get_by_role("button", name="Cancel").click()
            await phone.page.keyboard.press("h")
            assert await phone.page.evaluate("spoken") == []
            await voice.click()
            await phone.page.get_by_role("button", name="Yes").click()
            await phone.page.evaluate(SPEAK_ON)
            assert "The voice is on." in await phone.page.evaluate("spoken")
            await phone.page.evaluate("spoken.length = 0; everSaid.length = 0")
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            await phone.sees_newest()
            before = await phone.page.evaluate("everSaid")
            for _sentence in before:
                await phone.page.keyboard.press("s")  # each press cuts a sentence short
            spoken = await phone.page.evaluate("spoken")
            public = [each for each in before if "revealed" in each or "wins prey" in each]
            assert [each for each in spoken if each in public] == public, "in order, none lost, none repeated"
            await phone.page.reload()
            await phone.sees_newest()
            assert await phone.page.get_by_role("button", name="Voice").get_attribute("aria-pressed") == "false"

    in_browser(play)


async def with_voice(browser: Browser, table: PhonesTable) -> PagePhone:
    phone = await listening(browser, table)
    await phone.page.evaluate(VOICE)
    await phone.page.get_by_role("button", name="Voice").click()
    await phone.page.get_by_role("button", name="Yes").click()
    await phone.page.evaluate(SPEAK_ON)
    await phone.page.evaluate("spoken.length = 0; everSaid.length = 0")
    return phone


def test_a_sentence_is_not_cut_off_when_the_button_with_the_focus_is_drawn_again(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await with_voice(browser, table)
            await phone.page.locator("#choices button").first.focus()
            await phone.page.evaluate(SPEAK_ON)
            await phone.page.evaluate("cancelled.length = 0")
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            await phone.sees_newest()
            assert await phone.page.evaluate("document.activeElement.closest('#choices, #headline') !== null")
            assert await phone.page.evaluate("cancelled") == []

    in_browser(play)


def test_a_sentence_that_the_focus_cuts_short_is_said_again_and_an_answer_ends_with_the_next_question(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await with_voice(browser, table)
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            await phone.sees_newest()
            (first,) = await phone.page.evaluate("spoken")
            await phone.page.locator("#help").focus()
            assert await phone.page.evaluate("spoken") == [first, "Help"]
            await phone.page.evaluate("{ const words = current; current = null; words.onend(); }")
            assert await phone.page.evaluate("spoken") == [first, "Help", first]
            await phone.page.evaluate(SPEAK_ON)
            spoken = await phone.page.evaluate("spoken.splice(0)")
            sight = table.hub._sight(SEAT)
            lines = [sight.say(each) for each in sight.history]
            assert [each for each in spoken if each in lines] == [first, *lines]
            await phone.page.keyboard.press("t")
            await hears(phone, "Winter 1 of 3.")
            await phone.page.keyboard.press("H")
            await hears(phone, "In hand: ")
            await phone.page.evaluate(SPEAK_ON)
            spoken = await phone.page.evaluate("spoken")
            assert spoken[0].startswith("Winter 1 of 3.")
            assert "In hand: " in spoken[1], "the rest about the table is not said"

    in_browser(play)


def test_a_voice_that_a_lock_screen_has_cut_off_goes_on_with_the_same_sentence(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await with_voice(browser, table)
            await phone.page.keyboard.press("t")
            await hears(phone, "Winter 1 of 3.")
            await phone.page.evaluate("current = null; document.dispatchEvent(new Event('visibilitychange'))")
            first, again = await phone.page.evaluate("spoken")
            assert first == again

    in_browser(play)


def test_after_a_break_of_the_line_the_lines_in_between_are_said_once(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            chance = Random(2)
            phone = await listening(browser, table, 1)
            await phone.context.set_offline(True)
            await phone.sees("everSaid.some((each) => each.includes('Connection lost'))")
            for _ in range(12):
                table.play_on(chance)
            await phone.context.set_offline(False)
            await phone.sees_newest()
            said = await phone.page.evaluate("everSaid")
            lines = [table.hub._sight(1).say(each) for each in table.referee.snapshot().history]
            assert [each for each in said if each in lines] == lines
            assert said.index("Connected again.") < said.index(lines[0])

    in_browser(play)


def test_a_referee_that_is_away_and_comes_back_is_said(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await listening(browser, table)
            await table.link.close()
            await hears(phone, "Waiting for the referee")
            await table.link.open()
            table.publish()
            await hears(phone, "Connected again.")

    in_browser(play)


FORGETFUL, DEAD = "a browser that forgets the page", "a line that only looks alive"
BREAKS = ("the phones' server", "the referee", "both", FORGETFUL, DEAD)


@pytest.mark.parametrize("broken", BREAKS)
def test_whatever_is_started_again_every_line_is_said_once_and_in_order(broken, in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            chance = Random(5)
            phone = await listening(browser, table, 1)
            told: list[str] = []

            def play_on(actions: int, *, refused: bool = True) -> None:
                """What is refused is in no journal, and still said once, unless its referee dies with it unheard."""
                before = [*table.referee.snapshot().history]
                if refused:
                    table.act("pass", seat=9)
                for _ in range(actions):
                    table.play_on(chance)
                now = on_the_wire(table).history
                sight = Sight(on_the_wire(table), find_face("lascaux"), watching=True)
                told.extend(sight.say(each) for each in now if each.number > (before[-1].number if before else 0))

            play_on(3)
            await phone.sees_newest()
            if broken == DEAD:  # what is sent from now on never arrives
                (connection,) = table.hub.phones
                connection._socket.send_str = _lost  # type: ignore[method-assign]
            elif broken == FORGETFUL:
                said = await phone.page.evaluate("everSaid")
                await phone.page.goto("about:blank")
            else:
                if broken != "the referee":
                    await table.close_phones()
                if broken != "the phones' server":
                    play_on(2, refused=broken != "both")
                    await until(lambda: broken == "both" or table.hub.entry == table.evening.number)
                    table.restart_referee()
            play_on(4)
            if broken == DEAD:
                await until(lambda: table.hub.entry == table.evening.number)
                connection.drop()
            elif broken == FORGETFUL:
                await phone.page.goto(f"{table.url}/")
                await phone.page.evaluate(REMEMBER)
            elif broken != "the referee":
                await table.reopen_phones()
            play_on(2)
            await phone.sees_newest()
            if broken == FORGETFUL:
                said += await phone.page.locator("#said > p").all_inner_texts()
            else:
                said = await phone.page.evaluate("everSaid")
            assert [each for each in said if each in {*told}] == told
            assert phone.errors == []

    in_browser(play)


def test_why_asks_about_the_newest_line_also_if_a_referee_that_was_started_again_counts_fewer(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("lascaux") as table:
            table.prepared()
            phone = await listening(browser, table, 1)
            table.play_on(Random(5))
            for _ in range(8):
                table.act("pass", seat=9)  # what is refused is in no journal
            await phone.sees("document.getElementById('lines').innerText.includes('seat 9')")
            table.restart_referee()
            await phone.sees("!document.getElementById('lines').innerText.includes('seat 9')")
            await phone.page.evaluate("everSaid.length = 0")
            await phone.page.keyboard.press("w")
            await phone.sees("everSaid.length > 0")
            newest = Sight(on_the_wire(table), find_face("lascaux"), watching=True)
            assert newest.say(newest.history[-1]) in " ".join(await phone.page.evaluate("everSaid"))

    in_browser(play)


async def _lost(_text: str) -> None:
    """What a server sends to a phone that has gone."""


def test_what_happens_while_a_dialog_is_open_is_said_where_a_screen_reader_hears_it(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await listening(browser, table)
            listener = await Listener.sit(phone)
            await phone.page.locator("#help").click()
            await phone.sees("document.getElementById('dialog').open")
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            await phone.sees_newest()
            said = await listener.said()
            sight = table.hub._sight(SEAT)
            lines = [sight.say(each) for each in sight.history]
            assert [each for each in said if each in lines] == lines
            await phone.page.keyboard.press("c")
            await hears(phone, "Close")
            await phone.page.keyboard.press("Escape")
            await phone.page.locator("#help").click()
            await phone.sees("document.getElementById('said-here').textContent.includes('SIOUX, FOR 3 TO 5 PLAYERS')")
            assert not set(lines) & set(await listener.said()), "and not once more with the next dialog"

    in_browser(play)


CELL = "document.activeElement.closest('td')?.innerText"


def test_a_player_in_a_grid_stays_in_their_cell_while_the_game_goes_on(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("darwinci", 3) as table:
            table.prepared()
            chance = Random(3)
            for _ in range(12):
                table.play_on(chance)
            phone = await listening(browser, table)
            await phone.page.get_by_role("grid", name="Ben's display").locator("td").first.focus()
            await phone.page.keyboard.press("ArrowRight")
            place = "document.activeElement.cellIndex + '.' + document.activeElement.parentElement.rowIndex"
            before = await phone.page.evaluate("document.getElementById('talking').innerText")
            for _ in range(9):
                table.play_on(chance)
                await phone.sees_newest()
            await phone.sees(f"document.getElementById('talking').innerText !== {before!r}")
            assert await phone.page.evaluate(place) == "1.0"
            title = "document.activeElement.closest('table').caption.textContent"
            assert await phone.page.evaluate(title) == "Ben's display"

    in_browser(play)


def test_a_phone_that_was_removed_keeps_nothing_that_it_has_said(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phone = await listening(browser, table)
            await phone.page.keyboard.press("h")
            await hears(phone, "In hand")
            table.server.renew(SEAT, new_code())
            await phone.sees("document.body.classList.contains('removed')")
            assert "In hand" not in await phone.text("body")
            assert await phone.page.locator("#talking li").count() == 0

    in_browser(play)


def test_a_refusal_is_said_once(in_browser):
    async def play(browser: Browser) -> None:
        async with evening("sioux", 3) as table, BarePhone(table, SEAT) as bare:
            table.prepared()
            phone = await listening(browser, table)
            await bare.sit()
            assert (await bare.act(do="play", seat=1, card="9"))["kind"] == "refused"
            await hears(phone, "Only another player can do that")
            said = await phone.page.evaluate("everSaid")
            assert sum("Only another player" in each for each in said) == 1

    in_browser(play)


# --- What a player wants at every table ---------------------------------------------------------------------------

ANNA_WANTS = {0: Preference("de", "full"), 1: Preference("", "brief")}


def test_a_phone_speaks_the_language_of_its_player_unless_another_was_chosen_on_it() -> None:
    async def story() -> None:
        async with evening(preferences=ANNA_WANTS) as table, BarePhone(table, 0) as anna, BarePhone(table, 1) as ben:
            assert (await anna.sit("en")).view["language"] == "de"
            assert anna.view["in_words"]
            assert (await ben.sit("en")).view["language"] == "en"
            assert "in_words" not in ben.view
            async with BarePhone(table, 0) as second, BarePhone(table, WATCHING) as spectator:
                assert (await second.sit("en", chosen=True)).view["language"] == "en"
                assert (await spectator.sit("en")).view["language"] == "en"

    asyncio.run(story())


@pytest.mark.slow
def test_the_page_opens_as_its_player_wants_and_remembers_what_is_pressed_on_it(in_browser) -> None:
    async def story(browser: Browser) -> None:
        async with evening(preferences=ANNA_WANTS) as table:
            phone = await PagePhone.scan(browser, table, 0, locale="en-GB")
            await phone.sees('document.documentElement.lang === "de"')
            await phone.sees('document.querySelectorAll("#talking ul li").length > 0')
            assert await phone.text("#language") == "EN", "the button offers the other language"
            await phone.page.get_by_role("button", name="Tisch in Worten").click()
            await phone.page.locator("#language").click()
            await phone.sees('document.documentElement.lang === "en"')
            await phone.page.goto(table.link_of(0))
            await phone.page.reload()
            await phone.sees_newest()
            assert await phone.page.evaluate("document.documentElement.lang") == "en"
            assert await phone.page.locator("#talking ul").count() == 0
            assert phone.errors == []

    in_browser(story)
