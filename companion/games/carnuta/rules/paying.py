"""Paying for a card of Carnuta: which runes are turned, which are removed."""

from companion.gamekit import Facts, Refusal, Ruling, Seat
from companion.games.carnuta.components import FACES, Pair, Price, Side
from companion.games.carnuta.rules.state import Holdings

OTHER: dict[Side, Side] = {"sun": "moon", "moon": "sun"}


def can_pay(runes: Pair[int], cost: Price) -> bool:
    """C5 All symbols with different runes, each of which shows the asked face before the payment."""
    return runes.sun >= cost.suns and runes.moon >= cost.moons


def after_payment(runes: Pair[int], cost: Price) -> Pair[int]:
    """C5 Flipped runes stay and show their other face. C6 Removed ones leave the board."""
    return Pair(runes.sun - cost.suns + cost.flip.moon, runes.moon - cost.moons + cost.flip.sun)


def reserve_after(reserve: Pair[int], cost: Price) -> Pair[int]:
    """C6 Removed runes go to the reserve with the face that they show."""
    return Pair(reserve.sun + cost.remove.sun, reserve.moon + cost.remove.moon)


def payment(seat: Seat, cost: Price) -> list[Ruling]:
    """C5 Which runes hands have to turn. C6 Which they have to put into the reserve."""
    turned = [
        Ruling("C5", "turns runes", {"seat": seat, "count": count, "face": face, "other": OTHER[face]})
        for face in FACES
        if (count := cost.flip.of(face))
    ]
    removed = [
        Ruling("C6", "removes runes", {"seat": seat, "count": count, "face": face})
        for face in FACES
        if (count := cost.remove.of(face))
    ]
    return turned + removed


def cannot_pay(seat: Seat, player: Holdings, card: str, cost: Price) -> Refusal:
    """C5 Cannot pay: refused. C17 Of a card that nobody knows nothing is told."""
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
    return Refusal("C5", "cannot pay", facts)
