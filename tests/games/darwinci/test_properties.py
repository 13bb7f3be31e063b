"""What holds in every game of Darwinci, whatever the players do."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from companion.gamekit.game import Place, Refusal, Setup, Step, Thing
from companion.games.darwinci.display import FULL, TURNS, runs
from companion.games.darwinci.options import Options
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import (
    Action,
    Bid,
    Build,
    Buy,
    Discard,
    Jewels,
    Keep,
    Offer,
    Skip,
    State,
)
from companion.games.darwinci.view import Stones

from .table import BOX, STANDIN

TIES = ("start player wins the tie", "wins the tie", "nearest wins the tie", "clockwise wins the tie")
COUNTERS = ("gets the counter", "passes the counter on")
CARDS = (
    *("gets the Darwin card", "keeps the Darwin card", "hands over the Darwin card", "passes the Darwin card on"),
    *("first after the holder", "first from the start", "starts and gets the card"),
)
"""The reasons that random play gives for ties (D7), for the round counter (D10) and for the Darwin card (D17)."""

SMALL = replace(BOX, tiles=BOX.tiles[-40:])
"""Stacks that run out."""

setups = st.builds(
    lambda players, first, options, box: Setup(players, first % players, options, box),
    st.integers(3, 5),
    st.integers(0, 4),
    st.builds(
        Options,
        minus=st.sampled_from(["owe", "floor"]),
        run=st.sampled_from(["whole", "part"]),
        tie=st.sampled_from(["clockwise", "nearest"]),
        larger=st.sampled_from(["tiles", "darwin"]),
    ),
    st.sampled_from([STANDIN, BOX, SMALL]),
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


def some_forms(state: State, chance: Random) -> list[Action]:
    """Actions of every form around a state, with seats, tiles and places that exist and some that don't."""
    seats = range(-1, len(state.seats) + 1)
    turns, tiles = (*TURNS, 45), [*chance.sample([tile.id for tile in state.box.tiles], 4), "", "unicorn"]
    tiles += [tile for won in state.won for tile in won] + [tile for tile in state.offers if tile]
    cells = [(chance.randint(-4, 4), chance.randint(-4, 4)) for _ in range(12)]
    kinds = (*state.box.jewels, "gold")
    return [
        *(Build(seat, tile, x, y, chance.choice(turns)) for seat in seats for tile in tiles for x, y in cells),
        *(kind(seat) for kind in (Buy, Keep, Skip) for seat in seats),
        *(kind(seat, tile) for kind in (Offer, Discard) for seat in seats for tile in tiles),
        *(Bid(seat, _stones(state, chance)) for seat in seats for _ in range(20)),
        *(
            Jewels(seat, line, x, y, kind, *chance.choice([(), (x - 1, x + 1), (y, y), (x, None)]))
            for seat in seats
            for line in ("row", "column", "diagonal")
            for x, y in cells
            for kind in kinds
        ),
    ]


def _stones(state: State, chance: Random) -> tuple[Stones, ...]:
    last = len(state.seats) - (chance.random() < 0.9)
    return tuple(
        Stones(chance.randint(0, last), chance.randint(0, last), chance.choice([0, 1, 1, 1, 1, 2]))
        for _ in range(chance.randint(0, 3))
    )


def canonical(state: State, action: Action) -> Action:
    """The form in which `legal` lists an action that does the same."""
    if isinstance(action, Bid):
        sums: Counter[tuple[int, int]] = Counter()
        for stones in action.stones:
            if stones.count < 1:
                return action
            sums[stones.colour, stones.on] += stones.count
        return Bid(action.seat, tuple(Stones(on, colour, count) for (colour, on), count in sorted(sums.items())))
    if isinstance(action, Build) and 0 <= action.seat < len(state.seats) and not state.built[action.seat]:
        return replace(action, x=0, y=0)
    if isinstance(action, Jewels) and 0 <= action.seat < len(state.seats):
        return _canonical_line(state, action)
    return action


def _canonical_line(state: State, action: Jewels) -> Jewels:
    row = action.line == "row"
    for line, tiles in runs(state.built[action.seat]):
        if line == action.line and any((tile.x, tile.y) == (action.x, action.y) for tile in tiles):
            along = [tile.x if row else tile.y for tile in tiles]
            whole = Jewels(action.seat, action.line, tiles[0].x, tiles[0].y, action.kind)
            first, last = action.from_, action.to
            if state.options.run == "whole" or (first, last) in ((UNSET, UNSET), (along[0], along[-1])):
                return whole
            named = action.x if row else action.y
            if first is None or last is None or not along[0] <= first <= named <= last <= along[-1]:
                return action
            start = tiles[first - along[0]]
            return replace(whole, x=start.x, y=start.y, from_=first, to=last)
    return action


# --- Legal and illegal ----------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_exactly_the_legal_actions_are_accepted_and_a_refusal_changes_nothing(setup, seed):
    chance = Random(seed)
    for state, _, _ in play(setup, Random(seed)):
        if chance.random() < 0.04:
            before = msgspec.json.encode(state)
            legal = set(GAME.legal(state))
            for form in some_forms(state, chance):
                accepted = isinstance(GAME.apply(state, form), Step)
                if accepted != (canonical(state, form) in legal):
                    raise AssertionError((accepted, form, GAME.apply(state, form)))
            assert msgspec.json.encode(state) == before


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_every_listed_action_is_accepted_once_and_by_any_way_of_counting(setup, seed):
    chance = Random(seed)
    for state, _, _ in play(setup, Random(seed)):
        if chance.random() < 0.06:
            legal = GAME.legal(state)
            listed = list(legal)
            assert len(set(listed)) == len(listed) == len(legal)
            assert [legal[number] for number in range(len(legal))] == listed
            assert (legal[-1], legal[:2]) == (listed[-1], tuple(listed[:2]))
            for action in chance.sample(listed, min(len(listed), 100)):
                assert isinstance(GAME.apply(state, action), Step)


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_what_is_offered_is_legal_and_says_all_that_can_be_done(setup, seed):
    chance = Random(seed)
    for state, _, _ in play(setup, Random(seed)):
        if chance.random() < 0.1:
            offered, awaiting = list(GAME.offered(state)), GAME.awaiting(state)
            assert {action.__struct_config__.tag for action in offered} == set(awaiting.do)
            if state.phase != "offer":
                assert set(offered) <= set(GAME.legal(state))


@settings(max_examples=40, deadline=None)
@given(setups, seeds)
def test_every_game_ends(setup, seed):
    *before, (_, _, step) = play(setup, Random(seed))
    state = step.state
    assert GAME.table(state).phase == "over"
    assert GAME.awaiting(state) is None
    full = any(len(built) == FULL for built in state.built)
    assert full or state.stack < setup.players
    assert len(before) < 1000
    assert tuple(score.total for score in GAME.scores(state)) == state.money
    assert GAME.winners(state)


def test_random_play_meets_both_ends_discards_and_debts():
    """So that the properties above hold for them, too."""
    met = Counter()
    for seed in range(30):
        options = Options(tie="nearest" if seed % 4 > 1 else "clockwise")
        setup = Setup(3 + seed % 3, 0, options, SMALL if seed % 2 else STANDIN)
        for _, action, step in play(setup, Random(seed)):
            met[type(action).__name__] += 1
            met.update(ruling.what for ruling in step.rulings)
            met["debt"] += min(step.state.money) < 0
    assert all(met[what] for what in ("Discard", "Jewels", "twelve tiles", "stacks run out", "debt"))
    assert [what for what in ("closes a creature", *TIES, *COUNTERS, *CARDS) if not met[what]] == []


# --- Nothing gets lost ----------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(setups, seeds)
def test_stones_tiles_and_money_are_conserved(setup, seed):
    for _, _, step in play(setup, Random(seed)):
        state = step.state
        table = GAME.table(state)
        for colour in range(setup.players):
            held = sum(stones[colour] for stones in (*table.stones, *table.on))
            assert held == 9
        assert min(map(min, (*table.stones, *table.on))) >= 0
        assert table.money == tuple(score.total for score in GAME.scores(state))
        assert setup.options.minus == "owe" or min(table.money) >= 0
        hidden = sum(tile is not None for tile in state.offers) * (state.phase == "offer")
        assert len(state.fresh) == table.stack + sum(table.hands)
        used = len(state.box.tiles) - len(state.fresh) - hidden
        assert used >= sum(map(len, table.built)) + sum(map(len, table.won))
        assert len(set(state.fresh)) == len(state.fresh)


def _public(lying):
    """Where the markers lie that all players see: the counter and the Darwin card."""
    return {(thing, place) for (thing, place), n in lying.items() if n and thing.kind in ("counter", "Darwin card")}


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_every_piece_is_somewhere(setup, seed):
    for _, _, step in play(setup, Random(seed)):
        state = step.state
        lying = GAME.whereabouts(state)
        things = Counter()
        for (thing, place), count in lying.items():
            assert count >= 0 or place.kind == "bank"
            things[thing.kind, thing.id, thing.owner] += count
        assert all(things["tile", tile.id, None] == 1 for tile in setup.box.tiles)
        assert all(things["stone", "", colour] == 9 for colour in range(setup.players))
        assert all(things["jewel", kind, seat] == 1 for kind in setup.box.jewels for seat in range(setup.players))
        assert (things["darwin", "", None], things["debt", "", None]) == (0, 0)
        assert (things["counter", "", None], things["Darwin card", "", None]) == (1, 1)
        assert _public(GAME.layout(GAME.view(state))) == _public(lying), "as the view tells it"
        down = sum(lying[Thing("tile"), Place("offer", seat)] for seat in range(setup.players))
        assert things["tile", "", None] == len(state.fresh) + down


@settings(max_examples=20, deadline=None)
@given(setups, seeds)
def test_displays_stay_in_the_frame_and_in_one_piece(setup, seed):
    for _, _, step in play(setup, Random(seed)):
        for built in step.state.built:
            cells = {(tile.x, tile.y) for tile in built}
            assert len(cells) == len(built) <= FULL
            if cells:
                extent = sorted(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
                assert extent[0] <= 3
                assert extent[1] <= 4


# --- D21 Secrecy ----------------------------------------------------------------------------------------------


def everything_told(state: State, hidden: set[str]) -> str:
    """All that leaves the rules in a state: to screens, to logs, and as an answer to refused actions. A player who
    offers one of the hidden tiles is left out: they would have to hold it in their own hand."""
    chance = Random(len(state.fresh))
    forms = some_forms(replace(state, offers=(None,) * len(state.seats)), chance)
    forms = [form for form in forms if getattr(form, "tile", None) not in hidden]
    refusals = [refusal for form in forms if isinstance(refusal := GAME.apply(state, form), Refusal)]
    lying = [(*key, count) for key, count in GAME.whereabouts(state).items()]
    told = (GAME.view(state), GAME.table(state), GAME.awaiting(state), list(GAME.offered(state)), refusals, lying)
    return msgspec.json.encode(told).decode()


@settings(max_examples=12, deadline=None)
@given(setups, seeds)
def test_D21_whatever_was_offered_the_table_tells_the_same_until_the_reveal(setup, seed):
    """Two tables that differ in nothing but their hidden offers cannot be told apart before the reveal."""
    chance = Random(seed)
    twin, hidden = None, set()
    for state, action, step in play(setup, Random(seed)):
        if not isinstance(action, Offer):
            continue
        if twin is None:
            twin, hidden = state, set()
        free = [tile for tile in twin.fresh if tile in state.fresh and tile != action.tile]
        other = Offer(action.seat, chance.choice(free) if free else action.tile)
        twin_step = GAME.apply(twin, other)
        assert isinstance(twin_step, Step)
        hidden |= {action.tile, other.tile}
        assert twin_step.revealed == step.revealed
        if step.revealed:
            assert step.revealed == step.state.seats
            twin = None
        else:
            assert twin_step.rulings == step.rulings
            assert everything_told(twin_step.state, hidden) == everything_told(step.state, hidden)
            assert not any(f'"{tile}"' in str(msgspec.json.encode(step.rulings)) for tile in hidden)
            twin = twin_step.state


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_D21_secrets_come_to_light_exactly_when_the_bidding_begins(setup, seed):
    for state, action, step in play(setup, Random(seed)):
        revealed = state.phase == "offer" and step.state.phase == "bid"
        assert step.revealed == (state.seats if revealed else ())
        assert GAME.conceals(action) == (action.seat if isinstance(action, Offer) else None)
