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
    begun: int | None = None
    """Where a seat speaks: the entry with which the game began that it is meant for. In the next game another player
    may have that seat."""

    def __repr__(self) -> str:
        """Without what the action holds: it may be a secret, and a repr ends up in logs."""
        return f"Act({self.id!r})"


class Undo(Struct, frozen=True, tag_field="is", tag="undo"):
    """Take back the newest action, or ask everybody whether it may be taken back."""

    id: IntentionId
    entry: int | None = None
    """The newest entry that the screen has seen: if there is a newer one, something else would be taken back."""
    to: int | None = None
    """The number of an earlier action: it and everything after it is taken back, in one step."""


class Correct(Struct, frozen=True, tag_field="is", tag="correct"):
    """ "That was the wrong card": put this action in the place of one that was said wrongly, in one step."""

    id: IntentionId
    entry: int
    """The number of the action that was wrong."""
    newest: int
    """The newest entry that the screen has seen: if there is a newer one, the table has changed meanwhile."""
    action: dict[str, Any]

    def __repr__(self) -> str:
        """Without what the action holds: it may be a secret, and a repr ends up in logs."""
        return f"Correct({self.id!r}, {self.entry})"


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
    seats: tuple[Seat, ...] = ()
    """Who sits where now: for each seat, clockwise, the one that they had before; empty: nobody has moved."""


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


class LookBack(Struct, frozen=True, tag_field="is", tag="look back"):
    """What was done lately, and what of it can be entered again? It changes nothing, and is answered by a `Past`."""

    id: IntentionId


class Reconsider(Struct, frozen=True, tag_field="is", tag="reconsider"):
    """What could have been done instead? It changes nothing, and is answered by a `Before`."""

    id: IntentionId
    entry: int
    seat: Seat | None = None
    """Who asks, alone with the screen; None: everybody looks."""


class Prepare(Struct, frozen=True, tag_field="is", tag="prepare"):
    """Before the first action: show this page of the preparation; behind the last one the table is set up."""

    id: IntentionId
    page: int


class Enlist(Struct, frozen=True, tag_field="is", tag="enlist"):
    """A piece lies on the table that the box does not list: this is printed on it."""

    id: IntentionId
    step: str
    """The key of a step of the game's enrolment that asks for such a piece."""
    values: dict[str, Any]
    """By the keys of its fields."""


class Go(Struct, frozen=True, tag_field="is", tag="go"):
    """Looking back at a game: go to this step, or on to the next one, forwards or backwards, at which one of these
    things was said."""

    id: IntentionId
    to: int = 0
    by: int = 0
    """1: forwards from where it is, -1: backwards; 0: to the step that is named."""
    until: tuple[str, ...] = ()
    """Message ids. None: one step."""


class Pause(Struct, frozen=True, tag_field="is", tag="pause"):
    """Nobody's thinking counts until somebody goes on, or plays; simulated hands rest."""

    id: IntentionId
    on: bool


class Drive(Struct, frozen=True, tag_field="is", tag="drive"):
    """How simulated hands play from now on."""

    id: IntentionId
    speed: float
    """1: as fast as they began."""
    step: bool = False
    """While they rest: once, all the same."""


Intention: TypeAlias = (
    Act | Undo | Correct | Agree | Decline | NextGame | EndMatch | LookedOver | Prepare | Enlist | Go | Pause | Drive
)
Inquiry: TypeAlias = Peek | LookBack | Reconsider
"""What somebody wants to know. It is not asked again if the line breaks."""
