"""What holds in every game of Sioux, whatever the players do."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.game import Refusal, Setup, Step
from companion.games.sioux.components import Box, Prey, Supply, TribeCard
from companion.games.sioux.options import Options
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Action, Crow, Dealt, Duel, Gifts, Name, Play, State

ANIMALS = ("hare", "turkey", "deer", "elk", "bison")


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """Any valid box with enough prey in it: a game in which no player can reach 20 would not end. The name of a card
    says nothing about its value, so a name in a text is a leak."""
    values = draw(st.lists(st.integers(2, 20), min_size=9, max_size=9, unique=True))
    cards = [TribeCard(f"<{number}>", value) for number, value in enumerate(values)]
    cards += [TribeCard("<9>", kind="crow"), TribeCard("<10>", kind="shaman")]
    cards = draw(st.permutations(cards))
    spare = draw(st.lists(st.integers(1, 5), min_size=12, max_size=12))
    counts = [4, 7, 11, 11, 11]
    prey = [Prey(animal, number, counts[number - 1] + spare.count(number)) for number, animal in enumerate(ANIMALS, 1)]
    supply = [Supply(winter, tuple(draw(st.lists(st.integers(1, 9), min_size=5, max_size=5)))) for winter in (3, 1, 2)]
    return Box("sioux", "enrolled", tuple(cards), tuple(draw(st.permutations(prey))), tuple(supply))


setups = st.builds(
    Setup,
    st.integers(3, 5),
    st.just(0),
    st.builds(
        Options,
        hunter_blocks_swap=st.booleans(),
        gift_after_swap=st.sampled_from(["both", "riser"]),
        last_card=st.sampled_from(["after_round", "at_once"]),
        no_deer=st.sampled_from(["nothing", "other_prey"]),
        gift_ends=st.sampled_from(["after_gifts", "at_once"]),
    ),
    boxes(),
)
seeds = st.integers(0, 2**32)


def play(setup: Setup, chance: Random) -> Iterator[tuple[State, Action, Step[State]]]:
    """A game of random legal actions, step by step."""
    state = GAME.setup(setup)
    while actions := GAME.legal(state):
        action = chance.choice(actions)
        step = GAME.apply(state, action)
        assert isinstance(step, Step), f"{action} is legal but was refused: {step}"
        yield state, action, step
        state = step.state


def all_forms(setup: Setup) -> list[Action]:
    """Actions of every form, with seats, cards and values that exist and some that don't."""
    seats = range(-1, setup.players + 1)
    cards = [*(card.id for card in setup.box.tribe), "hunter", "", "unicorn"]
    some = [order for count in range(setup.players + 1) for order in permutations(range(setup.players), count)]
    return [
        *(Play(seat, card) for seat in seats for card in cards),
        *(Name(seat, value) for seat in seats for value in range(4, 11)),
        *(Crow(seat, call) for seat in seats for call in (True, False)),
        *(Duel(seat, card) for seat in seats for card in (*cards, None, msgspec.UNSET)),
        *(Gifts(seat, order) for seat in seats for order in (*some, (0, 0), (-1,), (9,))),
        *(Dealt(order) for order in (*some, (0, 0), (-1, 0))),
    ]


def representative(action: Action, options: Options) -> Action:
    """Gifts mean the same in any order, and `legal` names them in ascending order; S19 where one may end the hunting
    at once, the order counts."""
    alike = isinstance(action, Gifts) and options.gift_ends == "after_gifts"
    return Gifts(action.seat, tuple(sorted(action.from_))) if alike else action


# --- Legal and illegal ----------------------------------------------------------------------------------------


@settings(max_examples=8, deadline=None)
@given(setups, seeds)
def test_exactly_the_legal_actions_are_accepted_and_a_refusal_changes_nothing(setup, seed):
    forms, chance = all_forms(setup), Random(seed)
    for state, _, _ in play(setup, chance):
        if state.phase == "play" and chance.random() < 0.8:
            continue
        before = msgspec.json.encode(state)
        accepted = {
            representative(form, setup.options) for form in forms if not isinstance(GAME.apply(state, form), Refusal)
        }
        assert accepted == set(GAME.legal(state))
        assert msgspec.json.encode(state) == before


@settings(max_examples=40, deadline=None)
@given(setups, seeds)
def test_every_game_ends(setup, seed):
    *before, (_, _, step) = play(setup, Random(seed))
    assert GAME.table(step.state).phase == "over"
    assert GAME.awaiting(step.state) is None
    assert len(GAME.scores(step.state)[0].parts) == 3
    assert GAME.winners(step.state)
    assert len(before) < 20_000


def test_random_play_meets_every_phase_and_every_ruling():
    """So that the properties hold for all of them."""
    phases: set[str] = set()
    rules: set[str | None] = set()
    box = GAME.parse_box(GAME.standin(), "the stand-in")
    for seed in range(30):
        options = Options(hunter_blocks_swap=bool(seed % 2))
        for state, _, step in play(Setup(3 + seed % 3, 0, options, box), Random(seed)):
            phases.add(state.phase)
            rules |= {ruling.rule for ruling in step.rulings}
    assert phases == {"play", "name", "crow", "duel", "gifts", "dealt"}
    assert rules >= {f"S{number}" for number in (2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19, 20, 21, 22, 23)}


# --- Nothing gets lost ----------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(setups, seeds)
def test_prey_cards_and_supply_are_conserved(setup, seed):
    worth = {prey.animal: prey.value for prey in setup.box.prey}
    for _, _, step in play(setup, Random(seed)):
        table = GAME.table(step.state)
        for prey in setup.box.prey:
            assert table.bank[prey.animal] + sum(own[prey.animal] for own in table.prey) == prey.count
            assert min(table.bank[prey.animal], *(own[prey.animal] for own in table.prey)) >= 0
        assert table.totals == tuple(sum(worth[animal] * own[animal] for animal in own) for own in table.prey)
        lying = GAME.whereabouts(step.state)
        assert min(lying.values()) >= 0
        things = Counter()
        for (thing, _), count in lying.items():
            things[thing.kind, thing.id, thing.owner] += count
        assert all(things["prey", prey.animal, None] == prey.count for prey in setup.box.prey)
        assert all(things["card", card.id, seat] == 1 for card in setup.box.tribe for seat in range(setup.players))
        assert all(things["card", "", seat] == 1 for seat in range(setup.players))
        assert things["card", "hunter", None] == 1
        assert sum(count for (kind, _, _), count in things.items() if kind == "supply") == 3 * setup.players
        assert things.total() == 56 + 12 * setup.players + 1 + 3 * setup.players


@settings(max_examples=8, deadline=None)
@given(setups, seeds)
def test_hands_played_and_gone_cards_are_the_set(setup, seed):
    for _, _, step in play(setup, Random(seed)):
        lying, table = GAME.whereabouts(step.state), GAME.table(step.state)
        for seat in range(setup.players):
            places = Counter(place.kind for thing, place in lying if thing.id and place.seat == seat)
            own = places["hand"] + places["played"] + places["gone"]
            assert own == 11 + (table.hunter == seat)
            assert places["gone"] <= 1
            assert table.hands[seat] == places["hand"] - GAME.view(step.state).laid[seat]


# --- S24 Secrecy ----------------------------------------------------------------------------------------------


def everything_told(state: State, forms: list[Action]) -> str:
    """All that leaves the rules in a state: to screens, to logs, and as an answer to any refused action."""
    refusals = [refusal for form in forms if isinstance(refusal := GAME.apply(state, form), Refusal)]
    told = (GAME.view(state), GAME.table(state), GAME.awaiting(state), tuple(GAME.offered(state)), refusals)
    return msgspec.json.encode(told).decode() + str(sorted(map(repr, GAME.whereabouts(state).items())))


def twins(state: State, action: Action, chance: Random) -> Action | None:
    """Another card that could have been laid instead, if this was a secret."""
    if GAME.conceals(action) is None or action.card is None:
        return None
    others = [other for other in GAME.legal(state) if other.seat == action.seat and other != action]
    return chance.choice(others) if others else None


@settings(max_examples=5, deadline=None)
@given(setups, seeds)
def test_S24_whatever_was_laid_the_table_tells_the_same_until_the_reveal(setup, seed):
    """Two tables that differ in nothing but one laid card cannot be told apart before the reveal."""
    forms, chance = all_forms(setup), Random(seed)
    for state, action, step in play(setup, chance):
        other = twins(state, action, chance)
        if other is None or step.revealed:
            continue
        twin = GAME.apply(state, other)
        assert (twin.rulings, twin.revealed) == (step.rulings, step.revealed)
        assert GAME.legal(twin.state) == GAME.legal(step.state)
        if chance.random() < 0.15:
            assert everything_told(twin.state, forms) == everything_told(step.state, forms)


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_S24_no_card_is_named_in_what_is_shown_but_those_that_lie_open(setup, seed):
    """S24 Played-card history is not shown: the view names this round's open cards alone."""
    cards = [card.id for card in setup.box.tribe]
    for _, _, step in play(setup, Random(seed)):
        shown = msgspec.json.encode((GAME.view(step.state), GAME.table(step.state))).decode()
        assert {card for card in cards if card in shown} <= set(step.state.open)
        offers = Counter(offer.seat for offer in GAME.offered(step.state) if isinstance(offer, Play))
        assert all(count == 11 + (step.state.hunter == seat) for seat, count in offers.items())
        assert set(GAME.legal(step.state)) <= set(GAME.offered(step.state))


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_S24_secrets_come_to_light_exactly_when_all_have_laid_a_card(setup, seed):
    laid: set[int] = set()
    for _, action, step in play(setup, Random(seed)):
        if isinstance(action, Play | Duel):
            assert GAME.conceals(action) == action.seat
            laid.add(action.seat)
            all_seats = range(setup.players) if isinstance(action, Play) else range(2)
            complete = len(laid) == len(all_seats)
            assert set(step.revealed) == (laid if complete else set())
            laid = set() if complete else laid
        else:
            assert (step.revealed, GAME.conceals(action)) == ((), None)


# --- S23 Points -----------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_S23_the_supply_cards_of_each_winter_are_handed_out_and_the_points_are_their_sum(setup, seed):
    *_, (_, _, step) = play(setup, Random(seed))
    table = GAME.table(step.state)
    for supply in setup.box.supply:
        got = sorted(values[supply.winter - 1] for values in table.supply)
        assert got == sorted(supply.values)[: setup.players]
    assert [score.total for score in GAME.scores(step.state)] == [sum(values) for values in table.supply]
    best = max((sum(values), values[2]) for values in table.supply)
    assert GAME.winners(step.state) == tuple(
        seat for seat, values in enumerate(table.supply) if (sum(values), values[2]) == best
    )
