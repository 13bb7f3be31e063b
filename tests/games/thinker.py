"""Positions for players that search: what was done so far, and what a seat decides then."""

from typing import Any, Self

from companion.gamekit import discovery
from companion.gamekit.game import Setup, Step
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import SeatKnowledge, Skill, decide, knowledge_of


class Position:
    def __init__(self, game: str, players: int = 4, **options: Any) -> None:
        self.game = discovery.find(game)
        box = self.game.parse_box(self.game.standin(), "the stand-in")
        self.setup = Setup(players, 0, self.game.options(**options), box)
        self.state = self.game.setup(self.setup)
        self.past: list[tuple[Any, tuple[int, ...]]] = []

    def does(self, *actions: Any) -> Self:
        for action in actions:
            step = self.game.apply(self.state, action)
            assert isinstance(step, Step), f"{action} was refused: {step}"
            self.state = step.state
            self.past.append((action, step.revealed))
        return self

    def knowledge(self, seat: int) -> SeatKnowledge:
        return knowledge_of(self.game, self.setup, self.state, self.past, seat)

    def decides(self, seat: int, playouts: int = 12, seed: str = "here") -> Any:
        return decide(self.game, judgement_of(self.game.name), self.knowledge(seat), Skill(playouts), seed)

    def ever(self, seat: int, seeds: int = 12) -> set[Any]:
        """All that a player who hardly thinks does in this position."""
        return {self.decides(seat, 3, f"seed {number}") for number in range(seeds)}

    def considered(self, seat: int) -> set[Any]:
        """What could be done as well, if nobody minded blunders."""
        return set(judgement_of(self.game.name).candidates(self.state, seat))
