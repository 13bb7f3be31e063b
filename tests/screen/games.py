"""Positions of any game, played at random, and how a screen gets to see them."""

import random
from typing import Any

from companion.gamekit import discovery
from companion.gamekit.game import Refusal
from companion.gamekit.game_start import Header, begin
from companion.gamekit.snapshot import Snapshot
from companion.home.box_files import find_box
from tests.screen.table import snapshot

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")


def positions(name: str, seed: int, *, turns: int = 150, **options: Any) -> list[Any]:
    """The states of a game, from its beginning."""
    game, chance = discovery.find(name), random.Random(seed)
    header = Header(name, NAMES[: chance.choice(game.players)], 0, options)
    states = [begin(header, find_box(game).box)[1]]
    for _turn in range(turns):
        legal = list(game.legal(states[-1]))
        if not legal:
            break
        step = game.apply(states[-1], chance.choice(legal))
        assert not isinstance(step, Refusal)
        states.append(step.state)
    return states


def seen(name: str, state: Any, **changed: Any) -> Snapshot:
    """As the referee shows it to persons."""
    game = discovery.find(name)
    offered = tuple(game.offered(state))
    return snapshot(
        NAMES[: _players(name, state)],
        **{
            "game": name,
            "box": find_box(game).box,
            "table": game.view(state),
            "awaiting": game.awaiting(state),
            "offered": offered,
            "secret": tuple({action.__struct_config__.tag for action in offered if game.conceals(action) is not None}),
            "scores": game.scores(state) if game.awaiting(state) is None else (),
            "winners": game.winners(state) if game.awaiting(state) is None else (),
            "history": (),
            "newest": None,
        }
        | changed,
    )


def _players(name: str, state: Any) -> int:
    game = discovery.find(name)
    return len(getattr(game.table(state), game.per_player[0]))
