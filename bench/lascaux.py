"""Player decisions per second of the rule engine, beside other people's engines, with uniformly random players."""

import random
import time
from functools import partial
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, of_others, ratio
from companion.gamekit import discovery
from companion.gamekit.game import Setup
from companion.games.lascaux.rules.engine import Draw

ROUNDS = 9
LASCAUX_GAMES = 1_000
CHESS_GAMES = 15
HEARTS_GAMES = 2_000
"""Enough for about half a second on each side; the games are the same in every run."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    results = medians(
        effort.of(ROUNDS),
        partial(lascaux, effort.of(LASCAUX_GAMES)),
        of_others("chess", partial(python_chess, effort.of(CHESS_GAMES))),
        of_others("pyspiel", partial(open_spiel_hearts, effort.of(HEARTS_GAMES))),
    )
    ours, chess_rate, hearts_rate = (median(results, which) for which in range(3))
    return [
        Figure(
            "Lascaux decisions a second ÷ python-chess",
            ratio(results, 0, 1),
            20,
            True,
            f"{ours:,.0f} against {chess_rate:,.0f}: 4 players, every legal action alike; full end-of-game test",
        ),
        Figure(
            "Lascaux decisions a second ÷ OpenSpiel hearts (C++)",
            ratio(results, 0, 2),
            2,
            True,
            f"{ours:,.0f} against {hearts_rate:,.0f}: driven from Python, chance included on both sides",
        ),
    ]


def lascaux(games: int) -> float:
    """Random play with all checks and rulings. Cards are drawn with the same pick as everything else on both sides."""
    game: Any = discovery.find("lascaux")
    legal, apply = game.legal, game.apply
    box = game.parse_box(game.standin(), "the stand-in")
    agreed = Setup(4, 0, game.options(), box)
    cards = [Draw(card.id) for card in box.cards]
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(games):
        deck = cards.copy()
        state = game.setup(agreed)
        while True:
            if state.phase == "draw":
                state = apply(state, deck.pop(int(draw() * len(deck)))).state
                continue
            actions = legal(state)
            if not actions:
                break
            state = apply(state, actions[int(draw() * len(actions))]).state
            decisions += 1
    return decisions / (time.process_time() - began)


def python_chess(games: int) -> float:
    import chess

    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(draw() * len(moves))])
            decisions += 1
    return decisions / (time.process_time() - began)


def open_spiel_hearts(games: int) -> float:
    import pyspiel

    game = pyspiel.load_game("hearts")
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                decisions += 1
    return decisions / (time.process_time() - began)
