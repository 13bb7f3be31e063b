"""Every ruling of README.md, each test named after its number."""

from itertools import pairwise
from typing import Literal

import msgspec
import pytest
from gops.components import parse_box, standin
from gops.rules import GAME, Bid, Prize, State
from gops.view import Options
from gops.view import Table as Seen

from companion.gamekit import BoxError, Facts, Refusal, Ruling, Setup, Step

BOX = parse_box(standin(), "the pack that ships")
SUITS = ("clubs", "hearts", "spades")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class Table:
    """A table at which people play: what they do, and what they are told."""

    def __init__(self, players: int = 2, tie: Literal["carry", "discard"] = "carry") -> None:
        self.state: State = GAME.setup(Setup(players, 0, Options(tie), BOX))
        self.rulings: tuple[Ruling, ...] = ()
        self.revealed: list[int] = []
        self.facts: Facts = {}
        """What the newest refusal was about."""

    def does(self, action: Prize | Bid) -> "Table":
        step = GAME.apply(self.state, action)
        assert isinstance(step, Step), step
        self.state, self.rulings, self.revealed = step.state, step.rulings, list(step.revealed)
        return self

    def refuses(self, action: Prize | Bid) -> tuple[str | None, str]:
        refusal = GAME.apply(self.state, action)
        assert isinstance(refusal, Refusal), f"{action} was accepted"
        self.facts = refusal.facts
        return refusal.rule, refusal.what

    def round(self, prize: str, *bids: str) -> "Table":
        """A prize, and one bid from each player in the order of their seats."""
        self.does(Prize(f"diamonds-{prize}"))
        for seat, rank in enumerate(bids):
            self.does(Bid(seat, f"{SUITS[seat]}-{rank}"))
        return self

    def play_all(self, first: tuple[str, ...] = RANKS, second: tuple[str, ...] = RANKS) -> "Table":
        """Two players, the prizes from ace to king."""
        for bids in zip(RANKS, first, second, strict=True):
            self.round(*bids)
        return self

    @property
    def sees(self) -> Seen:
        return msgspec.convert(GAME.table(self.state), Seen, from_attributes=True)

    @property
    def awaited(self) -> list[int]:
        awaiting = GAME.awaiting(self.state)
        return list(awaiting.seats) if awaiting else []

    @property
    def totals(self) -> list[int]:
        return [score.total for score in GAME.scores(self.state)]

    @property
    def told(self) -> list[tuple[str | None, str]]:
        return [(ruling.rule, ruling.what) for ruling in self.rulings]


# --- G1 Set-up ------------------------------------------------------------------------------------------------


def test_G1_everybody_takes_one_suit_as_their_hand() -> None:
    table = Table(3)
    for seat, suit in enumerate(SUITS):
        assert table.state.hands[seat] == tuple(f"{suit}-{rank}" for rank in RANKS)


def test_G1_the_prizes_are_another_suit_and_lie_face_down() -> None:
    table = Table(3)
    assert table.state.deck == tuple(f"diamonds-{rank}" for rank in RANKS)
    assert (table.sees.deck, table.sees.prizes) == (13, ())


def test_G1_with_two_players_one_suit_stays_in_the_box() -> None:
    table = Table(2)
    assert table.sees.hands == (13, 13)
    assert not any("spades" in card for hand in table.state.hands for card in hand)


@pytest.mark.parametrize(
    ("found", "instead", "said"),
    [
        ('"hearts", "spades"]', '"hearts"]', "hands, prizes: expected 3 suits"),
        ('prizes = "diamonds"', 'prizes = "hearts"', "hands, prizes: expected 3 suits"),
        ('id = "hearts-2"', 'id = "hearts-A"', "has the same id"),
        ('suit = "spades"\nvalue = 1\n', 'suit = "stars"\nvalue = 1\n', "suit: expected one of"),
        ('suit = "spades"\nvalue = 1\n', 'suit = "clubs"\nvalue = 1\n', "as many cards as the others"),
        ("value = 13", "value = 0", "value: expected 1 or more, found 0"),
        ('game = "gops"', 'game = "whist"', "game: expected 'gops', found 'whist'"),
    ],
)
def test_G1_a_pack_that_cannot_be_played_with_is_told(found: str, instead: str, said: str) -> None:
    text = standin()
    assert found in text
    with pytest.raises(BoxError, match=said):
        parse_box(text.replace(found, instead, 1), "my pack")


# --- G2 A prize -----------------------------------------------------------------------------------------------


def test_G2_somebody_turns_up_the_next_prize() -> None:
    table = Table(3)
    assert table.awaited == [0, 1, 2]
    table.does(Prize("diamonds-7"))
    assert table.told == [("G2", "is turned up")]
    assert (table.sees.prizes, table.sees.deck) == (("diamonds-7",), 12)


def test_G2_a_prize_that_is_left_from_the_round_before_lies_beside_the_next() -> None:
    table = Table().round("7", "5", "5").does(Prize("diamonds-2"))
    assert table.told == [("G2", "is turned up")]
    assert table.sees.prizes == ("diamonds-7", "diamonds-2")


def test_G2_there_is_one_prize_a_round_and_no_second_one_before_all_have_bid() -> None:
    table = Table(3).does(Prize("diamonds-7")).does(Bid(1, "hearts-2"))
    assert table.refuses(Prize("diamonds-8")) == ("G2", "bid first")
    assert table.facts == {"seats": (0, 2)}


@pytest.mark.parametrize("card", ["diamonds-7", "clubs-8", "joker", ""])
def test_G2_only_a_card_of_the_prize_deck_can_be_turned_up(card: str) -> None:
    table = Table().round("7", "5", "6")
    assert table.refuses(Prize(card)) == ("G2", "not in the deck")


# --- G3 Bidding -----------------------------------------------------------------------------------------------


def test_G3_everybody_lays_one_card_in_any_order() -> None:
    table = Table(3).does(Prize("diamonds-7"))
    assert table.awaited == [0, 1, 2]
    table.does(Bid(2, "spades-3"))
    assert table.told == [("G3", "has bid")]
    assert table.awaited == [0, 1]
    assert table.sees.bids == (False, False, True)
    assert table.sees.hands == (13, 13, 12)


def test_G3_a_bid_stays() -> None:
    table = Table().does(Prize("diamonds-7")).does(Bid(0, "clubs-3"))
    for card in ("clubs-3", "clubs-4"):
        assert table.refuses(Bid(0, card)) == ("G3", "has bid already")


def test_G3_a_bid_is_secret_until_all_have_bid() -> None:
    table = Table().does(Prize("diamonds-7")).does(Bid(0, "clubs-3"))
    assert GAME.conceals(Bid(0, "clubs-3")) == 0
    assert GAME.conceals(Prize("diamonds-7")) is None
    assert table.revealed == []
    assert "clubs-3" not in repr((table.rulings, table.sees, GAME.whereabouts(table.state)))
    table.does(Bid(1, "hearts-9"))
    assert table.revealed == [0, 1]


def test_G3_no_player_bids_before_there_is_a_prize() -> None:
    assert Table().refuses(Bid(0, "clubs-3")) == ("G3", "no prize yet")


# --- G4 Own cards only ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["clubs-5", "hearts-7", "diamonds-8", "spades-2", "joker"])
def test_G4_a_card_that_its_player_does_not_hold_is_refused(card: str) -> None:
    """Spent, another player's, a prize, of the suit in the box, of no pack at all."""
    table = Table().round("7", "5", "6").does(Prize("diamonds-2"))
    assert table.refuses(Bid(0, card)) == ("G4", "not in hand")
    assert table.facts == {"seat": 0, "card": card}


# --- G5 Reveal ------------------------------------------------------------------------------------------------


def test_G5_all_bids_are_turned_up_together() -> None:
    table = Table(3).round("7", "5", "K", "6")
    assert table.told == [("G3", "has bid"), *[("G5", "reveals")] * 3, ("G5", "wins")]
    assert [ruling.facts["card"] for ruling in table.rulings[1:4]] == ["clubs-5", "hearts-K", "spades-6"]


def test_G5_the_single_highest_bid_takes_the_prize() -> None:
    table = Table(3).round("7", "5", "6", "5")
    assert table.sees.won == ((), ("diamonds-7",), ())
    assert table.sees.prizes == ()


def test_G5_the_highest_bid_takes_all_prizes_that_lie_there() -> None:
    table = Table().round("7", "5", "5").round("2", "9", "9").round("K", "A", "2")
    assert table.sees.won == ((), ("diamonds-7", "diamonds-2", "diamonds-K"))


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(RANKS)))
def test_G5_an_ace_is_the_lowest_bid_and_a_king_the_highest(lower: str, higher: str) -> None:
    assert Table().round("7", lower, higher).sees.won == ((), ("diamonds-7",))


# --- G6 Ties --------------------------------------------------------------------------------------------------


def test_G6_equal_highest_bids_win_nothing_and_the_prize_stays() -> None:
    table = Table().round("7", "5", "5")
    assert table.told[-1] == ("G6", "stays")
    assert (table.sees.prizes, table.sees.won, table.sees.lost) == (("diamonds-7",), ((), ()), ())


def test_G6_the_next_highest_bid_does_not_win_either() -> None:
    table = Table(3).round("7", "9", "8", "9")
    assert table.rulings[-1].facts == {"seats": (0, 2), "prizes": ("diamonds-7",)}
    assert table.sees.won == ((), (), ())


def test_G6_equal_bids_below_the_highest_change_nothing() -> None:
    assert Table(3).round("7", "8", "9", "8").sees.won == ((), ("diamonds-7",), ())


def test_G6_with_the_option_the_prize_leaves_the_game() -> None:
    table = Table(tie="discard").round("7", "5", "5")
    assert table.told[-1] == ("G6", "goes to no player")
    assert (table.sees.prizes, table.sees.lost) == ((), ("diamonds-7",))
    assert table.round("2", "K", "A").sees.won == (("diamonds-2",), ())


def test_G6_after_the_last_round_the_prizes_go_to_nobody() -> None:
    table = Table().play_all((*RANKS[1:11], "A", "Q", "K"), (*RANKS[:10], "J", "Q", "K"))
    assert table.told[-2:] == [("G6", "goes to no player"), ("G8", "all prizes are gone")]
    assert table.rulings[-2].facts["prizes"] == ("diamonds-Q", "diamonds-K")
    assert (table.sees.prizes, table.sees.lost) == ((), ("diamonds-Q", "diamonds-K"))
    assert table.totals == [55, 11]


# --- G7 Spent cards -------------------------------------------------------------------------------------------


def test_G7_every_bid_is_spent_whoever_wins_and_lies_open() -> None:
    table = Table(3).round("7", "5", "6", "6").round("2", "A", "2", "3")
    assert table.sees.spent == (("clubs-5", "clubs-A"), ("hearts-6", "hearts-2"), ("spades-6", "spades-3"))
    assert table.sees.hands == (11, 11, 11)
    assert table.sees.bids == (False, False, False)


# --- G8 The end -----------------------------------------------------------------------------------------------


def test_G8_the_game_ends_when_all_cards_have_been_bid() -> None:
    table = Table().play_all((*RANKS[1:], "A"))
    assert table.told[-1] == ("G8", "all prizes are gone")
    assert (table.sees.phase, table.sees.round) == ("over", 13)
    assert GAME.awaiting(table.state) is None
    assert GAME.legal(table.state) == []


@pytest.mark.parametrize(("points", "rank"), list(enumerate(RANKS, 1)))
def test_G8_a_prize_is_worth_its_value(points: int, rank: str) -> None:
    table = Table().round(rank, "3", "2")
    assert table.totals == [points, 0]
    (part,) = GAME.scores(table.state)[0].parts
    assert (part.for_, part.rule) == (f"diamonds-{rank}", "G8")


def test_G8_the_most_points_win() -> None:
    table = Table().play_all((*RANKS[1:], "A"))
    assert table.totals == [78, 13]
    assert GAME.winners(table.state) == (0,)


def test_G8_a_tie_is_shared() -> None:
    assert GAME.winners(Table().play_all().state) == (0, 1)


def test_G8_after_the_end_everything_is_refused() -> None:
    table = Table().play_all()
    for action in (Prize("diamonds-A"), Bid(0, "clubs-A")):
        assert table.refuses(action) == ("G8", "the game is over")


# --- G9 Order and form ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_G9_somebody_who_is_not_at_the_table_cannot_bid(seat: int) -> None:
    table = Table().does(Prize("diamonds-7"))
    assert table.refuses(Bid(seat, "spades-2")) == ("G9", "no such seat")


def test_G9_an_action_that_cannot_be_read_is_refused_under_it() -> None:
    """tests/games/every-refusal.jsonl has every kind of them."""
    assert GAME.form == "G9"
