"""The table, mirrored: who must do what, what lies there, what happened, and what can be done now."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen

from companion.screen.face import Action, Choice, Command, Headline, Menu, Sight
from companion.screen.remarks import cited, foot, help_text, newest, past
from companion.screen.screens.dialog import Choices, Confirm, Dialog, Past, Reading
from companion.screen.screens.handover import Handing
from companion.screen.screens.question import QuestionDialog
from companion.screen.screens.restart import RestartDialog
from companion.screen.sheet import outcome, sheet
from companion.screen.text import _
from companion.screen.widgets.bar import GAME_SLOTS, Bar, Slot
from companion.screen.widgets.body import Body
from companion.screen.widgets.headline import HeadlinePanel
from companion.screen.widgets.history import COMPLAINTS, History, part_lines, told_lines
from companion.screen.widgets.notice import Notice
from companion.screen.widgets.panel import Panel
from companion.screen.widgets.worded import Words, language_label
from companion.snapshot import Told

if TYPE_CHECKING:
    from companion.screen.conversation import Conversation

TALL = 26
"""From this many rows on there is room between things."""
LINES = 200


class TableScreen(Screen[None]):
    BINDINGS = [
        ("u", "undo", ""),
        ("h", "history", ""),
        ("n", "next", ""),
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
        self._seen: int | None = None
        self._put_back: Told | None = None
        self._waiting = False

    def compose(self) -> ComposeResult:
        yield HeadlinePanel(id="headline")
        yield Body(id="body")
        with Vertical(id="talk"):
            yield Notice(id="notice")
            yield History(id="history")
        yield Panel(id="foot")
        yield Bar(self._evening_slots(), id="bar")

    # --- What the app tells ---

    def show(self, sight: Sight) -> None:
        """Draw what is new."""
        self._sight, self._waiting = sight, False
        with self.app.batch_update():
            self._draw(sight)
        self._listen(sight)
        self._ask()

    def show_link(self, up: bool) -> None:
        """Say so while the referee is away; nothing can be done meanwhile."""
        self._up = up
        if self._sight is None:
            big = (_("waiting", "big"),)
            self.query_one(HeadlinePanel).announce(Headline(big, _("Waiting for the referee …")), self.size.width)
        else:
            self.query_one(Notice).last(None if up else lambda: _("Waiting for the referee …"))
        self._draw_bar()

    def redraw(self) -> None:
        """The same table, in another language."""
        with self.app.batch_update():
            if self._sight is None:
                self.show_link(self._up)
            else:
                self._draw(self._sight)
            self.query_one(Notice).redraw()

    def answer(self, told: Told) -> None:
        """The referee's reply to something done here: a complaint is shown, success shows itself."""
        self._waiting = False
        if self._sight is not None and told.kind not in ("accepted", "undone", "noted"):
            self._seen = max(self._seen or 0, told.number)
            self.complain(cited(self._sight, told), quiet=told.kind not in COMPLAINTS)

    def complain(self, words: Words, *, quiet: bool = False) -> None:
        self.query_one(Notice).complain(words, quiet=quiet)

    # --- Drawing ---

    def _draw(self, sight: Sight) -> None:
        width, tall = self.size.width, self.size.height >= TALL
        headline = outcome(sight) if sight.over else sight.face.headline(sight)
        self.query_one(HeadlinePanel).announce(headline, width)
        panels = [sheet(sight, width)] if sight.over else sight.face.panels(sight, width, tall)
        self.query_one(Body).show(panels)
        lines = part_lines(sight) if sight.over else told_lines(sight, sight.history[-LINES:])
        self.query_one("#history", History).show(lines)
        self.query_one("#foot", Panel).show(foot(sight))
        self._draw_bar()

    def _draw_bar(self) -> None:
        playing = self._sight is not None and not self._sight.over
        places = self._sight.face.places if self._sight and playing else GAME_SLOTS
        self.query_one(Bar).show(self._game_slots(), self._evening_slots(), places)

    def _game_slots(self) -> list[Slot | None]:
        sight = self._sight
        if sight is None or not self._up:
            return []
        if sight.over:
            return [Slot("next", _("Next game"), "n", "primary")] if sight.persons else []
        slots: list[Slot | None] = [None] * sight.face.places
        for number, command in enumerate(sight.face.commands):
            if command.of(sight) and None in slots:
                place = slots.index(None) if command.place is None else command.place
                slots[place] = Slot(f"do {number}", command.label, command.keys[0], command.variant)
        return slots

    def _evening_slots(self) -> list[Slot]:
        way_out = self._talk.way_out
        return [
            Slot("undo", _("Undo"), "u", enabled=self._can_undo()),
            Slot("history", _("Why"), "h", enabled=self._sight is not None),
            Slot("help", _("Help"), "F1"),
            Slot("app.language", language_label(), "l"),
            *([Slot("quit", way_out.label(), "q")] if way_out else []),
            Slot("more", _("More"), "m"),
        ]

    def _can_undo(self) -> bool:
        sight = self._sight
        return bool(self._up and sight and sight.snapshot.can_undo and sight.persons and not sight.snapshot.question)

    # --- What the snapshot asks by itself ---

    def _listen(self, sight: Sight) -> None:
        """Lines that came since the last snapshot: complaints, and pieces to put back."""
        history = sight.snapshot.history
        latest = history[-1].number if history else 0
        if self._seen is None or latest < self._seen:  # we, or the referee, have just come
            fresh = [told for told in history[-1:] if told.kind == "undone"]
        else:
            fresh = [told for told in history if told.number > (self._seen or 0)]
        self._seen = latest
        for told in fresh:
            if told.kind == "undone" and told.moves and sight.persons:
                self._put_back = told
        if fresh and fresh[-1].kind in COMPLAINTS:
            self.complain(cited(sight, fresh[-1]))

    def _ask(self) -> None:
        """One dialog at a time: what is waiting comes up when the table is in sight again."""
        sight = self._sight
        if sight is None or self.app.screen is not self:
            return
        if sight.snapshot.layout and sight.persons:
            self.app.push_screen(RestartDialog(sight, self._talk.looked_over))
        elif self._put_back is not None:
            told, self._put_back = self._put_back, None
            self.app.push_screen(
                Reading(
                    lambda: _("Put these pieces back"),
                    lambda: "\n".join(f"· {sight.put_back(move)}" for move in told.moves),
                    done=lambda: _("Done"),
                )
            )
        elif sight.snapshot.question is not None and sight.persons:
            self.app.push_screen(QuestionDialog(sight, self._talk.agree, self._talk.decline))

    # --- Handlers ---

    def on_screen_resume(self) -> None:
        self._ask()

    def on_resize(self) -> None:
        if self._sight is not None:
            self._draw(self._sight)
        else:
            self.show_link(self._up)

    def on_key(self, event: events.Key) -> None:
        if self._sight is None:
            return
        for command in self._sight.face.commands:
            if event.key in command.keys:
                event.stop()
                self.perform(command)

    async def on_bar_chosen(self, event: Bar.Chosen) -> None:
        verb, _space, number = event.command.partition(" ")
        if verb == "do":
            if self._sight is not None:
                self.perform(self._sight.face.commands[int(number)])
        else:
            await self.run_action(verb)

    # --- Actions ---

    def perform(self, command: Command) -> None:
        """Post the action if there is only one; else ask which, unseen if it is secret."""
        sight = self._sight
        actions = command.of(sight) if sight and self._up and not self._waiting else ()
        if sight is None or not actions:
            return
        if command.do in sight.snapshot.secret:
            Handing(self.app, lambda: self._sight, self._talk.act, command.do).begin()
        elif own := sight.face.dialog(sight, actions, self._talk.act):
            self.app.push_screen(own)
        elif len(actions) == 1:
            self._waiting = True  # a key pressed twice must not speak for the next player
            self._talk.act(actions[0])
        else:
            self._pick(lambda: sight.face.choices(sight, actions), actions)

    def _pick(self, menu: Callable[[], Menu], actions: tuple[Action, ...]) -> None:
        def picked(value: Any) -> None:
            if value is not None:
                self._talk.act(value)

        def valid(sight: Sight) -> bool:
            return all(action in sight.actions for action in actions)

        self.app.push_screen(Choices(menu, valid=valid), picked)

    def action_undo(self) -> None:
        if self._sight is not None and self._can_undo():
            self._confirm(
                self._talk.undo,
                Confirm(
                    lambda: _("Take back the newest action?"),
                    yes=lambda: _("Take it back"),
                    text=newest,
                    sight=self._sight,
                    valid=lambda sight: sight.snapshot.can_undo,
                ),
            )

    def action_history(self) -> None:
        if self._sight is not None:
            self.app.push_screen(Past(lambda: _("What happened, and why"), past, self._sight))

    def action_more(self) -> None:
        """What has no button of its own where the game has many."""
        way_out = self._talk.way_out

        def menu() -> Menu:
            choices = [Choice(_("Why"), "history", key="h"), Choice(_("Help"), "help", key="f1")]
            return Menu(_("More"), [*choices, *([Choice(way_out.label(), "quit", key="q")] if way_out else [])])

        async def picked(verb: str | None) -> None:
            if verb is not None:
                await self.run_action(verb)

        self.app.push_screen(Choices(menu), picked)

    def action_next(self) -> None:
        if self._sight is not None and self._sight.over and self._up and self._sight.persons:
            self._talk.next_game()

    def action_quit(self) -> None:
        way_out = self._talk.way_out
        if way_out is None:
            return
        if self._sight is None or self._sight.over:
            way_out.go()
        else:
            dialog = Confirm(
                lambda: _("Leave the screen?"),
                yes=way_out.label,
                text=lambda sight: _("The game is still running. Nothing of it is lost: it waits for you."),
                sight=self._sight,
            )
            self._confirm(way_out.go, dialog)

    def action_help(self) -> None:
        sight = self._sight
        self.app.push_screen(Reading(lambda: _("Help"), lambda: help_text(sight), large=True))

    def _confirm(self, then: Callable[[], object], dialog: Dialog) -> None:
        def answered(agreed: object) -> None:
            if agreed:
                then()

        self.app.push_screen(dialog, answered)
