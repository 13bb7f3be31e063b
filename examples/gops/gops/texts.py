"""The texts of GOPS, in the language that the screen speaks."""

from pathlib import Path

from companion.gamekit.screen import Texts

TEXTS = Texts(Path(__file__).with_name("locale"))
_, plural, listed, language = TEXTS.text, TEXTS.plural, TEXTS.listed, TEXTS.language
