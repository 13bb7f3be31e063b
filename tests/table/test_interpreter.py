"""Every signal has exactly one meaning, and no meaning that is shown betrays a marker."""

import random
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.gamekit.game import Aside, Refusal, Setup, Thing
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Choose, Draw, End, Pass, State, Stone
from companion.language.general_sentences import SENTENCES
from companion.language.wording import say
from companion.stations import CENTRE
from companion.table.interpreter import Agreement, Disagreement, Do, SeatPads, TakeBack, interpret
from companion.table.pieces import simulated_pack
from companion.table.presence import Presence
from companion.table.signals import (
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    Remarked,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from companion.troubles import CopyRemark, StartCause

ANNA, BEN, CLEO = 0, 1, 2
NAMES = ("Anna", "Ben", "Cleo")
BOX = GAME.parse_box(GAME.standin(), "the stand-in")
PACK = simulated_pack(GAME, BOX)
ONE = SeatPads("one", PACK)
FULL = SeatPads("full", PACK, {"pad0": ANNA, "pad1": BEN, "pad2": CLEO})


def uid(*piece) -> str:
    found = PACK.uid_of(Thing(*piece))
    assert found
    return found


@cache
def played(seed: int, steps: int) -> State:
    """So many legal actions by chance; after each draw phase every player chooses."""
    chance = random.Random(seed)
    state = GAME.setup(Setup(3, ANNA, Options(), BOX))
    for _ in range(steps):
        legal = GAME.legal(state)
        if not legal:
            break
        state = GAME.apply(state, chance.choice(legal)).state
    return state


def bidding(anna="white", ben="brown", cleo="blue") -> State:
    state = played(1, 0)
    while state.phase == "draw":
        state = GAME.apply(state, GAME.legal(state)[0]).state
    for seat, colour in enumerate((anna, ben, cleo)):
        state = GAME.apply(state, Choose(seat, colour)).state
    return state


def meaning(seat_pads, state, *signals, asked=False):
    """What the last of these signals means."""
    presence = Presence()
    for signal in signals:
        presence, result = interpret(seat_pads, presence, GAME, state, asked, signal)
    return result


# --- From stations to seats -----------------------------------------------------------------------------------


def test_a_card_on_the_centre_is_drawn_with_every_kit():
    for seat_pads in (ONE, FULL):
        card = BOX.cards[0].id
        assert meaning(seat_pads, played(1, 0), TagPlaced(CENTRE, 0, uid("card", card))) == Do(Draw(card))


def test_a_button_at_a_pad_speaks_for_its_seat_and_at_the_centre_for_whose_turn_it_is():
    assert meaning(FULL, bidding(), Pressed("pad2", 0, "green")) == Do(Stone(CLEO))
    assert meaning(ONE, bidding(), Pressed(CENTRE, 0, "red")) == Do(Pass(ANNA))


def test_a_marker_moved_from_the_pad_to_the_centre_passes():
    marker = uid("marker", "white", ANNA)
    assert meaning(FULL, bidding(), TagPlaced("pad0", 0, marker), TagPlaced(CENTRE, 100, marker)) == Do(Pass(ANNA))


def test_an_unknown_tag_is_told_by_its_uid():
    aside = meaning(ONE, bidding(), TagPlaced(CENTRE, 0, "DEADBEEF"))
    assert aside == Aside("unknown", "unknown tag", {"uid": "DEADBEEF"})
    assert say(aside, SENTENCES, NAMES) == "Unknown tag DEADBEEF, ignored"


def test_a_pad_where_no_player_sits_is_foreign():
    assert meaning(FULL, bidding(), Pressed("pad4", 0, "green")).kind == "foreign"
    assert meaning(ONE, bidding(), Pressed("pad0", 0, "green")).kind == "foreign"


def test_a_table_without_readers_hears_nothing():
    assert meaning(SeatPads("none", PACK), bidding(), Pressed(CENTRE, 0, "green")) == Aside("idle", "no readers")


# --- Repeated, lifted, faulty ---------------------------------------------------------------------------------


def test_a_double_press_counts_once():
    twice = Pressed(CENTRE, 0, "green"), Pressed(CENTRE, 150, "green")
    assert meaning(ONE, bidding(), *twice) == Aside("repeated", "pressed already")


def test_a_tag_that_lies_there_already_is_repeated_and_not_named():
    marker = uid("marker", "pink", BEN)
    twice = TagPlaced("pad1", 0, marker), ReaderFault("pad1", 5, "silent"), TagPlaced("pad1", 60_000, marker)
    assert meaning(FULL, bidding(), *twice) == Aside("repeated", "lies there already")


def test_a_lifted_tag_is_idle_and_not_named():
    assert meaning(ONE, bidding(), TagRemoved(CENTRE, 0, uid("marker", "white", ANNA))) == Aside("idle", "lifted")


@pytest.mark.parametrize("signal", [ReaderFault("pad0", 0, "silent"), LinkDown("pad0", 0, "gone"), LinkUp("pad0", 0)])
def test_faults_and_links_are_noted_with_their_station(signal):
    aside = meaning(FULL, bidding(), signal)
    assert aside.kind == "noted"
    assert "Anna's pad" in say(aside, SENTENCES, NAMES)


# --- The whole table ------------------------------------------------------------------------------------------


def test_red_held_takes_back_at_any_station():
    assert meaning(ONE, bidding(), Held(CENTRE, 0, "red")) == TakeBack()
    assert meaning(FULL, played(1, 0), Held("pad1", 0, "red")) == TakeBack()


def test_L16_green_held_in_a_stalemate_is_proposed_to_the_table():
    stuck = replace(bidding(), phase="choose", choices=(None, None, None), deck={}, stalemate=True)
    assert meaning(ONE, stuck, Held(CENTRE, 0, "green")) == Do(End())


@pytest.mark.parametrize("press", [Pressed, Held])
def test_to_a_question_green_agrees_and_red_does_not(press):
    assert meaning(FULL, bidding(), press("pad1", 0, "green"), asked=True) == Agreement(BEN)
    assert meaning(ONE, bidding(), press(CENTRE, 0, "green"), asked=True) == Agreement(None)
    assert meaning(ONE, bidding(), press(CENTRE, 0, "red"), asked=True) == Disagreement()


def test_to_a_question_a_marker_on_the_centre_agrees_for_its_owner_whatever_its_colour():
    for colour in BOX.colours:
        placed = TagPlaced(CENTRE, 0, uid("marker", colour, BEN))
        assert meaning(ONE, bidding(), placed, asked=True) == Agreement(BEN)


def test_a_marker_that_no_player_plays_does_not_agree():
    placed = TagPlaced(CENTRE, 0, uid("marker", "white", 4))
    assert meaning(ONE, bidding(), placed, asked=True) == Aside("foreign", "not in play")


def test_while_a_question_is_open_pieces_of_the_game_have_to_wait():
    card = TagPlaced(CENTRE, 0, uid("card", BOX.cards[0].id))
    marker = TagPlaced("pad0", 0, uid("marker", "white", ANNA))
    assert meaning(FULL, bidding(), card, asked=True) == Aside("idle", "answer first")
    assert meaning(FULL, bidding(), marker, asked=True) == Aside("idle", "answer first")


# --- Any signal in any state ----------------------------------------------------------------------------------

stations = st.sampled_from([CENTRE, "pad0", "pad1", "pad2", "pad3", "attic"])
buttons = st.sampled_from(["green", "red", "green", "red", "blue"])
tags = st.sampled_from([*PACK.tags, "DEADBEEF"])
markers = st.sampled_from([tag for tag, piece in PACK.tags.items() if piece.owner in (ANNA, BEN, CLEO)])
times = st.integers(0, 2000)
signals = st.one_of(
    st.builds(TagPlaced, stations, times, tags),
    st.builds(TagPlaced, stations, times, markers),
    st.builds(TagRemoved, stations, times, tags),
    st.builds(Pressed, stations, times, buttons),
    st.builds(Held, stations, times, buttons),
    st.builds(ReaderFault, stations, times, st.text()),
    st.builds(LinkUp, stations, times),
    st.builds(LinkDown, stations, times, st.text()),
)
desks = st.sampled_from([ONE, FULL, SeatPads("none", PACK)])
states = st.builds(played, st.integers(0, 9), st.integers(0, 90))
KINDS = {"unknown", "foreign", "repeated", "idle", "noted"}
ALL_SENTENCES = SENTENCES | dict(GAME.sentences)


@given(desks, states, st.booleans(), st.lists(signals, max_size=12))
def test_any_sequence_of_signals_in_any_state_has_one_meaning_each(seat_pads, state, asked, sequence):
    presence = Presence()
    for signal in sequence:
        presence, meant = interpret(seat_pads, presence, GAME, state, asked, signal)
        if isinstance(meant, Aside):
            assert meant.kind in KINDS
            assert meant.what in ALL_SENTENCES
            assert say(meant, ALL_SENTENCES, NAMES)
        elif isinstance(meant, Do):
            assert isinstance(meant.action, GAME.actions)
            answer = GAME.apply(state, meant.action)
            state = state if isinstance(answer, Refusal) else answer.state


@given(desks, states, st.booleans(), st.lists(st.builds(TagPlaced, stations, times, markers), max_size=12))
def test_no_aside_about_a_marker_names_a_colour(seat_pads, state, asked, sequence):
    presence = Presence()
    for signal in sequence:
        presence, meant = interpret(seat_pads, presence, GAME, state, asked, signal)
        if isinstance(meant, Aside):
            assert not any(colour in str(meant.facts) for colour in BOX.colours)
            assert signal.uid not in msgspec.json.encode(meant).decode()
        assert not any(colour in repr(meant) for colour in BOX.colours)


def recoloured(tag: str, colours: dict[str, str]) -> str:
    piece = PACK.tags.get(tag)
    return uid("marker", colours[piece.id], piece.owner) if piece and piece.kind == "marker" else tag


def told(seat_pads: SeatPads, state: State, sequence) -> list:
    """All that a screen is told, up to the first reveal."""
    presence, lines = Presence(), []
    for signal in sequence:
        presence, meant = interpret(seat_pads, presence, GAME, state, False, signal)
        answer = GAME.apply(state, meant.action) if isinstance(meant, Do) else meant
        if not isinstance(answer, Aside | Refusal) and hasattr(answer, "state"):
            if answer.revealed:
                break
            state = answer.state
            answer = answer.rulings
        lines.append(answer)
    return lines


@given(desks, states, st.permutations(BOX.colours), st.lists(signals, max_size=25))
def test_with_other_colours_on_the_markers_the_screens_are_told_the_same(seat_pads, state, permutation, sequence):
    colours = dict(zip(BOX.colours, permutation, strict=True))
    other = replace(state, choices=tuple(choice and colours[choice] for choice in state.choices))
    altered = [
        replace(signal, uid=recoloured(signal.uid, colours)) if isinstance(signal, TagPlaced | TagRemoved) else signal
        for signal in sequence
    ]
    assert told(seat_pads, state, sequence) == told(seat_pads, other, altered)


# --- What lies there when a reader comes back -----------------------------------------------------------------


def choosing() -> State:
    state = played(1, 0)
    while state.phase == "draw":
        state = GAME.apply(state, GAME.legal(state)[0]).state
    return state


BACK = (LinkUp("pad0", 0), LinkDown("pad0", 1, "unplugged"), Connecting("pad0", 2))
READY = LinkUp("pad0", 9)
LINK_UP = Aside("noted", "link up", {"station": "pad0"})
LAY_AGAIN = Aside("noted", "lay it again", {"station": "pad0"})
WHITE, BLUE = uid("marker", "white", ANNA), uid("marker", "blue", ANNA)


def test_a_marker_that_was_laid_while_the_pad_was_away_is_chosen_when_it_is_ready():
    assert meaning(FULL, choosing(), *BACK, TagFound("pad0", 3, WHITE)).kind == "idle"
    assert meaning(FULL, choosing(), *BACK, TagFound("pad0", 3, WHITE), READY) == Do(Choose(ANNA, "white"))


def test_a_marker_that_lay_there_before_the_pad_was_away_is_no_news():
    placed = (BACK[0], TagPlaced("pad0", 0, WHITE), *BACK[1:])
    assert meaning(FULL, choosing(), *placed, TagFound("pad0", 3, WHITE)).kind == "repeated"
    assert meaning(FULL, choosing(), *placed, TagFound("pad0", 3, WHITE), READY) == LINK_UP


def test_of_two_markers_that_were_laid_meanwhile_the_referee_does_not_guess_which_was_meant():
    both = (TagFound("pad0", 3, WHITE), TagFound("pad0", 3, BLUE))
    assert meaning(FULL, choosing(), *BACK, *both, READY) == LAY_AGAIN
    assert meaning(FULL, choosing(), *BACK, *both, TagRemoved("pad0", 4, BLUE), READY) == Do(Choose(ANNA, "white"))


@pytest.mark.parametrize("elsewhere", [TagPlaced("pad1", 4, WHITE), TagFound("pad1", 4, WHITE)])
def test_a_marker_that_was_found_and_then_laid_elsewhere_does_not_count_where_it_was_found(elsewhere):
    """Not even if it has left there, too: it may have been carried back, or be in a hand and not missed yet."""
    found = (*BACK, TagFound("pad0", 3, WHITE), elsewhere)
    assert meaning(FULL, choosing(), *found, READY) == LINK_UP
    assert meaning(FULL, choosing(), *found, TagRemoved("pad1", 5, WHITE), READY) == LINK_UP


def test_of_two_markers_that_were_found_the_one_that_was_not_laid_elsewhere_counts():
    both = (TagFound("pad0", 3, WHITE), TagFound("pad0", 3, BLUE))
    assert meaning(FULL, choosing(), *BACK, *both, TagPlaced("pad1", 4, BLUE), READY) == Do(Choose(ANNA, "white"))


def test_a_marker_on_a_pad_that_has_only_just_been_connected_has_to_be_laid_again():
    assert meaning(FULL, choosing(), Connecting("pad0", 0), TagFound("pad0", 1, WHITE), READY) == LAY_AGAIN


def test_a_card_on_the_centre_that_came_back_has_to_be_laid_again():
    card = uid("card", BOX.cards[0].id)
    back = (LinkUp(CENTRE, 0), LinkDown(CENTRE, 1, "unplugged"))
    for seat_pads in (ONE, FULL):
        found = meaning(seat_pads, played(1, 0), *back, TagFound(CENTRE, 2, card), LinkUp(CENTRE, 3))
        assert found == Aside("noted", "lay it again", {"station": CENTRE})


def test_a_found_piece_that_means_nothing_now_is_no_complaint():
    card = uid("card", BOX.cards[0].id)
    assert meaning(FULL, choosing(), *BACK, TagFound("pad0", 3, card), READY) == LINK_UP
    assert meaning(FULL, bidding(), *BACK, TagFound("pad0", 3, BLUE), READY) == LINK_UP
    assert meaning(FULL, choosing(), *BACK, TagFound("pad0", 3, "E0E0E0E0"), READY) == LINK_UP


def test_while_a_question_is_open_a_found_piece_has_to_be_laid_again():
    assert meaning(FULL, choosing(), *BACK, TagFound("pad0", 3, WHITE), READY, asked=True) == LAY_AGAIN


def test_what_is_found_at_a_pad_without_a_seat_says_nothing():
    empty = LinkUp("pad4", 0), LinkDown("pad4", 1, "unplugged"), TagFound("pad4", 2, WHITE), LinkUp("pad4", 3)
    assert meaning(FULL, choosing(), *empty) == Aside("noted", "link up", {"station": "pad4"})


def test_what_is_found_is_lying_there_from_then_on():
    assert meaning(FULL, choosing(), TagFound("pad0", 0, WHITE), TagPlaced("pad0", 900, WHITE)).kind == "repeated"
    lifted = (TagFound("pad0", 0, WHITE), TagRemoved("pad0", 800, WHITE), TagPlaced("pad0", 900, WHITE))
    assert meaning(FULL, choosing(), *lifted) == Do(Choose(ANNA, "white"))


@pytest.mark.parametrize("remark", [*StartCause, *CopyRemark])
@pytest.mark.parametrize("station", [CENTRE, "pad0", "pad4"])
def test_what_is_remarked_on_a_device_that_works_is_noted_and_changes_nothing(station, remark):
    """Neither what lies there, nor the game; whether or not any player sits there."""
    before = Presence().after(LinkUp(station, 0)).after(TagPlaced(station, 1, WHITE))
    after, aside = interpret(FULL, before, GAME, choosing(), False, Remarked(station, 2, remark))
    assert after == before
    assert aside == Aside("noted", "remark", {"station": station, "problem": remark})
    assert remark[:30] in say(aside, SENTENCES, NAMES)


@pytest.mark.parametrize(("signal", "what"), [(Missed("pad0", 0), "missed"), (TagsUnclear("pad0", 0), "unclear")])
def test_what_cannot_count_is_told_with_what_to_do(signal, what):
    assert meaning(FULL, choosing(), signal) == Aside("unknown", what, {"station": "pad0"})


@pytest.mark.parametrize("lost", [LinkDown("pins", 0, "pigpiod is not running"), ReaderFault("pins", 0, "stuck")])
def test_on_the_buttons_of_the_pi_nothing_lies_that_could_count(lost):
    facts = {"station": "pins", "problem": lost.problem}
    assert meaning(ONE, choosing(), lost) == Aside("noted", "unit lost", facts)
    assert meaning(ONE, choosing(), LinkDown(CENTRE, 0, "x")).what == "link down"
