"""The schematics are drawn by hand: KiCad reads them, and finds the circuit."""

import re

import pytest

from hardware.circuits.netlist import Netlist
from hardware.schematics.drawing import Sheet
from hardware.schematics.files import MADE, faults, read, sources
from hardware.schematics.sheets import SHEETS


@pytest.fixture
def netlist(request: pytest.FixtureRequest, name: str) -> Netlist:
    found: Netlist = request.getfixturevalue(name.replace("-", "_"))
    return found


@pytest.mark.parametrize("name", SHEETS)
def test_kicad_reads_the_circuit_out_of_its_drawing(name: str, netlist: Netlist) -> None:
    assert faults(netlist, read(name)) == []


@pytest.mark.parametrize("name", SHEETS)
def test_the_sheets_were_made_from_this_source(name: str) -> None:
    """The notes have the figures of the simulation in them: when those change the sheets have to be drawn again."""
    for file, text in sources()[name].items():
        assert (MADE / file).read_text(encoding="utf-8") == text, "run `python -m hardware.schematics`"


@pytest.mark.parametrize("name", SHEETS)
def test_a_wire_that_is_drawn_wrong_is_noticed(name: str, netlist: Netlist) -> None:
    drawn = read(name)
    first, second = [net for net, ends in drawn.items() if len(ends) > 1][:2]
    swapped = drawn | {first: [drawn[second][0], *drawn[first][1:]], second: [drawn[first][0], *drawn[second][1:]]}
    assert faults(netlist, swapped)
    assert faults(netlist, {net: ends for net, ends in drawn.items() if net != first})
    assert faults(netlist, {f"{net}_OTHER" if net == "GND" else net: ends for net, ends in drawn.items()})


def test_every_part_is_on_one_sheet_and_only_once(satellite: Netlist) -> None:
    placed: list[str] = []
    for name, (title, drawn) in SHEETS["satellite"].items():
        sheet = Sheet(satellite, name, title, "/")
        drawn(sheet)
        placed += {ref for ref, _ in sheet.pins}
    assert sorted(placed) == sorted(satellite.parts)


@pytest.mark.parametrize("name", SHEETS)
def test_there_is_a_pdf_with_all_sheets_and_the_calculations_beside_the_values(name: str) -> None:
    pdf = MADE / f"{name}.pdf"
    pages = len(SHEETS[name]) + (len(SHEETS[name]) > 1)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())) == pages
    for file, text in sources()[name].items():
        notes = " ".join(re.findall(r'\(text "((?:[^"\\]|\\.)*)"', text))
        first = pages > 1 and file == f"{name}.kicad_sch"
        assert first or re.search(r"\d (V|Ω|kΩ|mA)", notes), file
