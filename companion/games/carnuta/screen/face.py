"""How Carnuta looks: its headline, its buttons, its questions."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Naming, Place, Said, Snapshot, Thing
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Command, Face, Going, Headline, Menu, Sight
from companion.games.carnuta.components import INGREDIENTS, Box, Card
from companion.games.carnuta.screen import board, cards, headline, menus, options, phone, result, signs, words
from companion.games.carnuta.screen.texts import TEXTS, _
from companion.games.carnuta.view import OwnHand
from companion.games.carnuta.view import View as Table
from companion.games.carnuta.words import SENTENCES, word


class Carnuta(Face):
    texts = TEXTS
    sentences = SENTENCES
    places = 5
    folder = words.FOLDER
    rounds = frozenset({"a new round", "the last round"})
    order = INGREDIENTS

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (
            Command("start", ("s",), _("Start"), place=0),
            Command("deal", ("d",), _("Deal"), place=0),
            Command("bonus", ("b",), _("Bonus"), place=0),
            Command("take", ("c",), _("Take"), place=0),
            Command("play", ("p",), _("Play"), "success", place=1),
            Command("runes", ("r",), _("Runes"), place=2),
            Command("flip", ("f",), _("Flip"), place=3),
            Command("sickle", ("k",), _("Sickle"), "warning", place=4),
            Command("discard", ("x",), _("Discard", "hand card"), "error", place=1),
            Command("done", ("e", "space"), _("Done", "turn"), "success", place=0),
        )

    def read(self, snapshot: Snapshot) -> tuple[Table, Box]:
        if self._box is None or snapshot.box != self._raw_box:
            self._box, self._raw_box = msgspec.convert(snapshot.box, Box), snapshot.box
        return msgspec.convert(snapshot.table, Table), self._box

    def read_own(self, hand: Any) -> OwnHand:
        return msgspec.convert(hand, OwnHand)

    def hand(self, sight: Sight, choosing: bool) -> Content:
        return menus.hand(sight) if not choosing else Content("")

    def headline(self, sight: Sight) -> Headline:
        return headline.headline(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return (
            board.rows(sight, width, tall),
            board.hand(sight, width, tall),
            board.status(sight, width),
            board.boards(sight, width, tall),
        )

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return phone.panels(sight, width)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.grown(sight, width)

    def legend(self, sight: Sight) -> Content:
        return board.legend()

    def going(self, sight: Sight) -> Going:
        return "clockwise"

    def option(self, name: str) -> str:
        return options.option(name)

    def option_value(self, name: str, value: Any) -> str:
        return options.value(name, value)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return menus.menu(sight, actions)

    def part(self, for_: str) -> str:
        return signs.ingredient(for_).word

    def hue(self, for_: str) -> str:
        return signs.ingredient(for_).paper

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return result.grounds(sight, said)

    def thing(self, thing: Thing, count: int, sight: Sight) -> str:
        return words.thing(thing, count, sight)

    def place(self, place: Place, sight: Sight) -> str:
        return words.place(place, sight)

    def naming(self, box: Box) -> Naming:
        return partial(word, box)

    def rules(self) -> str:
        return words.rules()

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The card that an enrolment asks about, as it is said to be."""
        if "cost" not in values:
            return Content("")
        printed = {key: value for key, value in values.items() if key != "points" and value}
        card = msgspec.convert({"id": "", "points": int(str(values["points"])), **printed}, Card, strict=False)
        return Content("\n").join(cards.drawn(card, cards.WORDED, 3, None))


FACE = Carnuta()
