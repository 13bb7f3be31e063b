"""All proofs, by name."""

from collections.abc import Callable
from typing import NamedTuple

from hardware.circuits.netlist import Netlist
from hardware.proofs import answers, lines, loads, matrix, models, presses, rest, supply
from hardware.proofs.spice import WorstCase


class Kit(NamedTuple):
    satellite: Netlist
    pad: Netlist
    kit_one: Netlist


def clocked(kit: Kit, khz: int) -> list[WorstCase]:
    """The lines to the readers and the one back: an answer has to wait for the clock that asks."""
    there = lines.proof(kit.satellite, khz)
    slowest = max(finding.worst for finding in there if finding.what == "SCK, until it is there")
    return [*there, *answers.proof(kit.pad, kit.satellite, khz, slowest * 1e-9)]


PROOFS: dict[str, Callable[[Kit], list[WorstCase]]] = {
    "buttons": lambda kit: matrix.proof(kit.satellite, kit.pad),
    "presses": lambda kit: presses.proof(kit.satellite, kit.pad),
    "reset and start": lambda kit: rest.proof(kit.satellite),
    **{f"lines at {khz} kHz": (lambda kit, khz=khz: clocked(kit, khz)) for khz in models.CLOCKS_KHZ},  # type: ignore[misc]
    "jumper wires of kit one": lambda kit: lines.kit_one(),
    "selects and reset lines": lambda kit: lines.slow(kit.satellite),
    "lamps and buzzer": lambda kit: loads.proof(kit.satellite, kit.kit_one),
    "supply": lambda kit: supply.proof(kit.satellite),
}
