"""The evenings so far: when, what, who, and how it ended. Any that is sound can be gone on with."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Button

from companion.reception import PastEvening
from companion.screen.screens.dialog import Dialog, last_row
from companion.screen.text import _, listed, plural
from companion.screen.widgets.worded import Press
from companion.wording import plain

SHOWN = 30
"""More evenings than anybody looks through by finger."""


class EveningsDialog(Dialog):
    """The result is the evening to go on with."""

    AUTO_FOCUS = ".evening"

    def __init__(self, evenings: Sequence[PastEvening]) -> None:
        super().__init__(lambda: _("Evenings so far"))
        self._evenings = evenings[:SHOWN]
        self.add_class("large")

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="evenings"):
            for number, past in enumerate(self._evenings):
                yield Press(
                    str,
                    partial(two_lines, past),
                    name=str(number),
                    classes="evening",
                    disabled=not can_go_on(past),
                )
        yield from last_row(Press(lambda: "Esc", lambda: _("Close"), variant="primary", name="leave"))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        number = event.button.name or ""
        self.leave(self._evenings[int(number)] if number.isdecimal() else None)


def can_go_on(past: PastEvening) -> bool:
    return past.standing in ("open", "finished", "empty")


def one_line(past: PastEvening) -> Content:
    return Content.assemble((_date(past), "$quiet"), f"  {game_name(past.game)}  ", ending(past))


def two_lines(past: PastEvening) -> Content:
    return Content.assemble(f"{_date(past)}  {game_name(past.game)}", "\n", ending(past))


def ending(past: PastEvening) -> str:
    """Who has how many points, the winner marked; or how far it has come."""
    names = [plain(name) for name in past.players]
    if past.standing == "finished" and len(past.totals) == len(names):
        marks = ["◆ " if seat in past.winners else "" for seat in range(len(names))]
        points = [f"{mark}{name} {total}" for mark, name, total in zip(marks, names, past.totals, strict=True)]
        return ", ".join(points)
    if past.standing in ("damaged", "refused"):
        return _("cannot be read: {problem}").format(problem=plain(past.problem, 60))
    played = plural("{count} action so far", "{count} actions so far", past.actions)
    return _("{names}: {played}").format(names=listed(names), played=played)


def game_name(game: str) -> str:
    return plain(game).capitalize() or "?"


def _date(past: PastEvening) -> str:
    try:
        begun = datetime.fromtimestamp(past.begun_at or 0, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        begun = None
    return f"{begun:%Y-%m-%d %H:%M}" if begun and past.begun_at else plain(past.id, 16)
