"""Where each part lies: the middle of its leg 1, and how it is turned (degrees, against the clock).

What a box or a label has to know comes from hardware/dimensions.py; legs are snapped to the router's grid.
"""

from typing import NamedTuple

from hardware import dimensions as mm
from hardware.boards.routing import GRID, Box


class Spot(NamedTuple):
    x: float
    y: float
    turned: int = 0


class Layout(NamedTuple):
    outline: mm.Rectangle
    holes: tuple[mm.Point, ...]
    spots: dict[str, Spot]
    copper_free: tuple[Box, ...]
    wide: frozenset[str]
    words: tuple[tuple[str, float, float, float], ...]
    """(what is printed on the board, x, y, height)"""
    over_the_edge: frozenset[str]
    """Parts that stand out of the board, through the wall of the box."""
    labels: dict[str, tuple[Spot, Spot]]
    """Part → where its name and its value are printed, if beside it is no room for them."""


def snapped(value: float, origin: float = 0.0) -> float:
    return round(origin + round((value - origin) / GRID) * GRID, 4)


POWER = frozenset({"VBUS", "5V", "3V3"})


ROW = ("SCK", "MOSI", "MISO", "RST", "SDA0", "GREEN", "RED", "VBUS", "GND")
"""What is printed beside the row of test points, TP4 to the last."""


# --- The satellite ----------------------------------------------------------------------------------------------


def _plug_and_resistors(pad: int) -> dict[str, Spot]:
    """A plug at the edge; behind it five resistors side by side: SDA, SCK, MOSI, RST, lamp."""
    plug = mm.SATELLITE_PLUGS[pad]
    top = plug.y == 0
    legs = snapped(mm.PLUG_DEPTH - mm.PLUG_OVERHANG)
    row = legs if top else mm.SATELLITE_BOARD.bottom - legs
    first = snapped(plug.x - 7.62 if top else plug.x + 7.62)
    spots = {f"J{pad + 1}": Spot(first, snapped(row), 90 if top else 270)}
    columns = {"SCK": 0, "MOSI": 1, "SDA": 2, "RST": 3, "LAMP": 4}
    for offset, wire in enumerate(("SDA", "SCK", "MOSI", "RST", "LAMP")):
        aside = 3.81 * columns[wire]
        x = first + aside if top else first - aside
        y = snapped(row + 13.335 if top else row - 13.335)
        spots[f"R{5 * pad + 1 + offset}"] = Spot(snapped(x), y, 90 if top else 270)
    return spots


def satellite() -> Layout:
    nano = Spot(snapped(41.275), snapped(mm.NANO_USB.y - 7.62), 270)
    spots = {
        **{ref: spot for pad in range(5) for ref, spot in _plug_and_resistors(pad).items()},
        "A1": nano,
        "U1": Spot(22.86, 38.1, 90),
        "C1": Spot(17.78, 30.48, 270),
        "RN1": Spot(50.8, 36.83),
        "RN2": Spot(50.8, 43.18),
        "U2": Spot(50.8, 57.785, 90),
        "C2": Spot(47.625, 52.07, 270),
        "R28": Spot(50.8, 62.23, 270),
        "R29": Spot(54.61, 62.23, 270),
        "R30": Spot(58.42, 62.23, 270),
        "R26": Spot(62.23, 62.23, 270),
        "R27": Spot(66.04, 62.23, 270),
        "J6": Spot(mm.POWER_USB.x + 1.25, 86.0, 270),
        "F1": Spot(66.675, 80.01),
        "U3": Spot(80.01, 76.2),
        "C3": Spot(91.44, 76.835),
        "C4": Spot(91.44, 67.945),
        "C5": Spot(80.01, 67.31),
        "D1": Spot(91.44, 60.96),
        "R32": Spot(80.01, 60.96),
        "BZ1": Spot(mm.BUZZER.x - 3.8, mm.BUZZER.y),
        "D2": Spot(86.36, 28.575),
        "R31": Spot(73.66, 52.07),
        "Q1": Spot(86.36, 52.07),
        "TP1": Spot(71.12, 68.58),
        "TP2": Spot(71.12, 64.77),
        "TP3": Spot(71.12, 60.96),
        **{f"TP{number}": Spot(snapped(5.08 + 5.08 * (number - 4)), 68.58) for number in range(4, 4 + len(ROW))},
    }
    words = (
        *((f"PAD {pad}", plug.x, 14.6 if plug.y == 0 else 85.4, 1.5) for pad, plug in enumerate(mm.SATELLITE_PLUGS)),
        ("5V", 74.3, 68.58, 1.2),
        ("3V3", 74.3, 64.77, 1.2),
        ("GND", 74.3, 60.96, 1.2),
        ("USB to the Pi", 12, 60.3, 1.2),
        ("5 V, 1 A", 81, 82.5, 1.2),
        ("tab", 86.4, 71.9, 1.0),
        ("flat side", 80.5, 55.2, 1.0),
        *((name, 5.08 + 5.08 * number, 66.2, 1.0) for number, name in enumerate(ROW)),
        ("COMPANION SATELLITE A", 68, 28.5, 1.5),
    )
    plugs = frozenset({"A1", "J1", "J2", "J3", "J4", "J5", "J6"})
    labels = {"C2": (Spot(47.6, 50.1), Spot(48.4, 59.7))}
    return Layout(mm.SATELLITE_BOARD, mm.SATELLITE_HOLES, spots, (), POWER, words, plugs, labels)


# --- A pad ------------------------------------------------------------------------------------------------------


def pad() -> Layout:
    x, y = mm.PAD_BOARD.x, mm.PAD_BOARD.y

    def near(px: float, py: float, turned: int = 0) -> Spot:
        return Spot(snapped(px, x), snapped(py, y), turned)

    free = mm.PAD_COPPER_FREE
    legs = mm.PAD_PLUG.x - mm.PLUG_DEPTH
    spots = {
        "U1": Spot(*mm.READER_PIN_1, 180),
        "J1": near(legs, mm.PAD_PLUG.y - 7.62),
        "SW1": Spot(mm.BUTTON_GREEN.x - 6.25, mm.BUTTON_GREEN.y - 2.5),
        "SW2": Spot(mm.BUTTON_RED.x - 6.25, mm.BUTTON_RED.y - 2.5),
        "D3": Spot(mm.LAMP.x - 1.27, mm.LAMP.y),
        "D1": near(20, 80),
        "D2": near(58, 80),
        "R2": near(31.5, 80),
        "R3": near(69.5, 80),
        "R1": near(89.5, 43.5, 270),
        "C1": near(81.1, 11.2, 270),
        "C2": near(89.5, 20, 270),
    }
    names = zip(mm.READER_PINS, range(8), strict=True)
    words = (
        *((name, mm.READER_PIN_1.x - 3.4, mm.READER_PIN_1.y - 2.54 * pin, 1.0) for name, pin in names),
        ("YES", mm.BUTTON_GREEN.x, 76, 1.5),
        ("NO", mm.BUTTON_RED.x, 76, 1.5),
        ("no metal here: antenna", *mm.ANTENNA_CENTRE, 1.5),
        ("COMPANION PAD A", 47.5, 84.5, 1.5),
        ("to the satellite", 72, 58.5, 1.0),
    )
    box = Box(free.x, free.y, free.right, free.bottom)
    labels = {"C2": (Spot(88.6, 17.6), Spot(87.2, 21.3, 90))}
    return Layout(mm.PAD_BOARD, mm.PAD_HOLES, spots, (box,), frozenset({"3V3"}), words, frozenset({"J1"}), labels)


LAYOUTS = {"satellite": satellite, "pad": pad}
