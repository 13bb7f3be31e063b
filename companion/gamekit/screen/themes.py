"""Themes: dark, light and high contrast. The hues are those of Okabe and Ito; no hue means anything without a shape or
a word beside it.

Besides Textual's own colours a theme has `$quiet`, for secondary text. Fills that define their own text colour (cards,
swatches) are the same in all themes. tests/screen/test_themes.py measures every painted pair.
"""

from textual.theme import Theme

from companion.language.screen_language import _

BLACK, WHITE = "#000000", "#ffffff"

DARK = Theme(
    name="dark",
    primary="#56b4e9",
    secondary="#0072b2",
    accent="#e69f00",
    warning="#e69f00",
    error="#ee7733",
    success="#2bb58c",
    foreground="#e6e6e6",
    background="#121212",
    surface="#1f1f1f",
    panel="#2a2f36",
    dark=True,
    variables={
        "primary-muted": "#173f5c",
        "text-primary": "#8fcdf2",
        "button-color-foreground": BLACK,
        "quiet": "#b4b4b4",
    },
)

LIGHT = Theme(
    name="light",
    primary="#005f9e",
    secondary="#005f9e",
    accent="#6b4500",
    warning="#8a5a00",
    error="#a33a00",
    success="#00664a",
    foreground="#141414",
    background="#dfe4e8",
    surface="#cbd3d9",
    panel="#c0c9d1",
    dark=False,
    variables={
        "primary-muted": "#aecfe8",
        "text-primary": "#004a7c",
        "button-color-foreground": WHITE,
        "quiet": "#424242",
    },
)

CONTRAST = Theme(
    name="contrast",
    primary="#ffff00",
    secondary="#ffff00",
    accent="#ffff00",
    warning="#ffd000",
    error="#ffa07a",
    success="#60ffb0",
    foreground=WHITE,
    background=BLACK,
    surface="#242424",
    panel="#303030",
    dark=True,
    variables={
        "primary-muted": "#003a66",
        "text-primary": "#ffff00",
        "button-color-foreground": BLACK,
        "quiet": "#dddddd",
    },
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST)}


def next_theme(name: str) -> str:
    """The name of the next theme; after the last comes the first."""
    names = list(THEMES)
    return names[(names.index(name) + 1) % len(names)] if name in THEMES else names[0]


def theme_label(name: str) -> str:
    """The label of a theme on a button."""
    return {"dark": _("Dark", "theme"), "light": _("Light", "theme"), "contrast": _("Contrast", "theme")}[name]
