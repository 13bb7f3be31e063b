"""What hands mean at a table of Carnuta. Anna is seat 0, Ben 1; seat 2 is empty."""

import pytest
from msgspec.structs import replace

from companion.gamekit.game import Aside, Draft, Laid, Pushed, Thing
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.gestures import half
from companion.games.carnuta.rules.state import (
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Play,
    Runes,
    Sickle,
    Start,
    Take,
)
from companion.language.wording import say

from .table import START, SUN, Table

ANNA, BEN, EMPTY_SEAT = 0, 1, 2
NAMES = ("Anna", "Ben")
GREEN, RED, HELD = Pushed("green"), Pushed("red"), Pushed("green", held=True)


def card(name: str, pad: int | None = None) -> Laid:
    return Laid(Thing("card", name), pad)


def marker(owner: int | None, pad: int | None = None) -> Laid:
    return Laid(Thing("marker", owner=owner), pad)


def meaning(table: Table, gesture):
    return GAME.meaning(table.state, gesture)


def pressed(table: Table, *buttons: Pushed):
    """What comes of several presses, one after another."""
    so_far, said = None, None
    for button in buttons:
        said = GAME.meaning(table.state, button) if so_far is None else GAME.continued(table.state, so_far, button)
        so_far = said.so_far if isinstance(said, Draft) else so_far
    return said


# --- Cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pad", [None, ANNA])
def test_a_start_card_lies_on_the_own_pad_or_is_tapped_on_the_centre(pad):
    assert meaning(Table(), card("egg-1", pad)) == Start(ANNA, "egg-1")
    assert meaning(Table(), card("salt-1", pad)) == Start(ANNA, "salt-1")


def test_a_start_card_on_the_pad_of_a_player_who_is_not_asked_goes_to_the_rules():
    assert meaning(Table(), card("egg-1", BEN)) == Start(BEN, "egg-1")


def test_a_dealt_card_is_tapped_on_the_centre():
    table = Table().starts(*START[:2])
    assert meaning(table, card("egg-1")) == Deal("sun", "egg-1")
    assert meaning(table, card("egg-2")) == Deal("sun", "egg-2"), "the rules say that it is of the other deck"
    assert meaning(table, card("egg-1", ANNA)) == Aside("foreign", "card on a pad", {"seat": ANNA})
    assert meaning(table.deals("egg-1"), card("egg-1")).kind == "repeated"


@pytest.mark.parametrize("pad", [None, ANNA])
def test_a_card_of_a_row_is_taken_and_a_hand_card_is_played(pad):
    table = Table().ready()
    assert meaning(table, card("egg-1", pad)) == Take(ANNA, "egg-1")
    assert meaning(table, card("skull-1", pad)) == Play(ANNA, "skull-1")


def test_a_hand_card_too_many_is_discarded():
    table = Table().ready().holding("egg-3", "egg-5", "egg-7").flip("sun", "moon")
    assert meaning(table, card("egg-3")) == Discard(ANNA, "egg-3")
    assert meaning(table.discard("egg-3"), card("egg-5")) == Play(ANNA, "egg-5"), "the rules refuse it"


def test_a_card_out_of_turn_is_left_to_the_rules():
    table = Table().ready()
    assert GAME.apply(table.state, meaning(table, card("egg-1", BEN))).rule == "C18"


def test_C17_a_card_that_no_player_has_seen_is_not_named():
    table = Table().ready()
    answers = [meaning(table, card(name)) for name in ("berry-2", "moth-3")]
    assert answers == [Aside("foreign", "not for now")] * 2, "Ben's start card is answered like one of the deck"


def test_a_card_that_lies_open_elsewhere_is_named():
    table = Table().ready().holding("egg-3", seat=BEN)
    assert meaning(table, card("egg-3")) == Aside("foreign", "lies elsewhere", {"card": "egg-3"})


@pytest.mark.parametrize("piece", [Thing("card", "unicorn"), Thing("bonus", "salt"), Thing("tile", "t17")])
def test_a_piece_of_another_game_is_foreign(piece):
    assert meaning(Table().ready(), Laid(piece)) == Aside("foreign", "not of this game")


# --- Salt -----------------------------------------------------------------------------------------------------


def test_C7_salt_asks_for_its_column_and_green_steps_through_them():
    table = Table().ready().holding("salt-1")
    half = meaning(table, card("salt-1"))
    assert half.so_far == Play(ANNA, "salt-1", "honey")
    half = GAME.continued(table.state, half.so_far, GREEN)
    assert half.so_far == Play(ANNA, "salt-1", "clover")
    assert say(half, GAME.sentences, NAMES) == "Anna: play salt-1 into the clover column? Hold green"
    assert GAME.continued(table.state, half.so_far, HELD) == Play(ANNA, "salt-1", "clover")


def test_C7_salt_that_cannot_be_paid_is_left_to_the_rules():
    table = Table().ready().holding("salt-1").with_runes(4, 0)
    assert meaning(table, card("salt-1")) == Play(ANNA, "salt-1")


def test_C17_salt_that_no_player_has_seen_is_not_shown_half_played():
    table = Table().starts("salt-1", "egg-3").deals(*SUN[:4], "honey-1", "honey-3", "honey-5", "honey-7")
    assert meaning(table, card("salt-1")) == Aside("idle", "column on the screen", {"seat": ANNA})


def test_C7_salt_as_a_start_card_that_is_played_at_once():
    table = Table(start_card="played")
    half = meaning(table, card("salt-1", ANNA))
    assert half.so_far == Start(ANNA, "salt-1", "honey")
    for _ in range(8):
        half = GAME.continued(table.state, half.so_far, Pushed("green", ANNA))
    assert GAME.continued(table.state, half.so_far, HELD) == Start(ANNA, "salt-1", "honey"), "once round"


# --- Bonus ingredients, markers -------------------------------------------------------------------------------


def test_a_bonus_ingredient_is_tapped():
    table = Table().ready().having_played(*SUN[-5:]).play("skull-1")
    assert meaning(table, Laid(Thing("bonus", "egg"))) == Bonus(ANNA, "egg")
    assert meaning(Table().ready(), Laid(Thing("bonus", "egg"))) == Bonus(ANNA, "egg"), "the rules refuse it"


def test_the_own_marker_ends_the_turn():
    table = Table().ready()
    assert meaning(table, marker(ANNA)) == EndTurn(ANNA)
    assert meaning(table, marker(BEN)) == EndTurn(BEN), "the rules say whose turn it is"
    assert meaning(table, marker(ANNA, BEN)) == Aside("foreign", "foreign pad", {"owner": ANNA, "seat": BEN})


@pytest.mark.parametrize("owner", [EMPTY_SEAT, None])
def test_a_marker_that_no_player_plays_is_foreign(owner):
    assert meaning(Table().ready(), marker(owner)).kind == "foreign"


# --- Buttons --------------------------------------------------------------------------------------------------


def test_green_steps_through_what_may_be_done_and_green_held_does_it():
    table = Table().ready().with_runes(2, 1)
    steps = [pressed(table, *[GREEN] * count).so_far for count in range(1, 8)]
    assert steps == [
        *(Runes(ANNA, "sun"), Runes(ANNA, "moon"), Flip(ANNA, "sun"), Flip(ANNA, "moon")),
        *(Sickle(ANNA, "sun"), Sickle(ANNA, "moon"), Take(ANNA, "honey-2")),
    ]
    assert pressed(table, GREEN, GREEN, HELD) == Runes(ANNA, "moon")
    assert GAME.apply(table.state, pressed(table, GREEN, GREEN, GREEN, HELD)).state


def test_after_the_last_choice_comes_the_first():
    table = Table().ready()
    seen = [pressed(table, *[GREEN] * count).so_far for count in range(1, 20)]
    assert seen[0] in seen[1:]


def test_a_choice_that_is_no_longer_possible_is_followed_by_the_first_one():
    table = Table().ready()
    gone = Runes(ANNA, "sun")
    assert gone not in GAME.legal(table.state)
    assert GAME.continued(table.state, gone, GREEN).so_far == pressed(table, GREEN).so_far == Flip(ANNA, "sun")


def test_after_the_last_choice_comes_the_very_first():
    table = Table().ready()
    choices = [pressed(table, *[GREEN] * count).so_far for count in range(1, 14)]
    length = choices[1:].index(choices[0]) + 1
    assert choices[length : 2 * length] == choices[: len(choices) - length][:length]
    assert len(set(choices[:length])) == length == len(GAME.legal(table.state)) - 1, "all but the secret card"


def test_C10_with_flip_any_green_steps_through_every_number_of_runes():
    table = Table(flip="any").ready().with_runes(3, 1)
    choices = [pressed(table, *[GREEN] * count) for count in range(1, 6)]
    assert [draft.so_far for draft in choices if isinstance(draft.so_far, Flip)] == [
        *(Flip(ANNA, "sun"), Flip(ANNA, "sun", 1), Flip(ANNA, "sun", 2), Flip(ANNA, "moon"))
    ]
    assert [say(draft, GAME.sentences, NAMES) for draft in choices[:2]] == [
        "Anna: flip 3 runes showing the sun? Hold green",
        "Anna: flip 1 rune showing the sun? Hold green",
    ]
    assert pressed(table, GREEN, GREEN, HELD) == Flip(ANNA, "sun", 1)


def test_C9_C10_without_the_options_a_count_is_an_extra_field_also_in_the_question():
    table = Table().ready().with_runes(3, 1)
    for action in (Flip(ANNA, "sun"), Runes(ANNA, "moon")):
        assert half(table.state, replace(action, count=2)).facts == half(table.state, action).facts
    options = Table(flip="any", partial_runes=True).ready().with_runes(3, 0)
    for action in (Flip(ANNA, "sun", 2), Runes(ANNA, "moon", 2)):
        assert half(options.state, action).facts["count"] == 2


def test_C17_a_start_card_is_never_among_the_choices():
    table = Table().ready()
    seen = [pressed(table, *[GREEN] * count).so_far for count in range(1, 30)]
    assert not any(isinstance(action, Play) for action in seen)
    known = Table().ready().holding("egg-5").with_runes(4, 0)
    assert Play(ANNA, "egg-5") in [pressed(known, *[GREEN] * count).so_far for count in range(1, 30)]


@pytest.mark.parametrize("red", [RED, Pushed("red", held=True), Pushed("red", ANNA)])
def test_red_drops_what_was_begun(red):
    assert pressed(Table().ready(), GREEN, red) == Draft(None, "dropped", {"seat": ANNA})


def test_red_alone_says_what_green_does():
    assert meaning(Table().ready(), RED) == Aside("idle", "green steps", {"seat": ANNA})


def test_when_both_actions_are_used_green_ends_the_turn():
    table = Table().ready().flip("sun", "moon")
    assert meaning(table, GREEN) == EndTurn(ANNA)
    assert meaning(table, Pushed("green", ANNA)) == EndTurn(ANNA)
    assert pressed(table, RED).so_far == Sickle(ANNA, "sun"), "red steps through what is left"


def test_with_too_many_cards_green_steps_through_them():
    table = Table().ready().with_player(sickles=0).holding("egg-3", "egg-5", "egg-7").flip("sun", "moon")
    assert pressed(table, GREEN).so_far == Discard(ANNA, "egg-3")


def test_green_steps_through_the_bonus_ingredients():
    table = Table().ready().having_played(*SUN[-5:]).play("skull-1")
    assert pressed(table, GREEN, GREEN, HELD) == Bonus(ANNA, "clover")


def test_another_players_button_says_nothing():
    table = Table().ready()
    assert meaning(table, Pushed("green", BEN)) == Aside("foreign", "somebody else's turn", {"seat": BEN, "turn": ANNA})
    assert pressed(table, GREEN, Pushed("green", BEN)).kind == "foreign"


def test_buttons_have_nothing_to_say_before_the_first_turn():
    assert meaning(Table(), GREEN) == Aside("idle", "start cards are taken", {"turn": ANNA})
    assert meaning(Table().starts(*START[:2]), RED) == Aside("idle", "a card is dealt", {"row": "sun"})


def test_a_tap_goes_on_whatever_was_begun_with_buttons():
    table = Table().ready()
    half = pressed(table, GREEN)
    assert GAME.continued(table.state, half.so_far, card("egg-1")) == Take(ANNA, "egg-1")


@pytest.mark.parametrize("gesture", [GREEN, RED, card("egg-1"), marker(ANNA), Laid(Thing("bonus", "egg"))])
def test_after_the_end_nothing_means_anything(gesture):
    assert meaning(Table().ready().over_with("", ""), gesture) == Aside("idle", "nothing more to do")


@pytest.mark.parametrize("gesture", [Pushed("green", EMPTY_SEAT), card("egg-1", EMPTY_SEAT)])
def test_a_pad_where_no_player_sits_says_nothing(gesture):
    assert meaning(Table().ready(), gesture) == Aside("foreign", "nobody sits here")
