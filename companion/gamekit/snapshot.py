"""The table as all players may see it: what a face draws, and what simulated players look at.

A snapshot is whole: a screen that has just come needs nothing but the newest one. Nothing in it is secret.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from companion.gamekit.game import Awaiting, Move, Place, Ruling, Score, Seat, Thing
from companion.language.facts import Facts
from companion.stations import Kit

Kind: TypeAlias = Literal[
    "accepted", "refused", "unknown", "foreign", "repeated", "idle", "undone", "corrected", "noted"
]
TYPED = frozenset({"screen", "phone"})
"""Sources of actions without a piece: see `Told.how`."""
AWAY_S = 15 * 60.0
"""A longer pause does not count as thinking: the players have left the table, or the computer's clock was set."""


class Told(Struct, frozen=True):
    """One line of the evening: an answer to a signal or an intention, or something that the rules decided."""

    number: int
    """Grows by one with each line; 0 for an answer that is no line of the evening."""
    kind: Kind
    what: str
    rule: str | None = None
    facts: Facts = {}
    moves: tuple[Move, ...] = ()
    """Pieces that hands have to put back."""
    how: str = ""
    """What said it: "tag", "button", "screen", "phone"."""
    entry: int = 0
    """The journal's entry that it came with: lines of one action have the same; 0 for what changed nothing."""
    about: tuple[Ruling, ...] = ()
    """What was taken back or corrected: the first line of each action, oldest first."""
    voids: tuple[int, ...] = ()
    """The entries whose lines no longer count because of it."""
    revives: tuple[int, ...] = ()
    """The entries whose lines count again: what a correction had replaced."""


class Player(Struct, frozen=True):
    name: str
    simulated: bool = False
    person: int = 0
    """The seat that they had in the evening's first game: two players of one name are still two, wherever they sit."""


class StationState(Struct, frozen=True):
    station: str
    state: Literal["connecting", "ready", "unclear", "lost"]
    """Unclear: it works, but several pieces are on top of each other."""
    problem: str = ""


class Question(Struct, frozen=True):
    """Something that all players have to agree to: an undo or a correction across a reveal, the end of a stalemate."""

    number: int
    """Names this very question, so that a late answer is not taken for the answer to the next one."""
    kind: str
    """"undo", "correct", or the `do` of an action that concerns all players."""
    agreed: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    moves: tuple[Move, ...] = ()


class Lying(Struct, frozen=True):
    """Some pieces of one kind lie somewhere."""

    thing: Thing
    count: int
    place: Place


class Errand(Struct, frozen=True):
    """What a simulated player with real pieces wants to do: persons do it. Nothing in it is secret."""

    seat: Seat
    said: Ruling
    """What the player does, as the rules will say it."""
    moves: tuple[Move, ...] = ()
    """The pieces to move for it."""


class Preparation(Struct, frozen=True):
    """Before the first action: how to set up the table, step by step; the last page shows the finished table."""

    steps: tuple[Ruling, ...]
    layout: tuple[Lying, ...]
    page: int
    """Which one is shown, counted from 0."""

    @property
    def pages(self) -> int:
        return len(self.steps) + bool(self.layout)


class Result(Struct, frozen=True):
    """How an earlier game of this match ended."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]


class Proposal(Struct, frozen=True):
    """What the game proposes for the next game of the match. Players may change it before that begins."""

    first: Seat
    """The seat that would start, as players sit now."""
    options: dict[str, Any]


class Considered(Struct, frozen=True):
    """An action that was thought about: by a simulated player, or when the game was over."""

    action: dict[str, Any]
    said: Ruling | None
    """What the rules say to it; None: what matters of it is in no ruling, because it is chosen in secret."""
    worth: float
    """From 0 to 1: about how likely it leads to a victory, as far as the player could know then."""


class Solution(Struct, frozen=True):
    """What came of a puzzle."""

    chosen: Considered
    """What was chosen now."""
    done: Considered
    """What the player did then."""
    best: Considered
    """The best that the analysis found."""
    gains: dict[str, float]
    """By how many points the best brings more, by the kinds of points: than what was chosen now, or else than what was
    done then."""
    number: int
    """Grows with each choice."""


class Puzzle(Struct, frozen=True):
    """A decision in a game that is over, to be made again."""

    seat: Seat
    step: int
    """How many actions came before it."""
    solution: Solution | None = None
    """None: nothing was chosen yet."""


class LookedBackAt(Struct, frozen=True):
    """The position in a game that is being replayed."""

    step: int
    """How many actions have been played."""
    steps: int
    """How many there are."""
    open: bool
    """The game is over, and all may see what each player held."""
    puzzle: Puzzle | None = None
    """Somebody shall find out what one of the players could have done better."""

    @property
    def asks(self) -> bool:
        """Whether it is to be said now what to do, in this very position."""
        return self.puzzle is not None and self.puzzle.step == self.step


class Snapshot(Struct, frozen=True, tag_field="is", tag="snapshot"):
    number: int
    """Grows with every snapshot of one referee process."""
    entry: int
    """The number of the journal's newest entry; what is shown is durable up to here."""
    evening: str
    game: str
    players: tuple[Player, ...]
    kit: Kit
    options: dict[str, Any]
    box: Any
    """The components of the game, its `components.Box`."""
    table: Any
    """What may be seen of the table, its `view.Table`."""
    awaiting: Awaiting | None
    """None when the game is over."""
    per_player: tuple[str, ...] = ()
    """The fields of `table` that list something for every player."""
    seats: tuple[str, ...] = ()
    """The fields of `table` that name players by their seats."""
    settled: tuple[Seat, ...] = ()
    """Those of the awaited who have acted already and may only change their minds."""
    begun: int = 0
    """The number of the entry with which this game began. Players keep their seats until the next game."""
    offered: tuple[Any, ...] = ()
    """The actions that a screen may offer now, ready to be sent back."""
    own: bool = False
    """Whether each player has something that the others may not see; a screen asks for it with a `Peek`."""
    deals: bool = False
    """Companion deals: all pieces are its own, and no piece of a player's can join them."""
    by_table: tuple[str, ...] = ()
    """The kinds of action that simulated hands do for all players, without asking them."""
    dealt: tuple[str, ...] = ()
    """Those kinds of action for which a person chooses from pieces that only they may see: a screen asks for them with
    a `Peek`."""
    secret: tuple[str, ...] = ()
    """The kinds of action (`do`) that a player has to choose unseen by the others."""
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
    lowest_wins: bool = False
    """The fewest points win."""
    teams: tuple[tuple[Seat, ...], ...] = ()
    """The seats of each team; empty: all play for themselves."""
    tie_break: Ruling | None = None
    """What decided between those who share the best total; None if nothing had to."""
    shared: Ruling | None = None
    """Why several have won; None if one has."""
    match: tuple[Result, ...] = ()
    """Earlier games that are added up with this one."""
    ended: bool = False
    """The match has ended with this game: no other follows."""
    following: Proposal | None = None
    """After the end, if another game may follow."""
    course: tuple[tuple[int, ...], ...] = ()
    """After the end, if the game has something to watch: a number for each seat, at the beginning and after each action
    that changed one."""
    devices: tuple[StationState, ...] = ()
    lights: dict[str, str] = {}
    """Station → what its lamp says now, a `Pattern` of `companion/table/effects.py`; empty where there are no lamps."""
    thought: tuple[float, ...] = ()
    """How many seconds each seat has thought in this game, up to the newest entry. A single thought longer than
    `AWAY_S` does not count."""
    since: float | None = None
    """When those who are waited for began to think, in Unix time; None: their time does not count."""
    paused: bool = False
    """The clocks are stopped, and simulated hands rest."""
    speed: float = 1.0
    """How fast simulated hands play, against how they began."""
    steps: int = 0
    """How many steps they were allowed to do while they rest."""
    preparation: Preparation | None = None
    """Before the first action, until the players have set up the table or play on."""
    errand: Errand | None = None
    """What persons are to do now for a simulated player."""
    replay: LookedBackAt | None = None
    """Set while a finished game is replayed. None: a game is being played."""
    layout: tuple[Lying, ...] = ()
    """After a restart, until the players have checked the table: what should be where."""
    centre: Seat | None = None
    """Whose phone reads for the whole table; None: no phone."""


class PastDeed(Struct, frozen=True):
    """An action that counts, as all players may see it: can it still be corrected, and what depends on it?"""

    entry: int
    """The number of its entry, whatever was corrected since."""
    told: Told
    seat: Seat | None
    """Whose action it was; None: no particular player's."""
    hidden: bool
    """The choice is still secret: only its player may correct it, and the others may not look."""
    free: bool
    """It can be entered again without changing anything else. Otherwise all from here on has to be taken back."""


class Past(Struct, frozen=True, tag_field="is", tag="past"):
    """What was done lately, newest first. Nothing in it is secret."""

    id: str
    """The id of the `LookBack` that it answers."""
    entry: int
    """The journal's newest entry when it was made."""
    deeds: tuple[PastDeed, ...]


class Before(Struct, frozen=True, tag_field="is", tag="before"):
    """The table as it was before an action, and what could have been done instead: to enter it again.

    Of a choice that is still secret it goes to its player alone, as an `OwnView` does."""

    id: str
    """The id of the `Reconsider` that it answers."""
    entry: int
    newest: int
    """The journal's newest entry when it was made."""
    seat: Seat | None
    snapshot: "Snapshot | None"
    """Without its box and its offers; None: there is no such action, or it is not theirs to look at."""
    hand: Any = None
    """What its player alone may have seen then."""
    offered: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        """Without what it holds: a repr ends up in logs."""
        return f"Before({self.id!r}, {self.entry})"


class PieceRead(Struct, frozen=True, tag_field="is", tag="piece"):
    """Which piece a phone has touched, for the player whose phone it is. Another player's piece is not named."""

    id: str
    """The id of the `Identify` that it answers."""
    thing: Thing | None = None
    """None: it is on no piece of this box, or on another player's."""
    owner: Seat | None = None
    """Another player, if the piece is theirs."""
    playable: bool = False

    def __repr__(self) -> str:
        """Without the piece: a repr ends up in logs."""
        return f"PieceRead({self.id!r})"


class OwnView(Struct, frozen=True, tag_field="is", tag="own"):
    """What one player may see besides the snapshot, and what is offered to them alone.

    Part of no snapshot: it goes only to the player who asked for it, and is forgotten when that player has looked."""

    id: str
    """The id of the `Peek` that it answers."""
    seat: Seat
    entry: int
    """The journal's newest entry when it was made."""
    hand: Any
    """In the game's own form: what its `own_view` gave."""
    offered: tuple[Any, ...] = ()
    dealt: tuple[Thing, ...] = ()
    """The pieces that a simulated stack has dealt to this player. At a real table only the player knows them."""

    def __repr__(self) -> str:
        """Without what it holds: a repr ends up in logs."""
        return f"OwnView({self.id!r}, {self.seat})"


class SetTable(Struct, frozen=True, tag_field="is", tag="set table"):
    """How the table was set up, step by step, and what should be where now. Nothing in it is secret."""

    id: str
    """The id of the `LookAtTable` that it answers."""
    steps: tuple[Ruling, ...]
    layout: tuple[Lying, ...]


class Thought(Struct, frozen=True):
    """Why a simulated player did something."""

    seat: Seat
    level: str = ""
    """How well this one plays: "easy"."""
    done: Considered | None = None
    """None: the player still hides something that led to it."""
    other: Considered | None = None
    """The best of all other actions. None: there was none, or it may not be named."""
    other_worth: float | None = None
    """None: there was nothing else to do."""


class Thoughts(Struct, frozen=True, tag_field="is", tag="thoughts"):
    """Why simulated players did something. Nothing in it is secret: what still is comes later."""

    id: str
    """The id of the `AskWhy` that it answers."""
    of: tuple[Thought, ...] = ()
    """The player whose action it was, and those whose choices it revealed, as far as they search."""


class EarlierLines(Struct, frozen=True, tag_field="is", tag="earlier lines"):
    """Some lines of this game, oldest first."""

    id: str
    """The id of the `ReadBack` that it answers."""
    lines: tuple[Told, ...]
    is_first: bool
    """No line of this game comes before them."""


class EarlierGame(Struct, frozen=True, tag_field="is", tag="earlier game"):
    """A game of this match that is over, as all players could see its end."""

    id: str
    """The id of the `LookAtGame` that it answers."""
    snapshot: Snapshot | None
    """None: there is no such game, or it is not over."""
