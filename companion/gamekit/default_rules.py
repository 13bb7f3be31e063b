"""The parts of a `Game` that follow from the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import fields, force_setattr

from companion.errors import BoxError
from companion.gamekit.box import read_box
from companion.gamekit.ending import tied_for_the_best
from companion.gamekit.game import (
    Aside,
    Awaiting,
    Game,
    Gesture,
    Laid,
    Part,
    Pushed,
    Refusal,
    Ruling,
    Score,
    Seat,
    Setup,
    Step,
    Thing,
    Whereabouts,
    awaited,
)
from companion.gamekit.seat_values import no_such_seat
from companion.gamekit.state_fields import (
    hints_of,
    is_secret,
    made_choices,
    own_view_of,
    per_player,
    players_of,
    seats,
    table_of,
    unchosen,
    whereabouts_of,
)
from companion.language.facts import Facts
from companion.toml import toml_text

TheGame = Game[Any, Any]


def complete(game: TheGame) -> None:
    """Each part that the game leaves out gets its default. Raises TypeError where none can be made."""
    if game.rules is not None:
        _follow(game, game.rules)
    _check(game)
    for name, part in (_parts(game) | _parts_from_fields(game)).items():
        if not getattr(game, name):
            force_setattr(game, name, part)


def _follow(game: TheGame, rules: Mapping[type, Callable[[Any, Any], Any]]) -> None:
    if game.actions is None:
        force_setattr(game, "actions", tuple(rules))
    if game.apply is None:
        force_setattr(game, "apply", lambda state, action: rules[type(action)](state, action))


def _parts(game: TheGame) -> dict[str, Any]:
    return {
        "standin": lambda: _standin(game.name),
        "parse_box": lambda text, origin: _parse_box(game.name, text, origin),
        "pieces": _no_pieces,
        "scores": lambda state: scores(game, state),
        "whereabouts": _nowhere,
        "apply": partial(judged, game),
        "at_table": partial(judged, game) if game.apply is None else game.apply,
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
    if game.actions is None:
        raise TypeError(f"{game.name}: the game must bring `actions` or `rules`")
    seatless = [action.__name__ for action in game.actions if not _has(action, "seat")]
    if seatless and game.awaiting is None and game.state is None:
        raise TypeError(f"{game.name}: {', '.join(seatless)} has no field 'seat', so the game must bring `awaiting`")
    if (game.standin is None) != (game.parse_box is None):
        raise TypeError(f"{game.name}: `standin` and `parse_box` belong together, and only one of them is there")
    for names in (("perform", "apply"), ("scores", "points"), ("table", "state")):
        if all(getattr(game, name) is None for name in names):
            raise TypeError(f"{game.name}: the game must bring `{names[0]}` or `{names[1]}`")


# --- What the fields of the state say -------------------------------------------------------------------------


def _parts_from_fields(game: TheGame) -> dict[str, Any]:
    """What marks tell: those of the state, of the struct that `table` returns, and of the actions."""
    parts: dict[str, Any] = {}
    secret = frozenset(action for action in game.actions if is_secret(action))
    if secret:
        parts["conceals"] = lambda action: action.seat if type(action) in secret else None
    shown = game.state if game.table is None else returned_by(game.table)
    if isinstance(shown, type) and issubclass(shown, Struct):
        parts |= {"per_player": per_player(shown), "seats": seats(shown)}
    if game.state is not None:
        made = made_choices(game.state)
        table = table_of(game.state) if game.table is None else game.table
        parts |= {
            "table": table,
            "view": table,
            "own_view": own_view_of(game.state),
            "whereabouts": None if game.pieces is None else whereabouts_of(game.state, game.pieces, game.face_down),
            "settled": made and (lambda state: settled(game, state, made(state))),
        }
        if made and game.face_down is not None:
            parts["offered"] = partial(believable, game)
            if game.apply is None:
                parts["at_table"] = partial(believed, game)
    return {name: part for name, part in parts.items() if part}


def returned_by(function: Callable[..., Any]) -> Any:
    """The type that a function says it returns; None: it says nothing that can be read."""
    return hints_of(function).get("return")


def settled(game: TheGame, state: Any, made: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Those whose choice is made, if they may change their minds."""
    awaiting = game.awaiting(state)
    return tuple(seat for seat in made if awaiting and seat in awaiting.seats)


def _has(action: type, name: str) -> bool:
    return any(field.name == name for field in fields(action))


# --- What is not legal is refused -----------------------------------------------------------------------------


def judged(game: TheGame, state: Any, action: Any) -> Step[Any] | Refusal:
    """What a legal action does, or why another one is refused."""
    legal = game.legal(state)
    return game.perform(state, action) if action in legal else refusal(game, state, action)


def believable(game: TheGame, state: Any) -> list[Any]:
    """Where players choose in secret from hands that the rules do not know: what would be possible if no card had been
    chosen yet. So it does not tell which cards the others have chosen."""
    awaiting = game.awaiting(state)
    seats = awaiting.seats if awaiting else ()
    return [action for action in game.legal(unchosen(state)) if getattr(action, "seat", None) in (None, *seats)]


def believed(game: TheGame, state: Any, action: Any) -> Step[Any] | Refusal:
    """A player at the table who names a card that another one hides is believed until the reveal: a refusal would
    tell."""
    return game.perform(state, action) if action in game.offered(state) else refusal(game, state, action)


def refusal(game: TheGame, state: Any, action: Any) -> Refusal:
    """The game's own reason, or one that all games have."""
    seat, players = getattr(action, "seat", None), _players(game, state)
    if seat is not None and not 0 <= seat < players:
        return no_such_seat(game.form, seat, players)
    own = game.refusal(state, action) if game.refusal else None
    if own is not None:
        return own
    awaiting = game.awaiting(state)
    if awaiting is None:
        return Refusal(game.form, "the game is over")
    if seat is not None and seat not in awaiting.seats:
        return Refusal(game.form, "wait for others", {"seat": seat, "seats": awaiting.seats})
    return Refusal(game.form, "not possible now")


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


def _no_pieces(box: Any) -> tuple[Thing, ...]:
    return ()


def _nowhere(state: Any) -> Whereabouts:
    return {}


# --- Who may do what, and who has won -------------------------------------------------------------------------


def awaiting(game: TheGame, state: Any) -> Awaiting | None:
    """All players who have a legal action; every player, where one of these has no seat."""
    legal = game.legal(state)
    if all(hasattr(kind, "seat") for kind in {*map(type, legal)}):
        return awaited(sorted({action.seat for action in legal}), legal)
    return awaited(range(_players(game, state)), legal)


def _players(game: TheGame, state: Any) -> int:
    count = players_of(game.state) if game.state else None
    return count(state) if count else len(game.scores(state))


def scores(game: TheGame, state: Any) -> tuple[Score, ...]:
    """The points alone."""
    assert game.points is not None  # see _check
    return tuple(
        Score(seat, (Part("points", points, "", "has points", {"seat": seat, "points": points}),))
        for seat, points in enumerate(game.points(state))
    )


def own_offers(game: TheGame, state: Any, seat: Seat) -> list[Any]:
    """The actions offered to this player."""
    return [action for action in game.offered(state) if getattr(action, "seat", None) == seat]


def winners(game: TheGame, state: Any) -> tuple[Seat, ...]:
    """All players with the best total."""
    return tied_for_the_best(game.scores(state), game.lowest_wins)


def tie_break(game: TheGame, state: Any, tied: tuple[Seat, ...]) -> Ruling:
    """Without a ruling: the game has not said which of its rules broke the tie."""
    facts: Facts = {"seats": tied, "seats_won": game.winners(state)}
    return Ruling(None, "tie for the fewest broken" if game.lowest_wins else "tie broken", facts)


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
    """The one action that a piece names, or that there is for a green button; else an aside. Where
    cards are face down, what a piece means must not tell where they are: so all that is offered counts."""
    legal = game.offered(state) if game.face_down else game.legal(state)
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
