"""What was heard a moment ago, and is in no journal: what is sent again counts once all the same."""

KEPT = 1000
"""So many ids are known. A screen sends only those intentions again that it has no answer to."""


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
