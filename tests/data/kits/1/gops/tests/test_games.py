"""Whole games as text, judged by `companion adjudicate --json`. What has to come out stands in the files as comments.

`#! G4` follows a line that is refused under G4; `#totals`, `#winners`, `#awaiting` and `#table` tell how it ends.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

GAMES = sorted((Path(__file__).parent / "games").glob("*.jsonl"))


def judged(path: Path, home: Path) -> tuple[int, dict[str, Any]]:
    """Exit status and verdict. No pack has been enrolled there."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "adjudicate", str(path), "--json"],
        env=os.environ | {"COMPANION_HOME": str(home)},
        capture_output=True,
        check=False,
    )
    assert done.stdout, done.stderr.decode()
    return done.returncode, json.loads(done.stdout)


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
def test_a_whole_game_comes_out_as_its_file_says(path: Path, tmp_path: Path) -> None:
    status, verdict = judged(path, tmp_path)
    said = promised(path)
    assert [(refusal["line"], refusal["rule"]) for refusal in verdict["refusals"]] == said["#!"]
    assert all(refusal["reason"] for refusal in verdict["refusals"])
    assert status == bool(said["#!"])
    assert verdict["finished"] == bool(said["#totals"])
    assert [verdict["awaiting"]] == (said["#awaiting"] or [None])
    for table in said["#table"]:
        assert {name: verdict["table"][name] for name in table} == table
    if verdict["finished"]:
        assert [[score["total"] for score in verdict["scores"]]] == said["#totals"]
        assert [verdict["winners"]] == said["#winners"]
        parts = [part for score in verdict["scores"] for part in score["parts"]]
        assert {part["rule"] for part in parts} == {"G8"}


def test_a_face_down_bid_is_nowhere_in_the_verdict(tmp_path: Path) -> None:
    _, verdict = judged(Path(__file__).parent / "games" / "in-the-middle.jsonl", tmp_path)
    assert "hearts-K" not in json.dumps(verdict)
