"""Values by seat: one for each player, in the order of the seats. What most rules do with them."""

from collections.abc import Sequence
from typing import Any, Generic, Self, TypeVar

from companion.gamekit.game import Refusal, Seat

T = TypeVar("T")


def with_item(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The same values, with another one at this seat."""
    return values[:seat] + (value,) + values[seat + 1 :]


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


class Sealed(tuple[T | None, ...], Generic[T]):
    """What all players choose in secret at the same time: a choice for each seat, None until it is made.

    As a field of a state it is secret: all see who has chosen, and players see their own choice.
    """

    __slots__ = ()

    @classmethod
    def for_all(cls, players: int) -> Self:
        """No player has chosen yet."""
        return cls((None,) * players)

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Who has not chosen yet."""
        return tuple([seat for seat, choice in enumerate(self) if choice is None])

    @property
    def made(self) -> tuple[Seat, ...]:
        """Who has chosen."""
        return tuple([seat for seat, choice in enumerate(self) if choice is not None])

    @property
    def are_all_made(self) -> bool:
        return None not in self

    def with_choice(self, seat: Seat, choice: T) -> Self:
        """The same, after this player has chosen, or has chosen anew."""
        return type(self)(self[:seat] + (choice,) + self[seat + 1 :])

    @property
    def opened(self) -> tuple[T, ...]:
        """All choices, seat by seat, once they are all made."""
        return tuple([choice for choice in self if choice is not None])
