"""A small router for two layers: A* on a grid, one net after the other; who is in the way is taken out and comes again.

Distances are in millimetres. Pads go through both layers. The grid is a quarter of the 2.54 mm between most legs, so
one track fits between two of them. Two points of the grid that may both carry a net are far enough apart for it.
"""

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

GRID = 0.635
CLEARANCE = 0.2
TRACK = 0.3
WIDE = 0.8
VIA = 0.8
EDGE = 0.5
"""From copper to the edge of the board."""
VIA_COST = 10
AGAINST = 0.3
"""What a step costs more that goes across on the upper layer, or along on the lower one."""
IN_THE_WAY = 12
"""What a point costs more where another net would have to go."""


class Pad(NamedTuple):
    """A rectangle with round corners, seen from its middle; a disc if they are as big as half of it."""

    net: str
    x: float
    y: float
    half_width: float
    half_height: float
    corner: float

    def distance(self, x: float, y: float) -> float:
        """From its edge; less than zero inside."""
        aside = abs(x - self.x) - self.half_width + self.corner
        along = abs(y - self.y) - self.half_height + self.corner
        return math.hypot(max(aside, 0), max(along, 0)) + min(max(aside, along), 0) - self.corner


class Node(NamedTuple):
    layer: int
    column: int
    row: int


class Disc(NamedTuple):
    """Where no copper may be: a hole, with its distance."""

    x: float
    y: float
    radius: float


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


class Task(NamedTuple):
    """A board to be wired."""

    board: Box
    pads: list[Pad]
    holes: list[Disc]
    forbidden: list[Box]
    wide: frozenset[str]


class Track(NamedTuple):
    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    width: float


class Via(NamedTuple):
    net: str
    x: float
    y: float


class Router:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.columns = int((task.board.right - task.board.left) / GRID) + 1
        self.rows = int((task.board.bottom - task.board.top) / GRID) + 1
        self.paths: dict[str, list[list[Node]]] = {}
        self.taken: dict[float, dict[Node, set[str]]] = {TRACK: {}, WIDE: {}}
        self.history: dict[Node, float] = {}
        self._fixed = {width: self._fixed_for(width) for width in (TRACK, WIDE)}
        self._in_pads = {at for pad in task.pads for at in self._near(pad, -0.1)}
        self._beside_pads = {at for pad in task.pads for at in self._near(pad, 0.35)}

    # --- What never moves ---------------------------------------------------------------------------------------

    def place(self, node: Node) -> tuple[float, float]:
        return self.task.board.left + node.column * GRID, self.task.board.top + node.row * GRID

    def _fixed_for(self, width: float) -> dict[tuple[int, int], str]:
        """Column and row → the net that alone may be there with this width, or "" for none."""
        found: dict[tuple[int, int], str] = {}
        for pad in self.task.pads:
            for at in self._near(pad, CLEARANCE + width / 2):
                found[at] = pad.net if found.get(at, pad.net) == pad.net and pad.net else ""
        for hole in self.task.holes:
            found |= dict.fromkeys(self._around(hole.x, hole.y, hole.radius + width / 2), "")
        for column in range(self.columns):
            for row in range(self.rows):
                if self._is_forbidden(column, row, width / 2):
                    found[column, row] = ""
        return found

    def _is_forbidden(self, column: int, row: int, half: float) -> bool:
        x, y = self.place(Node(0, column, row))
        board = self.task.board
        margin = EDGE + half
        if not (board.left + margin <= x <= board.right - margin and board.top + margin <= y <= board.bottom - margin):
            return True
        return any(
            box.left - half < x < box.right + half and box.top - half < y < box.bottom + half
            for box in self.task.forbidden
        )

    def _around(self, x: float, y: float, radius: float) -> Iterator[tuple[int, int]]:
        """The points of the grid that are nearer than this."""
        left, top = x - self.task.board.left, y - self.task.board.top
        for column in range(math.ceil((left - radius) / GRID), math.floor((left + radius) / GRID) + 1):
            for row in range(math.ceil((top - radius) / GRID), math.floor((top + radius) / GRID) + 1):
                inside = 0 <= column < self.columns and 0 <= row < self.rows
                if inside and math.hypot(column * GRID - left, row * GRID - top) < radius - 1e-6:
                    yield column, row

    def _near(self, pad: Pad, distance: float) -> Iterator[tuple[int, int]]:
        """The points of the grid that are nearer to the edge of a pad than this; inside it, if that is negative."""
        reach = math.hypot(pad.half_width, pad.half_height) + max(distance, 0)
        for column, row in self._around(pad.x, pad.y, reach + GRID):
            if pad.distance(*self.place(Node(0, column, row))) < distance - 1e-6:
                yield column, row

    # --- One net ------------------------------------------------------------------------------------------------

    def width(self, net: str) -> float:
        return WIDE if net in self.task.wide else TRACK

    def route(self) -> list[str]:
        """Wire all nets. What is returned could not be wired."""
        waiting = sorted({pad.net for pad in self.task.pads if pad.net}, key=self._difficulty)
        tries: dict[str, int] = {}
        while waiting:
            net = waiting.pop(0)
            tries[net] = tries.get(net, 0) + 1
            if tries[net] > 40:
                return [net, *waiting]
            ousted = self._wire(net)
            if ousted is None:
                return [net, *waiting]
            waiting += sorted(ousted, key=self._difficulty)
        return []

    def _difficulty(self, net: str) -> tuple[bool, float, str]:
        """Wide nets first, then short ones; those that are alike by name, so that each run goes the same way."""
        xs = [pad.x for pad in self.task.pads if pad.net == net]
        ys = [pad.y for pad in self.task.pads if pad.net == net]
        return net not in self.task.wide, max(xs) - min(xs) + max(ys) - min(ys), net

    def _wire(self, net: str) -> set[str] | None:
        """Connect all pads of a net; give the nets that had to go for it."""
        groups = [self._nodes_of(pad) for pad in self.task.pads if pad.net == net]
        tree, left = set(groups[0]), groups[1:]
        paths: list[list[Node]] = []
        while left:
            path = self._search(net, tree, {node for group in left for node in group})
            if path is None:
                return None
            paths.append(path)
            reached = next(group for group in left if path[-1] in group)
            left.remove(reached)
            tree |= set(path) | set(reached)
        self.paths[net] = paths
        return self._commit(net)

    def _nodes_of(self, pad: Pad) -> list[Node]:
        fixed = self._fixed[self.width(pad.net)]
        near = [at for at in self._near(pad, -0.1) if fixed.get(at) == pad.net]
        return [Node(layer, *at) for layer in (0, 1) for at in near]

    def _commit(self, net: str) -> set[str]:
        """Take out whoever is in the way, and keep the points that are too near from now on."""
        ousted: set[str] = set()
        for node, width in self._points(net):
            others = self.taken[width].get(node, set()) - {net}
            if others:
                self.history[node] = self.history.get(node, 0) + 1
            ousted |= others
        for other in ousted:
            self._keep(other, False)
            del self.paths[other]
        self._keep(net, True)
        return ousted

    def _points(self, net: str) -> set[tuple[Node, float]]:
        """Where a net has copper, and how wide."""
        found = set()
        for path in self.paths[net]:
            found |= {(node, self.width(net)) for node in path}
            for before, after in itertools.pairwise(path):
                if before.layer != after.layer and (after.column, after.row) not in self._in_pads:
                    found |= {(before, VIA), (after, VIA)}
        return found

    def _keep(self, net: str, on: bool) -> None:
        """Mark every point at which another net would be too near to this one, or forget it."""
        for node, own in self._points(net):
            for width, taken in self.taken.items():
                for at in self._around(*self.place(node), (own + width) / 2 + CLEARANCE):
                    nets = taken.setdefault(Node(node.layer, *at), set())
                    if on:
                        nets.add(net)
                    else:
                        nets.discard(net)

    # --- A* -----------------------------------------------------------------------------------------------------

    def _search(self, net: str, sources: Iterable[Node], targets: set[Node]) -> list[Node] | None:
        spread = [(min(node.column for node in targets), max(node.column for node in targets))]
        spread.append((min(node.row for node in targets), max(node.row for node in targets)))

        def guess(node: Node) -> float:
            beside = max(spread[0][0] - node.column, 0, node.column - spread[0][1])
            return beside + max(spread[1][0] - node.row, 0, node.row - spread[1][1])

        best = dict.fromkeys(sources, 0.0)
        came: dict[Node, Node] = {}
        queue = [(guess(node), node) for node in best]
        heapq.heapify(queue)
        done: set[Node] = set()
        while queue:
            _, node = heapq.heappop(queue)
            if node in done:
                continue
            done.add(node)
            if node in targets:
                return self._back(node, came)
            for after, cost in self._steps(net, node):
                total = best[node] + cost
                if after not in done and total < best.get(after, math.inf):
                    best[after] = total
                    came[after] = node
                    heapq.heappush(queue, (total + guess(after), after))
        return None

    @staticmethod
    def _back(node: Node, came: dict[Node, Node]) -> list[Node]:
        path = [node]
        while path[-1] in came:
            path.append(came[path[-1]])
        return path[::-1]

    def _steps(self, net: str, node: Node) -> Iterator[tuple[Node, float]]:
        layer, column, row = node
        for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            after = Node(layer, column + across, row + down)
            inside = 0 <= after.column < self.columns and 0 <= after.row < self.rows
            if inside and self._may(net, after, self.width(net)):
                against = AGAINST if (layer == 0) == (down != 0) else 0
                yield after, 1 + against + self._price(net, after, self.width(net))
        other = Node(1 - layer, column, row)
        if (column, row) in self._in_pads:
            yield other, 0  # through the hole of its own pad
        elif (column, row) not in self._beside_pads and self._may(net, other, VIA):
            yield other, VIA_COST + self._price(net, other, VIA) + self._price(net, node, VIA)

    def _may(self, net: str, node: Node, width: float) -> bool:
        return self._fixed[width].get((node.column, node.row), net) == net

    def _price(self, net: str, node: Node, width: float) -> float:
        """What it costs to send others away from here."""
        others = self.taken[width].get(node, ())
        return self.history.get(node, 0.0) + IN_THE_WAY * (len(others) - (net in others))

    # --- What it has become -------------------------------------------------------------------------------------

    def copper(self) -> tuple[list[Track], list[Via]]:
        tracks: list[Track] = []
        vias: dict[tuple[float, float], Via] = {}
        for net, paths in self.paths.items():
            uses = Counter(node for path in paths for node in path)
            branches = {node for node, count in uses.items() if count > 1}
            for path in paths:
                for piece in _pieces(path):
                    corners = self._chamfered(net, _corners(piece), branches)
                    tracks += [
                        Track(net, piece[0].layer, start, end, self.width(net))
                        for start, end in itertools.pairwise(corners)
                    ]
                for before, after in itertools.pairwise(path):
                    if before.layer != after.layer and (after.column, after.row) not in self._in_pads:
                        vias[self.place(after)] = Via(net, *self.place(after))
        return tracks, list(vias.values())

    def stitches(self, net: str, apart: float) -> list[Via]:
        """A via about every so many millimetres, wherever both layers are free: it joins the two planes of this net."""
        step = round(apart / GRID)
        found: list[Via] = []
        there = self.copper()[1]
        for column in range(step // 2, self.columns, step):
            for row in range(step // 2, self.rows, step):
                for at in self._nearest(column, row, apart / 3):
                    via = Via(net, *self.place(Node(0, *at)))
                    alone = all(math.hypot(via.x - each.x, via.y - each.y) > 2 * VIA for each in there + found)
                    if alone and self._is_free(net, at):
                        found.append(via)
                        break
        return found

    def _nearest(self, column: int, row: int, radius: float) -> list[tuple[int, int]]:
        """The points of the grid around this one, the nearest first."""
        around = self._around(*self.place(Node(0, column, row)), radius)
        return sorted(around, key=lambda at: ((at[0] - column) ** 2 + (at[1] - row) ** 2, at))

    def _is_free(self, net: str, at: tuple[int, int]) -> bool:
        """Neither a pad nor a track of anybody is here, on either layer."""
        if at in self._in_pads or at in self._beside_pads:
            return False
        nodes = [Node(layer, *at) for layer in (0, 1)]
        return all(self._may(net, node, VIA) and not self.taken[VIA].get(node, set()) - {net} for node in nodes)

    def _chamfered(self, net: str, corners: list[Node], branches: set[Node]) -> list[tuple[float, float]]:
        """Corners are cut at 45°, where the point inside them is free and no other track of the net begins there."""
        points = [self.place(corners[0])]
        for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
            entry, leave = _towards(corner, before), _towards(corner, after)
            inner = Node(corner.layer, entry.column + leave.column - corner.column, entry.row + leave.row - corner.row)
            others = self.taken[self.width(net)].get(inner, set()) - {net}
            free = not others and self._may(net, inner, self.width(net))
            if free and corner not in branches and net not in self.task.wide:
                points += [self.place(entry), self.place(leave)]
            else:
                points.append(self.place(corner))
        points.append(self.place(corners[-1]))
        return [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]


def _pieces(path: list[Node]) -> Iterator[list[Node]]:
    """The parts of a path that stay on one layer."""
    piece = [path[0]]
    for node in path[1:]:
        if node.layer != piece[-1].layer:
            if len(piece) > 1:
                yield piece
            piece = []
        piece.append(node)
    if len(piece) > 1:
        yield piece


def _corners(piece: list[Node]) -> list[Node]:
    """Where a path begins, turns and ends."""
    kept = [piece[0]]
    for before, node, after in zip(piece, piece[1:], piece[2:], strict=False):
        if (node.column - before.column, node.row - before.row) != (after.column - node.column, after.row - node.row):
            kept.append(node)
    return [*kept, piece[-1]]


def _towards(corner: Node, other: Node) -> Node:
    """One step from a corner."""

    def sign(value: int) -> int:
        return (value > 0) - (value < 0)

    return Node(
        corner.layer,
        corner.column + sign(other.column - corner.column),
        corner.row + sign(other.row - corner.row),
    )
