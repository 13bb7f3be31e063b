"""Every edge on the lines of the buttons, over time: a press must not disturb its own reader, nor another one.

A line rests at 3.3 V with all cables on it. When a button goes down while its pad is selected, that charge runs through
diode, resistor and button into the select, which the satellite holds low at the other end of the cable. Static levels
do not show this. The wires of the pad's own cable lie beside each other, so that one edge is felt by its neighbours.
"""

import itertools
from collections.abc import Sequence

from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.lines import VDD
from hardware.proofs.spice import Corner, Wave, Worst, WorstCase, corners, crossings, ohms, settled, waves

SECTIONS = 12
"""Pieces in which a coupled cable is reckoned: 0.4 ns each at a metre, a quarter of the fastest edge."""
SPAN = 250e-9
BEGIN = 20e-9
CABLES = ((1.0,) * 5, (0.2,) * 5)
COUPLED = ("sda", "rst", "g", "r")
"""Wires 9 to 12 of a pad's cable, beside each other without a ground between them."""
FIRST_CLOCK = 220e-9
"""No clock rises earlier after a select has fallen: half a clock at 2 MHz is 250 ns."""
KEY = ".model key sw(vt=0.5 vh=0 ron=0.1 roff=1g)"


def ladder(metres: float, cable: float) -> list[str]:
    """The coupled wires of pad 0's cable, from sda_0 at the satellite to sda_12 at the pad."""
    piece = metres / SECTIONS
    henry = cable * models.CABLE_DELAY * piece
    farad = models.CABLE_DELAY / cable * piece
    deck = []
    for at in range(SECTIONS):
        for wire in COUPLED:
            deck += [f"l{wire}{at} {wire}_{at} {wire}_{at + 1} {henry}"]
            deck += [f"c{wire}{at} {wire}_{at + 1} 0 {farad * (1 - models.COUPLED_FARAD)}"]
        for one, other in itertools.pairwise(COUPLED):
            deck += [f"k{one}{other}{at} l{one}{at} l{other}{at} {models.COUPLED_HENRY}"]
            deck += [f"c{one}{other}{at} {one}_{at + 1} {other}_{at + 1} {farad * models.COUPLED_FARAD}"]
    return deck


def reader(name: str, node: str, corner: Corner) -> list[str]:
    """One input of a reader, with its protection."""
    return [f"ci{name} {node} 0 {corner['reader']}p", f"du{name} {node} vdd clamp", f"dd{name} 0 {node} clamp"]


def deck(kit: tuple[Netlist, Netlist], buttons: int, metres: Sequence[float], corner: Corner, edge: str) -> list[str]:
    """Pad 0 with its buttons, pad 1 with both buttons down and not selected, the others with their cables alone."""
    satellite, pad = kit
    beside = max(ohms(pad, "GREEN_DIODE", "GREEN_KEY") * 0.95, 0.01)
    series = ohms(satellite, "SDA0", "P0_SDA")
    held = series / 0.95 + corner["driver"]
    late = f"pulse(0 1 {BEGIN} 0.1n 0.1n 1 2)"
    fall, rise = (f"pulse({a} {b} {BEGIN} {models.SHIFTER_EDGE} 1n 1 2)" for a, b in ((VDD, 0), (0, VDD)))
    lines = [
        *(models.BAT85, models.CLAMP, KEY, f"vdd vdd 0 {VDD}"),
        f"vk key 0 {late if edge == 'press' else '1'}",
        f"vs s 0 { {'press': '0', 'falls': fall, 'rises': rise}[edge] }",
        *(f"rs s sda_0 {held}", f"rr vdd rst_0 {ohms(satellite, 'RST', 'P0_RST') / 0.95 + corner['driver']}"),
        *ladder(metres[0], corner["cable"]),
        *(*reader("s", f"sda_{SECTIONS}", corner), *reader("r", f"rst_{SECTIONS}", corner)),
        f"t1s n1 0 m1 0 z0={corner['cable']} td={metres[1] * models.CABLE_DELAY}",
        *(f"rn1 vdd n1 {held}", *reader("n", "m1", corner)),
    ]
    for number, (line, name) in enumerate((("g", "GREEN"), ("r", "RED"))):
        lines += [f"rp{line} vdd {line}_0 {ohms(satellite, '3V3', f'{name}_3V3')}"]
        lines += [f"cg{line} {line}_0 0 {models.GATE_PICOFARAD}p"]
        for other, length in list(enumerate(metres))[1:]:
            lines += [
                f"t{line}{other} {line}_0 0 {line}e{other} 0 z0={corner['cable']} td={length * models.CABLE_DELAY}"
            ]
            lines += [f"ce{line}{other} {line}e{other} 0 3p"]
        lines += [f"dn{line} {line}e1 {line}x1 bat85", f"rn{line} {line}x1 m1 {beside}"]
        if number < buttons:
            lines += [f"d{line} {line}_{SECTIONS} {line}x bat85", f"rx{line} {line}x {line}y {beside}"]
            lines += [f"s{line} {line}y sda_{SECTIONS} key 0 key"]
    return lines


def _seen(worst: Worst, times: Wave, own: Wave, edge: str, where: str) -> None:
    """What the reader of the pad itself sees at its select."""
    low, high = models.READER_LOW * VDD, models.READER_HIGH * VDD
    if edge == "press":
        worst.at_most("select of a pad while its buttons go down", max(own), low, "V", where)
        return
    level, rising = (high, True) if edge == "rises" else (low, False)
    there = (settled(times, own, level, rising) - BEGIN) * 1e9
    limit = FIRST_CLOCK * 1e9
    worst.at_most(f"select {edge} with its buttons down, until it is there", there, limit, "ns", where)
    worst.at_most(f"select {edge} with its buttons down, edges", crossings(own, low, high), 1, "", where)


EDGES = (("press", 1), ("press", 2), ("falls", 2), ("rises", 2))
"""What happens, and how many buttons of the pad go or are down."""


def proof(satellite: Netlist, pad: Netlist, edges: Sequence[tuple[str, int]] = EDGES) -> list[WorstCase]:
    worst = Worst()
    high = models.READER_HIGH * VDD
    ranges = {"driver": models.SHIFTER_OHMS, "cable": models.CABLE_OHMS, "reader": models.READER_PICOFARAD}
    nodes = (f"v(sda_{SECTIONS})", f"v(rst_{SECTIONS})", "v(m1)")
    for edge, buttons in edges:
        for metres in CABLES:
            for corner in corners(**ranges):
                where = f"{buttons} pressed, five cables of {metres[0]:g} m, {corner}"
                times, seen = waves(deck((satellite, pad), buttons, metres, corner, edge), 0.5e-9, SPAN, *nodes)
                own, reset, neighbour = (seen[node] for node in nodes)
                _seen(worst, times, own, edge, where)
                worst.at_least("RST of a reader, beside these edges", min(reset), high, "V", where)
                worst.at_least("select of another pad with its buttons down", min(neighbour), high, "V", where)
    return worst.findings()
