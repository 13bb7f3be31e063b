"""What people set beside the table, whatever they play: who sits where, pauses, times, announcements, the tempo of
simulated hands."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual.content import Content
from textual.screen import Screen

from companion.drawing.sheet import clock
from companion.gamekit.screen.face import HUGE, Sight
from companion.gamekit.screen.panel import Panel
from companion.gamekit.screen.plan import LEAST, plan
from companion.gamekit.snapshot import Told
from companion.language.speech import _
from companion.messages.looks import SPEECH, TIMES
from companion.screen.announcing import announcements
from companion.screen.remarks import foot
from companion.screen.screens.handover import Peeking
from companion.screen.screens.more import has_hands
from companion.screen.screens.phones import show_codes
from companion.screen.screens.replaying import OpenHands
from companion.screen.screens.result import fitting
from companion.screen.screens.seats import SeatsDialog
from companion.screen.thinking import Watched, reminder
from companion.screen.widgets.bar import Slot
from companion.screen.widgets.notice import Notice

if TYPE_CHECKING:
    from companion.screen.app import CompanionApp
    from companion.screen.conversation import Conversation

TALL = 26
"""From this many rows on there is room between things."""
PLAN, LARGE_PLAN = (42, 9), (70, 15)
"""Cells and rows that a seat plan has beside the table, at most."""
ROOM_FOR_PLAN = (100, 30)
NOTICE = 3
"""Rows of a notice."""
TICK_S = 1.0
FASTER, SLOWER = 2.0, 0.5


class BesideTable(Screen[None]):
    """The part of the table's screen that is the same in every game, and belongs to none."""

    BINDINGS = [
        ("i", "peek", ""),
        ("f2", "seats", ""),
        ("f3", "times", ""),
        ("f4", "phones", ""),
        ("z", "pause", ""),
        ("v", "speech", ""),
        ("p,space", "demo_pause", ""),
        ("plus,equals_sign", "drive(2.0)", ""),
        ("minus", "drive(0.5)", ""),
        ("full_stop,right", "step", ""),
    ]
    _talk: "Conversation"
    _sight: Sight | None
    _up: bool

    def __init__(self) -> None:
        super().__init__()
        self._watched = Watched()
        self._plan_rows = 0
        """The room for the plan, when it was drawn last."""
        self._notice_rows: int | None = None
        """And what the table left for notices."""
        self._invited = False
        """The codes for phones have been shown."""

    @property
    def _companion(self) -> "CompanionApp":
        return cast("CompanionApp", self.app)

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._tick)

    # --- Drawing ---

    @property
    def is_huge(self) -> bool:
        return self.size.width >= HUGE[0] and self.size.height >= HUGE[1]

    def _panels(self, sight: Sight) -> Sequence[Content]:
        """The table; when the game is over its result, with a few rows left for the reasons below it."""
        width, height = self.size
        if sight.over:
            return fitting(sight, width, height - (15 if height >= TALL else 10) - (4 if self.is_huge else 0))
        grown = sight.face.grown(sight, width) if self.is_huge else None
        return grown or sight.face.panels(sight, width, height >= TALL)

    def _draw_beside(self, sight: Sight, used: int) -> None:
        """The plan if there is room for it, and the line at the foot. `used`: how many rows the table has."""
        self._watched.see(sight)
        rows = self.size.height - used - (16 if self.is_huge else 12)
        shown = self.query_one("#plan", Panel)
        width, height = self.size
        has_room = width >= ROOM_FOR_PLAN[0] and height >= ROOM_FOR_PLAN[1] and rows >= LEAST
        shown.display = has_room and not sight.over and len(sight.names) > 1
        self._draw_plan(sight, rows)
        self._make_room_for_notices(self.size.height - used - (12 if self.size.height >= TALL else 8))
        self._draw_foot(sight)

    def _draw_plan(self, sight: Sight, rows: int) -> None:
        self._plan_rows = rows
        shown = self.query_one("#plan", Panel)
        if shown.display:
            cells, most = LARGE_PLAN if self.is_huge else PLAN
            drawn = plan(sight, cells, min(rows, most), self._notes(sight))
            shown.show(drawn, drawn.plain.count("\n") + 1)

    def _make_room_for_notices(self, rows: int) -> None:
        """Where the table leaves fewer rows than a notice has, it lies over the table."""
        if rows != self._notice_rows:
            self._notice_rows = rows
            notice = self.query_one(Notice)
            notice.set_class(rows < NOTICE, "-over")
            notice.styles.offset = (0, min(0, rows - NOTICE))

    def _draw_foot(self, sight: Sight) -> None:
        self.query_one("#foot", Panel).show(foot(sight, self._notes(sight)))

    def _notes(self, sight: Sight) -> tuple[str, ...]:
        """How long everybody has thought, where people want to see it."""
        if self._companion.times == TIMES[0] or sight.over or not any((*sight.snapshot.thought, sight.snapshot.since)):
            return ()
        return tuple(clock(seconds) for seconds in self._watched.seconds(sight))

    def _tick(self) -> None:
        """Clocks go on while nothing happens."""
        sight, times = self._sight, self._companion.times
        if sight is None or times == TIMES[0] or sight.over or not self.is_current:
            return
        self._draw_plan(sight, self._plan_rows)
        self._draw_foot(sight)
        if times.isdecimal() and (seat := self._watched.overdue(sight, int(times))) is not None:
            minutes = int(times)
            self.query_one(Notice).complain(lambda: reminder(sight, seat, minutes), quiet=True)
            self._companion.say([reminder(sight, seat, minutes)])

    def _announce(self, before: Sight | None, sight: Sight, fresh: Sequence[Told]) -> None:
        if self._companion.speech != SPEECH[0]:
            self._companion.say(announcements(before, sight, fresh, self._companion.speech))

    def _peek_slot(self) -> Slot:
        sight = self._sight
        can = sight is not None and self._up and has_hands(sight)
        return Slot("peek", _("Hand"), "i", shown=can)

    async def action_phones(self) -> None:
        if self._talk.phones is not None and self._sight is not None:
            self._invited = True
            await show_codes(self.app, self._talk.phones, self._sight, self.query_one(Notice).complain)

    def action_peek(self) -> None:
        replay = self._sight.snapshot.replay if self._sight is not None else None
        if replay is not None and replay.open:
            OpenHands(lambda: self._sight, self._talk, self.app.push_screen).look()
        elif self._up:
            Peeking(self.app, lambda: self._sight, self._talk).begin()

    # --- Who sits where ---

    def action_seats(self) -> None:
        """On request; after a game people may change seats for the next one."""
        sight = self._sight
        if sight is not None:
            ended = sight.snapshot.ended or sight.snapshot.replay is not None
            can_swap = sight.over and bool(sight.persons) and not ended and self._up
            self.app.push_screen(SeatsDialog(sight, self._talk.next_game if can_swap else None))

    # --- Time ---

    def action_pause(self) -> None:
        sight = self._sight
        if sight is not None and self._up and not sight.over and (sight.persons or sight.is_demo):
            self._talk.pause(on=not sight.snapshot.paused)

    def action_times(self) -> None:
        """Not at all; shown; shown, with a reminder after a while."""
        self._companion.choose_times()
        self._note(times_words(self._companion.times))

    def action_speech(self) -> None:
        self._companion.choose_speech()
        self._note(speech_words(self._companion.speech))

    def _note(self, words: str) -> None:
        self.query_one(Notice).complain(lambda: words, quiet=True)
        if self._sight is not None:
            self._draw_foot(self._sight)

    # --- Simulated hands ---

    def action_demo_pause(self) -> None:
        if self._sight is not None and self._sight.is_demo:
            self.action_pause()

    def action_drive(self, factor: float) -> None:
        if self._sight is not None and self._sight.is_demo and self._up:
            self._talk.drive(self._sight.snapshot.speed * factor)

    def action_step(self) -> None:
        """The next thing that hands do; then they rest."""
        sight = self._sight
        if sight is not None and sight.is_demo and self._up:
            if not sight.snapshot.paused:
                self._talk.pause(on=True)
            else:
                self._talk.drive(sight.snapshot.speed, step=True)

    def _demo_slots(self, sight: Sight) -> list[Slot | None]:
        pause = _("Go on") if sight.snapshot.paused else _("Pause")
        return [
            Slot("demo_pause", pause, "p", "primary"),
            Slot(f"drive({SLOWER})", _("Slower"), "-"),
            Slot(f"drive({FASTER})", _("Faster"), "+"),
            Slot("step", _("Step"), "."),
        ]

    def _settings(self) -> list[Slot]:
        """For "more": what is set, each with how it is now."""
        sight = self._sight
        playing = sight is not None and not sight.over and bool(sight.persons) and sight.snapshot.replay is None
        return [
            Slot("seats", _("Seats"), "F2"),
            *([Slot("pause", _("Go on") if sight and sight.snapshot.paused else _("Pause"), "z")] if playing else []),
            Slot("times", times_words(self._companion.times, short=True), "F3"),
            Slot("speech", speech_words(self._companion.speech, short=True), "v"),
            *([Slot("phones", _("Phones"), "F4")] if self._talk.phones is not None and playing else []),
        ]


def times_words(times: str, *, short: bool = False) -> str:
    """`short`: as it fits on a button."""
    if times.isdecimal():
        words = _("Times: {minutes} min") if short else _("Times: reminder after {minutes} min")
        return words.format(minutes=times)
    return _("Times: shown") if times == "shown" else _("Times: off")


def speech_words(level: str, *, short: bool = False) -> str:
    brief = _("Speech: turns") if short else _("Speech: turns and results")
    full = _("Speech: all") if short else _("Speech: everything")
    return {"off": _("Speech: off"), "brief": brief, "full": full}.get(level, level)
