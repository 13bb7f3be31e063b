"""The dialogs of Darwinci: every action by mouse, previews, filters, and how they close."""

from random import Random
from typing import Any, cast

from textual.events import Key
from textual.geometry import Offset

from companion.gamekit.screen.controls import Picture
from companion.gamekit.screen.picker import ChoiceCard, Choices
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import State
from companion.games.darwinci.screen.bid_dialog import Bidding
from companion.games.darwinci.screen.build_dialog import Building
from companion.games.darwinci.screen.line_choice import Scoring
from companion.screen.screens.table_screen import TableScreen
from companion.table.signals import Pressed
from tests.games.darwinci.screen.evening import (
    BID,
    BID_MORE,
    BOX,
    BUILD,
    BUY,
    OFFER,
    SECOND,
    SETUP,
    Evening,
    evening,
    has_jewels,
    legal,
    may_discard,
    meanwhile,
    pick_tile,
    plain,
    play,
    played,
    used,
)


async def touch(tonight: Evening, picture: Picture, x: int, y: int) -> None:
    assert await tonight.pilot.click(picture, offset=Offset(x, y))
    await tonight.pilot.pause()


# --- Every action by mouse ------------------------------------------------------------------------------------


def test_buying_keeping_and_skipping_by_mouse() -> None:
    async def story() -> None:
        async with evening(played(BUY)) as tonight:
            await tonight.click("Buy")
            assert (await tonight.heard(1))[-1]["do"] == "buy"
            await tonight.click("Keep")
            assert (await tonight.heard(2))[-1]["do"] == "keep"
        async with evening(played(has_jewels)) as tonight:
            await tonight.click("Nothing")
            assert (await tonight.heard(1))[-1]["do"] == "skip"

    play(story)


KNOWN = {tile.id: tile for tile in BOX.tiles}


async def touch_card(tonight: Evening, number: int) -> None:
    """The card that has this place."""
    await tonight.pilot.click(tonight.app.screen.query(ChoiceCard)[number - 1])
    await tonight.settle()


def test_a_tile_is_picked_placed_turned_and_built_by_mouse() -> None:
    async def story() -> None:
        async with evening(played(SECOND)) as tonight:
            await tonight.click("Build")
            await touch_card(tonight, 3)
            await touch_card(tonight, 2)
            dialog = tonight.app.screen
            assert isinstance(dialog, Building)
            picture = dialog.query_one(Picture)
            chart = dialog._chart
            assert chart is not None
            places = [(x, y) for y in range(picture.region.height) for x in range(picture.region.width)]
            x, y = next(place for place in reversed(places) if chart.place(*place) in dialog._places(dialog._tile))
            wanted = chart.place(x, y)
            await touch(tonight, picture, x, y)
            await touch(tonight, picture, x, y)
            await tonight.click("Turn")
            await tonight.click("Enter Build")
            (posted,) = await tonight.heard()
            curves = [tile.id for tile in BOX.tiles if tile.id.startswith("curve") and tile.id not in used(SECOND)]
            curves.sort(key=lambda tile: (KNOWN[tile].value is None, KNOWN[tile].value or 0))
            assert posted == {"do": "build", "seat": 0, "tile": curves[1], "x": wanted[0], "y": wanted[1], "turn": 180}

    play(story)


def test_a_bid_is_put_together_and_taken_back_by_mouse() -> None:
    async def story() -> None:
        async with evening(played(BID_MORE)) as tonight:
            state: State = tonight.state
            seat, colour = state.turn, next(n for n, count in enumerate(state.stones[state.turn]) if count)
            await tonight.click("Stones")
            dialog = tonight.app.screen
            assert isinstance(dialog, Bidding)
            offers = dialog.query_one("#offers", Picture)
            width = offers.region.width // 3
            sign = f"{'●■▲'[colour]}{state.stones[seat][colour]}"
            await touch(tonight, offers, 2 * width + 2, 2)
            await tonight.click(sign)
            assert "→ Cleo's tile" in tonight.text()
            await tonight.click("Take back")
            assert "nothing yet" in tonight.text()
            await touch(tonight, offers, 2, 2)
            await tonight.click(sign)
            await tonight.click("Lay 1 stone")
            (posted,) = await tonight.heard()
            assert posted == {"do": "bid", "seat": seat, "stones": [{"on": 0, "colour": colour, "count": 1}]}

    play(story)


def test_a_tile_is_offered_by_mouse_after_the_screen_was_handed_over() -> None:
    async def story() -> None:
        async with evening(played(OFFER)) as tonight:
            await tonight.click("Offer")
            await tonight.click("I am Anna")
            await touch_card(tonight, 1)
            dialog = tonight.app.screen
            assert isinstance(dialog, Choices)
            tile = dialog._menu.choices[0].value["tile"]
            await touch_card(tonight, 1)
            (posted,) = await tonight.heard()
            assert posted == {"do": "offer", "seat": 0, "tile": tile}
            assert "Hand the screen to Benedikta" in tonight.text()

    play(story)


def test_a_jewellery_line_is_scored_by_mouse() -> None:
    async def story() -> None:
        async with evening(played(has_jewels, 3, 3)) as tonight:
            await tonight.click("Jewellery")
            dialog = tonight.app.screen
            assert isinstance(dialog, Scoring)
            await touch(tonight, dialog.query_one("#lines", Picture), 5, 0)
            best = dialog._lines[0][1]
            await tonight.click("Score")
            assert (await tonight.heard())[-1] == best

    play(story)


def test_D19_a_tile_is_discarded_by_mouse_and_while_building() -> None:
    async def story() -> None:
        async with evening(played(may_discard, 3, 5)) as tonight:
            possible = legal(tonight, "discard")
            await tonight.click("Discard")
            await touch_card(tonight, 1)
            assert (await tonight.heard(1))[-1] in possible
        async with evening(played(may_discard, 3, 5)) as tonight:
            await tonight.press("b")
            dialog = tonight.app.screen
            assert isinstance(dialog, Building)
            tile = dialog._tile
            await tonight.click("Discard")
            assert (await tonight.heard(1))[-1]["tile"] == tile

    play(story)


# --- Dialogs --------------------------------------------------------------------------------------------------


def test_esc_changes_nothing_and_a_dialog_closes_when_the_action_was_said_elsewhere() -> None:
    async def story() -> None:
        async with evening() as tonight:
            for moment, key in ((SETUP, "b"), (OFFER, "o"), (BID, "s"), (BUILD, "b"), (has_jewels, "j")):
                await meanwhile(tonight, moment, Random(1))
                await tonight.press(key, "l", "l", "escape")
                assert isinstance(tonight.app.screen, TableScreen)
                await tonight.press(key)
                assert not isinstance(tonight.app.screen, TableScreen)
                await tonight.do(plain(GAME.legal(tonight.state)[0]))
                await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))
            assert tonight.process.heard == []

    play(story)


def test_the_preview_tells_what_would_join_and_what_it_would_bring() -> None:
    async def story() -> None:
        deeds = [{"do": "build", "seat": 0, "tile": "end-3", "x": 0, "y": 0, "turn": 90}]
        async with evening(deeds) as tonight:
            await tonight.press("b")
            await pick_tile(tonight, "end-2")
            await tonight.until(lambda: "0 bones join" in tonight.text())
            await tonight.press("right", "r", "r", "r")
            text = tonight.text()
            for words in ("1 bone joins", "2 × 2 = 4 Darwin", "costs 1 Darwin", "12 Darwin"):
                assert words in text

    play(story)


def test_tiles_are_filtered_by_their_words() -> None:
    async def story() -> None:
        async with evening() as tonight:
            await tonight.press("b", "1", "slash", *"tooth")
            dialog = tonight.app.screen
            shown = [card._choice().words for card in dialog.query(ChoiceCard) if card.display]
            assert shown
            assert all("tooth" in words for words in shown)
            assert "Filter: tooth_" in tonight.text()
            assert dialog.focused is next(card for card in dialog.query(ChoiceCard) if card.display)
            dialog.post_message(Key("ctrl+a", "\x01"))
            await tonight.press("tab")
            assert "Filter: tooth_" in tonight.text(), "keys without a letter say nothing"
            assert [card for card in dialog.query(ChoiceCard) if card.display]
            await tonight.press(*"xx")
            assert not [card for card in dialog.query(ChoiceCard) if card.display]
            await tonight.press("escape")
            assert all(card.display for card in dialog.query(ChoiceCard))
            await tonight.press("pagedown", "down", "up", "pageup", "left")
            assert isinstance(tonight.app.screen, Choices)

    play(story)


def test_half_a_bid_and_half_a_building_that_hands_have_said_are_seen() -> None:
    async def story() -> None:
        async with evening(played(BID_MORE)) as tonight:
            seat = tonight.state.turn
            before = tonight.painted()
            tonight.process.deliver(Pressed(f"pad{seat}", 0, "green"))
            await tonight.settle()
            assert tonight.painted() != before
            await tonight.press("s")
            assert "┏━ " in tonight.text()
            assert len(cast("Any", tonight.app.screen)._stones) == 1
        async with evening(played(BUILD)) as tonight:
            seat = tonight.state.turn
            before = tonight.painted()
            tonight.process.deliver(Pressed(f"pad{seat}", 0, "green"))
            await tonight.settle()
            assert tonight.painted() != before

    play(story)
