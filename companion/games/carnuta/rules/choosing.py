"""Saying an action of Carnuta with two buttons: green steps through what may be done, green held does it, red doesn't.

Everybody sees where the steps have come to, so a start card that nobody knows is never among them.
"""

from companion.gamekit import Aside, Draft, Pushed
from companion.games.carnuta.components import INGREDIENTS
from companion.games.carnuta.rules.public import legal
from companion.games.carnuta.rules.state import Action, Bonus, Discard, Flip, Play, Runes, Sickle, Start, State, Take
from companion.games.carnuta.rules.turn import most_runes

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
    """The action as a question to whoever holds the button."""
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
