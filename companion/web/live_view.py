"""What a live table publishes: a tile and the table as spectators see it, drawn from a snapshot and from nothing else.

It is drawn here, where the game is installed, in every language: a hall needs no games, and shows also those of others.
"""

from collections.abc import Iterator
from typing import get_args

from companion.drawing.event_lines import told_lines
from companion.drawing.result_sheet import outcome
from companion.drawing.shows import last_highlight
from companion.drawing.table_frame import awaited, headline
from companion.gamekit.discovery import title
from companion.gamekit.ending import leaders
from companion.gamekit.game import Seat
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Snapshot
from companion.language.screen_language import LANGUAGES, speaking
from companion.language.wording import plain
from companion.messages.live_tables import Glance, PublicRuling, SeatLamp, TablePhase, packed_view
from companion.stations import pad
from companion.web.phone_view import PhoneView, view

WALL_CELLS, PHONE_CELLS = 160, 40
LAMPS_SHOWN: tuple[SeatLamp, ...] = get_args(SeatLamp)
SENTENCE = 300
"""Letters of a sentence on a tile."""


def spectator(snapshot: Snapshot) -> Sight:
    """Raises UsageError and GameError if the game is not installed here, and ValidationError if it is another one."""
    return Sight(snapshot, find_face(snapshot.game), watching=True)


def glance(sight: Sight) -> Glance:
    snapshot = sight.snapshot
    over = sight.over
    totals = tuple(score.total for score in sorted(snapshot.scores, key=lambda score: score.seat))
    results = [*(result.totals for result in snapshot.match), *([totals] if over and totals else [])]
    return Glance(
        game=snapshot.game,
        title=title(snapshot.game),
        players=sight.names,
        phase=_phase(snapshot),
        turn=tuple(sorted(awaited(sight))),
        headline={code: plain(_headline(sight), SENTENCE) for code in _languages()},
        scores=totals if over else (),
        sums=leaders(results, snapshot.lowest_wins)[0] if snapshot.match else (),
        winners=snapshot.winners,
        lamps=tuple(_lamp(sight, seat) for seat in range(len(snapshot.players))),
        thought=tuple(round(seconds, 1) for seconds in snapshot.thought),
        since=None if snapshot.paused or over else snapshot.since,
        ruling=_ruling(sight),
        entry=snapshot.entry,
    )


def views(sight: Sight) -> bytes:
    """Language → width → what a spectator's phone, or a wall, would show; compressed."""
    return packed_view(
        {code: {"wide": _drawn(sight, WALL_CELLS), "narrow": _drawn(sight, PHONE_CELLS)} for code in _languages()}
    )


def _drawn(sight: Sight, cells: int) -> PhoneView:
    return view(sight, cells, True)


def _languages() -> Iterator[str]:
    """Each language, spoken while the loop is at it."""
    for code in LANGUAGES:
        with speaking(code):
            yield code


def _phase(snapshot: Snapshot) -> TablePhase:
    if snapshot.awaiting is None:
        return "over"
    if snapshot.paused:
        return "paused"
    if snapshot.question:
        return "question"
    return "preparing" if snapshot.preparation else "playing"


def _lamp(sight: Sight, seat: Seat) -> SeatLamp:
    """As it shines; where the table has no lamps, as it would for turns and questions."""
    question = sight.snapshot.question
    if lights := sight.snapshot.lights:
        shown = lights.get(pad(seat), "")
        return next((lamp for lamp in LAMPS_SHOWN if lamp == shown), "")
    if question:
        return "question" if seat in question.missing else ""
    return "turn" if seat in awaited(sight) else ""


def _headline(sight: Sight) -> str:
    return (outcome(sight) if sight.over else headline(sight)).sentence


def _ruling(sight: Sight) -> PublicRuling | None:
    """Of a reveal the last line: it says what came of it."""
    highlight = last_highlight(sight)
    if highlight is None:
        return None
    if not highlight.lines:
        won = {code: plain(outcome(sight).sentence, SENTENCE) for code in _languages()}
        return PublicRuling(-sight.snapshot.begun - 1, won)
    last = highlight.lines[-1:]
    said = {code: plain(told_lines(sight, last)[0].sentence, SENTENCE) for code in _languages()}
    return PublicRuling(last[0].number, said, plain(last[0].rule or ""))
