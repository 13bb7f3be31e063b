"""A small vocabulary for tests of Sioux: Table(3).hunt("9", "5", "crow").crow(0, False).duel(…)."""

from collections.abc import Iterable
from typing import Any, Self

from msgspec.structs import replace

from companion.gamekit.game import Refusal, Ruling, Setup
from companion.games.sioux.components import HUNTER, Box, Prey, Supply, TribeCard, parse_box, standin
from companion.games.sioux.options import Options
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.hunt import VALUES
from companion.games.sioux.rules.state import Action, Animals, Crow, Dealt, Duel, Gifts, Name, Play, State

STANDIN = parse_box(standin(), "the stand-in box")
ANIMALS = ("bison", "bear", "deer", "turkey", "rabbit")
"""Of the stand-in, the most valuable first: 5, 4, 3, 2, 1."""


def box(*values: int, prey: tuple[int, ...] = (13, 12, 11, 10, 10), supply: Iterable[tuple[int, ...]] = ()) -> Box:
    """A box with these nine plain cards, so many prey cards of the values 1 to 5, and this supply."""
    plain = tuple(TribeCard(str(value), value) for value in values or (2, 3, 4, 5, 9, 10, 11, 12, 13))
    names = tuple(reversed(ANIMALS))
    return Box(
        "sioux",
        "enrolled",
        (TribeCard("crow", kind="crow"), *plain, TribeCard("shaman", kind="shaman")),
        tuple(Prey(names[value], value + 1, count) for value, count in enumerate(prey)),
        tuple(Supply(winter, each) for winter, each in enumerate(supply, 1)) or STANDIN.supply,
    )


def herd(animals: str) -> Animals:
    """ "bison deer deer" → how many of each, the most valuable first."""
    return tuple(animals.split().count(animal) for animal in ANIMALS)


class Table:
    """A table in play. Everything that is done must be allowed, except what `refused` tries."""

    def __init__(self, players: int = 3, *, box: Box = STANDIN, **options: Any) -> None:
        self.state: State = GAME.setup(Setup(players, 0, Options(**options), box))
        self.rulings: tuple[Ruling, ...] = ()
        """What was ruled at the last step."""
        self.revealed: tuple[int, ...] = ()

    def do(self, action: Action) -> Self:
        outcome = GAME.apply(self.state, action)
        assert not isinstance(outcome, Refusal), f"{action} was refused: {outcome}"
        self.state, self.rulings, self.revealed = outcome.state, outcome.rulings, outcome.revealed
        return self

    def refused(self, action: Action) -> Refusal:
        before = self.state
        outcome = GAME.apply(self.state, action)
        assert isinstance(outcome, Refusal), f"{action} was not refused"
        assert self.state == before
        return outcome

    # What players do

    def hunt(self, *cards: str) -> Self:
        """Seat 0 lays the first card, seat 1 the second…"""
        for seat, card in enumerate(cards):
            self.do(Play(seat, card))
        return self

    def name(self, seat: int, value: int) -> Self:
        return self.do(Name(seat, value))

    def crow(self, seat: int, call: bool) -> Self:
        return self.do(Crow(seat, call))

    def nobody_calls(self) -> Self:
        one, other = self.state.tied
        return self.crow(one, False).crow(other, False)

    def duel(self, **cards: str | None) -> Self:
        """The lower of the two calls, then both lay: duel(one="crow", other="9")."""
        one, other = self.state.tied
        return self.crow(one, True).do(Duel(one, cards["one"])).do(Duel(other, cards["other"]))

    def gifts(self, seat: int, *givers: int) -> Self:
        return self.do(Gifts(seat, givers))

    def dealt(self, *seats: int) -> Self:
        return self.do(Dealt(seats))

    # Tables that are not at their beginning

    def with_prey(self, *herds: str) -> Self:
        """Each player has some animals from the bank: "bison deer deer"."""
        prey = tuple(herd(animals) for animals in herds)
        bank = tuple(all_ - sum(animals[kind] for animals in prey) for kind, all_ in enumerate(self.state.fixed.bank))
        totals = tuple(sum(a * b for a, b in zip(VALUES, animals, strict=True)) for animals in prey)
        self.state = replace(self.state, bank=bank, prey=prey, totals=totals, before=totals)
        return self

    def with_bank(self, animals: str) -> Self:
        """Only these are left in the bank; the others are nowhere."""
        self.state = replace(self.state, bank=herd(animals))
        return self

    def with_hand(self, seat: int, *cards: str) -> Self:
        """This seat has played all other cards."""
        hand = tuple(card for card in self.state.own[seat] if card.card in cards)
        assert len(hand) == len(cards)
        hands = self.state.hands[:seat] + (hand,) + self.state.hands[seat + 1 :]
        self.state = replace(self.state, hands=hands, choices=hands)
        return self

    def with_hunter(self, seat: int) -> Self:
        """This seat has the hunter card in hand."""
        card = (Play(seat, HUNTER),)
        own, hands = (
            cards[:seat] + (cards[seat] + card,) + cards[seat + 1 :] for cards in (self.state.own, self.state.hands)
        )
        self.state = replace(self.state, hunter=seat, own=own, hands=hands, choices=hands)
        return self

    def with_supply(self, winter: int, *supply: tuple[int, ...]) -> Self:
        """In this winter, with these supply cards from those before."""
        laid_out = self.state.fixed.winters[winter - 1]
        brought = tuple(tuple(herd("") for _ in values) for values in supply)
        self.state = replace(self.state, winter=winter, supply=supply, brought=brought, laid_out=laid_out)
        return self

    # What is to be seen

    def __getattr__(self, name: str) -> Any:
        """Table(3).totals: what the public table says."""
        return getattr(GAME.table(self.state), name)

    def holds(self, seat: int) -> set[str]:
        return {card.card for card in self.state.hands[seat]}

    def herd_of(self, seat: int) -> str:
        """ "bison deer deer" """
        return " ".join(animal for animal in ANIMALS for _ in range(self.prey[seat][animal]))

    @property
    def awaiting(self) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        awaiting = GAME.awaiting(self.state)
        return (awaiting.seats, awaiting.do) if awaiting else None

    @property
    def ruled(self) -> list[tuple[str | None, str]]:
        return [(ruling.rule, ruling.what) for ruling in self.rulings]

    def facts(self, what: str) -> dict[str, Any]:
        return next(ruling.facts for ruling in self.rulings if ruling.what == what)

    @property
    def winners(self) -> tuple[int, ...]:
        return GAME.winners(self.state)

    @property
    def points(self) -> list[int]:
        return [score.total for score in GAME.scores(self.state)]
