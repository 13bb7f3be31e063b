"""Whist keeps the contract of all games."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.gamekit.contract import GameContract

SMALL = Path(__file__).parent / "games" / "small.toml"


class TestWhist(GameContract):
    name = "whist"
    games = 4

    def boxes(self) -> Sequence[Any]:
        """From the tens to the aces: five tricks a deal, so a game is short."""
        return [self.game.parse_box(SMALL.read_text(encoding="utf-8"), SMALL.name)]
