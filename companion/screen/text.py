"""Every text of the screen goes through here, in the language that this screen speaks now.

Texts are written in English; a language is a catalogue that translates them (`companion/locale`, see `make locale`).
The game's own sentences come from the referee as message ids, and are put into the same language by `Sight.say`.
"""

from collections.abc import Mapping, Sequence
from gettext import GNUTranslations
from pathlib import Path

from companion.wording import ENGLISH, Language

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Every language by its code, called what its speakers call it."""
LOCALE = Path(__file__).parents[1] / "locale"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says which language its person reads, the strongest first."""


class _Screen:
    """The one thing that is remembered: what this screen speaks."""

    language = ENGLISH


def speak(code: str) -> None:
    """From now on every text is in this language."""
    _Screen.language = load(code)


def language() -> Language:
    return _Screen.language


def other_language() -> str:
    """The code of the language that comes next, round and round."""
    codes = list(LANGUAGES)
    return codes[(codes.index(language().code) + 1) % len(codes)]


def _(message: str, context: str = "") -> str:
    """The text in the reader's language."""
    return language().text(message, context)


def plural(one: str, many: str, count: int, **facts: str) -> str:
    """One text or the other, as the reader's language counts; `{count}` and other facts are filled in."""
    return language().plural(one, many, count).format(count=count, **facts)


def listed(words: Sequence[str]) -> str:
    """A, B and C."""
    return language().listed(words)


def load(code: str) -> Language:
    """The language of this code, from its catalogue; English needs none."""
    if code == ENGLISH.code:
        return ENGLISH
    with (LOCALE / code / "LC_MESSAGES" / "companion.mo").open("rb") as file:
        return translated(code, GNUTranslations(file))


def translated(code: str, catalogue: GNUTranslations) -> Language:
    def text(message: str, context: str = "") -> str:
        return catalogue.pgettext(context, message) if context else catalogue.gettext(message) if message else ""

    return Language(code, text, catalogue.ngettext)


def preferred(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as gettext reads it; English if we do not have it."""
    wanted = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    codes = [place[:2].lower() for place in wanted.split(":")]
    return next((code for code in codes if code in LANGUAGES), ENGLISH.code)
