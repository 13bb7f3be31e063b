"""D21 At a table, a player who names a tile that lies face down is believed until all tiles lie there."""

import pytest

from companion.gamekit.game import Refusal, Ruling, Step
from companion.gamekit.game_start import Header
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import Build, Keep, Offer
from companion.session.entry import Entry, action_body
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from tests.session.exports import replay

from .table import Table

ANNA, BEN, CLEO = range(3)


@pytest.fixture
def evening() -> Evening:
    """Three players are about to offer."""
    evening = Evening(
        [Entry(1, 0.0, "game", "", "", game_body(Header("darwinci", ("Anna", "Ben", "Cleo")), GAME.standin()))]
    )
    for seat in range(3):
        one, other = GAME.setup(evening.setup).fresh[seat * 2 : seat * 2 + 2]
        do(evening, Build(seat, one, 0, 0, 0), Build(seat, other, 1, 0, 0))
    return do(evening, *(Keep(seat) for seat in range(3)))


def do(evening: Evening, *actions: object) -> Evening:
    for action in actions:
        evening.take(Entry(evening.number + 1, 0.0, "action", "screen", "", action_body(action)))
    return evening


def test_D22_a_transcript_is_judged_by_what_it_says() -> None:
    table = Table().set_up().keep().do(Offer(ANNA, "e1"))
    assert table.refused(Offer(BEN, "e1")) == ("D22", "used already")


def test_D21_the_same_tile_named_twice_is_found_out_when_all_lie_there(evening: Evening) -> None:
    one, other, third = evening.state.fresh[:3]
    do(evening, Offer(ANNA, one))
    before = evening.state
    do(evening, Offer(BEN, one))
    assert GAME.view(evening.state) == GAME.view(
        GAME.at_table(before, Offer(BEN, other)).state  # what another tile would have led to
    )
    step = GAME.at_table(evening.state, Offer(CLEO, third))
    assert isinstance(step, Step)
    assert step.rulings[-1] == Ruling("D21", "named twice", {"seats": (ANNA, BEN)})
    assert step.revealed == ()
    do(evening, Offer(CLEO, third))
    assert GAME.awaiting(evening.state).seats == (ANNA, BEN)
    assert evening.state.hands == (2, 2, 1)
    do(evening, Offer(BEN, one), Offer(ANNA, other))
    assert evening.state.phase == "bid"
    assert evening.state.offers == (other, one, third)


def test_D21_the_one_who_is_last_to_name_it_is_heard_again_too(evening: Evening) -> None:
    one, other, third = evening.state.fresh[:3]
    fresh = evening.state.fresh
    do(evening, Offer(ANNA, one), Offer(CLEO, third), Offer(BEN, one))
    assert GAME.awaiting(evening.state).seats == (ANNA, BEN)
    assert evening.state.fresh == tuple(tile for tile in fresh if tile != third)
    assert isinstance(GAME.at_table(evening.state, Offer(CLEO, other)), Refusal)


def test_D21_the_export_has_what_counted_in_the_end(evening: Evening) -> None:
    one, other, third = evening.state.fresh[:3]
    do(evening, Offer(ANNA, one), Offer(BEN, one))
    assert "offer" not in transcript(evening)
    do(evening, Offer(CLEO, third), Offer(BEN, one), Offer(ANNA, other))
    do(evening, GAME.legal(evening.state)[0])
    _, state = replay(transcript(evening), GAME.standin())
    assert state == evening.state
    assert transcript(evening).count('"offer"') == 3
