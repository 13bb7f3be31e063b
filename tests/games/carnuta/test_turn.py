"""C4 to C10, C15 and C16: playing and paying, bonus fields, runes, points and winners."""

from functools import partial

import pytest

from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.game import Place, Refusal, Ruling, Thing, moves
from companion.gamekit.game_start import read_action
from companion.games.carnuta.components import INGREDIENTS, Card, Pair
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.state import Bonus, Flip, Play, Runes, Take
from companion.language.wording import say

from .table import SUN, Table, box_of

NAMES = ("Anna", "Ben", "Cleo", "Dora")


def card(*cost: str, name: str = "x", ingredient: str = "egg") -> Card:
    return Card(name, "sun", ingredient, (ingredient,), cost, 1)


def holding(*cost: str) -> Table:
    """Anna has taken a card "x" with this cost."""
    table = Table(box=box_of(card(*cost))).starts("moth 0", "moth 1")
    return table.deals("x", "moth 2", "moth 3", "moth 4", "moth 5").take("x")


# --- C4 Playing a card ----------------------------------------------------------------------------------------


def test_C4_the_card_goes_into_the_column_of_its_ingredient_and_the_marker_moves():
    table = Table().ready().play("skull-1")
    assert table.columns[0]["skull"] == ("skull-1",)
    assert (table.hands[0], table.actions_left, GAME.view(table.state).marker) == (0, 1, (1, 0))
    assert table.rulings[0].facts == {"seat": 0, "card": "skull-1", "ingredient": "skull", "marker": 1}


def test_C4_a_column_keeps_the_order_of_playing():
    table = Table().ready().holding("skull-3").with_runes(4, 2).play("skull-1", "skull-3")
    assert table.columns[0]["skull"] == ("skull-1", "skull-3")
    assert tuple(table.columns[0]) == INGREDIENTS


@pytest.mark.parametrize("name", ["egg-1", "berry-2", "moth-3", "unicorn"])
def test_C4_only_an_own_hand_card_can_be_played(name):
    assert Table().ready().refused(Play(0, name)) == Refusal("C18", "not in the hand", {"seat": 0})


# --- C5 and C6 Paying -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cost", "before", "after", "reserve"),
    [
        ((), (2, 2), (2, 2), (0, 0)),
        (("flip sun",), (2, 2), (1, 3), (0, 0)),
        (("flip moon",), (2, 2), (3, 1), (0, 0)),
        (("remove sun",), (2, 2), (1, 2), (1, 0)),
        (("remove moon",), (2, 2), (2, 1), (0, 1)),
        (("flip sun", "flip moon"), (1, 1), (1, 1), (0, 0)),
        (("flip sun", "flip sun", "remove moon"), (2, 1), (0, 2), (0, 1)),
        (("flip sun", "remove sun", "flip moon", "remove moon"), (2, 2), (1, 1), (1, 1)),
        (("remove sun", "remove sun", "remove moon", "remove moon"), (2, 2), (0, 0), (2, 2)),
    ],
)
def test_C5_each_symbol_flips_or_removes_one_rune(cost, before, after, reserve):
    table = holding(*cost).with_runes(*before)
    old = table.reserve
    table.play("x")
    assert table.runes[0] == Pair(*after)
    assert (table.reserve.sun - old.sun, table.reserve.moon - old.moon) == reserve


@pytest.mark.parametrize(
    ("cost", "runes"),
    [
        (("flip sun",), (0, 4)),
        (("remove moon",), (4, 0)),
        (("flip sun", "flip sun"), (1, 3)),
        (("flip sun", "remove sun"), (1, 3)),
        (("flip sun", "flip moon"), (1, 0)),
        (("flip moon", "remove sun"), (0, 2)),
        (("flip sun", "flip sun", "flip sun", "flip moon", "flip moon"), (2, 2)),
    ],
)
def test_C5_who_cannot_pay_is_refused(cost, runes):
    assert holding(*cost).with_runes(*runes).refused(Play(0, "x")).rule == "C5"


def test_C5_a_rune_flipped_by_this_payment_pays_nothing_more():
    refusal = holding("flip sun", "remove moon").with_runes(2, 0).refused(Play(0, "x"))
    assert say(refusal, GAME.sentences, NAMES) == (
        "Anna can't pay for x: it asks for 1 sun and 1 moon, there are 2 suns and 0 moons"
    )


def test_C5_hands_are_told_which_runes_to_turn_and_to_remove():
    table = holding("flip sun", "flip sun", "remove moon").play("x")
    told = [say(ruling, GAME.sentences, NAMES) for ruling in table.rulings[1:3]]
    assert told == ["Anna pays: turn 2 runes from sun to moon", "Anna pays: 1 rune showing the moon to the reserve"]
    assert [ruling.rule for ruling in table.rulings[:3]] == ["C4", "C5", "C6"]


def test_C6_removed_runes_keep_their_face_and_taken_ones_are_not_flipped():
    table = holding("remove sun", "remove sun").play("x")
    assert (table.reserve, table.board) == (Pair(9, 7), (0, 2))
    table.done().idle_turn().fill("sun")
    assert (table.board, table.reserve) == ((2, 2), Pair(7, 7))


def test_C6_an_undone_payment_says_which_runes_go_back():
    before = holding("flip sun", "remove sun")
    after = Table()
    after.state = GAME.apply(before.state, Play(0, "x")).state
    back = moves(GAME.whereabouts(after.state), GAME.whereabouts(before.state))
    runes = {(move.source, move.target): move.count for move in back if move.thing == Thing("rune")}
    assert runes == {(Place("sun reserve"), Place("suns", 0)): 1, (Place("moons", 0), Place("suns", 0)): 1}
    assert any(move.thing == Thing("card", "x") and move.target == Place("hand", 0) for move in back)
    assert any(move.source == Place("field 1", 0) and move.target == Place("field 0", 0) for move in back)


# --- C7 Salt --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", INGREDIENTS)
def test_C7_salt_is_assigned_at_once_to_any_column(column):
    table = Table().ready().holding("salt-1").play("salt-1", as_=column)
    assert table.columns[0][column] == ("salt-1",)
    assert table.rulings[0].rule == "C7"


@pytest.mark.parametrize("column", [None, "salt", "", "Egg", 7, ["egg"], {"egg": 1}, True])
def test_C7_without_a_column_it_is_refused(column):
    refusal = Table().ready().holding("salt-1").refused(Play(0, "salt-1", column))
    assert (refusal.rule, refusal.what) == ("C7", "which column")


@pytest.mark.parametrize("column", [None, "egg", "salt", 7, ["x"], {}])
def test_C7_a_column_is_ignored_for_anything_else(column):
    action = read_action(GAME, {"do": "play", "seat": 0, "card": "skull-1", "as": column})
    assert Table().ready().do(action).columns[0]["skull"] == ("skull-1",)


def test_C7_salt_counts_as_that_ingredient_only():
    table = Table().over_with("egg-4 salt-1:egg salt-2:moth", "")
    assert table.points() == {"egg": 3, "moth": 0}, "1 for each of two eggs on the card and one salt"


# --- C8 Bonus fields ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("already", "slots"), [(2, 4), (3, 5), (4, 4), (6, 4), (7, 5), (8, 4)])
def test_C8_card_4_and_card_8_take_a_padlock_off(already, slots):
    table = Table().ready().having_played(*SUN[-already:]).play("skull-1")
    assert (table.slots, table.phase) == ((slots, 4), "act")
    assert table.board == (0, 4), "the new slot is empty"


@pytest.mark.parametrize("already", [5, 9])
def test_C8_card_6_and_card_10_bring_a_bonus_ingredient(already):
    table = Table().ready().having_played(*SUN[-already:]).play("skull-1")
    assert (table.phase, table.actions_left, table.may) == ("bonus", 1, ("bonus",))
    table.choose("egg")
    assert (
        (table.phase, table.bonus_of(0)) == ("act", ("egg",)) if False else (table.phase, table.state.players[0].bonus)
    )
    assert "egg" not in GAME.view(table.state).bonus_left


def test_C8_a_bonus_that_is_taken_is_gone():
    table = Table().ready().having_played(*SUN[-5:]).play("skull-1").choose("egg").flip("moon").done()
    table.having_played(*SUN[-10:-5], seat=1).play("berry-2")
    assert table.refused(Bonus(1, "egg")).rule == "C8"
    assert table.refused(Bonus(1, "salt")).rule == "C18"
    assert table.choose("moth").bonus[1] == ("moth",)


@pytest.mark.parametrize("action", [Take(0, "egg-1"), Flip(0, "sun"), Runes(0, "moon"), Play(0, "egg-1")])
def test_C8_the_bonus_comes_at_once(action):
    table = Table().ready().having_played(*SUN[-5:]).play("skull-1")
    assert table.refused(action).rule == "C8"
    assert table.refused(Bonus(1, "egg")).rule == "C18"


def test_C8_no_bonus_without_its_field():
    assert Table().ready().refused(Bonus(0, "egg")).rule == "C8"


def test_C8_it_counts_as_an_extra_symbol_not_as_a_card():
    table = Table().over_with("egg-4", "").with_player(0, bonus=("egg", "moth"))
    assert table.points() == {"egg": 3}


# --- C9 Taking runes ------------------------------------------------------------------------------------------


def test_C9_as_many_as_the_open_slots_hold():
    table = Table().ready().with_runes(0, 1).fill("sun")
    assert (table.board, table.actions_left) == ((3, 1), 1)
    assert table.rulings[0].facts == {"seat": 0, "face": "sun", "count": 3}


def test_C9_as_many_as_the_reserve_has():
    table = Table(4).ready().with_player(0, runes=Pair(0, 0)).fill("moon")
    assert (table.board, table.reserve) == ((0, 3), Pair(3, 0))
    assert table.refused(Runes(0, "moon")).rule == "C9"
    assert table.fill("sun").board == (1, 3)


def test_C9_none_possible_is_refused():
    assert Table().ready().refused(Runes(0, "sun")).rule == "C9"
    assert Table().ready().with_runes(3, 1).refused(Runes(0, "moon")).rule == "C9"


def test_C9_fewer_only_with_the_option():
    for extra in (2, 3, 0, True, 1.0, None, "x"):
        assert Table().ready().with_runes(0, 1).do(Runes(0, "sun", extra)).board == (3, 1), "an extra field is ignored"
    table = Table(partial_runes=True).ready().with_runes(0, 1).do(Runes(0, "sun", 2))
    assert table.board == (2, 1)


@pytest.mark.parametrize("count", [0, -1, 4, 10**30])
def test_C9_with_the_option_from_one_up_to_what_is_possible(count):
    table = Table(partial_runes=True).ready().with_runes(0, 1)
    assert table.refused(Runes(0, "sun", count)).rule == "C9"
    assert table.fill("sun").board == (3, 1), "left out: as many as possible"


@pytest.mark.parametrize("count", [True, 1.0, None, "x"])
def test_C18_with_the_option_a_count_is_a_whole_number(count):
    assert Table(partial_runes=True).ready().with_runes(0, 1).refused(Runes(0, "sun", count)).rule == "C18"


def test_C9_locked_slots_hold_nothing():
    table = Table().ready().with_runes(2, 1).fill("moon")
    assert table.board == (2, 2)
    assert table.with_player(0, slots=6).fill("moon").board == (2, 4)


# --- C10 Flipping runes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "after"), [("sun", (0, 4)), ("moon", (4, 0))])
def test_C10_all_runes_of_one_face_are_flipped(face, after):
    table = Table().ready().with_runes(3, 1).flip(face)
    assert (table.board, table.actions_left) == (after, 1)


def test_C10_none_of_that_face_is_refused():
    table = Table().ready().with_runes(4, 0)
    assert table.refused(Flip(0, "moon")).rule == "C10"
    assert table.with_runes(0, 0).refused(Flip(0, "sun")).rule == "C10"


@pytest.mark.parametrize(("count", "after"), [(1, (2, 2)), (2, (1, 3)), (3, (0, 4))])
def test_C10_with_flip_any_any_number_of_runes_of_one_face(count, after):
    table = Table(flip="any").ready().with_runes(3, 1).do(Flip(0, "sun", count))
    assert (table.board, table.actions_left) == (after, 1)
    assert table.rulings[0].facts == {"seat": 0, "count": count, "face": "sun", "other": "moon"}


def test_C10_with_flip_any_a_count_that_is_left_out_means_all():
    assert Table(flip="any").ready().with_runes(3, 1).flip("sun").board == (0, 4)


@pytest.mark.parametrize("count", [0, -1, 4, 10**30])
def test_C10_with_flip_any_from_one_up_to_the_runes_of_that_face(count):
    table = Table(flip="any").ready().with_runes(3, 1)
    assert table.refused(Flip(0, "sun", count)).rule == "C10"
    assert table.with_runes(0, 4).refused(Flip(0, "sun", 1)).rule == "C10"


@pytest.mark.parametrize("count", [True, 1.0, None, "x", [1]])
def test_C18_with_flip_any_a_count_is_a_whole_number(count):
    assert Table(flip="any").ready().refused(Flip(0, "sun", count)).rule == "C18"


@pytest.mark.parametrize("count", [1, 0, 9, True, 1.0, None, "x", [1]])
def test_C10_without_the_option_a_count_is_an_extra_field_and_ignored(count):
    action = read_action(GAME, {"do": "flip", "seat": 0, "face": "sun", "count": count})
    assert Table().ready().with_runes(3, 1).do(action).board == (0, 4)


# --- C5 With the option: runes that this payment turned may pay, too -------------------------------------------


def costing(cost: str, suns: int, moons: int, **options: bool) -> Table:
    """Anna holds a card that costs "flip sun, remove moon", and has so many runes."""
    card = Card("x", "sun", "egg", ("egg",), tuple(cost.split(", ")), 1)
    cards = [Card(f"s{number}", "sun", "egg", ("egg",), (), 0) for number in range(4)]
    table = Table(box=box_of(card, *cards), **options).starts("moth 0", "moth 1")
    table.deals("s0", "s1", "s2", "s3", "moth 2", "moth 3", "moth 4", "moth 5")
    return table.holding("x").with_runes(suns, moons)


@pytest.mark.parametrize(
    ("cost", "runes", "after"),
    [
        ("flip sun, remove moon", (1, 0), (0, 0)),
        ("flip sun, flip moon", (1, 0), (1, 0)),
        ("flip sun, flip moon", (0, 1), (0, 1)),
        ("flip sun, flip sun, flip moon, flip moon", (0, 1), (0, 1)),
        ("flip moon, remove sun, remove sun", (1, 1), (0, 0)),
        ("flip sun, flip sun, flip moon", (1, 1), (0, 2)),
    ],
)
def test_C5_with_flipped_pays_a_rune_that_was_turned_may_pay_the_next_symbol(cost, runes, after):
    assert costing(cost, *runes).refused(Play(0, "x")).rule == "C5"
    table = costing(cost, *runes, flipped_pays=True)
    assert "x" in GAME.view(table.state).payable
    assert table.play("x").board == after


@pytest.mark.parametrize(
    ("cost", "runes"),
    [
        ("flip sun, flip moon", (0, 0)),
        ("flip sun, flip sun", (1, 3)),
        ("remove sun, remove moon", (1, 0)),
        ("flip sun, remove moon, remove moon", (1, 0)),
        ("flip moon, remove sun, remove sun, remove sun", (1, 1)),
    ],
)
def test_C5_with_flipped_pays_what_works_in_no_order_is_refused(cost, runes):
    table = costing(cost, *runes, flipped_pays=True)
    refusal = table.refused(Play(0, "x"))
    assert (refusal.rule, refusal.what) == ("C5", "cannot pay in any order")
    assert Play(0, "x") not in GAME.legal(table.state)


def test_C6_with_flipped_pays_removed_runes_go_to_the_reserve_with_the_face_that_they_show():
    table = costing("flip sun, remove moon", 1, 0, flipped_pays=True)
    before = table.reserve
    assert table.play("x").reserve == Pair(before.sun, before.moon + 1)


# --- C15 Points -----------------------------------------------------------------------------------------------


def scoring(*cards: Card, bonus: tuple[str, ...] = ()) -> Table:
    """Anna has played these cards."""
    table = Table(box=box_of(*cards)).over_with(" ".join(card.id for card in cards), "")
    return table.with_player(0, bonus=bonus)


def scored(name: str, ingredient: str, symbols: str, points: int, per: str | None = None) -> Card:
    return Card(name, "sun", ingredient, tuple(symbols.split()), (), points, tuple(per.split()) if per else None)


EGGS = scored("e", "egg", "egg egg", 2)
MUSHROOMS = scored("m", "mushroom", "mushroom mushroom mushroom", 5)


def test_C15_a_flat_number():
    assert scoring(EGGS, MUSHROOMS).points() == {"egg": 2, "mushroom": 5}


def test_C15_points_per_symbol():
    assert scoring(MUSHROOMS, scored("x", "egg", "egg", 1, "mushroom")).points()["egg"] == 3


def test_C15_points_per_set_of_two_kinds():
    """The book: 4 points per set of 1 egg and 1 mushroom."""
    assert scoring(EGGS, MUSHROOMS, scored("x", "moth", "moth", 4, "egg mushroom")).points()["moth"] == 8


def test_C15_points_per_set_with_two_of_a_kind():
    """The book: 6 points per set of 1 egg and 2 mushrooms."""
    assert scoring(EGGS, MUSHROOMS, scored("x", "moth", "moth", 6, "egg mushroom mushroom")).points()["moth"] == 6


def test_C15_the_cards_own_symbols_count():
    assert scoring(scored("x", "egg", "egg egg", 3, "egg")).points() == {"egg": 6}


def test_C15_symbols_are_not_used_up_between_cards():
    first, second = (scored(name, "moth", "moth", 4, "egg mushroom") for name in "xy")
    assert scoring(EGGS, MUSHROOMS, first, second).points()["moth"] == 16


def test_C15_a_columns_points_are_summed_on_its_line():
    table = scoring(EGGS, MUSHROOMS, scored("x", "egg", "egg", 4, "egg mushroom"))
    (line,) = [part for part in GAME.scores(table.state)[0].parts if part.for_ == "egg"]
    assert (line.points, line.rule, line.facts["points"], line.facts["sets"]) == (14, "C15", (2, 12), (1, 3))
    assert say(line, GAME.sentences, NAMES, word=partial(GAME.word, table.state.box)) == (
        "Anna, egg column: egg (2) and egg (4 for egg + mushroom) × 3 = 12; 3 eggs and 3 mushrooms in all; 14 points"
    )


def test_C15_the_symbols_are_told_with_the_cards_the_salt_and_the_bonus_that_they_come_from():
    counting, salt = scored("x", "moth", "moth egg", 4, "egg mushroom mushroom"), scored("s", "salt", "salt", 2)
    table = Table(box=box_of(EGGS, MUSHROOMS, counting, salt)).over_with("e m x s:mushroom", "")
    table.with_player(0, bonus=("egg", "moth"))
    notes = GAME.scores(table.state)[0].notes
    assert [note.rule for note in notes] == ["C15"] * 2
    assert [say(note, GAME.sentences, NAMES, word=partial(GAME.word, table.state.box)) for note in notes] == [
        "Anna, egg symbols: 2 on egg (2), 1 on moth (4 for egg + 2 mushrooms) and 1 bonus ingredient; together 4",
        "Anna, mushroom symbols: 3 on mushroom (5) and 1 from the joker salt (2); together 4",
    ]
    assert GAME.scores(table.state)[1].notes == ()


def test_C15_a_kind_that_a_card_asks_for_in_vain_is_told_too():
    table = scoring(scored("x", "moth", "moth", 4, "egg"))
    (note,) = GAME.scores(table.state)[0].notes
    assert say(note, GAME.sentences, NAMES) == "Anna, egg symbols: nothing; together 0"


def test_C15_bonus_ingredients_are_symbols():
    counting = scored("x", "moth", "moth", 4, "egg mushroom mushroom")
    assert scoring(MUSHROOMS, counting).points()["moth"] == 0
    assert scoring(MUSHROOMS, counting, bonus=("egg", "mushroom")).points()["moth"] == 4


def test_C15_salt_is_counted_where_it_was_assigned_and_scores_there():
    salt = scored("s", "salt", "salt", 2, "egg")
    table = Table(box=box_of(EGGS, salt)).over_with("e s:egg", "")
    assert table.points() == {"egg": 2 + 2 * 3}
    table = Table(box=box_of(EGGS, salt)).over_with("e s:moth", "")
    assert table.points() == {"egg": 2, "moth": 2 * 2}


JOKER = scored("s", "salt", "salt", 2, "egg")
PAIR = scored("x", "moth", "moth", 4, "egg mushroom")


def joker(*cards: Card, played: str, bonus: tuple[str, ...] = ()) -> Table:
    return Table(box=box_of(*cards), salt="joker").over_with(played, "").with_player(0, bonus=bonus)


def test_C15_with_salt_joker_each_salt_symbol_is_whatever_is_missing_for_each_card_anew():
    other = scored("y", "skull", "skull", 5, "skull skull")
    table = joker(EGGS, PAIR, other, JOKER, played="e x y s:honey")
    assert table.points() == {"egg": 2, "moth": 4, "skull": 5, "honey": 2 * 3}


def test_C15_with_salt_joker_it_is_not_counted_as_the_ingredient_of_its_column():
    table = joker(PAIR, JOKER, played="x s:egg")
    assert table.points() == {"moth": 0, "egg": 2}, "one salt is an egg or a mushroom, not both"
    assert Table(box=box_of(PAIR, JOKER)).over_with("x s:egg", "").points() == {"moth": 0, "egg": 2}


def test_C15_with_salt_joker_several_symbols_and_cards_are_shared_out():
    twice = scored("t", "salt", "salt salt", 0)
    table = joker(PAIR, JOKER, twice, played="x s:egg t:egg", bonus=("egg",))
    assert table.points() == {"moth": 4 * 2, "egg": 2 * 4}


def test_C7_with_salt_joker_the_card_still_stands_in_a_column_and_needs_one():
    table = Table(salt="joker").ready().holding("salt-1")
    assert table.refused(Play(0, "salt-1")).rule == "C7"
    assert table.play("salt-1", as_="egg").columns[0]["egg"] == ("salt-1",)


def test_C15_with_salt_joker_the_sentences_tell_how_much_salt_there_is():
    table = joker(EGGS, PAIR, JOKER, played="e x s:honey")
    score = GAME.scores(table.state)[0]
    told = partial(say, sentences=GAME.sentences, players=NAMES, word=partial(GAME.word, table.state.box))
    assert [told(note) for note in score.notes] == [
        "Anna, egg symbols: 2 on egg (2); together 2",
        "Anna, mushroom symbols: nothing; together 0",
        "Anna, salt: 1 from the joker salt (2 for egg); together 1, free to count as whatever a card lacks",
    ]
    assert told(score.parts[2]) == (
        "Anna, moth column: moth (4 for egg + mushroom) × 1 = 4; 2 eggs, 0 mushrooms and 1 salt in all; 4 points"
    )


def test_C16_with_salt_joker_the_best_line_is_counted_by_lines_as_before():
    salt = scored("s", "salt", "salt", 4)
    table = Table(box=box_of(salt, scored("a", "egg", "egg", 2), scored("b", "moth", "moth", 6)), salt="joker")
    table.over_with("s:egg a", "b")
    assert (table.totals, table.winners) == ([6, 6], (0, 1))


def test_C15_hand_cards_runes_and_sickles_score_nothing():
    table = Table().ready().holding("egg-3", "moth-3").with_runes(6, 6).over_with("", "")
    assert table.totals == [0, 0]


# --- C16 Winner -----------------------------------------------------------------------------------------------


def flat(*points: int, ingredient: str = "egg") -> list[Card]:
    return [scored(f"{ingredient}{points_}{n}", ingredient, ingredient, points_) for n, points_ in enumerate(points)]


def won_by(*hands: list[Card]) -> tuple[int, ...]:
    table = Table(len(hands), box=box_of(*(card for hand in hands for card in hand)))
    return table.over_with(*(" ".join(card.id for card in hand) for hand in hands)).winners


def test_C16_the_most_points_win():
    assert won_by(flat(5), flat(3, 3, ingredient="moth")) == (1,)


def test_C16_a_tie_goes_to_the_most_points_in_one_single_ingredient():
    spread = [*flat(3), *flat(3, ingredient="moth")]
    assert won_by(spread, flat(2, 4, ingredient="skull")) == (1,)
    assert won_by(flat(1, 1, ingredient="skull"), spread, flat(6, ingredient="honey")) == (2,)


def test_C16_the_tie_break_is_told_with_everybodys_best_line():
    spread, other = [*flat(3), *flat(3, ingredient="moth")], flat(2, 4, ingredient="skull")
    table = Table(2, box=box_of(*spread, *other))
    table.over_with(*(" ".join(card.id for card in hand) for hand in (spread, other)))
    said = broken_tie(GAME, table.state)
    assert said == Ruling(
        "C16", "best line wins", {"seats": (0, 1), "points": 6, "lines_in_order": ("3 egg", "6 skull")}
    )
    assert say(said, GAME.sentences, NAMES, word=partial(GAME.word, table.state.box)) == (
        "Anna and Ben have 6 points each, and on their best line 3 (egg) and 6 (skull): the most wins"
    )


def test_C16_without_a_card_the_best_line_is_nothing():
    dear = Card("dear", "sun", "egg", ("egg",), (), 1)
    cheap = Card("cheap", "sun", "moth", ("moth",), (), -1)
    table = Table(2, box=box_of(dear, cheap)).over_with("dear cheap", "")
    said = broken_tie(GAME, table.state)
    assert said is not None
    assert say(said, GAME.sentences, NAMES, word=partial(GAME.word, table.state.box)) == (
        "Anna and Ben have 0 points each, and on their best line 1 (egg) and 0: the most wins"
    )


def test_C16_then_it_is_shared():
    assert won_by(flat(2, 4), flat(6, ingredient="moth"), flat(5, ingredient="skull")) == (0, 1)
    assert Table(3).over_with("", "", "").winners == (0, 1, 2)


def test_C16_a_shared_victory_is_told_with_everybodys_best_line():
    one, other = flat(6), flat(2, 4, ingredient="skull")
    table = Table(2, box=box_of(*one, *other))
    table.over_with(*(" ".join(card.id for card in hand) for hand in (one, other)))
    said = shared_victory(GAME, table.state)
    assert said is not None
    assert (said.rule, say(said, GAME.sentences, NAMES, word=partial(GAME.word, table.state.box))) == (
        "C16",
        "Anna and Ben have 6 points each, and on their best line 6 (egg) and 6 (skull): they share the victory",
    )


def test_C8_salt_was_never_a_bonus_ingredient_and_is_not_said_to_be_gone():
    table = Table().ready().having_played(*SUN[-5:]).holding("egg-3").with_runes(2, 2).play("egg-3")
    refusals = {name: table.refused(Bonus(0, name)) for name in ("salt", "unicorn")}
    assert {refusal.what for refusal in refusals.values()} == {"never a bonus"}
    assert {refusal.rule for refusal in refusals.values()} == {"C18"}
    told = say(refusals["salt"], GAME.sentences, NAMES, word=partial(GAME.word, table.state.box))
    assert told.startswith("There is no such bonus ingredient; Anna may choose honey, clover")
