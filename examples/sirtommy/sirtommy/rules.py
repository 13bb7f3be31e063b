"""The rules of Sir Tommy, point by point. README.md has the rulings T1 to T8 in words."""

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import Game, Part, Refusal, Ruling, Score, Seat, Setup, Step, together
from sirtommy import components, sentences
from sirtommy.components import SUITS, Box
from sirtommy.view import Options, Table

PLAYERS = range(2, 5)
HAND = {2: 5, 3: 4, 4: 3}
"""T2 How many cards each player holds."""


class Lay(Struct, frozen=True, tag_field="do", tag="lay"):
    """A card of the player's hand, face up: on a heap, counted from 1, or on a foundation."""

    seat: Seat
    card: str
    heap: int = 0


class State(Struct, frozen=True):
    """No hand is in it: the referee learns of a card when it is laid."""

    box: Box
    turn: Seat
    held: tuple[int, ...]
    stock: int
    foundations: tuple[tuple[str, ...], ...]
    heaps: tuple[tuple[str, ...], ...]

    @property
    def over(self) -> bool:
        return not any(self.held)

    @property
    def built(self) -> int:
        return sum(len(foundation) for foundation in self.foundations)


def setup(agreed: Setup) -> State:
    """T2 The hands are dealt; the rest is the stock."""
    box: Box = agreed.box
    hand = min(HAND[agreed.players], len(box.cards) // agreed.players)
    return State(
        box=box,
        turn=agreed.first,
        held=(hand,) * agreed.players,
        stock=len(box.cards) - hand * agreed.players,
        foundations=((),) * len(SUITS),
        heaps=((),) * agreed.options.heaps,
    )


def apply(state: State, action: Lay) -> Step[State] | Refusal:
    """T3 In turn, one card: on a foundation if it fits, else on a heap."""
    if state.over:
        return Refusal("T7", "the game is over")
    if not 0 <= action.seat < len(state.held):
        return Refusal("T8", "no such player", {"number": action.seat})
    if action.seat != state.turn:
        return Refusal("T3", "out of turn", {"turn": state.turn})
    if action.card not in _unseen(state):
        return Refusal("T8", "not in any hand", {"card": action.card})
    if not 0 <= action.heap <= len(state.heaps):
        return Refusal("T3", "no such heap", {"number": action.heap})
    fits = _fitting(state, action.card) is not None
    if fits and action.heap:
        return Refusal("T4", "must be built", {"card": action.card})
    if not fits and not action.heap:
        return Refusal("T4", "does not fit", {"card": action.card})
    return lay(state, action)


def lay(state: State, action: Lay) -> Step[State]:
    """T5 The top of a heap goes on a foundation as soon as it fits. T6 A card is drawn."""
    facts = {"seat": action.seat, "card": action.card, "heap": action.heap}
    if action.heap:
        heaps = tuple(
            (*heap, action.card) if number == action.heap else heap for number, heap in enumerate(state.heaps, 1)
        )
        after, rulings = replace(state, heaps=heaps), [Ruling("T3", "lays", facts)]
    else:
        after, rulings = _built(state, action.card), [Ruling("T4", "builds", facts)]
    while top := next((heap for heap in after.heaps if heap and _fitting(after, heap[-1]) is not None), None):
        rulings.append(Ruling("T5", "goes up", {"card": top[-1], "heap": after.heaps.index(top) + 1}))
        heaps = tuple(heap[:-1] if heap is top else heap for heap in after.heaps)
        after = _built(replace(after, heaps=heaps), top[-1])
    drawn = min(1, state.stock)
    held = tuple(count - (not drawn) * (seat == action.seat) for seat, count in enumerate(state.held))
    after = replace(after, held=held, stock=state.stock - drawn, turn=(state.turn + 1) % len(held))
    if after.over:
        won = after.built == len(state.box.cards)
        rulings.append(Ruling("T7", "won" if won else "lost", {"count": after.built}))
    return Step(after, tuple(rulings))


def legal(state: State) -> list[Lay]:
    return [
        Lay(state.turn, card, heap)
        for card in _unseen(state)
        for heap in ((0,) if _fitting(state, card) is not None else range(1, len(state.heaps) + 1))
        if not state.over
    ]


def scores(state: State) -> tuple[Score, ...]:
    """T7 All players together: a point for each card on the foundations."""
    part = Part("built", state.built, "T7", "together", {"count": state.built})
    return tuple(Score(seat, (part,)) for seat in range(len(state.held)))


def winners(state: State) -> tuple[Seat, ...]:
    """T7 All or none."""
    return tuple(range(len(state.held))) if state.built == len(state.box.cards) else ()


def table(state: State) -> Table:
    return Table(
        turn=None if state.over else state.turn,
        foundations=tuple(len(foundation) for foundation in state.foundations),
        heaps=state.heaps,
        held=state.held,
        stock=state.stock,
    )


def _fitting(state: State, card_id: str) -> int | None:
    """T4 The foundation that this card goes on: an ace begins one, and suits don't matter."""
    value = next(card.value for card in state.box.cards if card.id == card_id)
    heights = [len(foundation) for foundation in state.foundations]
    return heights.index(value - 1) if value - 1 in heights else None


def _built(state: State, card: str) -> State:
    place = _fitting(state, card)
    grown = ((*pile, card) if number == place else pile for number, pile in enumerate(state.foundations))
    return replace(state, foundations=tuple(grown))


def _unseen(state: State) -> list[str]:
    """In the stock or in a hand: the referee does not know where."""
    seen = {card for pile in (*state.foundations, *state.heaps) for card in pile}
    return [card.id for card in state.box.cards if card.id not in seen]


GAME: Game[State, Lay] = Game(
    name="sirtommy",
    players=PLAYERS,
    options=Options,
    actions=(Lay,),
    form="T8",
    standin=components.standin,
    parse_box=components.parse_box,
    pieces=components.pieces,
    setup=setup,
    apply=apply,
    legal=legal,
    scores=scores,
    teams=together,
    winners=winners,
    table=table,
    per_player=("held",),
    seats=("turn",),
    unit="{total:card|cards}",
    sentences=sentences.SENTENCES,
    word=sentences.word,
)
