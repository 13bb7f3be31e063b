"""Five readers, each with all that it may take, five lamps and the buzzer: 5 V, 3.3 V and the regulator's heat."""

from hardware.circuits.catalogue import REGULATOR
from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.spice import Corner, Worst, WorstCase, corners, operating_point

NANO_AMPERE = 0.03
LAMP_AMPERE = 0.0078
BUZZER_AMPERE = 0.04
SCHOTTKY = ".model schottky d(is=5e-6 rs=0.1 n=1.05 eg=0.69 xti=2 bv=20)"
"""Of the Nano, between its USB socket and its 5V pin: 0.3 V at 100 mA, 0.4 at 500."""


def deck(netlist: Netlist, pads: int, corner: Corner, through_the_nano: bool) -> list[str]:
    """From the socket to the readers at the ends of their cables; the worst one has a metre."""
    reference = 3.3 * (1 + corner["error"])
    ours = netlist.parts["U3"].kind == REGULATOR
    drop = f"{models.REGULATOR_DROP}*i(vin)" if ours else f"{models.AMS1117_DROP}"
    others = NANO_AMPERE + pads * LAMP_AMPERE + BUZZER_AMPERE
    lines = [
        *(SCHOTTKY, f".temp {corner['celsius']:g}", f"vs s 0 {corner['supply']}", f"rc s t {models.SUPPLY_CABLE}"),
        "ds t five schottky" if through_the_nano else "rs t five 0.01",
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


def of(netlist: Netlist, name: str, pads: int, supply: tuple[float, float], nano: bool) -> list[WorstCase]:
    worst = Worst()
    ranges = {"supply": supply, "celsius": (0, 50), "error": (-models.REGULATOR_ERROR, models.REGULATOR_ERROR)}
    for corner in corners(**ranges, reader=(0.015, models.READER_AMPERE), metres=(0.2, 1.0)):
        nodes = ("v(five)", "v(out)", "v(r0)", "v(g0)", "i(vin)", "i(vs)")
        found = operating_point(deck(netlist, pads, corner, nano), *nodes)
        at_reader = found["v(r0)"] - found["v(g0)"]
        worst.at_least(f"{name}: 5 V at the Nano", found["v(five)"], models.ATMEGA_BROWN_OUT, "V", corner)
        worst.at_least(f"{name}: 3.3 V at the regulator", found["v(out)"], 3.1, "V", corner)
        worst.at_least(f"{name}: 3.3 V at a reader", at_reader, 3.1, "V", corner)
        worst.at_most(f"{name}: 3.3 V, at most", at_reader, models.READER_SUPPLY[1], "V", corner)
        given = models.USB_AMPERE if nano else models.CHARGER_AMPERE
        worst.at_most(f"{name}: what all of it takes", -found["i(vs)"], given, "A", corner)
        watt = (found["v(five)"] - found["v(out)"]) * found["i(vin)"]
        hot = 35 + watt * models.REGULATOR_KELVIN_PER_WATT
        worst.at_most(f"{name}: the regulator's silicon in a box at 35 °C", hot, models.REGULATOR_HOTTEST, "°C", corner)
    return worst.findings()


def proof(netlist: Netlist) -> list[WorstCase]:
    """With a charger at J6 all five; through the Nano's USB socket alone, at 5 V, one."""
    return [
        *of(netlist, "charger, five pads", 5, models.SUPPLY, False),
        *of(netlist, "the Pi's USB alone, one pad", 1, models.USB_SUPPLY, True),
    ]
