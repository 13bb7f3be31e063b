"""What a person holds to whom the simulated stack has dealt: the same for the same game, however often asked."""

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import Seat
from companion.gamekit.simulated import PastStep
from companion.games.darwinci.rules.state import Build, Buy, Offer, State

DRAWN = 2


class Hand(Struct, frozen=True):
    """D18 As many tiles as everybody can count. D1 Whoever buys holds two more until they offer; what they keep of the
    rest is the tile with the highest value, and the others go back under the stack."""

    seat: Seat
    pile: tuple[str, ...]
    """What is left to draw."""
    tiles: tuple[str, ...] = ()
    bought: int = 0

    def drawn(self, count: int) -> "Hand":
        return replace(self, tiles=self.tiles + self.pile[:count], pile=self.pile[count:]) if count else self

    def after(self, step: PastStep) -> "Hand":
        before: State = step.before
        after: State = step.after
        hand = self
        match step.action:
            case Build(seat=seat, tile=tile) if seat == self.seat and before.phase == "setup":
                hand = hand._without(tile)
            case Buy(seat=seat) if seat == self.seat:
                hand = replace(hand.drawn(DRAWN), bought=DRAWN)
            case Offer(seat=seat, tile=tile) if seat == self.seat:
                hand = hand._without(tile)._put_back(after)
        hand = hand._take_again(step)
        return hand.drawn(max(0, after.hands[self.seat] - len(hand.tiles) + hand.bought))

    def _without(self, tile: str) -> "Hand":
        return replace(self, tiles=tuple(each for each in self.tiles if each != tile))

    def _put_back(self, state: State) -> "Hand":
        """D1 Under the stack."""
        best_first = sorted(self.tiles, key=lambda tile: state.tiles[tile].value or 0, reverse=True)
        kept = max(0, len(best_first) - self.bought)
        return replace(self, tiles=tuple(best_first[:kept]), pile=(*self.pile, *best_first[kept:]), bought=0)

    def _take_again(self, step: PastStep) -> "Hand":
        """D21 A tile that somebody else has named as well is named anew: until then it is in the hand."""
        if step.after.phase != "offer" or step.after.offers[self.seat] is not None:
            return self
        named = step.before.offers[self.seat]
        if isinstance(step.action, Offer) and step.action.seat == self.seat:
            named = step.action.tile
        return replace(self, tiles=(*self.tiles, named)) if named is not None and named not in self.tiles else self

    def fresh(self, state: State) -> list[str]:
        """Without what turned out to lie elsewhere, in an evening that was begun without a simulated stack. D21 What
        others have offered face down makes no difference: it would tell what they hide."""
        hidden = state.offers if state.phase == "offer" else ()
        others = {tile for seat, tile in enumerate(hidden) if seat != self.seat}
        tiles = [tile for tile in self.tiles if tile in state.fresh or tile in others]
        spare = (tile for tile in self.pile if tile in state.fresh or tile in others)
        missing = state.hands[self.seat] + self.bought - len(tiles)
        return [*tiles, *(tile for tile, _ in zip(spare, range(max(0, missing)), strict=False))]
