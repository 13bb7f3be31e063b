"""A bid of Darwinci is put together stone by stone, by presses on the pads. What was said so far is a `HalfBid`."""

from collections import Counter

from msgspec.structs import replace

from companion.gamekit import Aside, Draft, Facts, Gesture, Laid, Pushed, Seat
from companion.games.darwinci.allowance import colours_left
from companion.games.darwinci.rules.state import Bid, State
from companion.games.darwinci.view import HalfBid, Stones


def go_on(state: State, half: HalfBid, gesture: Gesture) -> Bid | Draft | Aside:
    """What a gesture adds to a bid, or takes from it; the centre's green makes it whole."""
    if isinstance(gesture, Laid):
        return _meant_tile(state, half, gesture)
    if gesture.colour == "red" and gesture.held:
        return _take_back(state, half)
    if half.colours:
        return _colour(state, half, gesture)
    on = half.on if gesture.seat is None else gesture.seat
    if on is None:
        return _at_the_centre(state, half, gesture)
    if gesture.colour == "green":
        return _own(state, half, on)
    return _foreign(state, half, on)


def _at_the_centre(state: State, half: HalfBid, button: Pushed) -> Bid | Aside:
    if button.colour == "red":
        return Aside("idle", "which tile", {"seat": state.turn})
    laid: Counter[tuple[Seat, Seat]] = Counter()
    for stones in half.stones:
        laid[stones.on, stones.colour] += stones.count
    return Bid(state.turn, tuple([Stones(on, colour, count) for (on, colour), count in laid.items()]))


def _meant_tile(state: State, half: HalfBid, laid: Laid) -> Draft | Aside:
    """On the centre it says which tile is meant; on its own pad it was only turned over."""
    tile = laid.piece.id
    if laid.piece.kind == "jewel" and tile in state.box.jewels:
        return Aside("idle", "no jewellery now", {"turn": state.turn})
    if laid.piece.kind != "tile" or tile not in state.tiles:
        return Aside("foreign", "not of this game")
    if tile not in state.offers:
        return Aside("foreign", "not offered", {"tile": tile})
    on = state.offers.index(tile)
    if laid.seat is not None:
        return Aside("repeated", "lies open", {"tile": tile})
    return Draft(
        replace(half, on=on, colours=()), "which stone", {"seat": state.turn, "seat_offering": on, "tile": tile}
    )


# --- Stones ---------------------------------------------------------------------------------------------------


def _own(state: State, half: HalfBid, on: Seat) -> Draft | Aside:
    seat = state.turn
    if seat not in colours_left(state, state.turn, half.stones):
        return Aside("idle", "no own stone", {"seat": seat})
    return _add(state, half, on, seat)


def _foreign(state: State, half: HalfBid, on: Seat) -> Draft | Aside:
    """Anybody who holds several foreign colours is asked which one."""
    colours = tuple([colour for colour in colours_left(state, state.turn, half.stones) if colour != state.turn])
    if not colours:
        return Aside("idle", "no foreign stone", {"seat": state.turn})
    if len(colours) == 1:
        return _add(state, half, on, colours[0])
    return _ask_colour(state, replace(half, on=on, colours=colours))


def _ask_colour(state: State, half: HalfBid) -> Draft:
    on = half.on or 0
    facts: Facts = {"seat": state.turn, "owner": half.colours[0], "seat_offering": on, "tile": state.offers[on]}
    return Draft(half, "which colour", facts)


def _colour(state: State, half: HalfBid, button: Pushed) -> Draft | Aside:
    """A press on the pad of the player whose colour is meant; or green for the one that is named, red for the next."""
    if button.seat in half.colours:
        return _add(state, half, half.on or 0, button.seat or 0)
    if button.seat not in (None, state.turn):
        return Aside("idle", "none of this colour", {"seat": state.turn, "owner": button.seat})
    if button.colour == "green":
        return _add(state, half, half.on or 0, half.colours[0])
    return _ask_colour(state, replace(half, colours=half.colours[1:] + half.colours[:1]))


def _add(state: State, half: HalfBid, on: Seat, colour: Seat) -> Draft:
    stones = (*half.stones, Stones(on, colour, 1))
    laid = HalfBid(half.seat, stones)
    facts: Facts = {"seat": half.seat, "owner": colour, "seat_offering": on, "tile": state.offers[on]}
    return Draft(laid, "half a bid", facts | {"stones": len(stones)})


def _take_back(state: State, half: HalfBid) -> Draft:
    """Red, held: first the question which stone it should be, then the last stone, until nothing is left."""
    if half.on is None:
        half = replace(half, stones=half.stones[:-1])
    half = replace(half, on=None, colours=())
    so_far = half if half.stones else None
    return Draft(so_far, "takes a stone back", {"seat": state.turn, "stones": len(half.stones)})
