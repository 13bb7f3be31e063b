"""A turn of Carnuta: two actions out of four, and a sickle besides them; the rows are refilled at once."""

from msgspec import UNSET
from msgspec.structs import replace

from companion.gamekit import Facts, Refusal, Ruling, Seat, Step, with_item
from companion.games.carnuta.components import BONUS_FIELDS, INGREDIENTS, PADLOCK_FIELDS, SALT, TRACK, Side
from companion.games.carnuta.rules.payment import (
    OTHER,
    after_payment,
    can_pay,
    cannot_pay,
    flipped,
    payment,
    reserve_after,
)
from companion.games.carnuta.rules.state import (
    Bonus,
    Deal,
    Flip,
    Holdings,
    Outcome,
    Play,
    Played,
    Runes,
    Sickle,
    State,
    Take,
    game_over,
    not_now,
    without,
)

ROW = 4
ACTIONS = 2
"""C2 In a turn."""

# --- Take a card ----------------------------------------------------------------------------------------------


def take(state: State, action: Take) -> Outcome:
    """C3 One open card to the hand. C2 A turn has two actions. C12 Without deck and discards the place stays empty."""
    seat, card = action.seat, action.card
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    if not state.actions_left:
        return _no_action_left(seat)
    row: Side = "sun" if card in state.rows.sun else "moon"
    cards = state.rows.of(row)
    if card not in cards:
        return Refusal("C3" if card in state.cards else "C18", "not in a row", {"seat": seat})
    player = state.players[seat]
    taken = replace(
        state,
        rows=state.rows.with_(row, without(cards, card)),
        players=with_item(state.players, seat, replace(player, hand=(*player.hand, card))),
        actions_left=state.actions_left - 1,
    )
    rulings = [Ruling("C3", "takes a card", {"seat": seat, "card": card, "row": row})]
    if not state.decks.of(row) and not state.discards.of(row):
        rulings.append(Ruling("C12", "stays empty", {"row": row}))
    return settle(taken, rulings)


# --- Play a card ----------------------------------------------------------------------------------------------


def play(state: State, action: Play) -> Outcome:
    """C4 Pay, lay the card in its column, move the marker, carry out the bonus. C7 Salt is assigned at once."""
    seat, card = action.seat, action.card
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    if not state.actions_left:
        return _no_action_left(seat)
    player = state.players[seat]
    if card not in player.hand:
        return Refusal("C18", "not in the hand", {"seat": seat})
    cost, flipped_pays = state.prices[card], state.options.flipped_pays
    if not can_pay(player.runes, cost, flipped_pays):
        return cannot_pay(seat, player, card, cost, flipped_pays)
    column = column_of(state, card, action.as_)
    if column is None:
        return which_column(seat)
    played = (*player.played, Played(card, column))
    laid: Facts = {"seat": seat, "card": card, "ingredient": column, "marker": min(len(played), TRACK)}
    rule = "C7" if state.cards[card].ingredient == SALT else "C4"
    rulings = [Ruling(rule, "plays a card", laid), *payment(seat, player.runes, cost)]
    was_secret = card == player.secret
    player = replace(
        player,
        runes=after_payment(player.runes, cost),
        hand=without(player.hand, card),
        secret=None if was_secret else player.secret,
        played=played,
    )
    paid = replace(
        state,
        reserve=reserve_after(state.reserve, cost),
        players=with_item(state.players, seat, player),
        actions_left=state.actions_left - 1,
    )
    return _move_marker(paid, seat, rulings, (seat,) if was_secret else ())


def column_of(state: State, card: str, assigned: object) -> str | None:
    """C4 The column of its ingredient. C7 For salt the one that it is assigned to; None if that is none."""
    ingredient = state.cards[card].ingredient
    if ingredient != SALT:
        return ingredient
    return assigned if isinstance(assigned, str) and assigned in INGREDIENTS else None


def which_column(seat: Seat) -> Refusal:
    """C7 Salt has to be assigned at once."""
    return Refusal("C7", "which column", {"seat": seat, "ingredients": INGREDIENTS})


def _move_marker(state: State, seat: Seat, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """C8 Cards 4 and 8 take a padlock off, cards 6 and 10 bring a bonus ingredient. C14 Eleven cards bring the end."""
    player = state.players[seat]
    field = len(player.played)
    if field == TRACK:
        rulings.append(_eleven(state, seat))
        state = replace(state, last_round=state.last_round or not state.options.last_round)
    elif field in PADLOCK_FIELDS:
        rulings.append(Ruling("C8", "opens a slot", {"seat": seat, "slots": player.slots + 1}))
        state = replace(state, players=with_item(state.players, seat, replace(player, slots=player.slots + 1)))
    elif field in BONUS_FIELDS:
        rulings.append(Ruling("C8", "may choose a bonus", {"seat": seat, "ingredients": state.bonus_left}))
        return Step(replace(state, phase="bonus"), tuple(rulings), revealed)
    return settle(state, rulings, revealed)


def _eleven(state: State, seat: Seat) -> Ruling:
    """C14 The first to have eleven cards brings the end; it is told once."""
    facts: Facts = {"seat": seat}
    others = [player for other, player in enumerate(state.players) if other != seat]
    if any(len(player.played) >= TRACK for player in others):
        return Ruling("C14", "also has eleven cards", facts)
    one_more = state.options.last_round
    return Ruling("C14", "has eleven cards" if one_more else "eleven cards in the last round", facts)


def bonus(state: State, action: Bonus) -> Outcome:
    """C8 One bonus ingredient that is still there: an extra symbol at the end, not a card."""
    seat, ingredient = action.seat, action.ingredient
    if state.phase != "bonus" or seat != state.turn:
        return not_now(state, seat)
    if ingredient not in state.bonus_left:
        known = ingredient in INGREDIENTS
        facts: Facts = {"seat": seat, "ingredients": state.bonus_left}
        return Refusal("C8", "no such bonus", facts) if known else Refusal("C18", "never a bonus", facts)
    player = state.players[seat]
    chosen = replace(
        state,
        players=with_item(state.players, seat, replace(player, bonus=(*player.bonus, ingredient))),
        bonus_left=without(state.bonus_left, ingredient),
    )
    return settle(chosen, [Ruling("C8", "chooses a bonus", {"seat": seat, "ingredient": ingredient})])


# --- Take runes -----------------------------------------------------------------------------------------------


def free_slots(player: Holdings) -> int:
    return player.slots - player.runes.sun - player.runes.moon


def most_runes(state: State, player: Holdings, face: Side) -> int:
    """C9 As many as the reserve has and the open slots hold."""
    return min(state.reserve.of(face), free_slots(player))


def take_runes(state: State, action: Runes) -> Outcome:
    """C9 Runes of one face only, as many as possible; with the option also fewer. C6 They are not flipped."""
    seat, face = action.seat, action.face
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    if not state.actions_left:
        return _no_action_left(seat)
    player = state.players[seat]
    most = most_runes(state, player, face)
    if not most:
        return Refusal("C9", "no runes to take", {"seat": seat, "face": face})
    count = action.count if state.options.partial_runes and action.count is not UNSET else most
    if type(count) is not int:
        return Refusal("C18", "no number of runes", {"seat": seat})
    if not 1 <= count <= most:
        return Refusal("C9", "not so many runes", {"seat": seat, "face": face, "most": most})
    taken = replace(
        state,
        reserve=state.reserve.with_(face, state.reserve.of(face) - count),
        players=with_item(
            state.players, seat, replace(player, runes=player.runes.with_(face, player.runes.of(face) + count))
        ),
        actions_left=state.actions_left - 1,
    )
    return settle(taken, [Ruling("C9", "takes runes", {"seat": seat, "face": face, "count": count})])


# --- Flip runes -----------------------------------------------------------------------------------------------


def flip(state: State, action: Flip) -> Outcome:
    """C10 All runes of one face on the board; with the option any number of them."""
    seat, face = action.seat, action.face
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    if not state.actions_left:
        return _no_action_left(seat)
    player = state.players[seat]
    most = player.runes.of(face)
    if not most:
        return Refusal("C10", "no runes to flip", {"seat": seat, "face": face})
    count = action.count if state.options.flip == "any" and action.count is not UNSET else most
    if type(count) is not int:
        return Refusal("C18", "no number of runes", {"seat": seat})
    if not 1 <= count <= most:
        return Refusal("C10", "not so many to flip", {"seat": seat, "face": face, "most": most})
    player = replace(player, runes=flipped(player.runes, face, count))
    after = replace(state, players=with_item(state.players, seat, player), actions_left=state.actions_left - 1)
    facts: Facts = {"seat": seat, "count": count, "face": face, "other": OTHER[face]}
    return settle(after, [Ruling("C10", "flips runes", facts)])


# --- Spend a sickle -------------------------------------------------------------------------------------------


def sickle(state: State, action: Sickle) -> Outcome:
    """C11 Spend a sickle, discard one whole row, refill it; once per turn, or as often as the option says."""
    seat, row = action.seat, action.row
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    player, limit = state.players[seat], state.options.sickles_per_turn
    if not player.sickles:
        return Refusal("C11", "no sickles left", {"seat": seat})
    if state.sickled >= limit:
        return Refusal("C11", "enough sickles", {"seat": seat, "count": limit})
    cards = state.rows.of(row)
    if not cards:
        return Refusal("C11", "the row is empty", {"row": row})
    swept = replace(
        state,
        rows=state.rows.with_(row, ()),
        discards=state.discards.with_(row, state.discards.of(row) + cards),
        players=with_item(state.players, seat, replace(player, sickles=player.sickles - 1)),
        sickled=state.sickled + 1,
    )
    return settle(swept, [Ruling("C11", "spends a sickle", {"seat": seat, "row": row, "cards": cards})])


# --- What all of them need ------------------------------------------------------------------------------------


def _no_action_left(seat: Seat) -> Refusal:
    """C2 Two actions, not more."""
    return Refusal("C2", "no action left", {"seat": seat})


# --- The two open rows: an empty place is filled at once, as long as there are cards ------------------------------


def deal(state: State, action: Deal) -> Outcome:
    """C3 An empty place is refilled at once from its deck, sun first. C1 So are the two rows of the set-up."""
    row, card = action.row, action.card
    if state.phase != "deal":
        return game_over() if state.phase == "over" else Refusal("C3", "no place is empty")
    if row != state.due:
        return Refusal("C3", "the other row first", {"row": state.due})
    deck = state.decks.of(row)
    if card not in deck:
        return Refusal(_why_not(state, action), "not in the deck", {"row": row})
    deck = deck.copy()
    del deck[card]
    rows = state.rows.with_(row, (*state.rows.of(row), card))
    said = Ruling("C1" if _is_setting_up(state) else "C3", "is dealt", {"card": card, "row": row})
    return settle(replace(state, rows=rows, decks=state.decks.with_(row, deck)), [said])


def _why_not(state: State, action: Deal) -> str:
    """C12 A discarded card waits for the reshuffle. C18 An unknown one is none. C3 All others are not in this deck."""
    if action.card not in state.cards:
        return "C18"
    return "C12" if action.card in state.discards.of(action.row) else "C3"


def settle(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...] = ()) -> Step[State]:
    """C3 After everything that happens: is a place empty that can be filled? Otherwise the turn goes on."""
    due = _place_to_fill(state)
    if due is not None:
        if not state.decks.of(due):
            state = _reshuffle(state, due, rulings)
        return Step(replace(state, phase="deal", due=due), tuple(rulings), revealed)
    if state.phase != "act":
        state = replace(state, phase="act", due=None)
        if _is_setting_up(state):
            rulings.append(Ruling("C2", "begins", {"turn": state.turn}))
    if not state.actions_left and not state.checked:
        state = replace(state, checked=True)
        rulings.append(board(state))
    return Step(state, tuple(rulings), revealed)


def _place_to_fill(state: State) -> Side | None:
    """C3 The first row, sun before moon, that has an empty place and can get one. C12 Discards can be dealt again."""
    if len(state.rows.sun) < ROW and (state.decks.sun or state.discards.sun):
        return "sun"
    if len(state.rows.moon) < ROW and (state.decks.moon or state.discards.moon):
        return "moon"
    return None


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
