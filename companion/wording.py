"""Puts what the rules say into words: message id and facts → a sentence.

A sentence names its facts in braces: `{seat}` becomes the player's name, `{seats}` a list of names, `{cards}` a list,
`{stones:stone|stones}` a number with its noun.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.games.game import Fact, Facts
from companion.table.words import SENTENCES as GENERAL

NAME_LENGTH = 16


class Said(Protocol):
    """A ruling, a refusal, a line of the history: anything with a message id and facts."""

    @property
    def what(self) -> str: ...
    @property
    def facts(self) -> Facts: ...


def say(said: Said, sentences: Mapping[str, str], players: Sequence[str]) -> str:
    """The sentence for what was said. A message id without a sentence is shown as it is: better than nothing."""
    sentence = sentences.get(said.what) or GENERAL.get(said.what, said.what)
    return sentence.format_map({name: _Worded(_words(name, fact, players), fact) for name, fact in said.facts.items()})


class _Worded:
    def __init__(self, words: str, fact: Fact) -> None:
        self.words, self.fact = words, fact

    def __format__(self, nouns: str) -> str:
        if not nouns:
            return self.words
        singular, _, plural = nouns.partition("|")
        count = len(self.fact) if isinstance(self.fact, tuple) else self.fact
        return f"{count} {singular if count == 1 else plural}"


def _words(name: str, fact: Fact, players: Sequence[str]) -> str:
    if name in ("seat", "owner", "turn", "start") and isinstance(fact, int):
        return plain(players[fact]) if 0 <= fact < len(players) else f"seat {fact}"
    if name.startswith("seats") and isinstance(fact, tuple):
        return listed([_words("seat", seat, players) for seat in fact])
    if isinstance(fact, tuple):
        return listed([str(item) for item in fact])
    return plain(str(fact), 60)


def listed(words: Sequence[str]) -> str:
    """A, B and C."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing"


def plain(text: str, length: int = NAME_LENGTH) -> str:
    """Text from outside, made harmless for a terminal: no control or formatting characters, not endless."""
    text = unicodedata.normalize("NFC", text)
    text = "".join(" " if char.isspace() else char for char in text if _harmless(char)).strip()
    return text if len(text) <= length else text[: length - 1] + "…"


def _harmless(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
