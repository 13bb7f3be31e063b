"""The list of evenings: when, what, who, and how it ended. You can resume every sound evening, and remove any."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content

from companion.gamekit.screen.controls import KeyButton, Worded
from companion.gamekit.screen.dialog import Choices, Dialog, last_row
from companion.gamekit.screen.face import Choice, Menu
from companion.language.screen_language import _, listed
from companion.language.wording import numeral, plain
from companion.messages.lobby import PastEvening

SHOWN = 30
"""More evenings than players scroll through by finger."""


class EveningButton(KeyButton):
    """Resumes an evening."""

    def __init__(self, past: PastEvening, then: Callable[[], object]) -> None:
        super().__init__(str, partial(all_lines, past), then, classes="evening", disabled=not can_go_on(past))
        self.past = past


class RemoveButton(KeyButton):
    """Asks whether to remove an evening."""

    def __init__(self, past: PastEvening, then: Callable[[], object]) -> None:
        super().__init__(str, lambda: "×", then, classes="remove")
        self.past = past


class EveningsDialog(Dialog):
    """The result is the evening to resume. `remove` removes one and returns its problem, if there is one."""

    BINDINGS = [("x,delete", "remove", "")]
    AUTO_FOCUS = ".evening"

    def __init__(
        self, evenings: Callable[[], Sequence[PastEvening]], remove: Callable[[PastEvening], Awaitable[str]]
    ) -> None:
        super().__init__(lambda: _("Evenings so far"))
        self._all, self._remove = evenings, remove
        self._evenings = evenings()[:SHOWN]
        self._problem = ""
        self.add_class("large")

    def content(self) -> ComposeResult:
        if self._problem:
            yield Worded(lambda: self._problem, classes="text")
        with VerticalScroll(can_focus=False, classes="evenings"):
            for past in self._evenings:
                with Horizontal(classes="row") as row:
                    row.styles.height = all_lines(past).plain.count("\n") + 3
                    yield EveningButton(past, partial(self.leave, past))
                    yield RemoveButton(past, partial(self._ask, past))
        yield from last_row(
            KeyButton(lambda: "x", lambda: _("Remove …"), self.action_remove),
            KeyButton(lambda: "Esc", lambda: _("Close"), self.action_leave, variant="primary", classes="leave"),
        )

    def action_remove(self) -> None:
        """The evening with the focus, else the newest."""
        if isinstance(self.focused, EveningButton | RemoveButton):
            self._ask(self.focused.past)
        elif self._evenings:
            self._ask(self._evenings[0])

    def _ask(self, past: PastEvening) -> None:
        def menu() -> Menu:
            choices = [
                Choice(_("Remove it"), True, key=_("y", "key")),
                Choice(_("Keep it"), False, key=_("n", "key")),
            ]
            return Menu(_("Remove this evening?"), choices, 2)

        def answered(agreed: object) -> None:
            if agreed:
                self.run_worker(self._go(past), group="remove", exclusive=True)

        self.app.push_screen(Choices(menu, text=lambda: _asked(past)), answered)

    async def _go(self, past: PastEvening) -> None:
        self._problem = await self._remove(past)
        self._evenings = self._all()[:SHOWN]
        if self._evenings or self._problem:
            await self.recompose()
            for button in self.query(".evening").results(KeyButton):
                button.focus()
                break
        else:
            self.leave()


def _asked(past: PastEvening) -> Content:
    kept = _("It moves to the folder “removed”, next to the evenings. You can move it back from there.")
    return Content("\n\n").join([all_lines(past), Content(kept)])


def can_go_on(past: PastEvening) -> bool:
    return past.standing in ("open", "finished", "empty")


def one_line(past: PastEvening) -> Content:
    return Content.assemble((_date(past), "$quiet"), f"  {game_title(past)}  ", ending(past))


def all_lines(past: PastEvening) -> Content:
    """When and what. For a match, each game and all of them together."""
    names = [plain(name) for name in past.players]
    lines = [f"{_date(past)}  {game_title(past)}"]
    first = past.games - len(past.earlier)
    for number, game in enumerate(past.earlier, first):
        lines.append(_numbered(number, _points(names, game.totals, game.winners)))
    newest = _newest(past, names)
    lines.append(_numbered(past.games, newest) if past.earlier else newest)
    return Content("\n".join(line for line in (*lines, _match(past, names)) if line))


def ending(past: PastEvening) -> str:
    """How the last game stands, and its match."""
    names = [plain(name) for name in past.players]
    return "  ".join(told for told in (_newest(past, names), _match(past, names)) if told)


def _newest(past: PastEvening, names: Sequence[str]) -> str:
    """Each player's points with the winner marked, or how far the game is."""
    if past.standing == "finished" and len(past.totals) == len(names):
        return _points(names, past.totals, past.winners)
    if past.standing == "waiting":
        return _waits(past)
    if past.standing in ("damaged", "refused"):
        return _("cannot be read: {problem}", problem=plain(past.problem, 60))
    played = _("{count:action|actions} so far", count=past.actions)
    return _("{names}: {played}", names=listed(names), played=played)


def _waits(past: PastEvening) -> str:
    """The evening is sound: what to install for it, or the problem of its game."""
    if past.package:
        return _("needs {package}, not installed here", package=plain(past.package, 40))
    return plain(past.problem, 60)


def _match(past: PastEvening, names: Sequence[str]) -> str:
    """The points of all games of the match, and who leads or has won."""
    if len(past.sums) != len(names) or past.standing != "finished":
        return ""
    sums = _points(names, past.sums, past.leaders)
    if not past.ended:
        return _("match: {sums}", sums=sums)
    return _("match won by {names}: {sums}", names=listed([names[seat] for seat in past.leaders]), sums=sums)


def _numbered(number: int, told: str) -> str:
    return _("game {number}: {standing}", number=number, standing=told)


def _points(names: Sequence[str], totals: Sequence[int], winners: Sequence[int]) -> str:
    """Each player's points, with a mark for the winner."""
    marks = ["◆ " if seat in winners else "" for seat in range(len(names))]
    return ", ".join(f"{mark}{name} {numeral(total)}" for mark, name, total in zip(marks, names, totals, strict=False))


def game_title(past: PastEvening) -> str:
    return plain(past.title or past.game) or "?"


def _date(past: PastEvening) -> str:
    try:
        begun = datetime.fromtimestamp(past.begun_at or 0, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        begun = None
    return f"{begun:%Y-%m-%d %H:%M}" if begun and past.begun_at else plain(past.id, 16)
