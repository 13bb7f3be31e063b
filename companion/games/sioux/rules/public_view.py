"""Looks at a table of Sioux without changing it: who may do what, what all players see, where the pieces lie."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

from companion.gamekit import Awaiting, Place, Ruling, Seat, Setup, Thing, Whereabouts, shown_as
from companion.games.sioux.components import (
    HUNTER,
    PREY_CARDS,
    SUPPLY_PER_WINTER,
    TRIBE_CARDS,
    TRIBE_SETS,
    WINTERS,
    Box,
)
from companion.games.sioux.rules.engine import lay_out
from companion.games.sioux.rules.state import (
    Action,
    Animals,
    Crow,
    Dealt,
    Duel,
    Gifts,
    Name,
    Play,
    State,
    waiting_for,
)
from companion.games.sioux.view import OwnHand, Table, View

# --- Where the pieces should be, from what all players can see --------------------------------------------------


def layout(seen: View) -> Whereabouts:
    """S24 Which card lies face down is not said, nor which were played in earlier rounds."""
    lying: Counter[tuple[Thing, Place]] = Counter()
    for animal, count in seen.bank.items():
        lying[Thing("prey", animal), Place("bank")] = count
    for value in seen.laid_out:
        lying[Thing("supply", f"{seen.winter}-{value}"), Place("laid out")] += 1
    for seat, animals in enumerate(seen.prey):
        for animal, count in animals.items():
            lying[Thing("prey", animal), Place("prey", seat)] = count
        for winter, value in enumerate(seen.supply[seat], 1):
            lying[Thing("supply", f"{winter}-{value}"), Place("supply", seat)] += 1
        lying[Thing("card"), Place("hand", seat)] = seen.hands[seat]
        lying[Thing("card", owner=seat), Place("laid", seat)] = int(seen.laid[seat])
    return lying


# --- Setting up the table, in the order of the rule book ------------------------------------------------------


def preparation(agreed: Setup) -> tuple[Ruling, ...]:
    """S1 Tribe cards, the bank, the supply of three winters without its highest cards, and the hunter card aside. S24
    Prey lies open."""
    return tuple(_steps(agreed.players, agreed.box))


def _steps(players: int, box: Box) -> Iterator[Ruling]:
    yield Ruling("S1", "set up tribe cards", {"number": TRIBE_CARDS})
    if players < TRIBE_SETS:
        yield Ruling("S1", "set up the rest", {"sets": TRIBE_SETS - players})
    prey = sorted(box.prey, key=lambda kind: kind.value)
    animals = tuple(kind.animal for kind in prey for _ in range(kind.count))
    yield Ruling("S1", "set up the bank", {"number": PREY_CARDS, "animals": animals})
    yield Ruling("S1", "set up the supply", {"number": len(WINTERS) * SUPPLY_PER_WINTER})
    kept = lay_out(box, players)
    if players < SUPPLY_PER_WINTER:
        one, two, three = (_removed(box, winter, players) for winter in WINTERS)
        yield Ruling("S1", "set up without the highest", {"values": one, "values_2": two, "values_3": three})
    yield Ruling("S1", "set up the first winter", {"values": kept[0]})
    yield Ruling("S9", "set up the hunter")
    yield Ruling("S24", "set up the prey")


def _removed(box: Box, winter: int, players: int) -> tuple[int, ...]:
    """S1 With fewer than five players the highest cards of a winter."""
    (supply,) = (supply for supply in box.supply if supply.winter == winter)
    return tuple(sorted(supply.values, reverse=True)[: SUPPLY_PER_WINTER - players])


# --- Who may do what ------------------------------------------------------------------------------------------

_CALL_OR_NOT: tuple[tuple[Action, ...], ...] = tuple(
    (Crow(seat, True), Crow(seat, False)) for seat in range(TRIBE_SETS)
)


def legal(state: State) -> Sequence[Action]:
    """Every action that would be accepted now."""
    if state.phase == "play":
        plays: tuple[Action, ...] = ()
        return sum(state.choices, plays)
    if state.phase == "name":
        return _names(*state.asked, state.free)
    if state.phase == "crow":
        return tuple([answer for seat in state.asked for answer in _CALL_OR_NOT[seat]])
    if state.phase == "duel":
        return tuple([duel for seat in waiting_for(state) for duel in _duels(state, seat)])
    if state.phase == "gifts":
        in_order = state.fixed.options.gift_ends == "at_once"
        return _claims_in_order(*state.claims[0]) if in_order else _claims(*state.claims[0])
    if state.phase == "dealt":
        return _deals(state.tied)
    return ()


@cache
def _names(seat: Seat, values: tuple[int, ...]) -> tuple[Action, ...]:
    return tuple([Name(seat, value) for value in values])


@cache
def _claims(seat: Seat, givers: tuple[Seat, ...]) -> tuple[Action, ...]:
    """None, some or all of the gifts. Their givers are named in ascending order: no other means more."""
    return tuple([Gifts(seat, chosen) for count in range(len(givers) + 1) for chosen in combinations(givers, count)])


@cache
def _claims_in_order(seat: Seat, givers: tuple[Seat, ...]) -> tuple[Action, ...]:
    """S19 Where a gift may end the hunting at once it matters who gives first."""
    return tuple([Gifts(seat, chosen) for count in range(len(givers) + 1) for chosen in permutations(givers, count)])


@cache
def _deals(tied: tuple[Seat, ...]) -> tuple[Action, ...]:
    return tuple([Dealt(order) for order in permutations(tied)])


def offered(state: State) -> Sequence[Action]:
    """What a screen may offer. S24 It does not remember for the players which cards they have played: a player with
    cards in hand is offered the whole set."""
    if state.phase == "play":
        return tuple([Play(seat, card) for seat in waiting_for(state) for card in _set(state, seat)])
    if state.phase == "duel":
        return tuple([Duel(seat, card) for seat in waiting_for(state) for card in _duel_cards(state, seat)])
    return legal(state)


def _duels(state: State, seat: Seat) -> list[Duel]:
    """S14 With an empty hand one lays nothing."""
    duels = state.fixed.duels[seat]
    return [duels[card.card] for card in state.hands[seat]] or [Duel(seat, None)]


def _set(state: State, seat: Seat) -> Iterator[str]:
    yield from (card.card for card in state.fixed.sets[seat])
    if state.hunter == seat:
        yield HUNTER


def _duel_cards(state: State, seat: Seat) -> Iterator[str | None]:
    """S14 How many cards a player holds is for all to see, so an empty hand tells nothing new."""
    if state.hands[seat]:
        yield from _set(state, seat)
    else:
        yield None


def awaiting(state: State) -> Awaiting | None:
    """Who may act, and how: each phase is named after what is done in it."""
    return None if state.phase == "over" else Awaiting(waiting_for(state), (state.phase,))


# --- What all players see --------------------------------------------------------------------------------------


def table(state: State) -> Table:
    """Everything public, in the shape that transcripts promise."""
    return shown_as(
        Table,
        state,
        bank=_counted(state, state.bank),
        prey=tuple([_counted(state, animals) for animals in state.prey]),
        hands=tuple([len(hand) - down for hand, down in zip(state.hands, face_down(state), strict=True)]),
    )


def view(state: State) -> View:
    """What a screen may see: the table, who has laid, and what lies open. S24 Older cards are not shown."""
    return shown_as(
        View,
        table(state),
        laid=face_down(state),
        open=state.open,
        tied=state.tied,
        givers=state.claims[0][1] if state.phase == "gifts" else (),
    )


def own_hand(state: State, seat: Seat) -> OwnHand:
    """S24 What a player alone may see: the own cards, and which of them lies face down."""
    laid = _laid(state, seat)
    return OwnHand(tuple([play.card for play in state.hands[seat] if play.card != laid]), laid)


def _laid(state: State, seat: Seat) -> str | None:
    place = state.laid[seat]
    if state.phase == "play" and place is not None:
        return state.hands[seat][place].card
    seconds = [second.card for second in state.seconds if second.seat == seat]
    return seconds[0] or None if seconds else None


def own_offers(state: State, seat: Seat) -> list[Action]:
    """S25 Only what this player can do: the cards that they hold."""
    return [action for action in legal(state) if getattr(action, "seat", None) == seat]


def face_down(state: State) -> tuple[bool, ...]:
    """S24 Who has a card lying face down. S14 Who lays nothing in a duel has none there."""
    if state.phase == "play":
        return tuple([place is not None for place in state.laid])
    seconds = [second.seat for second in state.seconds if second.card is not None]
    return tuple([seat in seconds for seat in state.fixed.seats])


def _counted(state: State, animals: Animals) -> dict[str, int]:
    """Every animal with its number, the least valuable first."""
    return dict(zip(reversed(state.fixed.animals), reversed(animals), strict=True))


# --- Where the pieces lie -------------------------------------------------------------------------------------

_BANK, _LAID_OUT, _STACK, _ASIDE = Place("bank"), Place("laid out"), Place("stack"), Place("aside")
_HUNTER_CARD = Thing("card", HUNTER)


def whereabouts(state: State) -> Whereabouts:
    """Prey and supply by number, tribe cards by their ids.

    A card that lies face down counts among those in hand, so that its id is not told; that there is one is told by
    a card without id, which lies before its player instead of in their hand.
    """
    lying: Counter[tuple[Thing, Place]] = Counter()
    for animal, count in _counted(state, state.bank).items():
        lying[Thing("prey", animal), _BANK] = count
    for seat, animals in enumerate(state.prey):
        for animal, count in _counted(state, animals).items():
            lying[Thing("prey", animal), Place("prey", seat)] = count
    _count_cards(state, lying)
    _count_supply(state, lying)
    return lying


def _count_cards(state: State, lying: Counter[tuple[Thing, Place]]) -> None:
    down = face_down(state)
    for seat, hand in enumerate(state.hands):
        for card in state.fixed.sets[seat]:
            place = "hand" if card in hand else "played" if card in state.own[seat] else "gone"
            lying[Thing("card", card.card, seat), Place(place, seat)] = 1
        lying[Thing("card", owner=seat), Place("laid" if down[seat] else "hand", seat)] = 1
        if state.hunter == seat:
            held = state.fixed.hunters[seat] in hand
            lying[_HUNTER_CARD, Place("hand" if held else "played", seat)] = 1
    if state.hunter is None:
        lying[_HUNTER_CARD, _ASIDE] = 1


def _count_supply(state: State, lying: Counter[tuple[Thing, Place]]) -> None:
    """Supply cards look alike if winter and value are the same: "2-5" is a five of the second winter."""
    for value in state.laid_out:
        lying[Thing("supply", f"{state.winter}-{value}"), _LAID_OUT] += 1
    for seat, values in enumerate(state.supply):
        for winter, value in enumerate(values, 1):
            lying[Thing("supply", f"{winter}-{value}"), Place("supply", seat)] += 1
    for winter, values in enumerate(state.fixed.winters[state.winter :], state.winter + 1):
        for value in values:
            lying[Thing("supply", f"{winter}-{value}"), _STACK] += 1


def pieces(box: Box) -> tuple[Thing, ...]:
    """Everything that may carry a tag: five sets of tribe cards, each card saying whose it is, and the hunter card."""
    cards = [Thing("card", card.id, owner) for owner in range(TRIBE_SETS) for card in box.tribe]
    return (*cards, _HUNTER_CARD)
