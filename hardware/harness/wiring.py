"""Each wire of the harness, typed from the pins of Pi, module and plug: a cable is compared with it, colours and all.

Red is a supply and black is ground, on every cable, and nothing else is: you plug by colour.
"""

from collections.abc import Iterator, Sequence
from typing import Any

Wire = tuple[str, str, int, str]
"""(part, its pin, pin of the Pi's header, colour)"""

KIT_ONE: dict[tuple[str, str], tuple[int, str]] = {
    ("reader", "3.3V"): (1, "3V3"),
    ("reader", "RST"): (22, "GPIO25"),
    ("reader", "GND"): (20, "GND"),
    ("reader", "MISO"): (21, "GPIO9"),
    ("reader", "MOSI"): (19, "GPIO10"),
    ("reader", "SCK"): (23, "GPIO11"),
    ("reader", "SDA"): (24, "GPIO8"),
    ("green button", "1"): (29, "GPIO5"),
    ("green button", "2"): (30, "GND"),
    ("red button", "1"): (31, "GPIO6"),
    ("red button", "2"): (34, "GND"),
    ("lamp", "+"): (11, "GPIO17"),
    ("lamp", "-"): (9, "GND"),
    ("buzzer", "signal"): (12, "GPIO18"),
    ("buzzer", "plus"): (17, "3V3"),
    ("buzzer", "minus"): (14, "GND"),
}
"""(part, its pin) → pin of the 40-pin header, and what is there."""
MODULE_LEGS = {"SDA": 1, "SCK": 2, "MOSI": 3, "MISO": 4, "IRQ": 5, "GND": 6, "RST": 7, "3.3V": 8}
"""Of the RC522 module, as printed on it."""
FLAT = ("3V3", "GND", "SCK", "GND", "MOSI", "GND", "MISO", "GND", "SDA", "RST", "GREEN", "RED", "LAMP", "GND")
"""The flat cable from its red edge on."""
COLOURS = {"3V3": "RD", "GND": "BK"}


def kit_one_faults(wires: Sequence[Wire]) -> Iterator[str]:
    found = {(part, its): (pin, colour) for part, its, pin, colour in wires}
    if len(found) != len(wires):
        yield "a pin has two wires"
    for end in sorted(found.keys() ^ KIT_ONE.keys()):
        yield f"{' '.join(end)} has {'a wire too much' if end in found else 'no wire'}"
    for end in sorted(found.keys() & KIT_ONE.keys()):
        pin, colour = found[end]
        wanted, net = KIT_ONE[end]
        if pin != wanted:
            yield f"{' '.join(end)} goes to pin {pin}, and should to pin {wanted} ({net})"
        if colour != COLOURS.get(net, colour) or (net not in COLOURS and colour in COLOURS.values()):
            yield f"{' '.join(end)} is {net}, and its wire is {colour}"
    for part in sorted({part for part, _ in found}):
        signals = [colour for (its, _), (_, colour) in found.items() if its == part and colour != COLOURS["GND"]]
        if len(signals) != len(set(signals)):
            yield f"two wires of the {part} have one colour"


def drawing_faults(harness: dict[str, Any], wires: Sequence[Wire]) -> Iterator[str]:
    """What is drawn for kit one is what its list says: each wire from the Pi's pin to the part's, in its colour."""
    drawn = set()
    for pi, bundle, part in ((next(iter(end.items())) for end in each) for each in harness["connections"]):
        colours = harness["cables"][bundle[0]]["colors"]
        legs = harness["connectors"][part[0]]
        names = dict(zip(legs["pins"], legs["pinlabels"], strict=True))
        if part[0] == "reader" and any(MODULE_LEGS[name] != leg for leg, name in names.items()):
            yield "the reader's legs are not those of the module"
        drawn |= {
            (part[0], names[leg], pin, colours[wire - 1])
            for pin, wire, leg in zip(pi[1], bundle[1], part[1], strict=True)
        }
    for wire in sorted(drawn ^ set(wires)):
        yield f"{wire} is {'drawn' if wire in drawn else 'in the list'} only"


def flat_faults(harness: dict[str, Any]) -> Iterator[str]:
    """Wire for wire, the red edge at wire 1, with the same names at both plugs."""
    (cable,) = harness["cables"].values()
    if cable["colors"] != ["RD"] + ["GY"] * (len(FLAT) - 1):
        yield "the red edge is not wire 1"
    for name, plug in harness["connectors"].items():
        if tuple(plug["pinlabels"]) != FLAT or plug["pincount"] != len(FLAT):
            yield f"the wires of {name} have other names"
    ((one, through, other),) = harness["connections"]
    ways = {tuple(next(iter(each.values()))) for each in (one, through, other)}
    if ways != {(f"1-{len(FLAT)}",)} or set(one) | set(other) != set(harness["connectors"]):
        yield "it does not lead every wire from plug to plug"
    if not 0.2 <= cable["length"] <= 1.0:
        yield f"{cable['length']:g} m long: proven are 0.2 to 1 m"
