"""What a person holds to whom the simulated stack has dealt: the same for the same game, however often asked."""

from collections.abc import Sequence

from companion.gamekit import Seat
from companion.gamekit.simulated import PastStep
from companion.games.darwinci.rules.state import Build, Buy, Offer, State

DRAWN = 2


def hand_of(seat: Seat, pile: list[str], past: Sequence[PastStep], state: State) -> list[str]:
    """D18 As many tiles as everybody can count. D1 Whoever buys holds two more until they offer; what they keep of the
    rest is the tile with the highest value, and the others go back under the stack."""
    hand = _Hand(seat, pile, (past[0].before if past else state).hands[seat])
    for step in past:
        hand.take(step)
    return hand.fresh(state)


class _Hand:
    def __init__(self, seat: Seat, pile: list[str], count: int) -> None:
        self._seat, self._pile = seat, pile
        self._tiles: list[str] = []
        self._bought = 0
        self._draw(count)

    def _draw(self, count: int) -> None:
        self._tiles += self._pile[:count]
        del self._pile[:count]

    def take(self, step: PastStep) -> None:
        before: State = step.before
        after: State = step.after
        match step.action:
            case Build(seat=seat, tile=tile) if seat == self._seat and before.phase == "setup":
                self._use(tile)
            case Buy(seat=seat) if seat == self._seat:
                self._draw(DRAWN)
                self._bought = DRAWN
            case Offer(seat=seat, tile=tile) if seat == self._seat:
                self._use(tile)
                self._put_back(after)
        self._take_again(step)
        self._draw(max(0, after.hands[self._seat] - len(self._tiles) + self._bought))

    def _use(self, tile: str) -> None:
        if tile in self._tiles:
            self._tiles.remove(tile)

    def _put_back(self, state: State) -> None:
        """D1 Under the stack."""
        self._tiles.sort(key=lambda tile: state.tiles[tile].value or 0, reverse=True)
        kept = max(0, len(self._tiles) - self._bought)
        self._pile += self._tiles[kept:]
        del self._tiles[kept:]
        self._bought = 0

    def _take_again(self, step: PastStep) -> None:
        """D21 A tile that somebody else has named as well is named anew: until then it is in the hand."""
        if step.after.phase != "offer" or step.after.offers[self._seat] is not None:
            return
        named = step.before.offers[self._seat]
        if isinstance(step.action, Offer) and step.action.seat == self._seat:
            named = step.action.tile
        if named is not None and named not in self._tiles:
            self._tiles.append(named)

    def fresh(self, state: State) -> list[str]:
        """Without what turned out to lie elsewhere, in an evening that was begun without a simulated stack. D21 What
        others have offered face down makes no difference: it would tell what they hide."""
        hidden = state.offers if state.phase == "offer" else ()
        others = {tile for seat, tile in enumerate(hidden) if seat != self._seat}
        tiles = [tile for tile in self._tiles if tile in state.fresh or tile in others]
        spare = (tile for tile in self._pile if tile in state.fresh or tile in others)
        missing = state.hands[self._seat] + self._bought - len(tiles)
        return [*tiles, *(tile for tile, _ in zip(spare, range(max(0, missing)), strict=False))]
