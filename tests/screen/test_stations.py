"""Readers and lamps are always in sight, small: ready, being connected, lost, by hand; and what a lamp says."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

import pytest

from companion.gamekit.screen.face import LAMPS
from companion.language.screen_language import load
from companion.stations import CENTRE
from companion.table.effects import Pattern
from companion.table.signals import Connecting, LinkDown, LinkUp, Missed, ReaderFault, TagsUnclear
from tests.ours import GAMES
from tests.referee.table import Table
from tests.screen.games import positions, seen
from tests.screen.real import RealEvening, at_the_table
from tests.screen.table import LARGE, SMALL, evening, snapshot

LIGHTS = {"centre": "off", "pad0": "turn", "pad1": "done", "pad2": "lost"}


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def foot(tonight: RealEvening) -> str:
    """The line above the buttons."""
    return " ".join(tonight.text().splitlines()[-4].split())


# --- Readers --------------------------------------------------------------------------------------------------


def test_a_reader_is_connecting_then_ready_then_lost_then_played_by_hand_then_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding()) as tonight:
            table = tonight.table
            for station in (CENTRE, "pad0", "pad1"):
                table.hear(Connecting(station, table.now_ms))
            await tonight.see()
            assert foot(tonight).startswith("… centre: connecting … Anna's pad: connecting … Ben's pad")
            for station in (CENTRE, "pad0", "pad1"):
                table.hear(LinkUp(station, table.now_ms))
            await tonight.see()
            assert foot(tonight).startswith("3 readers")
            table.hear(ReaderFault("pad0", table.now_ms, "no answer"))
            await tonight.see()
            assert foot(tonight).startswith("! Anna's pad: lost 2 readers")
            await tonight.press("s")
            await tonight.settle()
            assert foot(tonight).startswith("Anna's pad: on screen 2 readers")
            await tonight.press("l")
            assert foot(tonight).startswith("Annas Pad: am Bildschirm 2 Lesegeräte")
            table.hear(LinkUp("pad0", table.now_ms))
            await tonight.see()
            assert foot(tonight).startswith("3 Lesegeräte")

    play(story)


def test_pads_that_are_lost_for_one_reason_are_counted_and_the_centre_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding()) as tonight:
            table = tonight.table
            for station in (CENTRE, "pad0", "pad1"):
                table.hear(LinkUp(station, table.now_ms))
            for station in (CENTRE, "pad0", "pad1"):
                table.hear(ReaderFault(station, table.now_ms, "no answer"))
            await tonight.see()
            assert foot(tonight).startswith("! 2 pads: lost ! centre: lost")

    play(story)


def test_what_others_say_on_the_screen_is_not_said_for_a_pad_that_is_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding()) as tonight:
            tonight.table.hear(LinkDown("pad1", tonight.table.now_ms, "unplugged"))
            await tonight.press("s")  # Anna's stone; Ben's pad is lost
            await tonight.settle()
            assert foot(tonight).startswith("! Ben's pad: lost")
            await tonight.press("s")
            await tonight.settle()
            assert foot(tonight).startswith("Ben's pad: on screen")

    play(story)


def test_the_centre_is_played_by_hand_no_matter_who_acts(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path, kit="one").to_bidding()) as tonight:
            await tonight.press("s")
            tonight.table.hear(LinkDown(CENTRE, tonight.table.now_ms, "unplugged"))
            await tonight.settle()
            assert foot(tonight).startswith("! centre: lost"), "what was said before does not count"
            await tonight.press("s")
            await tonight.settle()
            assert foot(tonight).startswith("centre: on screen")

    play(story)


def test_what_is_wrong_with_a_reader_is_said_in_the_language_of_the_screen(tmp_path: Path) -> None:
    problems = ("unplugged", "the chip answers 0x00")
    german = tuple(map(load("de").text, problems))
    assert not set(german) & set(problems)

    def read(tonight: RealEvening) -> str:
        return " ".join(tonight.text().split())

    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(), LARGE, language="de") as tonight:
            table = tonight.table
            table.hear(LinkDown("pad1", table.now_ms, problems[0]))
            table.hear(ReaderFault(CENTRE, table.now_ms, problems[1]))
            await tonight.see()
            assert all(words in read(tonight) for words in german)
            assert not any(words in read(tonight) for words in problems)
            await tonight.press("l")
            assert all(words in read(tonight) for words in problems)

    play(story)


def test_what_a_reader_cannot_tell_is_answered_with_what_to_do(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(), LARGE) as tonight:
            table = tonight.table
            table.hear(TagsUnclear("pad0", table.now_ms))
            await tonight.see()
            assert tonight.text().count("Lay them down one by one") == 2, "in the notice and in the history"
            table.hear(Missed("pad1", table.now_ms))
            await tonight.see()
            assert tonight.text().count("Please repeat it") == 2

    play(story)


# --- Lamps ----------------------------------------------------------------------------------------------------


def test_every_pattern_but_off_has_a_sign_of_its_own() -> None:
    assert set(LAMPS) == set(get_args(Pattern)) - {"off"}
    assert len({sign for sign, _style in LAMPS.values()}) == len(LAMPS)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("game", GAMES)
def test_a_lamp_is_shown_behind_its_name_only_where_there_are_lamps(game: str, size: tuple[int, int]) -> None:
    async def story() -> None:
        state = positions(game, 3)[4]
        dark = seen(game, state)
        async with evening(dark, size) as tonight:
            unlit = tonight.text()
            assert not re.search(r"Anna ►|Ben √|Cleo !", unlit)
            await tonight.show(seen(game, state, lights=LIGHTS))
            lit = tonight.text()
            assert re.search(r"Anna ►", lit)
            assert re.search(r"Ben √", lit)
            await tonight.show(seen(game, state, lights={"pad0": "question", "pad9": "turn", "pad1": "unheard of"}))
            assert re.search(r"Anna \?", tonight.text())
            assert not re.search(r"Ben [►√?!]", tonight.text())
            await tonight.show(dark)
            assert tonight.text() == unlit

    play(story)


def test_what_the_signs_mean_is_told_in_the_help() -> None:
    async def story() -> None:
        async with evening(snapshot(lights=LIGHTS), LARGE) as tonight:
            await tonight.press("f1")
            assert "► your turn" in tonight.text()
            await tonight.press("escape")
            await tonight.show(snapshot())
            await tonight.press("f1")
            assert "► your turn" not in tonight.text()

    play(story)
