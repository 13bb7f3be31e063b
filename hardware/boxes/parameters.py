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
INSERT_DEPTH = d.INSERT_LENGTH + 0.5
"""The insert goes in flush; what it pushes ahead of it has room."""
PILOT = 2.5
"""A short screw that holds a strip cuts its own thread: it is turned once."""
PILOT_DEPTH = 9.0
"""How deep a pillar is hollow: behind the insert the screw's end is free."""
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
PLUNGER_SOCKET = 2.6
"""How deep the button's stem goes into it."""
PLUNGER_BOTTOM = d.BUTTON_STEM_TOP - PLUNGER_SOCKET
PLUNGER_COLLAR = PAD_TOP - LID_THICKNESS - 0.6 - PLUNGER_BOTTOM
"""How high the collar is, from its lower end: a little less than what is between that and the lid."""
REST = d.Rectangle(d.READER.x - 4, d.ANTENNA_CENTRE.y - 12, 8, 24)
"""What holds the end of the module that is far from its socket: a printed block on the board, with a slot."""
REST_SLOT = 2.5
"""How far the module goes into it."""

# --- Centre ---------------------------------------------------------------------------------------------------------

READER_BOTTOM = d.READER_TOP - 1.6
DEEPER = 10.0
"""Than a pad: under the reader there are plugs on its header, under the strip the buzzer."""
CENTRE_BOTTOM = BASE_BOTTOM - DEEPER
CENTRE_POST = 9.2
"""The heads of the screws go deep into its posts, and these stay as thick as everything else."""
STRIP = d.Rectangle(13, 57, 69, 20)
"""A strip of perfboard with two buttons and a lamp."""
STRIP_POSTS = (d.Point(15.5, 59.5), d.Point(79.5, 59.5), d.Point(15.5, 74.5), d.Point(79.5, 74.5))
STRIP_SCREW = int(d.BOARD_THICKNESS + UNDER_THE_BOARD)
"""How long: from above through the strip into its post, which is no higher."""
BUZZER_TRAY = d.Rectangle(35.5, 57, d.BUZZER_MODULE[0], d.BUZZER_MODULE[1])
"""On the floor, under the strip: the buzzer's module, held by tape."""
BUZZER_HOLES = tuple(d.Point(x, CENTRE_BOTTOM + 8) for x in (37.5, 42.5, 47.5, 52.5, 57.5))
"""In the wall beside it, where the label has its lower edge: along the wall, and up."""
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
VENT_SLOTS = 5
VENT_LENGTH = 16.0
SATELLITE_VENT = d.Point(d.REGULATOR.x - 11, d.REGULATOR.y - VENT_LENGTH / 2)
"""The upper left corner of the slots: over the regulator."""
LED_WINDOW = 3.6

SCAD: dict[str, object] = {
    "wall": WALL,
    "floor_thickness": FLOOR_THICKNESS,
    "lid_thickness": LID_THICKNESS,
    "lip": LIP,
    "lip_depth": LIP_DEPTH,
    "clearance": CLEARANCE,
    "corner": CORNER,
    "post": POST,
    "pillar": d.PILLAR,
    "insert_hole": d.INSERT_HOLE,
    "insert_depth": INSERT_DEPTH,
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
    "lamp": d.LAMP,
    "lamp_hole": d.LAMP_HOLE,
    "pad_holes": d.PAD_HOLES,
    "pad_top": PAD_TOP,
    "pad_split": PAD_SPLIT,
    "pad_openings": (d.PAD_PLUG_OPENING,),
    "pad_pocket": PAD_POCKET,
    "tall_parts": TALL_PARTS,
    "plunger_top": PLUNGER_TOP,
    "plunger_bottom": PLUNGER_BOTTOM,
    "plunger_socket": PLUNGER_SOCKET,
    "plunger_collar": PLUNGER_COLLAR,
    "rest": REST,
    "rest_slot": REST_SLOT,
    "reader": d.READER,
    "reader_bottom": READER_BOTTOM,
    "centre_bottom": CENTRE_BOTTOM,
    "centre_post": CENTRE_POST,
    "strip_posts": STRIP_POSTS,
    "buzzer_tray": BUZZER_TRAY,
    "buzzer_holes": BUZZER_HOLES,
    "centre_opening": CENTRE_OPENING,
    "satellite_outline": SATELLITE_OUTLINE,
    "satellite_holes": d.SATELLITE_HOLES,
    "satellite_plugs": d.SATELLITE_PLUGS,
    "satellite_split": SATELLITE_SPLIT,
    "satellite_top": SATELLITE_TOP,
    "satellite_openings": SATELLITE_OPENINGS,
    "satellite_vent": SATELLITE_VENT,
    "vent_slots": VENT_SLOTS,
    "vent_length": VENT_LENGTH,
    "power_led": d.POWER_LED,
    "led_window": LED_WINDOW,
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
