"""Player decisions per second of the rule engine, beside other people's engines, with uniformly random players."""

import random
import time

import chess
import pyspiel

from bench.figures import Figure, median, medians, ratio
from companion import games
from companion.games.game import Setup
from companion.games.lascaux.rules import Draw

ROUNDS = 9
LASCAUX_GAMES = 1_000
CHESS_GAMES = 15
HEARTS_GAMES = 2_000
"""So many games take about half a second on each side, and they are the same ones in every run."""


def figures() -> list[Figure]:
    results = medians(ROUNDS, lascaux, python_chess, open_spiel_hearts)
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


def lascaux() -> float:
    """Random play with all checks and rulings. Cards are drawn with the same pick as everything else on both sides."""
    game = games.find("lascaux")
    legal, apply = game.legal, game.apply
    box = game.parse_box(game.standin(), "the stand-in")
    agreed = Setup(4, 0, game.options(), box)
    cards = [Draw(card.id) for card in box.cards]
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(LASCAUX_GAMES):
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


def python_chess() -> float:
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(draw() * len(moves))])
            decisions += 1
    return decisions / (time.process_time() - began)


def open_spiel_hearts() -> float:
    game = pyspiel.load_game("hearts")
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    for _ in range(HEARTS_GAMES):
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
