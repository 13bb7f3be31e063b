"""The table screen: whose turn it is, what is on the table, what happened, and what can be done now.

It draws snapshots and posts intentions. `_draw` shows one snapshot; menus, help and dialogs are made when they open.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer

from companion.drawing.dialog_texts import answer, errand_title, puzzle_words, set_table_words, solution_words
from companion.drawing.event_lines import (
    COMPLAINTS,
    MOVES_ON,
    News,
    played_since,
    put_back,
    reasons,
    revealed,
    told_lines,
)
from companion.drawing.result_sheet import can_end, clock, game_number, outcome
from companion.drawing.shows import SCORING, Highlight, last_highlight
from companion.drawing.table_frame import LEAST, awaited, foot, headline_here, plan
from companion.errors import CompanionError
from companion.gamekit.figure import figures_of
from companion.gamekit.game import Seat
from companion.gamekit.screen.controls import Panel, Words, language_label
from companion.gamekit.screen.dialog import Dialog, Reading
from companion.gamekit.screen.face import HUGE, Action, Choice, Command, Headline, Menu, Sight
from companion.gamekit.screen.picker import NONE_OF_THESE, Choices
from companion.gamekit.screen.press_guard import Calm
from companion.gamekit.snapshot import AWAY_S, Errand, Puzzle, SetTable, Told
from companion.language.facts import N_
from companion.language.screen_language import OWN_TEXTS, _, language_name
from companion.language.wording import plain
from companion.messages.lobby import Feat
from companion.messages.looks import SPEECH, TIMES, Preference
from companion.screen.announcements import announcements, new_turn, turn_words
from companion.screen.screens.correction_dialogs import Correcting, put_back_sheet
from companion.screen.screens.handover import Handing, Peeking
from companion.screen.screens.help_dialog import help_dialog, legend_dialog
from companion.screen.screens.layout_dialogs import PreparationDialog, RestartDialog
from companion.screen.screens.phone_codes import invites, show_codes
from companion.screen.screens.question_dialogs import ErrandDialog, QuestionDialog, ask_to_leave
from companion.screen.screens.replay_controls import OpenHands, leaf, standing
from companion.screen.screens.result_screen import ResultDialog, fitting, result_code
from companion.screen.screens.seat_dialogs import NextGameDialog, SeatsDialog
from companion.screen.screens.show_dialog import Show, is_left_behind
from companion.screen.screens.unlisted_piece_dialog import Unlisted, can_join, none_of_these
from companion.screen.screens.why_dialog import Why
from companion.screen.widgets.button_bar import (
    Bar,
    Slot,
    game_slots,
    has_hands,
    keys_now,
    places,
    without_button,
)
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.history_list import History, Lately
from companion.screen.widgets.notice import Notice

if TYPE_CHECKING:
    from companion.screen.app import CompanionApp
    from companion.screen.conversation import Conversation

TALL = 26
"""From this many rows on there is room between things."""
PLAN, LARGE_PLAN = (42, 9), (70, 15)
"""Cells and rows of a seat plan beside the table, at most."""
ROOM_FOR_PLAN = (100, 30)
NOTICE = 3
"""Rows of a notice."""
PANELS = 4
"""How many pieces a game may draw its table in."""
NOTHING = Content("")
TICK_S = 1.0
PATIENCE_S = 5.0
"""A referee that is away for longer may not come back by itself."""


class TableScreen(Screen[None]):
    BINDINGS = [
        ("u", "undo", ""),
        ("w", "correct", ""),
        ("h", "history", ""),
        ("a", "again", ""),
        ("i", "peek", ""),
        ("n", "next", ""),
        ("r", "result", ""),
        ("e", "end_match", ""),
        ("m", "more", ""),
        ("q", "quit", ""),
        ("f1", "help", ""),
        ("question_mark", "legend", ""),
        ("f2", "seats", ""),
        ("f3", "times", ""),
        ("f4", "phones", ""),
        ("f6", "motion", ""),
        ("f5", "set_table", ""),
        ("f7", "errand", ""),
        ("pageup", "page(-1)", ""),
        ("pagedown", "page(1)", ""),
        ("V", "speech_language", ""),
        ("z", "pause", ""),
        ("v", "speech", ""),
        ("p,space", "demo_pause", ""),
        ("plus,equals_sign", "drive(2.0)", ""),
        ("minus", "drive(0.5)", ""),
        ("full_stop,right", "step", ""),
    ]
    CSS_PATH = Path(__file__).with_name("table.tcss")
    AUTO_FOCUS = ""
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]

    def __init__(self, talk: "Conversation") -> None:
        super().__init__()
        self._talk = talk
        self._sight: Sight | None = None
        self._up = False
        """The referee answers."""
        self._late = False
        """It has been away for longer than `PATIENCE_S`."""
        self._patience: Timer | None = None
        self._clock = ThinkingClock()
        self._calm = Calm()
        self._waiting = False
        """An action was posted, and its answer has not come yet."""
        self._news = News()
        self._put_back: Told | None = None
        self._shows: list[Highlight] = []
        """What is still to be shown, the oldest first."""
        self._feats: dict[int, Feat] = {}
        """What is special about the end of a game, by the entry that it began with."""
        self._put_off: tuple[Errand | None, int] = None, 0
        """What is to be done for a bot, if players closed the dialog, and at which entry: the same may come again."""
        self._told_puzzle = -1
        """How often a puzzle was answered when it was told last; -1: not even what it asks."""
        self._invited = False
        """The codes for phones have been shown."""
        self._plan_rows = 0
        """The rows left for the seat plan when it was drawn last."""
        self._notice_rows: int | None = None
        """The rows that the table leaves for notices."""

    def compose(self) -> ComposeResult:
        self._headline, self._body, self._notice = HeadlinePanel(id="headline"), Body(id="body"), Notice(id="notice")
        self._lately, self._history = Lately(id="lately"), History(id="history")
        self._plan, self._foot = Panel(id="plan"), Panel(id="foot")
        self._bar = Bar(self._evening_slots(), id="bar")
        yield self._headline
        yield self._body
        with Horizontal(id="below"):
            with Vertical(id="talk"):
                yield self._notice
                yield self._lately
                yield self._history
            yield self._plan
        yield self._foot
        yield self._bar

    @property
    def _companion(self) -> "CompanionApp":
        return cast("CompanionApp", self.app)

    # --- What the conversation tells --------------------------------------------------------------------------

    def show(self, sight: Sight) -> None:
        """Draw a new snapshot. If the next player is asked on this screen, a key that is still held is not theirs."""
        if len(sight.persons) > 1 and self._sight and self._sight.snapshot.awaiting != sight.snapshot.awaiting:
            self._calm.begin()
        before, self._sight, self._waiting = self._sight, sight, False
        with self.app.batch_update():
            self._draw(sight)
        self._report(before, sight)
        self._ask()
        if before is None or (before.snapshot.begun, before.names) != (sight.snapshot.begun, sight.names):
            self.run_worker(self._look_up_preferences(sight), group="preferences", exclusive=True)
        if sight.over and not (before and before.over):
            self.run_worker(self._look_for_feat(sight), group="feat", exclusive=True)

    def show_link(self, up: bool) -> None:
        """Whether the referee answers. While it does not, a notice says so, and after a while what can be done."""
        if up or self._up:
            self._late = False
            if self._patience is not None:
                self._patience.stop()
            self._patience = None
        if not up and self._patience is None:
            self._patience = self.set_timer(PATIENCE_S, self._be_late)
        self._up = up
        self._draw_link()
        self._draw_bar()

    def redraw(self) -> None:
        """The same table in another language or theme."""
        with self.app.batch_update():
            if self._sight is None:
                self._draw_link()
                self._draw_bar()
            else:
                self._draw(self._sight)
            self._notice.redraw()

    def answer(self, told: Told) -> None:
        """The referee's reply to an action of this screen. A refusal is shown; success is seen on the table."""
        self._waiting = False
        if self._sight is not None and told.kind not in (*MOVES_ON, "noted"):
            self._news.heard(told)
            self._answer(self._sight, told)
            self._announce(self._sight, self._sight, [told])

    def complain(self, words: Words, *, quiet: bool = False) -> None:
        self._notice.complain(words, quiet=quiet)

    # --- Drawing ----------------------------------------------------------------------------------------------

    def _draw(self, sight: Sight) -> None:
        """From top to bottom; each part is asked for once."""
        width, height = self.size
        huge = width >= HUGE[0] and height >= HUGE[1]
        self.set_class(huge, "-huge")
        self._headline.announce(self._outcome(sight) if sight.over else headline_here(sight), width, huge)
        used = self._body.fit(self._panels(sight, huge))
        self._draw_past(sight)
        self._clock.see(sight)
        self._plan_rows = height - used - (16 if huge else 12)
        has_room = width >= ROOM_FOR_PLAN[0] and height >= ROOM_FOR_PLAN[1] and self._plan_rows >= LEAST
        code = result_code(self._talk.phones, sight) if has_room and sight.over else NOTHING
        is_coded = 0 < _rows(code) <= self._plan_rows
        self._plan.display = is_coded or (has_room and not sight.over and len(sight.snapshot.players) > 1)
        if is_coded:
            self._plan.fit(code)
        self._make_room_for_notices(height - used - (12 if height >= TALL else 8))
        self._draw_times(sight)
        self._draw_bar()

    def _panels(self, sight: Sight, huge: bool) -> Sequence[Content]:
        """The table. When the game is over, its result, with a few rows left for the reasons below it."""
        width, height = self.size
        if sight.over:
            return fitting(sight, width, height - (15 if height >= TALL else 10) - (4 if huge else 0))
        grown = sight.face.grown(sight, width) if huge else None
        return grown or sight.face.panels(sight, width, height >= TALL)

    def _outcome(self, sight: Sight) -> Headline:
        """Who has won, and what is special about it."""
        shown = outcome(sight)
        feat = self._feats.get(sight.snapshot.begun)
        return shown._replace(sentence=f"{shown.sentence}. {feat_words(feat)}") if feat else shown

    async def _look_for_feat(self, sight: Sight) -> None:
        """The journals of all evenings are read in another thread. What goes wrong there is no matter of this game."""
        look, snapshot = self._companion.feat, sight.snapshot
        if look is None or snapshot.replay is not None:
            return
        with suppress(CompanionError):
            found = await asyncio.to_thread(look, snapshot.evening, game_number(sight))
            if found is not None:
                self._feats[snapshot.begun] = found
                self.redraw()

    async def _look_up_preferences(self, sight: Sight) -> None:
        """What the players want at every table: the screen speaks as much as the one who wants to hear the most."""
        look = self._companion.preferences
        if look is None or sight.snapshot.replay is not None:
            return
        with suppress(CompanionError):
            found = await asyncio.to_thread(look, sight.snapshot.evening, sight.names)
            self._talk.preferences = [
                each if seat in sight.persons else Preference() for seat, each in enumerate(found)
            ]
            for seat, each in enumerate(self._talk.preferences):
                if each.announcements and self._companion.speak_at_least(each.announcements):
                    self.complain(partial(speech_for, sight.name(seat), each.announcements), quiet=True)

    def _draw_past(self, sight: Sight) -> None:
        """During a game the newest lines; after it, where the points come from."""
        self._lately.display, self._history.display = not sight.over, sight.over
        if sight.over:
            self._history.show(reasons(sight))
        else:
            self._lately.show(lambda most: told_lines(sight, sight.history[-most:]))

    def _make_room_for_notices(self, rows: int) -> None:
        """If the table leaves fewer rows than a notice has, the notice covers part of the table."""
        if rows != self._notice_rows:
            self._notice_rows = rows
            self._notice.set_class(rows < NOTICE, "-over")
            self._notice.styles.offset = (0, min(0, rows - NOTICE))

    def _draw_times(self, sight: Sight) -> None:
        """The seat plan and the foot: they show the thinking times, so they are drawn every second."""
        times = self._times(sight)
        if self._plan.display and not sight.over:
            cells, most = LARGE_PLAN if self.has_class("-huge") else PLAN
            self._plan.fit(plan(sight, cells, min(self._plan_rows, most), times))
        first = [(_("pause"), "bold reverse")] if sight.snapshot.paused and not sight.over else []
        first += [(standing(sight), "bold")] if sight.snapshot.replay else []
        then = [(f"×{sight.snapshot.speed:g}", "bold")] if sight.is_demo and sight.snapshot.speed != 1.0 else []
        if times:
            each = (f"{plain(name, 6)} {seconds}" for name, seconds in zip(sight.names, times, strict=False))
            then.append(("  ".join(each), ""))
        self._foot.show(foot(sight, first, then, self.size.width - 2))

    def _times(self, sight: Sight) -> tuple[str, ...]:
        """How long each player has thought, if the players want to see it."""
        if self._companion.times == TIMES[0] or sight.over or not any((*sight.snapshot.thought, sight.snapshot.since)):
            return ()
        return tuple(clock(seconds) for seconds in self._clock.seconds(sight))

    def _draw_bar(self) -> None:
        sight = self._sight
        game = game_slots(sight) if sight is not None and self._up else []
        self._bar.show(game, self._evening_slots(), places(sight))

    def _evening_slots(self) -> list[Slot]:
        sight, way_out = self._sight, self._talk.way_out
        played = self._up and sight is not None and sight.snapshot.replay is None
        can_undo, hands = self._can_undo(), sight is not None and self._up and has_hands(sight)
        return [
            Slot("undo", _("Undo"), "u", enabled=can_undo, shown=played),
            Slot("history", _("Why"), "h", enabled=sight is not None),
            Slot("help", _("Help"), "F1"),
            Slot("peek", _("Hand"), "i", shown=hands),
            Slot("app.language", language_label(), "l"),
            *([Slot("quit", way_out.label(), "q")] if way_out else []),
            Slot("more", _("More"), "m", shown=sight is not None),
        ]

    def _can_undo(self) -> bool:
        sight = self._sight
        return bool(self._up and sight and sight.snapshot.can_undo and sight.persons and not sight.snapshot.question)

    def _draw_link(self) -> None:
        if self._sight is None:
            headline = Headline((_("waiting", "big"),), _("Waiting for the referee …"))
            self._headline.announce(headline, self.size.width)
        away = self._late or (self._sight is not None and not self._up)
        self._notice.last(self._waiting_words if away else None)

    def _waiting_words(self) -> str:
        """While the referee is away. A screen that began the game starts its referee again, which takes a moment."""
        if not self._late:
            return _("Waiting for the referee …")
        if self._talk.way_out is not None:
            return _("The referee is not responding. The game is saved. Leave, then run `companion resume`")
        return _("The referee is not responding. The game is saved. Switch the table off and on again")

    # --- What a snapshot brings besides -----------------------------------------------------------------------

    def _report(self, before: Sight | None, sight: Sight) -> None:
        """Answer each new line: a refusal with a notice, an undo with the pieces to put back, a reveal step by step."""
        fresh = self._news.since(sight.history)
        self._put_back = put_back(sight, fresh) or self._put_back
        self._remember_shows(before, sight, fresh)
        self._announce(before, sight, fresh)
        if fresh and fresh[-1].kind in MOVES_ON:
            self._notice.settle()
        elif fresh and fresh[-1].kind != "noted":
            self._answer(sight, fresh[-1])

    def _remember_shows(self, before: Sight | None, sight: Sight, fresh: Sequence[Told]) -> None:
        """The newest reveal, and after it the scoring when the game has just ended. A replay shows them when asked."""
        if sight.snapshot.replay:
            return
        if lines := revealed(sight, fresh):
            self._shows = [Highlight(lines)]
        if before is not None and not before.over and sight.over and sight.snapshot.scores:
            self._shows.append(SCORING)
        if not sight.over and SCORING in self._shows:
            self._shows.remove(SCORING)

    def _answer(self, sight: Sight, told: Told) -> None:
        now = self.size.height >= TALL
        self.complain(lambda: answer(sight, told, now), quiet=told.kind not in COMPLAINTS)
        if told.kind in COMPLAINTS and isinstance(self.app.screen, Dialog):
            self.app.screen.complain(lambda: answer(sight, told, now=False))

    def _announce(self, before: Sight | None, sight: Sight, fresh: Sequence[Told]) -> None:
        """A turn is called in the language of the player whose turn it is; all else in the one that all hear."""
        app = self._companion
        if app.speech == SPEECH[0]:
            return
        app.say(lambda: announcements(before, sight, fresh, app.speech))
        asked = new_turn(before, sight)
        if asked:
            app.say(lambda: turn_words(sight), self._talk.preference(asked[0]).language if len(asked) == 1 else "")

    def _ask(self) -> None:
        """Open the dialog that the snapshot asks for. One at a time: the next one opens when this screen is on top."""
        sight = self._sight
        if sight is None or self.app.screen is not self:
            return
        if self._talk.phones is not None and not self._invited and invites(self._talk.phones, sight):
            self.run_worker(self.action_phones())
        elif sight.snapshot.preparation and sight.persons:
            self.app.push_screen(PreparationDialog(sight, self._talk.turn, keys_now(sight)), self._pressed_there)
        elif sight.snapshot.layout and sight.persons:
            self.app.push_screen(RestartDialog(sight, self._talk.looked_over))
        elif self._put_back is not None:
            told, self._put_back = self._put_back, None
            if not played_since(sight, told):
                self.app.push_screen(put_back_sheet(sight, told), self._pressed_there)
        elif sight.snapshot.question is not None and sight.persons:
            self.app.push_screen(QuestionDialog(sight, self._talk.agree, self._talk.decline))
        elif sight.snapshot.errand is not None and sight.persons and self._is_new_errand(sight):
            self._help(sight, sight.snapshot.errand)
        elif sight.snapshot.replay is not None and sight.snapshot.replay.puzzle is not None:
            self._tell_puzzle(sight, sight.snapshot.replay.puzzle)
        elif self._shows:
            highlight = self._shows.pop(0)
            if not is_left_behind(sight, highlight):
                self.app.push_screen(Show(sight, highlight, waits=bool(sight.persons)))
            else:
                self._ask()

    def _is_new_errand(self, sight: Sight) -> bool:
        return (sight.snapshot.errand, sight.snapshot.entry) != self._put_off

    def _help(self, sight: Sight, errand: Errand) -> None:
        """Say what to do for a bot. Esc puts it off: readers may still see it done, and "More" says it again."""
        entry = sight.snapshot.entry

        def answered(done: object) -> None:
            if done:
                self._talk.run_errand(entry)
            else:
                self._put_off = errand, entry

        self.app.push_screen(ErrandDialog(sight, errand), answered)

    def _tell_puzzle(self, sight: Sight, puzzle: Puzzle) -> None:
        """What it asks, and after each answer what that was worth."""
        solution = puzzle.solution
        number = solution.number if solution else 0
        if number == self._told_puzzle:
            return
        self._told_puzzle = number
        if solution is None:
            self.app.push_screen(Reading(lambda: _("A puzzle"), lambda: puzzle_words(sight, puzzle)))
        else:
            self.app.push_screen(Reading(lambda: _("The answer"), lambda: solution_words(sight, puzzle, solution)))

    def _pressed_there(self, key: str | None) -> None:
        """A dialog was closed by a key of the game: it counts here."""
        if key:
            self.app.simulate_key(key)

    # --- Handlers ---------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._tick)

    def on_screen_resume(self) -> None:
        self._ask()

    def on_resize(self) -> None:
        if self._sight is not None:
            self._draw(self._sight)
        else:
            self.show_link(self._up)

    def on_key(self, event: events.Key) -> None:
        sight = self._sight
        if sight is not None and self._up and leaf(sight, event.key, self._talk):
            event.stop()
            return
        known = sight.face.commands(sight) if sight and not sight.over and not sight.is_demo else ()
        commands = [command for command in known if event.key in command.keys]
        if commands and self._meant(event.key):
            event.stop()
            for command in commands:
                self.perform(command)

    async def on_bar_chosen(self, event: Bar.Chosen) -> None:
        await self._chosen(event.slot)

    async def _chosen(self, slot: Slot) -> None:
        if slot.command is None:
            await self.run_action(slot.name)
        elif self._meant():
            self.perform(slot.command)

    def _meant(self, key: str = "") -> bool:
        """Where several players share this screen, a press that was not meant could speak for the next one."""
        return self._sight is None or len(self._sight.persons) < 2 or self._calm.takes(key)

    def on_history_asked(self, event: History.Asked) -> None:
        if self._sight is not None:
            self._open_why(self._sight, event.line.number)

    def _open_why(self, sight: Sight, number: int | None = None, pages: int = 0) -> None:
        why = Why(sight, number, self._talk.read_back, pages=pages, ask_why=self._talk.ask_why)
        self.app.push_screen(why, self._pressed_there)

    def _tick(self) -> None:
        """Thinking times go on while nothing happens."""
        sight, times = self._sight, self._companion.times
        if sight is None or times == TIMES[0] or sight.over or not self.is_current:
            return
        self._draw_times(sight)
        if times.isdecimal() and (seat := self._clock.overdue(sight, int(times))) is not None:
            minutes = int(times)
            self.complain(lambda: reminder(sight, seat, minutes), quiet=True)
            self._companion.say(lambda: [reminder(sight, seat, minutes)])

    def _be_late(self) -> None:
        self._late = True
        self._draw_link()

    # --- Actions of the game ----------------------------------------------------------------------------------

    def perform(self, command: Command) -> None:
        """Post the action if there is only one. Else ask which; a secret one while the others look away."""
        sight = self._sight
        actions = command.of(sight) if sight and self._up and not self._waiting else ()
        if sight is None or not actions:
            return
        if command.do in (*sight.snapshot.secret, *sight.snapshot.dealt):
            Handing(self.app, lambda: self._sight, self._talk, command.do).begin()
        elif own := sight.face.dialog(sight, actions, self._talk.act):
            self.app.push_screen(own)
        elif len(actions) == 1:
            self._waiting = True  # a key pressed twice must not speak for the next player
            self._talk.act(actions[0])
        else:
            self._pick(lambda: sight.face.choices(sight, actions), actions)

    def _pick(self, menu: Callable[[], Menu], actions: tuple[Action, ...]) -> None:
        def picked(value: Any) -> None:
            if value == NONE_OF_THESE:
                self.action_unlisted()
            elif value is not None:
                self._talk.act(value)

        def valid(sight: Sight) -> bool:
            return all(action in sight.actions for action in actions)

        none = none_of_these(self._sight, actions) if self._sight else None
        dialog = Choices(menu, none_of_these=none, valid=valid)
        dialog.figures = figures_of(self._sight.snapshot.game) if self._sight else None
        self.app.push_screen(dialog, picked)

    def action_unlisted(self) -> None:
        if self._sight is not None and self._up and can_join(self._sight):
            Unlisted(self.app, self._sight, self._talk).begin()

    def action_undo(self) -> None:
        if self._can_undo():
            self._correcting().undo()

    def action_correct(self) -> None:
        if self._can_undo():
            self._correcting().correct()

    def _correcting(self) -> Correcting:
        return Correcting(self.app, lambda: self._sight, self._talk, partial(self.complain, quiet=True))

    def action_next(self) -> None:
        """First a page where players may change what the game proposes."""
        sight = self._sight
        if sight is not None and sight.snapshot.following is not None and self._up and sight.persons:
            self.app.push_screen(NextGameDialog(sight, sight.snapshot.following, self._talk.next_game))

    def action_end_match(self) -> None:
        if self._sight is not None and self._up and can_end(self._sight):
            self._talk.end_match()

    # --- Actions that only show -------------------------------------------------------------------------------

    def action_peek(self) -> None:
        replay = self._sight.snapshot.replay if self._sight is not None else None
        if replay is not None and replay.open and not replay.asks:
            OpenHands(lambda: self._sight, self._talk, self.app.push_screen).look()
        elif self._up:
            Peeking(self.app, lambda: self._sight, self._talk).begin()

    def action_history(self) -> None:
        if self._sight is not None:
            self._open_why(self._sight)

    def action_page(self, direction: int) -> None:
        """Through the points when the game is over, else through what happened."""
        if self._sight is not None and self._sight.over:
            self._history.scroll_relative(y=direction * max(1, self._history.size.height - 1), animate=False)
        elif self._sight is not None:
            self._open_why(self._sight, pages=direction)

    def action_set_table(self) -> None:
        """How the table was set up, and what should be where."""
        if self._sight is not None and self._up and self._sight.persons:
            self._talk.look_at_table(self._show_set_table)

    def _show_set_table(self, table: SetTable) -> None:
        sight = self._sight
        if sight is not None and self.app.screen is self:
            words = partial(set_table_words, sight, table)
            self.app.push_screen(Reading(lambda: _("Set-up"), words, large=True))

    def action_again(self) -> None:
        """The last show once more, step by step."""
        highlight = last_highlight(self._sight) if self._sight is not None else None
        if self._sight is not None and highlight is not None:
            self.app.push_screen(Show(self._sight, highlight, waits=True))
        else:
            self.complain(lambda: _("Nothing has been revealed yet"), quiet=True)

    def action_result(self) -> None:
        """Of this game when it is over; before that, of the games before it."""
        sight = self._sight
        if sight is None:
            return
        if sight.over:
            self.app.push_screen(ResultDialog(sight, self._talk, self.action_end_match))
        elif sight.snapshot.match and self._up:
            self._talk.look_at_game(len(sight.snapshot.match), self._show_result)

    def _show_result(self, sight: Sight) -> None:
        """Of an earlier game of the match."""
        if self.app.screen is self:
            self.app.push_screen(ResultDialog(sight, self._talk, self.action_end_match, now=False))

    def action_seats(self) -> None:
        """Who sits where. After a game, players may swap seats for the next one."""
        sight = self._sight
        if sight is not None and sight.snapshot.following is not None and self._up and sight.persons:
            self.action_next()
        elif sight is not None:
            self.app.push_screen(SeatsDialog(sight))

    async def action_phones(self) -> None:
        if self._talk.phones is not None and self._sight is not None:
            self._invited = True
            await show_codes(self.app, self._talk.phones, self._sight, self.complain)

    def action_help(self) -> None:
        self.app.push_screen(help_dialog(self._sight))

    def action_errand(self) -> None:
        """What was put off."""
        sight = self._sight
        if sight is not None and sight.snapshot.errand is not None and sight.persons:
            self._help(sight, sight.snapshot.errand)

    def action_legend(self) -> None:
        if self._sight is not None:
            panels = (*self._body.panels, self._plan)
            self.app.push_screen(legend_dialog(self._sight, lambda: "\n".join(panel.text for panel in panels)))

    def action_quit(self) -> None:
        way_out = self._talk.way_out
        if way_out is None:
            return
        if self._sight is None or self._sight.over or self._sight.snapshot.replay:
            way_out.go()
        else:
            ask_to_leave(self.app, self._sight, way_out.label, way_out.go)

    # --- Settings of this screen, and pauses ------------------------------------------------------------------

    def action_times(self) -> None:
        """Thinking times: off, shown, shown with a reminder."""
        self._companion.choose_times()
        self._note(times_words(self._companion.times))

    def action_speech(self) -> None:
        self._companion.choose_speech()
        self._note(speech_words(self._companion.speech))

    def action_motion(self) -> None:
        self._companion.choose_motion()
        self._note(motion_words(self._companion.motion))

    def action_speech_language(self) -> None:
        self._companion.choose_speech_language()
        self._note(speech_language_words(self._companion.speech_language))

    def _note(self, words: str) -> None:
        self.complain(lambda: words, quiet=True)
        if self._sight is not None:
            self._draw_times(self._sight)

    def action_pause(self) -> None:
        sight = self._sight
        if sight is not None and self._up and not sight.over and (sight.persons or sight.is_demo):
            self._talk.pause(on=not sight.snapshot.paused)

    # --- Simulated hands and replays --------------------------------------------------------------------------

    def action_demo_pause(self) -> None:
        if self._sight is not None and self._sight.is_demo:
            self.action_pause()

    def action_drive(self, factor: float) -> None:
        """Let simulated hands play faster or slower."""
        if self._sight is not None and self._sight.is_demo and self._up:
            self._talk.drive(self._sight.snapshot.speed * factor)

    def action_step(self) -> None:
        """Let simulated hands do one more thing, then pause."""
        sight = self._sight
        if sight is not None and sight.is_demo and self._up:
            if not sight.snapshot.paused:
                self._talk.pause(on=True)
            else:
                self._talk.drive(sight.snapshot.speed, step=True)

    def action_leaf(self, key: str) -> None:
        """Move through a replay."""
        if self._sight is not None and self._up:
            leaf(self._sight, key, self._talk)

    # --- The menu "More" --------------------------------------------------------------------------------------

    def action_more(self) -> None:
        """Everything that can be done now and has no button."""

        def menu() -> Menu:
            slots = [*self._more_slots(), *self._settings()]
            return Menu(_("More"), [Choice(slot.label, slot, key=slot.key) for slot in slots])

        async def picked(slot: Slot | None) -> None:
            if slot is not None:
                await self._chosen(slot)

        self.app.push_screen(Choices(menu), picked)

    def _more_slots(self) -> list[Slot]:
        sight, way_out = self._sight, self._talk.way_out
        at_table = sight if self._up else None
        errand = sight.snapshot.errand if sight else None
        return [
            *(without_button(at_table) if at_table else []),
            *([Slot("undo", _("Undo"), "u")] if self._bar.lacks_undo and self._can_undo() else []),
            *([Slot("peek", _("In hand"), "i")] if at_table and has_hands(at_table) else []),
            *([Slot("correct", _("Correct"), "w")] if self._can_undo() else []),
            *([Slot("unlisted", _("New piece"), "0")] if at_table and can_join(at_table) else []),
            *([Slot("errand", errand_title(sight, errand), "F7")] if errand and sight and sight.persons else []),
            Slot("history", _("Why"), "h"),
            *([Slot("again", _("Show again"), "a")] if sight and last_highlight(sight) else []),
            Slot("help", _("Help"), "F1"),
            *([Slot("legend", _("Signs"), "?")] if sight else []),
            *([Slot("quit", way_out.label(), "q")] if way_out else []),
        ]

    def _settings(self) -> list[Slot]:
        """The settings, each with its present value."""
        sight = self._sight
        playing = sight is not None and not sight.over and bool(sight.persons) and sight.snapshot.replay is None
        return [
            Slot("seats", _("Seats"), "F2"),
            *([Slot("set_table", _("Set-up"), "F5")] if playing else []),
            *([Slot("result", _("Games so far"), "r")] if playing and sight and sight.snapshot.match else []),
            *([Slot("pause", _("Go on") if sight and sight.snapshot.paused else _("Pause"), "z")] if playing else []),
            Slot("times", times_words(self._companion.times, short=True), "F3"),
            Slot("speech", speech_words(self._companion.speech, short=True), "v"),
            Slot("motion", motion_words(self._companion.motion), "F6"),
            Slot("speech_language", speech_language_words(self._companion.speech_language), "V"),
            *([Slot("phones", _("Phones"), "F4")] if self._talk.phones is not None and playing else []),
        ]


def times_words(times: str, *, short: bool = False) -> str:
    """`short`: for a button."""
    if times.isdecimal():
        if short:
            return _("Times: {minutes} min", minutes=times)
        return _("Times: reminder after {minutes} min", minutes=times)
    return _("Times: shown") if times == "shown" else _("Times: off")


def speech_words(level: str, *, short: bool = False) -> str:
    brief = _("Speech: turns") if short else _("Speech: turns and results")
    full = _("Speech: all") if short else _("Speech: everything")
    return {"off": _("Speech: off"), "brief": brief, "full": full}.get(level, level)


def _rows(content: Content) -> int:
    return content.plain.count("\n") + 1 if content.plain else 0


def speech_for(name: str, level: str) -> str:
    """Why the screen begins to speak."""
    return _("{speech}, because {name} wants it", speech=speech_words(level), name=plain(name))


def motion_words(motion: str) -> str:
    return _("Motion: on") if motion == "on" else _("Motion: off")


def speech_language_words(code: str) -> str:
    """The language that is spoken."""
    return _("Spoken: {language}", language=language_name(code)) if code else _("Spoken: as shown")


ORDINALS = (
    N_("{name}'s second win in a row"),
    N_("{name}'s third win in a row"),
    N_("{name}'s fourth win in a row"),
    N_("{name}'s fifth win in a row"),
)


def feat_words(feat: Feat) -> str:
    """What is special about the end of a game."""
    name = plain(feat.name)
    if feat.kind == "record":
        return _("{name}'s {points} are a new record", name=name, points=feat.number)
    if feat.kind == "first win":
        return _("{name}'s first win", name=name)
    if feat.number - 2 < len(ORDINALS):
        return OWN_TEXTS.text(ORDINALS[feat.number - 2], name=name)
    return _("{name} has won {count} games in a row", name=name, count=feat.number)


# --- The game's panels ----------------------------------------------------------------------------------------


class Body(Vertical):
    """The table itself: a few panels, one under the other."""

    def compose(self) -> ComposeResult:
        self.panels = [Panel() for _number in range(PANELS)]
        yield from self.panels

    def fit(self, contents: Sequence[Content]) -> int:
        """Returns how many rows that takes."""
        pieces = [*contents[:PANELS], *[NOTHING] * (PANELS - len(contents))]
        return sum([panel.fit(piece) for panel, piece in zip(self.panels, pieces, strict=True)])


# --- Thinking times -------------------------------------------------------------------------------------------


class ThinkingClock:
    """The players' thinking times between two snapshots, by this screen's own clock."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._began = 0.0
        self._reminded: float | None = None

    def see(self, sight: Sight) -> None:
        """If the players began to think before this screen was there, the time of day tells how long ago."""
        if sight.snapshot.since == self._since:
            return
        self._since = sight.snapshot.since
        ago = time.time() - self._since if self._since is not None else 0.0
        self._began = time.monotonic() - (ago if 0 <= ago <= AWAY_S else 0.0)

    def seconds(self, sight: Sight) -> list[float]:
        """For each seat, all its thinking in this game."""
        now, waiting = self._now(), awaited(sight)
        return [total + (now if seat in waiting else 0.0) for seat, total in enumerate(sight.snapshot.thought)]

    def overdue(self, sight: Sight, minutes: int) -> Seat | None:
        """The seat that has thought for longer than that. It is reported once, as a reminder and nothing more."""
        if self._since is None or self._reminded == self._since or self._now() < 60 * minutes:
            return None
        self._reminded = self._since
        return min(awaited(sight), default=None)

    def _now(self) -> float:
        """How many seconds the players have thought since the newest action."""
        return time.monotonic() - self._began if self._since is not None else 0.0


def reminder(sight: Sight, seat: Seat, minutes: int) -> str:
    told = _("{count:minute|minutes}", count=minutes)
    return _("{name} has been thinking for {minutes}", name=sight.name(seat), minutes=told)
