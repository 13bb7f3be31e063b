"""What the data sheets say, typed from them and not from our circuits: which leg is what, how its mark looks, and in
which case a part number comes. `faults` compares a circuit with it.

Everything else here is made of one source. A leg that is wrong there is wrong in netlist, board, bill, drawing and
simulation alike, and they all agree with each other. This table is the second opinion: when you change a circuit, take
the data sheet and type the change here, too.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hardware.circuits.netlist import Netlist

Nets = dict[str, str]
PADS = range(5)


class Sheet(NamedTuple):
    """One part number."""

    source: str
    case: str
    """As KiCad calls it."""
    value: str
    mark: str = ""
    """What tells leg 1, or which way round it goes, on the part itself; the board has the same."""


_CERAMIC = "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"
_ELECTROLYTIC = "Capacitor_THT:CP_Radial_D5.0mm_P2.00mm"
_AXIAL = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
_DO35 = "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal"
_YAGEO = "Yageo MFR series: 1/4 W, 6.3 mm long"
_LONG_LEG = "leg 1 (+) is the long one; the stripe is at minus"
_RING = "leg 1 (cathode) has the ring"
_FLAT = "leg 1 (cathode) is the short one, at the flat side"

SHEETS: dict[str, Sheet] = {
    "MFR-25FBF52-100R": Sheet(_YAGEO, _AXIAL, "100 Ω"),
    "MFR-25FBF52-330R": Sheet(_YAGEO, _AXIAL, "330 Ω"),
    "MFR-25FBF52-470R": Sheet(_YAGEO, _AXIAL, "470 Ω"),
    "MFR-25FBF52-680R": Sheet(_YAGEO, _AXIAL, "680 Ω"),
    "MFR-25FBF52-1K": Sheet(_YAGEO, _AXIAL, "1 kΩ"),
    "MFR-25FBF52-2K2": Sheet(_YAGEO, _AXIAL, "2.2 kΩ"),
    "MFR-25FBF52-8K2": Sheet(_YAGEO, _AXIAL, "8.2 kΩ"),
    "4606X-101-103LF": Sheet(
        "Bourns 4600X: 46 06 X is a SIP of 6 pins, 101 is bussed, 103 is 10 kΩ",
        "Resistor_THT:R_Array_SIP6",
        "5 × 10 kΩ",
        "leg 1 (common) has the dot",
    ),
    "C320C104K5R5TA": Sheet("KEMET Goldmax 300: 104 K 5 is 100 nF, 10 %, 50 V; legs 5.08 mm", _CERAMIC, "100 nF"),
    "C320C105K5R5TA": Sheet("KEMET Goldmax 300: 105 K 5 is 1 µF, 10 %, 50 V; legs 5.08 mm", _CERAMIC, "1 µF"),
    "ECA-1HM100": Sheet("Panasonic M series A: 1H is 50 V, 100 is 10 µF; 5 × 11 mm", _ELECTROLYTIC, "10 µF", _LONG_LEG),
    "ECA-1EM470": Sheet("Panasonic M series A: 1E is 25 V, 470 is 47 µF; 5 × 11 mm", _ELECTROLYTIC, "47 µF", _LONG_LEG),
    "MF-R110": Sheet("Bourns MF-R: holds 1.1 A; legs 5.1 mm apart", "Fuse:Fuse_Bourns_MF-RG800", "PTC fuse, 1.1 A"),
    "BAT85-TAP": Sheet("Vishay 85513: DO-35, the ring is the cathode", _DO35, "BAT85", _RING),
    "1N4148": Sheet("onsemi 1N914/D: DO-35, the ring is the cathode", _DO35, "1N4148", _RING),
    "WP7113YD": Sheet("Kingbright WP7113YD: T-1 3/4, 5 mm", "LED_THT:LED_D5.0mm", "LED, 5 mm, yellow", _FLAT),
    "WP710A10LGD": Sheet("Kingbright WP710A10LGD: T-1, 3 mm", "LED_THT:LED_D3.0mm", "LED, 3 mm, green", _FLAT),
    "BC33740TA": Sheet(
        "onsemi BC337/D: TO-92, 1 collector, 2 base, 3 emitter; T A: legs formed, 5.08 mm",
        "Package_TO_SOT_THT:TO-92_Inline_Wide",
        "BC337",
        "flat side to you, legs down: 1, 2, 3 from the left",
    ),
    "MCP1826S-3302E/AB": Sheet(
        "Microchip DS22057, package AB is TO-220-3: 1 VIN, 2 GND (and the tab), 3 VOUT; 33 is 3.3 V",
        "Package_TO_SOT_THT:TO-220-3_Vertical",
        "MCP1826S, 3.3 V, 1 A",
        "print to you, tab behind, legs down: 1, 2, 3 from the left",
    ),
    "SN74LVC245AN": Sheet(
        "TI SCAS218, package N is PDIP-20: 1 DIR, 2-9 A1-A8, 10 GND, 11-18 B8-B1, 19 OE, 20 VCC",
        "Package_DIP:DIP-20_W7.62mm",
        "74LVC245A",
        "leg 1 is left of the notch",
    ),
    "CD74HCT125E": Sheet(
        "TI SCHS143, suffix E is PDIP-14: 1/4/10/13 OE, 2/5/9/12 A, 3/6/8/11 Y, 7 GND, 14 VCC",
        "Package_DIP:DIP-14_W7.62mm",
        "74HCT125",
        "leg 1 is left of the notch",
    ),
    "A000005": Sheet(
        "Arduino Nano pinout A000005: 1 TX, 2 RX, 4 GND, 5-15 D2-D12, 16 D13, 19-26 A0-A7, 27 5V, 29 GND, 30 VIN",
        "Module:Arduino_Nano",
        "Arduino Nano",
        "leg 1 (D1/TX) is at the corner that is not the USB socket's",
    ),
    "RFID-RC522 (MFRC522), 60 × 39.5 mm": Sheet(
        "print of the usual module: SDA SCK MOSI MISO IRQ GND RST 3.3V",
        "Connector_PinSocket_2.54mm:PinSocket_1x08_P2.54mm_Vertical",
        "RC522 module",
        "leg 1 is SDA",
    ),
    "61201421721": Sheet(
        "Würth WR-BHD 61201421721: angled, 2 × 7, 2.54 mm, odd pins in one row",
        "Connector_IDC:IDC-Header_2x07_P2.54mm_Horizontal",
        "box header, 2 × 7, keyed, angled",
        "leg 1 has the triangle",
    ),
    "USB-B1HSB6": Sheet(
        "OST USB-B1HSB6: 1 VBUS, 2 D-, 3 D+, 4 GND, shield (USB 2.0, 6.4.2)",
        "Connector_USB:USB_B_OST_USB-B1HSxx_Horizontal",
        "USB socket, type B",
    ),
    "CMI-1295IC-0585T": Sheet(
        "CUI CMI-1295IC-0585T: 12 × 9.5 mm, 5 V, with its own driver, legs 7.6 mm apart",
        "Buzzer_Beeper:Buzzer_12x9.5RM7.6",
        "buzzer, active, 5 V",
        "leg 1 (+) is marked on the top and longer",
    ),
    "B3F-4055": Sheet("Omron B3F-4: 12 × 12 mm, 7.3 mm high", "Button_Switch_THT:SW_PUSH-12mm", "push button"),
    "107020000 (Grove Buzzer, version 1.1 or later)": Sheet(
        "Seeed wiki, Grove - Buzzer: 3.3 V or 5 V; S9013 transistor since version 1.1; sounds while its input is high",
        "",
        "buzzer module with a transistor, active, 3.3 V",
        "yellow signal, red plus, black minus; white stays free",
    ),
    "any with the 40-pin header": Sheet("Raspberry Pi, 40-pin header (BCM numbers)", "", "Raspberry Pi, 40 pins"),
    "–": Sheet("a hole", "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm", "test point"),
}
"""Part number → what its data sheet says of it."""


class Expected(NamedTuple):
    """A part of a board: its number, and the net at each of its legs ("" where nothing is connected)."""

    number: str
    nets: Nets
    either: bool = False
    """It has no polarity: its two legs may change places."""


def _legs(*nets: str) -> Nets:
    return {str(leg): net for leg, net in enumerate(nets, 1)}


def _r(value: str, one: str, other: str) -> Expected:
    return Expected(f"MFR-25FBF52-{value}", _legs(one, other), either=True)


def _c(number: str, rail: str) -> Expected:
    return Expected(number, _legs(rail, "GND"), either=number.startswith("C320"))


def _plug(*fourteen: str) -> Expected:
    return Expected("61201421721", _legs(*fourteen))


def _satellite() -> dict[str, Expected]:
    parts = {
        "U1": Expected(
            "SN74LVC245AN",
            _legs(
                *("3V3", "SELECT0", "SELECT1", "SELECT2", "SELECT3", "SELECT4", "RESET", "MOSI", "SCK", "GND"),
                *("SCK_3V3", "MOSI_3V3", "RST", "SDA4", "SDA3", "SDA2", "SDA1", "SDA0", "GND", "3V3"),
            ),
        ),
        "U2": Expected(
            "CD74HCT125E",
            _legs(
                *("GND", "MISO_3V3", "MISO_OUT", "GND", "GREEN_3V3", "GREEN_OUT", "GND"),
                *("RED_OUT", "RED_3V3", "GND", "", "GND", "GND", "5V"),
            ),
        ),
        "U3": Expected("MCP1826S-3302E/AB", _legs("5V", "GND", "3V3")),
        "A1": Expected(
            "A000005",
            _legs(
                *("", "", "", "GND", "SELECT0", "SELECT1", "SELECT2", "SELECT3", "SELECT4", "GREEN", "RED"),
                *("BUZZER", "RESET", "MOSI", "MISO", "SCK", "", "", "LAMP0", "LAMP1", "LAMP2", "LAMP3", "LAMP4"),
                *("", "", "", "5V", "", "GND", ""),
            ),
        ),
        "J6": Expected("USB-B1HSB6", _legs("VBUS", "", "", "GND", "GND")),
        "F1": Expected("MF-R110", _legs("VBUS", "5V"), either=True),
        "Q1": Expected("BC33740TA", _legs("BUZZER_LOW", "BUZZER_BASE", "GND")),
        "BZ1": Expected("CMI-1295IC-0585T", _legs("5V", "BUZZER_LOW")),
        "D1": Expected("WP710A10LGD", _legs("GND", "POWER_LED")),
        "D2": Expected("1N4148", _legs("5V", "BUZZER_LOW")),
        "C1": _c("C320C104K5R5TA", "3V3"),
        "C2": _c("C320C104K5R5TA", "5V"),
        "C3": _c("ECA-1EM470", "5V"),
        "C4": _c("ECA-1EM470", "3V3"),
        "C5": _c("C320C105K5R5TA", "3V3"),
        "RN1": Expected("4606X-101-103LF", _legs("5V", "SELECT0", "SELECT1", "SELECT2", "SELECT3", "SELECT4")),
        "RN2": Expected("4606X-101-103LF", _legs("GND", "RESET", "MOSI", "SCK", "MISO_3V3", "BUZZER_BASE")),
        "R26": _r("8K2", "3V3", "GREEN_3V3"),
        "R27": _r("8K2", "3V3", "RED_3V3"),
        "R28": _r("1K", "MISO_OUT", "MISO"),
        "R29": _r("1K", "GREEN_OUT", "GREEN"),
        "R30": _r("1K", "RED_OUT", "RED"),
        "R31": _r("2K2", "BUZZER", "BUZZER_BASE"),
        "R32": _r("1K", "3V3", "POWER_LED"),
    }
    for pad in PADS:
        own = {wire: f"P{pad}_{wire}" for wire in ("SCK", "MOSI", "SDA", "RST", "LAMP")}
        parts[f"J{pad + 1}"] = _plug(
            *("3V3", "GND", own["SCK"], "GND", own["MOSI"], "GND", "MISO_3V3", "GND"),
            *(own["SDA"], own["RST"], "GREEN_3V3", "RED_3V3", own["LAMP"], "GND"),
        )
        first = 5 * pad + 1
        parts[f"R{first}"] = _r("100R", f"SDA{pad}", own["SDA"])
        parts[f"R{first + 1}"] = _r("100R", "SCK_3V3", own["SCK"])
        parts[f"R{first + 2}"] = _r("100R", "MOSI_3V3", own["MOSI"])
        parts[f"R{first + 3}"] = _r("100R", "RST", own["RST"])
        parts[f"R{first + 4}"] = _r("470R", f"LAMP{pad}", own["LAMP"])
    measured = (
        "5V",
        "3V3",
        "GND",
        "SCK_3V3",
        "MOSI_3V3",
        "MISO_3V3",
        "RST",
        "SDA0",
        "GREEN_3V3",
        "RED_3V3",
        "VBUS",
        "GND",
    )
    return parts | {f"TP{number}": Expected("–", _legs(net)) for number, net in enumerate(measured, 1)}


def _pad() -> dict[str, Expected]:
    return {
        "J1": _plug(
            *("3V3", "GND", "SCK", "GND", "MOSI", "GND", "MISO", "GND"),
            *("SDA", "RST", "GREEN", "RED", "LAMP", "GND"),
        ),
        "U1": Expected(
            "RFID-RC522 (MFRC522), 60 × 39.5 mm", _legs("SDA", "SCK", "MOSI", "MISO_OUT", "", "GND", "RST", "3V3")
        ),
        "R1": _r("100R", "MISO_OUT", "MISO"),
        "R2": _r("680R", "GREEN_DIODE", "GREEN_KEY"),
        "R3": _r("680R", "RED_DIODE", "RED_KEY"),
        "C1": _c("ECA-1HM100", "3V3"),
        "C2": _c("C320C104K5R5TA", "3V3"),
        "D1": Expected("BAT85-TAP", _legs("GREEN_DIODE", "GREEN")),
        "D2": Expected("BAT85-TAP", _legs("RED_DIODE", "RED")),
        "D3": Expected("WP7113YD", _legs("GND", "LAMP")),
        "SW1": Expected("B3F-4055", _legs("GREEN_KEY", "SDA"), either=True),
        "SW2": Expected("B3F-4055", _legs("RED_KEY", "SDA"), either=True),
    }


def _kit_one() -> dict[str, Expected]:
    header = {
        1: "3V3",
        9: "GND",
        11: "LAMP",
        12: "BUZZER",
        14: "GND",
        17: "3V3",
        19: "MOSI",
        20: "GND",
        21: "MISO",
        22: "RST",
        23: "SCK",
        24: "SDA",
        29: "GREEN",
        30: "GND",
        31: "RED",
        34: "GND",
    }
    return {
        "J1": Expected("any with the 40-pin header", _legs(*(header.get(pin, "") for pin in range(1, 41)))),
        "U1": Expected(
            "RFID-RC522 (MFRC522), 60 × 39.5 mm", _legs("SDA", "SCK", "MOSI", "MISO", "", "GND", "RST", "3V3")
        ),
        "R1": _r("330R", "LAMP", "LAMP_LED"),
        "D1": Expected("WP7113YD", _legs("GND", "LAMP_LED")),
        "SW1": Expected("B3F-4055", _legs("GREEN", "GND"), either=True),
        "SW2": Expected("B3F-4055", _legs("RED", "GND"), either=True),
        "BZ1": Expected("107020000 (Grove Buzzer, version 1.1 or later)", _legs("BUZZER", "3V3", "GND")),
    }


BOARDS: dict[str, dict[str, Expected]] = {"satellite": _satellite(), "pad": _pad(), "kit-one": _kit_one()}


def faults(netlist: Netlist) -> Iterator[str]:
    """Where a circuit differs from what the data sheets want."""
    expected = BOARDS[netlist.name]
    for ref in sorted(expected.keys() ^ netlist.parts.keys()):
        yield f"{netlist.name}: {ref} is {'too much' if ref in netlist.parts else 'missing'}"
    for ref in sorted(expected.keys() & netlist.parts.keys()):
        yield from _part_faults(netlist, ref, expected[ref])


def _part_faults(netlist: Netlist, ref: str, expected: Expected) -> Iterator[str]:
    kind = netlist.parts[ref].kind
    sheet = SHEETS[expected.number]
    for what, found, wanted in (
        ("part number", kind.number, expected.number),
        ("case", kind.footprint, sheet.case),
        ("value", kind.value, sheet.value),
    ):
        if found != wanted:
            yield f"{netlist.name}: {ref} has the {what} {found}, the data sheet wants {wanted} ({sheet.source})"
    found_nets = {pin.number: netlist.net_of(ref, pin.number) for pin in kind.pins}
    ways = [expected.nets]
    if expected.either:
        ways.append(dict(zip(expected.nets, reversed(expected.nets.values()), strict=True)))
    if found_nets not in ways:
        wrong = [f"leg {leg} at {net or 'nothing'}" for leg, net in found_nets.items() if net != expected.nets.get(leg)]
        missing = sorted(expected.nets.keys() - found_nets.keys())
        yield f"{netlist.name}: {ref}: {', '.join(wrong + [f'no leg {leg}' for leg in missing])} ({sheet.source})"
