"""What should lie where, made of nothing but what everybody can see."""

from collections import Counter

from companion.gamekit import Place, Thing, Whereabouts
from companion.games.sioux.view import View


def layout(seen: View) -> Whereabouts:
    """S24 Which card lies face down is not said, nor which were played in earlier rounds."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for animal, count in seen.bank.items():
        lying[Thing("prey", animal), Place("bank")] = count
    for value in seen.laid_out:
        lying[Thing("supply", f"{seen.winter}-{value}"), Place("laid out")] += 1
    for seat, animals in enumerate(seen.prey):
        for animal, count in animals.items():
            lying[Thing("prey", animal), Place("prey", seat)] = count
        for winter, value in enumerate(seen.supply[seat], 1):
            lying[Thing("supply", f"{winter}-{value}"), Place("supply", seat)] += 1
        lying[Thing("card"), Place("hand", seat)] = seen.hands[seat]
        lying[Thing("card", owner=seat), Place("laid", seat)] = int(seen.laid[seat])
    return lying
