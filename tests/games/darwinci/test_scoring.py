"""D15 to D20: jewellery, the order of scoring, the Darwin card, drawing, the end, the winner."""

from functools import partial

import pytest
from msgspec.structs import replace

from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.game import Part, Place, Ruling, Setup, Thing, moves
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.scoring import darwin_card
from companion.games.darwinci.rules.state import Bid, Build, Buy, Discard, Jewels, Keep, Offer, Skip
from companion.language.wording import say

from .table import BOX, FULL_ROWS, Table, bid

ROW = (("shells", 0, 0, 0), ("shell", 1, 0, 0), ("teeth", 2, 0, 0))
"""Three shells and two teeth; values 3 + 2 − 4."""


def told(said: Ruling | Part, table: Table) -> str:
    return say(said, GAME.sentences, ("Anna", "Ben", "Cleo"), word=partial(GAME.word, table.state.box))


def jewels(line="row", x=0, y=0, kind="shell", **stretch) -> Jewels:
    return Jewels(0, line, x, y, kind, **stretch)


# --- D15 Jewellery --------------------------------------------------------------------------------------------


def test_D15_symbols_of_a_kind_in_a_line_times_the_sum_of_its_values():
    table = Table().scoring(0, *ROW).do(jewels(x=2))
    assert (table.money[0], table.jewels_scored[0]) == (12 + 3 * (3 + 2 - 4), ("shell",))
    assert table.parts(0)[1:] == [("shell", 3, "D15")]
    assert table.said("scores jewellery")[0]["tiles"] == ("shells", "shell", "teeth")


def test_D15_absent_values_count_nothing_and_a_gap_ends_the_line():
    below = [(f"p{x + 20}", x, 1, 0) for x in range(3)]
    table = Table().scoring(0, ("shells", 0, 0, 0), *below, ("shell", 2, 0, 0))
    assert table.do(jewels()).money[0] == 12 + 2 * 3
    table = Table().scoring(0, ("shells", 0, 0, 0), *below, ("shell", 2, 0, 0))
    assert table.do(jewels("column", 2, 1)).money[0] == 12 + 1 * 2


def test_D15_a_line_is_a_row_or_a_column_through_the_named_tile():
    table = Table().scoring(0, *ROW)
    assert table.refused(jewels("diagonal")) == ("D22", "no such line")
    assert table.refused(jewels("row", 0, 1)) == ("D15", "no tile there")
    assert table.refused(jewels("column", 2, 0)) == ("D15", "no such jewels")


def test_D15_a_single_tile_is_a_line():
    assert Table().scoring(0, *ROW).do(jewels("column")).money[0] == 12 + 2 * 3


def test_D15_a_kind_that_they_have_not_scored_before():
    table = Table().scoring(0, *ROW).do(jewels("column"))
    table.state = replace(table.state, phase="jewels", turn=0)
    assert table.refused(jewels("column")) == ("D15", "scored before")
    assert jewels("column") not in GAME.legal(table.state)


def test_D15_the_box_must_know_the_kind_and_the_line_must_show_it():
    table = Table().scoring(0, *ROW)
    assert table.refused(jewels(kind="gold")) == ("D22", "no such kind")
    assert table.refused(jewels("column", kind="tooth")) == ("D15", "no such jewels")


def test_D15_one_kind_per_round_and_player():
    table = Table().scoring(0, *ROW).do(jewels("column"))
    assert table.refused(jewels(kind="tooth")) == ("D22", "out of turn")
    assert table.awaited == ((1,), ("skip",))


def test_D15_every_player_is_asked_also_who_can_only_skip():
    table = Table().scoring(0)
    for seat in range(3):
        assert table.awaited == ((seat,), ("skip",))
        table.do(Skip(seat))
    assert table.phase == "buy"


def test_D15_less_than_nothing_is_taken_from_the_money_and_uses_up_the_kind():
    table = Table().scoring(0, *ROW).do(jewels("column", 2, 0, "tooth"))
    assert (table.money[0], table.jewels_scored[0]) == (12 - 8, ("tooth",))


def test_D15_a_sum_of_nothing_uses_up_the_kind_too():
    table = Table().scoring(0, ("both", 0, 0, 0)).do(jewels())
    assert (table.money[0], table.jewels_scored[0]) == (12, ("shell",))


@pytest.mark.parametrize(("minus", "left"), [("owe", -3), ("floor", 0)])
def test_D15_with_floor_no_payment_takes_the_money_below_nothing(minus, left):
    table = Table(minus=minus).scoring(0, *ROW).with_money(5, 12, 12).do(jewels("column", 2, 0, "tooth"))
    assert table.money[0] == left


def test_D15_the_whole_run_counts_and_from_and_to_are_ignored():
    assert Table().scoring(0, *ROW).do(jewels(from_=0, to=1)).money[0] == 12 + 3
    assert jewels(from_=0, to=1) not in GAME.legal(Table().scoring(0, *ROW).state)


def test_D15_with_the_option_part_a_stretch_of_it_may_be_named():
    table = Table(run="part").scoring(0, *ROW)
    assert jewels(from_=0, to=1) in GAME.legal(table.state)
    assert table.do(jewels(x=1, from_=0, to=1)).money[0] == 12 + 3 * 5


def test_D15_with_the_option_part_the_whole_run_counts_if_nothing_is_named():
    assert Table(run="part").scoring(0, *ROW).do(jewels()).money[0] == 12 + 3


def test_D15_a_stretch_of_a_column_is_named_by_y():
    column = [("shells", 5, 5, 0), ("shell", 5, 6, 0), ("teeth", 5, 7, 0)]
    assert Table(run="part").scoring(0, *column).do(jewels("column", 5, 6, from_=5, to=6)).money[0] == 12 + 3 * 5


@pytest.mark.parametrize(
    ("stretch", "refusal"),
    [
        ({"from_": 1, "to": 2}, ("D15", "not in the line")),
        ({"from_": -1, "to": 0}, ("D15", "not in the line")),
        ({"from_": 0, "to": 3}, ("D15", "not in the line")),
        ({"from_": 1, "to": 0}, ("D15", "not in the line")),
        ({"from_": 0}, ("D22", "from without to")),
        ({"to": 0}, ("D22", "from without to")),
    ],
)
def test_D15_a_stretch_lies_in_the_run_and_contains_the_named_tile(stretch, refusal):
    assert Table(run="part").scoring(0, *ROW).refused(jewels(**stretch)) == refusal


def test_D15_the_line_is_told_tile_by_tile_in_its_order_with_the_symbols_that_count():
    line = [("c1", 0, 0, 0), ("both", 1, 0, 0), ("c2", 2, 0, 0), ("shells", 3, 0, 0)]
    table = Table().scoring(0, *line).do(jewels())
    (said,) = [ruling for ruling in table.rulings if ruling.rule == "D15"]
    whole = "curve 2, straight (shell), curve 2 and end piece 3 (2 × shell); 3 × 7 = 21 Darwin"
    assert told(said, table) == f"Anna scores shell in a row: {whole}, and has 33"
    assert told(GAME.scores(table.state)[0].parts[-1], table) == f"Anna scored shell in a row: {whole}"


def test_D15_with_floor_it_is_told_what_was_due_and_what_was_paid():
    table = Table(minus="floor").scoring(0, *ROW).with_money(5, 12, 12).do(jewels("column", 2, 0, "tooth"))
    (said,) = [ruling for ruling in table.rulings if ruling.rule == "D15"]
    whole = "straight −4 (2 × tooth); 2 × −4 = −8 Darwin"
    assert told(said, table) == f"Anna scores tooth in a column: {whole}, but only −5 could be paid"
    part = GAME.scores(table.state)[0].parts[-1]
    assert (told(part, table), part.points) == (
        f"Anna scored tooth in a column: {whole}, but only −5 could be paid",
        -5,
    )


# --- D16 Order ------------------------------------------------------------------------------------------------


def test_D16_creatures_then_jewellery_in_order_from_the_start_player():
    table = Table(3, 2).set_up().free()
    table.displaying(0, ("e1", 0, 0, 90)).displaying(2, ("e2", 0, 0, 90))
    table.auction(["e3", "e4", "e5"], [0, 1, 2])
    table.build(2, ("e5", 1, 0, 270)).build(0, ("e3", 1, 0, 270)).build(1, ("e4", 0, 1, 0))
    assert [facts["seat"] for facts in table.said("closes a creature")] == [2, 0]
    assert (table.phase, table.awaited[0]) == ("jewels", (2,))


# --- D17 The Darwin card --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("built", "holder", "start", "card"),
    [
        ([3, 2, 3], 0, 0, 1),
        ([3, 2, 3], 1, 0, 1),
        ([2, 2, 3], 0, 0, 1),
        ([2, 3, 2], 2, 1, 0),
        ([2, 2, 2], 1, 0, 2),
        ([3, 2, 2], 0, 2, 1),
        ([2, 2, 3], 2, 1, 0),
        ([2, 3, 2, 3], 1, 0, 2),
        ([2, 2, 2], None, 1, 1),
        ([2, 3, 3], None, 1, 0),
        ([3, 2, 3, 2], None, 2, 3),
    ],
)
def test_D17_the_fewest_tiles_get_it_a_tie_goes_on_clockwise(built, holder, start, card):
    assert darwin_card(built, holder, start) == card


@pytest.mark.parametrize(
    ("built", "holder", "why", "card"),
    [
        ((3, 2, 3), None, "gets the Darwin card", 1),
        ((3, 2, 3), 1, "keeps the Darwin card", 1),
        ((3, 2, 3), 0, "hands over the Darwin card", 1),
        ((2, 3, 2), 0, "passes the Darwin card on", 2),
        ((2, 2, 3), 2, "first after the holder", 0),
        ((3, 2, 2), None, "first from the start", 1),
        ((2, 2, 3), None, "starts and gets the card", 0),
    ],
)
def test_D17_says_who_was_tied_with_how_many_tiles_and_who_passes_the_card_on(built, holder, why, card):
    table = Table().scoring(0)
    for seat, count in enumerate(built):
        table.displaying(seat, *((f"s{seat * 4 + x + 1}", x, 0, 0) for x in range(count)))
    table.state = replace(table.state, darwin_card=holder)
    table.skip()
    (told,) = table.said(why)
    fewest = tuple(seat for seat in range(3) if built[seat] == 2)
    assert told == {"seat": card, "seats": fewest, "count": 2, "owner": holder, "start": 0}
    assert (table.darwin_card, [rule for rule, _ in table.ruled].count("D17")) == (card, 1)


def test_D17_in_round_1_a_tie_counts_from_the_new_start_player():
    table = Table().set_up().free().auction(["e1", "e2", "e3"], [2, None, None]).build(2, ("e1", 0, 1, 0)).skip()
    assert (table.counter, table.darwin_card) == (2, 0)
    assert table.said("first from the start")[0]["seats"] == (0, 1)


# --- D18 Drawing ----------------------------------------------------------------------------------------------


def test_D18_everyone_draws_a_tile_and_the_holder_of_the_counter_starts():
    table = Table().set_up().free().auction(["e1", "e2", "e3"], [2, None, None]).build(2, ("e1", 0, 1, 0))
    stack = table.stack
    table.skip()
    assert (table.hands, table.stack, table.round, table.start, table.phase) == ((2,) * 3, stack - 3, 2, 2, "buy")


@pytest.mark.parametrize(("tiles", "phase"), [(14, "over"), (15, "buy")])
def test_D18_if_there_is_not_a_tile_for_every_player_the_game_ends_after_the_card_has_moved(tiles, phase):
    box = replace(BOX, tiles=(*BOX.tiles[:10], *BOX.tiles[10:tiles]))
    table = Table(3, box=box).set_up_with("e1", "e2", "e3", "e4", "e5", "e6").free()
    table.auction(["e7", "e8", "e9"], [None] * 3).skip()
    assert (table.phase, table.darwin_card, table.stack) == (phase, 1, 2 if phase == "over" else 0)
    assert table.hands == ((1,) * 3 if phase == "over" else (2,) * 3)
    assert table.ruled[-1] == (("D18", "stacks run out") if phase == "over" else ("D18", "everyone draws"))


# --- D20 The end ----------------------------------------------------------------------------------------------


def over(*money: int, creatures=((), (), ())) -> Table:
    table = Table()
    table.state = replace(table.state, phase="over", money=money, creatures=creatures)
    return table


def test_D20_most_darwin_wins():
    assert over(5, 7, -3).winners == (1,)


def test_D20_with_a_tie_the_larger_scored_creature_wins():
    assert over(7, 7, 3, creatures=((3, 3), (4,), (9,))).winners == (1,)


def test_D20_the_tie_break_is_told_with_everybodys_largest_creature():
    table = over(7, 7, 3, creatures=((3, 3), (4,), (9,)))
    table.state = replace(table.state, ledger=tuple((Part("start", money, "D20", ""),) for money in (7, 7, 3)))
    said = broken_tie(GAME, table.state)
    assert said == Ruling("D20", "larger creature wins", {"seats": (0, 1), "darwin": 7, "sizes": (3, 4)})
    assert (
        told(said, table)
        == "Anna and Ben have 7 Darwin each, and their largest creatures 3 and 4 tiles: the larger wins"
    )


def paid(*creatures: tuple[tuple[int, int], ...], **options: str) -> Table:
    """All have 7 Darwin; each has closed creatures of so many tiles and end pieces."""
    table = over(*[7] * len(creatures), creatures=tuple(tuple(tiles for tiles, _ in own) for own in creatures))
    parts = [
        (
            Part("start", 7 - sum(tiles * ends for tiles, ends in own), "D20", ""),
            *[Part("creature", tiles * ends, "D14", "") for tiles, ends in own],
        )
        for own in creatures
    ]
    options_ = replace(table.state.options, **options)
    table.state = replace(table.state, ledger=tuple(parts), options=options_)
    return table


def test_D20_with_larger_darwin_the_creature_that_paid_most_darwin_decides():
    creatures = ((5, 2), (2, 2)), ((4, 3),), ((9, 0),)
    assert paid(*creatures).winners == (2,)
    table = paid(*creatures, larger="darwin")
    assert table.winners == (1,)
    said = broken_tie(GAME, table.state)
    assert said == Ruling("D20", "richer creature wins", {"seats": (0, 1, 2), "darwin": 7, "sizes": (10, 12, 0)})
    assert told(said, table).endswith("their best creatures paid 10, 12 and 0 Darwin: the one that paid more wins")


def test_D20_with_larger_darwin_a_player_without_a_creature_counts_0_like_one_without_end_pieces():
    assert paid(((4, 0),), (), (), larger="darwin").winners == (0, 1, 2)
    assert paid(((4, 0),), (), ()).winners == (0,)


def test_D20_with_larger_darwin_equal_creatures_share_the_victory_whatever_their_tiles():
    assert paid(((6, 2),), ((4, 3),), (), larger="darwin").winners == (0, 1)


def test_D20_with_larger_darwin_only_a_creature_counts_not_another_payment():
    """A tile may be called "creature", and jewellery may pay more."""
    table = paid(((2, 2),), ((2, 2),), (), larger="darwin")
    others = (Part("creature", -2, "D13", ""), Part("shell", 40, "D15", ""))
    table.state = replace(table.state, ledger=(table.state.ledger[0], (*table.state.ledger[1], *others), ()))
    assert table.winners == (0, 1)


def test_D20_then_the_victory_is_shared():
    assert over(7, 7, 3, creatures=((4, 2), (4,), ())).winners == (0, 1)
    assert over(0, 0, 0).winners == (0, 1, 2)


@pytest.mark.parametrize(
    ("larger", "creatures", "why"),
    [
        ("tiles", (((4, 2),), ((4, 1),), ()), "Anna and Ben have 7 Darwin each, and 4 tiles in their largest creature"),
        ("tiles", ((), (), ((0, 0),)), "Anna, Ben and Cleo have 7 Darwin each, and no tile in their largest creature"),
        (
            "darwin",
            (((6, 2),), ((4, 3),), ()),
            "Anna and Ben have 7 Darwin each, and their best creatures paid 12 Darwin",
        ),
    ],
)
def test_D20_a_shared_victory_is_told_with_what_was_equal(larger, creatures, why):
    table = paid(*creatures, larger=larger)
    said = shared_victory(GAME, table.state)
    assert said is not None
    assert (said.rule, told(said, table)) == ("D20", f"{why}: they share the victory")


def test_D20_the_parts_are_the_start_and_every_payment_in_order():
    table = Table().set_up().do(Buy(0), Keep(1), Keep(2)).free()
    table.offer("e1", "e2", "m1").displaying(0, ("e3", 0, 0, 90), ("shells", 0, 1, 0))
    table.bid(0, (0, 0, 1)).bid(1).bid(2).bid(0, (2, 0, 1)).bid(1).bid(2).nobody_bids(1)
    table.build(0, ("e1", 1, 0, 270), ("m1", 1, 1, 0)).do(Jewels(0, "column", 0, 0, "shell"))
    assert table.parts(0) == [
        ("start", 12, "D20"),
        ("buying", -3, "D1"),
        ("m1", -2, "D13"),
        ("creature", 4, "D14"),
        ("shell", 8, "D15"),
    ]
    assert table.money[0] == 12 - 3 - 2 + 4 + 8


@pytest.mark.parametrize(
    "action",
    [
        Build(0, "e1", 0, 0, 0), Buy(0), Keep(0), Offer(0, "e1"), Bid(0, ()), Discard(0, "e1"),
        Jewels(0, "row", 0, 0, "shell"), Skip(0),
    ],
)  # fmt: skip
def test_D22_after_the_end_every_action_is_refused(action):
    assert over(1, 2, 3).refused(action) == ("D22", "the game is over")


def test_rematch_another_player_starts_each_game():
    assert GAME.rematch(Setup(3, 2, None, None)) == (0, {})


# --- Which pieces go back where -------------------------------------------------------------------------------


def undone(table: Table, *actions) -> set[tuple[Thing, int, Place, Place]]:
    """What hands move back when the last of these actions is taken back."""
    table.do(*actions[:-1])
    before = GAME.whereabouts(table.state)
    table.do(actions[-1])
    return {(m.thing, m.count, m.source, m.target) for m in moves(GAME.whereabouts(table.state), before)}


def test_undo_of_a_bid_gives_the_stones_back():
    table = Table().up_for_auction("e1", "e2", "e3").free()
    back = undone(table, Bid(0, ()), Bid(1, ()), Bid(2, ()), Bid(0, ()))
    assert back == set()
    assert undone(table, bid(1, (0, 1, 2))) == {(Thing("stone", owner=1), 2, Place("offer", 0), Place("supply", 1))}


def test_undo_of_a_minus_tile_gives_the_money_back_and_strikes_the_debt():
    table = Table().set_up().building(0, ["dear", "e1"])
    assert undone(table, Build(0, "dear", 0, 1, 0)) == {
        (Thing("tile", "dear"), 1, Place("built", 0), Place("won", 0)),
        (Thing("darwin"), 12, Place("bank"), Place("money", 0)),
        (Thing("debt"), 8, Place("money", 0), Place("bank")),
    }


def test_undo_of_an_offer_does_not_name_the_tile():
    table = Table().set_up().keep()
    assert undone(table, Offer(0, "e1")) == {(Thing("tile"), 1, Place("offer", 0), Place("hand", 0))}


def test_undo_of_a_discard_and_of_the_drawing():
    table = Table().set_up().building(0, ["e1"], FULL_ROWS)
    assert undone(table, Discard(0, "e1")) == {(Thing("tile", "e1"), 1, Place("out"), Place("won", 0))}
    table = Table().scoring(0)
    drawn = undone(table, Skip(0), Skip(1), Skip(2))
    assert {(Thing("tile"), 1, Place("hand", seat), Place("stack")) for seat in range(3)} <= drawn
