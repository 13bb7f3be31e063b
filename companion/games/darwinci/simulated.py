"""Simulated players of Darwinci. They see the public table and know the tiles in their own hands.

They offer by laying tiles on their pads and bid by pressing buttons, stone by stone. Where a tile is built they say on
the screen, or with two buttons if it takes only a few presses.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import ReaderKit, Seat, Snapshot, Thing
from companion.gamekit.simulated import (
    Clear,
    Folded,
    HandAct,
    Lay,
    NextAct,
    PastStep,
    Press,
    Say,
    Tap,
    chance,
    shuffled,
)
from companion.games.darwinci.components import COLOURS, Tile
from companion.games.darwinci.display import (
    FULL,
    TURNS,
    Cell,
    Line,
    closed_creatures,
    edges_with_bone,
    line_points,
    neighbour,
    places,
    runs,
)
from companion.games.darwinci.rules.auction import precedence
from companion.games.darwinci.rules.state import Build, Buy, Discard, Jewels, Offer, State
from companion.games.darwinci.view import Built, HalfBid, Table

# --- How simulated players value tiles, places and lines, from what all players can see -------------------------

JOINT = 1.2
"""Bones that join are half a creature."""
DEAD_END = -1.5
"""A bone that can never be joined."""
OPEN_END = -0.3
JEWEL = 0.7
"""A symbol of a kind that is still to be scored."""


class Placement(NamedTuple):
    """A tile somewhere in a display, and how good that looks."""

    worth: float
    place: Built


@cache
def _look(facing: tuple[bool | None, ...], bones: frozenset[int]) -> tuple[float, bool]:
    """What a tile with bones at these edges is worth in a place, and whether one of them meets a bone. `facing`:
    whether a bone comes to this place over an edge; None: there is no tile yet."""
    worth = 0.0
    for edge, meets in enumerate(facing):
        if edge in bones:
            worth += OPEN_END if meets is None else JOINT if meets else DEAD_END
        elif meets:
            worth += DEAD_END
    return worth, any(facing[edge] for edge in bones)


class Scored(NamedTuple):
    """A line of a display, and what it brings."""

    points: int
    line: Line
    x: int
    y: int
    kind: str


class Display:
    """One player's display, seen once."""

    def __init__(self, table: Table, tiles: Mapping[str, Tile], seat: Seat) -> None:
        self._tiles = tiles
        self._built = table.built[seat]
        self._scored = table.jewels_scored[seat]
        self._bones: dict[Cell, frozenset[int]] = {}
        for placed in self._built:
            self._bones[placed.x, placed.y] = edges_with_bone(tiles[placed.tile].bones, placed.turn)
        self.places = places(self._built)
        self._placed: dict[str, list[Placement]] = {}
        self._worths: dict[str, float] = {}

    # --- Tiles ------------------------------------------------------------------------------------------------

    def best(self, tile: str) -> Placement | None:
        """Where this tile looks best; None if there is no place left."""
        return next(iter(self._ranked(tile)), None)

    def best_places(self, tile: str, count: int) -> list[Built]:
        """The places that look best, best first."""
        return [placement.place for placement in self._ranked(tile)[:count]]

    def worth_at(self, place: Built) -> float:
        """What a tile is worth in this very place."""
        at = next((each.worth for each in self._ranked(place.tile) if each.place == place), 0.0)
        return at + self._printed(self._tiles[place.tile])

    def _ranked(self, tile: str) -> list[Placement]:
        if tile not in self._placed:
            self._placed[tile] = sorted(self._placements(tile), key=lambda placement: -placement.worth)
        return self._placed[tile]

    def worth(self, tile: str) -> float:
        """What this tile is worth for this player: its best place, its value, its jewellery."""
        if tile not in self._worths:
            best = self.best(tile)
            self._worths[tile] = 0.0 if best is None else best.worth + self._printed(self._tiles[tile])
        return self._worths[tile]

    def _printed(self, tile: Tile) -> float:
        value = tile.value or 0
        symbols = [kind for kind in tile.jewels if kind not in self._scored]
        return (value if value < 0 else value / 2) + JEWEL * len(symbols)

    def _placements(self, tile: str) -> Iterator[Placement]:
        """D14 A closed creature counts in full; bones that join are good, bones that never can are bad."""
        turns = [(turn, edges_with_bone(self._tiles[tile].bones, turn)) for turn in TURNS]
        for x, y, facing in self._surroundings:
            for turn, bones in turns:
                placed = Built(tile, x, y, turn)
                worth, joins = _look(facing, bones)
                yield Placement(worth + self._closed_by(placed) if joins else worth, placed)

    @cached_property
    def _surroundings(self) -> list[tuple[int, int, tuple[bool | None, ...]]]:
        """All places, each with what its neighbours have at its edges."""
        return [(x, y, tuple([self._faces(x, y, edge) for edge in range(4)])) for x, y in self.places]

    def _faces(self, x: int, y: int, edge: int) -> bool | None:
        beside = self._bones.get(neighbour(x, y, edge))
        return None if beside is None else (edge + 2) % 4 in beside

    def _closed_by(self, placed: Built) -> int:
        closed = closed_creatures((*self._built, placed), self._tiles, len(self._built))
        return sum(creature.points for creature in closed)

    # --- Jewellery --------------------------------------------------------------------------------------------

    def best_line(self, kinds: Sequence[str]) -> Scored | None:
        """D15 The line that brings most now, in kinds that are not scored yet."""
        found: list[Scored] = []
        for line, tiles in runs(self._built):
            for kind in kinds:
                symbols, values = line_points(tiles, self._tiles, kind)
                if symbols and kind not in self._scored:
                    found.append(Scored(symbols * values, line, tiles[0].x, tiles[0].y, kind))
        return max(found, key=lambda scored: scored.points, default=None)

    def patient(self, points: int, hurry: bool) -> bool:
        """Whether it is better to wait: a kind counts once, and lines still grow."""
        free = FULL - len(self._built)
        return points <= 0 or (not hurry and points < 2 + free)


# --- Bids: which stones they lay on which tiles ---------------------------------------------------------------

OWN_STONE = 0.8
"""How often an own stone is laid in the first bidding round."""
GIVE_UP = 0.35
"""How often a player lays nothing although they could."""


class Stone(NamedTuple):
    """One stone: on whose tile, of whose colour."""

    on: Seat
    colour: Seat


def stones_to_lay(table: Table, tie: str, seat: Seat, worth: list[float], luck: Random) -> list[Stone]:
    """D4, D5 A bid that the rules accept; `worth` is what each offered tile is worth for this player."""
    wish = sorted(table_seats(table), key=lambda on: worth[on] + luck.uniform(0, 1.5), reverse=True)
    if table.bidding == 1:
        return _first_bid(table, seat, wish, luck)
    most = 2 + (table.bidding == 2 and table.darwin_card == seat)
    needed = [to_lead(table, tie, seat, on) for on in wish[:2]]
    return _later_bid(seat, list(zip(wish, needed, strict=False)), min(most, table.stones[seat][seat]), luck)


def table_seats(table: Table) -> range:
    return range(len(table.money))


def _first_bid(table: Table, seat: Seat, wish: list[Seat], luck: Random) -> list[Stone]:
    """The foreign stones go where they hurt least: on what this player wants least."""
    held = [colour for colour in table_seats(table) for _ in range(table.stones[seat][colour]) if colour != seat]
    luck.shuffle(held)
    stones = [Stone(wish[-1 - luck.randrange(2)], colour) for colour in held[:2]]
    if table.stones[seat][seat] and luck.random() < OWN_STONE:
        stones.append(Stone(wish[0], seat))
    return stones


def _later_bid(seat: Seat, wish: list[tuple[Seat, int]], most: int, luck: Random) -> list[Stone]:
    """Take the lead on the tile that is wanted most, else on the next one, as far as the stones reach."""
    if luck.random() < GIVE_UP:
        return []
    stones: list[Stone] = []
    for on, needed in wish:
        if 0 < needed <= most - len(stones):
            stones += [Stone(on, seat)] * needed
    return stones


def to_lead(table: Table, tie: str, seat: Seat, on: Seat) -> int:
    """D6, D7 So many stones more give this player the tile as it lies there: who comes first wins a tie."""
    order = precedence(table.start, len(table.money), tie)
    first = set(order[: order.index(seat)])
    beaten = [count + (other in first and count > 0) for other, count in enumerate(table.on[on]) if other != seat]
    return max(*beaten, 1) - table.on[on][seat]


# --- The hand that the simulated stack has dealt to a person: always the same for the same game ---------------

DRAWN = 2


class Hand(Struct, frozen=True):
    """D18 As many tiles as all players can count. D1 A player who buys holds two more until they offer. Of the rest
    they keep the tile with the highest value, and the others go back under the stack."""

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
        """D21 A tile that another player has named as well is named again: until then it is in the hand."""
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


BUY = 0.25
"""How often a player with enough money exchanges poor tiles."""
RICH = 8
POOR_HAND = 2.0
BY_HAND = 0.4
"""How often a place is said with two buttons, if it takes few presses."""
FEW_PRESSES = 4
KEPT = 2


class Memory(Struct, frozen=True):
    hands: dict[Seat, tuple[str, ...]] = {}
    gone: frozenset[str] = frozenset()
    """Tiles that were offered once: they are in no stack any more."""
    game: int = 0
    """Which game of the match this is about."""


class Players:
    """What each of them does next. The stacks lie as the seed has shuffled them. After a restart, players who forgot
    their hand take other tiles from the stacks: no other player knows what was in it."""

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats, self._kit = seed, sorted(seats), kit
        self.memory = Memory()
        self.deals = False
        self._displays: dict[Seat, tuple[Any, Display]] = {}
        self._hands: dict[Seat, tuple[object, Folded[Hand]]] = {}
        """What persons hold: of which game and which stack, and the hand."""

    # --- Dealing to persons -----------------------------------------------------------------------------------

    def table_does(self, state: State) -> tuple[str, ...]:
        return ()

    def from_hand(self, state: State) -> tuple[str, ...]:
        return {"setup": ("build",), "offer": ("offer",)}.get(state.phase, ())

    def dealt(self, game: int, past: Sequence[PastStep], state: State, seat: Seat) -> Sequence[Thing]:
        """D18, D1 What this seat has drawn and not used."""
        pile = self._pile(tuple(tile.id for tile in state.box.tiles), game, seat, len(state.seats))
        first: State = past[0].before if past else state
        known = self._hands.get(seat)
        if known is None or known[0] != (game, pile):
            begin = Hand(seat, pile).drawn(first.hands[seat])
            known = self._hands[seat] = ((game, pile), Folded(begin, Hand.after))
        return [Thing("tile", tile) for tile in known[1].over(past).fresh(state)]

    def _pile(self, tiles: tuple[str, ...], game: int, seat: Seat, players: int) -> tuple[str, ...]:
        """Of the shuffled stack, what this seat will draw: where several draw at once, each has the next tile."""
        return self._stack(tiles, game)[seat::players]

    def _stack(self, tiles: tuple[str, ...], game: int) -> tuple[str, ...]:
        return shuffled(tiles, self._seed, game, "stacks")

    def _of_persons(self, snapshot: Snapshot) -> set[str]:
        """What is for persons to draw."""
        players = len(snapshot.players)
        persons = [seat for seat in range(players) if seat not in self._seats] if self.deals else []
        tiles = tuple(tile.id for tile in snapshot.box.tiles)
        return {tile for seat in persons for tile in self._pile(tiles, len(snapshot.match), seat, players)}

    # --- Playing ----------------------------------------------------------------------------------------------

    def held(self, snapshot: Snapshot, seat: Seat) -> frozenset[str]:
        """The tiles in this player's hand: nobody tells the rules which they are."""
        self._look(snapshot)
        return frozenset(self.memory.hands[seat])

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        """What comes next; None when only a person can go on."""
        if snapshot.awaiting is None:
            return None
        acting = [seat for seat in snapshot.awaiting.seats if seat in self._seats]
        if not acting:
            return None
        self._look(snapshot)
        seat = acting[self._chance(snapshot, "order", len(acting)).randrange(len(acting))]
        return self._PLANS[snapshot.table.phase](self, snapshot, seat)

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """What hands might do wrong just before this plan. Nothing of it changes the game, or half an action."""
        return list(self._wrong(snapshot, plan))

    # --- Hands ------------------------------------------------------------------------------------------------

    def _look(self, snapshot: Snapshot) -> None:
        """D18 Draw until the hand has as many tiles as all players can count."""
        if self.memory.game != len(snapshot.match):
            self.memory = Memory(game=len(snapshot.match))
        table: Table = snapshot.table
        self.memory = replace(self.memory, gone=self.memory.gone | _seen(table) | self._refused(snapshot))
        for seat in self._seats:
            hand = tuple(tile for tile in self.memory.hands.get(seat, ()) if tile not in self.memory.gone)
            missing = table.hands[seat] + _offered_face_down(snapshot, seat) - len(hand)
            drawn = self._draw(snapshot, max(missing, 0))
            self.memory = replace(self.memory, hands=self.memory.hands | {seat: (*hand, *drawn)})

    def _draw(self, snapshot: Snapshot, count: int) -> tuple[str, ...]:
        """From the top of the stacks: the first tiles that no player has seen or holds."""
        if not count:
            return ()
        stack = self._stack(tuple(tile.id for tile in snapshot.box.tiles), len(snapshot.match))
        held = {tile for hand in self.memory.hands.values() for tile in hand} | self.memory.gone
        held |= self._of_persons(snapshot)
        return tuple([tile for tile in stack if tile not in held][:count])

    def _refused(self, snapshot: Snapshot) -> frozenset[str]:
        """After a restart a tile may turn out to be used: then it is not the one that this player holds."""
        if snapshot.table.phase != "offer":
            return frozenset()
        gone: set[str] = set()
        for told in reversed(snapshot.history):
            if told.kind in ("accepted", "undone"):
                break
            seat = told.facts.get("seat")
            if told.what == "used already" and told.kind == "refused" and isinstance(seat, int):
                gone.update(self._to_offer(snapshot, seat)[:1] if seat in self.memory.hands else ())
        return frozenset(gone)

    # --- Set-up and building ----------------------------------------------------------------------------------

    def _set_up(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """The first tile just lies there; the second one is joined to it, if possible."""
        luck = self._chance(snapshot, "set-up", seat, len(snapshot.table.built[seat]))
        display = self._display(snapshot, seat)
        hand = self.memory.hands[seat]
        if not snapshot.table.built[seat]:
            tiles = _tiles(snapshot)
            tile = max(hand, key=lambda tile: ((tiles[tile].value or 0) >= 0, luck.random()))
            return self._build(snapshot, seat, Built(tile, 0, 0, luck.choice((0, 90, 180, 270))), luck)
        return self._build(snapshot, seat, _best(display, hand), luck)

    def _build_won(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """D11 The tile that fits best comes first. D19 What has no place is discarded, what is least worth first."""
        luck = self._chance(snapshot, "build", seat, len(snapshot.table.won[seat]))
        display = self._display(snapshot, seat)
        offered = [action for action in snapshot.offered if action.seat == seat]
        buildable = {action.tile for action in offered if isinstance(action, Build)}
        if buildable:
            return self._build(snapshot, seat, _best(display, sorted(buildable)), luck)
        tile = min((action.tile for action in offered if isinstance(action, Discard)), key=display.worth)
        return NextAct(seat, luck.randint(900, 2000), Say(Discard(seat, tile)))

    def _build(self, snapshot: Snapshot, seat: Seat, place: Built, luck: Random) -> NextAct:
        """On the screen; or, if few presses are enough, with the tile itself and two buttons."""
        build = Build(seat, place.tile, place.x, place.y, place.turn)
        think_ms = luck.randint(900, 2500)
        steps = [action for action in snapshot.offered if action.seat == seat and action.tile == place.tile]
        at = [(action.x, action.y) for action in steps if isinstance(action, Build)].index((place.x, place.y))
        if luck.random() >= BY_HAND or at + place.turn // 90 > FEW_PRESSES:
            return NextAct(seat, think_ms, Say(build), first=self._tidy(snapshot))
        so_far = snapshot.draft
        if not isinstance(so_far, Build) or so_far.tile != place.tile:
            tile = Thing("tile", place.tile)
            return NextAct(seat, think_ms, Tap(tile) if self._kit == "one" else Lay(tile, seat), then=(Clear(seat),))
        if (so_far.x, so_far.y) != (place.x, place.y):
            return NextAct(seat, 700, Press("green", seat))
        return NextAct(seat, 700, Press("green", seat, held=True) if so_far == build else Press("red", seat))

    # --- Buying and offering ----------------------------------------------------------------------------------

    def _buy(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """D1 With a poor hand and some money; the two best of the four are kept."""
        luck = self._chance(snapshot, "buy", seat)
        think_ms = luck.randint(700, 1500)
        display = self._display(snapshot, seat)
        hand = self.memory.hands[seat]
        able = snapshot.awaiting is not None and "buy" in snapshot.awaiting.do
        poor = max(map(display.worth, hand), default=0.0) < POOR_HAND
        if not able or not poor or snapshot.table.money[seat] < RICH or luck.random() >= BUY:
            return NextAct(seat, think_ms, Press("red", seat), first=self._tidy(snapshot), decides=False)
        four = sorted((*hand, *self._draw(snapshot, DRAWN)), key=display.worth, reverse=True)
        self.memory = replace(self.memory, hands=self.memory.hands | {seat: tuple(four[:KEPT])})
        return NextAct(seat, think_ms, Press("green", seat), first=self._tidy(snapshot), decides=False)

    def _offer(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """D2 At one's own pad in any order; with one reader one after another from the start player on."""
        if self._kit == "one":
            waiting = snapshot.awaiting.seats if snapshot.awaiting else ()
            count = len(snapshot.players)
            seat = min(waiting, key=lambda each: (each - snapshot.table.start) % count)
            if seat not in self._seats:
                seat = next(each for each in waiting if each in self._seats)
                return NextAct(seat, 900, Say(self._offer_action(snapshot, seat)))
        tile = Thing("tile", self._to_offer(snapshot, seat)[0])
        think_ms = self._chance(snapshot, "offer", seat).randint(900, 3000)
        return NextAct(seat, think_ms, Lay(tile, seat))

    def _offer_action(self, snapshot: Snapshot, seat: Seat) -> Any:
        tile = self._to_offer(snapshot, seat)[0]
        return next(action for action in snapshot.offered if action.seat == seat and action.tile == tile)

    def _to_offer(self, snapshot: Snapshot, seat: Seat) -> list[str]:
        """A player's tiles: mostly, the one that they would rather part with comes first."""
        display = self._display(snapshot, seat)
        hand = sorted(self.memory.hands[seat], key=display.worth)
        return hand if self._chance(snapshot, "offer", seat).random() < 0.5 else hand[::-1]

    # --- Bidding ----------------------------------------------------------------------------------------------

    def _bid(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """D4, D5 Stone by stone: the next press on the way to the bid that this player wants."""
        table: Table = snapshot.table
        luck = self._chance(snapshot, "bid", seat, table.bidding or 0)
        display = self._display(snapshot, seat)
        worth = [0.0 if tile is None else display.worth(tile) for tile in table.offers]
        wanted = stones_to_lay(table, snapshot.options.get("tie", "clockwise"), seat, worth, luck)
        half = snapshot.draft if isinstance(snapshot.draft, HalfBid) else HalfBid(seat)
        laid = [Stone(stones.on, stones.colour) for stones in half.stones]
        think_ms = 700 + (0 if laid or half.on is not None else luck.randint(0, 1500))
        if laid != wanted[: len(laid)]:
            return NextAct(seat, think_ms, Press("red", seat, held=True))
        if len(laid) == len(wanted):
            return NextAct(seat, think_ms, Press("green", None))
        return NextAct(seat, think_ms, self._press(snapshot, half, wanted[len(laid)]))

    def _press(self, snapshot: Snapshot, half: HalfBid, stone: Stone) -> HandAct:
        """On the pad whose tile is meant; with one reader the tile is tapped first."""
        if half.colours:
            if self._kit == "full":
                return Press("green", stone.colour)
            return Press("green" if half.colours[0] == stone.colour else "red", None)
        if self._kit == "one" and half.on != stone.on:
            return Tap(Thing("tile", snapshot.table.offers[stone.on] or ""))
        return Press("green" if stone.colour == half.seat else "red", stone.on)

    # --- Jewellery --------------------------------------------------------------------------------------------

    def _score(self, snapshot: Snapshot, seat: Seat) -> NextAct:
        """D15 A line that brings something, and more as the display grows; at the end whatever there is."""
        table: Table = snapshot.table
        luck = self._chance(snapshot, "jewels", seat)
        think_ms = luck.randint(800, 2000)
        display = self._display(snapshot, seat)
        best = display.best_line(snapshot.box.jewels)
        hurry = max(map(len, table.built)) >= 11 or table.stack < 2 * len(table.hands)
        if best is None or display.patient(best.points, hurry):
            return NextAct(seat, think_ms, Press("red", seat), first=self._tidy(snapshot))
        action = Jewels(seat, best.line, best.x, best.y, best.kind)
        if snapshot.draft == action:
            return NextAct(seat, 700, Press("green", seat, held=True))
        if snapshot.draft is None and luck.random() < BY_HAND:
            marker = Thing("jewel", best.kind, seat)
            return NextAct(seat, think_ms, Tap(marker) if self._kit == "one" else Tap(marker, seat))
        return NextAct(seat, think_ms, Say(action))

    # --- Mistakes ---------------------------------------------------------------------------------------------

    def _wrong(self, snapshot: Snapshot, plan: NextAct) -> Iterator[HandAct]:
        table: Table = snapshot.table
        built = [placed.tile for display in table.built for placed in display]
        if built and table.phase != "offer":
            yield Tap(Thing("tile", built[len(built) // 2]))
        if built and table.phase == "offer" and self._kit == "full":
            yield Tap(Thing("tile", built[-1]), plan.seat)
        if len(snapshot.players) < COLOURS and table.phase != "bid":
            yield Tap(Thing("jewel", snapshot.box.jewels[0], COLOURS - 1))
        if table.phase in ("setup", "build", "bid", "buy"):
            yield Tap(Thing("jewel", snapshot.box.jewels[-1], plan.seat))
        if table.phase == "offer":
            yield Press("green", plan.seat)
        if self._kit == "full" and table.phase in ("setup", "buy", "build", "jewels"):
            yield from (Press("green", other) for other in self._seats if other != plan.seat)

    # --- What all of them have in common ----------------------------------------------------------------------

    def _tidy(self, snapshot: Snapshot) -> tuple[HandAct, ...]:
        """Offered tiles leave the pads when they have been won."""
        return () if snapshot.draft is not None else (Clear(),)

    def _display(self, snapshot: Snapshot, seat: Seat) -> Display:
        """Looked at once, as long as nothing is built in it: to find the best places takes its time."""
        table: Table = snapshot.table
        seen = (snapshot.box.tiles, table.built[seat], table.jewels_scored[seat])
        before, display = self._displays.get(seat, (None, None))
        if display is None or before != seen:
            display = Display(table, _tiles(snapshot), seat)
            self._displays[seat] = seen, display
        return display

    def _chance(self, snapshot: Snapshot, *what: int | str) -> Random:
        return chance(self._seed, len(snapshot.match), snapshot.table.round, *what)

    _PLANS = {
        "setup": _set_up,
        "buy": _buy,
        "offer": _offer,
        "bid": _bid,
        "build": _build_won,
        "jewels": _score,
    }


def _tiles(snapshot: Snapshot) -> dict[str, Tile]:
    return {tile.id: tile for tile in snapshot.box.tiles}


def _seen(table: Table) -> frozenset[str]:
    """Tiles that all players can see: they are in no hand and in no stack."""
    built = [placed.tile for display in table.built for placed in display]
    won = [tile for tiles in table.won for tile in tiles]
    return frozenset([*built, *won, *(tile for tile in table.offers if tile is not None)])


def _offered_face_down(snapshot: Snapshot, seat: Seat) -> int:
    """D21 A player's own offer lies face down, and they still know it."""
    offering = snapshot.table.phase == "offer"
    return int(offering and snapshot.awaiting is not None and seat not in snapshot.awaiting.seats)


def _best(display: Display, tiles: Sequence[str]) -> Built:
    """The tile and the place that look best together."""
    found = [placement for tile in tiles if (placement := display.best(tile)) is not None]
    return max(found, key=lambda placement: placement.worth).place
