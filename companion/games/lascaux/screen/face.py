"""How Lascaux looks: its headline, its buttons, its questions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Naming, Place, Said, Snapshot, Thing, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.figure import SIGNS
from companion.gamekit.screen import Action, Call, Choice, Command, Face, Going, Headline, Menu, Sight
from companion.games.lascaux.components import ANIMALS, Box, Card
from companion.games.lascaux.screen import board, phone, reveal, words
from companion.games.lascaux.screen.colours import swatch
from companion.games.lascaux.screen.texts import TEXTS, _, listed, plural
from companion.games.lascaux.sentences import SENTENCES, word
from companion.games.lascaux.view import OwnHand, Table

# --- Words for what people may agree on before a game of Lascaux.


def option_words(name: str) -> str:
    return {
        "stones": _("Stones of the others (L20)"),
        "tie": _("Two with the most points (L19)"),
        "direction": _("Direction of play (L21)"),
        "first_stone": _("The start player of a round (L7)"),
        "match": _("In the next game of a match (L21)"),
    }.get(name, "")


def value_words(name: str, chosen: Any) -> str:
    return {
        ("stones", "open"): _("are seen by all"),
        ("stones", "secret"): _("are secret until the end"),
        ("tie", "shared"): _("share the victory"),
        ("tie", "stones"): _("the one with more stones wins"),
        ("direction", "clockwise"): _("clockwise"),
        ("direction", "anticlockwise"): _("anticlockwise"),
        ("first_stone", "may"): _("may pass at once"),
        ("first_stone", "must"): _("has to lay the first stone"),
        ("match", "alternate"): _("play goes the other way round"),
        ("match", "keep"): _("play goes the same way round"),
    }.get((name, chosen), "")


class Lascaux(Face):
    texts = TEXTS
    sentences = SENTENCES
    folder = Path(__file__).parent
    reveals = reveal.STEPS
    rounds = frozenset({"starts the next round"})
    order = (*ANIMALS, "stones")

    def __init__(self) -> None:
        self._raw_box: Any = None
        self._box: Box | None = None

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
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

    def read_own(self, hand: Any) -> OwnHand:
        return msgspec.convert(hand, OwnHand)

    def hand(self, sight: Sight, choosing: bool) -> Content:
        """The marker that lies face down, and the stones if they are secret."""
        own: OwnHand = sight.own
        lines = []
        if own.colour is not None:
            marker = swatch(own.colour, sight.box.colours)
            lines.append(Content.assemble(_("Your marker:"), " ", (f" {marker.label} ", marker.style)))
        elif not choosing:
            lines.append(Content(_("You have not chosen a marker yet.")))
        if sight.snapshot.options.get("stones") == "secret" or not choosing:
            lines.append(Content(plural("Your supply: {count} stone", "Your supply: {count} stones", own.stones)))
        return Content("\n").join(lines)

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
        if awaiting is not None and "pass" not in awaiting.do:
            big = (_("{name}: stone", "big").format(name=name), name)
            return Headline(big, _("{name}: lay the first stone").format(name=name))
        big = (_("{name}: stone?", "big").format(name=name), name)
        return Headline(big, _("{name}: lay a stone or pass").format(name=name))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return (board.row(sight, width, tall), board.middle(sight, width, tall), board.seats(sight, width))

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return phone.panels(sight, width)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.grown(sight, width)

    def going(self, sight: Sight) -> Going:
        return "clockwise" if sight.table.direction == "clockwise" else "anticlockwise"

    def option(self, name: str) -> str:
        return option_words(name)

    def option_value(self, name: str, value: Any) -> str:
        return value_words(name, value)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return _cards(sight, actions) if actions[0]["do"] == "draw" else _colours(sight, actions)

    def asked(self, kind: str, sight: Sight) -> str:
        return _("End the game here? The cards in the row score for no one.")

    def step(self, sight: Sight, told: Told, before: Sequence[Told]) -> Content:
        return reveal.step(sight, told, before)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        return reveal.calls(sight, lines, width, tall)

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return reveal.grounds(sight, said)

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

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The card that an enrolment asks about, with the colours that it is said to show; or the marker."""
        colours = tuple(box["colours"])
        if "pair" in values:
            return board.printed(str(facts["animal"]), str(values["pair"]).split("/"), colours)
        if "colour" in facts:
            return swatch(str(facts["colour"]), colours).drawn(13)
        return Content("")


def _colours(sight: Sight, actions: Sequence[Action]) -> Menu:
    swatches = [(swatch(action["colour"], sight.box.colours), action) for action in actions]
    choices = [
        Choice(shown.label, action, shown.ink, shown.paper, figure=SIGNS[shown.shape]) for shown, action in swatches
    ]
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
            label = Content.assemble(words.animal(animal), (" " + left, "dim"))
            which = Menu(_("Which {animal}?").format(animal=words.animal(animal)), below)
            choices.append(Choice(label, which, figure=animal))
    return Menu(_("Which animal was drawn?"), choices)


def _face(sight: Sight, card: Card) -> Content:
    """A card as it lies there, small enough for a button."""
    first, second = (swatch(colour, sight.box.colours).drawn(16) for colour in card.colours)
    return Content.assemble(words.animal(card.animal), "\n", first, "\n", second)


FACE = Lascaux()
