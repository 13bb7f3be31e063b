"""How a table of Carnuta is set up, in the order of its rule book."""

from collections.abc import Iterator

from companion.gamekit import Ruling, Setup
from companion.games.carnuta.components import BOARDS, INGREDIENTS, PADLOCKS_EACH, SICKLES_EACH, SLOTS
from companion.games.carnuta.rules.engine import START_RUNES, setup
from companion.games.carnuta.rules.rows import ROW


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """C1 Decks, boards with padlocks, runes and the reserve, sickles, bonus ingredients, start cards and both rows."""
    return tuple(_steps(agreed))


def _steps(agreed: Setup) -> Iterator[Ruling]:
    begun = setup(agreed)
    yield Ruling("C1", "set up the decks", {"suns": len(begun.decks.sun), "moons": len(begun.decks.moon)})
    yield Ruling("C1", "set up the boards", {"count": PADLOCKS_EACH, "slots": SLOTS})
    yield Ruling("C1", "set up the runes", {"suns": START_RUNES.sun, "moons": START_RUNES.moon})
    yield Ruling("C1", "set up the reserve", {"suns": begun.reserve.sun, "moons": begun.reserve.moon})
    yield Ruling("C11", "set up the sickles", {"count": SICKLES_EACH})
    yield Ruling("C8", "set up the bonus", {"ingredients": INGREDIENTS})
    if agreed.players < BOARDS:
        yield Ruling("C1", "set up the rest", {"count": BOARDS - agreed.players})
    secret = agreed.options.start_card == "hand"
    yield Ruling("C17" if secret else "C1", "set up secret cards" if secret else "set up open cards")
    yield Ruling("C1", "set up the rows", {"count": ROW})
    yield Ruling("C2", "set up the start", {"start": agreed.first})
