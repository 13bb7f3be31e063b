"""What kills a board though every net, every rule and every simulated volt is right: each of these must be noticed.

Each fault is planted where it would come out if a source were wrong and everything were made again from it.
"""

import re
from random import Random
from typing import Any

import pytest

from hardware.boards import inspection, manifest, reading
from hardware.boards.reading import Board
from hardware.circuits import bodies, catalogue, checks, datasheets
from hardware.circuits.catalogue import Kind
from hardware.circuits.netlist import Leg, Netlist
from hardware.harness import cables, wiring
from hardware.mutants import mechanical
from hardware.mutants.__main__ import FAMILIES
from hardware.mutants.electrical import another, moved
from hardware.mutants.trials import Mutant, Trial, sample, summary, trials
from hardware.perfboard import strip
from hardware.perfboard.holes import SHEETS, sheet_faults
from tests.hardware.conftest import ROOT
from tests.hardware.planted import swapped

BOARDS = ("satellite", "pad")


@pytest.fixture
def netlist(request: pytest.FixtureRequest, name: str) -> Netlist:
    found: Netlist = request.getfixturevalue(name.replace("-", "_"))
    return found


def board(name: str) -> Board:
    return mechanical.board(name)


# --- As it is, nothing is wrong -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["satellite", "pad", "kit-one"])
def test_every_leg_is_where_its_data_sheet_wants_it(name: str, netlist: Netlist) -> None:
    assert list(datasheets.faults(netlist)) == []


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_fits_its_box_its_parts_and_its_maker(name: str) -> None:
    assert inspection.faults(board(name), name) == []


@pytest.mark.parametrize("name", SHEETS)
def test_no_two_bodies_are_in_one_place_on_a_perfboard(name: str, netlist: Netlist) -> None:
    assert sheet_faults(netlist, SHEETS[name]) == []


def test_the_harness_is_that_of_the_typed_table() -> None:
    assert list(wiring.kit_one_faults(cables.kit_one_wires())) == []
    assert list(wiring.drawing_faults(cables.kit_one(), cables.kit_one_wires())) == []
    assert list(wiring.flat_faults(cables.pad_cable())) == []


def test_the_label_has_everything_where_board_and_box_have_it() -> None:
    assert list(inspection.label_faults((ROOT / "hardware" / "labels.svg").read_text(encoding="utf-8"))) == []


def test_every_part_number_has_a_source_a_case_and_a_body() -> None:
    kinds = [value for value in vars(catalogue).values() if isinstance(value, Kind)]
    assert {kind.number for kind in kinds} <= datasheets.SHEETS.keys()
    assert {kind.number for kind in kinds if kind.footprint} <= bodies.BODIES.keys()
    assert all(len(sheet.source) > 5 for sheet in datasheets.SHEETS.values())


@pytest.mark.parametrize("name", BOARDS)
def test_a_body_is_as_large_as_kicad_draws_the_part(name: str) -> None:
    """Within some millimetres: KiCad draws a typical part, a chip without its socket, the Nano with its USB socket."""
    tree = reading.parse((manifest.MADE / name / f"{name}.kicad_pcb").read_text(encoding="utf-8"))
    drawn = {str(each[1]): reading.drawn_outline(each) for each in reading.every(tree, "footprint")}
    for ref, part in board(name).footprints.items():
        for body in bodies.BODIES[part.number][:1] if not ref.startswith("H") else ():
            outline, found = body.outline, drawn[part.name]
            if part.name.startswith(("Resistor_THT:R_Axial", "Diode_THT")):
                continue  # KiCad draws them with their legs
            edges = zip(
                (outline.x, outline.y, outline.right, outline.bottom),
                (found.x, found.y, found.right, found.bottom),
                strict=True,
            )
            assert max(abs(one - other) for one, other in edges) < 2.6, ref


# --- The faults that a board with eight planted ones passed with ----------------------------------------------------


def rewired(netlist: Netlist, **nets: str) -> Netlist:
    """U1_20="5V": leg 20 of U1 is at 5 V."""
    return moved(netlist, {Leg(*place.split("_")): net for place, net in nets.items()})


PLANTED: dict[str, Any] = {
    "the regulator's pinout": lambda satellite: swapped(satellite, Leg("U3", "1"), Leg("U3", "2")),
    "the transistor's pinout": lambda satellite: swapped(satellite, Leg("Q1", "1"), Leg("Q1", "3")),
    "the USB socket reversed": lambda satellite: swapped(satellite, Leg("J6", "1"), Leg("J6", "4")),
    "U1 supplied with 5 V": lambda satellite: rewired(satellite, U1_20="5V"),
    "DIR low": lambda satellite: rewired(satellite, U1_1="GND"),
    "OE high": lambda satellite: rewired(satellite, U1_19="3V3"),
    "the flyback diode reversed": lambda satellite: swapped(satellite, Leg("D2", "1"), Leg("D2", "2")),
    "an electrolytic reversed": lambda satellite: swapped(satellite, Leg("C4", "1"), Leg("C4", "2")),
    "the buzzer reversed": lambda satellite: swapped(satellite, Leg("BZ1", "1"), Leg("BZ1", "2")),
    "the fuse bridged": lambda satellite: rewired(satellite, J6_1="5V"),
    "the fuse forgotten in the 5 V of the Nano": lambda satellite: rewired(satellite, A1_27="VBUS"),
    "a part number of another package": lambda satellite: another(
        satellite, "U1", satellite.parts["U1"].kind._replace(number="SN74LVC245ADW")
    ),
    "a case of another part": lambda satellite: another(
        satellite, "U3", satellite.parts["U3"].kind._replace(footprint="Package_TO_SOT_THT:TO-92_Inline")
    ),
    "a pull-up of another value": lambda satellite: another(satellite, "R26", catalogue.R470),
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_circuit_that_would_kill_the_first_board_is_noticed(what: str, satellite: Netlist) -> None:
    assert list(datasheets.faults(PLANTED[what](satellite)))


@pytest.mark.parametrize("what", ["the regulator's pinout", "U1 supplied with 5 V", "DIR low", "OE high"])
def test_the_wiring_alone_would_not_have_noticed_it(what: str, satellite: Netlist) -> None:
    """Why there is a second table: these go through all that compares the circuit with the firmware."""
    assert list(checks.satellite(PLANTED[what](satellite), checks.pins_of_the_firmware())) == []


@pytest.mark.parametrize("part", ["D1", "D2", "D3", "C1"])
def test_a_polarised_part_of_a_pad_the_wrong_way_round_is_noticed(part: str, pad: Netlist) -> None:
    assert list(datasheets.faults(swapped(pad, Leg(part, "1"), Leg(part, "2"))))


@pytest.mark.parametrize("name", BOARDS)
def test_a_missing_ground_plane_and_missing_vias_between_them_are_noticed(name: str) -> None:
    there = board(name)
    for layer in ("F.Cu", "B.Cu"):
        planes = {each: area for each, area in there.planes.items() if each != layer}
        assert any("ground" in fault for fault in inspection.faults(there._replace(planes=planes), name))
    assert inspection.faults(there._replace(stitches=[]), name)


@pytest.mark.parametrize("name", BOARDS)
def test_a_screw_hole_that_was_moved_in_the_layout_is_noticed(name: str) -> None:
    there = board(name)
    hole = mechanical.moved(there.footprints["H2"], 1.0, 0.0)
    wrong = inspection.faults(there._replace(footprints=there.footprints | {"H2": hole}), name)
    assert any("screw hole" in fault for fault in wrong)


@pytest.mark.parametrize(
    ("name", "ref"), [("satellite", "J6"), ("satellite", "A1"), ("satellite", "J1"), ("pad", "J1")]
)
def test_a_plug_that_looks_into_the_box_is_noticed(name: str, ref: str) -> None:
    there = board(name)
    turned = mechanical.turned(there.footprints[ref], 180)
    wrong = inspection.faults(there._replace(footprints=there.footprints | {ref: turned}), name)
    assert any("does not look through" in fault for fault in wrong)


def test_print_that_cannot_be_read_is_noticed() -> None:
    there = board("pad")
    prints = [there.prints[0]._replace(height=0.8), *there.prints[1:]]
    assert inspection.faults(there._replace(prints=prints), "pad")
    assert inspection.faults(there._replace(prints=there.prints[:-5]), "pad")


def test_the_colours_of_supply_and_ground_swapped_are_noticed() -> None:
    other = {"RD": "BK", "BK": "RD"}
    wires = [(part, its, pin, other.get(colour, colour)) for part, its, pin, colour in cables.kit_one_wires()]
    assert list(wiring.kit_one_faults(wires))
    flat = cables.pad_cable()
    (cable,) = flat["cables"].values()
    cable["colors"] = cable["colors"][::-1]
    assert list(wiring.flat_faults(flat))


def test_two_bodies_in_one_place_are_noticed_though_each_leg_has_its_hole(satellite: Netlist) -> None:
    """As the perfboard was before: the flyback diode under the buzzer."""
    sheet = SHEETS["satellite"]
    wrong = sheet_faults(satellite, sheet._replace(spots=sheet.spots | {"D2": (31, 19, 0)}))
    assert wrong == ["BZ1 and D2 overlap by 4.2 × 1.9 mm"]


def test_a_module_may_stand_over_what_is_lower() -> None:
    low = bodies.Placed("R1", 0, 0, 5, 5, 0, 3)
    above = bodies.Placed("U1", 0, 0, 5, 5, 11, 16)
    assert bodies.collisions([low, above]) == []
    assert bodies.collisions([low._replace(high=12), above])


def test_a_button_of_the_strip_that_is_not_under_its_opening_is_noticed(kit_one: Netlist) -> None:
    assert strip.opening_faults(kit_one) == []
    moved_spots = strip.STRIP.spots | {"SW1": (1, 2, 0)}
    assert strip.opening_faults(kit_one, strip.STRIP._replace(spots=moved_spots))


# --- Mutants --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family", [pytest.param(each, marks=pytest.mark.slow) if each == "box" else each for each in FAMILIES]
)
def test_of_sampled_faults_each_family_of_checks_notices_at_least_19_of_20(family: str) -> None:
    """`make hardware-mutants` tries them all."""
    every = list(FAMILIES[family]())
    chosen = sample(every, Random(2), 120)
    done = list(trials(chosen))
    alive = [trial.mutant.what for trial in done if not trial.noticed]
    assert len(chosen) >= 30
    assert len(alive) <= len(chosen) / 20, alive


def test_a_fault_that_nothing_notices_is_listed() -> None:
    noticed, alive = Mutant("layout", "moved", lambda: ["wrong"]), Mutant("layout", "turned", list)
    told = summary(list(trials([noticed, alive])))
    assert told == ["layout: 1 of 2", "1 of 2 faults were noticed: 50.00 %", "  alive  layout: turned"]
    assert summary([Trial(noticed, "wrong")])[-1].endswith("100.00 %")


def test_a_sample_takes_the_families_by_turns() -> None:
    many = [Mutant("circuit", str(number), list) for number in range(50)] + [Mutant("label", "x", list)]
    drawn = sample(many, Random(1), 4)
    assert [each.family for each in drawn] == ["circuit", "label", "circuit", "circuit"]


def test_the_readme_has_the_figure_of_the_whole_run() -> None:
    page = " ".join((ROOT / "hardware" / "README.md").read_text(encoding="utf-8").split())
    found = re.search(r"`make hardware-mutants` plants ([\d,]+) faults.*?and the checks notice ([\d.]+) %", page)
    assert found is not None
    assert float(found[2]) >= 95
    assert int(found[1].replace(",", "")) > 1000
