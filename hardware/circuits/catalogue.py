"""Every part that is soldered or plugged: what it is, its case, whose it is, and what does as well.

Pins are (number, name, what it does for ERC). Footprints are those of KiCad 9's own libraries.
"""

from typing import NamedTuple


class PinOf(NamedTuple):
    number: str
    name: str
    does: str = "PASSIVE"


class Kind(NamedTuple):
    """A part as one orders it."""

    name: str
    prefix: str
    value: str
    pins: tuple[PinOf, ...]
    footprint: str
    maker: str
    number: str
    substitute: str


def _two(first: str = "1", second: str = "2") -> tuple[PinOf, ...]:
    return PinOf("1", first), PinOf("2", second)


def _resistor(value: str, number: str) -> Kind:
    footprint = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
    return Kind("R", "R", value, _two(), footprint, "Yageo", number, "any, 1/4 W, 5 % or better")


R100 = _resistor("100 Ω", "MFR-25FBF52-100R")
R330 = _resistor("330 Ω", "MFR-25FBF52-330R")
R470 = _resistor("470 Ω", "MFR-25FBF52-470R")
R680 = _resistor("680 Ω", "MFR-25FBF52-680R")
R1K = _resistor("1 kΩ", "MFR-25FBF52-1K")
R2K2 = _resistor("2.2 kΩ", "MFR-25FBF52-2K2")
R8K2 = _resistor("8.2 kΩ", "MFR-25FBF52-8K2")
NETWORK = Kind(
    "RN",
    "RN",
    "5 × 10 kΩ",
    (PinOf("1", "COMMON"), *(PinOf(str(leg), f"R{leg - 1}") for leg in range(2, 7))),
    "Resistor_THT:R_Array_SIP6",
    "Bourns",
    "4606X-101-103LF",
    "any SIP-6 with a common pin, or five single resistors of 10 kΩ",
)

C100N = Kind(
    "C",
    "C",
    "100 nF",
    _two(),
    "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm",
    "KEMET",
    "C320C104K5R5TA",
    "any ceramic, 25 V or more, 5 mm between its legs",
)
C1U = Kind(
    "C",
    "C",
    "1 µF",
    _two(),
    "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm",
    "KEMET",
    "C320C105K5R5TA",
    "any ceramic, X7R, 16 V or more, 5 mm between its legs",
)
C10U = Kind(
    "CP",
    "C",
    "10 µF",
    _two("+", "-"),
    "Capacitor_THT:CP_Radial_D5.0mm_P2.00mm",
    "Panasonic",
    "ECA-1HM100",
    "any electrolytic, 16 V or more, 5 mm thick",
)
C47U = Kind(
    "CP",
    "C",
    "47 µF",
    _two("+", "-"),
    "Capacitor_THT:CP_Radial_D5.0mm_P2.00mm",
    "Panasonic",
    "ECA-1EM470",
    "any electrolytic, 16 V or more, 5 mm thick",
)

FUSE = Kind(
    "F",
    "F",
    "PTC fuse, 1.1 A",
    _two(),
    "Fuse:Fuse_Bourns_MF-RG800",  # KiCad has no MF-R110; this one has its legs, 5.1 mm apart, and its case
    "Bourns",
    "MF-R110",
    "any radial PTC that holds 1.1 A, with at most 0.27 Ω and legs 5 mm apart",
)

_DIODE = "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal"
BAT85 = Kind("D", "D", "BAT85", _two("K", "A"), _DIODE, "Vishay", "BAT85-TAP", "BAT43, BAT46, BAT48; no 1N4148")
D4148 = Kind("D", "D", "1N4148", _two("K", "A"), _DIODE, "onsemi", "1N4148", "1N914")
LAMP = Kind(
    "LED",
    "D",
    "LED, 5 mm, yellow",
    _two("K", "A"),
    "LED_THT:LED_D5.0mm",
    "Kingbright",
    "WP7113YD",
    "any colour below 2.6 V",
)
POWER_LED = Kind(
    "LED", "D", "LED, 3 mm, green", _two("K", "A"), "LED_THT:LED_D3.0mm", "Kingbright", "WP710A10LGD", "any colour"
)
TRANSISTOR = Kind(
    "Q",
    "Q",
    "BC337",
    (PinOf("1", "C"), PinOf("2", "B"), PinOf("3", "E")),
    "Package_TO_SOT_THT:TO-92_Inline_Wide",
    "onsemi",
    "BC33740TA",
    "BC337-25; a 2N2222A has its legs the other way round",
)

BUTTON = Kind(
    "SW",
    "SW",
    "push button",
    _two(),
    "Button_Switch_THT:SW_PUSH-12mm",
    "Omron",
    "B3F-4055",
    "any push button of 12 × 12 mm, 7.3 mm high, with a square stem; no caps: printed plungers go on them",
)
BUZZER = Kind(
    "BZ",
    "BZ",
    "buzzer, active, 5 V",
    _two("+", "-"),
    "Buzzer_Beeper:Buzzer_12x9.5RM7.6",
    "CUI Devices",
    "CMI-1295IC-0585T",
    "TMB12A05, or any active buzzer for 5 V and at most 40 mA",
)
BUZZER_MODULE = Kind(
    "BM",
    "BZ",
    "buzzer module with a transistor, active, 3.3 V",
    (PinOf("1", "signal", "INPUT"), PinOf("2", "plus", "PWRIN"), PinOf("3", "minus", "PWRIN")),
    "",
    "Seeed Studio",
    "107020000 (Grove Buzzer, version 1.1 or later)",
    "any active one with a transistor that sounds while its input is high; no KY-012, which has none",
)

WIRES = ("3V3", "GND", "SCK", "GND", "MOSI", "GND", "MISO", "GND", "SDA", "RST", "GREEN", "RED", "LAMP", "GND")
"""The 14 wires of a pad's flat cable, from the red edge on: each fast line lies between two grounds."""

PLUG = Kind(
    "IDC",
    "J",
    "box header, 2 × 7, keyed, angled",
    tuple(PinOf(str(wire), f"{name}_{wire}") for wire, name in enumerate(WIRES, 1)),
    "Connector_IDC:IDC-Header_2x07_P2.54mm_Horizontal",
    "Würth Elektronik",
    "61201421721",
    "any angled box header for 14 wires with a notch",
)
POWER_SOCKET = Kind(
    "USB_B",
    "J",
    "USB socket, type B",
    (
        PinOf("1", "VBUS", "PWROUT"),
        PinOf("2", "D-", "NOCONNECT"),
        PinOf("3", "D+", "NOCONNECT"),
        PinOf("4", "GND", "PWROUT"),
        PinOf("5", "SHIELD"),
    ),
    "Connector_USB:USB_B_OST_USB-B1HSxx_Horizontal",
    "On Shore Technology",
    "USB-B1HSB6",
    "any USB-B socket of this shape; only its power is used",
)

_SHIFTER = (
    PinOf("1", "DIR", "INPUT"),
    *(PinOf(str(leg), f"A{leg - 1}", "INPUT") for leg in range(2, 10)),
    PinOf("10", "GND", "PWRIN"),
    *(PinOf(str(leg), f"B{19 - leg}", "OUTPUT") for leg in range(11, 19)),
    PinOf("19", "OE", "INPUT"),
    PinOf("20", "VCC", "PWRIN"),
)
SHIFTER = Kind(
    "74LVC245",
    "U",
    "74LVC245A",
    _SHIFTER,
    "Package_DIP:DIP-20_W7.62mm",
    "Texas Instruments",
    "SN74LVC245AN",
    "none: a 74HC245 will not do, its inputs do not stand 5 V",
)
_GATES = (
    *(("1", "OE1", "INPUT"), ("2", "A1", "INPUT"), ("3", "Y1", "TRISTATE")),
    *(("4", "OE2", "INPUT"), ("5", "A2", "INPUT"), ("6", "Y2", "TRISTATE"), ("7", "GND", "PWRIN")),
    *(("8", "Y3", "TRISTATE"), ("9", "A3", "INPUT"), ("10", "OE3", "INPUT")),
    *(("11", "Y4", "TRISTATE"), ("12", "A4", "INPUT"), ("13", "OE4", "INPUT"), ("14", "VCC", "PWRIN")),
)
GATES = Kind(
    "74HCT125",
    "U",
    "74HCT125",
    tuple(PinOf(*pin) for pin in _GATES),
    "Package_DIP:DIP-14_W7.62mm",
    "Texas Instruments",
    "CD74HCT125E",
    "SN74AHCT125N; no 74HC125, whose inputs want 3.5 V",
)
REGULATOR = Kind(
    "LDO",
    "U",
    "MCP1826S, 3.3 V, 1 A",
    (PinOf("1", "VIN", "PWRIN"), PinOf("2", "GND", "PWRIN"), PinOf("3", "VOUT", "PWROUT")),
    "Package_TO_SOT_THT:TO-220-3_Vertical",
    "Microchip",
    "MCP1826S-3302E/AB",
    "MCP1825S-3302E/AB for up to four pads; an AMS1117 wants 1.3 V more than it gives and will not do",
)

_NANO = (
    *(("1", "TXD", "OUTPUT"), ("2", "RXD", "INPUT"), ("3", "RST1", "INPUT"), ("4", "GND1", "PWRIN")),
    *((str(label + 3), f"D{label}", "BIDIR") for label in range(2, 13)),
    *(("16", "D13", "BIDIR"), ("17", "3V3", "PASSIVE"), ("18", "AREF", "PASSIVE")),
    *((str(label + 19), f"A{label}", "BIDIR" if label < 6 else "INPUT") for label in range(8)),
    *(("27", "5V", "PASSIVE"), ("28", "RST2", "INPUT"), ("29", "GND2", "PWRIN"), ("30", "VIN", "PASSIVE")),
)
NANO = Kind(
    "Arduino_Nano",
    "A",
    "Arduino Nano",
    tuple(PinOf(*pin) for pin in _NANO),
    "Module:Arduino_Nano",
    "Arduino",
    "A000005",
    "any copy with ATmega328P, 5 V, 16 MHz; CH340 or FT232",
)
NANO_LABELS = {pin.name: pin.number for pin in NANO.pins} | {"D0": "2", "D1": "1"}
"""What is printed on the Nano → the number of its leg."""

READER = Kind(
    "RC522",
    "U",
    "RC522 module",
    (
        PinOf("1", "SDA", "INPUT"),
        PinOf("2", "SCK", "INPUT"),
        PinOf("3", "MOSI", "INPUT"),
        PinOf("4", "MISO", "TRISTATE"),
        PinOf("5", "IRQ", "OUTPUT"),
        PinOf("6", "GND", "PWRIN"),
        PinOf("7", "RST", "INPUT"),
        PinOf("8", "3.3V", "PWRIN"),
    ),
    "Connector_PinSocket_2.54mm:PinSocket_1x08_P2.54mm_Vertical",
    "(generic)",
    "RFID-RC522 (MFRC522), 60 × 39.5 mm",
    "any with these eight pins in this order",
)
TEST_POINT = Kind(
    "TP",
    "TP",
    "test point",
    (PinOf("1", "1"),),
    "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm",
    "–",
    "–",
    "a bare hole",
)
