"""Bones, jewellery, the round counter and Charles himself."""

from collections.abc import Sequence

from companion.gamekit.figures import Drawing, Outline, Point, bow, ellipse, polygon, smooth, stroke

TOOTH: Drawing = (smooth((30, 14), (50, 20), (70, 14), (76, 34), (66, 64), (50, 96), (36, 64), (24, 34)),)
SHELL: Drawing = (
    smooth((50, 90), (30, 82), (8, 52), (16, 28), (34, 14), (50, 10), (66, 14), (84, 28), (92, 52), (70, 82)),
    polygon((36, 84), (64, 84), (70, 98), (30, 98)),
)
SHELL_LINES: Drawing = tuple(stroke(4, (50, 86), (x, y)) for x, y in ((20, 38), (36, 22), (50, 18), (64, 22), (80, 38)))
AMBER: Drawing = (smooth((50, 4), (64, 26), (82, 50), (78, 80), (50, 96), (22, 80), (18, 50), (36, 26)),)
FEATHER: Drawing = (
    smooth((88, 6), (92, 24), (78, 50), (56, 70), (34, 76), (28, 66), (36, 44), (58, 20)),
    stroke(6, (34, 70), (10, 96)),
)
FEATHER_LINES: Drawing = (stroke(3, (80, 18), (30, 72)),)
GEM: Drawing = (polygon((28, 14), (72, 14), (96, 42), (50, 94), (4, 42)),)
GEM_LINES: Drawing = (stroke(3, (8, 42), (92, 42)), stroke(3, (34, 42), (50, 86), (66, 42), (50, 18), (34, 42)))
JEWEL_FIGURES: dict[str, tuple[Drawing, Drawing]] = {
    "tooth": (TOOTH, ()),
    "shell": (SHELL, SHELL_LINES),
    "amber": (AMBER, ()),
    "feather": (FEATHER, FEATHER_LINES),
    "stone": (GEM, GEM_LINES),
}
"""What is filled, and the lines on it."""
BY_PLACE: tuple[Drawing, ...] = (
    (polygon((4, 12), (96, 12), (50, 94)),),
    (Outline("M 12 92 L 12 46 C 12 0 88 0 88 46 L 88 92 Z"),),
    (polygon((50, 2), (90, 50), (50, 98), (10, 50)),),
    (polygon((4, 52), (22, 44), (38, 70), (82, 6), (98, 14), (42, 96)),),
    (polygon((10, 10), (90, 10), (90, 90), (10, 90)),),
)
"""For kinds of an enrolled box that nobody knows: the signs that the screen has for them."""
BEARD: Drawing = (
    ellipse(50, 34, 22, 26),
    smooth((27, 38), (32, 52), (50, 56), (68, 52), (73, 38), (80, 60), (70, 84), (50, 97), (30, 84), (20, 60)),
    bow(6, (30, 26), (34, 12), (66, 12), (70, 26)),
)
FEATURES: Drawing = (
    ellipse(42, 33, 3),
    ellipse(58, 33, 3),
    stroke(3, (37, 27), (45, 26)),
    stroke(3, (55, 26), (63, 27)),
    stroke(3, (50, 33), (48, 42), (52, 42)),
    bow(4, (38, 52), (44, 46), (56, 46), (62, 52)),
)
HOURGLASS: Drawing = (
    stroke(7, (20, 8), (80, 8)),
    stroke(7, (20, 92), (80, 92)),
    polygon((26, 10), (74, 10), (54, 50), (74, 90), (26, 90), (46, 50)),
)

MIDPOINTS: dict[str, Point] = {"N": (50, -6), "E": (106, 50), "S": (50, 106), "W": (-6, 50)}
"""A little beyond the edge, so that a bone reaches it whatever the scissors do."""


def bone(edges: str, alone: bool, pen: float) -> Drawing:
    """From its edges to one joint; an end piece has a knob. Two bones on a tile keep away from each other."""
    joint = _joint(edges, alone)
    arms = tuple(_arm(MIDPOINTS[edge], joint, pen) for edge in edges)
    return (*arms, *_knob(edges, joint, pen if alone else pen * 0.8))


def _arm(edge: Point, joint: Point, pen: float) -> Outline:
    """It meets the edge at a right angle, wherever the joint is."""
    inwards = edge[0] + (50 - edge[0]) * 0.55, edge[1] + (50 - edge[1]) * 0.55
    return bow(pen, edge, inwards, joint, joint)


def _joint(edges: str, alone: bool) -> Point:
    if alone:
        return 50, 50
    reach = 16
    across = sum(MIDPOINTS[edge][0] - 50 for edge in edges) / 56 / len(edges)
    down = sum(MIDPOINTS[edge][1] - 50 for edge in edges) / 56 / len(edges)
    return 50 + reach * across, 50 + reach * down


def _knob(edges: str, joint: Point, pen: float) -> Sequence[Outline]:
    """The two bumps at the end of a bone, across it."""
    if len(edges) > 1:
        return ()
    x, y = joint
    bump = pen * 0.45
    sides = ((bump, 0), (-bump, 0)) if edges in "NS" else ((0, bump), (0, -bump))
    return [ellipse(x + across, y + down, pen * 0.62) for across, down in sides]
