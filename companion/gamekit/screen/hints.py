"""Key hints stand only where there is a keyboard: a table with a touch screen or two buttons needs none."""

from textual.content import Content


class _Screen:
    """The one thing that is remembered: whether keys are told."""

    keys = True


def tell_keys(told: bool) -> None:
    _Screen.keys = told


def hinted(key: str, label: Content | str) -> Content:
    """A button's label, with its key before it: thin, not dim, since a label is read on many papers."""
    return Content.assemble((key, "not bold"), " ", label) if _Screen.keys and key else Content.assemble(label)
