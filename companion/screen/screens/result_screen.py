"""The whole result, which can be saved as a text and as a picture."""

import asyncio
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
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Button

from companion.drawing.event_lines import HistoryLine, reasons
from companion.drawing.qr_code import code
from companion.drawing.result_sheet import bars, can_end, course, game_number, majorities, outcome, sheet
from companion.errors import CompanionError
from companion.files import store_all
from companion.gamekit.screen.controls import KeyButton, LanguageButton, Worded, Words
from companion.gamekit.screen.dialog import Dialog, Reading, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import LEFT, RIGHT
from companion.language.screen_language import _, language
from companion.language.wording import plain
from companion.messages.lobby import GameAnalyses
from companion.messages.phone_access import PhoneAccess
from companion.screen.screens.phone_codes import opened

WIDTH = 90
"""Cells of a result in a file."""
ROOMY = 140
"""From this width on, two tables fit side by side."""
GAP = Content("\n\n")


class ResultTalk(Protocol):
    """Shows how an earlier game of the match ended."""

    phones: PhoneAccess | None
    results: Path | None
    """The folder for saved results, beside their evening; None: the current folder."""
    analyses: GameAnalyses | None

    def look_at_game(self, game: int, then: Callable[[Sight], None]) -> None: ...


class ResultDialog(Dialog):
    """Everything about a finished game, and about every game of its match. `s` saves it, `a` analyses it, `c` shows a
    code for phones, `e` ends the match if there is one, arrow keys go to the game before and after."""

    BINDINGS = [
        ("s", "save", ""),
        ("a", "analyse", ""),
        ("c", "code", ""),
        ("e", "end_match", ""),
        ("r", "leave", ""),
        ("left", "game(-1)", ""),
        ("right", "game(1)", ""),
    ]
    AUTO_FOCUS = ".leave"

    def __init__(
        self,
        sight: Sight,
        talk: ResultTalk,
        end_match: Callable[[], None],
        *,
        now: bool = True,
    ) -> None:
        """`now`: it is the game that is at the table; otherwise an earlier one of the match."""
        super().__init__(self._heading, valid=lambda seen: seen.over or not now)
        self._sight, self._talk, self._end_match, self._now = sight, talk, end_match, now
        self._newest = game_number(sight)
        """The last game that can be shown."""
        self._news: Words = lambda: ""
        """What came of the last press."""
        self.add_class("large")

    def content(self) -> ComposeResult:
        with Horizontal(classes="row"):
            with VerticalScroll(can_focus=False, classes="reading"):
                yield Worded(lambda: GAP.join(list(blocks(self._sight, self._width))))
            yield Worded(lambda: self._code, classes="code")
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
            *([KeyButton(lambda: "a", lambda: _("Analysis"), name="analyse")] if self._talk.analyses else []),
            *(
                [KeyButton(lambda: "c", lambda: _("Code"), name="code", classes="show-code")]
                if self._talk.phones is not None
                else []
            ),
            end,
            KeyButton(lambda: "Esc", lambda: _("Close"), name="leave", classes="leave"),
        )

    def on_mount(self) -> None:
        self._turned()

    def _heading(self) -> str:
        sentence = outcome(self._sight).sentence
        if self._newest == 1:
            return sentence
        return _("Game {number}: {outcome}", number=game_number(self._sight), outcome=sentence)

    def _before(self) -> str:
        return _("Game {number}", number=max(1, game_number(self._sight) - 1))

    def _after(self) -> str:
        return _("Game {number}", number=min(self._newest, game_number(self._sight) + 1))

    def _told(self) -> str:
        """What came of the last press; before that, how phones come to this result where they cannot yet."""
        if said := self._news():
            return said
        phones = self._talk.phones
        if phones is None:
            return _("`companion export --format html` writes this evening as a page")
        if phones.offer() is None:
            return _("“Code” lets phones open this result")
        return ""

    @property
    def _code(self) -> Content:
        """Beside the result, where it fits; otherwise `c` shows it."""
        drawn = result_code(self._talk.phones, self._sight)
        width, height = int(self.app.size.width * 0.96), int(self.app.size.height * 0.96)
        fits = cell_width(drawn) + BESIDE_CODE <= width and _height(drawn) + AROUND_CODE <= height
        return drawn if fits else Content("")

    @property
    def _width(self) -> int:
        return max(40, int(self.app.size.width * 0.96) - 8 - cell_width(self._code))

    def show(self, sight: Sight) -> None:
        super().show(sight)
        if sight.over and self._now and game_number(self._sight) == self._newest:
            self._turn(sight)

    def on_resize(self) -> None:
        self._turned()
        self.redraw()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        then: dict[str, Callable[[], object]] = {
            "save": self.action_save,
            "analyse": self.action_analyse,
            "code": self.action_code,
            "end": self.action_end_match,
            "before": partial(self.action_game, -1),
            "after": partial(self.action_game, 1),
        }
        then.get(event.button.name or "", self.leave)()

    def action_game(self, by: int) -> None:
        """Another game of the match, in full."""
        wanted = game_number(self._sight) + by
        if 1 <= wanted <= self._newest:
            self._talk.look_at_game(wanted, self._turn)

    def _turn(self, sight: Sight) -> None:
        if self.is_mounted:
            self._sight, self._news = sight, lambda: ""
            self.query_one(".reading").scroll_home(animate=False)
            self._turned()
            self.redraw()

    def _turned(self) -> None:
        number = game_number(self._sight)
        self.query_one(".end").display = self._now and number == self._newest and can_end(self._sight)
        for each in self.query(".show-code"):
            each.display = not self._code.plain
        for button in self.query(".before, .after").results(KeyButton):
            button.disabled = number == (1 if button.has_class("before") else self._newest)

    def action_end_match(self) -> None:
        if self._now:
            self._end_match()

    def action_save(self) -> None:
        paths, problem = save(self.app, self._sight, self._talk.results)
        if paths:
            self._tell(lambda: _("Saved: {paths}", paths="  ".join(plain(str(path), 500) for path in paths)))
        else:
            self._tell(lambda: _("This could not be saved: {problem}", problem=problem))

    def _tell(self, words: Words) -> None:
        self._news = words
        for told in self.query(".told").results(Worded):
            told.redraw()

    def action_analyse(self) -> None:
        if self._talk.analyses is not None:
            self.app.push_screen(AnalysisDialog(self._talk.analyses, self._sight))

    def action_code(self) -> None:
        """A code that leads a phone to this result; the table is opened for phones first, if it is not yet."""
        if self._talk.phones is not None:
            self.run_worker(self._show_code(self._talk.phones), group="code", exclusive=True)

    async def _show_code(self, phones: PhoneAccess) -> None:
        if not await opened(phones, self._tell):
            return
        self._turned()
        self.redraw()
        if not self._code.plain and self.is_current:
            self.app.push_screen(ResultCodeDialog(phones, self._sight))


# --- Its analysis ---------------------------------------------------------------------------------------------


class AnalysisDialog(Reading):
    """Who was likely to win when, and what each player could have done better. If it is closed before that is found, it
    is looked for no longer."""

    BINDINGS = [("a", "leave", "")]

    def __init__(self, analyses: GameAnalyses, sight: Sight) -> None:
        super().__init__(lambda: _("Analysis"), self._words, large=True)
        self._analyses, self._sight = analyses, sight
        self._said: Words = lambda: _(
            "This game is being analysed. That may take a minute, or a few on a small computer."
        )
        self._language = ""
        """Of what was looked for."""

    def on_mount(self) -> None:
        self._language = language().code
        self.run_worker(self._look(self._language), group="analysis", exclusive=True)

    def on_unmount(self) -> None:
        self._analyses.stop()

    def redraw(self) -> None:
        super().redraw()
        if self._language != language().code:
            self.on_mount()

    async def _look(self, code: str) -> None:
        evening, number = self._sight.snapshot.evening, game_number(self._sight)
        try:
            said = "\n".join(await asyncio.to_thread(self._analyses.report, evening, number, code))
        except CompanionError as error:
            said = plain(str(error), 400)
        self._said = lambda: said
        self.redraw()

    def _words(self) -> str:
        return self._said()


# --- A code for phones ----------------------------------------------------------------------------------------

BESIDE_CODE, AROUND_CODE = 58, 7
"""Cells for the result beside a code, and rows of a dialog above and below one."""


def result_code(phones: PhoneAccess | None, sight: Sight) -> Content:
    """Leads a phone to the page of this result. Empty if the table is not open for phones."""
    drawn = _bare_code(phones, sight)
    return Content("\n").join([Content.styled(_("This result on your phone"), "bold"), drawn]) if drawn.plain else drawn


def _bare_code(phones: PhoneAccess | None, sight: Sight) -> Content:
    offer = phones.offer() if phones else None
    return code(offer.result_link(game_number(sight))) if offer else Content("")


def cell_width(block: Content) -> int:
    return max(line.cell_length for line in block.split("\n")) if block.plain else 0


class ResultCodeDialog(Dialog):
    """The code of a result as high as the screen, for screens that have no room for it beside the result."""

    BINDINGS = [("c", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, phones: PhoneAccess, sight: Sight) -> None:
        super().__init__(lambda: "")
        self._phones, self._sight = phones, sight
        self.add_class("codes")

    def content(self) -> ComposeResult:
        with Horizontal(classes="row"):
            yield Worded(lambda: _bare_code(self._phones, self._sight), classes="code")
            with Vertical(classes="beside"):
                yield Worded(self._words, classes="words")
                with Horizontal(classes="end"):
                    leave = self.action_leave
                    yield KeyButton(lambda: "Esc", lambda: _("Close"), leave, variant="primary", classes="leave")
                    yield LanguageButton()

    def _words(self) -> str:
        """What a phone needs before it can open the page."""
        offer = self._phones.offer()
        lines = [_("This result on your phone"), _("Scan the code with the camera.")]
        if offer and offer.wifi:
            lines.append(_("Wi-Fi: {name}", name=plain(offer.wifi.name, 32)))
        if offer and offer.trust:
            lines.append(_("New phones: trust the table") + f" ({offer.trust.partition('//')[2]})")
        return "\n\n".join(lines)


# --- Its parts ------------------------------------------------------------------------------------------------


def blocks(sight: Sight, width: int) -> Iterator[Content]:
    """The parts of a result, the most important first."""
    yield from (block for block in _charts(sight, width) if block.plain)
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
    first, *others = _charts(sight, width)
    panels = [first]
    rows -= _height(first)
    for block in others:
        if block.plain and _height(block) + 1 <= rows:
            panels.append(Content("\n") + block)
            rows -= _height(block) + 1
    return panels


def _charts(sight: Sight, width: int) -> list[Content]:
    """The sheet first; on a wide screen, who has the most is beside it."""
    if width >= ROOMY:
        half = width // 2
        first = _beside(sheet(sight, half), majorities(sight, half), half)
        return [first, bars(sight, width), course(sight, width)]
    return [sheet(sight, width), bars(sight, width), majorities(sight, width), course(sight, width)]


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
    return f"{evening}-{sight.snapshot.game}-{game_number(sight)}"


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
