"""The boxes that are committed: of the present source, printable, everything where board and label have it."""

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
import trimesh

from hardware import dimensions as d
from hardware.boards import inspection, layout
from hardware.boxes import checks
from hardware.boxes import parameters as p
from hardware.boxes.checks import PARTS, antenna, centre, complaints, pad, plunger, printable, rest, satellite
from hardware.boxes.solids import Solid, load
from hardware.boxes.sources import HERE, MADE, STAMP, parts_made, stamp

MODEST = 600_000
"""Bytes: a part that a repository can carry."""


@pytest.fixture(scope="module")
def parts() -> dict[str, Solid]:
    return parts_made()


# --- What is committed --------------------------------------------------------------------------------------------


def test_the_parts_were_made_from_the_present_source() -> None:
    assert STAMP.read_text(encoding="utf-8").strip() == stamp(), "run `make boxes`"
    assert (HERE / "parameters.scad").read_text(encoding="utf-8") == p.scad(), "run `make boxes`"


def test_every_source_has_its_part_in_both_formats_and_of_a_modest_size() -> None:
    assert {kind.source for kind in PARTS.values()} | {"shell", "parameters"} == {
        path.stem for path in HERE.glob("*.scad")
    }
    assert {path.name for path in MADE.glob("*.stl")} == {f"{name}.stl" for name in PARTS}
    assert {path.name for path in MADE.glob("*.3mf")} == {f"{name}.3mf" for name in PARTS}
    assert [path.name for path in MADE.iterdir() if path.stat().st_size > MODEST] == []


@pytest.mark.parametrize("name", PARTS)
def test_both_formats_hold_the_same_part(name) -> None:
    mesh = load(MADE / f"{name}.stl")
    with zipfile.ZipFile(MADE / f"{name}.3mf") as file:
        model = file.read("3D/3dmodel.model").decode()
    corners = np.array(re.findall(r'<vertex x="(\S+)" y="(\S+)" z="(\S+)"/>', model), dtype=float)
    assert len(re.findall("<triangle ", model)) == len(mesh.faces)
    assert 'unit="millimeter"' in model
    assert corners.min(axis=0) == pytest.approx(mesh.bounds[0], abs=0.01)
    assert corners.max(axis=0) == pytest.approx(mesh.bounds[1], abs=0.01)


# --- Measured ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_part_can_be_printed_and_everything_is_where_it_belongs(parts) -> None:
    assert complaints(parts) == []


def test_the_lid_is_as_near_to_the_antenna_as_the_modules_crystal_allows() -> None:
    assert p.ANTENNA_TO_PIECE <= checks.FARTHEST
    assert pytest.approx(p.THINNEST + p.GROOVE + p.AIR + d.READER_TALLEST_PART) == p.ANTENNA_TO_PIECE


# --- Planted faults: each of these has to be noticed ---------------------------------------------------------------


MOVED = {
    "BUTTON_GREEN": d.BUTTON_GREEN._replace(x=d.BUTTON_GREEN.x + 1),
    "LAMP": d.LAMP._replace(y=d.LAMP.y - 1),
    "PAD_HOLES": (d.PAD_HOLES[0]._replace(x=d.PAD_HOLES[0].x + 1), *d.PAD_HOLES[1:]),
    "PAD_PLUG_OPENING": d.PAD_PLUG_OPENING._replace(along=d.PAD_PLUG_OPENING.along + 1),
    "LABEL_FRAME": d.LABEL_FRAME._replace(x=d.LABEL_FRAME.x + 2),
    "BUTTON_HOLE": d.BUTTON_HOLE + 1,
    "READER_TOP": d.READER_TOP + 2,
}


@pytest.mark.parametrize("name", MOVED)
def test_a_hole_that_is_not_where_the_board_has_it_is_noticed(parts, name, monkeypatch) -> None:
    assert list(pad(parts["pad-base"], parts["pad-lid"])) == []
    monkeypatch.setattr(d, name, MOVED[name])
    assert list(pad(parts["pad-base"], parts["pad-lid"])) != []


def test_a_moved_hole_changes_the_stamp_too(monkeypatch) -> None:
    before = stamp()
    monkeypatch.setitem(p.SCAD, "button_green", MOVED["BUTTON_GREEN"])
    assert stamp() != before


def test_a_moved_plug_of_the_satellite_is_noticed(parts, monkeypatch) -> None:
    moved = tuple(each._replace(along=each.along + 1) for each in p.SATELLITE_OPENINGS)
    monkeypatch.setattr(p, "SATELLITE_OPENINGS", moved)
    assert any("opening" in told for told in satellite(parts["satellite-base"], parts["satellite-lid"]))


def test_metal_beside_the_antenna_is_noticed(parts, monkeypatch) -> None:
    assert list(antenna(parts["pad-lid"])) == []
    monkeypatch.setattr(d, "PAD_HOLES", (*d.PAD_HOLES, d.Point(22, 30)))
    assert any("no metal" in told for told in antenna(parts["pad-lid"]))


def test_a_plunger_whose_socket_swallows_the_stem_is_noticed(parts, monkeypatch) -> None:
    """It ended 1.1 mm below the lid once, and the check reckoned as the drawing did."""
    assert list(plunger(parts["plunger"])) == []
    monkeypatch.setattr(d, "BUTTON_STEM_TOP", d.BUTTON_STEM_TOP - p.PLUNGER_SOCKET)
    assert any("above the lid" in told for told in plunger(parts["plunger"]))


def test_a_plunger_that_meets_the_body_of_its_button_is_noticed(parts, monkeypatch) -> None:
    monkeypatch.setattr(d, "BUTTON_BODY_HEIGHT", d.BUTTON_BODY_HEIGHT + 1)
    assert any("meets the button's body" in told for told in plunger(parts["plunger"]))


def test_a_centre_that_is_too_low_for_upright_plugs_is_noticed(parts, monkeypatch) -> None:
    assert list(centre(parts["centre-base"], parts["pad-lid"])) == []
    monkeypatch.setattr(d, "WIRE_BEND", d.WIRE_BEND + 3)
    assert any("plugs under the reader" in told for told in centre(parts["centre-base"], parts["pad-lid"]))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ((d, "BUZZER_MODULE", (24.0, 20.0, 15.0)), "touches what is soldered"),
        ((p, "BUZZER_HOLES", (d.Point(20, p.CENTRE_BOTTOM + 8),)), "should be heard"),
    ],
)
def test_a_buzzer_without_room_or_holes_in_the_centre_is_noticed(parts, monkeypatch, changed, told) -> None:
    monkeypatch.setattr(*changed)
    assert any(told in each for each in centre(parts["centre-base"], parts["pad-lid"]))


@pytest.mark.parametrize(
    ("name", "told"), [("REGULATOR", "warm air"), ("POWER_LED", "over the power LED"), ("BUZZER", "over the buzzer")]
)
def test_a_lid_that_is_closed_over_what_needs_a_hole_is_noticed(parts, monkeypatch, name, told) -> None:
    monkeypatch.setattr(d, name, d.Point(30, 70))
    assert any(told in each for each in satellite(parts["satellite-base"], parts["satellite-lid"]))


def test_what_the_lid_has_holes_for_is_there_on_the_board() -> None:
    """Legs are snapped to the router's grid; the regulator has three, 2.54 mm apart."""
    spots = layout.satellite().spots
    assert (spots["U3"].x + 2.54, spots["U3"].y) == pytest.approx(tuple(d.REGULATOR), abs=1.0)
    assert (spots["D1"].x + 1.27, spots["D1"].y) == pytest.approx(tuple(d.POWER_LED), abs=1.0)


def test_a_part_that_is_where_a_pillar_or_the_lid_is_is_noticed(parts, monkeypatch) -> None:
    """The planted faults: parts as high as the lid, and one moved under the pillar of a screw."""
    real = inspection.rooms

    def moved(board):
        return [each._replace(left=4, right=9, top=4, bottom=9) if each.ref == "C3" else each for each in real(board)]

    monkeypatch.setattr(checks, "rooms", moved)
    assert any("C3: plastic in its way" in told for told in satellite(parts["satellite-base"], parts["satellite-lid"]))
    monkeypatch.setattr(checks, "rooms", lambda board: [each._replace(high=22) for each in real(board)])
    assert any("U3 is 22.0 mm high" in told for told in satellite(parts["satellite-base"], parts["satellite-lid"]))


def test_a_rest_that_is_not_as_high_as_the_module_is_noticed(parts, monkeypatch) -> None:
    assert list(rest(parts["rest"])) == []
    monkeypatch.setattr(p, "READER_BOTTOM", p.READER_BOTTOM + 2)
    assert any("does not go into it" in told for told in rest(parts["rest"]))


def block(width: float, height: float, thickness: float) -> trimesh.Trimesh:
    return trimesh.creation.box((width, height, thickness))


@pytest.mark.parametrize(
    ("mesh", "told"),
    [
        (block(50, 50, 1.0), "only 1.00 mm thick"),
        (block(230, 50, 3.0), "does not fit on a bed"),
        (
            trimesh.util.concatenate([block(9, 9, 9), block(9, 9, 9).apply_translation((20, 0, 0))]),
            "falls into 2 pieces",
        ),
        (trimesh.Trimesh(block(9, 9, 9).vertices, block(9, 9, 9).faces[:-1]), "not a closed body"),
    ],
)
def test_what_a_printer_cannot_make_is_noticed(mesh, told) -> None:
    assert any(told in each for each in printable("pad-base", Solid(mesh)))


def test_a_shelf_over_nothing_is_noticed() -> None:
    """A table on one leg: printed on its foot its top hangs, printed on its top nothing does."""
    outline = [(0, 0), (5, 0), (5, 20), (60, 20), (60, 25), (0, 25)]
    faces = [(0, 1, 2), (0, 2, 5), (2, 3, 4), (2, 4, 5)]
    corners = [(x, y, z) for y in (0, 40) for x, z in outline]
    n = len(outline)
    sides = [side for k in range(n) for side in ((k, (k + 1) % n, n + k), ((k + 1) % n, n + (k + 1) % n, n + k))]
    whole = [*faces, *((n + c, n + b, n + a) for a, b, c in faces), *((c, b, a) for a, b, c in sides)]
    table = trimesh.Trimesh(corners, whole)
    if table.volume < 0:
        table.invert()
    assert table.is_watertight
    up = Solid(table)
    assert max(up.overhangs(1)) > checks.BRIDGE
    assert max(up.overhangs(-1), default=0.0) <= checks.BRIDGE


def test_pictures_of_all_scenes_are_there() -> None:
    assert {path.stem for path in MADE.glob("*.png")} == {"table", "pad", "centre", "satellite", "parts", "closed"}
    assert all(Path(path).stat().st_size > 5000 for path in MADE.glob("*.png"))
