"""Words of the board that depend on the room there is."""

from pathlib import Path

from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.sign_table import DOWN
from companion.games.lascaux.screen.board import _going
from companion.language.screen_language import speak
from tests.referee.table import Table


def test_the_direction_of_the_turns_has_a_word_for_every_width_and_language(tmp_path: Path) -> None:
    sight = Sight(Table(tmp_path).to_bidding().referee.snapshot(), find_face("lascaux"))
    assert sight.table.direction == "clockwise"
    assert {_going(sight, 0), _going(sight, 40)} == {f"{DOWN} clockwise"}
    speak("de")
    assert _going(sight, 40) == f"{DOWN} im Uhrzeigersinn"
    assert 2 < len(_going(sight, 0)) < len(_going(sight, 40))
