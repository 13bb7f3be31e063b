"""What a hall knows: its club, its tables, its nights with their rounds and results. Pure.

Everything that happens in a hall is an event in one log, and `HallState` is the fold of that log: a hall that was
killed reads its log and is where it was. An event was checked before it was stored (`decisions.py`), so the fold
refuses nothing.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct, field

from companion.hall.seating import SeatingReason

USUAL_MINUTES = 60
"""Of a round, if nothing else is said."""

# --- Events ---------------------------------------------------------------------------------------------------


class HallEvent(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Something that happened in the hall."""


class ClubFounded(HallEvent, frozen=True, tag="club"):
    """The first entry of every log."""

    id: str
    """Random: two clubs may have one name."""
    name: str


class TableJoined(HallEvent, frozen=True, tag="table joined"):
    table: str
    credential: str
    """Its hash, as Mosquitto stores passwords: see `credentials.py`."""


class TableRemoved(HallEvent, frozen=True, tag="table removed"):
    """Its credential is no longer valid."""

    table: str


class NightOpened(HallEvent, frozen=True, tag="night opened"):
    game: str
    options: dict[str, Any] = {}
    sizes: tuple[int, int] = (3, 5)
    """The fewest and the most players at a table."""
    minutes: int = USUAL_MINUTES
    """Of a round."""
    top_table: bool = False
    """The leaders sit at one table."""
    plain_points: bool = False
    """Equal table points are ranked by plain points, not by shares of the table's points."""


class NightClosed(HallEvent, frozen=True, tag="night closed"):
    pass


class SignedIn(HallEvent, frozen=True, tag="signed in"):
    name: str


class SignedOut(HallEvent, frozen=True, tag="signed out"):
    name: str


class CardLinked(HallEvent, frozen=True, tag="card linked"):
    """This player card is this person's, at every table."""

    card: str
    name: str


class RoundSeated(HallEvent, frozen=True, tag="round seated"):
    """A new round, or another seating for one that has not started."""

    number: int
    seats: dict[str, tuple[str, ...]]
    """Table → its players, clockwise."""
    byes: tuple[str, ...] = ()
    reasons: dict[str, SeatingReason] = {}
    """Why: by table, "" for the byes."""


class RoundStarted(HallEvent, frozen=True, tag="round started"):
    ends_at: float
    """Unix time in seconds; so are all times here."""


class ClockSet(HallEvent, frozen=True, tag="clock set"):
    ends_at: float


class RoundEnded(HallEvent, frozen=True, tag="round ended"):
    pass


class ReportedSeat(Struct, frozen=True, omit_defaults=True):
    name: str
    score: int
    rank: int


class ResultReported(HallEvent, frozen=True, tag="result"):
    """What a table says about a game. The newest revision of a key counts."""

    key: str
    """Hash of the journal's identity and the number of the game."""
    revision: int
    table: str
    night: int
    round: int
    game: str
    ended_at: float
    """By the table's clock."""
    seats: tuple[ReportedSeat, ...]
    finished: bool = True
    """False: the end was undone."""
    lowest_wins: bool = False
    by_director: bool = False
    """The director has entered it, and it counts instead of the table's own."""


class BoxShared(HallEvent, frozen=True, tag="box shared"):
    """What is printed on a box's pieces, and their tags. It works at every table."""

    game: str
    box: str
    """The name of the box in the club."""
    printed: str
    """The box file."""
    tags: str
    """The pack of tags."""


class BoxTaken(HallEvent, frozen=True, tag="box taken"):
    game: str
    box: str
    table: str


AnyEvent: TypeAlias = (
    ClubFounded
    | TableJoined
    | TableRemoved
    | NightOpened
    | NightClosed
    | SignedIn
    | SignedOut
    | CardLinked
    | RoundSeated
    | RoundStarted
    | ClockSet
    | RoundEnded
    | ResultReported
    | BoxShared
    | BoxTaken
)


class LogEntry(Struct, frozen=True):
    """An event in the log."""

    number: int
    """From 1, without gaps."""
    at: float
    """By the hall's clock."""
    event: AnyEvent


# --- The state ------------------------------------------------------------------------------------------------


class HallTable(Struct):
    name: str
    credential: str
    joined_at: float


class NightPlayer(Struct):
    """A person at a club night."""

    name: str
    arrived_in: int
    """The round that was to be seated when they first signed in, from 1."""
    is_here: bool = True


class NightRound(Struct):
    number: int
    seats: dict[str, tuple[str, ...]]
    byes: tuple[str, ...]
    reasons: dict[str, SeatingReason]
    started_at: float | None = None
    ends_at: float = 0.0
    ended_at: float | None = None

    def table_of(self, name: str) -> str:
        """Where this player sits; "" if they do not play in this round."""
        return next((table for table, names in self.seats.items() if name in names), "")


class Night(Struct):
    number: int
    begun_at: float
    plan: NightOpened
    players: dict[str, NightPlayer] = field(default_factory=dict)
    """In the order in which they arrived."""
    rounds: list[NightRound] = field(default_factory=list)
    closed_at: float | None = None

    @property
    def present(self) -> list[str]:
        return [player.name for player in self.players.values() if player.is_here]

    @property
    def round(self) -> NightRound | None:
        """The newest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def next_round(self) -> int:
        """The number of the round that would be seated now: the newest one again if it has not started."""
        newest = self.round
        return 1 if newest is None else newest.number + (newest.started_at is not None)


class HallBox(Struct):
    game: str
    name: str
    printed: str
    tags: str
    table: str = ""
    """Where it is being used; "" if it is free."""


class HallState:
    """The fold of the log. Only `take` changes it."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the newest entry."""
        self.club_id = self.club = ""
        self.tables: dict[str, HallTable] = {}
        self.cards: dict[str, str] = {}
        """Player card → name."""
        self.nights: list[Night] = []
        self.results: dict[str, ResultReported] = {}
        """By key, the newest revision of each."""
        self.boxes: dict[tuple[str, str], HallBox] = {}
        """By game and name."""

    @property
    def night(self) -> Night | None:
        """The night that is open."""
        return self.nights[-1] if self.nights and self.nights[-1].closed_at is None else None

    def results_of(self, night: int, round_number: int | None = None) -> Iterator[ResultReported]:
        """The finished games of a night, or of one of its rounds."""
        for result in self.results.values():
            if result.night == night and result.finished and round_number in (None, result.round):
                yield result

    def take_all(self, entries: Iterable[LogEntry]) -> None:
        for entry in entries:
            self.take(entry)

    def take(self, entry: LogEntry) -> None:
        """Fold one more entry. One that was taken before is skipped."""
        if entry.number <= self.last:
            return
        self.last = entry.number
        match entry.event:
            case ClubFounded(club_id, name):
                self.club_id, self.club = club_id, name
            case TableJoined(table, credential):
                self.tables[table] = HallTable(table, credential, entry.at)
            case TableRemoved(table):
                self.tables.pop(table, None)
            case CardLinked(card, name):
                self.cards[card] = name
            case ResultReported(key) as result:
                if key not in self.results or self.results[key].revision < result.revision:
                    self.results[key] = result
            case BoxShared(game, box, printed, tags):
                known = self.boxes.get((game, box))
                self.boxes[game, box] = HallBox(game, box, printed, tags, known.table if known else "")
            case BoxTaken(game, box, table):
                self._take_box(game, box, table)
            case NightOpened() as plan:
                self.nights.append(Night(len(self.nights) + 1, entry.at, plan))
            case other if self.night is not None:
                self._take_in_night(self.night, other, entry.at)

    def _take_box(self, game: str, box: str, table: str) -> None:
        """A table has one box of a game."""
        for each in self.boxes.values():
            if each.game == game and each.table == table:
                each.table = ""
        if (game, box) in self.boxes:
            self.boxes[game, box].table = table

    def _take_in_night(self, night: Night, event: AnyEvent, at: float) -> None:
        newest = night.round
        match event:
            case SignedIn(name):
                known = night.players.get(name)
                if known is None:
                    night.players[name] = NightPlayer(name, night.next_round)
                else:
                    known.is_here = True
            case SignedOut(name) if name in night.players:
                night.players[name].is_here = False
            case RoundSeated(number, seats, byes, reasons):
                if newest is not None and newest.number == number:
                    night.rounds.pop()
                elif newest is not None and newest.ended_at is None:
                    newest.ended_at = at
                night.rounds.append(NightRound(number, seats, byes, reasons))
            case NightClosed():
                night.closed_at = at
                if newest is not None and newest.ended_at is None:
                    newest.ended_at = at
                for box in self.boxes.values():
                    box.table = ""
            case other if newest is not None:
                _take_in_round(newest, other, at)


def _take_in_round(newest: NightRound, event: AnyEvent, at: float) -> None:
    match event:
        case RoundStarted(ends_at):
            newest.started_at, newest.ends_at = at, ends_at
        case ClockSet(ends_at):
            newest.ends_at = ends_at
        case RoundEnded():
            newest.ended_at = at
        case _:
            pass
