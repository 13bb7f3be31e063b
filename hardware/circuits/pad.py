"""A pad: the reader on its header, two buttons, a lamp, and the plug of its cable."""

from hardware.circuits.catalogue import BAT85, BUTTON, C10U, C100N, LAMP, PLUG, R100, R680, READER, WIRES
from hardware.circuits.drafting import Draft


def draw() -> Draft:
    pad = Draft("pad")
    pad.part(PLUG, "J1", "to the satellite")
    for wire, name in enumerate(WIRES, 1):
        pad.wire("J1", f"{name}_{wire}", name)
    pad.powered("3V3", "GND")

    pad.part(
        READER, "U1", "in a socket, 1 × 8", SDA="SDA", SCK="SCK", MOSI="MOSI", MISO="MISO_OUT", RST="RST", GND="GND"
    )
    pad.wire("U1", "3.3V", "3V3")
    pad.unconnected("U1", "IRQ")
    pad.two(R100, "R1", "MISO_OUT", "MISO", "the reader's end of its own line")
    pad.two(C10U, "C1", "3V3", "GND", "beside the reader")
    pad.two(C100N, "C2", "3V3", "GND", "beside the reader")

    for number, colour in enumerate(("GREEN", "RED"), 1):
        pad.two(BAT85, f"D{number}", f"{colour}_DIODE", colour, "the ring points to the resistor")
        pad.two(R680, f"R{number + 1}", f"{colour}_DIODE", f"{colour}_KEY", "a press must not lift the select")
        pad.two(BUTTON, f"SW{number}", f"{colour}_KEY", "SDA", f"{colour.lower()}")
    pad.two(LAMP, "D3", "GND", "LAMP", "the short leg to ground; its resistor is in the satellite")
    return pad
