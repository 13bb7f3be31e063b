"""Plays an export again, as any reader of a transcript would."""

from typing import Any

import msgspec

from companion.gamekit.game import Game, Step
from companion.gamekit.game_start import Header, begin, check, read_action


def replay(text: str, box_text: str) -> tuple[Game[Any, Any], Any]:
    """The game of a transcript, and the state that it reaches. No line may be refused."""
    first, *lines = text.rstrip("\n").split("\n")
    header = msgspec.json.decode(first, type=Header)
    start = begin(header, check(header).parse_box(box_text, "the box of the export"))
    state = start.state
    for line in lines:
        step = start.game.apply(state, read_action(start.game, msgspec.json.decode(line)))
        assert isinstance(step, Step), f"the rules refuse {line}"
        state = step.state
    return start.game, state
