"""What a screen and its lobby tell each other before a game starts: past evenings, what can be played, and the plan
that people agree on."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Result
from companion.messages.phone_access import EnrolmentPhones
from companion.stations import Kit

USUAL_GAME = "lascaux"
"""The game if none is chosen."""
USUAL_TITLE = "Lascaux"
USUAL_LEVEL = "easy"
"""How well your neighbours play unless you choose otherwise: a newcomer can beat them, and has to think."""


class GamePlan(Struct, frozen=True):
    """What people agree on before a game starts: the set-up screen edits it, the command line says it. Seats are
    numbered clockwise. Nothing in it is checked yet."""

    game: str
    players: tuple[str, ...] = ()
    simulated: tuple[Seat, ...] = ()
    """The seats that the computer plays."""
    first: Seat = 0
    options: dict[str, Any] = {}
    kit: Kit | None = None
    """None: the devices in table.toml, or simulated pads."""
    deals: bool = False
    """Companion shuffles and deals: the players have no pieces of their own."""
    phones: bool = False
    """Players may use their phones as pads."""
    box: Path | None = None
    """None: the owner's own box, or the stand-in."""
    seed: int | None = None
    """Shuffles the simulated stack. None: by chance."""
    levels: dict[Seat, str] = {}
    """How well simulated players play, where that was said: "strong", "easy:bold"."""
    real: bool = False
    """Simulated players have real pieces, which persons move for them. Without readers they always have."""


class HallTablePlan(Struct, frozen=True):
    """What a table of a club night decides for itself: the hall says which game and who plays."""

    own: GamePlan = GamePlan("")
    """Its devices, and who deals."""
    computer: Mapping[str, str] | None = {}
    """Whom the computer plays if the hall seats them here, and how well ("": as usual). None: everybody."""


class OptionOffer(Struct, frozen=True):
    """A table option of a game, with the values that it may have; the first one is the default."""

    name: str
    values: tuple[Any, ...]


class GameOffer(Struct, frozen=True):
    name: str
    title: str
    """What people call it."""
    fewest: int
    most: int
    options: tuple[OptionOffer, ...]
    stand_in: bool
    """The box is a stand-in, not the owner's own."""
    problem: str = ""
    """Why it cannot be played now: its box is wrong, or its package fails. Then only the title is known."""


class PastEvening(Struct, frozen=True):
    id: str
    standing: Literal["open", "finished", "empty", "damaged", "refused", "waiting"]
    begun_at: float | None
    """Unix time in seconds."""
    game: str
    players: tuple[str, ...]
    games: int
    actions: int
    totals: tuple[int, ...] = ()
    winners: tuple[Seat, ...] = ()
    problem: str = ""
    sums: tuple[int, ...] = ()
    """The totals of a whole match; empty after a single game."""
    leaders: tuple[Seat, ...] = ()
    """Who has the best of them."""
    earlier: tuple[Result, ...] = ()
    """The games of the match before the newest one."""
    ended: bool = False
    """The match is over, and its leader has won it."""
    title: str = ""
    """What people call the game; "" if the game is not known."""
    package: str = ""
    """What has to be installed before it can be resumed, if it is "waiting"."""


class PlayerStanding(Struct, frozen=True):
    """A line of the table of players. Games with simulated players do not count."""

    name: str
    games: int
    wins: float
    """A shared victory counts as a share."""
    expected: float
    """What chance would give."""
    rating: str
    """27.3, or 12–38 as long as few games were played."""
    streak: int
    """Victories in a row, up to now."""


class Feat(Struct, frozen=True):
    """What the end of a game means beside the games before it."""

    kind: Literal["streak", "record", "first win"]
    name: str
    number: int
    """Of victories in a row, or the points."""


class KitOffer(Struct, frozen=True):
    kit: Kit
    simulated: bool
    """There is no such hardware here, so its readers are simulated."""
    deals: bool = False
    """Companion deals. At simulated readers it always does."""


class PluggedOffer(Struct, frozen=True):
    """A reader on USB that is not in table.toml yet."""

    name: str
    is_certain: bool
    """False: only its USB converter is known, so it may be something else."""


class HallOffer(Struct, frozen=True):
    """The hall to which this table belongs."""

    club: str
    table: str
    problem: str = ""
    """Why results do not reach it now; "" if they do."""


class PuzzleOffer(Struct, frozen=True):
    """A position of a finished game in which one of its players could have done better."""

    evening: str
    number: int
    """Which game of the evening, from 1."""
    step: int
    """How many actions came before it."""
    title: str
    """What people call the game."""
    player: str


class LaidCard(Struct, frozen=True):
    """A tag that was laid on a reader before a game: perhaps a player card."""

    uid: str
    name: str
    """The person to whom it belongs; "" if no person has it."""
    seat: Seat | None
    """The seat that has this reader in front of it; None for the centre."""


class GameAnalyses(Protocol):
    """Analyses of finished games."""

    def report(self, evening: str, game: int, language: str) -> Sequence[str]:
        """The analysis of this game of an evening, line by line. It may take minutes, unless `stop` ends it. Raises
        CompanionError."""

    def stop(self) -> None:
        """May be called twice."""


class Lobby(Protocol):
    """Lists evenings, and starts or resumes them. Every method may block for a moment, and raises CompanionError with a
    clear message."""

    def evenings(self) -> Sequence[PastEvening]:
        """Newest first, without those in which nothing has happened."""

    def remove(self, evening: str) -> None:
        """Move this evening to the folder for removed ones."""

    def games(self) -> Sequence[GameOffer]:
        """Every installed game. A problem of one does not affect the others."""

    def kits(self) -> Sequence[KitOffer]:
        """The devices that can be used here, the best first."""

    def plugged(self) -> PluggedOffer | None:
        """A reader that could be used, while none is in table.toml. Nothing is opened to find it."""

    def adopt(self) -> None:
        """Try that reader, and use it from now on."""

    def standings(self) -> Sequence[PlayerStanding]:
        """The table of players, the strongest first. It may take a moment."""

    def feat(self, evening: str, game: int) -> Feat | None:
        """What is special about the end of this game of an evening; None if nothing is."""

    def hall(self) -> HallOffer | None:
        """The hall from which this table can take its players; None if it belongs to none."""

    def take_table(self) -> Path:
        """Take players, seats and game from the hall, and start. Returns the socket where its referee listens."""

    def names(self) -> Sequence[str]:
        """Names to suggest: those of the newest evening, then ours."""

    def begin(self, plan: GamePlan) -> Path:
        """Write the first entry of a new evening and start its referee. Returns the socket where it listens."""

    def resume(self, evening: str) -> Path:
        """Start the referee of this evening, or find the running one. Returns the socket where it listens."""

    def replay(self, evening: str, game: int) -> Path:
        """Read this game of an evening, so that it can be paged through. Returns the socket where it is shown."""

    def puzzle(self) -> PuzzleOffer | None:
        """A puzzle from the games that were played here; None as long as there is none."""

    def solve(self, puzzle: PuzzleOffer) -> Path:
        """Set the table of this puzzle. Returns the socket where it is shown."""

    def leave(self) -> None:
        """The screen leaves the table, and its referee may stop. Nothing is lost."""

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        """Report every press of the table's own buttons (colour, held) until cancelled. Only while no referee listens
        to them."""

    async def cards(self, laid: Callable[[LaidCard], object]) -> None:
        """Report every tag on the table's readers, and those that phones read, until cancelled. Only while no referee
        listens to them."""

    @property
    def card_phones(self) -> EnrolmentPhones:
        """Phones that read player cards while `cards` runs. They have to be opened, and are closed with it."""

    @property
    def problem(self) -> str:
        """Why the referee of this table could not be kept running; "" if it could."""
