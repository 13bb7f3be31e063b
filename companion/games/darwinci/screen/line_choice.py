"""Which jewellery is scored, and in which line: with a preview of the points."""

from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.gamekit import numeral
from companion.gamekit.screen import Action, Confirm, Picture, Sight
from companion.gamekit.sign_table import DOWN, UP
from companion.games.darwinci.colours import DEAD, EARTH, chip, jewel_look
from companion.games.darwinci.display import FRAME
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.display_chart import Chart
from companion.games.darwinci.screen.people import line_of
from companion.games.darwinci.screen.tile_dialog import Key, Post, TileDialog, band, joined, largest
from companion.games.darwinci.screen.tiles import Block, fit, jewel_word

LIST = 32
"""Cells beside the picture."""
AROUND = 5


class Scoring(TileDialog):
    """Up and down choose a line and a kind, the best one first; Enter scores it."""

    BINDINGS = [
        ("up,left", "go(-1)", ""),
        ("down,right", "go(1)", ""),
        ("pageup", "go(-5)", ""),
        ("pagedown", "go(5)", ""),
        ("enter", "score", ""),
    ]

    def __init__(self, sight: Sight, actions: tuple[Action, ...], post: Post) -> None:
        self._seat: int = actions[0]["seat"]
        super().__init__(self._words, sight, post, valid=lambda now: now.doing("jewels") == actions)
        worth = [(self._sums(action, sight), action) for action in actions]
        self._lines = sorted(worth, key=lambda line: -line[0][0] * line[0][1])
        self._at = 0

    def _sums(self, action: Action, sight: Sight) -> tuple[int, int]:
        """D15 The symbols of the kind in the line, and the sum of the values in it."""
        cells = line_of(sight, action)
        known = people.tiles(sight)
        tiles = [known[placed.tile] for placed in sight.table.built[self._seat] if (placed.x, placed.y) in cells]
        return sum(tile.jewels.count(action["kind"]) for tile in tiles), sum(tile.value or 0 for tile in tiles)

    def content(self) -> ComposeResult:
        with Horizontal(classes="row"):
            yield Picture(id="display")
            yield Picture(id="lines", classes="info")
        yield from band(
            Key(lambda: UP, lambda: _("Before"), partial(self.action_go, -1), classes="before"),
            Key(lambda: DOWN, lambda: _("Next"), partial(self.action_go, 1), classes="next"),
            Key(lambda: "Enter", lambda: _("Score"), self.action_score, variant="success"),
            Key(lambda: "Esc", lambda: _("Cancel"), self.action_leave),
        )

    # --- What is seen ---

    def _words(self) -> str:
        return _("{name}: which jewellery, in which line?", name=self.sight.name(self._seat))

    def paint(self) -> None:
        _worth, action = self._lines[self._at]
        anatomy = people.anatomy(self.sight, self._seat)
        room = self.size.width - LIST - 3, self.rows - AROUND
        (left, top), (right, bottom) = anatomy.extent()
        size = largest(max(right - left + 1, FRAME[0]), bottom - top + 1, *room)
        chart = Chart(anatomy, size, self.sight.box.jewels, lit=line_of(self.sight, action))
        self.query_one("#display", Picture).show(joined(chart.drawn()))
        self.query_one("#lines", Picture).show(joined(self._list()))
        self.query_one(".before", Key).disabled = self._at == 0
        self.query_one(".next", Key).disabled = self._at == len(self._lines) - 1

    @property
    def _first(self) -> int:
        """The first line that is in sight."""
        room = max(1, self.rows - AROUND)
        return max(0, min(self._at - room // 2, len(self._lines) - room))

    def _list(self) -> Block:
        room = max(1, self.rows - AROUND)
        return [self._line(at) for at in range(self._first, min(self._first + room, len(self._lines)))]

    def _line(self, at: int) -> Content:
        (symbols, values), action = self._lines[at]
        sign, hue = jewel_look(action["kind"], self.sight.box.jewels)
        sums = f"{symbols} × {numeral(values)} = {numeral(symbols * values)}"
        text = Content.assemble(
            "▌" if at == self._at else " ",
            (sign, f"bold {hue} on {EARTH[0]}"),
            " ",
            fit(jewel_word(action["kind"]), 9),
            fit(self._which(action), 9),
            (sums, "bold" if symbols * values > 0 else chip(DEAD)),
        )
        return fit(text, LIST).stylize("reverse") if at == self._at else fit(text, LIST)

    def _which(self, action: Action) -> str:
        """Counted from the top, or from the left."""
        (left, top), _last = people.anatomy(self.sight, self._seat).extent()
        row = action["line"] == "row"
        count = (action["y"] - top if row else action["x"] - left) + 1
        return _("row {number}", number=count) if row else _("col. {number}", number=count)

    # --- Handlers and actions ---

    def on_picture_touched(self, event: Picture.Touched) -> None:
        at = self._first + event.y
        if event.picture.id == "lines" and at < len(self._lines):
            self._at = at
            self.paint()

    def action_go(self, steps: int) -> None:
        self._at = max(0, min(self._at + steps, len(self._lines) - 1))
        self.paint()

    def action_score(self) -> None:
        """D15 Never less than 0 is paid without a warning first."""
        (symbols, values), action = self._lines[self._at]
        points = symbols * values
        if points > 0:
            self.say(action)
        elif self.app.screen is self:
            self.app.push_screen(self._warning(action, points), lambda agreed: self.say(action) if agreed else None)

    def _warning(self, action: Action, points: int) -> Confirm:
        def text(sight: Sight) -> str:
            kind = jewel_word(action["kind"])
            return _("{kind} in this line brings {points} Darwin, and is used up.", kind=kind, points=points)

        return Confirm(
            lambda: _("Score it all the same?"), yes=lambda: _("Score"), text=text, sight=self.sight, valid=self._valid
        )
