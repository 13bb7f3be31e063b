"""Looks for a game that brings none: made of its view and of what is offered, and of nothing else."""

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

import msgspec
from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit.screen.face import Action, Choice, Command, Face, Headline, Menu, Sight, menu_room
from companion.gamekit.snapshot import Snapshot
from companion.language.screen_language import Texts, _, listed
from companion.language.wording import numeral, plain

RESERVED = "hilmnqrtu"
"""Keys that mean something on every table."""
MOST_PLACES = 5
VALUE = 60
"""Cells that a value may take."""
CARD, LARGE = 12, 3
"""Cells of a label that fits on a card, and of one that is drawn large there."""
INK, PAPER = "#1c1917", "#e7dcc3"
"""Of a card."""
COLUMNS = 3


class PlainFace(Face):
    """Every field of the view on a line of its own; what is listed for every player in a column for each."""

    places = MOST_PLACES

    def __init__(self, title: str, sentences: Mapping[str, str], texts: Texts) -> None:
        self._title = title
        self.sentences, self.texts = sentences, texts

    def read(self, snapshot: Snapshot) -> tuple[Any, Any]:
        return msgspec.to_builtins(snapshot.table), msgspec.to_builtins(snapshot.box)

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        """One for each kind of action that is offered now."""
        kinds = list(dict.fromkeys(str(action["do"]) for action in sight.actions)) if sight else []
        keys = _keys(kinds)
        likely = "success" if len(kinds) == 1 else "primary"
        return [Command(do, (keys[do],), self._label(do), likely) for do in kinds]

    def _label(self, do: str) -> str:
        return plain(self.texts.text(do)).capitalize()

    def headline(self, sight: Sight) -> Headline:
        awaiting = sight.snapshot.awaiting
        if awaiting is None:
            return Headline((plain(self._title),), plain(self._title))
        seats = [seat for seat in awaiting.seats if seat not in sight.snapshot.settled]
        names = [sight.name(seat) for seat in seats or awaiting.seats]
        first, doing = self._label(awaiting.do[0]), listed([self._label(do) for do in awaiting.do])
        big = (f"{names[0]}: {first}", names[0]) if len(names) == 1 else (first,)
        return Headline(big, _("{names}: {action}", names=listed(names), action=doing))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        each = _for_each(sight)
        shared = [f"{_called(name)}: {_shown(sight, name)}" for name in sight.table if name not in each]
        return [_by_player(sight, each, width), Content("\n".join(plain(line, width) for line in shared))]

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        """A few lines for each player, then the shared fields."""
        each = _for_each(sight)
        players = []
        for seat in range(len(sight.names)):
            fields = "; ".join(f"{_called(name)}: {values[seat]}" for name, values in each.items())
            players.append(Content.styled(sight.name(seat) + sight.mark(seat), "bold"))
            players += [Content(line) for line in _folded(fields, width)]
        shared = [
            line
            for name in sight.table
            if name not in each
            for line in _folded(f"{_called(name)}: {_shown(sight, name)}", width)
        ]
        return [Content("\n").join(players), Content("\n".join(shared))]

    def hand(self, sight: Sight, choosing: bool) -> Content:
        own: dict[str, Any] = msgspec.to_builtins(sight.own) or {}
        dealt = [_told([piece.id for piece in sight.dealt])] if sight.dealt and not choosing else []
        return Content("\n".join([*(f"{_called(name)}: {_told(value)}" for name, value in own.items()), *dealt]))

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        """Short labels are cards, and numbers stand there in large letters. A label that does not fit on its button
        stands above them in full."""
        numbers = _numbers(sight.box, actions)
        labels = {key: self._choice(action) for key, action in zip(numbers, actions, strict=True)}
        title = self._label(actions[0]["do"])
        if all(cell_len(label) <= CARD for label in labels.values()):
            return Menu(
                title, [_card(key, label, action) for (key, label), action in zip(labels.items(), actions, strict=True)]
            )
        columns = _columns([f"{key} {label}" for key, label in labels.items()])
        room = menu_room(columns)
        long = [f"{key} {label}" for key, label in labels.items() if cell_len(f"{key} {label}") > room]
        shown = {key: plain(label, room - len(key) - 1) for key, label in labels.items()}
        choices = [Choice(shown[key], action, key=key) for key, action in zip(numbers, actions, strict=True)]
        picture = Content("\n".join(line for text in long for line in _folded(text, menu_room(1))))
        return Menu(title, choices, columns, picture)

    def _choice(self, action: Action) -> str:
        return ", ".join(_told(value) for _name, value in _said(action)) or self._label(action["do"])


def _card(key: str, label: str, action: Action) -> Choice:
    return Choice(label, action, INK, PAPER, key, large=label if len(label) <= LARGE else "")


def _said(action: Action) -> list[tuple[str, Any]]:
    """What a player says with an action, besides who they are."""
    return [(name, value) for name, value in action.items() if name not in ("do", "seat")]


def _numbers(box: Any, actions: Sequence[Action]) -> list[str]:
    """What to type for each: the number that it says, or that its piece has in its name, or the place of its piece in
    the box. None of them changes when another choice is gone. Where there is no such number: its place among them."""
    values = [_said(action)[0][1] if len(_said(action)) == 1 else None for action in actions]
    places = {name: place for place, name in enumerate(_ids(box), 1)}
    for numbers in ([_own_number(value) for value in values], [places.get(str(value)) for value in values]):
        if None not in numbers and len(set(numbers)) == len(numbers):
            return [str(number) for number in numbers]
    return [str(place) for place in range(1, len(actions) + 1)]


def _own_number(value: Any) -> int | None:
    """55 and "bull-55" → 55"""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    found = re.fullmatch(r"\D*[1-9]\d*", value) if isinstance(value, str) else None
    return int(re.sub(r"\D", "", found[0])) if found else None


def _ids(box: Any) -> Iterator[str]:
    """Everything in a box that has an `id`, in its order."""
    if isinstance(box, dict):
        if isinstance(box.get("id"), str):
            yield box["id"]
        box = list(box.values())
    if isinstance(box, list | tuple):
        for each in box:
            yield from _ids(each)


def _columns(labels: Sequence[str]) -> int:
    """As many as the longest label leaves room for."""
    longest = max(map(cell_len, labels))
    return next((columns for columns in range(COLUMNS, 1, -1) if longest <= menu_room(columns)), 1)


def _keys(kinds: Sequence[str]) -> dict[str, str]:
    """A letter of its own for each, if there is one, else a digit."""
    keys: dict[str, str] = {}
    for number, do in enumerate(kinds, 1):
        letters = [letter for letter in do.lower() if letter.isascii() and letter.isalpha() and letter not in RESERVED]
        keys[do] = next((letter for letter in letters if letter not in keys.values()), str(number))
    return keys


def _for_each(sight: Sight) -> dict[str, Sequence[str]]:
    """The fields that the game declares to list something for every player, each in words."""
    declared = {name: value for name, value in sight.table.items() if name in sight.snapshot.per_player}
    return {
        name: [_worded(sight, name, each) for each in value]
        for name, value in declared.items()
        if isinstance(value, list | tuple) and len(value) == len(sight.names)
    }


def _shown(sight: Sight, name: str) -> str:
    return _worded(sight, name, sight.table[name])


def _worded(sight: Sight, field: str, value: Any) -> str:
    """A seat that the game declares as one is shown by its player's name."""
    if field not in sight.snapshot.seats:
        return _told(value)
    if isinstance(value, list | tuple):
        return listed([_worded(sight, field, each) for each in value]) if value else "–"
    return sight.name(value) if isinstance(value, int) else _told(value)


def _by_player(sight: Sight, fields: Mapping[str, Sequence[str]], width: int) -> Content:
    """A row for each player, a column for each field, as far as there is room."""
    if not fields:
        return Content("")
    rows = [
        ["", *map(_called, fields)],
        *(
            [sight.name(seat) + sight.mark(seat), *(values[seat] for values in fields.values())]
            for seat in range(len(sight.names))
        ),
    ]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    heading, *others = [_row(row, widths).truncate(width) for row in rows]
    return Content("\n").join([heading.stylize("bold"), *others])


def _folded(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="  ", subsequent_indent="    ")


def _row(cells: Sequence[str], widths: Sequence[int]) -> Content:
    return Content("  ".join(set_cell_size(cell, width) for cell, width in zip(cells, widths, strict=True)))


def _called(name: str) -> str:
    """won_prizes → won prizes; hearts-5 → hearts 5: players see no ids"""
    return plain(re.sub(r"(?<=\w)[_-]+(?=\w)", " ", name), VALUE)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        within = [f"({_told(each)})" if isinstance(each, list | tuple | dict) else _told(each) for each in value]
        return plain(", ".join(within), VALUE) or "–"
    if isinstance(value, dict):
        return plain(", ".join(f"{_called(key)} {_told(each)}" for key, each in value.items()), VALUE) or "–"
    if isinstance(value, int):
        return numeral(value)
    return "–" if value is None else _called(str(value))
