"""Darwinci: decisions per second and the time to find the legal places of a tile, beside python-chess."""

import random
import time
from typing import Any

import chess

from bench.figures import Figure, median, medians, ratio
from bench.lascaux import python_chess
from companion.games.darwinci.game import GAME
from companion.games.darwinci.state import Options
from companion.games.game import Setup

ROUNDS = 9
SECONDS = 0.4
POSITIONS = 300


def figures() -> list[Figure]:
    box = GAME.parse_box(GAME.standin(), "the stand-in")
    rates = medians(ROUNDS, lambda: darwinci(box), python_chess)
    boards, displays = chess_positions(), building_states(box)
    times = medians(ROUNDS, lambda: legal_places(displays), lambda: legal_moves(boards))
    return [
        Figure(
            "Darwinci decisions a second ÷ python-chess",
            ratio(rates, 0, 1),
            2,
            True,
            f"{median(rates, 0):,.0f} against {median(rates, 1):,.0f}: 4 players, every legal action alike",
        ),
        Figure(
            "Darwinci legal places for a tile ÷ python-chess legal moves",
            ratio(times, 0, 1),
            1,
            False,
            f"{median(times, 0):.1f} µs against {median(times, 1):.1f} µs: every place in every rotation, as actions",
        ),
    ]


def darwinci(box: Any) -> float:
    """Random play with all checks and rulings: every legal action is as likely as any other."""
    legal, apply = GAME.legal, GAME.apply
    agreed = Setup(4, 0, Options(), box)
    chance = random.Random(1)
    draw = chance.random
    decisions, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        state = GAME.setup(agreed)
        while True:
            actions = legal(state)
            if not actions:
                break
            state = apply(state, actions[int(draw() * len(actions))]).state
            decisions += 1
    return decisions / (time.perf_counter() - began)


def building_states(box: Any) -> list[Any]:
    """States in which somebody builds exactly one tile, from random games."""
    chance = random.Random(2)
    found: list[Any] = []
    while len(found) < POSITIONS:
        state = GAME.setup(Setup(4, 0, Options(), box))
        while actions := GAME.legal(state):
            if state.phase == "build" and len(state.won[state.turn]) == 1:
                found.append(state)
            state = GAME.apply(state, chance.choice(actions)).state  # type: ignore[union-attr]
    return found[:POSITIONS]


def legal_places(states: list[Any]) -> float:
    """Microseconds for one state: all places and rotations, as a list of actions."""
    began = time.perf_counter()
    for state in states:
        assert list(GAME.legal(state))
    return (time.perf_counter() - began) / len(states) * 1e6


def chess_positions() -> list[chess.Board]:
    chance = random.Random(2)
    found: list[chess.Board] = []
    while len(found) < POSITIONS:
        board = chess.Board()
        while not board.is_game_over():
            found.append(board.copy(stack=False))
            board.push(chance.choice(list(board.legal_moves)))
    return found[:POSITIONS]


def legal_moves(boards: list[chess.Board]) -> float:
    """Microseconds for one position."""
    began = time.perf_counter()
    for board in boards:
        assert list(board.legal_moves)
    return (time.perf_counter() - began) / len(boards) * 1e6
