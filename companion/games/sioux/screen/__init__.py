"""The screens of Sioux, and its texts in the language of the screen."""

from pathlib import Path

from companion.gamekit.screen import Texts

TEXTS = Texts(Path(__file__).parents[1] / "locale")
_ = TEXTS.text
