"""The parts of a game that the referee's side loads when they are first needed; what is left out is made by the kit."""

from companion.gamekit.defaults.enrolment import plain_plan
from companion.gamekit.defaults.players import AnyPlayers
from companion.gamekit.discovery import find, manifest, part
from companion.gamekit.enrolment import EnrolmentPlan
from companion.gamekit.game import Seat
from companion.gamekit.simulated import Players
from companion.stations import ReaderKit


def seat_players(name: str, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> Players:
    """Simulated players of a game in these seats. Raises UsageError, GameError."""
    where = manifest(name).players
    players: Players = part(name, where)(seed, seats, kit) if where else AnyPlayers(seed, seats, kit)
    return players


def enrolment_plan(name: str) -> EnrolmentPlan:
    """How an owner goes through a box of this game. Raises UsageError, GameError."""
    where = manifest(name).enrolment
    plan: EnrolmentPlan = part(name, where) if where else plain_plan(find(name))
    return plan
