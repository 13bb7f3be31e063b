"""What players that search never do, whatever they imagine: positions in which it would be seen at once."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import CHANCE, Judgement, Sampler
from companion.games.carnuta.components import Pair
from companion.games.carnuta.rules.state import Play as PlayCard
from companion.games.carnuta.rules.state import Sickle
from companion.games.darwinci.rules.state import Bid, Build, Jewels, Keep, Offer, Skip
from companion.games.darwinci.view import Built, Stones
from companion.games.lascaux.rules.engine import Choose, Draw, Pass, Stone
from companion.games.sioux.judgement import _promised
from companion.games.sioux.rules.state import Crow, Gifts, Name, Play
from tests.games.lascaux.table import ALL_SIX
from tests.games.thinker import Position
from tests.ours import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_judgement_lets_those_decide_whom_the_rules_wait_for(game: str) -> None:
    """Each game says it faster than the rules do; a wrong answer would only make its players weaker."""
    judgement, plain = judgement_of(game), Judgement(discovery.find(game))
    for seed in range(3):
        position, luck = Position(game, 3), Random(f"{game} {seed}")
        while (awaiting := position.game.awaiting(position.state)) is not None:
            turn, by_the_rules = judgement.turn(position.state), plain.turn(position.state)
            if by_the_rules == CHANCE:
                assert turn == CHANCE
            else:
                settled = position.game.settled(position.state) if position.game.settled else ()
                assert turn in {*awaiting.seats} - {*settled}
            position.does(luck.choice(position.game.legal(position.state)))
        assert judgement.turn(position.state) is None


# --- Lascaux --------------------------------------------------------------------------------------------------


def bidding(*colours: str) -> Position:
    draws = [Draw(card) for card in ALL_SIX]
    chosen = colours or ("brown", "blue", "green", "pink")
    return Position("lascaux").does(*draws, *(Choose(seat, colour) for seat, colour in enumerate(chosen)))


def test_a_player_of_lascaux_who_has_just_paid_a_stone_does_not_pass_for_an_empty_pot() -> None:
    position = bidding().does(Stone(0), Stone(1), Stone(2), Pass(3))
    assert position.state.pot == 0
    assert Pass(0) in position.considered(0)
    assert position.ever(0) == {Stone(0)}


def test_a_player_of_lascaux_without_a_stone_passes_all_the_same() -> None:
    position = bidding().does(Stone(0), Stone(1), Stone(2), Pass(3))
    position.state = replace(position.state, stones=(0, *position.state.stones[1:]))
    judgement = judgement_of("lascaux")
    assert list(judgement.candidates(position.state, 0)) == [Pass(0)]


def test_a_player_of_lascaux_may_pass_for_an_empty_pot_who_has_paid_nothing() -> None:
    position = bidding().does(Stone(0), Pass(1))
    assert not judgement_of("lascaux").blunder(position.state, position.knowledge(2).past, Pass(2))


def test_a_player_of_lascaux_takes_a_rich_pot_rather_than_pay_for_a_colour_that_no_card_shows() -> None:
    """Seven cards without blue: whoever has chosen it gets nothing, and the pot is all there is."""
    row = ("deer-brown-white", "deer-brown-green", "deer-green-white", "deer-pink-white", "deer-yellow-pink")
    draws = [Draw(card) for card in (*row, "horse-brown-white", "horse-green-white")]
    chosen = [Choose(0, "blue"), Choose(1, "white"), Choose(2, "white"), Choose(3, "white")]
    position = Position("lascaux").does(*draws, *chosen)
    for _ in range(3):
        position.does(*(Stone(seat) for seat in range(4)))
    assert position.decides(0, playouts=60) == Pass(0)


# --- Sioux ----------------------------------------------------------------------------------------------------


def test_a_shaman_of_sioux_counts_as_much_as_it_can() -> None:
    position = Position("sioux").does(Play(0, "shaman"), Play(1, "2"), Play(2, "3"), Play(3, "4"))
    assert position.considered(0) == {Name(0, 6), Name(0, 7), Name(0, 8)}
    assert position.ever(0) == {Name(0, 8)}


def test_a_player_of_sioux_takes_the_gifts_that_they_may_claim() -> None:
    """Each has won prey worth 1: the second one may claim a gift."""
    position = Position("sioux").does(Play(0, "3"), Play(1, "2"), Play(2, "crow"), Play(3, "crow"))
    position.does(Play(0, "2"), Play(1, "3"), Play(2, "2"), Play(3, "2"))
    assert position.state.phase == "gifts"
    assert Gifts(1, ()) in position.considered(1)
    assert position.ever(1) == {Gifts(1, (0,))}


def test_a_player_of_sioux_who_has_everything_to_lose_by_the_swap_calls_the_crow() -> None:
    position = Position("sioux").does(Play(0, "13"), Play(1, "2"), Play(2, "3"), Play(3, "3"))
    position.does(Play(0, "9"), Play(1, "9"), Play(2, "2"), Play(3, "2"))
    assert position.state.phase == "crow"
    assert position.decides(0, playouts=120) == Crow(0, True)


def test_a_high_card_of_sioux_promises_more_when_the_others_have_laid_theirs() -> None:
    """Prey is what the highest card is above the second: 13 against low cards wins a winter."""
    early = _promised([[13, 2], [12, 3], [11, 4], [10, 5]], 13)
    late = _promised([[13, 2], [2, 3], [3, 4], [4, 5]], 13)
    assert late[0] > 3 * early[0] > 0
    assert _promised([[2], [3], [3], [2]], 13) == [0, 0, 0, 0]
    assert _promised([[9], [3], [4], [2]], 13) == [5, 0, 0, 0]


# --- Darwinci -------------------------------------------------------------------------------------------------


def test_no_one_else_has_offered_what_a_player_of_darwinci_holds() -> None:
    position = Position("darwinci", 3)
    hands = [[tile.id for tile in position.setup.box.tiles][seat * 4 : seat * 4 + 4] for seat in range(3)]
    for seat, (one, other, _, _) in enumerate(hands):
        position.does(Build(seat, one, 0, 0, 0), Build(seat, other, 1, 0, 0))
    position.does(Keep(0), Keep(1), Keep(2), Offer(0, hands[0][2]), Offer(1, hands[1][2]))
    fresh = set(position.state.fresh)
    held = frozenset(sorted(fresh - {hands[0][2], hands[1][2]})[3:])
    knowledge = replace(position.knowledge(2), held=held)
    sampler = Sampler(position.game, judgement_of("darwinci"), knowledge)
    offered = {tile for number in range(40) for tile in sampler.sample(Random(number)).state.offers if tile}
    assert len(offered) > 2
    assert not offered & held


def minus_tile(position: Position) -> str:
    return min(position.setup.box.tiles, key=lambda tile: tile.value or 0).id


def test_a_player_of_darwinci_lays_no_own_stone_on_a_tile_that_costs_more_than_it_brings() -> None:
    position = Position("darwinci")
    tiles = [tile.id for tile in position.setup.box.tiles if (tile.value or 0) >= 0]
    bad = minus_tile(position)
    position.state = replace(
        position.state,
        phase="bid",
        bidding=2,
        built=tuple((Built(tiles[seat], 0, 0, 0),) for seat in range(4)),
        offers=(bad, *tiles[4:7]),
    )
    judgement = judgement_of("darwinci")
    assert judgement.blunder(position.state, (), Bid(0, (Stones(0, 0, 1),)))
    assert not judgement.blunder(position.state, (), Bid(0, ()))
    assert not judgement.blunder(position.state, (), Bid(0, (Stones(0, 1, 1),))), "it is another player's stone"


def test_a_player_of_darwinci_scores_no_line_that_costs_money() -> None:
    position = Position("darwinci")
    costly = next(tile for tile in position.setup.box.tiles if tile.minus and tile.jewels)
    built = (Built(costly.id, 0, 0, 0),)
    position.state = replace(position.state, phase="jewels", built=(built, *position.state.built[1:]))
    line = next(action for action in position.considered(0) if isinstance(action, Jewels))
    assert judgement_of("darwinci").blunder(position.state, (), line)
    assert not judgement_of("darwinci").blunder(position.state, (), Skip(0))


# --- Carnuta --------------------------------------------------------------------------------------------------


def acting(**changes: object) -> Position:
    position = Position("carnuta", 2)
    cards = [card for card in position.setup.box.cards if card.points and card.ingredient != "salt"]
    held, rows = cards[0].id, [card.id for card in cards[1:]]
    decks = position.state.cards
    sun = tuple(card for card in rows if decks[card].deck == "sun")[:4]
    moon = tuple(card for card in rows if decks[card].deck == "moon")[:4]
    player = replace(position.state.players[0], hand=(held,), runes=Pair(4, 4))
    position.state = replace(
        position.state,
        phase="act",
        rows=Pair(sun, moon),
        players=(player, *position.state.players[1:]),
        **changes,
    )
    return position


def test_a_player_of_carnuta_spends_no_sickle_after_both_actions() -> None:
    judgement = judgement_of("carnuta")
    assert judgement.blunder(acting(actions_left=0).state, (), Sickle(0, "sun"))
    assert not judgement.blunder(acting(actions_left=2).state, (), Sickle(0, "sun"))


def test_a_player_of_carnuta_plays_what_they_can_pay_with_the_last_action_of_all() -> None:
    position, judgement = acting(actions_left=1, last_round=True), judgement_of("carnuta")
    sensible = [each for each in position.considered(0) if not judgement.blunder(position.state, (), each)]
    assert sensible
    assert all(isinstance(each, PlayCard) for each in sensible)
    earlier = acting(actions_left=1, last_round=False)
    assert any(
        not isinstance(each, PlayCard) and not judgement.blunder(earlier.state, (), each)
        for each in earlier.considered(0)
    )
