"""The end of Carnuta: what every single card brought, and how a tie was broken."""

from collections.abc import Sequence

from companion.games.carnuta import words
from companion.screen.carnuta.board import known_cards
from companion.screen.face import Sight
from companion.screen.text import _, listed, plural
from companion.wording import Said


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


def tie_break(sight: Sight) -> str:
    """C16 With a tie the most points on one single line decide."""
    scores, winners = sight.snapshot.scores, sight.snapshot.winners
    most = max((score.total for score in scores), default=0)
    tied = [score.seat for score in scores if score.total == most]
    if len(tied) < 2 or len(winners) == len(tied):
        return ""
    best = max(part.points for score in scores if score.seat in winners for part in score.parts)
    return _("A tie at {total}: {names} has {best} points on one line, the most").format(
        total=most, names=listed([sight.name(seat) for seat in winners]), best=best
    )
