"""A box of Darwinci: how many tiles and which jewellery there is, then tile after tile, then five sets of markers."""

from functools import lru_cache
from itertools import combinations

from companion.gamekit import N_, Translate, numeral
from companion.gamekit.enrolment import (
    NONE,
    Answers,
    Data,
    EnrolmentPlan,
    EnrolmentStep,
    OneOf,
    Several,
    Values,
    chosen,
    numbers,
    one,
    several,
)
from companion.games.darwinci.components import COLOURS, EDGES, FEWEST_TILES, KINDS, Tile
from companion.games.darwinci.sentences import jewel, shape, shape_of

JEWELS = ("tooth", "shell", "amber", "feather", "stone")
MOST_TILES = FEWEST_TILES + 100
LOWEST_VALUE, HIGHEST_VALUE = -9, 12
MOST_JEWELS = 6
_EDGES = "N E S W NS EW NE ES SW NW NES ESW NSW NEW NESW"
BONES = dict(zip(_EDGES.split(), "╹╺╻╸┃━┗┏┓┛┣┳┫┻╋", strict=True))
"""A bone as it looks on the tile."""


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


def _sheet(base: Data) -> EnrolmentStep:
    before = tuple(base.get("jewels", ()))
    options = tuple(dict.fromkeys((*before, *JEWELS)))
    fields = (
        OneOf("tiles", N_("Tiles"), numbers(FEWEST_TILES, MOST_TILES, len(base["tiles"]))),
        Several("kinds", N_("Jewellery"), options, 0, KINDS[-1], distinct=True),
    )
    values: Values = {"tiles": str(len(base["tiles"])), "kinds": before}
    sentence = N_("How many tiles are there, and which kinds of jewellery?")
    return EnrolmentStep("sheet", N_("Tiles", "big"), sentence, {}, fields, values, tagged=False)


def _kinds(base: Data, answers: Answers) -> tuple[str, ...]:
    return several(chosen(_sheet(base), answers), "kinds")


def _tiles(base: Data, answers: Answers) -> list[EnrolmentStep]:
    kinds = _kinds(base, answers)
    number_of_tiles = int(one(chosen(_sheet(base), answers), "tiles"))
    known = [each["value"] for each in base["tiles"] if "value" in each]
    fields = (
        OneOf("bones", N_("Bones"), tuple(SHAPES)),
        OneOf("value", N_("Value"), (NONE, *numbers(LOWEST_VALUE, HIGHEST_VALUE, *known))),
        Several("jewels", N_("Jewellery"), kinds, 0, MOST_JEWELS),
    )
    title = N_("Tile {number}", "big")
    sentence = N_("Take any tile, {number} of {of}: what is printed on it? Then tap it.")
    steps = []
    for place in range(number_of_tiles):
        likely = base["tiles"][place % len(base["tiles"])]
        values: Values = {
            "bones": _shape_of(tuple(likely["bones"])),
            "value": str(likely.get("value", NONE)),
            "jewels": tuple(kind for kind in likely.get("jewels", ()) if kind in kinds)[:MOST_JEWELS],
        }
        facts = {"number": place + 1, "of": number_of_tiles}
        steps.append(EnrolmentStep(f"tile {place + 1}", title, sentence, facts, fields, values))
    return steps


def _markers(base: Data, answers: Answers) -> list[EnrolmentStep]:
    title, sentence = N_("{jewel} {set}", "big"), N_("Tap this jewellery marker from set {set} of {of}: {jewel}.")
    return [
        EnrolmentStep(f"marker {owner} {place}", title, sentence, {"jewel": kind, "set": owner + 1, "of": COLOURS})
        for owner in range(COLOURS)
        for place, kind in enumerate(_kinds(base, answers), 1)
    ]


def _steps(base: Data, answers: Answers) -> list[EnrolmentStep]:
    return [_sheet(base), *_tiles(base, answers), *_markers(base, answers)]


def _box(base: Data, answers: Answers) -> Data:
    tiles = [_tile(place, chosen(step, answers)) for place, step in enumerate(_tiles(base, answers), 1)]
    kinds = list(_kinds(base, answers))
    return {"game": "darwinci", "provenance": "enrolled", "jewels": kinds, "tiles": tiles}


def _tile(place: int, values: Values) -> Data:
    tile: Data = {"id": f"t{place}", "bones": list(SHAPES[one(values, "bones")])}
    if one(values, "value") != NONE:
        tile["value"] = int(one(values, "value"))
    if values["jewels"]:
        tile["jewels"] = list(several(values, "jewels"))
    return tile


def _word(fact: str, value: int | str, _: Translate) -> str | None:
    match fact, value:
        case "jewel" | "jewels" | "kinds", str():
            return jewel(value, _)
        case "bones", str():
            drawn = " ".join(BONES[group] for group in SHAPES[value])
            return f"{drawn} {shape(shape_of(Tile('', SHAPES[value])), _)}"
        case "value", str():
            return numeral(int(value))
    return None


PLAN = EnrolmentPlan(_steps, _box, word=_word)
