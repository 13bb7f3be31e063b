"""Simulated players of Sioux play whole games through signals, and mischief never changes them."""

from collections import Counter

import pytest
from msgspec.structs import replace

from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Dealt, Play, State
from companion.messages.intentions import Act
from companion.stations import CENTRE
from companion.table.signals import TagPlaced, TagRemoved
from tests.games.sioux.table import Table as Tried
from tests.simulation.evening import Evening as AnyEvening

SEEDS = range(4)


def Evening(seed=0, players=4, kit="full", mischief=0.0, **more) -> AnyEvening:
    return AnyEvening("sioux", seed, players, kit, mischief, **more)


@pytest.mark.slow
@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_whole_games_end_and_mischief_changes_nothing(players, kit):
    for seed in SEEDS:
        plain = Evening(seed, players, kit).play()
        spoiled = Evening(seed, players, kit, mischief=0.3).play()
        assert plain.state.phase == "over"
        assert plain.accepted == spoiled.accepted
        assert GAME.table(plain.state) == GAME.table(spoiled.state)


@pytest.mark.parametrize("kit", ["one", "full"])
def test_without_mischief_nothing_is_refused(kit):
    answers: Counter = Counter()
    for seed in range(6):
        answers.update(Evening(seed, 4, kit).play().answers)
    assert set(answers) <= {"accepted", "idle", "noted"}


def test_nothing_but_mischief_does_not_change_the_game_either():
    assert Evening(5, 3, "one", mischief=1.0).play().accepted == Evening(5, 3, "one").play().accepted


def test_the_kit_does_not_change_the_game():
    assert Evening(7, 3, "one").play().accepted == Evening(7, 3, "full").play().accepted


def test_mischief_is_of_many_kinds():
    told: Counter = Counter()
    for kit in ("one", "full"):
        for seed in range(3):
            history = Evening(seed, 4, kit, mischief=0.5).play().history
            told.update(line.what for line in history if line.kind != "accepted")
    assert set(told) >= {
        "unknown tag", "lies there already", "pressed already", "has laid already", "not in hand", "foreign pad",
        "nobody's card", "hunter lies aside", "cards are laid", "not now", "out of turn", "not in the duel",
    }  # fmt: skip


def test_they_bluff_and_duel_and_steal_often_enough_to_be_worth_watching():
    said: Counter = Counter()
    for seed in range(10):
        said.update(Evening(seed, 4, "full").play().said())
    games = 10
    assert said["calls the crow"] >= 1.5 * games
    assert said["breaks the tie"] >= 0.3 * games
    assert said["no crow"] >= 0.3 * games
    assert said["swap"] >= 2 * games
    assert said["hunter played"] >= 2 * games
    assert said["steals the deer"] >= 0.3 * games
    assert said["gets a gift"] >= 1.5 * games
    assert said["revealed"] <= 120 * games


def test_who_wants_some_gifts_but_not_all_says_so_on_the_screen():
    said = [each for seed in range(12) for each in Evening(seed, 5, "one").play().given if isinstance(each, Act)]
    assert said
    assert {each.action["do"] for each in said} == {"gifts", "crow"}


def test_S13_at_the_one_reader_the_buttons_speak_for_the_lower_seat_and_the_other_answers_on_the_screen():
    games = [Evening(seed, 3, "one").play() for seed in range(6)]
    said = [each.action for game in games for each in game.given if isinstance(each, Act)]
    assert [action["seat"] for action in said if action["do"] == "crow"]
    assert all(game.state.phase == "over" for game in games)


@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("seed", range(3))
def test_S22_at_once_no_player_forgets_what_they_have_taken_back(seed, kit):
    """A card that they do not hold would be refused under S25."""
    game = Evening(seed, 3 + seed, kit, last_card="at_once").play()
    assert game.state.phase == "over"
    assert "not in hand" not in [line.what for line in game.history]


@pytest.mark.parametrize(
    "options", [{"hunter_blocks_swap": False}, {"gift_after_swap": "riser"}, {"last_card": "at_once"}]
)
def test_options_are_played_to_the_end(options):
    assert Evening(1, 4, "full", **options).play().state.phase == "over"


def test_the_same_seed_and_mischief_give_the_same_signals():
    first, second, other = (Evening(seed, 3, "full", mischief=0.3).play() for seed in (7, 7, 8))
    assert first.given == second.given
    assert first.given != other.given


# --- Hands ----------------------------------------------------------------------------------------------------


def test_with_one_reader_everything_happens_at_the_centre():
    given = Evening(2, 3, "one", mischief=0.3).play().given
    assert {each.station for each in given if not isinstance(each, Act)} == {CENTRE}


def test_with_pads_every_player_uses_their_own():
    for signal in Evening(2, 3, "full").play().given:
        if isinstance(signal, TagPlaced):
            owner = Evening().pack.tags[signal.uid].owner
            assert owner is None or signal.station == f"pad{owner}"


def test_what_is_placed_is_removed_before_it_is_placed_again():
    lying: dict[str, str] = {}
    for signal in Evening(4, 4, "full").play().given:
        if isinstance(signal, TagPlaced):
            assert signal.uid not in lying
            lying[signal.uid] = signal.station
        elif isinstance(signal, TagRemoved):
            assert lying.pop(signal.uid) == signal.station


# --- With persons, and after a restart ------------------------------------------------------------------------


def test_they_wait_for_a_person_and_play_on():
    evening = Evening(6, 3, "one", mischief=0.3, seats=(1, 2))
    while evening.play().state.phase != "over":
        awaiting = GAME.awaiting(evening.state)
        assert 0 in awaiting.seats
        own = [action for action in GAME.legal(evening.state) if getattr(action, "seat", None) == 0]
        assert evening.do(own[len(evening.accepted) % len(own)]) == "accepted"


def tied_for_supply() -> State:
    """Seats 0, 1 and 2 have nothing when seat 3 reaches 20."""
    table = Tried(4).with_prey("", "", "", "bison bison bison bear").hunt("crow", "crow", "crow", "2")
    assert table.phase == "dealt"
    return table.state


@pytest.mark.parametrize("kit", ["one", "full"])
def test_S20_who_got_which_supply_card_is_told_one_after_another(kit):
    orders = set()
    for seed in range(20):
        evening = Evening(seed, 4, kit, state=tied_for_supply())
        evening.step()
        assert (evening.answers[0], len(evening.draft)) == ("noted", 1)
        evening.step()
        orders.add(evening.accepted[0])
    assert len(orders) == 6
    assert all(isinstance(order, Dealt) for order in orders)


def test_S20_to_a_person_they_are_dealt_by_a_simulated_neighbour_who_says_so_on_the_screen():
    evening = Evening(1, 4, "full", state=tied_for_supply(), seats=(1, 2, 3))
    evening.step()
    assert isinstance(evening.given[0], Act)
    assert set(evening.accepted[0].seats) == {0, 1, 2}


@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("remembered", [0, 60])
def test_a_table_of_new_hands_plays_on_from_any_moment(kit, remembered):
    """As after a power cut: no player remembers a card but from the lines that are still shown."""
    first = Evening(9, 3, kit)
    for number in range(150):
        first.step()
        if number % 29 == 0:
            lines = [
                replace(line, number=at)
                for at, line in enumerate(first.history[-remembered or len(first.history) :], 1)
            ]
            again = Evening(9, 3, kit, 0.2, state=first.state, history=lines if remembered else ())
            assert again.play().state.phase == "over"


def test_after_an_undo_they_find_their_way():
    evening = Evening(3, 3, "one")
    states = []
    for _ in range(90):
        states.append(evening.state)
        evening.step()
    evening.state = states[60]
    evening._tell("undone", "undone", None, {})
    assert evening.play().state.phase == "over"


def test_the_hands_look_at_the_public_table_only():
    """Two tables that look alike but hide different cards are played alike."""
    steps = []
    for card in ("9", "crow"):
        evening = Evening(9, 3, "full", seats=(1, 2))
        evening.do(Play(0, card))
        steps.append(evening.simulation.next(evening.snapshot(), 0))
    assert steps[0] == steps[1]
