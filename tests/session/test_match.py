"""L21 The match: several games are added up, and when it is ended a player has won it."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import JournalError
from companion.gamekit.ending import leaders
from companion.gamekit.snapshot import Told
from companion.messages.intentions import EndMatch, LookAtGame, NextGame, ReadBack, Undo
from companion.session.entry import Entry
from companion.session.evening import Evening
from tests.referee.table import Table

TIED = 71
"""A game that ends in a tie. Should the rules make another game of it, one is looked for."""


def end(table: Table) -> Told:
    return table.heed(EndMatch(table.new_id()))


def two_games(folder: Path) -> Table:
    table = Table(folder).hurry().play_to_end(1)
    table.next_game()
    return table.play_to_end(2)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return two_games(tmp_path)


def sums(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    now = table.seen
    return leaders([*(result.totals for result in now.match), [score.total for score in now.scores]])


def test_L21_the_player_with_the_most_in_all_games_together_wins_the_match(table: Table) -> None:
    points, best = sums(table)
    told = end(table)
    assert told.kind == "noted"
    assert told.facts["points"] == max(points)
    assert best == ((told.facts["seat"],) if told.what == "match won" else told.facts["seats"])
    assert table.seen.ended
    assert "The match is over" in table.words(told)
    assert table.entries[-1].kind == "ended"


def test_those_who_have_as_many_share_the_match(tmp_path: Path) -> None:
    for seed in (TIED, *range(200)):
        folder = tmp_path / str(seed)
        table = Table(folder).hurry().play_to_end(seed)
        points, best = sums(table)
        if len(best) > 1:
            told = end(table)
            assert (told.what, told.facts) == ("match shared", {"seats": best, "points": max(points)})
            assert "share the victory" in table.words(told)
            return
        table.journal.close()
    raise AssertionError("no game ends in a tie")


def test_a_match_does_not_end_in_the_middle_of_a_game(table: Table) -> None:
    table.next_game()
    before = table.shown
    told = end(table)
    assert (told.kind, told.what) == ("refused", "the game is not over")
    assert table.shown == before


def test_a_match_does_not_end_while_every_player_is_asked(table: Table) -> None:
    table.undo()
    assert (end(table).kind, table.newest.what) == ("refused", "a question is open")
    assert not table.seen.ended


def test_after_the_end_of_the_match_no_game_begins_and_no_player_ends_it_again(table: Table) -> None:
    entry = end(table).entry
    for told in (table.next_game(), table.hold("green", "pad1"), end(table)):
        assert (told.kind, told.what) == ("refused", "the match has ended")
        assert table.words(told).startswith("The match is over")
    assert (table.seen.entry, table.seen.ended) == (entry, True)


def test_the_same_wish_ends_the_match_once(table: Table) -> None:
    wish = EndMatch("once")
    table.heed(wish)
    assert table.heed(wish).what == "heard already"
    assert [entry.kind for entry in table.entries].count("ended") == 1


def test_an_ended_match_is_ended_after_a_restart_and_looks_the_same(table: Table) -> None:
    told = end(table)
    before = table.shown
    table.reopen()
    assert table.shown == before
    assert (table.newest.what, table.newest.facts, table.newest.entry) == (told.what, told.facts, told.entry)
    assert table.next_game().what == "the match has ended"


def test_an_undo_takes_back_the_end_of_the_match_and_nothing_else(table: Table) -> None:
    before = table.shown
    end(table)
    newest = table.seen.newest
    assert newest is not None
    assert newest.what.startswith("match ")
    told = table.heed(Undo(table.new_id(), table.seen.entry))
    assert (told.kind, told.what, told.moves) == ("noted", "match reopened", ())
    after = table.shown
    assert not after.ended
    assert (after.table, after.scores, after.newest) == (before.table, before.scores, before.newest)
    assert table.reopen().next_game().what == "a new game"


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(["end", "undo", "next", "agree", "decline", "reopen"]), max_size=12))
def test_whatever_people_do_after_a_game_the_journal_folds_to_the_same_evening(
    tmp_path_factory: pytest.TempPathFactory, wishes: list[str]
) -> None:
    table = two_games(tmp_path_factory.mktemp("evening"))
    for wish in wishes:
        match wish:
            case "end":
                end(table)
            case "undo":
                table.undo()
            case "next":
                table.next_game()
            case "agree":
                for seat in range(3):
                    table.agree(seat)
            case "decline":
                table.decline()
            case _:
                table.reopen().hurry()
    folded = Evening(table.entries)
    assert folded.state == table.evening.state
    assert (folded.played_game.ended, folded.to_undo) == (table.evening.played_game.ended, table.evening.to_undo)
    assert folded.played_game.finished or not folded.played_game.ended
    table.journal.close()


@pytest.mark.parametrize("kind", ["ended", "game"])
def test_a_journal_that_goes_on_behind_the_end_of_a_match_makes_no_evening(table: Table, kind: str) -> None:
    opening = table.entries[0].body
    end(table)
    evening = Evening(table.entries)
    body = opening if kind == "game" else b"{}"
    with pytest.raises(JournalError, match=f"entry {evening.number + 1}: a (game|match)"):
        evening.take(Entry(evening.number + 1, 1.0, kind, "", "", body))  # type: ignore[arg-type]


def test_no_match_ends_before_a_game_has_begun_or_while_it_is_played(table: Table) -> None:
    for entries in ([], table.entries[:1], table.entries[:5]):
        with pytest.raises(JournalError, match="a match cannot end here"):
            Evening(entries).take(Entry(len(entries) + 1, 1.0, "ended", "", "", b"{}"))


def test_players_may_change_what_the_game_proposes_for_the_next_one(table: Table) -> None:
    proposed = table.seen.following
    assert proposed is not None
    assert proposed.options["direction"] != table.seen.options["direction"]
    first, direction = (proposed.first + 1) % 3, table.seen.options["direction"]
    wanted = NextGame(table.new_id(), (1, 0, 2), first, {"direction": direction})
    assert table.heed(wanted).what == "a new game"
    assert table.evening.header.players == ("Ben", "Anna", "Cleo")
    assert (table.evening.header.first, table.seen.options["direction"]) == (first, direction)
    assert table.seen.following is None, "not while a game is played"


@pytest.mark.parametrize("wrong", [{"first": 9}, {"options": {"direction": "sideways"}}, {"options": {"weather": 1}}])
def test_a_next_game_that_cannot_begin_is_refused_with_the_reason(table: Table, wrong: dict[str, Any]) -> None:
    told = table.heed(NextGame(table.new_id(), **wrong))
    assert (told.kind, told.what) == ("refused", "cannot begin")
    assert table.words(told).startswith("This game cannot begin: ")
    assert table.entries[-1].kind == "action"


def test_every_game_of_the_match_can_be_looked_at_in_full(table: Table) -> None:
    table.next_game()
    first, second, playing = (table.referee.inform(LookAtGame("x", number)).snapshot for number in (1, 2, 3))
    assert first is not None
    assert second is not None
    assert tuple(score.total for score in first.scores) == table.seen.match[0].totals
    assert all(score.parts for score in first.scores)
    assert (first.match, second.match) == ((), table.seen.match[:1])
    assert playing is None
    assert table.referee.inform(LookAtGame("x", 4)).snapshot is None


def test_the_lines_of_a_game_can_be_read_back_to_its_first_action(table: Table) -> None:
    lines, before, is_first = [], table.seen.history[0].number, False
    while not is_first:
        page = table.referee.inform(ReadBack("x", before))
        lines[:0], is_first = page.lines, page.is_first
        before = lines[0].number
    assert [told.number for told in lines] == list(range(lines[0].number, lines[-1].number + 1))
    assert lines[0].what == "a new game", "and not into the game before"
    assert lines[1].what == "draws"
    numbered = {told.number for told in lines}
    assert table.seen.history[0].number - 1 in numbered


def test_after_a_restart_the_lines_still_reach_back_to_the_first_action(table: Table) -> None:
    rulings = [ruling.what for played in table.evening.played_game.played for ruling in played.rulings]
    table.reopen()
    page = table.referee.inform(ReadBack("x", table.seen.history[0].number))
    while not page.is_first:
        page = table.referee.inform(ReadBack("x", page.lines[0].number))
    assert [told.what for told in page.lines[:3]] == rulings[:3]
