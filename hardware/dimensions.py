"""Where things are, in millimetres: the one truth of labels, boards and boxes.

Everything is seen from above, x to the right, y down, as in KiCad and in SVG. Heights (z) go up from the upper face of
the board in question. The pad has the coordinates of its label: (0, 0) is the label's upper left corner, which is also
that of its box. The satellite has its own: (0, 0) is the upper left corner of its board.

Modules of readers differ by a millimetre or two from maker to maker: measure yours before you print or order.
"""

from typing import NamedTuple


class Point(NamedTuple):
    x: float
    y: float


class Rectangle(NamedTuple):
    """From its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)


class Opening(NamedTuple):
    """A hole in a wall. `along`: its middle, on the axis of the wall's edge; `z`: its middle above the board's top."""

    side: str  # "left", "right", "top" or "bottom": which edge of the board, seen from above
    along: float
    z: float
    width: float
    height: float


BOARD_THICKNESS = 1.6
SCREW = 3.0
"""M3."""
SCREW_HOLE = 3.2
"""Diameter. The screws are of steel: they are in the corners, away from the antenna (`METAL_FREE`)."""
SCREW_HEAD = 6.0
INSERT_HOLE = 4.0
"""For a heat-set insert M3 of brass, 4.6 mm across: the plastic melts around it. A screw that cuts its own thread into
PLA strips it after a few times."""
INSERT_LENGTH = 5.7
PILLAR = 8.0
"""Around an insert, from the lid down to the board: no part may be there."""

# --- The label, and with it the top of a pad's box --------------------------------------------------------------

LABEL = Rectangle(0, 0, 95, 92)
LABEL_FRAME = Rectangle(22.5, 17, 50, 36)
"""Where the piece is laid."""
ANTENNA_CENTRE = LABEL_FRAME.centre
BUTTON_GREEN = Point(22.5, 67)
BUTTON_RED = Point(70.5, 67)
BUTTON_HOLE = 14.0
"""Diameter of what sticks out of the lid."""
LAMP = Point(47.5, 67)
LAMP_HOLE = 5.2
"""For an LED of 5 mm."""

# --- The reader's module (RC522, the usual blue one), component side up, its header to the right ----------------

READER_SIZE = (60.0, 39.5)
READER = Rectangle(ANTENNA_CENTRE.x - 20, ANTENNA_CENTRE.y - 39.5 / 2, *READER_SIZE)
"""The antenna fills the left two thirds of the module: its middle is 20 mm from the module's left edge."""
READER_PINS = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")
READER_PITCH = 2.54
READER_HEADER_X = READER.right - 2
READER_PIN_1 = Point(READER_HEADER_X, ANTENNA_CENTRE.y + 3.5 * READER_PITCH)
"""SDA. The row goes up from here, to 3.3V."""
READER_SOCKET_HEIGHT = 8.5
READER_TOP = READER_SOCKET_HEIGHT + 2.5 + 1.6
"""The upper face of the module above the board: socket, the header's plastic, the module."""
READER_TALLEST_PART = 4.0
"""Its crystal, beside the header. Over the antenna nothing is higher than 1 mm."""

# --- The pad's board --------------------------------------------------------------------------------------------

PAD_BOARD = Rectangle(3, 3, 89, 86)
PAD_HOLES = (Point(7.5, 7.5), Point(87.5, 7.5), Point(7.5, 84.5), Point(87.5, 84.5))
PAD_COPPER_FREE = Rectangle(PAD_BOARD.x, PAD_BOARD.y, 77, 56)
"""No copper at all under and beside the antenna."""
BUTTON_STEM_TOP = 7.3
"""Of a 12 × 12 mm push button (Omron B3F-4055): a round cap, or a printed plunger, goes from here through the lid."""
BUTTON_BODY = 12.0
BUTTON_BODY_HEIGHT = 3.5
BUTTON_TRAVEL = 0.5
"""At most: 0.3 mm and its tolerance."""
BUTTON_STEM = 3.8
LAMP_DIAMETER = 5.0

PLUG_BODY = (25.4, 9.0)
"""A keyed box header for 14 wires, lying: its width and height."""
PLUG_OPENING = (27.0, 11.0)
PLUG_DEPTH = 13.28
"""From the middle of its pin 1 to its mouth."""
PLUG_OVERHANG = 2.0
"""Its mouth stands out over the board's edge: to the middle of a 2 mm wall."""
PAD_PLUG = Point(PAD_BOARD.right + PLUG_OVERHANG, 67)
"""The middle of the plug's mouth, on the right."""
PAD_PLUG_OPENING = Opening("right", PAD_PLUG.y, PLUG_BODY[1] / 2, *PLUG_OPENING)

# --- The satellite's board --------------------------------------------------------------------------------------

SATELLITE_BOARD = Rectangle(0, 0, 100, 100)
SATELLITE_HOLES = (Point(4, 4), Point(96, 4), Point(4, 96), Point(96, 96))
SATELLITE_PLUGS = (Point(21, 0), Point(50, 0), Point(79, 0), Point(21, 100), Point(50, 100))
"""The middles of the plugs of pads 0 to 4, on the edge of the board: three at the top, two at the bottom."""
SATELLITE_PLUG_OPENINGS = tuple(
    Opening("bottom" if plug.y else "top", plug.x, PLUG_BODY[1] / 2, *PLUG_OPENING) for plug in SATELLITE_PLUGS
)
NANO_USB = Point(0, 50)
"""The middle of the Nano's USB socket, at the left edge."""
NANO_TOP = 8.5 + 2.5 + 1.6
"""The upper face of the Nano above the board, in its sockets; its USB socket (4 mm high) is on that."""
NANO_USB_OPENING = Opening("left", NANO_USB.y, NANO_TOP + 2, 13.0, 9.0)
POWER_USB = Point(81, 100)
"""The middle of the USB socket (type B) for a 5 V supply."""
POWER_USB_OPENING = Opening("bottom", POWER_USB.x, 5.5, 13.0, 12.0)
REGULATOR = Point(82.55, 76.2)
"""The middle of its legs. It gets warm."""
POWER_LED = Point(92.71, 60.96)
"""The middle of the LED that says that there is power."""
BUZZER = Point(90, 40)
BUZZER_DIAMETER = 12.0
BUZZER_HEIGHT = 9.5
SATELLITE_TALLEST = 20.0
"""The regulator, standing; and the Nano with its USB socket."""

# --- The centre of kit one ------------------------------------------------------------------------------------------

DUPONT_PLUG = 14.0
"""The housing of a jumper wire; it goes onto the module's header from below."""
HEADER_PLASTIC = 2.5
WIRE_BEND = 8.0
"""Behind an upright plug its wire needs so much room to turn."""
BUZZER_MODULE = (24.0, 20.0, 11.0)
"""Of a buzzer with its transistor on a small board, such as Seeed's Grove Buzzer: width, depth and height."""

# --- What must not be touched -----------------------------------------------------------------------------------

METAL_FREE = Rectangle(READER.x - 8, READER.y - 8, 48, READER.height + 8 + 4)
"""Around the antenna: no screw, no copper of ours, no cable. Below it the buttons begin soon: 4 mm are left."""
