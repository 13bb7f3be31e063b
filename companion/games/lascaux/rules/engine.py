"""The rules of Lascaux, in the order of its rule book. L1 to L21 are the numbers of docs/rules/lascaux.md."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit import (
    Facts,
    GameAction,
    Private,
    Refusal,
    Ruling,
    Sealed,
    Seat,
    Setup,
    Step,
    missing_seats,
    no_such_seat,
)
from companion.games.lascaux.components import COLOURS, MARKER_SETS, Box, Card
from companion.games.lascaux.options import Options

PLAYERS = range(3, MARKER_SETS + 1)
STONES_EACH = {3: 12, 4: 12, 5: 10}
ROW_LIMIT = 7
FEWEST_FOR_ALL_COLOURS = COLOURS // 2
"""A card shows two colours."""


# --- What players do ------------------------------------------------------------------------------------------


class Draw(GameAction, frozen=True):
    card: str


class Choose(GameAction, frozen=True):
    seat: Seat
    colour: Private[str]
    """L6 A choice is secret until its reveal."""


class Stone(GameAction, frozen=True):
    seat: Seat


class Pass(GameAction, frozen=True):
    seat: Seat


class End(GameAction, frozen=True):
    pass


Action: TypeAlias = Draw | Choose | Stone | Pass | End


# --- The table ------------------------------------------------------------------------------------------------


class State(Struct, frozen=True, gc=False):
    options: Options
    box: Box
    cards: dict[str, Card]
    """The box's cards by id."""
    order: tuple[Seat, ...]
    """All seats in the direction of play."""
    markers: tuple[Choose, ...]
    """Every choice that there is: each marker of each player."""
    round: int
    start: Seat
    phase: Literal["draw", "choose", "bid", "over"]
    row: tuple[Card, ...]
    deck: dict[str, Card]
    """The cards not yet drawn, by id, in the order of the box; the real order is unknown. Never changed in place."""
    stones: tuple[int, ...]
    pot: int
    won: tuple[tuple[Card, ...], ...]
    choices: Sealed[str]
    """The secret: each seat's colour."""
    bidders: tuple[Seat, ...]
    """Who has not passed, beginning with the one whose turn it is."""
    pile: tuple[Seat, ...]
    """Whose markers lie on the pile, bottom first."""
    stalemate: bool
    """The deck is empty and no player took a card in the round before."""


Outcome: TypeAlias = Step[State] | Refusal


# --- Set-up ---------------------------------------------------------------------------------------------------


def setup(agreed: Setup) -> State:
    """L1 Stones for each player, by the number of players; the players say who starts. L21 The direction of play."""
    seats = tuple(range(agreed.players))
    clockwise = agreed.options.direction == "clockwise"
    cards = {card.id: card for card in agreed.box.cards}
    return State(
        options=agreed.options,
        box=agreed.box,
        cards=cards,
        order=seats if clockwise else seats[::-1],
        markers=tuple(Choose(seat, colour) for seat in seats for colour in agreed.box.colours),
        round=1,
        start=agreed.first,
        phase="draw",
        row=(),
        deck=cards,
        stones=(STONES_EACH[agreed.players],) * agreed.players,
        pot=0,
        won=((),) * agreed.players,
        choices=(None,) * agreed.players,
        bidders=(),
        pile=(),
        stalemate=False,
    )


# --- Laying out cards -----------------------------------------------------------------------------------------


def draw(state: State, action: Draw) -> Outcome:
    """L2 The start player draws one card at a time. L4 A card tapped after the stop goes back on the deck."""
    if state.phase != "draw":
        return _OVER if state.phase == "over" else Refusal("L4", "too many cards", {"card": action.card})
    if action.card not in state.deck:
        return Refusal("L2", "not in the deck", {"card": action.card})
    deck = state.deck.copy()
    row = (*state.row, deck.pop(action.card))
    drawn = Ruling("L2", "draws", {"seat": state.start, "card": action.card})
    stop = row_stops(row, deck)
    if stop:
        return Step(replace(state, row=row, deck=deck, phase="choose"), (drawn, stop))
    return Step(replace(state, row=row, deck=deck), (drawn,))


def row_stops(row: tuple[Card, ...], deck: dict[str, Card]) -> Ruling | None:
    """L2 Until the row shows all 6 colours or has 7 cards. L3 Or until the deck is empty."""
    if len(row) >= ROW_LIMIT:
        return _SEVEN_CARDS
    if len(row) >= FEWEST_FOR_ALL_COLOURS:
        shown: set[str] = set()
        for card in row:
            one, other = card.colours
            shown.add(one)
            shown.add(other)
        if len(shown) == COLOURS:
            return _ALL_COLOURS
    if not deck:
        return _DECK_EMPTY
    return None


# --- Choosing a marker ----------------------------------------------------------------------------------------


def choose(state: State, action: Choose) -> Outcome:
    """L5 Everyone secretly chooses a marker. L6 It may be changed until the last player has chosen."""
    seat, choices = action.seat, [*state.choices]
    if state.phase != "choose" or not 0 <= seat < len(choices):
        return _not_choosing(state, seat)
    if action.colour not in state.box.colours:
        return Refusal("L5", "no such marker", {"seat": seat, "colours": state.box.colours})
    said = _HAS_CHOSEN[seat] if choices[seat] is None else _CHOSE_AGAIN[seat]
    choices[seat] = action.colour
    if None in choices:
        return Step(replace(state, choices=tuple(choices)), said)
    bidders = _from(state.start, state.order)
    following = replace(state, choices=tuple(choices), phase="bid", bidders=bidders)
    return Step(following, (*said, _ALL_HAVE_CHOSEN[state.start]))


def _not_choosing(state: State, seat: Seat) -> Refusal:
    if not 0 <= seat < len(state.order):
        return no_such_seat(None, seat, len(state.order))
    if state.phase == "over":
        return _OVER
    if state.phase == "draw":
        return Refusal("L2", "the row comes first", {"seat": seat, "start": state.start})
    return Refusal("L6", "choices are locked", {"seat": seat})


# --- Bidding --------------------------------------------------------------------------------------------------


def lay_stone(state: State, action: Stone) -> Outcome:
    """L7 In order, from the start player on: lay one stone, or pass. L9 Without stones one must pass."""
    seat, bidders = action.seat, state.bidders
    if not bidders or seat != bidders[0]:
        return _not_your_bid(state, seat)
    stones = [*state.stones]
    if not stones[seat]:
        return Refusal("L9", "no stones left", {"seat": seat})
    stones[seat] -= 1
    following = (*bidders[1:], seat)
    return Step(replace(state, stones=tuple(stones), pot=state.pot + 1, bidders=following), _LAYS[seat])


def take_pot(state: State, action: Pass) -> Outcome:
    """L8 The player who passes takes the whole pot and puts their marker on the pile. L11 The last one left reveals."""
    seat, bidders = action.seat, state.bidders
    if not bidders or seat != bidders[0]:
        return _not_your_bid(state, seat)
    if owes_first_stone(state):
        return Refusal("L7", "first stone", {"seat": seat})
    stones = [*state.stones]
    stones[seat] += state.pot
    passed = replace(state, stones=tuple(stones), pot=0, bidders=bidders[1:], pile=(*state.pile, seat))
    said = Ruling("L8", "passes", {"seat": seat, "stones": state.pot})
    if len(bidders) > 2:
        return Step(passed, (said,))
    return reveal(passed, said)


def owes_first_stone(state: State) -> bool:
    """L7 With the option the first bid of a round, by its start player, must be a stone; L9 unless they have none."""
    if state.options.first_stone == "may" or state.pot or state.pile:
        return False
    return state.stones[state.start] > 0


def _not_your_bid(state: State, seat: Seat) -> Refusal:
    """L10 Out of turn: refused, with the name of the player whose turn it is."""
    if not 0 <= seat < len(state.order):
        return no_such_seat(None, seat, len(state.order))
    if state.phase == "over":
        return _OVER
    if state.phase != "bid":
        facts: Facts = {"seat": seat, "phase": state.phase, "seats": missing_seats(state.choices)}
        return Refusal("L7", "bidding has not begun", facts)
    if seat in state.pile:
        return Refusal("L8", "has passed already", {"seat": seat, "turn": state.bidders[0]})
    return Refusal("L10", "out of turn", {"seat": seat, "turn": state.bidders[0]})


# --- Taking cards ---------------------------------------------------------------------------------------------


def reveal(state: State, said: Ruling) -> Step[State]:
    """L12 The last bidder first, then the pile from top to bottom; each takes all cards that show their colour."""
    (last,) = state.bidders
    rulings = [said, _IS_THE_LAST[last]]
    row, won, choices = state.row, list(state.won), state.choices
    for seat in (last, *state.pile[::-1]):
        colour = choices[seat]
        taken: list[Card] = []
        left: list[Card] = []
        for card in row:
            if colour in card.colours:
                taken.append(card)
            else:
                left.append(card)
        if taken:
            row = tuple(left)
            won[seat] += tuple(taken)
            rulings.append(Ruling("L12", "takes", {"seat": seat, "colour": colour, "cards": _ids(taken)}))
        else:
            rulings.append(Ruling("L12", "takes nothing", {"seat": seat, "colour": colour}))
    return _finish_round(state, row, tuple(won), rulings)


def _finish_round(
    state: State, row: tuple[Card, ...], won: tuple[tuple[Card, ...], ...], rulings: list[Ruling]
) -> Step[State]:
    """L13 Untaken cards stay. L14 The first to pass starts. L15 When all cards have an owner the game ends."""
    choices = (None,) * len(state.order)
    if not row and not state.deck:
        over = replace(state, phase="over", row=row, won=won, choices=choices, bidders=(), pile=())
        return Step(over, (*rulings, _ALL_OWNED), state.order)
    if row:
        rulings.append(Ruling("L13", "stay", {"cards": _ids(row)}))
    start = state.pile[0]
    rulings.append(_STARTS_NEXT[start])
    stalemate = not state.deck and len(row) == len(state.row)
    if stalemate:
        rulings.append(_STALEMATE)
    stop = row_stops(row, state.deck)
    if stop:
        rulings.append(stop)
    following = replace(
        state,
        round=state.round + 1,
        start=start,
        phase="choose" if stop else "draw",
        row=row,
        won=won,
        choices=choices,
        bidders=(),
        pile=(),
        stalemate=stalemate,
    )
    return Step(following, tuple(rulings), state.order)


# --- The end --------------------------------------------------------------------------------------------------


def end(state: State, _: End) -> Outcome:
    """L16 Deck empty and a round in which no card was taken: the table may agree to end."""
    if state.phase == "over":
        return _OVER
    if state.phase != "choose" or not state.stalemate:
        return Refusal("L16", "no stalemate")
    choices = (None,) * len(state.order)
    agreed = Ruling("L16", "agreed to end", {"cards": _ids(state.row)})
    return Step(replace(state, phase="over", choices=choices, stalemate=False), (agreed,))


def rematch(played: Setup) -> tuple[Seat, dict[str, Any]]:
    """L21 In a match another player starts each game, and the direction of play alternates unless it is kept."""
    following = (played.first + 1) % played.players
    if played.options.match == "keep":
        return following, {}
    clockwise = played.options.direction == "clockwise"
    return following, {"direction": "anticlockwise" if clockwise else "clockwise"}


# --- What is said the same way every time ---------------------------------------------------------------------

_OVER = Refusal("L15", "the game is over")
_SEVEN_CARDS = Ruling("L2", "seven cards")
_ALL_COLOURS = Ruling("L2", "all colours")
_DECK_EMPTY = Ruling("L3", "deck is empty")
_ALL_OWNED = Ruling("L15", "all cards have an owner")
_STALEMATE = Ruling("L16", "stalemate")
_HAS_CHOSEN = [(Ruling("L5", "has chosen", {"seat": seat}),) for seat in range(MARKER_SETS)]
_CHOSE_AGAIN = [(Ruling("L6", "chose again", {"seat": seat}),) for seat in range(MARKER_SETS)]
_ALL_HAVE_CHOSEN = [Ruling("L6", "all have chosen", {"turn": seat}) for seat in range(MARKER_SETS)]
_LAYS = [(Ruling("L7", "lays a stone", {"seat": seat}),) for seat in range(MARKER_SETS)]
_IS_THE_LAST = [Ruling("L11", "is the last", {"seat": seat}) for seat in range(MARKER_SETS)]
_STARTS_NEXT = [Ruling("L14", "starts the next round", {"seat": seat}) for seat in range(MARKER_SETS)]


def _from(start: Seat, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    first = order.index(start)
    return order[first:] + order[:first]


def _ids(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple([card.id for card in cards])


RULES: dict[type[Action], Callable[[State, Any], Outcome]] = {
    Draw: draw,
    Choose: choose,
    Stone: lay_stone,
    Pass: take_pot,
    End: end,
}
