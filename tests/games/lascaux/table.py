"""A small vocabulary for tests of Lascaux: Table(3).draws(…).choose(…).stone(0).passes(1, 2)."""

from collections.abc import Iterable
from typing import Any, Self

from msgspec.structs import replace

from companion.gamekit.game import Refusal, Ruling, Setup
from companion.games.lascaux.components import Box, Card, parse_box, standin
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Action, Choose, Draw, End, Pass, State, Stone

STANDIN = parse_box(standin(), "the stand-in box")
CARDS = {card.id: card for card in STANDIN.cards}

ALL_SIX = ("aurochs-brown-blue", "aurochs-yellow-white", "aurochs-green-pink")
"""Three cards that show all six colours."""
FIVE_COLOURS = ("deer-brown-white", "deer-brown-green", "deer-green-white", "deer-pink-white", "deer-yellow-pink")
FIVE_COLOURS_MORE = ("horse-brown-white", "horse-green-white")
"""Seven cards without blue."""


class Table:
    """A table in play. Everything that is done must be allowed, except what `refused` tries."""

    def __init__(self, players: int = 3, first: int = 0, *, box: Box = STANDIN, **options: Any) -> None:
        self.state: State = GAME.setup(Setup(players, first, Options(**options), box))
        self.rulings: tuple[Ruling, ...] = ()
        """What was ruled at the last step."""

    def do(self, action: Action) -> Self:
        outcome = GAME.apply(self.state, action)
        assert not isinstance(outcome, Refusal), f"{action} was refused: {outcome}"
        self.state, self.rulings = outcome.state, outcome.rulings
        return self

    def refused(self, action: Action) -> Refusal:
        before = self.state
        outcome = GAME.apply(self.state, action)
        assert isinstance(outcome, Refusal), f"{action} was not refused"
        assert self.state == before
        return outcome

    # What players do

    def draws(self, *cards: str) -> Self:
        return self._all(Draw(card) for card in cards)

    def choose(self, *colours: str) -> Self:
        """Seat 0 the first colour, seat 1 the second…"""
        return self._all(Choose(seat, colour) for seat, colour in enumerate(colours))

    def stone(self, *seats: int) -> Self:
        return self._all(Stone(seat) for seat in seats)

    def passes(self, *seats: int) -> Self:
        return self._all(Pass(seat) for seat in seats)

    def end(self) -> Self:
        return self.do(End())

    def _all(self, actions: Iterable[Action]) -> Self:
        for action in actions:
            self.do(action)
        return self

    # Tables that are not at their beginning

    def with_deck(self, *cards: str) -> Self:
        """Late in the game: only these are left in the deck, seat 0 has won all others."""
        others = tuple(card for card in self.state.box.cards if card.id not in cards)
        self.state = replace(
            self.state, deck={card: self.state.cards[card] for card in cards}, won=(others, *self.state.won[1:])
        )
        return self

    def with_stones(self, *stones: int) -> Self:
        self.state = replace(self.state, stones=stones)
        return self

    def over_with(self, *won: str) -> Self:
        """Over, and each player has won some animals: "deer deer goat"."""
        left = list(self.state.box.cards)
        self.state = replace(self.state, phase="over", won=tuple(_take(animals.split(), left) for animals in won))
        return self

    # What is to be seen

    def __getattr__(self, name: str) -> Any:
        """Table(3).pot: what the public table says."""
        return getattr(GAME.table(self.state), name)

    @property
    def ruled(self) -> list[tuple[str | None, str]]:
        return [(ruling.rule, ruling.what) for ruling in self.rulings]

    @property
    def totals(self) -> list[int]:
        return [score.total for score in GAME.scores(self.state)]

    @property
    def winners(self) -> tuple[int, ...]:
        return GAME.winners(self.state)

    def points(self, seat: int) -> dict[str, int]:
        return {part.for_: part.points for part in GAME.scores(self.state)[seat].parts}


def _take(animals: list[str], cards: list[Card]) -> tuple[Card, ...]:
    taken = []
    for animal in animals:
        card = next(card for card in cards if card.animal == animal)
        cards.remove(card)
        taken.append(card)
    return tuple(taken)
