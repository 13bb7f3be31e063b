"""L6, L20 What is secret is on no screen: evenings that differ only in secret choices look alike until the reveal.

Real referees judge; persons hand one screen round, or lay their markers on readers. What a screen paints, with its
colours, what it keeps, and what it would print if it broke is the same whatever was chosen. Snapshots of whole games
are checked in tests/referee, face-down cards and tiles of the other games beside their looks.
"""

import asyncio
import gc
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from companion.crash import account
from companion.gamekit.snapshot import OwnView
from companion.games.lascaux.screen import board
from companion.messages.intentions import Act, Intention, Peek
from companion.messages.protocol import Reply
from companion.screen.app import CompanionApp
from companion.screen.screens.handover import Secret
from tests.places import short_folder
from tests.referee.table import LASCAUX, Table, telltale_box
from tests.screen.table import LARGE, SMALL, Evening, FakeReferee, painted

BOX = telltale_box()
COLOURS = LASCAUX.parse_box(BOX, "the box").colours

Painting = list[tuple[str, str]]
"""Pieces of text, each with its colours."""


class Case(NamedTuple):
    kit: str
    players: int
    size: tuple[int, int]
    options: dict[str, str]


CASES = (
    Case("none", 3, SMALL, {"stones": "open"}),
    Case("none", 4, LARGE, {"stones": "secret", "direction": "anticlockwise"}),
    Case("one", 5, SMALL, {"stones": "secret", "tie": "stones"}),
    Case("full", 3, LARGE, {"stones": "open", "tie": "stones"}),
)


class RealReferee(FakeReferee):
    """Judges by the rules, and remembers nothing beside its journal."""

    def __init__(self, path: Path, table: Table) -> None:
        super().__init__(path)
        self.table = table
        self.newest = table.seen

    def own_view(self, peek: Peek) -> OwnView:
        return self.table.referee.inform(peek)

    def _note(self, message: Intention, writer: asyncio.StreamWriter) -> None:
        told = self.table.heed(message)
        writer.write(msgspec.json.encode(Reply(message.id, told)) + b"\n")
        self.show(self.table.seen)


class Story:
    """One evening with one screen, and all that could be seen on it."""

    def __init__(self, tonight: Evening, table: Table, minds: int) -> None:
        self.tonight, self.table = tonight, table
        self._minds = minds
        """What every player has in mind: the only thing that differs, and for all players."""
        self.chosen: list[str] = []
        self.pages: list[Painting] = []

    async def choose(self) -> None:
        if self.table.seat_pads.kit == "none":
            await self._choose_on_the_screen()
        else:
            await self._choose_by_markers()
        assert self.table.evening.state.phase == "bid"

    async def _choose_on_the_screen(self) -> None:
        await self.tonight.press("c")
        for _seat in range(self.table.players):
            self._look()
            await self.tonight.press("enter")
            await self.tonight.until(lambda: isinstance(self.tonight.app.screen, Secret))
            await self.tonight.pilot.pause()
            self._look()
            before = self.table.evening.number
            await self.tonight.press(str(COLOURS.index(self._mind()) + 1))
            await self._drawn(before + 1)
            self._look()

    async def _choose_by_markers(self) -> None:
        for seat in range(self.table.players):
            station = "centre" if self.table.seat_pads.kit == "one" else f"pad{seat}"
            assert self.table.marker(seat, self._mind(), station).kind == "accepted"
            self.tonight.referee.show(self.table.seen)
            await self._drawn(self.table.evening.number)
            self._look()

    async def bid(self) -> None:
        """Up to the last pass but one: the next one reveals."""
        keys = ["s"] * self.table.players + ["p"] * (self.table.players - 2)
        for key in keys:
            before = self.table.evening.number
            await self.tonight.press(key)
            await self._drawn(before + 1)
            self._look()
        assert len(self.table.evening.state.pile) == self.table.players - 2

    def _mind(self) -> str:
        self.chosen.append(COLOURS[(2 * len(self.chosen) + self._minds) % len(COLOURS)])
        return self.chosen[-1]

    async def _drawn(self, entry: int) -> None:
        def done() -> bool:
            sight = self.tonight.talk.screen._sight
            return sight is not None and sight.snapshot.entry >= entry and not self.tonight.talk.link.unanswered

        await self.tonight.until(done)
        await self.tonight.pilot.pause()

    def _look(self) -> None:
        """All of it, what lies behind a dialog included."""
        strips = painted(self.tonight.app)
        self.pages.append([(segment.text, str(segment.style)) for strip in strips for segment in strip])


@asynccontextmanager
async def story(case: Case, minds: int) -> AsyncIterator[Story]:
    folder = short_folder()
    table = Table(folder, case.players, case.kit, BOX, **case.options).hurry()
    while table.evening.state.phase == "draw":
        assert table.act("draw", card=next(iter(table.evening.state.deck))).kind == "accepted"
    table.simulate()
    referee = RealReferee(folder / "s", table)
    app = CompanionApp(referee.path)
    try:
        await referee.open()
        async with app.run_test(size=case.size) as pilot:
            tonight = Evening(app, referee, pilot)
            await tonight.until(lambda: app.conversation is not None and app.conversation.drawn > 0)
            await pilot.pause()
            yield Story(tonight, table, minds)
    finally:
        await referee.close()
        table.journal.close()
        shutil.rmtree(folder)


async def told(case: Case, minds: int) -> Story:
    async with story(case, minds) as one:
        await one.choose()
        assert kept_choices(one.tonight) == []
        await one.bid()
    return one


@pytest.fixture(autouse=True)
def all_of_the_memory_is_looked_at() -> Iterator[None]:
    """What was there before the first test is frozen otherwise (tests/conftest.py), and may keep a choice, too."""
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()


def kept_choices(tonight: Evening) -> list[object]:
    """Every choice of tonight in the memory of this process, but for those that are offered to all players."""
    gc.collect()
    sight = tonight.talk.screen._sight
    assert sight is not None
    offered = {id(action) for action in sight.snapshot.offered}
    everything = gc.get_objects()
    acts: list[object] = [thing for thing in everything if isinstance(thing, Act) and _of_tonight(thing.action)]
    return acts + [
        part  # Python does not track a dict of mere strings: it is found only where it is kept
        for thing in everything
        for part in gc.get_referents(thing)
        if type(part) is dict and _of_tonight(part) and id(part) not in offered
    ]


def _of_tonight(action: dict[str, object]) -> bool:
    """No other test has markers of these colours."""
    return action.get("do") == "choose" and action.get("colour") in COLOURS


@pytest.mark.parametrize("case", CASES, ids=[f"{case.kit}-{case.options['stones']}" for case in CASES])
def test_L6_whatever_is_chosen_the_screen_paints_the_same_until_the_reveal(case: Case) -> None:
    one, other = (asyncio.run(told(case, minds)) for minds in (1, 2))
    assert all(mine != yours for mine, yours in zip(one.chosen, other.chosen, strict=True))
    assert len(one.pages) >= 3 * case.players - 2
    assert one.pages == other.pages
    if case.options["stones"] == "secret":
        text = "".join(text for text, _colours in one.pages[-1])
        assert text.count("—") >= case.players, "L20 no player's stones are shown"


def test_a_look_tells_colours_apart_even_where_the_words_are_the_same() -> None:
    """Else the property above could not find a secret that is told by a hue."""

    async def looks() -> tuple[Painting, Painting]:
        async with story(CASES[0], 1) as one:
            one._look()
            one.tonight.app.screen.query_one("#headline").styles.background = "#010203"
            await one.tonight.pilot.pause()
            one._look()
        return one.pages[0], one.pages[1]

    before, after = asyncio.run(looks())
    assert [text for text, _colours in before] == [text for text, _colours in after]
    assert before != after


def test_L6_a_screen_that_breaks_prints_nothing_and_tells_the_same_whatever_was_chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    accounts = []
    for minds in (1, 2):
        with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError) as broke:
            asyncio.run(broken(CASES[0]._replace(options={"stones": "secret"}), minds, patch))
        assert capsys.readouterr() == ("", "")
        accounts.append(account(broke.value))
    assert accounts[0].startswith("ZeroDivisionError in companion/games/lascaux/screen/face.py")
    assert accounts[0] == accounts[1]


async def broken(case: Case, minds: int, patch: pytest.MonkeyPatch) -> None:
    async with story(case, minds) as one:
        await one.choose()
        patch.setattr(board, "seats", lambda *_: 1 // 0)
        one.tonight.referee.show(one.table.seen)
        await one.tonight.until(lambda: not one.tonight.app.is_running)
