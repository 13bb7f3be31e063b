"""What a board house is sent, and what one chooses there."""

import json
import re
import zipfile
from functools import cache
from typing import Any, NamedTuple

from hardware.boards import drc
from hardware.boards.layout import LAYOUTS
from hardware.pages.pieces import HEAD, table, word
from hardware.pages.sources import BOARDS, PADS, board

MEANING = {
    "Copper,L1,Top": "copper, above",
    "Copper,L2,Bot": "copper, below",
    "Legend,Top": "print, above",
    "Legend,Bot": "print, below (nothing is on it)",
    "SolderMask,Top": "solder mask, above",
    "SolderMask,Bot": "solder mask, below",
    "Profile": "the outline",
    "Plated,1,2,PTH": "holes with copper inside: legs and vias",
    "NonPlated,1,2,NPTH": "holes without: screws",
}
"""What a file calls its layer → what that is."""
NUMBERS = {"satellite": 1, "pad": PADS}


class Package(NamedTuple):
    """What is in the zip file of a board."""

    files: dict[str, str]
    """Name → its layer, in the file's own words."""
    job: dict[str, Any]
    holes: dict[float, int]
    """Diameter in millimetres → how many."""


@cache
def order(name: str) -> Package:
    with zipfile.ZipFile(BOARDS / name / f"{name}-gerber.zip") as packed:
        texts = {each: packed.read(each).decode() for each in packed.namelist()}
    (job,) = [json.loads(text) for each, text in texts.items() if each.endswith(".gbrjob")]
    files = {each["Path"]: each["FileFunction"] for each in job["FilesAttributes"]}
    holes: dict[float, int] = {}
    for each, text in texts.items():
        if each.endswith(".drl"):
            files[each] = _found(r"TF\.FileFunction,(\S+)", text)
            for millimetres, number in _drilled(text):
                holes[millimetres] = holes.get(millimetres, 0) + number
    return Package(files, job, holes)


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise LookupError(pattern)
    return match[1]


def _drilled(text: str) -> list[tuple[float, int]]:
    """Each tool of a drill file, and how often it is used."""
    tools = dict(re.findall(r"^(T\d+)C([\d.]+)$", text, re.MULTILINE))
    used = re.findall(r"^(T\d+)\n((?:X.*\n)+)", text, re.MULTILINE)
    return [(float(tools[tool]), len(places.splitlines())) for tool, places in used]


def choices() -> str:
    """What the form of a board house asks, and the answer for each board."""
    rows = [("upload", *(f"[{name}-gerber.zip](made/{name}/{name}-gerber.zip), as it is" for name in LAYOUTS))]
    outlines = [board(name).outline for name in LAYOUTS]
    jobs = [order(name).job for name in LAYOUTS]
    rules = [job["DesignRules"][0] for job in jobs]
    copper = [next(each["Thickness"] for each in job["MaterialStackup"] if each["Type"] == "Copper") for job in jobs]
    return table(
        ("", *LAYOUTS),
        [
            *rows,
            ("how many you need", *(NUMBERS[name] for name in LAYOUTS)),
            ("size", *(f"{each.width:g} × {each.height:g} mm" for each in outlines)),
            ("layers", *(job["GeneralSpecs"]["LayerNumber"] for job in jobs)),
            ("thickness", *(f"{job['GeneralSpecs']['BoardThickness']:g} mm, FR-4" for job in jobs)),
            ("copper", *(f"{each * 1000:g} µm (1 oz)" for each in copper)),
            ("narrowest track", *(f"{each['MinLineWidth']:g} mm" for each in rules)),
            ("smallest distance", *(f"{each['TrackToTrack']:g} mm" for each in rules)),
            ("smallest hole", *(f"{min(order(name).holes):g} mm" for name in LAYOUTS)),
            ("holes", *(sum(order(name).holes.values()) for name in LAYOUTS)),
        ],
    )


def contents() -> str:
    """The files of a zip, the same for both boards but for their names."""
    (first, *others) = LAYOUTS
    layers = order(first).files
    assert all(sorted(order(name).files.values()) == sorted(layers.values()) for name in others)
    rows = [(f"`…{each.removeprefix(first)}`", MEANING[layer]) for each, layer in sorted(layers.items())]
    return table(("file", "what"), [*rows, ("`…-job.gbrjob`", "all of it, for machines")])


def warnings() -> str:
    found = {
        name: json.loads((BOARDS / name / "drc.json").read_text(encoding="utf-8"))["violations"] for name in LAYOUTS
    }
    told = []
    for name, each in found.items():
        assert {violation["type"] for violation in each} <= {drc.TRIMMED}
        refs = sorted(item["description"].removeprefix("Footprint ") for one in each for item in one["items"])
        told.append(f"the {name}'s {', '.join(refs)}")
    return (
        f"KiCad's design rule check finds no error. It warns once for each of {sum(map(len, found.values()))} parts that stand out over the edge\n"
        f"({'; '.join(told)}): their footprint is not that of the library any more.\n"
        "That is meant: lines of their print that would lie beside the board have been taken off, because a board house would ask\n"
        "about them; holes and copper are untouched. Any other warning stops `make board`\n"
        "([drc.py](drc.py))."
    )


def page() -> str:
    number = word(len(LAYOUTS))
    return f"""{HEAD}# The boards: what to send to a board house

{number.capitalize()} orders, one for each board. **They have not been made or built yet**; order the smallest number first.

| the satellite | a pad |
| --- | --- |
| ![The satellite's board](made/satellite/satellite-top.png) | ![A pad's board](made/pad/pad-top.png) |

{choices()}

Everything else as the form proposes it: any colour, HASL (lead-free if you can), no panel, no castellated or filled holes, no
impedance, no gold fingers. No stencil and no assembly: every part goes through a hole and is soldered by hand. Should the
form ask where it may print its order number: anywhere below.

## What is in a zip file

{contents()}

Dates are left out, so that the same source gives the same file.

## What else is here

| | satellite | pad |
| --- | --- | --- |
| where the parts go, to print | [PDF](made/satellite/satellite-assembly.pdf) | [PDF](made/pad/pad-assembly.pdf) |
| what to buy | [CSV](made/satellite/satellite-bill.csv) | [CSV](made/pad/pad-bill.csv) |
| for a machine that places parts | [CSV](made/satellite/satellite-positions.csv) | [CSV](made/pad/pad-positions.csv) |
| the board, for KiCad 9 | [file](made/satellite/satellite.kicad_pcb) | [file](made/pad/pad.kicad_pcb) |
| from below | [picture](made/satellite/satellite-bottom.png) | [picture](made/pad/pad-bottom.png) |

## What the check says

{warnings()}

`make board` makes all of it again from [layout.py](layout.py) and [the circuits](../circuits), byte by byte the same.
"""
