"""The fold: an evening that is resumed is the evening that was played, and an undo goes back to what was."""

import json
import random
import time
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import JournalError
from companion.gamekit.game import Whereabouts
from companion.gamekit.game_start import Header
from companion.games.lascaux.rules.engine import Choose, Draw, Pass
from companion.session.entry import Entry
from companion.session.evening import Evening, game_body
from companion.session.played_game import Ending
from companion.session.undo import needs_agreement, undo_entry, undo_moves
from tests.journal.table import LASCAUX, NAMES, STANDIN, Table

seeds = st.integers(0, 2**32)
plays = settings(max_examples=25, deadline=None)


def lying(where: Whereabouts) -> Counter[Any]:
    return Counter({key: count for key, count in where.items() if count})


def whole(where: Whereabouts) -> Counter[Any]:
    """How many there are of each thing, wherever they lie."""
    total: Counter[Any] = Counter()
    for (thing, _), count in where.items():
        total[thing] += count
    return total


# --- Live and resumed -----------------------------------------------------------------------------------------


@plays
@given(seed=seeds, players=st.integers(3, 5), undo=st.sampled_from([0.0, 0.1, 0.4]))
def test_resuming_gives_the_live_evening_at_every_entry(seed: int, players: int, undo: float) -> None:
    table, resumed, hands = Table(players=players), Evening(), random.Random(seed)
    resumed.take(table.entries[0])
    for _ in range(250):
        table.play_at_random(hands, 1, undo)
        for entry in table.entries[resumed.number :]:
            resumed.take(entry)
        live = table.evening
        assert resumed.state == live.state
        assert resumed.last_action == live.last_action
        assert resumed.number == live.number
    again = Evening(table.entries)
    assert again.played_game.played == table.evening.played_game.played
    assert again.causes == table.evening.causes


def test_resuming_ten_thousand_entries_takes_a_moment() -> None:
    table, hands = Table(), random.Random(1)
    while table.evening.number < 10_000:
        table.play_at_random(hands, 500, undo=0.05)
        if table.evening.played_game.finished:
            table.begin()
    start = time.process_time()
    assert Evening(table.entries).state == table.evening.state
    assert time.process_time() - start < 5


# --- Undo -----------------------------------------------------------------------------------------------------


@plays
@given(seed=seeds, players=st.integers(3, 5))
def test_an_undo_restores_the_state_before_and_says_what_to_put_back(seed: int, players: int) -> None:
    table, hands = Table(players=players), random.Random(seed)
    where = LASCAUX.whereabouts
    everything = whole(where(table.evening.state))
    for _ in range(120):
        before, count = table.evening.state, len(table.evening.played_game.played)
        table.play_at_random(hands, 1)
        now = lying(where(table.evening.state))
        promised = undo_moves(table.evening.played_game)
        assert table.undo().moves == promised
        for move in promised:
            assert move.count > 0
            now[move.thing, move.source] -= move.count
            assert now[move.thing, move.source] >= 0
            now[move.thing, move.target] += move.count
        assert +now == lying(where(before))
        assert table.evening.state == before
        assert len(table.evening.played_game.played) == count
        table.play_at_random(hands, 1)
        assert whole(where(table.evening.state)) == everything


@plays
@given(seed=seeds)
def test_one_may_undo_back_to_the_beginning(seed: int) -> None:
    table = Table()
    beginning = table.evening.state
    table.play_at_random(random.Random(seed), 80)
    while table.evening.last_action:
        before = table.evening.last_action.before
        table.undo()
        assert table.evening.state == before
    assert table.evening.state == beginning
    assert undo_entry(table.evening.played_game, None) is None
    assert undo_moves(table.evening.played_game) == ()
    assert not needs_agreement(table.evening.played_game)


def test_an_undo_across_a_reveal_needs_every_player() -> None:
    table, hands = Table(), random.Random(4)
    while not needs_agreement(table.evening.played_game):
        assert not (table.evening.last_action and table.evening.last_action.step.revealed)
        table.play_at_random(hands, 1)
    assert isinstance(table.evening.last_action.action, Pass)
    assert len(table.evening.last_action.step.revealed) == 3
    table.undo()
    assert not needs_agreement(table.evening.played_game)


def test_undone_actions_stay_in_the_journal_and_their_causes_are_not_heard_again() -> None:
    table = Table()
    table.do(Draw("aurochs-brown-blue"), cause="tag 7")
    table.undo()
    assert [entry.kind for entry in table.entries] == ["game", "action", "undo"]
    assert "tag 7" in table.evening.causes
    assert table.evening.last_action is None


def test_only_the_newest_action_of_the_current_game_can_be_undone() -> None:
    table = Table()
    for card in ("aurochs-brown-blue", "aurochs-yellow-white"):
        table.do(Draw(card))
    for body, number in ((b'{"undo":2}', 2), (b'{"undo":1}', 1), (b'{"undo":4}', 4)):
        with pytest.raises(JournalError, match=f"entry {number} is not the newest action"):
            table.evening.take(Entry(4, 1.0, "undo", "", "", body))
    table.begin()
    with pytest.raises(JournalError, match="entry 3 is not the newest action"):
        table.evening.take(Entry(5, 1.0, "undo", "", "", b'{"undo":3}'))


# --- What entries say -----------------------------------------------------------------------------------------


def test_an_entry_tells_the_rulings_that_it_caused() -> None:
    table = Table()
    taken = table.do(Draw("aurochs-brown-blue"))
    assert taken.number == 2
    assert [(ruling.rule, ruling.what) for ruling in taken.rulings] == [("L2", "draws")]
    assert table.evening.last_action.action == Draw("aurochs-brown-blue")


def test_an_evening_without_a_game_says_so() -> None:
    evening = Evening()
    assert evening.last_action is None
    with pytest.raises(JournalError, match="no game has begun"):
        _ = evening.state


def entry_of_a_game(**changes: Any) -> bytes:
    body: dict[str, Any] = json.loads(game_body(Header("lascaux", NAMES[:3]), STANDIN))
    return json.dumps(body | changes).encode()


@pytest.mark.parametrize(
    ("kind", "body", "problem"),
    [
        ("game", entry_of_a_game(players=["Anna"]), "3 to 5 players"),
        ("game", entry_of_a_game(first=3), "no seat 3"),
        ("game", entry_of_a_game(options={"tie": "fight"}), "option tie"),
        ("game", entry_of_a_game(box="game = 7"), "the box in entry"),
        ("game", entry_of_a_game(kit="plenty"), "cannot be read"),
        ("game", entry_of_a_game(package=""), "cannot be read"),
        ("game", entry_of_a_game(people=[0, 0, 9]), "does not say who sits where"),
        ("game", entry_of_a_game(people=[1, 0]), "does not say who sits where"),
        ("game", b"{}", "cannot be read"),
        ("action", b'{"do":"pass","seat":0}', r"refuse this action \(L7\)"),
        ("action", b'{"do":"draw"}', "refuse this action"),
        ("action", b'{"do":"dance"}', "refuse this action"),
        ("action", b"[]", "cannot be read"),
        ("action", b"", "cannot be read"),
        ("action", b"\xff\xfe", "cannot be read"),
        ("action", b'{"do":' + b"[" * 100_000, "cannot be read"),
        ("undo", b'{"undo":"all"}', "cannot be read"),
        ("rumour", b"{}", "no kind 'rumour'"),
    ],
)
def test_an_entry_that_does_not_fit_is_named_and_changes_nothing(kind: Any, body: bytes, problem: str) -> None:
    table = Table()
    table.do(Draw("aurochs-brown-blue"))
    evening = Evening(table.entries)
    with pytest.raises(JournalError, match=f"entry 3: .*{problem}"):
        evening.take(Entry(3, 1.0, kind, "", "cause", body))
    assert (evening.number, len(evening.causes), len(evening.played_games)) == (2, 0, 1)
    assert evening.state == table.evening.state


def test_entries_are_taken_in_order_and_begin_with_a_game() -> None:
    table = Table()
    with pytest.raises(JournalError, match="entry 3 follows entry 1"):
        table.evening.take(Entry(3, 1.0, "action", "", "", b"{}"))
    with pytest.raises(JournalError, match="no game has begun"):
        Evening().take(Entry(1, 1.0, "action", "", "", b'{"do":"end"}'))


def test_a_message_about_a_refused_choice_does_not_tell_it() -> None:
    table = Table()
    with pytest.raises(JournalError) as told:
        table.do(Choose(0, "pink"))
    assert "pink" not in str(told.value)


# --- A match --------------------------------------------------------------------------------------------------


def test_L21_the_games_of_a_match_are_kept_and_counted() -> None:
    table, hands = Table(), random.Random(9)
    table.play_at_random(hands)
    first = table.evening.played_game.result
    assert first.finished
    assert first.totals == tuple(score.total for score in LASCAUX.scores(table.evening.state))
    assert first.winners == LASCAUX.winners(table.evening.state)
    assert table.evening.results == ()
    table.begin(first=1, direction="anticlockwise")
    assert table.evening.results == (first,)
    table.play_at_random(hands, 10)
    table.begin(first=2)
    assert table.evening.results == (first, Ending((0, 0, 0), (), finished=False))
    assert Evening(table.entries).results == table.evening.results


def test_other_people_play_another_match() -> None:
    table = Table(players=3)
    table.play_at_random(random.Random(9))
    table.begin(players=4)
    assert table.evening.results == ()
    assert len(table.evening.played_games) == 2


def test_the_header_that_a_journal_stores_keeps_its_form() -> None:
    body = game_body(Header("lascaux", ("Anna", "Ben", "Cleo"), 1, {"stones": "secret"}), "a box", (2,), "one", 7)
    assert body.decode() == (
        '{"game":"lascaux","players":["Anna","Ben","Cleo"],"first":1,"options":{"stones":"secret"},"box":"a box",'
        '"simulated":[2],"kit":"one","stack":7,"package":"companion-table","people":[]}'
    )


def test_what_a_game_began_with_can_begin_the_next() -> None:
    table = Table(stones="secret")
    header = table.evening.header
    assert header.options == {"stones": "secret"}
    assert (header.kit, header.simulated, header.box) == ("none", (), STANDIN)
    table.evening.take(Entry(2, 1.0, "game", "", "", msgspec.json.encode(msgspec.structs.replace(header, first=1))))
    assert table.evening.header.first == 1
    assert table.evening.setup.options.stones == "secret"
