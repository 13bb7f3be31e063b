"""What a text is made of: facts, and the translation that fills them in."""

from typing import Protocol, TypeAlias

Fact: TypeAlias = int | str | bool | tuple[int | str, ...] | None
Facts: TypeAlias = dict[str, Fact]


class Translate(Protocol):
    """An English text → the reader's language, with its facts filled in: `_("{name} passes", name="Anna")`.

    The context tells texts apart that look alike only in English. It comes second: `_("draw", "big")`."""

    def __call__(self, message: str, context: str = "", /, **facts: Fact) -> str: ...


def N_(message: str, context: str = "") -> str:  # noqa: N802 - gettext's own name for it
    """Marks a text for the catalogues and returns it unchanged; it is translated when it is shown."""
    return message
