"""A turn of Carnuta: two actions out of four, and a sickle besides them."""

from msgspec import UNSET
from msgspec.structs import replace

from companion.gamekit import Facts, Refusal, Ruling, Seat, Step
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
from companion.games.carnuta.rules.refusals import not_now
from companion.games.carnuta.rules.rows import settle
from companion.games.carnuta.rules.state import Bonus, Flip, Holdings, Outcome, Play, Played, Runes, Sickle, State, Take

# --- Take a card ----------------------------------------------------------------------------------------------


def take(state: State, action: Take) -> Outcome:
    """C3 One open card to the hand. C2 A turn has two actions. C12 Without deck and discards the place stays empty."""
    seat, card = action.seat, action.card
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    if not state.actions_left:
        return _no_action_left(seat)
    row: Side = "sun" if card in state.rows.sun else "moon"
    if card not in state.rows.of(row):
        return Refusal("C3" if card in state.cards else "C18", "not in a row", {"seat": seat})
    player = state.players[seat]
    taken = replace(
        state,
        rows=state.rows.with_(row, tuple([other for other in state.rows.of(row) if other != card])),
        players=seated(state, seat, replace(player, hand=(*player.hand, card))),
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
        hand=tuple([other for other in player.hand if other != card]),
        secret=None if was_secret else player.secret,
        played=played,
    )
    paid = replace(
        state,
        reserve=reserve_after(state.reserve, cost),
        players=seated(state, seat, player),
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
        state = replace(state, players=seated(state, seat, replace(player, slots=player.slots + 1)))
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
        players=seated(state, seat, replace(player, bonus=(*player.bonus, ingredient))),
        bonus_left=tuple([other for other in state.bonus_left if other != ingredient]),
    )
    return settle(chosen, [Ruling("C8", "chooses a bonus", {"seat": seat, "ingredient": ingredient})])


# --- Take runes -----------------------------------------------------------------------------------------------


def most_runes(state: State, player: Holdings, face: Side) -> int:
    """C9 As many as the reserve has and the open slots hold."""
    return min(state.reserve.of(face), player.slots - player.runes.sun - player.runes.moon)


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
        players=seated(state, seat, replace(player, runes=player.runes.with_(face, player.runes.of(face) + count))),
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
    after = replace(state, players=seated(state, seat, player), actions_left=state.actions_left - 1)
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
        players=seated(state, seat, replace(player, sickles=player.sickles - 1)),
        sickled=state.sickled + 1,
    )
    return settle(swept, [Ruling("C11", "spends a sickle", {"seat": seat, "row": row, "cards": cards})])


# --- What all of them need ------------------------------------------------------------------------------------


def _no_action_left(seat: Seat) -> Refusal:
    """C2 Two actions, not more."""
    return Refusal("C2", "no action left", {"seat": seat})


def seated(state: State, seat: Seat, player: Holdings) -> tuple[Holdings, ...]:
    """All players, this one at their seat."""
    return state.players[:seat] + (player,) + state.players[seat + 1 :]
