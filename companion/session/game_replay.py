"""A replay of a game: shows its table after each action, forwards and backwards. To a screen it looks like a referee.

It shows what all players could see then, made of the states by the same functions. So a secret appears in the step that
revealed it. With `is_open`, when the game is over, a screen may also ask for each player's own view.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.gamekit.snapshot import (
    Before,
    EarlierGame,
    EarlierLines,
    LookedBackAt,
    OwnView,
    Past,
    SetTable,
    Snapshot,
    Told,
)
from companion.messages.intentions import (
    AskWhy,
    Go,
    Inquiry,
    Intention,
    LookAtGame,
    LookAtTable,
    Peek,
    ReadBack,
    Reconsider,
)
from companion.messages.protocol import Knowledge
from companion.session.bot_thoughts import told_thoughts
from companion.session.evening import Evening
from companion.session.history import EveningHistory, note
from companion.session.public_snapshot import seen


class Replay:
    """The newest game of an evening. Nothing in it changes but the step that is shown."""

    def __init__(self, evening: Evening, name: str, *, is_open: bool = False) -> None:
        """`is_open`: screens may see the secrets of all players at every step, if the game is over."""
        self._evening, self._name = evening, name
        self._played_game = evening.played_game
        self._open = is_open and self._played_game.finished
        self._kit = evening.header.kit
        self._step = 0
        self._snapshots = 0
        self._told = EveningHistory()
        self._counts = self._told.remember(self._played_game)

    @property
    def steps(self) -> int:
        return len(self._played_game.played)

    def heed(self, intention: Intention) -> Told:
        """Go to another step. Anything else is refused."""
        what = note("looking back").what
        if not isinstance(intention, Go):
            return Told(0, "refused", what)
        self._step = self._target(intention)
        return Told(0, "noted", what)

    def _target(self, go: Go) -> int:
        if not go.by:
            return min(max(go.to, 0), self.steps)
        forwards = go.by > 0
        ahead = range(self._step + 1, self.steps + 1) if forwards else range(self._step - 1, -1, -1)
        for step in ahead:
            if not go.until or self._says(step, go.until):
                return step
        return self.steps if forwards else 0

    def _says(self, step: int, ids: Sequence[str]) -> bool:
        """Whether the action before this step was ruled with one of these sentences."""
        return step > 0 and any(ruling.what in ids for ruling in self._played_game.played[step - 1].rulings)

    # --- Showing ----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The table after this many actions, as all players could see it then."""
        self._snapshots += 1
        return replace(
            seen(self._evening, self._name, self._kit, self._state),
            number=self._snapshots,
            entry=self._played_game.played[self._step - 1].entry if self._step else self._played_game.number,
            offered=(),
            own=self._open,
            secret=(),
            history=self._told.up_to(self._counts[self._step]),
            thought=self._played_game.played[self._step - 1].thought if self._step else (),
            ended=self._played_game.ended > 0,
            replay=LookedBackAt(self._step, self.steps, self._open),
        )

    def inform(self, inquiry: Inquiry[Any]) -> Knowledge:
        """Nothing can be undone. What a player held is shown only when everything is open."""
        match inquiry:
            case Peek(id_, seat):
                return self._own_view(id_, seat)
            case Reconsider(id_, entry, seat):
                return Before(id_, entry, 0, seat, None)
            case ReadBack(id_, before):
                return EarlierLines(id_, *self._told.earlier(min(before, self._counts[self._step] + 1)))
            case AskWhy():
                return told_thoughts(self._evening, inquiry)
            case LookAtTable(id_):
                return SetTable(id_, (), ())
            case LookAtGame(id_):
                return EarlierGame(id_, None)
            case _:
                return Past(inquiry.id, 0, ())

    def _own_view(self, id_: str, seat: int) -> OwnView:
        game = self._played_game.game
        if not self._open or game.own_view is None or seat not in range(len(self._played_game.header.players)):
            return OwnView(id_, seat, 0, None)
        return OwnView(id_, seat, 0, game.own_view(self._state, seat))

    @property
    def _state(self) -> object:
        return self._played_game.played[self._step - 1].step.state if self._step else self._played_game.first_state
