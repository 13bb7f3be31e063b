"""What a sender may ask of the referee: each message, with the senders that may send it.

To add one, declare it here and write its handler: a method of `companion.session.session.Session`, marked `@handles`.
Nothing else lists the messages. What a phone may send is declared here and nowhere else: a message whose `senders`
name "phone" may come from one, and `is_for` says for which seat.

An intention wants to change something. Its sender gets a `Reply`, and every screen sees what changed. An inquiry only
asks, and its answer goes to the asker alone. Each has an id: sent twice, an intention counts once.
"""

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from companion.gamekit.game import Seat
from companion.gamekit.simulated import Expectation
from companion.gamekit.snapshot import Before, EarlierGame, EarlierLines, OwnView, Past, PieceRead, SetTable, Thoughts

IntentionId: TypeAlias = Annotated[str, Meta(max_length=64)]
"""Short, because the referee remembers it and repeats it in its answer."""

Sender: TypeAlias = Literal["screen", "phone", "replay", "bot", "home"]
"""A table screen, which all players share; the phone of one seat; a screen that shows a replay; simulated hands; the
owner's Home Assistant. A spectator, on a screen or a phone, is none of these and may send nothing."""


class Request(Struct, frozen=True, tag_field="is"):
    id: IntentionId

    senders: ClassVar[tuple[Sender, ...]]

    def is_for(self, seat: Seat) -> bool:
        """Whether the phone of this seat may say exactly this. What names no seat is open to every player."""
        return True


class Intention(Request, frozen=True):
    """Something is to change."""


A = TypeVar("A")


class Inquiry(Request, Generic[A], frozen=True):
    """A question, and what answers it. It changes nothing, so a client does not ask again when the line breaks."""


def may_send(message: Request, sender: Sender, seat: Seat | None = None) -> bool:
    """Whether this sender may send this message; a phone only for its `seat`."""
    return sender in message.senders and (sender != "phone" or (seat is not None and message.is_for(seat)))


# --- The game ---


class Act(Intention, frozen=True, tag="act"):
    """An action of the game; in a replay, the answer to a puzzle."""

    senders: ClassVar[tuple[Sender, ...]] = ("screen", "phone", "bot", "replay")

    action: dict[str, Any]
    seat: Seat | None = None
    """The seat that speaks, if the sender speaks for one: then the action has to be that seat's. None: a screen."""
    begun: int | None = None
    """With `seat`: the entry that began the game this is meant for. In the next game another player may sit there."""

    def is_for(self, seat: Seat) -> bool:
        return self.seat == seat and self.begun is not None

    def __repr__(self) -> str:
        """Without the action, which may be a secret: a repr ends up in logs."""
        return f"Act({self.id!r})"


class BotAct(Act, frozen=True, tag="bot act"):
    """An action of a simulated player, with what it expected. Only the referee's own process sends it: it is in no list
    of messages, so no screen and no phone can."""

    senders = ("bot",)

    thought: Expectation | None = None


class Undo(Intention, frozen=True, tag="undo"):
    """Undo the newest action, or ask all players whether it may be undone."""

    senders = ("screen", "phone")

    entry: int | None = None
    """The newest entry that the sender has seen. If there is a newer one, the undo would hit something else."""
    to: int | None = None
    """The number of an earlier action: undo it and everything after it, in one step."""

    def is_for(self, seat: Seat) -> bool:
        """A phone undoes the newest action only, and says which it has seen: so it cannot hit another one."""
        return self.entry is not None and self.to is None


class Correct(Intention, frozen=True, tag="correct"):
    """ "That was the wrong card": replace an action that was entered wrongly, in one step."""

    senders = ("screen",)

    entry: int
    """The number of the wrong action."""
    newest: int
    """The newest entry that the sender has seen: if there is a newer one, the table has changed."""
    action: dict[str, Any]

    def __repr__(self) -> str:
        """Without the action, which may be a secret: a repr ends up in logs."""
        return f"Correct({self.id!r}, {self.entry})"


class Agree(Intention, frozen=True, tag="agree"):
    """Yes, to the question that all players are asked."""

    senders = ("screen", "phone")

    seat: Seat
    question: int | None = None
    """The number of the question; None: the one that is open."""

    def is_for(self, seat: Seat) -> bool:
        """A late answer must not answer the next question, so a phone names the question."""
        return self.seat == seat and self.question is not None


class Decline(Intention, frozen=True, tag="decline"):
    """No, to the question that all players are asked."""

    senders = ("screen", "phone")

    question: int | None = None

    def is_for(self, seat: Seat) -> bool:
        return self.question is not None


TagNumber: TypeAlias = Annotated[str, Meta(max_length=20, pattern="^[0-9A-F]*$")]
TagText: TypeAlias = Annotated[str, Meta(max_length=200)]


class TapTag(Intention, frozen=True, tag="tap"):
    """A phone has touched a tag: its player plays the piece, or only asks what it is."""

    senders = ("phone",)

    seat: Seat
    uid: TagNumber = ""
    """Its number; "" where a phone does not learn it."""
    text: TagText = ""
    """What is written on it."""
    centre: bool = False
    """This phone reads for the whole table: the piece was laid on the centre."""
    ask: bool = False
    """Nothing is played."""

    def is_for(self, seat: Seat) -> bool:
        return self.seat == seat


class BeCentre(Intention, frozen=True, tag="centre"):
    """A phone lies in the middle of the table and reads for all players, or no longer does. All players are told."""

    senders = ("phone",)

    seat: Seat
    on: bool

    def is_for(self, seat: Seat) -> bool:
        return self.seat == seat


class RunErrand(Intention, frozen=True, tag="errand"):
    """The pieces were moved as the simulated player wanted it."""

    senders = ("screen", "phone")

    entry: int | None = None
    """The newest entry that the sender has seen: so it cannot confirm another errand."""

    def is_for(self, seat: Seat) -> bool:
        return self.entry is not None


# --- Before, after and beside the game ---


class Prepare(Intention, frozen=True, tag="prepare"):
    """Before the first action: show this page of the preparation. After the last page the table is set up."""

    senders = ("screen", "phone")

    page: int


class LookedOver(Intention, frozen=True, tag="looked over"):
    """After a restart: the pieces are where they should be, and play may go on."""

    senders = ("screen", "phone")


class NextGame(Intention, frozen=True, tag="next"):
    """After the end of a game: one more game of the match."""

    senders = ("screen", "phone")

    seats: tuple[Seat, ...] = ()
    """Who sits where now: for each seat, clockwise, the seat its player had before. Empty: all stay where they are."""
    first: Seat | None = None
    """Who starts, as they sit now; None: as the game proposes."""
    options: dict[str, Any] = {}
    """Table options that differ from what the game proposes."""

    def is_for(self, seat: Seat) -> bool:
        """Players change these on the screen, where all of them see it."""
        return not self.seats and self.first is None and not self.options


class EndMatch(Intention, frozen=True, tag="end match"):
    """After the end of a game: no other game follows, and the player with the highest sum has won the match."""

    senders = ("screen", "phone")


class Enlist(Intention, frozen=True, tag="enlist"):
    """A piece on the table is not in the box list: this is printed on it."""

    senders = ("screen",)

    step: str
    """The key of a step of the game's enrolment that asks for such a piece."""
    values: dict[str, Any]
    """By the keys of its fields."""


class Pause(Intention, frozen=True, tag="pause"):
    """Stop the clocks and the simulated hands until play goes on."""

    senders = ("screen", "home")

    on: bool


class Drive(Intention, frozen=True, tag="drive"):
    """How fast simulated hands play from now on."""

    senders = ("screen",)

    speed: float
    """1: as fast as they began."""
    step: bool = False
    """Play one action although they are paused."""


class Go(Intention, frozen=True, tag="go"):
    """In a replay: go to this step, or on to the next one, forwards or backwards, that says one of these things."""

    senders = ("replay",)

    to: int = 0
    by: int = 0
    """1: forwards from here, -1: backwards; 0: to the step `to`."""
    until: tuple[str, ...] = ()
    """Ids of sentences. Empty: one step."""


# --- Inquiries ---


class Peek(Inquiry[OwnView], frozen=True, tag="peek"):
    """What may this player alone see?"""

    senders = ("screen", "phone", "replay")

    seat: Seat

    def is_for(self, seat: Seat) -> bool:
        return self.seat == seat


class Identify(Inquiry[PieceRead], frozen=True, tag="identify"):
    """Which piece is this tag on, and may this player play it?"""

    senders = ("phone",)

    seat: Seat
    uid: TagNumber = ""
    text: TagText = ""

    def is_for(self, seat: Seat) -> bool:
        return self.seat == seat


class LookBack(Inquiry[Past], frozen=True, tag="look back"):
    """What was done lately, and what of it can be corrected?"""

    senders = ("screen",)


class Reconsider(Inquiry[Before], frozen=True, tag="reconsider"):
    """What could have been done instead?"""

    senders = ("screen",)

    entry: int
    seat: Seat | None = None
    """Who asks, alone with the screen; None: all players can see the screen."""


class LookAtTable(Inquiry[SetTable], frozen=True, tag="look at table"):
    """How is the table set up, and what should be where now?"""

    senders = ("screen", "phone")


class ReadBack(Inquiry[EarlierLines], frozen=True, tag="read back"):
    """What happened in this game before that line?"""

    senders = ("screen", "replay")

    before: int
    """The number of a line."""


class AskWhy(Inquiry[Thoughts], frozen=True, tag="ask why"):
    """Why did this simulated player do that?"""

    senders = ("screen", "phone", "replay")

    entry: int
    """The entry of the action, or of the one that revealed it."""


class LookAtGame(Inquiry[EarlierGame], frozen=True, tag="look at game"):
    """How did this game of the match end?"""

    senders = ("screen",)

    game: int
    """From 1."""


INTENTIONS: tuple[type[Intention], ...] = tuple(Intention.__subclasses__())
INQUIRIES: tuple[type[Inquiry[Any]], ...] = tuple(Inquiry.__subclasses__())
