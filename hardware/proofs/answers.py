"""MISO: from the reader that speaks, past four silent ones, through a gate into the ATmega, in half a clock."""

from collections.abc import Sequence

from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.lines import VDD
from hardware.proofs.spice import Corner, Worst, WorstCase, corners, crossings, ohms, settled, waves

SPAN = 400e-9


def star(resistor: float, lengths: Sequence[float], corner: Corner) -> list[str]:
    """Pad 0 speaks; the others' outputs are open. They meet at the input of the gate."""
    deck = [
        models.CLAMP,
        f"vdd vdd 0 {VDD}",
        f"vs s 0 pulse(0 {VDD} 0 2n 2n {SPAN} {2 * SPAN})",
        f"ro s b0 {corner['reader']}",
        f"cg in 0 {models.GATE_PICOFARAD}p",
        "rd in 0 10k",
    ]
    for pad, metres in enumerate(lengths):
        deck += [
            f"rs{pad} b{pad} a{pad} {resistor}",
            f"t{pad} a{pad} 0 in 0 z0={corner['cable']} td={metres * models.CABLE_DELAY}",
            f"c{pad} b{pad} 0 10p",
            f"dup{pad} b{pad} vdd clamp",
            f"ddown{pad} 0 b{pad} clamp",
        ]
    return deck


def proof(pad: Netlist, satellite: Netlist, khz: float, there: float) -> list[WorstCase]:
    """`there`: how long the clock takes to the reader, in seconds (hardware.proofs.lines)."""
    worst = Worst()
    resistor = ohms(pad, "MISO_OUT", "MISO")
    behind = ohms(satellite, "MISO_OUT", "MISO") * (models.ATMEGA_PICOFARAD + 5) * 1e-12
    fixed = models.SHIFTER_DELAY + there + models.READER_ANSWER + models.GATE_DELAY + behind + models.ATMEGA_SETUP
    for lengths in models.LENGTHS:
        for corner in corners(reader=models.READER_OHMS, cable=models.CABLE_OHMS):
            where = f"{khz:g} kHz, cables of {' '.join(f'{each:g}' for each in lengths)} m, {corner}"
            nodes = ["v(in)", *(f"v(b{each})" for each in range(len(lengths)))]
            times, seen = waves(star(resistor, lengths, corner), 0.5e-9, 2 * SPAN, *nodes)
            half = next(index for index, time in enumerate(times) if time >= SPAN)
            up = settled(times[:half], seen["v(in)"][:half], models.GATE_HIGH, True)
            down = settled(times[half:], seen["v(in)"][half:], models.GATE_LOW, False) - SPAN
            late = (fixed + max(up, down)) * 1e9
            worst.at_most("MISO, from the falling clock to the ATmega", late, 0.5e6 / khz, "ns", where)
            worst.at_least("MISO, high at the gate", seen["v(in)"][half - 1], models.GATE_HIGH, "V", where)
            edges = crossings(seen["v(in)"], models.GATE_LOW, models.GATE_HIGH)
            worst.at_most("MISO, edges at the gate for one bit", edges, 2, "", where)
            for node in nodes[1:]:
                worst.at_least("MISO, lowest at a reader", min(seen[node]), models.READER_BELOW, "V", where)
                worst.at_most("MISO, highest at a reader", max(seen[node]), VDD + models.READER_ABOVE, "V", where)
    return worst.findings()
