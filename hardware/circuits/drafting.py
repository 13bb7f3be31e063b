"""SKiDL, as far as our circuits need it: parts out of the catalogue, nets by name, ERC, and the netlist at the end."""

import logging
import os
from typing import Any

from hardware.circuits.catalogue import Kind
from hardware.circuits.netlist import Leg, Netlist, Placed

# Our parts are our own: SKiDL need not look for symbols, nor say that it found none.
for _version in ("", "6", "7", "8", "9", "10"):
    os.environ.setdefault(f"KICAD{_version}_SYMBOL_DIR", os.devnull)

import skidl  # noqa: E402 — it looks for symbols when it is imported

skidl.erc_logger.stop_file_output()
skidl.logger.active_logger.stop_file_output()


class _Heard(logging.Handler):
    """Keeps what SKiDL complains about."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Draft:
    """A circuit that is being drawn."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.circuit = skidl.Circuit()
        self.circuit.no_files = True
        self.parts: dict[str, Placed] = {}

    def part(self, kind: Kind, ref: str, note: str = "", **nets: str) -> Any:
        """Put a part in. Nets are given by pin name, where that is a word of Python; else `wire` does it."""
        pins = [skidl.Pin(num=pin.number, name=pin.name, func=getattr(skidl.Pin.types, pin.does)) for pin in kind.pins]
        part = skidl.Part(
            name=kind.name,
            tool=skidl.SKIDL,
            ref_prefix=kind.prefix,
            ref=ref,
            value=kind.value,
            footprint=kind.footprint,
            pins=pins,
            circuit=self.circuit,
        )
        assert part.ref == ref, f"{self.name}: {ref} is there already"
        self.parts[ref] = Placed(ref, kind, note)
        for pin, net in nets.items():
            self.wire(ref, pin, net)
        return part

    def two(self, kind: Kind, ref: str, one: str, other: str, note: str = "") -> None:
        """A part with two legs, between two nets: its first leg is at the first."""
        self.part(kind, ref, note)
        self.wire(ref, kind.pins[0].name, one)
        self.wire(ref, kind.pins[1].name, other)

    def wire(self, ref: str, pin: str, net: str) -> None:
        """Connect the pin of this name with this net."""
        (part,) = (part for part in self.circuit.parts if part.ref == ref)
        (found,) = (each for each in part.pins if each.name == pin)
        self.net(net).connect(found)

    def net(self, name: str) -> Any:
        there = [net for net in self.circuit.nets if net.name == name]
        return there[0] if there else skidl.Net(name, circuit=self.circuit)

    def powered(self, *nets: str) -> None:
        """These get their current from outside: through a plug, or through the Nano's own USB socket."""
        for net in nets:
            self.net(net).drive = skidl.POWER

    def unconnected(self, ref: str, *pins: str) -> None:
        for pin in pins:
            (part,) = (part for part in self.circuit.parts if part.ref == ref)
            (found,) = (each for each in part.pins if each.name == pin)
            self.circuit.NC.connect(found)

    def complaints(self) -> list[str]:
        """What ERC says: errors and warnings."""
        heard = _Heard()
        skidl.erc_logger.addHandler(heard)
        try:
            self.circuit.ERC()
        finally:
            skidl.erc_logger.removeHandler(heard)
        return heard.lines

    def netlist(self) -> Netlist:
        nets = {
            str(net.name): frozenset(Leg(str(pin.part.ref), str(pin.num)) for pin in net.pins)
            for net in self.circuit.nets
            if net.pins and net.name != "__NOCONNECT"
        }
        return Netlist(self.name, dict(self.parts), nets)
