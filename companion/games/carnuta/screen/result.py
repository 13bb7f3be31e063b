"""The end of Carnuta: what every single card brought."""

from collections.abc import Sequence

from companion.gamekit import Said
from companion.gamekit.screen import Sight
from companion.games.carnuta import words
from companion.games.carnuta.screen.board import known_cards
from companion.games.carnuta.screen.texts import _, plural


def grounds(sight: Sight, said: Said) -> Sequence[str]:
    """C15 Each card of a column, with the sets that made its points."""
    cards, sets, points = (said.facts.get(name) for name in ("cards", "sets", "points"))
    if not (isinstance(cards, tuple) and isinstance(sets, tuple) and isinstance(points, tuple)):
        return ()
    known = known_cards(sight.box)
    lines = []
    for card_id, count, earned in zip(cards, sets, points, strict=False):
        card = known.get(str(card_id))
        if card is not None:
            times = "" if card.per is None else f" × {plural('{count} set', '{count} sets', int(count))}"
            name = words.card(sight.box, card.id, _)
            lines.append(f"{name}{times} = {plural('{count} point', '{count} points', int(earned))}")
    return lines
