"""The enrolment screen: one piece after another, first what is printed on it, then its tag. Each step is saved at
once."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button

from companion.enrolment.course import Course, EnrolmentStore, Standing, box_so_far, finish, skip, standing, undo
from companion.enrolment.tapped_tag import CONNECTING, SETTLE_MS, TappedTag
from companion.gamekit.enrolment import MOST_FIELDS, Complaint, EnrolmentStep, Field, Value
from companion.gamekit.screen.controls import KeyButton, LanguageButton, Panel
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Headline
from companion.gamekit.screen.face_discovery import find_face
from companion.language.general_sentences import in_words
from companion.language.screen_language import _, language
from companion.language.wording import plain
from companion.screen.enrolment.enrolment_words import Wording
from companion.screen.enrolment.piece_picker import Picker
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.notice import Notice
from companion.stations import CENTRE
from companion.table.signals import Signal, TagPlaced, TagRemoved


class EnrollScreen(Screen[None]):
    BINDINGS = [
        *((str(number), f"field({number - 1})", "") for number in range(1, MOST_FIELDS + 1)),
        ("n,w", "next", ""),
        ("a", "tap", ""),
        ("s", "later", ""),
        ("u", "undo", ""),
        ("f1", "help", ""),
        ("q", "quit", ""),
        ("up,left", "app.focus_previous", ""),
        ("down,right", "app.focus_next", ""),
    ]
    CSS_PATH = [
        Path(__file__).parents[1] / "screens" / "table.tcss",
        Path(__file__).parents[1] / "screens" / "start.tcss",
        Path(__file__).with_name("enroll.tcss"),
    ]
    AUTO_FOCUS = ""

    def __init__(self, store: EnrolmentStore) -> None:
        super().__init__()
        self._store = store
        self._words = Wording(store.course.game, store.course.plan)
        self._now: Standing = standing(store.course)
        self._values: dict[str, Value] = _likely(self._now)
        self._hearing = TappedTag()
        self._is_meant = False
        """The present tag was laid down while this screen was asking for the piece."""
        self._waiting: list[Callable[[], object]] = []
        """Actions that wait until the tag is settled."""

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        with ItemGrid(id="fields", min_column_width=20):
            for number in range(MOST_FIELDS):
                label, field = partial(self._field_label, number), partial(self.action_field, number)
                yield KeyButton(partial(str, number + 1), label, field)
        with Vertical(id="talk"):
            yield Notice(id="notice")
            yield Panel(id="piece")
            yield Panel(id="progress")
        with Horizontal(id="way"):
            yield KeyButton(self._next_key, self._next_label, self.action_next, id="next")
            if not self._store.readers:
                yield KeyButton(lambda: "a", lambda: _("Tap", "a tag"), self.action_tap, id="tap")
            yield KeyButton(lambda: "s", lambda: _("Later"), self.action_later, classes="later")
            yield KeyButton(lambda: "u", lambda: _("Undo"), self.action_undo, classes="undo")
            yield KeyButton(lambda: "F1", lambda: _("Help"), self.action_help, classes="help")
            yield LanguageButton(can_focus=True)
            yield KeyButton(lambda: "q", lambda: _("Stop"), self.action_quit, id="quit")

    # --- Drawing ---

    def redraw(self) -> None:
        """Draw again after a change, or in another language."""
        step = self._now.next
        self.query_one(HeadlinePanel).announce(
            self._words.headline(step) if step else _all_done(self._now), self.size.width
        )
        for number, button in enumerate(self.query("#fields KeyButton").results(KeyButton)):
            button.display = step is not None and number < len(step.fields)
        for button in self.query("#next, #tap, .later").results(KeyButton):
            button.display = step is not None
        for button in self.query(KeyButton):
            button.redraw()
        self.query_one(Notice).redraw()
        self.query_one("#progress", Panel).show(self._progress())
        self.query_one("#piece", Panel).fit(self._piece(step) if step else Content(""))

    def _piece(self, step: EnrolmentStep) -> Content:
        """The piece as the owner describes it."""
        course = self._store.course
        return find_face(course.game).piece(step.facts, self._values, box_so_far(course))

    def _progress(self) -> Content:
        steps, waiting = len(self._now.steps), len(self._now.waiting)
        done = _("{done} of {all} done", done=steps - waiting, all=steps)
        tags = _("{count:tag|tags}", count=len(self._now.tags))
        return Content.assemble((f"{done}, {tags}", "bold"), "\n", self._reader())

    def _reader(self) -> tuple[str, str]:
        if not self._store.readers:
            return _("No reader: made-up tags, to try it out. Press a to tap one."), "$warning"
        problem = self._hearing.problem
        if problem == CONNECTING:
            return _("Connecting the reader …"), "$warning"
        if problem:
            words = plain(in_words(problem, language().text), 60)
            return _("The reader does not work: {problem}", problem=words), "bold $error"
        return _("The reader is ready."), "$quiet"

    def _field(self, number: int) -> Field | None:
        step = self._now.next
        return step.fields[number] if step and number < len(step.fields) else None

    def _field_label(self, number: int) -> Content | str:
        field = self._field(number)
        if field is None:
            return ""
        chosen = self._words.told(field, self._values[field.key])
        return Content.assemble((self._words.label(field), "not bold"), "\n", chosen)

    def _next_key(self) -> str:
        return "w" if self._is_piece() else "n"

    def _next_label(self) -> str:
        return _("No tag") if self._is_piece() else _("Next", "step")

    def _is_piece(self) -> bool:
        return bool(self._now.next and self._now.next.tagged)

    # --- Handlers ---

    def on_mount(self) -> None:
        for button in self.query("#way Button").results(Button):
            button.styles.line_pad = 0  # every cell is needed
        for number, listen in enumerate(self._store.readers):
            self.run_worker(listen(self.hear), group=f"reader {number}")
        self._begin(self._store.course)

    def on_resize(self) -> None:
        self.redraw()

    def hear(self, signal: Signal) -> None:
        """A signal of a reader. A tag counts when it has been alone for a moment, and not while a dialog is open."""
        self._hearing, said = self._hearing.after(signal, _now_ms())
        if said:
            self._complain(said)
        if isinstance(signal, TagPlaced):
            self._is_meant = self.app.screen is self
            self.set_timer(SETTLE_MS / 1000 + 0.02, self._settle)
        if self._hearing.tapped is None:
            self._forget()
        self.query_one("#progress", Panel).show(self._progress())

    def _settle(self) -> None:
        self._hearing, uid = self._hearing.settled(_now_ms())
        if uid is None:
            return
        if not self._is_meant:
            self._complain(Complaint("lay it again"))
        elif not self._tapped(uid):
            self._forget()
        while self._waiting and self._hearing.tapped is None:
            act = self._waiting.pop(0)
            if self.app.screen is self:
                act()

    def _in_turn(self, act: Callable[[], object]) -> None:
        """Keys wait until the tag is settled: it belongs to the piece that was asked for when it was laid down."""
        if self._hearing.tapped is None:
            act()
        else:
            self._waiting.append(act)

    def _forget(self) -> None:
        """The tag did not count, so waiting actions, meant for the next piece, are dropped. Only stopping remains."""
        leaving = self._leave in self._waiting
        self._waiting.clear()
        if leaving:
            self._leave()

    # --- Steps ---

    def _tapped(self, uid: str) -> bool:
        """Returns whether the tag counts."""
        return self._take(finish(self._store.course, self._values, uid, self._store.taken), self._now.next, uid)

    def _take(self, course: Course | Complaint, step: EnrolmentStep | None = None, uid: str = "") -> bool:
        """Save first, then go to the next step. Returns whether that worked."""
        if isinstance(course, Complaint):
            self._complain(course)
            return False
        problem = self._store.keep(course)
        self._begin(self._store.course)
        if problem:
            self._say(lambda: _("This could not be saved: {problem}", problem=plain(problem, 200)))
            self._store.cue("refused")
        elif step is not None and uid:
            self._say(lambda: _("{piece}: tag {uid}", piece=self._words.title(step), uid=uid), quiet=True)
            self._store.cue("accepted")
        else:
            self.query_one(Notice).settle()
        return not problem

    def _begin(self, course: Course) -> None:
        self._now = standing(course)
        step = self._now.next
        self._values = _likely(self._now)
        self.redraw()
        if step is None:
            self.query_one("#quit", KeyButton).focus()
        elif not step.tagged:
            self.query_one("#next", KeyButton).focus()
        elif step.fields:
            self.query("#fields KeyButton").first().focus()
        else:
            self.set_focus(None)

    def _complain(self, said: Complaint) -> None:
        now = self._now
        self._say(lambda: self._words.complaint(said, now))
        self._store.cue("refused")

    def _say(self, words: Callable[[], str], *, quiet: bool = False) -> None:
        self.query_one(Notice).complain(words, quiet=quiet)

    # --- Actions ---

    def action_field(self, number: int) -> None:
        self._in_turn(partial(self._change, number))

    def action_next(self) -> None:
        """Finish a sheet, or leave a piece without a tag."""
        self._in_turn(lambda: self._take(finish(self._store.course, self._values)))

    def action_tap(self) -> None:
        if not self._store.readers:
            self._in_turn(self._make_up)

    def action_later(self) -> None:
        self._in_turn(lambda: self._take(skip(self._store.course)))

    def action_undo(self) -> None:
        self._in_turn(lambda: self._take(undo(self._store.course)))

    def action_help(self) -> None:
        self.app.push_screen(Reading(lambda: _("Help"), help_text, large=True))

    def action_quit(self) -> None:
        self._in_turn(self._leave)

    def _change(self, number: int) -> None:
        field = self._field(number)
        if field is not None:
            self.app.push_screen(Picker(self._words, field, self._values[field.key]), partial(self._picked, field))

    def _picked(self, field: Field, value: Value | None) -> None:
        if value is not None:
            self._values[field.key] = value
            self.redraw()

    def _make_up(self) -> None:
        """Simulate a new tag that is laid down and lifted again."""
        used = {*self._now.tags, *self._store.taken}
        uid = next(uid for number in range(1, len(used) + 2) if (uid := f"04{number:012X}") not in used)
        self.hear(TagPlaced(CENTRE, _now_ms(), uid))
        self.hear(TagRemoved(CENTRE, _now_ms(), uid))

    def _leave(self) -> None:
        self.app.exit()


def _likely(now: Standing) -> dict[str, Value]:
    return dict(now.next.values) if now.next else {}


def _all_done(now: Standing) -> Headline:
    tags = _("{count:tag|tags}", count=len(now.tags))
    sentence = _("The box and its {tags} count from the next game on.", tags=tags)
    return Headline((_("All enrolled", "big"),), sentence)


def help_text() -> str:
    lines = [
        _("Companion asks for one piece at a time. Take it out of the box and check that it looks as shown."),
        _(
            "Change what is different: keys 1 to 6 open it, numbers or arrow keys choose. Then lay the piece "
            "on the reader."
        ),
        _("n: next, when there is nothing to tap. w: this piece gets no tag. s: leave it for the end."),
        _("u undoes the last step, as often as you like. Tags of other pieces are refused, and so are two at once."),
        _("q quits. Every piece is saved at once. The same command continues where you stopped."),
    ]
    return "\n\n".join(lines)


def _now_ms() -> int:
    return int(time.monotonic() * 1000)
