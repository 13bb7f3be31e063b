"""A game from elsewhere on phones: the example of docs/add-a-game.md, which has not one line about them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.gamekit.screen.face import Face
from companion.gamekit.screen.face_discovery import find_face
from companion.web.access_codes import WATCHING
from tests.strangers import GOPS, gops_installed
from tests.web.evening import BarePhone, PhonesTable, evening

MOST_ACTIONS = 200


@pytest.fixture
def gops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with gops_installed(tmp_path, monkeypatch):
        yield


def _letters(lines) -> str:
    return "\n".join("".join(run[0] for run in line) for line in lines)


async def _press(phone: BarePhone, chance: Random) -> dict:
    """Press through the buttons that the phone shows until something is said, as a thumb does. What came of it."""
    buttons = phone.view["menu"]["buttons"] if "menu" in phone.view else phone.view["buttons"]
    while True:
        send = chance.choice(buttons)["send"]
        if send["is"] == "act":
            return await phone.press(send)
        await phone.say(send)
        buttons = (await phone.hear(lambda message: message["is"] == "menu"))["menu"]["buttons"]


async def _asked(table: PhonesTable, phones: list[BarePhone], chance: Random) -> BarePhone:
    """One of those whom the table waits for, once every player sees the newest."""
    for phone in phones:
        await phone.see(lambda view: view["entry"] == table.evening.number)
    return chance.choice([phone for phone in phones if phone.view.get("asked")])


async def _whole_game(table: PhonesTable, phones: list[BarePhone]) -> None:
    chance = Random(1)
    for _ in range(MOST_ACTIONS):
        phone = await _asked(table, phones, chance)
        assert _letters(phone.view["panels"][0]).startswith("Prizes")
        told = await _press(phone, chance)
        assert told["kind"] == "accepted", told
        if table.over:
            return
    raise AssertionError("the game did not end")


def test_a_strangers_game_is_played_on_phones_to_its_end(gops):
    async def play() -> None:
        async with evening("gops", 3) as table, BarePhone(table, WATCHING) as guest:
            table.prepared()
            phones = [await BarePhone(table, seat).sit() for seat in range(3)]
            await guest.sit(language="de")
            assert phones[0].view["title"] == "GOPS"
            await _whole_game(table, phones)
            assert all(played.how == "phone" for played in table.evening.played_game.played)
            for phone in (*phones, guest):
                await phone.see(lambda view: view["entry"] == table.evening.number)
            assert len({phone.view["headline"] for phone in phones}) == 1
            assert "win" in phones[0].view["headline"]
            for phone in phones:
                await phone.leave()

    asyncio.run(play())


def test_a_bid_of_a_strangers_game_is_seen_by_no_player_before_it_is_turned_over(gops):
    """What another player and a spectator are sent is the same to the byte, whichever card lies face down."""

    async def sent(card: int) -> tuple[list[bytes], list[bytes]]:
        """While it lies face down, and when it was turned over."""
        async with evening("gops", 2) as table, BarePhone(table, 0) as anna:
            table.prepared()
            table.act(**table.legal()[0])
            others = [await BarePhone(table, chair).sit() for chair in (1, WATCHING)]
            await anna.sit()
            shown = []
            for seat in (0, 1):
                bids = [each for each in table.legal() if each["seat"] == seat]
                phone = anna if seat == 0 else others[0]
                assert (await phone.act(**bids[card if seat == 0 else 3]))["kind"] == "accepted"
                for other in others:
                    await other.see(lambda view: view["entry"] == table.evening.number)
                shown.append([other.bytes[-1] for other in others])
            for other in others:
                await other.leave()
            return shown[0], shown[1]

    (hidden, open_), (hidden_then, open_then) = asyncio.run(sent(0)), asyncio.run(sent(7))
    assert hidden == hidden_then
    assert open_[0] != open_then[0]
    assert open_[1] != open_then[1]


def test_it_has_no_line_about_phones(gops):
    face = type(find_face("gops"))
    assert face.phone_panels is Face.phone_panels
    assert face.phone_menu is Face.phone_menu
    sources = [path.read_text(encoding="utf-8") for path in (GOPS / "gops").glob("*.py")]
    assert not [text for text in sources if "phone" in text or "companion.web" in text]
