"""What hands mean at a table of Carnuta. Nothing said here names a card that no player has seen.

A card is tapped on the centre when it is dealt, taken, played or discarded; the start card lies on the own pad or is
tapped on the centre. A bonus ingredient is tapped when it is chosen. For everything else there are the buttons: green
steps through what may be done, green held does it, red lets it be (see choosing.py). When both actions are used, green
or the own marker on the centre ends the turn.
"""

from companion.gamekit import Aside, Draft, Gesture, Laid, Pushed, Seat
from companion.games.carnuta.components import INGREDIENTS, SALT
from companion.games.carnuta.rules.engine import HAND_LIMIT, could_be_start, is_unnamed
from companion.games.carnuta.rules.payment import can_pay
from companion.games.carnuta.rules.public_view import legal
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Play,
    Runes,
    Sickle,
    Start,
    State,
    Take,
    unfolded,
)
from companion.games.carnuta.rules.turn import most_runes

# --- Two buttons: green steps through the possible actions, green held does one, red drops it -----------------

ORDER = (Bonus, Runes, Flip, Sickle, Take, Play, Discard)
"""Runes and sickles first: cards can be tapped as well."""


def choices(state: State, so_far: Action | None = None) -> list[Action]:
    """All that can be chosen with buttons now. C7 For a start card that is played at once: its column."""
    if isinstance(so_far, Start):
        return [Start(so_far.seat, so_far.card, column) for column in INGREDIENTS]
    hidden = None if state.turn is None else state.players[state.turn].secret
    possible = [action for action in legal(state) if isinstance(action, ORDER)]
    open_ = [action for action in possible if not isinstance(action, Play | Discard) or action.card != hidden]
    return sorted(open_, key=lambda action: ORDER.index(type(action)))


def first(state: State) -> Draft | Aside:
    """Green was pressed: the first choice."""
    possible = choices(state)
    return half(state, possible[0]) if possible else Aside("idle", "nothing to step through")


def go_on(state: State, so_far: Action, button: Pushed) -> Action | Draft:
    """Green steps on, green held takes what is shown, red drops it."""
    if button.colour != "green":
        return Draft(None, "dropped", {"seat": getattr(so_far, "seat", None)})
    if button.held:
        return so_far
    possible = choices(state, so_far)
    following = possible.index(so_far) + 1 if so_far in possible else 0
    return half(state, possible[following % len(possible)])


def half(state: State, action: Action) -> Draft:
    """The action as a question to the player who holds the button."""
    match action:
        case Runes(seat, face, count):
            most = most_runes(state, state.players[seat], face)
            taken = count if state.options.partial_runes and isinstance(count, int) else most
            return Draft(action, "take runes?", {"seat": seat, "count": taken, "face": face})
        case Flip(seat, face, count):
            fewer = state.options.flip == "any" and isinstance(count, int)
            flipped = count if fewer else state.players[seat].runes.of(face)
            return Draft(action, "flip runes?", {"seat": seat, "count": flipped, "face": face})
        case Sickle(seat, row):
            return Draft(action, "spend a sickle?", {"seat": seat, "row": row})
        case Take(seat, card):
            return Draft(action, "take a card?", {"seat": seat, "card": card})
        case Discard(seat, card):
            return Draft(action, "discard?", {"seat": seat, "card": card})
        case Bonus(seat, ingredient):
            return Draft(action, "choose a bonus?", {"seat": seat, "ingredient": ingredient})
        case Play(seat, card, column) | Start(seat, card, column):
            where = column or state.cards[card].ingredient
            return Draft(action, "play a card?", {"seat": seat, "card": card, "ingredient": where})
    raise AssertionError(action)  # nothing else is chosen with buttons


def meaning(state: State, gesture: Gesture) -> Action | Draft | Aside:
    """The action that a gesture asks for or begins, which the rules may still refuse, or an aside."""
    if gesture.seat is not None and gesture.seat >= len(state.players):
        return Aside("foreign", "nobody sits here")
    if isinstance(gesture, Laid) and not _is_ours(state, gesture):
        return Aside("foreign", "not of this game")
    if state.turn is None:
        return Aside("idle", "nothing more to do")
    seat = state.turn if gesture.seat is None else gesture.seat
    if isinstance(gesture, Pushed):
        return _button(state, gesture, seat)
    if gesture.piece.kind == "marker":
        return _marker(state, gesture)
    if gesture.piece.kind == "bonus":
        return Bonus(seat, gesture.piece.id)
    return _card(state, gesture, seat)


def continued(state: State, so_far: Action, gesture: Gesture) -> Action | Draft | Aside:
    """What the next gesture means when an action lies there half said."""
    whose = state.starting if state.phase == "start" else state.turn
    if isinstance(gesture, Laid) or gesture.seat not in (None, whose):
        return meaning(state, gesture)
    return go_on(state, so_far, gesture)


def _is_ours(state: State, laid: Laid) -> bool:
    known = {"card": state.cards, "bonus": INGREDIENTS, "marker": ("",)}
    return laid.piece.id in known.get(laid.piece.kind, ())


# --- Cards ----------------------------------------------------------------------------------------------------


def _card(state: State, laid: Laid, seat: Seat) -> Action | Draft | Aside:
    card = laid.piece.id
    if state.phase == "start":
        return _start(state, laid)
    if state.phase == "deal":
        return _deal(state, laid)
    if card in state.rows.sun or card in state.rows.moon:
        return Take(seat, card)
    if _is_held(state, seat, card):
        return _from_hand(state, seat, card)
    if _lies_open(state, card):
        return Aside("foreign", "lies elsewhere", {"card": card})
    return Aside("foreign", "not for now")


def _start(state: State, laid: Laid) -> Action | Draft | Aside:
    """C1 In seat order: on the centre it is the card of the one who comes next, and a card laid there before is the
    same one again. C7 Salt that is played asks where."""
    seat = state.starting if laid.seat is None else laid.seat
    card = state.cards[laid.piece.id]
    if laid.seat is None and any(player.secret == card.id for player in state.players):
        return Aside("repeated", "lies there already")
    free = card.id in state.decks.of(card.deck)
    if card.ingredient == SALT and state.options.start_card == "played" and free and seat == state.starting:
        return half(state, Start(seat, card.id, INGREDIENTS[0]))
    return Start(seat, card.id)


def _deal(state: State, laid: Laid) -> Action | Aside:
    """C3 A card that does not belong there goes to the rules, too: they say from which deck it has to come."""
    card = laid.piece.id
    if laid.seat is not None:
        return Aside("foreign", "card on a pad", {"seat": laid.seat})
    if card in state.rows.sun or card in state.rows.moon:
        return Aside("repeated", "in the row already", {"card": card})
    assert state.due is not None  # while a card is dealt
    return Deal(state.due, card)


def _from_hand(state: State, seat: Seat, card: str) -> Action | Draft | Aside:
    """C4 Play it, or C13 discard it when both actions are used. C7 Salt asks where: all players see the question, so
    C17 the column of a start card that no player has seen is said on the screen, together with the card."""
    player = state.players[seat]
    if not state.actions_left and len(player.hand) > HAND_LIMIT:
        return Discard(seat, card)
    asks = state.cards[card].ingredient == SALT and can_pay(
        player.runes, state.prices[card], state.options.flipped_pays
    )
    if asks and seat == state.turn and state.phase == "act" and state.actions_left:
        if card == player.secret or card not in player.hand:
            return Aside("idle", "column on the screen", {"seat": seat})
        return half(state, Play(seat, card, INGREDIENTS[0]))
    return Play(seat, card)


def _is_held(state: State, seat: Seat, card: str) -> bool:
    """C17 A start card is the one that was named; if that one was seen elsewhere, any that no player has seen."""
    player = state.players[seat]
    if card in unfolded(player):
        return True
    return (
        could_be_start(state, seat, card)
        if is_unnamed(state, seat)
        else player.secret is not None and card == player.named
    )


def _lies_open(state: State, card: str) -> bool:
    """C17 Whether all players can see where this card is."""
    return any(
        card in unfolded(player) or any(played.card == card for played in player.played) for player in state.players
    )


# --- Markers and buttons --------------------------------------------------------------------------------------


def _marker(state: State, laid: Laid) -> Action | Aside:
    """C13 The own marker ends the turn: that is when it is looked at."""
    owner = laid.piece.owner
    if owner is None or owner >= len(state.players):
        return Aside("foreign", "nobody's marker")
    if laid.seat is not None and laid.seat != owner:
        return Aside("foreign", "foreign pad", {"owner": owner, "seat": laid.seat})
    return EndTurn(owner)


def _button(state: State, button: Pushed, seat: Seat) -> Action | Draft | Aside:
    """C13 Green ends the turn when both actions are used; before, it steps through what may be done."""
    if state.phase == "start":
        return Aside("idle", "start cards are taken", {"turn": state.starting})
    if state.phase == "deal":
        return Aside("idle", "a card is dealt", {"row": state.due})
    if seat != state.turn:
        return Aside("foreign", "somebody else's turn", {"seat": seat, "turn": state.turn})
    finished = state.phase == "act" and not state.actions_left
    if finished and button.colour == "green" and len(state.players[seat].hand) <= HAND_LIMIT:
        return EndTurn(seat)
    if button.colour == "red" and not finished:
        return Aside("idle", "green steps", {"seat": seat})
    return first(state)
