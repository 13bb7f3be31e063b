"""What the pictures show: a pad in layers, the halves of each box, a whole table."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import trimesh
from PIL import Image

from hardware import dimensions as d
from hardware.boards import reading
from hardware.boards.inspection import rooms
from hardware.boards.manifest import MADE as BOARDS
from hardware.boxes import parameters as p
from hardware.boxes.pictures import Body, Floats, View, picture
from hardware.boxes.sources import parts_made

LID, BASE, BOARD, READER, PLUG = "#f2efe6", "#8d99a6", "#2f7d4f", "#2b5fa8", "#30302f"
GREEN, RED, LAMP = "#2bb58c", "#d55e00", "#f0c419"
WOOD, CARD = "#d8b98c", "#ffffff"


def _box(area: d.Rectangle, low: float, high: float) -> trimesh.Trimesh:
    mesh: trimesh.Trimesh = trimesh.creation.box((area.width, area.height, high - low))
    mesh.apply_translation((*area.centre, (low + high) / 2))
    return mesh


def _round(place: d.Point, diameter: float, low: float, high: float) -> trimesh.Trimesh:
    mesh: trimesh.Trimesh = trimesh.creation.cylinder(diameter / 2, high - low, sections=32)
    mesh.apply_translation((place.x, place.y, (low + high) / 2))
    return mesh


def _moved(bodies: list[Body], x: float = 0, y: float = 0, z: float = 0) -> list[Body]:
    moved = []
    for body in bodies:
        mesh = body.mesh.copy()
        mesh.apply_translation((x, y, z))
        moved.append(Body(mesh, body.hue))
    return moved


# --- What lies in a pad ---------------------------------------------------------------------------------------------


def _board() -> list[Body]:
    plug = d.Rectangle(d.PAD_PLUG.x - d.PLUG_DEPTH, d.PAD_PLUG.y - d.PLUG_BODY[0] / 2, d.PLUG_DEPTH, d.PLUG_BODY[0])
    body = d.BUTTON_BODY
    buttons = [
        _box(d.Rectangle(at.x - body / 2, at.y - body / 2, body, body), 0, d.BUTTON_BODY_HEIGHT)
        for at in (d.BUTTON_GREEN, d.BUTTON_RED)
    ]
    stems = [
        _round(at, d.BUTTON_STEM, d.BUTTON_BODY_HEIGHT, d.BUTTON_STEM_TOP) for at in (d.BUTTON_GREEN, d.BUTTON_RED)
    ]
    return [
        Body(_box(d.PAD_BOARD, -d.BOARD_THICKNESS, 0), BOARD),
        Body(_box(plug, 0, d.PLUG_BODY[1]), PLUG),
        *(Body(mesh, PLUG) for mesh in (*buttons, *stems)),
        Body(_round(d.LAMP, d.LAMP_DIAMETER, 0, p.LAMP_TOP), LAMP),
    ]


def _reader() -> list[Body]:
    module = _box(d.READER, d.READER_TOP - 1.6, d.READER_TOP)
    antenna = trimesh.creation.annulus(15, 17, 0.2, sections=48)
    antenna.apply_translation((*d.ANTENNA_CENTRE, d.READER_TOP + 0.1))
    header = _box(d.Rectangle(d.READER_HEADER_X - 1.3, d.ANTENNA_CENTRE.y - 10, 2.6, 20), 0, d.READER_TOP - 1.6)
    return [Body(module, READER), Body(antenna, LAMP), Body(header, PLUG)]


def _rest() -> Body:
    """As it is glued onto the board: stood up again."""
    mesh = parts_made()["rest"].mesh.copy()
    mesh.apply_translation(-mesh.bounds.mean(axis=0))
    mesh.apply_transform(np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]]))
    mesh.apply_translation((*p.REST.centre, -mesh.bounds[0][2]))
    return Body(mesh, BASE)


def _plungers() -> list[Body]:
    whole = parts_made()["plunger"].mesh
    bodies = []
    for at, hue in ((d.BUTTON_GREEN, GREEN), (d.BUTTON_RED, RED)):
        mesh = whole.copy()
        mesh.apply_translation((at.x, at.y, 0))
        bodies.append(Body(mesh, hue))
    return bodies


def _closed() -> list[Body]:
    """A pad or the centre from outside."""
    parts = parts_made()
    lamp = _round(d.LAMP, d.LAMP_DIAMETER, p.PAD_TOP - 2, p.LAMP_TOP)
    return [Body(parts["pad-base"].mesh, BASE), Body(parts["pad-lid"].mesh, LID), Body(lamp, LAMP), *_plungers()]


# --- Pictures -------------------------------------------------------------------------------------------------------


def pad_in_layers() -> Image.Image:
    parts = parts_made()
    layers = [
        [Body(parts["pad-base"].mesh, BASE)],
        _board(),
        [*_reader(), _rest()],
        _plungers(),
        [Body(parts["pad-lid"].mesh, LID)],
    ]
    bodies = [body for number, layer in enumerate(layers) for body in _moved(layer, z=number * 44)]
    return picture(bodies, 700, View(-32, 34))


def parts_on_the_bed() -> Image.Image:
    """Every part as it is printed."""
    bodies = []
    for number, (name, solid) in enumerate(parts_made().items()):
        row, column = divmod(number, 3)
        mesh = solid.mesh.copy()
        if name.endswith("lid"):
            mesh.apply_transform(np.diag((1.0, -1.0, -1.0, 1.0)))  # on its face
        mesh.apply_translation((column * 125 - mesh.bounds[0][0], row * 125 - mesh.bounds[0][1], -mesh.bounds[0][2]))
        bodies.append(Body(mesh, GREEN if name == "plunger" else LID if name.endswith("lid") else BASE))
    return picture(bodies, 1000, View(-20, 55))


def _in_the_centre() -> list[Body]:
    """Strip, buzzer and reader, each where it belongs."""
    strip = Body(_box(p.STRIP, -d.BOARD_THICKNESS, 0), BOARD)
    floor = p.CENTRE_BOTTOM + p.FLOOR_THICKNESS
    buzzer = [
        Body(_box(p.BUZZER_TRAY, floor, floor + d.BOARD_THICKNESS), READER),
        Body(_round(p.BUZZER_TRAY.centre, d.BUZZER_DIAMETER, floor, floor + d.BUZZER_MODULE[2]), PLUG),
    ]
    module, antenna, _socket = _reader()
    row = d.Rectangle(d.READER_HEADER_X - 1.3, d.READER_PIN_1.y - 19.1, 2.6, 20.4)
    plugs = Body(_box(row, p.READER_BOTTOM - d.HEADER_PLASTIC - d.DUPONT_PLUG, p.READER_BOTTOM), PLUG)
    return [strip, *buzzer, module, antenna, plugs]


def centre_open() -> Image.Image:
    strip, board, buzzer, *reader = _in_the_centre()
    base = Body(parts_made()["centre-base"].mesh, BASE)
    layers = [[base], [board, buzzer], [strip, *_board()[2:]], reader]
    return picture([body for n, layer in enumerate(layers) for body in _moved(layer, z=n * 26)], 760, View(-32, 42))


def satellite_open() -> Image.Image:
    parts = parts_made()
    board = [Body(_box(d.SATELLITE_BOARD, -d.BOARD_THICKNESS, 0), BOARD)]
    wide, high = d.PLUG_BODY
    for plug in d.SATELLITE_PLUGS:
        top = -2.0 if plug.y == 0 else plug.y + 2 - d.PLUG_DEPTH
        board.append(Body(_box(d.Rectangle(plug.x - wide / 2, top, wide, d.PLUG_DEPTH), 0, high), PLUG))
    board.append(Body(_box(d.Rectangle(1, 41, 44, 18), d.NANO_TOP - 1.6, d.NANO_TOP), READER))
    board.append(Body(_box(d.Rectangle(-1, 46, 9, 8), d.NANO_TOP, d.NANO_TOP + 4), BASE))
    board.append(Body(_box(d.Rectangle(d.POWER_USB.x - 6, 86, 12, 16), 0, 11), BASE))
    board.append(Body(_round(d.BUZZER, d.BUZZER_DIAMETER, 0, d.BUZZER_HEIGHT), PLUG))
    layers = [[Body(parts["satellite-base"].mesh, BASE)], board, [Body(parts["satellite-lid"].mesh, LID)]]
    return picture([body for n, layer in enumerate(layers) for body in _moved(layer, z=n * 42)], 760, View(-32, 42))


def _cut(bodies: list[Body], y: float) -> list[Body]:
    """What is behind a plane through the box: closed, and looked into."""
    cut = [Body(_behind(body.mesh, y), body.hue) for body in bodies]
    return [body for body in cut if len(body.mesh.faces)]


def _behind(mesh: trimesh.Trimesh, y: float) -> trimesh.Trimesh:
    """Each triangle, as far as it is behind the plane: all of it, or what three or four corners enclose."""
    corners: list[Floats] = []
    for triangle in np.asarray(mesh.triangles, dtype=np.float64):
        outline = [
            point
            for start, end in zip(triangle, np.roll(triangle, -1, axis=0), strict=True)
            for point in _edge_behind(start, end, y)
        ]
        for second, third in pairwise(outline[1:]):
            corners += [outline[0], second, third]
    return trimesh.Trimesh(np.array(corners).reshape(-1, 3), np.arange(len(corners)).reshape(-1, 3), process=False)


def _edge_behind(start: Floats, end: Floats, y: float) -> list[Floats]:
    """Where an edge begins, if that is behind the plane; and where it goes through."""
    kept = [start] if start[1] <= y else []
    if (start[1] <= y) != (end[1] <= y):
        kept.append(start + (end - start) * (y - start[1]) / (end[1] - start[1]))
    return kept


def _parts(name: str) -> list[Body]:
    """Every part of a board, as high as its data sheet says."""
    there = rooms(reading.read(BOARDS / name / f"{name}.kicad_pcb"))
    return [
        Body(
            _box(d.Rectangle(each.left, each.top, each.right - each.left, each.bottom - each.top), each.low, each.high),
            PLUG,
        )
        for each in there
    ]


def closed() -> Image.Image:
    """Pad, centre and satellite, put together and cut through: everything has its place, and the lids close."""
    parts = parts_made()
    lid = Body(parts["pad-lid"].mesh, LID)
    board = Body(_box(d.PAD_BOARD, -d.BOARD_THICKNESS, 0), BOARD)
    pad = [Body(parts["pad-base"].mesh, BASE), lid, board, *_parts("pad"), _rest(), *_plungers()]
    centre = [Body(parts["centre-base"].mesh, BASE), lid, *_in_the_centre(), *_board()[2:], *_plungers()]
    satellite = [
        *(Body(parts[f"satellite-{half}"].mesh, hue) for half, hue in (("base", BASE), ("lid", LID))),
        Body(_box(d.SATELLITE_BOARD, -d.BOARD_THICKNESS, 0), BOARD),
        *_parts("satellite"),
    ]
    bodies = [
        *_moved(_cut(pad, d.BUTTON_GREEN.y), 0),
        *_moved(_cut(centre, d.BUTTON_GREEN.y), 115),
        *_moved(_cut(satellite, d.REGULATOR.y), 235),
    ]
    return picture(bodies, 1200, View(0, 22))


def table() -> Image.Image:
    """What one gets: the centre, five pads around it, the satellite, and some cards."""
    top = [Body(_box(d.Rectangle(-240, -215, 600, 480), p.BASE_BOTTOM - 8, p.BASE_BOTTOM), WOOD)]
    pads = [(-190, -170), (0, -190), (190, -170), (200, 120), (-200, 120)]
    bodies = [*top, *_moved(_closed(), 0, -30)]
    for x, y in pads:
        bodies += _moved(_closed(), x, y)
    parts = parts_made()
    case = [Body(parts["satellite-base"].mesh, BASE), Body(parts["satellite-lid"].mesh, LID)]
    bodies += _moved(case, 0, 150)
    for number in range(4):
        column = number if number < 2 else number + 2.2
        card = d.Rectangle(-165 + column * 72, -35, 63, 88)
        bodies.append(Body(_box(card, p.BASE_BOTTOM, p.BASE_BOTTOM + 0.6), CARD))
    return picture(bodies, 1100, View(-10, 50))


SCENES: dict[str, Callable[[], Image.Image]] = {
    "table": table,
    "pad": pad_in_layers,
    "centre": centre_open,
    "satellite": satellite_open,
    "parts": parts_on_the_bed,
    "closed": closed,
}
