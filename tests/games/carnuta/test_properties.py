"""What holds in every game of Carnuta, whatever the players do."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.game import Refusal, Setup, Step
from companion.gamekit.game_start import Header
from companion.games.carnuta.components import FACES, INGREDIENTS, SALT, Box, Card
from companion.games.carnuta.options import Options
from companion.games.carnuta.rules import GAME
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
)
from companion.session.entry import Entry, action_body
from companion.session.evening import Evening, game_body
from companion.session.transcript_export import transcript
from tests.session.exports import replay

from .table import MIXED, STANDIN, box_text


def lopsided() -> Box:
    """The stand-in with all but nine cards in the moon deck: the sun deck runs out again and again."""
    cards = [
        msgspec.structs.replace(card, deck="sun" if number % 8 == 0 else "moon")
        for number, card in enumerate(STANDIN.cards)
    ]
    return Box("carnuta", "enrolled", tuple(cards))


def short() -> Box:
    """Most cards are free, so that games are short; the sun deck has three cards."""
    kinds = (*INGREDIENTS, SALT)
    cards = [
        Card(
            f"card {number}",
            "sun" if number < 3 else "moon",
            kinds[number % 9],
            (kinds[number % 9],),
            ("flip sun", "remove moon") if number % 3 == 0 else (),
            number % 5,
            ("egg", "moth") if number % 4 == 0 else None,
        )
        for number in range(72)
    ]
    return Box("carnuta", "enrolled", tuple(cards))


boxes = st.sampled_from([STANDIN, MIXED, lopsided(), short()])
setups = st.builds(
    lambda players, first, options, box: Setup(players, first % players, options, box),
    st.integers(2, 4),
    st.integers(0, 3),
    st.builds(
        Options,
        start_card=st.sampled_from(["hand", "played"]),
        partial_runes=st.booleans(),
        sickles_per_turn=st.integers(1, 3),
        last_round=st.booleans(),
        flipped_pays=st.booleans(),
        flip=st.sampled_from(["all", "any"]),
        salt=st.sampled_from(["column", "joker"]),
    ),
    boxes,
)
seeds = st.integers(0, 2**32)
COUNTS = (*range(-1, 8), 10**30, True, 1.0, None, "1")
KEEN = 0.7
"""How often a card that can be played is played."""


def play(setup: Setup, chance: Random) -> Iterator[tuple[State, Action, Step[State]]]:
    """A game of random legal actions, step by step. Players like to play cards, so that it ends soon."""
    state = GAME.setup(setup)
    while actions := GAME.legal(state):
        plays = [action for action in actions if isinstance(action, Play)]
        action = chance.choice(plays if plays and chance.random() < KEEN else actions)
        step = GAME.apply(state, action)
        assert isinstance(step, Step), f"{action} is legal but was refused: {step}"
        yield state, action, step
        state = step.state


def all_forms(setup: Setup) -> list[Action]:
    """Actions of every form, with seats, cards and ingredients that exist and some that don't."""
    seats = (-1, *range(setup.players + 1))
    cards = (*(card.id for card in setup.box.cards), "", "unicorn")
    columns = (None, *INGREDIENTS, SALT, "unicorn")
    counted = [
        kind(seat, face, count) for kind in (Runes, Flip) for seat in seats for face in FACES for count in COUNTS
    ]
    return [
        *(form(seat, card) for form in (Take, Discard) for seat in seats for card in cards),
        *(form(seat, card, column) for form in (Start, Play) for seat in seats for card in cards for column in columns),
        *(Deal(face, card) for face in FACES for card in cards),
        *(Bonus(seat, ingredient) for seat in seats for ingredient in (*INGREDIENTS, SALT, "")),
        *(form(seat, face) for form in (Runes, Flip, Sickle) for seat in seats for face in FACES),
        *(EndTurn(seat) for seat in seats),
        *counted,
    ]


def plainly(state: State, action: Action) -> Action:
    """The form in which `legal` lists it: without a column that is ignored, without a count that is
    the highest, or ignored."""
    played = isinstance(action, Play) or (isinstance(action, Start) and state.options.start_card == "played")
    if isinstance(action, Play | Start) and not (played and state.cards[action.card].ingredient == SALT):
        return msgspec.structs.replace(action, as_=None)
    if isinstance(action, Runes) and action.count is not msgspec.UNSET:
        player = state.players[action.seat]
        free = player.slots - player.runes.sun - player.runes.moon
        if not state.options.partial_runes or action.count == min(free, state.reserve.of(action.face)):
            return Runes(action.seat, action.face)
    if isinstance(action, Flip) and action.count is not msgspec.UNSET:
        every = action.count == state.players[action.seat].runes.of(action.face)
        return Flip(action.seat, action.face) if every or state.options.flip == "all" else action
    return action


# --- Legal and illegal ----------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(setups, seeds)
def test_exactly_the_legal_actions_are_accepted_and_a_refusal_changes_nothing(setup, seed):
    forms = all_forms(setup)
    chance = Random(seed)
    for state, _, _ in play(setup, Random(seed)):
        if chance.random() < 0.15:
            before = msgspec.json.encode(state)
            accepted = {
                plainly(state, action) for action in forms if not isinstance(GAME.apply(state, action), Refusal)
            }
            assert accepted == set(GAME.legal(state))
            awaiting = GAME.awaiting(state)
            assert awaiting is not None
            assert set(awaiting.do) == {action.__struct_config__.tag for action in accepted}
            assert msgspec.json.encode(state) == before


@settings(max_examples=60, deadline=None)
@given(setups, seeds)
def test_every_game_ends(setup, seed):
    *before, (_, _, step) = play(setup, Random(seed))
    table = GAME.table(step.state)
    assert (table.phase, table.turn, table.actions_left, table.last_round) == ("over", None, 0, True)
    assert max(len(player.played) for player in step.state.players) >= 11
    assert len(before) < 20_000
    assert GAME.winners(step.state)


# --- Nothing gets lost ----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(setups, seeds)
def test_runes_cards_and_everything_else_are_conserved(setup, seed):
    for state, _, step in play(setup, Random(seed)):
        table = GAME.table(step.state)
        runes = (*table.runes, table.reserve)
        assert sum(pair.sun + pair.moon for pair in runes) == 22
        assert all(pair.sun >= 0 <= pair.moon for pair in runes)
        assert all(pair.sun + pair.moon <= slots for pair, slots in zip(table.runes, table.slots, strict=True))
        columns = sum(len(cards) for player in table.columns for cards in player.values())
        lying = [*table.rows.sun, *table.rows.moon]
        piles = table.decks.sun + table.decks.moon + table.discards.sun + table.discards.moon
        assert piles + len(lying) + columns + sum(table.hands) == 72
        assert all(4 <= slots <= 6 for slots in table.slots)
        assert sum(map(len, table.bonus)) + len(step.state.bonus_left) == 8
        if state.turn != step.state.turn and state.phase == "act":
            assert table.hands[state.turn] <= 3


@settings(max_examples=25, deadline=None)
@given(setups, seeds)
def test_every_piece_lies_somewhere(setup, seed):
    players = setup.players
    for _, _, step in play(setup, Random(seed)):
        lying = GAME.whereabouts(step.state)
        assert min(lying.values()) >= 0
        things = Counter()
        for (thing, _), count in lying.items():
            things[thing] += count
        kinds = Counter()
        for thing, count in things.items():
            kinds[thing.kind] += count
            assert thing.kind not in ("card", "bonus", "marker", "start card") or count == 1
        assert kinds == {
            "card": 72,
            "rune": 22,
            "bonus": 8,
            "marker": players,
            "start card": players,
            "sickle": 2 * players,
            "padlock": 2 * players,
        }


@settings(max_examples=60, deadline=None)
@given(setups, seeds)
def test_C12_no_deck_is_empty_while_a_place_could_be_filled(setup, seed):
    for _, _, step in play(setup, Random(seed)):
        table = GAME.table(step.state)
        if table.phase == "deal":
            continue
        for face in FACES:
            if table.phase != "start" and len(table.rows.of(face)) < 4:
                assert (table.decks.of(face), table.discards.of(face)) == (0, 0)


# --- C17 Secrecy ----------------------------------------------------------------------------------------------

secret_setups = st.builds(
    lambda setup: msgspec.structs.replace(setup, options=msgspec.structs.replace(setup.options, start_card="hand")),
    setups,
)


def everything_told(state: State, forms: list[Action]) -> str:
    """All that leaves the rules in a state: to screens, to logs, and as an answer to any refused action."""
    refusals = [refusal for form in forms if isinstance(refusal := GAME.apply(state, form), Refusal)]
    where = [(*key, count) for key, count in GAME.whereabouts(state).items()]
    return msgspec.json.encode((GAME.view(state), GAME.table(state), GAME.offered(state), refusals, where)).decode()


def twins(state: State, other: str) -> State:
    """A table that looks the same: seat 0 has another start card, and its own lies in the deck instead."""
    player = state.players[0]
    mine = player.secret
    swap = {mine: other, other: mine}
    hand = tuple(swap.get(card, card) for card in player.hand)
    deck = {swap.get(card, card): state.cards[swap.get(card, card)] for card in state.decks.of(state.cards[mine].deck)}
    return msgspec.structs.replace(
        state,
        players=(msgspec.structs.replace(player, hand=hand, secret=other), *state.players[1:]),
        decks=state.decks.with_(state.cards[mine].deck, deck),
    )


@settings(max_examples=40, deadline=None)
@given(secret_setups, seeds)
def test_C17_tables_that_differ_only_in_a_start_card_look_alike_until_it_is_played(setup, seed):
    chance = Random(seed)
    for _, action, step in play(setup, Random(seed)):
        state = step.state
        mine = state.players[0].secret
        if state.phase == "over" or (mine is None and state.starting > 0):
            assert mine is None
            return
        if mine is None or chance.random() < 0.5:
            continue
        others = [card for card in state.decks.of(state.cards[mine].deck) if card != mine]
        if not others:
            continue
        other = chance.choice(others)
        forms = [form for form in SOME_FORMS if getattr(form, "card", None) not in (mine, other)]
        twin = twins(state, other)
        assert everything_told(twin, forms) == everything_told(state, forms)
        assert GAME.conceals(action) == (action.seat if isinstance(action, Start) else None)


SOME_FORMS = [
    *(
        form(seat, card)
        for form in (Take, Discard, Play, Start)
        for seat in (0, 1)
        for card in ("egg-1", "salt-1", "x")
    ),
    *(Deal(face, card) for face in FACES for card in ("egg-1", "honey-2", "x")),
    *(form(seat, "sun") for form in (Runes, Flip, Sickle) for seat in (0, 1)),
    *(Bonus(0, "x"), EndTurn(0), EndTurn(1), EndTurn(-1)),
]


@settings(max_examples=40, deadline=None)
@given(secret_setups, seeds)
def test_C17_no_ruling_or_refusal_names_a_start_card_before_it_comes_to_light(setup, seed):
    forms = [form for form in all_forms(setup) if not isinstance(form, Deal)]
    chance = Random(seed)
    for state, _, step in play(setup, Random(seed)):
        hidden = [f'"{player.secret}"' for player in step.state.players if player.secret]
        rulings = msgspec.json.encode(step.rulings).decode()
        assert not any(card in rulings for card in hidden)
        if chance.random() < 0.02:
            refusals = [refusal for form in forms if isinstance(refusal := GAME.apply(state, form), Refusal)]
            kept = [f'"{player.secret}"' for player in state.players if player.secret]
            assert not any(card in msgspec.json.encode(refusals).decode() for card in kept)


@settings(max_examples=40, deadline=None)
@given(secret_setups, seeds)
def test_C17_each_secret_comes_to_light_exactly_once(setup, seed):
    shown = Counter()
    for state, action, step in play(setup, Random(seed)):
        assert step.revealed == tuple(
            seat
            for seat, player in enumerate(state.players)
            if player.secret is not None and step.state.players[seat].secret is None
        )
        shown.update(step.revealed)
        if step.revealed and step.state.phase != "over":
            assert isinstance(action, Play | Discard)
    assert shown == Counter(range(setup.players))


# --- Exports --------------------------------------------------------------------------------------------------


@settings(max_examples=6, deadline=None)
@given(setups, seeds)
def test_an_export_is_adjudicated_again_and_ends_before_the_first_hidden_start_card(setup, seed):
    header = Header("carnuta", tuple("ABCD"[: setup.players]), setup.first, msgspec.to_builtins(setup.options))
    text_of_box = box_text(setup.box)
    evening = Evening([Entry(1, 0.0, "game", "", "", game_body(header, text_of_box))])
    chance = Random(seed)
    for number, (_, action, step) in enumerate(play(setup, Random(seed)), 2):
        evening.take(Entry(number, 0.0, "action", "", "", action_body(action)))
        if chance.random() < 0.03 or step.state.phase == "over":
            text = transcript(evening)
            _, reached = replay(text, text_of_box)
            hidden = [seat for seat, player in enumerate(step.state.players) if player.secret is not None]
            if hidden:
                assert text.count("\n") == 1 + hidden[0]
            else:
                assert GAME.table(reached) == GAME.table(step.state)
