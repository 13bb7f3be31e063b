"""The hue and the shape of each handprint colour, on screens and on paper.

Hues are those of Okabe and Ito, which colour-blind people can tell apart; black text on all but blue.
"""

SHAPES = "●■▲◆►×"
HUES = {
    "brown": "#d55e00",
    "yellow": "#f0e442",
    "green": "#009e73",
    "pink": "#cc79a7",
    "white": "#f4f4f0",
    "blue": "#0072b2",
    "orange": "#e69f00",
    "red": "#d55e00",
    "purple": "#cc79a7",
    "grey": "#bbbbbb",
}
SPARE = ("#e69f00", "#56b4e9", "#bbbbbb", "#d55e00", "#f0e442", "#cc79a7")
"""For colours of an enrolled box that have other names."""


def look(colour: str, colours: tuple[str, ...]) -> tuple[str, str, str]:
    """Shape, hue and the ink that is read on it. The shape follows from the place in the box, so no two are alike."""
    number = colours.index(colour) if colour in colours else 0
    hue = HUES.get(colour, SPARE[number % len(SPARE)])
    return SHAPES[number % len(SHAPES)], hue, "#ffffff" if hue == HUES["blue"] else "#000000"
