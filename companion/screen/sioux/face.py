"""How Sioux looks: its headline, its buttons, its questions."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.games.sioux.components import WINTERS, Box
from companion.games.sioux.view import View
from companion.games.sioux.words import SENTENCES, word
from companion.screen.face import Action, Command, Face, Headline, Menu, Sight
from companion.screen.sioux import board, headline, hunt, questions, words
from companion.screen.text import _, listed
from companion.snapshot import Place, Seat, Snapshot, Thing, Told
from companion.wording import Naming


class Sioux(Face):
    sentences = SENTENCES
    folder = Path(__file__).parent
    reveals = frozenset()  # the cards lie open on the table itself, with what they bring: nothing should cover them
    rounds = frozenset({"lays", "last card", "after the winter"})
    order = tuple(f"winter {number}" for number in WINTERS)

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

    @property
    def commands(self) -> Sequence[Command]:
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

    def headline(self, sight: Sight) -> Headline:
        return headline.headline(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return board.panels(sight, width, tall)

    def settled(self, sight: Sight, do: str) -> frozenset[Seat]:
        return frozenset(seat for seat, laid in enumerate(sight.table.laid) if laid)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return questions.menu(sight, actions)

    def readable(self, sight: Sight) -> Sequence[Told]:
        return hunt.readable(sight)

    def part(self, for_: str) -> str:
        return _("winter {number}").format(number=for_.removeprefix("winter "))

    def hue(self, for_: str) -> str:
        return dict(zip(self.order, ("#f0e442", "#56b4e9", "#e0764f"), strict=True)).get(for_, "#bbbbbb")

    def tie_break(self, sight: Sight) -> str:
        """S23 More supply in the third winter."""
        scores, winners = sight.snapshot.scores, sight.snapshot.winners
        most = [score.seat for score in scores if score.total == max(score.total for score in scores)]
        if len(winners) == len(most):
            return ""
        return _("{names} got more supply in the third winter.").format(names=listed([sight.name(s) for s in winners]))

    def thing(self, thing: Thing, count: int, sight: Sight) -> str:
        return words.thing(thing, count, sight)

    def place(self, place: Place, sight: Sight) -> str:
        return words.place(place, sight)

    def naming(self, box: Box) -> Naming:
        return partial(word, box)

    def rules(self) -> str:
        return words.rules()


FACE = Sioux()
