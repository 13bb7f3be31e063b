"""Before the table: play at once, go on, agree on a new game, look back. Enter alone begins a game."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button

from companion.reception import PastEvening
from companion.screen.face import Headline
from companion.screen.hall import Hall
from companion.screen.party import QUICK_GAME, QUICK_NAMES, Party, quick_wish
from companion.screen.screens.dialog import Reading
from companion.screen.screens.evenings import EveningsDialog, game_name, one_line
from companion.screen.screens.setup import SetupScreen
from companion.screen.text import _, listed
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.notice import Notice
from companion.screen.widgets.panel import Panel
from companion.screen.widgets.worded import LanguagePress, Press, ThemePress, Words
from companion.wording import plain

LINES = 40


class StartScreen(Screen[None]):
    BINDINGS = [
        ("r", "resume", ""),
        ("n", "new", ""),
        ("e", "evenings", ""),
        ("f1", "help", ""),
        ("q", "quit", ""),
        ("up,left", "app.focus_previous", ""),
        ("down,right", "app.focus_next", ""),
    ]
    CSS_PATH = [Path(__file__).with_name("table.tcss"), Path(__file__).with_name("start.tcss")]
    AUTO_FOCUS = "#quick"

    def __init__(self, hall: Hall, *, kiosk: bool) -> None:
        super().__init__()
        self._hall, self._kiosk = hall, kiosk
        self._busy = False

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        with Vertical(id="doors"):
            yield Press(str, self._quick_label, variant="success", id="quick", name="quick")
            yield Press(lambda: "r", self._resume_label, id="resume", name="resume", disabled=True)
            yield Press(lambda: "n", lambda: _("New game …"), id="new", name="new", disabled=True)
        with Vertical(id="talk"):
            yield Notice(id="notice")
            yield Panel(id="past")
        with Horizontal(id="way"):
            yield Press(lambda: "e", lambda: _("Evenings"), id="evenings", name="evenings", disabled=True)
            yield Press(lambda: "F1", lambda: _("Help"), name="help")
            yield LanguagePress(can_focus=True)
            yield ThemePress()
            if not self._kiosk:
                yield Press(lambda: "q", lambda: _("Quit"), name="quit")

    # --- Drawing ---

    def redraw(self) -> None:
        """In another language, or with other evenings."""
        big = _("Companion", "big")
        self.query_one(HeadlinePanel).announce(Headline((big,), _("A referee for real tables")), self.size.width)
        for button in self.query(Press):
            button.redraw()
        self.query_one(Notice).redraw()
        lines = [one_line(past) for past in self._hall.offer.evenings[:LINES]]
        title = Content.styled(_("Evenings so far") if lines else _("No evening has been played yet."), "bold")
        self.query_one("#past", Panel).show(Content("\n").join([title, *lines]))

    def _quick_label(self) -> str:
        names = listed(QUICK_NAMES[1:])
        return _("Play {game} against {names}").format(game=game_name(QUICK_GAME), names=names)

    def _resume_label(self) -> str:
        past = self._newest_open()
        if past is None:
            return _("Go on: no game is open")
        return _("Go on: {game} with {names}").format(
            game=game_name(past.game), names=listed([plain(name) for name in past.players])
        )

    def _newest_open(self) -> PastEvening | None:
        return next((past for past in self._hall.offer.evenings if past.standing == "open"), None)

    def _say(self, words: Words | None) -> None:
        self.query_one(Notice).last(words)

    # --- Handlers ---

    def on_mount(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def on_screen_resume(self) -> None:
        """Also after a game: what was played is listed."""
        self.run_worker(self._look(), group="look", exclusive=True)

    async def _look(self) -> None:
        problem = await self._hall.look() or self._hall.problem
        self._hall.problem = ""
        if problem:
            self._say(lambda: problem)
        offer = self._hall.offer
        self.query_one("#resume", Press).disabled = self._newest_open() is None
        self.query_one("#new", Press).disabled = not offer.games
        self.query_one("#evenings", Press).disabled = not offer.evenings
        self.redraw()

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.run_action(event.button.name or "")

    # --- Actions ---

    def action_quick(self) -> None:
        self._go(lambda: self._hall.begin(quick_wish(self._hall.offer.kits)))

    def action_resume(self) -> None:
        self.resume(self._newest_open())

    def resume(self, past: PastEvening | None) -> None:
        if past is not None:
            self._go(lambda: self._hall.resume(past))

    def action_new(self) -> None:
        if self._hall.offer.games and not self._busy:
            self._say(None)
            self.app.push_screen(SetupScreen(Party(self._hall.offer), self._hall))

    def action_evenings(self) -> None:
        if self._hall.offer.evenings and not self._busy:
            self.app.push_screen(EveningsDialog(self._hall.offer.evenings), self.resume)

    def action_help(self) -> None:
        self.app.push_screen(Reading(lambda: _("Help"), help_text, large=True))

    def action_quit(self) -> None:
        if not self._kiosk:
            self.app.exit()

    def _go(self, going: Callable[[], Awaitable[str]]) -> None:
        """To the table, once; what stands in the way is said."""
        if not self._busy:
            self._busy = True
            self._say(lambda: _("The table is being set …"))
            self.run_worker(self._gone(going()), group="go")

    async def _gone(self, going: Awaitable[str]) -> None:
        try:
            problem = await going
        finally:
            self._busy = False
        self._say((lambda: problem) if problem else None)


def help_text() -> str:
    lines = [
        _("Companion is the referee of a table: it knows the rules, keeps what is secret, adds up, and says why."),
        _("Enter begins at once: you against two simulated neighbours. Everything can be taken back with Undo."),
        _("“New game” asks which game, who sits where, who is simulated, and what you have agreed on."),
        _("“Go on” takes up the newest game that is not over; “Evenings” lists all of them with their results."),
        _("Arrow keys or Tab go from button to button, Enter presses one. Two buttons are enough for all of it."),
    ]
    return "\n\n".join(lines)
