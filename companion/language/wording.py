"""Fills facts into texts, in the reader's language. All texts with braces are filled in here.

A text names its facts in braces: `{stones:stone|stones}` becomes a number with its noun, and
`{stones:stone|stones||no stones}` has other words for none. A translation has as many nouns as its language has forms.

`_("{name} passes", name=name)` shows strings as they are. `say` is for what the rules say, a message id with facts:
there `{seat}` becomes the player's name, `{seats}` a list of names and `{cards}` a list of cards, in the game's own
words (`Game.word`). Equal words in a list are counted ("3 × deer"), unless the fact's name ends with `_in_order`.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from companion.language.facts import Fact, Facts, Translate
from companion.language.general_sentences import SENTENCES as GENERAL
from companion.language.general_sentences import word as general_word
from companion.stations import seat_at

NAME_LENGTH = 16
LONGEST = 300
"""Letters of a quoted sentence."""
MOST_MISFITS = 100
ORDERED = "_in_order"
"""Ends the name of a list whose order matters."""
SEATS = ("seat", "owner", "turn", "start")
"""Facts that name a player by seat; so do those that begin with `seat_`."""

Naming: TypeAlias = Callable[[str, int | str, Translate], str | None]
"""Name of a fact and its value → its word; None: shown as it is. `partial(game.word, box)` is one."""


class Said(Protocol):
    """A ruling, a refusal, a line of the history: anything with a message id and facts."""

    @property
    def what(self) -> str: ...
    @property
    def facts(self) -> Facts: ...


# --- Languages ------------------------------------------------------------------------------------------------


def _as_written(message: str, context: str) -> str:
    return message


def _one_or_many(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


class Language(Struct, frozen=True):
    """A language that a screen can show. Translations are looked up by the English text itself."""

    code: str
    lookup: Callable[[str, str], str] = _as_written
    """English text and its context → the translation."""
    plural: Callable[[str, str, int], str] = _one_or_many

    def text(self, message: str, context: str = "", /, **facts: Fact) -> str:
        """The translation, with its facts filled in."""
        found = self.lookup(message, context)
        return _filled(found, message, facts, lambda _name, fact: self._shown(fact), self) if facts else found

    def _shown(self, fact: Fact) -> str:
        if isinstance(fact, tuple):
            return self.listed([self._shown(each) for each in fact])
        return numeral(fact) if isinstance(fact, int) else str(fact)

    def form(self, forms: Sequence[str], count: object) -> str:
        """The noun for this count. Each catalogue numbers the forms of its language as the plurals of "0" and "1"."""
        number = int(self.plural("0", "1", count if isinstance(count, int) else 0))
        return forms[min(number, len(forms) - 1)]

    def listed(self, words: Sequence[str]) -> str:
        """A, B and C."""
        _ = self.text
        if len(words) > 1:
            return _("{some} and {last}", some=", ".join(words[:-1]), last=words[-1])
        return words[0] if words else _("nothing")


ENGLISH = Language("en")
"""The language of transcripts and of the command line."""


def listed(words: Sequence[str]) -> str:
    """A, B and C, in English."""
    return ENGLISH.listed(words)


def counted(count: int, one: str, many: str = "") -> str:
    """3 tags, in English; `many` is left out where it is `one` with an s."""
    return f"{count} {ENGLISH.plural(one, many or f'{one}s', count)}"


# --- Sentences ------------------------------------------------------------------------------------------------


def as_it_is(fact: str, value: int | str, _: Translate) -> str | None:
    """For a game without words of its own."""
    return None


def say(
    said: Said,
    sentences: Mapping[str, str],
    players: Sequence[str],
    language: Language = ENGLISH,
    word: Naming = as_it_is,
) -> str:
    """The sentence for what was said. A message id without a sentence is shown unchanged."""
    sentence = sentences.get(said.what) or GENERAL.get(said.what)
    if not sentence:
        return said.what
    words = _RuleWords(players, language, word).words
    return _filled(language.text(sentence), sentence, said.facts, words, language)


def filled(
    text: str,
    facts: Mapping[str, Fact],
    language: Language = ENGLISH,
    word: Naming = as_it_is,
    players: Sequence[str] = (),
) -> str:
    """A translated text with facts as the rules give them: seats become names, ids become the game's words."""
    return _filled(text, text, facts, _RuleWords(players, language, word).words, language)


def facts_in(text: str) -> set[str]:
    """The facts that a text names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


class Misfit(NamedTuple):
    """A text that names a fact which is missing: a mistake in the text. It records no values, which may be secret."""

    sentence: str
    """In English."""
    shown: str
    """As shown: the mistake may be in the translation."""
    lacks: tuple[str, ...]
    """The facts it names in vain; empty: its braces cannot be read."""
    facts: tuple[str, ...]
    """The facts it could have named."""

    def __str__(self) -> str:
        """its sentence “{seet} passes” names {seet}, and what is said with it has {seat}"""
        shown = "" if self.shown == self.sentence else f" (translated: “{plain(self.shown, LONGEST)}”)"
        lacks = f"names {_braced(self.lacks)}" if self.lacks else "has braces that cannot be read"
        has = _braced(self.facts) if self.facts else "no facts"
        return f"its sentence “{plain(self.sentence, LONGEST)}”{shown} {lacks}, and what is said with it has {has}"


def _braced(names: Sequence[str]) -> str:
    return listed([f"{{{plain(name, 60)}}}" for name in names])


MISFITS: dict[str, Misfit] = {}
"""All that this process has found, by the text as shown."""


def _filled(
    text: str, english: str, facts: Mapping[str, Fact], words: Callable[[str, Fact], str], language: Language
) -> str:
    """A missing fact stays in its braces: players can read the rest, and the game goes on."""
    worded = _Facts({name: _Worded(words(name, fact), fact, language) for name, fact in facts.items()})
    try:
        sentence = text.format_map(worded)
    except (ValueError, LookupError, AttributeError, TypeError):  # braces that do not match, {0}, {seat.name}
        sentence, worded.lacks = text, []
        _remember(Misfit(english, text, (), tuple(facts)))
    if worded.lacks:
        _remember(Misfit(english, text, tuple(worded.lacks), tuple(facts)))
    return sentence


def _remember(misfit: Misfit) -> None:
    if len(MISFITS) < MOST_MISFITS:
        MISFITS.setdefault(misfit.shown, misfit)


class _Facts(dict[str, "_Worded"]):
    def __init__(self, facts: Mapping[str, "_Worded"]) -> None:
        super().__init__(facts)
        self.lacks: list[str] = []

    def __missing__(self, name: str) -> "_Unsaid":
        self.lacks.append(name)
        return _Unsaid(name)


class _Unsaid:
    def __init__(self, name: str) -> None:
        self.name = name

    def __format__(self, nouns: str) -> str:
        return f"{{{self.name}}}"


class _Worded:
    def __init__(self, words: str, fact: Fact, language: Language) -> None:
        self.words, self.fact, self.language = words, fact, language

    def __format__(self, nouns: str) -> str:
        if not nouns:
            return self.words
        forms, _, none = nouns.partition("||")
        count = len(self.fact) if isinstance(self.fact, tuple) else self.fact
        if count == 0 and none:
            return none
        return f"{numeral(count) if isinstance(count, int) else count} {self.language.form(forms.split('|'), count)}"


def _grouped(words: Sequence[str], items: Sequence[int | str]) -> list[str]:
    """Equal words are counted, "3 × deer", at the place of the first. Lists of numbers stay as they are."""
    if any(isinstance(item, int) for item in items):
        return list(words)
    return [word if count == 1 else f"{count} × {word}" for word, count in Counter(words).items()]


class _RuleWords(Struct, frozen=True):
    """Words for the facts that rules and signals give."""

    players: Sequence[str]
    language: Language
    word: Naming

    def words(self, name: str, fact: Fact) -> str:
        if (name in SEATS or name.startswith("seat_")) and isinstance(fact, int):
            return self._player(fact)
        if isinstance(fact, tuple):
            words = [self._item(name, item) for item in fact]
            return self.language.listed(words if name.endswith(ORDERED) else _grouped(words, fact))
        return plain(str(fact), 60) if fact is None else self._item(name, fact)

    def _item(self, name: str, value: int | str) -> str:
        if name.startswith("seats") and isinstance(value, int):
            return self._player(value)
        text = self.language.text
        if name.startswith("station") and (seat := seat_at(str(value))) is not None and seat < len(self.players):
            return pad_of(plain(self.players[seat]), self.language)
        shown = str(value) if isinstance(value, str) else numeral(value)
        return plain(self.word(name, value, text) or general_word(name, value, text) or shown, 60)

    def _player(self, seat: int) -> str:
        _ = self.language.text
        known = 0 <= seat < len(self.players)
        return plain(self.players[seat]) if known else _("seat {number}", number=seat)


def pad_of(name: str, language: Language) -> str:
    """A pad has the name of its player."""
    _ = language.text
    sibilant = name[-1:].lower() in "sxzß"
    return _("{name}'s pad", "ends with s", name=name) if sibilant else _("{name}'s pad", name=name)


def numeral(value: int) -> str:
    """A number for readers: with a minus sign, not a hyphen."""
    return str(value).replace("-", "−")


# --- Text from outside ----------------------------------------------------------------------------------------


def plain(text: str, length: int = NAME_LENGTH) -> str:
    """Text from outside, made safe for a terminal: no control or formatting characters, and at most `length` long."""
    text = unicodedata.normalize("NFC", text)
    if not text.isprintable():
        text = "".join(" " if char.isspace() else char for char in text if _harmless(char))
    text = text.strip()
    return text if len(text) <= length else text[: length - 1] + "…"


def indented(text: str, length: int) -> str:
    """The same for a line that may begin with spaces."""
    return " " * (len(text) - len(text.lstrip(" "))) + plain(text, length)


def _harmless(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
