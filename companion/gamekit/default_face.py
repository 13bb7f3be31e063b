"""Looks for a game that brings none: made of its view, of what is offered and of its words, and of nothing else."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from textwrap import wrap
from typing import Any

import msgspec
from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit.game import Place, no_word
from companion.gamekit.screen.face import Action, Choice, Command, Face, Headline, Menu, Sight, menu_room
from companion.gamekit.snapshot import Snapshot
from companion.gamekit.state_fields import called, hints_of
from companion.language.facts import Translate
from companion.language.screen_language import Texts, _, listed
from companion.language.wording import numeral, plain

RESERVED = "hilmnqrtu"
"""Keys that mean something on every table."""
MOST_PLACES = 5
VALUE, SHARED = 60, 1000
"""Cells that a value may take: in a column or a word, and in lines of its own."""
CARD, LARGE = 12, 3
"""Cells of a label that fits on a card, and of one that is drawn large there."""
INK, PAPER = "#1c1917", "#e7dcc3"
"""Of a card."""
COLUMNS = 3


class PlainFace(Face):
    """Every field of the view on a line of its own; what is listed for every player in a column for each."""

    places = MOST_PLACES

    def __init__(
        self,
        title: str,
        sentences: Mapping[str, str],
        texts: Texts,
        word: Callable[[Any, str, int | str, Translate], str | None] = no_word,
    ) -> None:
        """`word` gets the box as the type that it declares for it, or else as plain data."""
        self._title = title
        self.sentences, self.texts, self.word = sentences, texts, word
        self.box_type = hints_of(word).get(next(iter(signature(word).parameters)), Any)

    def read(self, snapshot: Snapshot) -> tuple[Any, Any]:
        table, box = super().read(snapshot)
        return msgspec.to_builtins(table), box

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        """One for each kind of action that is offered now."""
        kinds = list(dict.fromkeys(str(action["do"]) for action in sight.actions)) if sight else []
        keys = _keys(kinds)
        likely = "success" if len(kinds) == 1 else "primary"
        return [Command(do, (keys[do],), self._label(do), likely) for do in kinds]

    def _label(self, do: str) -> str:
        return self.label(do).capitalize()

    def headline(self, sight: Sight) -> Headline:
        awaiting = sight.snapshot.awaiting
        if awaiting is None:
            return Headline((plain(self._title),), plain(self._title))
        seats = [seat for seat in awaiting.seats if seat not in sight.snapshot.settled]
        names = [sight.name(seat) for seat in seats or awaiting.seats]
        *others, doing = [self._label(do) for do in awaiting.do]
        if others:
            doing = _("{some} or {last}", some=", ".join(others), last=doing)
        first = (others or [doing])[0]
        big = (f"{names[0]}: {first}", names[0]) if len(names) == 1 else (first,)
        return Headline(big, _("{names}: {action}", names=listed(names), action=doing))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        """Where there is room, what is too long for a column is told in full below."""
        each = self._for_each(sight, SHARED if tall else VALUE)
        columns = {self.label(name): values for name, values in each.items()}
        long = _too_wide(sight, columns, width) if tall else ()
        below = [
            line.removeprefix("  ")
            for label in long
            for seat, value in enumerate(columns.pop(label))
            for line in _folded(f"{sight.name(seat)}, {label}: {value}", width)
        ]
        shared = [line.removeprefix("  ") for line in self._shared(sight, each, width)]
        return [_by_player(sight, columns, width), Content("\n".join([*below, *shared]))]

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        """A few lines for each player, then the shared fields."""
        each = self._for_each(sight, SHARED)
        players = []
        for seat in range(len(sight.names)):
            fields = "; ".join(f"{self.label(name)}: {values[seat]}" for name, values in each.items())
            players.append(Content.styled(sight.name(seat) + sight.mark(seat), "bold"))
            players += [Content(line) for line in _folded(fields, width)]
        return [Content("\n").join(players), Content("\n".join(self._shared(sight, each, width)))]

    def hand(self, sight: Sight, choosing: bool) -> Content:
        own: dict[str, Any] = msgspec.to_builtins(sight.own) or {}
        parts = [f"{self.label(name)}: {self._told(sight, name, value, SHARED)}" for name, value in own.items()]
        dealt = self._told(sight, "cards", [piece.id for piece in sight.dealt], SHARED)
        return Content("\n".join([*parts, *([dealt] if sight.dealt and not choosing else [])]))

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        """Short labels are cards, and numbers stand there in large letters. A label that does not fit on its button
        stands above them in full."""
        numbers = _numbers(msgspec.to_builtins(sight.box), actions)
        labels = {key: self._choice(sight, action) for key, action in zip(numbers, actions, strict=True)}
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

    def _choice(self, sight: Sight, action: Action) -> str:
        return ", ".join(self._told(sight, name, value) for name, value in _said(action)) or self._label(action["do"])

    # --- Words ------------------------------------------------------------------------------------------------

    def label(self, name: str) -> str:
        """What a field, an action, a place or a kind of points is called."""
        return plain(self.texts.text(called(name)), VALUE)

    def part(self, for_: str) -> str:
        return self.label(for_)

    def place(self, place: Place, sight: Sight) -> str:
        name = self.label(place.kind)
        return name if place.seat is None else f"{name} ({sight.name(place.seat)})"

    def _for_each(self, sight: Sight, room: int) -> dict[str, Sequence[str]]:
        """The fields that the game declares to list something for every player, each in words."""
        declared = {name: value for name, value in sight.table.items() if name in sight.snapshot.per_player}
        return {
            name: [self._shown(sight, name, each, room) for each in value]
            for name, value in declared.items()
            if isinstance(value, list | tuple) and len(value) == len(sight.names)
        }

    def _shared(self, sight: Sight, but: Mapping[str, Sequence[str]], width: int) -> list[str]:
        """The other fields, a line for each, folded."""
        return [
            line
            for name, value in sight.table.items()
            if name not in but
            for line in _folded(f"{self.label(name)}: {self._shown(sight, name, value, SHARED)}", width)
        ]

    def _shown(self, sight: Sight, field: str, value: Any, room: int = VALUE) -> str:
        """A seat that the game declares as one is shown by its player's name."""
        if field not in sight.snapshot.seats:
            return self._told(sight, field, value, room)
        if isinstance(value, list | tuple):
            return listed([self._shown(sight, field, each) for each in value]) if value else "–"
        return sight.name(value) if isinstance(value, int) else self._told(sight, field, value)

    def _told(self, sight: Sight, field: str, value: Any, room: int = VALUE) -> str:
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, list | tuple):
            return plain(", ".join(self._within(sight, field, each) for each in value), room) or "–"
        if isinstance(value, dict):
            parts = [f"{self._word(sight, field, key)} {self._told(sight, key, each)}" for key, each in value.items()]
            return plain(", ".join(parts), room) or "–"
        return "–" if value in (None, "") else self._word(sight, field, value)

    def _within(self, sight: Sight, field: str, value: Any) -> str:
        told = self._told(sight, field, value)
        return f"({told})" if isinstance(value, list | tuple | dict) else told

    def _word(self, sight: Sight, field: str, value: int | str) -> str:
        """The game's own word for it, or the value as a person would write it."""
        word = self.word(sight.box, field, value, self.texts.text)
        if word is not None:
            return plain(word, VALUE)
        return numeral(value) if isinstance(value, int) else self.label(value)


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


def _by_player(sight: Sight, fields: Mapping[str, Sequence[str]], width: int) -> Content:
    """A row for each player, a column for each field, as far as there is room."""
    if not fields:
        return Content("")
    rows = [
        ["", *fields],
        *(
            [sight.name(seat) + sight.mark(seat), *(values[seat] for values in fields.values())]
            for seat in range(len(sight.names))
        ),
    ]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    heading, *others = [_row(row, widths).truncate(width) for row in rows]
    return Content("\n").join([heading.stylize("bold"), *others])


def _too_wide(sight: Sight, columns: Mapping[str, Sequence[str]], width: int) -> list[str]:
    """The columns for which there is no room beside those before them."""
    left = width - max(cell_len(sight.name(seat) + sight.mark(seat)) for seat in range(len(sight.names)))
    wide = []
    for label, values in columns.items():
        takes = 2 + max(cell_len(label), *map(cell_len, values))
        if takes > left:
            wide.append(label)
        else:
            left -= takes
    return wide


def _folded(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="  ", subsequent_indent="    ")


def _row(cells: Sequence[str], widths: Sequence[int]) -> Content:
    return Content("  ".join(set_cell_size(cell, width) for cell, width in zip(cells, widths, strict=True)))
