"""What hands mean at a table of Sioux. Anna is seat 0, Ben 1, Cleo 2; seat 3 is empty."""

import pytest

from companion.gamekit.game import Aside, Draft, Laid, Pushed, Thing
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.gestures import continued, meaning
from companion.games.sioux.rules.state import Crow, Dealt, Duel, Gifts, Name, Play
from companion.games.sioux.sentences import SENTENCES
from companion.language.wording import say

from .table import Table, box

ANNA, BEN, CLEO, EMPTY_SEAT = 0, 1, 2, 3
NAMES = ("Anna", "Ben", "Cleo")
GREEN, RED = Pushed("green"), Pushed("red")
HUNTER = Thing("card", "hunter")


def card(owner: int | None, which: str) -> Thing:
    return Thing("card", which, owner)


# --- Cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pad", [None, BEN])
def test_a_tribe_card_on_the_centre_or_on_the_own_pad_is_laid_for_its_owner(pad):
    assert meaning(Table(3).state, Laid(card(BEN, "9"), pad)) == Play(BEN, "9")


@pytest.mark.parametrize("pad", [None, BEN])
def test_in_a_duel_it_is_the_second_card(pad):
    table = Table(3).hunt("9", "9", "2").crow(ANNA, True)
    assert meaning(table.state, Laid(card(BEN, "crow"), pad)) == Duel(BEN, "crow")


def test_S24_the_same_card_again_is_answered_like_any_other():
    state = Table(3).do(Play(BEN, "9")).state
    answers = [GAME.apply(state, meaning(state, Laid(card(BEN, which), BEN))) for which in ("9", "10", "crow")]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].rule == "S2"


def test_a_card_on_another_players_pad_is_foreign_and_not_named():
    aside = meaning(Table(3).state, Laid(card(ANNA, "9"), BEN))
    assert aside == Aside("foreign", "foreign pad", {"owner": ANNA, "seat": BEN})
    assert say(aside, SENTENCES, NAMES) == "That is Anna's card, but this is Ben's pad"


@pytest.mark.parametrize("piece", [card(EMPTY_SEAT, "9"), card(None, "9"), card(ANNA, "8"), card(ANNA, "hunter")])
def test_a_card_that_no_player_plays_or_that_is_in_no_set_is_foreign(piece):
    assert meaning(Table(3).state, Laid(piece)).kind == "foreign"


def test_a_pad_where_no_player_sits_and_a_piece_of_another_game_say_nothing():
    assert meaning(Table(3).state, Laid(card(ANNA, "9"), EMPTY_SEAT)).kind == "foreign"
    assert meaning(Table(3).state, Pushed("green", EMPTY_SEAT)).kind == "foreign"
    assert meaning(Table(3).state, Laid(Thing("tile", "t17"))) == Aside("foreign", "not of this game")


def test_S9_the_hunter_card_is_its_owners():
    assert meaning(Table(3).state, Laid(HUNTER)) == Aside("foreign", "hunter lies aside")
    state = Table(3).with_hunter(CLEO).state
    assert meaning(state, Laid(HUNTER)) == Play(CLEO, "hunter")
    assert meaning(state, Laid(HUNTER, CLEO)) == Play(CLEO, "hunter")
    assert meaning(state, Laid(HUNTER, BEN)) == Aside("foreign", "foreign pad", {"owner": CLEO, "seat": BEN})


def test_a_card_while_a_player_is_asked_is_left_to_the_rules():
    table = Table(3).hunt("5", "shaman", "4")
    action = meaning(table.state, Laid(card(ANNA, "9")))
    assert GAME.apply(table.state, action).what == "not now"


# --- Buttons --------------------------------------------------------------------------------------------------


def test_S7_green_is_the_highest_free_value_red_the_lowest_green_held_the_one_between():
    state = Table(3).hunt("5", "shaman", "4").state
    assert [meaning(state, button) for button in (GREEN, RED, Pushed("green", held=True))] == [
        Name(BEN, 8),
        Name(BEN, 6),
        Name(BEN, 7),
    ]
    assert meaning(state, Pushed("green", CLEO)) == Name(CLEO, 8)


def test_S7_also_with_fewer_free_values():
    odd = box(2, 3, 6, 7, 8, 9, 10, 11, 12)
    state = Table(3, box=odd).hunt("7", "shaman", "2").state
    assert (meaning(state, GREEN), meaning(state, RED)) == (Name(BEN, 8), Name(BEN, 6))
    state = Table(3, box=odd).hunt("7", "shaman", "6").state
    assert meaning(state, GREEN) == meaning(state, RED) == meaning(state, Pushed("green", held=True)) == Name(BEN, 8)


def test_S13_green_calls_the_crow_and_red_does_not():
    table = Table(3).hunt("9", "9", "2")
    assert (meaning(table.state, GREEN), meaning(table.state, RED)) == (Crow(ANNA, True), Crow(ANNA, False))
    assert meaning(table.state, Pushed("red", BEN)) == Crow(BEN, False), "both are asked at once"
    assert meaning(table.crow(ANNA, False).state, RED) == Crow(BEN, False)
    assert meaning(table.state, Pushed("green", CLEO)) == Crow(CLEO, True)


def test_S14_with_an_empty_hand_a_button_lays_nothing():
    table = Table(3).with_hand(BEN, "9").hunt("9", "9", "2").crow(ANNA, True)
    for button in (GREEN, RED, Pushed("green", BEN)):
        assert meaning(table.state, button) == Duel(BEN, None)
    waiting = Aside("idle", "cards are laid", {"seats": (ANNA, BEN)})
    assert meaning(table.state, Pushed("green", ANNA)) == meaning(table.state, Pushed("green", CLEO)) == waiting
    table.do(Duel(BEN, None))
    assert meaning(table.state, GREEN) == Aside("idle", "cards are laid", {"seats": (ANNA,)})


def test_S16_green_claims_all_gifts_and_red_none():
    table = Table(4).with_prey("turkey", "bear rabbit", "bison", "").hunt("5", "2", "crow", "crow")
    assert meaning(table.state, GREEN) == Gifts(ANNA, (BEN, CLEO))
    assert meaning(table.state, Pushed("red", ANNA)) == Gifts(ANNA, ())
    assert meaning(table.state, Pushed("green", BEN)) == Gifts(BEN, (BEN, CLEO))


def test_a_button_while_cards_are_laid_says_whose_is_missing():
    aside = meaning(Table(3).do(Play(BEN, "9")).state, RED)
    assert aside == Aside("idle", "cards are laid", {"seats": (ANNA, CLEO)})
    assert say(aside, SENTENCES, NAMES).endswith("still to lay a card: Anna and Cleo")


# --- S20 Who got which supply card ----------------------------------------------------------------------------

NINETEEN = "bison bison bison bear"


def tied(*herds: str) -> Table:
    cards = ["crow"] * len(herds)
    return Table(len(herds) + 1).with_prey(*herds, NINETEEN).hunt(*cards, "2")


def test_S20_of_two_the_one_who_got_the_higher_card_says_it_all():
    state = tied("bison", "bison").state
    assert meaning(state, Pushed("green", BEN)) == Dealt((BEN, ANNA))
    assert meaning(state, Laid(card(ANNA, "9"))) == Dealt((ANNA, BEN))


def test_S20_more_of_them_one_after_another_and_the_last_need_not():
    state = tied("bison", "bison", "bison").state
    draft = meaning(state, Laid(card(CLEO, "crow")))
    assert draft == Draft((CLEO,), "got the next card", {"seat": CLEO, "seats": (ANNA, BEN)})
    assert continued(state, draft.so_far, Pushed("green", ANNA)) == Dealt((CLEO, ANNA, BEN))


def test_S20_red_takes_the_last_one_back():
    state = tied("bison", "bison", "bison", "bison").state
    assert continued(state, (CLEO, ANNA), RED) == Draft((CLEO,), "taken back", {"seat": ANNA})
    assert continued(state, (CLEO,), Pushed("red", held=True)) == Draft(None, "taken back", {"seat": CLEO})
    assert meaning(state, RED) == Aside("idle", "nothing to take back")


def test_S20_who_is_not_tied_has_said_it_already_or_is_not_named_says_nothing():
    state = tied("bison", "bison", "bison").state
    missing = Aside("idle", "who got the next card", {"seats": (ANNA, BEN)})
    for gesture in (GREEN, Pushed("green", CLEO), Pushed("green", 3), Laid(card(3, "9"))):
        assert continued(state, (CLEO,), gesture) == missing


def test_S20_a_card_on_the_own_pad_is_left_to_the_rules():
    state = tied("bison", "bison").state
    assert GAME.apply(state, meaning(state, Laid(card(ANNA, "9"), ANNA))).rule == "S2"


# --- After the end --------------------------------------------------------------------------------------------


def test_after_the_end_buttons_are_idle_and_cards_refused():
    table = Table(3).with_supply(3, (1, 2), (3, 4), (2, 3)).with_prey(NINETEEN, "bison", "").hunt("2", "crow", "crow")
    assert meaning(table.state, GREEN) == Aside("idle", "nothing more to do")
    assert GAME.apply(table.state, meaning(table.state, Laid(card(ANNA, "9")))).rule == "S23"


# --- S24 No aside names a card --------------------------------------------------------------------------------


def test_S24_no_aside_tells_which_card_it_was_about():
    tables = [Table(3), Table(3).do(Play(ANNA, "9")), Table(3).hunt("9", "9", "2").crow(ANNA, True).do(Duel(ANNA, "4"))]
    for table in tables:
        for owner in (ANNA, BEN, EMPTY_SEAT):
            for pad in (None, ANNA, BEN):
                answers = [answered(table, Laid(card(owner, which), pad)) for which in ("3", "5", "10", "11")]
                assert all(answer == answers[0] for answer in answers)


def answered(table: Table, gesture: Laid):
    found = meaning(table.state, gesture)
    if isinstance(found, Aside):
        return found
    outcome = GAME.apply(table.state, found)
    return getattr(outcome, "rulings", outcome) if not getattr(outcome, "revealed", ()) else "revealed"
