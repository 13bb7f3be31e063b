"""The face of GOPS: the prizes, and what each player has bid and won."""

from collections.abc import Sequence
from pathlib import Path

from textual.content import Content

from companion.gamekit import Told
from companion.gamekit.screen import Action, Call, Choice, Command, Face, Headline, Menu, Sight, Texts
from companion.gamekit.sign_table import FACE_DOWN
from gops.components import Box, Card
from gops.sentences import PIECES, PLACES, SENTENCES, card_word, rank_word, word
from gops.view import Options, Table

TEXTS = Texts(Path(__file__).with_name("locale"))
_ = TEXTS.text
SIGNS = {"clubs": "♣", "hearts": "♥", "spades": "♠", "diamonds": "♦"}
NAME = 16


class Gops(Face):
    view_type, box_type, options = Table, Box, Options
    texts, sentences, word = TEXTS, SENTENCES, staticmethod(word)
    piece_words, place_words = PIECES, PLACES
    reveals = frozenset({"reveals", "wins", "stays", "goes to no player"})
    rounds = frozenset({"is turned up"})

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (Command("prize", ("p",), _("Turn up")), Command("bid", ("b",), _("Bid"), "success"))

    def headline(self, sight: Sight) -> Headline:
        table: Table = sight.table
        if table.phase == "prize":
            return Headline((_("prize", "big"),), _("Turn up the next prize"))
        missing = tuple(sight.name(seat) for seat, done in enumerate(table.bids) if not done)
        return Headline((_("bid", "big"),), _("Bid a card: {names}", names=missing))

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return [_prizes(sight), Content("\n").join([_player(sight, seat) for seat in range(len(sight.names))])]

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        title = _("Which prize was turned up?") if actions[0]["do"] == "prize" else _("Which card do you bid?")
        return Menu(title, [_choice(sight.box, action) for action in actions], columns=5)

    def part(self, for_: str) -> str:
        return card_word(for_, _)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        """Each bid in big letters, then who takes the prizes."""
        return [_call(sight, told) for told in lines]


def _prizes(sight: Sight) -> Content:
    table: Table = sight.table
    prizes = "  ".join(_sign(sight.box, card) for card in table.prizes) or "–"
    left = _("{count} in the deck", count=table.deck)
    return Content.assemble((_("Prizes"), "bold"), "  ", prizes, "   ", (left, "$quiet"))


def _player(sight: Sight, seat: int) -> Content:
    """Name, whether a card is face down, points so far, and the cards that were spent."""
    table: Table = sight.table
    values = {card.id: card.value for card in sight.box.cards}
    points = _("{count:point|points}", count=sum(values[card] for card in table.won[seat]))
    bid = FACE_DOWN if table.bids[seat] else " "
    spent = " ".join(_rank(card) for card in table.spent[seat])
    return Content.assemble(sight.marked(seat, NAME), f" {bid}  {points:>9}  ", (spent, "$quiet"))


def _call(sight: Sight, told: Told) -> Call | None:
    name = sight.name(_seat(told))
    if told.what == "reveals":
        card = _sign(sight.box, str(told.facts["card"]))
        return Call((f"{name}: {card}", card))
    if told.what == "wins":
        return Call((_("{name} wins", "big", name=name), name))
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
    return rank_word(card_id.rpartition("-")[2], _)


FACE = Gops()
