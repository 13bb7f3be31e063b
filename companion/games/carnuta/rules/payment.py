"""Paying for a card of Carnuta: which runes are turned, which are removed."""

from collections.abc import Iterator

from companion.gamekit import Facts, Refusal, Ruling, Seat
from companion.games.carnuta.components import FACES, Pair, Price, Side
from companion.games.carnuta.rules.state import Holdings

OTHER: dict[Side, Side] = {"sun": "moon", "moon": "sun"}


def can_pay(runes: Pair[int], cost: Price, flipped_pays: bool) -> bool:
    """C5 All symbols with different runes, each of which shows the asked face before the payment.

    With the option one symbol after another, in whatever order works, each with a rune that shows the asked face at
    that moment. Then flips can all come first: they get stuck only without any rune, or where too few runes of a face
    would be left in the end."""
    if not flipped_pays:
        return runes.sun >= cost.suns and runes.moon >= cost.moons
    left = after_payment(runes, cost)
    return left.sun >= 0 and left.moon >= 0 and (runes.sun + runes.moon > 0 or not cost.suns + cost.moons)


def after_payment(runes: Pair[int], cost: Price) -> Pair[int]:
    """C5 Flipped runes stay and show their other face. C6 Removed ones leave the board."""
    return Pair(runes.sun - cost.suns + cost.flip.moon, runes.moon - cost.moons + cost.flip.sun)


def reserve_after(reserve: Pair[int], cost: Price) -> Pair[int]:
    """C6 Removed runes go to the reserve with the face that they show."""
    return Pair(reserve.sun + cost.remove.sun, reserve.moon + cost.remove.moon)


def payment(seat: Seat, runes: Pair[int], cost: Price) -> list[Ruling]:
    """C5 Which runes hands have to turn. C6 Which they have to put into the reserve."""
    turned = [
        Ruling("C5", "turns runes", {"seat": seat, "count": count, "face": face, "other": OTHER[face]})
        for face, count in turns(runes, cost)
    ]
    removed = [
        Ruling("C6", "removes runes", {"seat": seat, "count": count, "face": face})
        for face in FACES
        if (count := cost.remove.of(face))
    ]
    return turned + removed


def turns(runes: Pair[int], cost: Price) -> Iterator[tuple[Side, int]]:
    """C5 The flips of a payment that is possible, in an order that works: suns first, as far as there are any."""
    left = cost.flip
    while left.sun or left.moon:
        for face in FACES:
            if count := min(left.of(face), runes.of(face)):
                left = left.with_(face, left.of(face) - count)
                runes = flipped(runes, face, count)
                yield face, count


def flipped(runes: Pair[int], face: Side, count: int) -> Pair[int]:
    """So many runes of this face show the other one."""
    change = count if face == "moon" else -count
    return Pair(runes.sun + change, runes.moon - change)


def cannot_pay(seat: Seat, player: Holdings, card: str, cost: Price, flipped_pays: bool) -> Refusal:
    """C5 Cannot pay: refused. C17 Of a card that no player knows nothing is told."""
    if card == player.secret:
        return Refusal("C5", "cannot pay this", {"seat": seat})
    facts: Facts = {
        "seat": seat,
        "card": card,
        "suns": cost.suns,
        "moons": cost.moons,
        "has_suns": player.runes.sun,
        "has_moons": player.runes.moon,
    }
    return Refusal("C5", "cannot pay in any order" if flipped_pays else "cannot pay", facts)
