"""Faults as people make them: a wire at the wrong pin, a part that was forgotten, another part than the one ordered."""

from hardware.circuits.catalogue import Kind
from hardware.circuits.netlist import Leg, Netlist


def swapped(netlist: Netlist, one: Leg, other: Leg) -> Netlist:
    """Two legs have changed places."""
    places = {one: other, other: one}
    nets = {name: frozenset(places.get(leg, leg) for leg in legs) for name, legs in netlist.nets.items()}
    return netlist._replace(nets=nets)


def without(netlist: Netlist, ref: str) -> Netlist:
    """A part is not there."""
    nets = {name: frozenset(leg for leg in legs if leg.ref != ref) for name, legs in netlist.nets.items()}
    return netlist._replace(nets=nets, parts={name: part for name, part in netlist.parts.items() if name != ref})


def another(netlist: Netlist, ref: str, kind: Kind) -> Netlist:
    """A part of another kind in its place."""
    return netlist._replace(parts=netlist.parts | {ref: netlist.parts[ref]._replace(kind=kind)})
