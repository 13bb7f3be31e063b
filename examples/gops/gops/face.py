"""How GOPS looks: the prizes, and what each player has bid and won."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from textual.content import Content

from companion.gamekit import Naming, Place, Snapshot, Thing, Told
from companion.gamekit.screen import Action, Call, Choice, Command, Face, Headline, Menu, Sight
from gops import words
from gops.components import Box, Card
from gops.texts import TEXTS, _, language, listed, plural
from gops.view import Table

SIGNS = {"clubs": "♣", "hearts": "♥", "spades": "♠", "diamonds": "♦"}
NAME = 16


class Gops(Face):
    texts = TEXTS
    sentences = words.SENTENCES
    reveals = frozenset({"reveals", "wins", "stays", "goes to no player"})
    rounds = frozenset({"is turned up", "is added"})

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (Command("prize", ("p",), _("Turn up")), Command("bid", ("b",), _("Bid"), "success"))

    def read(self, snapshot: Snapshot) -> tuple[Table, Box]:
        return msgspec.convert(snapshot.table, Table), msgspec.convert(snapshot.box, Box)

    def naming(self, box: Any) -> Naming:
        return partial(words.word, box)

    def headline(self, sight: Sight) -> Headline:
        table: Table = sight.table
        if table.phase == "prize":
            return Headline((_("prize", "big"),), _("Turn up the next prize"))
        missing = listed([sight.name(seat) for seat, done in enumerate(table.bids) if not done])
        return Headline((_("bid", "big"),), _("Bid a card: {names}").format(names=missing))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return [_prizes(sight), Content("\n").join([_player(sight, seat) for seat in range(len(sight.names))])]

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        title = _("Which prize was turned up?") if actions[0]["do"] == "prize" else _("Which card do you bid?")
        return Menu(title, [_choice(sight.box, action) for action in actions], columns=5)

    def option(self, name: str) -> str:
        return {"tie": _("When the highest bid was made twice (G6)")}.get(name, "")

    def option_value(self, name: str, value: Any) -> str:
        texts = {"carry": _("the prize stays for the next round"), "discard": _("the prize leaves the game")}
        return texts.get(value, "")

    def part(self, for_: str) -> str:
        return words.card(for_, language().text)

    def thing(self, thing: Thing, count: int, sight: Sight) -> str:
        if thing.kind == "prize":
            return plural("{count} prize", "{count} prizes", count)
        return plural("{count} card of {name}", "{count} cards of {name}", count, name=sight.name(thing.owner))

    def place(self, place: Place, sight: Sight) -> str:
        texts = {
            "deck": _("prize deck"),
            "table": _("middle of the table"),
            "out": _("out of the game"),
            "hand": _("hand"),
            "bid": _("face down before its player"),
            "spent": _("spent cards"),
            "won": _("prizes won by {name}").format(name=sight.name(place.seat)),
        }
        return texts.get(place.kind, super().place(place, sight))

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        """Each bid in big letters, then who takes the prizes."""
        return [_call(sight, told) for told in lines]

    def rules(self) -> str:
        return _(
            "You each have a suit of your own. A prize is turned up, and you each bid a card in secret. The single "
            "highest bid takes the prize; equal ones win nothing, and the prize stays. A card can be bid once. When "
            "all cards are gone, the prizes are added up: an ace is 1, a king 13."
        )


def _prizes(sight: Sight) -> Content:
    table: Table = sight.table
    lying = "  ".join(_sign(sight.box, card) for card in table.prizes) or "–"
    left = plural("{count} in the deck", "{count} in the deck", table.deck)
    return Content.assemble((_("Prizes"), "bold"), "  ", lying, "   ", (left, "$quiet"))


def _player(sight: Sight, seat: int) -> Content:
    """Name, whether a card is face down, points so far, and the cards that were spent."""
    table: Table = sight.table
    values = {card.id: card.value for card in sight.box.cards}
    points = plural("{count} point", "{count} points", sum(values[card] for card in table.won[seat]))
    bid = "■" if table.bids[seat] else " "
    spent = " ".join(_rank(card) for card in table.spent[seat])
    return Content.assemble(sight.marked(seat, NAME), f" {bid}  {points:>9}  ", (spent, "$quiet"))


def _call(sight: Sight, told: Told) -> Call | None:
    if told.what == "reveals":
        name, card = sight.name(_seat(told)), _sign(sight.box, str(told.facts["card"]))
        return Call((f"{name}: {card}", card))
    if told.what == "wins":
        return Call((_("{name} wins", "big").format(name=sight.name(_seat(told))), sight.name(_seat(told))))
    return Call((_("equal", "big"),))


def _seat(told: Told) -> int | None:
    seat = told.facts.get("seat")
    return seat if isinstance(seat, int) else None


def _choice(box: Box, action: Action) -> Choice:
    """A card, with the figure of its suit."""
    suit = next((card.suit for card in box.cards if card.id == action["card"]), "")
    return Choice(_sign(box, action["card"]), action, figure=suit)


def _sign(box: Box, card_id: str) -> str:
    """♥ Q"""
    card: Card | None = next((card for card in box.cards if card.id == card_id), None)
    return f"{SIGNS.get(card.suit, card.suit)} {_rank(card_id)}" if card else card_id


def _rank(card_id: str) -> str:
    return words.rank_word(card_id.rpartition("-")[2], language().text)


FACE = Gops()
