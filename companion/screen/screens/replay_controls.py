"""Looking back at a game: where in it somebody is, how they go on, and what everybody held."""

from collections.abc import Callable
from typing import Protocol

from textual.content import Content

from companion.gamekit.game import Seat
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import OwnView
from companion.language.screen_language import _
from companion.screen.widgets.button_bar import GAME_SLOTS, Slot

PLACES = 4
"""Buttons: a step and a round, back and on."""
_KEYS = {
    "left": (-1, False),
    "up": (-1, False),
    "right": (1, False),
    "down": (1, False),
    "space": (1, False),
    "pageup": (-1, True),
    "pagedown": (1, True),
}
"""Which way, and whether by a whole round."""


class ReplayControls(Protocol):
    """Whoever shows another step."""

    def go(self, to: int = 0, by: int = 0, until: tuple[str, ...] = ()) -> None: ...

    def peek(self, seat: Seat, then: Callable[[OwnView], None]) -> None: ...


def places(sight: Sight | None) -> int:
    """How many buttons of the bar are not the evening's."""
    if sight is not None and (sight.snapshot.replay or (sight.is_demo and not sight.over)):
        return PLACES
    return GAME_SLOTS if sight is None or sight.over else sight.face.places


def slots(sight: Sight) -> list[Slot | None]:
    """Buttons that are of no use now are dim, and stay where they are."""
    at = sight.snapshot.replay
    back, on = bool(at and at.step), bool(at and at.step < at.steps)
    return [
        Slot("leaf('left')", _("Back"), "◄", enabled=back),
        Slot("leaf('right')", _("On"), "►", "primary", enabled=on),
        Slot("leaf('pageup')", _("Round", "back"), "PgUp", enabled=back),
        Slot("leaf('pagedown')", _("Round", "on"), "PgDn", enabled=on),
    ]


def leaf(sight: Sight, key: str, talk: ReplayControls) -> bool:
    """Go where this key leads; whether it leads anywhere."""
    at = sight.snapshot.replay
    if at is None:
        return False
    if key in ("home", "end"):
        talk.go(0 if key == "home" else at.steps)
    elif key in _KEYS:
        by, whole = _KEYS[key]
        talk.go(by=by, until=tuple(sorted(sight.face.leaps or sight.face.rounds)) if whole else ())
    else:
        return False
    return True


def standing(sight: Sight) -> str:
    """Where in the game this is; "" at a table where somebody plays."""
    at = sight.snapshot.replay
    if at is None:
        return ""
    if at.open:
        return _("all open: step {step} of {steps}", step=at.step, steps=at.steps)
    return _("looking back: step {step} of {steps}", step=at.step, steps=at.steps)


def keys() -> list[tuple[str, str]]:
    """For the help."""
    return [
        ("◄ ►", _("a step back, a step on")),
        ("PgUp PgDn", _("a round back, a round on")),
        ("Home End", _("to the beginning, to the end")),
    ]


class OpenHands:
    """Everybody's own view, one below the other: only for a game that is over, and only if it was opened."""

    def __init__(
        self, sight: Callable[[], Sight | None], talk: ReplayControls, show: Callable[[Reading], object]
    ) -> None:
        self._sight, self._talk, self._show = sight, talk, show
        self._found: list[OwnView] = []

    def look(self) -> None:
        sight = self._sight()
        if sight is not None and len(self._found) < len(sight.names):
            self._talk.peek(len(self._found), self._next)
        elif sight is not None:
            found, entry = tuple(self._found), sight.snapshot.entry
            self._show(
                Reading(
                    lambda: _("All players' hands"),
                    lambda: _hands(sight, found),
                    large=True,
                    valid=lambda now: now.snapshot.entry == entry,
                )
            )

    def _next(self, own_view: OwnView) -> None:
        self._found.append(own_view)
        self.look()


def _hands(sight: Sight, found: tuple[OwnView, ...]) -> Content:
    parts = []
    for own_view in found:
        looked = sight.looked_at_by(own_view)
        hand = sight.face.hand(looked, False) if looked.own is not None else Content("")
        parts.append(Content("\n").join([Content.styled(sight.name(own_view.seat), "bold"), hand]))
    return Content("\n\n").join(parts)
