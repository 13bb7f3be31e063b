"""What came to light in a hunt, put together from the open cards and the newest lines of the history."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.gamekit import Seat, Told
from companion.gamekit.screen import Sight
from companion.games.sioux.components import CROW_VALUE, SHAMAN_VALUES, Box
from companion.games.sioux.view import View

REVEALED, SECONDS = "revealed", "duel revealed"

UNSPOKEN = frozenset(
    {
        *("lays", REVEALED, SECONDS, "names a value", "no value is free", "several shamans", "named"),
        *("many tied", "two tied", "hunter played", "several crows", "both crows", "no crow"),
    }
)
"""S24 What the history no longer says when a round is over: it would remember the cards for the players."""
INSTEAD = {
    "wins prey": "wins the duel",
    "steals the deer": "takes the deer",
    "steals other prey": "takes other prey",
}
"""The same without the cards: the prey is open at any time."""


class Hunt(NamedTuple):
    """One hunt as far as it has come to light."""

    cards: tuple[str, ...]
    """Seat by seat."""
    lines: tuple[Told, ...] = ()
    """What has been said since the reveal."""

    def fact(self, what: str, name: str) -> object:
        """A fact of the newest line of this kind; None if there is no such line."""
        found = [line.facts.get(name) for line in self.lines if line.what == what]
        return found[-1] if found else None

    def seconds(self) -> dict[Seat, str]:
        """The cards of the duel, once they are revealed."""
        return paired(self.fact(SECONDS, "seats"), self.fact(SECONDS, "cards_in_order"))

    def counts(self, seat: Seat, box: Box) -> int | None:
        """What somebody's card counts; None for the hunter, and for a shaman of which it is not yet said."""
        known = {card.id: card for card in box.tribe}.get(self.cards[seat])
        if known is None:
            return None
        if known.kind == "crow":
            return CROW_VALUE
        return known.value if known.kind is None else self._shaman()

    def _shaman(self) -> int | None:
        said = self.fact("named", "value") or self.fact("no value is free", "value")
        if isinstance(said, int):
            return said
        return SHAMAN_VALUES[0] if self.fact("several shamans", "value") else None

    def tied(self) -> tuple[Seat, ...]:
        return seats_of(self.fact("two tied", "seats")) or seats_of(self.fact("many tied", "seats"))


def paired(seats: object, cards: object) -> dict[Seat, str]:
    if isinstance(seats, Sequence) and isinstance(cards, Sequence):
        return {seat: str(card) for seat, card in zip(seats, cards, strict=False) if isinstance(seat, int)}
    return {}


def seats_of(fact: object) -> tuple[Seat, ...]:
    return tuple(seat for seat in fact if isinstance(seat, int)) if isinstance(fact, Sequence) else ()


def seen(sight: Sight) -> Hunt | None:
    """The hunt that lies open; also the one that is just over, until somebody lays a card for the next. S24"""
    table: View = sight.table
    lines = since_reveal(sight)
    told = revealed_cards(lines, len(sight.names))
    if table.open:
        return Hunt(table.open, lines if told == table.open else ())
    if any(table.laid) or not told:
        return None
    return Hunt(told, lines)


def since_reveal(sight: Sight) -> tuple[Told, ...]:
    """From the newest reveal on; nothing if it was taken back, or if another game has begun."""
    lines: list[Told] = []
    void: set[int] = set()
    for told in reversed(sight.snapshot.history):
        if told.kind == "undone" or told.what == "a new game":
            break
        void.update(told.voids)
        if told.kind == "accepted" and told.entry not in void:
            lines.append(told)
            if told.what == REVEALED:
                return tuple(reversed(lines))
    return ()


def first_of_round(sight: Sight) -> int:
    """The number of the first line that belongs to what is seen: to the open hunt, or to the cards being laid."""
    hunt = seen(sight)
    if hunt is not None:
        return hunt.lines[0].number if hunt.lines else 0
    accepted = [told for told in sight.snapshot.history if told.kind == "accepted"]
    over = [told.number for told in accepted if told.what != "lays"]
    return over[-1] + 1 if over else 0


def revealed_cards(lines: Sequence[Told], players: int) -> tuple[str, ...]:
    cards = paired(lines[0].facts.get("seats"), lines[0].facts.get("cards_in_order")) if lines else {}
    return tuple(cards[seat] for seat in range(players)) if set(cards) == set(range(players)) else ()


def readable(sight: Sight) -> list[Told]:
    """S24 The history, lines of earlier rounds without their cards."""
    first = first_of_round(sight)
    return [
        replace(told, what=INSTEAD[told.what]) if told.number < first and told.what in INSTEAD else told
        for told in sight.snapshot.history
        if told.number >= first or told.kind != "accepted" or told.what not in UNSPOKEN
    ]
