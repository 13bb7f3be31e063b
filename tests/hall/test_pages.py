"""The phone page and the director's page, and who may use them."""

import asyncio
import http.client
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser as Chromium

from companion.hall.decisions import JoinTable, seat_next_round, sign_in, sign_out, start_round
from companion.hall.hall_client import HallClient
from companion.hall.hall_messages import GameReport
from companion.hall.hall_pages import FEW
from companion.hall.hall_state import ReportedSeat, SignedIn
from tests.hall.halls import RunningHall
from tests.hall.pages import Browser
from tests.web.axe import findings, needs_axe

NAMES = ("Anna", "Ben", "Cleo", "Dora")


@pytest.fixture
def hall(tmp_path, run_hall) -> RunningHall:
    """The pages are the same on every database."""
    return run_hall(str(tmp_path / "hall.sqlite"))


def director(hall: RunningHall, language: str = "en") -> Browser:
    browser = Browser(hall.url, language)
    browser.get(f"/in/{hall.hall.director_code}")
    return browser


def phone(hall: RunningHall) -> Browser:
    browser = Browser(hall.url)
    browser.get(f"/in/{hall.hall.guest_code}")
    return browser


def test_a_director_runs_a_whole_night_on_one_page(hall: RunningHall) -> None:
    table, browser = hall.table(), director(hall)
    assert hall.hall.table_code in browser.get("/director")
    browser.post("/director/open", game="lascaux", minutes="30")
    for name in NAMES:
        page = browser.post("/director/sign-in", name=name)
    assert "4 players are here" in page
    assert "First round, drawn by lot." in browser.post("/director/seat")
    assert "in 30 minutes" in browser.post("/director/start")
    seats = tuple(ReportedSeat(name, 40 - place, place) for place, name in enumerate(NAMES, 1))
    table.report("ab" * 32, GameReport(hall.state.club_id, 1, 1, 1, "lascaux", 5.0, seats))
    assert "1. Anna 39, 2. Ben 38" in browser.get("/director")
    assert "in 10 minutes" in browser.post("/director/clock", minutes="10")
    browser.post("/director/end")
    browser.post("/director/sign-out", name="Dora")
    assert "Meeting again" in browser.post("/director/seat")
    browser.post("/director/close")
    assert hall.state.night is None
    assert "Anna" in browser.get("/league")


def test_the_director_enters_a_result_by_hand_and_may_correct_it(hall: RunningHall) -> None:
    browser = director(hall)
    browser.post("/director/add-table", table="Window")
    browser.post("/director/open", game="lascaux")
    for name in NAMES[:3]:
        browser.post("/director/sign-in", name=name)
    browser.post("/director/seat")
    browser.post("/director/start")
    names = hall.state.nights[0].rounds[0].seats["Window"]
    browser.post("/director/result", table="Window", score=["5", "9", "5"])
    page = browser.post("/director/result", table="Window", score=["7", "9", "5"])
    assert f"1. {names[1]} 9, 2. {names[0]} 7, 3. {names[2]} 5" in page
    assert "needs 3 numbers" in browser.post("/director/result", table="Window", score=["7"])
    assert "is not a whole number" in browser.post("/director/result", table="Window", score=["7", "x", "1"])


def test_the_director_swaps_players_before_the_round_starts(hall: RunningHall) -> None:
    hall.table()
    hall.table()
    browser = director(hall)
    browser.post("/director/open", game="lascaux")
    for name in (*NAMES, "Emil", "Finn"):
        browser.post("/director/sign-in", name=name)
    browser.post("/director/seat")
    before = hall.state.nights[0].rounds[0].seats
    one, other = before["1"][0], before["2"][0]
    assert "The director has changed this table." in browser.post("/director/swap", one=one, other=other)
    after = hall.state.nights[0].rounds[0].seats
    assert (after["1"][0], after["2"][0]) == (other, one)
    browser.post("/director/start")
    assert "its seating stays" in browser.post("/director/swap", one=one, other=other)


def test_a_phone_signs_in_one_person_shows_their_table_and_signs_them_out(hall: RunningHall) -> None:
    hall.table()
    browser = phone(hall)
    assert "No club night is open right now." in browser.get("/")
    director(hall).post("/director/open", game="lascaux")
    assert "You are signed in as Anna." in browser.post("/sign-in", name="Anna")
    other = phone(hall)
    assert "Anna is signed in already. If you are another Anna, sign in as “Anna B.”" in other.post(
        "/sign-in", name="Anna"
    )
    for name in ("Anna B.", "Cleo"):
        phone(hall).post("/sign-in", name=name)
    director(hall).post("/director/seat")
    assert "You play at table 1." in browser.get("/")
    assert "You play at table 1." not in other.get("/")
    browser.post("/sign-out")
    assert hall.state.night is not None
    assert hall.state.night.present == ["Anna B.", "Cleo"]


def test_pages_speak_the_readers_language(hall: RunningHall) -> None:
    assert "Einen Abend beginnen" in director(hall, "de-AT,de;q=0.9").get("/director")


def test_a_browser_without_a_code_is_told_where_to_get_one(hall: RunningHall) -> None:
    assert Browser(hall.url).get("/") == "Scan the code that the hall shows, or ask the director for it."


def test_names_from_phones_are_shown_as_text(hall: RunningHall) -> None:
    browser = director(hall)
    browser.post("/director/open", game="lascaux")
    page = browser.post("/director/sign-in", name="<b>Eva</b>")
    assert "&lt;b&gt;Eva&lt;/b&gt;" in page
    assert "<b>Eva" not in page


def test_a_phone_in_a_large_hall_gets_its_own_table_first_and_the_rest_when_it_asks(hall: RunningHall) -> None:
    director(hall).post("/director/open", game="lascaux")
    for _ in range(40):
        hall.change(JoinTable("").decide)
    hall.change(lambda _state: [SignedIn(f"Player {number}") for number in range(160)])
    hall.change(seat_next_round)
    hall.change(start_round(0.0))
    night = hall.state.night
    assert night is not None
    name = night.rounds[0].seats["40"][0]
    browser = phone(hall)
    hall.change(sign_out(name))
    page = browser.post("/sign-in", name=name)
    rows = page.count("<tr><td>")
    assert rows in (FEW + 1 + FEW, FEW + 1 + FEW + 1), "31 tables, and 30 lines of the standings or 31 with one's own"
    assert "You play at table 40." in page
    assert "All tables and players" in page
    assert browser.get("/?whole").count("<tr><td>") == 40 + 160
    assert "All tables and players" not in browser.get("/?whole")


def test_the_more_phones_there_are_the_less_often_each_looks_for_news(hall: RunningHall) -> None:
    browser = phone(hall)
    director(hall).post("/director/open", game="lascaux")
    assert 'data-path="/" data-seconds="5"' in browser.get("/")
    hall.change(lambda _state: [SignedIn(f"Player {number}") for number in range(4000)])
    assert 'data-path="/" data-seconds="30"' in browser.get("/")


# --- In a browser ---------------------------------------------------------------------------------------------


def test_an_open_page_shows_news_and_leaves_alone_what_is_being_typed(hall: RunningHall, in_browser) -> None:
    async def play(browser: Chromium) -> None:
        page = await (await browser.new_context()).new_page()
        await page.goto(f"{hall.url}/in/{hall.hall.director_code}")
        await page.click("button:has-text('Open the night')")
        await page.get_by_label("Name").first.fill("Zo")
        await asyncio.to_thread(hall.change, JoinTable("Window").decide)
        await page.get_by_role("cell", name="Window", exact=True).wait_for()
        assert await page.get_by_label("Name").first.input_value() == "Zo"
        await page.get_by_label("Name").first.fill("")
        await page.locator("body").click(position={"x": 1, "y": 1})
        await asyncio.to_thread(hall.change, sign_in("Anna"))
        await page.get_by_role("cell", name="Anna", exact=True).first.wait_for()
        await asyncio.to_thread(hall.close)
        await page.get_by_text("Connection lost. Reconnecting …").wait_for()

    in_browser(play)


@needs_axe
def test_axe_finds_nothing_on_any_page(hall: RunningHall, in_browser) -> None:
    async def play(browser: Chromium) -> None:
        hall.table()
        hall.night(NAMES)
        page = await (await browser.new_context(viewport={"width": 360, "height": 640})).new_page()
        await page.goto(f"{hall.url}/in/{hall.hall.director_code}")
        for path in ("/director", "/", "/league"):
            await page.goto(f"{hall.url}{path}")
            assert await findings(page) == [], path

    in_browser(play)


# --- Who may do what ------------------------------------------------------------------------------------------

CHANGES = (
    *(f"/director/{order}" for order in ("open", "close", "seat", "start", "end", "result", "add-table")),
    *("/sign-in", "/sign-out"),
)


@pytest.mark.parametrize("path", CHANGES)
def test_nothing_changes_without_a_code(hall: RunningHall, path: str) -> None:
    known = hall.state.last
    browser = Browser(hall.url)
    browser.post(path, game="lascaux", name="Eva", table="9")
    assert browser.status == 401
    assert hall.state.last == known


@pytest.mark.parametrize("path", [path for path in CHANGES if path.startswith("/director")])
def test_a_players_code_does_not_direct(hall: RunningHall, path: str) -> None:
    known, browser = hall.state.last, phone(hall)
    browser.post(path, game="lascaux", table="9")
    assert browser.status == 401
    assert hall.state.last == known
    assert hall.hall.table_code not in browser.get("/director")


def test_another_page_or_another_host_name_cannot_use_the_directors_cookie(hall: RunningHall) -> None:
    browser = director(hall)
    browser.post("/director/open", origin="http://evil.example", game="lascaux")
    assert browser.status == 403
    browser._go("GET", "/director", host="evil.example")
    assert browser.status == 421
    assert hall.state.nights == []


def test_codes_cannot_be_guessed_quickly(hall: RunningHall) -> None:
    browser = Browser(hall.url)
    tried = []
    for number in range(14):
        browser.get(f"/in/guess{number}")
        tried.append(browser.status)
    assert tried[0] == 403
    assert tried[-1] == 429


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", f"/results/{'ab' * 32}"), ("PUT", "/boxes/lascaux"), ("GET", "/boxes/lascaux"), ("POST", "/table/take")],
)
def test_a_table_without_its_credential_gets_and_changes_nothing(hall: RunningHall, method: str, path: str) -> None:
    table, known = hall.table(), hall.state.last
    assert table.membership is not None
    for credential in ("", "Bearer 1:wrong", f"Bearer 2:{table.membership.credential}"):
        connection = http.client.HTTPConnection(urlsplit(hall.url).netloc)
        connection.request(method, path, b"{}", {"Authorization": credential, "Companion-Hall": "1"})
        assert connection.getresponse().status == 401
        connection.close()
    hall.change(lambda _state: ())
    assert hall.state.last == known


def test_a_removed_table_has_lost_its_credential(hall: RunningHall) -> None:
    table = hall.table()
    director(hall).post("/director/remove-table", table="1")
    with pytest.raises(Exception, match="does not know this table's credential"):
        HallClient(hall.url, table.membership).take()


def test_a_refusal_and_decimals_are_in_the_readers_language(hall: RunningHall) -> None:
    browser = director(hall, "de")
    browser.post("/director/open", game="lascaux")
    assert "Noch kein Tisch ist dabei." in browser.post("/director/seat")
    browser.post("/director/add-table", table="Window")
    for name in NAMES:
        browser.post("/director/sign-in", name=name)
    assert "Anna ist schon angemeldet." in browser.post("/director/sign-in", name="Anna")
    browser.post("/director/seat")
    browser.post("/director/start")
    assert "0,30" in browser.post("/director/result", table="Window", score=["40", "30", "20", "10"])


def test_the_players_link_is_a_code_that_phones_scan_and_only_guests_see_it(hall: RunningHall) -> None:
    assert "<svg" in director(hall).get("/players.svg")
    assert '<img src="/players.svg"' in director(hall).get("/director")
    assert "<svg" not in Browser(hall.url).get("/players.svg")
