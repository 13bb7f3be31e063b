"""One table, four ways to say something: a phone as the centre, an iPhone by links, a pad with an RC522, a screen."""

import asyncio
from random import Random

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser

from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.reader import Reader
from companion.devices.simulated.tags import Ntag
from companion.gamekit.game import Thing
from companion.stations import pad
from companion.table.signals import LinkUp, Signal
from tests.web.browser import PagePhone, find_way, until
from tests.web.evening import PhonesTable, evening
from tests.web.test_reading import TOKEN, android, read_pieces, serial, uid_of

ANNA, BEN, CLEO, DORA = range(4)
FEWEST = 3
"""Players of Lascaux."""


def choose(table: PhonesTable, chance: Random, seat: int) -> Thing:
    """A marker that this player may choose now."""
    colours = [each["colour"] for each in table.legal() if each["do"] == "choose" and each["seat"] == seat]
    return Thing("marker", chance.choice(colours), seat)


async def round_of(table: PhonesTable, chance: Random, centre: PagePhone, iphone: PagePhone, lay) -> None:
    while table.evening.state.phase == "draw":
        before, card = len(table.evening.state.row), chance.choice(table.legal())["card"]
        table.now += 10
        await centre.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, Thing("card", card))))
        await until(lambda before=before: len(table.evening.state.row) > before or table.evening.state.phase != "draw")
    if table.over:
        return
    mine = choose(table, chance, ANNA)
    table.now += 10
    await centre.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, mine)))
    await until(lambda: table.evening.state.choices[ANNA] == mine.id)
    bens = choose(table, chance, BEN)
    session = table.referee.session
    session._seat_pads = replace(
        session._seat_pads, pack=replace(session._seat_pads.pack, tokens={uid_of(table, bens): TOKEN})
    )
    await iphone.page.goto("about:blank")
    table.now += 10
    await iphone.page.goto(f"{table.url}/t#{TOKEN}")
    await until(lambda: table.evening.state.choices[BEN] == bens.id)
    cleos = choose(table, chance, CLEO)
    await lay(cleos)
    await until(lambda: table.evening.state.choices[CLEO] == cleos.id)
    table.act("choose", seat=DORA, colour=choose(table, chance, DORA).id)
    while table.evening.state.phase == "bid":
        table.act(**chance.choice([each for each in table.legal() if each["do"] in ("pass", "stone")]))


def test_a_whole_game_is_played_with_a_phone_an_iphone_a_pad_and_a_screen(in_browser):
    async def play(browser: Browser) -> None:
        board, chance = Board(WallClock()), Random(5)
        chip = board.plug(Chip())
        with board.installed():
            async with evening("lascaux", 4, kit="full") as table:
                table.prepared()
                ready = asyncio.Event()

                def deliver(signal: Signal) -> None:
                    table.referee.hear(signal, table.now)
                    table.publish()
                    if isinstance(signal, LinkUp):
                        ready.set()

                reading = asyncio.create_task(Reader(pad(CLEO), lambda: Rc522(0, 0, 25)).run(deliver))
                await ready.wait()
                centre = await android(browser, table, ANNA)
                iphone = await PagePhone.scan(browser, table, BEN)
                await read_pieces(centre)
                await centre.page.get_by_role("button", name="This phone is the centre").click()
                await centre.sees("document.querySelectorAll('#reading [aria-pressed=true]').length === 1")

                async def lay(piece: Thing) -> None:
                    tag = Ntag(bytes.fromhex(uid_of(table, piece)))
                    chip.field.place(tag)
                    await until(lambda: table.evening.state.choices[CLEO] == piece.id)
                    chip.field.lift(tag)
                    await until(lambda: not table.referee.session._presence.at(pad(CLEO)))

                try:
                    while not table.over:
                        await round_of(table, chance, centre, iphone, lay)
                finally:
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)
                assert {each.how for each in table.evening.played_game.played} == {"tag", "screen"}
                assert centre.errors == iphone.errors == []

    in_browser(play)


async def turn_on_phones(table: PhonesTable, chance: Random, phones: list[PagePhone]) -> None:
    """One action: cards and markers are touched, stones are laid by a button."""
    state, entry = table.evening.state, table.evening.number
    table.now += 10
    if state.phase == "draw":
        piece, phone = Thing("card", chance.choice(table.legal())["card"]), phones[ANNA]
    elif state.phase == "choose":
        seat = next(seat for seat, chosen in enumerate(state.choices) if chosen is None)
        piece, phone = choose(table, chance, seat), phones[seat]
    else:
        seat = table.evening.game.awaiting(state).seats[0]
        await phones[seat].sees_newest()
        way = find_way(table, seat, chance, ("stone", "pass"))
        assert way is not None
        await phones[seat].press(way.steps, entry)
        await until(lambda: table.evening.number > entry)
        return
    await phone.page.evaluate("(tag) => touch(tag, '')", serial(uid_of(table, piece)))
    await until(lambda: table.evening.number > entry)


@pytest.mark.slow
def test_people_with_android_phones_and_a_stack_of_stickers_play_lascaux_with_nothing_else(in_browser):
    """Anna's phone is the centre; the referee hears nothing but phones."""

    async def play(browser: Browser) -> None:
        chance = Random(8)
        async with evening("lascaux", FEWEST) as table:
            table.prepared()
            phones = [await android(browser, table, seat) for seat in range(FEWEST)]
            for phone in phones:
                await read_pieces(phone)
            await phones[ANNA].page.get_by_role("button", name="This phone is the centre").click()
            await phones[ANNA].sees("document.querySelectorAll('#reading [aria-pressed=true]').length === 1")
            while not table.over:
                await turn_on_phones(table, chance, phones)
            for phone in phones:
                await phone.sees_newest()
                assert phone.errors == []
            assert {each.how for each in table.evening.played_game.played} == {"tag", "phone"}

    in_browser(play)
