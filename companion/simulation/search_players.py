"""Simulated players who search for their actions. Each gets what its seat may know, and a seed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from companion.gamekit.face_down import DealtCards, SimulatedDeal, drawn
from companion.gamekit.game import Seat
from companion.gamekit.parts import brings_players, judgement_of
from companion.gamekit.search import SeatKnowledge, Skill, UnclearPastError, decide, knowledge_of, skill_of, steady
from companion.session.dealt_hands import PastOf
from companion.session.evening import Evening

USUAL = "easy"
"""How well simulated players of a game play that brings none of its own."""


class SearchPlayers:
    """Who of the simulated players searches, and what they decide."""

    def __init__(self, evening: Evening, seed: int) -> None:
        self._evening, self._seed = evening, seed
        self.deal = SimulatedDeal(evening.game, seed) if evening.game.face_down else None

    def skill(self, seat: Seat) -> Skill | None:
        """None: this one plays as the game's own simulated players do."""
        said = (self._evening.header.levels or {}).get(str(seat))
        if said is None and not brings_players(self._evening.game.name):
            said = USUAL
        return skill_of(said) if said else None

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

    def thought(self, seat: Seat, held: frozenset[str] | None, *, hurry: bool) -> Callable[[], Any]:
        """What to call to make up this player's mind. It may run in another thread: all that it needs is looked at
        now. It returns the action, or None if the past is too muddled to think about. `hurry`: people are waiting, so
        the clock ends the search, too."""
        evening, skill = self._evening, self.skill(seat)
        assert skill is not None
        game = evening.game
        past = [(done.counting, done.step.revealed) for done in evening.played_game.played]
        knowledge = knowledge_of(game, evening.setup, evening.played_game.state_for(seat), past, seat)
        knowledge = replace(knowledge, held=held)
        seed = f"{self._seed}/{len(evening.results)}/{evening.number}/{seat}"
        return partial(_decided, game, knowledge, skill if hurry else steady(skill), seed)


def _decided(game: Any, knowledge: SeatKnowledge, skill: Skill, seed: str) -> Any:
    try:
        return decide(game, judgement_of(game.name), knowledge, skill, seed)
    except UnclearPastError:
        return None
