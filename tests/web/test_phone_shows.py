"""What a phone gets of a show: the words, the big letters, the picture, and how far each player is."""

from copy import deepcopy
from pathlib import Path

from msgspec.structs import replace
from textual.content import Content

from companion.drawing.dialog_texts import answer
from companion.drawing.result_sheet import Lane
from companion.drawing.shows import ShowStep
from companion.gamekit.game import Place, Thing
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Lying, OwnView, Told
from companion.messages.intentions import EndMatch
from companion.referee.referee import Referee
from companion.web.phone_view import _box, _evening, _shown_step, answered, settle
from companion.web.seat_sight import SeatSight
from companion.web.styled_text import lines
from companion.web.table_words import CELLS, LineMark, UnreadLines, _spoken, table_in_words
from tests.referee.table import Table

PICTURE = Content("▀▄▀\n▄▀▄")


def test_a_step_has_its_words_its_biggest_letters_its_picture_and_its_race(tmp_path: Path) -> None:
    sight = Sight(Table(tmp_path).referee.snapshot(), find_face("lascaux"))
    race = (
        Lane("Anna", 6, True, {"stones": 6, "animals": 0}, 12),
        Lane("Ben", -3, False, {"stones": -3}, 12),
        Lane("Cleo", 0, False, {}, 0),
    )
    step = _shown_step(sight, ShowStep(Content("Anna wins"), ("ANNA WINS", "ANNA"), PICTURE, race))
    assert (step.words, step.big, step.picture) == (lines(Content("Anna wins")), "ANNA WINS", lines(PICTURE))
    assert [(lane.name, lane.total, lane.won) for lane in step.race] == [
        ("Anna", "6", True),
        ("Ben", "−3", False),
        ("Cleo", "0", False),
    ]
    pieces = [[(piece.share, piece.lost) for piece in lane.pieces] for lane in step.race]
    assert pieces == [[(0.5, False), (0.0, False)], [(0.25, True)], []]
    bare = _shown_step(sight, ShowStep(Content("Anna wins")))
    assert (bare.big, bare.picture, list(bare.race)) == ("", [], [])


def test_an_answer_is_one_line_because_the_phone_says_elsewhere_whose_turn_it_is(tmp_path: Path) -> None:
    table = Table(tmp_path).to_bidding()
    sight = Sight(table.referee.snapshot(), find_face("lascaux"))
    told = table.referee.snapshot().history[-1]
    assert answered(sight, told) == answer(sight, told, False)
    assert "\n" not in answered(sight, told)
    assert "\n" in answer(sight, told, True)


def test_the_match_can_be_ended_between_its_games_and_at_no_other_time(tmp_path: Path) -> None:
    table = Table(tmp_path)

    def offers_the_end() -> bool:
        table.simulate()  # persons look at it
        sight = Sight(table.referee.snapshot(), find_face("lascaux"))
        return any(button.send == settle("end match") for button in _evening(sight))

    assert not offers_the_end()
    table.play_to_end()
    assert not offers_the_end(), "a single game ends with its result"
    table.next_game()
    assert not offers_the_end()
    table.play_to_end()
    assert offers_the_end()
    table.heed(EndMatch("end"))
    assert not offers_the_end()


def test_a_page_hears_no_line_twice_and_misses_none_when_another_referee_has_taken_over(tmp_path: Path) -> None:
    """A page that was away then goes on where it was, whether or not the phones' server is the same."""
    shown = Table(tmp_path).to_bidding().referee.snapshot()
    *earlier, last = shown.history
    refused = Told(last.number + 1, "refused", "no replay")
    unread = UnreadLines()

    def at(number: int, *history: Told) -> Sight:
        return Sight(replace(shown, number=number, history=history), find_face("lascaux"))

    unread.add(at(7, *shown.history, refused))
    assert unread.since(None)[0] == [], "a new page begins with the next line"
    heard = unread.since(None)[1]
    missed = LineMark(shown.evening, earlier[-1].number, earlier[-1].entry)
    assert unread.since(missed)[0] == [last, refused]
    # The lines of the journal, counted from the start: what was refused is in none.
    later = Told(last.number + 1, "accepted", "passes", facts={"seat": 0, "stones": 1}, entry=last.entry + 1)
    doubted = Told(last.number + 2, "noted", "not written")
    for number in (2, 9):
        after = deepcopy(unread)
        after.add(at(number, *shown.history, later, doubted))
        assert after.since(heard)[0] == [later, doubted]
        assert after.since(missed)[0] == [last, refused, later, doubted]
        assert after.since(after.since(heard)[1])[0] == []
    another_server = UnreadLines()
    another_server.add(at(2, *shown.history, later))
    assert another_server.since(heard)[0] == [later]
    assert another_server.since(missed)[0] == [last, later]
    assert another_server.since(LineMark("another evening", 1, 1))[0] == []
    unread.add(at(7, *shown.history, refused))
    assert unread.since(heard)[0] == [], "the same snapshot, when the line to the referee was down"


def test_after_a_restart_a_player_s_phone_asks_whether_the_table_looks_like_this(tmp_path: Path) -> None:
    table = Table(tmp_path).to_bidding()
    table.simulate()  # only persons sit there
    restarted = Referee(table.journal, table.evening, table.seat_pads, resumed=True).snapshot()
    sight = SeatSight(restarted, find_face("lascaux"), OwnView("", 0, restarted.entry, None))
    asked = _box(sight)
    assert asked is not None
    assert [button.send for button in asked.buttons] == [settle("looked over")]
    assert _box(Sight(restarted, find_face("lascaux"))) is None, "spectators are not asked"


def test_in_words_a_table_that_says_where_its_pieces_lie_does_not_read_its_panels_as_well(tmp_path: Path) -> None:
    """A game that says it in neither way is read panel by panel, as long as it goes on."""
    sight = Sight(Table(tmp_path).to_bidding().referee.snapshot(), find_face("lascaux"))
    panels = {words for panel in sight.face.phone_panels(sight, CELLS) for words in _spoken(panel.plain.splitlines())}
    lying = (Lying(Thing("stone"), 3, Place("pot")),)
    assert panels <= {*table_in_words(sight, ()).table}
    assert not panels <= {*table_in_words(sight, lying).table}
