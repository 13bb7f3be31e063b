"""L21 Several games of one evening, added up: what follows a game that is over."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.errors import CompanionError
from companion.gamekit.ending import leaders
from companion.gamekit.game import Ruling, Seat
from companion.gamekit.game_start import begin
from companion.gamekit.snapshot import Proposal
from companion.session.evening import Evening


def goes_on(evening: Evening) -> Ruling | None:
    """Why neither another game nor the end of the match can follow now; None if both can."""
    if not evening.played_game.finished:
        return Ruling(None, "the game is not over")
    return Ruling(None, "the match has ended") if evening.played_game.ended else None


def following(evening: Evening) -> Proposal | None:
    """What the game proposes for the next one; None if none can follow."""
    if goes_on(evening):
        return None
    first, changed = evening.game.rematch(evening.setup)
    return Proposal(first, msgspec.to_builtins(evening.setup.options) | changed)


def next_game(
    evening: Evening, seats: Sequence[Seat] = (), first: Seat | None = None, options: Mapping[str, Any] | None = None
) -> bytes | Ruling:
    """The body of one more game with the same players, or why it cannot begin. The game proposes who starts and which
    options change. `seats`: for each seat, the seat its player had before. `first` and `options`: what players want
    instead of the proposal."""
    proposed, changed = evening.game.rematch(evening.setup)
    order = list(seats) or list(range(len(evening.header.players)))
    players = tuple(evening.header.players[seat] for seat in order)
    levels = evening.header.levels or {}
    header = replace(
        evening.header,
        players=players,
        first=order.index(proposed) if first is None else first,
        options=evening.header.options | changed | dict(options or {}),
        simulated=tuple(seat for seat, was in enumerate(order) if was in evening.header.simulated),
        levels={str(seat): levels[str(was)] for seat, was in enumerate(order) if str(was) in levels} or UNSET,
        people=tuple(evening.played_game.people[was] for was in order),
    )
    try:
        begin(header, evening.setup.box)  # a game that cannot start is not written down
    except CompanionError as error:
        return Ruling(None, "cannot begin", {"problem": str(error)})
    return msgspec.json.encode(header)


def are_seats(evening: Evening, seats: Sequence[Seat]) -> bool:
    """Whether every player has a seat, and every seat a player. Empty: all stay where they are."""
    return not seats or sorted(seats) == list(range(len(evening.header.players)))


def won(evening: Evening) -> Ruling:
    """Which player has the best total of all games together."""
    totals = [*(result.totals for result in evening.results), evening.played_game.result.totals]
    sums, best = leaders(totals, evening.game.lowest_wins)
    if len(best) == 1:
        return Ruling(None, "match won", {"seat": best[0], "points": sums[best[0]]})
    return Ruling(None, "match shared", {"seats": best, "points": sums[best[0]]})
