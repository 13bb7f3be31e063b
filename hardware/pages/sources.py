"""Where the figures of the pages come from."""

import math
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from companion.gamekit import discovery
from companion.gamekit.parts import paper_of
from companion.language.wording import ENGLISH
from hardware import dimensions as d
from hardware.boards import reading
from hardware.boards.layout import LAYOUTS
from hardware.boxes.solids import load
from hardware.circuits.bill import BillLine, from_csv
from hardware.circuits.netlist import Netlist, from_json
from hardware.harness.cables import soldered_ends

HARDWARE = Path(__file__).parents[1]
MADE = HARDWARE / "circuits" / "made"
BOARDS = HARDWARE / "boards" / "made"
FIRMWARE = HARDWARE.parent / "firmware" / "core"
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
PADS = len(d.SATELLITE_PLUGS)
PLA = 1.24
"""Grams in a cubic centimetre."""
SCREW = f"M{d.SCREW:g}"


# --- Circuits and boards --------------------------------------------------------------------------------------------


def bill(kit: str) -> list[BillLine]:
    return from_csv((MADE / f"{kit}-bill.csv").read_text(encoding="utf-8"))


def netlist(kit: str) -> Netlist:
    return from_json(MADE / f"{kit}.json")


@cache
def board(name: str) -> reading.Board:
    return reading.read(BOARDS / name / f"{name}.kicad_pcb")


@cache
def _legs() -> dict[str, int]:
    """Case → how many holes it has on a board: a button has four legs, though only two of them differ."""
    footprints = [each for name in ("satellite", "pad") for each in board(name).footprints.values()]
    return {each.name: sum(map(len, each.places.values())) for each in footprints}


def joints(kit: str) -> int:
    """Legs and ends of wires that are soldered."""
    return _soldered_legs(kit) + (soldered_ends() if kit == "kit-one" else 0)


def _soldered_legs(kit: str) -> int:
    """What has no case is a module with pins, and a test point is a hole."""
    kinds = [part.kind for part in netlist(kit).parts.values() if part.kind.footprint and part.kind.prefix != "TP"]
    return sum(_legs().get(kind.footprint, len(kind.pins)) for kind in kinds)


def count(kit: str, prefix: str) -> int:
    return sum(part.kind.prefix == prefix for part in netlist(kit).parts.values())


def hole_of(net: str) -> str:
    """The hole of the satellite's board at which a net can be measured, with what is printed beside it."""
    parts = netlist("satellite")
    points = [ref for ref, part in parts.parts.items() if part.kind.prefix == "TP" and parts.net_of(ref, "1") == net]
    ref = min(points, key=lambda each: int(each.removeprefix("TP")))
    assert net in {words for words, *_ in LAYOUTS["satellite"]().words}
    return f"{ref} ({net})"


def leg_at(kit: str, ref: str, net: str) -> str:
    parts = netlist(kit)
    return next(pin.number for pin in parts.parts[ref].kind.pins if parts.net_of(ref, pin.number) == net)


# --- The simulation -------------------------------------------------------------------------------------------------


class Bound(NamedTuple):
    value: float
    unit: str
    at_least: bool

    def __str__(self) -> str:
        """To two places, rounded to the safe side: what is measured must not be beyond it."""
        hundredths = round(self.value * 100, 6)
        shown = math.floor(hundredths) if self.at_least else math.ceil(hundredths)
        return f"{shown / 100:.2f} {self.unit}"


def figures() -> dict[str, Bound]:
    """What the simulation says, by what it is: the worst value."""
    text = (HARDWARE / "proofs" / "figures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (\S+) (\S*) \| (at \w+) .*\|$", text, re.MULTILINE)
    return {what: Bound(float(worst), unit, limit == "at least") for what, worst, unit, limit in rows}


# --- The firmware ---------------------------------------------------------------------------------------------------


def defined(header: str, name: str) -> int:
    """A number of the satellite's program."""
    text = (FIRMWARE / header).read_text(encoding="utf-8")
    found = re.search(rf"^#define {name} (\d+)", text, re.MULTILINE)
    if found is None:
        raise LookupError(f"{header} has no {name}")
    return int(found[1])


# --- Boxes and games ------------------------------------------------------------------------------------------------


def grams(*parts: str) -> int:
    """Of PLA, if everything were solid: a slicer that fills it less needs less."""
    return round(sum(load(HARDWARE / "boxes" / "made" / f"{part}.stl").volume for part in parts) / 1000 * PLA)


def stickers(game: str) -> int:
    known = discovery.find(game)
    box = known.parse_box(known.standin(), "the box that ships")
    return sum(piece.sticker is not None for piece in paper_of(game)(box, ENGLISH.text))
