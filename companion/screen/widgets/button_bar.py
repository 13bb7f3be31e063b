"""The row of buttons at the bottom: two or more for the game, the others for the evening."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Button
from textual.widgets.button import ButtonVariant

from companion.gamekit.screen.face import Command, Sight
from companion.gamekit.screen.translated_widgets import dressed, hinted
from companion.language.screen_language import _

GAME_SLOTS = 2
"""For most games; a game may ask for more, up to `MOST_SLOTS`."""
MOST_SLOTS = 5
ROOMY = 98
"""From this width on there is room for many buttons of the game and all of the evening's."""

ROOMIER = 110
"""And from this one on for one's own hand as well."""

ROOMIEST = 126
"""And from this one on for "more"."""


class Slot(NamedTuple):
    """What a button stands for at the moment; it comes back when it is pressed."""

    name: str
    """An action of the screen, or the kind of action that `command` does."""
    label: str
    key: str
    variant: str = "default"
    enabled: bool = True
    shown: bool = True
    command: Command | None = None
    """What it does in the game; None: it belongs to the evening."""


def placed(sight: Sight) -> tuple[list[Slot | None], list[Slot]]:
    """What the persons may do now: what has a button, each in its place, and what finds no place."""
    slots: list[Slot | None] = [None] * sight.face.places
    rest: list[Slot] = []
    for command in sight.face.commands(sight):
        if command.of(sight):
            slot = Slot(command.do, command.label, command.keys[0], command.variant, command=command)
            place = command.place if command.place is not None else slots.index(None) if None in slots else None
            if place is None or slots[place] is not None:
                rest.append(slot)
            else:
                slots[place] = slot
    return slots, rest


def keys_now(sight: Sight) -> set[str]:
    """What begins an action now."""
    return {key for command in sight.face.commands(sight) if command.of(sight) for key in command.keys}


def after_the_end(sight: Sight) -> list[Slot | None]:
    """When a game is over: another one, unless the match has ended."""
    result = Slot("result", _("Result"), "r", "default")
    if not sight.persons:
        return [result]
    return [None if sight.snapshot.ended else Slot("next", _("Next game"), "n", "primary"), result]


def crowded(width: int, places: int) -> bool:
    """Whether the game has so many buttons that those of the evening make way for "more"."""
    return places > GAME_SLOTS and width < ROOMY


class Bar(Horizontal):
    """Buttons keep their places: what is not possible now is blank or dim, nothing moves under a finger.

    Where there is little room, those of the evening that can wait make way for "more": most of them if the game has
    many buttons, else the way out.
    """

    class Chosen(Message):
        def __init__(self, slot: Slot) -> None:
            super().__init__()
            self.slot = slot

    def __init__(self, others: Sequence[Slot], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._slots: list[Slot | None] = [*[None] * MOST_SLOTS, *others]
        self._buttons: list[Button] = []

    def compose(self) -> ComposeResult:
        self._buttons = [self._made(number, slot) for number, slot in enumerate(self._slots)]
        yield from self._buttons

    def _made(self, number: int, slot: Slot | None) -> Button:
        kind = slot.name.rpartition(".")[2] if slot else "game" if number < GAME_SLOTS else "game spare"
        button = Button(_label(slot), **dressed(kind))
        button.styles.line_pad = 0  # every cell is needed; a stylesheet cannot say 0
        button.visible = slot is not None and slot.shown
        return button

    def show(self, game: Sequence[Slot | None], others: Sequence[Slot], places: int = GAME_SLOTS) -> None:
        """`places` is how many the game has; a slot that is None is an empty one."""
        width = self.app.size.width
        shown = {slot.name for slot in others if slot.shown}
        self.update_classes(
            {
                "-many": places > GAME_SLOTS,
                "-crowded": crowded(width, places),
                "-own": "peek" in shown and (places <= GAME_SLOTS or width >= ROOMIER),
                "-more": {"peek", "more"} <= shown and not crowded(width, places),
                "-narrow": width < ROOMY,
            }
        )
        wanted: list[Slot | None] = [*game[:MOST_SLOTS], *[None] * (MOST_SLOTS - len(game)), *others]
        for number, button in enumerate(self._buttons):
            before, self._slots[number] = self._slots[number], wanted[number]
            slot = wanted[number]
            if _looks(slot) != _looks(before):
                if slot is None or before is None or (slot.name, slot.key) != (before.name, before.key):
                    button.blur()  # Enter must not press what the button has become meanwhile
                _fill(button, slot)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        slot = self._slots[self._buttons.index(event.button)]
        if slot is not None:
            self.post_message(self.Chosen(slot))


def _looks(slot: Slot | None) -> object:
    """All that is drawn of it: commands are made afresh each time, and are never equal."""
    return slot and slot._replace(command=None)


def _fill(button: Button, slot: Slot | None) -> None:
    button.visible = slot is not None and slot.shown
    if slot is not None:
        button.label = _label(slot)
        button.variant = cast("ButtonVariant", slot.variant)
        button.disabled = not slot.enabled


def _label(slot: Slot | None) -> Content:
    return hinted(slot.key, slot.label) if slot else Content("")
