"""Simulated players of Darwinci. They see the public table and know the tiles in their own hands.

They offer by laying tiles on their pads and bid by pressing buttons, stone by stone. Where a tile is built they say on
the screen, or with two buttons if it takes only a few presses.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

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
from companion.games.darwinci.rules.state import Build, Discard, Jewels, State
from companion.games.darwinci.simulated.bids import Stone, stones_to_lay
from companion.games.darwinci.simulated.hand import Hand
from companion.games.darwinci.simulated.worth import Display
from companion.games.darwinci.view import Built, HalfBid, Table

BUY = 0.25
"""How often somebody with enough money exchanges poor tiles."""
RICH = 8
POOR_HAND = 2.0
BY_HAND = 0.4
"""How often a place is said with two buttons, if it takes few presses."""
FEW_PRESSES = 4
DRAWN = 2
KEPT = 2


class Memory(Struct, frozen=True):
    hands: dict[Seat, tuple[str, ...]] = {}
    gone: frozenset[str] = frozenset()
    """Tiles that were offered once: they are in no stack any more."""
    game: int = 0
    """Which game of the match this is about."""


class Players:
    """What each of them does next. The stacks lie as the seed has shuffled them. After a restart, players who forgot
    their hand take other tiles from the stacks: nobody knows what was in it."""

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
        """D18 Draw until the hand has as many tiles as everybody can count."""
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
        """From the top of the stacks: the first tiles that nobody has seen or holds."""
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
            return NextAct(seat, think_ms, Press("red", seat), first=self._tidy(snapshot))
        four = sorted((*hand, *self._draw(snapshot, DRAWN)), key=display.worth, reverse=True)
        self.memory = replace(self.memory, hands=self.memory.hands | {seat: tuple(four[:KEPT])})
        return NextAct(seat, think_ms, Press("green", seat), first=self._tidy(snapshot))

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
    """Tiles that everybody can see: they are in no hand and in no stack."""
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
