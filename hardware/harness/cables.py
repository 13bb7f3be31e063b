"""What WireViz draws, as plain data. The wires' ends are those of the catalogue and of the program's pins."""

from typing import Any

from companion.devices.gpio.header_pins import HEADER, KIT_ONE, POWER, SPI
from hardware.circuits.catalogue import R330, READER, WIRES
from hardware.proofs.models import JUMPER_METRES, LENGTHS

SHORTEST, LONGEST = min(map(min, LENGTHS)), max(map(max, LENGTHS))
"""Metres of a pad's cable, as the lines were proven."""
Harness = dict[str, Any]


def pad_cable() -> Harness:
    """One for each pad: 14 wires, plug to plug, wire 1 red and the others grey, as flat cable is sold."""
    plug = {
        "type": "plug for flat cable, 2 × 7, keyed",
        "subtype": "female",
        "manufacturer": "Würth Elektronik",
        "mpn": "61201423021",
        "pincount": len(WIRES),
        "pinlabels": list(WIRES),
        "notes": "the notch of both plugs on the same side of the cable",
    }
    cable = {
        "type": "flat cable, 1.27 mm",
        "manufacturer": "3M",
        "mpn": "3365/14",
        "gauge": "28 AWG",
        "length": 0.5,
        "colors": ["RD"] + ["GY"] * (len(WIRES) - 1),
        "notes": f"{SHORTEST:g} to {LONGEST:g} m; the red edge is wire 1",
    }
    every = f"1-{len(WIRES)}"
    return {
        "metadata": {"title": "Cable of a pad"},
        "connectors": {"satellite J1 … J5": plug, "pad J1": plug},
        "cables": {"cable": cable},
        "connections": [[{"satellite J1 … J5": [every]}, {"cable": [every]}, {"pad J1": [every]}]],
    }


def kit_one_wires() -> list[tuple[str, str, int, str]]:
    """(part, its pin, pin of the Pi's header, colour)"""
    bus = SPI[0]
    return [
        ("reader", "3.3V", 1, "RD"),
        ("reader", "RST", HEADER[KIT_ONE["reset"]], "VT"),
        ("reader", "GND", 20, "BK"),
        ("reader", "MISO", HEADER[bus["MISO"]], "GN"),
        ("reader", "MOSI", HEADER[bus["MOSI"]], "BU"),
        ("reader", "SCK", HEADER[bus["SCLK"]], "YE"),
        ("reader", "SDA", HEADER[bus["CE0"]], "OG"),
        ("green button", "1", HEADER[KIT_ONE["green"]], "GN"),
        ("green button", "2", 30, "BK"),
        ("red button", "1", HEADER[KIT_ONE["red"]], "PK"),
        ("red button", "2", 34, "BK"),
        ("lamp", "+", HEADER[KIT_ONE["lamp"]], "WH"),
        ("lamp", "-", 9, "BK"),
        ("buzzer", "signal", HEADER[KIT_ONE["buzzer"]], "YE"),
        ("buzzer", "plus", 17, "RD"),
        ("buzzer", "minus", 14, "BK"),
    ]


NOTES = {
    "buzzer": "a Grove cable with female ends has these colours; its white wire stays free",
    "lamp": f"{R330.value} in the wire to its long leg",
    "reader": "IRQ stays free",
}
READER_LEGS = {pin.name: int(pin.number) for pin in READER.pins}
"""Counted from SDA, as on the module."""
SOLDERED = ("green button", "red button", "lamp")
"""Parts on the strip of perfboard: their wires have a plug only at the Pi."""


def soldered_ends() -> int:
    """Jumper wires of kit one that are soldered to the strip, each with one end."""
    return sum(part in SOLDERED for part, *_ in kit_one_wires())


def kit_one() -> Harness:
    """Jumper wires from the Pi's header to each part."""
    wires = kit_one_wires()
    gpio = {pin: f"GPIO{number}" for number, pin in HEADER.items()}
    used = sorted({pin for _, _, pin, _ in wires})
    header = {
        "type": "Raspberry Pi, 40-pin header",
        "subtype": "pins",
        "pins": used,
        "pinlabels": [gpio.get(pin, POWER.get(pin, "")) for pin in used],
    }
    connectors: Harness = {"Pi": header}
    cables: Harness = {}
    connections: list[Any] = []
    for part in dict.fromkeys(part for part, *_ in wires):
        own = [wire for wire in wires if wire[0] == part]
        labels = [its for _, its, _, _ in own]
        ends = [READER_LEGS[its] for its in labels] if part == "reader" else list(range(1, len(own) + 1))
        connectors[part] = {"type": part, "pins": ends, "pinlabels": labels} | (
            {"notes": NOTES[part]} if part in NOTES else {}
        )
        cables[f"wires of the {part}"] = {
            "type": "jumper wires, female, soldered" if part in SOLDERED else "jumper wires, female to female",
            "category": "bundle",
            "length": JUMPER_METRES,
            "colors": [colour for *_, colour in own],
        }
        numbers = list(range(1, len(own) + 1))
        connections.append([{"Pi": [pin for _, _, pin, _ in own]}, {f"wires of the {part}": numbers}, {part: ends}])
    return {
        "metadata": {"title": "Wires of kit one"},
        "connectors": connectors,
        "cables": cables,
        "connections": connections,
    }


CABLES = {"pad-cable": pad_cable, "kit-one": kit_one}
