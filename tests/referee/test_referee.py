"""The referee: every signal and intention gets one answer, what counts is written down first, all can be taken back."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.gamekit.game import Move, Place, Thing
from companion.gamekit.snapshot import Question, Result, Told
from companion.language.screen_language import LOCALE, load
from companion.language.wording import numeral, say
from companion.messages.intentions import Act, Agree, Decline, NextGame, Undo
from companion.session.evening import Evening
from companion.session.history import HISTORY
from companion.table.signals import Held, LinkDown, LinkUp, Pressed, ReaderFault, TagPlaced, TagRemoved
from tests.referee.table import ALL_SIX, NAMES, Table, telltale_box

STONE = Thing("stone")


def unchanged(table: Table, before: tuple[Any, int]) -> bool:
    return (table.shown, len(table.entries)) == before


def standing(table: Table) -> tuple[Any, int]:
    return table.shown, len(table.entries)


# --- One answer -----------------------------------------------------------------------------------------------

SIGNALS = {
    "a card": lambda table: TagPlaced("centre", 1000, table.uid(Thing("card", ALL_SIX[0]))),
    "a marker": lambda table: TagPlaced("pad0", 1000, table.uid(Thing("marker", "white", 0))),
    "a strange tag": lambda table: TagPlaced("centre", 1000, "E0FFFFFF"),
    "a tag at a strange station": lambda table: TagPlaced("pad4", 1000, table.uid(Thing("marker", "white", 0))),
    "a lifted piece": lambda table: TagRemoved("centre", 1000, table.uid(Thing("card", ALL_SIX[0]))),
    "green": lambda table: Pressed("pad0", 1000, "green"),
    "an unknown button": lambda table: Pressed("pad0", 1000, "mauve"),
    "red, held": lambda table: Held("pad1", 1000, "red"),
    "green, held": lambda table: Held("pad1", 1000, "green"),
    "a fault": lambda table: ReaderFault("pad2", 1000, "no answer"),
    "a link": lambda table: LinkUp("pad2", 1000),
    "a link that broke": lambda table: LinkDown("pad2", 1000, "unplugged"),
}
INTENTIONS = {
    "an action": Act("i", {"do": "draw", "card": ALL_SIX[0]}),
    "a wrong action": Act("i", {"do": "pass", "seat": 2}),
    "nonsense": Act("i", {}),
    "an undo": Undo("i"),
    "an agreement": Agree("i", 0),
    "a disagreement": Decline("i"),
    "another game": NextGame("i"),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_every_signal_gets_one_answer_that_can_be_put_into_words(table: Table, name: str) -> None:
    told = table.hear(SIGNALS[name](table))
    assert isinstance(told, Told)
    assert "{" not in table.words(told)
    assert table.words(told) != told.what
    assert list(table.seen.history) == ([] if name == "a lifted piece" else [told])


@pytest.mark.parametrize("name", INTENTIONS)
def test_every_intention_gets_one_answer_that_can_be_put_into_words(table: Table, name: str) -> None:
    told = table.heed(INTENTIONS[name])
    assert isinstance(told, Told)
    assert "{" not in table.words(told)
    assert list(table.seen.history) == [told]
    assert told.how == "screen"


def test_an_action_with_several_rulings_is_answered_by_the_first_and_told_line_by_line(table: Table) -> None:
    table.card(ALL_SIX[0])
    table.card(ALL_SIX[1])
    told = table.card(ALL_SIX[2])
    assert (told.what, told.rule) == ("draws", "L2")
    assert [line.what for line in table.seen.history[-2:]] == ["draws", "all colours"]


def test_the_history_is_numbered_without_gaps_and_does_not_grow_without_end(table: Table) -> None:
    for _ in range(HISTORY + 40):
        table.press("green", "pad1")
    numbers = [line.number for line in table.seen.history]
    assert numbers == list(range(41, HISTORY + 41))


def test_a_lifted_piece_makes_no_history(table: Table) -> None:
    table.to_choosing()
    before = table.seen
    told = table.hear(TagRemoved("centre", table.now_ms, table.uid(Thing("card", ALL_SIX[0]))))
    assert (told.kind, told.what) == ("idle", "lifted")
    assert table.seen.history == before.history
    assert table.press("green", "pad0").number == before.history[-1].number + 1


# --- What counts is written down first ------------------------------------------------------------------------


def test_what_was_accepted_is_in_the_journal_when_the_answer_comes(table: Table) -> None:
    told = table.hear(TagPlaced("centre", 1000, table.uid(Thing("card", ALL_SIX[0])), id="centre-77"))
    assert told.kind == "accepted"
    entry = table.entries[-1]
    assert (entry.number, entry.kind, entry.how, entry.cause) == (2, "action", "tag", "centre-77")
    assert msgspec.json.decode(entry.body) == {"do": "draw", "card": ALL_SIX[0]}
    assert table.seen.entry == 2


def test_the_journal_says_by_what_each_action_was_said(table: Table) -> None:
    table.to_bidding()
    table.press("green", "pad0")
    table.marker(1, "yellow")
    table.act("stone", seat=2)
    assert [entry.how for entry in table.entries[-3:]] == ["button", "tag", "screen"]


def test_the_evening_that_is_played_is_the_one_that_the_journal_tells(table: Table) -> None:
    table.hurry().play_to_end()
    refolded = Evening(table.entries)
    assert refolded.state == table.evening.state
    assert refolded.causes == table.evening.causes
    assert refolded.played_game.result == table.evening.played_game.result


REFUSED: dict[str, dict[str, Any]] = {
    "a choice before the row is complete": {"do": "choose", "seat": 0, "colour": "white"},
    "a stone before the bidding": {"do": "stone", "seat": 0},
    "a pass before the bidding": {"do": "pass", "seat": 0},
    "the end without a stalemate": {"do": "end"},
    "an unknown card": {"do": "draw", "card": "unicorn"},
    "a seat that is not there": {"do": "choose", "seat": 3, "colour": "white"},
    "a negative seat": {"do": "pass", "seat": -1},
    "an endless seat": {"do": "pass", "seat": 10**40},
    "an action of another game": {"do": "buy", "seat": 0},
    "nothing to do": {},
    "a list to do": {"do": ["draw"]},
    "a card that is a number": {"do": "draw", "card": 7},
    "no card": {"do": "draw"},
    "a seat that is true": {"do": "pass", "seat": True},
    "a seat with a point": {"do": "pass", "seat": 1.5},
    "a seat within a seat": {"do": "pass", "seat": {"seat": 0}},
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_changes_nothing(table: Table, name: str) -> None:
    before = standing(table)
    told = table.heed(Act("i", REFUSED[name]))
    assert told.kind == "refused"
    assert "{" not in table.words(told)
    assert unchanged(table, before)
    msgspec.json.encode(table.seen)


def test_a_refused_intention_that_is_sent_again_is_not_judged_anew(table: Table) -> None:
    """Its answer was lost, and by now it might mean something else."""
    early = Act("i", {"do": "choose", "seat": 0, "colour": "white"})
    assert table.heed(early).kind == "refused"
    table.to_choosing()
    assert table.heed(early).kind == "repeated"
    assert not table.seen.table.chosen[0]


def test_an_undo_that_means_another_entry_than_the_newest_is_refused(table: Table) -> None:
    table.to_choosing()
    seen = table.seen
    assert table.heed(Undo("late", seen.entry - 1)).what == "the table has changed"
    assert table.seen.entry == seen.entry
    assert table.heed(Undo("now", seen.entry)).kind == "undone"


def test_a_late_answer_is_not_taken_for_the_answer_to_the_next_question(table: Table) -> None:
    table.to_reveal()
    table.heed(Undo("first"))
    first = table.seen.question
    assert first is not None
    table.heed(Decline("no", first.number))
    table.heed(Undo("second"))
    assert table.heed(Agree("late", 0, first.number)).what == "no question is open"
    assert table.heed(Decline("late too", first.number)).what == "no question is open"
    second = table.seen.question
    assert second is not None
    assert second.agreed == ()
    assert table.heed(Agree("yes", 0, second.number)).what == "agrees"


def test_L6_undoing_a_changed_choice_tells_its_player_that_the_earlier_one_counts(table: Table) -> None:
    table.to_choosing()
    for number, colour in enumerate(("white", "blue")):
        table.heed(Act(f"c{number}", {"do": "choose", "seat": 1, "colour": colour}))
    told = table.heed(Undo("u"))
    assert (told.kind, told.what, told.facts) == ("undone", "earlier choice counts", {"seat": 1})
    told = table.heed(Undo("v"))
    assert (told.what, len(told.moves)) == ("undone", 1)


def test_a_refused_signal_changes_nothing(table: Table) -> None:
    table.to_bidding()
    before = standing(table)
    told = table.press("green", "pad2")
    assert (told.kind, told.rule) == ("refused", "L10")
    assert table.words(told) == "It is Anna's turn, not Cleo's"
    shown, entries = standing(table)
    assert msgspec.structs.replace(shown, devices=()) == msgspec.structs.replace(before[0], devices=())
    assert entries == before[1]


# --- Once is enough -------------------------------------------------------------------------------------------


def test_a_signal_with_the_same_id_counts_once(table: Table) -> None:
    table.to_bidding()
    assert table.hear(Pressed("pad0", 60_000, "green", id="pad0-5")).kind == "accepted"
    table.act("stone", seat=1)
    table.act("stone", seat=2)
    before = standing(table)
    told = table.hear(Pressed("pad0", 90_000, "green", id="pad0-5"))
    assert (told.kind, told.what) == ("repeated", "heard already")
    assert unchanged(table, before)


def test_an_intention_with_the_same_id_counts_once_also_after_the_referee_was_killed(table: Table) -> None:
    table.to_bidding()
    stone = Act("once", {"do": "stone", "seat": 0})
    assert table.heed(stone).kind == "accepted"
    table.reopen()
    before = standing(table)
    assert table.heed(stone).what == "heard already"
    assert unchanged(table, before)


def test_what_was_taken_back_is_not_done_again_when_it_is_sent_again(table: Table) -> None:
    table.to_bidding()
    stone = Act("once", {"do": "stone", "seat": 0})
    table.heed(stone)
    assert table.undo().kind == "undone"
    assert table.heed(stone).what == "heard already"
    assert table.seen.table.pot == 0


def test_signals_without_an_id_are_each_a_signal_of_their_own(table: Table) -> None:
    table.to_bidding()
    assert [table.press("green", f"pad{seat}").kind for seat in (0, 1, 2, 0)] == ["accepted"] * 4


def test_the_same_undo_undoes_once(table: Table) -> None:
    table.to_bidding()
    table.act("stone", seat=0)
    table.act("stone", seat=1)
    assert table.heed(Undo("u")).kind == "undone"
    assert table.heed(Undo("u")).what == "heard already"
    assert table.seen.table.pot == 1


def test_an_agreement_with_the_same_id_counts_for_one_only(table: Table) -> None:
    table.to_reveal()
    table.undo()
    green = Pressed("centre", 100_000, "green", id="centre-9")
    assert table.hear(green).what == "agrees"
    assert table.hear(msgspec.structs.replace(green, at_ms=200_000)).what == "heard already"
    assert table.seen.question is not None
    assert table.seen.question.agreed == (0,)


def test_a_question_that_was_declined_is_not_asked_again_when_it_is_sent_again(table: Table) -> None:
    table.to_reveal()
    table.heed(Undo("u"))
    table.decline()
    assert table.heed(Undo("u")).what == "heard already"
    assert table.seen.question is None


# --- Taking back ----------------------------------------------------------------------------------------------


def test_before_the_first_action_there_is_nothing_to_undo(table: Table) -> None:
    before = standing(table)
    assert not table.seen.can_undo
    assert (table.undo().what, table.hold("red", "pad0").what) == ("nothing to undo", "nothing to undo")
    assert table.shown.table == before[0].table
    assert len(table.entries) == before[1]


def test_a_drawn_card_goes_back_on_the_deck(table: Table) -> None:
    table.card(ALL_SIX[0])
    told = table.undo()
    assert (told.kind, told.what) == ("undone", "undone")
    assert told.moves == (Move(Thing("card", ALL_SIX[0]), 1, Place("row"), Place("deck")),)
    assert table.seen.table.row == ()
    assert not table.seen.can_undo


def test_a_stone_goes_back_from_the_pot_when_red_is_held(table: Table) -> None:
    table.to_bidding()
    table.press("green", "pad0")
    told = table.hold("red", "pad2")
    assert told.moves == (Move(STONE, 1, Place("pot"), Place("supply", 0)),)
    assert table.entries[-1].kind == "undo"
    assert table.seen.table.stones == (12, 12, 12)


def test_a_pass_gives_the_pot_and_the_marker_back(table: Table) -> None:
    table.to_bidding()
    for seat in range(3):
        table.act("stone", seat=seat)
    table.act("pass", seat=0)
    assert set(table.undo().moves) == {
        Move(STONE, 3, Place("supply", 0), Place("pot")),
        Move(Thing("marker", owner=0), 1, Place("pile"), Place("chosen", 0)),
    }


def test_a_choice_is_taken_back_without_a_word_about_its_colour(tmp_path: Path) -> None:
    table = Table(tmp_path, box=telltale_box())
    while table.seen.table.phase == "draw":
        table.act("draw", card=table.seen.offered[0].card)
    table.act("choose", seat=1, colour="zzwhite")
    told = table.undo()
    assert told.moves == (Move(Thing("marker", owner=1), 1, Place("chosen", 1), Place("hand", 1)),)
    assert b"zz" not in msgspec.json.encode((told, table.seen.history))
    table.journal.close()


def test_one_action_after_another_is_taken_back_to_the_last_reveal(table: Table) -> None:
    table.to_bidding()
    for _ in range(len(table.entries) - 1):
        assert table.undo().kind == "undone"
    assert table.undo().what == "nothing to undo"
    assert table.seen.table == Evening(table.entries[:1]).game.view(Evening(table.entries[:1]).state)


# --- Undo of what all players have seen ----------------------------------------------------------------------


def test_an_undo_across_a_reveal_asks_every_player_and_says_what_goes_where(table: Table) -> None:
    table.to_reveal("brown", "yellow", "green")
    before = standing(table)
    told = table.undo()
    assert (told.kind, told.what) == ("noted", "undo needs all players")
    question = table.seen.question
    assert question is not None
    assert (question.kind, question.agreed, question.missing) == ("undo", (), (0, 1, 2))
    assert Move(Thing("card", "aurochs-brown-blue"), 1, Place("won", 0), Place("row")) in question.moves
    assert (table.seen.table, len(table.entries)) == (before[0].table, before[1])


def _by_pads(table: Table, seat: int) -> Told:
    return table.press("green", f"pad{seat}")


def _by_the_centre(table: Table, _: int) -> Told:
    return table.press("green")


def _by_a_marker(table: Table, seat: int) -> Told:
    return table.marker(seat, "pink")


def _by_screen(table: Table, seat: int) -> Told:
    return table.agree(seat)


@pytest.mark.parametrize("agree", [_by_pads, _by_the_centre, _by_a_marker, _by_screen])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_every_player_agrees_and_the_reveal_is_taken_back(table: Table, agree: Any, order: tuple[int, ...]) -> None:
    table.to_bidding()
    table.act("pass", seat=0)
    before = table.seen.table
    table.act("pass", seat=1)
    table.undo()
    assert [agree(table, seat).what for seat in order] == ["agrees", "agrees", "undone"]
    assert table.seen.table == before
    assert table.seen.question is None
    assert table.entries[-1].kind == "undo"


def test_who_agrees_twice_agrees_once(table: Table) -> None:
    table.to_reveal()
    table.undo()
    table.agree(1)
    assert (table.agree(1).what, table.marker(1, "white").what) == ("has agreed already", "has agreed already")
    assert table.seen.question is not None
    assert table.seen.question.missing == (0, 2)


@pytest.mark.parametrize("seat", [-1, 3, 99, 10**30])
def test_a_seat_that_is_not_there_cannot_agree(table: Table, seat: int) -> None:
    table.to_reveal()
    table.undo()
    told = table.agree(seat)
    assert told.kind == "refused"
    assert table.words(told) == f"There is no seat {numeral(seat)}; the seats are 0 to 2"
    assert table.seen.question is not None
    assert table.seen.question.missing == (0, 1, 2)


def _red(table: Table) -> Told:
    return table.press("red", "pad1")


def _red_held(table: Table) -> Told:
    return table.hold("red")


def _screen_declines(table: Table) -> Told:
    return table.decline()


@pytest.mark.parametrize("decline", [_red, _red_held, _screen_declines])
def test_one_who_declines_leaves_all_as_it_was(table: Table, decline: Any) -> None:
    table.to_reveal()
    before = table.seen.table, len(table.entries)
    table.undo()
    table.agree(0)
    told = decline(table)
    assert (told.kind, told.what) == ("noted", "declined")
    assert (table.seen.table, len(table.entries)) == before
    assert table.seen.question is None
    assert table.card("aurochs-yellow-pink").kind in ("accepted", "refused"), "the game goes on"


def test_answers_without_a_question_are_idle(table: Table) -> None:
    assert (table.agree(0).what, table.decline().what) == ("no question is open", "no question is open")
    assert {table.agree(0).kind, table.decline().kind} == {"idle"}


def test_while_a_question_is_open_nothing_else_is_done(table: Table) -> None:
    table.to_reveal()
    table.undo()
    before = standing(table)
    card = next(iter(table.evening.state.deck))
    assert table.act("draw", card=card).what == "a question is open"
    assert table.card(card).what == "answer first"
    assert table.undo().what == "a question is open"
    assert table.marker(0, "white", "pad0").what == "answer first"
    shown, entries = standing(table)
    assert (shown.table, shown.question, entries) == (before[0].table, before[0].question, before[1])


def test_a_question_does_not_outlive_the_referee(table: Table) -> None:
    table.to_reveal()
    table.undo()
    table.agree(0)
    before = table.seen.table
    table.reopen()
    assert table.seen.question is None
    assert table.seen.table == before


# --- The end --------------------------------------------------------------------------------------------------


@pytest.fixture
def stuck(table: Table) -> Table:
    return table.hurry().play_to_stalemate()


def test_L16_the_end_is_proposed_and_needs_every_player(stuck: Table) -> None:
    assert "end" in stuck.seen.awaiting.do  # type: ignore[union-attr]
    told = stuck.hold("green", "pad1")
    assert (told.kind, told.what) == ("noted", "needs all players")
    assert stuck.seen.question == Question(1, "end", (), (0, 1, 2))
    assert [stuck.press("green", f"pad{seat}").what for seat in range(3)] == ["agrees", "agrees", "agreed to end"]
    assert stuck.seen.awaiting is None
    assert stuck.seen.winners
    assert msgspec.json.decode(stuck.entries[-1].body) == {"do": "end"}


def test_L16_the_end_from_the_screen_needs_every_player_too(stuck: Table) -> None:
    assert stuck.act("end").what == "needs all players"
    before = len(stuck.entries)
    stuck.decline()
    assert stuck.seen.table.phase == "choose"
    assert len(stuck.entries) == before


def test_L16_the_agreed_end_is_taken_back_at_once_for_nothing_was_revealed(stuck: Table) -> None:
    stuck.act("end")
    for seat in range(3):
        stuck.agree(seat)
    assert stuck.undo().kind == "undone"
    assert stuck.seen.table.phase == "choose"


def test_the_last_action_of_a_finished_game_can_be_taken_back(table: Table) -> None:
    table.hurry().play_to_end()
    assert table.seen.awaiting is None
    assert table.seen.scores
    assert table.undo().what == "undo needs all players"
    for seat in range(3):
        table.agree(seat)
    assert table.seen.table.phase == "bid"
    assert (table.seen.scores, table.seen.winners) == ((), ())
    assert table.seen.awaiting is not None


def test_after_the_end_every_action_is_refused(table: Table) -> None:
    table.hurry().play_to_end()
    actions: list[dict[str, Any]] = [
        {"do": "draw", "card": ALL_SIX[0]},
        {"do": "choose", "seat": 0, "colour": "white"},
        {"do": "stone", "seat": 0},
        {"do": "pass", "seat": 0},
        {"do": "end"},
    ]
    assert [table.heed(Act(table.new_id(), action)).what for action in actions] == ["the game is over"] * 5


# --- The match ------------------------------------------------------------------------------------------------


def test_the_next_game_waits_for_the_end_of_this_one(table: Table) -> None:
    before = standing(table)
    assert (table.next_game().kind, table.newest.what) == ("refused", "the game is not over")
    assert unchanged(table, before)


def test_an_action_that_a_phone_meant_for_another_game_does_not_count_and_its_player_hears_so(table: Table) -> None:
    before = standing(table)
    for begun in (None, table.seen.begun - 1, table.seen.begun + 1):
        told = table.heed(Act(table.new_id(), {"do": "stone", "seat": 0}, 0, begun))
        assert told.kind == "refused"
        assert table.words(told) == "That was for another game, so it does not count"
        said = say(told, table.evening.game.sentences, NAMES, load("de", LOCALE))
        assert said == "Das galt einem anderen Spiel und zählt deshalb nicht"
        assert unchanged(table, before)


def test_L21_in_a_match_the_direction_alternates_another_one_starts_and_results_add_up(table: Table) -> None:
    table.hurry()
    begun, results = [], []
    for seed in range(3):
        begun.append((table.seen.table.start, table.seen.table.direction))
        assert list(table.seen.match) == results
        table.play_to_end(seed)
        totals = tuple(score.total for score in table.seen.scores)
        results.append(Result(totals, table.seen.winners))
        told = table.next_game()
        assert (told.kind, told.what) == ("noted", "a new game")
    assert begun == [(0, "clockwise"), (1, "anticlockwise"), (2, "clockwise")]
    assert table.words(table.newest) == "A new game: Anna starts"
    table.reopen()
    assert list(table.seen.match) == results
    assert (table.seen.table.start, table.seen.table.direction) == (0, "anticlockwise")


def test_a_new_game_begins_with_the_same_people_options_box_and_kit(tmp_path: Path) -> None:
    table = Table(tmp_path, 4, kit="one", box=telltale_box(), first=3, tie="stones", stones="secret").hurry()
    before = table.play_to_end().seen
    table.next_game()
    after = table.seen
    assert (after.players, after.kit, after.box) == (before.players, before.kit, before.box)
    assert after.options == before.options | {"direction": "anticlockwise"}
    assert after.table.start == 0
    assert after.table.deck == 54
    table.journal.close()


def test_a_new_game_has_nothing_to_undo(table: Table) -> None:
    table.hurry().play_to_end()
    table.next_game()
    assert not table.seen.can_undo
    assert table.undo().what == "nothing to undo"


def test_the_same_wish_for_a_new_game_begins_one(table: Table) -> None:
    table.hurry().play_to_end()
    assert table.heed(NextGame("n")).what == "a new game"
    assert table.heed(NextGame("n")).what == "heard already"
    assert len(table.evening.played_games) == 2


def test_no_new_game_begins_while_every_player_is_asked_about_the_old_one(table: Table) -> None:
    table.hurry().play_to_end()
    table.undo()
    assert (table.next_game().kind, table.newest.what) == ("refused", "a question is open")
    for seat in range(3):
        table.agree(seat)
    assert table.seen.table.phase == "bid"


# --- A journal that cannot be written -------------------------------------------------------------------------


def full_disk(table: Table) -> None:
    """As good as a full disk: SQLite may use no more pages than it has, and the last one is filled up."""
    pages = table.journal._db.execute("PRAGMA page_count").fetchone()[0]
    assert table.journal._db.execute(f"PRAGMA max_page_count={pages}").fetchone()[0] == pages


def more_room(table: Table) -> None:
    table.journal._db.execute("PRAGMA max_page_count=1000000")


def fill(table: Table) -> None:
    """Draw cards and take them back until the disk is full."""
    full_disk(table)
    for _ in range(2000):
        if table.act("draw", card=ALL_SIX[0]).kind == "refused" or table.undo().kind == "refused":
            return
    raise AssertionError("the disk never fills up")


def test_a_full_disk_is_told_nothing_counts_and_later_it_works_again(table: Table) -> None:
    table.hurry()
    fill(table)
    told = table.newest
    assert (told.kind, told.what) == ("refused", "cannot be written")
    assert "does not count" in table.words(told)
    before = standing(table)
    unwritten = Act("again", {"do": "draw", "card": ALL_SIX[1]})
    assert table.heed(unwritten).what == "cannot be written"
    assert unchanged(table, before)
    more_room(table)
    assert table.heed(unwritten).kind == "accepted"
    assert Evening(table.entries).state == table.evening.state


def test_a_journal_that_may_only_be_read_is_told_and_nothing_counts(table: Table) -> None:
    table.to_bidding()
    table.journal._db.execute("PRAGMA query_only=ON")
    before = standing(table)
    assert table.press("green", "pad0").what == "cannot be written"
    assert table.undo().what == "cannot be written"
    assert (table.seen.table, len(table.entries)) == (before[0].table, before[1])
    table.journal._db.execute("PRAGMA query_only=OFF")
    assert table.press("green", "pad0").kind == "accepted"


def test_an_agreement_that_cannot_be_written_leaves_the_question_open(table: Table) -> None:
    table.to_reveal()
    table.undo()
    table.agree(0)
    table.agree(1)
    table.journal._db.execute("PRAGMA query_only=ON")
    last = Agree("last", 2)
    assert table.heed(last).what == "cannot be written"
    assert table.seen.question is not None
    assert table.seen.question.missing == (2,)
    table.journal._db.execute("PRAGMA query_only=OFF")
    assert table.heed(last).what == "undone"


def test_the_next_game_that_cannot_be_written_does_not_begin(table: Table) -> None:
    table.hurry().play_to_end()
    table.journal._db.execute("PRAGMA query_only=ON")
    before = standing(table)
    assert table.next_game().what == "cannot be written"
    assert unchanged(table, before)


def test_a_journal_that_another_program_keeps_busy_is_told(table: Table) -> None:
    table.journal._db.execute("PRAGMA busy_timeout=1")
    with closing(sqlite3.connect(table.journal.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert table.card(ALL_SIX[0]).what == "cannot be written"
        other.execute("ROLLBACK")
    assert table.card(ALL_SIX[0]).kind == "accepted"


def test_when_the_game_is_over_green_held_begins_another_one_and_red_held_still_takes_back(table: Table) -> None:
    table.play_to_end()
    assert table.press("green").kind == "idle"
    table.now += 1
    assert table.hold("green", "pad1").what == "a new game"
    assert table.seen.table.round == 1
    assert table.hold("green").kind != "noted"


# --- Devices --------------------------------------------------------------------------------------------------


def devices(table: Table) -> dict[str, str]:
    return {device.station: device.state for device in table.seen.devices}


def test_a_device_that_speaks_is_ready_and_one_that_fails_is_lost_until_it_says_that_it_is_back(table: Table) -> None:
    assert devices(table) == {}
    table.hear(LinkUp("pad1", 1000))
    table.press("green", "centre")
    assert devices(table) == {"centre": "ready", "pad1": "ready"}
    table.hear(LinkDown("pad1", 2000, "unplugged"))
    table.hear(ReaderFault("centre", 2000, "no answer"))
    assert devices(table) == {"centre": "lost", "pad1": "lost"}
    assert [device.problem for device in table.seen.devices] == ["no answer", "unplugged"]
    table.hear(LinkUp("pad1", 3000))
    table.hear(LinkUp("centre", 3000))
    assert devices(table) == {"centre": "ready", "pad1": "ready"}
    assert {device.problem for device in table.seen.devices} == {""}


def test_a_lost_device_stops_nothing_and_takes_nothing_away(table: Table) -> None:
    table.to_choosing()
    table.hear(TagPlaced("pad0", table.now_ms, table.uid(Thing("marker", "white", 0))))
    table.hear(ReaderFault("pad0", table.now_ms, "no answer"))
    assert table.seen.table.chosen == (True, False, False)
    assert table.act("choose", seat=0, colour="pink").kind == "accepted"


# --- Games told on the screen ---------------------------------------------------------------------------------


def test_without_readers_signals_mean_nothing_and_the_screen_tells_all(tmp_path: Path) -> None:
    table = Table(tmp_path, kit="none").hurry()
    assert table.card(ALL_SIX[0]).what == "no readers"
    assert table.play_to_end().seen.awaiting is None
    table.journal.close()


def test_only_choices_are_marked_as_secret(table: Table) -> None:
    assert table.seen.secret == ()
    assert table.to_choosing().seen.secret == ("choose",)


def test_everything_that_is_offered_is_accepted_as_it_stands(table: Table) -> None:
    for _ in range(3):
        for action in table.to_choosing().seen.offered[:1]:
            assert table.heed(Act(table.new_id(), msgspec.to_builtins(action))).kind == "accepted"
        while table.undo().kind == "undone":
            pass
