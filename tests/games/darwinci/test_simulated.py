"""Simulated players of Darwinci play whole games through signals, and mischief never changes them."""

from collections import Counter
from functools import cache, partial

import hypothesis
import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import Bid, Build, Buy, Jewels, Keep, Offer, Skip
from companion.games.darwinci.simulated import to_lead
from companion.messages.intentions import Act
from companion.stations import CENTRE
from companion.table.signals import TagPlaced, TagRemoved
from tests.simulation.evening import Evening as AnyEvening

from . import by_the_book

Evening = partial(AnyEvening, "darwinci")


@cache
def played(seed: int, players: int, kit: str, mischief: float = 0.0) -> AnyEvening:
    return Evening(seed, players, kit, mischief).play()


# --- Whole games ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_whole_games_end_and_mischief_changes_nothing(players, kit):
    for seed in (1, 2):
        plain, spoiled = played(seed, players, kit), played(seed, players, kit, 0.3)
        assert plain.state.phase == "over"
        assert plain.accepted == spoiled.accepted
        assert GAME.table(plain.state) == GAME.table(spoiled.state)
        assert 25 <= max(plain.state.money) <= 110


@pytest.mark.parametrize("kit", ["one", "full"])
def test_without_mischief_nothing_is_refused(kit):
    assert set(played(1, 4, kit).answers) == {"accepted", "noted", "idle"}


@pytest.mark.slow
def test_creatures_are_finished_about_as_often_as_not_and_jewellery_is_scored():
    evenings = [played(seed, players, kit) for seed in (1, 2) for players in (3, 4, 5) for kit in ("one", "full")]
    displays = [sizes for evening in evenings for sizes in evening.state.creatures]
    assert 0.3 < sum(map(bool, displays)) / len(displays) < 0.8
    kinds = [kinds for evening in evenings for kinds in evening.state.jewels_scored]
    assert 1 < sum(map(len, kinds)) / len(kinds) < 5


def test_all_kinds_of_actions_are_met():
    evenings = [played(seed, players, kit) for seed in (1, 2) for players in (3, 4, 5) for kit in ("one", "full")]
    kinds = Counter(type(action) for evening in evenings for action in evening.accepted)
    assert all(kinds[kind] for kind in (Build, Buy, Keep, Offer, Bid, Jewels, Skip))
    told = sum((evening.said() for evening in evenings), Counter())
    assert {"closes a creature", "wins the tie", "pays", "twelve tiles", "hands over the Darwin card"} <= set(told)


def test_mischief_is_of_many_kinds():
    told = Counter()
    for kit in ("one", "full"):
        for seed in (1, 2):
            told += Counter(line.what for line in played(seed, 4, kit, 0.3).history if line.kind != "accepted")
    assert set(told) >= {
        "unknown tag", "lies there already", "pressed already", "used already", "not offered", "not won",
        "no tiles now", "no jewellery now", "nobody's marker", "out of turn", "somebody else's turn",
        "tiles are offered",
    }  # fmt: skip


def test_the_same_seed_and_mischief_give_the_same_signals():
    first, second = Evening(3, 3, "full", 0.3).play(), Evening(3, 3, "full", 0.3).play()
    assert first.given == second.given


@hypothesis.given(st.integers(3, 5), st.integers(0, 4), st.sampled_from(["clockwise", "nearest"]), st.data())
def test_D7_a_bid_that_takes_the_lead_wins_the_tile_and_one_stone_fewer_would_not(players, start, tie, data):
    table = GAME.table(Evening(1, players).state)
    laid = data.draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    seat = data.draw(st.integers(0, players - 1))
    table = replace(table, start=start % players, on=((*laid,), *table.on[1:]))
    needed = to_lead(table, tie, seat, 0)

    def wins(more: int) -> bool:
        on = [
            [count + more * (colour == seat) for colour, count in enumerate(laid)],
            *([0] * players for _ in laid[1:]),
        ]
        told = by_the_book.settle(players, table.start, [[9] * players] * players, on, tie)
        return told["winners"][0] == seat

    assert wins(needed)
    assert laid[seat] + needed == 0 or not wins(needed - 1)


def test_options_are_played_to_the_end():
    assert Evening(4, 3, minus="floor", run="part", tie="nearest").play().state.phase == "over"


# --- Hands ----------------------------------------------------------------------------------------------------


def test_with_one_reader_everything_happens_at_the_centre():
    signals = [given for given in played(1, 4, "one", 0.3).given if not isinstance(given, Act)]
    assert {signal.station for signal in signals} == {CENTRE}


def test_bids_and_offers_come_through_readers_and_buttons_only():
    said = Counter(given.action["do"] for given in played(1, 4, "full").given if isinstance(given, Act))
    assert set(said) <= {"build", "discard", "jewels"}
    assert said["build"] < sum(isinstance(action, Build) for action in played(1, 4, "full").accepted)


def test_what_is_placed_is_removed_before_it_is_placed_again():
    lying: dict[str, str] = {}
    for given in played(2, 4, "full").given:
        if isinstance(given, TagPlaced):
            assert given.uid not in lying
            lying[given.uid] = given.station
        elif isinstance(given, TagRemoved):
            assert lying.pop(given.uid) == given.station


def test_D21_the_hands_look_at_the_public_table_only():
    """Two tables that look alike but hide different offers are played alike."""
    evening = Evening(5, 3, "full", seats=(1, 2))
    while evening.state.phase != "offer":
        if not evening.step():
            evening.do(GAME.legal(evening.state)[0])
    steps = []
    for tile in GAME.legal(evening.state)[0].tile, GAME.legal(evening.state)[40].tile:
        state = GAME.apply(evening.state, Offer(0, tile)).state
        again = Evening(5, 3, "full", seats=(1, 2), state=state)
        steps.append(again.simulation.next(again.snapshot(), 0))
    assert steps[0] == steps[1]


# --- With persons, and after a power cut ----------------------------------------------------------------------


@pytest.mark.parametrize("kit", ["one", "full"])
def test_a_person_at_the_table_plays_along(kit):
    evening = Evening(6, 3, kit, 0.3, seats=(1, 2))
    while evening.play().state.phase != "over":
        legal = GAME.legal(evening.state)
        evening.do(next(action for action in legal if action.seat == 0))


@pytest.mark.parametrize("kit", ["one", "full"])
def test_a_table_of_new_hands_plays_on_from_any_moment(kit):
    """As after a power cut: no player remembers their tiles, or which ones have left the game."""
    first = Evening(9, 3, kit)
    for number in range(400):
        first.step()
        if number % 130 == 100:
            again = Evening(9, 3, kit, 0.2, state=first.state)
            assert again.play().state.phase == "over"


def test_a_deed_that_was_not_begun_is_planned_again():
    evening = Evening(3, 3, "full", 0.5)
    for _ in range(60):
        snapshot = evening.snapshot()
        first = evening.simulation.next(snapshot, 0)
        evening.simulation.abandon()
        second = evening.simulation.next(snapshot, 0)
        assert first == second
        for _, given in second.steps:
            evening.hear(given)
    assert evening.accepted == Evening(3, 3, "full").play().accepted[: len(evening.accepted)]


def test_half_a_bid_that_another_player_began_is_taken_back_first():
    evening = Evening(2, 3, "full")
    while evening.state.phase != "bid" or evening.draft is None:
        evening.step()
    evening.draft = replace(evening.draft, stones=evening.draft.stones * 4)
    turn = evening.state.turn
    while evening.state.turn == turn:
        assert evening.step()
    assert evening.answers[-1] == "accepted"
