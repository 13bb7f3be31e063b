"""What should lie where, made of nothing but what everybody can see."""

from collections import Counter

from companion.gamekit import Place, Thing, Whereabouts
from companion.games.lascaux.view import Table


def layout(seen: Table) -> Whereabouts:
    """L20 Secret supplies are left out, and so are the markers in everybody's hand."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    lying[Thing("card"), Place("deck")] = seen.deck
    lying.update((Thing("card", card), Place("row")) for card in seen.row)
    lying[Thing("stone"), Place("pot")] = seen.pot
    for seat in seen.pile:
        lying[Thing("marker", owner=seat), Place("pile")] = 1
    for seat, cards in enumerate(seen.won):
        lying[Thing("stone"), Place("supply", seat)] = seen.stones[seat] or 0
        lying.update((Thing("card", card), Place("won", seat)) for card in cards)
        waits = seen.chosen[seat] and seat not in seen.pile
        lying[Thing("marker", owner=seat), Place("chosen", seat)] = int(waits)
    return lying
