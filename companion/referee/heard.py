"""What was heard a moment ago, and is in no journal: what is sent again still counts only once."""

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
