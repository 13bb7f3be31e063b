"""Turns a signal into its meaning: an action, an answer to an open question, or an aside.

Every signal has exactly one meaning. Every screen shows an aside, so its facts never name one of a player's pieces.
"""

from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Aside, Draft, Game, Gesture, Laid, Pushed, Refusal, Seat
from companion.stations import BUTTON_COLOURS, CENTRE, Kit
from companion.table.pieces import Pack, introduced
from companion.table.presence import Presence
from companion.table.signals import (
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Missed,
    Pressed,
    ReaderFault,
    Remarked,
    Signal,
    TagFound,
    TagIntroduced,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
    TagTapped,
)


class SeatPads(Struct, frozen=True):
    """The kit on this table, the tag of each piece, and the seat of each pad."""

    kit: Kit
    pack: Pack
    pads: dict[str, Seat] = {}

    def acquainted(self, game: Game[Any, Any], box: Any, met: TagIntroduced) -> "SeatPads":
        """With a tag that has said which piece it is on, if this box has that piece."""
        return replace(self, pack=introduced(self.pack, game, box, met.uid, met.text))


# --- Meanings -------------------------------------------------------------------------------------------------


class Do(Struct, frozen=True):
    """An action, for the rules to judge."""

    action: Any

    def __repr__(self) -> str:
        """Without what the action holds: it may be a secret, and a repr ends up in logs."""
        return f"Do({type(self.action).__name__})"


class TakeBack(Struct, frozen=True):
    """Undo the newest action."""


class Agreement(Struct, frozen=True):
    """This seat agrees to the question; None: the next seat whose answer is missing."""

    seat: Seat | None


class Disagreement(Struct, frozen=True):
    """A player does not agree to the question."""


class Leaf(Struct, frozen=True):
    """Turn this many pages of the preparation, forwards or back; None: to its end."""

    by: int | None


class Again(Struct, frozen=True):
    """One more game with the same players."""


Meaning: TypeAlias = Do | TakeBack | Leaf | Again | Agreement | Disagreement | Draft | Aside


# --- From signal to meaning -----------------------------------------------------------------------------------


def interpret(  # noqa: PLR0912, PLR0913, PLR0917 — all that a meaning depends on, and a case for each kind of signal
    seat_pads: SeatPads,
    presence: Presence,
    game: Game[Any, Any],
    state: Any,
    asked: bool,
    signal: Signal,
    so_far: Any = None,
    preparing: bool = False,
) -> tuple[Presence, Meaning]:
    """What a signal means in this state. `asked`: a question to all players is open. `so_far`: half an action.
    `preparing`: the screen shows how to set the table up."""
    after = presence.after(signal)
    match signal:
        case ReaderFault(station, _, problem) | LinkDown(station, _, problem) if not _has_reader(seat_pads, station):
            return after, Aside("noted", "unit lost", {"station": station, "problem": problem})
        case ReaderFault(station, _, problem):
            return after, Aside("noted", "reader fault", {"station": station, "problem": problem})
        case LinkUp(station):
            return after, _reconcile(seat_pads, presence, game, state, asked, station)
        case LinkDown(station, _, problem):
            return after, Aside("noted", "link down", {"station": station, "problem": problem})
        case Remarked(station, _, problem):
            return after, Aside("noted", "remark", {"station": station, "problem": problem})
        case Connecting(station):
            return after, Aside("noted", "connecting", {"station": station})
        case Missed(station):
            return after, Aside("unknown", "missed", {"station": station})
        case TagsUnclear(station):
            return after, Aside("unknown", "unclear", {"station": station})
        case TagIntroduced(station):
            return after, Aside("idle", "found", {"station": station})
        case TagFound(station):
            gesture = _gesture(seat_pads, presence, signal)
            return after, gesture if isinstance(gesture, Aside) else Aside("idle", "found", {"station": station})
        case TagRemoved():
            return after, Aside("idle", "lifted")
    gesture = _gesture(seat_pads, presence, signal)
    if isinstance(gesture, Aside):
        return after, gesture
    if preparing and isinstance(gesture, Pushed) and not (gesture.held and gesture.colour == "red"):
        return after, _leaf(gesture)
    return after, _answer(game, state, gesture) if asked else _meaning(game, state, gesture, so_far)


def _has_reader(seat_pads: SeatPads, station: str) -> bool:
    """The Pi's own buttons are a station without a reader."""
    return station == CENTRE or station in seat_pads.pads


def _reconcile(  # noqa: PLR0913, PLR0917 — as above
    seat_pads: SeatPads, presence: Presence, game: Game[Any, Any], state: Any, asked: bool, station: str
) -> Meaning:
    """A station is ready again. If one piece was laid on a pad meanwhile, it means what it always means. Otherwise we
    do not guess, and players lay the piece again: if there are several; if the reader was never ready before, because
    the piece may have been there for long; and on the centre, because players may have entered it on the screen."""
    seat, known = seat_pads.pads.get(station), seat_pads.pack.tags
    found = [Laid(known[uid], seat) for uid in presence.found.get(station, ()) if uid in known]
    meant = [meaning for laid in found if _counts(game, state, meaning := _meaning(game, state, laid, None))]
    if not meant or seat_pads.kit == "none" or (seat is None and station != CENTRE):
        return Aside("noted", "link up", {"station": station})
    if len(meant) > 1 or asked or station == CENTRE or station not in presence.met:
        return Aside("noted", "lay it again", {"station": station})
    return meant[0]


def _counts(game: Game[Any, Any], state: Any, meaning: Meaning) -> bool:
    """Whether it would change something."""
    if isinstance(meaning, Do):
        return not isinstance(game.at_table(state, meaning.action), Refusal)
    return isinstance(meaning, Draft)


def _gesture(
    seat_pads: SeatPads, presence: Presence, signal: TagPlaced | TagTapped | TagFound | Pressed | Held
) -> Gesture | Aside:
    """Phones are readers at every table, whatever its kit."""
    if seat_pads.kit == "none" and not isinstance(signal, TagTapped):
        return Aside("idle", "no readers")
    if isinstance(signal, TagPlaced | TagTapped | TagFound) and signal.uid not in seat_pads.pack.tags:
        return Aside("unknown", "unknown tag", {"uid": signal.uid})
    if signal.station != CENTRE and signal.station not in seat_pads.pads:
        return Aside("foreign", "empty pad", {"station": signal.station})
    if isinstance(signal, Pressed | Held) and signal.button not in BUTTON_COLOURS:
        return Aside("foreign", "unknown button", {"station": signal.station})
    if presence.repeats(signal):
        return _again(signal)
    seat = seat_pads.pads.get(signal.station)
    if isinstance(signal, Pressed | Held):
        return Pushed(signal.button, seat, isinstance(signal, Held))
    return Laid(seat_pads.pack.tags[signal.uid], seat)


def _again(signal: TagPlaced | TagTapped | TagFound | Pressed | Held) -> Aside:
    match signal:
        case Pressed() | Held():
            return Aside("repeated", "pressed already")
        case TagTapped():
            return Aside("repeated", "touched already")
    return Aside("repeated", "lies there already")


def _answer(game: Game[Any, Any], state: Any, gesture: Gesture) -> Meaning:
    """Green answers an open question with yes, red with no. A piece answers for its owner, but only on the centre: on a
    pad it was meant for the game."""
    if isinstance(gesture, Pushed):
        return Agreement(gesture.seat) if gesture.colour == "green" else Disagreement()
    owner = gesture.piece.owner
    if gesture.seat is not None or owner is None:
        return Aside("idle", "answer first")
    if not any(thing.owner == owner for thing, _ in game.whereabouts(state)):
        return Aside("foreign", "not in play")
    return Agreement(owner)


def _leaf(button: Pushed) -> Leaf:
    """Green is the next page, held the end of them all; red is the page before."""
    if button.colour == "red":
        return Leaf(-1)
    return Leaf(None if button.held else 1)


def _meaning(game: Game[Any, Any], state: Any, gesture: Gesture, so_far: Any) -> Meaning:
    """Red, held, means undo: of the last part of half an action, which the game knows, otherwise of the newest action.
    Green, held when the game is over, begins another one."""
    if game.continued and so_far is not None:
        meaning = game.continued(state, so_far, gesture)
    elif isinstance(gesture, Pushed) and gesture.held and gesture.colour == "red":
        return TakeBack()
    elif isinstance(gesture, Pushed) and gesture.held and game.awaiting(state) is None:
        return Again()
    else:
        meaning = game.meaning(state, gesture)
    if isinstance(meaning, Aside | Draft):
        return meaning
    return Do(meaning)
