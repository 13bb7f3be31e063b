"""What should lie where, made of nothing but what everybody can see."""

from collections import Counter

from companion.gamekit import Place, Thing, Whereabouts
from companion.games.darwinci.view import Table


def layout(seen: Table) -> Whereabouts:
    """D21 Tiles in hands, in stacks and offered face down are only counted."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    lying[Thing("tile"), Place("stack")] = seen.stack
    for seat in range(len(seen.money)):
        lying.update((Thing("tile", built.tile), Place("built", seat)) for built in seen.built[seat])
        lying.update((Thing("tile", tile), Place("won", seat)) for tile in seen.won[seat])
        lying[Thing("tile"), Place("hand", seat)] = seen.hands[seat]
        offered = seen.offers[seat]
        if offered is not None:
            lying[Thing("tile", offered), Place("offer", seat)] = 1
        for colour, count in enumerate(seen.on[seat]):
            lying[Thing("stone", owner=colour), Place("offer", seat)] = count
        for colour, count in enumerate(seen.stones[seat]):
            lying[Thing("stone", owner=colour), Place("supply", seat)] = count
        lying[Thing("darwin"), Place("money", seat)] = seen.money[seat]
        lying[Thing("debt"), Place("money", seat)] = -seen.money[seat]
        lying.update((Thing("jewel", kind, seat), Place("scored", seat)) for kind in seen.jewels_scored[seat])
    lying[Thing("counter"), Place("offer" if seen.phase == "bid" else "supply", seen.counter)] = 1
    lying[Thing("Darwin card"), Place("bank") if seen.darwin_card is None else Place("supply", seen.darwin_card)] = 1
    return lying
