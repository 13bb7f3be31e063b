"""Long lists of possible actions, made one by one when somebody asks for one of them."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, combinations_with_replacement, product
from math import prod
from typing import Any, overload

from companion.gamekit import Seat
from companion.games.darwinci.rules.state import Action, Bid
from companion.games.darwinci.view import Stones


class Combinations(Sequence[Action]):
    """Every combination of the parts, the last part changing fastest. Equal to a tuple of the same actions."""

    def __init__(self, make: Callable[..., Action], *parts: Sequence[Any]) -> None:
        self._make, self._parts = make, parts
        self._length = prod([len(part) for part in parts])

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(self._length)))
        rest = index if index >= 0 else index + self._length
        if not 0 <= rest < self._length:
            raise IndexError(index)
        chosen: list[Any] = []
        for part in reversed(self._parts):
            rest, number = divmod(rest, len(part))
            chosen.append(part[number])
        return self._make(*reversed(chosen))

    def __iter__(self) -> Iterator[Action]:
        return (self._make(*chosen) for chosen in product(*self._parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class Chain(Sequence[Action]):
    """One list after another."""

    def __init__(self, lists: Sequence[Sequence[Action]]) -> None:
        self._lists = lists
        self._ends = tuple(accumulate(len(each) for each in lists))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(self))))
        rest = index if index >= 0 else index + len(self)
        if not 0 <= rest < len(self):
            raise IndexError(index)
        which = bisect_right(self._ends, rest)
        return self._lists[which][rest - self._ends[which]]

    def __iter__(self) -> Iterator[Action]:
        return (action for actions in self._lists for action in actions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


# --- Bids -----------------------------------------------------------------------------------------------------


@cache
def bids(seat: Seat, held: tuple[int, ...], own: range, foreign: range, total: range) -> Chain:
    """Every bid with so many own, so many foreign and so many stones in all, each in one form only.

    `held` need not be more than can be laid: few different lists are asked for then, and they are kept.
    """
    lists: list[Sequence[Action]] = []
    for counts in product(*(range(min(count, total[-1]) + 1) for count in held)):
        laid = sum(counts)
        if laid in total and counts[seat] in own and laid - counts[seat] in foreign:
            spread = [_spreads(len(held), colour, count) for colour, count in enumerate(counts) if count]
            lists.append(Combinations(lambda *parts: Bid(seat, sum(parts, ())), *spread))
    return Chain(lists)


@cache
def _spreads(players: int, colour: Seat, count: int) -> tuple[tuple[Stones, ...], ...]:
    """All ways to lay so many stones of one colour on the offered tiles."""
    return tuple(
        tuple(Stones(on, colour, tiles.count(on)) for on in dict.fromkeys(tiles))
        for tiles in combinations_with_replacement(range(players), count)
    )
