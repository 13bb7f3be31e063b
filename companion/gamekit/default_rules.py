"""The parts of a `Game` that follow from the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import fields

from companion.errors import BoxError
from companion.gamekit.box import read_box
from companion.gamekit.ending import tied_for_the_best
from companion.gamekit.game import (
    Aside,
    Awaiting,
    Game,
    Gesture,
    Laid,
    Pushed,
    Ruling,
    Seat,
    Setup,
    Thing,
    Whereabouts,
)
from companion.toml import toml_text

TheGame = Game[Any, Any]


def parts_for(game: TheGame) -> Mapping[str, Callable[..., Any]]:
    """A default for every part that may be left out. Raises TypeError where none can be made."""
    _check(game)
    return {
        "standin": lambda: _standin(game.name),
        "parse_box": lambda text, origin: _parse_box(game.name, text, origin),
        "pieces": lambda _box: (),
        "whereabouts": _nowhere,
        "at_table": game.apply,
        "offered": game.legal,
        "own_offers": lambda state, seat: own_offers(game, state, seat),
        "awaiting": lambda state: awaiting(game, state),
        "winners": lambda state: winners(game, state),
        "tie_break": lambda state, tied: tie_break(game, state, tied),
        "shared": lambda state, winners: shared(game, state, winners),
        "rematch": rematch,
        "view": game.table,
        "conceals": _nobody,
        "meaning": lambda state, gesture: meaning(game, state, gesture),
    }


def _check(game: TheGame) -> None:
    seatless = [action.__name__ for action in game.actions if not _has(action, "seat")]
    if seatless and game.awaiting is None:
        raise TypeError(f"{game.name}: {', '.join(seatless)} has no field 'seat', so the game must bring `awaiting`")
    if (game.standin is None) != (game.parse_box is None):
        raise TypeError(f"{game.name}: `standin` and `parse_box` belong together, and only one of them is there")


def _has(action: type, name: str) -> bool:
    return any(field.name == name for field in fields(action))


# --- Components -----------------------------------------------------------------------------------------------


class EmptyBox(Struct, frozen=True, forbid_unknown_fields=True):
    """The box of a game without components."""

    game: str
    provenance: Literal["enrolled"] = "enrolled"


def _standin(name: str) -> str:
    return toml_text({"game": name})


def _parse_box(name: str, text: str, origin: str) -> EmptyBox:
    box = read_box(text, origin, EmptyBox, _nothing_wrong)
    if box.game != name:
        raise BoxError(f"{origin}: game: expected {name!r}, found {box.game!r}")
    return box


def _nothing_wrong(box: EmptyBox) -> Iterable[str]:
    return ()


def _nowhere(state: Any) -> Whereabouts:
    return {}


# --- Who may do what, and who has won -------------------------------------------------------------------------


def awaiting(game: TheGame, state: Any) -> Awaiting | None:
    """All players who have a legal action."""
    legal = game.legal(state)
    if not legal:
        return None
    seats = sorted({action.seat for action in legal})
    return Awaiting(tuple(seats), tuple(dict.fromkeys(_do(action) for action in legal)))


def own_offers(game: TheGame, state: Any, seat: Seat) -> list[Any]:
    """The actions offered to this player."""
    return [action for action in game.offered(state) if getattr(action, "seat", None) == seat]


def winners(game: TheGame, state: Any) -> tuple[Seat, ...]:
    """All players with the best total."""
    return tied_for_the_best(game.scores(state), game.lowest_wins)


def tie_break(game: TheGame, state: Any, tied: tuple[Seat, ...]) -> Ruling:
    """Without a ruling: the game has not said which of its rules broke the tie."""
    what = "tie for the fewest broken" if game.lowest_wins else "tie broken"
    return Ruling(None, what, {"seats": tied, "seats_won": game.winners(state)})


def shared(game: TheGame, state: Any, winners: tuple[Seat, ...]) -> Ruling:
    """Without a ruling: all that is known of the game is that their totals are equal."""
    total = next(score.total for score in game.scores(state) if score.seat == winners[0])
    return Ruling(None, "victory shared", {"seats": winners, "points": total})


def rematch(setup: Setup) -> tuple[Seat, dict[str, Any]]:
    """The next seat starts, with the same options."""
    return (setup.first + 1) % setup.players, {}


def _nobody(action: Any) -> None:
    return None


# --- What hands mean ------------------------------------------------------------------------------------------


def meaning(game: TheGame, state: Any, gesture: Gesture) -> Any:
    """The one legal action that a piece names, or that there is for a green button; else an aside."""
    legal = game.legal(state)
    if isinstance(gesture, Laid):
        meant = [action for action in legal if _names(action, gesture.piece) and _is_by(action, gesture)]
    elif isinstance(gesture, Pushed) and gesture.colour == "green":
        meant = [action for action in legal if gesture.seat in (None, getattr(action, "seat", None))]
    else:
        meant = []
    if len(meant) == 1:
        return meant[0]
    return Aside("idle", "say it on the screen" if meant else "means nothing now")


def _names(action: Any, piece: Thing) -> bool:
    return piece.id != "" and any(value == piece.id for value in _values(action))


def _values(action: Any) -> Iterator[Any]:
    return (getattr(action, name) for name in action.__struct_fields__ if name != "seat")


def _is_by(action: Any, laid: Laid) -> bool:
    """A piece acts for its owner, a pad for its seat; a piece without owner on the centre acts for any player."""
    who = laid.piece.owner if laid.piece.owner is not None else laid.seat
    return who is None or getattr(action, "seat", who) == who


def _do(action: Any) -> str:
    return str(action.__struct_config__.tag)
