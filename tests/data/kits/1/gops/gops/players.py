"""Simulated players of GOPS: they bid about as much as a prize is worth, with a little chance."""

from collections.abc import Sequence

from companion.gamekit import ReaderKit, Seat, Snapshot, Thing
from companion.gamekit.simulated import HandAct, Lay, NextAct, Press, Tap, chance
from gops.components import Box
from gops.view import Table

SPREAD = 3
"""How far from a prize's value a bid may lie."""


class Players:
    """They remember nothing: all that matters is on the table."""

    memory = None

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats, self._kit = seed, sorted(seats), kit

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        table: Table = snapshot.table
        awaited = snapshot.awaiting.seats if snapshot.awaiting else ()
        mine = [seat for seat in self._seats if seat in awaited]
        if not mine:
            return None
        if table.phase == "prize":
            return self._turn_up(snapshot, mine[0])
        seat = chance(self._seed, table.round, "order", sum(table.bids)).choice(mine)
        return self._bid(snapshot, seat)

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """A card that was spent long ago, or a button that means nothing."""
        table: Table = snapshot.table
        spent = [Tap(Thing("card", card, plan.seat), plan.seat) for card in table.spent[plan.seat]]
        return [*spent, Press("red", plan.seat)]

    def _turn_up(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """The order of the prizes is the seed's: it was shuffled before the players sat down."""
        box, table = snapshot.box, snapshot.table
        shuffled = [card.id for card in box.suit(box.prizes)]
        chance(self._seed, len(snapshot.match), "prizes").shuffle(shuffled)
        card = shuffled[len(shuffled) - table.deck]
        return NextAct(seat, 1200, Tap(Thing("card", card)))

    def _bid(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        box, table = snapshot.box, snapshot.table
        luck = chance(self._seed, len(snapshot.match), table.round, seat)
        hand = [card for card in box.hand(seat) if card.id not in table.spent[seat]]
        aim = _worth(box, table.prizes) + luck.randint(-SPREAD, SPREAD)
        card = min(hand, key=lambda held: (abs(held.value - aim), held.value))
        return NextAct(seat, luck.randint(900, 2500), Lay(Thing("card", card.id, seat), seat))


def _worth(box: Box, prizes: Sequence[str]) -> int:
    return sum(card.value for card in box.cards if card.id in prizes)
