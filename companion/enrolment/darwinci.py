"""A box of Darwinci: how many tiles and which jewellery there is, then tile after tile, then five sets of markers."""

from functools import lru_cache
from itertools import combinations

from companion.enrolment.step import (
    NONE,
    Answers,
    Choice,
    Data,
    Plan,
    Several,
    Step,
    Values,
    chosen,
    numbers,
    one,
    several,
)
from companion.games.darwinci.components import COLOURS, EDGES, FEWEST_TILES, KINDS

JEWELS = ("tooth", "shell", "amber", "feather", "stone")
MOST_TILES = FEWEST_TILES + 100
LOWEST_VALUE, HIGHEST_VALUE = -9, 12
MOST_JEWELS = 6


def _turned(bones: tuple[str, ...]) -> tuple[str, ...]:
    """By a quarter, clockwise. Groups and edges always come in the same order."""
    turned = ("".join(EDGES[(EDGES.index(edge) + 1) % 4] for edge in group) for group in bones)
    return tuple(sorted("".join(sorted(group, key=EDGES.index)) for group in turned))


def _shapes() -> dict[str, tuple[str, ...]]:
    """Every bone, or two, that four edges can have, by its name: NE+S. Tiles that are only turned look alike."""
    seen: set[tuple[str, ...]] = set()
    found: dict[str, tuple[str, ...]] = {}
    groups = ["".join(edges) for size in range(1, 5) for edges in combinations(EDGES, size)]
    pairs = [pair for pair in combinations(groups, 2) if not set(pair[0]) & set(pair[1])]
    for bones in (*((group,) for group in groups), *pairs):
        same = tuple(sorted(bones))
        if same not in seen:
            found["+".join(bones)] = tuple(bones)
            for _quarter in range(4):
                seen.add(same := _turned(same))
    return found


SHAPES = _shapes()


@lru_cache(256)
def _shape_of(bones: tuple[str, ...]) -> str:
    """What a tile's bones are called, however it was turned when it was described."""
    same = bones
    for _quarter in range(4):
        same = _turned(same)
        for name, known in SHAPES.items():
            if tuple(sorted(known)) == same:
                return name
    return next(iter(SHAPES))


def _sheet(base: Data) -> Step:
    before = tuple(base.get("jewels", ()))
    options = tuple(dict.fromkeys((*before, *JEWELS)))
    fields = (
        Choice("tiles", numbers(FEWEST_TILES, MOST_TILES, len(base["tiles"]))),
        Several("kinds", options, 0, KINDS[-1], distinct=True),
    )
    values: Values = {"tiles": str(len(base["tiles"])), "kinds": before}
    return Step("sheet", "darwinci sheet", {}, fields, values, tagged=False)


def _kinds(base: Data, answers: Answers) -> tuple[str, ...]:
    return several(chosen(_sheet(base), answers), "kinds")


def _tiles(base: Data, answers: Answers) -> list[Step]:
    kinds = _kinds(base, answers)
    number_of_tiles = int(one(chosen(_sheet(base), answers), "tiles"))
    known = [each["value"] for each in base["tiles"] if "value" in each]
    fields = (
        Choice("bones", tuple(SHAPES)),
        Choice("value", (NONE, *numbers(LOWEST_VALUE, HIGHEST_VALUE, *known))),
        Several("jewels", kinds, 0, MOST_JEWELS),
    )
    steps = []
    for number in range(number_of_tiles):
        likely = base["tiles"][number % len(base["tiles"])]
        values: Values = {
            "bones": _shape_of(tuple(likely["bones"])),
            "value": str(likely.get("value", NONE)),
            "jewels": tuple(kind for kind in likely.get("jewels", ()) if kind in kinds)[:MOST_JEWELS],
        }
        facts = {"number": number + 1, "of": number_of_tiles}
        steps.append(Step(f"tile {number + 1}", "darwinci tile", facts, fields, values))
    return steps


def _steps(base: Data, answers: Answers) -> list[Step]:
    markers = [
        Step(f"marker {owner} {number}", "darwinci marker", {"jewel": kind, "set": owner + 1, "of": COLOURS})
        for owner in range(COLOURS)
        for number, kind in enumerate(_kinds(base, answers), 1)
    ]
    return [_sheet(base), *_tiles(base, answers), *markers]


def _box(base: Data, answers: Answers) -> Data:
    tiles = [_tile(number, chosen(step, answers)) for number, step in enumerate(_tiles(base, answers), 1)]
    kinds = list(_kinds(base, answers))
    return {"game": "darwinci", "provenance": "enrolled", "jewels": kinds, "tiles": tiles}


def _tile(number: int, values: Values) -> Data:
    tile: Data = {"id": f"t{number}", "bones": list(SHAPES[one(values, "bones")])}
    if one(values, "value") != NONE:
        tile["value"] = int(one(values, "value"))
    if values["jewels"]:
        tile["jewels"] = list(several(values, "jewels"))
    return tile


PLAN = Plan(_steps, _box)
