"""`make locale`: updates the catalogues of Companion and of the games that ship.

`python -m tools.catalogues pl` begins a new language.

Companion's own texts are in `companion/` outside the games, and in `companion/language/general_sentences.py`; a game's
texts are its own (`companion/gamekit/game_texts.py` says what a text is). A text that moves from one to another keeps
its translation.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog

import companion
from companion.gamekit import discovery
from companion.gamekit.catalogues import read_catalogue, update, updated, write
from companion.gamekit.game_texts import Text, in_folder, in_mapping, once
from companion.language.general_sentences import SENTENCES as GENERAL
from companion.language.screen_language import LANGUAGES, LOCALE
from companion.language.wording import ENGLISH
from companion.troubles import TROUBLES

ROOT = Path(companion.__file__).parent


def own_games() -> list[str]:
    """The games that ship: those of other packages have catalogues of their own."""
    found = discovery.found()
    return [name for name in found.manifests if found.packages[name] == discovery.OWN]


def of_companion() -> list[Text]:
    """Every text outside the games, each once."""
    general = in_mapping(GENERAL, "companion/language/general_sentences.py")
    troubles = in_mapping({words: words for words in TROUBLES}, "companion/troubles.py")
    return once((*general, *troubles, *in_folder(ROOT, "companion", ROOT / "games")))


def _known(language: str) -> list[Catalog]:
    """All translations before anything changes."""
    folders = [LOCALE, *(folder for name in own_games() if (folder := discovery.locale_folder(name)))]
    return [read_catalogue(folder, language) for folder in folders]


def main(*new: str) -> None:
    """`new`: languages that have no catalogue yet."""
    languages = [*(code for code in LANGUAGES if code != ENGLISH.code), *new]
    memory = {language: _known(language) for language in languages}
    for language in languages:
        own = updated(read_catalogue(LOCALE, language), of_companion(), memory[language])
        print(write(own, LOCALE, language))
    for name in own_games():
        print(update(name, languages, memory))


if __name__ == "__main__":
    main(*sys.argv[1:])
