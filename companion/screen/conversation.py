"""The conversation with the referee: the newest snapshot is drawn, intentions are posted."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import msgspec

from companion.errors import CompanionError
from companion.gamekit.enrolment import Value
from companion.gamekit.game import Seat
from companion.gamekit.screen.controls import Words
from companion.gamekit.screen.dialog import Dialog
from companion.gamekit.screen.face import Action, Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import (
    Before,
    EarlierGame,
    EarlierLines,
    OwnView,
    Past,
    SetTable,
    Snapshot,
    Thoughts,
)
from companion.language.screen_language import _
from companion.language.wording import plain
from companion.messages import intentions
from companion.messages.client import RefereeLink
from companion.messages.intentions import Inquiry, Intention, Request, may_send
from companion.messages.lobby import GameAnalyses
from companion.messages.looks import Preference
from companion.messages.phone_access import PhoneAccess
from companion.messages.protocol import Fault, FromReferee, Knowledge, Reply
from companion.screen.screens.table_screen import TableScreen

if TYPE_CHECKING:
    from companion.screen.app import CompanionApp


class WayOut(NamedTuple):
    """How players leave the table."""

    label: Words
    go: Callable[[], object]


class Conversation:
    """`watch` shows everything and posts nothing; `exit_with_referee` ends the app when the referee ends."""

    def __init__(
        self, app: "CompanionApp", socket_path: Path, *, exit_with_referee: bool, watch: bool, way_out: WayOut | None
    ) -> None:
        self._app, self._exit_with_referee, self._watch = app, exit_with_referee, watch
        self.way_out = way_out
        self.phones: PhoneAccess | None = None
        """Lets phones join this table."""
        self.results: Path | None = None
        """The folder for saved results; None: the current folder."""
        self.analyses: GameAnalyses | None = None
        """Analyses finished games."""
        self.preferences: Sequence[Preference] = ()
        """What the players want at every table, by their seats."""
        self.left = False
        """The players have left the table: messages that still arrive are ignored."""
        self.link = RefereeLink(socket_path, self._heard, self._link_changed)
        self.screen = TableScreen(self)
        self.drawn = 0
        """How many times a snapshot was drawn; a burst counts once."""
        self._newest: Snapshot | None = None
        self._asked: tuple[str, Callable[..., None]] | None = None
        """The id of the last inquiry, and who gets the answer."""
        self._drawing = False
        self._replays = False
        """The referee shows a replay."""

    @property
    def peeking(self) -> bool:
        """An inquiry (a player's own view, past actions) has not been answered yet."""
        return self._asked is not None

    # --- What the referee says ---

    def _heard(self, message: FromReferee) -> None:
        if isinstance(message, Snapshot):
            self._newest, self._replays = message, message.replay is not None
            if not self._drawing:  # a burst is drawn once: the newest snapshot holds everything
                self._drawing = True
                self._later(self._draw)
        elif isinstance(message, Reply):
            self._later(self.screen.answer, message.told)
        elif not isinstance(message, Fault):
            self._inform(message)
        else:
            fault = plain(message.message, 200)
            self._later(self.screen.complain, lambda: _("The referee says: {message}", message=fault))

    def _inform(self, knowledge: Knowledge) -> None:
        """Only the last inquiry gets its answer: the dialog of an older one has closed."""
        if self._asked is not None and self._asked[0] == knowledge.id:
            (_id, then), self._asked = self._asked, None
            self._later(then, knowledge)

    def _link_changed(self, up: bool) -> None:
        self._asked = None
        if not up and self._exit_with_referee:
            self._app.exit()
        elif self._app.is_running:
            self._later(self.screen.show_link, up)

    def _later(self, then: Callable[..., object], *what: object) -> None:
        """Between two frames; not at all if the players have left the table in the meantime."""
        self._app.call_later(lambda: then(*what) if self.screen.is_running and not self.left else None)

    def _draw(self) -> None:
        self._drawing = False
        snapshot, self._newest = self._newest, None
        sight = self._see(snapshot) if snapshot else None
        if sight is not None:
            for screen in self._screens():
                screen.show(sight)
        self.drawn += 1

    def _screens(self) -> list[TableScreen | Dialog]:
        return [screen for screen in self._app.screen_stack if isinstance(screen, TableScreen | Dialog)]

    def _see(self, snapshot: Snapshot) -> Sight | None:
        try:
            return Sight(snapshot, find_face(snapshot.game), self._watch)
        except CompanionError:
            game = plain(snapshot.game)
            self.screen.complain(lambda: _("This screen does not know the game {game}.", game=game))
            return None
        except msgspec.ValidationError as error:
            problem = plain(str(error), 100)
            self.screen.complain(lambda: _("This table cannot be shown: {problem}", problem=problem))
            return None

    # --- What players want at every table ---

    def preference(self, seat: Seat) -> Preference:
        return self.preferences[seat] if seat < len(self.preferences) else Preference()

    def lend_to(self, sight: Sight, seat: Seat) -> None:
        """This player alone has the screen now, in their language. One who plays here alone is lent nothing."""
        if len(sight.persons) > 1:
            self._app.lend_to(self.preference(seat).language)

    def take_back(self) -> None:
        self._app.take_back()

    # --- What the screen posts ---

    def _may_send(self, message: Request) -> bool:
        """A screen that only watches sends nothing, unless it shows a replay. Only a puzzle takes an action."""
        if self._replays:
            return may_send(message, "replay") and not (self._watch and isinstance(message, intentions.Act))
        return not self._watch and may_send(message, "screen")

    def _post(self, intention: Intention) -> None:
        if self._may_send(intention):
            self.link.post(intention)

    def _ask(self, inquiry: Inquiry[Any], then: Callable[..., None]) -> None:
        """Without a referee no answer comes."""
        if self._may_send(inquiry):
            self._asked = inquiry.id, then
            self.link.ask(inquiry)

    def act(self, action: Action) -> None:
        self._post(intentions.Act(uuid4().hex, action))

    def peek(self, seat: Seat, then: Callable[[OwnView], None]) -> None:
        """Ask for what this player alone may see."""
        self._ask(intentions.Peek(uuid4().hex, seat), then)

    def look_back(self, then: Callable[[Past], None]) -> None:
        """Ask what was done lately, and what of it can be corrected."""
        self._ask(intentions.LookBack(uuid4().hex), then)

    def reconsider(self, entry: int, seat: Seat | None, then: Callable[[Before], None]) -> None:
        """Ask what could have been done instead. `seat`: the player who is alone with the screen."""
        self._ask(intentions.Reconsider(uuid4().hex, entry, seat), then)

    def look_at_table(self, then: Callable[[SetTable], None]) -> None:
        """Ask how the table was set up, and what should be where."""
        self._ask(intentions.LookAtTable(uuid4().hex), then)

    def read_back(self, before: int, then: Callable[[EarlierLines], None]) -> None:
        """Ask what happened before this line."""
        self._ask(intentions.ReadBack(uuid4().hex, before), then)

    def ask_why(self, entry: int, then: Callable[[Thoughts], None]) -> None:
        """Ask what bots expected of the action with this entry, or of the choices that it revealed."""
        self._ask(intentions.AskWhy(uuid4().hex, entry), then)

    def look_at_game(self, game: int, then: Callable[[Sight], None]) -> None:
        """Ask how this game of the match ended."""

        def found(earlier: EarlierGame) -> None:
            sight = self._see(earlier.snapshot) if earlier.snapshot else None
            if sight is not None:
                then(sight)

        self._ask(intentions.LookAtGame(uuid4().hex, game), found)

    def undo(self, entry: int, to: int | None = None) -> None:
        """Undo the newest action, if `entry` is still the newest entry; or everything back to the action `to`."""
        self._post(intentions.Undo(uuid4().hex, entry, to))

    def correct(self, entry: int, newest: int, action: Action) -> None:
        """Replace an action, if `newest` is still the newest entry."""
        self._post(intentions.Correct(uuid4().hex, entry, newest, action))

    def agree(self, seat: Seat, question: int) -> None:
        self._post(intentions.Agree(uuid4().hex, seat, question))

    def decline(self, question: int) -> None:
        self._post(intentions.Decline(uuid4().hex, question))

    def run_errand(self, entry: int) -> None:
        """The pieces were moved for a bot, if `entry` is still the newest entry."""
        self._post(intentions.RunErrand(uuid4().hex, entry))

    def looked_over(self) -> None:
        self._post(intentions.LookedOver(uuid4().hex))

    def turn(self, page: int) -> None:
        """Show this page of the preparation."""
        self._post(intentions.Prepare(uuid4().hex, page))

    def enlist(self, step: str, values: Mapping[str, Value]) -> None:
        """A piece on the table is not in the box list: this is printed on it."""
        self._post(intentions.Enlist(uuid4().hex, step, dict(values)))

    def go(self, to: int = 0, by: int = 0, until: tuple[str, ...] = ()) -> None:
        """In a replay: show another step."""
        self._post(intentions.Go(uuid4().hex, to, by, until))

    def next_game(self, seats: tuple[Seat, ...], first: Seat, options: dict[str, Any]) -> None:
        self._post(intentions.NextGame(uuid4().hex, seats, first, options))

    def pause(self, *, on: bool) -> None:
        self._post(intentions.Pause(uuid4().hex, on))

    def drive(self, speed: float, *, step: bool = False) -> None:
        """How fast simulated hands play."""
        self._post(intentions.Drive(uuid4().hex, speed, step))

    def end_match(self) -> None:
        self._post(intentions.EndMatch(uuid4().hex))
