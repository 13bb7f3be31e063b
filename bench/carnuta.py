"""Player decisions per second of Carnuta, beside the Uno of RLCard, with uniformly random players."""

import random
import time
from functools import partial
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, of_others, ratio
from companion.gamekit.game import Setup
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.state import Deal, Start

ROUNDS = 9
SECONDS = 0.4


def figures(effort: Effort = WHOLE) -> list[Figure]:
    seconds = SECONDS * effort.part
    results = medians(effort.of(ROUNDS), partial(carnuta, seconds), of_others("rlcard", partial(rlcard_uno, seconds)))
    ours, uno = (median(results, which) for which in range(2))
    detail = f"{ours:,.0f} against {uno:,.0f}: 4 players, every legal action alike; chance included on both sides"
    return [Figure("Carnuta decisions a second ÷ RLCard uno", ratio(results, 0, 1), 2, True, detail)]


def carnuta(seconds: float) -> float:
    """Random play with all checks and rulings. Cards come from shuffled decks, as they do at a table."""
    game: Any = GAME  # what is legal is not refused
    legal, apply = game.legal, game.apply
    box = GAME.parse_box(GAME.standin(), "the stand-in")
    agreed = Setup(4, 0, GAME.options(), box)
    chance = random.Random(1)
    draw = chance.random
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        decks, state = _shuffled(box, chance), game.setup(agreed)
        while True:
            if state.phase == "deal":
                deck = decks[state.due]
                if not deck:
                    deck += state.decks.of(state.due)
                    chance.shuffle(deck)
                state = apply(state, Deal(state.due, deck.pop())).state
                continue
            if state.phase == "start":
                state = apply(state, Start(state.starting, decks["sun"].pop())).state
                continue
            actions = legal(state)
            if not actions:
                break
            state = apply(state, actions[int(draw() * len(actions))]).state
            decisions += 1
    return decisions / (time.process_time() - began)


def _shuffled(box: Any, chance: random.Random) -> dict[str, list[str]]:
    decks = {face: [card.id for card in box.cards if card.deck == face] for face in ("sun", "moon")}
    for deck in decks.values():
        chance.shuffle(deck)
    return decks


def rlcard_uno(seconds: float) -> float:
    """As RLCard runs its games: `env.step` with an action out of `legal_actions`, states included."""
    import rlcard

    env = rlcard.make("uno", config={"game_num_players": 4, "seed": 1})
    draw = random.Random(1).random
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        state, _ = env.reset()
        while not env.is_over():
            actions = list(state["legal_actions"])
            state, _ = env.step(actions[int(draw() * len(actions))])
            decisions += 1
    return decisions / (time.process_time() - began)
