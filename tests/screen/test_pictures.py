"""Every cell that a game draws is where it was when a person last looked at it."""

import pytest

from tests.screen import pictures


@pytest.mark.parametrize("game", pictures.RECORDED)
def test_a_recorded_game_looks_as_it_did_when_its_pictures_were_last_looked_at(game: str) -> None:
    """After a change that is meant: `python -m tests.screen.pictures`, and look at the difference."""
    assert pictures.pictures(game) == (pictures.DATA / game / pictures.FILE).read_text(encoding="utf-8")
