"""The measures of the boxes, from those of boards and labels; `parameters.scad` is what OpenSCAD reads of them."""

from collections.abc import Sequence

from hardware import dimensions as d

WALL = 2.0
FLOOR_THICKNESS = 2.0
LID_THICKNESS = 2.0
LIP = 1.4
LIP_DEPTH = 3.0
CLEARANCE = 0.25
"""Between what goes into each other."""
CORNER = 4.0
POST = 8.0
PILLAR = 7.0
PILOT = 2.5
"""A screw of 3 mm cuts its own thread."""
PILOT_DEPTH = 9.0
SCREW_LENGTH = 14.0
"""From below through floor, post and board into a pillar."""
GROOVE = 0.4
UNDER_THE_BOARD = 4.0
"""For what sticks out below it."""
THINNEST = 1.2

BASE_BOTTOM = -d.BOARD_THICKNESS - UNDER_THE_BOARD - FLOOR_THICKNESS

# --- Pad ------------------------------------------------------------------------------------------------------------

TALL_PARTS = d.Rectangle(d.READER.x + 40 - 1, d.READER.y - 1, 22, d.READER.height + 2)
"""Beside the antenna, where the module has its crystal."""
AIR = 0.2
PAD_TOP = d.READER_TOP + d.READER_TALLEST_PART + AIR + THINNEST + GROOVE
"""The upper face of the lid: as low as the module's crystal lets it be."""
PAD_POCKET = PAD_TOP - GROOVE - THINNEST - (PAD_TOP - LID_THICKNESS)
ANTENNA_TO_PIECE = PAD_TOP - d.READER_TOP
"""Air and plastic between the antenna and what lies on the lid."""
PAD_SPLIT = d.PAD_PLUG_OPENING.z + d.PAD_PLUG_OPENING.height / 2
LAMP_TOP = PAD_TOP + 1
"""Above the board: the lamp stands on long legs and looks out of the lid."""
PLUNGER_TOP = PAD_TOP + 1.5
PLUNGER_COLLAR = PAD_TOP - LID_THICKNESS - 0.6 - d.BUTTON_STEM_TOP
"""How high the collar is: a little less than what lies between the button's stem and the lid."""

# --- Centre ---------------------------------------------------------------------------------------------------------

READER_BOTTOM = d.READER_TOP - 1.6
STRIP = d.Rectangle(13, 57, 69, 20)
"""A strip of perfboard with two buttons and a lamp."""
STRIP_POSTS = (d.Point(15.5, 59.5), d.Point(79.5, 59.5), d.Point(15.5, 74.5), d.Point(79.5, 74.5))
STRIP_SCREW = int(d.BOARD_THICKNESS + UNDER_THE_BOARD)
"""How long: from above through the strip into its post, which is no higher."""
CENTRE_OPENING = d.Opening("top", 78, 3.0, 12.0, 8.0)
"""For the wires to the Pi."""

# --- Satellite ------------------------------------------------------------------------------------------------------

SATELLITE_OUTLINE = d.Rectangle(
    d.SATELLITE_BOARD.x - WALL - 1,
    d.SATELLITE_BOARD.y - WALL - 1,
    d.SATELLITE_BOARD.width + 6,
    d.SATELLITE_BOARD.height + 6,
)
SATELLITE_TOP = d.SATELLITE_TALLEST + 1 + LID_THICKNESS


def merged(openings: Sequence[d.Opening], least: float = 6.0) -> tuple[d.Opening, ...]:
    """Neighbours in a wall become one opening where what is left between them would break off."""
    done: list[d.Opening] = []
    for opening in sorted(openings, key=lambda each: (each.side, each.z, each.along)):
        before = done[-1] if done else None
        if before and (before.side, before.z, before.height) == (opening.side, opening.z, opening.height):
            begins, ends = before.along - before.width / 2, opening.along + opening.width / 2
            if opening.along - opening.width / 2 - (before.along + before.width / 2) < least:
                done[-1] = before._replace(along=(begins + ends) / 2, width=ends - begins)
                continue
        done.append(opening)
    return tuple(done)


SATELLITE_OPENINGS = (*merged(d.SATELLITE_PLUG_OPENINGS), d.NANO_USB_OPENING, d.POWER_USB_OPENING)
SATELLITE_SPLIT = d.POWER_USB_OPENING.z + d.POWER_USB_OPENING.height / 2
SATELLITE_VENT = d.Point(36, 60)

SCAD: dict[str, object] = {
    "wall": WALL,
    "floor_thickness": FLOOR_THICKNESS,
    "lid_thickness": LID_THICKNESS,
    "lip": LIP,
    "lip_depth": LIP_DEPTH,
    "clearance": CLEARANCE,
    "corner": CORNER,
    "post": POST,
    "pillar": PILLAR,
    "pilot": PILOT,
    "pilot_depth": PILOT_DEPTH,
    "groove": GROOVE,
    "base_bottom": BASE_BOTTOM,
    "board_gap": 0.2,
    "board_thickness": d.BOARD_THICKNESS,
    "screw_hole": d.SCREW_HOLE,
    "screw_head": d.SCREW_HEAD,
    "plug_depth": d.PLUG_DEPTH,
    "label": d.LABEL,
    "label_frame": d.LABEL_FRAME,
    "button_green": d.BUTTON_GREEN,
    "button_red": d.BUTTON_RED,
    "button_hole": d.BUTTON_HOLE,
    "button_stem": d.BUTTON_STEM,
    "button_stem_top": d.BUTTON_STEM_TOP,
    "lamp": d.LAMP,
    "lamp_hole": d.LAMP_HOLE,
    "pad_holes": d.PAD_HOLES,
    "pad_top": PAD_TOP,
    "pad_split": PAD_SPLIT,
    "pad_openings": (d.PAD_PLUG_OPENING,),
    "pad_pocket": PAD_POCKET,
    "tall_parts": TALL_PARTS,
    "plunger_top": PLUNGER_TOP,
    "plunger_collar": PLUNGER_COLLAR,
    "reader": d.READER,
    "reader_bottom": READER_BOTTOM,
    "strip_posts": STRIP_POSTS,
    "centre_opening": CENTRE_OPENING,
    "satellite_outline": SATELLITE_OUTLINE,
    "satellite_holes": d.SATELLITE_HOLES,
    "satellite_plugs": d.SATELLITE_PLUGS,
    "satellite_split": SATELLITE_SPLIT,
    "satellite_top": SATELLITE_TOP,
    "satellite_openings": SATELLITE_OPENINGS,
    "satellite_vent": SATELLITE_VENT,
    "buzzer": d.BUZZER,
}


def scad() -> str:
    """The text of parameters.scad."""
    lines = [f"{name} = {_value(value)};" for name, value in SCAD.items()]
    head = "// Made by `python -m hardware.boxes` from hardware/dimensions.py and hardware/boxes/parameters.py."
    return "\n".join((head, "", *lines, ""))


def _value(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float | int):
        return f"{value:.6g}"
    assert isinstance(value, Sequence)
    return f"[{', '.join(map(_value, value))}]"
