"""L6, L20 What is secret is on no screen: evenings that differ only in secret choices look alike until the reveal.

Real referees judge; persons hand one screen round. What a screen paints, what it keeps, and what it would print if it
broke is the same whatever was chosen.
"""

import asyncio
import gc
import random
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.screen.app import CompanionApp
from companion.screen.lascaux import board
from companion.snapshot import Act, Intention, Reply
from tests.referee.table import LASCAUX, Table, telltale_box
from tests.screen.table import SMALL, Evening, FakeReferee

BOX = telltale_box()
COLOURS = LASCAUX.parse_box(BOX, "the box").colours

kits = st.sampled_from(["none", "one", "full"])
table_options = st.fixed_dictionaries(
    {
        "stones": st.sampled_from(["open", "secret"]),
        "tie": st.sampled_from(["shared", "stones"]),
        "direction": st.sampled_from(["clockwise", "anticlockwise"]),
    }
)
evenings = st.fixed_dictionaries({"players": st.integers(3, 5), "kit": kits, "options": table_options})
played = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))


class RealReferee(FakeReferee):
    """Judges by the rules, and remembers nothing beside its journal."""

    def __init__(self, path: Path, table: Table) -> None:
        super().__init__(path)
        self.table = table
        self.newest = table.seen

    def _note(self, message: Intention, writer: asyncio.StreamWriter) -> None:
        told = self.table.heed(message)
        writer.write(msgspec.json.encode(Reply(message.id, told)) + b"\n")
        self.show(self.table.seen)


class Story:
    """One evening with one screen, and all that could be read on it."""

    def __init__(self, tonight: Evening, table: Table, seed: int, minds: int) -> None:
        self.tonight, self.table = tonight, table
        self._chance = random.Random(seed)
        self._minds = random.Random(minds)
        """What everybody has in mind: the only thing that differs."""
        self.pages: list[str] = []

    async def choose(self) -> None:
        await self.tonight.press("c")
        for seat in range(self.table.players):
            await self._look()
            await self.tonight.press("enter")
            await self._look()
            await self.tonight.press(str(self._minds.randint(1, len(COLOURS))))
            await self._settled(seat + 1)
            await self._look()

    async def bid(self) -> None:
        """Up to the last pass but one: the next one reveals."""
        while len(self.table.evening.state.pile) < self.table.players - 2:
            before = self.table.evening.number
            await self.tonight.press(self._chance.choice("sp"))
            await self.tonight.until(lambda before=before: self._drawn(before + 1))
            await self._look()

    async def _settled(self, chosen: int) -> None:
        await self.tonight.until(lambda: self._chosen() >= chosen or self.table.evening.state.phase == "bid")
        await self.tonight.until(lambda: self._drawn(self.table.evening.number))

    def _chosen(self) -> int:
        return sum(choice is not None for choice in self.table.evening.state.choices)

    def _drawn(self, entry: int) -> bool:
        sight = self.tonight.talk.screen._sight
        return sight is not None and sight.snapshot.entry >= entry and not self.tonight.talk.link.unanswered

    async def _look(self) -> None:
        await self.tonight.pilot.pause()
        self.pages.append(self.tonight.text())


@asynccontextmanager
async def story(evening: dict[str, Any], seed: int, minds: int) -> AsyncIterator[Story]:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    table = Table(folder, evening["players"], evening["kit"], BOX, **evening["options"]).hurry()
    while table.evening.state.phase == "draw":
        assert table.act("draw", card=next(iter(table.evening.state.deck))).kind == "accepted"
    table.evening.opening["simulated"] = []
    referee = RealReferee(folder / "s", table)
    app = CompanionApp(referee.path)
    try:
        await referee.open()
        async with app.run_test(size=SMALL) as pilot:
            tonight = Evening(app, referee, pilot)
            await tonight.until(lambda: app.conversation is not None and app.conversation.drawn > 0)
            yield Story(tonight, table, seed, minds)
    finally:
        await referee.close()
        table.journal.close()
        shutil.rmtree(folder)


async def told(evening: dict[str, Any], seed: int, minds: int) -> Story:
    async with story(evening, seed, minds) as one:
        await one.choose()
        assert kept_choices(one.tonight) == []
        await one.bid()
        assert kept_choices(one.tonight) == []
    return one


def kept_choices(tonight: Evening) -> list[object]:
    """Every choice in the memory of this process, but for those that are offered to everybody."""
    gc.collect()
    sight = tonight.talk.screen._sight
    assert sight is not None
    offered = {id(action) for action in sight.snapshot.offered}
    everything = gc.get_objects()
    acts: list[object] = [thing for thing in everything if isinstance(thing, Act)]
    return acts + [
        part  # Python does not track a dict of mere strings: it is found only where it is kept
        for thing in everything
        for part in gc.get_referents(thing)
        if type(part) is dict and part.get("do") == "choose" and id(part) not in offered
    ]


@pytest.mark.slow
@played
@given(evenings, st.integers(0, 2**32), st.integers(0, 2**32))
def test_L6_whatever_is_chosen_the_screen_paints_the_same_until_the_reveal(
    evening: dict[str, Any], seed: int, minds: int
) -> None:
    one, other = (asyncio.run(told(evening, seed, mind)) for mind in (minds, minds + 1))
    assert len(one.pages) > 9
    assert one.pages == other.pages
    if evening["options"]["stones"] == "secret":
        rows = [line for line in one.pages[-1].splitlines() if re.search(r"passed|bids|still in", line)]
        assert len(rows) == evening["players"]
        assert all("—" in row for row in rows)


@pytest.mark.parametrize("stones", ["open", "secret"])
def test_L6_a_screen_that_breaks_prints_nothing_of_what_was_chosen(
    stones: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = {"players": 3, "kit": "none", "options": {"stones": stones}}
    crashes = []
    for minds in (1, 2):
        with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
            asyncio.run(broken(evening, minds, patch))
        crashes.append(re.sub(r"0x[0-9a-f]+|/tmp/\w+|\b[0-9a-f]{32}\b", "…", capsys.readouterr().err))
    assert "ZeroDivisionError" in crashes[0]
    assert "locals" in crashes[0]
    assert crashes[0] == crashes[1]


async def broken(evening: dict[str, Any], minds: int, patch: pytest.MonkeyPatch) -> None:
    async with story(evening, 1, minds) as one:
        await one.choose()
        patch.setattr(board, "seats", lambda *_: 1 // 0)
        one.tonight.referee.show(one.table.seen)
        await one.tonight.until(lambda: not one.tonight.app.is_running)
