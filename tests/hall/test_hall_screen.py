"""The hall's display in a terminal."""

import asyncio

from textual.widgets import DataTable, Static

from companion.hall.hall_screen import HallScreen
from companion.hall.hall_state import AnyEvent, NightOpened, RoundSeated, RoundStarted, SignedIn
from companion.hall.seating import SeatingReason
from tests.hall.live_halls import NOW, glance, live_club, ruling


def test_it_shows_all_tables_the_round_its_clock_the_standings_and_the_latest_ruling():
    async def scene() -> None:
        async with live_club(["one", "two"]) as club:
            await club.say("one", glance(1, ruling=ruling(1)))
            await club.say(
                "two", glance(2, phase="over", scores=(12, 7, 9), winners=(0,), turn=(), since=None), "offline"
            )
            await club.until(lambda: len([tile for tile in club.board.tiles.values() if tile.glance]) == 2)
            started: list[AnyEvent] = [
                NightOpened("lascaux"),
                SignedIn("Anna"),
                RoundSeated(1, {"one": ("Anna",)}),
                RoundStarted(NOW + 600),
            ]
            await club.hall.change(lambda _state: started)
            app = HallScreen(club.hall, club.board)
            async with app.run_test(size=(160, 40)) as pilot:
                table = app.query_one(DataTable)
                assert table.get_row("one")[:2] == ["one", "1:05"]
                assert table.get_row("one")[3:] == ["Ben: lay a stone or pass", "Lascaux"]
                assert "► Ben" in table.get_row("one")[2]
                assert "» Anna 12" in table.get_row("two")[2]
                assert "offline" in table.get_row("two")[3]
                assert "Round 1: Lascaux   10:00" in str(app.query_one("#head", Static).render())
                assert "Anna" in str(app.query_one("#places", Static).render())
                await club.say("one", glance(2, ruling=ruling(2)))
                await club.until(lambda: club.board.drama)
                app.redraw()
                assert "► Cleo" in table.get_row("one")[2]
                assert "Anna takes 2 cards" in str(app.query_one("#news", Static).render())
                await pilot.press("l")
                assert table.get_row("one")[3] == "Cleo: einen Stein legen oder passen"
                await pilot.press("t", "q")

    asyncio.run(scene())


def test_before_a_round_starts_it_shows_who_sits_where_and_how_phones_sign_in():
    async def scene() -> None:
        async with live_club(["2", "10"]) as club:
            for table in ("10", "2"):
                await club.say(table, glance(1))
            await club.until(lambda: len([tile for tile in club.board.tiles.values() if tile.glance]) == 2)
            reasons = {"2": SeatingReason("by lot")}
            seated: list[AnyEvent] = [
                NightOpened("lascaux"),
                *map(SignedIn, ("Anna", "Ben", "Cleo", "Dora")),
                RoundSeated(1, {"2": ("Anna", "Ben", "Cleo")}, ("Dora",), reasons),
            ]
            await club.hall.change(lambda _state: seated)
            app = HallScreen(club.hall, club.board, "http://192.0.2.7:8170/in/code")
            async with app.run_test(size=(100, 40)) as pilot:
                assert [app.query_one(DataTable).get_row_at(row)[0] for row in range(2)] == ["2", "10"]
                said = str(app.query_one("#seating", Static).render())
                assert "Table 2: Anna, Ben, Cleo. First round, drawn by lot." in said
                assert "Sitting out: Dora." in said
                assert "192.0.2.7:8170/in/code" in str(app.query_one("#link", Static).render())
                assert app.query_one("#code").region.height >= 13, "the whole code is to be seen"
                del club.board.tiles["10"]
                await club.hall.change(lambda _state: [RoundStarted(NOW + 600)])
                app.redraw()
                await pilot.pause()
                assert app.query_one(DataTable).row_count == 1
                assert not app.query_one("#seating").display

    asyncio.run(scene())


def test_without_a_broker_it_shows_the_night():
    async def scene() -> None:
        async with live_club() as club:
            app = HallScreen(club.hall, None)
            async with app.run_test(size=(100, 30)) as pilot:
                assert "Tuesdays" in str(app.query_one("#head", Static).render())
                assert app.query_one(DataTable).row_count == 0
                await pilot.press("q")

    asyncio.run(scene())
