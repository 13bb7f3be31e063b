"""The list of evenings: when, what, who, and how it ended. You can resume every sound evening, and remove any."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial

from rich.cells import set_cell_size
from textual.app import ComposeResult
from textual.color import Color
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content

from companion.gamekit.screen.block_art import block_art
from companion.gamekit.screen.controls import ButtonList, KeyButton, Worded
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import Choice, Menu
from companion.gamekit.screen.picker import Choices
from companion.gamekit.sign_table import LEADS, REMOVE
from companion.gamekit.snapshot import Result
from companion.language.screen_language import _, listed
from companion.language.wording import numeral, plain
from companion.messages.lobby import PastEvening
from companion.screen.widgets.game_card import ink_of, picture_of

SHOWN = 30
"""More evenings than players scroll through by finger."""
WIDE = 120
"""From this width on, the evening that has the focus is told beside the list."""
PICTURE = 9
"""Rows of the game's picture."""
BAR = 24
"""Cells of the longest bar."""


class EveningButton(KeyButton):
    """Resumes an evening."""

    def __init__(self, past: PastEvening, then: Callable[[], object]) -> None:
        super().__init__(str, partial(all_lines, past), then, classes="evening", disabled=not can_go_on(past))
        self.past = past


class RemoveButton(KeyButton):
    """Asks whether to remove an evening."""

    def __init__(self, past: PastEvening, then: Callable[[], object]) -> None:
        super().__init__(str, lambda: REMOVE, then, classes="remove")
        self.past = past


class EveningsDialog(Dialog):
    """The result is the way to go ("resume" or "replay"), an evening, and the number of its game. `remove`
    removes one and returns its problem, if there is one. A wide screen shows more about the evening that has the
    focus."""

    BINDINGS = [("x,delete", "remove", ""), ("p", "replay", "")]
    AUTO_FOCUS = ".evening"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]

    def __init__(
        self, evenings: Callable[[], Sequence[PastEvening]], remove: Callable[[PastEvening], Awaitable[str]]
    ) -> None:
        super().__init__(lambda: _("Evenings so far"))
        self._all, self._remove = evenings, remove
        self._evenings = evenings()[:SHOWN]
        self._problem = ""
        self._chosen = self._evenings[0] if self._evenings else None
        """The evening that had the focus last."""
        self.add_class("large")

    def content(self) -> ComposeResult:
        if self._problem:
            yield Worded(lambda: self._problem, classes="text")
        with Horizontal(classes="archive"):
            with ButtonList(classes="evenings"):
                for past in self._evenings:
                    with Horizontal(classes="row") as row:
                        row.styles.height = all_lines(past).plain.count("\n") + 3
                        yield EveningButton(past, partial(self.leave, ("resume", past, past.games)))
                        yield RemoveButton(past, partial(self._ask, past))
            with VerticalScroll(can_focus=False, classes="details"):
                yield Worded(self._details)
        yield from last_row(
            KeyButton(lambda: "Enter", lambda: _("Resume"), self.action_resume, variant="success"),
            KeyButton(lambda: "p", lambda: _("Replay"), self.action_replay),
            KeyButton(lambda: "x", lambda: _("Remove …"), self.action_remove),
            KeyButton(lambda: "Esc", lambda: _("Close"), self.action_leave, classes="leave"),
        )

    def on_resize(self) -> None:
        self.redraw()

    def on_descendant_focus(self) -> None:
        if isinstance(self.focused, EveningButton | RemoveButton):
            self._chosen = self.focused.past
            for words in self.query(".details Worded").results(Worded):
                words.redraw()

    def _details(self) -> Content:
        if self._chosen is None or not self.has_class("-wide"):
            return Content("")
        figure = picture_of(self._chosen.game)
        if figure is None:
            return details(self._chosen)
        ink = ink_of(self._chosen.game, self.app.current_theme.dark)
        paper = Color.parse(self.app.current_theme.surface or "#000000").hex6
        return Content("\n\n").join(
            [Content("\n").join(block_art(figure, 2 * PICTURE, PICTURE, ink, paper)), details(self._chosen)]
        )

    def action_step(self, direction: int) -> None:
        """To the next evening that can go on, past the buttons that remove one: Enter resumes it."""
        if not any(map(can_go_on, self._evenings)):
            super().action_step(direction)
        elif direction > 0:
            self.focus_next(EveningButton)
        else:
            self.focus_previous(EveningButton)

    def action_resume(self) -> None:
        if self._chosen is not None and can_go_on(self._chosen):
            self.leave(("resume", self._chosen, self._chosen.games))

    def action_replay(self) -> None:
        """A game that is not over can be replayed, too: it shows what all players could see."""
        past = self._chosen
        if past is None or past.standing not in ("open", "finished"):
            return
        if past.games > 1:
            self.app.push_screen(Choices(partial(_which_game, past)), partial(self._replay, past))
        else:
            self._replay(past, 1)

    def _replay(self, past: PastEvening, game: int | None) -> None:
        if game is not None:
            self.leave(("replay", past, game))

    def action_remove(self) -> None:
        """The evening that had the focus last, else the newest."""
        if self._chosen is not None:
            self._ask(self._chosen)

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
        self._chosen = self._evenings[0] if self._evenings else None
        if self._evenings or self._problem:
            await self.recompose()
            for button in self.query(".evening").results(KeyButton):
                button.focus()
                break
        else:
            self.leave()


def _which_game(past: PastEvening) -> Menu:
    choices = [Choice(_("Game {number}", number=number), number) for number in range(1, past.games + 1)]
    return Menu(_("Which game of the match?"), choices)


def _asked(past: PastEvening) -> Content:
    kept = _("It moves to the folder “removed”, next to the evenings. You can move it back from there.")
    return Content("\n\n").join([all_lines(past), Content(kept)])


def can_go_on(past: PastEvening) -> bool:
    return past.standing in ("open", "finished", "empty")


def one_line(past: PastEvening) -> Content:
    return Content.assemble((_date(past, "%Y-%m-%d"), "$quiet"), f"  {game_title(past)}  ", ending(past))


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


def details(past: PastEvening) -> Content:
    """An evening in full: each game with a bar for each player, and the match."""
    names = [plain(name) for name in past.players]
    parts = [Content.styled(f"{game_title(past)}  {_date(past)}", "bold")]
    newest = Result(past.totals, past.winners)
    games = [*past.earlier, *([newest] if past.standing == "finished" else [])]
    first = past.games - len(past.earlier)
    for number, game in enumerate(games, first):
        title = _("Game {number}", number=number) if past.games > 1 else _("Result")
        parts.append(Content("\n").join([Content.styled(title, "$quiet"), *_bars(names, game.totals, game.winners)]))
    if past.standing == "finished" and len(past.sums) == len(names):
        best = [seat for seat, total in enumerate(past.sums) if total == max(past.sums)]
        title = _("The whole match") if past.ended else _("The match so far")
        parts.append(Content("\n").join([Content.styled(title, "$quiet"), *_bars(names, past.sums, best)]))
    if past.standing != "finished":
        parts.append(Content(_newest(past, names)))
    return Content("\n\n").join(parts)


def _bars(names: Sequence[str], totals: Sequence[int], winners: Sequence[int]) -> list[Content]:
    most = max((abs(total) for total in totals), default=0) or 1
    return [
        Content.assemble(
            (f"{LEADS} " if seat in winners else "  "),
            (set_cell_size(name, 12), "bold" if seat in winners else ""),
            f"{numeral(total):>5} ",
            ("█" * max(0, total * BAR // most), "$text-primary"),
        )
        for seat, (name, total) in enumerate(zip(names, totals, strict=False))
    ]


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
    marks = [f"{LEADS} " if seat in winners else "" for seat in range(len(names))]
    return ", ".join(f"{mark}{name} {numeral(total)}" for mark, name, total in zip(marks, names, totals, strict=False))


def game_title(past: PastEvening) -> str:
    return plain(past.title or past.game) or "?"


def _date(past: PastEvening, shape: str = "%Y-%m-%d %H:%M") -> str:
    try:
        begun = datetime.fromtimestamp(past.begun_at or 0, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        begun = None
    return begun.strftime(shape) if begun and past.begun_at else plain(past.id, 16)
