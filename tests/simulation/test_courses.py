"""The same seed gives the same game, whatever else changes."""

import pytest

from tests.ours import GAMES
from tests.simulation import courses


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_simulated_players_of_one_seed_play_the_game_that_they_always_played(game: str) -> None:
    """After a change that is meant: `python -m tests.simulation.courses`."""
    assert courses.courses(game) == (courses.DATA / game / courses.FILE).read_text(encoding="utf-8")
