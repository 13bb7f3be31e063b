"""What a game's face is made of: menus, panels, buttons, big letters and dialogs. Drawn with Textual."""

from companion.gamekit.screen.controls import KeyButton, LanguageButton, Panel, Picture, Worded, Words
from companion.gamekit.screen.dialog import Confirm, Dialog, last_row, your_move_rows
from companion.gamekit.screen.face import Action, Call, Choice, Command, Face, Going, Headline, Menu, Sight
from companion.gamekit.screen.letters import big, huge
from companion.gamekit.screen.picker import Choices
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
    "last_row",
    "your_move_rows",
]
