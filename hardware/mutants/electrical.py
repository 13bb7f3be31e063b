"""Faults in circuits, bills and cables: nets, legs, values, parts and colours that are swapped, moved or forgotten."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hardware.circuits import catalogue, checks, datasheets
from hardware.circuits.bill import BillLine, bill
from hardware.circuits.catalogue import Kind
from hardware.circuits.netlist import Leg, Netlist
from hardware.harness import cables, wiring
from hardware.harness.wiring import Wire
from hardware.mutants.trials import Mutant, asked, untouched

KINDS = [value for value in vars(catalogue).values() if isinstance(value, Kind)]
OTHER_CASES = {
    "SN74LVC245AN": "SN74LVC245ADW",
    "CD74HCT125E": "CD74HCT125M",
    "MCP1826S-3302E/AB": "MCP1826S-3302E/DB",
    "BC33740TA": "BC817-40",
    "BAT85-TAP": "BAS85-GS08",
    "1N4148": "1N4148W",
    "4606X-101-103LF": "4606X-102-103LF",
    "61201421721": "61201421621",
    "USB-B1HSB6": "UJ2-MIBH-4-SMT-TR",
    "ECA-1EM470": "EEE-1EA470SP",
    "B3F-4055": "B3F-1000",
}
"""A part number → one that looks like it, of another case or another inside."""


def netlist_faults(netlist: Netlist) -> list[str]:
    """What the tests ask of a circuit, but for its being older than its source."""
    return [*datasheets.faults(netlist), *_wiring_faults(netlist)]


def _wiring_faults(netlist: Netlist) -> Iterator[str]:
    try:
        if netlist.name == "satellite":
            yield from checks.satellite(netlist, checks.pins_of_the_firmware())
        elif netlist.name == "pad":
            yield from checks.pad(netlist)
        else:
            yield from checks.kit_one(netlist)
    except (KeyError, StopIteration) as error:
        yield f"{netlist.name}: {error!r} is missing"


def moved(netlist: Netlist, places: dict[Leg, str]) -> Netlist:
    """These legs are at these nets instead; "" is nowhere."""
    nets = {name: {leg for leg in legs if leg not in places} for name, legs in netlist.nets.items()}
    for leg, net in places.items():
        if net:
            nets.setdefault(net, set()).add(leg)
    return netlist._replace(nets={name: frozenset(legs) for name, legs in nets.items() if legs})


def without(netlist: Netlist, ref: str) -> Netlist:
    legs = {leg: "" for net in netlist.nets.values() for leg in net if leg.ref == ref}
    less = moved(netlist, legs)
    return less._replace(parts={name: part for name, part in netlist.parts.items() if name != ref})


def another(netlist: Netlist, ref: str, kind: Kind) -> Netlist:
    return netlist._replace(parts=netlist.parts | {ref: netlist.parts[ref]._replace(kind=kind)})


def circuit(netlist: Netlist) -> Iterator[Mutant]:
    def mutant(what: str, changed: Netlist) -> Mutant:
        return Mutant("circuit", f"{netlist.name}: {what}", lambda: netlist_faults(changed))

    yield untouched("circuit", lambda: netlist_faults(netlist))
    for ref, part in netlist.parts.items():
        legs = {Leg(ref, pin.number): netlist.net_of(ref, pin.number) for pin in part.kind.pins}
        either = part.kind.name in ("R", "C", "F", "SW")
        for (one, here), (other, there) in itertools.combinations(legs.items(), 2):
            if here != there and not either:
                yield mutant(
                    f"legs {one.pin} and {other.pin} of {ref} swapped", moved(netlist, {one: there, other: here})
                )
        for leg, net in legs.items():
            if net:
                yield mutant(f"leg {leg.pin} of {ref} is nowhere", moved(netlist, {leg: ""}))
            for rail in ("3V3", "5V", "GND"):
                if rail in netlist.nets and net not in ("", rail):
                    yield mutant(f"leg {leg.pin} of {ref} is at {rail}", moved(netlist, {leg: rail}))
        yield mutant(f"{ref} is missing", without(netlist, ref))
        yield from _other_parts(mutant, netlist, ref)
    for one_net, other_net in itertools.pairwise(sorted(netlist.nets)):
        nets = dict(netlist.nets)
        nets[one_net], nets[other_net] = nets[other_net], nets[one_net]
        yield mutant(f"nets {one_net} and {other_net} swapped", netlist._replace(nets=nets))


def _other_parts(mutant: Callable[[str, Netlist], Mutant], netlist: Netlist, ref: str) -> Iterator[Mutant]:
    """Another value, number or case in the place of a part."""
    kind = netlist.parts[ref].kind
    for other in KINDS:
        if other.name == kind.name and other != kind:
            yield mutant(f"{ref} is {other.value}", another(netlist, ref, other))
    if kind.number in OTHER_CASES:
        yield mutant(
            f"{ref} has the number {OTHER_CASES[kind.number]}",
            another(netlist, ref, kind._replace(number=OTHER_CASES[kind.number])),
        )
    if kind.footprint:
        yield mutant(f"{ref} has another case", another(netlist, ref, kind._replace(footprint=f"{kind.footprint}_SMD")))


def billed(netlist: Netlist) -> Iterator[Mutant]:
    """What is ordered is not what the circuit has."""
    lines = bill(netlist)

    def mutant(what: str, changed: list[BillLine]) -> Mutant:
        return Mutant("bill", f"{netlist.name}: {what}", lambda: list(checks.bill_of(netlist, changed)))

    yield untouched("bill", lambda: list(checks.bill_of(netlist, lines)))
    for index, line in enumerate(lines):
        before, after = lines[:index], lines[index + 1 :]
        yield mutant(f"no {line.value}", [*before, *after])
        yield mutant(f"one {line.value} less", [*before, line._replace(count=line.count - 1), *after])
        yield mutant(f"another number for {line.value}", [*before, line._replace(number=f"{line.number}-SMD"), *after])
        yield mutant(f"{line.refs} under another name", [*before, line._replace(refs=f"{line.refs}0"), *after])


def harness() -> Iterator[Mutant]:
    wires = cables.kit_one_wires()
    yield untouched("harness", lambda: list(wiring.kit_one_faults(wires)))
    yield untouched("harness", lambda: list(wiring.drawing_faults(cables.kit_one(), wires)))
    yield untouched("harness", lambda: list(wiring.flat_faults(cables.pad_cable())))
    for one, other in itertools.combinations(range(len(wires)), 2):
        for column, what in ((2, "pins"), (3, "colours")):
            yield from _swapped_wires(wires, one, other, column, what)
    for index, wire in enumerate(wires):
        less = wires[:index] + wires[index + 1 :]
        yield Mutant("harness", f"no wire for {wire[0]} {wire[1]}", asked(wiring.kit_one_faults, less))
    yield from _drawings(wires)
    for what, cable in flat_faults():
        yield Mutant("harness", f"flat cable: {what}", asked(wiring.flat_faults, cable))


def _swapped_wires(wires: Sequence[Wire], one: int, other: int, column: int, what: str) -> Iterator[Mutant]:
    if wires[one][column] == wires[other][column]:
        return
    changed = [list(wire) for wire in wires]
    changed[one][column], changed[other][column] = changed[other][column], changed[one][column]
    if column == 3 and not {wires[one][3], wires[other][3]} & {"RD", "BK"}:
        return  # two signals in each other's colours: any colour will do for them
    laid: list[Any] = [tuple(wire) for wire in changed]
    names = " and ".join(" ".join(wires[each][:2]) for each in (one, other))
    yield Mutant("harness", f"{what} of {names} swapped", lambda: list(wiring.kit_one_faults(laid)))


def _drawings(wires: Sequence[Wire]) -> Iterator[Mutant]:
    """What is drawn differs from the list."""
    for number, (_, _, ends) in enumerate(cables.kit_one()["connections"]):
        ((part, legs),) = ends.items()
        if len(legs) > 1:
            drawn = cables.kit_one()
            drawn["connections"][number][2] = {part: [*legs[1::-1], *legs[2:]]}
            told = f"drawn: two legs of the {part} swapped"
            yield Mutant("harness", told, asked(wiring.drawing_faults, drawn, wires))


def flat_faults() -> list[tuple[str, dict[str, Any]]]:
    """Flat cables that are wrong."""
    found: list[tuple[str, dict[str, Any]]] = []
    for one, other in itertools.pairwise(range(len(wiring.FLAT))):
        cable = cables.pad_cable()
        plug = dict(cable["connectors"]["pad J1"])
        labels = list(plug["pinlabels"])
        labels[one], labels[other] = labels[other], labels[one]
        cable["connectors"]["pad J1"] = plug | {"pinlabels": labels}
        found.append((f"wires {one + 1} and {other + 1} swapped at one end", cable))
    turned = cables.pad_cable()
    (wire,) = turned["cables"].values()
    wire["colors"] = wire["colors"][::-1]
    long = cables.pad_cable()
    next(iter(long["cables"].values()))["length"] = 3.0
    crossed = cables.pad_cable()
    crossed["connections"][0][2] = {"pad J1": ["14-1"]}
    return [*found, ("its red edge at wire 14", turned), ("3 m long", long), ("a plug the wrong way round", crossed)]
