"""Every text of the screen goes through here, so that a translation needs no other change."""

from gettext import NullTranslations

_translation = NullTranslations()


def _(message: str) -> str:
    """The text in the reader's language."""
    return _translation.gettext(message)


def plural(one: str, many: str, count: int) -> str:
    """One text or the other, as the reader's language counts; `{count}` is filled in."""
    return _translation.ngettext(one, many, count).format(count=count)
