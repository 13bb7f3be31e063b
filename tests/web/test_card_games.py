"""The card games of examples/ on phones, at a table that has neither readers nor cards: Companion deals."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser

from companion.web.rate_limit import Allowance
from tests.strangers import GOPS, example_installed
from tests.web.browser import PagePhone, find_way, until
from tests.web.evening import PhonesTable, evening

HURRIED = 100_000.0
MOST_ACTIONS = 200
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """These thumbs press faster than the server allows."""
    monkeypatch.setattr("companion.web.phone_connection.Allowance", lambda: Allowance(HURRIED, HURRIED))


def small_box(game: str) -> str:
    return (GOPS.parent / game / "tests" / "games" / "small.toml").read_text(encoding="utf-8")


async def _hands_are_shown(table: PhonesTable, phones: list[PagePhone]) -> None:
    """Each phone shows the whole hand of its own seat, which no rule knows."""
    shown = []
    for seat, phone in enumerate(phones):
        await phone.sees_newest()
        held = re.findall("[♣♦♠♥][0-9AJQK]+", await phone.text("#hand"))
        assert len(held) == table.evening.state.held[seat]
        shown += held
    assert len({*shown}) == len(shown), "no card is on two phones"


async def _one_action(table: PhonesTable, phones: list[PagePhone], chance: Random) -> None:
    table.deal()
    entry, (seat,) = table.evening.number, table.evening.game.awaiting(table.evening.state).seats
    await until(lambda: table.hub.entry == entry and table.hub._sight(seat) is not None)
    way = find_way(table, seat, chance)
    assert way is not None
    await phones[seat].press(way.steps, entry)
    await until(lambda: table.evening.number > entry, f"{way.action} by {way.steps}")


@pytest.mark.parametrize(("game", "players"), [("whist", 4), ("sirtommy", 2)])
def test_a_card_game_is_played_on_phones_from_hands_that_companion_deals(
    game: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_browser
) -> None:
    async def play(browser: Browser) -> None:
        chance = Random(game)
        async with evening(game, players, box=small_box(game), stack=7) as table:
            phones = [await PagePhone.scan(browser, table, seat) for seat in range(players)]
            for number in range(MOST_ACTIONS):
                if table.over:
                    break
                table.deal()
                if number in (0, 5):
                    await _hands_are_shown(table, phones)
                    asked = phones[table.evening.state.turn]
                    assert re.fullmatch("Your turn: (play|lead|lay) .*", await asked.text("#headline"))
                await _one_action(table, phones, chance)
            assert table.over
            assert {played.how for played in table.evening.played_game.played[1:]} <= {"phone", "screen"}
            for phone in phones:
                await phone.sees_newest()
                await phone.sees(FITS)
                await phone.sees("['hand', 'reading'].every((id) => document.getElementById(id).hidden)")
                assert not phone.errors

    with example_installed(game, tmp_path, monkeypatch):
        in_browser(play)
