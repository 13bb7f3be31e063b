"""The buttons: any set of them, with one pad selected or none, is read as it is pressed."""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.spice import Corner, Worst, WorstCase, corners, ohms, operating_point, settled, waves

PINS_C = Path(__file__).parents[2] / "firmware" / "avr" / "pins.c"
States = tuple[bool, bool]
SETS: tuple[States, ...] = ((False, False), (False, True), (True, False), (True, True))


def pressed_sets() -> Iterator[tuple[States, ...]]:
    """Green and red of five pads. Pads are alike: pad 0 is the one that may be selected, the others stand in order.

    140 sets are all of the 1,024 that differ by more than a name.
    """
    for own in SETS:
        for others in itertools.combinations_with_replacement(SETS, 4):
            yield (own, *others)


class Kits(NamedTuple):
    satellite: Netlist
    pad: Netlist


def matrix(kits: Kits, pads: Sequence[States], selected: bool, corner: Corner, case: str) -> list[str]:
    """Two lines with their pull-ups; five selects; ten buttons, each behind its diode and its resistor."""
    satellite, pad_board = kits
    beside = ohms(pad_board, "GREEN_DIODE", "GREEN_KEY") / corner["tolerance"]
    pull = ohms(satellite, "3V3", "GREEN_3V3") * corner["tolerance"]
    series = ohms(satellite, "SDA0", "P0_SDA") / corner["tolerance"]
    deck = [f"r{line}{case} vdd {line}{case} {pull}" for line in "gr"]
    for pad, states in enumerate(pads):
        low = selected and pad == 0
        deck.append(f"rs{pad}{case} {'0' if low else 'vdd'} s{pad}{case} {series + corner['driver']}")
        for line, down in zip("gr", states, strict=True):
            if down:
                key = f"{line}{pad}{case}"
                deck.append(f"v{key} {line}{case} k{key} {models.BAT85_MORE if low else 0}")
                deck += [f"d{key} k{key} x{key} bat85", f"rx{key} x{key} s{pad}{case} {beside}"]
    return deck


def levels(kits: Kits, volts: Sequence[float] = (3.2, 3.4)) -> list[WorstCase]:
    worst = Worst()
    weakest = models.SHIFTER_OHMS[1]
    for corner in corners(vdd=volts, celsius=(0, 50), driver=(weakest,), tolerance=(0.95, 1.05)):
        deck = [models.BAT85, f".temp {corner['celsius']:g}", f"vdd vdd 0 {corner['vdd']}"]
        cases = list(itertools.product(pressed_sets(), (True, False)))
        for number, (pads, selected) in enumerate(cases):
            deck += matrix(kits, pads, selected, corner, f"_{number}")
        nodes = [f"v({node}_{number})" for number in range(len(cases)) for node in ("g", "r", "s0")]
        found = operating_point(deck, *nodes)
        for number, (pads, selected) in enumerate(cases):
            where = f"{corner}; pressed {_told(pads)}, {'pad 0' if selected else 'nothing'} selected"
            for line, down in zip("gr", pads[0], strict=True):
                _one(worst, found[f"v({line}_{number})"], selected and down, where)
            if selected:
                limit = models.READER_LOW * corner["vdd"]
                worst.at_most("select of a pad with both buttons down", found[f"v(s0_{number})"], limit, "V", where)
    return worst.findings()


def pumped(kits: Kits) -> list[WorstCase]:
    """All ten buttons down, no pad selected: how much flows into 3.3 V. A rail without a load would rise."""
    worst = Worst()
    for corner in corners(vdd=(3.2, 3.4), celsius=(0, 50), driver=models.SHIFTER_OHMS, tolerance=(0.95,)):
        deck = [models.BAT85, f".temp {corner['celsius']:g}", f"vdd vdd 0 {corner['vdd']}"]
        deck += matrix(kits, ((True, True),) * 5, False, corner, "")
        current = operating_point(deck, "i(vdd)")["i(vdd)"] * 1e3
        worst.at_most("current into 3.3 V with all buttons down", current, 0.1, "mA", corner)
    return worst.findings()


def _one(worst: Worst, volts: float, low: bool, where: str) -> None:
    if low:
        worst.at_most("a button that is down, with its pad selected", volts, models.GATE_LOW, "V", where)
    else:
        worst.at_least("any other line", volts, models.GATE_HIGH, "V", where)


def _told(pads: Sequence[States]) -> str:
    return (
        " ".join(f"{pad}:{'g' * green}{'r' * red}" for pad, (green, red) in enumerate(pads) if green or red) or "none"
    )


def times(kits: Kits) -> list[WorstCase]:
    """The firmware waits before it looks at a line, and before it selects the next pad (firmware/avr/pins.c)."""
    waits = {name: float(value) for name, value in re.findall(r"#define (\w+)_US (\d+)", PINS_C.read_text())}
    picofarad = 5 * models.CABLE_PICOFARAD + 5 * 11 + 5 * 15 + models.GATE_PICOFARAD
    worst = Worst()
    for corner in corners(vdd=(3.2, 3.4), celsius=(0, 50), driver=models.SHIFTER_OHMS, tolerance=(0.95, 1.05)):
        pull = ohms(kits.satellite, "3V3", "GREEN_3V3") * corner["tolerance"]
        series = ohms(kits.satellite, "SDA0", "P0_SDA") * corner["tolerance"] + corner["driver"]
        beside = ohms(kits.pad, "GREEN_DIODE", "GREEN_KEY") * corner["tolerance"]
        vdd = corner["vdd"]
        deck = [
            *(
                models.BAT85,
                f".temp {corner['celsius']:g}",
                f"vdd vdd 0 {vdd}",
                f"rp vdd g {pull}",
                f"cg g 0 {picofarad}p",
            ),
            f"vs s 0 pulse({vdd} 0 1u 3n 3n 4u 100u)",
            *(f"rs s p {series}", "cp p 0 80p", f"vm g k {models.BAT85_MORE}", "d1 k x bat85", f"rx x p {beside}"),
        ]
        clock, seen = waves(deck, 20e-9, 20e-6, "v(g)")
        wave = seen["v(g)"]
        half = next(index for index, time in enumerate(clock) if time >= 5e-6)
        fall = settled(clock[:half], wave[:half], models.GATE_LOW, False) - 1e-6
        rise = settled(clock[half:], wave[half:], models.GATE_HIGH, True) - 5e-6
        worst.at_most("a line falls when its pad is selected", fall * 1e6, waits["SETTLE"], "µs", corner)
        worst.at_most("a line rises when its pad is left", rise * 1e6, waits["RECOVER"], "µs", corner)
    return worst.findings()


def proof(satellite: Netlist, pad: Netlist) -> list[WorstCase]:
    kits = Kits(satellite, pad)
    return [*levels(kits), *pumped(kits), *times(kits)]
