"""Where the texts of a game are translated: its manifest names the package that holds its catalogues."""

from functools import cache

from companion.gamekit.discovery import locale_folder
from companion.language.screen_language import HOUSE, Texts


@cache
def texts_of(name: str) -> Texts:
    """The texts of a game, in the language that this screen speaks. Raises UsageError."""
    folder = locale_folder(name)
    return Texts(folder) if folder else HOUSE
