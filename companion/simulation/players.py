"""What simulated players of any game have in common: they look at a snapshot and plan what their hands do next.

A second game adds one module here, named after it, with a class `Players`.
"""

from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.games.game import Seat
from companion.simulation.hands import Act
from companion.snapshot import Snapshot


class Plan(Struct, frozen=True):
    """What the hands of one player do next: think, do something on the way, do what counts, tidy up."""

    seat: Seat
    think_ms: int
    act: Act
    first: tuple[Act, ...] = ()
    then: tuple[Act, ...] = ()
    twice: bool = False
    """What counts is done twice, in one movement."""


class Players(Protocol):
    """The players of one game. They know what they see, and their own secrets."""

    memory: Any
    """What they remember; never changed in place, so that an earlier one can be put back."""

    def plan(self, snapshot: Snapshot) -> Plan | None:
        """What comes next; None when only a person can go on."""

    def mistakes(self, snapshot: Snapshot, plan: Plan) -> Sequence[Act]:
        """What hands might do wrong just before this plan. Nothing of it may change the game."""


def seat_players(game: str, seed: int, seats: frozenset[Seat], kit: Literal["one", "full"]) -> Players:
    players: Players = import_module(f"companion.simulation.{game}").Players(seed, seats, kit)
    return players


def chance(seed: int, *situation: int | str) -> Random:
    """Chance that depends on the situation alone: whoever comes back to it, after a restart too, decides the same."""
    return Random("/".join(map(str, (seed, *situation))))
