"""Simulated players of Carnuta play whole games through signals and intentions, and mischief never changes them."""

from collections import Counter
from functools import partial

import pytest
from msgspec.structs import replace

from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.state import Deal, EndTurn, Flip, Runes, Start
from companion.games.carnuta.simulated import Mind
from companion.simulation.simulated_table import SimulatedTable
from companion.stations import CENTRE
from tests.simulation.evening import Evening as AnyEvening

SEEDS = range(6)
Evening = partial(AnyEvening, "carnuta")


@pytest.mark.slow
@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_end_and_mischief_changes_nothing(players, kit):
    best = []
    for seed in SEEDS:
        plain = Evening(seed, players, kit).play()
        spoiled = Evening(seed, players, kit, mischief=0.3).play()
        assert plain.state.phase == "over"
        assert plain.accepted == spoiled.accepted
        best.append(max(plain.totals))
    assert 50 <= sum(best) / len(best) <= 72


@pytest.mark.parametrize("kit", ["one", "full"])
def test_without_mischief_nothing_is_refused(kit):
    assert set(Evening(3, 4, kit).play().answers) == {"accepted", "idle", "noted"}


def test_nothing_but_mischief_does_not_change_the_game_either():
    assert Evening(5, 3, "full", 1.0).play().accepted == Evening(5, 3, "full").play().accepted


def test_the_kit_does_not_change_the_game():
    assert Evening(7, 3, "one").play().accepted == Evening(7, 3, "full").play().accepted


def test_the_same_seed_gives_the_same_signals():
    first, second, other = (Evening(seed, 2, "full", 0.3).play() for seed in (7, 7, 8))
    assert first.given == second.given
    assert first.given != other.given


def test_mischief_is_of_many_kinds():
    told = Counter()
    for kit in ("one", "full"):
        for seed in range(2):
            told.update(line.what for line in Evening(seed, 3, kit, 0.5).play().history if line.kind != "accepted")
    assert set(told) >= {
        "unknown tag", "lies there already", "pressed already", "in the row already", "not in the deck",
        "card on a pad", "nobody's marker", "foreign pad", "out of turn", "cannot pay", "no action left",
        "the bonus first", "no bonus now", "start cards first", "a card is dealt", "actions first",
    }  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [
        {"start_card": "played"},
        {"partial_runes": True},
        {"sickles_per_turn": 2},
        {"last_round": False},
        {"start_card": "played", "partial_runes": True, "sickles_per_turn": 3, "last_round": False},
    ],
)
def test_games_with_options_end(options):
    for seed in range(3):
        evening = Evening(seed, 3, "full", 0.2, **options).play()
        assert evening.state.phase == "over"


def test_with_one_reader_everything_happens_at_the_centre():
    stations = {getattr(given, "station", CENTRE) for given in Evening(2, 3, "one", 0.3).play().given}
    assert stations == {CENTRE}


def test_C17_start_cards_do_not_stay_on_the_pads():
    evening = Evening(2, 3, "full")
    while evening.state.phase == "start":
        evening.step()
    assert evening.presence.lying == {}


def test_a_neighbour_deals_for_a_person_who_has_to_act_himself():
    evening = Evening(1, 3, "full", seats=(1, 2)).play()
    assert evening.state.starting == 0
    evening.do(Start(0, "egg-1"))
    evening.play()
    assert (evening.state.phase, evening.state.turn) == ("act", 0)
    assert Counter(type(action) for action in evening.accepted) == {Start: 3, Deal: 8}
    evening.do(Flip(0, "sun"))
    evening.do(Flip(0, "moon"))
    evening.do(EndTurn(0))
    assert evening.play().state.turn == 0
    assert evening.state.round == 2


def test_a_card_that_a_person_took_as_their_start_card_is_not_found_in_the_deck():
    """No player knows it, so a player may try it: then it is the next one."""
    for card in [card.id for card in Evening().state.box.cards][::6]:
        evening = Evening(4, 2, "full", seats=(1,))
        evening.do(Start(0, card))
        evening.play()
        assert (evening.state.phase, evening.state.turn) == ("act", 0)


@pytest.mark.parametrize("kit", ["one", "full"])
def test_a_table_of_new_hands_plays_on_from_any_moment(kit):
    """As after a power cut: no player remembers a start card, and the readers have told nothing yet."""
    first = Evening(9, 3, kit)
    for number in range(160):
        first.step()
        if number % 40 == 1:
            assert Evening(9, 3, kit, 0.2, state=first.state).play().state.phase == "over"


def test_a_player_who_remembers_their_start_card_wrongly_plays_on():
    evening = Evening(9, 2, "full")
    while evening.state.phase != "act":
        evening.step()
    first, second = evening.state.players
    swapped = (
        replace(first, hand=second.hand, secret=second.secret),
        replace(second, hand=first.hand, secret=first.secret),
    )
    evening.state = replace(evening.state, players=swapped)
    assert evening.play().state.phase == "over"


def test_C17_the_hands_look_at_the_public_table_only():
    """Two tables that look alike but hide different start cards of a person are played alike."""
    deeds = []
    for card in ("egg-1", "egg-3"):
        evening = Evening(9, 3, "full", seats=(1, 2))
        evening.do(Start(0, card))
        for seat, other in ((1, "moth-1"), (2, "berry-2")):
            evening.do(Start(seat, other))
        deeds.append(SimulatedTable(9, {1, 2}, "full", 0.0, evening.pack).next(evening.snapshot(), 0))
    assert deeds[0] == deeds[1]


def test_all_thinking_comes_before_the_first_signal():
    evening = Evening(5, 3, "full", 0.5)
    while deed := evening.simulation.next(evening.snapshot(), 0):
        (think_ms, first), *others = deed.steps
        assert think_ms >= 700
        for given in (first, *(given for _, given in others)):
            evening.hear(given)
    assert evening.state.phase == "over"
    assert GAME.winners(evening.state)


def test_C9_C10_without_the_options_a_count_is_an_extra_field_to_a_simulated_player():
    evening = Evening(3, 2, "full")
    weighed = 0
    while deed := evening.simulation.next(evening.snapshot(), 0):
        snapshot = evening.snapshot()
        if snapshot.table.phase == "act" and snapshot.table.actions_left:
            mind = Mind(snapshot, evening.state.turn, None)
            for action in snapshot.offered:
                if isinstance(action, Flip | Runes):
                    assert mind._weigh(replace(action, count=1)) == mind._weigh(action)
                    weighed += 1
        if weighed > 40:
            break
        for _, given in deed.steps:
            evening.hear(given)
    assert weighed > 40
