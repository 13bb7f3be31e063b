"""docs/game-recipes.md is true: its blocks, put into the games that `companion new-game` writes, keep the contract."""

import json
import re
from pathlib import Path

import pytest

from companion.gamekit.game_index import available, read_index
from companion.gamekit.template import LIKE, SMALLEST, write_game
from companion.language.wording import ORDERED, SEATS
from companion.stations import PADS
from tests.docs.test_add_a_game import amended
from tests.strangers import announce, run_in

PAGE = Path(__file__).parents[2] / "docs" / "game-recipes.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def like(start: str) -> list[tuple[str, str]]:
    """The blocks for this start: file and text."""
    return [(file.partition("/")[2], text) for _, file, text in BLOCKS if file.startswith(f"{start}/")]


BEGUN_AS = {"pack": "trick", "maid": "tiles"}
"""Blocks of their own that change another start."""
STARTS = sorted({file.partition("/")[0] for language, file, _ in BLOCKS if language == "python"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "companion-hen-party"


@pytest.mark.parametrize("start", STARTS)
def test_the_recipes_for_each_start_make_a_game_that_keeps_its_contract(folder: Path, start: str) -> None:
    like_ = BEGUN_AS.get(start, start)
    assert like_ in (SMALLEST, *LIKE)
    write_game("hen-party", folder, like_)
    announce(folder, "hen-party", "hen_party")
    for file, text in like(start):
        path = folder / file
        path.write_text(amended(path.read_text(), text) if path.exists() else text)
    assert "hen-party keeps the contract" in run_in(folder, "-m", "companion", "check", "hen-party")


def test_every_block_is_run() -> None:
    assert {language for language, _, _ in BLOCKS} == {"python", "json"}
    assert len(re.findall(r"^```\w", TEXT, re.MULTILINE)) == len(BLOCKS)


def test_the_header_of_a_transcript_is_one(folder: Path) -> None:
    write_game("hen-party", folder)
    announce(folder, "hen-party", "hen_party")
    (header,) = (text for _, name, text in BLOCKS if name == "header")
    (folder / "game.jsonl").write_text(header)
    verdict = json.loads(run_in(folder, "-m", "companion", "adjudicate", "game.jsonl", "--json"))
    assert verdict["awaiting"]["seats"] == [1]


def test_the_index_is_one(tmp_path: Path) -> None:
    (index,) = (text for _, name, text in BLOCKS if name == "index")
    (tmp_path / "index.json").write_text(index)
    ((game, advice),) = available(read_index(tmp_path / "index.json"))
    assert game == "hen-party  Hen Party, 2 to 6 players: Hens, and a fox"
    assert advice == "pip install companion-hen-party  (1.0.0)"


def test_it_names_the_facts_and_pads_that_there_are() -> None:
    row = next(line for line in TEXT.splitlines() if line.startswith("| `seat`"))
    assert set(re.findall(r"`(\w+)`", row)) == {*SEATS, "seat_"}
    assert f"`{ORDERED}`" in TEXT
    assert len(PADS) == 5
    assert "There are pads for five players." in TEXT
