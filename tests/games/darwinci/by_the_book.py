"""Displays and auctions of Darwinci a second time, slow and obvious, to disagree with the rules if they are wrong."""

from typing import Any

NEXT = {"N": "E", "E": "S", "S": "W", "W": "N"}
"""A quarter turn clockwise."""


def edges_of(group: str, x: int, y: int, turn: int) -> list[tuple[float, float]]:
    """The midpoints of the sides of a tile that a piece of bone reaches."""
    for _ in range(turn // 90):
        group = "".join(NEXT[edge] for edge in group)
    middles = {"N": (x, y - 0.5), "E": (x + 0.5, y), "S": (x, y + 0.5), "W": (x - 0.5, y)}
    return [middles[edge] for edge in group]


def creatures(display: list[tuple[tuple[str, ...], int, int, int]]) -> list[tuple[int, int]]:
    """Tiles and end pieces of every closed creature, smallest first. A display is a list of bones, x, y and turn.

    Two bones are joined where they reach the same midpoint. Every bone gets a number, and joined bones get the smaller
    one of theirs, again and again until nothing changes.
    """
    bones: list[dict[str, Any]] = [
        {"tile": number, "ends": edges_of(group, x, y, turn), "creature": (number, which)}
        for number, (groups, x, y, turn) in enumerate(display)
        for which, group in enumerate(groups)
    ]
    changed = True
    while changed:
        changed = False
        for one in bones:
            for other in bones:
                if set(one["ends"]) & set(other["ends"]) and one["creature"] > other["creature"]:
                    one["creature"] = other["creature"]
                    changed = True
    found = []
    for creature in {bone["creature"] for bone in bones}:
        members = [bone for bone in bones if bone["creature"] == creature]
        middles = [end for bone in members for end in bone["ends"]]
        if all(middles.count(middle) == 2 for middle in middles):
            found.append((len({bone["tile"] for bone in members}), sum(len(bone["ends"]) == 1 for bone in members)))
    return sorted(found)


def places(taken: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Where the next tile may lie: try every 3×4 and 4×3 window that covers all tiles."""
    found = set()
    for width, height in ((3, 4), (4, 3)):
        for left in range(-12, 13):
            for top in range(-12, 13):
                window = {(left + dx, top + dy) for dx in range(width) for dy in range(height)}
                if taken <= window:
                    found |= {
                        (x, y) for x, y in window - taken if {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & taken
                    }
    return found


def better_seat(players: int, start: int, tied: list[int], tie: str) -> int:
    """Whom a tie goes to: a walk round the table from the start player, to the left one seat after another; or, where
    nearness counts, to the left and to the right at the same time, looking to the left first."""
    for steps in range(players):
        if (start + steps) % players in tied:
            return (start + steps) % players
        if tie == "nearest" and (start - steps) % players in tied:
            return (start - steps) % players
    raise AssertionError("no players are tied")


def settle(
    players: int, start: int, stones: list[list[int]], on: list[list[int]], tie: str = "clockwise"
) -> dict[str, Any]:
    """Who wins what and who holds which stones afterwards, moving one stone after another."""
    stones = [list(held) for held in stones]
    winners: list[int | None] = []
    for offerer in range(players):
        heap = [colour for colour in range(players) for _ in range(on[offerer][colour])]
        if not heap:
            winners.append(None)
            continue
        best = max(heap.count(colour) for colour in heap)
        winner = better_seat(players, start, [colour for colour in heap if heap.count(colour) == best], tie)
        winners.append(winner)
        got_one = False
        for colour in heap:
            if colour != winner:
                stones[colour][colour] += 1
            elif winner == offerer or not got_one:
                stones[winner][colour] += 1
                got_one = True
            else:
                stones[offerer][colour] += 1
    beside = winners[start]
    counter = (start + 1) % players if beside is None or beside == start else beside
    return {"winners": winners, "stones": stones, "counter": counter}


# --- A whole game ---------------------------------------------------------------------------------------------


class ByTheBook:
    """A table that players push things about on, written from the rule book. It knows no refusals."""

    def __init__(self, players: int, first: int, options: dict[str, str], tiles: dict[str, dict[str, Any]]) -> None:
        self.players, self.options, self.tiles = players, options, tiles
        self.round, self.start, self.counter = 1, first, first
        self.money = [12] * players
        self.stones = [[0] * players for _ in range(players)]
        for seat in range(players):
            self.stones[seat][seat] += 7
            self.stones[(seat + 1) % players][seat] += 1
            self.stones[seat - 1][seat] += 1
        self.offered: dict[int, str] = {}
        self.on = [[0] * players for _ in range(players)]
        self.built: list[list[dict[str, Any]]] = [[] for _ in range(players)]
        self.hands = [4] * players
        self.stack = len(tiles) - 4 * players
        self.card: int | None = None
        self.scored_kinds: list[list[str]] = [[] for _ in range(players)]
        self.creatures: list[list[int]] = [[] for _ in range(players)]
        self.paid: list[list[tuple[int, int]]] = [[] for _ in range(players)]
        self.won: list[list[str]] = [[] for _ in range(players)]
        self.phase, self.bidding = "setup", None
        self.answers = 0
        """How many have answered what is asked of all players in turn."""

    def turn(self) -> int:
        return (self.start + self.answers) % self.players

    def do(self, do: str, seat: int, **what: Any) -> None:
        getattr(self, do)(seat, **what)

    def pay(self, seat: int, darwin: int) -> None:
        self.money[seat] += darwin
        if darwin < 0 and self.options.get("minus") == "floor":
            self.money[seat] = max(0, self.money[seat])

    # What players do

    def build(self, seat: int, tile: str, x: int, y: int, turn: int) -> None:
        self.built[seat].append({"tile": tile, "x": x, "y": y, "turn": turn})
        if (self.tiles[tile]["value"] or 0) < 0:
            self.pay(seat, self.tiles[tile]["value"])
        if self.phase == "setup":
            self.hands[seat] -= 1
            if all(len(built) == 2 for built in self.built):
                self.phase = "buy"
        else:
            self.won[seat].remove(tile)
            self.all_built()

    def discard(self, seat: int, tile: str) -> None:
        self.won[seat].remove(tile)
        self.all_built()

    def buy(self, seat: int) -> None:
        self.pay(seat, -3)
        self.keep(seat)

    def keep(self, seat: int) -> None:
        assert seat == self.turn()
        self.answers += 1
        if self.answers == self.players:
            self.answers, self.phase = 0, "offer"

    def offer(self, seat: int, tile: str) -> None:
        self.hands[seat] -= 1
        self.offered[seat] = tile
        if len(self.offered) == self.players:
            self.phase, self.bidding = "bid", 1

    def bid(self, seat: int, stones: list[dict[str, int]]) -> None:
        assert seat == self.turn()
        for some in stones:
            for _ in range(some["count"]):
                self.stones[seat][some["colour"]] -= 1
                self.on[some["on"]][some["colour"]] += 1
        self.answers += 1
        if self.answers < self.players:
            return
        self.answers = 0
        if self.bidding != 3:
            self.bidding += 1
            return
        told = settle(self.players, self.start, self.stones, self.on, self.options.get("tie", "clockwise"))
        self.stones, self.counter = told["stones"], told["counter"]
        for offerer in range(self.players):
            if told["winners"][offerer] is not None:
                self.won[told["winners"][offerer]].append(self.offered[offerer])
        self.offered, self.bidding = {}, None
        self.on = [[0] * self.players for _ in range(self.players)]
        self.phase = "build"
        self.all_built()

    def all_built(self) -> None:
        """When no player has a tile left to build, all creatures are counted anew; what is more than before is paid."""
        if any(self.won):
            return
        for seat, built in enumerate(self.built):
            display = [(self.tiles[each["tile"]]["bones"], each["x"], each["y"], each["turn"]) for each in built]
            found = creatures(display)
            for tiles, ends in found:
                if found.count((tiles, ends)) > self.paid[seat].count((tiles, ends)):
                    self.paid[seat].append((tiles, ends))
                    self.pay(seat, tiles * ends)
                    self.creatures[seat] = sorted([*self.creatures[seat], tiles])[::-1]
        self.phase = "jewels"

    def jewels(self, seat: int, line: str, x: int, y: int, kind: str, **stretch: int) -> None:
        """From the named tile on in both directions as far as tiles lie there; or only the named stretch."""
        at = {(each["x"], each["y"]): self.tiles[each["tile"]] for each in self.built[seat]}
        dx, dy = {"row": (1, 0), "column": (0, 1)}[line]
        cells = [(x, y)]
        while (cells[-1][0] + dx, cells[-1][1] + dy) in at:
            cells.append((cells[-1][0] + dx, cells[-1][1] + dy))
        while (cells[0][0] - dx, cells[0][1] - dy) in at:
            cells.insert(0, (cells[0][0] - dx, cells[0][1] - dy))
        if self.options.get("run") == "part" and stretch:
            cells = [cell for cell in cells if stretch["from"] <= cell[line == "column"] <= stretch["to"]]
        symbols = sum(at[cell]["jewels"].count(kind) for cell in cells)
        self.pay(seat, symbols * sum(at[cell]["value"] or 0 for cell in cells))
        self.scored_kinds[seat].append(kind)
        self.skip(seat)

    def skip(self, seat: int) -> None:
        assert seat == self.turn()
        self.answers += 1
        if self.answers == self.players:
            self.answers = 0
            self.end_of_round()

    def end_of_round(self) -> None:
        if any(len(built) == 12 for built in self.built):
            self.phase = "over"
            return
        self.darwin_card()
        if self.stack < self.players:
            self.phase = "over"
            return
        self.stack -= self.players
        self.hands = [hand + 1 for hand in self.hands]
        self.round += 1
        self.start = self.counter
        self.phase = "buy"

    def darwin_card(self) -> None:
        fewest = [seat for seat in range(self.players) if len(self.built[seat]) == min(map(len, self.built))]
        if len(fewest) == 1:
            (self.card,) = fewest
            return
        seat = self.counter - 1 if self.card is None else self.card
        while True:
            seat = (seat + 1) % self.players
            if seat in fewest:
                self.card = seat
                return

    def table(self) -> dict[str, Any]:
        shown = len(self.offered) == self.players
        return {
            "round": self.round,
            "start": self.start,
            "phase": self.phase,
            "bidding": self.bidding,
            "money": self.money,
            "stones": self.stones,
            "offers": [self.offered[seat] if shown else None for seat in range(self.players)],
            "on": self.on,
            "built": self.built,
            "hands": self.hands,
            "stack": self.stack,
            "darwin_card": self.card,
            "jewels_scored": self.scored_kinds,
            "creatures": self.creatures,
            "won": self.won,
            "counter": self.counter,
        }
