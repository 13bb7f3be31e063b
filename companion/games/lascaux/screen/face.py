"""The face of Lascaux: its headline, its buttons, its questions."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from textual.content import Content

from companion.gamekit import Said, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.figure import SIGNS
from companion.gamekit.screen import Action, Call, Choice, Command, Face, Going, Headline, Menu, Sight
from companion.games.lascaux.colours import ANIMAL_HUES, INK, NO_HUE, PARCHMENT, swatch
from companion.games.lascaux.components import ANIMALS, Box, Card
from companion.games.lascaux.options import Options
from companion.games.lascaux.screen import TEXTS, _, board, reveal
from companion.games.lascaux.sentences import PIECES, PLACES, RULINGS, SENTENCES, word
from companion.games.lascaux.view import OwnHand, Table

ROW_WIDTH = 64
"""Cells of the row of cards above the markers, on the smallest screen as well."""


class Lascaux(Face):
    view_type, box_type, own_type, options = Table, Box, OwnHand, Options
    texts, sentences, rulings = TEXTS, SENTENCES, RULINGS
    word, piece_words, place_words = staticmethod(word), PIECES, PLACES
    reveals = reveal.STEPS
    rounds = frozenset({"starts the next round"})
    order = (*ANIMALS, "stones")

    def legend(self, sight: Sight) -> Content:
        return board.legend(sight)

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (
            Command("draw", ("d",), _("Draw"), "success"),
            Command("choose", ("c",), _("Choose"), "success"),
            Command("stone", ("s", "space"), _("Stone"), "success"),
            Command("pass", ("p",), _("Pass"), "error"),
            Command("end", ("e",), _("End"), "warning"),
        )

    def hand(self, sight: Sight, choosing: bool) -> Content:
        """The marker that lies face down, and the stones if they are secret."""
        own: OwnHand = sight.own
        lines = []
        if own.colour is not None:
            marker = swatch(own.colour, sight.box.colours, _)
            lines.append(Content.assemble(_("Your marker:"), " ", (f" {marker.label} ", marker.style)))
        elif not choosing:
            lines.append(Content(_("You have not chosen a marker yet.")))
        if sight.snapshot.options.get("stones") == "secret" or not choosing:
            lines.append(Content(_("Your supply: {count:stone|stones}", count=own.stones)))
        return Content("\n").join(lines)

    def headline(self, sight: Sight) -> Headline:
        table: Table = sight.table
        awaiting = sight.snapshot.awaiting
        name = sight.name(awaiting.seats[0]) if awaiting else ""
        if table.phase == "draw":
            big = (_("{name}: draw", "big", name=name), name)
            return Headline(big, _("{name}: draw a card, until 6 colours or 7 cards lie there", name=name))
        if table.phase == "choose":
            missing = tuple(sight.name(seat) for seat, done in enumerate(table.chosen) if not done)
            words = _("Choose a marker in secret, its colour takes cards: {names}", names=missing)
            return Headline((_("choose", "big"),), words, _("Choose a marker in secret: its colour takes cards"))
        if awaiting is not None and "stone" not in awaiting.do and table.stones[awaiting.seats[0]] is not None:
            big = (_("{name}: pass", "big", name=name), name)
            return Headline(big, _("{name} has no stones left: pass", name=name))
        if awaiting is not None and "pass" not in awaiting.do:
            big = (_("{name}: stone", "big", name=name), name)
            return Headline(big, _("{name}: lay the first stone", name=name))
        big = (_("{name}: stone?", "big", name=name), name)
        if not table.pot:
            return Headline(big, _("{name}: lay a stone to stay in, or pass (the pot is empty)", name=name))
        pot = _("{count:stone|stones}", count=table.pot)
        words = _("{name}: lay a stone to stay in, or pass and take {pot}", name=name, pot=pot)
        return Headline(big, words, _("Lay a stone to stay in, or pass and take {pot}", pot=pot))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return (board.row(sight, width, tall), board.middle(sight, width, tall), board.seats(sight, width))

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.phone_panels(sight, width)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.grown(sight, width)

    def going(self, sight: Sight) -> Going:
        return "clockwise" if sight.table.direction == "clockwise" else "anticlockwise"

    def in_words(self, sight: Sight) -> Sequence[str]:
        """L8 The order in which players have passed decides who reveals first."""
        table: Table = sight.table
        said = [_("Round {number}.", number=table.round), _("The pot has {count:stone|stones}.", count=table.pot)]
        chosen = tuple(sight.name(seat) for seat, has in enumerate(table.chosen) if has)
        if chosen:
            said.append(_("Marker chosen: {names}.", names=chosen))
        if table.pile:
            said.append(_("Passed, the first one first: {names}.", names=tuple(map(sight.name, table.pile))))
        return said

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return _cards(sight, actions) if actions[0]["do"] == "draw" else _colours(sight, actions)

    def phone_menu(self, sight: Sight, actions: Sequence[Action]) -> Menu | None:
        """A phone shows the row of cards above the choices already."""
        menu = super().phone_menu(sight, actions)
        return replace(menu, picture=Content("")) if menu else None

    def asked(self, kind: str, sight: Sight) -> str:
        return _("End the game here? The cards in the row score for no one.")

    def step(self, sight: Sight, told: Told, before: Sequence[Told]) -> Content:
        return reveal.step(sight, told, before)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        return reveal.calls(sight, lines, width, tall)

    def grounds(self, sight: Sight, said: Said) -> Sequence[str]:
        return reveal.grounds(sight, said)

    def hue(self, for_: str) -> str:
        return ANIMAL_HUES.get(for_, NO_HUE)

    def watched(self) -> str:
        return _("stones")

    def part(self, for_: str) -> str:
        return _("stones") if for_ == "stones" else board.animal(for_)

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The card that an enrolment asks about, with the colours that it is said to show; or the marker."""
        colours = tuple(box["colours"])
        if "pair" in values:
            return board.printed(str(facts["animal"]), str(values["pair"]).split("/"), colours)
        if "colour" in facts:
            return board.handprint(swatch(str(facts["colour"]), colours, _), 13)
        return Content("")


def _colours(sight: Sight, actions: Sequence[Action]) -> Menu:
    swatches = [(swatch(action["colour"], sight.box.colours, _), action) for action in actions]
    choices = [
        Choice(shown.label, action, shown.ink, shown.paper, said=shown.word, figure=SIGNS[shown.shape])
        for shown, action in swatches
    ]
    return Menu(_("Choose a marker"), choices, picture=board.row(sight, ROW_WIDTH, False))


def _cards(sight: Sight, actions: Sequence[Action]) -> Menu:
    """First the animal, then one of its cards: any of 54 in two steps."""
    offered = {action["card"]: action for action in actions}
    choices = []
    for animal in ANIMALS:
        cards = [card for card in sight.box.cards if card.animal == animal and card.id in offered]
        if cards:
            below = [_card(sight, card, offered[card.id]) for card in cards]
            left = _("{count} left", count=len(cards))
            which = Menu(_("Which {animal}?", animal=board.animal(animal)), below)
            choices.append(Choice(f"{board.animal(animal)}\n{left}", which, INK, PARCHMENT, figure=animal))
    return Menu(_("Which animal was drawn?"), choices)


def _card(sight: Sight, card: Card, action: Action) -> Choice:
    """A card as it lies there, in any size."""

    def draw(width: int, height: int) -> list[Content]:
        size = max(1, (height - 1) // 2)
        swatches = [swatch(colour, sight.box.colours, _) for colour in card.colours]
        prints = [line for each in swatches for line in board.swatch_lines(each, width, size)]
        return [Content.styled(board.animal(card.animal), "bold"), *prints]

    colours = " + ".join(swatch(colour, sight.box.colours, _).word for colour in card.colours)
    return Choice(f"{board.animal(card.animal)} {colours}", action, INK, PARCHMENT, draw=draw)


FACE = Lascaux()
