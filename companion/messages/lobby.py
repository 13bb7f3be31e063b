"""What a screen needs to know before a game is on the table: which evenings there were, and what can be begun."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.gamekit.snapshot import Result
from companion.stations import Kit

USUAL_GAME = "lascaux"
"""What is played if nobody says what."""
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
    """Why it cannot be begun now: its box is wrong, or its package fails. Then nothing else is known but its title."""


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
    """Of a match, all its games added up; empty where there was only one."""
    earlier: tuple[Result, ...] = ()
    """The games of the match before the newest one."""
    ended: bool = False
    """The match has ended: whoever leads has won it."""
    title: str = ""
    """What people call the game; "" if nobody knows which it was."""
    package: str = ""
    """What has to be installed before it can go on, if it is "waiting"."""


class KitOffer(Struct, frozen=True):
    kit: Kit
    simulated: bool
    """There is no such hardware here: its readers and hands are simulated."""


class PluggedOffer(Struct, frozen=True):
    """A reader on USB that nobody has agreed to play with yet."""

    name: str
    is_certain: bool
    """Otherwise only its converter is known: it may be something else."""


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
    """Takes people to their table. All of it may block for a moment, and raises CompanionError with a clear message."""

    def evenings(self) -> Sequence[PastEvening]:
        """Newest first, without those in which nothing has happened."""

    def remove(self, evening: str) -> None:
        """Put this evening into the folder for removed ones."""

    def games(self) -> Sequence[GameOffer]:
        """Every game that is installed; one with a problem is in nobody else's way."""

    def kits(self) -> Sequence[KitOffer]:
        """What can be played with here, the best first."""

    def plugged(self) -> PluggedOffer | None:
        """A reader that could be played with, while nothing is wired. Looking for it disturbs nobody."""

    def adopt(self) -> None:
        """Somebody agrees: ask that reader, and play with it from now on."""

    def names(self) -> Sequence[str]:
        """Names to begin with: those of the newest evening, then ours."""

    def begin(self, wish: Wish) -> Path:
        """Write the evening down and start its referee. The socket where it listens."""

    def resume(self, evening: str) -> Path:
        """Go on with an evening: start its referee, or find the one that is at work. The socket where it listens."""

    def leave(self) -> None:
        """The people leave the table; its referee may go. Nothing is lost."""

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        """Until cancelled: every press of a button on this table, by its colour and whether it was held. For as long as
        no referee listens to them."""

    @property
    def problem(self) -> str:
        """Why the referee of this table could not be kept at work; "" if it could."""
