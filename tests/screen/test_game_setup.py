"""The form of the set-up screen: every change leaves a plan whose seats fit its players."""

import pytest

from companion.gamekit.search import skill_of
from companion.messages.lobby import GameOffer, GamePlan, KitOffer, OptionOffer
from companion.screen.game_setup import BOTS, Offers, SetupForm

SMALL = GameOffer("small", "Small", 2, 3, (), stand_in=False)
LARGE = GameOffer("large", "Large", 4, 6, (OptionOffer("stones", ("open", "secret")),), stand_in=False)
KITS = (
    KitOffer("full", simulated=True),
    KitOffer("none", simulated=False),
    KitOffer("none", simulated=False, deals=True),
)


@pytest.fixture
def form() -> SetupForm:
    """Anna against Ben, Cleo and Dora, who are simulated."""
    return SetupForm(Offers(games=(LARGE, SMALL), kits=KITS, names=("Anna", "Ben", "Cleo", "Dora")))


def test_one_person_plays_against_as_many_simulated_players_as_the_game_needs(form: SetupForm) -> None:
    names = ("Anna", "Ben", "Cleo", "Dora")
    levels = dict.fromkeys((1, 2, 3), "easy")
    assert form.plan == GamePlan("large", names, (1, 2, 3), options={"stones": "open"}, kit="full", levels=levels)


def test_players_keep_their_kind_and_the_start_when_they_swap_seats(form: SetupForm) -> None:
    form.choose_first(1)
    form.swap_seats(1)
    assert (form.plan.players[:2], form.plan.simulated, form.plan.first) == (("Ben", "Anna"), (0, 2, 3), 0)
    form.swap_seats(0)
    assert form.plan.players == ("Dora", "Anna", "Cleo", "Ben")
    assert (form.plan.simulated, form.plan.first) == ((0, 2, 3), 3)


@pytest.mark.parametrize(("first", "then"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)])
def test_the_same_player_starts_when_another_leaves_and_the_next_one_when_they_leave(
    form: SetupForm, first: int, then: int
) -> None:
    form.add()
    form.choose_first(first)
    form.remove(1)
    assert form.plan.players == ("Anna", "Cleo", "Dora", "1")
    assert (form.plan.simulated, form.plan.first) == ((1, 2, 3), then)


def test_a_smaller_game_keeps_the_first_players_and_has_a_start_player_among_them(form: SetupForm) -> None:
    form.choose_first(3)
    form.choose_game(SMALL)
    levels = dict.fromkeys((1, 2), "easy")
    assert form.plan == GamePlan("small", ("Anna", "Ben", "Cleo"), (1, 2), first=2, kit="full", levels=levels)
    assert (form.may_add, form.may_remove) == (False, True)


def test_without_readers_all_play_themselves_and_with_readers_again_as_before(form: SetupForm) -> None:
    form.choose_kit(KITS[1])
    assert form.agreed.simulated == ()
    form.choose_kit(KITS[0])
    assert form.agreed.simulated == (1, 2, 3)


def test_companion_deals_where_the_players_have_only_the_screen_and_no_cards(form: SetupForm) -> None:
    form.choose_kit(KITS[2])
    assert (form.agreed.kit, form.agreed.deals, form.agreed.simulated) == ("none", True, ())
    assert form.kit == KITS[2]
    form.choose_kit(KITS[1])
    assert not form.agreed.deals


def test_a_seat_is_a_person_or_simulated_or_better_and_better(form: SetupForm) -> None:
    assert form.kinds == (None, "", "easy", "solid", "strong", "strong:bold", "strong:careful")
    for kind in form.kinds:
        form.choose_kind(1, kind)
        assert (form.kind(1), form.plan.levels.get(1)) == (kind, kind or None)
        assert (1 in form.plan.simulated) == (kind is not None)
    assert all(skill_of(kind) for kind in BOTS)


def test_without_readers_a_seat_may_be_a_bot_with_real_pieces(form: SetupForm) -> None:
    form.choose_kit(KITS[1])
    assert (form.may_have_bots, form.agreed.simulated, form.kind(1)) == (True, (), None)
    assert "" not in form.kinds
    form.choose_kind(1, "solid")
    assert (form.agreed.simulated, form.agreed.levels, form.kind(1)) == ((1,), {1: "solid"}, "solid")
    form.choose_kit(KITS[0])
    assert form.agreed.levels == dict.fromkeys((1, 2, 3), "easy"), "each kit has its own"
    form.choose_kit(KITS[2])
    assert (form.may_have_bots, form.agreed.simulated) == (False, ())
    form.choose_kit(KITS[1])
    form.swap_seats(1)
    assert form.agreed.simulated == (0,), "a bot moves with its name"
    form.choose_kind(0, None)
    assert form.agreed.simulated == ()


def test_a_level_moves_with_its_player_and_goes_with_the_readers(form: SetupForm) -> None:
    form.choose_kind(1, "solid")
    form.swap_seats(2)
    assert form.plan.levels == {1: "easy", 2: "solid", 3: "easy"}
    form.choose_kit(KITS[1])
    assert (form.agreed.levels, form.kind(2)) == ({}, None)


# --- Player cards ---------------------------------------------------------------------------------------------


def test_a_player_who_taps_in_gets_the_first_seat_that_the_computer_would_play(form: SetupForm) -> None:
    assert form.tap_in("Zoe", None)
    assert (form.plan.players[1], form.plan.simulated) == ("Zoe", (2, 3))
    assert not form.tap_in("Zoe", None), "she sits there already"


def test_a_card_on_a_pad_takes_that_seat_and_a_known_name_moves_there(form: SetupForm) -> None:
    other = form.plan.players[3]
    assert form.tap_in(other, 2)
    assert form.plan.players[2] == other
    assert form.plan.players.count(other) == 1
    assert 2 not in form.plan.simulated
    assert 3 in form.plan.simulated


def test_when_every_seat_is_taken_a_card_adds_one_as_long_as_the_game_allows(form: SetupForm) -> None:
    for name in ("Zoe", "Yan", "Xenia", "Willi", "Udo"):
        assert form.tap_in(name, None)
    assert len(form.plan.players) == form.game.most
    assert not form.tap_in("Vera", None)
    assert "Vera" not in form.plan.players
