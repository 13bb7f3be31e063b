"""The six handprint colours: each has a hue, a shape and its word, since a hue alone fails too many eyes.

Hues are those of Okabe and Ito, which colour-blind people can tell apart; black text on all but blue.
"""

from typing import NamedTuple

from rich.cells import set_cell_size
from textual.content import Content

from companion.gamekit import plain
from companion.games.lascaux import sentences
from companion.games.lascaux.hues import look
from companion.games.lascaux.screen.texts import _


class Swatch(NamedTuple):
    shape: str
    word: str
    paper: str
    ink: str

    def drawn(self, width: int) -> Content:
        """One line of a card; the widest cards have room for a margin."""
        return Content.styled(set_cell_size(self.label if width < 10 else f" {self.label}", width), self.style)

    @property
    def style(self) -> str:
        return f"{self.ink} on {self.paper}"

    @property
    def label(self) -> str:
        return f"{self.shape} {self.word}"


def swatch(colour: str, colours: tuple[str, ...]) -> Swatch:
    """How this colour of the box is shown. Its shape follows from its place in the box, so no two are alike."""
    shape, paper, ink = look(colour, colours)
    return Swatch(shape, plain(sentences.colour(colour, _)), paper, ink)
