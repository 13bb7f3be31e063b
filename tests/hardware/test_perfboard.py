"""On a perfboard every leg has a hole of its own, and the wires make the circuit."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import dimensions as d
from hardware.boxes import parameters as p
from hardware.circuits.netlist import Netlist
from hardware.perfboard import strip
from hardware.perfboard.holes import SHEETS, Hole, Wire, also_of, filled, legs_of, wires
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


def test_on_the_strip_of_kit_one_every_net_has_its_wire_to_the_pi_or_stays_there(kit_one: Netlist) -> None:
    here = strip.on_strip(kit_one)
    assert set(here.parts) == set(strip.STRIP.spots)
    assert set(here.nets) == {"LAMP_LED"}
    legs = legs_of(here, strip.STRIP)
    assert len(set(filled(here, strip.STRIP))) == len(filled(here, strip.STRIP))
    leads = strip.leads(kit_one)
    for leg, hole in legs.items():
        net = kit_one.net_of(*leg)
        pins = [lead.pin for lead in leads if lead.hole == hole]
        assert net in here.nets or [kit_one.net_of("J1", str(pin)) for pin in pins] == [net]


def test_on_the_strip_of_kit_one_everything_is_under_its_opening(kit_one: Netlist) -> None:
    holes = {ref: [] for ref in strip.STRIP.spots}
    for leg, hole in legs_of(strip.on_strip(kit_one), strip.STRIP).items():
        holes[leg.ref].append(strip.place(hole))
    for ref in holes:
        holes[ref] += map(strip.place, also_of(kit_one, strip.STRIP, ref))
    for ref, opening in (("SW1", d.BUTTON_GREEN), ("SW2", d.BUTTON_RED), ("D1", d.LAMP)):
        middle = [sum(each) / len(holes[ref]) for each in zip(*holes[ref], strict=True)]
        assert middle == pytest.approx(opening, abs=0.35)
    corners = strip.place(Hole(0, 0)), strip.place(Hole(strip.STRIP.columns - 1, strip.STRIP.rows - 1))
    assert corners[0].x - p.STRIP.x > 1
    assert corners[0].y - p.STRIP.y > 1
    assert p.STRIP.right - corners[1].x > 1
    assert p.STRIP.bottom - corners[1].y > 1
    for post in p.STRIP_POSTS:
        away = [math.dist(post, place) for places in holes.values() for place in places]
        assert min(away) > p.POST / 2 + 0.5, "a joint would lie on a post"


def test_the_pictures_were_made_from_this_source(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "hardware.perfboard", str(tmp_path)], cwd=ROOT, check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in MADE.iterdir())
    assert [name for name in made if (MADE / name).read_bytes() != (tmp_path / name).read_bytes()] == []
