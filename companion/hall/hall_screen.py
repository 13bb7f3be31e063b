"""The hall's display in a terminal: `companion hall --screen`. It draws what the board and the log say; it decides
nothing."""

from collections.abc import Iterator
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import DataTable, Static

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
HEADLINE = 60
COLUMNS = ("table", "game", "time", "said", "players")


class HallScreen(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", ""), ("l", "language", ""), ("t", "theme", "")]
    CSS = """
    #head { height: auto; padding: 0 1; text-style: bold; }
    #problem { height: auto; padding: 0 1; background: $warning; color: $button-color-foreground; }
    #news { height: auto; padding: 0 1; background: $primary-muted; }
    #problem.none, #news.none, #places.none { display: none; }
    DataTable { width: 1fr; }
    #places { width: 34; padding: 0 1; overflow-y: auto; }
    """
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Companion"

    def __init__(self, hall: Hall, board: LiveBoard | None) -> None:
        """`board`: None if no table is live."""
        super().__init__()
        self._hall, self._board = hall, board
        self._shown: dict[str, tuple[str, ...]] = {}
        """Table → its row as it is drawn."""
        self._names: dict[str, str] = {}
        """Its name in topics → its name."""

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="problem", markup=False)
        yield Static(id="news", markup=False)
        with Horizontal():
            yield DataTable(id="tables", cursor_type="row", zebra_stripes=True)
            yield Static(id="places", markup=False)

    def on_mount(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = DARK.name
        self._begin()
        self.set_interval(REDRAW_S, self.redraw)

    def action_language(self) -> None:
        speak(other_language())
        self._begin()

    def action_theme(self) -> None:
        self.theme = next_theme(self.theme)

    # --- Drawing ----------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        table = self.query_one(DataTable)
        table.clear(columns=True)
        for key, label in zip(COLUMNS, (_("Table"), _("Game"), _("Time"), _("Now"), _("Players")), strict=True):
            table.add_column(label, key=key)
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
        self._draw_tables(words)

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
        for topic, tile in sorted(self._board.tiles.items()) if self._board else ():
            row = tuple(self._row(topic, tile, words))
            before = self._shown.get(topic)
            self._shown[topic] = row
            if before is None:
                table.add_row(*row, key=topic)
            else:
                for column, old, new in zip(COLUMNS, before, row, strict=True):
                    if old != new:
                        table.update_cell(topic, column, new)

    def _row(self, topic: str, tile: LiveTile, words: dict[str, str]) -> Iterator[str]:
        glance = tile.glance
        yield self._table_name(topic)
        yield plain(glance.title) if glance else ""
        running = tile.online and glance and glance.since
        yield _minutes(max(0.0, self._hall.now() - running)) if running else ""
        state = {"paused": words["paused"], "question": words["question"]}.get(glance.phase, "") if glance else ""
        said = [state if tile.online else words["offline"], _in_words(glance.headline) if glance else ""]
        yield " · ".join(filter(None, said))[:HEADLINE]
        yield "  ".join(_players(tile))

    def _table_name(self, topic: str) -> str:
        return self._names.get(topic, topic)


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
