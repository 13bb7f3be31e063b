"""Winter: supply cards by rank, the hunter card, all pieces back to their start; then the final scores. S9, S19 to S21,
S23."""

from msgspec.structs import replace

from companion.gamekit import Facts, Part, Refusal, Ruling, Score, Seat, Step, highest, with_item
from companion.games.sioux.components import HUNTER, WINTERS
from companion.games.sioux.rules.state import Animals, Dealt, Outcome, State, names_of, not_now, worth
from companion.games.sioux.view import dealer

_OVER = Ruling("S23", "third winter is over")
HUNTING_ENDS = 20
"""S19 The total that brings the winter."""


def begin_winter(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S19 A total of 20 or more ends the hunting."""
    reached = tuple([seat for seat, total in enumerate(state.totals) if total >= HUNTING_ENDS])
    rulings.append(Ruling("S19", "winter comes", {"seats": reached, "winter": state.winter}))
    return hand_out(replace(state, ranks=ranking(state), ranked=()), rulings, revealed)


def ranking(state: State) -> tuple[tuple[Seat, ...], ...]:
    """S20 By prey total, then by number of animals; those who are still tied together."""
    groups: dict[tuple[int, int], list[Seat]] = {}
    for seat, total in enumerate(state.totals):
        groups.setdefault((total, sum(state.prey[seat])), []).append(seat)
    return tuple([tuple(groups[rank]) for rank in sorted(groups, reverse=True)])


def hand_out(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S20 Each rank takes the next highest supply card, from the top; a tied group waits until the table has dealt."""
    while state.ranks:
        group, *others = state.ranks
        if len(group) > 1:
            cards = state.laid_out[: len(group)]
            rulings.append(tied_for_supply(group, cards, len(state.laid)))
            return Step(replace(state, phase="dealt", tied=group), tuple(rulings), revealed)
        state = take_supply(replace(state, ranks=tuple(others)), group[0], rulings)
    return after_winter(state, rulings, revealed)


def tied_for_supply(group: tuple[Seat, ...], cards: tuple[int, ...], players: int) -> Ruling:
    """S20 A player who is not involved shuffles and deals; if all are involved, any player."""
    dealing = dealer(group, players)
    if dealing is None:
        return Ruling("S20", "all tied for supply", {"seats": group, "values": cards})
    return Ruling("S20", "tied for supply", {"seats": group, "values": cards, "turn": dealing})


def dealing(state: State) -> Ruling | None:
    """S20 While the table waits for what was dealt: who deals which cards to whom."""
    if state.phase != "dealt":
        return None
    return tied_for_supply(state.tied, state.laid_out[: len(state.tied)], len(state.laid))


def take_supply(state: State, seat: Seat, rulings: list[Ruling]) -> State:
    """S20 The next highest supply card goes to this seat."""
    value, *left = state.laid_out
    supply, brought = state.supply, state.brought
    rulings.append(_gets_supply(state, seat, value))
    return replace(
        state,
        laid_out=tuple(left),
        supply=with_item(supply, seat, (*supply[seat], value)),
        brought=with_item(brought, seat, (*brought[seat], state.prey[seat])),
        ranked=(*state.ranked, seat),
    )


def _gets_supply(state: State, seat: Seat, value: int) -> Ruling:
    """S20 For which prey; with equal prey whether the number of animals decided, or a card was dealt."""
    total, animals = state.totals[seat], sum(state.prey[seat])
    facts: Facts = {"seat": seat, "value": value, "total": total, "number": animals}
    equal = tuple([other for other in state.fixed.seats if state.totals[other] == total])
    if len(equal) == 1:
        return Ruling("S20", "gets supply", facts)
    counts = tuple([sum(state.prey[other]) for other in equal])
    equal_facts: Facts = {"seats": equal, "counts": counts}
    alone = counts.count(animals) == 1
    return Ruling("S20", "gets supply by animals" if alone else "is dealt supply", facts | equal_facts)


def dealt(state: State, action: Dealt) -> Outcome:
    """S20 The tied ranks' cards were dealt at random; the table reports who got which, the highest first."""
    if state.phase != "dealt":
        return not_now("S20", state)
    seats = action.seats
    if not isinstance(seats, tuple) or not _names_all(seats, state.tied):
        return Refusal("S20", "not the tied seats", {"seats": state.tied})
    rulings: list[Ruling] = []
    state = replace(state, ranks=state.ranks[1:], tied=())
    for seat in seats:
        state = take_supply(state, seat, rulings)
    return hand_out(state, rulings, ())


def _names_all(said: tuple[object, ...], tied: tuple[Seat, ...]) -> bool:
    """Whether these are the tied seats, each once. `true` and 1.0 are no seats."""
    return all(type(seat) is int for seat in said) and len(said) == len(tied) and set(said) == set(tied)


# --- After a winter -------------------------------------------------------------------------------------------


def after_winter(state: State, rulings: list[Ruling], revealed: tuple[Seat, ...]) -> Step[State]:
    """S21 Prey returns, everyone takes their cards back, the next supply is laid out. S23 Three winters end it all."""
    state = pass_hunter_card(state, rulings)
    players = len(state.laid)
    over = state.winter == WINTERS[-1]
    rulings.append(_OVER if over else Ruling("S21", "after the winter", {"winter": state.winter + 1}))
    nothing = (0,) * players
    following = replace(
        state,
        winter=state.winter if over else state.winter + 1,
        phase="over" if over else "play",
        hands=state.own,
        choices=state.own,
        open=(),
        tied=(),
        bank=state.fixed.bank,
        prey=((0,) * len(state.bank),) * players,
        totals=nothing,
        before=nothing,
        laid_out=() if over else state.fixed.winters[state.winter],
        ranked=(),
        taken_back=False,
    )
    return Step(following, tuple(rulings), revealed)


def pass_hunter_card(state: State, rulings: list[Ruling]) -> State:
    """S9 The hunter card goes to the player with the highest supply card, as an extra card."""
    seat = state.ranked[0]
    own = [*state.own]
    if state.hunter is not None:
        own[state.hunter] = tuple([card for card in own[state.hunter] if card.card != HUNTER])
    own[seat] += (state.fixed.hunters[seat],)
    rulings.append(Ruling("S9", "hunter card", {"seat": seat}))
    return replace(state, own=tuple(own), hunter=seat)


# --- The end --------------------------------------------------------------------------------------------------


def scores(state: State) -> tuple[Score, ...]:
    """S23 The sum of the supply cards, one part for each winter."""
    return tuple(Score(seat, supply_points(state, seat)) for seat in state.fixed.seats)


def supply_points(state: State, seat: Seat) -> tuple[Part, ...]:
    """S23 What each winter's supply card is worth. S20 Which prey made the rank, and whether the card was dealt."""
    return tuple(
        _supply(state, seat, winter, value, animals)
        for winter, (value, animals) in enumerate(zip(state.supply[seat], state.brought[seat], strict=True), 1)
    )


def _supply(state: State, seat: Seat, winter: int, value: int, animals: Animals) -> Part:
    """S20 With equal prey it says whether the number of animals decided, or the card was dealt."""
    brought = [each[winter - 1] for each in state.brought]
    equal = tuple([other for other, prey in enumerate(brought) if worth(prey) == worth(animals)])
    counts = tuple([sum(brought[other]) for other in equal])
    facts: Facts = {
        "seat": seat,
        "winter": winter,
        "value": value,
        "total": worth(animals),
        "animals": names_of(state, animals),
        "seats": equal,
        "counts": counts,
    }
    alone = counts.count(sum(animals)) == 1
    return Part(
        f"winter {winter}",
        value,
        "S23",
        "supply" if len(equal) == 1 else "supply by animals" if alone else "supply dealt",
        facts,
    )


def tie_break(state: State, tied: tuple[Seat, ...]) -> Ruling:
    """S23 With a tie, more supply in the third winter."""
    points = sum(state.supply[tied[0]])
    values = tuple(state.supply[seat][-1] for seat in tied)
    return Ruling("S23", "third winter decides", {"seats": tied, "points": points, "values": values})


def winners(state: State) -> tuple[Seat, ...]:
    """S23 Highest sum; a tie goes to more supply in the third winter, then it is shared."""
    return highest([(sum(supply), supply[-1:]) for supply in state.supply])


def shared(state: State, seats: tuple[Seat, ...]) -> Ruling:
    """S23 The same sum, and as much supply in the third winter."""
    facts: Facts = {"seats": seats, "points": sum(state.supply[seats[0]]), "value": state.supply[seats[0]][-1]}
    return Ruling("S23", "equal in the third winter", facts)
