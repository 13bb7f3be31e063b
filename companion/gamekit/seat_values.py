"""Values by seat: one for each player, in the order of the seats. What most rules do with them."""

from collections.abc import Sequence
from typing import Any, TypeVar

from companion.gamekit.game import Refusal, Seat

T = TypeVar("T")


def with_item(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The same values, with another one at this seat."""
    changed = [*values]
    changed[seat] = value
    return tuple(changed)


def highest(values: Sequence[Any]) -> tuple[Seat, ...]:
    """The seats with the highest value: one, or all who are tied."""
    most = max(values)
    return tuple([seat for seat, value in enumerate(values) if value == most])


def clockwise(start: Seat, players: int) -> tuple[Seat, ...]:
    """All seats, from this one on."""
    return tuple([(start + step) % players for step in range(players)])


def no_such_seat(rule: str | None, seat: Seat, players: int) -> Refusal:
    """For an action that names a seat at which no player sits."""
    return Refusal(rule, "no such seat", {"number": seat, "last": players - 1})


# --- What all players choose in secret at the same time: a choice for each seat, None until it is made (`Sealed`) ---


def missing_seats(choices: Sequence[Any]) -> tuple[Seat, ...]:
    """Who has not chosen yet."""
    return tuple([seat for seat, choice in enumerate(choices) if choice is None])


def chosen_seats(choices: Sequence[Any]) -> tuple[Seat, ...]:
    """Who has chosen."""
    return tuple([seat for seat, choice in enumerate(choices) if choice is not None])
