"""What must be so in the circuits, whatever they look like. Each function gives what is wrong, as sentences."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.devices.gpio.header_pins import HEADER, KIT_ONE, POWER, SPI
from hardware.circuits.bill import BillLine, bill
from hardware.circuits.catalogue import NANO_LABELS, R100, R330, R470, R680, WIRES, Kind
from hardware.circuits.netlist import Netlist

PADS = range(5)
LINES = {"SDA": "SELECT{pad}", "SCK": "SCK", "MOSI": "MOSI", "RST": "RESET", "LAMP": "LAMP{pad}"}
"""Wire of a pad's cable → the firmware's name of the pin that drives it."""
HEARD = {"MISO": "MISO", "GREEN": "GREEN", "RED": "RED"}
"""Wire of a pad's cable → the firmware's name of the pin that listens."""
RAILS = {"3V3", "5V", "GND"}


BOARD_H = Path(__file__).parents[2] / "firmware" / "avr" / "board.h"


def pins_of_the_firmware() -> dict[str, str]:
    """SELECT0 → D2, and so on."""
    text = BOARD_H.read_text(encoding="utf-8")
    return dict(re.findall(r'PIN\((\w+),\s*\w, \d, "(\w+)"', text))


def wire_numbers(name: str) -> list[int]:
    return [number for number, wire in enumerate(WIRES, 1) if wire == name]


def through(netlist: Netlist, one: str, other: str, kind: Kind) -> Iterator[str]:
    """Exactly this part lies between two nets."""
    found = netlist.between(one, other)
    if [part.kind for part in found] != [kind]:
        there = ", ".join(f"{part.ref} ({part.value})" for part in found) or "nothing"
        yield f"{netlist.name}: between {one} and {other} there should be {kind.value}, and there is {there}"


def same(netlist: Netlist, one: tuple[str, str], other: tuple[str, str]) -> Iterator[str]:
    """Two pins, given by part and name, are connected with each other."""
    here, there = netlist.pin(*one), netlist.pin(*other)
    if here != there or not here:
        yield f"{netlist.name}: {' '.join(one)} is at {here or 'nothing'}, {' '.join(other)} at {there or 'nothing'}"


# --- Kit one ----------------------------------------------------------------------------------------------------


def kit_one(netlist: Netlist) -> Iterator[str]:
    """The reader, the buttons, the lamp and the buzzer are at the pins that the program takes."""
    bus = SPI[0]
    for pin, gpio in (("SDA", "CE0"), ("SCK", "SCLK"), ("MOSI", "MOSI"), ("MISO", "MISO")):
        yield from same(netlist, ("U1", pin), ("J1", f"GPIO{bus[gpio]}"))
    yield from same(netlist, ("U1", "RST"), ("J1", f"GPIO{KIT_ONE['reset']}"))
    yield from same(netlist, ("U1", "3.3V"), ("J1", "3.3 V 1"))
    for ref, colour in (("SW1", "green"), ("SW2", "red")):
        yield from same(netlist, (ref, "1"), ("J1", f"GPIO{KIT_ONE[colour]}"))
        yield from same(netlist, (ref, "2"), ("U1", "GND"))
    lamp = netlist.pin("J1", f"GPIO{KIT_ONE['lamp']}")
    yield from through(netlist, lamp, netlist.pin("D1", "A"), R330)
    yield from same(netlist, ("D1", "K"), ("U1", "GND"))
    yield from same(netlist, ("BZ1", "signal"), ("J1", f"GPIO{KIT_ONE['buzzer']}"))
    yield from _rails_of_the_header(netlist)


def _rails_of_the_header(netlist: Netlist) -> Iterator[str]:
    expected = {"3.3 V": "3V3", "ground": "GND"}
    for number in range(1, 41):
        net = netlist.net_of("J1", str(number))
        if net and number in POWER and net != expected.get(POWER[number]):
            yield f"{netlist.name}: pin {number} of the header is {POWER[number]}, and {net} hangs on it"
        if net in RAILS and number in HEADER.values():
            yield f"{netlist.name}: pin {number} of the header is no supply, and {net} hangs on it"


# --- The satellite and a pad ------------------------------------------------------------------------------------


def satellite(netlist: Netlist, firmware: Mapping[str, str]) -> Iterator[str]:
    """Every line goes from the firmware's pin to its wire in every plug, through its resistor."""
    for pad in PADS:
        plug = f"J{pad + 1}"
        for wire, pattern in LINES.items():
            yield from _driven(netlist, plug, wire, firmware[pattern.format(pad=pad)])
        for wire, name in HEARD.items():
            yield from _heard(netlist, plug, wire, firmware[name])
        for wire in ("3V3", "GND"):
            for number in wire_numbers(wire):
                if netlist.net_of(plug, str(number)) != wire:
                    yield f"{netlist.name}: wire {number} of {plug} is not {wire}"
    yield from _rests(netlist, firmware)


def _driven(netlist: Netlist, plug: str, wire: str, label: str) -> Iterator[str]:
    (number,) = wire_numbers(wire)
    net = netlist.net_of("A1", NANO_LABELS[label])
    if wire == "LAMP":
        yield from through(netlist, net, netlist.net_of(plug, str(number)), R470)
        return
    inputs = [
        pin.name for pin in netlist.parts["U1"].kind.pins if pin.name[0] == "A" and netlist.pin("U1", pin.name) == net
    ]
    if len(inputs) != 1:
        yield f"{netlist.name}: {label} goes to {len(inputs)} inputs of the level shifter"
        return
    shifted = netlist.pin("U1", inputs[0].replace("A", "B"))
    yield from through(netlist, shifted, netlist.net_of(plug, str(number)), R100)


def _heard(netlist: Netlist, plug: str, wire: str, label: str) -> Iterator[str]:
    (number,) = wire_numbers(wire)
    net = netlist.net_of(plug, str(number))
    gates = [gate for gate in "1234" if netlist.pin("U2", f"A{gate}") == net]
    if len(gates) != 1 or netlist.pin("U2", f"OE{gates[0]}") != "GND":
        yield f"{netlist.name}: {wire} of {plug} goes to {len(gates)} gates"
        return
    found = netlist.between(netlist.pin("U2", f"Y{gates[0]}"), netlist.net_of("A1", NANO_LABELS[label]))
    if [part.value for part in found] != ["1 kΩ"]:
        yield f"{netlist.name}: gate {gates[0]} does not lead to {label} through 1 kΩ"


def _rests(netlist: Netlist, firmware: Mapping[str, str]) -> Iterator[str]:
    """Where a line rests while the Nano is in reset and nothing drives it."""
    up = {firmware[f"SELECT{pad}"]: "RN1" for pad in PADS}
    down = {firmware[name]: "RN2" for name in ("RESET", "MOSI", "SCK")}
    rails = {"RN1": "5V", "RN2": "GND"}
    for label, network in (up | down).items():
        net = netlist.net_of("A1", NANO_LABELS[label])
        if not any(leg.ref == network for leg in netlist.nets[net]) or netlist.pin(network, "COMMON") != rails[network]:
            yield f"{netlist.name}: nothing holds {label} at {rails[network]} while the Nano is in reset"


def pad(netlist: Netlist) -> Iterator[str]:
    """Every wire of the plug is at the reader's pin of its name; the buttons lie behind their diodes."""
    for wire in ("SDA", "SCK", "MOSI", "RST"):
        yield from same(netlist, ("J1", f"{wire}_{wire_numbers(wire)[0]}"), ("U1", wire))
    yield from same(netlist, ("J1", f"3V3_{wire_numbers('3V3')[0]}"), ("U1", "3.3V"))
    for number in wire_numbers("GND"):
        yield from same(netlist, ("J1", f"GND_{number}"), ("U1", "GND"))
    (miso,) = wire_numbers("MISO")
    yield from through(netlist, netlist.pin("U1", "MISO"), netlist.net_of("J1", str(miso)), R100)
    for diode, button, colour in (("D1", "SW1", "GREEN"), ("D2", "SW2", "RED")):
        yield from same(netlist, (diode, "A"), ("J1", f"{colour}_{wire_numbers(colour)[0]}"))
        yield from through(netlist, netlist.pin(diode, "K"), netlist.pin(button, "1"), R680)
        yield from same(netlist, (button, "2"), ("U1", "SDA"))
    yield from same(netlist, ("D3", "A"), ("J1", f"LAMP_{wire_numbers('LAMP')[0]}"))
    yield from same(netlist, ("D3", "K"), ("U1", "GND"))


# --- The bill ---------------------------------------------------------------------------------------------------


def bill_of(netlist: Netlist, lines: list[BillLine]) -> Iterator[str]:
    """The bill has the parts of the circuit, each as it is ordered, and no others."""
    expected = {line.refs: line for line in bill(netlist)}
    found = {line.refs: line for line in lines}
    for refs in sorted(expected.keys() | found.keys()):
        if expected.get(refs) != found.get(refs):
            yield f"{netlist.name}: {refs}: the bill says {found.get(refs)}, the circuit {expected.get(refs)}"
