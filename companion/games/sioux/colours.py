"""The colours of Sioux: hue, letters and word of each kind of prey, for paper, screens and phones.

Hues are those of Okabe and Ito, which colour-blind people can tell apart; black text on all of them.
"""

from typing import NamedTuple

from companion.gamekit import Translate, plain
from companion.games.sioux.components import WINTERS, Box
from companion.games.sioux.sentences import animal

INK = "#000000"
HUES = {1: "#cfcfcf", 2: "#f0e442", 3: "#56b4e9", 4: "#e69f00", 5: "#e0764f"}
"""By the value of the prey: an enrolled box may have any animals."""
WINTER_HUES = dict(zip((f"winter {number}" for number in WINTERS), ("#f0e442", "#56b4e9", "#e0764f"), strict=True))
"""For the points of each winter in a bar, which also has their words and numbers."""
NO_HUE = "#bbbbbb"
PARCHMENT, BEST, BACK = "#e7dcc3", "#f0e442", "#b58a5a"
"""A card, the best card of a hunt, and a card face down."""
SUPPLY, HUNTER = "#009e73", "#cc79a7"
"""Supply cards, and the owner of the hunter card."""


class AnimalKind(NamedTuple):
    """How one kind of prey is shown."""

    name: str
    value: int
    paper: str
    word: str

    @property
    def sign(self) -> str:
        """Two letters, for narrow places."""
        return self.word[:2].capitalize()

    @property
    def style(self) -> str:
        return f"{INK} on {self.paper}"


def kinds(box: Box, translate: Translate) -> list[AnimalKind]:
    """The least valuable first."""
    return [
        AnimalKind(prey.animal, prey.value, HUES[prey.value], plain(animal(prey.animal, translate)))
        for prey in sorted(box.prey, key=lambda prey: prey.value)
    ]
