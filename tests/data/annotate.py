"""Writes what a table looks like after each step into a transcript: python -m tests.data.annotate FILE…

After an action stands a comment with every part of the table that changed, `#= {"pot":1,"stones":[11,12,12]}`, or
`#! L9` if it was refused; at the end `#scores` with the points of each player and `#winners`. Other comments stay.
What is written is what the rules say today: read it against the rule book before you keep it.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from companion.gamekit import discovery
from companion.gamekit.game import Game, Refusal
from companion.gamekit.game_start import begin, read_action
from companion.gamekit.transcript import parse_transcript
from companion.home.box_files import find_box

MARKS = ("#=", "#!", "#scores", "#winners")


def annotate(path: Path) -> str:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(MARKS)]
    transcript = parse_transcript("\n".join(lines).encode(), str(path), path.parent)
    game, state = opened(path)
    actions = {line.number: line.action for line in transcript.lines}
    told: list[str] = []
    for number, text in enumerate(lines, 1):
        told.append(text)
        if number in actions:
            outcome = read_action(game, actions[number])
            outcome = outcome if isinstance(outcome, Refusal) else game.apply(state, outcome)
            if isinstance(outcome, Refusal):
                told.append(f"#! {outcome.rule or 'null'}")
            else:
                told.append(f"#= {compact(changes(game, state, outcome.state))}")
                state = outcome.state
    if game.awaiting(state) is None:
        told.append(f"#scores {compact(points(game, state))}")
        told.append(f"#winners {compact(game.winners(state))}")
    return "\n".join(told) + "\n"


def opened(path: Path) -> tuple[Game[Any, Any], Any]:
    """The game of a transcript, and its state before the first action."""
    transcript = parse_transcript(path.read_bytes(), str(path), path.parent)
    game = discovery.find(transcript.header.game)
    _setup, state = begin(transcript.header, find_box(game, transcript.box).box)
    return game, state


def changes(game: Game[Any, Any], before: Any, after: Any) -> dict[str, Any]:
    """Every part of the table that is not what it was."""
    old, new = (msgspec.to_builtins(game.table(state)) for state in (before, after))
    return {key: value for key, value in new.items() if value != old[key]}


def points(game: Game[Any, Any], state: Any) -> list[dict[str, int]]:
    """Of each player; what scores several times for the same thing is added up."""
    totals: list[dict[str, int]] = []
    for score in game.scores(state):
        totals.append({})
        for part in score.parts:
            totals[-1][part.for_] = totals[-1].get(part.for_, 0) + part.points
    return totals


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(annotate(Path(name)), encoding="utf-8")
