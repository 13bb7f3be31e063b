"""The hunt: cards are laid and revealed, prey is won, the tied swap or duel. S2 to S15, S24, S25."""

from collections.abc import Sequence
from typing import Any

from msgspec import UnsetType
from msgspec.structs import replace

from companion.gamekit import Facts, Refusal, Ruling, Seat, Step
from companion.games.sioux.components import DEER_VALUE, HUNTER, PREY_VALUES, SHAMAN_VALUES, TRIBE_SETS
from companion.games.sioux.rules.gifts import after_hunt
from companion.games.sioux.rules.state import (
    Crow,
    Duel,
    Name,
    Outcome,
    Play,
    State,
    names_of,
    not_now,
    out_of_turn,
)

VALUES = tuple(reversed(PREY_VALUES))
"""Of the animals, the most valuable first."""
DEER_KIND = VALUES.index(DEER_VALUE)


# --- Laying and revealing -------------------------------------------------------------------------------------


def play(state: State, action: Play) -> Outcome:
    """S2 Everyone lays one card face down; all are revealed together. S25 Own cards only."""
    seat, choices = action.seat, [*state.choices]
    if state.phase != "play" or not 0 <= seat < len(choices):
        return not_now("S2", state, seat)
    hand = choices[seat]
    if not hand:
        return Refusal("S2", "has laid already", {"seat": seat})
    try:
        place = hand.index(action)
    except ValueError:
        return Refusal("S25", "not in hand", {"seat": seat})
    laid = [*state.laid]
    laid[seat] = place
    choices[seat] = ()
    if None in laid:
        return Step(replace(state, laid=tuple(laid), choices=tuple(choices)), _LAYS[seat])
    return reveal(state, laid, _LAYS[seat][0])


def reveal(state: State, laid: Sequence[Any], said: Ruling) -> Step[State]:
    """S2 All cards lie open. S10 Is it the hunter's hunt? S7 Is there a shaman to be asked? S8 Several count 6 each."""
    fixed, hands = state.fixed, [*state.hands]
    shown: list[str] = []
    values: list[int] = []
    for seat, place in enumerate(laid):
        hand = [*hands[seat]]
        card = hand.pop(place).card
        hands[seat] = tuple(hand)
        shown.append(card)
        values.append(fixed.worth[card])
    cards = tuple(shown)
    state = replace(state, hands=tuple(hands), laid=(None,) * len(cards), open=cards)
    rulings = [said, Ruling("S2", "revealed", {"seats": fixed.seats, "cards_in_order": cards})]
    if fixed.options.last_card == "at_once" and not all(hands):
        state = take_back_at_once(state, rulings)
    if HUNTER in cards:
        return hunter(state, rulings)
    if fixed.shaman in cards:
        seat = cards.index(fixed.shaman)
        if cards.count(fixed.shaman) > 1:
            rulings.append(_SEVERAL_SHAMANS)
        elif free := free_values(values, seat):
            rulings.append(Ruling("S7", "names a value", {"seat": seat, "values": free}))
            return Step(replace(state, phase="name", asked=(seat,), free=free), tuple(rulings), fixed.seats)
        else:
            rulings.append(Ruling("S7", "no value is free", {"seat": seat, "value": SHAMAN_VALUES[0]}))
    return rank(state, values, rulings, fixed.seats)


def take_back_at_once(state: State, rulings: list[Ruling]) -> State:
    """S22 With the option all take back the cards of earlier rounds as soon as one hand is empty. Cards that are open
    still count, and come back when the round is over."""
    empty = tuple([seat for seat, hand in enumerate(state.hands) if not hand])
    rulings.append(Ruling("S22", "last card at once", {"seats": empty}))
    hands = [
        tuple([card for card in own if card.card != lying]) for own, lying in zip(state.own, state.open, strict=True)
    ]
    return replace(state, hands=tuple(hands), taken_back=True)


# --- The shaman -----------------------------------------------------------------------------------------------


def free_values(values: list[int], shaman: Seat) -> tuple[int, ...]:
    """S7 6, 7 or 8, but no value that another player has on the table."""
    taken = values[:shaman] + values[shaman + 1 :]
    return tuple([value for value in SHAMAN_VALUES if value not in taken])


def name(state: State, action: Name) -> Outcome:
    """S7 After the reveal the shaman's player names its value."""
    seat, value = action.seat, action.value
    if state.phase != "name":
        return not_now("S7", state, seat)
    if seat not in state.asked:
        return out_of_turn("S7", state, seat)
    if value not in state.free:
        return Refusal("S7", "no such value", {"seat": seat, "values": state.free})
    worth = state.fixed.worth
    values = [worth[card] for card in state.open]
    values[seat] = value
    return rank(state, values, [Ruling("S7", "named", {"seat": seat, "value": value})], ())


# --- Who wins -------------------------------------------------------------------------------------------------


def rank(state: State, values: list[int], rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S3 The single highest card wins prey worth highest less second highest. Else there is a tie."""
    ranked = sorted(values)
    highest, second = ranked[-1], ranked[-2]
    if highest == second:
        return tie(state, values, highest, rulings, revealed)
    seat, value = values.index(highest), highest - second
    state, animals, left = pay_out(state, seat, value)
    rulings.append(
        Ruling(
            "S3",
            "wins prey",
            {"seat": seat, "highest": highest, "second": second, "value": value, "animals": animals},
        )
    )
    if left:
        rulings.append(Ruling("S4", "lapses", {"value": left}))
    return after_hunt(state, rulings, revealed)


def tie(
    state: State, values: list[int], highest: int, rulings: list[Ruling], revealed: tuple[Seat, ...]
) -> Step[State]:
    """S5 Two highest are tied: a swap is due, and S13 either may call the crow first. S6 Three or more: nothing."""
    tied = tuple([seat for seat, value in enumerate(values) if value == highest])
    if len(tied) > 2:
        rulings.append(Ruling("S6", "many tied", {"seats": tied, "value": highest}))
        return after_hunt(state, rulings, revealed)
    rulings.append(Ruling("S5", "two tied", {"seats": tied, "value": highest}))
    return Step(replace(state, phase="crow", tied=tied, asked=tied), tuple(rulings), revealed)


def pay_out(state: State, seat: Seat, value: int) -> tuple[State, tuple[str, ...], int]:
    """S4 Always the most valuable animal that the bank has and that does not exceed the rest; what is left lapses."""
    bank, prey, totals = [*state.bank], [*state.prey], [*state.totals]
    own, animals, left = [*prey[seat]], [], value
    kind = VALUES[0] - value if value < VALUES[0] else 0
    while left and kind < len(VALUES):
        if VALUES[kind] <= left and bank[kind]:
            bank[kind] -= 1
            own[kind] += 1
            left -= VALUES[kind]
            animals.append(state.fixed.animals[kind])
        else:
            kind += 1
    prey[seat] = tuple(own)
    totals[seat] += value - left
    return replace(state, bank=tuple(bank), prey=tuple(prey), totals=tuple(totals)), tuple(animals), left


# --- The consecrated hunter -----------------------------------------------------------------------------------


def hunter(state: State, rulings: list[Ruling]) -> Step[State]:
    """S10 The hunter's player takes a deer, all others get nothing. S11 One crow steals it. S12 Several do not."""
    fixed, cards = state.fixed, state.open
    played, crows = cards.index(HUNTER), cards.count(fixed.crow)
    taker = cards.index(fixed.crow) if crows == 1 else played
    rulings.append(Ruling("S10", "hunter played", {"seat": played}))
    if crows > 1:
        rulings.append(Ruling("S12", "several crows", {"seat": played}))
    if state.bank[DEER_KIND]:
        state, animals, _ = pay_out(state, taker, DEER_VALUE)
        if taker == played:
            rulings.append(Ruling("S10", "takes the deer", {"seat": taker, "animals": animals}))
        else:
            rulings.append(Ruling("S11", "steals the deer", {"seat": taker, "owner": played, "animals": animals}))
    elif fixed.options.no_deer == "other_prey":
        state = other_prey(state, taker, played, rulings)
    else:
        rulings.append(Ruling("S10", "no deer left", {"seat": taker}))
    if fixed.options.hunter_blocks_swap:
        return after_hunt(state, rulings, fixed.seats)
    return swap_beside_hunter(state, rulings)


def other_prey(state: State, taker: Seat, played: Seat, rulings: list[Ruling]) -> State:
    """S10 With the option prey worth 3 is paid by S4 where the bank has no deer. S11 One crow steals that, too."""
    state, animals, left = pay_out(state, taker, DEER_VALUE)
    facts: Facts = {"seat": taker, "owner": played, "value": DEER_VALUE - left, "animals": animals}
    if not animals:
        rulings.append(Ruling("S10", "no prey instead of the deer", {"seat": taker, "value": DEER_VALUE}))
        return state
    stolen = taker != played
    rulings.append(Ruling("S11" if stolen else "S10", "steals other prey" if stolen else "takes other prey", facts))
    if left:
        rulings.append(Ruling("S4", "lapses", {"value": left}))
    return state


def swap_beside_hunter(state: State, rulings: list[Ruling]) -> Step[State]:
    """S10 With the option the other cards rank, a shaman as 6: two highest that are tied swap, no player wins prey."""
    values = [state.fixed.worth[card] for card in state.open]
    highest = max(values)
    if values.count(highest) > 1:
        return tie(state, values, highest, rulings, state.fixed.seats)
    return after_hunt(state, rulings, state.fixed.seats)


# --- The swap and the crow duel -------------------------------------------------------------------------------


def crow(state: State, action: Crow) -> Outcome:
    """S13 Before a due swap either of the two may call "cunning crow". Both are asked at the same time and answer in
    any order: the first yes begins the duel, and when both said no they swap."""
    seat = action.seat
    if state.phase != "crow":
        return not_now("S13", state, seat)
    if seat not in state.asked:
        if seat in state.tied:
            return Refusal("S13", "has said no already", {"seat": seat})
        return not_now("S13", state, seat)
    if action.call:
        called = Ruling("S13", "calls the crow", {"seat": seat, "seats": state.tied})
        return Step(replace(state, phase="duel", asked=()), (called,))
    others = tuple([other for other in state.asked if other != seat])
    if others:
        return Step(replace(state, asked=others), (Ruling("S13", "does not call", {"seat": seat}),))
    no = Ruling("S13", "nobody calls", {"seat": seat, "seats": state.tied})
    return swap(replace(state, asked=()), [no], ())


def swap(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S5 The two swap all their prey."""
    one, other = state.tied
    prey, totals = list(state.prey), list(state.totals)
    prey[one], prey[other] = prey[other], prey[one]
    totals[one], totals[other] = totals[other], totals[one]
    swapped = replace(state, prey=tuple(prey), totals=tuple(totals))
    rulings.append(Ruling("S5", "swap", {"seats": state.tied}))
    for seat, owner in ((one, other), (other, one)):
        animals = names_of(state, prey[seat])
        rulings.append(Ruling("S5", "gets in the swap", {"seat": seat, "owner": owner, "animals": animals}))
    return after_hunt(swapped, rulings, revealed)


def duel(state: State, action: Duel) -> Outcome:
    """S13 Both lay one more card from the hand. S14 With an empty hand one lays nothing. S25 Own cards only."""
    seat, card = action.seat, action.card
    if state.phase != "duel":
        return not_now("S13", state, seat)
    if seat not in state.tied:
        if seat not in state.fixed.seats:
            return not_now("S13", state, seat)
        return Refusal("S13", "not in the duel", {"seat": seat, "seats": state.tied})
    if seat in [second.seat for second in state.seconds]:
        return Refusal("S13", "has laid already", {"seat": seat})
    hand = state.hands[seat]
    if isinstance(card, UnsetType) or (card is None and hand):
        return Refusal("S13", "a card has to be laid", {"seat": seat})
    if card is not None and Play(seat, card) not in hand:
        return Refusal("S25", "not in hand", {"seat": seat})
    lying = replace(state, seconds=(*state.seconds, action))
    said = Ruling("S14", "lays nothing", {"seat": seat}) if card is None else Ruling("S13", "lays", {"seat": seat})
    return Step(lying, (said,)) if len(lying.seconds) < 2 else settle_duel(lying, [said])


def settle_duel(state: State, rulings: list[Ruling]) -> Step[State]:
    """S14 Exactly one crow breaks the tie and wins prey worth 1; both or none: the swap happens."""
    cards = {second.seat: second.card for second in state.seconds}
    shown = tuple([cards[seat] or "–" for seat in state.tied])
    rulings.append(Ruling("S13", "duel revealed", {"seats": state.tied, "cards_in_order": shown}))
    crows = [seat for seat in state.tied if cards[seat] == state.fixed.crow]
    state = replace(state, seconds=())
    for seat in crows:
        state = crow_leaves(state, seat)
        rulings.append(_CROW_LEAVES[seat])
    if len(crows) != 1:
        rulings.append(_BOTH_CROWS if crows else _NO_CROW)
        return swap(state, rulings, state.tied)
    (seat,) = crows
    rulings.append(Ruling("S14", "breaks the tie", {"seat": seat, "seats": state.tied}))
    if HUNTER in state.open:
        rulings.append(_NO_PREY_BESIDE_HUNTER)
        return after_hunt(state, rulings, state.tied)
    paid, animals, left = pay_out(state, seat, 1)
    rulings.append(Ruling("S14", "wins the duel", {"seat": seat, "value": 1, "animals": animals}))
    if left:
        rulings.append(Ruling("S4", "lapses", {"value": left}))
    return after_hunt(paid, rulings, state.tied)


def crow_leaves(state: State, seat: Seat) -> State:
    """S15 A crow played in a duel leaves the game for good. Bluff cards are still in the hand."""
    own, hands = list(state.own), list(state.hands)
    for cards in (own, hands):
        cards[seat] = tuple([card for card in cards[seat] if card.card != state.fixed.crow])
    return replace(state, own=tuple(own), hands=tuple(hands))


# --- What is said the same way every time ---------------------------------------------------------------------

_LAYS = [(Ruling("S2", "lays", {"seat": seat}),) for seat in range(TRIBE_SETS)]
_CROW_LEAVES = [Ruling("S15", "crow leaves", {"seat": seat}) for seat in range(TRIBE_SETS)]
_SEVERAL_SHAMANS = Ruling("S8", "several shamans", {"value": SHAMAN_VALUES[0]})
_BOTH_CROWS = Ruling("S14", "both crows")
_NO_CROW = Ruling("S14", "no crow")
_NO_PREY_BESIDE_HUNTER = Ruling("S10", "no prey beside the hunter")
