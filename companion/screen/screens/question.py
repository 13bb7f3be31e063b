"""Something that everybody has to agree to: an undo across a reveal, or the end of a stalemate."""

from collections.abc import Callable
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, VerticalScroll
from textual.content import Content
from textual.widgets import Button

from companion.screen.calm import Calm
from companion.screen.face import Sight
from companion.screen.remarks import newest
from companion.screen.screens.dialog import Dialog
from companion.screen.text import _, listed
from companion.screen.widgets.worded import LanguagePress, Press, Worded
from companion.snapshot import Question, Seat


class QuestionDialog(Dialog):
    """Stays as long as the question does. Who has not agreed yet has a button; one "no" is enough for a no.

    Everybody has the number of his seat, whoever else has agreed.
    """

    BINDINGS = [("x", "decline", "")]

    def __init__(self, sight: Sight, agree: Callable[[Seat, int], None], decline: Callable[[int], None]) -> None:
        super().__init__(lambda: _("Everybody is asked"))
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
            with ItemGrid(classes="choices columns-3"):
                for seat in self._missing(question):
                    number = partial(str, seat + 1)
                    yield Press(number, partial(self._sight.name, seat), variant="success", name=str(seat))
                yield Press(lambda: "x", lambda: _("Decline"), variant="error", name="decline")
            yield LanguagePress()

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

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.name == "decline":
            self.action_decline()
        elif self.question is not None:
            self._agree(int(event.button.name or 0), self.question.number)

    def action_decline(self) -> None:
        if self.question is not None:
            self._decline(self.question.number)

    def action_leave(self) -> None:
        """Not by Esc: the table waits for an answer."""

    def _missing(self, question: Question) -> list[Seat]:
        return [seat for seat in question.missing if seat in self._sight.persons]

    def _words(self, question: Question) -> Content:
        sight = self._sight
        asked = [sight.face.asked(question.kind, sight)]
        if question.kind == "undo":
            asked = [newest(sight), _("Take it back? Something secret has come to light.")]
        agreed = listed([self._sight.name(seat) for seat in question.agreed])
        missing = listed([self._sight.name(seat) for seat in question.missing])
        lines = [*asked, _("Whoever agrees presses his name."), _("Still missing: {names}").format(names=missing)]
        if question.agreed:
            lines.append(_("Agreed: {names}").format(names=agreed))
        if question.moves:
            lines += [_("These pieces would go back:"), *(f"· {self._sight.put_back(move)}" for move in question.moves)]
        return Content("\n".join(lines))
