"""The hall's display in a terminal: `companion hall --screen`. It draws what the board and the log say; it decides
nothing."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import DataTable, Static

from companion.drawing.qr_code import code
from companion.gamekit.screen.themes import DARK, THEMES, next_theme
from companion.gamekit.sign_table import LEADS, TURN
from companion.hall.hall import Hall
from companion.hall.hall_display import display_words, night_shown
from companion.hall.live_board import LiveBoard, LiveTile
from companion.hall.live_hall import table_topics
from companion.language.screen_language import _, other_language, speak, spoken
from companion.language.wording import numeral, plain

REDRAW_S = 1.0
"""Clocks show seconds."""
PLACES = 40
HEADLINE, SHORT = 60, 30
ROOMY = 150
"""From here on there is room for whole headlines."""
WIDE, TALL = 100, 30
"""From here on there is room beside the tables, and for the players' code."""
COLUMNS = {"table": 6, "time": 6, "players": 46, "said": HEADLINE, "game": 9}
"""Widths. A column that fits itself to its cells is measured again for every change: too slow for 1,000 tables."""


class HallScreen(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", ""), ("l", "language", ""), ("t", "theme", "")]
    CSS = """
    #head { height: auto; padding: 0 1; text-style: bold; }
    #problem { height: auto; padding: 0 1; background: $warning; color: $button-color-foreground; }
    #news { height: auto; padding: 0 1; background: $primary-muted; }
    #seating { height: auto; max-height: 60%; padding: 0 1; overflow-y: auto; }
    .none { display: none; }
    DataTable { width: 1fr; }
    #side { width: 37; padding: 0 1; }
    #places { height: 1fr; overflow-y: auto; }
    #code { height: auto; }
    #link { height: auto; padding: 0 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Companion"

    def __init__(self, hall: Hall, board: LiveBoard | None, link: str = "") -> None:
        """`board`: None if no table is live. `link`: where phones sign in."""
        super().__init__()
        self._hall, self._board, self._link = hall, board, link
        self._shown: dict[str, tuple[str, ...]] = {}
        """Table → its row as it is drawn."""
        self._names: dict[str, str] = {}
        """Its name in topics → its name."""

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="problem", markup=False)
        yield Static(id="news", markup=False)
        yield Static(id="seating", markup=False)
        with Horizontal():
            yield DataTable(id="tables", cursor_type="row", zebra_stripes=True)
            with Vertical(id="side"):
                yield Static(id="places", markup=False)
                yield Static(id="code", markup=False)
        yield Static(id="link", markup=False)

    def on_mount(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = DARK.name
        self._begin()
        self.set_interval(REDRAW_S, self.redraw)

    @property
    def _headline(self) -> int:
        return HEADLINE if self.size.width >= ROOMY else SHORT

    def on_resize(self) -> None:
        self._begin()

    def action_language(self) -> None:
        speak(other_language())
        self._begin()

    def action_theme(self) -> None:
        self.theme = next_theme(self.theme)

    # --- Drawing ----------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        table = self.query_one(DataTable)
        table.clear(columns=True)
        labels = (_("Table"), _("Time"), _("Players"), _("Now"), _("Game"))
        for (key, width), label in zip(COLUMNS.items(), labels, strict=True):
            table.add_column(label, key=key, width=self._headline if key == "said" else width)
        self._shown.clear()
        self.redraw()

    def redraw(self) -> None:
        """Only rows and cells that have changed are drawn again."""
        words, night = display_words(_), night_shown(self._hall)
        self._names = {topic: plain(table) for table, topic in table_topics(self._hall.state).items()}
        round_words = words["round"].format(number=night["round"], game=night["game"]) if night.get("round") else ""
        left = f"   {_minutes(night['ends'] - self._hall.now())}" if night.get("ends") else ""
        self.query_one("#head", Static).update(f"{plain(night['hall'])}   {round_words}{left}")
        self._line("#problem", words["stale"] if self._board and self._board.problem else "")
        self._line("#news", self._news(words))
        lines = [
            f"{rank:>3}  {name[:18]:<18} {points:>5}" for rank, name, points in night.get("standings", [])[:PLACES]
        ]
        self._line("#places", "\n".join([words["standings"], *lines]) if lines else "")
        self._line("#seating", "\n".join(_seating(words, night.get("seating", []))))
        self._line("#link", f"{words['sign in']}: {self._link}" if self._link else "")
        self._draw_code()
        self._draw_tables(words)

    def _draw_code(self) -> None:
        """The link's code, and what stands beside the tables, if there is room."""
        width, height = self.size
        self.query_one("#side").set_class(width < WIDE, "none")
        drawn = self.query_one("#code", Static)
        drawn.set_class(height < TALL or not self._link, "none")
        if self._link:
            drawn.update(code(self._link))

    def _line(self, where: str, text: str) -> None:
        line = self.query_one(where, Static)
        line.set_class(not text, "none")
        line.update(Content(text))

    def _news(self, words: dict[str, str]) -> str:
        drama = self._board.drama if self._board else None
        if drama is None:
            return ""
        topic, ruling = drama
        table = self._table_name(topic)
        named = words["table"].format(table=table) if table.isdigit() else table
        return f"{words['latest'].format(table=named)}: {_in_words(ruling['said'])}"

    def _draw_tables(self, words: dict[str, str]) -> None:
        table = self.query_one(DataTable)
        tiles = self._board.tiles if self._board else {}
        for gone in self._shown.keys() - tiles.keys():
            table.remove_row(gone)
            del self._shown[gone]
        known = len(self._shown)
        for topic, tile in tiles.items():
            row = tuple(self._row(topic, tile, words))
            before = self._shown.get(topic)
            self._shown[topic] = row
            if before is None:
                table.add_row(*row, key=topic)
            else:
                for column, old, new in zip(COLUMNS, before, row, strict=True):
                    if old != new:
                        table.update_cell(topic, column, new)
        if len(self._shown) > known:
            table.sort("table", key=_in_order)

    def _row(self, topic: str, tile: LiveTile, words: dict[str, str]) -> Iterator[str]:
        glance = tile.glance
        yield self._table_name(topic)
        running = tile.online and glance and glance.since
        yield _minutes(max(0.0, self._hall.now() - running)) if running else ""
        yield "  ".join(_players(tile))
        state = {"paused": words["paused"], "question": words["question"]}.get(glance.phase, "") if glance else ""
        said = [state if tile.online else words["offline"], _in_words(glance.headline) if glance else ""]
        yield " · ".join(filter(None, said))[: self._headline]
        yield plain(glance.title) if glance else ""

    def _table_name(self, topic: str) -> str:
        return self._names.get(topic, topic)


def _in_order(name: str) -> tuple[bool, int, str]:
    """Table 2 stands before table 10."""
    return (False, int(name), "") if name.isascii() and name.isdigit() else (True, 0, name)


def _seating(words: dict[str, str], groups: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Who sits where and why, until the round starts."""
    if groups:
        yield words["seating"]
    for group in groups:
        name = group["table"]
        titled = words["table"].format(table=name) if name.isdigit() else plain(name) or words["byes"]
        yield f"  {titled}: {', '.join(group['players'])}. {_in_words(group['why'])}"


def _in_words(texts: Any) -> str:
    return plain(texts.get(spoken()) or texts.get("en") or "", 300)


def _players(tile: LiveTile) -> Iterator[str]:
    glance = tile.glance
    if glance is None:
        return
    points = glance.sums or glance.scores
    for seat, name in enumerate(glance.players):
        won = glance.phase == "over" and seat in glance.winners
        sign = f"{LEADS} " if won else f"{TURN} " if seat in glance.turn else ""
        yield f"{sign}{plain(name)}{f' {numeral(points[seat])}' if points else ''}"


def _minutes(seconds: float) -> str:
    whole = abs(int(seconds))
    return f"{'−' if seconds < 0 else ''}{whole // 60}:{whole % 60:02}"
