"""The sheets, drawn by hand: which part is where, what it is wired to, and the calculation beside its value.

Nets are typed here once more. KiCad reads what is connected out of the drawing; a test compares that with the circuit.
"""

from collections.abc import Callable

from hardware.pages.sources import figures
from hardware.schematics.drawing import Sheet

PADS = range(5)
Drawn = Callable[[Sheet], None]


def _said(what: str) -> str:
    return str(figures()[what])


# --- The satellite ------------------------------------------------------------------------------------------------


def supply(sheet: Sheet) -> None:
    sheet.frame(4, 8, 106, 34, "Supply: 5 V through a fuse, 3.3 V for the readers")
    sheet.box("J6", 14, 18, right=["1", "2", "3", "4", "5"])
    sheet.row("J6", "1", "=VBUS", "F1", "5V")
    for leg in ("2", "3"):
        sheet.row("J6", leg, "x")
    sheet.row("J6", "4", "GND")
    sheet.row("J6", "5", "GND")
    sheet.hang("C3", 54, 20, "5V", "GND")
    sheet.box("U3", 72, 18, left=["1", "2"], right=["3"])
    sheet.row("U3", "1", "5V")
    sheet.row("U3", "2", "GND")
    sheet.row("U3", "3", "3V3")
    sheet.hang("C4", 90, 20, "3V3", "GND")
    sheet.hang("C5", 100, 20, "3V3", "GND")
    sheet.small("R32", 76, 32)
    sheet.net("3V3", 74, 32, 180)
    sheet.wire((78, 32), (80, 32))
    sheet.small("D1", 82, 32, first="2")
    sheet.net("GND", 84, 32)
    sheet.note(
        8,
        31,
        f"All of it takes {_said('supply: supply, five pads: what all of it takes')}; F1 holds 0.85 A at 50 °C and costs 0.27 Ω at worst.\n"
        f"5 V at the Nano: {_said('supply: supply, five pads: 5 V at the Nano')} or more (it resets below 4.5 V).\n"
        f"3.3 V at a reader, a metre away: {_said('supply: supply, five pads: 3.3 V at a reader')} or more.\n"
        "R32: (3.3 V - 2.0 V) / 1 kΩ = 1.3 mA.",
    )
    sheet.frame(4, 45, 106, 20, "Test points")
    nets = ("5V", "3V3", "GND", "SCK_3V3", "MOSI_3V3", "MISO_3V3", "RST", "SDA0", "GREEN_3V3", "RED_3V3", "VBUS", "GND")
    for number, net in enumerate(nets, 1):
        column, row = (number - 1) % 4, (number - 1) // 4
        sheet.box(f"TP{number}", 14 + 26 * column, 51 + 5 * row, right=["1"])
        sheet.row(f"TP{number}", "1", net)


def down(sheet: Sheet) -> None:
    sheet.frame(4, 8, 106, 60, "From 5 V to 3.3 V: the Nano drives eight lines through the level shifter")
    lines = ("SELECT0", "SELECT1", "SELECT2", "SELECT3", "SELECT4", "RESET", "MOSI", "SCK")
    outputs = ("SDA0", "SDA1", "SDA2", "SDA3", "SDA4", "RST", "MOSI_3V3", "SCK_3V3")
    pins = ("5", "6", "7", "8", "9", "13", "14", "16")
    others = {"12": "BUZZER", "19": "LAMP0", "20": "LAMP1", "21": "LAMP2", "22": "LAMP3", "23": "LAMP4"}
    heard = {"15": "MISO", "10": "GREEN", "11": "RED", "27": "5V", "4": "GND", "29": "GND"}
    free = ("1", "2", "3", "17", "18", "24", "25", "26", "28", "30")
    sheet.box("A1", 24, 14, left=[*heard, *free], right=[*pins, *others])
    for pin, net in (heard | others).items():
        sheet.row("A1", pin, net)
    for pin in free:
        sheet.row("A1", pin, "x")
    inputs = [str(leg) for leg in range(2, 10)]
    sheet.box("U1", 66, 14, left=[*inputs, "1", "19", "20", "10"], right=[str(leg) for leg in range(18, 10, -1)])
    for pin, leg, line in zip(pins, inputs, lines, strict=True):
        (x1, y1), (x2, _) = sheet.pins["A1", pin], sheet.pins["U1", leg]
        sheet.wire((x1, y1), (x1 + 5, y1), (x2, y1))
        sheet.net(line, x1 + 5, y1)
    for leg, net in (("1", "3V3"), ("19", "GND"), ("20", "3V3"), ("10", "GND")):
        sheet.row("U1", leg, net)
    for number, net in zip(range(18, 10, -1), outputs, strict=True):
        sheet.row("U1", str(number), net)
    sheet.hang("C1", 98, 20, "3V3", "GND")
    for number, (ref, common, nets) in enumerate(
        (("RN1", "5V", lines[:5]), ("RN2", "GND", ("RESET", "MOSI", "SCK", "MISO_3V3", "BUZZER_BASE")))
    ):
        sheet.box(ref, 50 + 32 * number, 48, left=["1"], right=["2", "3", "4", "5", "6"])
        sheet.row(ref, "1", common)
        for resistor, net in enumerate(nets, 2):
            sheet.row(ref, str(resistor), net)
    sheet.note(
        8,
        60,
        "DIR (1) at 3.3 V: from A to B. OE (19) at ground: always on. Its inputs stand 5.5 V.\n"
        f"RN1, RN2: while the Nano is in reset its pins float; 10 kΩ against 6 µA of leakage leave {_said('reset and start: RESET while the Nano is in reset')} at most (0.8 allowed)\n"
        f"and {_said('reset and start: SELECT0 while the Nano is in reset')} at least (2.0 wanted): all readers in reset, none selected.",
    )


def up(sheet: Sheet) -> None:
    sheet.pitch = 3
    sheet.frame(4, 8, 106, 56, "From 3.3 V to 5 V: what the satellite hears")
    left = ["2", "1", "5", "4", "9", "10", "12", "13", "14", "7"]
    sheet.box("U2", 48, 16, left=left, right=["3", "", "6", "", "8", "", "11"])
    for leg, net in zip(
        left, ("MISO_3V3", "GND", "GREEN_3V3", "GND", "RED_3V3", "GND", "GND", "GND", "5V", "GND"), strict=True
    ):
        sheet.row("U2", leg, net)
    for leg, ref, one, other in (
        ("3", "R28", "MISO_OUT", "MISO"),
        ("6", "R29", "GREEN_OUT", "GREEN"),
        ("8", "R30", "RED_OUT", "RED"),
    ):
        sheet.row("U2", leg, f"={one}", ref, other)
    sheet.row("U2", "11", "x")
    sheet.hang("R26", 14, 18, "3V3", "GREEN_3V3")
    sheet.hang("R27", 24, 18, "3V3", "RED_3V3")
    sheet.hang("C2", 98, 22, "5V", "GND")
    sheet.note(
        8,
        52,
        "A reader gives 2.7 V for high, an ATmega at 5 V wants 3.0 V, a 74HCT125 only 2.0 V.\n"
        f"R26, R27: a pressed button leaves {_said('buttons: a button that is down, with its pad selected')} on the line (0.8 allowed): (3.4 V - 0.3 V) / 8.2 kΩ = 0.38 mA through diode, 680 Ω, 100 Ω and driver.\n"
        f"A line with 700 pF rises through 8.2 kΩ in {_said('buttons: a line rises when its pad is left')}; the firmware waits 5 µs.\n"
        "R28 to R30: if a strange sketch drives D7, D8 or D12, 5 V / 1 kΩ = 5 mA, and nothing burns.",
    )


def plugs(sheet: Sheet, pads: range) -> None:
    sheet.pitch = 3
    for place, pad in enumerate(pads):
        y = 10 + 34 * (place // 2)
        x = 58 * (place % 2)
        sheet.frame(2 + x, y - 2, 56, 33, f"Plug of pad {pad}")
        ref = f"J{pad + 1}"
        legs = ["1", "3", "5", "9", "10", "13", "7", "11", "12"]
        sheet.box(ref, 36 + x, y + 4, left=legs, right=["2", "4", "6", "8", "14"])
        first = 5 * pad + 1
        sheet.row(ref, "1", "3V3")
        for leg, number, net in (
            ("3", first + 1, "SCK_3V3"),
            ("5", first + 2, "MOSI_3V3"),
            ("9", first, f"SDA{pad}"),
            ("10", first + 3, "RST"),
            ("13", first + 4, f"LAMP{pad}"),
        ):
            sheet.row(ref, leg, f"R{number}.2", net)
        for leg, net in (("7", "MISO_3V3"), ("11", "GREEN_3V3"), ("12", "RED_3V3")):
            sheet.row(ref, leg, net)
        for leg in ("2", "4", "6", "8", "14"):
            sheet.row(ref, leg, "GND")
    sheet.note(
        4,
        44 if len(pads) < 3 else 76,
        "100 Ω: about the impedance of the cable, so what runs back from its end dies here: "
        f"{_said('lines at 2000 kHz: SCK, lowest at a reader')} to {_said('lines at 2000 kHz: SCK, highest at a reader')} at a reader.\n"
        f"470 Ω: (5 V - 2 V) / 470 Ω = 6 mA, {_said('lamps and buzzer: lamp of a pad: current of a pin')} at most.",
        1.3,
    )


def sound(sheet: Sheet) -> None:
    sheet.frame(4, 8, 80, 36, "Buzzer")
    sheet.small("R31", 20, 28)
    sheet.net("BUZZER", 18, 28, 180)
    sheet.wire((22, 28), (28, 28), (34, 28))
    sheet.net("BUZZER_BASE", 28, 28, 90)
    sheet.transistor("Q1", 36, 28)
    sheet.net("GND", 37, 30, 270)
    sheet.wire((37, 26), (37, 24), (50, 24), (56, 24))
    sheet.net("BUZZER_LOW", 56, 24)
    sheet.small("BZ1", 37, 20, upright=True)
    sheet.wire((37, 22), (37, 24))
    sheet.net("5V", 37, 18, 90)
    sheet.small("D2", 50, 20, upright=True)
    sheet.wire((50, 22), (50, 24))
    sheet.net("5V", 50, 18, 90)
    sheet.note(
        8,
        35,
        f"R31: (4.4 V - 0.7 V) / 2.2 kΩ = 1.7 mA; 40 mA / 100 = 0.4 mA are needed: Q1 keeps {_said('lamps and buzzer: buzzer: what the transistor keeps')} at most.\n"
        f"D2, ring to 5 V: the coil's kick ends at {_said('lamps and buzzer: buzzer: kick at the transistor')} instead of beyond 45 V.\n"
        "10 kΩ of RN2 hold the base while the Nano is in reset.",
    )


# --- A pad, and kit one -------------------------------------------------------------------------------------------


def pad(sheet: Sheet) -> None:
    sheet.frame(2, 8, 50, 40, "Plug, from the satellite")
    sheet.box("J1", 18, 14, left=["2", "4", "6", "8", "14"], right=["1", "3", "5", "7", "9", "10", "11", "12", "13"])
    for leg in ("2", "4", "6", "8", "14"):
        sheet.row("J1", leg, "GND")
    for leg, net in (
        ("1", "3V3"),
        ("3", "SCK"),
        ("5", "MOSI"),
        ("7", "MISO"),
        ("9", "SDA"),
        ("10", "RST"),
        ("11", "GREEN"),
        ("12", "RED"),
        ("13", "LAMP"),
    ):
        sheet.row("J1", leg, net)
    sheet.frame(54, 8, 60, 40, "Reader")
    sheet.box("U1", 80, 14, left=["1", "2", "3", "7", "5"], right=["4", "8", "6"])
    for leg, net in (("1", "SDA"), ("2", "SCK"), ("3", "MOSI"), ("7", "RST"), ("5", "x"), ("8", "3V3"), ("6", "GND")):
        sheet.row("U1", leg, net)
    sheet.row("U1", "4", "=MISO_OUT", "R1", "MISO")
    sheet.hang("C1", 66, 36, "3V3", "GND")
    sheet.hang("C2", 78, 36, "3V3", "GND")
    sheet.frame(2, 50, 66, 28, "Buttons")
    for number, colour in enumerate(("GREEN", "RED"), 1):
        y = 57 + 8 * (number - 1)
        sheet.net(colour, 12, y, 180)
        sheet.small(f"D{number}", 14, y, first="2")
        sheet.wire((16, y), (20, y), (24, y))
        sheet.net(f"{colour}_DIODE", 20, y, 90)
        sheet.small(f"R{number + 1}", 26, y)
        sheet.wire((28, y), (34, y), (40, y))
        sheet.net(f"{colour}_KEY", 34, y, 90)
        sheet.small(f"SW{number}", 42, y)
        sheet.net("SDA", 44, y)
    sheet.note(
        4,
        70,
        f"680 Ω: when a button goes down, the line empties itself into the select. It stays below {_said('presses: select of a pad while its buttons go down')} (0.99 is low);\n"
        "without them it would be 2.9 V, and the reader would lose its transfer.",
        1.3,
    )
    sheet.frame(70, 50, 44, 18, "Lamp")
    sheet.net("LAMP", 84, 60, 180)
    sheet.small("D3", 86, 60, first="2")
    sheet.net("GND", 88, 60)
    sheet.note(72, 64, "Its 470 Ω are in the satellite.", 1.3)


def kit_one(sheet: Sheet) -> None:
    nets = {
        "1": "3V3",
        "17": "3V3",
        "9": "GND",
        "14": "GND",
        "20": "GND",
        "30": "GND",
        "34": "GND",
        "24": "SDA",
        "23": "SCK",
        "19": "MOSI",
        "21": "MISO",
        "22": "RST",
        "29": "GREEN",
        "31": "RED",
        "11": "LAMP",
        "12": "BUZZER",
    }
    free = [str(pin) for pin in range(1, 41) if str(pin) not in nets]
    sheet.frame(2, 6, 46, 70, "Raspberry Pi, 40 pins")
    sheet.box("J1", 22, 10, left=free, right=list(nets))
    for pin in free:
        sheet.row("J1", pin, "x")
    for pin, net in nets.items():
        sheet.row("J1", pin, net)
    sheet.frame(50, 6, 64, 26, "Reader")
    sheet.box("U1", 82, 12, left=["1", "2", "3", "7", "5"], right=["4", "8", "6"])
    for leg, net in (
        ("1", "SDA"),
        ("2", "SCK"),
        ("3", "MOSI"),
        ("7", "RST"),
        ("5", "x"),
        ("4", "MISO"),
        ("8", "3V3"),
        ("6", "GND"),
    ):
        sheet.row("U1", leg, net)
    sheet.frame(50, 34, 64, 14, "Buttons: the pull-ups are the Pi's own")
    for number, colour in enumerate(("GREEN", "RED"), 1):
        x = 66 + 30 * (number - 1)
        sheet.net(colour, x - 2, 43, 180)
        sheet.small(f"SW{number}", x, 43)
        sheet.net("GND", x + 2, 43)
    sheet.frame(50, 50, 30, 18, "Lamp")
    sheet.net("LAMP", 59, 58, 180)
    sheet.small("R1", 61, 58)
    sheet.wire((63, 58), (66, 58), (68, 58))
    sheet.net("LAMP_LED", 66, 58, 90)
    sheet.small("D1", 70, 58, first="2")
    sheet.net("GND", 72, 58)
    sheet.note(
        52,
        62,
        "(3.3 V - 2 V) / 330 Ω = 4 mA,\n"
        f"{_said('lamps and buzzer: lamp of kit one: current of a pin')} at most; a pin gives 8.",
        1.3,
    )
    sheet.frame(82, 50, 32, 18, "Buzzer: a module with a transistor")
    sheet.box("BZ1", 100, 58, left=["1", "2", "3"])
    for leg, net in (("1", "BUZZER"), ("2", "3V3"), ("3", "GND")):
        sheet.row("BZ1", leg, net)


SHEETS: dict[str, dict[str, tuple[str, Drawn]]] = {
    "satellite": {
        "supply": ("Supply and test points", supply),
        "down": ("Level shifting, 5 V to 3.3 V", down),
        "up": ("Level shifting, 3.3 V to 5 V", up),
        "plugs-0-to-2": ("Plugs of pads 0 to 2", lambda sheet: plugs(sheet, range(3))),
        "plugs-3-and-4": ("Plugs of pads 3 and 4", lambda sheet: plugs(sheet, range(3, 5))),
        "sound": ("Buzzer", sound),
    },
    "pad": {"pad": ("A pad", pad)},
    "kit-one": {"kit-one": ("Kit one", kit_one)},
}
"""Circuit → its sheets: name, title, and what is drawn."""
