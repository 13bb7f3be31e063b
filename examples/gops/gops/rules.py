"""The rules of GOPS, point by point. README.md has the rulings G1 to G9 in words."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import (
    Counted,
    Derived,
    Game,
    GameAction,
    Part,
    PerSeat,
    Private,
    Refusal,
    Ruling,
    Score,
    Sealed,
    Setup,
    Step,
    Unshown,
    highest,
    missing_seats,
    with_item,
)
from gops import components, sentences
from gops.components import Box
from gops.view import Options


class Prize(GameAction, frozen=True):
    card: str


class Bid(GameAction, frozen=True):
    seat: int
    card: Private[str]


class State(Struct, frozen=True):
    box: Unshown[Box]
    options: Unshown[Options]
    deck: Counted[tuple[str, ...]]
    hands: PerSeat[Counted[tuple[str, ...]]]
    bids: Sealed[str]
    spent: PerSeat[tuple[str, ...]]
    won: PerSeat[tuple[str, ...]]
    prizes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def phase(self) -> Derived[Literal["prize", "bid", "over"]]:
        if not any(self.hands) and not any(self.bids):
            return "over"
        return "prize" if len(self.deck) == max(map(len, self.hands)) else "bid"

    @property
    def round(self) -> Derived[int]:
        return min(len(self.spent[0]) + 1, len(self.box.hand(0)))


def setup(agreed: Setup) -> State:
    """G1 Each player has a suit of their own; the prizes are shuffled and face down."""
    box: Box = agreed.box
    return State(
        box=box,
        options=agreed.options,
        deck=tuple(card.id for card in box.suit(box.prizes)),
        hands=tuple(tuple(card.id for card in box.hand(seat)) for seat in range(agreed.players)),
        bids=(None,) * agreed.players,
        spent=((),) * agreed.players,
        won=((),) * agreed.players,
    )


def legal(state: State) -> list[Prize | Bid]:
    if len(state.deck) == max(map(len, state.hands)):
        return [Prize(card) for card in state.deck]
    return [Bid(seat, card) for seat, hand in enumerate(state.hands) if state.bids[seat] is None for card in hand]


def perform(state: State, action: Prize | Bid) -> Step[State]:
    if isinstance(action, Prize):
        after = replace(state, deck=without(state.deck, action.card), prizes=(*state.prizes, action.card))
        return Step(after, (Ruling("G2", "is turned up", {"card": action.card}),))
    hands = tuple(without(hand, action.card) for hand in state.hands)
    after = replace(state, hands=hands, bids=with_item(state.bids, action.seat, action.card))
    said = Ruling("G3", "has bid", {"seat": action.seat})
    return Step(after, (said,)) if None in after.bids else reveal(after, said)


def refusal(state: State, action: Prize | Bid) -> Refusal | None:
    """G2 One prize a round. G3 A bid stays. G4 Own cards only. G8 After the end there is nothing more to do."""
    if state.phase == "over":
        return Refusal("G8", "the game is over")
    if isinstance(action, Prize):
        if state.phase == "bid":
            return Refusal("G2", "bid first", {"seats": missing_seats(state.bids)})
        return Refusal("G2", "not in the deck", {"card": action.card})
    if state.phase == "prize":
        return Refusal("G3", "no prize yet")
    if state.bids[action.seat] is not None:
        return Refusal("G3", "has bid already", {"seat": action.seat})
    return Refusal("G4", "not in hand", {"seat": action.seat, "card": action.card})


def reveal(state: State, said: Ruling) -> Step[State]:
    """G5 The single highest bid takes the prizes. G6 Equal ones win nothing: the prizes stay for the next round, or
    with the option, and after the last round, go to no player. G7 All bids are spent."""
    bids = tuple(card for card in state.bids if card)
    best = highest([state.box.value(card) for card in bids])
    is_won, prizes = len(best) == 1, state.prizes
    spent = tuple((*cards, bid) for cards, bid in zip(state.spent, bids, strict=True))
    won = tuple((*cards, *prizes) if best == (seat,) else cards for seat, cards in enumerate(state.won))
    after = replace(state, bids=(None,) * len(won), spent=spent, won=won)
    stays = not is_won and state.options.tie == "carry" and after.phase != "over"
    if not stays:
        after = replace(after, prizes=(), lost=after.lost if is_won else (*after.lost, *prizes))
    rulings = [said, *(Ruling("G5", "reveals", {"seat": seat, "card": card}) for seat, card in enumerate(bids))]
    if is_won:
        rulings.append(Ruling("G5", "wins", {"seat": best[0], "prizes": prizes}))
    else:
        rulings.append(Ruling("G6", "stays" if stays else "goes to no player", {"seats": best, "prizes": prizes}))
    if after.phase == "over":
        rulings.append(Ruling("G8", "all prizes are gone"))
    return Step(after, tuple(rulings), revealed=tuple(range(len(won))))


def scores(state: State) -> tuple[Score, ...]:
    """G8 The values of the prizes that each one has won."""
    return tuple(
        Score(
            seat,
            tuple(Part(card, state.box.value(card), "G8", "prize", {"seat": seat, "card": card}) for card in cards),
        )
        for seat, cards in enumerate(state.won)
    )


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(each for each in cards if each != card)


GAME: Game[State, Prize | Bid] = Game(
    name="gops",
    players=range(2, 4),
    actions=(Prize, Bid),
    options=Options,
    form="G9",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=components.pieces,
    state=State,
    setup=setup,
    legal=legal,
    perform=perform,
    refusal=refusal,
    scores=scores,
    sentences=sentences.SENTENCES,
    word=sentences.word,
)
