"""One truth: circuits, pins of program and firmware, pages and bills say the same."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from hardware.circuits import checks
from hardware.circuits.bill import bill, from_csv, to_csv
from hardware.circuits.catalogue import R470, WIRES
from hardware.circuits.netlist import Leg, Netlist
from hardware.dimensions import READER_PINS
from tests.config.test_wiring import HARDWARE, SATELLITE, WIRED, rows
from tests.firmware.tools import give_up
from tests.hardware.conftest import CIRCUITS as MADE
from tests.hardware.conftest import ROOT
from tests.hardware.planted import another, swapped, without

FIRMWARE = {name: label for name, (label, _) in SATELLITE.items()}


# --- The circuits -----------------------------------------------------------------------------------------------


def need_skidl() -> None:
    if find_spec("skidl") is None:
        give_up("SKiDL is not installed (pip install skidl)")


def test_what_lies_in_the_house_was_made_from_this_source_and_erc_has_no_complaint(tmp_path: Path) -> None:
    """SKiDL runs in a process of its own, because it changes how Python logs."""
    need_skidl()
    words = [sys.executable, "-m", "hardware.circuits", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in MADE.iterdir())
    assert [name for name in made if (MADE / name).read_bytes() != (tmp_path / name).read_bytes()] == []


def test_kit_one_is_wired_as_the_program_takes_its_pins(kit_one: Netlist) -> None:
    assert list(checks.kit_one(kit_one)) == []


def test_the_satellite_is_wired_as_the_firmware_takes_its_pins(satellite: Netlist) -> None:
    assert list(checks.satellite(satellite, FIRMWARE)) == []


def test_a_pad_leads_every_wire_to_the_readers_pin_of_that_name(pad: Netlist) -> None:
    assert list(checks.pad(pad)) == []


def test_the_readers_socket_has_its_pins_in_the_order_of_the_module(pad: Netlist) -> None:
    assert tuple(pin.name for pin in pad.parts["U1"].kind.pins) == READER_PINS


def test_nothing_of_a_pad_hangs_on_5_volts(pad: Netlist, satellite: Netlist) -> None:
    assert "5V" not in pad.nets
    plugs = {f"J{number}" for number in range(1, 6)}
    assert {leg for leg in satellite.nets["5V"] if leg.ref in plugs} == set()


# --- The pages --------------------------------------------------------------------------------------------------


def test_kit_ones_page_shows_every_wire_of_its_circuit(kit_one: Netlist) -> None:
    parts = {"reader": "U1", "green button": "SW1", "red button": "SW2", "buzzer": "BZ1", "lamp": "D1"}
    for part, its, _, pin in WIRED:
        net = kit_one.net_of("J1", pin)
        assert net, f"pin {pin} is wired on the page, not in the circuit"
        if part == "reader":
            assert kit_one.pin("U1", its) == net
        else:
            legs = {leg.ref for leg in kit_one.nets[net]}
            assert parts[part] in legs or (part == "lamp" and "R1" in legs)
    wired = {leg.pin for legs in kit_one.nets.values() for leg in legs if leg.ref == "J1"}
    assert wired == {row[3] for row in WIRED}


def test_the_full_kits_page_has_the_wires_of_the_cable_in_their_order() -> None:
    shown = rows(HARDWARE / "full-kit.md", "| wire | carries | at the pad |")
    assert [carries for _, carries, _ in shown] == list(WIRES)
    assert [int(wire) for wire, _, _ in shown] == list(range(1, 15))


@pytest.mark.parametrize("name", ["satellite", "pad"])
def test_the_full_kits_page_lists_the_parts_of_the_circuits(name: str, request: pytest.FixtureRequest) -> None:
    netlist: Netlist = request.getfixturevalue(name)
    shown = rows(HARDWARE / "full-kit.md", f"| {name} | number | part | part number |")
    assert [(refs, int(count), value, number) for refs, count, value, number in shown] == [
        (line.refs, line.count, line.value, line.number) for line in bill(netlist)
    ]


# --- Planted faults ---------------------------------------------------------------------------------------------


def test_two_swapped_pins_are_noticed(satellite: Netlist, pad: Netlist, kit_one: Netlist) -> None:
    assert list(checks.satellite(swapped(satellite, Leg("U1", "18"), Leg("U1", "17")), FIRMWARE))
    assert list(checks.satellite(satellite, FIRMWARE | {"MOSI": "D13", "SCK": "D11"}))
    assert list(checks.pad(swapped(pad, Leg("U1", "2"), Leg("U1", "3"))))
    assert list(checks.kit_one(swapped(kit_one, Leg("J1", "19"), Leg("J1", "21"))))
    assert list(checks.kit_one(swapped(kit_one, Leg("J1", "1"), Leg("J1", "2"))))


@pytest.mark.parametrize("ref", ["R1", "R2", "R13", "R24", "R25", "R28", "RN1", "RN2"])
def test_a_missing_resistor_of_the_satellite_is_noticed(satellite: Netlist, ref: str) -> None:
    assert list(checks.satellite(without(satellite, ref), FIRMWARE))


def test_a_missing_or_a_wrong_resistor_of_a_pad_is_noticed(pad: Netlist) -> None:
    assert list(checks.pad(without(pad, "R1")))
    assert list(checks.pad(another(pad, "R1", R470)))


def test_a_wrong_part_in_the_bill_is_noticed(satellite: Netlist) -> None:
    lines = from_csv(to_csv(bill(satellite)))
    assert list(checks.bill_of(satellite, lines)) == []
    index = next(index for index, line in enumerate(lines) if line.refs == "U1")
    lines[index] = lines[index]._replace(number="SN74HC245N")
    assert list(checks.bill_of(satellite, lines))
    assert list(checks.bill_of(satellite, lines[:-1]))


SHORTED = """
from hardware.circuits import satellite
draft = satellite.draw()
assert draft.complaints() == []
draft = satellite.draw()
draft.net("SDA0").connect(draft.net("SDA1"))
assert draft.complaints(), "two outputs of the shifter drive one net, and no check complains"
"""


def test_erc_notices_two_outputs_on_one_net() -> None:
    need_skidl()
    done = subprocess.run([sys.executable, "-c", SHORTED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
