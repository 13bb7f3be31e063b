"""What travels between the referee and its screens: redacted snapshots one way, intentions the other.

A snapshot is whole: a screen that has just come needs nothing but the newest one. Nothing in it is secret.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from companion.games.game import Awaiting, Facts, Move, Part, Place, Score, Seat, Thing

__all__ = [
    "PROTOCOL",
    "Act",
    "Agree",
    "Awaiting",
    "Decline",
    "Device",
    "Facts",
    "Fault",
    "FromReferee",
    "FromScreen",
    "Hello",
    "Intention",
    "Kind",
    "LookedOver",
    "Lying",
    "Move",
    "NextGame",
    "Part",
    "Place",
    "Player",
    "Question",
    "Reply",
    "Result",
    "Score",
    "Seat",
    "Snapshot",
    "Thing",
    "Told",
    "Undo",
]

PROTOCOL = 4
"""Raised with every change that an older screen or referee could not read."""

Kind: TypeAlias = Literal["accepted", "refused", "unknown", "foreign", "repeated", "idle", "undone", "noted"]


class Told(Struct, frozen=True):
    """One line of the evening: an answer to a signal or an intention, or something that the rules decided."""

    number: int
    """Grows by one with each line."""
    kind: Kind
    what: str
    rule: str | None = None
    facts: Facts = {}
    moves: tuple[Move, ...] = ()
    """Pieces that hands have to put back."""
    how: str = ""
    """What said it: "tag", "button", "screen"."""
    entry: int = 0
    """The journal's entry that it came with: lines of one action have the same; 0 for what changed nothing."""


class Player(Struct, frozen=True):
    name: str
    simulated: bool = False


class Device(Struct, frozen=True):
    station: str
    state: Literal["connecting", "ready", "unclear", "lost"]
    """Unclear: it works, but pieces lie on each other there, and cannot be told apart."""
    problem: str = ""


class Question(Struct, frozen=True):
    """Something that everybody has to agree to: an undo across a reveal, or the end of a stalemate."""

    number: int
    """Names this very question, so that a late answer is not taken for the answer to the next one."""
    kind: str
    """"undo", or the `do` of an action that concerns everybody."""
    agreed: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    moves: tuple[Move, ...] = ()


class Lying(Struct, frozen=True):
    """So many pieces of one kind lie somewhere."""

    thing: Thing
    count: int
    place: Place


class Result(Struct, frozen=True):
    """How an earlier game of this match ended."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]


class Snapshot(Struct, frozen=True, tag_field="is", tag="snapshot"):
    number: int
    """Grows with every snapshot of one referee process."""
    entry: int
    """The number of the journal's newest entry; what is shown is durable up to here."""
    evening: str
    game: str
    players: tuple[Player, ...]
    kit: Literal["none", "one", "full"]
    options: dict[str, Any]
    box: Any
    """The components of the game, its `components.Box`."""
    table: Any
    """What may be seen of the table, its `view.Table`."""
    awaiting: Awaiting | None
    """None when the game is over."""
    settled: tuple[Seat, ...] = ()
    """Those of the awaited who have acted already and may only change their minds."""
    offered: tuple[Any, ...] = ()
    """The actions that a screen may offer now, ready to be sent back."""
    secret: tuple[str, ...] = ()
    """Those kinds of action (`do`) that nobody else may watch being chosen."""
    draft: Any = None
    """Half an action that hands have begun to say, in the game's own form; None if there is none."""
    can_undo: bool = False
    newest: Told | None = None
    """What an undo would take back: the first line of the newest action that counts."""
    question: Question | None = None
    history: tuple[Told, ...] = ()
    """The newest lines, oldest first."""
    scores: tuple[Score, ...] = ()
    winners: tuple[Seat, ...] = ()
    match: tuple[Result, ...] = ()
    """Earlier games that are added up with this one."""
    course: tuple[tuple[int, ...], ...] = ()
    """After the end, if the game has something to watch: a number for each seat, at the beginning and after each action
    that changed one."""
    devices: tuple[Device, ...] = ()
    lights: dict[str, str] = {}
    """Station → what its lamp says now, a `Pattern` of `companion/table/effects.py`; empty where there are no lamps."""
    layout: tuple[Lying, ...] = ()
    """After a restart, until somebody has looked the table over: what should lie where."""


class Reply(Struct, frozen=True, tag_field="is", tag="reply"):
    """The answer to the intention of this id. It comes before the snapshot that shows the effect."""

    id: str
    told: Told


class Fault(Struct, frozen=True, tag_field="is", tag="fault"):
    """The referee could not read what a screen sent, and says why."""

    message: str


FromReferee: TypeAlias = Snapshot | Reply | Fault


class Hello(Struct, frozen=True, tag_field="is", tag="hello"):
    """The first thing a screen says."""

    protocol: int


class Act(Struct, frozen=True, tag_field="is", tag="act"):
    """An action, chosen on a screen. The id makes it once-only: sent twice, it counts once."""

    id: str
    action: dict[str, Any]

    def __repr__(self) -> str:
        """Without what the action holds: it may be a secret, and a repr ends up in logs."""
        return f"Act({self.id!r})"


class Undo(Struct, frozen=True, tag_field="is", tag="undo"):
    """Take back the newest action, or ask everybody whether it may be taken back."""

    id: str
    entry: int | None = None
    """The newest entry that the screen has seen: if there is a newer one, something else would be taken back."""


class Agree(Struct, frozen=True, tag_field="is", tag="agree"):
    id: str
    seat: Seat
    question: int | None = None
    """The number of the question; None: whichever is open."""


class Decline(Struct, frozen=True, tag_field="is", tag="decline"):
    id: str
    question: int | None = None


class NextGame(Struct, frozen=True, tag_field="is", tag="next"):
    """After the end: one more game of the match."""

    id: str


class LookedOver(Struct, frozen=True, tag_field="is", tag="looked over"):
    """After a restart: the table is as it should be, play may go on."""

    id: str


Intention: TypeAlias = Act | Undo | Agree | Decline | NextGame | LookedOver
FromScreen: TypeAlias = Hello | Act | Undo | Agree | Decline | NextGame | LookedOver
