"""How to think about Darwinci: which bids, places and lines are worth thinking about, and what a display promises."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from companion.gamekit import Game, Seat
from companion.gamekit.search import Judgement
from companion.games.darwinci.display import FULL, bodies, line_points, runs
from companion.games.darwinci.rules.engine import buildable, discardable
from companion.games.darwinci.rules.public_view import legal
from companion.games.darwinci.rules.state import Action, Bid, Build, Buy, Discard, Jewels, Offer, Skip, State
from companion.games.darwinci.simulated import Display, Stone, to_lead
from companion.games.darwinci.view import Built, Stones, foreign_due, most_stones

OPEN = 0.35
"""What a creature with open ends is worth, compared with one that is closed."""
GROWTH = 0.3
"""How much a line of jewellery may still grow with each free place."""
PLACES = 3
"""How many places are thought about for a tile."""
SOME = 12
"""Of the tiles that others may hold at the set-up, one in so many is thought about."""
KEPT = 4_000
"""Displays that are remembered."""


class DarwinciJudgement(Judgement[State, Action]):
    spread = 8.0
    habit = 0.5

    def __init__(self, game: Game[State, Action]) -> None:
        super().__init__(game)
        self._displays: dict[Any, Display] = {}
        self._gains: dict[tuple[Built, ...], dict[tuple[str, int, int, str], float]] = {}
        self._promises: dict[Any, tuple[float, tuple[float, ...]]] = {}

    def turn(self, state: State) -> Seat | None:
        if state.phase == "over":
            return None
        return state.offers.index(None) if state.phase == "offer" else state.turn

    # --- What to think about ----------------------------------------------------------------------------------

    def candidates(self, state: State, seat: Seat, held: frozenset[str] | None = None) -> Sequence[Action]:
        phase = state.phase
        if phase == "bid":
            return list(dict.fromkeys(self._bids(state, seat)))
        if phase == "offer":
            return [Offer(seat, tile) for tile in state.fresh if held is None or tile in held]
        if phase == "setup":
            some = state.fresh[seat::SOME] if held is None else [tile for tile in state.fresh if tile in held]
            return [*self._builds(state, seat, some)]
        if phase == "build":
            builds: list[Action] = [*self._builds(state, seat, buildable(state, seat))]
            return builds or [Discard(seat, tile) for tile in discardable(state, seat)]
        return legal(state)

    def _builds(self, state: State, seat: Seat, tiles: Iterable[str]) -> Iterator[Build]:
        display = self._display(state, seat)
        for tile in tiles:
            if not state.built[seat]:
                yield Build(seat, tile, 0, 0, 0)
            else:
                for place in display.best_places(tile, PLACES):
                    yield Build(seat, tile, place.x, place.y, place.turn)

    def _bids(self, state: State, seat: Seat) -> Iterator[Bid]:
        """D4 Foreign stones where they hurt least. D5 Nothing, or the lead on one or two tiles, or one stone more."""
        worth = self._worth(state, seat)
        wish = sorted(state.seats, key=lambda on: -worth[on])
        own = state.stones[seat][seat]
        if state.bidding == 1:
            for foreign in self._foreign(state, seat, wish):
                yield _bid(seat, foreign)
                if own:
                    yield from (_bid(seat, [*foreign, Stone(on, seat)]) for on in wish[:2])
            return
        most = min(most_stones(state, seat), own)
        yield _bid(seat, [])
        needed = {on: to_lead(state, state.options.tie, seat, on) for on in wish[:3]}  # type: ignore[arg-type]
        lead = {on: [Stone(on, seat)] * count for on, count in needed.items() if 0 < count <= most}
        for stones in lead.values():
            yield _bid(seat, stones)
            if len(stones) < most:
                yield _bid(seat, [*stones, stones[0]])
        for one, other in combinations(lead.values(), 2):
            if len(one) + len(other) <= most:
                yield _bid(seat, [*one, *other])
        for on in wish[:2]:
            if most and needed[on] <= 0:
                yield _bid(seat, [Stone(on, seat)])

    def _foreign(self, state: State, seat: Seat, wish: Sequence[Seat]) -> Iterator[list[Stone]]:
        held = [colour for colour in state.seats for _ in range(state.stones[seat][colour]) if colour != seat]
        due = foreign_due(state, seat)
        for colours in {tuple(held[:due]), tuple(held[::-1][:due])}:
            yield [Stone(wish[-1], colour) for colour in colours]
            yield [Stone(wish[-2], colour) for colour in colours]
            if len(colours) == 2:
                yield [Stone(wish[-1], colours[0]), Stone(wish[-2], colours[1])]

    def blunder(self, state: State, past: Sequence[Any], action: Action) -> bool:
        """D13 No own stone on a tile that costs more than it brings. D15 No line that costs money."""
        match action:
            case Bid(seat=seat, stones=stones):
                worth = self._worth(state, seat)
                return any(each.colour == seat and worth[each.on] < 0 for each in stones)
            case Jewels():
                return self._line(state, action) <= 0
        return False

    # --- First sight ------------------------------------------------------------------------------------------

    def weights(self, state: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float] | None:
        if state.phase == "offer":
            return None
        if state.phase == "buy":
            return [0.2 if isinstance(action, Buy) else 1.0 for action in actions]
        if state.phase == "bid":
            return self._bid_weights(state, seat, actions)
        display = self._display(state, seat)
        return [self._looks(state, display, action) for action in actions]

    def _bid_weights(self, state: State, seat: Seat, actions: Sequence[Action]) -> list[float]:
        """What is led with them, less a little for each stone."""
        worth = self._worth(state, seat)
        if state.bidding == 1:
            gains = [sum(worth[each.on] for each in bid.stones if each.colour == seat) for bid in _only(actions)]
        else:
            gains = [
                sum(worth[on] for on in {each.on for each in bid.stones}) - 0.3 * sum(each.count for each in bid.stones)
                for bid in _only(actions)
            ]
        return [1.0 + max(0.0, gain) for gain in gains]

    def _looks(self, state: State, display: Display, action: Action) -> float:
        match action:
            case Build(tile=tile, x=x, y=y, turn=turn):
                if not state.built[action.seat]:
                    return 1.0 + max(0.0, 3 + (state.tiles[tile].value or 0))
                return float(max(0.2, 3 + display.worth_at(Built(tile, x, y, turn))) ** 2)
            case Discard(tile=tile):
                return 1.0 / (1.0 + max(0.0, display.worth(tile)))
            case Jewels():
                return max(0.1, self._line(state, action) - 1.0)
            case Skip():
                return 2.0 + (FULL - len(state.built[action.seat])) * 0.7
        return 1.0

    def _line(self, state: State, action: Jewels) -> float:
        built = state.built[action.seat]
        known = self._gains.get(built)
        if known is None:
            if len(self._gains) > KEPT:
                self._gains.clear()
            known = self._gains[built] = dict(_gains(state, built))
        return known.get((action.line, action.x, action.y, action.kind), 0.0)

    # --- Looking ahead ----------------------------------------------------------------------------------------

    def stops(self, root: State, state: State) -> bool:
        return state.round > root.round

    def totals(self, state: State) -> Sequence[float]:
        """D20 Money, and what the displays promise until one of them is full."""
        if state.phase == "over":
            return state.money
        left = FULL - max(len(built) for built in state.built)
        return [money + self._promise(state, seat, left) for seat, money in enumerate(state.money)]

    def _promise(self, state: State, seat: Seat, left: int) -> float:
        """D14 Creatures that are not closed yet. D15 One kind of jewellery in each round that is left."""
        built, scored = state.built[seat], state.jewels_scored[seat]
        known = self._promises.get((built, scored))
        if known is None:
            if len(self._promises) > KEPT:
                self._promises.clear()
            known = self._promises[built, scored] = self._counted(state, built, scored)
        creatures, lines = known
        rounds = max(1, (left + 1) // 2)
        return creatures + sum(lines[:rounds])

    def _counted(
        self, state: State, built: tuple[Built, ...], scored: tuple[str, ...]
    ) -> tuple[float, tuple[float, ...]]:
        free = FULL - len(built)
        creatures = sum(OPEN * body.creature.points for body in bodies(built, state.tiles) if not body.closed and free)
        best = dict.fromkeys((kind for kind in state.box.jewels if kind not in scored), 0.0)
        for _, tiles in runs(built):
            for kind in best:
                symbols, values = line_points(tiles, state.tiles, kind)
                best[kind] = max(best[kind], symbols * (values + GROWTH * free))
        return creatures, tuple(sorted(best.values(), reverse=True))

    # --- What is looked at again and again --------------------------------------------------------------------

    def _worth(self, state: State, seat: Seat) -> list[float]:
        display = self._display(state, seat)
        return [0.0 if tile is None else display.worth(tile) for tile in state.offers]

    def _display(self, state: State, seat: Seat) -> Display:
        key = state.built[seat], state.jewels_scored[seat]
        display = self._displays.get(key)
        if display is None:
            if len(self._displays) > KEPT:
                self._displays.clear()
            display = self._displays[key] = Display(state, state.tiles, seat)  # type: ignore[arg-type]
        return display


def _gains(state: State, built: tuple[Built, ...]) -> Iterator[tuple[tuple[str, int, int, str], float]]:
    """D15 What each whole line brings, by its direction, its first tile and the kind."""
    for line, tiles in runs(built):
        for kind in state.box.jewels:
            symbols, values = line_points(tiles, state.tiles, kind)
            yield (line, tiles[0].x, tiles[0].y, kind), symbols * values


def _only(actions: Sequence[Action]) -> list[Bid]:
    return [action for action in actions if isinstance(action, Bid)]


def _bid(seat: Seat, stones: Sequence[Stone]) -> Bid:
    return Bid(seat, tuple([Stones(each.on, each.colour, stones.count(each)) for each in dict.fromkeys(stones)]))
