"""Styled text for a browser: runs of letters with what they look like, never markup.

A page makes elements of runs and puts the letters in as text, so that no name can become a tag.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from textual.color import Color
from textual.content import Content
from textual.style import Style

Run: TypeAlias = list[str]
"""Letters; then, as far as there is something to say: which of b, i, d, u they are, their ink, their paper."""
StyledLines: TypeAlias = list[list[Run]]

FLAGS = {"bold": "b", "b": "b", "italic": "i", "i": "i", "dim": "d", "underline": "u", "reverse": "r"}
FOREGROUND, BACKGROUND = "$foreground", "$background"


class Appearance(NamedTuple):
    """How some letters look. Colours are #rrggbb, or $ and the name of one that the page's theme has."""

    flags: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""

    def over(self, below: "Appearance") -> "Appearance":
        """This look, laid over another one."""
        return Appearance(below.flags | self.flags, self.ink or below.ink, self.paper or below.paper)


def lines(content: Content) -> StyledLines:
    """A picture, line by line."""
    return [_runs(line) for line in content.split("\n", allow_blank=True)]


def label(words: Content | str) -> StyledLines:
    """What stands on a button: without the empty lines around it, which are the terminal's way of making it high."""
    drawn = lines(words if isinstance(words, Content) else Content(words))
    while drawn and not _letters(drawn[0]):
        del drawn[0]
    while drawn and not _letters(drawn[-1]):
        del drawn[-1]
    return drawn


def _letters(line: list[Run]) -> str:
    return "".join(run[0] for run in line).strip()


def _runs(line: Content) -> list[Run]:
    text = line.plain
    edges = sorted(
        {0, len(text), *(edge for span in line.spans for edge in (span.start, span.end) if edge < len(text))}
    )
    runs: list[Run] = []
    for start, end in pairwise(edges):
        look = Appearance()
        for span in line.spans:
            if span.start <= start and span.end >= end:
                look = parsed(span.style).over(look)
        run = _run(text[start:end], look)
        if runs and runs[-1][1:] == run[1:]:
            runs[-1][0] += run[0]
        else:
            runs.append(run)
    return runs


def _run(text: str, look: Appearance) -> Run:
    ink, paper = look.ink, look.paper
    if "r" in look.flags:
        ink, paper = paper or BACKGROUND, ink or FOREGROUND
    run = [text, "".join(sorted(look.flags - {"r"})), ink, paper]
    while len(run) > 1 and not run[-1]:
        run.pop()
    return run


def parsed(style: Any) -> Appearance:
    return _parsed(style) if isinstance(style, str) else _of_style(style) if isinstance(style, Style) else Appearance()


@lru_cache(1024)
def _parsed(style: str) -> Appearance:
    """As Textual reads it: "bold #000000 on $success". What is not known looks like nothing."""
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
