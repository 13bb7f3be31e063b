"""How a table of Lascaux is set up, in the order of its rule book."""

from collections.abc import Iterator

from companion.gamekit import Ruling, Setup
from companion.games.lascaux.components import CARDS, COLOURS, MARKER_SETS, STONES
from companion.games.lascaux.rules.engine import STONES_EACH


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """L1 The deck, markers and stones for everybody, and what leaves the game. L20 Open or secret stones. L21 Who
    starts, and which way round."""
    return tuple(_steps(agreed))


def _steps(agreed: Setup) -> Iterator[Ruling]:
    players, each = agreed.players, STONES_EACH[agreed.players]
    yield Ruling("L1", "set up the deck", {"number": CARDS})
    yield Ruling("L1", "set up the markers", {"number": COLOURS})
    yield Ruling("L1", "set up the stones", {"stones": each})
    if players < MARKER_SETS:
        yield Ruling("L1", "set up the rest", {"stones": STONES - players * each, "sets": MARKER_SETS - players})
    secret, clockwise = agreed.options.stones == "secret", agreed.options.direction == "clockwise"
    yield Ruling("L20", "set up secret stones" if secret else "set up open stones")
    yield Ruling("L21", "set up clockwise" if clockwise else "set up anticlockwise", {"start": agreed.first})
