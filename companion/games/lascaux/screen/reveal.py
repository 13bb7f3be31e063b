"""The reveal of Lascaux, step by step: whose marker, which colour, which cards, and why there are none."""

from collections.abc import Sequence

from textual.content import Content

from companion.gamekit import Part, Said, Told, plain
from companion.gamekit.screen import Call, Sight
from companion.gamekit.sign_table import RIGHT
from companion.games.lascaux.colours import swatch
from companion.games.lascaux.components import Card
from companion.games.lascaux.screen import _
from companion.games.lascaux.screen.board import CARD, animal, laid

STEPS = frozenset({"is the last", "takes", "takes nothing"})
USUAL = 6
"""A player hardly ever takes more cards."""
SHORT = 24
"""So many cells of cards fit beside the marker."""


def step(sight: Sight, told: Told, before: Sequence[Told]) -> Content:
    colour, seat = told.facts.get("colour"), told.facts.get("seat")
    if not isinstance(colour, str) or not isinstance(seat, int):
        return Content(sight.say(told))
    shown = swatch(colour, sight.box.colours, _)
    line = Content.assemble((sight.name(seat), "bold"), "  ", (f" {shown.label} ", shown.style), "  ")
    if told.what == "takes nothing":
        return line + Content(nothing(sight, told, before))
    chips = Content("  ").join([_chip(card, sight) for card in _cards(sight, told)])
    return (
        Content.assemble(line, f"{RIGHT} ", chips)
        if chips.cell_length <= SHORT
        else Content.assemble(line, f"\n{RIGHT} ", chips)
    )


def calls(sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> list[Call | None]:
    return [_call(sight, told, lines[:number], width, tall) for number, told in enumerate(lines)]


def _call(sight: Sight, told: Told, before: Sequence[Told], width: int, tall: bool) -> Call | None:
    """Whose marker, its colour, and the cards that it takes, as they lie there; or why there are none."""
    colour, seat = told.facts.get("colour"), told.facts.get("seat")
    if told.what not in STEPS or not isinstance(seat, int):
        return None
    name = sight.name(seat)
    if not isinstance(colour, str):
        return Call((name,))
    word = swatch(colour, sight.box.colours, _).word
    cards = _cards(sight, told)
    picture = laid(sight, cards, width, tall, max(len(cards), USUAL))
    if not cards:
        picture = Content.styled(("\n\n" if tall else "\n") + nothing(sight, told, before), "bold")
    return Call((f"{name}: {word}", f"{plain(name, 6)}: {word}", name), picture)


def _cards(sight: Sight, told: Told) -> list[Card]:
    taken = told.facts.get("cards")
    known = {card.id: card for card in sight.box.cards}
    return [known[card] for card in taken if card in known] if isinstance(taken, tuple) else []


def _chip(card: Card, sight: Sight) -> Content:
    """A card in a few cells: its animal and the shapes of its two colours."""
    one, other = (swatch(colour, sight.box.colours, _) for colour in card.colours)
    name = (f"{animal(card.animal)} ", CARD)
    return Content.assemble(name, (one.shape, one.style), (other.shape, other.style))


def nothing(sight: Sight, told: Told, before: Sequence[Told]) -> str:
    """Why a player finds no card."""
    colour = told.facts.get("colour")
    for line in (line for line in before if line.number < told.number):
        seat = line.facts.get("seat")
        if isinstance(seat, int) and any(colour in card.colours for card in _cards(sight, line)):
            return _("no card: {name} took them before", name=sight.name(seat))
    return _("no card: none shows this colour")


def grounds(sight: Sight, said: Said) -> Sequence[str]:
    """Why? For points, how many cards of the animal each player has; for an empty hand, who was there before."""
    if isinstance(said, Part):
        return _standing(sight, said)
    if isinstance(said, Told) and said.what == "takes nothing":
        return [nothing(sight, said, [line for line in sight.history if 0 < line.entry == said.entry])]
    return ()


def _standing(sight: Sight, part: Part) -> list[str]:
    counts = part.facts.get("counts")
    if not isinstance(counts, tuple):
        return []
    return [f"{sight.name(seat)}: {count}" for seat, count in sorted(enumerate(counts), key=lambda each: -int(each[1]))]
