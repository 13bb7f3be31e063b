"""A game from elsewhere in which others act between a hidden choice and its reveal: what a correction does there."""

import weakref
from typing import Any, TypeAlias

import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import JournalError
from companion.gamekit.game import Awaiting, Game, Refusal, Ruling, Score, Setup, Step
from companion.session.played_game import Following, JournalHeader, PlayedGame
from companion.session.stand_ins import ImaginedGame

CARDS = ("ace", "king", "queen", "jack")


class Ban(Struct, frozen=True, tag_field="do", tag="ban"):
    card: str


class Pick(Struct, frozen=True, tag_field="do", tag="pick"):
    seat: int
    card: str


class Bet(Struct, frozen=True, tag_field="do", tag="bet"):
    """Only when both have picked."""

    seat: int


class Show(Struct, frozen=True, tag_field="do", tag="show"):
    pass


class State(Struct, frozen=True):
    banned: str = ""
    picked: tuple[str, str] = ("", "")
    bets: int = 0
    over: bool = False


Action: TypeAlias = Ban | Pick | Bet | Show


def legal(state: State) -> list[Action]:
    if not state.banned:
        return [Ban(card) for card in CARDS]
    missing = [seat for seat in range(2) if not state.picked[seat]]
    if missing:
        return [Pick(seat, card) for seat in missing for card in CARDS if card != state.banned]
    return [] if state.over else [Bet(0), Bet(1), Show()]


def apply(state: State, action: Action) -> Step[State] | Refusal:
    if action not in legal(state):
        return Refusal(None, "not now")
    match action:
        case Ban(card):
            return Step(replace(state, banned=card), (Ruling(None, "bans", {"card": card}),))
        case Pick(seat, card):
            picked = (card, state.picked[1]) if seat == 0 else (state.picked[0], card)
            return Step(replace(state, picked=picked), (Ruling(None, "picks", {"seat": seat}),))
        case Bet(seat):
            return Step(replace(state, bets=state.bets + 1), (Ruling(None, "bets", {"seat": seat}),))
    return Step(replace(state, over=True), (Ruling(None, "shows", {"cards": state.picked}),), (0, 1))


class Table(Struct, frozen=True):
    banned: str
    picked: tuple[bool, ...]
    bets: int


def awaiting(state: State) -> Awaiting | None:
    return Awaiting((0, 1), ("pick",)) if legal(state) else None


GAME: Game[State, Action] = Game(
    name="picks",
    players=range(2, 3),
    actions=(Ban, Pick, Bet, Show),
    setup=lambda _setup: State(),
    apply=apply,
    legal=legal,
    awaiting=awaiting,
    scores=lambda _state: (Score(0, ()), Score(1, ())),
    table=lambda state: Table(state.banned, tuple(map(bool, state.picked)), state.bets),
    conceals=lambda action: action.seat if isinstance(action, Pick) else None,
    sentences={},
)


def play(played_game: PlayedGame, *actions: Action) -> None:
    for action in actions:
        following = played_game.following(action)
        assert isinstance(following, Following)
        played_game.follow(len(played_game.played) + 2, action, "screen", following)


def correct(played_game: PlayedGame, number: int, action: Action) -> None:
    tail = played_game.corrected(number, action)
    assert not isinstance(tail, Refusal)
    played_game.correct(100 + len(played_game.corrections), "screen", tail)


@pytest.fixture
def played_game() -> PlayedGame:
    """The ace was banned, Anna has picked the king, and there was a bet; but it was the king that was banned."""
    setup = Setup(2, 0, GAME.options(), None)
    header = JournalHeader("picks", ("Anna", "Ben"), box="", package="companion-picks")
    played_game = PlayedGame(1, header, GAME, setup, State())
    play(played_game, Ban("ace"), Pick(0, "king"), Pick(1, "queen"), Bet(0))
    correct(played_game, 2, Ban("king"))
    return played_game


def seen(played_game: PlayedGame) -> Any:
    return GAME.view(played_game.state), [played.rulings for played in played_game.played]


def test_the_table_looks_as_if_the_hidden_choice_were_possible(played_game: PlayedGame) -> None:
    assert played_game.played[1].action == Pick(0, "king")
    assert played_game.state.picked[0] != "king"
    assert seen(played_game)[0] == Table("king", (True, True), 1)
    play(played_game, Bet(1))
    assert played_game.state.bets == 2, "nothing is shown before the reveal"


def test_where_others_have_acted_since_the_choice_is_corrected_before_it_is_revealed(played_game: PlayedGame) -> None:
    """It cannot simply be left out: then there would have been no bet."""
    refused = played_game.following(Show())
    assert isinstance(refused, Refusal)
    assert (refused.what, refused.facts) == ("correct the hidden choice", {"seats": (0,)})
    correct(played_game, 3, Pick(0, "jack"))
    play(played_game, Show())
    assert played_game.played[-1].step.rulings[0].facts == {"cards": ("jack", "queen")}


def test_a_correction_that_can_no_longer_be_undone_is_a_fault_of_the_journal_and_named(played_game: PlayedGame) -> None:
    played_game.corrections[-1] = replace(played_game.corrections[-1], action=Ban("unicorn"))
    with pytest.raises(JournalError, match=r"the correction in entry 100 cannot be undone"):
        played_game.uncorrected()


def test_where_nothing_explains_what_was_seen_a_correction_is_refused_in_words(played_game: PlayedGame) -> None:
    silent = replace(GAME, offered=lambda _state: [])
    refused = ImaginedGame(silent, played_game.played).instead(3, Bet(1))
    assert isinstance(refused, Refusal)
    assert refused.what == "cannot be corrected"


def test_a_game_that_counts_nothing_on_the_way_has_no_course(played_game: PlayedGame) -> None:
    assert GAME.course is None
    assert played_game.course == ()


def test_a_game_that_is_over_keeps_nothing_of_what_was_imagined(played_game: PlayedGame) -> None:
    imagined = weakref.ref(played_game.imagined)
    played_game.close()
    assert imagined() is None, "the actions are packed, and this held each of their states"


def test_both_may_have_to_choose_again(played_game: PlayedGame) -> None:
    correct(played_game, 2, Ban("jack"))
    assert played_game.state.picked == ("king", "queen"), "what was hidden counts again as soon as it may"
    correct(played_game, 4, Pick(1, "king"))
    correct(played_game, 2, Ban("king"))
    refused = played_game.following(Show())
    assert isinstance(refused, Refusal)
    assert refused.facts == {"seats": (0, 1)}
