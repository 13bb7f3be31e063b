"""L21 Several games of one evening, added up: what follows a game that is over."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.gamekit.ending import leaders
from companion.gamekit.game import Ruling, Seat
from companion.gamekit.game_start import begin
from companion.session.evening import Evening
from companion.session.notes import note


def goes_on(evening: Evening) -> Ruling | None:
    """Why neither another game nor the end of the match can follow now; None if both can."""
    if not evening.played_game.finished:
        return note("the game is not over")
    return note("the match has ended") if evening.played_game.ended else None


def next_game(evening: Evening, seats: Sequence[Seat] = ()) -> bytes:
    """The body of one more game with the same people; the game decides who starts and which way round. `seats`: for
    each seat, the one that whoever sits there now had before."""
    first, changed = evening.game.rematch(evening.setup)
    order = list(seats) or list(range(len(evening.header.players)))
    players = tuple(evening.header.players[seat] for seat in order)
    options = evening.header.options | changed
    header = replace(evening.header, players=players, first=order.index(first), options=options)
    begin(header, evening.setup.box)  # raises what would otherwise be found out only after it is written down
    simulated = [seat for seat, was in enumerate(order) if was in evening.opening.get("simulated", ())]
    people = [evening.played_game.people[was] for was in order]
    new = {"players": players, "first": header.first, "options": options, "simulated": simulated, "people": people}
    if levels := evening.opening.get("levels"):
        new["levels"] = {str(seat): levels[str(was)] for seat, was in enumerate(order) if str(was) in levels}
    return msgspec.json.encode(evening.opening | new)


def are_seats(evening: Evening, seats: Sequence[Seat]) -> bool:
    """Whether everybody has a seat, and each seat somebody; nobody has to move."""
    return not seats or sorted(seats) == list(range(len(evening.header.players)))


def won(evening: Evening) -> Ruling:
    """Who has the most in all games together."""
    sums, best = leaders([*(result.totals for result in evening.results), evening.played_game.result.totals])
    if len(best) == 1:
        return note("match won", seat=best[0], points=max(sums))
    return note("match shared", seats=best, points=max(sums))
