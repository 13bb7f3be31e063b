"""Plays an export again, as any reader of a transcript would."""

from typing import Any

import msgspec

from companion.gamekit.game import Game, Step
from companion.gamekit.game_start import Header, begin, check, read_action


def replay(text: str, box_text: str) -> tuple[Game[Any, Any], Any]:
    """The game of a transcript, and the state that it reaches. No line may be refused."""
    first, *lines = text.rstrip("\n").split("\n")
    header = msgspec.json.decode(first, type=Header)
    game = check(header)
    _setup, state = begin(header, game.parse_box(box_text, "the box of the export"))
    for line in lines:
        step = game.apply(state, read_action(game, msgspec.json.decode(line)))
        assert isinstance(step, Step), f"the rules refuse {line}"
        state = step.state
    return game, state
