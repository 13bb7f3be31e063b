"""The face of Sir Tommy: foundations, heaps and how many cards are left."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap

from msgspec import Struct
from textual.content import Content

from companion.gamekit import N_, Seat
from companion.gamekit.playing_cards import card_sign, hand_signs
from companion.gamekit.screen import Action, Choice, Command, Face, Headline, Menu, Sight, Texts
from sirtommy.components import PACK
from sirtommy.options import Options
from sirtommy.sentences import SENTENCES

TEXTS = Texts(Path(__file__).with_name("locale"))
_ = TEXTS.text


class Table(Struct, frozen=True):
    """What is drawn of it."""

    turn: Seat
    held: tuple[int, ...]
    stock: int
    foundations: tuple[tuple[str, ...], ...]
    heaps: tuple[tuple[str, ...], ...]


class SirTommyFace(Face):
    view_type, options = Table, Options
    texts, sentences, word = TEXTS, SENTENCES, staticmethod(PACK.word)
    piece_words = {"card": N_("{card}"), "hidden card": N_("{count:card|cards}")}
    place_words = {
        "hands": N_("{name}'s hand"),
        "stock": N_("stock"),
        "foundations": N_("foundations"),
        "heaps": N_("heaps"),
    }
    places = 5

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        heaps = range(1, len(sight.table.heaps) + 1) if sight else ()
        on_heaps = [
            Command("lay", (str(heap),), _("Heap {number}", number=heap), takes=partial(_goes_on, heap))
            for heap in heaps
        ]
        return (Command("lay", ("b",), _("Build"), "success", takes=partial(_goes_on, 0)), *on_heaps)

    def hand(self, sight: Sight, choosing: bool) -> Content:
        return Content("" if choosing else hand_signs(sight.dealt, _))

    def headline(self, sight: Sight) -> Headline:
        name = sight.name(sight.table.turn)
        return Headline((name,), _("{name} lays a card", name=name), _("lay a card"))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        table: Table = sight.table
        tops = "   ".join(card_sign(pile[-1], _) if pile else "–" for pile in table.foundations)
        heaps = [
            line
            for number, heap in enumerate(table.heaps, 1)
            for line in wrap(f"{number}  {_listed(heap)}", width, subsequent_indent="   ")
        ]
        held = [
            Content.assemble(sight.marked(seat, 16), f" {_('{count:card|cards}', count=count)}")
            for seat, count in enumerate(table.held)
        ]
        left = _("{count:card|cards} in the stock", count=table.stock)
        return [
            Content.assemble((_("Foundations"), "bold"), "  ", tops),
            Content("\n").join([Content.styled(_("Heaps, the top card last"), "bold"), *map(Content, heaps)]),
            Content("\n").join([*held, Content.styled(left, "$quiet")]),
        ]

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        heap = actions[0]["heap"]
        title = _("Which card for heap {number}?", number=heap) if heap else _("Which card do you build?")
        return Menu(title, [_choice(action) for action in actions], columns=4)

    def part(self, for_: str) -> str:
        return _("foundations")

    def total(self) -> str:
        return _("cards")


def _goes_on(heap: int, action: Action) -> bool:
    return bool(action["heap"] == heap)


def _listed(cards: Sequence[str]) -> str:
    return " ".join(card_sign(card, _) for card in cards) or "–"


def _choice(action: Action) -> Choice:
    return Choice(card_sign(action["card"], _), action, figure=action["card"].partition("-")[0])


FACE = SirTommyFace()
