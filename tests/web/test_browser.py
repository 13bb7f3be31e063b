"""Whole games by phones in one browser; one is reloaded, one loses its Wi-Fi, one is lost and replaced."""

from random import Random

import pytest
from playwright.async_api import Browser

from companion.web.access_codes import WATCHING, new_code
from companion.web.rate_limit import Allowance
from tests.web.browser import PagePhone, find_way, until
from tests.web.evening import PhonesTable, evening

WANTED = {
    "lascaux": ("pass", "choose"),
    "sioux": ("play", "duel"),
    "darwinci": ("bid", "build", "keep", "skip"),
    "carnuta": ("play", "runes", "done", "take"),
}
"""What brings a game to its end soon, the best first."""
PLAYERS = {"lascaux": 5, "sioux": 3, "darwinci": 3, "carnuta": 2}
"""So many that a game takes about 150 actions; the other phones watch."""
PHONES, MOST_ACTIONS = 5, 600


HURRIED = 100_000.0
"""These thumbs press faster than the server allows: test_connection_limits.py tests the limit."""


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.phone_connection.Allowance", lambda: Allowance(HURRIED, HURRIED))


async def _one_action(
    table: PhonesTable, phones: dict[int, PagePhone], chance: Random, name: str, finger: bool
) -> None:
    """A player whom the table waits for presses what their phone shows, until something counts."""
    entry = table.evening.number
    for attempt in range(50):
        useful = table.useful()
        seats = sorted({each.get("seat", table.evening.game.awaiting(table.evening.state).seats[0]) for each in useful})
        seat = chance.choice(seats)
        await until(lambda seat=seat: table.hub.entry == entry and table.hub._sight(seat) is not None)
        way = find_way(table, seat, chance, WANTED[name] if attempt < 5 else ())
        legal = way is not None and any(_same(way.action, each) for each in table.legal())
        if way is None or not legal:
            continue
        await phones[seat].press(way.steps, entry, finger=finger)
        await until(lambda: table.evening.number > entry, f"{name}: {way.action} by {way.steps}")
        return
    raise AssertionError(f"no phone found anything to do: {useful[:3]}")


def _same(pressed: dict, legal: dict) -> bool:
    """A menu says less than the rules where the rest is clear."""
    return all(legal.get(name) == value or name == "stones" for name, value in pressed.items())


async def _reload(phone: PagePhone) -> None:
    await phone.page.reload()
    await phone.sees_newest()


async def _lose_wifi(table: PhonesTable, phone: PagePhone, chance: Random) -> None:
    """It says so; what happened meanwhile is all there when it comes back, by itself."""
    await phone.context.set_offline(True)
    await phone.sees("document.getElementById('status').textContent.length > 0")
    table.play_on(chance)
    await phone.context.set_offline(False)
    await phone.sees_newest()
    await phone.sees("document.getElementById('status').textContent === ''")


async def _replace(table: PhonesTable, phones: dict[int, PagePhone], seat: int) -> None:
    """The old one is sent away, and says what to do; the new one has the seat."""
    lost = phones[seat]
    table.codes[seat] = new_code()
    table.server.renew(seat, table.codes[seat])
    await lost.sees("document.getElementById('headline').textContent.includes('no longer valid')")
    await lost.sees("['hand', 'table', 'actions', 'past'].every((id) => document.getElementById(id).hidden)")
    browser = lost.context.browser
    assert browser is not None
    phones[seat] = await PagePhone.scan(browser, table, seat)
    await lost.leave()


@pytest.mark.parametrize("name", PLAYERS)
def test_a_whole_game_is_played_by_five_phones(name, in_browser):
    async def play(browser: Browser) -> None:
        chance, players = Random(name), PLAYERS[name]
        async with evening(name, players) as table:
            table.prepared()
            phones = {seat: await PagePhone.scan(browser, table, seat) for seat in range(players)}
            guests = [await PagePhone.scan(browser, table, WATCHING) for _ in range(PHONES - players)]
            accidents = {
                6: lambda: _reload(phones[0]),
                9: lambda: _lose_wifi(table, phones[1], chance),
                12: lambda: _replace(table, phones, players - 1),
            }
            for number in range(MOST_ACTIONS):
                if table.over:
                    break
                if number in accidents:
                    await accidents[number]()
                await _one_action(table, phones, chance, name, finger=number < 4)
            assert table.over
            all_phones = [*phones.values(), *guests]
            for phone in all_phones:
                await phone.sees_newest()
                await phone.sees("document.getElementById('show-title').textContent.startsWith('The scoring')")
                await phone.page.click("#show-buttons button:last-child")
                assert phone.errors == []
            said = {await phone.text("#headline") for phone in all_phones}
            assert len(said) == 1
            assert "win" in said.pop() or "share" in await phones[0].text("#headline")
            by_phone = sum(played.how == "phone" for played in table.evening.played_game.played)
            assert by_phone >= len(table.evening.played_game.played) - 1  # but for the one while the Wi-Fi was away

    in_browser(play)
