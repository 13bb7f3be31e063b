"""The five animals: each has a hue of Okabe and Ito, a shape and its word; black text on all of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from textual.content import Content

from companion.games.sioux.components import Box
from companion.games.sioux.hues import LOOKS
from companion.games.sioux.screen import words

INK = "#000000"


class AnimalKind(NamedTuple):
    """One kind of animal and how it is shown."""

    name: str
    value: int
    shape: str
    paper: str

    @property
    def style(self) -> str:
        return f"{INK} on {self.paper}"

    @property
    def word(self) -> str:
        return words.animal(self.name)


def kinds(box: Box) -> list[AnimalKind]:
    """The least valuable first."""
    return [
        AnimalKind(prey.animal, prey.value, *LOOKS[prey.value])
        for prey in sorted(box.prey, key=lambda prey: prey.value)
    ]


def herd(animals: Sequence[str], box: Box, *, full: bool) -> Content:
    """These animals as they lie there, the most valuable first: with their words, or only shapes and numbers."""
    counted = {kind: animals.count(kind.name) for kind in reversed(kinds(box))}
    return chips({kind: count for kind, count in counted.items() if count}, full=full)


def chips(counted: Mapping[AnimalKind, int], *, full: bool) -> Content:
    drawn = []
    for kind, count in counted.items():
        label = f" {kind.shape} {count} {kind.word} " if full else f" {kind.shape}{count} "
        drawn.append(Content.styled(label, kind.style))
    return Content(" ").join(drawn)
