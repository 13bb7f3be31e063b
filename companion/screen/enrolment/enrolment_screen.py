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
from companion.gamekit.screen.controls import KeyButton, LanguageButton, Panel, Words
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Headline
from companion.gamekit.screen.face_discovery import find_face
from companion.language.general_sentences import in_words
from companion.language.screen_language import LANGUAGES, _, language, speaking
from companion.language.wording import plain
from companion.messages.phone_access import EnrolmentView, EnrolmentWish, PhonesOffer, StickerText
from companion.screen.enrolment.enrolment_codes import EnrolmentCodes
from companion.screen.enrolment.enrolment_words import Wording, next_label, phone_texts, progress
from companion.screen.enrolment.piece_picker import Picker
from companion.screen.screens.phone_codes import opened
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.notice import Notice
from companion.stations import CENTRE
from companion.table.pieces import token_in, token_link, token_text
from companion.table.signals import Signal, TagPlaced, TagRemoved


class EnrollScreen(Screen[None]):
    BINDINGS = [
        *((str(number), f"field({number - 1})", "") for number in range(1, MOST_FIELDS + 1)),
        ("n,w", "next", ""),
        ("a", "tap", ""),
        ("p,f4", "phone", ""),
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
        self._changes = 0
        """How often the step has changed: what a phone says about an earlier one does not count."""
        self._notice: tuple[Words | None, bool] = None, False
        """What was said last, and whether it refuses something."""
        self._notices = 0
        self._writes = False
        """Phones write on stickers, too."""
        self._writing: StickerText | None = None
        """What a phone writes now. It counts when the phone has read it again."""
        self._written = 0
        self._is_showing = False

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        with ItemGrid(id="fields", min_column_width=20):
            for number in range(MOST_FIELDS):
                label, field = partial(self._field_label, number), partial(self.action_field, number)
                yield KeyButton(partial(str, number + 1), label, field)
        with Vertical(id="talk"):
            yield Notice(id="notice")
            yield Panel(id="piece")
            with Horizontal(id="below"):
                yield Panel(id="progress")
                if self._store.phones is not None:
                    yield KeyButton(lambda: "p", lambda: _("Phone"), self.action_phone, id="phone")
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
            button.display = step is not None and (button.id != "tap" or self._offer is None)
        for button in self.query(KeyButton):
            button.redraw()
        self.query_one(Notice).redraw()
        self.query_one("#progress", Panel).show(self._progress())
        self.query_one("#piece", Panel).fit(self._piece(step) if step else Content(""))
        self._show_phones()

    def _piece(self, step: EnrolmentStep) -> Content:
        """The piece as the owner describes it."""
        course = self._store.course
        return find_face(course.game).piece(step.facts, self._values, box_so_far(course))

    def _progress(self) -> Content:
        return Content.assemble((progress(self._now), "bold"), "\n", self._reader())

    @property
    def _offer(self) -> PhonesOffer | None:
        return self._store.phones.offer() if self._store.phones else None

    def _reader(self) -> tuple[str, str]:
        phones, offer = self._store.phones, self._offer
        if offer is not None and offer.counts:
            count = sum(offer.counts.values())
            return _("{count:phone|phones} connected: hold each sticker to a phone", count=count), "$quiet"
        if not self._store.readers:
            if phones is not None and phones.problem:
                return plain(phones.problem, 200), "bold $error"
            if offer is not None:
                return _("No phone yet: press p for its code."), "$warning"
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
        return next_label(self._now.next)

    def _is_piece(self) -> bool:
        return bool(self._now.next and self._now.next.tagged)

    # --- Handlers ---

    def on_mount(self) -> None:
        for button in self.query("#way Button").results(Button):
            button.styles.line_pad = 0  # every cell is needed
        for number, listen in enumerate(self._store.readers):
            self.run_worker(listen(self.hear), group=f"reader {number}")
        if self._store.phones is not None:
            self.run_worker(self._store.phones.listen(self.heed, self.redraw), group="phones")
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

    # --- Phones ---

    def _show_phones(self) -> None:
        """Once for all that one signal changes: a phone says the answer first, and then what is next."""
        if self._store.phones is not None and not self._is_showing:
            self._is_showing = self.call_later(self._show_phones_now)

    def _show_phones_now(self) -> None:
        """Phones show what this screen shows, each in its own language."""
        phones, now, (words, refuses) = self._store.phones, self._now, self._notice
        self._is_showing = False
        assert phones is not None
        texts = {}
        for code in LANGUAGES:
            with speaking(code):
                texts[code] = phone_texts(self._words, now, self._values, words)
        tagged, done = self._is_piece(), now.next is None
        phones.show(
            EnrolmentView(self._changes, texts, self._notices, refuses, tagged, done, self._writes, self._writing)
        )

    def heed(self, wish: EnrolmentWish) -> None:
        """What a phone says. It counts for the step that the phone shows."""
        self._in_turn(partial(self._heed, wish))

    def _heed(self, wish: EnrolmentWish) -> None:
        if wish.step != self._changes:
            self._complain(Complaint("moved on"))
        elif self.app.screen is not self:
            self._complain(Complaint("dialog open"))
        elif wish.what == "tap":
            self._touched(wish.uid, wish.text)
        elif wish.what in ("write", "unwritten"):
            if wish.what == "write":
                self._writes = not self._writes
            self._writing = None
            self._show_phones()
        else:
            {"next": self.action_next, "later": self.action_later, "undo": self.action_undo}[wish.what]()

    def _touched(self, uid: str, text: str) -> None:
        """A phone touches one sticker at a time: what it reads needs no moment to settle."""
        if self._writes and uid in self._now.tags:
            self._check_text(uid, text)
        elif self._writing is not None:
            self._complain(Complaint("check first"))
        elif self._tapped(uid) and self._writes:
            self._write(uid)

    def _write(self, uid: str) -> None:
        token = self._store.token(uid)
        self._written += 1
        self._writing = StickerText(uid, token_text(token), self._written, token_link(self._store.links, token))
        self._show_phones()

    def _check_text(self, uid: str, text: str) -> None:
        """The sticker of a piece that is enrolled: what it says has been written, or is to be written now."""
        if token_in(text) != self._store.token(uid):
            self._write(uid)
            return
        problem, self._writing = self._store.keep_token(uid), None
        step = self._now.step(self._now.tags[uid])
        if problem:
            self._say(lambda: _("This could not be saved: {problem}", problem=plain(problem, 200)))
        else:
            self._say(lambda: _("{piece}: written and checked", piece=self._words.title(step)), quiet=True)
        self._store.cue("refused" if problem else "accepted")

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
            self._say(
                lambda: _("{piece}: tag {uid}", piece=self._words.title(step), uid=uid),
                quiet=True,
                spoken=lambda: _("{piece}: enrolled", piece=self._words.title(step)),
            )
            self._store.cue("accepted")
        else:
            self.query_one(Notice).settle()
        return not problem

    def _begin(self, course: Course) -> None:
        self._now = standing(course)
        step = self._now.next
        self._values = _likely(self._now)
        self._changes += 1
        self._notice = None, False
        if self._writing is not None and self._writing.uid not in self._now.tags:
            self._writing = None
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

    def _say(self, words: Words, *, quiet: bool = False, spoken: Words | None = None) -> None:
        """`spoken`: what phones say instead."""
        self.query_one(Notice).complain(words, quiet=quiet)
        self._notice, self._notices = (spoken or words, not quiet), self._notices + 1
        self._show_phones()

    # --- Actions ---

    def action_field(self, number: int) -> None:
        self._in_turn(partial(self._change, number))

    def action_next(self) -> None:
        """Finish a sheet, or leave a piece without a tag."""
        self._in_turn(lambda: self._take(finish(self._store.course, self._values)))

    def action_tap(self) -> None:
        if not self._store.readers:
            self._in_turn(self._make_up)

    async def action_phone(self) -> None:
        phones = self._store.phones
        if phones is not None and await opened(phones, self._say):
            self.redraw()
            self.app.push_screen(EnrolmentCodes(phones))

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
        _("n: next. w: this piece gets no tag. s: leave it for the end. p: an Android phone reads the stickers."),
        _("u undoes the last step, as often as you like. Tags of other pieces are refused, and so are two at once."),
        _("q quits. Every piece is saved at once. The same command continues where you stopped."),
    ]
    return "\n\n".join(lines)


def _now_ms() -> int:
    return int(time.monotonic() * 1000)
