"""The whole result, and its way into files: as text, and as a picture."""

import re
from collections.abc import Iterator
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.segment import Segment, Segments
from rich.terminal_theme import TerminalTheme
from textual.app import App, ComposeResult
from textual.color import Color
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Button

from companion.screen.charts import bars, course, majorities
from companion.screen.face import Sight
from companion.screen.screens.dialog import Dialog, last_row
from companion.screen.sheet import outcome, sheet
from companion.screen.text import _
from companion.screen.widgets.history import part_lines
from companion.screen.widgets.worded import Press, Worded, Words

WIDTH = 90
"""Of a result in a file."""
ROOMY = 140
"""From this width on two tables stand side by side."""
GAP = Content("\n\n")


class ResultDialog(Dialog):
    """Everything about a game that is over; `s` saves it."""

    BINDINGS = [("s", "save", ""), ("r", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, sight: Sight) -> None:
        super().__init__(lambda: outcome(self._sight).sentence, valid=lambda now: now.over)
        self._sight = sight
        self._saved: Words = lambda: ""
        self.add_class("large")

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(lambda: GAP.join(list(blocks(self._sight, self._width))))
        yield Worded(self._told, classes="text told")
        yield from last_row(
            Press(lambda: "s", lambda: _("Save"), name="save", variant="primary"),
            Press(lambda: "Esc", lambda: _("Close"), name="leave", classes="leave"),
        )

    def _told(self) -> str:
        return self._saved()

    @property
    def _width(self) -> int:
        return max(40, int(self.app.size.width * 0.96) - 8)

    def show(self, sight: Sight) -> None:
        super().show(sight)
        if sight.over:
            self._sight = sight
            self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_save() if event.button.name == "save" else self.leave()

    def action_save(self) -> None:
        paths, problem = save(self.app, self._sight)
        if paths:
            self._saved = lambda: _("Saved: {paths}").format(paths="  ".join(map(str, paths)))
        else:
            self._saved = lambda: _("This could not be saved: {problem}").format(problem=problem)
        for told in self.query(".told").results(Worded):
            told.redraw()


def blocks(sight: Sight, width: int) -> Iterator[Content]:
    """The parts of a result, the most important first."""
    drawn = (sheet(sight, width), bars(sight, width), majorities(sight, width), course(sight, width))
    yield from (block for block in drawn if block.plain)
    lines = part_lines(sight)
    if lines:
        rows = [Content.assemble(f" {line.sentence}  ", (line.rule, "$quiet")) for line in lines]
        yield Content("\n").join([Content.styled(" " + _("Every point, and why"), "$quiet"), *rows])


def fitting(sight: Sight, width: int, rows: int) -> list[Content]:
    """The sheet, and as many of the charts as there is room for below it."""
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


def save(app: App[Any], sight: Sight) -> tuple[list[Path], str]:
    """As text and as a picture: where the program was started, or at home if nothing can be written there.

    The files, or why there are none."""
    whole = Content("\n\n").join([Content.styled(f" {_sentence(sight)}", "bold"), *blocks(sight, WIDTH)])
    texts = {".txt": f"{whole.plain.rstrip()}\n", ".svg": _picture(app, whole)}
    problem = ""
    for folder in (Path.cwd(), Path.home()):
        paths = [folder / (_stem(sight) + ending) for ending in texts]
        try:
            for path, text in zip(paths, texts.values(), strict=True):
                path.write_text(text, encoding="utf-8")
        except OSError as error:
            problem = f"{error.strerror} ({folder})"
        else:
            return paths, ""
    return [], problem


def _sentence(sight: Sight) -> str:
    return outcome(sight).sentence


def _stem(sight: Sight) -> str:
    """2026-11-16-1-lascaux-2: the evening, the game, and which one of the match."""
    evening = re.sub(r"[^\w-]", "", sight.snapshot.evening)[:40]
    return f"{evening}-{sight.snapshot.game}-{len(sight.snapshot.match) + 1}"


def _picture(app: App[Any], content: Content) -> str:
    """An SVG that asks nobody for a font."""
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
