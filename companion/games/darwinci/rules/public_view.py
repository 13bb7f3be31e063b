"""What a state of Darwinci shows: who may do what, the public table, where the pieces lie. Never a hidden offer."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, combinations_with_replacement, product
from math import prod
from typing import Any, overload

from companion.gamekit import Awaiting, Place, Ruling, Seat, Setup, Thing, Whereabouts, missing_seats, shown_as
from companion.games.darwinci.components import COLOURS, STONES_EACH, Box
from companion.games.darwinci.display import TURNS, Cell, places, runs
from companion.games.darwinci.rules.engine import DRAWN, HAND, MONEY, PRICE, SET_UP_TILES, buildable, discardable
from companion.games.darwinci.rules.state import Action, Bid, Build, Buy, Discard, Jewels, Keep, Offer, Skip, State
from companion.games.darwinci.view import Built, OwnHand, Stones, Table, foreign_due, most_stones

# --- Long lists of possible actions, made one by one on demand --------------------------------------------------


class Combinations(Sequence[Action]):
    """Every combination of the parts, the last part changing fastest. Equal to a tuple of the same actions."""

    def __init__(self, make: Callable[..., Action], *parts: Sequence[Any]) -> None:
        self._make, self._parts = make, parts
        self._length = prod(map(len, parts))

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(self._length)))
        rest = index if index >= 0 else index + self._length
        if not 0 <= rest < self._length:
            raise IndexError(index)
        chosen: list[Any] = []
        for part in self._parts[::-1]:
            rest, number = divmod(rest, len(part))
            chosen.append(part[number])
        return self._make(*chosen[::-1])

    def __iter__(self) -> Iterator[Action]:
        return (self._make(*chosen) for chosen in product(*self._parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class Chain(Sequence[Action]):
    """One list after another."""

    def __init__(self, lists: Sequence[Sequence[Action]]) -> None:
        self._lists = lists
        self._ends = tuple(accumulate(len(each) for each in lists))
        self._length = self._ends[-1] if lists else 0

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(self))))
        rest = index if index >= 0 else index + self._length
        if not 0 <= rest < self._length:
            raise IndexError(index)
        which = bisect_right(self._ends, rest)
        return self._lists[which][rest - self._ends[which]]

    def __iter__(self) -> Iterator[Action]:
        return (action for actions in self._lists for action in actions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


# --- Bids -----------------------------------------------------------------------------------------------------


@cache
def first_bids(seat: Seat, held: tuple[int, ...], due: int) -> Chain:
    """D4 So many foreign stones, and an own one or none. `held`: no more than can be laid, so that few different lists
    are asked for; they are kept."""
    return Chain([_spread_bids(seat, counts) for counts in _counts(held, due + 1) if sum(counts) - counts[seat] == due])


@cache
def later_bids(seat: Seat, held: tuple[int, ...], most: int) -> Chain:
    """D5 Up to so many stones of any colours."""
    return Chain([_spread_bids(seat, counts) for counts in _counts(held, most)])


def _counts(held: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    """How many stones of each colour may be laid, if no more than so many in all."""
    return [counts for counts in product(*(range(min(count, most) + 1) for count in held)) if sum(counts) <= most]


@cache
def _spread_bids(seat: Seat, counts: tuple[int, ...]) -> tuple[Bid, ...]:
    """All ways to lay so many stones of each colour on the offered tiles: with five players 3,276 for each of them."""
    spreads = [_spreads(len(counts), colour, count) for colour, count in enumerate(counts) if count]
    return tuple(Bid(seat, sum(spread, ())) for spread in product(*spreads))


@cache
def _spreads(players: int, colour: Seat, count: int) -> tuple[tuple[Stones, ...], ...]:
    """All ways to lay so many stones of one colour on the offered tiles."""
    return tuple(
        tuple(Stones(on, colour, tiles.count(on)) for on in dict.fromkeys(tiles))
        for tiles in combinations_with_replacement(range(players), count)
    )


# --- Where the pieces should be, from what all players can see --------------------------------------------------


def layout(seen: Table) -> Whereabouts:
    """D21 Tiles in hands, in stacks and offered face down are only counted."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    lying[Thing("tile"), Place("stack")] = seen.stack
    for seat in range(len(seen.money)):
        lying.update((Thing("tile", built.tile), Place("built", seat)) for built in seen.built[seat])
        lying.update((Thing("tile", tile), Place("won", seat)) for tile in seen.won[seat])
        lying[Thing("tile"), Place("hand", seat)] = seen.hands[seat]
        offered = seen.offers[seat]
        if offered is not None:
            lying[Thing("tile", offered), Place("offer", seat)] = 1
        for colour, count in enumerate(seen.on[seat]):
            lying[Thing("stone", owner=colour), Place("offer", seat)] = count
        for colour, count in enumerate(seen.stones[seat]):
            lying[Thing("stone", owner=colour), Place("supply", seat)] = count
        lying[Thing("darwin"), Place("money", seat)] = seen.money[seat]
        lying[Thing("debt"), Place("money", seat)] = -seen.money[seat]
        lying.update((Thing("jewel", kind, seat), Place("scored", seat)) for kind in seen.jewels_scored[seat])
    lying[Thing("counter"), Place("offer" if seen.phase == "bid" else "supply", seen.counter)] = 1
    lying[Thing("Darwin card"), Place("bank") if seen.darwin_card is None else Place("supply", seen.darwin_card)] = 1
    return lying


# --- Setting up the table, in the order of the rule book ------------------------------------------------------


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """D8 Stones for each player and for the neighbours. D20 Darwin. D11 Four tiles each, of which two are built. D3 Who
    starts."""
    return tuple(_steps(agreed))


def _steps(agreed: Setup) -> Iterator[Ruling]:
    players, box = agreed.players, agreed.box
    yield Ruling("D18", "set up the stacks", {"tiles": len(box.tiles)})
    yield Ruling("D8", "set up the stones", {"stones": STONES_EACH})
    yield Ruling("D8", "set up the neighbours", {"stones": STONES_EACH - 2})
    if players < COLOURS:
        yield Ruling("D8", "set up the rest", {"count": COLOURS - players})
    yield Ruling("D20", "set up the money", {"darwin": MONEY})
    if box.jewels:
        yield Ruling("D15", "set up the jewellery", {"kinds": box.jewels})
    yield Ruling("D17", "set up the Darwin card")
    yield Ruling("D12", "set up the frames")
    yield Ruling("D21", "set up the hands", {"tiles": HAND})
    yield Ruling("D11", "set up the first tiles", {"start": agreed.first, "tiles": SET_UP_TILES})
    yield Ruling("D3", "set up the counter", {"start": agreed.first})


# --- Who may do what ------------------------------------------------------------------------------------------

_BUY_OR_KEEP: tuple[tuple[Action, ...], ...] = tuple((Buy(seat), Keep(seat)) for seat in range(COLOURS))
_KEEP: tuple[tuple[Action, ...], ...] = tuple((Keep(seat),) for seat in range(COLOURS))


def legal(state: State) -> Sequence[Action]:
    """Every action that would be accepted now, each once.

    Some have several forms that do the same; one of them is here: a first tile lies at 0, 0; a bid names each tile and
    colour once; a jewellery line is named by its first tile, with `from` and `to` only where they leave something out.
    """
    if state.phase == "bid":
        return _bids(state)
    if state.phase == "offer":
        return Combinations(Offer, missing_seats(state.offers), state.fresh)
    if state.phase == "setup":
        return _builds(state, state.fresh)
    if state.phase == "build":
        return _builds_and_discards(state)
    if state.phase == "jewels":
        return (*lines(state, state.turn), Skip(state.turn))
    if state.phase == "buy":
        return (_BUY_OR_KEEP if _can_buy(state) else _KEEP)[state.turn]
    return ()


def offered(state: State) -> Sequence[Action]:
    """What a screen may offer.

    D21 Tiles that others have offered face down are among them: their absence would tell. A tile to be built is offered
    unturned, and a bid is put together stone by stone, so one bid stands for all.
    """
    if state.phase == "bid":
        return _bids(state)[:1]
    if state.phase == "setup":
        return _builds(state, state.fresh, TURNS[:1])
    if state.phase == "build":
        return _builds_and_discards(state, TURNS[:1])
    if state.phase == "offer":
        hidden = {tile for tile in state.offers if tile is not None}
        tiles = tuple(tile.id for tile in state.box.tiles if tile.id in hidden or tile.id in state.fresh)
        return Combinations(Offer, missing_seats(state.offers), tiles)
    return legal(state)


def _bids(state: State) -> Chain:
    seat = state.turn
    held = state.stones[seat]
    if state.bidding == 1:
        due = foreign_due(state, seat)
        can = [min(count, due) for count in held]
        can[seat] = 1 if held[seat] else 0
        return first_bids(seat, tuple(can), due)
    most = most_stones(state, seat)
    return later_bids(seat, tuple([min(count, most) for count in held]), most)


def _builds(state: State, tiles: tuple[str, ...], turns: tuple[int, ...] = TURNS) -> Combinations:
    seat = state.turn

    def build(tile: str, cell: Cell, turn: int) -> Build:
        return Build(seat, tile, cell[0], cell[1], turn)

    return Combinations(build, tiles, places(state.built[seat]), turns)


def _builds_and_discards(state: State, turns: tuple[int, ...] = TURNS) -> Sequence[Action]:
    discards = discardable(state, state.turn)
    builds = _builds(state, buildable(state, state.turn), turns)
    if not discards:
        return builds
    return (*builds, *[Discard(state.turn, tile) for tile in discards])


def lines(state: State, seat: Seat) -> Iterator[Jewels]:
    """D15 Every line of this display that shows a kind which its player has not scored before."""
    built, tiles, scored = state.built[seat], state.tiles, state.jewels_scored[seat]
    shown = {jewel for placed in built for jewel in tiles[placed.tile].jewels}
    kinds = [kind for kind in state.box.jewels if kind in shown and kind not in scored]
    if not kinds:
        return
    parts = state.options.run == "part"
    for line, whole in runs(built):
        for part in _stretches(whole) if parts else (whole,):
            there: list[str] = []
            for placed in part:
                there += tiles[placed.tile].jewels
            for kind in kinds:
                if kind in there:
                    first, last = part[0], part[-1]
                    if len(part) == len(whole):
                        yield Jewels(seat, line, first.x, first.y, kind)
                    else:
                        ends = (first.x, last.x) if line == "row" else (first.y, last.y)
                        yield Jewels(seat, line, first.x, first.y, kind, *ends)


def _stretches(whole: tuple[Built, ...]) -> list[tuple[Built, ...]]:
    """D15 With the option `run: "part"` every part of a run."""
    size = len(whole)
    return [whole[first : last + 1] for first in range(size) for last in range(first, size)]


def _can_buy(state: State) -> bool:
    return state.money[state.turn] >= PRICE and state.stack >= DRAWN


def awaiting(state: State) -> Awaiting | None:
    """Who may act, and how."""
    if state.phase == "over":
        return None
    if state.phase == "offer":
        return Awaiting(missing_seats(state.offers), ("offer",))
    return Awaiting((state.turn,), _asked(state))


def _asked(state: State) -> tuple[str, ...]:
    seat = state.turn
    if state.phase == "buy":
        return ("buy", "keep") if _can_buy(state) else ("keep",)
    if state.phase == "bid":
        return ("bid",)
    if state.phase == "jewels":
        return ("skip",) if next(lines(state, seat), None) is None else ("jewels", "skip")
    build = ("build",) if state.phase == "setup" or buildable(state, seat) else ()
    return (*build, "discard") if state.phase == "build" and discardable(state, seat) else build


# --- What all players see --------------------------------------------------------------------------------------


def own_hand(state: State, seat: Seat) -> OwnHand:
    """D21 What a player alone may see: their own offer, until all lie open."""
    return OwnHand(state.offers[seat] if state.phase == "offer" else None)


def table(state: State) -> Table:
    """Everything public. D21 An offered tile only when all have offered."""
    offers = state.offers if state.phase == "bid" else (None,) * len(state.seats)
    return shown_as(Table, state, offers=offers)


# --- Where the pieces lie -------------------------------------------------------------------------------------

_BANK, _OUT, _HIDDEN, _STACK = Place("bank"), Place("out"), Place("face down"), Place("stack")
_DARWIN, _DEBT, _FACE_DOWN = Thing("darwin"), Thing("debt"), Thing("tile")


def whereabouts(state: State) -> Whereabouts:
    """Tiles by their ids, once they were seen; face-down ones by number; stones by colour; Darwin and debts."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for tile, place in _tiles(state):
        lying[Thing("tile", tile), place] = 1
    hidden = state.phase == "offer"
    lying[_FACE_DOWN, _STACK] = state.stack
    for seat in state.seats:
        lying[_FACE_DOWN, Place("hand", seat)] = state.hands[seat]
        lying[_FACE_DOWN, Place("offer", seat)] = int(hidden and state.offers[seat] is not None)
        for colour in state.seats:
            stone = Thing("stone", owner=colour)
            lying[stone, Place("supply", seat)] = state.stones[seat][colour]
            lying[stone, Place("offer", seat)] = state.on[seat][colour]
        for kind in state.box.jewels:
            scored = kind in state.jewels_scored[seat]
            lying[Thing("jewel", kind, seat), Place("scored" if scored else "supply", seat)] = 1
        _count_money(lying, state.money[seat], seat)
    at_tile = state.phase == "bid"
    lying[Thing("counter"), Place("offer" if at_tile else "supply", state.counter)] = 1
    lying[Thing("Darwin card"), _BANK if state.darwin_card is None else Place("supply", state.darwin_card)] = 1
    return lying


def _count_money(lying: Counter[tuple[Thing, Place]], money: int, seat: Seat) -> None:
    """D13 What is owed is written down. The bank's side makes every sum 0, so that each payment is a move."""
    for thing, amount in ((_DARWIN, max(money, 0)), (_DEBT, max(-money, 0))):
        lying[thing, Place("money", seat)] = amount
        lying[thing, _BANK] -= amount


def _tiles(state: State) -> Iterator[tuple[str, Place]]:
    """Where each tile of the box lies. D21 One that is in a hand, in a stack or offered face down is just face down."""
    seen: dict[str, Place] = {}
    for seat in state.seats:
        seen |= {placed.tile: Place("built", seat) for placed in state.built[seat]}
        seen |= dict.fromkeys(state.won[seat], Place("won", seat))
    offers = {tile: Place("offer", seat) for seat, tile in enumerate(state.offers) if tile is not None}
    if state.phase == "offer":
        offers = dict.fromkeys(offers, _HIDDEN)
    seen |= offers | dict.fromkeys(state.fresh, _HIDDEN)
    return ((tile.id, seen.get(tile.id, _OUT)) for tile in state.box.tiles)


def pieces(box: Box) -> tuple[Thing, ...]:
    """Everything that may carry a tag: the tiles, and five sets of jewellery markers, one of each kind."""
    tiles = [Thing("tile", tile.id) for tile in box.tiles]
    markers = [Thing("jewel", kind, owner) for owner in range(COLOURS) for kind in box.jewels]
    return (*tiles, *markers)
