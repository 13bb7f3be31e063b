"""A reveal, step by step: lines of the history, drawn slowly. The game does not wait for it."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Button

from companion.drawing.event_lines import COMPLAINTS, TAKES_BACK, behind
from companion.drawing.table_frame import readers
from companion.gamekit.screen.controls import KeyButton, Worded, rows
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import Call, Sight
from companion.gamekit.screen.letters import big
from companion.gamekit.snapshot import Told
from companion.language.screen_language import _

STEP_S = 1.2
HURRY_S = 0.4
"""A step if the game has gone on."""
LINGER_S = 3.0
"""How long the complete reveal stays."""
FAR_BEHIND = 3
"""After this many newer actions, the game has gone on."""
ROOMY = 100
"""From this width on, the box is wide."""
NARROW, WIDE = 62, 92
TALL = 26
CALL = 3
FAULT = 2
"""Rows for a problem at the table."""
FRAME = 6
"""Rows of the frame, the title and the button."""


class Reveal(Dialog):
    """Any key or touch shows the next step, an arrow the step before; Esc closes it. It shows problems of the table,
    because it may cover their usual place."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (ROOMY, "-wide")]

    def __init__(self, sight: Sight, lines: Sequence[Told], *, waits: bool = False) -> None:
        """`waits`: each step waits for a press, because players turn the pieces over themselves."""
        super().__init__(lambda: _("Revealed"))
        self._sight, self._told, self._waits = sight, tuple(lines), waits
        self._shown = 1
        self._timer: Timer | None = None
        self._said = ""
        """The problem that is shown."""

    def content(self) -> ComposeResult:
        yield Worded(lambda: fault(self._sight, self._told[-1].number), classes="fault")
        calls = [call for call in self._calls() if call is not None]
        picture = max((rows(call.picture) for call in calls), default=0)
        if calls:
            yield Worded(self._call, classes="call")
        with Container(classes="picture") as frame:
            frame.styles.height = picture
            yield Worded(self._picture)
        with VerticalScroll(can_focus=False, classes="reading") as box:
            box.styles.height = sum(map(rows, self._steps()))
            box.styles.max_height = max(2, self.app.size.height - FRAME - (CALL if calls else 0) - picture)
            yield Worded(lambda: Content("\n").join(self._steps()[: self._shown]))
        yield from last_row(KeyButton(lambda: _("any key"), lambda: _("Go on"), name="go", classes="leave"))

    def on_mount(self) -> None:
        self._show_fault()
        self._wait()

    def show(self, sight: Sight) -> None:
        """The lines stay as they were; only how far the game has gone on matters."""
        self._sight = sight
        undone = any(told.kind in TAKES_BACK and told.number > self._told[-1].number for told in sight.snapshot.history)
        if undone or sight.snapshot.question is not None:
            self.leave()
        else:
            self._show_fault()

    def _show_fault(self) -> None:
        for worded in self.query(".fault").results(Worded):
            words = fault(self._sight, self._told[-1].number)
            worded.display = bool(words)
            worded.redraw()
            box = self.query_one(".reading")
            most = box.styles.max_height
            if most is not None and words != self._said:
                box.styles.max_height = max(2, int(most.value) + _fault_rows(self._said) - _fault_rows(words))
                self._said = words

    def _steps(self) -> list[Content]:
        return list(self._sight.face.steps(self._sight, self._told))

    def _calls(self) -> list[Call | None]:
        tall = self.app.size.height >= TALL
        return list(self._sight.face.calls(self._sight, self._told, self._width, tall))

    @property
    def _width(self) -> int:
        """Cells inside the box; see the stylesheet."""
        return (WIDE if self.app.size.width >= ROOMY else NARROW) - 4

    def _newest(self) -> Call:
        """The big letters of this step, readable from across the table."""
        called = [call for call in self._calls()[: self._shown] if call is not None]
        return called[-1] if called else Call(())

    def _call(self) -> str:
        drawn = (big(text) for text in self._newest().big)
        return "\n".join(next((rows for rows in drawn if rows and cell_len(rows[0]) <= self._width), ("",)))

    def _picture(self) -> Content:
        return self._newest().picture

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self._waits:
            return
        hurry = behind(self._sight, self._told[-1]) >= FAR_BEHIND
        whole = self._shown >= len(self._steps())
        self._timer = self.set_timer(HURRY_S if hurry else LINGER_S if whole else STEP_S, self._go_on)

    def _go_on(self) -> None:
        if self._shown >= len(self._steps()):
            self.leave()
            return
        self._shown += 1
        self._draw()

    def _go_back(self) -> None:
        """Show a step again. From now on nothing moves by itself."""
        self._shown, self._waits = max(1, self._shown - 1), True
        self._draw()

    def _draw(self) -> None:
        for worded in self.query(".reading Worded, .call, .picture Worded").results(Worded):
            worded.redraw()
        self.query_one(".reading").scroll_end(animate=False)
        self._wait()

    def on_key(self, event: events.Key) -> None:
        if event.key in ("left", "up", "backspace"):
            event.stop()
            self._go_back()
        elif event.key not in ("escape", "l", "t", "q", "f1"):
            event.stop()
            self._go_on()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self._go_on()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self._go_on()


def fault(sight: Sight, number: int) -> str:
    """The problem at the table now, or what was refused after this line; "" if there is neither."""
    lost = [device for device in sight.snapshot.devices if device.state in ("lost", "unclear")]
    words = [readers_words for readers_words, _style in readers(sight)] if lost else []
    refused = [told for told in sight.snapshot.history if told.number > number and told.kind in COMPLAINTS]
    return "  ".join([*words, *(sight.say(told) for told in refused[-1:])])


def _fault_rows(words: str) -> int:
    return FAULT if words else 0
