"""Lamps and buzzers: bright and loud enough, and no pin gives more than it may."""

from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from hardware.proofs.spice import Worst, WorstCase, corners, ohms, operating_point, waves

LED_VOLTS = (1.7, 2.5)
PI_PIN_LIMIT = 8.0
"""mA: what a pin of a Pi is set to when it starts."""
BUZZER_AMPERE = 0.04
BUZZER_HENRY = 0.03


def lamp(
    netlist: Netlist, name: str, nets: tuple[str, str], supply: tuple[float, float], limit: float
) -> list[WorstCase]:
    worst = Worst()
    nominal = ohms(netlist, *nets)
    for corner in corners(supply=supply, led=LED_VOLTS, pin=models.ATMEGA_OHMS, tolerance=(0.95, 1.05)):
        resistor = nominal * corner["tolerance"]
        deck = [
            *(f"v1 s 0 {corner['supply']}", f"rp s p {corner['pin']}", f"r1 p a {resistor}"),
            *(f"vl a k {corner['led']}", "rk k 0 10"),
        ]
        milliampere = -operating_point(deck, "i(v1)")["i(v1)"] * 1e3
        worst.at_most(f"{name}: current of a pin", milliampere, limit, "mA", corner)
        worst.at_least(f"{name}: enough to be seen", milliampere, 1.5, "mA", corner)
    return worst.findings()


def buzzer(netlist: Netlist) -> list[WorstCase]:
    """The transistor is wide open at its weakest, and the coil's kick goes through the diode."""
    worst = Worst()
    base = ohms(netlist, "BUZZER", "BUZZER_BASE")
    diode = [part.ref for part in netlist.between("5V", "BUZZER_LOW") if part.kind.name == "D"]
    for corner in corners(vcc=models.FIVE_VOLTS, celsius=(0, 50), gain=(100, 600), tolerance=(0.95, 1.05)):
        deck = [
            *(models.BC337.format(gain=corner["gain"]), models.D4148, f".temp {corner['celsius']:g}"),
            f"vcc vcc 0 {corner['vcc']}",
            f"vp p 0 pulse(0 {corner['vcc']} 1m 100n 100n 2m 10m)",
            *(
                f"rp p q {models.ATMEGA_OHMS[0]}",
                f"rb q b {base * corner['tolerance']}",
                "rbe b 0 10k",
                "q1 c b 0 bc337",
            ),
            *(f"rz vcc z {corner['vcc'] / BUZZER_AMPERE}", f"lz z c {BUZZER_HENRY}", "cz c 0 30p"),
            *(["d1 c vcc d4148"] if diode else []),
        ]
        times, seen = waves(deck, 2e-6, 4e-3, "v(c)", "i(vp)")
        on = [index for index, time in enumerate(times) if 2.5e-3 < time < 2.9e-3]
        worst.at_most("buzzer: what the transistor keeps", max(seen["v(c)"][index] for index in on), 0.3, "V", corner)
        milliampere = max(-seen["i(vp)"][index] for index in on) * 1e3
        worst.at_most("buzzer: current of the pin", milliampere, models.ATMEGA_PIN_LIMIT * 1e3, "mA", corner)
        worst.at_most("buzzer: kick at the transistor", max(seen["v(c)"]), 45, "V", corner)
    return worst.findings()


def proof(satellite: Netlist, kit_one: Netlist) -> list[WorstCase]:
    pin = models.ATMEGA_PIN_LIMIT * 1e3
    return [
        *lamp(satellite, "lamp of a pad", ("LAMP0", "P0_LAMP"), models.FIVE_VOLTS, pin),
        *lamp(kit_one, "lamp of kit one", ("LAMP", "LAMP_LED"), models.PI_SUPPLY, PI_PIN_LIMIT),
        *buzzer(satellite),
    ]
