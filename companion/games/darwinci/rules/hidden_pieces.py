"""D21 At a table no answer tells what lies face down.

Nobody knows the hands. If two players name the same tile one of them has made a mistake, and a refusal would tell the
second one what the first one hides. So both are believed until all tiles lie there; then both say again which it is.
"""

from msgspec.structs import replace

from companion.gamekit import Refusal, Ruling, Step
from companion.games.darwinci.rules.engine import apply
from companion.games.darwinci.rules.state import Action, Offer, Outcome, State


def at_table(state: State, action: Action) -> Outcome:
    """D21 As the rules say it, but an offer is never refused because of what another player hides."""
    if not isinstance(action, Offer) or state.phase != "offer":
        return apply(state, action)
    step = apply(_with_fresh(state, {action.tile} & hidden(state)), action)
    return step if isinstance(step, Refusal) or not step.revealed else _compared(state, step)


def hidden(state: State) -> set[str]:
    """D21 What lies face down while tiles are offered."""
    return {tile for tile in state.offers if tile is not None}


def _compared(before: State, step: Step[State]) -> Step[State]:
    """D2 All tiles lie there. D21 If some have the same name, whoever named them says again which they are."""
    offers = step.state.offers
    twice = tuple(seat for seat, tile in enumerate(offers) if offers.count(tile) > 1)
    if not twice:
        return step
    after = replace(
        step.state,
        phase=before.phase,
        turn=before.turn,
        bidding=before.bidding,
        offers=tuple(None if seat in twice else tile for seat, tile in enumerate(offers)),
        hands=tuple(hand + (seat in twice) for seat, hand in enumerate(step.state.hands)),
    )
    said = Ruling("D21", "named twice", {"seats": twice})
    return Step(_with_fresh(after, {offers[seat] for seat in twice}), (step.rulings[0], said))


def _with_fresh(state: State, tiles: set[str | None] | set[str]) -> State:
    """These tiles may come from a hand again."""
    if not tiles:
        return state
    fresh = tuple(tile.id for tile in state.box.tiles if tile.id in state.fresh or tile.id in tiles)
    return replace(state, fresh=fresh)
