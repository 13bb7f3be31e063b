"""The table, mirrored: who must do what, what lies there, what happened, and what can be done now."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from companion.drawing.lines import COMPLAINTS, reasons, told_lines
from companion.drawing.news import MOVES_ON, News, behind, last_reveal, played_since, put_back, revealed
from companion.drawing.remarks import answer
from companion.drawing.sheet import can_end, outcome
from companion.gamekit.screen.calm import Calm
from companion.gamekit.screen.dialog import NONE_OF_THESE, Choices, Reading
from companion.gamekit.screen.face import Action, Choice, Command, Headline, Menu, Sight
from companion.gamekit.screen.panel import Panel
from companion.gamekit.screen.worded import Words, language_label
from companion.gamekit.snapshot import Told
from companion.language.speech import _
from companion.screen.remarks import help_text, waiting
from companion.screen.screens.beside import TALL, BesideTable
from companion.screen.screens.correcting import Correcting, put_back_sheet
from companion.screen.screens.handover import Handing
from companion.screen.screens.more import has_button, more
from companion.screen.screens.phones import invites
from companion.screen.screens.preparation import PreparationDialog
from companion.screen.screens.question import QuestionDialog, ask_to_leave
from companion.screen.screens.replaying import leaf, places
from companion.screen.screens.replaying import slots as replay_slots
from companion.screen.screens.restart import RestartDialog
from companion.screen.screens.result import ResultDialog
from companion.screen.screens.reveal import FAR_BEHIND, Reveal
from companion.screen.screens.unlisted import Unlisted, can_join, none_of_these
from companion.screen.screens.why import Why
from companion.screen.widgets.bar import Bar, Slot, after_the_end, keys_now, placed
from companion.screen.widgets.body import Body
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.history import History
from companion.screen.widgets.lately import Lately
from companion.screen.widgets.notice import Notice

if TYPE_CHECKING:
    from companion.screen.conversation import Conversation

PATIENCE_S = 5.0
"""A referee that is away for longer may not come back by itself."""


class TableScreen(BesideTable):
    BINDINGS = [
        ("u", "undo", ""),
        ("w", "correct", ""),
        ("h", "history", ""),
        ("a", "again", ""),
        ("n", "next", ""),
        ("r", "result", ""),
        ("e", "end_match", ""),
        ("m", "more", ""),
        ("q", "quit", ""),
        ("f1", "help", ""),
    ]
    CSS_PATH = Path(__file__).with_name("table.tcss")
    AUTO_FOCUS = ""
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]

    def __init__(self, talk: "Conversation") -> None:
        super().__init__()
        self._talk = talk
        self._sight: Sight | None = None
        self._up = False
        self._late = False
        self._patience: Timer | None = None
        self._news = News()
        self._put_back: Told | None = None
        self._revealed: tuple[Told, ...] = ()
        self._waiting = False
        self._calm = Calm()

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        yield Body(id="body")
        with Horizontal(id="below"):
            with Vertical(id="talk"):
                yield Notice(id="notice")
                yield Lately(id="lately")
                yield History(id="history")
            yield Panel(id="plan")
        yield Panel(id="foot")
        yield Bar(self._evening_slots(), id="bar")

    # --- What the app tells ---

    def show(self, sight: Sight) -> None:
        """Draw what is new. Where the next person is asked on the same screen, a key still held down is not theirs."""
        if len(sight.persons) > 1 and self._sight and self._sight.snapshot.awaiting != sight.snapshot.awaiting:
            self._calm.begin()
        before, self._sight, self._waiting = self._sight, sight, False
        with self.app.batch_update():
            self._draw(sight)
        self._listen(before, sight)
        self._ask()

    def show_link(self, up: bool) -> None:
        """Say so while the referee is away, and after a while what can be done."""
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

    def _be_late(self) -> None:
        self._late = True
        self._draw_link()

    def _draw_link(self) -> None:
        def words() -> str:
            return waiting(self._late, self._talk.way_out is not None)

        if self._sight is None:
            headline = Headline((_("waiting", "big"),), _("Waiting for the referee …"))
            self.query_one(HeadlinePanel).announce(headline, self.size.width)
        away = self._late or (self._sight is not None and not self._up)
        self.query_one(Notice).last(words if away else None)

    def redraw(self) -> None:
        """The same table, in another language."""
        with self.app.batch_update():
            if self._sight is None:
                self._draw_link()
                self._draw_bar()
            else:
                self._draw(self._sight)
            self.query_one(Notice).redraw()

    def answer(self, told: Told) -> None:
        """The referee's reply to something done here: a complaint is shown, success shows itself."""
        self._waiting = False
        if self._sight is not None and told.kind not in (*MOVES_ON, "noted"):
            self._news.heard(told)
            self._answer(self._sight, told)
            self._announce(self._sight, self._sight, [told])

    def complain(self, words: Words, *, quiet: bool = False) -> None:
        self.query_one(Notice).complain(words, quiet=quiet)

    def _answer(self, sight: Sight, told: Told) -> None:
        now = self.size.height >= TALL
        self.complain(lambda: answer(sight, told, now), quiet=told.kind not in COMPLAINTS)

    # --- Drawing ---

    def _draw(self, sight: Sight) -> None:
        headline = outcome(sight) if sight.over else sight.face.headline(sight)
        self.set_class(self.is_huge, "-huge")
        self.query_one(HeadlinePanel).announce(headline, self.size.width, self.is_huge)
        used = self.query_one(Body).show(self._panels(sight))
        self._draw_past(sight)
        self._draw_beside(sight, used)
        self._draw_bar()

    def _draw_past(self, sight: Sight) -> None:
        """While a game goes on, what happened just now; after it, where everybody's points come from."""
        lately, history = self.query_one(Lately), self.query_one("#history", History)
        lately.display, history.display = not sight.over, sight.over
        if sight.over:
            history.show(reasons(sight))
        else:
            lately.show(lambda most: told_lines(sight, sight.history[-most:]))

    def _draw_bar(self) -> None:
        self.query_one(Bar).show(self._game_slots(), self._evening_slots(), places(self._sight))

    def _game_slots(self) -> list[Slot | None]:
        sight = self._sight
        if sight is None or not self._up:
            return []
        if sight.snapshot.replay:
            return replay_slots(sight)
        if sight.over:
            return after_the_end(sight)
        if sight.is_demo:
            return self._demo_slots(sight)
        slots, rest = placed(sight)
        if rest and not has_button(sight, self.size.width):  # else there is a "more" already
            slots[-1] = Slot("more", _("More"), "m")
        return slots

    def _evening_slots(self) -> list[Slot]:
        way_out = self._talk.way_out
        return [
            Slot("undo", _("Undo"), "u", enabled=self._can_undo(), shown=self._played()),
            Slot("history", _("Why"), "h", enabled=self._sight is not None),
            Slot("help", _("Help"), "F1"),
            self._peek_slot(),
            Slot("app.language", language_label(), "l"),
            *([Slot("quit", way_out.label(), "q")] if way_out else []),
            Slot("more", _("More"), "m", shown=has_button(self._sight, self.size.width)),
        ]

    def _played(self) -> bool:
        """Whether this is a table where somebody plays, as far as is known."""
        return self._up and self._sight is not None and self._sight.snapshot.replay is None

    def _can_undo(self) -> bool:
        sight = self._sight
        return bool(self._up and sight and sight.snapshot.can_undo and sight.persons and not sight.snapshot.question)

    # --- What the snapshot asks by itself ---

    def _listen(self, before: Sight | None, sight: Sight) -> None:
        """Every line is answered: what was not accepted with a notice, an undo with the pieces to put back."""
        fresh = self._news.since(sight.history)
        self._announce(before, sight, fresh)
        self._put_back = put_back(sight, fresh) or self._put_back
        self._revealed = revealed(sight, fresh) or self._revealed
        if fresh and fresh[-1].kind in MOVES_ON:
            self.query_one(Notice).settle()
        elif fresh and fresh[-1].kind != "noted":
            self._answer(sight, fresh[-1])

    def _ask(self) -> None:
        """One dialog at a time: what is waiting comes up when the table is in sight again."""
        sight = self._sight
        if sight is None or self.app.screen is not self:
            return
        if not self._invited and invites(self._talk.phones, sight):
            self.run_worker(self.action_phones())
        elif sight.snapshot.preparation and sight.persons:
            self.app.push_screen(PreparationDialog(sight, self._talk.turn, keys_now(sight)), self._heard_there)
        elif sight.snapshot.layout and sight.persons:
            self.app.push_screen(RestartDialog(sight, self._talk.looked_over))
        elif self._put_back is not None:
            told, self._put_back = self._put_back, None
            if not played_since(sight, told):
                self.app.push_screen(put_back_sheet(sight, told), self._heard_there)
        elif sight.snapshot.question is not None and sight.persons:
            self.app.push_screen(QuestionDialog(sight, self._talk.agree, self._talk.decline))
        elif self._revealed and not sight.snapshot.replay:
            lines, self._revealed = self._revealed, ()
            if behind(sight, lines[-1]) < FAR_BEHIND:
                self.app.push_screen(Reveal(sight, lines, waits=sight.snapshot.kit == "none"))

    def _heard_there(self, key: str | None) -> None:
        if key:
            self.app.simulate_key(key)

    # --- Handlers ---

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
        """One person alone cannot speak for another."""
        return self._sight is None or len(self._sight.persons) < 2 or self._calm.takes(key)

    # --- Actions ---

    def perform(self, command: Command) -> None:
        """Post the action if there is only one; else ask which, unseen if it is secret."""
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
        self.app.push_screen(Choices(menu, none_of_these=none, valid=valid), picked)

    def action_unlisted(self) -> None:
        if self._sight is not None and self._up and can_join(self._sight):
            Unlisted(self.app, self._sight, self._talk).begin()

    def action_leaf(self, key: str) -> None:
        if self._sight is not None and self._up:
            leaf(self._sight, key, self._talk)

    def action_undo(self) -> None:
        if self._can_undo():
            self._correcting().undo()

    def action_correct(self) -> None:
        if self._can_undo():
            self._correcting().correct()

    def _correcting(self) -> Correcting:
        return Correcting(self.app, lambda: self._sight, self._talk, partial(self.complain, quiet=True))

    def action_history(self) -> None:
        if self._sight is not None:
            self.app.push_screen(Why(self._sight), self._heard_there)

    def action_again(self) -> None:
        """What came to light last, once more, step by step."""
        lines = last_reveal(self._sight) if self._sight is not None else ()
        if self._sight is not None and lines:
            self.app.push_screen(Reveal(self._sight, lines, waits=True))
        else:
            self.complain(lambda: _("Nothing has been revealed yet"), quiet=True)

    def on_history_asked(self, event: History.Asked) -> None:
        if self._sight is not None:
            self.app.push_screen(Why(self._sight, event.line.number), self._heard_there)

    def action_result(self) -> None:
        if self._sight is not None and self._sight.over:
            self.app.push_screen(ResultDialog(self._sight, self.action_end_match, self._talk.results))

    def action_more(self) -> None:
        """What has no button of its own where the game has many."""
        way_out = self._talk.way_out

        def menu() -> Menu:
            label = way_out.label if way_out else None
            menu = more(self._sight, self.size.width, up=self._up, can_undo=self._can_undo(), way_out=label)
            settings = [Choice(slot.label, slot, key=slot.key) for slot in self._settings()]
            return replace(menu, choices=[*menu.choices, *settings])

        async def picked(slot: Slot | None) -> None:
            if slot is not None:
                await self._chosen(slot)

        self.app.push_screen(Choices(menu), picked)

    def action_next(self) -> None:
        if self._sight is not None and self._sight.over and self._up and self._sight.persons:
            self._talk.next_game()

    def action_end_match(self) -> None:
        if self._sight is not None and self._up and can_end(self._sight):
            self._talk.end_match()

    def action_quit(self) -> None:
        way_out = self._talk.way_out
        if way_out is None:
            return
        if self._sight is None or self._sight.over or self._sight.snapshot.replay:
            way_out.go()
        else:
            ask_to_leave(self.app, self._sight, way_out.label, way_out.go)

    def action_help(self) -> None:
        sight = self._sight
        self.app.push_screen(Reading(lambda: _("Help"), lambda: help_text(sight), large=True))
