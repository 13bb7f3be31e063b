"""The table, mirrored: who must do what, what lies there, what happened, and what can be done now."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen

from companion.drawing.event_lines import last_reveal
from companion.drawing.result_sheet import clock
from companion.gamekit.screen.face import HUGE, Choice, Menu, Sight
from companion.gamekit.screen.panel import Panel
from companion.gamekit.screen.seat_plan import LEAST, plan
from companion.gamekit.screen.translated_widgets import Words
from companion.gamekit.snapshot import Told
from companion.language.screen_language import _
from companion.messages.looks import SPEECH, TIMES
from companion.screen.announcements import announcements
from companion.screen.screens.handover import Peeking
from companion.screen.screens.phone_codes import show_codes
from companion.screen.screens.replay_controls import OpenHands, places
from companion.screen.screens.result_screen import fitting
from companion.screen.screens.seat_dialogs import SeatsDialog
from companion.screen.screens.unlisted_piece_dialog import can_join
from companion.screen.table_remarks import foot
from companion.screen.thinking_clock import Watched, reminder
from companion.screen.widgets.button_bar import GAME_SLOTS, ROOMIEST, Slot, crowded, placed
from companion.screen.widgets.notice import Notice

if TYPE_CHECKING:
    from companion.screen.app import CompanionApp
    from companion.screen.conversation import Conversation
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual import events
from textual.containers import Horizontal
from textual.timer import Timer

from companion.drawing.event_lines import (
    COMPLAINTS,
    MOVES_ON,
    News,
    behind,
    played_since,
    put_back,
    reasons,
    revealed,
    told_lines,
)
from companion.drawing.remarks import answer
from companion.drawing.result_sheet import can_end, outcome
from companion.gamekit.screen.dialog import NONE_OF_THESE, Choices, Reading
from companion.gamekit.screen.face import Action, Command, Headline
from companion.gamekit.screen.press_guard import Calm
from companion.gamekit.screen.translated_widgets import language_label
from companion.screen.screens.correction_dialogs import Correcting, put_back_sheet
from companion.screen.screens.handover import Handing
from companion.screen.screens.layout_dialogs import PreparationDialog, RestartDialog
from companion.screen.screens.phone_codes import invites
from companion.screen.screens.question_dialogs import QuestionDialog, ask_to_leave
from companion.screen.screens.replay_controls import leaf
from companion.screen.screens.replay_controls import slots as replay_slots
from companion.screen.screens.result_screen import ResultDialog
from companion.screen.screens.reveal_show import FAR_BEHIND, Reveal
from companion.screen.screens.unlisted_piece_dialog import Unlisted, none_of_these
from companion.screen.screens.why_dialog import Why
from companion.screen.table_remarks import help_text, waiting
from companion.screen.widgets.button_bar import Bar, after_the_end, keys_now
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.history_list import History, Lately

if TYPE_CHECKING:
    from companion.screen.conversation import Conversation


# --- The table itself: a few panels, one under the other, filled by the game's looks.

PANELS = 4
NOTHING = Content("")


class Body(Vertical):
    def compose(self) -> ComposeResult:
        self.panels = [Panel() for _number in range(PANELS)]
        yield from self.panels

    def show(self, contents: Sequence[Content]) -> int:
        """How many rows that takes."""
        for number, panel in enumerate(self.panels):
            content = contents[number] if number < len(contents) else NOTHING
            panel.show(content, _rows(content))
        return sum(map(_rows, contents))


def _rows(content: Content) -> int:
    return content.plain.count("\n") + 1 if content.plain else 0


# --- What has no button of its own: a menu of the rest.


def more(sight: Sight | None, width: int, *, up: bool, can_undo: bool, way_out: Words | None) -> Menu:
    """All that can be done now besides what the bar shows. `up`: the referee is there."""
    slots = [
        *(_without_button(sight, width) if sight is not None and up else []),
        *([Slot("peek", _("In hand"), "i")] if sight is not None and up and has_hands(sight) else []),
        *([Slot("correct", _("Correct"), "w")] if can_undo else []),
        *([Slot("unlisted", _("New piece"), "0")] if sight is not None and up and can_join(sight) else []),
        Slot("history", _("Why"), "h"),
        *([Slot("again", _("Reveal"), "a")] if sight is not None and last_reveal(sight) else []),
        Slot("help", _("Help"), "F1"),
        *([Slot("quit", way_out(), "q")] if way_out else []),
    ]
    return Menu(_("More"), [Choice(slot.label, slot, key=slot.key) for slot in slots])


def _without_button(sight: Sight, width: int) -> list[Slot]:
    """What the game offers now that has no button of its own."""
    if sight.over or sight.snapshot.replay:
        return []
    slots, rest = placed(sight)
    last = slots[-1] if rest and not has_button(sight, width) else None
    return [last, *rest] if last else rest


def has_button(sight: Sight | None, width: int) -> bool:
    """Whether "more" is among the buttons of the evening."""
    room = places(sight) <= GAME_SLOTS or width >= ROOMIEST
    return crowded(width, places(sight)) or (room and sight is not None and has_hands(sight))


def has_hands(sight: Sight) -> bool:
    if sight.snapshot.replay:
        return sight.snapshot.replay.open
    return sight.snapshot.own and bool(sight.persons) and not sight.over


# --- What people set beside the table, whatever they play: who sits where, pauses, times, announcements, the tempo of
# simulated hands.

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
        if short:
            return _("Times: {minutes} min", minutes=times)
        return _("Times: reminder after {minutes} min", minutes=times)
    return _("Times: shown") if times == "shown" else _("Times: off")


def speech_words(level: str, *, short: bool = False) -> str:
    brief = _("Speech: turns") if short else _("Speech: turns and results")
    full = _("Speech: all") if short else _("Speech: everything")
    return {"off": _("Speech: off"), "brief": brief, "full": full}.get(level, level)


PATIENCE_S = 5.0
"""A referee that is away for longer may not come back by itself."""


class TableScreen(BesideTable):
    BINDINGS = [
        ("u", "undo", ""),
        ("w", "correct", ""),
        ("h", "history", ""),
        ("a", "again", ""),
        ("n", "next", ""),
        ("r", "result", ""),
        ("e", "end_match", ""),
        ("m", "more", ""),
        ("q", "quit", ""),
        ("f1", "help", ""),
    ]
    CSS_PATH = Path(__file__).with_name("table.tcss")
    AUTO_FOCUS = ""
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]

    def __init__(self, talk: "Conversation") -> None:
        super().__init__()
        self._talk = talk
        self._sight: Sight | None = None
        self._up = False
        self._late = False
        self._patience: Timer | None = None
        self._news = News()
        self._put_back: Told | None = None
        self._revealed: tuple[Told, ...] = ()
        self._waiting = False
        self._calm = Calm()

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        yield Body(id="body")
        with Horizontal(id="below"):
            with Vertical(id="talk"):
                yield Notice(id="notice")
                yield Lately(id="lately")
                yield History(id="history")
            yield Panel(id="plan")
        yield Panel(id="foot")
        yield Bar(self._evening_slots(), id="bar")

    # --- What the app tells ---

    def show(self, sight: Sight) -> None:
        """Draw what is new. Where the next person is asked on the same screen, a key still held down is not theirs."""
        if len(sight.persons) > 1 and self._sight and self._sight.snapshot.awaiting != sight.snapshot.awaiting:
            self._calm.begin()
        before, self._sight, self._waiting = self._sight, sight, False
        with self.app.batch_update():
            self._draw(sight)
        self._listen(before, sight)
        self._ask()

    def show_link(self, up: bool) -> None:
        """Say so while the referee is away, and after a while what can be done."""
        if up or self._up:
            self._late = False
            if self._patience is not None:
                self._patience.stop()
            self._patience = None
        if not up and self._patience is None:
            self._patience = self.set_timer(PATIENCE_S, self._be_late)
        self._up = up
        self._draw_link()
        self._draw_bar()

    def _be_late(self) -> None:
        self._late = True
        self._draw_link()

    def _draw_link(self) -> None:
        def words() -> str:
            return waiting(self._late, self._talk.way_out is not None)

        if self._sight is None:
            headline = Headline((_("waiting", "big"),), _("Waiting for the referee …"))
            self.query_one(HeadlinePanel).announce(headline, self.size.width)
        away = self._late or (self._sight is not None and not self._up)
        self.query_one(Notice).last(words if away else None)

    def redraw(self) -> None:
        """The same table, in another language."""
        with self.app.batch_update():
            if self._sight is None:
                self._draw_link()
                self._draw_bar()
            else:
                self._draw(self._sight)
            self.query_one(Notice).redraw()

    def answer(self, told: Told) -> None:
        """The referee's reply to something done here: a complaint is shown, success shows itself."""
        self._waiting = False
        if self._sight is not None and told.kind not in (*MOVES_ON, "noted"):
            self._news.heard(told)
            self._answer(self._sight, told)
            self._announce(self._sight, self._sight, [told])

    def complain(self, words: Words, *, quiet: bool = False) -> None:
        self.query_one(Notice).complain(words, quiet=quiet)

    def _answer(self, sight: Sight, told: Told) -> None:
        now = self.size.height >= TALL
        self.complain(lambda: answer(sight, told, now), quiet=told.kind not in COMPLAINTS)

    # --- Drawing ---

    def _draw(self, sight: Sight) -> None:
        headline = outcome(sight) if sight.over else sight.face.headline(sight)
        self.set_class(self.is_huge, "-huge")
        self.query_one(HeadlinePanel).announce(headline, self.size.width, self.is_huge)
        used = self.query_one(Body).show(self._panels(sight))
        self._draw_past(sight)
        self._draw_beside(sight, used)
        self._draw_bar()

    def _draw_past(self, sight: Sight) -> None:
        """While a game goes on, what happened just now; after it, where everybody's points come from."""
        lately, history = self.query_one(Lately), self.query_one("#history", History)
        lately.display, history.display = not sight.over, sight.over
        if sight.over:
            history.show(reasons(sight))
        else:
            lately.show(lambda most: told_lines(sight, sight.history[-most:]))

    def _draw_bar(self) -> None:
        self.query_one(Bar).show(self._game_slots(), self._evening_slots(), places(self._sight))

    def _game_slots(self) -> list[Slot | None]:
        sight = self._sight
        if sight is None or not self._up:
            return []
        if sight.snapshot.replay:
            return replay_slots(sight)
        if sight.over:
            return after_the_end(sight)
        if sight.is_demo:
            return self._demo_slots(sight)
        slots, rest = placed(sight)
        if rest and not has_button(sight, self.size.width):  # else there is a "more" already
            slots[-1] = Slot("more", _("More"), "m")
        return slots

    def _evening_slots(self) -> list[Slot]:
        way_out = self._talk.way_out
        return [
            Slot("undo", _("Undo"), "u", enabled=self._can_undo(), shown=self._played()),
            Slot("history", _("Why"), "h", enabled=self._sight is not None),
            Slot("help", _("Help"), "F1"),
            self._peek_slot(),
            Slot("app.language", language_label(), "l"),
            *([Slot("quit", way_out.label(), "q")] if way_out else []),
            Slot("more", _("More"), "m", shown=has_button(self._sight, self.size.width)),
        ]

    def _played(self) -> bool:
        """Whether this is a table where somebody plays, as far as is known."""
        return self._up and self._sight is not None and self._sight.snapshot.replay is None

    def _can_undo(self) -> bool:
        sight = self._sight
        return bool(self._up and sight and sight.snapshot.can_undo and sight.persons and not sight.snapshot.question)

    # --- What the snapshot asks by itself ---

    def _listen(self, before: Sight | None, sight: Sight) -> None:
        """Every line is answered: what was not accepted with a notice, an undo with the pieces to put back."""
        fresh = self._news.since(sight.history)
        self._announce(before, sight, fresh)
        self._put_back = put_back(sight, fresh) or self._put_back
        self._revealed = revealed(sight, fresh) or self._revealed
        if fresh and fresh[-1].kind in MOVES_ON:
            self.query_one(Notice).settle()
        elif fresh and fresh[-1].kind != "noted":
            self._answer(sight, fresh[-1])

    def _ask(self) -> None:
        """One dialog at a time: what is waiting comes up when the table is in sight again."""
        sight = self._sight
        if sight is None or self.app.screen is not self:
            return
        if not self._invited and invites(self._talk.phones, sight):
            self.run_worker(self.action_phones())
        elif sight.snapshot.preparation and sight.persons:
            self.app.push_screen(PreparationDialog(sight, self._talk.turn, keys_now(sight)), self._heard_there)
        elif sight.snapshot.layout and sight.persons:
            self.app.push_screen(RestartDialog(sight, self._talk.looked_over))
        elif self._put_back is not None:
            told, self._put_back = self._put_back, None
            if not played_since(sight, told):
                self.app.push_screen(put_back_sheet(sight, told), self._heard_there)
        elif sight.snapshot.question is not None and sight.persons:
            self.app.push_screen(QuestionDialog(sight, self._talk.agree, self._talk.decline))
        elif self._revealed and not sight.snapshot.replay:
            lines, self._revealed = self._revealed, ()
            if behind(sight, lines[-1]) < FAR_BEHIND:
                self.app.push_screen(Reveal(sight, lines, waits=sight.snapshot.kit == "none"))

    def _heard_there(self, key: str | None) -> None:
        if key:
            self.app.simulate_key(key)

    # --- Handlers ---

    def on_screen_resume(self) -> None:
        self._ask()

    def on_resize(self) -> None:
        if self._sight is not None:
            self._draw(self._sight)
        else:
            self.show_link(self._up)

    def on_key(self, event: events.Key) -> None:
        sight = self._sight
        if sight is not None and self._up and leaf(sight, event.key, self._talk):
            event.stop()
            return
        known = sight.face.commands(sight) if sight and not sight.over and not sight.is_demo else ()
        commands = [command for command in known if event.key in command.keys]
        if commands and self._meant(event.key):
            event.stop()
            for command in commands:
                self.perform(command)

    async def on_bar_chosen(self, event: Bar.Chosen) -> None:
        await self._chosen(event.slot)

    async def _chosen(self, slot: Slot) -> None:
        if slot.command is None:
            await self.run_action(slot.name)
        elif self._meant():
            self.perform(slot.command)

    def _meant(self, key: str = "") -> bool:
        """One person alone cannot speak for another."""
        return self._sight is None or len(self._sight.persons) < 2 or self._calm.takes(key)

    # --- Actions ---

    def perform(self, command: Command) -> None:
        """Post the action if there is only one; else ask which, unseen if it is secret."""
        sight = self._sight
        actions = command.of(sight) if sight and self._up and not self._waiting else ()
        if sight is None or not actions:
            return
        if command.do in (*sight.snapshot.secret, *sight.snapshot.dealt):
            Handing(self.app, lambda: self._sight, self._talk, command.do).begin()
        elif own := sight.face.dialog(sight, actions, self._talk.act):
            self.app.push_screen(own)
        elif len(actions) == 1:
            self._waiting = True  # a key pressed twice must not speak for the next player
            self._talk.act(actions[0])
        else:
            self._pick(lambda: sight.face.choices(sight, actions), actions)

    def _pick(self, menu: Callable[[], Menu], actions: tuple[Action, ...]) -> None:
        def picked(value: Any) -> None:
            if value == NONE_OF_THESE:
                self.action_unlisted()
            elif value is not None:
                self._talk.act(value)

        def valid(sight: Sight) -> bool:
            return all(action in sight.actions for action in actions)

        none = none_of_these(self._sight, actions) if self._sight else None
        self.app.push_screen(Choices(menu, none_of_these=none, valid=valid), picked)

    def action_unlisted(self) -> None:
        if self._sight is not None and self._up and can_join(self._sight):
            Unlisted(self.app, self._sight, self._talk).begin()

    def action_leaf(self, key: str) -> None:
        if self._sight is not None and self._up:
            leaf(self._sight, key, self._talk)

    def action_undo(self) -> None:
        if self._can_undo():
            self._correcting().undo()

    def action_correct(self) -> None:
        if self._can_undo():
            self._correcting().correct()

    def _correcting(self) -> Correcting:
        return Correcting(self.app, lambda: self._sight, self._talk, partial(self.complain, quiet=True))

    def action_history(self) -> None:
        if self._sight is not None:
            self.app.push_screen(Why(self._sight), self._heard_there)

    def action_again(self) -> None:
        """What came to light last, once more, step by step."""
        lines = last_reveal(self._sight) if self._sight is not None else ()
        if self._sight is not None and lines:
            self.app.push_screen(Reveal(self._sight, lines, waits=True))
        else:
            self.complain(lambda: _("Nothing has been revealed yet"), quiet=True)

    def on_history_asked(self, event: History.Asked) -> None:
        if self._sight is not None:
            self.app.push_screen(Why(self._sight, event.line.number), self._heard_there)

    def action_result(self) -> None:
        if self._sight is not None and self._sight.over:
            self.app.push_screen(ResultDialog(self._sight, self.action_end_match, self._talk.results))

    def action_more(self) -> None:
        """What has no button of its own where the game has many."""
        way_out = self._talk.way_out

        def menu() -> Menu:
            label = way_out.label if way_out else None
            menu = more(self._sight, self.size.width, up=self._up, can_undo=self._can_undo(), way_out=label)
            settings = [Choice(slot.label, slot, key=slot.key) for slot in self._settings()]
            return replace(menu, choices=[*menu.choices, *settings])

        async def picked(slot: Slot | None) -> None:
            if slot is not None:
                await self._chosen(slot)

        self.app.push_screen(Choices(menu), picked)

    def action_next(self) -> None:
        if self._sight is not None and self._sight.over and self._up and self._sight.persons:
            self._talk.next_game()

    def action_end_match(self) -> None:
        if self._sight is not None and self._up and can_end(self._sight):
            self._talk.end_match()

    def action_quit(self) -> None:
        way_out = self._talk.way_out
        if way_out is None:
            return
        if self._sight is None or self._sight.over or self._sight.snapshot.replay:
            way_out.go()
        else:
            ask_to_leave(self.app, self._sight, way_out.label, way_out.go)

    def action_help(self) -> None:
        sight = self._sight
        self.app.push_screen(Reading(lambda: _("Help"), lambda: help_text(sight), large=True))
