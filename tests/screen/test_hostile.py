"""Text from outside is harmless everywhere: names of players, texts on tags, what a journal or a reader says."""

import asyncio

import pytest

from companion.gamekit.game import Move, Place, Thing
from companion.gamekit.snapshot import Lying, Question, StationState, Told
from companion.messages.protocol import Fault
from tests.screen.table import LARGE, SMALL, Evening, choosing, drawing, evening, over, snapshot

HOSTILE = (
    "[/b]",
    "[@click=app.quit]x[/]",
    "a\x1b[31mb\x07",
    "\u202eevil\u200f\u2066",
    "\N{MAN}\u200d\N{WOMAN}\N{VARIATION SELECTOR-16}",
    "x" * 500,
    "漢字" * 250,
    "{seat}{0.__class__}",
    "\n\r\t\0",
    "",
    "[red",
    "{seat}",
)
FORBIDDEN = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u200f", "\u2066", "\u200d"} - {"\n"}
STONE_BACK = Move(Thing("stone"), 1, Place("pot"), Place("supply", 0))


def check(tonight: Evening, size: tuple[int, int], longest: int = 70) -> None:
    lines = tonight.text().split("\n")
    assert not FORBIDDEN & set("".join(lines))
    assert len(lines) == size[1]
    assert "x" * longest not in "".join(lines)


@pytest.mark.parametrize("texts", [HOSTILE[n : n + 3] for n in range(0, len(HOSTILE), 3)])
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_hostile_text_is_harmless_at_the_table_in_every_dialog_and_in_the_result(
    size: tuple[int, int], texts: tuple[str, str, str]
) -> None:
    asyncio.run(_story(size, texts))


async def _story(size: tuple[int, int], texts: tuple[str, str, str]) -> None:
    """Three texts at a time: each is a player's name, and stands wherever else a text may come from outside."""
    tags = tuple(Told(n, "unknown", "unknown tag", None, {"uid": text}, how="tag") for n, text in enumerate(texts, 7))
    strange = tuple(Told(n, "noted", text[:60], text, {text[:20]: text}) for n, text in enumerate(texts, 10))
    turns = tuple(Told(n, "refused", "out of turn", "L10", {"seat": n % 3, "turn": n % 2}) for n in (13, 14))
    lying = tuple(Lying(Thing(text, text), 3, Place(text)) for text in texts)
    cards = tuple(Lying(Thing("card", text), 1, Place("won", 0)) for text in texts)
    lost = tuple(StationState(text, "lost", text) for text in texts)
    async with evening(snapshot(texts), size) as tonight:
        for shown, keys in (
            (choosing(False, False, False, names=texts), ("c", "enter", "escape")),
            (drawing(names=texts), ("d", "escape")),
            (snapshot(texts, history=(*tags, *strange, *turns)), ("h", "escape", "u", "escape", "q", "escape")),
            (snapshot(texts, devices=(*lost, StationState("centre", "connecting", texts[0]))), ()),
            (snapshot(texts, question=Question(1, "undo", (1,), (0, 2), (STONE_BACK,))), ()),
            (snapshot(texts, layout=(*lying, *cards)), ("enter",)),
            (over(names=texts, winners=(0, 1)), ("h", "escape")),
            *((snapshot(texts, game=text), ()) for text in texts),
        ):
            await tonight.show(shown)
            check(tonight, size)
            for key in keys:
                await tonight.press(key)
                check(tonight, size)
        for text in texts:
            tonight.referee.send(Fault(text))
            await tonight.pilot.pause()
            check(tonight, size, longest=201)
