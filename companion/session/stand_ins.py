"""Stand-ins: a game judged from public information, with other actions in the place of those that are still hidden.

All players learn whether an action can be corrected. So this is judged from what all of them know: each hidden action
is replaced by the first one that would have looked exactly like it. What is really hidden makes no difference.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec.structs import replace

from companion.gamekit.game import Game, Refusal, Seat, Step

if TYPE_CHECKING:
    from companion.session.played_game import CountedAction

Fate: TypeAlias = Literal["open", "hidden", "replaced"]


def fates(game: Game[Any, Any], played: Sequence["CountedAction"]) -> list[Fate]:
    """What became of each action: a secret is open once a step reveals it, unless its player replaced it before
    that."""
    found: list[Fate] = []
    coming: dict[Seat, Fate | Literal["revealed"]] = {}
    for each in reversed(played):
        coming.update(dict.fromkeys(each.step.revealed, "revealed"))
        fate: Fate = "open"
        seat = game.conceals(each.action)
        if seat is not None:
            ahead = coming.get(seat, "hidden")
            fate = "open" if ahead == "revealed" else "hidden" if ahead == "hidden" else "replaced"
            coming[seat] = fate
        found.append(fate)
    return found[::-1]


def seat_of(action: Any) -> Seat | None:
    """Whose action it is; None if it belongs to no player."""
    return getattr(action, "seat", None)


def comes_out_alike(step: Step[Any] | Refusal, played: "CountedAction") -> bool:
    """Whether the rulings are the same as when it was played."""
    return isinstance(step, Step) and (step.rulings, step.revealed) == (played.step.rulings, played.step.revealed)


class ImaginedGame:
    """All actions that count, as a player may imagine them who knows no hidden secret."""

    def __init__(self, game: Game[Any, Any], played: Sequence["CountedAction"]) -> None:
        self._game = game
        self.played = tuple(played)
        self.fates = fates(game, played)

    def instead(self, index: int, action: Any) -> list["CountedAction"] | Refusal:
        """The actions from this index on, with another one in the first place."""
        state = self.before(index)
        if state is None:
            return Refusal(None, "cannot be corrected")
        step = self._game.at_table(state, action)
        if isinstance(step, Refusal):
            return step
        others = self.again(step.state, index + 1)
        if others is None:
            return Refusal(None, "rests on it", {"count": len(self.played) - index})
        return [replace(self.played[index], action=action, before=state, step=step), *others]

    def tail(self, index: int) -> list["CountedAction"] | None:
        """The actions from this index on; None if public information does not explain them."""
        state = self.before(index)
        return None if state is None else self.again(state, index)

    def again(self, state: Any, index: int) -> list["CountedAction"] | None:
        """The actions from this index on, played in another state; None if one of them would not come out the same."""
        tail: list[CountedAction] = []
        for at in range(index, len(self.played)):
            following = self._follow(state, at)
            if following is None:
                return None
            tail.append(following)
            state = following.step.state
        return tail

    def _follow(self, state: Any, index: int) -> "CountedAction | None":
        played = self.played[index]
        for action in self.possible(index):
            step = self._game.at_table(state, action)
            if isinstance(step, Step) and comes_out_alike(step, played):
                return replace(played, action=action, before=state, step=step)
        return None

    # --- What is possible, judged from public information -----------------------------------------------------

    @cached_property
    def _states(self) -> list[Any]:
        """The state before each action, from the first hidden one on. Ends where nothing fits."""
        first = self._first_hidden
        state = self.played[first].before if first < len(self.played) else None
        states: list[Any] = []
        for index in range(first, len(self.played)):
            states.append(state)
            step = self._imagined(state, index)
            if step is None:
                break
            state = step.state
        return states

    @cached_property
    def _first_hidden(self) -> int:
        return next((index for index, fate in enumerate(self.fates) if fate != "open"), len(self.fates))

    def before(self, index: int) -> Any:
        """The state before an action; None if public information does not explain it."""
        if index <= self._first_hidden:
            return self.played[index].before
        since = index - self._first_hidden
        return self._states[since] if since < len(self._states) else None

    def _imagined(self, state: Any, index: int) -> Step[Any] | None:
        """The step of an action, or of the first one that would have looked like it."""
        played = self.played[index]
        if self.fates[index] == "open":
            step = self._game.at_table(state, played.action)
            return step if isinstance(step, Step) and comes_out_alike(step, played) else None
        return next((step for _action, step in self._lookalikes(state, played)), None)

    def possible(self, index: int) -> Iterator[Any]:
        """The action itself if it is public; otherwise all that it may have been."""
        played = self.played[index]
        if self.fates[index] == "open":
            yield played.action
        elif (state := self.before(index)) is not None:
            yield from (action for action, _step in self._lookalikes(state, played))

    def _lookalikes(self, state: Any, played: "CountedAction") -> Iterator[tuple[Any, Step[Any]]]:
        """What could have been played in this state so that the other players had seen and heard the same."""
        game, seen = self._game, self._game.view(played.step.state)
        for action in same_kind(game.offered(state), played.action):
            step = game.at_table(state, action)
            if isinstance(step, Step) and comes_out_alike(step, played) and game.view(step.state) == seen:
                yield action, step


def same_kind(offered: Sequence[Any], action: Any) -> Iterator[Any]:
    """The actions of the same kind by the same player."""
    kind, seat = type(action), seat_of(action)
    return (other for other in offered if type(other) is kind and seat_of(other) == seat)
