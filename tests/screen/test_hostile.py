"""Text from outside is harmless everywhere: names of players, texts on tags, what a journal or a reader says."""

import asyncio

import pytest

from companion.snapshot import Device, Lying, Move, Place, Question, Thing, Told
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
)
FORBIDDEN = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u200f", "\u2066", "\u200d"} - {"\n"}
STONE_BACK = Move(Thing("stone"), 1, Place("pot"), Place("supply", 0))


def check(tonight: Evening, size: tuple[int, int]) -> None:
    lines = tonight.text().split("\n")
    assert not FORBIDDEN & set("".join(lines))
    assert len(lines) == size[1]
    assert "x" * 70 not in "".join(lines)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_hostile_text_is_harmless_at_the_table_in_every_dialog_and_in_the_result(
    size: tuple[int, int], text: str
) -> None:
    asyncio.run(_story(size, text))


async def _story(size: tuple[int, int], text: str) -> None:
    names = (text, f"{text}!", "Cleo")
    tag = Told(7, "unknown", "unknown tag", None, {"uid": text}, how="tag")
    strange = Told(8, "noted", text[:60], text, {text[:20]: text})
    lying = (Lying(Thing(text, text), 3, Place(text)), Lying(Thing("card", text), 1, Place("won", 0)))
    async with evening(snapshot(names), size) as tonight:
        for shown, keys in (
            (choosing(False, False, False, names=names), ("c", "enter", "escape")),
            (drawing(names=names), ("d", "escape")),
            (snapshot(names, history=(tag, strange)), ("h", "escape", "u", "escape", "q", "escape")),
            (snapshot(names, devices=(Device(text, "lost", text), Device("centre", "connecting", text))), ()),
            (snapshot(names, question=Question(1, "undo", (1,), (0, 2), (STONE_BACK,))), ()),
            (snapshot(names, layout=lying), ("enter",)),
            (over(names=names, winners=(0, 1)), ("h", "escape")),
            (snapshot(names, game=text), ()),
        ):
            await tonight.show(shown)
            check(tonight, size)
            for key in keys:
                await tonight.press(key)
                check(tonight, size)
