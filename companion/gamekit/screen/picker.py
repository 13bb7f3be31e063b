"""The picker: one question and its answers, drawn as cards. Every game asks with it, also one that brings no face.

A number that is typed is echoed. It is taken as soon as no other number begins with it; one that could still grow waits
for Enter. A digit typed twice may be a held key, so it is taken when no third one follows.
"""

from collections.abc import Callable
from functools import partial
from math import ceil
from textwrap import wrap

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Grid, ItemGrid
from textual.content import Content
from textual.geometry import Size

from companion.gamekit.figure import Figures
from companion.gamekit.screen.block_art import block_art
from companion.gamekit.screen.controls import ButtonList, KeyButton, Panel, Worded, Words
from companion.gamekit.screen.dialog import TALL, Dialog, choice_grid, last_row, your_move_rows
from companion.gamekit.screen.face import Choice, Menu, Sight, menu_room, next_menu
from companion.gamekit.screen.letters import big, huge
from companion.gamekit.screen.press_guard import HELD_S
from companion.gamekit.sign_table import WRONG
from companion.language.screen_language import _
from companion.language.wording import plain

NONE_OF_THESE = "none of these"
"""The result if none of the choices is right."""
FILTER_FROM = 12
"""More choices than this can be filtered."""
LEAST = Size(10, 3)
"""A card with its frame, at least."""
HIGHEST = 15
"""Rows of a card with its frame, at most."""
SHAPE = 2.4
"""How many times wider than high a card is: a cell is about twice as high as wide."""
FRAME = 2
ART = 4
"""Rows of a figure, at least."""


# --- A card ---------------------------------------------------------------------------------------------------


class ChoiceCard(KeyButton):
    """One choice. Around it are empty cells: the key is in the upper ones, and the frame when it has the focus."""

    def __init__(self, key: Words, choice: Callable[[], Choice], figures: Figures | None, then: Callable[[], object]):
        self._choice, self._figures, self._room = choice, figures, LEAST - Size(FRAME, FRAME)
        super().__init__(key, str, then, classes="picked")
        self.border_title = Content(key())

    @property
    def said(self) -> str:
        """Its key and its label, in one line."""
        return f"{self._key()} {' '.join(str(self._choice().label).split())}"

    def sized(self, size: Size) -> None:
        room = size - Size(FRAME, FRAME)
        if room != self._room:
            self._room = room
            self.redraw()

    def redraw(self) -> None:
        super().redraw()
        self.border_title = Content(self._key())

    def _labelled(self) -> Content:
        choice = self._choice()
        known = self._figures is not None and choice.figure in self._figures
        return drawn(choice, self._room, self._figures if known else None)


def drawn(choice: Choice, room: Size, figures: Figures | None = None) -> Content:
    """The card in exactly this room."""
    paper, ink = choice.paper or "$panel", choice.ink or "$foreground"
    if choice.refused:
        paper, ink = "$panel", "$quiet"
    if choice.draw is not None:
        picture = list(choice.draw(room.width, room.height))
    else:
        art = partial(block_art, figures[choice.figure], ink=ink, paper=paper) if figures is not None else None
        picture = _picture(choice, room, art)
    picture = picture[: room.height]
    above = (room.height - len(picture)) // 2
    lines = [Content("")] * above + picture + [Content("")] * (room.height - len(picture) - above)
    return Content("\n").join([_centred(line, room.width).stylize_before(f"{ink} on {paper}") for line in lines])


def _picture(choice: Choice, room: Size, art: Callable[[int, int], list[Content]] | None) -> list[Content]:
    """Its number or its figure as large as there is room for, and its label, at the same height on all cards with
    figures."""
    label = _label_lines(choice.label, room.width)
    left = room.height - len(label)
    if choice.large:
        number = _large(choice.large, room)
        says_more = str(choice.label) != choice.large and left >= len(number)
        return [*number, *(label if says_more else [])]
    if art is not None and left >= ART:
        figure = list(art(room.width - 2, left))[:left]
        above = (left - len(figure)) // 2
        return [*[Content("")] * above, *figure, *[Content("")] * (left - len(figure) - above), *label]
    return label


def _large(text: str, room: Size) -> list[Content]:
    for letters in (huge(text), big(text)):
        if letters is not None and len(letters) <= room.height and cell_len(letters[0]) <= room.width:
            return [Content.styled(line, "bold") for line in letters]
    return [Content.styled(text, "bold")]


def _label_lines(label: Content | str, width: int) -> list[Content]:
    if isinstance(label, Content) and label.spans:
        return list(label.split("\n"))
    lines = [line for each in str(label).split("\n") for line in wrap(each, max(1, width)) or [""]]
    return [Content.styled(line, "bold") for line in lines]


def _centred(line: Content, width: int) -> Content:
    if line.cell_length > width:
        return line.truncate(width, ellipsis=True, pad=True)
    gap = width - line.cell_length
    return Content.assemble(" " * (gap // 2), line, " " * (gap - gap // 2))


def fitting(count: int, width: int, height: int, least: int = LEAST.height) -> tuple[int, Size]:
    """How many columns, and how large a card with its frame is, so that as many as possible are seen as large as
    possible. `least`: its rows; if there is no room for that, one has to scroll."""
    best = (1, Size(min(width, 2 * LEAST.width), least))
    if not count:
        return best
    found = -float("inf")
    for columns in range(1, max(1, min(count, width // LEAST.width)) + 1):
        high = min(HIGHEST, height // ceil(count / columns))
        wide = min(width // columns, round(SHAPE * max(high, least)) + 4)
        score = min(wide, SHAPE * high) if high >= least else -wide / 1000
        if score > found:
            found, best = score, (columns, Size(wide, max(high, least)))
    return best


# --- The dialog -----------------------------------------------------------------------------------------------


class Choices(Dialog):
    """Several things to pick from, by mouse, touch, arrows, or by typing what is above each.

    The result is the choice's value. If that value is a menu, its choices replace these.
    """

    def __init__(
        self,
        menu: Callable[[], Menu],
        *,
        text: Callable[[], Content | str] | None = None,
        leave: Words = lambda: _("Cancel"),
        none_of_these: Words | None = None,
        valid: Callable[[Sight], bool] = lambda sight: True,
    ) -> None:
        """`none_of_these` labels one more button; its result is NONE_OF_THESE."""
        super().__init__(lambda: self._menu.title, valid=valid)
        self._make_menu, self._text, self._leave, self._none = menu, text, leave, none_of_these
        self.figures: Figures | None = None
        """Of the cards."""
        self._steps: list[int] = []
        """The numbers of the choices that led here."""
        self._menu = menu()
        self._typed = ""
        """Typed digits that are no answer yet."""
        self._said = ""
        """What was wrong with the last press."""
        self._filter: str | None = None
        """What the cards have to say; None: no filter is being typed."""
        self._columns = 1

    # --- What is seen ---

    @property
    def _has_cards(self) -> bool:
        return any(choice.is_card for choice in self._menu.choices)

    @property
    def _has_sentences(self) -> bool:
        """Buttons over the whole width, or with more words than one row has room for."""
        columns = self._menu.columns
        labels = [f"{self._key(number)} {self._label(number)}" for number in range(1, len(self._menu.choices) + 1)]
        is_long = any(cell_len(label) > menu_room(columns) for label in labels)
        return not self._has_cards and (columns == 1 or is_long)

    def content(self) -> ComposeResult:
        self.set_class(self._has_cards, "-cards")
        self.set_class(self._has_sentences, "-sentences")
        if self._text:
            yield Worded(self._text, classes="text")
        if self._menu.picture.plain:
            yield Worded(lambda: self._menu.picture, classes="text")
        if self._has_cards:
            with ButtonList(classes="cards"), Grid():
                yield from (self._card(number) for number in range(1, len(self._menu.choices) + 1))
            yield Panel(classes="details")
        else:
            yield from self._buttons()
        nothing = partial(self.leave, NONE_OF_THESE)
        none = [KeyButton(lambda: "0", self._none, nothing)] if self._none else []
        yield from last_row(*none, KeyButton(lambda: "Esc", self._leave, self.leave, classes="leave"))

    def _card(self, number: int) -> ChoiceCard:
        return ChoiceCard(
            partial(self._key, number), partial(self._choice, number), self.figures, partial(self._pick, number)
        )

    def _buttons(self) -> ComposeResult:
        with choice_grid(self._menu.columns) as grid:
            assert isinstance(grid, ItemGrid)
            for number in range(1, len(self._menu.choices) + 1):
                key, label = partial(self._key, number), partial(self._label, number)
                yield KeyButton(key, label, partial(self._pick, number), name=str(number))
        yield Panel(classes="echo")

    def complain(self, words: Words) -> None:
        super().complain(words)
        self._arrange()

    def redraw(self) -> None:
        before, self._menu = len(self._menu.choices), self._make_menu()
        for number in self._steps:
            if number > len(self._menu.choices):
                self.leave()
                return
            self._menu = next_menu(self._menu.choices[number - 1].value) or self._menu
        if len(self._menu.choices) == before:
            super().redraw()
            self._show_details()
        else:  # the game has gone on since it was opened
            self._draw_choices()

    def _draw_choices(self) -> None:
        self.set_focus(None)
        self.call_after_refresh(self._arrange)
        self.refresh(recompose=True)

    def on_mount(self) -> None:
        self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        """Cards as large as the room below your move allows."""
        shown = [card for card in self._cards if card.display]
        if self._has_cards and self._cards:
            width, height = self.size.width - 2, self._room_for_cards()
            self._columns, size = fitting(len(shown), width - 1, height, self._least)
            grid = self.query_one(Grid)
            grid.styles.grid_size_columns = self._columns
            grid.styles.grid_columns = str(size.width)
            grid.styles.grid_rows = str(size.height)
            grid.styles.width, grid.styles.height = self._columns * size.width, "auto"
            for card in shown:
                card.styles.width, card.styles.height = size.width, size.height
                card.sized(size)
            self.query_one(".cards").styles.max_height = max(LEAST.height, height)
        self._show_details()

    @property
    def _least(self) -> int:
        """Rows of a card: a picture or a big number needs three, with its frame five."""
        drawn_ = any(choice.draw is not None or choice.large for choice in self._menu.choices)
        return LEAST.height + 2 * drawn_

    def _room_for_cards(self) -> int:
        """What your move, the title, the texts, the details and the buttons leave."""
        words = (self._text and self._text(), self._menu.picture, self._complaint and self._complaint())
        texts = sum(_height(each, self.size.width - 2) for each in words)
        return self.size.height - your_move_rows(*self.size) - 1 - texts - self._detail_rows - 3

    @property
    def _detail_rows(self) -> int:
        """As many as the longest words need."""
        longest = max(
            (_height(self._words_of(choice), self.size.width - 2) for choice in self._menu.choices), default=1
        )
        return min(3, max(longest, 2 if self.size.height >= TALL else 1))

    @property
    def _cards(self) -> list[ChoiceCard]:
        return list(self.query(ChoiceCard))

    def on_descendant_focus(self) -> None:
        self._show_details()

    def on_descendant_blur(self) -> None:
        self._show_details()

    def _show_details(self) -> None:
        """Below the cards: what is typed, or what the card with the focus does."""
        for panel in self.query(".details").results(Panel):
            panel.styles.height = self._detail_rows
            panel.show(self._details())
        for panel in self.query(".echo").results(Panel):
            panel.display = bool(self._typed or self._said)
            panel.show(self._details())

    def _details(self) -> Content:
        if self._filter is not None:
            return Content.assemble((_("Filter: {typed}", typed=plain(self._filter)), "bold"), "_")
        if self._typed:
            return Content.assemble((f" {self._typed}_ ", "bold reverse"), "  ", (self._typed_words(), "$quiet"))
        if self._said:
            return Content.styled(f"{WRONG} {self._said}", "bold $text-error")
        focused = self.focused
        if isinstance(focused, ChoiceCard) and focused in self._cards:
            return self._words_of(self._menu.choices[self._cards.index(focused)])
        hint = _("Arrows and Enter, or type what is above a card")
        more = "  " + _("/ filters") if self._can_filter else ""
        return Content.styled(hint + more, "$quiet")

    def _typed_words(self) -> str:
        number = self._numbers.get(self._typed)
        return _("Enter takes {what}, or type on", what=self._called(number)) if number else _("type on")

    def _called(self, number: int) -> str:
        choice = self._menu.choices[number - 1]
        return plain(" ".join(str(choice.label).split()) or choice.large)

    def _words_of(self, choice: Choice) -> Content:
        name = plain(" ".join(str(choice.label).split()))
        if choice.refused:
            return Content.assemble((name, "bold"), "  ", (f"{WRONG} {choice.refused}", "bold $text-error"))
        return Content.assemble((name, "bold"), "  " if choice.words else "", choice.words)

    # --- Keys ---

    def may_repeat(self, key: str) -> bool:
        """A second 1 may make an 11 of a 1."""
        return bool(self._typed) and key.isdigit()

    def on_key(self, event: events.Key) -> None:
        if self._filter is not None and self._type_filter(event):
            event.stop()
            return
        self._said = ""
        if event.key == "0" and not self._typed and self._none:
            event.stop()
            self.leave(NONE_OF_THESE)
        elif event.key.isdigit():
            event.stop()
            self._type(event.key)
        elif self._typed and event.key in ("enter", "backspace", "escape"):
            event.stop()
            self._end_typing(event.key)
        else:
            self._typed = ""
            self._letter(event)
        self._show_details()

    def _letter(self, event: events.Key) -> None:
        if event.key == "slash" and self._can_filter:
            event.stop()
            self._filter = ""
        elif event.key in self._numbers:
            event.stop()
            self._pick(self._numbers[event.key])

    def _type(self, digit: str) -> None:
        typed, doubled = self._typed + digit, self._typed[-1:] == digit
        fitting_ = [key for key in self._numbers if key.startswith(typed)]
        self._typed = typed if fitting_ else ""
        if not fitting_:
            self._no(typed)
        elif fitting_ == [typed] and not doubled:
            self._take(typed)
        elif typed in self._numbers:
            self._focus(self._numbers[typed])
            if fitting_ == [typed]:
                self.set_timer(HELD_S, partial(self._take, typed))

    def _take(self, typed: str) -> None:
        """Unless more was typed in the meantime, or the key was held."""
        if self._typed == typed and self.app.screen is self:
            self._typed = ""
            self._pick(self._numbers[typed])

    def _end_typing(self, key: str) -> None:
        typed = self._typed
        if key == "backspace":
            self._typed = typed[:-1]
        elif key == "enter" and typed in self._numbers:
            self._take(typed)
        else:
            self._typed = ""
            if key == "enter":
                self._no(typed)

    def _no(self, typed: str) -> None:
        """The focus goes, too: it may be on the card of the first digit, and Enter would take that."""
        self._said = _("There is no {number}.", number=typed)
        self.set_focus(None)

    @property
    def _numbers(self) -> dict[str, int]:
        """The number of each choice by its key."""
        return {self._key(number).lower(): number for number in range(1, len(self._menu.choices) + 1)}

    def _focus(self, number: int) -> None:
        if self._has_cards:
            self._cards[number - 1].focus()

    # --- Filtering ---

    @property
    def _can_filter(self) -> bool:
        return self._has_cards and len(self._menu.choices) > FILTER_FROM

    def _type_filter(self, event: events.Key) -> bool:
        """Whether this key belongs to the filter."""
        assert self._filter is not None
        if event.key == "escape":
            self._filter = None
        elif event.key == "backspace":
            self._filter = self._filter[:-1]
        elif event.is_printable and event.character:
            self._filter += event.character.lower()
        else:
            return False
        wanted = (self._filter or "").split()
        for card, choice in zip(self._cards, self._menu.choices, strict=True):
            said = f"{choice.label} {choice.large} {choice.words}".lower()
            card.display = all(word in said for word in wanted)
        shown = [card for card in self._cards if card.display]
        self.set_focus(shown[0] if wanted and shown else None)  # Enter takes what has the frame
        self._arrange()
        return True

    # --- Choosing ---

    def action_step(self, direction: int) -> None:
        """Up and down in the grid; with nothing chosen yet, the first card."""
        shown = [card for card in self._cards if card.display]
        if not shown:
            super().action_step(direction)
        elif self.focused not in shown:
            shown[0 if direction > 0 else -1].focus()
        else:
            assert isinstance(self.focused, ChoiceCard)
            at = shown.index(self.focused) + direction * self._columns
            if 0 <= at < len(shown):
                shown[at].focus()
            else:
                self.focus_next() if direction > 0 else self.focus_previous()

    def _pick(self, number: int) -> None:
        choice = self._menu.choices[number - 1]
        if choice.refused:
            self._said = choice.refused
            self._show_details()
            return
        menu = next_menu(choice.value)
        if menu is not None:
            self._steps.append(number)
            self._menu, self._filter = menu, None
            self._draw_choices()
        else:
            self.picked(choice.value)

    def picked(self, value: object) -> None:
        self.leave(value)

    def _choice(self, number: int) -> Choice:
        return self._menu.choices[number - 1]

    def _key(self, number: int) -> str:
        """The choice's own key, else its number."""
        return self._menu.choices[number - 1].key or str(number)

    def _label(self, number: int) -> Content | str:
        return self._menu.choices[number - 1].label


def _height(words: Content | str | None, width: int) -> int:
    """The rows of a text that is wrapped."""
    text = str(words or "")
    return sum(max(1, ceil(cell_len(line) / max(1, width))) for line in text.split("\n")) if text else 0
