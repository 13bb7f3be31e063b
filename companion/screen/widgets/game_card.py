"""The games as cards: a picture, the name, and what players do in it."""

from collections.abc import Callable
from textwrap import shorten, wrap

from rich.cells import cell_len
from textual import events
from textual.content import Content

from companion.errors import CompanionError
from companion.gamekit.discovery import manifest, names
from companion.gamekit.figure import Figure, figures_of
from companion.gamekit.parts import texts_of
from companion.gamekit.screen.block_art import block_art
from companion.gamekit.screen.controls import KeyButton, hinted
from companion.language.screen_language import _
from companion.language.wording import plain
from companion.messages.lobby import GameOffer

INKS = ("#e69f00", "#56b4e9", "#2bb58c", "#cc79a7", "#f0e442", "#d55e00")
"""Of the pictures, one after another."""
DEEP_INKS = ("#8a5a00", "#005f9e", "#00664a", "#8f3f6d", "#6b6400", "#a33a00")
"""On a light ground."""
GENERAL = "diamond"
"""The kit's figure for a game that names none."""
LENGTH = 200
DIGITS = 9
"""So many cards have a key."""
FLAT = 4
"""Rows of a card that has its picture beside its words."""


def picture_of(game: str) -> Figure | None:
    """The figure that stands for a game; None if it cannot be drawn: a game can be played without."""
    try:
        figures = figures_of(game)
        name = manifest(game).picture
        return figures[name if name in figures else GENERAL]
    except CompanionError:
        return None


def about(game: str) -> str:
    """What players do in it, in one line; "" if its package does not say."""
    try:
        words = manifest(game).about
        return plain(texts_of(game).text(words), LENGTH) if words else ""
    except CompanionError:
        return ""


def card_ink(number: int, dark: bool) -> str:
    """The colour of a game's picture, on a dark or a light ground."""
    return (INKS if dark else DEEP_INKS)[(number - 1) % len(INKS)]


def ink_of(game: str, dark: bool) -> str:
    """The same, for a game that is named elsewhere."""
    known = names()
    return card_ink(known.index(game) + 1 if game in known else 1, dark)


class GameCard(KeyButton):
    """A game to choose. Its picture is drawn again when it gets the focus, on another ground."""

    def __init__(self, number: int, offer: GameOffer, then: Callable[[], object]) -> None:
        self._number, self._offer, self._picture = number, offer, picture_of(offer.name)
        self._room = (0, 0)
        super().__init__(str, self._drawn, then, classes="game-card", name=f"game {offer.name}")
        self.styles.line_pad = 0

    def fit(self, width: int, height: int) -> None:
        """Draw it in this many cells and rows."""
        self._room = (width, height)
        self.redraw()

    def on_focus(self) -> None:
        self.call_after_refresh(self.redraw)  # only then it has the focus, and its ground is painted

    def on_blur(self) -> None:
        self.call_after_refresh(self.redraw)

    def on_enter(self, _event: events.Enter) -> None:
        self.call_after_refresh(self.redraw)

    def on_leave(self, _event: events.Leave) -> None:
        self.call_after_refresh(self.redraw)

    def _drawn(self) -> Content:
        width, height = self._room
        if not width:
            return Content("")
        return self._flat(width, height) if height <= FLAT else self._upright(width, height)

    def _title(self) -> Content:
        title = Content.styled(plain(self._offer.title), "bold underline" if self.has_focus else "bold")
        return hinted(str(self._number) if self._number <= DIGITS else "", title)

    def _players(self) -> str:
        fewest, most = self._offer.fewest, self._offer.most
        if fewest == most:
            return _("{count:player|players}", count=most)
        return _("{fewest} to {most} players", fewest=fewest, most=most)

    def _lines(self, width: int, rows: int) -> list[str]:
        lines = wrap(about(self._offer.name), width)
        if len(lines) > rows:
            lines = [*lines[: rows - 1], shorten(" ".join(lines[rows - 1 :]), width, placeholder=" …")] if rows else []
        return lines

    def _flat(self, width: int, height: int) -> Content:
        """The picture at the left, the words beside it; a bar before them while it has the focus."""
        side = 2 * height
        room = max(1, width - side - 3)
        lines = self._lines(room, height - 1)
        players = Content.styled(self._players(), "$quiet")
        words = [self._title(), *map(Content, lines), *([players] if len(lines) < height - 1 else [])]
        words = [*words, *[Content("")] * height][:height]
        art, bar = self._art(height), ("▌", "bold $accent") if self.has_focus else " "
        return Content("\n").join(
            [
                Content.assemble(bar, art[row], "  ", words[row].truncate(room, ellipsis=True, pad=True))
                for row in range(height)
            ]
        )

    def _upright(self, width: int, height: int) -> Content:
        """The picture at the top, the words below it, in the middle."""
        words = self._lines(width, 4)
        rows = max(0, min(height - len(words) - 2, width // 2))
        lines = [*self._art(rows), self._title(), *map(Content, words), Content.styled(self._players(), "$quiet")]
        return Content("\n").join([_centred(line, width) for line in lines])

    def _art(self, rows: int) -> list[Content]:
        """The picture in the middle of so many rows and twice as many cells."""
        if self._picture is None or not rows:
            return [Content(" " * 2 * rows)] * rows
        ink = card_ink(self._number, self.app.current_theme.dark)
        art = block_art(self._picture, 2 * rows, rows, ink, self.background_colors[1].hex6)
        above = (rows - len(art)) // 2
        lines = [*[Content("")] * above, *art, *[Content("")] * (rows - len(art) - above)]
        return [_centred(line, 2 * rows) for line in lines]


def _centred(line: Content, width: int) -> Content:
    gap = max(0, width - cell_len(line.plain))
    return Content.assemble(" " * (gap // 2), line, " " * (gap - gap // 2))
