"""The whole result, which can be saved as a text and as a picture."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Any, Protocol

from rich.console import Console
from rich.segment import Segment, Segments
from rich.terminal_theme import TerminalTheme
from textual.app import App, ComposeResult
from textual.color import Color
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Button

from companion.drawing.event_lines import HistoryLine, reasons
from companion.drawing.result_sheet import bars, can_end, course, majorities, outcome, sheet
from companion.files import store_all
from companion.gamekit.screen.controls import KeyButton, Worded, Words
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import LEFT, RIGHT
from companion.language.screen_language import _
from companion.language.wording import plain

WIDTH = 90
"""Cells of a result in a file."""
ROOMY = 140
"""From this width on, two tables fit side by side."""
GAP = Content("\n\n")


class AsksForGames(Protocol):
    """Shows how an earlier game of the match ended."""

    def look_at_game(self, game: int, then: Callable[[Sight], None]) -> None: ...


class ResultDialog(Dialog):
    """Everything about a finished game, and about every game of its match. `s` saves it, `e` ends the match if there
    is one, arrow keys go to the game before and after."""

    BINDINGS = [
        ("s", "save", ""),
        ("e", "end_match", ""),
        ("r", "leave", ""),
        ("left", "game(-1)", ""),
        ("right", "game(1)", ""),
    ]
    AUTO_FOCUS = ".leave"

    def __init__(
        self,
        sight: Sight,
        talk: AsksForGames,
        end_match: Callable[[], None],
        folder: Path | None,
        *,
        now: bool = True,
    ) -> None:
        """`folder` is where it is saved, beside its evening; None: the current folder. `now`: it is the game that is at
        the table; otherwise an earlier one of the match."""
        super().__init__(self._heading, valid=lambda seen: seen.over or not now)
        self._sight, self._talk, self._end_match, self._folder, self._now = sight, talk, end_match, folder, now
        self._newest = _number(sight)
        """The last game that can be shown."""
        self._saved: Words = lambda: ""
        self.add_class("large")

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(lambda: GAP.join(list(blocks(self._sight, self._width))))
        yield Worded(self._told, classes="text told")
        end = KeyButton(lambda: "e", lambda: _("End the match"), name="end", classes="end")
        end.display = self._now and can_end(self._sight)
        earlier = [
            KeyButton(lambda: LEFT, self._before, name="before", classes="before"),
            KeyButton(lambda: RIGHT, self._after, name="after", classes="after"),
        ]
        yield from last_row(
            *(earlier if self._newest > 1 else []),
            KeyButton(lambda: "s", lambda: _("Save"), name="save", variant="primary"),
            end,
            KeyButton(lambda: "Esc", lambda: _("Close"), name="leave", classes="leave"),
        )

    def on_mount(self) -> None:
        self._turned()

    def _heading(self) -> str:
        sentence = outcome(self._sight).sentence
        if self._newest == 1:
            return sentence
        return _("Game {number}: {outcome}", number=_number(self._sight), outcome=sentence)

    def _before(self) -> str:
        return _("Game {number}", number=max(1, _number(self._sight) - 1))

    def _after(self) -> str:
        return _("Game {number}", number=min(self._newest, _number(self._sight) + 1))

    def _told(self) -> str:
        return self._saved()

    @property
    def _width(self) -> int:
        return max(40, int(self.app.size.width * 0.96) - 8)

    def show(self, sight: Sight) -> None:
        super().show(sight)
        if sight.over and self._now and _number(self._sight) == self._newest:
            self._turn(sight)

    def on_resize(self) -> None:
        self.redraw()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        then: dict[str, Callable[[], object]] = {
            "save": self.action_save,
            "end": self.action_end_match,
            "before": partial(self.action_game, -1),
            "after": partial(self.action_game, 1),
        }
        then.get(event.button.name or "", self.leave)()

    def action_game(self, by: int) -> None:
        """Another game of the match, in full."""
        wanted = _number(self._sight) + by
        if 1 <= wanted <= self._newest:
            self._talk.look_at_game(wanted, self._turn)

    def _turn(self, sight: Sight) -> None:
        if self.is_mounted:
            self._sight, self._saved = sight, lambda: ""
            self.query_one(".reading").scroll_home(animate=False)
            self._turned()
            self.redraw()

    def _turned(self) -> None:
        number = _number(self._sight)
        self.query_one(".end").display = self._now and number == self._newest and can_end(self._sight)
        for button in self.query(".before, .after").results(KeyButton):
            button.disabled = number == (1 if button.has_class("before") else self._newest)

    def action_end_match(self) -> None:
        if self._now:
            self._end_match()

    def action_save(self) -> None:
        paths, problem = save(self.app, self._sight, self._folder)
        if paths:
            self._saved = lambda: _("Saved: {paths}", paths="  ".join(plain(str(path), 500) for path in paths))
        else:
            self._saved = lambda: _("This could not be saved: {problem}", problem=problem)
        for told in self.query(".told").results(Worded):
            told.redraw()


def _number(sight: Sight) -> int:
    """Which game of the match this is, from 1."""
    return len(sight.snapshot.match) + 1


def blocks(sight: Sight, width: int) -> Iterator[Content]:
    """The parts of a result, the most important first."""
    drawn = (sheet(sight, width), bars(sight, width), majorities(sight, width), course(sight, width))
    yield from (block for block in drawn if block.plain)
    lines = reasons(sight)
    if lines:
        rows = [row for line in lines for row in _wrapped(line, width)]
        yield Content("\n").join([Content.styled(f" {sight.face.every_point()}", "$quiet"), *rows])


def _wrapped(line: HistoryLine, width: int) -> list[Content]:
    """Long lines are wrapped with an indent, never within a product, so that players can add up the points."""
    kept_together = line.sentence.replace(" × ", "\xa0×\xa0").replace(" = ", "\xa0=\xa0")
    wrapped = wrap(kept_together, width - len(line.rule) - 5, subsequent_indent="  ") or [""]
    *rows, last = [row.replace("\xa0", " ") for row in wrapped]
    return [*(Content(f" {row}") for row in rows), Content.assemble(f" {last}  ", (line.rule, "$quiet"))]


def rows_left(height: int, tall: bool) -> int:
    """The rows for a result, if a few stay for the reasons below it."""
    return height - (15 if tall else 10)


def fitting(sight: Sight, width: int, rows: int) -> list[Content]:
    """The sheet, and as many charts as fit below it."""
    first, *others = sheet(sight, width), bars(sight, width), majorities(sight, width), course(sight, width)
    if width >= ROOMY:
        first = _beside(sheet(sight, width // 2), majorities(sight, width // 2), width // 2)
        others = [bars(sight, width), course(sight, width)]
    panels = [first]
    rows -= _height(first)
    for block in others:
        if block.plain and _height(block) + 1 <= rows:
            panels.append(Content("\n") + block)
            rows -= _height(block) + 1
    return panels


def _beside(left: Content, right: Content, width: int) -> Content:
    """Two blocks side by side."""
    rows = zip_longest(left.split("\n"), right.split("\n"), fillvalue=Content(""))
    return Content("\n").join(
        [Content.assemble(one, " " * max(0, width - one.cell_length), other) for one, other in rows]
    )


def _height(block: Content) -> int:
    return block.plain.count("\n") + 1


# --- Into files -----------------------------------------------------------------------------------------------


def save(app: App[Any], sight: Sight, folder: Path | None) -> tuple[list[Path], str]:
    """As a text and as a picture, in `folder`, or in the home folder if that cannot be written.

    Returns the files, or the problem.
    """
    whole = Content("\n\n").join([Content.styled(f" {_sentence(sight)}", "bold"), *blocks(sight, WIDTH)])
    texts = {".txt": f"{whole.plain.rstrip()}\n", ".svg": _picture(app, whole)}
    problem = ""
    places = [folder or Path.cwd()]
    with suppress(RuntimeError):  # this user has no home
        places.append(Path.home())
    for place in places:
        paths = [place / (_stem(sight) + ending) for ending in texts]
        try:
            store_all(dict(zip(paths, texts.values(), strict=True)))
        except OSError as error:
            problem = f"{error.strerror} ({place})"
        else:
            return paths, ""
    return [], problem


def _sentence(sight: Sight) -> str:
    return outcome(sight).sentence


def _stem(sight: Sight) -> str:
    """2026-11-16-1-lascaux-2: the evening, the game, and its number in the match."""
    evening = re.sub(r"[^\w-]", "", sight.snapshot.evening)[:40]
    return f"{evening}-{sight.snapshot.game}-{_number(sight)}"


def _picture(app: App[Any], content: Content) -> str:
    """An SVG that needs no font from the network."""
    height = _height(content)
    console = Console(
        width=WIDTH, height=height, file=StringIO(), force_terminal=True, color_system="truecolor", record=True
    )
    rendered = content.render(Style(), "\n", app.stylesheet.parse_style)
    console.print(Segments([Segment(text, style.rich_style) for text, style in rendered]), end="")
    svg = console.export_svg(title="Companion", theme=_svg_theme(app))
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)


def _svg_theme(app: App[Any]) -> TerminalTheme:
    theme = app.current_theme
    paper, ink = Color.parse(theme.background or "#121212").rgb, Color.parse(theme.foreground or "#e6e6e6").rgb
    return TerminalTheme(paper, ink, [ink] * 8)
