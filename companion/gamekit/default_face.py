"""Looks for a game that brings none: made of its view and of what is offered, and of nothing else."""

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import msgspec
from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit.screen.face import Action, Choice, Command, Face, Headline, Menu, Sight
from companion.gamekit.snapshot import Snapshot
from companion.language.screen_language import Texts, _, listed
from companion.language.wording import SEATS, numeral, plain

RESERVED = "hilmnqrtu"
"""Keys that mean something on every table."""
MOST_PLACES = 5
VALUE = 60
LARGE = 3
"""Letters of a label that is drawn large."""
INK, PAPER = "#1c1917", "#e7dcc3"
"""Of a card."""
"""Cells that a value may take."""


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
        table: dict[str, Any] = sight.table
        each = {name: value for name, value in table.items() if _is_for_each(value, len(sight.names))}
        shared = [
            f"{_called(name)}: {_of_seat(sight, name, value)}" for name, value in table.items() if name not in each
        ]
        return [_by_player(sight, each, width), Content("\n".join(plain(line, width) for line in shared))]

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        """A few lines for each player, then the shared fields."""
        table: dict[str, Any] = sight.table
        each = {name: value for name, value in table.items() if _is_for_each(value, len(sight.names))}
        players = []
        for seat in range(len(sight.names)):
            fields = "; ".join(f"{_called(name)}: {_told(values[seat])}" for name, values in each.items())
            players.append(Content.styled(sight.name(seat) + sight.mark(seat), "bold"))
            players += [Content(line) for line in _folded(fields, width)]
        shared = [
            line
            for name, value in table.items()
            if name not in each
            for line in _folded(f"{_called(name)}: {_of_seat(sight, name, value)}", width)
        ]
        return [Content("\n").join(players), Content("\n".join(shared))]

    def hand(self, sight: Sight, choosing: bool) -> Content:
        own: dict[str, Any] = msgspec.to_builtins(sight.own)
        return Content("\n".join(f"{_called(name)}: {_told(value)}" for name, value in own.items()))

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        """Cards: a short answer stands there in large letters."""
        labels = [(self._choice(action), action) for action in actions]
        choices = [
            Choice(label, action, INK, PAPER, large=label if len(label) <= LARGE else "") for label, action in labels
        ]
        return Menu(self._label(actions[0]["do"]), choices)

    def _choice(self, action: Action) -> str:
        parts = [_told(value) for name, value in action.items() if name not in ("do", "seat")]
        return plain(", ".join(parts), VALUE) or self._label(action["do"])


def _keys(kinds: Sequence[str]) -> dict[str, str]:
    """A letter of its own for each, if there is one, else a digit."""
    keys: dict[str, str] = {}
    for number, do in enumerate(kinds, 1):
        letters = [letter for letter in do.lower() if letter.isascii() and letter.isalpha() and letter not in RESERVED]
        keys[do] = next((letter for letter in letters if letter not in keys.values()), str(number))
    return keys


def _of_seat(sight: Sight, name: str, value: Any) -> str:
    return sight.name(value) if name in SEATS and isinstance(value, int) else _told(value)


def _is_for_each(value: Any, players: int) -> bool:
    return isinstance(value, list) and len(value) == players


def _by_player(sight: Sight, fields: Mapping[str, list[Any]], width: int) -> Content:
    """A row for each player, a column for each field, as far as there is room."""
    if not fields:
        return Content("")
    rows = [
        ["", *map(_called, fields)],
        *(
            [sight.name(seat) + sight.mark(seat), *(_told(values[seat]) for values in fields.values())]
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
    if isinstance(value, list):
        return plain(", ".join(map(_told, value)), VALUE) or "–"
    if isinstance(value, dict):
        return plain(", ".join(f"{_called(key)} {_told(each)}" for key, each in value.items()), VALUE) or "–"
    if isinstance(value, int):
        return numeral(value)
    return "–" if value is None else _called(str(value))
