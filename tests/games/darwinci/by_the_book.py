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
    bones = [
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


def settle(players: int, start: int, stones: list[list[int]], on: list[list[int]]) -> dict[str, Any]:
    """Who wins what and who holds which stones afterwards, moving one stone after another."""
    stones = [list(held) for held in stones]
    clockwise = [seat % players for seat in range(start, start + players)]
    winners: list[int | None] = []
    for offerer in range(players):
        heap = [colour for colour in range(players) for _ in range(on[offerer][colour])]
        if not heap:
            winners.append(None)
            continue
        best = max(heap.count(colour) for colour in clockwise)
        winner = next(colour for colour in clockwise if heap.count(colour) == best)
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
