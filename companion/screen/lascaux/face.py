"""How Lascaux looks: its headline, its buttons, its questions."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.games.lascaux.components import ANIMALS, Box, Card
from companion.games.lascaux.view import Table
from companion.games.lascaux.words import SENTENCES, word
from companion.screen.face import Action, Call, Choice, Command, Face, Headline, Menu, Sight
from companion.screen.lascaux import board, reveal, words
from companion.screen.lascaux.colours import swatch
from companion.screen.text import _, listed, plural
from companion.snapshot import Place, Seat, Snapshot, Thing, Told
from companion.wording import Naming, Said


class Lascaux(Face):
    sentences = SENTENCES
    folder = Path(__file__).parent
    reveals = reveal.STEPS
    rounds = frozenset({"starts the next round"})
    order = (*ANIMALS, "stones")

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

    @property
    def commands(self) -> Sequence[Command]:
        return (
            Command("draw", ("d",), _("Draw")),
            Command("choose", ("c",), _("Choose")),
            Command("stone", ("s", "space"), _("Stone"), "success"),
            Command("pass", ("p",), _("Pass"), "error"),
            Command("end", ("e",), _("End"), "warning"),
        )

    def read(self, snapshot: Snapshot) -> tuple[Table, Box]:
        if self._box is None or snapshot.box != self._raw_box:
            self._box, self._raw_box = msgspec.convert(snapshot.box, Box), snapshot.box
        return msgspec.convert(snapshot.table, Table), self._box

    def headline(self, sight: Sight) -> Headline:
        table: Table = sight.table
        awaiting = sight.snapshot.awaiting
        name = sight.name(awaiting.seats[0]) if awaiting else ""
        if table.phase == "draw":
            big = (_("{name}: draw", "big").format(name=name), name)
            return Headline(big, _("{name}: draw a card and lay it out").format(name=name))
        if table.phase == "choose":
            missing = listed([sight.name(seat) for seat, done in enumerate(table.chosen) if not done])
            return Headline((_("choose", "big"),), _("Choose a marker: {names}").format(names=missing))
        if awaiting is not None and "stone" not in awaiting.do and table.stones[awaiting.seats[0]] is not None:
            big = (_("{name}: pass", "big").format(name=name), name)
            return Headline(big, _("{name} has no stones left: pass").format(name=name))
        big = (_("{name}: stone?", "big").format(name=name), name)
        return Headline(big, _("{name}: lay a stone or pass").format(name=name))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return (board.row(sight, width, tall), board.middle(sight, width, tall), board.seats(sight, width))

    def settled(self, sight: Sight, do: str) -> frozenset[Seat]:
        return frozenset(seat for seat, done in enumerate(sight.table.chosen) if done)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return _cards(sight, actions) if actions[0]["do"] == "draw" else _colours(sight, actions)

    def asked(self, kind: str, sight: Sight) -> str:
        return _("End the game here? What lies in the row scores for nobody.")

    def step(self, sight: Sight, told: Told, before: Sequence[Told]) -> Content:
        return reveal.step(sight, told, before)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        return reveal.calls(sight, lines, width, tall)

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return reveal.grounds(sight, said)

    def tie_break(self, sight: Sight) -> str:
        """L19 With the option, whoever has more stones."""
        totals = {score.seat: score.total for score in sight.snapshot.scores}
        best = [seat for seat, total in totals.items() if total == max(totals.values())]
        winners = sight.snapshot.winners
        if len(winners) == len(best):
            return ""
        return _("more stones: {names}").format(names=listed([sight.name(seat) for seat in winners]))

    def hue(self, for_: str) -> str:
        return board.HUES.get(for_, "#bbbbbb")

    def watched(self) -> str:
        return _("stones")

    def part(self, for_: str) -> str:
        return _("stones") if for_ == "stones" else words.animal(for_)

    def thing(self, thing: Thing, count: int, sight: Sight) -> str:
        return words.thing(thing, count, sight)

    def place(self, place: Place, sight: Sight) -> str:
        return words.place(place, sight)

    def naming(self, box: Box) -> Naming:
        return partial(word, box)

    def rules(self) -> str:
        return words.rules()


def _colours(sight: Sight, actions: Sequence[Action]) -> Menu:
    swatches = [(swatch(action["colour"], sight.box.colours), action) for action in actions]
    choices = [Choice(shown.label, action, shown.ink, shown.paper) for shown, action in swatches]
    return Menu(_("Choose a marker"), choices)


def _cards(sight: Sight, actions: Sequence[Action]) -> Menu:
    """First the animal, then one of its cards: any of 54 in two steps."""
    offered = {action["card"]: action for action in actions}
    choices = []
    for animal in ANIMALS:
        cards = [card for card in sight.box.cards if card.animal == animal and card.id in offered]
        if cards:
            below = [Choice(_face(sight, card), offered[card.id], board.INK, board.PAPER) for card in cards]
            left = plural("{count} left", "{count} left", len(cards))
            label = Content.assemble(words.animal(animal), ("  " + left, "dim"))
            choices.append(Choice(label, Menu(_("Which {animal}?").format(animal=words.animal(animal)), below)))
    return Menu(_("Which animal was drawn?"), choices)


def _face(sight: Sight, card: Card) -> Content:
    """A card as it lies there, small enough for a button."""
    first, second = (swatch(colour, sight.box.colours).drawn(16) for colour in card.colours)
    return Content.assemble(words.animal(card.animal), "\n", first, "\n", second)


FACE = Lascaux()
