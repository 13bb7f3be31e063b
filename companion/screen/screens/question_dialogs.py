"""Questions before something is done: undo it? leave the game? And questions to all players: an undo or a correction
across a reveal, or the end of a stalemate."""

from collections.abc import Callable
from functools import partial

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button

from companion.drawing.dialog_texts import errand_title, errand_words, newest, question_words
from companion.gamekit.game import Seat
from companion.gamekit.screen.controls import KeyButton, LanguageButton, Worded, Words
from companion.gamekit.screen.dialog import Confirm, Dialog, choice_grid, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.press_guard import Calm
from companion.gamekit.snapshot import Errand, Question
from companion.language.screen_language import _

WRONG, BACK = "wrong", "back"
"""What a player may want instead of undoing the last action."""


class UndoQuestion(Confirm):
    """Undo the last action? Or correct a wrong card, or go back further?"""

    BINDINGS = [("w", "say('wrong')", ""), ("b", "say('back')", "")]

    def others(self) -> ComposeResult:
        with choice_grid(2):
            yield KeyButton(lambda: "w", lambda: _("Wrong card"), name=WRONG)
            yield KeyButton(lambda: "b", lambda: _("Back to my last action"), name=BACK)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.name in (WRONG, BACK):
            event.stop()
            self.leave(event.button.name)
        else:
            super().on_button_pressed(event)

    def action_say(self, what: str) -> None:
        self.leave(what)


def undo_question(sight: Sight) -> Confirm:
    """It closes when the table has changed: what was asked is no longer what would be undone."""
    entry = sight.snapshot.entry
    return UndoQuestion(
        lambda: _("Undo the last action?"),
        yes=lambda: _("Undo it"),
        text=newest,
        sight=sight,
        valid=lambda now: now.snapshot.entry == entry and now.snapshot.can_undo,
    )


def ask_to_leave(app: App[None], sight: Sight, way_out: Words, go: Callable[[], object]) -> None:
    def answered(agreed: object) -> None:
        if agreed:
            go()

    app.push_screen(Confirm(lambda: _("Leave the game?"), yes=way_out, text=_leaving, sight=sight), answered)


def _leaving(sight: Sight) -> str:
    """What happens to a game that is not over."""
    if sight.persons:
        return _("The game is saved. You can resume it at any time.")
    return _("You are only watching. Leaving doesn't affect the game.")


class ErrandDialog(Confirm):
    """What to do for a bot with real pieces. It closes by itself when a reader has seen it done."""

    AUTO_FOCUS = ".done"

    def __init__(self, sight: Sight, errand: Errand) -> None:
        super().__init__(
            lambda: errand_title(sight, errand),
            yes=lambda: _("Done"),
            text=lambda now: errand_words(now, errand),
            sight=sight,
            valid=lambda now: now.snapshot.errand == errand,
        )

    def content(self) -> ComposeResult:
        yield Worded(lambda: self._text(self._sight), classes="text")
        yield from last_row(
            KeyButton(lambda: _("y", "key"), self._yes, variant="primary", name="yes", classes="done"),
            KeyButton(lambda: "Esc", lambda: _("Later"), name="no", classes="leave"),
        )


class QuestionDialog(Dialog):
    """Open as long as the question is. Each player who has not agreed yet has a button; a single "no" decides it.

    The key of a button is the number of its seat, and does not change when others agree.
    """

    BINDINGS = [("x", "decline", "")]

    def __init__(self, sight: Sight, agree: Callable[[Seat, int], None], decline: Callable[[int], None]) -> None:
        super().__init__(lambda: _("Question to all players"))
        self._sight, self._agree, self._decline = sight, agree, decline
        self.calm = Calm()

    @property
    def question(self) -> Question | None:
        return self._sight.snapshot.question

    def content(self) -> ComposeResult:
        question = self.question
        if question is None:
            return
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(lambda: self._words(question), classes="text")
        with Horizontal(classes="last"):
            with choice_grid(3):
                for seat in self._missing(question):
                    number, agree = partial(str, seat + 1), partial(self._agrees, seat)
                    yield KeyButton(number, partial(self._sight.name, seat), agree, variant="success")
                yield KeyButton(lambda: "x", lambda: _("Decline"), self.action_decline, variant="error")
            yield LanguageButton()

    def show(self, sight: Sight) -> None:
        before, self._sight = self.question, sight
        if sight.snapshot.question is None:
            self.leave()
        elif sight.snapshot.question != before:
            self.refresh(recompose=True)

    def on_key(self, event: events.Key) -> None:
        question = self.question
        if question and event.key.isdecimal() and int(event.key) - 1 in self._missing(question):
            event.stop()
            self._agree(int(event.key) - 1, question.number)

    def _agrees(self, seat: Seat) -> None:
        if self.question is not None:
            self._agree(seat, self.question.number)

    def action_decline(self) -> None:
        if self.question is not None:
            self._decline(self.question.number)

    def action_leave(self) -> None:
        """Not by Esc: the table waits for an answer."""

    def _missing(self, question: Question) -> list[Seat]:
        return [seat for seat in question.missing if seat in self._sight.persons]

    def _words(self, question: Question) -> str:
        return question_words(self._sight, question, _("If you agree, press your name."))
