"""What a screen needs to know before a game begins: the past evenings, and what can be started."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.gamekit.snapshot import Result
from companion.stations import Kit

USUAL_GAME = "lascaux"
"""The game that is suggested first."""
USUAL_TITLE = "Lascaux"


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
    """Why it cannot be started now: its box is wrong, or its package fails. Then only its title is known."""


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
    winners: tuple[int, ...] = ()
    problem: str = ""
    sums: tuple[int, ...] = ()
    """The sums of a match; empty if there was only one game."""
    earlier: tuple[Result, ...] = ()
    """The games of the match before the newest one."""
    ended: bool = False
    """The match has ended, and the leader has won it."""
    title: str = ""
    """What people call the game; "" if it is not known."""
    package: str = ""
    """What has to be installed before it can go on, if it is "waiting"."""


class KitOffer(Struct, frozen=True):
    kit: Kit
    simulated: bool
    """There is no such hardware here; readers and hands are simulated."""


class PluggedOffer(Struct, frozen=True):
    """A USB reader that the owner has not yet agreed to use."""

    name: str
    is_certain: bool
    """False: only its serial converter is known, so it may be something else."""


class Wish(Struct, frozen=True):
    """An evening that people want to begin. Seats are in clockwise order."""

    game: str
    players: tuple[str, ...]
    simulated: tuple[int, ...]
    """The seats that the computer plays."""
    first: int
    options: dict[str, Any]
    kit: Kit
    phones: bool = False
    """Everybody's phone is a pad, for those who have one and want to."""


class Lobby(Protocol):
    """Takes players to their table. All methods may block for a moment, and raise CompanionError with a clear
    message."""

    def evenings(self) -> Sequence[PastEvening]:
        """Newest first, without those in which nothing has happened."""

    def remove(self, evening: str) -> None:
        """Put this evening into the folder for removed ones."""

    def games(self) -> Sequence[GameOffer]:
        """Every installed game, also one with a problem."""

    def kits(self) -> Sequence[KitOffer]:
        """What can be played with here, the best first."""

    def plugged(self) -> PluggedOffer | None:
        """A reader that could be used, while no other is wired. Looking for it disturbs no device."""

    def adopt(self) -> None:
        """The owner agrees: test that reader, and use it from now on."""

    def names(self) -> Sequence[str]:
        """Names to begin with: those of the newest evening, then ours."""

    def begin(self, wish: Wish) -> Path:
        """Create the evening and start its referee. Returns the socket where it listens."""

    def resume(self, evening: str) -> Path:
        """Resume an evening: start its referee, or find the running one. Returns the socket where it listens."""

    def leave(self) -> None:
        """The players leave the table; its referee may stop. Nothing is lost."""

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        """Until cancelled: call this with every button pressed at this table, its colour and whether it was held. Only
        while no referee listens to them."""

    @property
    def problem(self) -> str:
        """Why the referee of this table could not be kept running; "" if it could."""
