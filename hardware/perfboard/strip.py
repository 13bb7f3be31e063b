"""The strip of kit one: buttons, lamp and resistor under the openings of the lid, and the wires that go to the Pi."""

import math
from typing import NamedTuple

from hardware import dimensions as d
from hardware.boxes import parameters as p
from hardware.circuits import bodies
from hardware.circuits.netlist import Netlist
from hardware.harness.cables import SOLDERED, kit_one_wires
from hardware.perfboard.holes import PITCH, Hole, Sheet, also_of, bodies_of, legs_of

STRIP = Sheet(
    26,
    7,
    {
        "SW1": (0, 2, 0),
        "SW2": (19, 2, 0),
        "D1": (12, 3, 0),
        "R1": (17, 3, 180),
    },
)
FIRST = d.Point((d.BUTTON_GREEN.x + d.BUTTON_RED.x) / 2 - 12 * PITCH, d.BUTTON_GREEN.y - 3 * PITCH)
"""Where hole 0/0 is in the box: the strip is cut so that the buttons lie evenly to both sides of their openings."""
UNDER = 0.35
"""Millimetres that a part may be beside the middle of its opening."""
PARTS = {"green button": "SW1", "red button": "SW2", "lamp": "D1"}


class Lead(NamedTuple):
    """A wire from the strip to the Pi."""

    hole: Hole
    pin: int
    colour: str


def place(hole: Hole) -> d.Point:
    """Where a hole is in the box."""
    return d.Point(FIRST.x + hole.column * PITCH, FIRST.y + hole.row * PITCH)


def on_strip(kit_one: Netlist) -> Netlist:
    """The parts of kit one that are soldered to the strip, and what connects them there."""
    parts = {ref: part for ref, part in kit_one.parts.items() if ref in STRIP.spots}
    nets = {}
    for name, legs in kit_one.nets.items():
        here = frozenset(leg for leg in legs if leg.ref in parts)
        if here and here == legs:
            nets[name] = here
    return kit_one._replace(parts=parts, nets=nets)


def leads(kit_one: Netlist) -> list[Lead]:
    """Each wire of the harness that ends on the strip, at the leg that has the net of its pin."""
    legs = legs_of(on_strip(kit_one), STRIP)
    found = []
    for part, _, pin, colour in kit_one_wires():
        if part in SOLDERED:
            net = kit_one.nets[kit_one.net_of("J1", str(pin))]
            own = [leg for leg in legs if leg in net and leg.ref == PARTS[part]]
            (leg,) = own or [leg for leg in legs if leg in net and leg.ref == "R1"]
            found.append(Lead(legs[leg], pin, colour))
    return found


def opening_faults(kit_one: Netlist, sheet: Sheet = STRIP) -> list[str]:
    """Buttons and lamp are under their openings, and no joint lies on a post."""
    here = on_strip(kit_one)
    places: dict[str, list[d.Point]] = {ref: [] for ref in sheet.spots}
    for leg, hole in legs_of(here, sheet).items():
        places[leg.ref].append(place(hole))
    for ref in places:
        places[ref] += map(place, also_of(kit_one, sheet, ref))
    wrong = []
    for ref, opening in (("SW1", d.BUTTON_GREEN), ("SW2", d.BUTTON_RED), ("D1", d.LAMP)):
        middle = [sum(each) / len(places[ref]) for each in zip(*places[ref], strict=True)]
        if max(abs(middle[0] - opening.x), abs(middle[1] - opening.y)) > UNDER:
            wrong.append(f"{ref} is not under its opening")
    joints = [each for legs in places.values() for each in legs]
    near = [post for post in p.STRIP_POSTS if min(math.dist(post, each) for each in joints) <= p.POST / 2 + 0.5]
    wrong += [f"a joint lies on the post at {post.x:g}, {post.y:g}" for post in near]
    return wrong + bodies.collisions(bodies_of(here, sheet))


def screws() -> list[d.Point]:
    """The holes to drill, in holes from 0/0."""
    return [d.Point((post.x - FIRST.x) / PITCH, (post.y - FIRST.y) / PITCH) for post in p.STRIP_POSTS]
