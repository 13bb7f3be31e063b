"""Player decisions per second of Sioux beside OpenSpiel's goofspiel (C++), with as many uniformly random players.

In both games each player secretly plays one card of their hand, and all are revealed together.
"""

import random
import time
from functools import partial
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, of_others, ratio
from companion.gamekit import discovery
from companion.gamekit.game import Setup

ROUNDS = 9
SIOUX_GAMES = 350
GOOFSPIEL_GAMES = 8_000
"""Enough for about half a second on each side; the games are the same in every run."""
PLAYERS = 4


def figures(effort: Effort = WHOLE) -> list[Figure]:
    results = medians(
        effort.of(ROUNDS),
        partial(sioux, effort.of(SIOUX_GAMES)),
        of_others("pyspiel", partial(open_spiel_goofspiel, effort.of(GOOFSPIEL_GAMES))),
    )
    ours, theirs = (median(results, which) for which in range(2))
    return [
        Figure(
            "Sioux decisions a second ÷ OpenSpiel goofspiel (C++)",
            ratio(results, 0, 1),
            0.5,
            True,
            f"{ours:,.0f} against {theirs:,.0f}: {PLAYERS} players, 11 cards each; driven from Python",
        )
    ]


def sioux(games: int) -> float:
    """Random play with all checks and rulings."""
    game: Any = discovery.find("sioux")
    legal, apply = game.legal, game.apply
    agreed = Setup(PLAYERS, 0, game.options(), game.parse_box(game.standin(), "the stand-in"))
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(games):
        state = game.setup(agreed)
        while actions := legal(state):
            state = apply(state, actions[int(draw() * len(actions))]).state
            decisions += 1
    return decisions / (time.process_time() - began)


def open_spiel_goofspiel(games: int) -> float:
    import pyspiel

    game = pyspiel.load_game(f"goofspiel(players={PLAYERS},num_cards=11)")
    draw = random.Random(1).random
    seats = range(PLAYERS)
    decisions, began = 0, time.process_time()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
                continue
            bids = []
            for seat in seats:
                actions = state.legal_actions(seat)
                bids.append(actions[int(draw() * len(actions))])
            state.apply_actions(bids)
            decisions += PLAYERS
    return decisions / (time.process_time() - began)
