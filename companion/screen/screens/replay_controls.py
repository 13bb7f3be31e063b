"""Replaying a finished game: the keys that move through it, the step that is shown, and all hands."""

from collections.abc import Callable
from typing import Protocol

from textual.content import Content

from companion.gamekit.game import Seat
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import LEFT, RIGHT
from companion.gamekit.snapshot import OwnView
from companion.language.screen_language import _

_KEYS = {
    "left": (-1, False),
    "up": (-1, False),
    "right": (1, False),
    "down": (1, False),
    "space": (1, False),
    "pageup": (-1, True),
    "pagedown": (1, True),
}
"""The direction, and whether to go a whole round."""
GAME_KEYS = ("up", "down", "space")
"""Those that may be a game's own where a puzzle asks what to do."""


class ReplayControls(Protocol):
    """Shows another step."""

    def go(self, to: int = 0, by: int = 0, until: tuple[str, ...] = ()) -> None: ...

    def peek(self, seat: Seat, then: Callable[[OwnView], None]) -> None: ...


def leaf(sight: Sight, key: str, talk: ReplayControls) -> bool:
    """Go where this key leads. Returns whether it leads anywhere."""
    at = sight.snapshot.replay
    if at is None:
        return False
    if key in ("home", "end"):
        talk.go(0 if key == "home" else at.steps)
    elif key in _KEYS and not (at.asks and key in GAME_KEYS):
        by, whole = _KEYS[key]
        talk.go(by=by, until=tuple(sorted(sight.face.leaps or sight.face.rounds)) if whole else ())
    else:
        return False
    return True


def standing(sight: Sight) -> str:
    """The step that is shown; "" at a table where a game is played."""
    at = sight.snapshot.replay
    if at is None:
        return ""
    if at.puzzle is not None:
        return _("puzzle: step {step}, the decision of {name}", step=at.step, name=sight.name(at.puzzle.seat))
    if at.open:
        return _("all open: step {step} of {steps}", step=at.step, steps=at.steps)
    return _("looking back: step {step} of {steps}", step=at.step, steps=at.steps)


def replay_keys() -> list[tuple[str, str]]:
    """The keys and what they do, for the help."""
    return [
        (f"{LEFT} {RIGHT}", _("a step back, a step on")),
        ("PgUp PgDn", _("a round back, a round on")),
        ("Home End", _("to the beginning, to the end")),
    ]


class OpenHands:
    """All players' hands, one below the other: only for a finished game, and only if the replay is open."""

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
        hand = sight.face.hand(looked, False) if looked.has_hand else Content("")
        parts.append(Content("\n").join([Content.styled(sight.name(own_view.seat), "bold"), hand]))
    return Content("\n\n").join(parts)
