"""Secret choices on a shared screen, which is handed from one player to the next.

A choice goes straight to the link. It is neither a dialog's result nor an attribute, so nothing of it is left here once
the referee has answered. A player's own view is requested when they have the screen, and forgotten when their dialog
closes.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from textual.app import App
from textual.content import Content
from textual.screen import ModalScreen

from companion.gamekit.figure import figures_of
from companion.gamekit.game import Seat
from companion.gamekit.screen.dialog import Dialog, Reading
from companion.gamekit.screen.face import Action, Choice, Menu, Sight
from companion.gamekit.screen.picker import Choices
from companion.gamekit.screen.press_guard import Calm
from companion.gamekit.snapshot import OwnView
from companion.language.screen_language import _


class PrivateTalk(Protocol):
    """Takes choices, and knows what a player may see, and in which language."""

    def act(self, action: Action) -> None: ...

    def lend_to(self, sight: Sight, seat: Seat) -> None: ...

    def take_back(self) -> None: ...

    def peek(self, seat: Seat, then: Callable[[OwnView], None]) -> None: ...


class Secret(Choices):
    """Passes the choice to `post`; its own result is only that there was one."""

    def __init__(
        self,
        menu: Callable[[], Menu],
        post: Callable[[Action], None],
        *,
        text: Callable[[], Content],
        valid: Callable[[Sight], bool],
    ) -> None:
        super().__init__(menu, text=text, valid=valid)
        self._post = post

    def picked(self, value: object) -> None:
        if self.app.screen is self and isinstance(value, dict):
            self._post(value)
            self.leave(True)


class HandOver(Choices):
    """ "Hand the screen to Ben": the choices appear when Ben confirms, by Enter, space or touch. Keys that choose
    something are ignored here."""

    BINDINGS = [("space", "take", "")]

    def action_take(self) -> None:
        self._pick(1)


class Handing:
    """Leads the persons to their secret choices, one after the other."""

    def __init__(self, app: App[None], sight: Callable[[], Sight | None], referee: PrivateTalk, do: str) -> None:
        self._app, self._sight, self._referee, self._do = app, sight, referee, do
        self._done: set[Seat] = set()
        self._calm = Calm()

    def begin(self) -> None:
        """The next player who has not chosen yet. When all have, any player may change their choice. A single person
        needs no hand-over."""
        sight = self._sight()
        seats = self._seats(sight)
        if sight is None or not seats:
            return
        waiting = [seat for seat in seats if seat not in {*sight.snapshot.settled, *self._done}]
        if len(sight.persons) == 1:
            if not self._done:
                self._choose(sight, seats[0])
        elif waiting:
            self._hand(sight, waiting[0])
        elif not self._done:
            self._ask_who(sight, seats)

    def _hand(self, sight: Sight, seat: Seat) -> None:
        def menu() -> Menu:
            name = sight.name(seat)
            choices = [
                Choice(_("I am {name}", name=name), seat, key="Enter"),
                Choice(_("Another player"), "other", key="o"),
            ]
            return Menu(_("Hand the screen to {name}", name=name), choices, 2)

        def taken(result: object) -> None:
            now = self._sight()
            if now is None:
                return
            if result == "other" and self._seats(now):
                self._ask_who(now, self._seats(now))
            elif isinstance(result, int) and seat in self._seats(now):
                self._choose(now, seat)

        dialog = HandOver(
            menu,
            text=lambda: _("Everyone else, please look away."),
            leave=lambda: _("Not now"),
            valid=self._still(seat),
        )
        self._ask(dialog, taken)

    def _ask_who(self, sight: Sight, seats: Sequence[Seat]) -> None:
        def menu() -> Menu:
            return Menu(self._who(), [Choice(sight.name(seat), seat) for seat in seats])

        def named(seat: object) -> None:
            now = self._sight()
            if now is not None and isinstance(seat, int):
                self._hand(now, seat)

        self._ask(Choices(menu, valid=lambda now: bool(self._seats(now))), named)

    def _who(self) -> str:
        return _("Who wants to choose?")

    def _choose(self, sight: Sight, seat: Seat) -> None:
        """From the player's own hand, if the referee or the simulated stack knows it."""
        if sight.snapshot.own or self._do in sight.snapshot.dealt:
            self._referee.peek(seat, self._look)
        else:
            self._offer(sight, seat)

    def _look(self, own_view: OwnView) -> None:
        now = self._sight()
        if now is not None and own_view.seat in self._seats(now):
            self._offer(now.looked_at_by(own_view), own_view.seat)

    def _offer(self, sight: Sight, seat: Seat) -> None:
        """What this player can choose. An offer that all see may be impossible with their hand. Only they may know
        that, so they are told here, and not by a missing button."""
        actions = [action for action in sight.doing(self._do) if action.get("seat") == seat]
        self._referee.lend_to(sight, seat)
        if not actions:
            self._ask(self._nothing(sight, seat), lambda _closed: self._referee.take_back())
            return

        def chosen(result: object) -> None:
            self._referee.take_back()
            if result is not None:
                self._done.add(seat)
                self.begin()

        post = self._referee.act
        dialog = sight.face.dialog(sight, actions, post)
        if dialog is None:
            dialog = secret = Secret(
                lambda: sight.face.choices(sight, actions),
                post,
                text=lambda: private(sight, seat, choosing=True),
                valid=self._still(seat),
            )
            secret.figures = figures_of(sight.snapshot.game)
        self._ask(dialog, chosen)

    def _nothing(self, sight: Sight, seat: Seat) -> Reading:
        def text() -> Content:
            why = Content(_("Nothing in your hand can be used for this now."))
            return Content("\n").join([private(sight, seat, choosing=False), why])

        return Reading(lambda: _("Nothing to choose"), text, valid=self._still(seat))

    def _ask(self, dialog: ModalScreen[Any], then: Callable[[Any], None]) -> None:
        """One step. A press that comes too early, or a key still held from the step before, is ignored."""
        if isinstance(dialog, Dialog):
            self._calm.begin()
            dialog.calm = self._calm
        self._app.push_screen(dialog, then)

    def _still(self, seat: Seat) -> Callable[[Sight], bool]:
        return lambda sight: seat in self._seats(sight)

    def _seats(self, sight: Sight | None) -> list[Seat]:
        """The persons who may choose now, in table order."""
        return sorted({action["seat"] for action in sight.doing(self._do)}) if sight else []


class Peeking(Handing):
    """Lets one person look at their own hand. Nothing is chosen."""

    def __init__(self, app: App[None], sight: Callable[[], Sight | None], referee: PrivateTalk) -> None:
        super().__init__(app, sight, referee, "")

    def begin(self) -> None:
        sight = self._sight()
        seats = self._seats(sight)
        if sight is not None and len(seats) == 1:
            self._choose(sight, seats[0])
        elif sight is not None and seats:
            self._ask_who(sight, seats)

    def _offer(self, sight: Sight, seat: Seat) -> None:
        entry = sight.snapshot.entry
        self._referee.lend_to(sight, seat)
        dialog = Reading(
            lambda: _("In hand"),
            lambda: private(sight, seat, choosing=False),
            valid=lambda now: now.snapshot.entry == entry,  # what it shows may not be so any more
        )
        self._ask(dialog, lambda _closed: self._referee.take_back())

    def _who(self) -> str:
        return _("Who wants to look at their hand?")

    def _seats(self, sight: Sight | None) -> list[Seat]:
        return sorted(sight.persons) if sight and sight.snapshot.own and not sight.over else []


def private(sight: Sight, seat: Seat, *, choosing: bool) -> Content:
    """Whose eyes it is for, and what they may see."""
    warning = Content(_("{name}, only you should see this.", name=sight.name(seat)))
    hand = sight.face.hand(sight, choosing) if sight.has_hand else Content("")
    return Content("\n").join([warning, hand]) if hand.cell_length else warning
