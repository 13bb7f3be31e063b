"""On a perfboard every leg has a hole of its own, and the wires make the circuit."""

import subprocess
import sys
from pathlib import Path

import pytest

from hardware.circuits.netlist import Netlist
from hardware.perfboard.holes import SHEETS, Hole, Wire, filled, legs_of, wires
from tests.config.test_wiring import HARDWARE
from tests.hardware.conftest import ROOT

MADE = HARDWARE / "perfboard" / "made"


@pytest.fixture
def netlist(request: pytest.FixtureRequest, name: str) -> Netlist:
    found: Netlist = request.getfixturevalue(name)
    return found


def joined(laid: list[Wire]) -> dict[Hole, frozenset[Hole]]:
    """Hole → all that wires connect it with."""
    groups: dict[Hole, frozenset[Hole]] = {}
    for wire in laid:
        one = groups.get(wire.start, frozenset({wire.start})) | groups.get(wire.end, frozenset({wire.end}))
        groups |= dict.fromkeys(one, one)
    return groups


@pytest.mark.parametrize("name", SHEETS)
def test_every_leg_has_a_hole_of_its_own_on_the_board(name: str, netlist: Netlist) -> None:
    sheet = SHEETS[name]
    assert set(sheet.spots) == set(netlist.parts)
    holes = filled(netlist, sheet)
    assert len(holes) == len(set(holes))
    assert all(0 <= hole.column < sheet.columns and 0 <= hole.row < sheet.rows for hole in holes)


@pytest.mark.parametrize("name", SHEETS)
def test_the_wires_connect_what_the_circuit_connects_and_nothing_else(name: str, netlist: Netlist) -> None:
    legs = legs_of(netlist, SHEETS[name])
    groups = joined(wires(netlist, SHEETS[name]))
    for members in netlist.nets.values():
        holes = {legs[leg] for leg in members}
        assert len(holes) == 1 or all(groups[hole] == holes for hole in holes)


def test_a_wire_that_is_missing_is_noticed(pad: Netlist) -> None:
    legs = legs_of(pad, SHEETS["pad"])
    groups = joined([wire for wire in wires(pad, SHEETS["pad"]) if wire.net != "SCK"])
    assert not any(legs[leg] in groups for leg in pad.nets["SCK"])


def test_the_pictures_were_made_from_this_source(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "hardware.perfboard", str(tmp_path)], cwd=ROOT, check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in MADE.iterdir())
    assert [name for name in made if (MADE / name).read_bytes() != (tmp_path / name).read_bytes()] == []
