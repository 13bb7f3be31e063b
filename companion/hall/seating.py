"""Who sits where in a round: as few repeated opponents as possible, fair byes, and a reason for every table. Pure: the
same seed seats the same players alike.

Two seatings are compared, and the one with fewer repeats counts. A *design* comes from algebra: with as many tables as
a field has elements, no two players meet twice in that many rounds. It fits 9, 12, 16, 20 and many more players, which
a search rarely solves. The *search* swaps players who have met before, and fits everything: late arrivals, players who
went home, seatings that the director has changed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

from msgspec import Struct

from companion.hall.hall_texts import OrderRefusedError
from companion.language.facts import N_

FAVOURITE = 4
"""Players at a table, if that is possible: table points are made for four."""
SWAPS, SWAPS_A_PLAYER = 60_000, 1_500
"""How many swaps a search looks at: half a second at most."""
CANDIDATES = 48
"""Players with whom one may swap, if there are many."""
TOO_LONG = 400
"""Swaps without progress, after which a search shuffles some tables."""

Group = tuple[int, ...]
"""The players at one table, as numbers."""


class SeatingReason(Struct, frozen=True, omit_defaults=True):
    """Why players sit together, or have a bye: a message id and its facts (`hall_texts.py` has the sentences)."""

    what: str
    facts: dict[str, str | int | tuple[str, ...]] = {}


class Seating(Struct, frozen=True):
    """A round: the players of each table, clockwise, those who sit out, and why."""

    seats: dict[str, tuple[str, ...]]
    byes: tuple[str, ...] = ()
    reasons: dict[str, SeatingReason] = {}
    """By table, "" for the byes."""
    repeats: int = 0
    """Pairs who have met before."""


class SeatingRequest(Struct, frozen=True):
    """What a seating depends on."""

    players: Sequence[str]
    """Those who are here, in the order in which they arrived."""
    tables: Sequence[str]
    """Free tables; the first one is the top table."""
    sizes: tuple[int, int]
    """The fewest and the most players at a table."""
    earlier: Sequence[Iterable[Sequence[str]]] = ()
    """Who sat together, round by round."""
    byes: Mapping[str, int] = {}
    """How often players have sat out."""
    leaders: Sequence[str] = ()
    """With a top table: everybody, best first."""
    seed: int = 0
    """Of the night: the same in all rounds."""


# --- Tables and byes ------------------------------------------------------------------------------------------


def table_sizes(players: int, tables: int, sizes: tuple[int, int]) -> list[int]:
    """How many players sit at each table: all players if possible. The rest sits out; empty if no table can play."""
    fewest, most = sizes
    for playing in range(players, fewest - 1, -1):
        counts = [count for count in range(1, tables + 1) if fewest * count <= playing <= most * count]
        if counts:
            return _spread(playing, min(counts, key=lambda count: _awkward(playing, count)))
    return []


def _awkward(playing: int, count: int) -> tuple[bool, float, int]:
    """How bad so many tables are. A table with more players than there are tables repeats a pair in the next round."""
    spread = _spread(playing, count)
    return spread[0] > count, sum(abs(size - FAVOURITE) for size in spread) / count, -count


def _spread(playing: int, count: int) -> list[int]:
    """As equal as possible, large tables first."""
    size, more = divmod(playing, count)
    return [size + 1] * more + [size] * (count - more)


def _chosen_byes(request: SeatingRequest, count: int, chance: Random) -> tuple[str, ...]:
    """Those with the fewest byes so far, and of these by lot: never twice before all have had one."""
    lots = {name: chance.random() for name in request.players}
    ranked = sorted(request.players, key=lambda name: (request.byes.get(name, 0), lots[name]))
    chosen = {*ranked[:count]}
    return tuple(name for name in request.players if name in chosen)


# --- One round ------------------------------------------------------------------------------------------------


def seat_round(request: SeatingRequest) -> Seating:
    """Seat the next round. Raises OrderRefusedError if there are too few players or tables."""
    sizes = table_sizes(len(request.players), len(request.tables), request.sizes)
    if not sizes:
        raise _too_few(request)
    number = len(request.earlier) + 1
    chance = Random(f"{request.seed} {number}")
    byes = _chosen_byes(request, len(request.players) - sum(sizes), chance)
    names = [name for name in request.players if name not in byes]
    met = _meetings(request.earlier)
    top = _top_table(request, names, sizes, number)
    groups = [[names.index(name) for name in top]] if top else []
    rest = [index for index, name in enumerate(names) if name not in top]
    others, is_design = _groups(names, rest, sizes[len(groups) :], met, (request.seed, number))
    groups += others
    for group in groups:
        chance.shuffle(group)
    seats = {
        table: tuple(names[index] for index in group) for table, group in zip(request.tables, groups, strict=False)
    }
    repeated = {table: _repeated(group, met) for table, group in seats.items()}
    seating = Seating(seats, byes, {}, sum(map(len, repeated.values())))
    reasons = _reasons(request, seating, repeated, bool(top), is_design)
    return Seating(seats, byes, reasons, seating.repeats)


def _too_few(request: SeatingRequest) -> OrderRefusedError:
    if not request.tables:
        return OrderRefusedError(N_("No table has joined the hall yet. Start one with `companion play --hall`."))
    return OrderRefusedError(
        N_("A table needs {fewest} players, and {here:player has|players have} signed in."),
        fewest=request.sizes[0],
        here=len(request.players),
    )


Meetings = Mapping[str, Counter[str]]
"""Player → how often they met whom."""


def _meetings(earlier: Iterable[Iterable[Sequence[str]]]) -> Meetings:
    met: dict[str, Counter[str]] = {}
    for groups in earlier:
        for group in groups:
            for name in group:
                met.setdefault(name, Counter()).update(other for other in group if other != name)
    return met


def _repeated(group: Iterable[str], met: Meetings) -> list[tuple[str, str]]:
    return [(one, other) for one, other in combinations(group, 2) if one in met and met[one][other]]


def _top_table(request: SeatingRequest, names: Sequence[str], sizes: Sequence[int], number: int) -> list[str]:
    """The leaders who play in this round; nobody in the first round, or if there is only one table."""
    if number == 1 or len(sizes) < 2 or not request.leaders:
        return []
    playing = {*names}
    return [name for name in request.leaders if name in playing][: sizes[0]]


def _groups(
    names: Sequence[str], rest: list[int], sizes: Sequence[int], met: Meetings, lot: tuple[int, int]
) -> tuple[list[list[int]], bool]:
    """The better one of a design and a search, and whether it is the design."""
    costs = _Costs(names, met)
    seed, number = lot
    planned = _planned(rest, sizes, number, Random(seed))
    if planned and costs.total(planned) == 0:
        return planned, True
    found = _searched(rest, sizes, costs, Random(f"{seed} {number} search"))
    if planned and costs.total(planned) <= costs.total(found):
        return planned, True
    return found, False


# --- Designs --------------------------------------------------------------------------------------------------

FIELD_OF_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field with four elements; its sums are exclusive ors."""


def _is_field(order: int) -> bool:
    return order == 4 or (order > 1 and all(order % factor for factor in range(2, int(order**0.5) + 1)))


def _line(order: int, slope: int, place: int, start: int) -> int:
    """place × slope + start, in the field of this order: a prime, or four."""
    return FIELD_OF_FOUR[place][slope] ^ start if order == 4 else (place * slope + start) % order


def design_round(tables: int, size: int, number: int) -> list[Group]:
    """One round of a design for `tables` × `size` players, from 1: in `design_rounds` rounds no two meet twice.

    Players are points (place, height) of a grid: player number = place × tables + height. Round r has the lines with
    slope r. Two points with different places are on one line of exactly one slope; points of the same place never meet,
    but in one more round, if there are as many places as heights: the affine plane.
    """
    if number > tables:
        return [tuple(place * tables + height for height in range(tables)) for place in range(size)]
    return [
        tuple(place * tables + _line(tables, number - 1, place, start) for place in range(size))
        for start in range(tables)
    ]


def design_rounds(tables: int, size: int) -> int:
    """How many rounds a design has; 0 if there is none."""
    if not _is_field(tables) or size > tables:
        return 0
    return tables + (size == tables)


def _planned(rest: Sequence[int], sizes: Sequence[int], number: int, chance: Random) -> list[list[int]]:
    """The design's round for these players; empty if there is none. Missing players are points of the last place, which
    are at different tables."""
    tables, size = len(sizes), max(sizes, default=0)
    missing = tables * size - len(rest)
    if number > design_rounds(tables, size) - (missing > 0 and size == tables):
        return []
    order = list(rest)
    chance.shuffle(order)
    groups = [[order[point] for point in group if point < len(order)] for group in design_round(tables, size, number)]
    groups.sort(key=len, reverse=True)
    return groups if [len(group) for group in groups] == list(sizes) else []


# --- Searching ------------------------------------------------------------------------------------------------


class _Costs:
    """What it costs to seat players together who have met before: a third meeting costs more than two second ones."""

    def __init__(self, names: Sequence[str], met: Meetings) -> None:
        numbers = {name: number for number, name in enumerate(names)}
        self.of: list[dict[int, int]] = [
            {numbers[other]: times * times for other, times in met.get(name, {}).items() if other in numbers}
            for name in names
        ]

    def at(self, player: int, group: Sequence[int]) -> int:
        known = self.of[player]
        return sum([known.get(other, 0) for other in group]) if known else 0

    def total(self, groups: Iterable[Sequence[int]]) -> int:
        return sum(self.at(player, group) for group in groups for player in group) // 2


def _searched(rest: Sequence[int], sizes: Sequence[int], costs: _Costs, chance: Random) -> list[list[int]]:
    """Start by lot, then swap players who have met before, as long as that helps. The best of all is returned."""
    order = list(rest)
    chance.shuffle(order)
    players = iter(order)
    groups = [[next(players) for _ in range(size)] for size in sizes]
    if len(groups) < 2:
        return groups
    search = _Search(groups, costs, chance)
    search.run()
    return search.best


class _Search:
    def __init__(self, groups: list[list[int]], costs: _Costs, chance: Random) -> None:
        self._groups, self._costs, self._chance = groups, costs, chance
        self._at = {player: number for number, group in enumerate(groups) for player in group}
        self._everybody = list(self._at)
        self._total = self._least = costs.total(groups)
        self.best = [list(group) for group in groups]
        self._looked = 0

    def run(self) -> None:
        stale, most = 0, min(SWAPS, SWAPS_A_PLAYER * len(self._everybody))
        while self._least and self._looked < most:
            stale = 0 if self._step() else stale + 1
            if stale > TOO_LONG:
                self._shake()
                stale = 0

    def _step(self) -> bool:
        """Swap one player who has met another of the table. Returns whether this is the best seating so far."""
        player = self._troubled()
        if len(self._everybody) <= CANDIDATES:
            candidates = self._everybody
        else:
            candidates = self._chance.sample(self._everybody, CANDIDATES)
        best: list[tuple[int, int]] = []
        least = 1  # one step up is allowed now and then, or it would be stuck
        for other in candidates:
            if self._at[other] != self._at[player]:
                gain = self._change(player, other)
                if gain < least:
                    best, least = [(gain, other)], gain
                elif gain == least:
                    best.append((gain, other))
        self._looked += len(candidates)
        if not best:
            return False
        gain, other = self._chance.choice(best)
        if gain >= 1 and self._chance.random() > 0.1:
            return False
        self._swap(player, other, gain)
        return self._note()

    def _troubled(self) -> int:
        while True:
            group = self._chance.choice(self._groups)
            troubled = [player for player in group if self._costs.at(player, group)]
            if troubled:
                return self._chance.choice(troubled)

    def _change(self, one: int, other: int) -> int:
        here, there = self._groups[self._at[one]], self._groups[self._at[other]]
        at, of = self._costs.at, self._costs.of
        return at(one, there) + at(other, here) - at(one, here) - at(other, there) - 2 * of[one].get(other, 0)

    def _swap(self, one: int, other: int, gain: int) -> None:
        here, there = self._at[one], self._at[other]
        self._groups[here][self._groups[here].index(one)] = other
        self._groups[there][self._groups[there].index(other)] = one
        self._at[one], self._at[other] = there, here
        self._total += gain

    def _note(self) -> bool:
        if self._total >= self._least:
            return False
        self._least, self.best = self._total, [list(group) for group in self._groups]
        return True

    def _shake(self) -> None:
        """Move some players by lot."""
        for _ in range(max(2, len(self._groups) // 2)):
            one, other = self._chance.sample(self._everybody, 2)
            if self._at[one] != self._at[other]:
                self._swap(one, other, self._change(one, other))
        self._note()


# --- Reasons --------------------------------------------------------------------------------------------------


def _reasons(
    request: SeatingRequest,
    seating: Seating,
    repeated: Mapping[str, Sequence[tuple[str, str]]],
    has_top: bool,
    is_design: bool,
) -> dict[str, SeatingReason]:
    number = len(request.earlier) + 1
    reasons = {}
    for place, (table, names) in enumerate(seating.seats.items()):
        if has_top and place == 0:
            reasons[table] = SeatingReason("top table", {"round": number - 1})
        elif number == 1:
            reasons[table] = SeatingReason("by lot")
        elif repeated[table]:
            playing = sum(map(len, seating.seats.values()))
            reasons[table] = SeatingReason("repeats", {"pairs": _pairs(repeated[table]), "players": playing})
        else:
            new = [name for name in names if not any(name in group for groups in request.earlier for group in groups)]
            if 0 < len(new) < len(names):
                reasons[table] = SeatingReason("newcomers", {"names": tuple(new)})
            else:
                reasons[table] = SeatingReason("planned" if is_design else "no repeats")
    if seating.byes:
        here = len(request.players)
        seats = here - len(seating.byes)
        reasons[""] = SeatingReason("byes", {"names": seating.byes, "seats": seats, "players": here})
    return reasons


def _pairs(pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{one} – {other}" for one, other in pairs)
