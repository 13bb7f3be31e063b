"""What was heard a moment ago, and is in no journal: what is sent again still counts only once."""

from array import array
from bisect import bisect_left

# --- The ids of all that was ever accepted in an evening, in nine bytes each.

SHELVES = 256
"""So that an id is put in its place without moving many others."""


class SeenIds:
    """Of each id only Python's hash is kept: 64 bits, made with a secret key. Two of a million ids share one with a
    probability of 1 in 37 million, and no client can make two that do."""

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
    """The newest ones; older ones are forgotten, so that nobody can fill the memory by being refused."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def __contains__(self, id_: str) -> bool:
        return id_ in self._ids

    def add(self, id_: str) -> None:
        self._ids[id_] = None
        if len(self._ids) > KEPT:
            del self._ids[next(iter(self._ids))]
