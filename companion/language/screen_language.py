"""Every text of the screen goes through here, in the language that this screen speaks now.

Texts are written in English; a language is a catalogue that translates them: the house's is in
`companion/language/locale`, a game's in its own package (docs/languages.md). A game's sentences come from the referee
as message ids; `Sight.say` puts them into the same language.
"""

from collections.abc import Callable, Mapping, Sequence
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from companion.language.po_file import read_po
from companion.language.wording import ENGLISH, Language

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Every language by its code, called what its speakers call it."""
LOCALE = Path(__file__).with_name("locale")
DOMAIN = "companion"
"""What catalogues are called."""
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says which language its person reads, the strongest first."""


class _Screen:
    """The one thing that is remembered: what this screen speaks."""

    code = ENGLISH.code


def speak(code: str) -> None:
    """From now on every text is in this language."""
    _Screen.code = code


def spoken() -> str:
    """The code of the language that is spoken now."""
    return _Screen.code


def other_language() -> str:
    """The code of the language that comes next, round and round."""
    codes = list(LANGUAGES)
    return codes[(codes.index(_Screen.code) + 1) % len(codes)]


class Texts:
    """The texts of one package, in the language that this screen speaks now.

    What its own catalogue does not have is looked up in the house's. `folder` holds a folder for each language, as
    gettext wants it; a language that is not there is shown in English.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: dict[str, Language] = {}

    def language(self) -> Language:
        code = _Screen.code
        if code not in self._loaded:
            self._loaded[code] = load(code, self._folder)
        return self._loaded[code]

    def text(self, message: str, context: str = "") -> str:
        """The text in the reader's language."""
        return self.language().text(message, context)

    def plural(self, one: str, many: str, count: int, **facts: str) -> str:
        """One text or the other, as the reader's language counts; `{count}` and other facts are filled in."""
        return self.language().plural(one, many, count).format(count=count, **facts)

    def listed(self, words: Sequence[str]) -> str:
        """A, B and C."""
        return self.language().listed(words)

    @property
    def languages(self) -> tuple[str, ...]:
        """Which languages this package claims to speak: English, and whatever it has a catalogue for."""
        return (ENGLISH.code, *claimed(self._folder))


HOUSE = Texts(LOCALE)
_, plural, listed, language = HOUSE.text, HOUSE.plural, HOUSE.listed, HOUSE.language


def load(code: str, *folders: Path) -> Language:
    """The language of this code, from the catalogues in these folders and then the house's. English needs none; a
    language that nobody has a catalogue for is English, too."""
    catalogue = _chained(code, *folders)
    return translated(code, catalogue) if catalogue else ENGLISH


def _chained(code: str, *folders: Path) -> GNUTranslations | None:
    """The first catalogue, which asks the others for what it does not have; None if there is none."""
    paths = [po_path(folder, code) for folder in dict.fromkeys((*folders, LOCALE))]
    catalogues = [read_po(path) for path in paths if path.exists()]
    for catalogue in catalogues[1:]:
        catalogues[0].add_fallback(catalogue)
    return catalogues[0] if catalogues else None


def po_path(folder: Path, code: str) -> Path:
    """Where the catalogue of a language is, as gettext's tools expect it."""
    return folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def translated(code: str, catalogue: GNUTranslations) -> Language:
    def text(message: str, context: str = "") -> str:
        return catalogue.pgettext(context, message) if context else catalogue.gettext(message) if message else ""

    return Language(code, text, catalogue.ngettext)


def preferred(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as gettext reads it; English if we do not have it."""
    wanted = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    codes = [place[:2].lower() for place in wanted.split(":")]
    return next((code for code in codes if code in LANGUAGES), ENGLISH.code)


# --- What a catalogue has -------------------------------------------------------------------------------------


def claimed(folder: Path) -> tuple[str, ...]:
    """The languages that a package has a catalogue for, besides English."""
    return tuple(sorted(path.name for path in folder.glob("*") if po_path(folder, path.name).exists()))


def has_translation(code: str, folder: Path) -> Callable[[str, str, str], bool]:
    """Whether the package's catalogue or the house's has a text, by its message, its context and, if it counts, the
    message for many."""
    catalogue = _chained(code, folder) or NullTranslations()
    catalogue.add_fallback(_Nobody())

    def has(message: str, context: str = "", many: str = "") -> bool:
        if many:
            return catalogue.ngettext(message, many, 1) is not _Nobody.answer
        found = catalogue.pgettext(context, message) if context else catalogue.gettext(message)
        return found is not _Nobody.answer

    return has


class _Nobody(NullTranslations):
    """Asked last: whatever reaches it has no translation."""

    answer = "nobody has a translation"

    def gettext(self, message: str) -> str:
        return self.answer

    def ngettext(self, one: str, many: str, count: int) -> str:
        return self.answer

    def pgettext(self, context: str, message: str) -> str:
        return self.answer
