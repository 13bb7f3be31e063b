"""A show on the table's screen: one moment of the game, step by step. The game does not wait for it."""

from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Button

from companion.drawing.event_lines import COMPLAINTS, TAKES_BACK, behind
from companion.drawing.result_sheet import race
from companion.drawing.shows import Highlight, ShowStep, show_steps
from companion.drawing.table_frame import readers
from companion.gamekit.screen.controls import KeyButton, Worded, Words, rows
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import HUGE, Sight
from companion.gamekit.screen.letters import big, huge
from companion.gamekit.sign_table import LEFT
from companion.language.screen_language import _

if TYPE_CHECKING:
    from companion.screen.app import CompanionApp

STEP_S = 1.2
HURRY_S = 0.4
"""A step if the game has gone on."""
LINGER_S = 3.0
"""How long the last step stays where no player presses a key."""
FRAME_S, FRAMES = 0.06, 8
"""How bars grow."""
FAR_BEHIND = 3
"""After this many newer actions, the game has gone on."""
TALL = 26
BESIDE = 4
"""Cells of the frame around it."""
LEAST_READING = 3
AROUND = 6
"""Rows of the frame, the title and the buttons."""
CALL, HUGE_CALL = 3, 6
"""Rows of the big letters."""


class Show(Dialog):
    """Any key or touch shows the next step, an arrow the step before; Esc skips the rest. It shows problems of the
    table, because it covers their usual place."""

    AUTO_FOCUS = ".go"

    def __init__(self, sight: Sight, highlight: Highlight, *, waits: bool) -> None:
        """`waits`: each step waits for a press. Without one it goes on by itself, as where only simulated players
        play."""
        super().__init__(self._titled)
        self._sight, self._highlight, self._waits = sight, highlight, waits
        self._shown = 1
        self._frame = FRAMES
        """How far the bars have grown."""
        self._timer: Timer | None = None
        self._growing: Timer | None = None
        self.add_class("show")

    def content(self) -> ComposeResult:
        yield Worded(self._fault, classes="fault")
        yield Worded(self._call, classes="call")
        with Container(classes="picture"):
            yield Worded(self._picture)
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(lambda: self._step.words)
        yield from last_row(
            KeyButton(lambda: LEFT, lambda: _("Back"), self._go_back, classes="back"),
            KeyButton(lambda: "Enter", self._going_on, self._go_on, variant="primary", classes="go leave"),
            KeyButton(lambda: "Esc", lambda: _("Skip"), self.leave, classes="skip"),
        )

    def on_mount(self) -> None:
        self._lay_out()
        self._grow()
        self._wait()

    def on_resize(self) -> None:
        self._lay_out()
        self._draw()

    def redraw(self) -> None:
        super().redraw()
        self._lay_out()

    def show(self, sight: Sight) -> None:
        """What was told stays as it was; only how far the game has gone on matters."""
        self._sight = sight
        if self._is_void(sight) or sight.snapshot.question is not None:
            self.leave()
            return
        self._show_fault()
        if self._timer is None:
            self._wait()

    def complain(self, words: Words) -> None:
        """It has a band of its own."""

    def _is_void(self, sight: Sight) -> bool:
        """An undo has taken back what is shown, or the next game has begun."""
        if not self._highlight.lines:
            return not sight.over
        newest = self._highlight.lines[-1].number
        return any(told.kind in TAKES_BACK and told.number > newest for told in sight.snapshot.history)

    # --- Drawing ----------------------------------------------------------------------------------------------

    @property
    def _steps(self) -> list[ShowStep]:
        tall = self.app.size.height >= TALL
        return show_steps(self._sight, self._highlight, self._width, tall)

    @property
    def _step(self) -> ShowStep:
        steps = self._steps
        return steps[min(self._shown, len(steps)) - 1]

    @property
    def _width(self) -> int:
        return self.app.size.width - BESIDE

    def _call(self) -> str:
        """The big letters of this step, readable from across the table."""
        texts = self._step.big
        drawn = [huge(text) for text in texts[:1] if self._call_rows == HUGE_CALL] + [big(text) for text in texts]
        return "\n".join(next((rows for rows in drawn if rows and cell_len(rows[0]) <= self._width), ("",)))

    @property
    def _call_rows(self) -> int:
        """As in your move, twice as large on a huge screen."""
        size = self.app.size
        return HUGE_CALL if size.width >= HUGE[0] and size.height >= HUGE[1] else CALL

    def _picture(self) -> Content:
        step = self._step
        if not step.race:
            return step.picture
        before = self._steps[self._shown - 2].race if self._shown > 1 else ()
        return race(self._sight, step.race, self._width, before, self._frame / FRAMES)

    def _titled(self) -> str:
        return f"{self._highlight.title} ({self._shown}/{len(self._steps)})"

    def _going_on(self) -> str:
        return _("Go on") if self._shown < len(self._steps) else _("Close")

    def _lay_out(self) -> None:
        """Rows are shared out for the largest step, so that nothing jumps. On a huge screen what is seen stands in the
        middle."""
        steps = self._steps
        called = any(step.big for step in steps)
        for call in self.query(".call"):
            call.display = called
            call.styles.height = self._call_rows
        gap = int(called and self._call_rows == HUGE_CALL)
        room = self.app.size.height - AROUND - LEAST_READING - (self._call_rows if called else 0) - gap
        largest = max(max(rows(step.picture), len(step.race)) for step in steps)
        words = max(rows(step.words) for step in steps)
        spare = max(0, room + LEAST_READING - largest - words) if gap else 0
        for call in self.query(".call"):
            call.styles.margin = (spare // 4, 0, 0, 0)
        for frame in self.query(".picture"):
            frame.styles.height = max(0, min(largest, room))
            frame.styles.margin = (gap + spare // 8, 0, 0, 0)
        cells = max(line.cell_length for step in steps for line in step.words.split("\n"))
        for worded in self.query(".reading Worded"):
            worded.styles.width = min(self._width - 1, cells)
        for reading in self.query(".reading"):
            reading.styles.margin = (1 + spare // 8, 0, 0, 0)
        self._show_fault()

    def _draw(self) -> None:
        for worded in self.query(".title, .reading Worded, .call, .picture Worded").results(Worded):
            worded.redraw()
        for button in self.query(".go").results(KeyButton):
            button.redraw()
        for back in self.query(".back"):
            back.disabled = self._shown == 1
        for reading in self.query(".reading"):
            reading.scroll_end(animate=False) if self._highlight.lines else reading.scroll_home(animate=False)

    def _fault(self) -> str:
        newest = self._highlight.lines[-1].number if self._highlight.lines else self._sight.snapshot.number
        return fault(self._sight, newest)

    def _show_fault(self) -> None:
        for worded in self.query(".fault").results(Worded):
            worded.display = bool(self._fault())
            worded.redraw()

    # --- Going on ---------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """At a table with readers, players look up from it: then a show that was left behind ends by itself."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        gone_on = is_left_behind(self._sight, self._highlight)
        hurry = gone_on and (not self._waits or bool(self._sight.snapshot.devices))
        if self._waits and not hurry:
            return
        whole = self._shown >= len(self._steps)
        self._timer = self.set_timer(HURRY_S if hurry else LINGER_S if whole else STEP_S, self._go_on)

    def _grow(self) -> None:
        """Bars grow, unless the players want no motion."""
        if self._growing is not None:
            self._growing.stop()
            self._growing = None
        moves = cast("CompanionApp", self.app).motion == "on"
        self._frame = FRAMES
        if self._step.race and moves and self._shown < len(self._steps):
            self._frame = 0
            self._growing = self.set_interval(FRAME_S, self._grow_on, repeat=FRAMES)
        self._draw()

    def _grow_on(self) -> None:
        self._frame = min(FRAMES, self._frame + 1)
        for worded in self.query(".picture Worded").results(Worded):
            worded.redraw()

    def _go_on(self) -> None:
        if self._shown >= len(self._steps):
            self.leave()
            return
        self._shown += 1
        self._grow()
        self._wait()

    def _go_back(self) -> None:
        """Show a step again. From now on nothing moves by itself."""
        self._shown, self._waits = max(1, self._shown - 1), True
        self._frame = FRAMES
        self._draw()
        self._wait()

    def on_key(self, event: events.Key) -> None:
        if event.key in ("left", "up", "backspace"):
            event.stop()
            self._go_back()
        elif event.key not in ("escape", "l", "t", "q", "f1", "tab", "shift+tab", "pageup", "pagedown"):
            event.stop()
            event.prevent_default()
            self._go_on()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self._go_on()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()


def is_left_behind(sight: Sight, highlight: Highlight) -> bool:
    """Whether the players have gone on since. Where Companion deals, only simulated players do that without a look at
    the screen."""
    waited_for = sight.snapshot.deals and bool(sight.persons)
    return bool(highlight.lines) and not waited_for and behind(sight, highlight.lines[-1]) >= FAR_BEHIND


def fault(sight: Sight, number: int) -> str:
    """The problem at the table now, or what was refused after this line; "" if there is neither."""
    lost = [device for device in sight.snapshot.devices if device.state in ("lost", "unclear")]
    words = [readers_words for readers_words, _style in readers(sight)] if lost else []
    refused = [told for told in sight.snapshot.history if told.number > number and told.kind in COMPLAINTS]
    return "  ".join([*words, *(sight.say(told) for told in refused[-1:])])
