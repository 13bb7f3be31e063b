"""How Sioux looks: its headline, its buttons, its questions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Naming, Place, Snapshot, Thing, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Command, Face, Headline, Menu, Sight
from companion.games.sioux.components import WINTERS, Box
from companion.games.sioux.screen import board, headline, hunt, options, phone, questions, words
from companion.games.sioux.screen.texts import TEXTS, _
from companion.games.sioux.view import OwnHand, View
from companion.games.sioux.words import SENTENCES, word


class Sioux(Face):
    texts = TEXTS
    sentences = SENTENCES
    folder = Path(__file__).parent
    reveals = frozenset()  # the cards lie open on the table itself, with what they bring: nothing should cover them
    rounds = frozenset({"lays", "last card", "after the winter"})
    leaps = frozenset({"revealed"})
    order = tuple(f"winter {number}" for number in WINTERS)

    @property
    def spoken(self) -> frozenset[str]:
        return frozenset({"revealed", "duel revealed"})

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (
            Command("play", ("p", "space"), _("Lay")),
            Command("duel", ("p", "space"), _("Duel")),
            Command("name", ("s", "space"), _("Shaman")),
            Command("crow", ("c",), _("Call crow"), "success", takes=lambda action: bool(action["call"])),
            Command("crow", ("x",), _("No crow"), "error", takes=lambda action: not action["call"]),
            Command("gifts", ("g", "space"), _("Gifts"), "success", takes=lambda action: bool(action["from"])),
            Command("gifts", ("x",), _("No gift"), "error", takes=lambda action: not action["from"]),
            Command("dealt", ("d", "space"), _("Dealt")),
        )

    def read(self, snapshot: Snapshot) -> tuple[View, Box]:
        if self._box is None or snapshot.box != self._raw_box:
            self._box, self._raw_box = msgspec.convert(snapshot.box, Box), snapshot.box
        return msgspec.convert(snapshot.table, View), self._box

    def read_own(self, hand: Any) -> OwnHand:
        return msgspec.convert(hand, OwnHand)

    def hand(self, sight: Sight, choosing: bool) -> Content:
        return questions.hand(sight, choosing)

    def headline(self, sight: Sight) -> Headline:
        return headline.headline(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return board.panels(sight, width, tall)

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return phone.panels(sight, width)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.grown(sight, width)

    def option(self, name: str) -> str:
        return options.option(name)

    def option_value(self, name: str, value: Any) -> str:
        return options.value(name, value)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return questions.menu(sight, actions)

    def readable(self, sight: Sight) -> Sequence[Told]:
        return hunt.readable(sight)

    def part(self, for_: str) -> str:
        return _("winter {number}").format(number=for_.removeprefix("winter "))

    def hue(self, for_: str) -> str:
        return dict(zip(self.order, ("#f0e442", "#56b4e9", "#e0764f"), strict=True)).get(for_, "#bbbbbb")

    def thing(self, thing: Thing, count: int, sight: Sight) -> str:
        return words.thing(thing, count, sight)

    def place(self, place: Place, sight: Sight) -> str:
        return words.place(place, sight)

    def naming(self, box: Box) -> Naming:
        return partial(word, box)

    def rules(self) -> str:
        return words.rules()

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The card that an enrolment asks about."""
        return board.printed(str(facts["card"])) if "card" in facts else Content("")


FACE = Sioux()
