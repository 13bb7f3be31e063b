"""Five readers, each with all that it may take, five lamps and the buzzer: 5 V, 3.3 V and the regulator's heat."""

from typing import NamedTuple

from hardware.circuits.catalogue import REGULATOR
from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.spice import Corner, Worst, WorstCase, corners, operating_point

NANO_AMPERE = 0.03
LAMP_AMPERE = 0.0078
BUZZER_AMPERE = 0.04
SCHOTTKY = ".model schottky d(is=5e-6 rs=0.1 n=1.05 eg=0.69 xti=2 bv=20)"
"""Of the Nano, between its USB socket and its 5V pin: 0.3 V at 100 mA, 0.4 at 500."""


class Source(NamedTuple):
    """Where the 5 V come from."""

    volts: tuple[float, float]
    ohms: float
    """Its cable and contacts, there and back."""
    ampere: float
    nano: bool = False
    """Through the Nano's USB socket and its diode, instead of J6 and the fuse."""


SUPPLY = Source(models.SUPPLY, models.SUPPLY_CONTACTS, min(models.CHARGER_AMPERE, models.FUSE_AMPERE))
CHARGER = Source(models.CHARGER, models.CHARGER_CABLE, min(models.CHARGER_AMPERE, models.FUSE_AMPERE))
USB = Source(models.USB_SUPPLY, models.USB_CABLE, models.USB_AMPERE, nano=True)


def fused(netlist: Netlist) -> bool:
    return any(part.kind.name == "F" for part in netlist.between("VBUS", "5V"))


def deck(netlist: Netlist, pads: int, corner: Corner, source: Source) -> list[str]:
    """From the socket to the readers at the ends of their cables; the worst one has a metre."""
    way = "ds t five schottky" if source.nano else f"rf t five {models.FUSE_OHMS if fused(netlist) else 0.01}"
    reference = 3.3 * (1 + corner["error"])
    ours = netlist.parts["U3"].kind == REGULATOR
    drop = f"{models.REGULATOR_DROP}*i(vin)" if ours else f"{models.AMS1117_DROP}"
    others = NANO_AMPERE + pads * LAMP_AMPERE + BUZZER_AMPERE
    lines = [
        *(SCHOTTKY, f".temp {corner['celsius']:g}", f"vs s 0 {corner['supply']}", f"rc s t {source.ohms}"),
        way,
        f"io five 0 {others}",
        *("vin five in 0", "gin in 0 cur='i(vout)+0.0002'"),
        f"bo raw 0 v=min({reference}, max(0, v(in)-({drop})))",
        "vout raw out 0",
    ]
    for pad in range(pads):
        wire, ground = models.CABLE_RESISTANCE * corner["metres"], models.CABLE_RESISTANCE * corner["metres"] / 5
        lines += [
            f"rw{pad} out r{pad} {wire}",
            f"ir{pad} r{pad} g{pad} {corner['reader']}",
            f"rg{pad} g{pad} 0 {ground}",
        ]
    return lines


def of(netlist: Netlist, name: str, pads: int, source: Source) -> list[WorstCase]:
    worst = Worst()
    ranges = {"supply": source.volts, "celsius": (0, 50), "error": (-models.REGULATOR_ERROR, models.REGULATOR_ERROR)}
    for corner in corners(**ranges, reader=(0.015, models.READER_AMPERE), metres=(0.2, 1.0)):
        nodes = ("v(five)", "v(out)", "v(r0)", "v(g0)", "i(vin)", "i(vs)")
        found = operating_point(deck(netlist, pads, corner, source), *nodes)
        at_reader = found["v(r0)"] - found["v(g0)"]
        worst.at_least(f"{name}: 5 V at the Nano", found["v(five)"], models.ATMEGA_BROWN_OUT, "V", corner)
        worst.at_most(f"{name}: 5 V, at most", found["v(five)"], models.FIVE_VOLTS_MOST, "V", corner)
        worst.at_least(f"{name}: 3.3 V at the regulator", found["v(out)"], 3.1, "V", corner)
        worst.at_least(f"{name}: 3.3 V at a reader", at_reader, 3.1, "V", corner)
        worst.at_most(f"{name}: 3.3 V, at most", at_reader, models.READER_SUPPLY[1], "V", corner)
        worst.at_most(f"{name}: what all of it takes", -found["i(vs)"], source.ampere, "A", corner)
        watt = (found["v(five)"] - found["v(out)"]) * found["i(vin)"]
        hot = 35 + watt * models.REGULATOR_KELVIN_PER_WATT
        worst.at_most(f"{name}: the regulator's silicon in a box at 35 °C", hot, models.REGULATOR_HOTTEST, "°C", corner)
    return worst.findings()


def proof(netlist: Netlist) -> list[WorstCase]:
    """With the named supply at J6 all five; with any other charger four; through the Nano's USB socket alone one."""
    return [
        *of(netlist, "supply, five pads", 5, SUPPLY),
        *of(netlist, "any charger, four pads", 4, CHARGER),
        *of(netlist, "the Pi's USB alone, one pad", 1, USB),
    ]
