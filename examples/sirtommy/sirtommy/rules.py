"""The rules of Sir Tommy, point by point. README.md has the rulings T1 to T8 in words."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import (
    N_,
    Aside,
    Derived,
    Draft,
    FaceDown,
    Facts,
    Game,
    GameAction,
    Gesture,
    Laid,
    Part,
    PerSeat,
    Refusal,
    Ruling,
    Score,
    Seat,
    Setup,
    Step,
    Tally,
    Unshown,
    together,
    with_item,
)
from companion.gamekit.playing_cards import CardBox
from sirtommy.components import PACK
from sirtommy.options import Options
from sirtommy.sentences import SENTENCES

HAND = {2: 5, 3: 4, 4: 3}
"""T2 How many cards each player holds."""


class Lay(GameAction, frozen=True):
    """A card of the player's hand, face up: on a heap, counted from 1, or on a foundation."""

    seat: Seat
    card: str
    heap: int = 0


class State(Struct, frozen=True):
    """No hand is in it: the referee learns of a card when it is laid."""

    box: Unshown[CardBox]
    values: Unshown[Mapping[str, int]]
    turn: Seat
    held: PerSeat[int]
    stock: int
    foundations: tuple[tuple[str, ...], ...]
    heaps: tuple[tuple[str, ...], ...]

    @property
    def built(self) -> Derived[int]:
        """How many cards are on the foundations."""
        return sum(map(len, self.foundations))

    @property
    def unseen(self) -> tuple[str, ...]:
        """In the stock or in a hand: the referee does not know where."""
        seen = {card for pile in (*self.foundations, *self.heaps) for card in pile}
        return tuple(card.id for card in self.box.cards if card.id not in seen)

    def foundation(self, card: str) -> int | None:
        """T4 Where this card goes: an ace begins a foundation, and suits don't matter."""
        heights = list(map(len, self.foundations))
        height = self.values[card] - 1
        return heights.index(height) if height in heights else None


def setup(agreed: Setup) -> State:
    """T2 The hands are dealt; the rest is the stock."""
    box: CardBox = agreed.box
    hand = min(HAND[agreed.players], len(box.cards) // agreed.players)
    stock = len(box.cards) - hand * agreed.players
    suits, heaps = len({card.suit for card in box.cards}), agreed.options.heaps
    values = {card.id: card.value for card in box.cards}
    return State(box, values, agreed.first, (hand,) * agreed.players, stock, ((),) * suits, ((),) * heaps)


def legal(state: State) -> list[Lay]:
    """T3 On a foundation if the card fits, else on any heap."""
    anywhere = range(1, len(state.heaps) + 1)
    return [
        Lay(state.turn, card, heap)
        for card in state.unseen
        for heap in (anywhere if state.foundation(card) is None else (0,))
    ]


def perform(state: State, action: Lay) -> Step[State]:
    """T5 The top of a heap goes on a foundation as soon as it fits. T6 The player draws a card."""
    facts: Facts = {"seat": action.seat, "card": action.card, "heap": action.heap}
    if action.heap:
        heap = (*state.heaps[action.heap - 1], action.card)
        after, said = replace(state, heaps=with_item(state.heaps, action.heap - 1, heap)), [Ruling("T3", "lays", facts)]
    else:
        after, said = _built(state, action.card), [Ruling("T4", "builds", facts)]
    while (number := _fitting_heap(after)) is not None:
        *rest, top = after.heaps[number]
        said.append(Ruling("T5", "goes up", {"card": top, "heap": number + 1}))
        after = _built(replace(after, heaps=with_item(after.heaps, number, tuple(rest))), top)
    drawn, seat = min(1, state.stock), action.seat
    held = with_item(state.held, seat, state.held[seat] - 1 + drawn)
    after = replace(after, held=held, stock=state.stock - drawn, turn=(seat + 1) % len(held))
    if not after.unseen:
        said.append(Ruling("T7", "won" if winners(after) else "lost", {"count": after.built}))
    return Step(after, tuple(said))


def refusal(state: State, action: Lay) -> Refusal | None:
    if not any(state.held):
        return Refusal("T7", "the game is over")
    if action.seat != state.turn:
        return Refusal("T3", "out of turn", {"seat": state.turn})
    if action.card not in state.unseen:
        return Refusal("T8", "not in any hand", {"card": action.card})
    if not 0 <= action.heap <= len(state.heaps):
        return Refusal("T3", "no such heap", {"number": action.heap})
    return Refusal("T4", "does not fit" if not action.heap else "must be built", {"card": action.card})


def scores(state: State) -> tuple[Score, ...]:
    """T7 All players together: a point for each card on the foundations."""
    part = Part("foundations", state.built, "T7", "together", {"count": state.built})
    return tuple(Score(seat, (part,)) for seat in range(len(state.held)))


def winners(state: State) -> tuple[Seat, ...]:
    """T7 All or none."""
    return tuple(range(len(state.held))) if state.built == len(state.box.cards) else ()


def face_down(state: State) -> FaceDown:
    return FaceDown(state.unseen, state.held)


def meaning(state: State, gesture: Gesture) -> Lay | Draft | Aside:
    """T3 A card that fits is built. For any other one the heap has to be shown next."""
    if not isinstance(gesture, Laid) or gesture.seat not in (None, state.turn) or not any(state.held):
        return Aside("idle", "means nothing now")
    card = gesture.piece.id
    if card not in state.unseen:
        return Aside("repeated", "not in any hand", {"card": card})
    if state.foundation(card) is not None:
        return Lay(state.turn, card)
    return Draft(card, "on which heap", {"seat": state.turn, "card": card})


def continued(state: State, card: str, gesture: Gesture) -> Lay | Draft | Aside:
    """T3 The top card of a heap means that heap, green an empty one; another card of the hand is laid instead."""
    if isinstance(gesture, Laid):
        tops = {heap[-1]: number for number, heap in enumerate(state.heaps, 1) if heap}
        heap = tops.get(gesture.piece.id)
        return meaning(state, gesture) if heap is None else Lay(state.turn, card, heap)
    if gesture.colour == "green" and () in state.heaps:
        return Lay(state.turn, card, state.heaps.index(()) + 1)
    return Aside("idle", "means nothing now")


def _fitting_heap(state: State) -> int | None:
    fitting = (number for number, heap in enumerate(state.heaps) if heap and state.foundation(heap[-1]) is not None)
    return next(fitting, None)


def _built(state: State, card: str) -> State:
    place = state.foundation(card)
    assert place is not None
    return replace(state, foundations=with_item(state.foundations, place, (*state.foundations[place], card)))


GAME: Game[State, Lay] = Game(
    name="sirtommy",
    players=range(2, 5),
    teams=together,
    options=Options,
    actions=(Lay,),
    form="T8",
    standin=PACK.standin,
    parse_box=PACK.parse_box,
    pieces=PACK.pieces,
    state=State,
    setup=setup,
    legal=legal,
    perform=perform,
    refusal=refusal,
    scores=scores,
    winners=winners,
    face_down=face_down,
    meaning=meaning,
    continued=continued,
    unit="{total:card|cards}",
    tallies=(Tally(N_("Cards built"), rulings=("builds",)),),
    sentences=SENTENCES,
    word=PACK.word,
)
