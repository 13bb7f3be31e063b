"""Darwinci at a whole table: the referee hears presses, half a bid is seen, the journal and exports tell no secret."""

import json
from datetime import date
from itertools import count
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.gamekit.game_start import Header, read_action
from companion.games.darwinci.components import standin
from companion.games.darwinci.rules.state import Bid, Offer
from companion.games.darwinci.view import HalfBid, Stones
from companion.journal.store import Journal
from companion.messages.intentions import Prepare, Undo
from companion.processes.referee_process import seat_pads_of
from companion.referee.referee import Referee
from companion.session.entry import action_body
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from companion.stations import CENTRE
from companion.table.signals import Held, Pressed, TagPlaced
from companion.verbs.adjudicate import adjudicate
from tests.session.exports import replay

from .test_properties import seeds

DARWINCI = discovery.find("darwinci")
NAMES = ("Anna", "Ben", "Cleo")


class Table:
    """A real journal and a real referee at a table that is set up; pads 0 to 2."""

    def __init__(self, folder, kit="full"):
        self.journal = Journal.create(folder, date=date(2026, 11, 16))
        header = Header("darwinci", NAMES, 0, {})
        self.evening = Evening([self.journal.append("game", game_body(header, standin(), (), kit), "", "", 0.0)])
        self.seat_pads = seat_pads_of(self.evening)
        self.referee = Referee(self.journal, self.evening, self.seat_pads)
        self.referee.heed(Prepare("set up", 99), 0.0)
        self._ms = count(1000, 1000)

    def until(self, phase, chance):
        while self.evening.state.phase != phase:
            action = chance.choice(DARWINCI.legal(self.evening.state))
            self.evening.take(self.journal.append("action", action_body(action), "", "", 0.0))
        return self

    def press(self, button, pad=None, *, held=False, id_=""):
        station = CENTRE if pad is None else f"pad{pad}"
        return self.referee.hear((Held if held else Pressed)(station, next(self._ms), button, id_), 0.0)

    def lay(self, tile, pad):
        uid = self.seat_pads.pack.uid_of(Thing("tile", tile))
        return self.referee.hear(TagPlaced(f"pad{pad}", next(self._ms), uid), 0.0)

    @property
    def draft(self):
        return self.referee.snapshot().draft


@pytest.fixture
def bidding(tmp_path):
    """Anna begins; she holds a stone each of Ben and Cleo."""
    table = Table(tmp_path).until("bid", Random(3))
    yield table
    table.journal.close()


def test_a_bid_is_put_together_by_presses_and_is_one_action(bidding):
    before = len(bidding.evening.played_game.played)
    bidding.press("green", 1)
    assert bidding.draft == HalfBid(0, (Stones(1, 0, 1),))
    bidding.press("red", 2)
    bidding.press("green", 2)
    bidding.press("red", 0)
    assert len(bidding.evening.played_game.played) == before
    told = bidding.press("green")
    assert (told.kind, told.rule) == ("accepted", "D4")
    assert bidding.draft is None
    assert bidding.evening.played_game.played[-1].action == Bid(0, (Stones(1, 0, 1), Stones(2, 2, 1), Stones(0, 1, 1)))


def test_a_refused_bid_stays_half_said(bidding):
    bidding.press("green", 1)
    assert (told := bidding.press("green")).kind == "refused", told
    assert bidding.draft == HalfBid(0, (Stones(1, 0, 1),))


def test_red_held_takes_back_a_stone_first_and_the_newest_action_only_when_nothing_is_half_said(bidding):
    bidding.press("green", 1)
    assert bidding.press("red", 0, held=True).kind == "noted"
    assert bidding.draft is None
    assert bidding.press("red", 0, held=True).what == "undo needs all players"


def test_a_press_that_is_sent_again_counts_once(bidding):
    bidding.press("red", 1, id_="press-1")
    bidding.press("green", 1)
    assert bidding.press("red", 1, id_="press-1").kind == "repeated"
    assert len(bidding.draft.stones) == 1


def test_half_a_bid_is_in_no_history_and_an_undo_drops_it(bidding):
    for button, pad in (("red", 1), ("green", 1), ("red", 1), ("green", None)):
        bidding.press(button, pad)
    lines = [line.what for line in bidding.referee.snapshot().history]
    assert "half a bid" not in lines
    bidding.press("green", 1)
    assert bidding.draft is not None
    assert bidding.referee.heed(Undo("undo-1"), 0.0).kind == "undone"
    assert bidding.draft is None


def test_D21_an_offer_on_a_pad_is_on_no_screen_until_all_lie_there(tmp_path):
    table = Table(tmp_path).until("offer", Random(3))
    tile = table.evening.state.fresh[0]
    assert table.lay(tile, 1).what == "has offered"
    seen = table.referee.snapshot()
    assert tile not in str((seen.table, seen.history, seen.draft))
    assert seen.secret == ("offer",)
    assert sum(action.tile == tile for action in seen.offered) == 2
    assert not any('"offer"' in line for line in transcript(table.evening).splitlines())
    assert table.lay(tile, 0).what == "has offered"  # believed, whatever others have offered
    table.journal.close()


# --- Exports --------------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seeds)
def test_an_export_holds_no_hidden_offer_and_the_rules_come_to_the_same_table_again(tmp_path_factory, seed):
    chance = Random(seed)
    table = Table(tmp_path_factory.mktemp("export"))
    for _ in range(chance.randint(1, 200)):
        legal = DARWINCI.legal(table.evening.state)
        if not legal:
            break
        action = chance.choice(legal)
        table.evening.take(table.journal.append("action", action_body(action), "", "", 0.0))
    state = table.evening.state
    text = transcript(table.evening)
    actions = [read_action(DARWINCI, json.loads(line)) for line in text.splitlines()[1:]]
    hidden = [tile for tile in state.offers if tile is not None] if state.phase == "offer" else []
    assert not any(isinstance(action, Offer) and action.tile in hidden for action in actions)
    game, again = replay(text, standin())
    if not hidden:
        assert game.table(again) == game.table(state)
    table.journal.close()


def test_a_whole_game_is_told_with_the_reason_for_every_point(capsys):
    from companion.cli import main

    assert main(["demo", "darwinci", "--headless", "--seed", "7"]) in (0, None)
    told = capsys.readouterr().out
    assert "closes a creature" in told
    assert "(D15)" in told
    assert "(D14)" in told
    assert "wins." in told


def test_a_transcript_is_adjudicated_in_readable_text(capsys, tmp_path, monkeypatch):
    from pathlib import Path

    from companion.cli import main

    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    path = Path(__file__).parents[2] / "data" / "darwinci" / "stacks-run-out.jsonl"
    assert main(["adjudicate", str(path)]) == 0
    told = capsys.readouterr().out
    assert "Winner: Ben" in told
    assert "darwin_card: Cleo" in told
    assert adjudicate(path).finished
