"""What a state of Lascaux shows: who may do what, the public table, where the pieces lie. Never a choice."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from companion.gamekit import Awaiting, Place, Ruling, Seat, Setup, Thing, Whereabouts, awaited, chosen_seats, shown_as
from companion.games.lascaux.components import CARDS, COLOURS, MARKER_SETS, STONES, Box
from companion.games.lascaux.rules.engine import (
    STONES_EACH,
    Action,
    Draw,
    End,
    Pass,
    State,
    Stone,
    owes_first_stone,
)
from companion.games.lascaux.view import OwnHand, Table

# --- Where the pieces should be, from what all players can see --------------------------------------------------


def layout(seen: Table) -> Whereabouts:
    """L20 Secret supplies are left out, and so are the markers in each player's hand."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    lying[Thing("card"), Place("deck")] = seen.deck
    lying.update((Thing("card", card), Place("row")) for card in seen.row)
    lying[Thing("stone"), Place("pot")] = seen.pot
    for seat in seen.pile:
        lying[Thing("marker", owner=seat), Place("pile")] = 1
    for seat, cards in enumerate(seen.won):
        lying[Thing("stone"), Place("supply", seat)] = seen.stones[seat] or 0
        lying.update((Thing("card", card), Place("won", seat)) for card in cards)
        waits = seen.chosen[seat] and seat not in seen.pile
        lying[Thing("marker", owner=seat), Place("chosen", seat)] = int(waits)
    return lying


# --- Setting up the table, in the order of the rule book ------------------------------------------------------


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """L1 The deck, markers and stones for each player, and what leaves the game. L20 Open or secret stones. L21 Who
    starts, and which way round."""
    return tuple(_steps(agreed))


def _steps(agreed: Setup) -> Iterator[Ruling]:
    players, each = agreed.players, STONES_EACH[agreed.players]
    yield Ruling("L1", "set up the deck", {"number": CARDS})
    yield Ruling("L1", "set up the markers", {"number": COLOURS})
    yield Ruling("L1", "set up the stones", {"stones": each})
    if players < MARKER_SETS:
        yield Ruling("L1", "set up the rest", {"stones": STONES - players * each, "sets": MARKER_SETS - players})
    secret, clockwise = agreed.options.stones == "secret", agreed.options.direction == "clockwise"
    yield Ruling("L20", "set up secret stones" if secret else "set up open stones")
    yield Ruling("L21", "set up clockwise" if clockwise else "set up anticlockwise", {"start": agreed.first})


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
    if state.phase == "choose":
        return awaited(sorted(state.order), legal(state))
    if state.phase == "draw":  # one card after the other: they are not listed each time
        return Awaiting((state.start,), ("draw",))
    return awaited(state.bidders[:1] or (state.start,), legal(state))


def settled(state: State) -> tuple[Seat, ...]:
    """L6 A player may choose again until the last one has chosen."""
    return chosen_seats(state.choices) if state.phase == "choose" else ()


# --- What all players see --------------------------------------------------------------------------------------


def table(state: State) -> Table:
    """Everything public, the supplies included."""
    return shown_as(
        Table,
        state,
        direction=state.options.direction,
        row=tuple([card.id for card in state.row]),
        deck=len(state.deck),
        won=tuple([tuple([card.id for card in cards]) for cards in state.won]),
        chosen=tuple([choice is not None for choice in state.choices]),
    )


def view(state: State) -> Table:
    """What a screen may see. L20 Secret supplies are hidden until the end."""
    seen = table(state)
    if state.options.stones == "secret" and state.phase != "over":
        return replace(seen, stones=(None,) * len(state.order))
    return seen


def own_hand(state: State, seat: Seat) -> OwnHand:
    """L6, L20 A player may look at the marker they have chosen, and count their own stones."""
    return OwnHand(state.choices[seat], state.stones[seat])


def stones(state: State) -> tuple[int, ...]:
    """Each player's supply, for looking back at a game that is over."""
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
