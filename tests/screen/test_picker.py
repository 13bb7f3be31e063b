"""The picker: cards with space between them, a focus that nobody can miss, numbers that can be typed."""

import asyncio
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any

import msgspec
import pytest
from textual.geometry import Size

from companion.gamekit import discovery
from companion.gamekit.figure import figures_of
from companion.gamekit.screen import press_guard
from companion.gamekit.screen.block_art import raster
from companion.gamekit.screen.face import Choice, Menu, Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.screen.picker import ChoiceCard, Choices, drawn, fitting
from companion.gamekit.snapshot import Snapshot
from companion.screen.screens.table_screen import TableScreen
from companion.screen.widgets.button_bar import commands_now
from tests.ours import GAMES
from tests.screen.games import positions, seen
from tests.screen.table import LARGE, SMALL, Evening, choosing, evening, snapshot

WALL = (160, 45)
SIZES = (SMALL, LARGE, WALL)


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def numbered(*keys: str, refused: str = "") -> Menu:
    return Menu("Which?", [Choice(f"card {key}", key, key=key, large=key, refused=refused) for key in keys])


async def ask(tonight: Evening, menu: Menu) -> list[object]:
    """What was picked."""
    results: list[object] = []
    tonight.app.push_screen(Choices(lambda: menu), results.append)
    await tonight.pilot.pause()
    return results


# --- Numbers --------------------------------------------------------------------------------------------------

TRIBE = ("2", "9", "10", "11", "12", "13")


@pytest.mark.parametrize("number", TRIBE)
def test_a_number_reaches_its_card(number: str) -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            picked = await ask(tonight, numbered(*TRIBE))
            await tonight.press(*number)
            await tonight.until(lambda: picked == [number])

    play(story)


def test_a_number_that_could_still_grow_is_echoed_and_waits_for_enter() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            picked = await ask(tonight, numbered("1", *TRIBE))
            await tonight.press("1")
            assert " 1_ " in tonight.text()
            assert "Enter takes card 1" in tonight.text()
            await tonight.pilot.pause(0.3)
            assert picked == []
            await tonight.press("enter")
            assert picked == ["1"]

    play(story)


def test_a_number_that_is_on_no_card_enters_nothing_and_says_so() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            picked = await ask(tonight, numbered("1", *TRIBE))
            await tonight.press("1", "7")
            assert "There is no 17." in tonight.text()
            await tonight.press("enter", "1", "backspace")
            assert "_ " not in tonight.text()
            assert picked == []
            await tonight.press("1", "escape")
            assert isinstance(tonight.app.screen, Choices), "the first Esc takes the digit back"

    play(story)


def test_a_held_digit_is_no_number_of_two_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press_guard, "REPEAT_S", 0.7)

    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            menu = numbered("1", "11")
            picked: list[object] = []
            dialog = Choices(lambda: menu)
            dialog.calm = press_guard.Calm()
            tonight.app.push_screen(dialog, picked.append)
            await tonight.pilot.pause()
            await tonight.press(*["1"] * 9)
            await tonight.pilot.pause(0.3)
            assert picked == []
            assert isinstance(tonight.app.screen, Choices)

    play(story)


def test_arrows_move_the_focus_however_fast_they_are_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press_guard, "REPEAT_S", 0.7)
    monkeypatch.setattr(press_guard, "SETTLE_S", 0.4)

    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            menu = numbered(*TRIBE)
            dialog = Choices(lambda: menu)
            dialog.calm = press_guard.Calm()
            tonight.app.push_screen(dialog)
            await tonight.pilot.pause()
            await tonight.press("right", "right", "right")
            assert tonight.app.screen.focused is list(tonight.app.screen.query(ChoiceCard))[2]

    play(story)


def test_labels_below_figures_are_at_the_same_height_on_every_card() -> None:
    figures = figures_of("lascaux")
    rows = set()
    for name in ("square", "bar", "plus"):
        lines = drawn(Choice(name, 0, "#ffffff", "#000000", figure=name), Size(19, 5), figures).plain.split("\n")
        rows.add(next(row for row, line in enumerate(lines) if name in line))
    assert rows == {4}


# --- Focus and refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_the_focus_is_a_heavy_frame_around_the_card_and_nothing_else_moves(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(snapshot(), size) as tonight:
            await ask(tonight, numbered(*TRIBE))
            before = tonight.text().splitlines()
            await tonight.press("down", "right")
            cards = list(tonight.app.screen.query(ChoiceCard))
            assert tonight.app.screen.focused is cards[1]
            region = cards[1].region
            after = tonight.text().splitlines()
            changed = [
                (x, y)
                for y, (old, new) in enumerate(zip(before, after, strict=True))
                for x, (one, other) in enumerate(zip(old, new, strict=True))
                if one != other and region.contains(x, y)
            ]
            assert len(changed) >= 2 * (region.width + region.height) - 8, "the whole frame"
            assert all(x in (region.x, region.right - 1) or y in (region.y, region.bottom - 1) for x, y in changed)

    play(story)


def test_enter_takes_nothing_before_a_card_has_the_focus() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            picked = await ask(tonight, numbered(*TRIBE))
            await tonight.press("enter")
            assert picked == []
            await tonight.press("right", "enter")
            assert picked == ["2"]

    play(story)


def test_a_card_that_cannot_be_chosen_says_why_and_stays() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            picked = await ask(tonight, numbered(*TRIBE, refused="needs 2 suns, you have 1"))
            await tonight.press("right")
            assert "! needs 2 suns, you have 1" in tonight.text()
            await tonight.press("enter", "9")
            await tonight.click("card 13")
            assert picked == []
            assert isinstance(tonight.app.screen, Choices)

    play(story)


@pytest.mark.parametrize("size", SIZES)
def test_your_move_is_never_covered_and_every_card_is_in_sight(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(snapshot(), size) as tonight:
            rows = tonight.app.screen.query_one("#headline").region.bottom
            move = tonight.text().splitlines()[:rows]
            await ask(tonight, numbered(*TRIBE, "14", "15", "16", "17", "18", "19"))
            assert tonight.text().splitlines()[:rows] == move
            regions = [card.region for card in tonight.app.screen.query(ChoiceCard)]
            assert len({(region.x, region.y) for region in regions}) == 12
            assert all(region.y >= rows and region.bottom <= size[1] - 4 for region in regions)

    play(story)


# --- Cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 6, 11, 12, 18, 60])
@pytest.mark.parametrize(("width", "height"), [(63, 9), (97, 18), (157, 29)])
def test_cards_fit_side_by_side_and_are_as_large_as_the_room_allows(count: int, width: int, height: int) -> None:
    columns, size = fitting(count, width, height, 5)
    assert columns * size.width <= width
    assert size.height >= 5
    if ceil(count / columns) * size.height <= height:
        larger = [fitting(count, width + 40, height + 20, 5)[1]]
        assert all(each.width >= size.width and each.height >= size.height for each in larger)


@pytest.mark.parametrize("room", [Size(8, 1), Size(8, 3), Size(20, 6), Size(40, 13)])
def test_a_card_fills_its_room_exactly(room: Size) -> None:
    figures = figures_of("sioux")
    for choice in (
        Choice("crow", 1, "#000000", "#e7dcc3", figure="crow"),
        Choice("11", 1, large="11"),
        Choice("a label that is much too long for one row of a card", 1),
        Choice("own", 1, draw=lambda width, height: []),
    ):
        lines = drawn(choice, room, figures if choice.figure else None).split("\n")
        assert [line.cell_length for line in lines] == [room.width] * room.height


def test_a_figure_is_drawn_in_half_blocks_as_large_as_it_gets() -> None:
    for game in GAMES:
        figures = figures_of(game)
        for name in figures.files:
            pixels = raster(figures[name], 24, 16)
            assert len(pixels) <= 16
            assert len(pixels[0]) <= 24
            assert len(pixels) >= 15 or len(pixels[0]) >= 23, f"{game}: {name} is smaller than its room"
            assert sum(map(sum, pixels)) > 20, f"{game}: {name} is empty"


# --- Every game, also one without a face ----------------------------------------------------------------------


def sight_of(game: str, state: Any) -> Sight:
    """As it comes over the line."""
    shown = msgspec.json.decode(msgspec.json.encode(seen(game, state)), type=Snapshot)
    return Sight(shown, find_face(game))


@pytest.mark.parametrize("game", discovery.names())
def test_at_most_one_button_is_green_and_it_is_something_that_can_be_done(game: str) -> None:
    for state in positions(game, 3)[::5]:
        sight = sight_of(game, state)
        if not sight.over:
            assert sum(command.variant == "success" for command in commands_now(sight)) <= 1
            assert all(command.of(sight) for command in commands_now(sight))


def test_a_choice_is_never_a_raw_id() -> None:
    for game in GAMES:
        face = find_face(game)
        for state in positions(game, 4)[::9]:
            sight = sight_of(game, state)
            named = [action.get(key) for action in sight.actions for key in ("card", "tile")]
            ids = {each for each in named if isinstance(each, str)}
            for command in commands_now(sight):
                actions = command.of(sight)
                if len(actions) > 1 and face.dialog(sight, actions, lambda _action: None) is None:
                    labels = {str(choice.label) for choice in face.choices(sight, actions).choices}
                    assert not {label for label in labels & ids if not label.isdecimal() and "-" in label}


@pytest.mark.parametrize("size", SIZES)
def test_a_choice_leads_back_to_the_table(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(choosing(False, True, True), size) as tonight:
            await tonight.press("c", "enter", "right", "right", "enter")
            (act,) = await tonight.heard()
            assert act.action == {"do": "choose", "seat": 0, "colour": "yellow"}
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_menu_that_has_fewer_choices_in_the_next_language_shows_those() -> None:
    """What "More" offers depends on the game, which has gone on since it was opened."""

    async def story() -> None:
        async with evening(snapshot()) as tonight:
            names = ["first", "second", "third"]
            dialog = Choices(lambda: Menu("Which?", [Choice(name, name) for name in names]))
            results: list[object] = []
            tonight.app.push_screen(dialog, results.append)
            await tonight.pilot.pause()
            names.pop()
            await tonight.press("l")
            assert "second" in tonight.text()
            assert "third" not in tonight.text()
            await tonight.press("2")
            assert results == ["second"]

    play(story)
