"""That was the wrong card, or back to my last action: what people press, and what they read before they say yes."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from companion.gamekit.screen.dialog import Confirm
from companion.gamekit.screen.picker import Choices
from companion.screen.screens.handover import HandOver, Secret
from companion.screen.screens.question_dialogs import UndoQuestion
from companion.screen.screens.table_screen import TableScreen
from tests.referee.table import ALL_SIX, Table
from tests.screen.real import RealEvening, at_the_table
from tests.screen.table import LARGE, SMALL

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE])


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def table_of(folder: Path) -> Table:
    return Table(folder, kit="none")


def words(tonight: RealEvening) -> str:
    return " ".join(tonight.text().split())


@SIZES
def test_the_wrong_card_is_replaced_without_taking_anything_back(tmp_path: Path, size: tuple[int, int]) -> None:
    table = table_of(tmp_path)
    table.act("draw", card=ALL_SIX[0])

    async def story() -> None:
        async with at_the_table(table, size) as tonight:
            await tonight.press("w")
            assert "Which entry is wrong?" in words(tonight)
            assert "√ Anna draws aurochs brown/blue" in words(tonight)
            await tonight.press("1")
            assert "Instead of: Anna draws aurochs brown/blue" in words(tonight)
            await tonight.press("4", "1")
            await tonight.settle()
            assert isinstance(tonight.app.screen, TableScreen), "nothing has to be put back: the right card lies there"
            assert "Corrected, instead of: Anna draws aurochs brown/blue" in words(tonight)
            assert [card.animal for card in table.evening.state.row] == ["goat"]
            assert [entry.kind for entry in table.entries] == ["game", "action", "corrected"]

    play(story)


def test_the_question_about_an_undo_leads_there_too_and_escape_changes_nothing(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.act("draw", card=ALL_SIX[0])

    async def story() -> None:
        async with at_the_table(table) as tonight:
            await tonight.press("u")
            assert isinstance(tonight.app.screen, UndoQuestion)
            await tonight.click("Wrong card")
            assert isinstance(tonight.app.screen, Choices)
            await tonight.press("1", "escape")
            assert isinstance(tonight.app.screen, TableScreen)
            assert table.evening.number == 2

    play(story)


def test_what_something_rests_on_says_how_much_has_to_be_taken_back_and_names_it(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    for card in ALL_SIX:
        table.act("draw", card=card)
    for seat, colour in enumerate(("brown", "yellow", "green")):
        table.act("choose", seat=seat, colour=colour)
    for seat in (0, 1):
        table.act("pass", seat=seat)

    async def story() -> None:
        async with at_the_table(table, LARGE) as tonight:
            await tonight.press("escape", "w", "4", "4")
            assert "← undo 7: Anna draws" in words(tonight)
            await tonight.press("1")
            assert isinstance(tonight.app.screen, Confirm)
            assert "Undo it" in words(tonight)
            assert "Anna passes" in words(tonight)
            await tonight.press("n")
            assert table.seen.question is None

    play(story)


@SIZES
def test_back_to_my_last_action_is_one_step_and_names_all_of_it(tmp_path: Path, size: tuple[int, int]) -> None:
    table = table_of(tmp_path)
    for card in ALL_SIX:
        table.act("draw", card=card)
    for seat, colour in enumerate(("brown", "yellow", "green")):
        table.act("choose", seat=seat, colour=colour)
    for seat in (0, 1, 2):
        table.act("stone", seat=seat)

    async def story() -> None:
        async with at_the_table(table, size, persons=(0,)) as tonight:
            before = table.evening.number
            await tonight.press("u", "b")
            assert "Undo 3 actions?" in words(tonight)
            assert all(f"{name} lays a stone" in words(tonight) for name in ("Anna", "Ben", "Cleo"))
            await tonight.press("y")
            await tonight.settle()
            assert table.evening.number == before + 1
            assert table.seen.table.stones == (12, 12, 12)
            assert table.seen.awaiting.seats == (0,)
            assert "Put these pieces back" in words(tonight)

    play(story)


def test_a_secret_choice_is_said_again_by_its_owner_who_has_the_screen_alone(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    for card in ALL_SIX:
        table.act("draw", card=card)
    table.act("choose", seat=0, colour="brown")
    table.act("choose", seat=1, colour="yellow")

    async def story() -> None:
        async with at_the_table(table) as tonight:
            await tonight.press("w", "2")
            assert isinstance(tonight.app.screen, HandOver)
            assert "Hand the screen to Anna" in words(tonight)
            assert "brown" not in words(tonight).partition("Hand the screen")[2].partition("Not now")[0]
            await tonight.press("enter")
            await tonight.until(lambda: isinstance(tonight.app.screen, Secret))
            await tonight.press("5")
            await tonight.settle()
            assert table.evening.state.choices[0] not in ("brown", None)
            assert "Anna has corrected their choice" in words(tonight)

    play(story)


def test_when_the_table_changes_meanwhile_the_question_goes_and_nothing_was_done(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.act("draw", card=ALL_SIX[0])

    async def story() -> None:
        async with at_the_table(table) as tonight:
            await tonight.press("w", "1")
            table.act("draw", card=ALL_SIX[1])
            await tonight.see()
            assert isinstance(tonight.app.screen, TableScreen)
            assert table.evening.number == 3

    play(story)


@SIZES
def test_a_card_that_is_not_in_the_list_joins_the_box_without_leaving_the_game(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    table = table_of(tmp_path)

    async def story() -> None:
        async with at_the_table(table, size) as tonight:
            await tonight.press("escape", "d")
            await tonight.click("Not in this list")
            assert "Not in this list: what is it?" in words(tonight)
            await tonight.press("5")
            await tonight.click("yellow/pink")
            await tonight.settle()
            assert "The piece was added to the box" in words(tonight)
            assert "mammoth-yellow-pink" in {card.id for card in table.evening.setup.box.cards}
            await tonight.press("d", "0", "escape")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_with_readers_or_simulated_cards_a_list_has_no_such_way_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path, kit="full")) as tonight:
            await tonight.press("escape", "d")
            assert "Not in this list" not in words(tonight)

    play(story)
