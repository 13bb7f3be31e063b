"""After a hunt: small gifts, the end of the hunting, the last card. S16 to S19, S22."""

from msgspec.structs import replace

from companion.gamekit import Refusal, Ruling, Seat, Step
from companion.games.sioux.components import PREY_VALUES
from companion.games.sioux.rules.state import Animals, Gifts, Outcome, State, not_now, out_of_turn
from companion.games.sioux.rules.winter import HUNTING_ENDS, begin_winter


def after_hunt(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S19 A total of 20 ends the hunting at once, without gifts. S17 Else totals are compared, this one time."""
    totals = state.totals
    if totals != state.before:
        if max(totals) >= HUNTING_ENDS:
            return begin_winter(state, rulings, revealed)
        if len(set(totals)) < len(totals) and (claims := who_may_claim(state)):
            return ask_claimant(state, claims, rulings, revealed)
    return end_round(state, rulings, revealed)


# --- Gifts ----------------------------------------------------------------------------------------------------


def who_may_claim(state: State) -> tuple[tuple[Seat, tuple[Seat, ...]], ...]:
    """S16 Whose total changed in the hunt and equals another's. S18 With the option not one whose total fell."""
    totals, before = state.totals, state.before
    claims = []
    for seat, total in enumerate(totals):
        if total != before[seat] and totals.count(total) > 1 and (total > before[seat] or _fallen_may_claim(state)):
            claims.append(
                (seat, tuple([other for other in state.fixed.seats if other != seat and totals[other] == total]))
            )
    return tuple(claims)


def _fallen_may_claim(state: State) -> bool:
    return state.fixed.options.gift_after_swap == "both"


def ask_claimant(
    state: State,
    claims: tuple[tuple[Seat, tuple[Seat, ...]], ...],
    rulings: list[Ruling],
    revealed: tuple[Seat, ...],
) -> Step[State]:
    """S16 The next claimant is asked, unless none of their givers has prey. S19 After all gifts: is it winter?"""
    while claims:
        seat, givers = claims[0]
        if any(state.totals[giver] for giver in givers):
            rulings.append(Ruling("S16", "may claim", {"seat": seat, "seats": givers}))
            return Step(replace(state, phase="gifts", claims=claims), tuple(rulings), revealed)
        claims = claims[1:]
    done = replace(state, claims=())
    if max(state.totals) >= HUNTING_ENDS:
        return begin_winter(done, rulings, revealed)
    return end_round(done, rulings, revealed)


def claim(state: State, action: Gifts) -> Outcome:
    """S16 One gift from each of those named. S17 Gifts change hands at once and trigger no further gift."""
    if state.phase != "gifts":
        return not_now("S16", state, action.seat)
    seat, givers = state.claims[0]
    if action.seat != seat:
        return out_of_turn("S16", state, action.seat)
    named = set(action.from_)
    if len(named) < len(action.from_) or not named.issubset(givers):
        return Refusal("S16", "no such gift", {"seat": seat, "seats": givers})
    rulings: list[Ruling] = []
    for number, giver in enumerate(action.from_, 1):
        state = give(state, giver, seat, rulings)
        if _ends_at_once(state):
            return lapse(state, action.from_[number:], rulings)
    if not named:
        rulings.append(Ruling("S16", "claims nothing", {"seat": seat}))
    return ask_claimant(state, state.claims[1:], rulings, ())


def _ends_at_once(state: State) -> bool:
    """S19 With the option the hunting ends as soon as a gift brings a player to 20."""
    return state.fixed.options.gift_ends == "at_once" and max(state.totals) >= HUNTING_ENDS


def lapse(state: State, further: tuple[Seat, ...], rulings: list[Ruling]) -> Step[State]:
    """S19 The claimant's further gifts lapse, and so do the claims of those who were not asked yet."""
    (claimant, _), *others = state.claims
    claims = [(claimant, further), *others]
    unasked = tuple([seat for seat, givers in claims if any(state.totals[giver] for giver in givers)])
    if unasked:
        rulings.append(Ruling("S19", "gifts lapse", {"seats": unasked}))
    return begin_winter(replace(state, claims=()), rulings, ())


def give(state: State, giver: Seat, seat: Seat, rulings: list[Ruling]) -> State:
    """S16 One animal of the giver's smallest kind. Without prey they give nothing."""
    kind = smallest_kind(state.prey[giver])
    if kind is None:
        rulings.append(Ruling("S16", "has nothing to give", {"seat": seat, "owner": giver}))
        return state
    worth = PREY_VALUES[-1] - kind
    prey, totals = list(state.prey), list(state.totals)
    for whose, change in ((giver, -1), (seat, 1)):
        animals = prey[whose]
        prey[whose] = animals[:kind] + (animals[kind] + change,) + animals[kind + 1 :]
        totals[whose] += change * worth
    rulings.append(
        Ruling("S16", "gets a gift", {"seat": seat, "owner": giver, "animals": (state.fixed.animals[kind],)})
    )
    return replace(state, prey=tuple(prey), totals=tuple(totals))


def smallest_kind(animals: Animals) -> int | None:
    """S16 Which of a player's animals is worth least."""
    return max((kind for kind, count in enumerate(animals) if count), default=None)


# --- The last card --------------------------------------------------------------------------------------------


def end_round(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S22 When a hand is empty all take their played cards back; with the option, those that were still on the table.
    Then the next hunt begins."""
    hands = state.hands
    if not all(hands):
        empty = tuple([seat for seat, hand in enumerate(hands) if not hand])
        rulings.append(Ruling("S22", "last card", {"seats": empty}))
        hands = state.own
    elif state.taken_back:
        rulings.append(_LAST_CARDS_FOLLOW)
        hands = state.own
    following = replace(
        state, phase="play", hands=hands, choices=hands, open=(), tied=(), before=state.totals, taken_back=False
    )
    return Step(following, tuple(rulings), revealed)


_LAST_CARDS_FOLLOW = Ruling("S22", "last cards follow")
