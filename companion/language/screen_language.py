"""The language of this screen, and all texts in it.

Texts are written in English. A language is a catalogue that translates them: Companion's own are in
`companion/language/locale`, a game's in its own package (docs/languages.md). A game's sentences come from the referee
as message ids; `Sight.say` translates them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from threading import local

from companion.language.facts import Fact
from companion.language.po_file import read_po
from companion.language.wording import ENGLISH, Language

LOCALE = Path(__file__).with_name("locale")
DOMAIN = "companion"
"""The file name of catalogues."""
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that name the user's language, the strongest first."""


class _Screen:
    """Holds the one thing that is remembered."""

    code = ENGLISH.code


class _Speaking(local):
    """What one thread says in another language meanwhile."""

    code = ""


_speaking = _Speaking()


def speak(code: str) -> None:
    """Show every text in this language from now on."""
    _Screen.code = code


@contextmanager
def speaking(code: str) -> Iterator[str]:
    """Make texts in this language, and then in the one before again. Other threads go on in theirs."""
    before, _speaking.code = _speaking.code, code
    try:
        yield code
    finally:
        _speaking.code = before


def spoken() -> str:
    """The code of the current language."""
    return _speaking.code or _Screen.code


def other_language() -> str:
    """The code of the next language; after the last comes the first."""
    codes = list(LANGUAGES)
    return codes[(codes.index(spoken()) + 1) % len(codes)]


class Texts:
    """The texts of one package, in the language of this screen.

    A text that its own catalogue lacks is looked up in Companion's. `folder` has a folder for each language, in
    gettext's layout. Without a catalogue the text is shown in English.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._loaded: dict[str, Language] = {}

    def language(self) -> Language:
        code = spoken()
        if code not in self._loaded:
            self._loaded[code] = load(code, self.folder)
        return self._loaded[code]

    def text(self, message: str, context: str = "", /, **facts: Fact) -> str:
        """The text in the reader's language, with its facts filled in."""
        return self.language().text(message, context, **facts)

    def listed(self, words: Sequence[str]) -> str:
        """A, B and C."""
        return self.language().listed(words)

    @property
    def languages(self) -> tuple[str, ...]:
        """English, and every language that this package has a catalogue for."""
        return (ENGLISH.code, *claimed(self.folder))


OWN_TEXTS = Texts(LOCALE)
_, listed, language = OWN_TEXTS.text, OWN_TEXTS.listed, OWN_TEXTS.language


def load(code: str, *folders: Path) -> Language:
    """The language of this code, from the catalogues in these folders and then Companion's. Without any catalogue it
    is English."""
    catalogue = _chained(code, *folders)
    return translated(code, catalogue) if catalogue else ENGLISH


def _chained(code: str, *folders: Path) -> GNUTranslations | None:
    """The first catalogue, with the others as its fallbacks; None if there is none."""
    paths = [po_path(folder, code) for folder in dict.fromkeys((*folders, LOCALE))]
    catalogues = [read_po(path) for path in paths if path.exists()]
    for catalogue in catalogues[1:]:
        catalogues[0].add_fallback(catalogue)
    return catalogues[0] if catalogues else None


def po_path(folder: Path, code: str) -> Path:
    """Where the catalogue of a language is, as gettext's tools expect it."""
    return folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def translated(code: str, catalogue: GNUTranslations) -> Language:
    def lookup(message: str, context: str) -> str:
        return catalogue.pgettext(context, message) if context else catalogue.gettext(message) if message else ""

    return Language(code, lookup, catalogue.ngettext)


def preferred(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as gettext reads it; English if we do not have it."""
    wanted = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    codes = [place[:2].lower() for place in wanted.split(":")]
    return next((code for code in codes if code in LANGUAGES), ENGLISH.code)


# --- Which languages there are, and what their catalogues have ------------------------------------------------


def claimed(folder: Path) -> tuple[str, ...]:
    """The languages that a package has a catalogue for, besides English."""
    return tuple(sorted(path.name for path in folder.glob("*") if po_path(folder, path.name).exists()))


LANGUAGES = OWN_TEXTS.languages
"""The codes of all languages that Companion has a catalogue for, English first."""


def language_name(code: str) -> str:
    """What its speakers call a language: its catalogue translates "English" so."""
    _ = load(code).text
    return _("English", "name of this language")


def has_translation(code: str, folder: Path) -> Callable[[str, str, str], bool]:
    """Whether the package's catalogue or Companion's has a text, by its message, its context and, if it counts, the
    message for many."""
    catalogue = _chained(code, folder) or NullTranslations()
    catalogue.add_fallback(_Missing())

    def has(message: str, context: str = "", many: str = "") -> bool:
        if many:
            return catalogue.ngettext(message, many, 1) is not _Missing.answer
        found = catalogue.pgettext(context, message) if context else catalogue.gettext(message)
        return found is not _Missing.answer

    return has


class _Missing(NullTranslations):
    """The last fallback: a text that reaches it has no translation."""

    answer = "no translation"

    def gettext(self, message: str) -> str:
        return self.answer

    def ngettext(self, one: str, many: str, count: int) -> str:
        return self.answer

    def pgettext(self, context: str, message: str) -> str:
        return self.answer
