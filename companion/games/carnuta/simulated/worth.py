"""What cards and runes of Carnuta are worth to a simulated player, from what everybody can see."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from companion.gamekit import Seat
from companion.games.carnuta.components import INGREDIENTS, SALT, Card, Pair, Price
from companion.games.carnuta.rules.paying import can_pay
from companion.games.carnuta.rules.scoring import sets
from companion.games.carnuta.view import View

EXPECTED_CARDS = 12
"""So many cards does a player have in the end, more or less."""
LUCK = 0.12
"""So much of each kind of symbol is hoped for with each card that is still to come."""
SYMBOL = 0.4
"""What a symbol is worth that nobody counts yet."""
REMOVED, FLIPPED = 0.7, 0.15
"""What a rune is worth that a payment removes, or flips."""


class Own(Struct, frozen=True):
    """What a player has, as far as points are concerned."""

    have: Counter[str]
    """Symbols."""
    counting: tuple[Card, ...]
    """The cards that count sets."""
    to_come: int
    """So many more cards will be played."""
    joker: bool = False
    """C7 Whether salt stays free until the scoring."""

    def counts_as(self, symbol: str, column: str) -> str:
        """C7 Salt is the ingredient of its column, or a joker."""
        return column if symbol == SALT and not self.joker else symbol


def own(table: View, seat: Seat, cards: Mapping[str, Card], hand: Iterable[str], joker: bool) -> Own:
    """What a player has played, and what they hold and hope to play."""
    have = Counter(table.bonus[seat])
    counting = []
    for column, played in table.columns[seat].items():
        for card in played:
            have.update(column if symbol == SALT and not joker else symbol for symbol in cards[card].symbols)
            counting.append(cards[card])
    for card in hand:
        counting.append(cards[card])
        have.update(symbol for symbol in cards[card].symbols if symbol != SALT or joker)
    to_come = max(0, EXPECTED_CARDS - len(counting)) if not table.last_round else 0
    return Own(have, tuple(card for card in counting if card.per), to_come, joker)


def worth(card: Card, column: str, owned: Own) -> float:
    """The points that a card will bring by itself, and those that its symbols bring to the others."""
    added = [owned.counts_as(symbol, column) for symbol in card.symbols]
    have = Counter(owned.have)
    have.update(added)
    hope = owned.to_come * LUCK
    points = _points(card, have, hope)
    for other in owned.counting:
        if other is not card and (SALT in added or not _needs(other.per).keys().isdisjoint(added)):
            points += _points(other, have, hope) - _points(other, owned.have, hope)
    return points + SYMBOL * len(card.symbols) * bool(owned.to_come)


def _points(card: Card, have: Counter[str], hope: float) -> float:
    """C15, with a little hope: a set that is nearly complete is worth something."""
    if card.per is None:
        return card.points
    needs = _needs(card.per)
    counts = [(have.get(kind, 0), need) for kind, need in needs.items()]
    sure = sets(card, have)
    hoped = min([(count + hope) / need for count, need in counts]) + have.get(SALT, 0) / len(card.per)
    return card.points * (sure + max(0.0, hoped - sure) * 0.8)


@cache
def _needs(per: tuple[str, ...] | None) -> Counter[str]:
    """How many of each symbol make a set. Boxes have few kinds of sets."""
    return Counter(per)


def best_column(card: Card, owned: Own) -> str:
    """C7 Where salt does the most good."""
    if card.ingredient != SALT:
        return card.ingredient
    return max(INGREDIENTS, key=lambda column: worth(card, column, owned))


def expense(cost: Price) -> float:
    """What a payment takes away."""
    removed = cost.remove.sun + cost.remove.moon
    return REMOVED * removed + FLIPPED * (cost.suns + cost.moons - removed)


def chances(
    runes: Pair[int],
    hand: Iterable[str],
    prices: Mapping[str, Price],
    worths: Mapping[str, float],
    flipped_pays: bool,
) -> float:
    """What these runes promise: the best card that they pay, a little for the next one, and a mixture of faces."""
    payable = sorted((worths[card] for card in hand if can_pay(runes, prices[card], flipped_pays)), reverse=True)
    promise = sum(value * share for value, share in zip(payable, (1.0, 0.3), strict=False))
    return promise + 0.5 * (runes.sun + runes.moon) + 0.5 * min(runes.sun, runes.moon)
