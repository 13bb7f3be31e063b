"""C17 At a table, a player who names a card that a player hides is believed: no answer tells where a start card is."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.contract.played_games import told
from companion.gamekit.game import Laid, Refusal, Step, Thing
from companion.gamekit.game_start import Header
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.state import Deal, Discard, EndTurn, Play, Start, State, Take
from companion.games.carnuta.simulated import Players
from companion.session.entry import Entry, action_body
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from tests.session.exports import replay

from .make_standin import box, mixed
from .table import CARDS, MOON_ROW, SUN, SUN_ROW, Table

ROWS = (*SUN_ROW, *MOON_ROW)
NAMES = ("Anna", "Ben", "Cleo", "Dora")


class Journalled:
    """A table whose actions are written down."""

    def __init__(self, players: int = 2) -> None:
        self.evening = Evening(
            [Entry(1, 0.0, "game", "", "", game_body(Header("carnuta", NAMES[:players]), box(mixed)))]
        )

    @property
    def state(self) -> State:
        state: State = self.evening.state
        return state

    def do(self, *actions: object) -> "Journalled":
        for action in actions:
            self.evening.take(Entry(self.evening.number + 1, 0.0, "action", "tag", "", action_body(action)))
        return self

    def rows(self) -> "Journalled":
        for card in ROWS:
            self.do(Deal(self.state.due, card))
        return self


def test_C17_a_transcript_is_judged_by_what_it_says() -> None:
    """It holds all secrets: nothing is told that its reader could not read."""
    assert Table(2).do(Start(0, "skull-1")).refused(Start(1, "skull-1")).rule == "C1"
    table = Table(2).starts("honey-2", "berry-2")
    assert table.refused(Deal("sun", "honey-2")).rule == "C3"


@pytest.mark.parametrize("held", ["skull-1", "honey-2"])
def test_C17_a_dealt_card_is_believed_no_matter_who_hides_it(held: str) -> None:
    table = Journalled().do(Start(0, held), Start(1, "berry-2"), Deal("sun", "honey-2"))
    assert table.state.rows.sun == ("honey-2",)
    assert len(table.state.players[0].hand) == 1
    assert len(table.state.decks.sun) == len(SUN) - 1 - len({held, "berry-2"} & set(SUN))


def test_C17_a_player_who_named_a_card_wrongly_plays_the_one_that_it_really_is() -> None:
    table = Journalled().do(Start(0, "honey-2"), Start(1, "berry-2")).rows()
    assert isinstance(GAME.at_table(table.state, Play(1, "egg-3")), Refusal)
    payable = [
        action
        for action in GAME.offered(table.state)
        if isinstance(action, Play) and isinstance(GAME.at_table(table.state, action), Step)
    ]
    assert len(payable) > 1, "any card that no player has seen may be the start card now"
    table.do(payable[-1])
    assert table.state.players[0].played[0].card == payable[-1].card
    assert table.state.players[0].hand == ()
    assert transcript(table.evening).splitlines()[1] == f'{{"do":"start","seat":0,"card":"{payable[-1].card}"}}'


def test_C17_it_may_be_tapped_as_well() -> None:
    table = Journalled().do(Start(0, "honey-2"), Start(1, "berry-2")).rows()
    gesture = Laid(Thing("card", "honey-4"), 0)
    assert GAME.meaning(table.state, gesture) == Play(0, "honey-4")
    assert GAME.meaning(table.state, Laid(Thing("card", "honey-2"), 0)).__class__.__name__ == "Take"


def test_C17_on_a_screen_any_card_that_may_be_the_start_card_is_believed_when_it_is_shown() -> None:
    """A refusal would tell which card was named. A tapped card is another matter: it is in a player's hand."""
    table = Journalled().do(Start(0, "skull-1"), Start(1, "berry-2")).rows()
    outcomes = {
        card: GAME.at_table(table.state, Play(0, card))
        for card in ("skull-1", "berry-1", "berry-2")
        if CARDS[card].deck == CARDS["skull-1"].deck
    }
    assert len(outcomes) > 1
    assert {getattr(each, "rule", None) for each in outcomes.values()} == {None}, outcomes
    assert GAME.meaning(table.state, Laid(Thing("card", "berry-1"), 0)).__class__.__name__ == "Aside"


def test_C17_two_who_named_the_same_card_both_see_what_they_have_named() -> None:
    """What the first one sees would tell else that the second one has named it as well."""
    table = Journalled().do(Start(0, "skull-1"), Start(1, "skull-1"))
    for seat in range(2):
        hand = GAME.own_view(table.state, seat)
        assert (hand.cards, hand.secret) == (("skull-1",), "skull-1")


def test_C17_a_player_who_named_a_card_that_is_then_seen_elsewhere_still_sees_it_in_their_own_hand() -> None:
    """The card is in their real hand: they hear that it is elsewhere, too. All others see what they saw before."""
    table = Journalled().do(Start(0, "honey-2"), Start(1, "berry-2"))
    before = GAME.own_view(table.state, 1)
    table.rows()
    assert "honey-2" in table.state.rows.sun
    hand = GAME.own_view(table.state, 0)
    assert (hand.cards, hand.secret, hand.seen_elsewhere) == (("honey-2",), "honey-2", True)
    assert GAME.own_view(table.state, 1) == before
    assert not before.seen_elsewhere


def test_C17_a_card_that_was_seen_elsewhere_is_not_tapped_as_a_start_card() -> None:
    table = Journalled().do(Start(0, "honey-2"), Start(1, "berry-2")).rows().do(Take(0, "honey-2"))
    table.do(Deal("sun", next(card for card in SUN if card in table.state.decks.sun)))
    while table.state.turn == 0:
        table.do(next(action for action in GAME.legal(table.state) if not isinstance(action, Take | Play)))
    assert GAME.meaning(table.state, Laid(Thing("card", "honey-2"), 1)).__class__.__name__ == "Aside"
    assert GAME.own_view(table.state, 0).cards == ("honey-2", "honey-2")


def test_C17_who_holds_a_card_of_a_simulated_deck_that_is_seen_elsewhere_may_say_which_one_it_is() -> None:
    """And what they may choose from does not depend on what another player hides."""
    hands = Players(7, frozenset({1}), "full")
    choices = []
    for theirs in [card for card in SUN if card not in ROWS][:2]:
        table = Journalled().do(Start(0, "honey-2"), Start(1, theirs)).rows()
        choices.append([piece.id for piece in hands.dealt(0, (), table.state, 0)])
        offered = {action.card for action in GAME.offered(table.state) if isinstance(action, Play)}
        assert offered
        assert offered <= set(choices[-1])
    assert choices[0] == choices[1]


def test_C17_two_who_named_the_same_card_are_both_believed_and_the_first_to_show_it_has_it() -> None:
    card = next(card for card in SUN if card not in ROWS and card.startswith("moth") and len(CARDS[card].cost) < 3)
    table = Journalled().do(Start(0, card), Start(1, card)).rows()
    assert table.state.players[1].secret == card
    table.do(Play(0, card))
    assert table.state.players[0].played[0].card == card
    assert table.state.players[1].secret not in (None, card)


def may_be_refused(state: State, action: object) -> bool:
    """A player's own card that is another; or, C12, a card of a deck that ran out: all but start cards were seen."""
    return isinstance(action, Play | Discard) or (isinstance(action, Deal) and action.row in state.reshuffled)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), st.floats(0, 1))
def test_C17_an_evening_of_slips_goes_on_to_its_end_and_can_be_adjudicated(
    players: int, seed: int, slips: float
) -> None:
    """Anything that is offered is tried, other people's start cards among it."""
    chance, table = Random(seed), Journalled(players)
    for _ in range(600):
        state = table.state
        legal, offered = list(GAME.legal(state)), list(GAME.offered(state))
        if not legal:
            break
        plays = [action for action in offered if isinstance(action, Play)]
        action = chance.choice(plays if plays and chance.random() < 0.6 else offered)
        if chance.random() > slips or isinstance(GAME.at_table(state, action), Refusal):
            assert may_be_refused(state, action) or isinstance(GAME.at_table(state, action), Step)
            ends = [each for each in legal if isinstance(each, EndTurn)]
            action = chance.choice(ends or legal)
        table.do(action)
        held = [card for player in table.state.players for card in player.hand]
        assert len(held) == len(set(held))
        assert not {*held} & {*table.state.decks.sun, *table.state.decks.moon}
    _, state = replay(transcript(table.evening), box(mixed))
    played = table.evening.played_game.played
    lines = len(transcript(table.evening).splitlines()) - 1
    expected = played[lines].before if lines < len(played) else table.state
    assert GAME.table(state) == GAME.table(expected)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32))
def test_C17_tables_that_differ_in_a_start_card_answer_alike_whatever_is_dealt(players: int, seed: int) -> None:
    """Anna's card is one or the other; the same cards are then named and dealt, those two among them."""
    chance = Random(seed)
    card, other = chance.sample(SUN, 2)
    one, two = (Table(players).do(Start(0, each)).state for each in (card, other))
    for _ in range(players - 1 + 8):
        offered = [each for each in GAME.offered(one) if isinstance(each, Start | Deal)]
        named = [each for each in offered if each.card in (card, other)]
        action = chance.choice(named if named and chance.random() < 0.3 else offered)
        step, twin = GAME.at_table(one, action), GAME.at_table(two, action)
        assert isinstance(step, Step)
        assert isinstance(twin, Step)
        assert step.rulings == twin.rulings
        one, two = step.state, twin.state
        assert told(GAME, one) == told(GAME, two) or one.phase == "act"
        assert GAME.view(one) == GAME.view(two)
        assert GAME.offered(one) == GAME.offered(two)
