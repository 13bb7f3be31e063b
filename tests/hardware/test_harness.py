"""Every cable of the harness joins what the circuits join."""

import html
from pathlib import Path

import pytest
import yaml

from hardware.circuits.catalogue import WIRES
from hardware.circuits.netlist import Netlist
from hardware.harness.cables import CABLES, kit_one_wires
from tests.config.test_wiring import HARDWARE

MADE = HARDWARE / "harness" / "made"
REFS = {"reader": "U1", "green button": "SW1", "red button": "SW2", "buzzer": "BZ1"}


def missing(kit_one: Netlist, wires: list[tuple[str, str, int, str]]) -> list[str]:
    """What is wrong with these wires: each must lie on a net of the circuit, at both its ends."""
    wrong = []
    for part, its, pin, _ in wires:
        here = kit_one.net_of("J1", str(pin))
        lamp = "LAMP" if its == "+" else kit_one.pin("D1", "K")
        there = lamp if part == "lamp" else kit_one.pin(REFS[part], its)
        if not here or here != there:
            wrong.append(f"{part} {its} is {there}, pin {pin} is {here}")
    pins = {leg.pin for legs in kit_one.nets.values() for leg in legs if leg.ref == "J1"}
    return wrong + [f"pin {pin} has no wire" for pin in sorted(pins - {str(pin) for _, _, pin, _ in wires})]


def test_every_wire_of_kit_one_joins_what_its_circuit_joins(kit_one: Netlist) -> None:
    assert missing(kit_one, kit_one_wires()) == []


def test_a_swapped_and_a_missing_wire_are_noticed(kit_one: Netlist) -> None:
    first, second, *rest = kit_one_wires()
    assert missing(kit_one, [(*first[:2], second[2], first[3]), (*second[:2], first[2], second[3]), *rest])
    assert missing(kit_one, rest)


def test_the_flat_cable_has_the_wires_of_both_plugs(satellite: Netlist, pad: Netlist) -> None:
    for end in CABLES["pad-cable"]()["connectors"].values():
        assert tuple(end["pinlabels"]) == WIRES
    for netlist, ref in ((satellite, "J1"), (satellite, "J5"), (pad, "J1")):
        assert [pin.name.rpartition("_")[0] for pin in netlist.parts[ref].kind.pins] == list(WIRES)


@pytest.mark.parametrize("name", CABLES)
def test_the_drawings_were_made_from_this_source(name: str) -> None:
    assert yaml.safe_load((MADE / f"{name}.yml").read_text(encoding="utf-8")) == CABLES[name]()
    drawn = html.unescape((MADE / f"{name}.svg").read_text(encoding="utf-8")).replace("\N{NO-BREAK SPACE}", " ")
    for end in CABLES[name]()["connectors"].values():
        assert end["type"] in drawn


def test_every_cable_has_a_length_and_a_bill() -> None:
    for name, cable in CABLES.items():
        assert all(each["length"] > 0 for each in cable()["cables"].values())
        assert len(Path(MADE / f"{name}.bom.tsv").read_text(encoding="utf-8").splitlines()) > 2
