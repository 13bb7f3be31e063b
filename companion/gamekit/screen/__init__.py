"""What a game's face is made of: menus, big letters and dialogs. All of it is drawn with Textual."""

from companion.gamekit.screen.device_marks import lamp
from companion.gamekit.screen.dialog import Choices, Confirm, Dialog, last_row
from companion.gamekit.screen.face import Action, Call, Choice, Command, Face, Going, Headline, Menu, Sight
from companion.gamekit.screen.letters import big, huge
from companion.gamekit.screen.panel import Panel, Picture
from companion.gamekit.screen.translated_widgets import KeyButton, LanguageButton, Worded, Words
from companion.language.screen_language import Texts

__all__ = [
    "Action",
    "Call",
    "Choice",
    "Choices",
    "Command",
    "Confirm",
    "Dialog",
    "Face",
    "Going",
    "Headline",
    "KeyButton",
    "LanguageButton",
    "Menu",
    "Panel",
    "Picture",
    "Sight",
    "Texts",
    "Worded",
    "Words",
    "big",
    "huge",
    "lamp",
    "last_row",
]
