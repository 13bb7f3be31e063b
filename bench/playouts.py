"""Playouts a second of a search in each game, beside random games of python-chess.

Rules, judgements and the search itself share this time: it is what the strength of a bot is made of.
"""

import random
import time
from functools import partial
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, of_others, ratio
from companion.gamekit import discovery
from companion.gamekit.game import Setup
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import CHANCE, SeatKnowledge, Skill, considered, knowledge_of

ROUNDS = 5
PLAYOUTS = 60
"""A decision."""
POSITIONS = 24
EVERY = 13
"""So many decisions lie between two positions."""
CHESS_GAMES = 15
BOUNDS = {"lascaux": 60, "sioux": 115, "darwinci": 15, "carnuta": 21}
"""About three quarters of what was measured: docs/performance.md."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    return [_figure(name, bound, effort) for name, bound in BOUNDS.items()]


def _figure(name: str, bound: float, effort: Effort) -> Figure:
    rates = medians(
        effort.of(ROUNDS),
        partial(playouts, name, positions(name, effort.of(POSITIONS)), effort.of(PLAYOUTS)),
        of_others("chess", partial(chess_games, effort.of(CHESS_GAMES))),
    )
    detail = f"{median(rates, 0):,.0f} against {median(rates, 1):,.0f}: 4 players; with rules, judgement and search"
    title = f"{name.title()} playouts a second ÷ random games of python-chess"
    return Figure(title, ratio(rates, 0, 1), bound, True, detail)


def positions(name: str, count: int) -> list[SeatKnowledge]:
    """What players know when they have to decide, in games that go on by first sight: the same in every run."""
    game: Any = discovery.find(name)
    judgement, luck = judgement_of(name), random.Random(3)
    agreed = Setup(4, 0, game.options(), game.parse_box(game.standin(), "the stand-in"))
    found: list[SeatKnowledge] = []
    while len(found) < count:
        state, decisions = game.setup(agreed), 0
        past: list[tuple[Any, Any]] = []
        while (seat := judgement.turn(state)) is not None:
            decisions += seat != CHANCE
            if seat != CHANCE and decisions % EVERY == 0 and len(judgement.candidates(state, seat)) > 1:
                found.append(knowledge_of(game, agreed, state, past, seat))
            action = judgement.draw(state, luck) if seat == CHANCE else judgement.guess(state, seat, luck)
            step = game.apply(state, action)
            past.append((action, step.revealed))
            state = step.state
    return found[:count]


def playouts(name: str, known: list[SeatKnowledge], wanted: int) -> float:
    game, judgement = discovery.find(name), judgement_of(name)
    done, began = 0, time.process_time()
    for number, knowledge in enumerate(known):
        _, learned = considered(game, judgement, knowledge, Skill(wanted), str(number))
        done += sum(learned.tried.values())
    return done / (time.process_time() - began)


def chess_games(games: int) -> float:
    import chess

    draw = random.Random(1).random
    began = time.process_time()
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(draw() * len(moves))])
    return games / (time.process_time() - began)
