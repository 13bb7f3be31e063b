"""The colours of Carnuta: hue, shape or letters, and word of ingredients and runes, for paper, screens and phones.

Hues follow the printed cards where they are known, in the tones of Okabe and Ito. Dark hues have white letters.
"""

from typing import NamedTuple

from companion.gamekit import Translate, plain
from companion.gamekit.sign_table import MOON, SUN
from companion.games.carnuta.sentences import ingredient, short_ingredient

BLACK, WHITE = "#000000", "#ffffff"
INK, PAPER, DULL = "#1c1917", "#f0e6cc", "#bdb39c"
"""Of cards on screens: a card that can be paid is bright, another one dull."""
BACK = "#8c96a3"
"""A card face down."""
HUES = {
    "honey": "#e69f00",
    "clover": "#2bb58c",
    "flower": "#ee7733",
    "egg": "#56b4e9",
    "mushroom": "#d9b382",
    "skull": "#bbbbbb",
    "berry": "#cc79a7",
    "moth": "#303030",
    "salt": "#f7f7f2",
}
FACE_HUES = {"sun": "#f0e442", "moon": "#0072b2"}
FACE_SHAPES = {"sun": SUN, "moon": MOON}
DARK = ("moth", "moon")
"""What has white letters."""


class Sign(NamedTuple):
    """An ingredient: two letters for narrow places, its word, and its colours."""

    short: str
    word: str
    paper: str
    ink: str

    @property
    def style(self) -> str:
        return f"{self.ink} on {self.paper}"


def ink_on(name: str) -> str:
    """The letters on the hue of an ingredient or a face."""
    return WHITE if name in DARK else BLACK


def ingredient_sign(name: str, translate: Translate) -> Sign:
    short, word = short_ingredient(name, translate).ljust(2), plain(ingredient(name, translate))
    return Sign(short, word, HUES.get(name, HUES["skull"]), ink_on(name))
