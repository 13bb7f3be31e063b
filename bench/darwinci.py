"""Darwinci: decisions per second and the time to find the legal places of a tile, beside python-chess."""

import random
import time
from functools import partial
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, of_others, ratio
from bench.lascaux import CHESS_GAMES, python_chess
from companion.gamekit.game import Setup
from companion.games.darwinci.options import Options
from companion.games.darwinci.rules import GAME

ROUNDS = 9
SECONDS = 0.4
POSITIONS = 300


def figures(effort: Effort = WHOLE) -> list[Figure]:
    rounds, positions = effort.of(ROUNDS), effort.of(POSITIONS)
    box = GAME.parse_box(GAME.standin(), "the stand-in")
    rates = medians(
        rounds,
        partial(darwinci, box, SECONDS * effort.part),
        of_others("chess", partial(python_chess, effort.of(CHESS_GAMES))),
    )
    times = medians(
        rounds,
        partial(legal_places, building_states(box, positions)),
        of_others("chess", LegalMoves(positions)),
    )
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


def darwinci(box: Any, seconds: float) -> float:
    """Random play with all checks and rulings: every legal action is as likely as any other."""
    game: Any = GAME  # what is legal is not refused
    legal, apply = game.legal, game.apply
    agreed = Setup(4, 0, Options(), box)
    chance = random.Random(1)
    draw = chance.random
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        state = GAME.setup(agreed)
        while True:
            actions = legal(state)
            if not actions:
                break
            state = apply(state, actions[int(draw() * len(actions))]).state
            decisions += 1
    return decisions / (time.process_time() - began)


def building_states(box: Any, positions: int) -> list[Any]:
    """States in which a player builds exactly one tile, from random games."""
    chance = random.Random(2)
    found: list[Any] = []
    apply: Any = GAME.apply  # what is legal is not refused
    while len(found) < positions:
        state: Any = GAME.setup(Setup(4, 0, Options(), box))
        while actions := GAME.legal(state):
            if state.phase == "build" and len(state.won[state.turn]) == 1:
                found.append(state)
            state = apply(state, chance.choice(actions)).state
    return found[:positions]


def legal_places(states: list[Any]) -> float:
    """Microseconds for one state: all places and rotations, as a list of actions."""
    began = time.process_time()
    for state in states:
        assert list(GAME.legal(state))
    return (time.process_time() - began) / len(states) * 1e6


class LegalMoves:
    """Microseconds for one position of random chess games: all legal moves, as a list."""

    def __init__(self, positions: int) -> None:
        self._positions = positions
        self._boards: list[Any] = []

    def __call__(self) -> float:
        self._boards = self._boards or _chess_positions(self._positions)
        began = time.process_time()
        for board in self._boards:
            assert list(board.legal_moves)
        return (time.process_time() - began) / len(self._boards) * 1e6


def _chess_positions(positions: int) -> list[Any]:
    import chess

    chance = random.Random(2)
    found: list[Any] = []
    while len(found) < positions:
        board = chess.Board()
        while not board.is_game_over():
            found.append(board.copy(stack=False))
            board.push(chance.choice(list(board.legal_moves)))
    return found[:positions]
