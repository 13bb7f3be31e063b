"""An evening of Sioux in a journal: undo puts everything back, and an export tells no card before its reveal."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.game import Seat
from companion.gamekit.game_start import Header
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Action, Play
from companion.session.entry import Entry, action_body, undo_body
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from tests.session.exports import replay

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")
seeds = st.integers(0, 2**32)


class Table:
    """What is done is written down, then it counts."""

    def __init__(self, players: int) -> None:
        self.evening = Evening(
            [Entry(1, 0.0, "game", "", "", game_body(Header("sioux", NAMES[:players]), GAME.standin()))]
        )

    def do(self, action: Action) -> "Table":
        self.evening.take(Entry(self.evening.number + 1, 0.0, "action", "tag", "", action_body(action)))
        return self

    def undo(self) -> "Table":
        self.evening.take(Entry(self.evening.number + 1, 0.0, "undo", "tag", "", undo_body(self.evening.to_undo)))
        return self

    def plays(self, chance: Random, steps: int) -> "Table":
        for _ in range(steps):
            actions = GAME.legal(self.evening.state)
            if not actions:
                break
            self.do(chance.choice(actions))
        return self

    @property
    def hidden(self) -> set[Seat]:
        table: Any = GAME.view(self.evening.state)
        return {seat for seat, down in enumerate(table.laid) if down}


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 5), seeds, st.integers(0, 400))
def test_an_export_is_adjudicated_to_the_table_before_the_first_hidden_card(players, seed, steps):
    table = Table(players).plays(Random(seed), steps)
    _, state = replay(transcript(table.evening), GAME.standin())
    played = table.evening.played_game.played
    told = len(transcript(table.evening).splitlines()) - 1
    assert len(played) - told >= len(table.hidden)
    assert state == (played[told].before if told < len(played) else table.evening.state)
    if not table.hidden:
        assert told == len(played)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 5), seeds, st.integers(0, 200))
def test_two_evenings_that_differ_in_a_hidden_card_are_exported_alike(players, seed, steps):
    chance = Random(seed)
    table = Table(players).plays(chance, steps)
    state = table.evening.state
    secrets = [action for action in GAME.legal(state) if GAME.conceals(action) is not None]
    alone = [action for action in secrets if len(GAME.awaiting(state).seats) > 1]
    if alone:
        one = chance.choice(alone)
        other = chance.choice([action for action in alone if action.seat == one.seat])
        told = transcript(table.do(one).evening)
        assert told == transcript(table.undo().do(other).evening)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 5), seeds, st.integers(1, 300))
def test_undo_leads_back_and_the_export_forgets_what_was_undone(players, seed, steps):
    table = Table(players).plays(Random(seed), steps)
    before = table.evening.last_action.before
    table.undo()
    assert table.evening.state == before
    _, state = replay(transcript(table.evening), GAME.standin())
    assert GAME.table(state).winter <= GAME.table(before).winter


def test_a_finished_game_is_exported_whole():
    table = Table(4).plays(Random(7), 100_000)
    game, state = replay(transcript(table.evening), GAME.standin())
    assert game.table(state) == GAME.table(table.evening.state)
    assert GAME.awaiting(state) is None


def test_S24_while_cards_lie_face_down_the_export_ends_before_the_first_of_them():
    table = Table(3).do(Play(2, "13")).do(Play(0, "crow"))
    assert len(transcript(table.evening).splitlines()) == 1
    assert len(transcript(table.do(Play(1, "5")).evening).splitlines()) == 4
