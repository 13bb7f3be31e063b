"""SCK, MOSI, SDA and RST at the end of a pad's cable: within the reader's limits, one edge a clock, and in time."""

from collections.abc import Sequence

from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.spice import Corner, Wave, Worst, WorstCase, corners, crossings, ohms, settled, waves

VDD = 3.3


def star(resistor: float, lengths: Sequence[float], corner: Corner, khz: float) -> list[str]:
    """One output of the shifter, and for each pad its resistor, its cable and the reader at its end."""
    period = 1e-3 / khz
    edge = models.SHIFTER_EDGE
    deck = [
        models.CLAMP,
        f"vdd vdd 0 {VDD}",
        f"vs s 0 pulse(0 {VDD} 10n {edge} {edge} {period / 2 - edge} {period})",
        f"ro s out {corner['driver']}",
        "co out 0 8p",
    ]
    for pad, metres in enumerate(lengths):
        deck += [
            f"rs{pad} out a{pad} {resistor}",
            f"t{pad} a{pad} 0 b{pad} 0 z0={corner['cable']} td={metres * models.CABLE_DELAY}",
            f"c{pad} b{pad} 0 {corner['reader']}p",
            f"dup{pad} b{pad} vdd clamp",
            f"ddown{pad} 0 b{pad} clamp",
        ]
    return deck


def line(netlist: Netlist, name: str, shifted: str, wire: str, khz: float) -> list[WorstCase]:
    """One line over all corners and sets of cables."""
    worst = Worst()
    nominal = ohms(netlist, shifted, wire)
    ranges = {"driver": models.SHIFTER_OHMS, "cable": models.CABLE_OHMS, "reader": models.READER_PICOFARAD}
    for lengths in models.LENGTHS:
        for corner in corners(**ranges, tolerance=(1 - models.TOLERANCE,)):
            where = f"{khz:g} kHz, cables of {' '.join(f'{each:g}' for each in lengths)} m, {corner}"
            resistor = nominal * corner["tolerance"]
            period = 1e-3 / khz
            nodes = [f"v(b{pad})" for pad in range(len(lengths))]
            times, seen = waves(star(resistor, lengths, corner, khz), 0.5e-9, 10e-9 + period, *nodes)
            for wave in seen.values():
                _levels(worst, name, wave, where)
                _edges(worst, name, (times, wave), where)
    return worst.findings()


def _levels(worst: Worst, name: str, wave: Wave, where: str) -> None:
    worst.at_least(f"{name}, lowest at a reader", min(wave), models.READER_BELOW, "V", where)
    worst.at_most(f"{name}, highest at a reader", max(wave), VDD + models.READER_ABOVE, "V", where)


def _edges(worst: Worst, name: str, seen: tuple[Wave, Wave], where: str) -> None:
    """Up once and down once in a period; and each edge is over long before the other line's next one."""
    times, wave = seen
    period = times[-1] - 10e-9
    low, high = models.READER_LOW * VDD, models.READER_HIGH * VDD
    half = next(index for index, time in enumerate(times) if time >= 10e-9 + period / 2)
    worst.at_most(f"{name}, edges in a period", crossings(wave, low, high), 2, "", where)
    up = settled(times[:half], wave[:half], high, True) - 10e-9
    down = settled(times[half:], wave[half:], low, False) - 10e-9 - period / 2
    limit = (period / 2 - models.READER_SETUP) * 1e9
    worst.at_most(f"{name}, until it is there", max(up, down) * 1e9, limit, "ns", where)


def kit_one(resistor: float = models.KIT_ONE_OHMS) -> list[WorstCase]:
    """SCK and MOSI of the one reader on the Pi, at 1 MHz through jumper wires, with this resistor in each."""
    worst = Worst()
    ranges = {"driver": models.PI_OHMS, "wire": models.JUMPER_OHMS, "reader": models.READER_PICOFARAD}
    edge = models.PI_EDGE
    for corner in corners(**ranges, tolerance=(1 - models.TOLERANCE,)):
        deck = [
            *(models.CLAMP, f"vdd vdd 0 {VDD}", f"vs s 0 pulse(0 {VDD} 10n {edge} {edge} {500e-9 - edge} 1u)"),
            *(f"ro s a {corner['driver']}", f"rs a w {max(resistor * corner['tolerance'], 0.01)}"),
            f"t1 w 0 b 0 z0={corner['wire']} td={models.JUMPER_METRES * models.CABLE_DELAY}",
            *(f"c1 b 0 {corner['reader']}p", "dup b vdd clamp", "ddown 0 b clamp"),
        ]
        times, seen = waves(deck, 0.5e-9, 10e-9 + 1e-6, "v(b)")
        _levels(worst, "kit one, SCK and MOSI", seen["v(b)"], str(corner))
        _edges(worst, "kit one, SCK and MOSI", (times, seen["v(b)"]), str(corner))
    return worst.findings()


def proof(netlist: Netlist, khz: float) -> list[WorstCase]:
    return [
        *line(netlist, "SCK", "SCK_3V3", "P0_SCK", khz),
        *line(netlist, "MOSI", "MOSI_3V3", "P0_MOSI", khz),
    ]


def slow(netlist: Netlist) -> list[WorstCase]:
    """RST goes to all cables, SDA to one: the same picture, at leisure."""
    return [*line(netlist, "RST", "RST", "P0_RST", 500), *line(netlist, "SDA", "SDA0", "P0_SDA", 500)]
