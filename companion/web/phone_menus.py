"""Buttons and menus of a phone: each button carries the message that the phone sends back when it is pressed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from textual.content import Content

from companion.gamekit.screen.face import Action, Choice, Command, Menu, Sight, next_menu
from companion.language.screen_language import _
from companion.web.page_files import figure_path
from companion.web.seat_sight import SeatSight
from companion.web.styled_text import StyledLines, label, lines

CARD = (16, 5)
"""Cells and rows of a game's own picture of a card."""
MOST_INLINE = 16
"""How many choices fit on the page itself; more are behind a button."""


class PhoneButton(Struct, frozen=True, omit_defaults=True):
    label: StyledLines
    send: dict[str, Any]
    """What the phone sends when it is pressed, without an id."""
    variant: str = ""
    ink: str = ""
    paper: str = ""
    figure: str = ""
    """Where the page finds the figure that it shows above the label."""
    picture: StyledLines = []
    """The game's own picture, above the label."""
    large: str = ""
    """A number that stands large above the label."""
    words: str = ""
    """What the card does or costs, below the label."""
    refused: str = ""
    """Why it cannot be chosen now."""
    confirm: str = ""
    """The question before it is sent."""


class ShownMenu(Struct, frozen=True, omit_defaults=True):
    """A menu as a phone draws it."""

    title: str
    buttons: Sequence[PhoneButton]
    path: tuple[int, ...]
    picture: StyledLines = []


def saying(sight: Sight, action: Action) -> dict[str, Any]:
    return {"is": "act", "action": action, "begun": sight.snapshot.begun}


def opening(*path: int) -> dict[str, Any]:
    return {"is": "open", "path": path}


def offered(sight: Sight) -> list[tuple[int, Command, tuple[Action, ...]]]:
    """What can be done now: the number of each button, its kind, its actions."""
    known = enumerate(sight.face.commands(sight)) if not sight.over else ()
    return [(number, command, actions) for number, command in known if (actions := command.of(sight))]


def buttons(sight: Sight) -> Iterator[PhoneButton]:
    """One for each kind of action. An action without a choice is sent at once. A player who has decided can only
    change that, and the button says so."""
    found = offered(sight)
    decided = isinstance(sight, SeatSight) and sight.seat in sight.snapshot.settled
    for number, command, actions in found:
        menu = sight.face.phone_menu(sight, actions)
        send = opening(number) if menu else saying(sight, actions[0])
        words = command.label
        if decided and menu:
            words = _("Change") if len(found) == 1 else _("Change: {what}", what=command.label)
        yield PhoneButton(label(words), send, command.variant)


def inline(sight: Sight) -> ShownMenu | None:
    """The only question, if its choices fit on the page."""
    found = offered(sight)
    menu = opened(sight, (found[0][0],)) if len(found) == 1 else None
    return menu if menu and len(menu.buttons) <= MOST_INLINE else None


def opened(sight: Sight, path: Sequence[int]) -> ShownMenu | None:
    """The menu behind a button, and behind the choices that led on; None if it is no longer there."""
    actions: Mapping[int, tuple[Action, ...]] = {number: some for number, _command, some in offered(sight)}
    if path[0] not in actions:
        return None
    menu = sight.face.phone_menu(sight, actions[path[0]])
    for step in path[1:]:
        if menu is None or step >= len(menu.choices):
            return None
        menu = next_menu(menu.choices[step].value)
    return _shown(sight, menu, tuple(path)) if menu else None


def _shown(sight: Sight, menu: Menu, path: tuple[int, ...]) -> ShownMenu:
    choices = [_choice(sight, choice, (*path, number)) for number, choice in enumerate(menu.choices)]
    return ShownMenu(menu.title, choices, path, lines(menu.picture) if menu.picture.plain else [])


def _choice(sight: Sight, choice: Choice, path: tuple[int, ...]) -> PhoneButton:
    goes_on = isinstance(choice.value, Menu) or callable(choice.value)
    send = opening(*path) if goes_on else saying(sight, choice.value)
    figure = figure_path(sight.snapshot.game, choice.figure) if choice.figure else ""
    drawn = choice.draw is not None and not figure
    return PhoneButton(
        label(choice.label),
        send,
        ink=choice.ink,
        paper=choice.paper,
        figure=figure,
        picture=label(Content("\n").join(choice.draw(*CARD))) if drawn and choice.draw else [],
        large=choice.large,
        words=choice.words,
        refused=choice.refused,
    )
