"""Turns a signal into its meaning: an action, an answer to a question that is open, or an aside.

Every signal has exactly one meaning. An aside is shown on every screen, so its facts never tell which of a player's
pieces it was about.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from companion.games.game import Aside, Button, Draft, Game, Gesture, Laid, Seat
from companion.table.pieces import Pack
from companion.table.presence import Presence
from companion.table.signals import (
    CENTRE,
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)

BUTTONS = ("green", "red")


class Desk(Struct, frozen=True):
    """What stands on this table: the kit, which tag sits on which piece, who sits at which pad."""

    kit: Literal["none", "one", "full"]
    pack: Pack
    pads: dict[str, Seat] = {}


# --- Meanings -------------------------------------------------------------------------------------------------


class Do(Struct, frozen=True):
    """An action, for the rules to judge."""

    action: Any

    def __repr__(self) -> str:
        """Without what the action holds: it may be a secret, and a repr ends up in logs."""
        return f"Do({type(self.action).__name__})"


class TakeBack(Struct, frozen=True):
    """The newest action is to be taken back."""


class Agreement(Struct, frozen=True):
    """This seat agrees to the question; None: the next one whose answer is missing."""

    seat: Seat | None


class Disagreement(Struct, frozen=True):
    """Somebody does not agree to the question."""


class Again(Struct, frozen=True):
    """One more game with the same people."""


Meaning: TypeAlias = Do | TakeBack | Again | Agreement | Disagreement | Draft | Aside


# --- From signal to meaning -----------------------------------------------------------------------------------


def interpret(  # noqa: PLR0913, PLR0917 — all that a meaning depends on, one by one
    desk: Desk, presence: Presence, game: Game[Any, Any], state: Any, asked: bool, signal: Signal, so_far: Any = None
) -> tuple[Presence, Meaning]:
    """What a signal means in this state. `asked`: a question to everybody is open. `so_far`: half an action."""
    after = presence.after(signal)
    match signal:
        case ReaderFault(station, _, problem):
            return after, Aside("noted", "reader fault", {"station": station, "problem": problem})
        case LinkUp(station):
            return after, Aside("noted", "link up", {"station": station})
        case LinkDown(station, _, problem):
            return after, Aside("noted", "link down", {"station": station, "problem": problem})
        case Connecting(station):
            return after, Aside("noted", "connecting", {"station": station})
        case Missed(station):
            return after, Aside("unknown", "missed", {"station": station})
        case TagsUnclear(station):
            return after, Aside("unknown", "unclear", {"station": station})
        case TagFound():
            return after, _found(desk, presence, game, state, asked, signal)
        case TagRemoved():
            return after, Aside("idle", "lifted")
    gesture = _gesture(desk, presence, signal)
    if isinstance(gesture, Aside):
        return after, gesture
    return after, _answer(game, state, gesture) if asked else _meaning(game, state, gesture, so_far)


def _found(  # noqa: PLR0913, PLR0917 — as above
    desk: Desk, presence: Presence, game: Game[Any, Any], state: Any, asked: bool, signal: TagFound
) -> Meaning:
    """A tag that lies there when a reader comes back was laid there meanwhile: on a pad it means what it always means.
    At a reader that has only just been connected it may lie there since long ago, and on the centre it may have been
    told by hand: so it means nothing until it is lifted and laid down again."""
    gesture = _gesture(desk, presence, signal)
    if isinstance(gesture, Aside):
        return gesture
    meaning = Aside("idle", "answer first") if asked else _meaning(game, state, gesture, None)
    if isinstance(meaning, Aside):
        return Aside("idle", "found", {"station": signal.station})
    if signal.station == CENTRE or signal.station not in presence.met:
        return Aside("noted", "lay it again", {"station": signal.station})
    return meaning


def _gesture(desk: Desk, presence: Presence, signal: TagPlaced | TagFound | Pressed | Held) -> Gesture | Aside:
    if desk.kit == "none":
        return Aside("idle", "no readers")
    if isinstance(signal, TagPlaced | TagFound) and signal.uid not in desk.pack.tags:
        return Aside("unknown", "unknown tag", {"uid": signal.uid})
    if signal.station != CENTRE and signal.station not in desk.pads:
        return Aside("foreign", "empty pad", {"station": signal.station})
    if isinstance(signal, Pressed | Held) and signal.button not in BUTTONS:
        return Aside("foreign", "unknown button", {"station": signal.station})
    if presence.repeats(signal):
        return Aside("repeated", "pressed already" if isinstance(signal, Pressed | Held) else "lies there already")
    seat = desk.pads.get(signal.station)
    if isinstance(signal, Pressed | Held):
        return Button(signal.button, seat, isinstance(signal, Held))
    return Laid(desk.pack.tags[signal.uid], seat)


def _answer(game: Game[Any, Any], state: Any, gesture: Gesture) -> Meaning:
    """To an open question green says yes and red no. A piece speaks for its owner, but only on the centre: one that is
    laid on a pad just now was meant for the game."""
    if isinstance(gesture, Button):
        return Agreement(gesture.seat) if gesture.colour == "green" else Disagreement()
    owner = gesture.piece.owner
    if gesture.seat is not None or owner is None:
        return Aside("idle", "answer first")
    if not any(thing.owner == owner for thing, _ in game.whereabouts(state)):
        return Aside("foreign", "not in play")
    return Agreement(owner)


def _meaning(game: Game[Any, Any], state: Any, gesture: Gesture, so_far: Any) -> Meaning:
    """Red, held, takes back: from half an action its last part, which the game knows, else the newest whole one. Green,
    held when the game is over, begins another one."""
    if game.continued and so_far is not None:
        meaning = game.continued(state, so_far, gesture)
    elif isinstance(gesture, Button) and gesture.held and gesture.colour == "red":
        return TakeBack()
    elif isinstance(gesture, Button) and gesture.held and game.awaiting(state) is None:
        return Again()
    else:
        meaning = game.meaning(state, gesture)
    if isinstance(meaning, Aside | Draft):
        return meaning
    return Do(meaning)
