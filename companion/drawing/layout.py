"""What should lie where, in words: place by place, and page by page."""

from collections.abc import Sequence
from itertools import groupby

from companion.gamekit.game import Place
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Lying
from companion.language.speech import _, plural


def place_lines(layout: Sequence[Lying], sight: Sight) -> list[str]:
    """One for each place: what lies there."""
    lines = []
    for place, some in groupby(layout, key=lambda lying: lying.place):
        things = ", ".join(things_words(lying, sight) for lying in some)
        lines.append(_("· {place}: {things}").format(place=sight.face.place(place, sight), things=things))
    return lines


def pages(layout: Sequence[Lying]) -> list[list[Lying]]:
    """What belongs to nobody, then what belongs to each seat; places stay in the order in which they came."""
    order = list(dict.fromkeys(lying.place for lying in layout))

    def rank(lying: Lying) -> tuple[int, int]:
        return _seat(lying.place), order.index(lying.place)

    return [list(some) for _seat_of, some in groupby(sorted(layout, key=rank), key=lambda lying: _seat(lying.place))]


def _seat(place: Place) -> int:
    return -1 if place.seat is None else place.seat


def things_words(lying: Lying, sight: Sight) -> str:
    """Cards and tiles that nobody has named are only counted."""
    if not lying.thing.id and lying.thing.owner is None:
        if lying.thing.kind == "card":
            return plural("{count} card", "{count} cards", lying.count)
        if lying.thing.kind == "tile":
            return plural("{count} tile", "{count} tiles", lying.count)
    return sight.face.thing(lying.thing, lying.count, sight)
