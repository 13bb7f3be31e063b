"""Half an action that hands have begun to say: everybody sees it, nothing has changed yet."""

from typing import Any

import msgspec

from companion.gamekit import Seat
from companion.gamekit.screen import Action, Sight
from companion.games.darwinci.display import Cell, run
from companion.games.darwinci.view import Built, HalfBid, Stones


def half_bid(sight: Sight) -> HalfBid | None:
    draft = _draft(sight, "bid")
    return None if draft is None else msgspec.convert(draft, HalfBid)


def half_built(sight: Sight) -> Built | None:
    """The tile that would be built, and where."""
    draft = _draft(sight, "build")
    return None if draft is None else Built(draft["tile"], draft["x"], draft["y"], draft["turn"])


def half_scored(sight: Sight) -> tuple[Cell, ...]:
    """The places of the line that would be scored."""
    draft = _draft(sight, "jewels")
    return () if draft is None else line_of(sight, draft)


def line_of(sight: Sight, action: Action) -> tuple[Cell, ...]:
    """D15 The places of a jewellery line: the whole run, or the part that is named."""
    built = sight.table.built[action["seat"]]
    row = action["line"] == "row"
    cells = [(tile.x, tile.y) for tile in run(built, "row" if row else "column", action["x"], action["y"])]
    first, last = action.get("from"), action.get("to")
    if first is not None and last is not None:
        cells = [cell for cell in cells if first <= cell[0 if row else 1] <= last]
    return tuple(cells)


def laid(stones: tuple[Stones, ...], on: Seat, players: int) -> list[int]:
    """How many stones of each colour half a bid lays on this tile."""
    counts = [0] * players
    for part in stones:
        if part.on == on:
            counts[part.colour] += part.count
    return counts


def _draft(sight: Sight, do: str) -> Any:
    """As it came over the line, unless it is another kind of action."""
    draft = sight.snapshot.draft
    if not isinstance(draft, dict):
        draft = msgspec.to_builtins(draft)
    return draft if isinstance(draft, dict) and draft.get("do") == do else None
