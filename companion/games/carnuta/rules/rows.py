"""The two open rows of Carnuta: places that become empty are filled at once, as long as there are cards."""

from msgspec.structs import replace

from companion.gamekit import Facts, Refusal, Ruling, Seat, Step
from companion.games.carnuta.components import FACES, TRACK, Side
from companion.games.carnuta.rules.refusals import game_over
from companion.games.carnuta.rules.state import Deal, Outcome, State

ROW = 4
ACTIONS = 2
"""C2 In a turn."""


def deal(state: State, action: Deal) -> Outcome:
    """C3 An empty place is refilled at once from its deck, sun first. C1 So are the two rows of the set-up."""
    row = action.row
    if state.phase != "deal":
        return game_over() if state.phase == "over" else Refusal("C3", "no place is empty")
    if row != state.due:
        return Refusal("C3", "the other row first", {"row": state.due})
    if action.card not in state.decks.of(row):
        return Refusal(_why_not(state, action), "not in the deck", {"row": row})
    deck = state.decks.of(row).copy()
    del deck[action.card]
    rows = state.rows.with_(row, (*state.rows.of(row), action.card))
    rule = "C1" if _is_setting_up(state) else "C3"
    said = Ruling(rule, "is dealt", {"card": action.card, "row": row})
    return settle(replace(state, rows=rows, decks=state.decks.with_(row, deck)), [said])


def _why_not(state: State, action: Deal) -> str:
    """C12 A discarded card waits for the reshuffle. C18 An unknown one is none. C3 All others are not in this deck."""
    if action.card not in state.cards:
        return "C18"
    return "C12" if action.card in state.discards.of(action.row) else "C3"


def settle(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...] = ()) -> Step[State]:
    """C3 After everything that happens: is a place empty that can be filled? Otherwise the turn goes on."""
    if len(state.rows.sun) < ROW or len(state.rows.moon) < ROW:
        state = _ask_for_card(state, rulings)
        if state.phase == "deal" and state.due is not None:
            return Step(state, tuple(rulings), revealed)
    if state.phase != "act":
        state = replace(state, phase="act", due=None)
        if _is_setting_up(state):
            rulings.append(Ruling("C2", "begins", {"turn": state.turn}))
    if not state.actions_left and not state.checked:
        state = replace(state, checked=True)
        rulings.append(board(state))
    return Step(state, tuple(rulings), revealed)


def _ask_for_card(state: State, rulings: list[Ruling]) -> State:
    """C3 The first row, sun before moon, that has an empty place and can get a card; none is due otherwise."""
    for face in FACES:
        if len(state.rows.of(face)) == ROW:
            continue
        if not state.decks.of(face) and state.discards.of(face):
            state = _reshuffle(state, face, rulings)
        if state.decks.of(face):
            return replace(state, phase="deal", due=face)
    return replace(state, due=None)


def _is_setting_up(state: State) -> bool:
    """Before the first action of all: then only a sickle could make a place empty."""
    return state.round == 1 and state.turn == state.first and state.actions_left == ACTIONS and not state.sickled


def _reshuffle(state: State, face: Side, rulings: list[Ruling]) -> State:
    """C12 A place has to be filled and the deck is empty: its discards are shuffled to a new deck."""
    cards = state.discards.of(face)
    rulings.append(Ruling("C12", "reshuffled", {"row": face, "count": len(cards)}))
    deck = {card: state.cards[card] for card in cards}
    return replace(
        state,
        decks=state.decks.with_(face, deck),
        discards=state.discards.with_(face, ()),
        reshuffled=tuple(dict.fromkeys((*state.reshuffled, face))),
    )


def board(state: State) -> Ruling:
    """C13 What has to lie on the board at the end of a turn, for a quick look: runes and marker."""
    assert state.turn is not None
    player = state.players[state.turn]
    marker = min(len(player.played), TRACK)
    facts: Facts = {"seat": state.turn, "suns": player.runes.sun, "moons": player.runes.moon, "marker": marker}
    return Ruling("C13", "check the board", facts)
