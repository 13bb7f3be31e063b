"""What a state of Lascaux shows: who may do what, the public table, where the pieces lie. Never a choice."""

from collections import Counter

from companion.gamekit import Awaiting, Place, Seat, Thing, Whereabouts
from companion.games.lascaux.components import COLOURS, MARKER_SETS, Box
from companion.games.lascaux.rules.engine import Action, Choose, Draw, End, Pass, State, Stone, owes_first_stone
from companion.games.lascaux.view import OwnHand, Table

# --- Who may do what ------------------------------------------------------------------------------------------

_STONE_OR_PASS: tuple[tuple[Action, ...], ...] = tuple((Stone(seat), Pass(seat)) for seat in range(MARKER_SETS))
_ONLY_STONE: tuple[tuple[Action, ...], ...] = tuple((Stone(seat),) for seat in range(MARKER_SETS))
_PASS: tuple[tuple[Action, ...], ...] = tuple((Pass(seat),) for seat in range(MARKER_SETS))


def legal(state: State) -> tuple[Action, ...]:
    """Every action that would be accepted now."""
    if state.phase == "bid":
        turn = state.bidders[0]
        if owes_first_stone(state):
            return _ONLY_STONE[turn]
        return _STONE_OR_PASS[turn] if state.stones[turn] else _PASS[turn]
    if state.phase == "choose":
        return (*state.markers, End()) if state.stalemate else state.markers
    if state.phase == "draw":
        return tuple([Draw(card) for card in state.deck])
    return ()


def offered(state: State) -> tuple[Action, ...]:
    """What a screen may offer. L20 With secret stones a missing "lay a stone" would say that a supply is empty."""
    if state.phase == "bid" and state.options.stones == "secret":
        return _STONE_OR_PASS[state.bidders[0]]
    return legal(state)


def awaiting(state: State) -> Awaiting | None:
    """Who may act, and how. A drawn card concerns the start player."""
    if state.phase == "bid":
        turn = state.bidders[0]
        if owes_first_stone(state):
            return Awaiting((turn,), ("stone",))
        return Awaiting((turn,), ("stone", "pass") if state.stones[turn] else ("pass",))
    if state.phase == "choose":
        return Awaiting(tuple(range(len(state.order))), ("choose", "end") if state.stalemate else ("choose",))
    if state.phase == "draw":
        return Awaiting((state.start,), ("draw",))
    return None


def settled(state: State) -> tuple[Seat, ...]:
    """L6 Whoever has chosen may choose again, until the last one has."""
    if state.phase != "choose":
        return ()
    return tuple([seat for seat, choice in enumerate(state.choices) if choice is not None])


def conceals(action: Action) -> Seat | None:
    """L6 A choice is secret until its reveal."""
    return action.seat if isinstance(action, Choose) else None


# --- What everybody sees --------------------------------------------------------------------------------------


def table(state: State) -> Table:
    """Everything public, the supplies included."""
    return Table(
        round=state.round,
        start=state.start,
        direction=state.options.direction,
        phase=state.phase,
        row=tuple([card.id for card in state.row]),
        deck=len(state.deck),
        pot=state.pot,
        stones=state.stones,
        won=tuple([tuple([card.id for card in cards]) for cards in state.won]),
        pile=state.pile,
        chosen=tuple([choice is not None for choice in state.choices]),
    )


def view(state: State) -> Table:
    """What a screen may see. L20 Secret supplies are hidden until the end."""
    seen = table(state)
    if state.options.stones == "secret" and state.phase != "over":
        seen = Table(
            **{name: getattr(seen, name) for name in seen.__struct_fields__} | {"stones": (None,) * len(state.order)}
        )
    return seen


def own_hand(state: State, seat: Seat) -> OwnHand:
    """L6, L20 A player may look at the marker they have chosen, and count their own stones."""
    return OwnHand(state.choices[seat], state.stones[seat])


def stones(state: State) -> tuple[int, ...]:
    """Everybody's supply, for looking back at a game that is over."""
    return state.stones


# --- Where the pieces lie -------------------------------------------------------------------------------------

_STONE = Thing("stone")
_DECK, _ROW, _POT, _PILE = Place("deck"), Place("row"), Place("pot"), Place("pile")


def whereabouts(state: State) -> Whereabouts:
    """Cards by their ids, stones by number, markers by their owner: which colour lies face down is not said."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for card in state.deck:
        lying[Thing("card", card), _DECK] = 1
    for shown in state.row:
        lying[Thing("card", shown.id), _ROW] = 1
    lying[_STONE, _POT] = state.pot
    for seat in state.order:
        for owned in state.won[seat]:
            lying[Thing("card", owned.id), Place("won", seat)] = 1
        lying[_STONE, Place("supply", seat)] = state.stones[seat]
        marker = Thing("marker", owner=seat)
        chosen = state.choices[seat] is not None
        lying[marker, Place("hand", seat)] = COLOURS - chosen
        if chosen:
            lying[marker, _PILE if seat in state.pile else Place("chosen", seat)] = 1
    return lying


def pieces(box: Box) -> tuple[Thing, ...]:
    """Everything that may carry a tag: the cards, and five sets of markers (a marker's id is its colour)."""
    cards = [Thing("card", card.id) for card in box.cards]
    markers = [Thing("marker", colour, owner) for owner in range(MARKER_SETS) for colour in box.colours]
    return (*cards, *markers)
