"""What a phone and its server say to each other over the WebSocket, as JSON."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from companion.messages.intentions import IntentionId

LanguageWish: TypeAlias = Annotated[str, Meta(max_length=40)]
MenuStep: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Width: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]


class PhoneHello(Struct, frozen=True, tag_field="is", tag="hello"):
    """How somebody wants to be shown the table: in which language, and how many letters have room side by side. May be
    said again whenever that changes."""

    language: LanguageWish = ""
    cells: Width = 34


class Open(Struct, frozen=True, tag_field="is", tag="open"):
    """Which choices are there? The number of the button, then of each choice that led here."""

    path: Annotated[tuple[MenuStep, ...], Meta(min_length=1, max_length=40)]


class Explain(Struct, frozen=True, tag_field="is", tag="why"):
    """Why this line?"""

    line: int


class Help(Struct, frozen=True, tag_field="is", tag="help"):
    """The rules of the game."""


class PhoneAct(Struct, frozen=True, tag_field="is", tag="act"):
    """An action of this phone's seat."""

    id: IntentionId
    action: dict[str, Any]
    begun: Annotated[int, Meta(ge=0, le=2**53)]
    """The entry with which the game began that it is meant for: what is sent late does not count in the next game."""

    def __repr__(self) -> str:
        """As with every action: it may be a secret."""
        return f"PhoneAct({self.id!r})"


class Settle(Struct, frozen=True, tag_field="is", tag="settle"):
    """What is no action of the game: take back, agree, turn the page, one more game."""

    id: IntentionId
    what: Literal["undo", "agree", "decline", "prepare", "looked over", "next", "end match"]
    number: Annotated[int, Meta(ge=-1, le=2**53)] = 0
    """Of the newest entry that was seen, of the question, of the page."""


FromPhone: TypeAlias = PhoneHello | Open | Explain | Help | PhoneAct | Settle
