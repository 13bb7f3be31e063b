"""Undo and correct: the last action, everything back to a player's own last action, or a wrong entry.

Each dialog lists what would be undone. Nothing happens before a player says yes.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec.structs import replace
from textual.app import App
from textual.content import Content

from companion.drawing.event_lines import played_since
from companion.gamekit.figure import figures_of
from companion.gamekit.game import Seat
from companion.gamekit.screen.controls import Words
from companion.gamekit.screen.dialog import Confirm, Dialog, PutBack
from companion.gamekit.screen.face import Action, Choice, Menu, Sight
from companion.gamekit.screen.picker import Choices
from companion.gamekit.screen.press_guard import Calm
from companion.gamekit.sign_table import DONE, LEFT
from companion.gamekit.snapshot import Before, OwnView, Past, PastDeed, Told
from companion.language.screen_language import _
from companion.screen.screens.handover import HandOver, Secret, private
from companion.screen.screens.question_dialogs import BACK, WRONG, undo_question

PAGE = 3
"""How many actions are offered at once. Each is a sentence, and the newest are the most likely."""
LISTED = 6
"""How many of the actions to be undone are named; the others are counted."""


class PastTalk(Protocol):
    """Takes corrections, and knows what was done."""

    def undo(self, entry: int, to: int | None = None) -> None: ...

    def correct(self, entry: int, newest: int, action: Action) -> None: ...

    def look_back(self, then: Callable[[Past], None]) -> None: ...

    def reconsider(self, entry: int, seat: Seat | None, then: Callable[[Before], None]) -> None: ...

    def lend_to(self, sight: Sight, seat: Seat) -> None: ...

    def take_back(self) -> None: ...


class Correcting:
    """Leads players through it. If the table changes in the meantime, the question closes and nothing is done."""

    def __init__(
        self, app: App[None], sight: Callable[[], Sight | None], talk: PastTalk, tell: Callable[[Words], None]
    ) -> None:
        """`tell` shows a notice."""
        self._app, self._sight, self._talk, self._tell = app, sight, talk, tell
        self._calm = Calm()

    # --- Undo -------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last action, or follow what the question leads to."""
        sight = self._sight()
        if sight is None:
            return
        entry = sight.snapshot.entry

        def answered(said: object) -> None:
            if said == WRONG:
                self.correct()
            elif said == BACK:
                self.go_back()
            elif said:
                self._talk.undo(entry)
            else:
                self._missed(entry)

        self._app.push_screen(undo_question(sight), answered)

    def go_back(self) -> None:
        """Undo a player's last action and everything after it."""
        self._talk.look_back(self._ask_whose)

    def _ask_whose(self, past: Past) -> None:
        sight = self._sight()
        newest = _newest_of_each(sight, past.deeds) if sight else {}
        if sight is None or not newest:
            self._tell(lambda: _("No player here has done anything yet"))
        elif len(newest) == 1:
            self._confirm(sight, past, next(iter(newest.values())))
        else:
            menu = Menu(
                _("Back to whose last action?"),
                [Choice(Content(sight.say(deed.told)), deed) for deed in newest.values()],
                1,
            )

            def chosen(deed: object) -> None:
                now = self._sight()
                if now is not None and isinstance(deed, PastDeed):
                    self._confirm(now, past, deed)

            self._app.push_screen(Choices(lambda: menu, valid=_since(past.entry)), chosen)

    def _confirm(self, sight: Sight, past: Past, deed: PastDeed) -> None:
        """Name everything from this action on before it is undone."""
        gone = [each for each in past.deeds if each.entry >= deed.entry]

        def answered(agreed: object) -> None:
            if agreed:
                self._talk.undo(past.entry, deed.entry)
            else:
                self._missed(past.entry)

        question = Confirm(
            lambda: _("Undo {count:action|actions}?", count=len(gone)),
            yes=lambda: _("Undo it"),
            text=lambda now: _named(now, gone),
            sight=sight,
            valid=_since(past.entry),
        )
        self._app.push_screen(question, answered)

    def _missed(self, entry: int) -> None:
        now = self._sight()
        if now is not None and now.snapshot.entry != entry:
            self._tell(lambda: _("The table has changed in the meantime, so nothing was undone"))

    # --- Corrections ------------------------------------------------------------------------------------------

    def correct(self) -> None:
        """Correct a wrong card."""
        self._talk.look_back(self._ask_which)

    def _ask_which(self, past: Past) -> None:
        sight = self._sight()
        if sight is None or not past.deeds:
            self._tell(lambda: _("There is nothing to correct yet"))
            return

        def chosen(deed: object) -> None:
            now = self._sight()
            if now is None or not isinstance(deed, PastDeed):
                return
            if not deed.free:
                self._confirm(now, past, deed)
            elif deed.hidden and deed.seat is not None and len(now.persons) > 1:
                self._hand(now, past, deed)
            else:
                self._reconsider(deed)

        self._app.push_screen(Choices(lambda: _which(sight, past.deeds), valid=_since(past.entry)), chosen)

    def _hand(self, sight: Sight, past: Past, deed: PastDeed) -> None:
        """A hidden choice may only be corrected by its own player."""
        name = sight.name(deed.seat)

        def taken(result: object) -> None:
            if result is not None:
                self._reconsider(deed)

        dialog = HandOver(
            lambda: Menu(
                _("Hand the screen to {name}", name=name),
                [Choice(_("I am {name}", name=name), deed.seat, key="Enter")],
                2,
            ),
            text=lambda: _("Everyone else, please look away."),
            leave=lambda: _("Not now"),
            valid=_since(past.entry),
        )
        self._ask(dialog, taken)

    def _reconsider(self, deed: PastDeed) -> None:
        seat = deed.seat if deed.hidden else None
        self._talk.reconsider(deed.entry, seat, lambda before: self._offer(deed, before))

    def _offer(self, deed: PastDeed, before: Before) -> None:
        """The same question as then, with the same choices. The answer goes straight to the link."""
        now = self._sight()
        if now is None or before.snapshot is None or not before.offered:
            self._tell(lambda: _("No other choice was possible there"))
            return
        seat = deed.seat if deed.hidden else None
        own = None if seat is None else OwnView(before.id, seat, before.entry, before.hand, before.offered)
        table = replace(before.snapshot, box=now.snapshot.box, offered=before.offered)
        then = Sight(table, now.face, own_view=own)

        def post(action: Action) -> None:
            self._talk.correct(before.entry, before.newest, action)

        def text() -> Content:
            line = Content(_("Instead of: {what}", what=now.say(deed.told)))
            return line if seat is None else Content("\n").join([private(then, seat, choosing=True), line])

        if seat is not None:
            self._talk.lend_to(now, seat)
        valid = _since(before.newest)
        dialog = now.face.dialog(then, before.offered, post)
        if dialog is None:
            dialog = secret = Secret(lambda: now.face.choices(then, before.offered), post, text=text, valid=valid)
            secret.figures = figures_of(table.game)
        elif isinstance(dialog, Dialog):
            dialog.hold_while(valid)
        self._ask(dialog, lambda _closed: self._talk.take_back())

    def _ask(self, dialog: Any, then: Callable[[Any], None]) -> None:
        if isinstance(dialog, Dialog):
            self._calm.begin()
            dialog.calm = self._calm
        self._app.push_screen(dialog, then)


def put_back_sheet(sight: Sight, told: Told) -> PutBack:
    """The pieces to put back. It closes when a player has played on."""
    keys = {key for command in sight.face.commands(sight) for key in command.keys} | {"u", "w", "h", "n", "m"}
    return PutBack(
        lambda: "\n".join(f"– {sight.put_back(move)}" for move in told.moves),
        keys,
        lambda now: not played_since(now, told),
    )


def _since(entry: int) -> Callable[[Sight], bool]:
    return lambda now: now.snapshot.entry == entry


def _newest_of_each(sight: Sight, deeds: Sequence[PastDeed]) -> dict[Seat, PastDeed]:
    """The last action of each person, in table order."""
    newest: dict[Seat, PastDeed] = {}
    for deed in deeds:
        if deed.seat in sight.persons:
            newest.setdefault(deed.seat, deed)
    return dict(sorted(newest.items()))


def _which(sight: Sight, deeds: Sequence[PastDeed]) -> Menu:
    """The newest first. Each says whether it can be corrected, or how much has to be undone for it."""
    return _page(sight, deeds, 0)


def _page(sight: Sight, deeds: Sequence[PastDeed], first: int) -> Menu:
    choices = []
    for number, deed in enumerate(deeds[first : first + PAGE], first + 1):
        back = _("undo {count}", count=number)
        mark = (f"{DONE} ", "bold $text-success") if deed.free else (f"{LEFT} {back}: ", "$quiet")
        choices.append(Choice(Content.assemble(mark, sight.say(deed.told)), deed))
    if len(deeds) > first + PAGE:
        choices.append(Choice(_("Earlier ones …"), _page(sight, deeds, first + PAGE)))
    return Menu(_("Which entry is wrong?"), choices, 1)


def _named(sight: Sight, deeds: Sequence[PastDeed]) -> str:
    """What would be undone, the newest first."""
    lines = [f"– {sight.say(deed.told)}" for deed in deeds[:LISTED]]
    more = len(deeds) - LISTED
    return "\n".join(lines + [_("– and {count} more", count=more)] * (more > 0))
