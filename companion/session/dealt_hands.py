"""What Companion has dealt to persons, where they have no pieces of their own, and what each player alone may see."""

from collections.abc import Sequence
from typing import Any, Protocol, overload

from companion.gamekit.face_down import playable
from companion.gamekit.game import Seat, Thing, named
from companion.gamekit.simulated import PastStep, PastSteps
from companion.gamekit.snapshot import OwnView, StationState
from companion.messages.intentions import Peek
from companion.session.actions import CountedAction, CountedActions
from companion.session.evening import Evening
from companion.session.public_snapshot import kind_of


class Dealer(Protocol):
    """Knows the order of the simulated stack."""

    def table_does(self, game: str, state: Any) -> tuple[str, ...]: ...

    def from_hand(self, game: str, state: Any) -> tuple[str, ...]: ...

    def dealt(self, game: str, number: int, past: Sequence[PastStep], state: Any, seat: Seat) -> Sequence[Thing]: ...


class PastOf(PastSteps):
    def __init__(self, played: CountedActions) -> None:
        self._played = played

    def __len__(self) -> int:
        return len(self._played)

    @overload
    def __getitem__(self, index: int) -> PastStep: ...

    @overload
    def __getitem__(self, index: slice) -> list[PastStep]: ...

    def __getitem__(self, index: int | slice) -> PastStep | list[PastStep]:
        if isinstance(index, slice):
            return list(map(_past_step, self._played[index]))
        return _past_step(self._played[index])

    def mark(self, length: int) -> object:
        """The number of an action identifies all before it, until something is corrected."""
        return self._played.revision, self._played[length - 1].number if length else 0


def _past_step(played: CountedAction) -> PastStep:
    return PastStep(played.before, played.action, played.step.state)


def shown(dealer: Dealer | None, evening: Evening, devices: Sequence[StationState]) -> dict[str, Any]:
    """What a snapshot shows of it. When a reader fails, players enter on the screen what hands would do there."""
    if dealer is None:
        return {}
    game, state = evening.game.name, evening.state
    failing = any(device.state == "lost" for device in devices)
    return {
        "by_table": () if failing else dealer.table_does(game, state),
        "dealt": dealer.from_hand(game, state),
        "own": evening.game.own_view is not None or evening.game.face_down is not None,
        "deals": True,
    }


def own_view(dealer: Dealer | None, evening: Evening, peek: Peek) -> OwnView:
    """What this player alone may see, and may be offered while no other player looks."""
    game, seat = evening.game, peek.seat
    if seat not in range(len(evening.header.players)) or seat in evening.header.simulated:
        return OwnView(peek.id, seat, evening.number, None)  # no person sits there
    hand = game.own_view(evening.played_game.state_for(seat), seat) if game.own_view else None
    pieces, offered = held(dealer, evening, seat)
    return OwnView(peek.id, seat, evening.number, hand, offered, pieces)


def may_play(dealer: Dealer | None, evening: Evening, seat: Seat, piece: Thing) -> bool:
    """Whether an action that this player may do now names this piece. It depends on no other player's secrets."""
    awaiting = evening.game.awaiting(evening.state)
    waited_for = awaiting is not None and seat in awaiting.seats
    shared = [action for action in evening.game.offered(evening.state) if waited_for and not hasattr(action, "seat")]
    return any(piece.id in named(action) for action in (*held(dealer, evening, seat)[1], *shared))


def held(dealer: Dealer | None, evening: Evening, seat: Seat) -> tuple[tuple[Thing, ...], tuple[Any, ...]]:
    """What a person was dealt, and what may be offered to them. What is chosen from the hand has to be in the hand."""
    offered = tuple(evening.game.own_offers(evening.state, seat))
    if dealer is None:
        return (), offered
    past = PastOf(evening.played_game.played)
    pieces = tuple(dealer.dealt(evening.game.name, len(evening.results), past, evening.state, seat))
    names = {piece.id for piece in pieces}
    chosen = dealer.from_hand(evening.game.name, evening.state)
    if evening.game.face_down is not None:
        return pieces, tuple(playable(evening.game, evening.state, seat, names, offered))
    return pieces, tuple(action for action in offered if kind_of(action) not in chosen or named(action) & names)
