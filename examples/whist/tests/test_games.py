"""Whole games as text, judged by `companion adjudicate --json`. What has to come out stands in the files as comments.

`#! W6` follows a line that is refused under W6; `#totals`, `#winners`, `#awaiting` and `#table` tell how it ends.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

GAMES = sorted((Path(__file__).parent / "games").glob("*.jsonl"))


def judged(path: Path, home: Path) -> dict[str, Any]:
    """The verdict. No pack has been enrolled there."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "adjudicate", str(path), "--json"],
        env=os.environ | {"COMPANION_HOME": str(home)},
        capture_output=True,
        check=False,
    )
    assert done.stdout, done.stderr.decode()
    return dict(json.loads(done.stdout))


def promised(path: Path) -> dict[str, list[Any]]:
    """What the comments say, by their first word; a refusal comes with the number of its line."""
    said: dict[str, list[Any]] = {"#!": [], "#totals": [], "#winners": [], "#awaiting": [], "#table": []}
    number = 0
    for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        word, _, rest = line.partition(" ")
        if word == "#!":
            said[word].append((number, rest))
        elif word in said:
            said[word].append(json.loads(rest))
        elif not line.startswith("#"):
            number = place
    return said


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_comes_out_as_its_file_says(path: Path, tmp_path: Path) -> None:
    verdict, said = judged(path, tmp_path), promised(path)
    assert [(refusal["line"], refusal["rule"]) for refusal in verdict["refusals"]] == said["#!"]
    assert verdict["finished"] == bool(said["#totals"])
    assert [verdict["awaiting"]] == (said["#awaiting"] or [None])
    for table in said["#table"]:
        assert {name: verdict["table"][name] for name in table} == table
    if verdict["finished"]:
        assert [[score["total"] for score in verdict["scores"]]] == said["#totals"]
        assert [verdict["winners"]] == said["#winners"]
