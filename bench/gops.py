"""A search in a game of pure strategy, GOPS: how far it can be exploited, and how it fares against OpenSpiel's MCTS.

Exploitability is exact, with three cards each: the search thinks at every table that can be reached. Its opponent knows
how often it bids what, and answers with the best there is. What the opponent then wins more than half is counted.
"""

import sys
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from bench.figures import WHOLE, Effort, Figure, of_others
from companion.gamekit.game import Game, Setup
from companion.gamekit.search import Judgement, Search, Skill, decide, knowledge_of, mixture

EXAMPLE = Path(__file__).parents[1] / "examples" / "gops"
SUITS = ("clubs", "hearts", "spades", "diamonds")
FEW, MANY = 30, 300
"""Playouts a decision."""
CARDS, GAMES, PLAYOUTS = 6, 200, 100
"""Against OpenSpiel."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    hasty, thoughtful = (exploitability(3, effort.of(playouts)) for playouts in (FEW, MANY))
    share = of_others("pyspiel", partial(against_open_spiel, effort.of(GAMES), effort.of(PLAYOUTS)))()
    return [
        Figure(
            "GOPS: exploitability with 300 playouts ÷ with 30",
            thoughtful / hasty if hasty else 1.0,
            0.8,
            False,
            f"{thoughtful:.3f} against {hasty:.3f}: two players, three cards, exact; 0.5 is the most",
        ),
        Figure(
            "GOPS: wins against OpenSpiel MCTS with as many playouts",
            share,
            0.43,
            True,
            f"{GAMES} games with {CARDS} cards, {PLAYOUTS} playouts each; 0.43 is half less two standard errors",
        ),
    ]


def small_gops(cards: int) -> tuple[Game[Any, Any], Setup]:
    """Two players with so many cards each. Equal bids: the prize goes to no player."""
    if find_spec("gops") is None:
        sys.path.append(str(EXAMPLE))
    from gops.rules import GAME

    listed = "".join(
        f'[[cards]]\nid = "{suit}-{value}"\nsuit = "{suit}"\nvalue = {value}\n'
        for suit in SUITS
        for value in range(1, cards + 1)
    )
    text = f'game = "gops"\nhands = ["clubs", "hearts", "spades"]\nprizes = "diamonds"\n{listed}'
    return GAME, Setup(2, 0, GAME.options(tie="discard"), GAME.parse_box(text, "a small pack"))


# --- An opponent who knows everything -------------------------------------------------------------------------


def exploitability(cards: int, playouts: int) -> float:
    """What the best opponent wins more than half, from 0 to ½, against a search with so many playouts a decision."""
    game, setup = small_gops(cards)
    judgement, skill = Judgement(game), Skill(playouts, boldness=1.0)

    def bids(state: Any) -> dict[Any, float]:
        """How often the search bids what, as seat 0."""
        knowledge = knowledge_of(game, setup, state, [], 0)
        bandit = Search(game, judgement, knowledge, skill).run(Random(repr(state.spent)))
        odds = mixture(judgement, bandit, skill)
        return {bid: each / sum(odds.values()) for bid, each in odds.items()}

    @cache
    def best(state: Any) -> float:
        """What the opponent wins from here on, at best."""
        actions = game.legal(state)
        if not actions:
            winners = game.winners(state)
            return (1 in winners) / len(winners)
        if not hasattr(actions[0], "seat"):
            return sum(best(game.perform(state, prize).state) for prize in actions) / len(actions)
        mixed = bids(state)
        after = {bid: game.perform(state, bid).state for bid in mixed}
        return max(
            sum(chance * best(game.perform(after[bid], answer).state) for bid, chance in mixed.items())
            for answer in actions
            if answer.seat == 1
        )

    return best(game.setup(setup)) - 0.5


# --- OpenSpiel ------------------------------------------------------------------------------------------------


def against_open_spiel(games: int, playouts: int) -> float:
    """Our share of the wins. OpenSpiel's search knows turns only, so it thinks first and we do not see its bid; it
    believes that we do."""
    return sum(_won(number, playouts) for number in range(games)) / games


def _won(number: int, playouts: int) -> float:
    """1 if we win this game, ½ if it is a draw."""
    import pyspiel

    rules = f"goofspiel(players=2,num_cards={CARDS},points_order=random,returns_type=win_loss)"
    turns = pyspiel.convert_to_turn_based(pyspiel.load_game(rules))
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(turns, evaluator, 2.0, playouts, 1000, False, number, False)
    game, setup = small_gops(CARDS)
    judgement, luck, past = Judgement(game), Random(number), list[Any]()
    theirs, ours = turns.new_initial_state(), game.setup(setup)
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            prize = luck.choice(theirs.chance_outcomes())[0]
            theirs.apply_action(prize)
            done = [_named(game, ours, f"diamonds-{prize + 1}")]
        else:
            bid = bot.step(theirs)
            knowledge = knowledge_of(game, setup, ours, past, 1)
            answer = decide(game, judgement, knowledge, Skill(playouts, boldness=1.0), f"{number}/{len(past)}")
            theirs.apply_action(bid)
            theirs.apply_action(int(answer.card.partition("-")[2]) - 1)
            done = [_named(game, ours, f"clubs-{bid + 1}"), answer]
        for action in done:
            step = game.perform(ours, action)
            ours = step.state
            past.append((action, step.revealed))
    return float(theirs.returns()[1] + 1) / 2


def _named(game: Game[Any, Any], state: Any, card: str) -> Any:
    return next(action for action in game.legal(state) if action.card == card)
