"""The row of buttons at the bottom: two or more for the game, then those of the evening (undo, why, help …)."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Button
from textual.widgets.button import ButtonVariant

from companion.gamekit.screen.controls import dressed, hinted
from companion.gamekit.screen.face import Command, Sight
from companion.gamekit.sign_table import LEFT, RIGHT
from companion.gamekit.snapshot import LookedBackAt
from companion.language.screen_language import _

GAME_SLOTS = 2
"""The game's buttons in most games; a game may ask for more, up to `MOST_SLOTS`."""
MOST_SLOTS = 5
DRIVEN_SLOTS = 4
"""The buttons of a game that is replayed, or that only simulated hands play."""
ROOMY = 98
"""From this width on, many buttons of the game and those of the evening fit, without the language and the way out."""
ROOMIEST = 126
"""From this width on, those two fit as well."""
LABEL_PARTS = {ROOMY: 9 / 65, ROOMIEST: 9 / 99}
"""The part of a crowded bar, and of a full one, that each of the game's labels has (table.tcss)."""
FASTER, SLOWER = 2.0, 0.5


class Slot(NamedTuple):
    """What a button stands for now. The bar sends it when the button is pressed."""

    name: str
    """An action of the screen, or the kind of action that `command` does."""
    label: str
    key: str
    variant: str = "default"
    enabled: bool = True
    shown: bool = True
    command: Command | None = None
    """The game's action; None: a button of the evening."""


# --- The game's buttons ---------------------------------------------------------------------------------------


def game_slots(sight: Sight) -> list[Slot | None]:
    """What the game's buttons do now. An empty place is None."""
    if sight.snapshot.replay and not sight.snapshot.replay.asks:
        return _replay_slots(sight.snapshot.replay)
    if sight.over:
        return _slots_after_the_end(sight)
    if sight.is_demo:
        return _demo_slots(sight)
    return placed(sight)[0]


def without_button(sight: Sight) -> list[Slot]:
    """What the game offers now and has no button for: it goes into the menu "More"."""
    asked = sight.snapshot.replay is None or sight.snapshot.replay.asks
    return [] if sight.over or sight.is_demo or not asked else placed(sight)[1]


def placed(sight: Sight) -> tuple[list[Slot | None], list[Slot]]:
    """What the players may do now: each command in its place, and the commands for which no place is left."""
    slots: list[Slot | None] = [None] * sight.face.places
    rest: list[Slot] = []
    for command in commands_now(sight):
        slot = Slot(command.do, command.label, command.keys[0], command.variant, command=command)
        place = command.place if command.place is not None else slots.index(None) if None in slots else None
        if place is None or slots[place] is not None:
            rest.append(slot)
        else:
            slots[place] = slot
    return slots, rest


def commands_now(sight: Sight) -> list[Command]:
    """The game's commands that do something now."""
    if not sight.actions:
        return []
    kinds = {action["do"] for action in sight.actions}
    return [
        command
        for command in sight.face.commands(sight)
        if command.do in kinds and any(map(command.is_for, sight.actions))
    ]


def keys_now(sight: Sight) -> set[str]:
    """The keys that begin an action now."""
    return {key for command in commands_now(sight) for key in command.keys}


def places(sight: Sight | None) -> int:
    """How many buttons of the bar belong to the game."""
    replay = sight.snapshot.replay if sight is not None else None
    if sight is not None and ((replay and not replay.asks) or (sight.is_demo and not sight.over)):
        return DRIVEN_SLOTS
    return GAME_SLOTS if sight is None or sight.over else sight.face.places


def has_hands(sight: Sight) -> bool:
    """Whether a player may look at their own hand, or all may see all hands of a finished game."""
    if sight.snapshot.replay and not sight.snapshot.replay.asks:
        return sight.snapshot.replay.open
    return sight.snapshot.own and bool(sight.persons) and not sight.over


def _slots_after_the_end(sight: Sight) -> list[Slot | None]:
    result = Slot("result", _("Result"), "r", "default")
    if not sight.persons:
        return [result]
    return [None if sight.snapshot.ended else Slot("next", _("Next game"), "n", "primary"), result]


def _demo_slots(sight: Sight) -> list[Slot | None]:
    pause = _("Go on") if sight.snapshot.paused else _("Pause")
    return [
        Slot("demo_pause", pause, "p", "primary"),
        Slot(f"drive({SLOWER})", _("Slower"), "-"),
        Slot(f"drive({FASTER})", _("Faster"), "+"),
        Slot("step", _("Step"), "."),
    ]


def _replay_slots(at: LookedBackAt) -> list[Slot | None]:
    """Buttons that do nothing now are dim and keep their places."""
    back, on = at.step > 0, at.step < at.steps
    return [
        Slot("leaf('left')", _("Back"), LEFT, enabled=back),
        Slot("leaf('right')", _("On"), RIGHT, "primary", enabled=on),
        Slot("leaf('pageup')", _("Round", "back"), "PgUp", enabled=back),
        Slot("leaf('pagedown')", _("Round", "on"), "PgDn", enabled=on),
    ]


# --- The bar --------------------------------------------------------------------------------------------------


class Bar(Horizontal):
    """Buttons keep their places: what is not possible now is blank or dim, and nothing moves under a finger.

    "More" leads to whatever has no button. On a narrow screen some of the evening's buttons are behind it: most of them
    if the game has many buttons, even Undo if their labels are long; else the language, and the way out if there is a
    hand to look at.
    """

    class Chosen(Message):
        def __init__(self, slot: Slot) -> None:
            super().__init__()
            self.slot = slot

    def __init__(self, others: Sequence[Slot], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._slots: list[Slot | None] = [*[None] * MOST_SLOTS, *others]
        self._buttons: list[Button] = []
        self.lacks_undo = False

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
        """`places` is how many buttons belong to the game. A slot that is None is empty."""
        width = self.app.size.width
        shown, many = {slot.name for slot in others if slot.shown}, places > GAME_SLOTS
        longest = max((_label(slot).cell_length for slot in game), default=0)
        room = next((part * width for below, part in LABEL_PARTS.items() if width < below), width)
        self.lacks_undo = many and longest > room
        self.update_classes(
            {
                "-many": many,
                "-crowded": many and width < ROOMY,
                "-long": self.lacks_undo,
                "-full": many and ROOMY <= width < ROOMIEST,
                "-narrow": not many and width < ROOMY,
                "-own": "peek" in shown and not (many and width < ROOMY),
                "-more": "more" in shown,
            }
        )
        wanted: list[Slot | None] = [*game[:MOST_SLOTS], *[None] * (MOST_SLOTS - len(game)), *others]
        for number, button in enumerate(self._buttons):
            before, self._slots[number] = self._slots[number], wanted[number]
            slot = wanted[number]
            if _looks(slot) != _looks(before):
                if slot is None or before is None or (slot.name, slot.key) != (before.name, before.key):
                    button.blur()  # Enter must not press what the button stands for now
                _fill(button, slot)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        slot = self._slots[self._buttons.index(event.button)]
        if slot is not None:
            self.post_message(self.Chosen(slot))


def _looks(slot: Slot | None) -> object:
    """All that is drawn of it: commands are made for each redraw, and no two are equal."""
    return slot and slot._replace(command=None)


def _fill(button: Button, slot: Slot | None) -> None:
    button.visible = slot is not None and slot.shown
    if slot is not None:
        button.label = _label(slot)
        button.variant = cast("ButtonVariant", slot.variant)
        button.disabled = not slot.enabled


def _label(slot: Slot | None) -> Content:
    return hinted(slot.key, slot.label) if slot else Content("")
