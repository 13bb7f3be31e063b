"""Bone tiles as pictures. In the large one bones are thick and made of half blocks, in the others of heavy lines; they
run on from tile to tile. Corners show the value and the jewellery."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit import Seat, numeral, plain
from companion.gamekit.sign_table import DOWN, LEFT, RIGHT, UP
from companion.games.darwinci import sentences
from companion.games.darwinci.colours import BACK, BONE, EARTH, INK, STONE_HUES, STONES, chip, jewel_look
from companion.games.darwinci.components import Tile
from companion.games.darwinci.display import turned
from companion.games.darwinci.screen import _

Block = list[Content]
"""Lines of the same width."""
NORTH, EAST, SOUTH, WEST = range(4)
ARROWS = (UP, RIGHT, DOWN, LEFT)
Pixels = dict[tuple[int, int], str]
"""Column and half row → hue."""
Cells = dict[tuple[int, int], tuple[str, str]]
"""Column and row → sign and style."""


class Mark(NamedTuple):
    """Something at an edge: an end that is open, one that nothing can close, or a joint."""

    sign: str
    hue: str


class TileLook(NamedTuple):
    """One tile as it lies there."""

    tile: Tile
    turn: int = 0
    hues: tuple[str, ...] = (BONE, BONE)
    """Of each bone."""
    marks: Mapping[int, Mark] = {}
    """By edge."""
    ground: str = EARTH[0]

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        return turned(self.tile.bones, self.turn)


class Size(NamedTuple):
    width: int
    height: int


HUGE, LARGE, MEDIUM = Size(14, 5), Size(8, 3), Size(7, 2)


def drawn(look: TileLook, size: Size, kinds: tuple[str, ...]) -> Block:
    """The picture of a tile, in one of the sizes."""
    thick = size.height > MEDIUM.height
    pixels, cells = (_thick(look, size), _edge_signs(look, size)) if thick else ({}, _lines(look, size))
    return _rendered(pixels, _captions(look.tile, size, kinds) | cells, size, look.ground)


def face_down(size: Size, ground: str = BACK) -> Block:
    """The back of a tile."""
    return [Content.styled(("▀▄" * size.width)[: size.width], f"{EARTH[0]} on {ground}")] * size.height


def blank(size: Size, ground: str, sign: str = "", hue: str = BONE) -> Block:
    """No tile: a place, perhaps with a sign in its middle."""
    cells = {(size.width // 2, size.height // 2): (sign, f"bold {hue}")} if sign else {}
    return _rendered({}, cells, size, ground)


def _rendered(pixels: Pixels, cells: Cells, size: Size, ground: str) -> Block:
    lines = []
    for row in range(size.height):
        parts: list[tuple[str, str]] = []
        for column in range(size.width):
            sign, style = cells.get((column, row)) or _halves(pixels, column, row)
            style = style if " on " in style else f"{style} on {ground}".strip()
            if parts and parts[-1][1] == style:
                parts[-1] = (parts[-1][0] + sign, style)
            else:
                parts.append((sign, style))
        lines.append(Content.assemble(*parts))
    return lines


def _halves(pixels: Pixels, column: int, row: int) -> tuple[str, str]:
    above, below = pixels.get((column, 2 * row)), pixels.get((column, 2 * row + 1))
    if above and below:
        return ("█", above) if above == below else ("▀", f"{above} on {below}")
    return ("▀", above) if above else ("▄", below) if below else (" ", "")


def _captions(tile: Tile, size: Size, kinds: tuple[str, ...]) -> Cells:
    """The value at the top left, jewellery at the top right; what has no room there, at the bottom."""
    room = (size.width - 1) // 2
    cells: Cells = {}
    if tile.value is not None:
        for column, sign in enumerate(numeral(tile.value)[:room]):
            cells[column, 0] = (sign, "bold #ffffff")
    corners = [(size.width - 1 - n, 0) for n in range(room)]
    if size.height > 2:
        corners += [(size.width - 1 - n, size.height - 1) for n in range(room)]
        corners += [(n, size.height - 1) for n in range(room)]
    for place, kind in zip(corners, tile.jewels, strict=False):
        sign, hue = jewel_look(kind, kinds)
        cells[place] = (sign, f"bold {hue}")
    return cells


# --- Thick bones ----------------------------------------------------------------------------------------------


def _thick(look: TileLook, size: Size) -> Pixels:
    pixels: Pixels = {}
    groups = look.groups
    for index, group in enumerate(groups):
        hue = look.hues[index % len(look.hues)]
        others = groups[1 - index] if len(groups) == 2 else ()
        for pixel in _bone(group, others, index, size):
            pixels[pixel] = hue
    return pixels


def _bone(group: tuple[int, ...], others: tuple[int, ...], index: int, size: Size) -> Iterable[tuple[int, int]]:
    """All pixels of one bone; the other one, if there is one, must not touch it."""
    left, right, top, bottom = size.width // 2 - 1, size.width // 2, size.height - 1, size.height
    hub = {(x, y) for x in (left, right) for y in (top, bottom)}
    stems = {edge: _stem(edge, size) for edge in group}
    if not others:
        yield from hub
        if len(group) == 1:
            yield from _knob(group[0], size)
    elif _curves(group, others):
        for edge in group:
            stems[edge] = {pixel for pixel in stems[edge] if _on_its_side(pixel, edge, group, size)}
        yield from (pixel for pixel in hub if all(_on_its_side(pixel, edge, group, size) for edge in group))
    elif len(group) > len(others) or (index == 0 and len(group) > 1):
        yield from hub
    elif len(others) > 1:
        stems = {edge: {pixel for pixel in stem if not _near(pixel, size)} for edge, stem in stems.items()}
    for stem in stems.values():
        yield from stem


def _stem(edge: int, size: Size) -> set[tuple[int, int]]:
    """From the middle of an edge to the middle of the tile."""
    left, right, top, bottom = size.width // 2 - 1, size.width // 2, size.height - 1, size.height
    if edge in (NORTH, SOUTH):
        rows = range(top) if edge == NORTH else range(bottom + 1, 2 * size.height)
        return {(x, y) for x in (left, right) for y in rows}
    columns = range(left) if edge == WEST else range(right + 1, size.width)
    return {(x, y) for x in columns for y in (top, bottom)}


def _knob(edge: int, size: Size) -> Iterable[tuple[int, int]]:
    """The thick end of an end piece."""
    left, right, top, bottom = size.width // 2 - 1, size.width // 2, size.height - 1, size.height
    if edge in (NORTH, SOUTH):
        return [(x, y) for x in (left - 1, right + 1) for y in (top, bottom)]
    return [(x, y) for x in (left, right) for y in (top - 1, bottom + 1)]


def _curves(group: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return all(len(edges) == 2 and (edges[0] - edges[1]) % 2 for edges in (group, others))


def _on_its_side(pixel: tuple[int, int], edge: int, group: tuple[int, ...], size: Size) -> bool:
    """Of two curves on a tile, each keeps to its own corner in the middle."""
    x, y = pixel
    left, right, top, bottom = size.width // 2 - 1, size.width // 2, size.height - 1, size.height
    if not (left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1):
        return True
    across = x >= right if EAST in group else x <= left
    along = y >= bottom if SOUTH in group else y <= top
    return (across if edge in (NORTH, SOUTH) else along) and (_is_stem(pixel, size) or (across and along))


def _is_stem(pixel: tuple[int, int], size: Size) -> bool:
    x, y = pixel
    return not (size.width // 2 - 1 <= x <= size.width // 2 and size.height - 1 <= y <= size.height)


def _near(pixel: tuple[int, int], size: Size) -> bool:
    """Beside the middle."""
    x, y = pixel
    return size.width // 2 - 2 <= x <= size.width // 2 + 1 and size.height - 2 <= y <= size.height + 1


def _edge_signs(look: TileLook, size: Size) -> Cells:
    middle, left, right = size.height // 2, size.width // 2 - 1, size.width // 2
    places = {
        NORTH: [(left, 0), (right, 0)],
        EAST: [(size.width - 1, middle)],
        SOUTH: [(left, size.height - 1), (right, size.height - 1)],
        WEST: [(0, middle)],
    }
    return {
        place: (mark.sign, f"bold {INK} on {mark.hue}") for edge, mark in look.marks.items() for place in places[edge]
    }


# --- Bones of heavy lines -------------------------------------------------------------------------------------

_STROKES = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""By the sum of N 1, E 2, S 4, W 8."""


def stroke(edges: Iterable[int]) -> str:
    return _STROKES[sum(1 << edge for edge in set(edges))]


def _lines(look: TileLook, size: Size) -> Cells:
    """Two rows: north runs in the upper one, everything else in the lower one."""
    cells: Cells = {}
    middle = size.width // 2
    groups = look.groups
    if len(groups) == 2 and _curves(*groups):
        cells = _two_curves(look, size)
    else:
        for index, group in enumerate(groups):
            first = len(groups) == 1 or len(group) > len(groups[1 - index]) or (index == 0 and len(group) > 1)
            hue = look.hues[index % len(look.hues)]
            bone = _heavy(group, middle, size, hue, first)
            if (middle, 1) in cells and (middle, 1) in bone and not first:
                bone[middle, 1] = ("┯", cells[middle, 1][1])
            cells |= bone
    for edge, mark in look.marks.items():
        if edge in (EAST, WEST):
            cells[size.width - 1 if edge == EAST else 0, 1] = (mark.sign, f"bold {INK} on {mark.hue}")
        elif edge == NORTH:
            cells[middle, 0] = (mark.sign, f"bold {INK} on {mark.hue}")
        else:
            sign = cells.get((middle, 1), ("╻", ""))[0]
            cells[middle, 1] = (sign, f"bold {INK} on {mark.hue}")
    return cells


def _heavy(group: tuple[int, ...], middle: int, size: Size, hue: str, first: bool) -> Cells:
    """One bone; one that is not the first leaves the middle to the other."""
    cells: Cells = {}
    gap = 0 if first else 1
    if NORTH in group:
        cells[middle, 0] = ("┃" if first else "╹", hue)
    for edge, columns in ((WEST, range(middle - gap)), (EAST, range(middle + 1 + gap, size.width))):
        if edge in group:
            cells |= {(column, 1): ("━", hue) for column in columns}
    if first:
        cells[middle, 1] = ("o" if len(group) == 1 else stroke(group), hue)
    elif SOUTH in group:
        cells[middle, 1] = ("╻", hue)
    return cells


def _two_curves(look: TileLook, size: Size) -> Cells:
    """The one that comes from the north steps aside."""
    middle = size.width // 2
    cells: Cells = {}
    for index, group in enumerate(look.groups):
        hue = look.hues[index % len(look.hues)]
        east = EAST in group
        aside = middle + 1 if east else middle - 1
        outer = range(aside + 1, size.width) if east else range(aside)
        if NORTH in group:
            cells[middle, 0] = ("┗" if east else "┛", hue)
            cells[aside, 0] = ("┓" if east else "┏", hue)
            cells[aside, 1] = ("┗" if east else "┛", hue)
            cells |= {(column, 1): ("━", hue) for column in outer}
        else:
            cells[middle, 1] = ("┏" if east else "┓", hue)
            columns = range(middle + 1, size.width) if east else range(middle)
            cells |= {(column, 1): ("━", hue) for column in columns}
    return cells


# --- Tiny ones ------------------------------------------------------------------------------------------------


def tiny(look: TileLook, width: int) -> Content:
    """One row: where the bones go."""
    groups = look.groups
    hue = next((hue for hue in look.hues[: len(groups)] if hue != BONE), BONE)
    edges = {edge for group in groups for edge in group}
    middle = "╬" if edges == {EAST, WEST, NORTH, SOUTH} and len(groups) == 2 else stroke(edges)
    before = ("━" if WEST in edges else " ") * ((width - 1) // 2)
    after = ("━" if EAST in edges else " ") * (width - 1 - len(before))
    return Content.styled(before + middle + after, f"bold {hue} on {look.ground}")


# --- Stones and jewellery -------------------------------------------------------------------------------------


def stones(counts: tuple[int, ...] | list[int]) -> list[Content]:
    """How many of each colour: one piece for each colour that is there."""
    return [
        Content.styled(f"{STONES[colour]}{count}", chip(STONE_HUES[colour]))
        for colour, count in enumerate(counts)
        if count
    ]


def stone(colour: Seat) -> Content:
    return Content.styled(STONES[colour], chip(STONE_HUES[colour]))


def jewel_word(kind: str) -> str:
    return plain(sentences.jewel(kind, _))


# --- Blocks of lines ------------------------------------------------------------------------------------------


def fit(content: Content | str, width: int) -> Content:
    """Exactly so many cells."""
    content = Content(content) if isinstance(content, str) else content
    if cell_len(content.plain) > width:
        return content.truncate(width, ellipsis=True, pad=True)
    return content.pad_right(width - cell_len(content.plain))


def framed(block: Block, width: int, title: str, *, chosen: bool) -> Block:
    """With cells around it for its title, and for a heavy frame if it is chosen."""
    words = fit(f" {title} ", min(width - 3, cell_len(title) + 2)).plain
    room = width - 3 - cell_len(words)
    left, right, side = ("┏━", "━" * room + "┓", "┃") if chosen else ("  ", " " * (room + 1), " ")
    style, name = ("bold $accent", "bold $surface on $accent") if chosen else ("", "bold")
    top = Content.assemble((left, style), (words, name), (right, style))
    bottom = Content.styled(f"┗{'━' * (width - 2)}┛" if chosen else " " * width, style)
    middle = [Content.assemble((side, style), fit(line, width - 2), (side, style)) for line in block]
    return [fit(top, width), *middle, bottom]


def beside(*blocks: Block, gap: int = 1) -> Block:
    """Blocks side by side, the shorter ones filled up below."""
    height = max(len(block) for block in blocks)
    space = Content(" " * gap)
    filled = []
    for block in blocks:
        below = Content(" " * (block[0].cell_length if block else 0))
        filled.append([*block, *[below] * (height - len(block))])
    return [space.join([block[y] for block in filled]) for y in range(height)]
