"""The files of the schematics, and what KiCad says is connected in them."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

from hardware.circuits.netlist import Leg, Netlist, from_json
from hardware.schematics.drawing import FONT, STEP, Sheet, mm
from hardware.schematics.sheets import SHEETS

MADE = Path(__file__).parent / "made"
CIRCUITS = Path(__file__).parents[1] / "circuits" / "made"
TITLES = {"satellite": "The satellite", "pad": "A pad", "kit-one": "Kit one, on a Raspberry Pi"}
Nets = dict[str, list[list[str]]]


def netlist(name: str) -> Netlist:
    return from_json(CIRCUITS / f"{name}.json")


def sources() -> dict[str, dict[str, str]]:
    """Circuit → its KiCad files: a single sheet, or a first one on which the others are blocks."""
    return {name: _files(netlist(name)) for name in SHEETS}


def _files(circuit: Netlist) -> dict[str, str]:
    every = SHEETS[circuit.name]
    first = Sheet(circuit, "", TITLES[circuit.name], "/")
    root = first.id_of("root")
    if len(every) == 1:
        ((name, (title, drawn)),) = every.items()
        sheet = Sheet(circuit, name, title, f"/{root}")
        drawn(sheet)
        return {f"{circuit.name}.kicad_sch": sheet.text(root, first=True)}
    files = {}
    for number, (name, (title, drawn)) in enumerate(every.items()):
        known = first.id_of("block", name)
        sheet = Sheet(circuit, name, title, f"/{root}/{known}")
        drawn(sheet)
        file = f"{circuit.name}-{name}.kicad_sch"
        files[file] = sheet.text(sheet.id_of("sheet"))
        x, y = 10 + 34 * (number % 3), 20 + 24 * (number // 3)
        place = f"(at {mm(x):g} {mm(y):g}) (size {28 * STEP:g} {14 * STEP:g})"
        look = "(stroke (width 0.15) (type solid)) (fill (color 255 251 230 1))"
        names = "".join(
            f'(property "{key}" "{value}" (at {mm(x):g} {mm(y + down):g} 0) {FONT.format(more=" (justify left)")})'
            for key, value, down in (("Sheetname", title, -1), ("Sheetfile", file, 15))
        )
        page = f'(instances (project "{circuit.name}" (path "/{root}" (page "{number + 2}"))))'
        first.items.append(f'(sheet {place} {look} (uuid "{known}") {names} {page})\n')
    first.note(
        10,
        10,
        f"{TITLES[circuit.name]}: what is on each sheet. Signals go from left to right; nets with one name are one net.",
        2.0,
    )
    return {f"{circuit.name}.kicad_sch": first.text(root, first=True), **files}


def nets_of(xml: str) -> Nets:
    """Each net that KiCad found, by its name: part and leg of each end."""
    found: Nets = {}
    for net in ET.fromstring(xml).iter("net"):
        ends = sorted([node.attrib["ref"], node.attrib["pin"]] for node in net.iter("node"))
        found[net.attrib["name"]] = ends
    return dict(sorted(found.items()))


def write(path: Path, nets: Nets) -> None:
    path.write_text(json.dumps(nets, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(name: str) -> Nets:
    nets: Nets = json.loads((MADE / f"{name}-nets.json").read_text(encoding="utf-8"))
    return nets


def faults(circuit: Netlist, drawn: Nets) -> list[str]:
    """Where the drawing connects something else than the circuit. A wire without a name is known by its ends."""
    there = {frozenset(Leg(*end) for end in ends): name for name, ends in drawn.items() if len(ends) > 1}
    named = {name for name in there.values() if not name.startswith("Net-(")}
    here = {legs: name for name, legs in circuit.nets.items() if len(legs) > 1}
    wrong = [f"{name} is another net in the circuit, or none" for legs, name in there.items() if legs not in here]
    wrong += [f"{name} is not drawn" for legs, name in here.items() if legs not in there]
    wrong += [f"{name} has another name in the circuit" for name in sorted(named - set(here.values()))]
    drawn_legs = {Leg(*end) for ends in drawn.values() for end in ends}
    every = {Leg(ref, pin.number) for ref, part in circuit.parts.items() for pin in part.kind.pins}
    return wrong + [f"leg {leg.pin} of {leg.ref} is not drawn" for leg in sorted(every - drawn_legs)]
