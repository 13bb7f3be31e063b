"""What a sentence is made of: facts, and somebody who translates."""

from typing import Protocol, TypeAlias

Fact: TypeAlias = int | str | bool | tuple[int | str, ...] | None
Facts: TypeAlias = dict[str, Fact]


class Translate(Protocol):
    """An English text → the reader's language. The context tells texts apart that only look alike in English."""

    def __call__(self, message: str, context: str = "") -> str: ...
