"""What hands mean at a table of Darwinci. Nothing said here names a tile that lies face down.

Green buys, red doesn't. An offered tile lies face down on the own pad, or is tapped on the centre, one after another.
While bidding, a press on a player's pad lays a stone on their tile: green one's own, red a foreign one; with one reader
the tile is tapped on the centre first. Red, held, takes the last stone back; the centre's green ends the bid.
A tile to be built is laid on the own pad or tapped on the centre; green steps through the places, red turns it, green
held builds it. Green steps through the jewellery lines likewise; a jewellery marker asks for its kind; red skips.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from companion.gamekit import Aside, Draft, Facts, Gesture, Laid, Pushed, Refusal, Seat, clockwise
from companion.games.darwinci.display import closed_creatures, joints, line_points, places, where
from companion.games.darwinci.rules.engine import buildable, discardable
from companion.games.darwinci.rules.public_view import lines
from companion.games.darwinci.rules.scoring import chosen_line
from companion.games.darwinci.rules.state import (
    Action,
    Bid,
    Build,
    Buy,
    Discard,
    Jewels,
    Keep,
    Offer,
    Skip,
    State,
)
from companion.games.darwinci.view import Built, HalfBid, Stones, colours_left

# --- A bid: stone by stone, by presses on the pads; half of it is a `HalfBid` ---------------------------------


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
    """Any player who holds several foreign colours is asked which one."""
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


# --- Two buttons: where a won tile is built and how it is turned, which line is scored ------------------------

# --- Places ---------------------------------------------------------------------------------------------------


def first_tile(state: State) -> Draft | Aside:
    """Green takes up the first of the won tiles; in the set-up no player knows what is in a hand."""
    choices = _all_places(state)
    if not choices:
        return Aside("idle", "lay a tile", {"seat": state.turn})
    return _place(state, choices[0])


def take_up(state: State, tile: str) -> Build | Draft:
    """A tile that was laid down: its first place. One that cannot be built goes to the rules: they say why."""
    if state.phase == "setup" and tile in state.fresh:
        return _place(state, _at_places(state, (tile,))[0])
    for choice in _all_places(state):
        if choice.tile == tile:
            return _place(state, choice)
    x, y = next(iter(places(state.built[state.turn])), (0, 0))
    return Build(state.turn, tile, x, y, 0)


def next_place(state: State, so_far: Build | Discard, button: Pushed) -> Build | Discard | Draft:
    """Green: the next place. Red: a quarter turn. Green held: build it. Red held: leave it."""
    if button.held and button.colour == "green":
        return so_far
    if button.held:
        return Draft(None, "leaves it", {"seat": state.turn})
    if button.colour == "red" and isinstance(so_far, Build):
        return _place(state, replace(so_far, turn=(so_far.turn + 90) % 360))
    setup = state.phase == "setup"
    choices = _at_places(state, (so_far.tile,)) if setup else _all_places(state)
    unturned = replace(so_far, turn=0) if isinstance(so_far, Build) else so_far
    at = choices.index(unturned) if unturned in choices else -1
    following = choices[(at + 1) % len(choices)]
    if isinstance(following, Build) and isinstance(so_far, Build):
        following = replace(following, turn=so_far.turn)
    return _place(state, following)


def _all_places(state: State) -> list[Build | Discard]:
    """Every place of every tile that may be built, then what may be discarded."""
    if state.phase == "setup":
        return []
    discards = [Discard(state.turn, tile) for tile in discardable(state, state.turn)]
    return [*_at_places(state, buildable(state, state.turn)), *discards]


def _at_places(state: State, tiles: Sequence[str]) -> list[Build | Discard]:
    seat = state.turn
    return [Build(seat, tile, x, y, 0) for tile in tiles for x, y in places(state.built[seat])]


def _place(state: State, so_far: Build | Discard) -> Draft:
    """With a preview of the bones that join and of what would be scored."""
    seat, tile = so_far.seat, so_far.tile
    if isinstance(so_far, Discard):
        return Draft(so_far, "would discard", {"seat": seat, "tile": tile})
    built = state.built[seat]
    placed = Built(tile, so_far.x, so_far.y, so_far.turn)
    closed = closed_creatures((*built, placed), state.tiles, len(built))
    return Draft(
        so_far,
        "would build",
        {
            "seat": seat,
            "tile": tile,
            "where": where(built, so_far.x, so_far.y),
            "degrees": so_far.turn,
            "joints": joints(built, placed, state.tiles),
            "points": sum(creature.points for creature in closed),
        },
    )


# --- Jewellery lines ------------------------------------------------------------------------------------------


def first_line(state: State, kind: str | None = None) -> Draft | Aside:
    """Green, or a jewellery marker: the line that brings most."""
    choices = _best_first(state, kind)
    if not choices:
        return Aside("idle", "no jewellery to score", {"seat": state.turn})
    return _line(state, choices[0])


def no_line(state: State) -> Skip:
    """Red scores nothing."""
    return Skip(state.turn)


def next_line(state: State, so_far: Jewels, button: Pushed) -> Jewels | Skip | Draft:
    """Green: the next line. Green held: score it. Red: score nothing. Red held: leave it."""
    if button.colour == "red":
        return Draft(None, "leaves it", {"seat": state.turn}) if button.held else no_line(state)
    if button.held:
        return so_far
    choices = _best_first(state, None)
    at = choices.index(so_far) if so_far in choices else -1
    return _line(state, choices[(at + 1) % len(choices)])


def _best_first(state: State, kind: str | None) -> list[Jewels]:
    found = [line for line in lines(state, state.turn) if kind in (None, line.kind)]
    return sorted(found, key=lambda line: -_points(state, line))


def _points(state: State, so_far: Jewels) -> int:
    line = chosen_line(state, so_far)
    if isinstance(line, Refusal):
        return 0
    symbols, values = line_points(line, state.tiles, so_far.kind)
    return symbols * values


def _line(state: State, so_far: Jewels) -> Draft:
    """D15 Never less than 0 is paid without a warning first."""
    points = _points(state, so_far)
    return Draft(
        so_far,
        "would score" if points > 0 else "would cost",
        {"seat": so_far.seat, "kind": so_far.kind, "line": so_far.line, "points": points, "darwin": -points},
    )


_OVER = Aside("idle", "nothing more to do")


def meaning(state: State, gesture: Gesture) -> Action | Draft | Aside:
    """The action that a gesture asks for or begins, which the rules may still refuse, or an aside."""
    if gesture.seat is not None and gesture.seat not in state.seats:
        return Aside("foreign", "nobody sits here")
    if state.phase == "bid":
        return go_on(state, HalfBid(state.turn), gesture)
    if isinstance(gesture, Pushed):
        return _button(state, gesture)
    if gesture.piece.kind == "tile" and gesture.piece.id in state.tiles:
        return _tile(state, gesture)
    if gesture.piece.kind == "jewel" and gesture.piece.id in state.box.jewels:
        return _marker(state, gesture)
    return Aside("foreign", "not of this game")


def continued(state: State, so_far: HalfBid | Build | Discard | Jewels, gesture: Gesture) -> Action | Draft | Aside:
    """What the next gesture means when half an action has been said."""
    if so_far.seat != state.turn or (gesture.seat is not None and gesture.seat not in state.seats):
        return meaning(state, gesture)
    if isinstance(so_far, HalfBid):
        return go_on(state, so_far, gesture)
    if isinstance(gesture, Laid):
        return meaning(state, gesture)
    if gesture.seat not in (None, state.turn):
        return _not_his_turn(state, gesture.seat)
    if isinstance(so_far, Jewels):
        return next_line(state, so_far, gesture)
    return next_place(state, so_far, gesture)


# --- Buttons --------------------------------------------------------------------------------------------------


def _button(state: State, button: Pushed) -> Action | Draft | Aside:
    seat = state.turn if button.seat is None else button.seat
    green = button.colour == "green"
    if state.phase == "buy":
        return Buy(seat) if green else Keep(seat)
    if state.phase == "offer":
        return Aside("idle", "tiles are offered", {"seats": _missing(state)})
    if state.phase == "over":
        return _OVER
    if seat != state.turn:
        return _not_his_turn(state, seat)
    if state.phase == "jewels":
        return first_line(state) if green else no_line(state)
    return first_tile(state) if green else Aside("idle", "lay a tile", {"seat": seat})


def _not_his_turn(state: State, seat: Seat | None) -> Aside:
    return Aside("foreign", "somebody else's turn", {"seat": seat, "turn": state.turn})


# --- Tiles and markers ----------------------------------------------------------------------------------------


def _tile(state: State, laid: Laid) -> Action | Draft | Aside:
    if state.phase == "offer":
        return _offered(state, laid)
    if state.phase == "over":
        return _OVER
    if state.phase in ("buy", "jewels"):
        return Aside("idle", "no tiles now", {"turn": state.turn})
    if laid.seat not in (None, state.turn):
        return _not_his_turn(state, laid.seat)
    return take_up(state, laid.piece.id)


def _offered(state: State, laid: Laid) -> Action | Aside:
    """D2 On the own pad; on the centre for the next one from the start player on, where a tile that is tapped twice was
    offered once. D21 On a pad it does not matter what others have offered: the rules hear it."""
    missing = _missing(state)
    seat = missing[0] if laid.seat is None else laid.seat
    known = state.offers if laid.seat is None else state.offers[seat : seat + 1]
    if laid.piece.id in known:
        return Aside("repeated", "lies face down")
    return Offer(seat, laid.piece.id)


def _missing(state: State) -> tuple[Seat, ...]:
    """Who has not offered, in order from the start player."""
    return tuple(seat for seat in clockwise(state.start, len(state.seats)) if state.offers[seat] is None)


def _marker(state: State, laid: Laid) -> Draft | Aside:
    """D15 A jewellery marker asks for its kind."""
    owner = laid.piece.owner
    if owner is None or owner not in state.seats:
        return Aside("foreign", "nobody's marker")
    if laid.seat not in (None, owner):
        return Aside("foreign", "foreign pad", {"owner": owner, "seat": laid.seat})
    if state.phase == "over":
        return _OVER
    if state.phase != "jewels":
        return Aside("idle", "no jewellery now", {"turn": state.turn})
    if owner != state.turn:
        return _not_his_turn(state, owner)
    return first_line(state, laid.piece.id)
