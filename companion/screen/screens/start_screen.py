"""The start screen: quick game, resume, new game, earlier evenings. Enter starts a game, or resumes the open one."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen

from companion.gamekit.screen.controls import KeyButton, LanguageButton, Panel, ThemeButton, Words
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Headline
from companion.language.screen_language import _, listed
from companion.language.wording import plain
from companion.messages.lobby import USUAL_TITLE, PastEvening
from companion.screen.evening_flow import EveningFlow
from companion.screen.game_setup import QUICK_NAMES, SetupForm, quick_plan
from companion.screen.screens.evening_list import EveningsDialog, game_title, one_line
from companion.screen.screens.setup_screen import SetupScreen
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.notice import Notice

LINES = 40
ROWS = 2
"""Rows of a notice that leaves room for the evenings, even on a small screen."""
MARGIN = 12
"""Letters of a row that a notice may lose to padding and to a word that wraps."""
NAME = 24
"""Letters of a game's name in a notice."""
PLUGS_S = 2.0
"""How often to look for a newly plugged-in reader."""


class StartScreen(Screen[None]):
    BINDINGS = [
        ("r", "resume", ""),
        ("n", "new", ""),
        ("p", "plugged", ""),
        ("e", "evenings", ""),
        ("f1", "help", ""),
        ("q", "quit", ""),
        ("up,left", "app.focus_previous", ""),
        ("down,right", "app.focus_next", ""),
    ]
    CSS_PATH = [Path(__file__).with_name("table.tcss"), Path(__file__).with_name("start.tcss")]
    AUTO_FOCUS = "#quick"

    def __init__(self, flow: EveningFlow, *, kiosk: bool) -> None:
        super().__init__()
        self._flow, self._kiosk = flow, kiosk
        self._busy = False
        self._looked = False
        """The evenings have been listed, so it is known whether a game is open."""
        self._eager = False
        """Enter was pressed before that."""

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        with Vertical(id="doors"):
            yield KeyButton(str, self._quick_label, self.action_quick, variant="success", id="quick")
            yield KeyButton(lambda: "r", self._resume_label, self.action_resume, id="resume", disabled=True)
            new = self.action_new
            yield KeyButton(lambda: "n", lambda: _("New game …"), new, id="new", name="new", disabled=True)
            yield KeyButton(lambda: "p", self._plugged_label, self.action_plugged, id="plugged")
        with Vertical(id="talk"):
            yield Notice(id="notice")
            yield Panel(id="past")
        with Horizontal(id="way"):
            evenings = self.action_evenings
            yield KeyButton(lambda: "e", lambda: _("Evenings"), evenings, id="evenings", disabled=True)
            yield KeyButton(lambda: "F1", lambda: _("Help"), self.action_help)
            yield LanguageButton(can_focus=True)
            yield ThemeButton()
            if not self._kiosk:
                yield KeyButton(lambda: "q", lambda: _("Quit"), self.action_quit)

    # --- Drawing ---

    def redraw(self) -> None:
        """Draw again in another language, or with other evenings."""
        big = _("Companion", "big")
        self.query_one(HeadlinePanel).announce(Headline((big,), _("A referee for real tables")), self.size.width)
        for button in self.query(KeyButton):
            button.redraw()
        self.query_one(Notice).redraw()
        lines = [one_line(past) for past in self._flow.offers.evenings[:LINES]]
        title = Content.styled(_("Evenings so far") if lines else _("No evening has been played yet."), "bold")
        self.query_one("#past", Panel).show(Content("\n").join([title, *lines]))

    def _quick_label(self) -> str:
        names = listed(QUICK_NAMES[1:])
        return _("Play {game} against {names}", game=USUAL_TITLE, names=names)

    def _resume_label(self) -> str:
        past = self._newest_open()
        if past is None:
            return _("Resume: no game is open")
        return _(
            "Resume: {game} with {names}", game=game_title(past), names=listed([plain(name) for name in past.players])
        )

    def _plugged_label(self) -> str:
        plugged = self._flow.offers.plugged
        if plugged is None or plugged.is_certain:
            return _("A reader is plugged in. Play with it?")
        return _("{name} is plugged in. Is it a reader to play with?", name=plain(plugged.name, 40))

    def _newest_open(self) -> PastEvening | None:
        return next((past for past in self._flow.offers.evenings if past.standing == "open"), None)

    def _say(self, words: Words | None) -> None:
        self.query_one(Notice).last(words)

    # --- Handlers ---

    def on_mount(self) -> None:
        self.query_one("#plugged").display = False
        self.set_interval(PLUGS_S, self._look_at_plugs)
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def on_screen_resume(self) -> None:
        """Also after a game, which is listed now."""
        self.run_worker(self._look(), group="look", exclusive=True)

    async def _look(self) -> None:
        problem = await self._flow.look() or self._flow.problem
        self._flow.problem = ""
        offers = self._flow.offers
        if problem:
            self._say(lambda: problem)
        elif offers.unplayable:
            self._say(lambda: unplayable(offers.unplayable, ROWS * (self.size.width - MARGIN)))
        self._show_doors()
        self.query_one("#new", KeyButton).disabled = not offers.games
        self.query_one("#plugged").display = offers.plugged is not None
        self.query_one("#evenings", KeyButton).disabled = not offers.evenings
        self.redraw()
        self._looked, eager, self._eager = True, self._eager, False
        if eager and isinstance(self.focused, KeyButton):
            self.focused.press()

    def _show_doors(self) -> None:
        """If the newest evening is still open, Enter resumes it."""
        quick, resume = self.query_one("#quick", KeyButton), self.query_one("#resume", KeyButton)
        resume.disabled = self._newest_open() is None
        evenings = self._flow.offers.evenings
        goes_on = bool(evenings) and evenings[0].standing == "open"
        first, second = (resume, quick) if goes_on else (quick, resume)
        first.variant, second.variant = "success", "default"
        if self.focused in (None, quick, resume):
            first.focus()

    async def _look_at_plugs(self) -> None:
        """A reader may be plugged in while the screen is open."""
        if self.is_current and await self._flow.look_at_plugs():
            self.query_one("#plugged").display = self._flow.offers.plugged is not None
            self.redraw()

    # --- Actions ---

    def action_quick(self) -> None:
        if not self._looked:
            self._eager = True
            return
        self._go(lambda: self._flow.begin(quick_plan(self._flow.offers.kits)))

    def action_resume(self) -> None:
        self.resume(self._newest_open())

    def resume(self, past: PastEvening | None) -> None:
        if past is not None:
            self._go(lambda: self._flow.resume(past))

    def action_new(self) -> None:
        if self._flow.offers.games and not self._busy:
            self._say(None)
            self.app.push_screen(SetupScreen(SetupForm(self._flow.offers), self._flow))

    def action_plugged(self) -> None:
        """Use the reader that is plugged in, and set up a game with it."""
        if self._flow.offers.plugged is not None and not self._busy:
            self._busy = True
            self._say(lambda: _("Checking the reader …"))
            self.run_worker(self._adopt(), group="go")

    async def _adopt(self) -> None:
        try:
            problem = await self._flow.adopt()
        finally:
            self._busy = False
        self._say((lambda: problem) if problem else None)
        self.query_one("#plugged").display = self._flow.offers.plugged is not None
        self.redraw()
        if not problem:
            self.action_new()

    def action_evenings(self) -> None:
        if self._flow.offers.evenings and not self._busy:
            dialog = EveningsDialog(lambda: self._flow.offers.evenings, self._flow.remove)
            self.app.push_screen(dialog, self.resume)

    def action_help(self) -> None:
        self.app.push_screen(Reading(lambda: _("Help"), help_text, large=True))

    def action_quit(self) -> None:
        if not self._kiosk:
            self.app.exit()

    def _go(self, going: Callable[[], Awaitable[str]]) -> None:
        """Start or resume a game, once. A problem is shown."""
        if not self._busy:
            self._busy = True
            self._say(lambda: _("Setting the table …"))
            self.run_worker(self._gone(going()), group="go")

    async def _gone(self, going: Awaitable[str]) -> None:
        try:
            problem = await going
        finally:
            self._busy = False
        self._say((lambda: problem) if problem else None)


def unplayable(games: Sequence[str], room: int) -> str:
    """Which games cannot be played: as many as fit, at least one."""
    names = [plain(name, NAME) for name in games]
    sentence = ""
    for left_out in range(len(names)):
        some = names[: len(names) - left_out]
        more = [_("{count:more|more}", count=left_out)] if left_out else []
        sentence = _(
            "{count} games cannot be played: {names}. `companion doctor` says why.",
            count=len(names),
            names=listed([*some, *more]),
        )
        if cell_len(sentence) <= room:
            break
    return sentence


def help_text() -> str:
    lines = [
        _("Companion is the referee at your table. It knows the rules, keeps secrets, adds up, and says why."),
        _("Enter starts at once: you against two simulated players. You can undo everything."),
        _("If a game is still open, Enter resumes it."),
        _("“New game” asks which game, who sits where, who is simulated, and what you have agreed on."),
        _("“Resume” continues the newest game that is not over. “Evenings” lists all of them with their results."),
        _("Arrow keys or Tab move between buttons, Enter presses one. Two keys are enough for everything."),
    ]
    return "\n\n".join(lines)
