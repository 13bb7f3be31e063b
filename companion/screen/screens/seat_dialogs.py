"""Who sits where; and between two games: seats, starter and options of the next one, to change before it begins."""

from collections.abc import Callable
from functools import partial
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid
from textual.content import Content

from companion.drawing.table_frame import plan
from companion.gamekit.game import Seat
from companion.gamekit.screen.controls import ButtonList, KeyButton, Worded
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import HUGE, Going, Sight
from companion.gamekit.sign_table import STARTS
from companion.gamekit.snapshot import Player, Proposal
from companion.gamekit.table_options import table_options
from companion.language.screen_language import _
from companion.language.wording import plain
from companion.screen.screens.help_dialog import lamps_help

CELLS, ROWS = 56, 7
FLAT = 4
"""Rows of the seat plan on a low screen."""
LARGE_PLAN = (84, 15)
"""Its cells and rows on a huge one."""
TALL = 26
ROOMY = 90
OPTION, WIDE_OPTION = 28, 44
"""Cells of an option on a narrow screen, and from `ROOMY` on."""

BeginNext = Callable[[tuple[Seat, ...], Seat, dict[str, Any]], None]
"""Begins it: for each seat the one that its player had before (empty: all stay), who starts, and the options."""


class SeatsDialog(Dialog):
    """Seats are fixed while a game is played: they are only shown."""

    BINDINGS = [("f2", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, sight: Sight) -> None:
        super().__init__(lambda: _("Who sits where"))
        self._sight = sight

    def content(self) -> ComposeResult:
        yield Worded(lambda: plan(self._sight, CELLS, ROWS), classes="plan")
        yield Worded(lambda: lamps_help() if self._sight.snapshot.lights else "", classes="text")
        yield from last_row(KeyButton(lambda: "Esc", lambda: _("Close"), self.action_leave, classes="leave"))

    def show(self, sight: Sight) -> None:
        super().show(sight)
        self._sight = sight
        self.redraw()


class NextGameDialog(Dialog):
    """What the game proposes for the next one. Press two names to swap their seats, or anything else to change it."""

    BINDINGS = [("f2", "leave", ""), ("n", "begin", ""), ("s", "starter", "")]
    AUTO_FOCUS = ".begin"

    def __init__(self, sight: Sight, following: Proposal, next_game: BeginNext) -> None:
        super().__init__(
            lambda: _("Game {number}: seats, starter, options", number=len(sight.snapshot.match) + 2),
            valid=lambda now: now.snapshot.following is not None,
        )
        self._sight, self._next_game = sight, next_game
        self._order = list(range(len(sight.names)))
        """For each seat, the seat that its player had in the game before."""
        self._starter = following.first
        """The seat that the start player had in the game before."""
        self._options = dict(following.options)
        self._chosen: int | None = None
        """The seat of a player who swaps seats."""
        self.add_class("large")

    def content(self) -> ComposeResult:
        with ButtonList(classes="page"):
            yield Worded(self._drawn, classes="plan")
            yield Worded(self._words, classes="text")
            with Horizontal(classes="chairs"):
                for seat in range(len(self._order)):
                    who, take = partial(self._who, seat), partial(self._take, seat)
                    yield KeyButton(partial(str, seat + 1), who, take, classes="chair")
            cells = WIDE_OPTION if self.app.size.width >= ROOMY else OPTION
            with ItemGrid(classes="options", min_column_width=cells):
                yield KeyButton(lambda: "s", self._starts, self.action_starter, classes="option starter")
                for name in self._changeable():
                    label, change = partial(self._option, name), partial(self._next_value, name)
                    yield KeyButton(str, label, change, classes="option")
        yield from last_row(
            KeyButton(lambda: "n", lambda: _("Begin"), self.action_begin, variant="success", classes="begin"),
            KeyButton(lambda: "Esc", lambda: _("Not yet"), self.action_leave, classes="leave"),
        )

    def on_mount(self) -> None:
        for button in self.query(".option").results(KeyButton):
            button.styles.line_pad = 0

    # --- Drawing ---

    def _changeable(self) -> list[str]:
        """What the game changes by itself comes first: players wonder about that."""
        before = self._sight.snapshot.options
        known = [name for name in table_options(self._sight.face.options) if name in self._options]
        return sorted(known, key=lambda name: self._options[name] == before.get(name))

    def _drawn(self) -> Content:
        notes = [f"{STARTS} {_('starts')}" if was == self._starter else "" for was in self._order]
        width, height = self.app.size
        is_huge = width >= HUGE[0] and height >= HUGE[1]
        cells, rows = LARGE_PLAN if is_huge else (CELLS, ROWS if height >= TALL else FLAT)
        return plan(_reordered(self._sight, self._order), cells, rows, tuple(notes), self._going())

    def _going(self) -> Going | None:
        """The direction of the next game, if it is one of its options; None: as it was."""
        going: Going | None = self._options.get("direction")
        return going if going in ("clockwise", "anticlockwise") else None

    def _words(self) -> str:
        if self._chosen is not None:
            return _("{name} swaps seats with …", name=self._who(self._chosen))
        return _("Swap seats: pick two players.")

    def _who(self, seat: int) -> str:
        return self._sight.name(self._order[seat])

    def _starts(self) -> Content:
        return Content.assemble((_("Who starts"), "not bold"), "\n", self._sight.name(self._starter))

    def _option(self, name: str) -> Content:
        face, value = self._sight.face, self._options[name]
        about, words = face.option(name) or plain(name), face.option_value(name, value) or plain(str(value))
        changed = value != self._sight.snapshot.options.get(name, value)
        mark = f"  ({_('changes')})" if changed else ""
        return Content.assemble((about, "not bold"), "\n", words + mark)

    # --- Changing it ---

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and 0 < int(event.key) <= len(self._order):
            event.stop()
            self._take(int(event.key) - 1)

    def _take(self, seat: int) -> None:
        if self._chosen is None:
            self._chosen = seat
        else:
            order, one = self._order, self._chosen
            order[one], order[seat] = order[seat], order[one]
            self._chosen = None
        self.redraw()

    def action_starter(self) -> None:
        """The next player in the order of the seats."""
        self._starter = self._order[(self._order.index(self._starter) + 1) % len(self._order)]
        self.redraw()

    def _next_value(self, name: str) -> None:
        values = table_options(self._sight.face.options)[name].values
        value = self._options[name]
        self._options[name] = values[(values.index(value) + 1) % len(values)] if value in values else values[0]
        self.redraw()

    def action_begin(self) -> None:
        moved = self._order != sorted(self._order)
        self._next_game(tuple(self._order) if moved else (), self._order.index(self._starter), self._options)
        self.leave()


def _reordered(sight: Sight, order: list[Seat]) -> Sight:
    """The same table with the players on other seats; only the seat plan is drawn from it."""
    players: tuple[Player, ...] = tuple(sight.snapshot.players[seat] for seat in order)
    return sight.with_players(players) if list(order) != sorted(order) else sight
