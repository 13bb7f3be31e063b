"""The boards in the repository: made from this source, with the circuits' nets, and holes where boxes have them."""

import itertools
import json
import os
import shutil
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hardware import dimensions as mm
from hardware.boards import drc, manifest, reading, steps
from hardware.boards.layout import LAYOUTS
from hardware.boards.routing import CLEARANCE, Box, Disc, Pad, Router, Task
from hardware.boards.timeless import pack, timeless
from hardware.circuits import checks
from hardware.circuits.bill import from_csv
from hardware.circuits.netlist import Netlist
from hardware.proofs import models
from tests.hardware.planted import another, without

NAMES = list(LAYOUTS)
PLACES = {
    "pad": {"SW1": mm.BUTTON_GREEN, "SW2": mm.BUTTON_RED, "D3": mm.LAMP},
    "satellite": {"BZ1": mm.BUZZER},
}


@cache
def board(name: str) -> reading.Board:
    return reading.read(manifest.MADE / name / f"{name}.kicad_pcb")


@pytest.fixture
def netlist(request: pytest.FixtureRequest, name: str) -> Netlist:
    found: Netlist = request.getfixturevalue(name)
    return found


# --- Made from this source --------------------------------------------------------------------------------------


def test_the_boards_were_made_from_this_source_and_are_unchanged() -> None:
    assert manifest.stale() == [], "`make board` makes them anew"


def test_a_source_that_has_changed_and_a_file_that_was_changed_are_noticed(tmp_path: Path) -> None:
    for source in manifest.SOURCES:
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(manifest.HARDWARE / source, tmp_path / source)
    made = tmp_path / "made"
    shutil.copytree(manifest.MADE, made)
    assert manifest.stale(tmp_path, made) == []
    with (tmp_path / "dimensions.py").open("a") as file:
        file.write("\nPAD_HOLES = ()\n")
    (made / "pad" / "pad-bill.csv").write_text("nothing")
    assert manifest.stale(tmp_path, made) == ["dimensions.py", "pad/pad-bill.csv"]


def report(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((manifest.MADE / name / "drc.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_kicad_found_no_error_nothing_unconnected_and_warns_only_of_trimmed_plugs(name: str) -> None:
    found = report(name)
    assert drc.complaints(found, LAYOUTS[name]()) == []
    assert found["unconnected_items"] == []
    assert {each["severity"] for each in found["violations"]} == {"warning"}
    assert len(found["violations"]) == len(LAYOUTS[name]().over_the_edge)


def test_any_other_word_of_kicad_is_a_complaint() -> None:
    found, layout = report("pad"), LAYOUTS["pad"]()
    (trimmed,) = found["violations"]
    overlap = trimmed | {"type": "silk_overlap", "description": "Silkscreen overlap"}
    other = trimmed | {"items": [{"description": "Footprint C1"}]}
    error = trimmed | {"severity": "error"}
    for added in (overlap, other, error, trimmed):
        assert drc.complaints(found | {"violations": [trimmed, added]}, layout)
    assert drc.complaints(found | {"unconnected_items": [overlap]}, layout)
    assert drc.complaints(found | {"violations": []}, layout)


def test_only_parts_that_stand_over_the_edge_may_be_trimmed() -> None:
    for name in NAMES:
        layout = LAYOUTS[name]()
        assert layout.over_the_edge <= set(layout.spots)


# --- The same source, the same bytes ----------------------------------------------------------------------------

DATED = {
    "gerber": b"%TF.CreationDate,2026-11-17T15:22:24+00:00*%\n"
    b"G04 Created by KiCad (PCBNEW 9.0.2) date 2026-11-17 15:22:24*\nX1Y1D03*\n",
    "drill": b"; DRILL file {KiCad 9.0.2} date 2026-11-17T15:22:24+0000\n"
    b"; #@! TF.CreationDate,2026-11-17T15:22:24+00:00\nT1C0.4\n",
    "job": b'{"Version": "9.0.2"},\n    "CreationDate": "2026-11-17T15:22:24+00:00"\n}',
    "pdf": b"/CreationDate (D:20261117152224)\n",
}


@pytest.mark.parametrize("kind", DATED)
def test_of_a_file_the_day_goes_and_everything_else_stays(kind: str) -> None:
    day = timeless(DATED[kind])
    assert b"2026" not in day
    assert timeless(DATED[kind].replace(b"17", b"18").replace(b"24", b"59")) == day
    kept = {"gerber": b"X1Y1D03*\n", "drill": b"T1C0.4\n", "job": b'"Version": "9.0.2"', "pdf": b"/CreationDate (D:"}
    assert kept[kind] in day
    if kind == "pdf":
        assert len(day) == len(DATED[kind]), "every byte of a PDF has its place"


def test_a_packed_folder_is_the_same_on_another_day(tmp_path: Path) -> None:
    packed = []
    for number, content in enumerate((DATED["gerber"], DATED["gerber"].replace(b"11-17", b"12-24"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in ("b.gbl", "a.gtl") if number else ("a.gtl", "b.gbl"):
            (folder / name).write_bytes(content)
            os.utime(folder / name, (10**9 * (number + 1),) * 2)
        pack(folder, tmp_path / f"{number}.zip")
        packed.append((tmp_path / f"{number}.zip").read_bytes())
    assert packed[0] == packed[1]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_a_board_house_gets_has_a_day(name: str) -> None:
    folder = manifest.MADE / name
    with zipfile.ZipFile(folder / f"{name}-gerber.zip") as packed:
        for each in packed.infolist():
            content = packed.read(each)
            assert timeless(content) == content
            assert each.date_time == (1980, 1, 1, 0, 0, 0)
    drawing = (folder / f"{name}-assembly.pdf").read_bytes()
    assert timeless(drawing) == drawing
    assert b"/CreationDate" in drawing


def test_nets_that_are_as_long_as_each_other_are_wired_in_the_order_of_their_names() -> None:
    """Whatever order a set of names happens to have in a run."""
    pads = [disc(net, x, y) for y, net in ((4, "c"), (8, "a"), (12, "d"), (16, "b")) for x in (3, 15)]
    router = Router(task(*pads))
    assert router.route() == []
    assert list(router.paths) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("name", NAMES)
def test_a_board_house_gets_all_layers_and_holes(name: str) -> None:
    with zipfile.ZipFile(manifest.MADE / name / f"{name}-gerber.zip") as packed:
        names = packed.namelist()
        assert all(packed.getinfo(each).file_size > 100 for each in names)
    for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silkscreen", "B_Silkscreen", "Edge_Cuts"):
        assert [each for each in names if layer in each], layer
    assert [each for each in names if each.endswith(".drl")] == [f"{name}-NPTH.drl", f"{name}-PTH.drl"]


def test_the_board_says_which_charger_the_simulation_wants() -> None:
    words = [text for text, *_ in LAYOUTS["satellite"]().words]
    assert f"{models.CHARGER_VOLT:g} V, {models.CHARGER_AMPERE:g} A" in words


@pytest.mark.parametrize("name", NAMES)
def test_positions_and_bill_have_every_part(name: str, netlist: Netlist) -> None:
    folder = manifest.MADE / name
    rows = (folder / f"{name}-positions.csv").read_text(encoding="utf-8").splitlines()[1:]
    placed = {row.split(",")[0].strip('"') for row in rows}
    assert {ref for ref in netlist.parts if not ref.startswith("TP")} <= placed
    lines = from_csv((folder / f"{name}-bill.csv").read_text(encoding="utf-8"))
    assert list(checks.bill_of(netlist, lines)) == []


# --- The same as the circuit and the boxes ----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_each_pad_has_the_net_of_its_leg(name: str, netlist: Netlist) -> None:
    assert reading.netlist_faults(board(name), netlist) == []


@pytest.mark.parametrize("name", NAMES)
def test_holes_buttons_lamp_and_buzzer_are_where_boxes_and_labels_have_them(name: str) -> None:
    layout = LAYOUTS[name]()
    assert reading.hole_faults(board(name), layout.outline, layout.holes) == []
    assert reading.place_faults(board(name), PLACES[name]) == []


def test_the_readers_socket_and_the_plugs_are_where_boxes_have_them() -> None:
    socket = board("pad").footprints["U1"].places
    assert socket["1"] == [mm.Point(*(round(each, 3) for each in mm.READER_PIN_1))]
    assert socket["8"][0].y == pytest.approx(mm.READER_PIN_1.y - 7 * mm.READER_PITCH)
    assert reading.middle_of(board("pad"), "J1").y == pytest.approx(mm.PAD_PLUG.y, abs=reading.TOLERANCE)
    for pad, plug in enumerate(mm.SATELLITE_PLUGS):
        assert reading.middle_of(board("satellite"), f"J{pad + 1}").x == pytest.approx(plug.x, abs=reading.TOLERANCE)
    assert reading.middle_of(board("satellite"), "A1").y == pytest.approx(mm.NANO_USB.y, abs=reading.TOLERANCE)


def test_there_is_no_copper_around_the_antenna() -> None:
    free = mm.PAD_COPPER_FREE
    assert free.x <= mm.METAL_FREE.x
    assert free.right >= mm.METAL_FREE.right
    assert free.y <= mm.METAL_FREE.y
    assert free.bottom >= mm.METAL_FREE.bottom
    inside = [
        (ref, place)
        for ref, footprint in board("pad").footprints.items()
        for number, places in footprint.places.items()
        for place in places
        if number and free.x <= place.x <= free.right and free.y <= place.y <= free.bottom
    ]
    assert inside == []
    tree = reading.parse((manifest.MADE / "pad" / "pad.kicad_pcb").read_text(encoding="utf-8"))
    ends = [end for kind in ("segment", "via") for each in reading.every(tree, kind) for end in each]
    points = [end for end in ends if isinstance(end, list) and end[0] in ("start", "end", "at")]
    points += [point for zone in reading.every(tree, "zone") for point in _points(zone)]
    assert len(points) > 100
    for point in points:
        x, y = (float(str(word)) - reading.OFFSET for word in point[1:3])
        assert not (free.x < x < free.right and free.y < y < free.bottom)


def _points(tree: reading.Tree) -> list[reading.Tree]:
    inner = [each for each in tree if isinstance(each, list)]
    return reading.every(tree, "xy") + [point for each in inner for point in _points(each)]


# --- Step by step -----------------------------------------------------------------------------------------------


def test_the_pictures_of_the_steps_were_made_from_these_boards(tmp_path: Path) -> None:
    assert steps.main(tmp_path) == 0
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in steps.MADE.iterdir()), "run `python -m hardware.boards.steps`"
    assert [name for name in made if (steps.MADE / name).read_bytes() != (tmp_path / name).read_bytes()] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_solder_every_part_once_low_parts_first(name: str, netlist: Netlist) -> None:
    every = steps.steps(board(name))
    refs = [ref for step in every for ref in step.refs]
    modules = {ref for ref, part in netlist.parts.items() if part.kind.number in steps.MODULES}
    assert set(refs) == {ref for ref in netlist.parts if not ref.startswith("TP")}
    assert {ref for ref in refs if refs.count(ref) > 1} == modules
    assert set(every[-1].refs) == modules
    heights = [
        [steps.height_of(board(name).footprints[ref]) for ref in step.refs if ref not in modules] for step in every
    ]
    filled = [each for each in heights if each]
    assert all(max(low) <= min(high) for low, high in itertools.pairwise(filled))


# --- Planted faults ---------------------------------------------------------------------------------------------


def test_another_part_a_missing_one_and_a_net_that_differs_are_noticed(satellite: Netlist) -> None:
    there = board("satellite")
    assert reading.netlist_faults(there, without(satellite, "R2"))
    wrong = satellite.parts["U1"].kind._replace(footprint="Package_DIP:DIP-24_W7.62mm")
    assert reading.netlist_faults(there, another(satellite, "U1", wrong))
    nets = dict(satellite.nets)
    nets["SDA0"], nets["SDA1"] = nets["SDA1"], nets["SDA0"]
    assert reading.netlist_faults(there, satellite._replace(nets=nets))


def test_a_moved_hole_and_a_moved_button_are_noticed() -> None:
    layout = LAYOUTS["pad"]()
    moved = (layout.holes[0]._replace(x=layout.holes[0].x + 1), *layout.holes[1:])
    assert reading.hole_faults(board("pad"), layout.outline, moved)
    assert reading.hole_faults(board("pad"), layout.outline._replace(width=90), layout.holes)
    assert reading.place_faults(board("pad"), {"SW1": mm.Point(mm.BUTTON_GREEN.x + 1, mm.BUTTON_GREEN.y)})


# --- The router -------------------------------------------------------------------------------------------------


def disc(net: str, x: float, y: float) -> Pad:
    return Pad(net, x, y, 0.8, 0.8, 0.8)


def task(*pads: Pad, holes: tuple[Disc, ...] = (), forbidden: tuple[Box, ...] = ()) -> Task:
    return Task(Box(0, 0, 20, 20), list(pads), list(holes), list(forbidden), frozenset({"wide"}))


def too_near(router: Router, tasked: Task) -> list[str]:
    """Every pair of tracks or pads of different nets that is nearer than the clearance, sampled along the tracks."""
    tracks, vias = router.copper()
    dots = [(via.net, layer, via.x, via.y, 0.4) for via in vias for layer in (0, 1)]
    for track in tracks:
        for part in range(11):
            x = track.start[0] + (track.end[0] - track.start[0]) * part / 10
            y = track.start[1] + (track.end[1] - track.start[1]) * part / 10
            dots.append((track.net, track.layer, x, y, track.width / 2))
    wrong = [
        f"{net} at {x}, {y} and a pad of {pad.net}"
        for net, _, x, y, half in dots
        for pad in tasked.pads
        if pad.net != net and pad.distance(x, y) < half + CLEARANCE - 1e-6
    ]
    for index, (net, layer, x, y, half) in enumerate(dots):
        for other, its_layer, ox, oy, its in dots[index + 1 :]:
            near = (x - ox) ** 2 + (y - oy) ** 2 < (half + its + CLEARANCE - 1e-6) ** 2
            if net != other and layer == its_layer and near:
                wrong.append(f"{net} and {other} at {x}, {y}")
    return wrong


def test_nets_that_cross_change_sides_and_keep_their_distance() -> None:
    crossing = task(
        *(disc("a", 2, 10), disc("a", 18, 10), disc("b", 10, 2), disc("b", 10, 18)),
        *(disc("wide", 3, 3), disc("wide", 17, 17), disc("c", 17, 3), disc("c", 3, 17)),
    )
    router = Router(crossing)
    assert router.route() == []
    assert too_near(router, crossing) == []
    assert {track.layer for track in router.copper()[0]} == {0, 1}


def test_nothing_goes_where_no_copper_may_be() -> None:
    wall = Box(9, -1, 11, 15)
    around = task(disc("a", 2, 5), disc("a", 18, 5), holes=(Disc(10, 17, 1.5),), forbidden=(wall,))
    router = Router(around)
    assert router.route() == []
    for track in router.copper()[0]:
        for x, y in (track.start, track.end):
            assert not (wall.left <= x <= wall.right and wall.top <= y <= wall.bottom)
            assert (x - 10) ** 2 + (y - 17) ** 2 > 1.5**2


def test_what_cannot_be_wired_is_told() -> None:
    assert Router(task(disc("a", 2, 5), disc("a", 18, 5), forbidden=(Box(9, -1, 11, 21),))).route() == ["a"]


def test_the_distance_from_a_pad_is_that_from_its_edge() -> None:
    sharp = Pad("a", 0, 0, 1, 2, 0)
    assert sharp.distance(2, 0) == pytest.approx(1)
    assert sharp.distance(2, 3) == pytest.approx(2**0.5)
    assert sharp.distance(0, 0) < 0
    assert disc("a", 0, 0).distance(1, 0) == pytest.approx(0.2)


# --- The label --------------------------------------------------------------------------------------------------


def test_the_label_has_frame_buttons_and_lamp_where_the_board_has_them() -> None:
    label = (manifest.HARDWARE / "labels.svg").read_text(encoding="utf-8")
    frame = mm.LABEL_FRAME
    assert f'width="{mm.LABEL.width:g}" height="{mm.LABEL.height:g}"' in label
    assert f'x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" height="{frame.height:g}"' in label
    for place, radius in ((mm.BUTTON_GREEN, mm.BUTTON_HOLE / 2), (mm.BUTTON_RED, mm.BUTTON_HOLE / 2), (mm.LAMP, 3)):
        assert f'cx="{place.x:g}" cy="{place.y:g}" r="{radius:g}"' in label
