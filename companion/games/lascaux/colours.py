"""The colours of Lascaux: hue, shape and word of each handprint, for paper, screens and phones.

A hue alone fails too many eyes, so each colour has a shape and its word, too. Hues are those of Okabe and Ito, which
colour-blind people can tell apart; black text on all but blue.
"""

from typing import NamedTuple

from companion.gamekit import N_, Translate, plain
from companion.gamekit.sign_table import SHAPES
from companion.games.lascaux.components import ANIMALS

HANDPRINTS = {
    "brown": ("#d55e00", N_("brown")),
    "yellow": ("#f0e442", N_("yellow")),
    "green": ("#009e73", N_("green")),
    "pink": ("#cc79a7", N_("pink")),
    "white": ("#f4f4f0", N_("white")),
    "blue": ("#0072b2", N_("blue")),
    "orange": ("#e69f00", N_("orange")),
    "red": ("#d55e00", N_("red")),
    "purple": ("#cc79a7", N_("purple")),
    "grey": ("#bbbbbb", N_("grey")),
}
"""The hue of each colour and its word."""
BLUE = HANDPRINTS["blue"][0]
SPARE = ("#e69f00", "#56b4e9", "#bbbbbb", "#d55e00", "#f0e442", "#cc79a7")
"""For colours of an enrolled box that have other names."""

INK, PARCHMENT = "#1c1917", "#e7dcc3"
"""Of the cards on screens."""
ANIMAL_HUES = dict(zip(ANIMALS, ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7"), strict=True))
"""For the animals' points in a bar, which also has their words and numbers."""
NO_HUE = "#bbbbbb"


class Swatch(NamedTuple):
    """How a colour of the box is shown."""

    shape: str
    word: str
    paper: str
    ink: str

    @property
    def style(self) -> str:
        return f"{self.ink} on {self.paper}"

    @property
    def label(self) -> str:
        return f"{self.shape} {self.word}"


def look(colour: str, colours: tuple[str, ...]) -> tuple[str, str, str]:
    """Shape, hue and the ink that can be read on it, for a colour among those of the box: by its place there, so no two
    colours have the same shape."""
    number = colours.index(colour) if colour in colours else 0
    hue = HANDPRINTS[colour][0] if colour in HANDPRINTS else SPARE[number % len(SPARE)]
    return SHAPES[number % len(SHAPES)], hue, "#ffffff" if hue == BLUE else "#000000"


def swatch(colour: str, colours: tuple[str, ...], translate: Translate) -> Swatch:
    shape, paper, ink = look(colour, colours)
    return Swatch(shape, plain(colour_word(colour, translate)), paper, ink)


def colour_word(name: str, translate: Translate) -> str:
    """An unknown name from an enrolled box stays as it is."""
    return translate(HANDPRINTS[name][1]) if name in HANDPRINTS else name
