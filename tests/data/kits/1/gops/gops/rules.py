"""The rules of GOPS, point by point. README.md has the rulings G1 to G9 in words."""

from collections import Counter
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import (
    Awaiting,
    Facts,
    Game,
    Part,
    Place,
    Refusal,
    Ruling,
    Score,
    Seat,
    Setup,
    Step,
    Thing,
    Whereabouts,
)
from gops import components, sentences
from gops.components import Box
from gops.view import Options, Table

PLAYERS = range(2, 4)


# --- What players do ------------------------------------------------------------------------------------------


class Prize(Struct, frozen=True, tag_field="do", tag="prize"):
    """The next prize card is turned up."""

    card: str


class Bid(Struct, frozen=True, tag_field="do", tag="bid"):
    """A card from the player's own hand, face down."""

    seat: Seat
    card: str


Action: TypeAlias = Prize | Bid


# --- The table ------------------------------------------------------------------------------------------------


class State(Struct, frozen=True):
    box: Box
    options: Options
    deck: tuple[str, ...]
    """G2 Prizes that have not been turned up, in no order: no player knows it."""
    prizes: tuple[str, ...]
    """What is bid for now."""
    hands: tuple[tuple[str, ...], ...]
    """Without what has been bid, also face down."""
    bids: tuple[str | None, ...]
    spent: tuple[tuple[str, ...], ...]
    won: tuple[tuple[str, ...], ...]
    lost: tuple[str, ...] = ()
    """Prizes that went to no player."""

    @property
    def phase(self) -> Literal["prize", "bid", "over"]:
        rounds, turned_up = len(self.spent[0]), len(self.box.suit(self.box.prizes)) - len(self.deck)
        if rounds == len(self.box.hand(0)):
            return "over"
        return "bid" if turned_up > rounds else "prize"

    @property
    def round(self) -> int:
        return min(len(self.spent[0]) + 1, len(self.box.hand(0)))


def setup(agreed: Setup) -> State:
    """G1 Each player has a suit of their own; the prizes are shuffled and face down."""
    box: Box = agreed.box
    seats = range(agreed.players)
    return State(
        box=box,
        options=agreed.options,
        deck=tuple(card.id for card in box.suit(box.prizes)),
        prizes=(),
        hands=tuple(tuple(card.id for card in box.hand(seat)) for seat in seats),
        bids=(None,) * agreed.players,
        spent=((),) * agreed.players,
        won=((),) * agreed.players,
    )


# --- A round --------------------------------------------------------------------------------------------------


def apply(state: State, action: Action) -> Step[State] | Refusal:
    if state.phase == "over":
        return Refusal("G8", "the game is over")
    return turn_up(state, action) if isinstance(action, Prize) else bid(state, action)


def turn_up(state: State, action: Prize) -> Step[State] | Refusal:
    """G2 One prize is turned up; what was left from the round before is beside it."""
    if state.phase != "prize":
        return Refusal("G2", "bid first", {"seats": _waiting(state)})
    if action.card not in state.deck:
        return Refusal("G2", "not in the deck", {"card": action.card})
    deck = tuple(card for card in state.deck if card != action.card)
    after = replace(state, deck=deck, prizes=(*state.prizes, action.card))
    if state.prizes:
        return Step(after, (Ruling("G2", "is added", {"card": action.card, "prizes": state.prizes}),))
    return Step(after, (Ruling("G2", "is turned up", {"card": action.card}),))


def bid(state: State, action: Bid) -> Step[State] | Refusal:
    """G3 One card of the hand, face down. It cannot be taken back."""
    seat = action.seat
    if not 0 <= seat < len(state.hands):
        return Refusal("G9", "no such player", {"number": seat})
    if state.phase != "bid":
        return Refusal("G3", "no prize yet")
    if state.bids[seat] is not None:
        return Refusal("G3", "has bid already", {"seat": seat})
    if action.card not in state.hands[seat]:
        return Refusal("G4", "not in hand", {"seat": seat, "card": action.card})
    hands = _with(state.hands, seat, tuple(card for card in state.hands[seat] if card != action.card))
    after = replace(state, hands=hands, bids=_with(state.bids, seat, action.card))
    said = Ruling("G3", "has bid", {"seat": seat})
    return Step(after, (said,)) if None in after.bids else reveal(after, said)


def reveal(state: State, said: Ruling) -> Step[State]:
    """G5 All bids are turned up together; the single highest takes the prizes. G7 All bids are spent."""
    bids = tuple(card for card in state.bids if card is not None)
    values = [_value(state.box, card) for card in bids]
    highest = [seat for seat, value in enumerate(values) if value == max(values)]
    rulings = [said, *(Ruling("G5", "reveals", {"seat": seat, "card": card}) for seat, card in enumerate(bids))]
    spent = tuple((*before, card) for before, card in zip(state.spent, bids, strict=True))
    after = replace(state, bids=(None,) * len(bids), spent=spent)
    if len(highest) == 1:
        winner = highest[0]
        rulings.append(Ruling("G5", "wins", {"seat": winner, "prizes": state.prizes}))
        after = replace(after, prizes=(), won=_with(after.won, winner, (*after.won[winner], *state.prizes)))
    else:
        after, tied = tie(after, tuple(highest))
        rulings.append(tied)
    if after.phase == "over":
        rulings.append(Ruling("G8", "all prizes are gone"))
    return Step(after, tuple(rulings), revealed=tuple(range(len(bids))))


def tie(state: State, highest: tuple[Seat, ...]) -> tuple[State, Ruling]:
    """G6 Equal highest bids win nothing: the prize stays for the next round, or leaves the game. After the last round
    it goes to no player in any case."""
    facts: Facts = {"seats": highest, "prizes": state.prizes}
    if state.options.tie == "carry" and state.phase != "over":
        return state, Ruling("G6", "stays", facts)
    return replace(state, prizes=(), lost=(*state.lost, *state.prizes)), Ruling("G6", "goes to no player", facts)


def _with(values: tuple, seat: Seat, value: object) -> tuple:  # type: ignore[type-arg]  # a tuple of anything
    return (*values[:seat], value, *values[seat + 1 :])


def _value(box: Box, card_id: str) -> int:
    return next(card.value for card in box.cards if card.id == card_id)


def _waiting(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat, card in enumerate(state.bids) if card is None)


# --- Who may do what ------------------------------------------------------------------------------------------


def legal(state: State) -> list[Action]:
    if state.phase == "prize":
        return [Prize(card) for card in state.deck]
    if state.phase == "bid":
        return [Bid(seat, card) for seat in _waiting(state) for card in state.hands[seat]]
    return []


def awaiting(state: State) -> Awaiting | None:
    """Any player may turn up the next prize."""
    if state.phase == "over":
        return None
    all_seats = tuple(range(len(state.hands)))
    return Awaiting(all_seats, ("prize",)) if state.phase == "prize" else Awaiting(_waiting(state), ("bid",))


def conceals(action: Action) -> Seat | None:
    """G3 A bid is secret until all have bid."""
    return action.seat if isinstance(action, Bid) else None


# --- What all players see ------------------------------------------------------------------------------------


def table(state: State) -> Table:
    return Table(
        round=state.round,
        phase=state.phase,
        deck=len(state.deck),
        prizes=state.prizes,
        hands=tuple(len(hand) for hand in state.hands),
        bids=tuple(card is not None for card in state.bids),
        spent=state.spent,
        won=state.won,
        lost=state.lost,
    )


def whereabouts(state: State) -> Whereabouts:
    """A card that is face down has no name here, nor has the hand it came from: the rest would reveal it."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    lying[Thing("prize"), Place("deck")] = len(state.deck)
    lying[Thing("prize"), Place("table")] = len(state.prizes)
    lying[Thing("prize"), Place("out")] = len(state.lost)
    for seat, hand in enumerate(state.hands):
        bid = int(state.bids[seat] is not None)
        lying[Thing("card", owner=seat), Place("hand", seat)] = len(hand)
        lying[Thing("card", owner=seat), Place("bid", seat)] = bid
        lying[Thing("card", owner=seat), Place("spent", seat)] = len(state.spent[seat])
        lying[Thing("prize"), Place("won", seat)] = len(state.won[seat])
    return lying


# --- Points ---------------------------------------------------------------------------------------------------


def scores(state: State) -> tuple[Score, ...]:
    """G8 The values of the prizes that each one has won."""
    return tuple(
        Score(
            seat,
            tuple(Part(card, _value(state.box, card), "G8", "prize", {"seat": seat, "card": card}) for card in prizes),
        )
        for seat, prizes in enumerate(state.won)
    )


GAME: Game[State, Action] = Game(
    name="gops",
    players=PLAYERS,
    options=Options,
    actions=(Prize, Bid),
    form="G9",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=components.pieces,
    setup=setup,
    apply=apply,
    legal=legal,
    awaiting=awaiting,
    scores=scores,
    table=table,
    per_player=("hands", "bids", "spent", "won"),
    whereabouts=whereabouts,
    conceals=conceals,
    sentences=sentences.SENTENCES,
    word=sentences.word,
)
