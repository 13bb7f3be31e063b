"""The screen's app: gets snapshots from the referee, draws the newest one, posts intentions. It decides nothing."""

from pathlib import Path
from uuid import uuid4

import msgspec
from textual.app import App
from textual.screen import Screen

from companion.screen import face
from companion.screen.face import Action, Sight
from companion.screen.link import Link
from companion.screen.screens.dialog import Dialog
from companion.screen.screens.table import TableScreen
from companion.screen.text import _
from companion.snapshot import Act, Agree, Decline, Fault, FromReferee, NextGame, Reply, Seat, Snapshot, Undo
from companion.wording import plain


class CompanionApp(App[None]):
    """`watch` shows everything and posts nothing; `exit_with_referee` ends the screen when the referee goes."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "Companion"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, socket_path: Path, *, exit_with_referee: bool = False, watch: bool = False) -> None:
        super().__init__()
        self.link = Link(socket_path, self._heard, self._link_changed)
        self._exit_with_referee, self._watch = exit_with_referee, watch
        self._table_screen = TableScreen()
        self._newest: Snapshot | None = None
        self._drawing = False
        self.drawn = 0
        """The number of the newest snapshot's drawing; a burst counts once."""

    def get_default_screen(self) -> Screen[None]:
        return self._table_screen

    def on_ready(self) -> None:
        self._table_screen.show_link(False)
        self.run_worker(self.link.run(), exclusive=True)

    # --- What the referee says ---

    def _heard(self, message: FromReferee) -> None:
        if isinstance(message, Snapshot):
            self._newest = message
            if not self._drawing:  # a burst is drawn once: the newest snapshot holds everything
                self._drawing = True
                self.call_later(self._draw)
        elif isinstance(message, Reply):
            self.call_later(self._table_screen.answer, message.told)
        else:
            assert isinstance(message, Fault)
            words = _("The referee says: {message}").format(message=plain(message.message, 200))
            self.call_later(self._table_screen.complain, words)

    def _link_changed(self, up: bool) -> None:
        if not up and self._exit_with_referee:
            self.exit()
        elif self.is_running:
            self.call_later(self._table_screen.show_link, up)

    def _draw(self) -> None:
        self._drawing = False
        snapshot, self._newest = self._newest, None
        sight = self._see(snapshot) if snapshot else None
        if sight is not None:
            for screen in tuple(self.screen_stack):
                if isinstance(screen, TableScreen | Dialog):
                    screen.show(sight)
        self.drawn += 1

    def _see(self, snapshot: Snapshot) -> Sight | None:
        looks = face.find(snapshot.game)
        problem = _("This screen does not know the game {game}.").format(game=plain(snapshot.game))
        if looks is not None:
            try:
                return Sight(snapshot, looks, self._watch)
            except msgspec.ValidationError as error:
                problem = _("This table cannot be shown: {problem}").format(problem=plain(str(error), 100))
        self._table_screen.complain(problem)
        return None

    # --- What the screen posts ---

    def act(self, action: Action) -> None:
        self.link.post(Act(uuid4().hex, action))

    def undo(self) -> None:
        self.link.post(Undo(uuid4().hex))

    def agree(self, seat: Seat) -> None:
        self.link.post(Agree(uuid4().hex, seat))

    def decline(self) -> None:
        self.link.post(Decline(uuid4().hex))

    def next_game(self) -> None:
        self.link.post(NextGame(uuid4().hex))


def run(socket_path: Path, *, exit_with_referee: bool = False, watch: bool = False) -> None:
    """Show the referee's table until the person quits."""
    CompanionApp(socket_path, exit_with_referee=exit_with_referee, watch=watch).run()
