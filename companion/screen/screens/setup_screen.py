"""A new game: which game, who sits where, who is simulated, who starts, which options. Enter starts it."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input

from companion.gamekit.screen.block_art import block_art
from companion.gamekit.screen.controls import ButtonList, KeyButton, LanguageButton, ThemeButton, Worded, Words
from companion.gamekit.screen.dialog import Dialog, Reading, last_row
from companion.gamekit.screen.face import Choice, Menu
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.screen.picker import Choices
from companion.gamekit.sign_table import NOTHING, REMOVE, STARTS, UP
from companion.language.screen_language import LANGUAGES, _, language, speaking
from companion.language.wording import NAME_LENGTH, plain
from companion.messages.lobby import GameOffer, KitOffer, LaidCard
from companion.messages.phone_access import EnrolmentTexts, EnrolmentView
from companion.screen.enrolment.enrolment_codes import EnrolmentCodes
from companion.screen.evening_flow import EveningFlow
from companion.screen.game_setup import SetupForm
from companion.screen.screens.phone_codes import opened
from companion.screen.widgets.game_card import about, card_ink, picture_of
from companion.screen.widgets.notice import Notice

# --- A player's name ------------------------------------------------------------------------------------------

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ-"
"""Three rows of ten."""


class NameInput(Input):
    """Accepts only characters that can be shown, whatever is typed or pasted."""

    def validate_value(self, value: str) -> str:
        return plain(f"|{value[:NAME_LENGTH]}|", NAME_LENGTH + 2)[1:-1]


class NameDialog(Dialog):
    """The result is the name: a known one, or one typed on a keyboard or on the screen's letters."""

    BINDINGS = [("up", "app.focus_previous", ""), ("down", "app.focus_next", "")]
    AUTO_FOCUS = "Input"

    def __init__(self, name: str) -> None:
        super().__init__(lambda: _("A name"))
        self._before = plain(name)
        self._fresh = True

    def content(self) -> ComposeResult:
        yield NameInput(self._before, max_length=NAME_LENGTH, select_on_focus=True)
        with ItemGrid(classes="letters"):
            for letter in LETTERS:
                yield KeyButton(str, partial(str, letter), name=letter)
        yield from last_row(
            KeyButton(str, lambda: _("OK"), variant="success", name="take"),
            KeyButton(str, lambda: _("Space"), name=" "),
            KeyButton(str, lambda: _("Delete"), name="delete"),
            KeyButton(lambda: "Esc", lambda: _("Cancel"), name="leave", classes="leave"),
        )

    def on_mount(self) -> None:
        for button in self.query(".letters Button").results(Button):
            button.styles.line_pad = 0

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._take()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        pressed = event.button.name or ""
        if pressed == "take":
            self._take()
        elif pressed == "leave":
            self.leave()
        else:
            self._type(pressed)

    def _type(self, pressed: str) -> None:
        """A letter on the screen. The first one replaces the name that was there."""
        field = self.query_one(NameInput)
        so_far = "" if self._fresh and field.value == self._before else field.value
        self._fresh = False
        if pressed == "delete":
            field.value = so_far[:-1]
        else:
            begins = not so_far or so_far[-1] in " -"
            field.value = so_far + (pressed if begins else pressed.lower())

    def _take(self) -> None:
        """An empty name is not accepted."""
        name = plain(self.query_one(NameInput).value)
        if name:
            self.leave(name)


KNOWN_NAMES = 8
ROOMY = 140
"""From this width on, players and options are side by side."""
PICTURE = 9
"""Rows of the game's picture."""
WORDS = 46
"""Cells for the words of an option. On a screen twice as wide, two options are side by side."""


class SetupScreen(Screen[None]):
    """Draws the form and lets people change it. Rows that are not needed are hidden, none is ever replaced."""

    BINDINGS = [
        ("escape", "back", ""),
        ("b", "begin", ""),
        ("o", "options", ""),
        ("f1", "help", ""),
        ("up,left", "app.focus_previous", ""),
        ("down,right", "app.focus_next", ""),
    ]
    CSS_PATH = [Path(__file__).with_name("table.tcss"), Path(__file__).with_name("start.tcss")]
    AUTO_FOCUS = "#begin"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (ROOMY, "-wide")]

    def __init__(self, form: SetupForm, flow: EveningFlow) -> None:
        super().__init__()
        self._form, self._flow = form, flow
        self._busy = False
        self._reading: asyncio.Task[None] | None = None
        """Reads player cards, while this screen is open and no game begins."""
        self._cards = 0
        """How many were read."""
        self._answer: Words | None = None
        """What the last one meant."""

    def compose(self) -> ComposeResult:
        yield Worded(self._title, classes="title")
        with ButtonList(id="form"):
            with Vertical(classes="part"):
                with Horizontal(classes="row"):
                    yield self._button(self._game_label, self.action_game, name="game")
                    yield self._button(self._kit_label, self.action_kit, name="kit")
                yield Worded(lambda: _("Who sits where: clockwise, from the left of this screen"), classes="section")
                for seat in range(max(game.most for game in self._form.games)):
                    yield from self._seat_row(seat)
                with Horizontal(classes="row"):
                    yield self._button(lambda: _("Add a player"), self.action_add, name="add", id="add")
                    yield self._button(self._phones_label, self.action_phones, name="phones")
                    yield self._button(lambda: _("Player cards by phone"), self.action_card_phone, name="card phone")
                yield Worded(self._rules, classes="rules")
            with Vertical(classes="part"):
                yield Worded(self._picture, classes="picture")
                yield Worded(lambda: _("Options"), classes="section")
                with ItemGrid(classes="options", min_column_width=WORDS):
                    for number in range(max(len(game.options) for game in self._form.games)):
                        label, then = partial(self._option_label, number), partial(self.action_option, number)
                        yield self._button(label, then, name=f"option {number}", classes="option")
        yield Notice(id="notice")
        with Horizontal(id="way"):
            begin = partial(self._press, self.action_begin)
            yield KeyButton(lambda: "b", lambda: _("Begin"), begin, variant="success", name="begin", id="begin")
            yield KeyButton(lambda: "Esc", lambda: _("Back"), self.action_back, name="back")
            yield KeyButton(
                lambda: "o", lambda: _("Options", "button"), self.action_options, name="options", id="options"
            )
            yield KeyButton(lambda: "F1", lambda: _("Help"), self.action_help, name="help")
            yield LanguageButton(can_focus=True)
            yield ThemeButton()

    def _seat_row(self, seat: int) -> ComposeResult:
        with Horizontal(classes="row player"):
            rename, kind = partial(self.action_rename, seat), partial(self.action_kind, seat)
            first = partial(self.action_first, seat)
            yield self._button(partial(self._name_label, seat), rename, name=f"rename {seat}", classes="name")
            yield self._button(partial(self._kind_label, seat), kind, name=f"kind {seat}", classes="kind")
            yield self._button(partial(self._first_label, seat), first, name=f"first {seat}", classes="first")
            yield self._button(lambda: UP, partial(self.action_move, seat), name=f"move {seat}", classes="move")
            yield self._button(
                lambda: REMOVE, partial(self.action_remove, seat), name=f"remove {seat}", classes="remove"
            )

    def _button(self, label: Callable[[], Content | str], then: Callable[[], object], **how: Any) -> KeyButton:
        """A button without a key of its own."""
        return KeyButton(str, label, partial(self._press, then), **how)

    def _press(self, then: Callable[[], object]) -> None:
        """Clear the notice: it has been read."""
        self._say(None)
        then()

    # --- Drawing ---

    def _picture(self) -> Content:
        """The chosen game, where there is room."""
        name = self._form.game.name
        figure = picture_of(name) if self.size.width >= ROOMY else None
        if figure is None:
            return Content("")
        ink = card_ink([game.name for game in self._form.games].index(name) + 1, self.app.current_theme.dark)
        art = block_art(figure, 2 * PICTURE, PICTURE, ink, self.background_colors[1].hex6)
        return Content("\n").join([*art, Content(about(name))])

    def _rules(self) -> str:
        """The rules of the chosen game, where there is room."""
        return find_face(self._form.game.name).rules() if self.size.width >= ROOMY else ""

    def redraw(self) -> None:
        """Draw again after a choice, or in another language."""
        form = self._form
        with self.app.batch_update():
            for seat, row in enumerate(self.query(".player")):
                row.display = seat < len(form.plan.players)
            for number, button in enumerate(self.query(".option")):
                button.display = number < len(form.game.options)
            for button in self.query(".kind"):
                button.disabled = not form.may_have_bots
            for button in self.query(".remove"):
                button.disabled = not form.may_remove
            self.query_one("#add").display = form.may_add
            for words in self.query(Worded):
                words.redraw()
            for button in self.query(KeyButton):
                button.redraw()
            self.query_one(Notice).redraw()
        self._show_phones()
        self.call_after_refresh(self._draw_way)

    def _draw_way(self) -> None:
        """A button leads to the options where they are out of sight."""
        form, options = self.query_one("#form"), bool(self._form.game.options)
        self.query_one("#options").display = options and form.max_scroll_y > 0

    def _title(self) -> str:
        game = self._form.game
        players = _("{fewest} to {most} players", fewest=game.fewest, most=game.most)
        stand_in = _("stand-in box: your cards may differ") if game.stand_in else ""
        return "  ".join(words for words in (_("New game"), players, stand_in) if words)

    def _game_label(self) -> Content:
        return Content.assemble((_("Game:"), "not bold"), " ", plain(self._form.game.title))

    def _kit_label(self) -> Content:
        return Content.assemble((_("Devices:"), "not bold"), " ", kit_words(self._form.kit))

    def _phones_label(self) -> Content:
        said = _("yes, they scan a code") if self._form.plan.phones else _("no")
        return Content.assemble((_("Phones:"), "not bold"), " ", said)

    def _name_label(self, seat: int) -> str:
        players = self._form.plan.players
        return f"{seat + 1}  {players[seat]}" if seat < len(players) else ""

    def _kind_label(self, seat: int) -> str:
        return KINDS[self._form.kind(seat)]()

    def _first_label(self, seat: int) -> str:
        return f"{STARTS} " + _("starts") if seat == self._form.plan.first else NOTHING

    def _option_label(self, number: int) -> Content:
        game = self._form.game
        if number >= len(game.options):
            return Content("")
        name = game.options[number].name
        about, value = _option(game.name, name, self._form.plan.options[name])
        return Content.assemble((about, "not bold"), "\n", value)

    def _say(self, words: Words | None) -> None:
        self.query_one(Notice).last(words)

    # --- Handlers ---

    def on_mount(self) -> None:
        for button in self.query(KeyButton):
            button.styles.line_pad = 0
        self.redraw()

        self._read_cards()

    async def on_unmount(self) -> None:
        await self._stop_reading()

    def on_resize(self) -> None:
        self.redraw()

    # --- Player cards ---

    def _read_cards(self) -> None:
        self._reading = asyncio.create_task(self._flow.read_cards(self._card))

    async def _stop_reading(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.cancel()
            await asyncio.wait({reading})

    def _card(self, card: LaidCard) -> None:
        """A player taps themselves in."""
        words: Words
        if not card.name:
            words = partial(_unknown_card, card.uid)
        elif self._form.tap_in(card.name, card.seat):
            words = partial(_plays, card.name)
        else:
            words = partial(_sits_here, card.name)
        self._say(words)
        self._cards += 1
        self._answer = words
        self.redraw()

    def _show_phones(self) -> None:
        """What phones that read player cards show and say, each in its own language."""
        texts = {}
        for code in LANGUAGES:
            with speaking(code):
                sentence = _("Hold your player card to the back of the phone, and you play.")
                players = language().listed(self._form.plan.players)
                answer = self._answer() if self._answer else ""
                texts[code] = EnrolmentTexts(_("New game"), sentence, players, notice=answer)
        self._flow.card_phones.show(EnrolmentView(0, texts, self._cards, cards=True))

    # --- Actions ---

    def action_game(self) -> None:
        def menu() -> Menu:
            choices = [Choice(_game_choice(offer), offer) for offer in self._form.games]
            return Menu(_("Which game?"), choices, 2)

        self._pick(menu, self._form.choose_game)

    def action_kit(self) -> None:
        def menu() -> Menu:
            return Menu(_("Which devices?"), [Choice(kit_words(kit), kit) for kit in self._form.kits], 2)

        self._pick(menu, self._form.choose_kit)

    def action_phones(self) -> None:
        """Off by default. When on, phones in the same Wi-Fi can join."""
        self._form.swap_phones()
        self.redraw()

    def action_card_phone(self) -> None:
        """An Android phone reads player cards. To open the table for it may take a moment."""
        self.run_worker(self._let_phone_in(), group="card phone")

    async def _let_phone_in(self) -> None:
        if await opened(self._flow.card_phones, self._say):
            self.app.push_screen(EnrolmentCodes(self._flow.card_phones, cards=True))

    def action_rename(self, seat: int) -> None:
        def menu() -> Menu:
            names = [Choice(name, name) for name in self._form.spare_names[:KNOWN_NAMES]]
            return Menu(_("Who sits here?"), [*names, Choice(_("Another name …"), "")])

        def named(name: str) -> None:
            if name:
                self._form.rename(seat, name)
            else:
                self.app.push_screen(NameDialog(self._form.plan.players[seat]), partial(self._renamed, seat))

        self._pick(menu, named)

    def _renamed(self, seat: int, name: str | None) -> None:
        if name:
            self._form.rename(seat, name)
            self.redraw()

    def action_kind(self, seat: int) -> None:
        def menu() -> Menu:
            choices = [Choice(f"{KINDS[kind]()}: {ABOUT_KINDS[kind]()}", (kind,)) for kind in self._form.kinds]
            return Menu(_("Who plays for {name}?", name=self._form.plan.players[seat]), choices, columns=2)

        self._pick(menu, lambda chosen: self._form.choose_kind(seat, *chosen))

    def action_first(self, seat: int) -> None:
        self._form.choose_first(seat)
        self.redraw()

    def action_move(self, seat: int) -> None:
        """Move one seat up the list."""
        self._form.swap_seats(seat)
        self.redraw()

    def action_remove(self, seat: int) -> None:
        if self._form.may_remove:
            self._form.remove(seat)
            self.redraw()

    def action_add(self) -> None:
        if self._form.may_add:
            self._form.add()
            self.redraw()

    def action_options(self) -> None:
        """Go to the options, and from there back to the players."""
        there = self.focused is not None and self.focused.has_class("option")
        self.query("#form Button" if there else ".option").first().focus()

    def action_option(self, number: int) -> None:
        self._form.next_value(self._form.game.options[number].name)
        self.redraw()

    def action_help(self) -> None:
        game = self._form.game.name
        self.app.push_screen(Reading(lambda: _("Help"), lambda: help_text(game), large=True))

    def action_back(self) -> None:
        if not self._busy:
            self.dismiss()

    def action_begin(self) -> None:
        """Start the game, once. A problem is shown, and no choice is lost."""
        if not self._busy:
            self._busy = True
            self._say(lambda: _("Setting the table …"))
            self.run_worker(self._begin(), group="go")

    async def _begin(self) -> None:
        await self._stop_reading()  # the referee needs the readers
        try:
            problem = await self._flow.begin(self._form.agreed)
        finally:
            self._busy = False
        self._say((lambda: problem) if problem else None)
        if problem:
            self._read_cards()

    def _pick(self, menu: Callable[[], Menu], then: Callable[[Any], object]) -> None:
        def picked(value: object) -> None:
            if value is not None:
                then(value)
                self.redraw()

        self.app.push_screen(Choices(menu), picked)


KINDS: dict[str | None, Words] = {
    None: lambda: _("person"),
    "": lambda: _("simulated"),
    "easy": lambda: _("easy bot"),
    "solid": lambda: _("solid bot"),
    "strong": lambda: _("strong bot"),
    "strong:bold": lambda: _("bold bot"),
    "strong:careful": lambda: _("careful bot"),
}
ABOUT_KINDS: dict[str | None, Words] = {
    None: lambda: _("a player at this table"),
    "": lambda: _("the game's own simple player"),
    "easy": lambda: _("for your first games"),
    "solid": lambda: _("looks a little ahead"),
    "strong": lambda: _("as good as it can be"),
    "strong:bold": lambda: _("strong, and only wants to win"),
    "strong:careful": lambda: _("strong, and wants every point"),
}


def _unknown_card(uid: str) -> str:
    return _(
        "This card belongs to no player yet. Assign it: companion people --change NAME --card {uid}",
        uid=plain(uid),
    )


def _plays(name: str) -> str:
    return _("{name} plays.", name=name)


def _sits_here(name: str) -> str:
    return _("{name} sits here already, or every seat is taken.", name=name)


def help_text(game: str) -> str:
    """What each button does, and the rules of the chosen game."""
    lines = [
        _("You can change names, choose a person or a simulated player, and set with {sign} who starts.", sign=STARTS),
        _("With only this screen, bots have real pieces: the screen says what to move for them, and you do it."),
        _("{up} swaps with the player above; {remove} removes a seat.", up=UP, remove=REMOVE),
        _("The options are below. Each press moves to the next choice."),
        find_face(game).rules(),
    ]
    return "\n\n".join(line for line in lines if line)


def kit_words(kit: KitOffer) -> str:
    words = {"none": _("only this screen"), "one": _("one reader"), "full": _("a pad each")}[kit.kit]
    if kit.deals:
        return _("{kit}, Companion deals", kit=words)
    return _("{kit} (simulated)", kit=words) if kit.simulated else words


def _game_choice(offer: GameOffer) -> str:
    title = plain(offer.title)
    return _("{game}, {fewest} to {most} players", game=title, fewest=offer.fewest, most=offer.most)


def _option(game: str, name: str, value: Any) -> tuple[str, str]:
    """The name of a table option and its value, in the game's words if it has some."""
    face = find_face(game)
    return face.option(name) or plain(name), face.option_value(name, value) or plain(str(value))
