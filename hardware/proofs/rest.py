"""While the Nano starts, is flashed or held in reset its pins float: the readers stay in reset and unselected."""

from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.spice import Worst, WorstCase, corners, ohms, operating_point, waves

NETWORK = 10e3
UP = [f"SELECT{pad}" for pad in range(5)]
DOWN = ["RESET", "MOSI", "SCK", "MISO_3V3"]
"""The last one while no reader is plugged in: then the satellite hears zeros, and says that no chip answers."""


def held(netlist: Netlist, line: str) -> str:
    """The rail to which a network holds a line, or "" if nothing does."""
    for network in ("RN1", "RN2"):
        if any(leg.ref == network for leg in netlist.nets.get(line, ())):
            return netlist.pin(network, "COMMON")
    return ""


def floating(netlist: Netlist) -> list[WorstCase]:
    """Leakage of the ATmega's pin and of the shifter's input, both in the worse direction."""
    worst = Worst()
    leak = models.ATMEGA_LEAKAGE + models.SHIFTER_LEAKAGE
    for corner in corners(vcc=models.FIVE_VOLTS, celsius=(0, 50), tolerance=(0.95, 1.05)):
        for line in UP + DOWN:
            rail = held(netlist, line)
            deck = [f".temp {corner['celsius']:g}", f"vcc vcc 0 {corner['vcc']}"]
            if rail:
                deck.append(f"r1 {'vcc' if rail == '5V' else '0'} x {NETWORK * corner['tolerance']}")
            deck += [f"i1 {'x 0' if line in UP else '0 x'} {leak}", "r2 x 0 100meg"]
            volts = operating_point(deck, "v(x)")["v(x)"]
            if line in UP:
                worst.at_least(f"{line} while the Nano is in reset", volts, models.SHIFTER_HIGH, "V", corner)
            else:
                worst.at_most(f"{line} while the Nano is in reset", volts, models.SHIFTER_LOW, "V", corner)
    return worst.findings()


def unselected(netlist: Netlist) -> list[WorstCase]:
    """What a reader then sees at its SDA: the shifter passes on what its input is held at."""
    worst = Worst()
    leak = models.ATMEGA_LEAKAGE + models.SHIFTER_LEAKAGE
    for corner in corners(vcc=models.FIVE_VOLTS, vdd=(3.2, 3.4), driver=models.SHIFTER_OHMS, tolerance=(0.95, 1.05)):
        for pad, line in enumerate(UP):
            up = NETWORK * corner["tolerance"] if held(netlist, line) == "5V" else 100e6
            series = ohms(netlist, f"SDA{pad}", f"P{pad}_SDA") * corner["tolerance"]
            deck = [
                *(f"vcc vcc 0 {corner['vcc']}", f"r1 vcc x {up}", f"i1 x 0 {leak}", "r2 x 0 100meg"),
                f"bo o 0 v=v(x)>{models.SHIFTER_HIGH} ? {corner['vdd']} : 0",
                *(f"ro o w {series + corner['driver']}", f"i2 w 0 {models.READER_LEAKAGE}"),
            ]
            volts = operating_point(deck, "v(w)")["v(w)"]
            limit = models.READER_HIGH * corner["vdd"]
            worst.at_least("SDA at a reader while the Nano is in reset", volts, limit, "V", corner)
    return worst.findings()


def switching_on(netlist: Netlist) -> list[WorstCase]:
    """3.3 V comes up: RST, which the shifter drives from a floating pin, stays low at a reader all the time."""
    worst = Worst()
    rail = held(netlist, "RESET")
    for corner in corners(ramp_ms=(0.1, 10), driver=models.SHIFTER_OHMS, tolerance=(0.95, 1.05)):
        rise = corner["ramp_ms"] * 1e-3
        deck = [
            f"v5 v5 0 pwl(0 0 {rise} 5)",
            f"v3 v3 0 pwl(0 0 {rise} 3.3)",
            f"r1 {'0' if rail == 'GND' else 'v5'} x {NETWORK * corner['tolerance']}",
            *("cx x v5 10p", f"ix 0 x {models.SHIFTER_LEAKAGE}"),
            "bo o 0 v=v(x)>1.5 ? v(v3) : 0",  # an LVC input turns between 0.8 and 2 V
            *(f"ro o w {100 + corner['driver']}", "cw w 0 400p"),
        ]
        _, seen = waves(deck, rise / 200, 2 * rise, "v(w)")
        worst.at_most("RST at a reader while the supply rises", max(seen["v(w)"]), 0.3 * 2.5, "V", corner)
    return worst.findings()


def open_miso() -> list[WorstCase]:
    """A MISO without contact on a Pi up to 4: its pull-down wins over all leakage, so the doctor says 0x00."""
    worst = Worst()
    for corner in corners(pull_down=models.PI_PULL_DOWN, celsius=(0, 50)):
        deck = [f".temp {corner['celsius']:g}", f"r1 x 0 {corner['pull_down']}", f"i1 0 x {models.PI_LEAKAGE}"]
        volts = operating_point(deck, "v(x)")["v(x)"]
        worst.at_most("kit one: MISO without contact, up to a Pi 4", volts, models.PI_LOW, "V", corner)
    return worst.findings()


def pi_buttons() -> list[WorstCase]:
    """A button of kit one, released and pressed: the Pi's own pull-up against all leakage, or against the contact."""
    worst = Worst()
    wire = 2 * models.JUMPER_METRES * models.CABLE_RESISTANCE
    for corner in corners(supply=models.PI_SUPPLY, pull_up=models.PI_PULL_UP, celsius=(0, 50)):
        deck = [f".temp {corner['celsius']:g}", f"v1 s 0 {corner['supply']}"]
        deck += [f"r1 s x {corner['pull_up']}", f"i1 x 0 {models.PI_LEAKAGE}"]
        deck += [f"r2 s y {corner['pull_up']}", f"i2 0 y {models.PI_LEAKAGE}", f"rb y 0 {models.BUTTON_OHMS + wire}"]
        found = operating_point(deck, "v(x)", "v(y)")
        worst.at_least("kit one: a button that is released", found["v(x)"], models.PI_HIGH, "V", corner)
        worst.at_most("kit one: a button that is pressed", found["v(y)"], models.PI_LOW, "V", corner)
    return worst.findings()


def proof(netlist: Netlist) -> list[WorstCase]:
    return [*floating(netlist), *unselected(netlist), *switching_on(netlist), *open_miso(), *pi_buttons()]
