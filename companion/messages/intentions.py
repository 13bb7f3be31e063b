"""What somebody wants, said on a screen. Each has an id: sent twice, it counts once."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from companion.gamekit.game import Seat

IntentionId: TypeAlias = Annotated[str, Meta(max_length=64)]
"""Makes an intention count once. The referee remembers it, and says it in its answer: so it is short."""


class Act(Struct, frozen=True, tag_field="is", tag="act"):
    """An action, chosen on a screen. The id makes it once-only: sent twice, it counts once."""

    id: IntentionId
    action: dict[str, Any]
    seat: Seat | None = None
    """Who speaks, where that is known: a phone may say only what this seat may do. None: a screen, for anybody."""

    def __repr__(self) -> str:
        """Without what the action holds: it may be a secret, and a repr ends up in logs."""
        return f"Act({self.id!r})"


class Undo(Struct, frozen=True, tag_field="is", tag="undo"):
    """Take back the newest action, or ask everybody whether it may be taken back."""

    id: IntentionId
    entry: int | None = None
    """The newest entry that the screen has seen: if there is a newer one, something else would be taken back."""


class Agree(Struct, frozen=True, tag_field="is", tag="agree"):
    id: IntentionId
    seat: Seat
    question: int | None = None
    """The number of the question; None: whichever is open."""


class Decline(Struct, frozen=True, tag_field="is", tag="decline"):
    id: IntentionId
    question: int | None = None


class NextGame(Struct, frozen=True, tag_field="is", tag="next"):
    """After the end: one more game of the match."""

    id: IntentionId


class EndMatch(Struct, frozen=True, tag_field="is", tag="end match"):
    """After the end of a game: no other follows, and whoever has the most in all of them together has won the match."""

    id: IntentionId


class LookedOver(Struct, frozen=True, tag_field="is", tag="looked over"):
    """After a restart: the table is as it should be, play may go on."""

    id: IntentionId


class Peek(Struct, frozen=True, tag_field="is", tag="peek"):
    """A player wants to look at what is theirs. It changes nothing, and is answered by an `OwnView`."""

    id: IntentionId
    seat: Seat


class Prepare(Struct, frozen=True, tag_field="is", tag="prepare"):
    """Before the first action: show this page of the preparation; behind the last one the table is set up."""

    id: IntentionId
    page: int


Intention: TypeAlias = Act | Undo | Agree | Decline | NextGame | EndMatch | LookedOver | Prepare
