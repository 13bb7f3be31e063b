"""L21 Several games of one evening, added up: what follows a game that is over."""

import msgspec
from msgspec.structs import replace

from companion.gamekit.beginning import begin
from companion.gamekit.ending import leaders
from companion.gamekit.game import Ruling
from companion.journal.evening import Evening
from companion.referee.notes import note


def goes_on(evening: Evening) -> Ruling | None:
    """Why neither another game nor the end of the match can follow now; None if both can."""
    if not evening.sitting.finished:
        return note("the game is not over")
    return note("the match has ended") if evening.sitting.ended else None


def next_game(evening: Evening) -> bytes:
    """The body of one more game with the same people; who starts and which way round is the game's to say."""
    first, changed = evening.game.rematch(evening.setup)
    header = replace(evening.header, first=first, options=evening.header.options | changed)
    begin(header, evening.setup.box)  # raises what would otherwise be found out only after it is written down
    return msgspec.json.encode(evening.opening | {"first": header.first, "options": header.options})


def won(evening: Evening) -> Ruling:
    """Who has the most in all games together."""
    sums, best = leaders([*(result.totals for result in evening.results), evening.sitting.result.totals])
    if len(best) == 1:
        return note("match won", seat=best[0], points=max(sums))
    return note("match shared", seats=best, points=max(sums))
