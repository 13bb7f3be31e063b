"""What should lie where, made of nothing but what everybody can see."""

from collections import Counter

from companion.gamekit import Place, Thing, Whereabouts
from companion.games.carnuta.components import FACES
from companion.games.carnuta.view import View


def layout(seen: View) -> Whereabouts:
    """C17 A secret start card is only said to be in its hand."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for face in FACES:
        lying[Thing("card"), Place(f"{face} deck")] = seen.decks.of(face)
        lying.update((Thing("card", card), Place(f"{face} row")) for card in seen.rows.of(face))
        lying[Thing("card"), Place(f"{face} discards")] = seen.discards.of(face)
        lying[Thing("rune"), Place(f"{face} reserve")] = seen.reserve.of(face)
    lying.update((Thing("bonus", ingredient), Place("supply")) for ingredient in seen.bonus_left)
    for seat in range(len(seen.hands)):
        _lay_board(lying, seen, seat)
    return lying


def _lay_board(lying: Counter[tuple[Thing, Place]], seen: View, seat: int) -> None:
    lying.update((Thing("card", card), Place("hand", seat)) for card in seen.known[seat])
    lying[Thing("start card", owner=seat), Place("hand", seat)] = seen.hands[seat] - len(seen.known[seat])
    for ingredient, cards in seen.columns[seat].items():
        lying.update((Thing("card", card), Place(f"{ingredient} column", seat)) for card in cards)
    for face in FACES:
        lying[Thing("rune"), Place(f"{face}s", seat)] = seen.runes[seat].of(face)
    lying[Thing("sickle"), Place("sickles", seat)] = seen.sickles[seat]
    lying.update((Thing("bonus", ingredient), Place("board", seat)) for ingredient in seen.bonus[seat])
    lying[Thing("marker", owner=seat), Place(f"field {seen.marker[seat]}", seat)] = 1
