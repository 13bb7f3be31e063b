"""Styled text for a browser: runs of characters with their style, never markup.

A page makes elements of runs and inserts the characters as text, so no name can become a tag.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from textual.color import Color
from textual.content import Content
from textual.style import Style

from companion.gamekit.playing_cards import cards_in_words
from companion.gamekit.sign_table import NOTHING, TURN
from companion.language.screen_language import _

Run: TypeAlias = list[str]
"""Characters; then, if set: which of b, i, d, u, the text colour, the background."""
StyledLines: TypeAlias = list[list[Run]]

FLAGS = {"bold": "b", "b": "b", "italic": "i", "i": "i", "dim": "d", "underline": "u", "reverse": "r"}
FOREGROUND, BACKGROUND = "$foreground", "$background"


class Appearance(NamedTuple):
    """How some characters look. Colours are #rrggbb, or $ and the name of a colour of the page's theme."""

    flags: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""

    def over(self, below: "Appearance") -> "Appearance":
        """This look, laid over another one."""
        return Appearance(below.flags | self.flags, self.ink or below.ink, self.paper or below.paper)


def lines(content: Content) -> StyledLines:
    """A picture, line by line."""
    drawn: StyledLines = [[]]
    for text, look in _pieces(content):
        for number, letters in enumerate(text.split("\n")):
            if number:
                drawn.append([])
            if letters and drawn[-1] and drawn[-1][-1][1:] == look:
                drawn[-1][-1][0] += letters
            elif letters:
                drawn[-1].append([letters, *look])
    return drawn


def _pieces(content: Content) -> Iterator[tuple[str, Run]]:
    """Runs of characters with one style. Of overlapping styles the later one wins."""
    text, spans = content.plain, content.spans
    begin: dict[int, list[int]] = {}
    end: dict[int, list[int]] = {}
    for number, span in enumerate(spans):
        if span.start < span.end:
            begin.setdefault(span.start, []).append(number)
            end.setdefault(span.end, []).append(number)
    over: set[int] = set()
    for here, there in pairwise(sorted({0, *begin, *end, len(text)})):
        over.difference_update(end.get(here, ()))
        over.update(begin.get(here, ()))
        yield text[here:there], _look(tuple([spans[number].style for number in sorted(over)]))


_SIGNS = re.compile(r"[\u2190-\u2211\u2213-\u25b9\u25bb-\u2bff]+")
"""Arrows, lines, blocks and shapes: beside each stands its word. The minus sign is a word itself."""


def in_words(drawn: Content | str) -> str:
    """What is drawn, without signs that have no sound."""
    text = cards_in_words(drawn if isinstance(drawn, str) else drawn.plain, _)
    return " ".join(_SIGNS.sub(" ", text.replace(TURN, ", ")).split()).replace(" ,", ",").strip(f" ,–{NOTHING}")


def label(words: Content | str) -> StyledLines:
    """The label of a button, without the empty lines that make it high on a terminal."""
    drawn = lines(words if isinstance(words, Content) else Content(words))
    while drawn and not _letters(drawn[0]):
        del drawn[0]
    while drawn and not _letters(drawn[-1]):
        del drawn[-1]
    return drawn


def _letters(line: list[Run]) -> str:
    return "".join(run[0] for run in line).strip()


@lru_cache(1024)
def _look(styles: tuple[str | Style, ...]) -> Run:
    """The style of a run, behind its characters."""
    look = Appearance()
    for style in styles:
        look = parsed(style).over(look)
    ink, paper = look.ink, look.paper
    if "r" in look.flags:
        ink, paper = paper or BACKGROUND, ink or FOREGROUND
    said = ["".join(sorted(look.flags - {"r"})), ink, paper]
    while said and not said[-1]:
        said.pop()
    return said


def parsed(style: Any) -> Appearance:
    return _parsed(style) if isinstance(style, str) else _of_style(style) if isinstance(style, Style) else Appearance()


@lru_cache(1024)
def _parsed(style: str) -> Appearance:
    """A style in Textual's form: "bold #000000 on $success". Unknown words are ignored."""
    flags: set[str] = set()
    colours = {"ink": "", "paper": ""}
    words = style.split()
    place, said = "ink", True
    for word in words:
        if word in ("on", "not", "none", "auto"):
            place, said = ("paper", said) if word == "on" else (place, word != "not" and said)
        elif word in FLAGS:
            flags ^= {FLAGS[word]} if said or FLAGS[word] in flags else set()
            said = True
        else:
            colours[place] = _colour(word)
    return Appearance(frozenset(flags), **colours)


def _colour(word: str) -> str:
    if word.startswith("$"):
        return word
    try:
        return Color.parse(word).hex6.lower()
    except ValueError:
        return ""


@lru_cache(1024)
def _of_style(style: Style) -> Appearance:
    flags = {FLAGS[name] for name in ("bold", "italic", "dim", "underline", "reverse") if getattr(style, name)}
    ink = style.foreground.hex6.lower() if style.foreground and style.foreground.a else ""
    paper = style.background.hex6.lower() if style.background and style.background.a else ""
    return Appearance(frozenset(flags), ink, paper)
