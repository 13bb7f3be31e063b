"""How a table of Darwinci is set up, in the order of its rule book."""

from collections.abc import Iterator

from companion.gamekit import Ruling, Setup
from companion.games.darwinci.components import COLOURS, STONES_EACH
from companion.games.darwinci.rules.engine import HAND, MONEY, SET_UP_TILES


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """D8 Stones for everybody and for the neighbours. D20 Darwin. D11 Four tiles each, of which two are built. D3 Who
    starts."""
    return tuple(_steps(agreed))


def _steps(agreed: Setup) -> Iterator[Ruling]:
    players, box = agreed.players, agreed.box
    yield Ruling("D18", "set up the stacks", {"tiles": len(box.tiles)})
    yield Ruling("D8", "set up the stones", {"stones": STONES_EACH})
    yield Ruling("D8", "set up the neighbours", {"stones": STONES_EACH - 2})
    if players < COLOURS:
        yield Ruling("D8", "set up the rest", {"count": COLOURS - players})
    yield Ruling("D20", "set up the money", {"darwin": MONEY})
    if box.jewels:
        yield Ruling("D15", "set up the jewellery", {"kinds": box.jewels})
    yield Ruling("D17", "set up the Darwin card")
    yield Ruling("D12", "set up the frames")
    yield Ruling("D21", "set up the hands", {"tiles": HAND})
    yield Ruling("D11", "set up the first tiles", {"start": agreed.first, "tiles": SET_UP_TILES})
    yield Ruling("D3", "set up the counter", {"start": agreed.first})
