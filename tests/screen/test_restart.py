"""After a restart: persons look the table over before the game goes on, and nothing secret is in the list."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from companion.drawing.dialog_texts import pages, things_words
from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Lying
from companion.home.box_files import find_box
from companion.messages.intentions import LookedOver
from companion.referee.referee import Referee
from companion.screen.screens.layout_dialogs import RestartDialog
from companion.screen.screens.table_screen import TableScreen
from tests.ours import GAMES
from tests.referee.table import Table
from tests.screen.games import positions, seen
from tests.screen.table import LARGE, SMALL, evening


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def resumed(table: Table, simulated: tuple[int, ...] = (1, 2)) -> Referee:
    table.simulate(*simulated)
    return Referee(table.journal, table.evening, table.seat_pads, resumed=True)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_table_is_gone_through_place_by_place_and_then_the_game_goes_on(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def story() -> None:
        referee = resumed(Table(tmp_path).to_bidding())
        async with evening(referee.snapshot(), size) as tonight:
            assert isinstance(tonight.app.screen, RestartDialog)
            for words in ("The middle of the table: is this right? (1/4)", "deck: 51 cards", "row: aurochs brown/blue"):
                assert words in " ".join(tonight.text().split())
            for number, name in enumerate(("Anna", "Ben", "Cleo"), 2):
                await tonight.press("enter")
                for words in (f"{name}: is this right? ({number}/4)", f"{name}'s stones: ", f"in front of {name}: "):
                    assert words in tonight.text()
            await tonight.press("l")
            assert "Cleo: Stimmt das so? (4/4)" in tonight.text()
            await tonight.press("l", "enter")
            (told,) = await tonight.heard()
            assert isinstance(told, LookedOver)
            assert referee.heed(told, 0.0).kind == "noted"
            assert referee.snapshot().layout == ()
            await tonight.show(referee.snapshot())
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_player_who_looked_on_another_screen_has_looked_for_all(tmp_path: Path) -> None:
    async def story() -> None:
        referee = resumed(Table(tmp_path).to_bidding())
        async with evening(referee.snapshot()) as tonight:
            referee.heed(LookedOver("elsewhere"), 0.0)
            await tonight.show(referee.snapshot())
            assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.referee.heard == []

    play(story)


def test_who_only_watches_is_not_asked(tmp_path: Path) -> None:
    async def story() -> None:
        referee = resumed(Table(tmp_path).to_bidding())
        async with evening(referee.snapshot(), watch=True) as tonight:
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_table_that_has_just_been_set_or_has_no_persons_is_not_looked_over(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert resumed(table).snapshot().layout == ()
    assert table.to_bidding().referee.snapshot().layout == ()
    assert resumed(table, (0, 1, 2)).snapshot().layout == ()
    assert resumed(table).snapshot().layout != ()


def test_a_player_who_plays_on_has_looked(tmp_path: Path) -> None:
    table = Table(tmp_path).to_bidding()
    table.referee = resumed(table)
    assert table.act("stone", seat=1).kind == "refused"
    assert table.seen.layout != ()
    assert table.act("stone", seat=0).kind == "accepted"
    assert table.seen.layout == ()


# --- What is in the list --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_the_list_is_made_of_what_every_player_sees_and_names_no_piece_twice(name: str, seed: int) -> None:
    game = discovery.find(name)
    assert game.layout is not None
    known = set(game.pieces(find_box(game).box))
    for state in positions(name, seed):
        lying = game.layout(game.view(state))
        places = [thing for (thing, _place), count in lying.items() if count > 0 and thing.id and thing in known]
        assert len(places) == len(set(places))


def test_L20_secret_supplies_are_not_in_the_list() -> None:
    game = discovery.find("lascaux")
    assert game.layout is not None
    for state in positions("lascaux", 1, stones="secret"):
        lying = game.layout(game.view(state))
        kept = [place for (thing, place), count in lying.items() if thing == Thing("stone") and count > 0]
        assert state.phase == "over" or {place.kind for place in kept} <= {"pot"}


@pytest.mark.parametrize("name", GAMES)
def test_every_place_and_every_piece_in_the_list_has_words(name: str) -> None:
    game, looks = discovery.find(name), find_face(name)
    assert game.layout is not None
    assert looks is not None
    for state in positions(name, 2)[::10]:
        lying = game.layout(game.view(state))
        layout = tuple(Lying(thing, count, place) for (thing, place), count in lying.items() if count > 0)
        shown = seen(name, state, layout=layout)
        sight = Sight(shown, looks)
        for page in pages(shown.layout):
            assert len({lying.place.seat for lying in page}) == 1
            for piece in page:
                assert not re.fullmatch(r"\d+ pieces?", things_words(piece, sight))
                assert looks.place(piece.place, sight) != piece.place.kind or piece.place.kind in _SAME


_SAME = {"deck", "row", "pot", "pile", "bank", "laid out", "stack"}
"""Places that are called what they are."""
