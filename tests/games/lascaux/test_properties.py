"""What holds in every game of Lascaux, whatever the players do."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.game import Place, Refusal, Setup, Step, Thing
from companion.games.lascaux.components import ANIMALS, Box, Card
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Action, Choose, Draw, End, Pass, State, Stone

from .table import STANDIN, Table

COLOURS = ("<soot>", "<chalk>", "<ochre>", "<rust>", "<slate>", "<loam>")
MASKED = Box(
    "lascaux",
    "enrolled",
    COLOURS,
    tuple(
        Card(f"card {number}", card.animal, tuple(COLOURS[STANDIN.colours.index(colour)] for colour in card.colours))
        for number, card in enumerate(STANDIN.cards)
    ),
)
"""A box in which the name of a card says nothing about its colours: a colour in a text is then a leak."""

setups = st.builds(
    lambda players, first, options: Setup(players, first % players, options, MASKED),
    st.integers(3, 5),
    st.integers(0, 4),
    st.builds(
        Options,
        stones=st.sampled_from(["open", "secret"]),
        tie=st.sampled_from(["shared", "stones"]),
        direction=st.sampled_from(["clockwise", "anticlockwise"]),
        first_stone=st.sampled_from(["may", "must"]),
        match=st.sampled_from(["alternate", "keep"]),
    ),
)
seeds = st.integers(0, 2**32)


def play(setup: Setup, chance: Random, boldness: float | None = None) -> Iterator[tuple[State, Action, Step[State]]]:
    """A game of random legal actions, step by step. The bolder the players, the more stones they lay."""
    boldness = chance.random() if boldness is None else boldness
    state = GAME.setup(setup)
    while actions := GAME.legal(state):
        bold = isinstance(actions[0], Stone) and chance.random() < boldness
        action = actions[0] if bold else chance.choice(actions)
        step = GAME.apply(state, action)
        assert isinstance(step, Step), f"{action} is legal but was refused: {step}"
        yield state, action, step
        state = step.state


def all_forms(setup: Setup) -> list[Action]:
    """Actions of every form, with seats, cards and colours that exist and some that don't."""
    seats = range(-2, setup.players + 2)
    return [
        *(Draw(card) for card in (*(card.id for card in setup.box.cards), "", "unicorn")),
        *(Choose(seat, colour) for seat in seats for colour in (*COLOURS, "", "brown", "<OCHRE>")),
        *(Stone(seat) for seat in seats),
        *(Pass(seat) for seat in seats),
        End(),
    ]


# --- Legal and illegal ----------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_exactly_the_legal_actions_are_accepted_and_a_refusal_changes_nothing(setup, seed):
    forms = all_forms(setup)
    for state, _, _ in play(setup, Random(seed)):
        before = msgspec.json.encode(state)
        accepted = {action for action in forms if not isinstance(GAME.apply(state, action), Refusal)}
        assert accepted == set(GAME.legal(state))
        assert msgspec.json.encode(state) == before


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_every_game_ends(setup, seed):
    boldness = Random(seed).random()
    *before, (_, _, step) = play(setup, Random(seed), boldness)
    assert GAME.table(step.state).phase == "over"
    assert GAME.awaiting(step.state) is None
    assert len(before) < 10_000


def test_players_who_never_pass_of_their_own_will_run_out_of_stones_and_the_game_still_ends():
    setup = Setup(5, 0, Options(), MASKED)
    passes = [state.stones[action.seat] for state, action, _ in play(setup, Random(1), 1.0) if isinstance(action, Pass)]
    assert passes
    assert max(passes) == 0


def test_random_play_meets_a_stalemate():
    """So that the properties above hold for L16, too."""
    ends = (action for seed in range(40) for _, action, _ in play(Setup(3, 0, Options(), MASKED), Random(seed)))
    assert any(isinstance(action, End) for action in ends)


# --- Nothing gets lost ----------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_stones_cards_and_markers_are_conserved(setup, seed):
    stones = 50 if setup.players == 5 else 12 * setup.players
    for _, _, step in play(setup, Random(seed)):
        table = GAME.table(step.state)
        assert sum(table.stones) + table.pot == stones
        assert min(table.stones) >= 0
        assert table.deck + len(table.row) + sum(map(len, table.won)) == 54
        lying = GAME.whereabouts(step.state)
        assert min(lying.values()) >= 0
        things = Counter()
        for (thing, _), count in lying.items():
            things[thing.kind, thing.id, thing.owner] += count
        assert things["stone", "", None] == stones
        assert all(things["card", card.id, None] == 1 for card in setup.box.cards)
        assert all(things["marker", "", seat] == 6 for seat in range(setup.players))
        assert things.total() == stones + 54 + 6 * setup.players


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_the_pot_is_empty_between_rounds_and_at_the_end(setup, seed):
    for _, _, step in play(setup, Random(seed)):
        table = GAME.table(step.state)
        if table.phase != "bid":
            assert (table.pot, table.pile) == (0, ())
        assert len(table.row) <= 7


# --- L6 Secrecy -----------------------------------------------------------------------------------------------


def everything_told(state: State, forms: list[Action]) -> str:
    """All that leaves the rules in a state: to screens, to logs, and as an answer to any refused action."""
    refusals = [refusal for form in forms if isinstance(refusal := GAME.apply(state, form), Refusal)]
    told = (GAME.view(state), GAME.table(state), GAME.awaiting(state), refusals, whereabouts(state))
    return msgspec.json.encode(told).decode()


def whereabouts(state: State) -> list[tuple[Thing, Place, int]]:
    return [(*key, count) for key, count in GAME.whereabouts(state).items()]


@settings(max_examples=10, deadline=None)
@given(setups, seeds)
def test_L6_no_single_colour_is_named_before_the_reveal(setup, seed):
    forms = all_forms(setup)
    for _, action, step in play(setup, Random(seed)):
        told = everything_told(step.state, forms)
        if not step.revealed:
            told += msgspec.json.encode(step.rulings).decode()
        # A refused marker is answered with all six colours of the box, whatever has been chosen.
        named = {colour for colour in COLOURS if colour in told}
        assert named in (set(), set(COLOURS))
        assert GAME.conceals(action) == (action.seat if isinstance(action, Choose) else None)


@settings(max_examples=30, deadline=None)
@given(setups, seeds, st.permutations(COLOURS))
def test_L6_whatever_was_chosen_the_table_tells_the_same_until_the_reveal(setup, seed, other_colours):
    """Two tables that differ in nothing but their choices cannot be told apart before the reveal."""
    forms = [form for form in all_forms(setup) if not isinstance(form, Draw)]
    twin = None
    for state, action, step in play(setup, Random(seed)):
        twin_action = action
        if isinstance(action, Choose):
            twin_action = Choose(action.seat, other_colours[COLOURS.index(action.colour)])
            twin = twin or state
        if twin is None:
            continue
        twin_step = GAME.apply(twin, twin_action)
        if step.revealed:
            assert twin_step.revealed == step.revealed
            twin = None
        else:
            assert twin_step.rulings == step.rulings
            assert everything_told(twin_step.state, forms) == everything_told(step.state, forms)
            assert GAME.legal(twin_step.state) == GAME.legal(step.state)
            twin = twin_step.state


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_L6_secrets_come_to_light_for_all_seats_exactly_at_the_end_of_a_round(setup, seed):
    for state, _, step in play(setup, Random(seed)):
        revealed = state.phase == "bid" and step.state.phase != "bid"
        assert sorted(step.revealed) == (list(range(setup.players)) if revealed else [])


# --- L20 Secret stones ----------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_L20_no_supply_can_be_told_from_the_view_or_from_what_is_offered(setup, seed):
    setup = msgspec.structs.replace(setup, options=Options(stones="secret"))
    for _, _, step in play(setup, Random(seed)):
        state = step.state
        if state.phase == "over":
            assert GAME.view(state) == GAME.table(state)
            continue
        moved = msgspec.structs.replace(state, stones=tuple(reversed(state.stones)))
        for supplies in (moved, msgspec.structs.replace(state, stones=(0,) * setup.players)):
            assert GAME.view(supplies) == GAME.view(state)
            assert GAME.offered(supplies) == GAME.offered(state)
        assert set(GAME.legal(state)) <= set(GAME.offered(state))


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_L20_with_open_stones_exactly_the_legal_actions_are_offered(setup, seed):
    setup = msgspec.structs.replace(setup, options=Options(stones="open"))
    for state, _, _ in play(setup, Random(seed)):
        assert GAME.offered(state) == GAME.legal(state)
        assert GAME.view(state) == GAME.table(state)


# --- L17 to L19 Points, counted a second time -----------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.integers(3, 5), st.lists(st.integers(-1, 4), min_size=54, max_size=54), st.data())
def test_points_are_those_that_a_slow_count_finds(players, owners, data):
    stones = tuple(data.draw(st.lists(st.integers(0, 50), min_size=players, max_size=players)))
    won = tuple(
        tuple(card for card, owner in zip(STANDIN.cards, owners, strict=True) if owner == seat)
        for seat in range(players)
    )
    for tie in ("shared", "stones"):
        table = Table(players, tie=tie)
        table.state = msgspec.structs.replace(table.state, phase="over", won=won, stones=stones)
        totals = [slow_points(seat, won, stones[seat]) for seat in range(players)]
        assert table.totals == totals
        assert table.winners == slow_winners(totals, stones, tie)
        assert all(part.points > 0 for score in GAME.scores(table.state) for part in score.parts)


def slow_points(seat, won, stones):
    points = 0
    for animal in ANIMALS:
        mine = len([card for card in won[seat] if card.animal == animal])
        more = [cards for cards in won if len([card for card in cards if card.animal == animal]) > mine]
        if not more:
            points += mine
    while stones >= 6:
        stones -= 6
        points += 1
    return points


def slow_winners(totals, stones, tie):
    ranks = [(total, stone if tie == "stones" else 0) for total, stone in zip(totals, stones, strict=True)]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
