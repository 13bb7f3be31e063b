"""How a table of Sioux is set up, in the order of its rule book."""

from collections.abc import Iterator

from companion.gamekit import Ruling, Setup
from companion.games.sioux.components import PREY_CARDS, SUPPLY_PER_WINTER, TRIBE_CARDS, TRIBE_SETS, WINTERS, Box
from companion.games.sioux.rules.engine import lay_out


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """S1 Tribe cards, the bank, the supply of three winters without its highest cards, and the hunter card aside. S24
    Prey lies open."""
    return tuple(_steps(agreed.players, agreed.box))


def _steps(players: int, box: Box) -> Iterator[Ruling]:
    yield Ruling("S1", "set up tribe cards", {"number": TRIBE_CARDS})
    if players < TRIBE_SETS:
        yield Ruling("S1", "set up the rest", {"sets": TRIBE_SETS - players})
    prey = sorted(box.prey, key=lambda kind: kind.value)
    animals = tuple(kind.animal for kind in prey for _ in range(kind.count))
    yield Ruling("S1", "set up the bank", {"number": PREY_CARDS, "animals": animals})
    yield Ruling("S1", "set up the supply", {"number": len(WINTERS) * SUPPLY_PER_WINTER})
    kept = lay_out(box, players)
    if players < SUPPLY_PER_WINTER:
        one, two, three = (_removed(box, winter, players) for winter in WINTERS)
        yield Ruling("S1", "set up without the highest", {"values": one, "values_2": two, "values_3": three})
    yield Ruling("S1", "set up the first winter", {"values": kept[0]})
    yield Ruling("S9", "set up the hunter")
    yield Ruling("S24", "set up the prey")


def _removed(box: Box, winter: int, players: int) -> tuple[int, ...]:
    """S1 With fewer than five players the highest cards of a winter."""
    (supply,) = (supply for supply in box.supply if supply.winter == winter)
    return tuple(sorted(supply.values, reverse=True)[: SUPPLY_PER_WINTER - players])
