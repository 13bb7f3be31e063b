"""What simulated players of any game have in common: they look at a snapshot and decide what their hands do next."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from companion.gamekit.game import Seat, Thing
from companion.gamekit.snapshot import Snapshot

FOLDED = 64
"""After how many steps of the past what it comes to is kept."""
TAP_MS = 400
"""How long a piece that is tapped stays on the reader."""


# --- What hands can do ----------------------------------------------------------------------------------------


class Tap(Struct, frozen=True):
    """A piece touches the centre, or the pad of a seat, and is taken away again."""

    piece: Thing
    seat: Seat | None = None
    for_ms: int = TAP_MS


class Lay(Struct, frozen=True):
    """A piece is laid on its player's pad and replaces the one there; with one reader it is tapped on that."""

    piece: Thing
    seat: Seat
    for_ms: int = TAP_MS


class Clear(Struct, frozen=True):
    """The pieces on this pad are taken away; None: on all pads."""

    seat: Seat | None = None


class Press(Struct, frozen=True):
    """A button at the pad of a seat, or at the centre."""

    button: Literal["green", "red"]
    seat: Seat | None
    held: bool = False


class Stray(Struct, frozen=True):
    """A tag that belongs to nothing: a key ring, a travel card."""

    uid: str


class Say(Struct, frozen=True):
    """An action is chosen on the screen, because no reader or button could tell it."""

    action: Any
    thought: "Expectation | None" = None
    """What a player who searches expected of it."""


class Expectation(Struct, frozen=True, omit_defaults=True):
    """Why a player who searches did what it did. It may hold a secret, until all that it rests on has come to light."""

    worth: float
    """From 0 to 1: about how likely the action leads to a victory, as far as this player could know."""
    other: dict[str, Any] | None = None
    """The best of all other actions; None: there was nothing else to do."""
    other_worth: float = 0.0
    held: tuple[str, ...] = ()
    """The pieces in this player's hand, where the rules do not know them."""

    def __repr__(self) -> str:
        """Without what it holds: a repr ends up in logs."""
        return "Expectation()"


HandAct: TypeAlias = Tap | Lay | Clear | Press | Stray | Say


# --- Who moves them -------------------------------------------------------------------------------------------


class NextAct(Struct, frozen=True):
    """What the hands of one player do next: think, do something on the way, do what counts, tidy up."""

    seat: Seat
    think_ms: int
    act: HandAct
    first: tuple[HandAct, ...] = ()
    then: tuple[HandAct, ...] = ()
    twice: bool = False
    """What counts is done twice, in one movement."""
    decides: bool = True
    """Whether the player has made a decision; not so where anybody's hands do it for the table: draw, deal, propose the
    end."""


class Players(Protocol):
    """The players of one game. They know what they see, and their own secrets."""

    memory: Any
    """What they remember; never changed in place, so that an earlier one can be put back."""

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        """What comes next; None when only a person can go on."""

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        """What hands might do wrong just before this plan. Nothing of it may change the game."""


class Holding(Protocol):
    """Players of a game whose rules do not know what is in their hands: what `Players` may have besides."""

    def held(self, snapshot: Snapshot, seat: Seat) -> frozenset[str]:
        """The ids of the pieces in this simulated player's hand."""


class PastStep(Struct, frozen=True):
    """An action that counts, and the states around it."""

    before: Any
    action: Any
    after: Any


T = TypeVar("T")


class PastSteps(Sequence[PastStep]):
    """All that was done in a game and counts."""

    @abstractmethod
    def mark(self, length: int) -> object:
        """As long as it stays equal the first steps, as many as this, are the same as they were."""


class Folded(Generic[T]):
    """What the past comes to, step by step. Asked again it takes the new steps only; after an undo it goes on from
    where it was a little earlier. `take` must not change the value that it is given."""

    def __init__(self, begin: T, take: Callable[[T, PastStep], T]) -> None:
        self._begin, self._take = begin, take
        self._kept: list[tuple[int, object, T]] = []
        """After so many steps, with their mark: every so often one for good, and the newest."""

    def over(self, past: Sequence[PastStep]) -> T:
        mark = past.mark if isinstance(past, PastSteps) else None
        while self._kept and (mark is None or not self._holds(past, mark)):
            del self._kept[-1]
        length, _, value = self._kept[-1] if self._kept else (0, None, self._begin)
        for index in range(length, len(past)):
            value = self._take(value, past[index])
            if mark and (index + 1) % FOLDED == 0:
                self._keep(index + 1, mark(index + 1), value)
        if mark and len(past) > length:
            self._keep(len(past), mark(len(past)), value)
        return value

    def _holds(self, past: Sequence[PastStep], mark: Callable[[int], object]) -> bool:
        length, then, _ = self._kept[-1]
        return length <= len(past) and mark(length) == then

    def _keep(self, length: int, mark: object, value: T) -> None:
        if self._kept and self._kept[-1][0] % FOLDED:
            del self._kept[-1]
        if not self._kept or self._kept[-1][0] < length:
            self._kept.append((length, mark, value))


class Dealing(Protocol):
    """Players of a game whose simulated stack deals to persons as well: what `Players` may have besides.

    It is asked on a simulated table only. At a real one the player says which piece it was."""

    deals: bool
    """Whether it does: then what persons hold is in no simulated hand and in no simulated stack."""

    def table_does(self, state: Any) -> tuple[str, ...]:
        """The kinds of action (`do`) that simulated hands do for all players now, such as drawing a card."""

    def from_hand(self, state: Any) -> tuple[str, ...]:
        """The kinds of action for which a person chooses from the pieces that they were dealt."""

    def dealt(self, game: int, past: Sequence[PastStep], state: Any, seat: Seat) -> Sequence[Thing]:
        """What this person holds in this state of this game of the match, after all that was done: always the same,
        after a restart and after an undo as well."""


def chance(seed: int, *situation: int | str) -> Random:
    """Chance that depends only on the situation: the same situation gives the same decision, even after a restart."""
    return Random("/".join(map(str, (seed, *situation))))


@lru_cache(maxsize=64)
def shuffled(pieces: tuple[str, ...], seed: int, *situation: int | str) -> tuple[str, ...]:
    """A stack as this chance shuffles it: always in the same order."""
    stack = [*pieces]
    chance(seed, *situation).shuffle(stack)
    return tuple(stack)
