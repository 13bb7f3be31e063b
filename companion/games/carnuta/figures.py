"""Ingredients, sun and moon, padlock and sickle: what is filled, and the lines on it."""

from math import cos, pi, sin

from companion.gamekit.figures import Drawing, bow, ellipse, polygon, smooth, star, stroke


def _around(count: int, reach: float, radius: float, turn: float = 0.0) -> Drawing:
    angles = [2 * pi * number / count + turn for number in range(count)]
    return tuple(ellipse(50 + reach * sin(a), 50 - reach * cos(a), radius) for a in angles)


HONEY: Drawing = (polygon((50, 4), (90, 27), (90, 73), (50, 96), (10, 73), (10, 27)),)
HONEY_LINES: Drawing = (smooth((50, 24), (58, 40), (66, 54), (60, 70), (50, 75), (40, 70), (34, 54), (42, 40)),)
CLOVER: Drawing = (
    ellipse(50, 24, 19),
    ellipse(27, 48, 19),
    ellipse(73, 48, 19),
    polygon((40, 30), (60, 30), (64, 56), (36, 56)),
    bow(7, (50, 48), (50, 66), (54, 80), (62, 96)),
)
CLOVER_LINES: Drawing = (stroke(3, (50, 44), (50, 18)), stroke(3, (48, 48), (22, 50)), stroke(3, (52, 48), (78, 50)))
FLOWER: Drawing = (*_around(6, 28, 18), ellipse(50, 50, 24))
FLOWER_LINES: Drawing = (ellipse(50, 50, 13),)
EGG: Drawing = (smooth((50, 4), (70, 20), (84, 54), (74, 84), (50, 96), (26, 84), (16, 54), (30, 20)),)
EGG_LINES: Drawing = (ellipse(38, 42, 4), ellipse(60, 32, 5), ellipse(62, 62, 6), ellipse(40, 70, 5))
MUSHROOM: Drawing = (
    smooth((4, 52), (10, 28), (30, 10), (50, 6), (70, 10), (90, 28), (96, 52), (74, 56), (50, 57), (26, 56)),
    smooth((38, 52), (62, 52), (62, 74), (68, 92), (50, 96), (32, 92), (38, 74)),
)
MUSHROOM_LINES: Drawing = (ellipse(30, 34, 7), ellipse(54, 24, 6), ellipse(72, 40, 6))
SKULL: Drawing = (
    smooth((50, 6), (76, 14), (90, 38), (84, 60), (70, 70), (50, 72), (30, 70), (16, 60), (10, 38), (24, 14)),
    polygon((32, 64), (68, 64), (66, 94), (34, 94)),
)
SKULL_LINES: Drawing = (
    ellipse(34, 42, 10),
    ellipse(66, 42, 10),
    polygon((50, 52), (56, 64), (44, 64)),
    *(stroke(3, (x, 76), (x, 92)) for x in (42, 50, 58)),
)
BERRY: Drawing = (
    ellipse(34, 62, 21),
    ellipse(66, 62, 21),
    ellipse(50, 80, 17),
    bow(5, (34, 44), (40, 26), (50, 16), (62, 8)),
    bow(5, (66, 44), (64, 28), (62, 18), (62, 8)),
    smooth((62, 10), (78, 4), (94, 16), (84, 26), (70, 22)),
)
BERRY_LINES: Drawing = (ellipse(28, 56, 5), ellipse(60, 56, 5))
MOTH: Drawing = (
    smooth((50, 38), (26, 14), (4, 16), (8, 44), (34, 58), (12, 70), (24, 90), (46, 78), (50, 60)),
    smooth((50, 38), (74, 14), (96, 16), (92, 44), (66, 58), (88, 70), (76, 90), (54, 78), (50, 60)),
    ellipse(50, 54, 6, 26),
    bow(3, (48, 30), (44, 18), (40, 12), (34, 8)),
    bow(3, (52, 30), (56, 18), (60, 12), (66, 8)),
)
MOTH_LINES: Drawing = (ellipse(24, 34, 7), ellipse(76, 34, 7), ellipse(28, 76, 5), ellipse(72, 76, 5))
SALT_FIGURE: Drawing = (polygon((50, 4), (92, 26), (92, 74), (50, 96), (8, 74), (8, 26)),)
SALT_LINES: Drawing = (
    stroke(4, (12, 28), (50, 48), (88, 28)),
    stroke(4, (50, 48), (50, 92)),
)
INGREDIENT_FIGURES: dict[str, tuple[Drawing, Drawing]] = {
    "honey": (HONEY, HONEY_LINES),
    "clover": (CLOVER, CLOVER_LINES),
    "flower": (FLOWER, FLOWER_LINES),
    "egg": (EGG, EGG_LINES),
    "mushroom": (MUSHROOM, MUSHROOM_LINES),
    "skull": (SKULL, SKULL_LINES),
    "berry": (BERRY, BERRY_LINES),
    "moth": (MOTH, MOTH_LINES),
    "salt": (SALT_FIGURE, SALT_LINES),
}
SUN: Drawing = (star(12, 48, 32), ellipse(50, 50, 30))
MOON: Drawing = (
    smooth((62, 4), (34, 12), (16, 34), (14, 62), (32, 86), (58, 96), (86, 84), (58, 76), (42, 54), (44, 26)),
)
FACE_FIGURES = {"sun": SUN, "moon": MOON}
PADLOCK: Drawing = (
    polygon((16, 46), (84, 46), (84, 96), (16, 96)),
    bow(12, (28, 48), (28, -2), (72, -2), (72, 48)),
)
PADLOCK_LINES: Drawing = (ellipse(50, 66, 8), polygon((46, 68), (54, 68), (57, 86), (43, 86)))
SICKLE: Drawing = (
    smooth((40, 70), (24, 52), (22, 26), (44, 6), (74, 4), (94, 16), (72, 14), (50, 20), (38, 36), (40, 54), (48, 64)),
    stroke(12, (43, 68), (64, 94)),
)
CROSS_OUT: Drawing = (stroke(14, (14, 14), (86, 86)), stroke(14, (86, 14), (14, 86)))
TURN_OVER: Drawing = (
    bow(11, (18, 62), (14, 22), (64, 6), (80, 42)),
    polygon((62, 44), (98, 40), (82, 72)),
)
