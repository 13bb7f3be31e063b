"""The table of Darwinci on the screen: every action by key and by mouse, pictures that join, secrets kept."""

import asyncio
import re
from random import Random
from typing import Any

import pytest
from textual.content import Content

from companion.drawing import shows
from companion.gamekit.screen.dialog import Confirm
from companion.gamekit.snapshot import Told
from companion.games.darwinci.components import Tile
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import State
from companion.games.darwinci.screen.display_chart import Anatomy, Chart
from companion.games.darwinci.screen.line_choice import Scoring
from companion.games.darwinci.screen.tiles import LARGE as LARGE_TILE
from companion.games.darwinci.screen.tiles import MEDIUM, TileLook, drawn
from companion.games.darwinci.view import Built
from companion.screen.screens.handover import Secret
from companion.screen.screens.show_dialog import Show
from companion.screen.screens.table_screen import TableScreen
from tests.games.darwinci.screen.evening import (
    BID,
    BID_MORE,
    BOX,
    BUILD,
    BUY,
    LARGE,
    NAMES,
    OFFER,
    OVER,
    SECOND,
    SETUP,
    SMALL,
    Evening,
    Moment,
    at,
    elsewhere,
    evening,
    has_jewels,
    legal,
    may_discard,
    meanwhile,
    plain,
    play,
    played,
    say,
    seen,
    used,
)

SIZES = (SMALL, LARGE, (160, 45))
KINDS = ("tooth", "shell", "amber", "feather", "stone")


# --- Pictures -------------------------------------------------------------------------------------------------

END, STRAIGHT, CURVES = Tile("e", ("N",), 3, ("shell",)), Tile("s", ("NS",), -2), Tile("c", ("NE", "SW"))
TILES = {tile.id: tile for tile in (END, STRAIGHT, CURVES)}


def lines(block: list[Content]) -> list[str]:
    return [line.plain for line in block]


def test_bones_run_on_from_tile_to_tile_in_every_size() -> None:
    """An end, a straight and another end, from left to right."""
    row = (Built("e", 0, 0, 90), Built("s", 1, 0, 90), Built("e", 2, 0, 270))
    anatomy = Anatomy(row, TILES)
    assert lines(Chart(anatomy, LARGE_TILE, KINDS).drawn())[1].strip() == "█" * 18
    assert lines(Chart(anatomy, MEDIUM, KINDS).drawn())[1].strip() == "o" + "━" * 13 + "o"
    assert [(body.closed, body.creature.points) for body in anatomy.bodies] == [(True, 6)]


def test_a_tile_shows_its_value_and_its_jewellery() -> None:
    picture = lines(drawn(TileLook(END), LARGE_TILE, KINDS))
    assert picture[0].startswith("3")
    assert picture[0].endswith("∩")
    assert lines(drawn(TileLook(STRAIGHT), MEDIUM, KINDS))[0].startswith("−2 ┃")


def test_two_bones_on_a_tile_do_not_touch() -> None:
    assert lines(drawn(TileLook(CURVES), LARGE_TILE, ())) == ["   ▀█   ", "██▄▄▀▀██", "   █▄   "]
    assert lines(drawn(TileLook(CURVES), MEDIUM, ())) == ["   ┗┓  ", "━━━┓┗━━"]


def test_open_ends_dead_ends_and_joints_have_signs() -> None:
    built = (Built("s", 0, 0, 0), Built("s", 1, 0, 90))
    marks = Anatomy(built, TILES).looks[1, 0].marks
    assert {edge: mark.sign for edge, mark in marks.items()} == {1: "→", 3: "!"}
    ghost = Anatomy(built, TILES, Built("e", 0, 1, 0))
    assert ghost.joints == 1
    assert ghost.looks[0, 1].marks[0].sign == "∞"


# --- Everything essential is in sight -------------------------------------------------------------------------

ESSENTIAL: list[tuple[Moment, tuple[str, ...]]] = [
    (SETUP, ("build a first tile", "b Build")),
    (BUY, ("3 Darwin, or keep", "y Buy", "k Keep")),
    (OFFER, ("Offer a tile, face down", "?", "o Offer")),
    (BID_MORE, ("second bidding round", "s Stones")),
    (BUILD, (": build ", "b Build")),
    (has_jewels, ("score jewellery, or nothing", "j Jewellery", "x Nothing")),
]


def test_everything_essential_is_in_sight_in_every_phase() -> None:
    async def story() -> None:
        chance = Random(5)
        async with evening((), NAMES) as tonight:
            for moment, words in ESSENTIAL:
                await meanwhile(tonight, moment, chance)
                await _all_in_sight(tonight, (*words, *NAMES))
        async with evening(played(may_discard, 3, 5)) as tonight:
            await _all_in_sight(tonight, ("discard", "d Discard", *NAMES[:3]))

    play(story)


async def _all_in_sight(tonight: Evening, words: tuple[str, ...]) -> None:
    money = [str(darwin).replace("-", "−") for darwin in tonight.state.money]
    for size in SIZES:
        await tonight.pilot.resize_terminal(*size)
        await tonight.pilot.pause()
        text = tonight.text()
        for word in (*words, *"●■▲", *money, "stand-in box", "u Undo", "m More"):
            assert word in text, word
        assert tonight.app.screen.query_one("#talk").region.height >= 2, "a complaint has two rows"
        assert max(len(line) for line in text.splitlines()) <= size[0]


def test_the_stones_on_the_tiles_are_shown_by_colour() -> None:
    async def story() -> None:
        async with evening(played(at("bid", 2, bidding=3), 5), NAMES) as tonight:
            text = tonight.text()
            for on in tonight.state.on:
                for colour, count in enumerate(on):
                    assert not count or f"{'●■▲◆▬'[colour]}{count}" in text

    play(story)


def test_the_result_has_a_row_for_each_kind_of_points() -> None:
    async def story() -> None:
        async with evening(played(OVER)) as tonight:
            text = tonight.text()
            rows = {line.split("  ")[0].strip(): line for line in text.splitlines()}
            assert {"at the start", "minus tiles", "Darwin"} <= rows.keys()
            totals = [str(score.total) for score in GAME.scores(tonight.state)]
            assert rows["Darwin"].split()[1:] == totals

    play(story)


# --- Every action by key --------------------------------------------------------------------------------------


def test_D19_a_tile_is_discarded_by_key() -> None:
    async def story() -> None:
        async with evening(played(may_discard, 3, 5)) as tonight:
            await say(tonight, legal(tonight, "discard")[-1])

    play(story)


def test_D15_with_the_option_a_part_of_a_line_is_scored() -> None:
    async def story() -> None:
        deeds = played(has_jewels, 3, 1, run="part")
        async with evening(deeds, options={"run": "part"}) as tonight:
            await say(tonight, next(action for action in legal(tonight, "jewels") if "from" in action))

    play(story)


def test_D15_who_would_be_paid_nothing_is_warned_first() -> None:
    async def story() -> None:
        async with evening(played(_has_bad_line, 3, 1)) as tonight:
            await tonight.press("j", *["pagedown"] * 9, "enter")
            assert isinstance(tonight.app.screen, Confirm)
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, Scoring)
            await tonight.press("enter", "y")
            (posted,) = await tonight.heard()
            assert posted["do"] == "jewels"
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_D15_a_line_that_brings_nothing_is_warned_of_as_well() -> None:
    async def story() -> None:
        async with evening(played(has_jewels, 3, 1)) as tonight:
            await tonight.press("j")
            dialog = tonight.app.screen
            assert isinstance(dialog, Scoring)
            _worth, action = dialog._lines[dialog._at]
            dialog._lines, dialog._at = [((2, 0), action)], 0
            dialog.action_score()
            await tonight.settle()
            assert isinstance(tonight.app.screen, Confirm)

    play(story)


def _has_bad_line(state: State) -> bool:
    if not has_jewels(state):
        return False
    values = {placed.tile: state.tiles[placed.tile].value or 0 for placed in state.built[state.turn]}
    lonely = [tile for tile, value in values.items() if value <= 0 and state.tiles[tile].jewels]
    alone = [each for each in state.built[state.turn] if each.tile in lonely and _alone(state, each)]
    return bool(alone)


def _alone(state: State, placed: Built) -> bool:
    return not any(other.y == placed.y and abs(other.x - placed.x) == 1 for other in state.built[state.turn])


# --- Settling -------------------------------------------------------------------------------------------------


def test_D8_the_settlement_is_told_tile_by_tile_and_stone_by_stone() -> None:
    async def story() -> None:
        async with evening(played(_last_bid)) as tonight:
            await tonight.do(plain(GAME.legal(tonight.state)[0]))
            assert isinstance(tonight.app.screen, Show)
            told = tonight.app.screen._highlight.lines
            assert {"D8", "D10"} <= {line.rule for line in told}
            steps = tonight.app.screen._steps
            assert len(steps) == len(told), "each tile and each colour of its stones is a step"
            moved = [line for line in told if line.what == "stones go"]
            signs = steps[-1].words.plain
            assert all(f"{'●■▲'[line.facts['owner']]}{line.facts['stones']} →" in signs for line in moved)
            on_the_tile = [_stones(step.picture.plain) for step in steps]
            for number, line in enumerate(told):
                if line.what == "stones go":
                    assert on_the_tile[number - 1] - on_the_tile[number] == line.facts["stones"]
            await tonight.press(*["space"] * len(steps))
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))

    play(story)


def _stones(picture: str) -> int:
    """How many stones are drawn below a tile."""
    return sum(int(count) for count in re.findall(r"[●■▲](\d+)", picture.splitlines()[-1]))


def test_D14_a_creature_closes_tile_by_tile() -> None:
    facts = {"seat": 1, "bones_in_order": ("t1 × 1", "t2 × 1"), "size": 2, "ends": 2, "points": 4}

    async def story() -> None:
        async with evening(played(OFFER)) as tonight:
            box = tonight.state.tiles
            ids = tuple(box)[:2]
            closed = Told(
                9,
                "accepted",
                "closes a creature",
                "D14",
                facts | {"bones_in_order": tuple(f"{tile} × 1" for tile in ids)},
                entry=9,
            )
            assert tonight.app.conversation is not None
            sight = tonight.app.conversation.screen._sight
            assert sight is not None
            steps = shows.show_steps(sight, shows.Highlight((closed,)), 62, False)
            assert [step.words.plain.splitlines()[-1] for step in steps][:2] == [
                f"{NAMES[1]}  1 tile × 1 end piece",
                f"{NAMES[1]}  2 tiles × 2 end pieces",
            ]
            assert "2 tiles × 2 end pieces = 4 Darwin" in steps[2].words.plain
            assert steps[2].big[0] == f"{NAMES[1]} +4"

    play(story)


def _last_bid(state: State) -> bool:
    return state.bidding == 3 and (state.turn + 1) % len(state.seats) == state.start


# --- Secrets and strangers ------------------------------------------------------------------------------------


def test_D21_two_tables_that_differ_only_in_what_is_offered_look_alike() -> None:
    seen = []

    async def story(tile: str) -> None:
        async with evening(played(OFFER)) as tonight:
            await tonight.do({"do": "offer", "seat": 1, "tile": tile})
            looks = [tonight.painted()]
            await tonight.press("h")
            looks.append(tonight.painted())
            await tonight.press("escape", "o", "space")
            looks.append(tonight.painted())
            seen.append(looks)

    free = [tile.id for tile in BOX.tiles if tile.id not in used(OFFER)]
    asyncio.run(story(free[0]))
    asyncio.run(story(free[-1]))
    assert seen[0] == seen[1]


def test_only_one_person_needs_no_handing_over_and_acts_for_no_other_player() -> None:
    async def story() -> None:
        async with evening(played(OFFER), simulated=(1, 2)) as tonight:
            await tonight.press("o")
            assert isinstance(tonight.app.screen, Secret)
            await tonight.press("1", "2")
            assert (await tonight.heard())[-1]["seat"] == 0
        async with evening(played(BUY), simulated=(0, 1, 2)) as tonight:
            await tonight.press("y", "k")
            assert tonight.process.heard == []

    play(story)


def test_hostile_names_are_harmless_everywhere() -> None:
    async def story() -> None:
        names = ("[/b]", "[@click=app.bell]x[/]", "a\x1b[31mb", "\u202eevil{name}", "漢字漢字漢字漢字")
        async with evening((), names) as tonight:
            for moment, keys in ((SETUP, "b"), (OFFER, "o"), (BID, "s123"), (BUILD, "b"), (has_jewels, "j")):
                await meanwhile(tonight, moment, Random(1))
                await tonight.press(*keys, "l")
                assert "\x1b" not in tonight.text()
                assert "\u202e" not in tonight.text()
                await tonight.press("escape", "escape")

    play(story)


# --- German ---------------------------------------------------------------------------------------------------

ENGLISH = re.compile(
    r"\b(the|and|stones|tile|tiles|build|builds|bid|bids|buy|keep|offer|round|stacks|curve|straight|row|value|turn|score)\b",
    re.IGNORECASE,
)


GERMAN: list[tuple[Moment, tuple[str, ...], str]] = [
    (SETUP, ("b",), "Welches Knochenteil baust du ein?"),
    (SECOND, ("b", "2", "1", "enter"), "baut ein: Gerade"),
    (BUY, (), "für 3 Darwin zwei neue Teile"),
    (OFFER, ("o", "space"), "nur für deine Augen"),
    (BID, ("s",), "nach Wunsch 1 eigenen"),
    (BID_MORE, (), "zweite Bietrunde, bis zu"),
    (BUILD, ("b",), "Knochen pass"),
    (has_jewels, ("j",), "welcher Schmuck, in welcher Reihe?"),
    (may_discard, ("d",), "Welches Knochenteil legst du ab?"),
    (OVER, (), "Minuswerte"),
]


def test_everything_is_german() -> None:
    async def story() -> None:
        chance = Random(5)
        async with evening(language="de") as tonight:
            for moment, keys, words in GERMAN:
                await meanwhile(tonight, moment, chance)
                await tonight.press(*keys)
                assert words in " ".join(tonight.text().split())
                assert ENGLISH.findall(tonight.text()) == []
                await tonight.press("escape", "escape")

    play(story)


def test_the_help_tells_the_rules() -> None:
    async def story() -> None:
        async with evening(language="de") as tonight:
            await tonight.press("f1", *["pagedown"] * 20)
            assert "docs/rules/darwinci.de.md" in tonight.text()

    play(story)


# --- A whole game ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_is_played_from_its_first_to_its_last_action_by_keys() -> None:
    """The set-up, the first round and the end on the screen; what lies between is played at another one."""
    said: set[str] = set()

    async def story() -> None:
        chance = Random(7)
        async with evening() as tonight:
            while tonight.state.round == 1:
                said.add(await _something(tonight, chance))
            while max(map(len, tonight.state.built)) < 11 or tonight.state.phase != "build":
                legal_now = GAME.legal(tonight.state)
                elsewhere(tonight, plain(legal_now[chance.randrange(len(legal_now))]))
            await tonight.settle()
            await seen(tonight)
            while tonight.state.phase != "over":
                said.add(await _something(tonight, chance))
            assert "Darwin" in tonight.text()
            assert tonight.process.snapshot.winners == GAME.winners(tonight.state)

    play(story)
    assert said >= {"build", "buy", "keep", "offer", "bid", "jewels", "skip"}


async def _something(tonight: Evening, chance: Random) -> str:
    """Any legal action of those who are asked, in the order in which the screen is handed over."""
    actions: list[Any] = list(GAME.legal(tonight.state))
    seat = min(action.seat for action in actions)
    deed = plain(chance.choice([action for action in actions if action.seat == seat]))
    await say(tonight, deed)
    return str(deed["do"])
