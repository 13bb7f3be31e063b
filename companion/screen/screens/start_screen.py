"""The start screen: the games as cards, what is plugged in, the last evenings and a table of players. Enter starts a
game, or resumes the open one."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import Any

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from companion.gamekit.screen.controls import ButtonList, KeyButton, LanguageButton, Panel, ThemeButton, Words
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Headline
from companion.gamekit.sign_table import DOWN, NOTHING, UP
from companion.language.screen_language import _, listed
from companion.language.wording import plain
from companion.messages.lobby import USUAL_TITLE, GameOffer, PastEvening, PlayerStanding
from companion.screen.evening_flow import EveningFlow
from companion.screen.game_setup import QUICK_NAMES, SetupForm, quick_plan
from companion.screen.screens.evening_list import EveningsDialog, game_title, one_line
from companion.screen.screens.setup_screen import SetupScreen, kit_words
from companion.screen.widgets.game_card import DIGITS, FLAT, GameCard
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.notice import Notice

FEW = 2
"""With more evenings, or with a notice, a low screen has no room between cards."""
LINES = 40
ROWS = 2
"""Rows of a notice that leaves room for the evenings, even on a small screen."""
MARGIN = 12
"""Letters of a row that a notice may lose to padding and to a word that wraps."""
NAME = 24
"""Letters of a game's name in a notice."""
PLUGS_S = 2.0
"""How often to look for a newly plugged-in reader."""
TALL = 26
"""From this many rows on, cards have their picture above their words."""
LEAST_ROWS, MOST_ROWS = 9, 20
"""Rows of an upright card."""
CARD, FLAT_CARD = 19, 33
"""Cells of an upright card, and of one that has its picture beside its words, at least."""
BESIDE = 90
"""From this width on, the table of players is beside the evenings."""
WIDE = 120
"""From this width on, players have bars."""
PLAYER, BAR = 12, 12
"""Cells of a player's name and bar."""


class StartScreen(Screen[None]):
    BINDINGS = [
        ("r", "resume", ""),
        ("n", "new", ""),
        ("p", "plugged", ""),
        ("h", "hall", ""),
        ("e", "evenings", ""),
        ("z", "puzzle", ""),
        ("f1", "help", ""),
        ("q", "quit", ""),
        ("up,left", "app.focus_previous", ""),
        ("down,right", "app.focus_next", ""),
    ]
    CSS_PATH = [Path(__file__).with_name("table.tcss"), Path(__file__).with_name("start.tcss")]
    AUTO_FOCUS = "#quick"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]

    def __init__(self, flow: EveningFlow, *, kiosk: bool) -> None:
        super().__init__()
        self._flow, self._kiosk = flow, kiosk
        self._busy = False
        self._looked = False
        """The evenings have been listed, so it is known whether a game is open."""
        self._eager = False
        """Enter was pressed before that."""
        self._standings: Sequence[PlayerStanding] = ()
        """They are read from the journals, which takes longer than listing evenings."""
        self._games: Sequence[GameOffer] = ()
        """Those that have a card."""
        self._columns = self._seen_rows = self._card_rows = 1
        """How the cards are drawn: how many in a row, how many rows of them are seen, and the rows of one."""

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        with ButtonList(id="cards"):
            yield ItemGrid(id="games")
        yield Panel(id="further")
        with Horizontal(id="ways-to-play"):
            yield KeyButton(str, self._quick_label, self.action_quick, variant="success", id="quick", classes="likely")
            yield KeyButton(lambda: "r", self._resume_label, self.action_resume, id="resume", disabled=True)
            yield KeyButton(lambda: "z", lambda: _("Puzzle"), self.action_puzzle, id="puzzle")
        yield KeyButton(lambda: "h", self._hall_label, self.action_hall, variant="success", id="hall")
        yield KeyButton(lambda: "p", self._plugged_label, self.action_plugged, id="plugged")
        with Vertical(id="talk"):
            yield Notice(id="notice")
            with Horizontal(id="people"):
                yield Panel(id="past")
                yield Panel(id="players")
        with Horizontal(id="way"):
            new, evenings = self.action_new, self.action_evenings
            yield KeyButton(lambda: "n", lambda: _("New game …"), new, id="new", name="new", disabled=True)
            yield KeyButton(lambda: "e", lambda: _("Evenings"), evenings, id="evenings", disabled=True)
            yield KeyButton(lambda: "F1", lambda: _("Help"), self.action_help)
            yield LanguageButton(can_focus=True)
            yield ThemeButton()
            if not self._kiosk:
                yield KeyButton(lambda: "q", lambda: _("Quit"), self.action_quit)

    # --- Drawing ---

    def redraw(self) -> None:
        """Draw again in another language, or with other evenings."""
        devices = _devices(self._flow)
        sentence = " – ".join(words for words in (_("A referee for real tables"), devices) if words)
        headline = self.query_one(HeadlinePanel)
        if self.size.height >= TALL:
            headline.announce(Headline((_("Companion", "big"),), sentence), self.size.width)
        else:
            fits = cell_len(sentence) <= self.size.width - 2
            headline.show(Content(sentence if fits else f"{self.app.TITLE} – {devices}"))
        self._draw_cards()
        for button in self.query(KeyButton):
            button.redraw()
        self.query_one("#resume").refresh(layout=True)  # it is as wide as its words
        self.query_one(Notice).redraw()
        lines = [one_line(past) for past in self._flow.offers.evenings[:LINES]]
        title = Content.styled(_("Last evenings") if lines else _("No evening has been played yet."), "bold")
        if self._flow.offers.hall is not None:
            hint = _("Enter takes players, seats and game from the hall. Any card above opens a game of your own.")
        else:
            hint = _("Enter starts your first one. Any card above opens another game.")
            if self.size.height >= TALL:
                hint += " " + _("Companion deals, knows the rules, says whose turn it is, and counts the points.")
        first = [] if lines else [Content(line) for line in wrap(hint, max(1, self.size.width - 2))]
        past = [title, *first, *lines] if self._looked else []  # before that nobody knows
        self.query_one("#past", Panel).show(Content("\n").join(past))
        players = self.query_one("#players", Panel)
        table = _players_table(self._standings, wide=self.size.width >= WIDE)
        players.display = self.size.width >= BESIDE and bool(table.plain)
        players.styles.width = max(map(cell_len, table.plain.split("\n"))) + 2
        players.show(table)

    def _draw_cards(self) -> None:
        """Upright if all have room, else flat. If there is no room for all of them even so, a line says how many are
        above and below."""
        cards = list(self.query(GameCard))
        if not cards:
            return
        width, height = self.size
        offers = self._flow.offers
        told = self.query_one(Notice).display
        crowded = told or offers.hall or offers.plugged or len(offers.evenings) > FEW
        gap = 0 if crowded else 1  # below a flat card
        room = height - 16 if height >= TALL else 2 * (FLAT + gap)
        lines = ceil(len(cards) / max(1, width // CARD))
        upright = lines * LEAST_ROWS <= room
        self.set_class(upright, "-upright")
        columns = ceil(len(cards) / lines) if upright else min(len(cards), max(2, width // FLAT_CARD))
        rows = min(MOST_ROWS, room // lines) if upright else FLAT + gap
        lines = ceil(len(cards) / columns)
        self._columns, self._seen_rows, self._card_rows = columns, min(lines, room // rows), rows
        grid = self.query_one("#games", ItemGrid)
        grid.styles.grid_size_columns = columns
        grid.styles.grid_rows = str(rows)
        grid.styles.height = lines * rows
        self.query_one("#cards").styles.height = self._seen_rows * rows
        for card in cards:
            card.fit((width - columns + 1) // columns - 2, rows - (2 if upright else gap))
        self._show_cards_from(round(self.query_one("#cards").scroll_target_y) // rows)

    def _show_cards_from(self, line: int) -> None:
        """Scroll so that this row of cards is the first, and say how many are out of sight."""
        self.query_one("#cards").scroll_to(y=line * self._card_rows, animate=False)
        above, seen = line * self._columns, self._seen_rows * self._columns
        parts = [(UP, above), (DOWN, len(self._games) - above - seen)]
        further = self.query_one("#further", Panel)
        further.show(
            Content("   ".join(_("{arrow} {count} more", arrow=arrow, count=n) for arrow, n in parts if n > 0))
        )
        further.display = bool(further.text)

    def scroll_to_center(self, widget: Widget, *how: Any, **more: Any) -> None:
        """Textual calls this for a widget that has the focus and is not wholly in sight. A row of cards is seen as a
        whole."""
        if isinstance(widget, GameCard):
            self._show_card(widget)
        else:
            super().scroll_to_center(widget, *how, **more)

    def _show_card(self, card: GameCard) -> None:
        line = list(self.query(GameCard)).index(card) // self._columns
        first = ceil(self.query_one("#cards").scroll_target_y / self._card_rows)
        self._show_cards_from(min(line, max(line - self._seen_rows + 1, first)))

    def _quick_label(self) -> str:
        if self._is_second("quick"):
            return _("Play {game}", game=USUAL_TITLE)
        return _("Play {game} against {names}", game=USUAL_TITLE, names=listed(QUICK_NAMES[1:]))

    def _resume_label(self) -> str:
        past = self._newest_open()
        if past is None:
            return ""
        names = listed([plain(name) for name in past.players])
        if self._is_second("resume"):
            return _("Resume {game}", game=game_title(past))
        return _("Resume: {game} with {names}", game=game_title(past), names=names)

    def _is_second(self, button: str) -> bool:
        """Whether the other button is the likely one: then there is little room for words on this one."""
        return (self._goes_on() == (button == "quick")) and self.size.width < WIDE

    def _hall_label(self) -> str:
        hall = self._flow.offers.hall
        if hall is None:
            return ""
        club, table = plain(hall.club, 40), plain(hall.table, 40)
        return _("Take the table from the hall ({club}, table {table})", club=club, table=table)

    def _plugged_label(self) -> str:
        plugged = self._flow.offers.plugged
        if plugged is None or plugged.is_certain:
            return _("A reader is plugged in. Play with it?")
        return _("{name} is plugged in. Is it a reader to play with?", name=plain(plugged.name, 40))

    def _newest_open(self) -> PastEvening | None:
        return next((past for past in self._flow.offers.evenings if past.standing == "open"), None)

    def _goes_on(self) -> bool:
        """Whether the newest evening is still open: then Enter resumes it."""
        evenings = self._flow.offers.evenings
        return bool(evenings) and evenings[0].standing == "open"

    def _say(self, words: Words | None) -> None:
        self.query_one(Notice).last(words)

    # --- Handlers ---

    def on_mount(self) -> None:
        for hidden in ("#hall", "#plugged", "#resume", "#puzzle"):
            self.query_one(hidden).display = False
        for button in self.query("#way Button, #ways-to-play .likely").results(KeyButton):
            button.styles.line_pad = 0  # every cell is needed
        self.set_interval(PLUGS_S, self._look_at_plugs)
        self.redraw()

    def on_resize(self) -> None:
        self._show_puzzle()
        self.redraw()

    def on_screen_resume(self) -> None:
        """Also after a game, which is listed now."""
        self.run_worker(self._look(), group="look", exclusive=True)

    def on_key(self, event: events.Key) -> None:
        """A digit chooses a card."""
        if event.key.isdecimal() and 0 < int(event.key) <= min(DIGITS, len(self._games)):
            event.stop()
            self._set_up(self._games[int(event.key) - 1])

    async def _look(self) -> None:
        problem = await self._flow.look() or self._flow.problem
        self._flow.problem = ""
        offers = self._flow.offers
        if problem:
            self._say(lambda: problem)
        elif offers.hall is not None and offers.hall.problem:
            trouble = offers.hall.problem
            self._say(lambda: trouble[:1].upper() + trouble[1:])
        elif offers.unplayable:
            self._say(lambda: unplayable(offers.unplayable, ROWS * (self.size.width - MARGIN)))
        self._show_ways_to_play()
        self.query_one("#new", KeyButton).disabled = not offers.games
        self.query_one("#plugged").display = offers.plugged is not None
        self.query_one("#evenings", KeyButton).disabled = not offers.evenings
        await self._show_cards(offers.games)
        self._looked, eager, self._eager = True, self._eager, False
        self.redraw()
        if eager and isinstance(self.focused, KeyButton):
            self.focused.press()
        else:
            self._standings = await self._flow.standings()
            self.redraw()

    async def _show_cards(self, games: Sequence[GameOffer]) -> None:
        if games != self._games:
            self._games = games
            grid = self.query_one("#games")
            await grid.remove_children()
            await grid.mount_all(
                [GameCard(number, game, partial(self._set_up, game)) for number, game in enumerate(games, 1)]
            )

    def _show_ways_to_play(self) -> None:
        """If the newest evening is still open, Enter resumes it."""
        quick, resume = self.query_one("#quick", KeyButton), self.query_one("#resume", KeyButton)
        resume.disabled = self._newest_open() is None
        resume.display = not resume.disabled
        first, second = (resume, quick) if self._goes_on() else (quick, resume)
        first.variant, second.variant = "success", "default"
        first.set_class(True, "likely")
        second.set_class(False, "likely")
        first.styles.line_pad, second.styles.line_pad = 0, 1
        self._show_puzzle()
        hall = self.query_one("#hall", KeyButton)
        hall.display = self._flow.offers.hall is not None
        if self.focused in (None, quick, resume, hall):
            (hall if hall.display and not self._goes_on() else first).focus()

    def _show_puzzle(self) -> None:
        """On a narrow screen only while no game is open; its key always works."""
        has_room = self.size.width >= WIDE or self.query_one("#resume", KeyButton).disabled
        self.query_one("#puzzle").display = has_room and self._flow.offers.puzzle is not None

    async def _look_at_plugs(self) -> None:
        """A reader may be plugged in while the screen is open, and an analysis may find a puzzle."""
        if self.is_current and await self._flow.look_at_plugs():
            self.query_one("#plugged").display = self._flow.offers.plugged is not None
            self.redraw()
        if self.is_current and self._looked and await self._flow.look_at_puzzle():
            self._show_puzzle()

    # --- Actions ---

    def action_quick(self) -> None:
        if not self._looked:
            self._eager = True
            return
        self._go(lambda: self._flow.begin(quick_plan(self._flow.offers.kits)))

    def action_hall(self) -> None:
        if self._flow.offers.hall is not None:
            self._go(self._flow.take_table)

    def action_resume(self) -> None:
        self.resume(self._newest_open())

    def resume(self, past: PastEvening | None) -> None:
        if past is not None:
            self._go(lambda: self._flow.resume(past))

    def action_new(self) -> None:
        if self._flow.offers.games:
            self._set_up(None)

    def _set_up(self, game: GameOffer | None) -> None:
        """Agree on the rest of a new game; None: on the game, too."""
        if not self._busy:
            self._say(None)
            self.app.push_screen(SetupScreen(SetupForm(self._flow.offers, game), self._flow))

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
            self.app.push_screen(dialog, self._chosen)

    def _chosen(self, chosen: tuple[str, PastEvening, int] | None) -> None:
        if chosen is not None:
            way, past, game = chosen
            self._go(lambda: self._flow.replay(past, game) if way == "replay" else self._flow.resume(past))

    def action_puzzle(self) -> None:
        puzzle = self._flow.offers.puzzle
        if puzzle is not None:
            self._go(lambda: self._flow.solve(puzzle))

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


def _devices(flow: EveningFlow) -> str:
    """What is plugged in."""
    kit, plugged = flow.offers.kits[0], flow.offers.plugged
    if plugged is not None:
        return _("plugged in: {name}", name=plain(plugged.name, 40))
    if kit.kit == "none":
        return ""
    if kit.simulated:
        return _("no reader is plugged in: the pads are simulated")
    return _("devices: {kit}", kit=kit_words(kit))


def _players_table(standings: Sequence[PlayerStanding], *, wide: bool) -> Content:
    """The strongest first: games, victories with what chance would give, rating. Empty if no game counts yet."""
    if not standings:
        return Content("")
    bar, point = f"  {' ' * BAR}" if wide else "", _(".", "decimal point")
    head = f"{' ' * PLAYER}{_('games'):>7}{_('won'):>7}{bar}  {_('rating')}"
    rows = [
        Content.assemble(
            (set_cell_size(each.name, PLAYER), "bold"),
            f"{each.games:>7}{f'{each.wins:.3g}'.replace('.', point):>7}",
            (f"  {_bar(each)}" if wide else "", "$text-primary"),
            f"  {each.rating.replace('.', point):<6}",
            (f"  {_('{count} in a row', count=each.streak)}" if each.streak > 1 else "", "$quiet"),
        )
        for each in standings
    ]
    return Content("\n").join([Content.styled(_("Players"), "bold"), Content.styled(head, "$quiet"), *rows])


def _bar(standing: PlayerStanding) -> str:
    """Victories as a bar, with a mark for what chance would give."""
    full, mark = (round(share / standing.games * BAR) for share in (standing.wins, standing.expected))
    return "".join("│" if place == mark else "█" if place < full else NOTHING for place in range(BAR))


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
        _("A card opens a new game: who sits where, who is simulated, and what you have agreed on."),
        _("“Resume” continues the newest game that is not over. “Evenings” lists all of them, to resume or to replay."),
        _("“Puzzle” shows a position of a finished game in which something else would have been better."),
        _("Arrow keys or Tab move between buttons, Enter presses one. Two keys are enough for everything."),
    ]
    return "\n\n".join(lines)
