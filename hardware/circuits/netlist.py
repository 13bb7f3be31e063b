"""A circuit as plain data: what SKiDL made of our source, for boards, drawings, harness and tests."""

import json
from pathlib import Path
from typing import NamedTuple

from hardware.circuits.catalogue import Kind, PinOf


class Placed(NamedTuple):
    """One part of a circuit."""

    ref: str
    kind: Kind
    note: str

    @property
    def value(self) -> str:
        return self.kind.value


class Leg(NamedTuple):
    ref: str
    pin: str


class Netlist(NamedTuple):
    name: str
    parts: dict[str, Placed]
    nets: dict[str, frozenset[Leg]]

    def net_of(self, ref: str, pin: str) -> str:
        """The net at this leg, or "" where nothing is connected."""
        return next((name for name, legs in self.nets.items() if Leg(ref, pin) in legs), "")

    def pin(self, ref: str, name: str) -> str:
        """The net at the pin of this name."""
        return self.net_of(ref, next(pin.number for pin in self.parts[ref].kind.pins if pin.name == name))

    def between(self, one: str, other: str) -> list[Placed]:
        """The parts with two legs that lie between two nets."""
        touched = [{leg.ref for leg in self.nets.get(net, ())} for net in (one, other)]
        found = sorted(touched[0] & touched[1])
        return [self.parts[ref] for ref in found if len(self.parts[ref].kind.pins) == 2]


def to_json(netlist: Netlist) -> str:
    return json.dumps(
        {
            "name": netlist.name,
            "parts": {ref: [list(part.kind), part.note] for ref, part in sorted(netlist.parts.items())},
            "nets": {name: sorted(map(list, legs)) for name, legs in sorted(netlist.nets.items())},
        },
        ensure_ascii=False,
        indent=1,
    )


def from_json(path: Path) -> Netlist:
    read = json.loads(path.read_text(encoding="utf-8"))
    parts = {}
    for ref, (kind, note) in read["parts"].items():
        name, prefix, value, pins, *order = kind
        parts[ref] = Placed(ref, Kind(name, prefix, value, tuple(PinOf(*pin) for pin in pins), *order), note)
    return Netlist(
        read["name"], parts, {name: frozenset(Leg(*leg) for leg in legs) for name, legs in read["nets"].items()}
    )
