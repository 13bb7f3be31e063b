"""Ids of signals and intentions that were seen before: what is sent again counts only once."""

from array import array
from bisect import bisect_left

SHELVES = 256
"""Sorted arrays, so that adding an id moves few others."""


class SeenIds:
    """All ids of an evening, in nine bytes each. Only Python's hash of an id is kept: 64 bits, made with a secret key.
    Among a million ids two share one with a probability of 1 in 37 million, and no client can make two that do."""

    def __init__(self) -> None:
        self._hashes = [array("q") for _ in range(SHELVES)]

    def __contains__(self, id_: str) -> bool:
        shelf, mark, place = self._look(id_)
        return place < len(shelf) and shelf[place] == mark

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeenIds) and self._hashes == other._hashes

    __hash__ = None  # type: ignore[assignment]  # as of a set

    def __len__(self) -> int:
        return sum(map(len, self._hashes))

    def add(self, id_: str) -> None:
        shelf, mark, place = self._look(id_)
        if place == len(shelf) or shelf[place] != mark:
            shelf.insert(place, mark)

    def _look(self, id_: str) -> tuple["array[int]", int, int]:
        mark = hash(id_)
        shelf = self._hashes[mark % SHELVES]
        return shelf, mark, bisect_left(shelf, mark)


KEPT = 1000
"""How many ids are remembered. A screen repeats only intentions that were not answered."""


class NewestIds:
    """The newest ids, of what is in no journal. Older ones are forgotten, so that refusals cannot fill the memory."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def __contains__(self, id_: str) -> bool:
        return id_ in self._ids

    def add(self, id_: str) -> None:
        self._ids[id_] = None
        if len(self._ids) > KEPT:
            del self._ids[next(iter(self._ids))]
