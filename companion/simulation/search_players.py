"""Simulated players who search for their actions: bots. Each gets what its seat may know, and a seed."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from companion.gamekit.face_down import DealtCards, SimulatedDeal, drawn, playable
from companion.gamekit.game import Seat
from companion.gamekit.parts import brings_players
from companion.gamekit.simulated import Say
from companion.messages.lobby import USUAL_LEVEL
from companion.session.dealt_hands import PastOf
from companion.session.evening import Evening
from companion.simulation.seat_position import answer_of, decided, position_of


class SearchPlayers:
    """Who of the simulated players searches, and what they decide."""

    def __init__(
        self, evening: Evening, seed: int, ask: Callable[[Seat, bytes], bytes] = lambda _seat, at: decided(at)
    ) -> None:
        """`ask`: what the bot of this seat answers in this position."""
        self._evening, self._seed, self._ask = evening, seed, ask
        self.deal = SimulatedDeal(evening.game, evening.setup.box, seed) if evening.game.face_down else None

    def level(self, seat: Seat) -> str:
        """ "": this one plays as the game's own simulated players do, which is not possible with real pieces."""
        said = (self._evening.header.levels or {}).get(str(seat), "")
        searches = self._evening.header.real or not brings_players(self._evening.game.name)
        return USUAL_LEVEL if searches and not said else said

    @property
    def lying(self) -> DealtCards | None:
        """Where the simulated stack has dealt the cards that are face down; None: the game has none."""
        evening = self._evening
        past = PastOf(evening.played_game.played)
        return self.deal.lying(len(evening.results), past, evening.state) if self.deal else None

    @property
    def drawn(self) -> Any | None:
        """The action that shows the next card of the simulated stack; None: none is shown now."""
        lying = self.lying
        return drawn(self._evening.game.legal(self._evening.state), lying) if lying else None

    def in_hand(self, seats: Collection[Seat], offered: Sequence[Any]) -> tuple[Any, ...]:
        """Of what is offered, what these players can do with the cards that the simulated stack has dealt to them; what
        others may do stays as it is."""
        lying, game, state = self.lying, self._evening.game, self._evening.state
        if lying is None:
            return tuple(offered)
        possible = [action for action in offered if getattr(action, "seat", None) not in seats]
        for seat in sorted(seats):
            own = [action for action in offered if getattr(action, "seat", None) == seat]
            possible += playable(game, state, seat, lying.hands[seat], own) if own else []
        return tuple(possible)

    def thought(self, seat: Seat, held: frozenset[str] | None, *, hurry: bool) -> Callable[[], Say | None]:
        """What to call to make up this player's mind. It may run in another thread: all that it needs is looked at
        now. It returns the action, or None if the past is too muddled to think about. `hurry`: people are waiting, so
        the clock ends the search, too."""
        game, level = self._evening.game, self.level(seat)
        position = position_of(self._evening, seat, held, level, self._seed, hurry=hurry)
        return lambda: answer_of(game, seat, self._ask(seat, position))
