"""The seat plan. After a game, players can swap seats for the next one."""

from collections.abc import Callable
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.drawing.table_frame import plan
from companion.gamekit.game import Seat
from companion.gamekit.screen.controls import KeyButton, Worded
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Player
from companion.language.screen_language import _
from companion.screen.screens.help_dialog import lamps_help

CELLS, ROWS = 56, 7


class SeatsDialog(Dialog):
    """Press two names to swap their seats; `next_game` starts the next game with the new seats. Without it, seats are
    only shown: they are fixed while a game is played."""

    BINDINGS = [("f2", "leave", ""), ("n", "begin", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, sight: Sight, next_game: Callable[[tuple[Seat, ...]], None] | None) -> None:
        super().__init__(lambda: _("Who sits where"), valid=lambda now: next_game is None or now.over)
        self._sight, self._next_game = sight, next_game
        self._order = list(range(len(sight.names)))
        """For each seat, the seat that its player had in the game before."""
        self._chosen: int | None = None

    def content(self) -> ComposeResult:
        yield Worded(self._drawn, classes="plan")
        yield Worded(self._words, classes="text")
        if self._next_game is not None:
            with Horizontal(classes="chairs"):
                for seat in range(len(self._order)):
                    who, take = partial(self._who, seat), partial(self._take, seat)
                    yield KeyButton(partial(str, seat + 1), who, take, classes="chair")
        buttons = [KeyButton(lambda: "Esc", lambda: _("Close"), self.action_leave, classes="leave")]
        if self._next_game is not None:
            begin = self.action_begin
            buttons.insert(0, KeyButton(lambda: "n", lambda: _("Next game"), begin, variant="success", classes="begin"))
        yield from last_row(*buttons)

    def show(self, sight: Sight) -> None:
        super().show(sight)
        if self._next_game is None:
            self._sight = sight
            self.redraw()

    def _drawn(self) -> Content:
        return plan(_reordered(self._sight, self._order), CELLS, ROWS)

    def _words(self) -> str:
        if self._next_game is None:
            return lamps_help() if self._sight.snapshot.lights else ""
        if self._chosen is not None:
            return _("{name} swaps seats with …", name=self._who(self._chosen))
        return _("Swap seats: pick two players.")

    def _who(self, seat: int) -> str:
        return self._sight.name(self._order[seat])

    def on_key(self, event: events.Key) -> None:
        if self._next_game is not None and event.key.isdecimal() and 0 < int(event.key) <= len(self._order):
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

    def action_begin(self) -> None:
        if self._next_game is not None:
            moved = self._order != sorted(self._order)
            self._next_game(tuple(self._order) if moved else ())
            self.leave()


def _reordered(sight: Sight, order: list[Seat]) -> Sight:
    """The same table with the players on other seats; only the seat plan is drawn from it."""
    players: tuple[Player, ...] = tuple(sight.snapshot.players[seat] for seat in order)
    return sight.with_players(players) if list(order) != sorted(order) else sight
