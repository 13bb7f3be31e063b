"""docs/architecture.md tells the house as it is."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = sorted(path.parent.name for path in (ROOT / "companion").glob("*/__init__.py"))


def sentences(room: str) -> tuple[str, str]:
    """What a room says about itself: what it is for, and who may enter."""
    source = (ROOT / "companion" / room / "__init__.py").read_text(encoding="utf-8")
    what, who, *_ = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")
    return " ".join(what.split()), " ".join(who.split()).removeprefix("Imported by: ").removesuffix(".")


@pytest.mark.parametrize("room", ROOMS)
def test_the_page_says_of_each_room_what_the_room_says_itself(room: str) -> None:
    what, who = sentences(room)
    assert what
    assert f"| `{room}` | {what} | {who} |" in PAGE


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`((?:companion|firmware|docs|examples)/[\w./-]+)`", PAGE)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []
