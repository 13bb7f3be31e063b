"""What hands mean at a table of Lascaux. Anna is seat 0, Ben 1, Cleo 2; seat 3 is empty."""

import pytest
from msgspec.structs import replace

from companion.gamekit.game import Aside, Laid, Pushed, Setup, Thing
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Choose, Draw, End, Pass, State, Stone
from companion.games.lascaux.rules.gestures import meaning
from companion.games.lascaux.sentences import GESTURES
from companion.language.wording import say

ANNA, BEN, CLEO, EMPTY_SEAT = 0, 1, 2, 3
NAMES = ("Anna", "Ben", "Cleo")
BOX = GAME.parse_box(GAME.standin(), "the stand-in")
GREEN, RED = Pushed("green"), Pushed("red")


def marker(owner: int, colour: str) -> Thing:
    return Thing("marker", colour, owner)


def card(number: int) -> Thing:
    return Thing("card", BOX.cards[number].id)


def done(state: State, *actions) -> State:
    for action in actions:
        state = GAME.apply(state, action).state
    return state


@pytest.fixture
def drawing() -> State:
    return GAME.setup(Setup(3, ANNA, Options(), BOX))


@pytest.fixture
def choosing(drawing: State) -> State:
    state = drawing
    for each in BOX.cards:
        if state.phase == "draw":
            state = done(state, Draw(each.id))
    return state


@pytest.fixture
def bidding(choosing: State) -> State:
    """It is Anna's turn."""
    return done(choosing, Choose(ANNA, "white"), Choose(BEN, "brown"), Choose(CLEO, "blue"))


@pytest.fixture
def stuck(choosing: State) -> State:
    return replace(choosing, deck={}, stalemate=True)


# --- Cards ----------------------------------------------------------------------------------------------------


def test_a_card_tapped_on_the_centre_is_drawn(drawing):
    assert meaning(drawing, Laid(card(0))) == Draw(BOX.cards[0].id)


def test_a_card_that_lies_in_the_row_is_repeated(drawing):
    state = done(drawing, Draw(BOX.cards[0].id))
    assert meaning(state, Laid(card(0))) == Aside("repeated", "in the row already", {"card": BOX.cards[0].id})


def test_a_card_on_a_pad_is_foreign(drawing):
    assert meaning(drawing, Laid(card(0), BEN)) == Aside("foreign", "card on a pad", {"seat": BEN})


def test_L4_a_card_too_many_goes_to_the_rules(choosing):
    spare = next(iter(choosing.deck))
    action = meaning(choosing, Laid(Thing("card", spare)))
    assert action == Draw(spare)
    assert GAME.apply(choosing, action).rule == "L4"


def test_a_card_of_another_box_is_foreign(drawing):
    assert meaning(drawing, Laid(Thing("card", "unicorn"))).kind == "foreign"


# --- Choosing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pad", [None, BEN])
def test_a_marker_on_the_centre_or_on_the_own_pad_is_a_choice(choosing, pad):
    assert meaning(choosing, Laid(marker(BEN, "pink"), pad)) == Choose(BEN, "pink")


@pytest.mark.parametrize("pad", [None, BEN])
def test_the_same_marker_again_is_repeated(choosing, pad):
    state = done(choosing, Choose(BEN, "pink"))
    assert meaning(state, Laid(marker(BEN, "pink"), pad)) == Aside("repeated", "chosen already", {"seat": BEN})


def test_L6_another_marker_changes_the_choice(choosing):
    state = done(choosing, Choose(BEN, "pink"))
    assert meaning(state, Laid(marker(BEN, "blue"), BEN)) == Choose(BEN, "blue")


def test_a_marker_on_another_players_pad_is_foreign_and_changes_nothing(choosing):
    aside = meaning(choosing, Laid(marker(ANNA, "pink"), BEN))
    assert aside == Aside("foreign", "foreign pad", {"owner": ANNA, "seat": BEN})
    assert say(aside, GESTURES, NAMES) == "That is Anna's marker, but this is Ben's pad"


@pytest.mark.parametrize("owner", [EMPTY_SEAT, None])
def test_a_marker_that_no_player_plays_is_foreign(choosing, owner):
    assert meaning(choosing, Laid(marker(owner, "pink"))).kind == "foreign"


def test_a_pad_where_no_player_sits_says_nothing(choosing):
    assert meaning(choosing, Laid(marker(ANNA, "pink"), EMPTY_SEAT)).kind == "foreign"
    assert meaning(choosing, Pushed("green", EMPTY_SEAT)).kind == "foreign"


def test_a_marker_while_cards_are_drawn_is_left_to_the_rules(drawing):
    action = meaning(drawing, Laid(marker(ANNA, "pink")))
    assert GAME.apply(drawing, action).what == "the row comes first"


# --- Bidding --------------------------------------------------------------------------------------------------


def test_green_lays_a_stone_and_red_passes(bidding):
    assert meaning(bidding, Pushed("green", ANNA)) == Stone(ANNA)
    assert meaning(bidding, Pushed("red", ANNA)) == Pass(ANNA)


def test_buttons_at_the_centre_speak_for_whose_turn_it_is(bidding):
    assert meaning(bidding, GREEN) == Stone(ANNA)
    assert meaning(done(bidding, Stone(ANNA)), RED) == Pass(BEN)


def test_a_long_green_press_still_lays_a_stone(bidding):
    assert meaning(bidding, Pushed("green", ANNA, held=True)) == Stone(ANNA)


def test_L10_a_press_out_of_turn_is_left_to_the_rules(bidding):
    action = meaning(bidding, Pushed("green", CLEO))
    assert GAME.apply(bidding, action).rule == "L10"


def test_the_chosen_marker_on_the_centre_passes(bidding):
    assert meaning(bidding, Laid(marker(ANNA, "white"))) == Pass(ANNA)


def test_another_marker_does_not_pass_and_its_colour_is_not_told(bidding):
    aside = meaning(bidding, Laid(marker(ANNA, "pink")))
    assert aside == Aside("foreign", "not the chosen marker", {"seat": ANNA})
    assert say(aside, GESTURES, NAMES) == "That is not the marker that Anna chose"


def test_L10_out_of_turn_the_chosen_marker_is_refused_like_any_other(bidding):
    answers = [GAME.apply(bidding, meaning(bidding, Laid(marker(BEN, colour)))) for colour in BOX.colours]
    assert {answer.rule for answer in answers} == {"L10"}
    assert all(answer == answers[0] for answer in answers)


def test_the_chosen_marker_laid_on_the_own_pad_again_is_repeated(bidding):
    assert meaning(bidding, Laid(marker(BEN, "brown"), BEN)).kind == "repeated"


def test_L6_another_marker_on_the_own_pad_is_left_to_the_rules(bidding):
    action = meaning(bidding, Laid(marker(BEN, "pink"), BEN))
    assert GAME.apply(bidding, action).rule == "L6"


# --- Buttons that mean nothing, and the end -------------------------------------------------------------------


def test_a_button_while_drawing_says_who_draws(drawing):
    assert meaning(drawing, GREEN) == Aside("idle", "cards are drawn", {"start": ANNA})


def test_a_button_while_choosing_says_whose_choice_is_missing(choosing):
    aside = meaning(done(choosing, Choose(BEN, "pink")), RED)
    assert aside == Aside("idle", "markers are chosen", {"seats": (ANNA, CLEO)})
    assert say(aside, GESTURES, NAMES).endswith("still to choose a marker: Anna and Cleo")


def test_L16_green_held_proposes_the_end_of_a_stalemate(stuck):
    assert meaning(stuck, Pushed("green", held=True)) == End()
    assert meaning(stuck, GREEN) == Aside("idle", "hold green to end")
    assert meaning(stuck, RED).what == "markers are chosen"


def test_L16_without_a_stalemate_green_held_is_idle(choosing):
    assert meaning(choosing, Pushed("green", held=True)).kind == "idle"


def test_after_the_end_buttons_are_idle(stuck):
    assert meaning(done(stuck, End()), GREEN) == Aside("idle", "nothing more to do")


def test_a_piece_of_another_game_is_foreign(choosing):
    assert meaning(choosing, Laid(Thing("tile", "t17"))) == Aside("foreign", "not of this game")
