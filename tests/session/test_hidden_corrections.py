"""A correction is judged by what every player knows. What it makes impossible is sorted out when it would be
revealed."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.drawing.event_lines import counting
from companion.gamekit import discovery
from companion.gamekit.snapshot import Before, Told
from companion.messages.intentions import Correct, LookBack, Peek, Reconsider
from companion.session.evening import Evening
from tests.referee.table import Table

ANNA, BEN, CLEO = range(3)


def persons(folder: Path, game: str, **options: Any) -> Table:
    folder.mkdir(exist_ok=True)
    table = Table(folder, game=game, kit="none", **options)
    table.simulate()
    return table


def correct(table: Table, entry: int, do: str, **fields: Any) -> Told:
    return table.heed(Correct(table.new_id(), entry, table.evening.number, {"do": do, **fields}))


def instead(table: Table, entry: int) -> list[Any]:
    found = table.referee.inform(Reconsider("1", entry))
    assert isinstance(found, Before)
    return [msgspec.to_builtins(action) for action in found.offered]


def own(table: Table, seat: int) -> Any:
    return table.referee.inform(Peek("1", seat)).hand


# --- Sioux ----------------------------------------------------------------------------------------------------


def laid(folder: Path, hidden: str) -> Table:
    """A round in which Ben hunts highest and Anna lays last; then Anna lays this card face down."""
    table = persons(folder, "sioux")
    for seat, card in ((BEN, "12"), (CLEO, "11"), (ANNA, "3")):
        assert table.act("play", seat=seat, card=card).kind == "accepted"
    assert table.act("play", seat=ANNA, card=hidden).kind == "accepted"
    return table


LAST = 4
"""The entry of the card that Anna has laid in the first round."""


def test_S24_the_card_that_lies_face_down_is_among_those_that_an_earlier_one_may_have_been(tmp_path: Path) -> None:
    cards = {hidden: instead(laid(tmp_path / hidden, hidden), LAST) for hidden in ("4", "5", "9")}
    assert cards["4"] == cards["5"] == cards["9"]
    assert {"4", "5", "9"} <= {action["card"] for action in cards["4"]}


def agreed(table: Table) -> Told:
    told = [table.agree(seat) for seat in range(3)]
    return told[-1]


@pytest.fixture
def clashing(tmp_path: Path) -> Table:
    """Anna's earlier card was the 4, people say; but she has laid the 4 since."""
    table = laid(tmp_path / "table", "4")
    correct(table, LAST, "play", seat=ANNA, card="4")
    assert agreed(table).kind == "corrected"
    return table


def test_S24_a_correction_into_the_hidden_card_is_answered_like_any_other(tmp_path: Path) -> None:
    seen = []
    for hidden in ("4", "5"):
        table = laid(tmp_path / hidden, hidden)
        told = correct(table, LAST, "play", seat=ANNA, card="4"), agreed(table)
        looked = table.referee.inform(LookBack("1")), table.referee.inform(Peek("1", BEN))
        seen.append(msgspec.json.encode((told, msgspec.structs.replace(table.shown, evening=""), looked)))
    assert seen[0] == seen[1]


def test_a_hidden_card_that_cannot_be_is_laid_again_when_it_would_be_revealed(clashing: Table) -> None:
    assert clashing.act("play", seat=BEN, card="9").what == "lays"
    assert clashing.act("play", seat=CLEO, card="10").what == "lays"
    assert clashing.newest.what == "hidden choice dropped"
    assert clashing.words(clashing.newest) == (
        "After the correction, the hidden choice of Anna is no longer possible. Please choose again"
    )
    assert 5 not in [line.entry for line in counting(clashing.seen.history)], "that Anna has laid a card is struck out"
    assert clashing.seen.awaiting is not None
    assert clashing.seen.awaiting.seats == (ANNA,)
    assert clashing.seen.table.laid == (False, True, True), "what the others have laid stays"
    clashing.act("play", seat=ANNA, card="5")
    assert clashing.seen.table.open == ("5", "9", "10")


def test_no_player_is_shown_a_card_as_theirs_that_only_stands_in_for_it(clashing: Table) -> None:
    hand = own(clashing, ANNA)
    assert hand.laid is None
    assert "3" in hand.cards, "the correction counts: that card was never played"


def test_its_player_may_enter_it_again_before_it_is_revealed(clashing: Table) -> None:
    told = correct(clashing, 5, "play", seat=ANNA, card="5")
    assert told.what == "chosen again"
    assert own(clashing, ANNA).laid == "5"
    clashing.act("play", seat=BEN, card="9")
    clashing.act("play", seat=CLEO, card="10")
    assert clashing.seen.table.open == ("5", "9", "10")


def test_and_may_take_that_back(clashing: Table) -> None:
    """Then something stands in for the first card again."""
    correct(clashing, 5, "play", seat=ANNA, card="5")
    assert clashing.undo().what == "uncorrected"
    assert own(clashing, ANNA).laid is None
    assert Evening(clashing.entries).played_game.played == clashing.evening.played_game.played
    clashing.act("play", seat=BEN, card="9")
    clashing.act("play", seat=CLEO, card="10")
    assert clashing.newest.what == "hidden choice dropped"


def test_a_correction_that_is_taken_back_makes_the_hidden_card_possible_again(clashing: Table) -> None:
    clashing.undo()
    assert agreed(clashing).what == "uncorrected"
    assert own(clashing, ANNA).laid == "4"
    clashing.act("play", seat=BEN, card="9")
    clashing.act("play", seat=CLEO, card="10")
    assert clashing.seen.table.open == ("4", "9", "10")


def test_what_is_resumed_has_the_same_stand_ins_and_drops_the_same_cards(clashing: Table) -> None:
    for card, seat in (("9", BEN), ("10", CLEO), ("5", ANNA)):
        again = Evening(clashing.entries)
        assert again.played_game.played == clashing.evening.played_game.played
        assert again.played_game.corrections == clashing.evening.played_game.corrections
        clashing.act("play", seat=seat, card=card)
    lines = [line.what for line in clashing.reopen().seen.history]
    assert lines.count("hidden choice dropped") == 1


def test_undo_still_works_after_a_hidden_card_was_dropped(clashing: Table) -> None:
    clashing.act("play", seat=BEN, card="9")
    clashing.act("play", seat=CLEO, card="10")
    for _ in range(2):
        assert clashing.undo().kind == "undone"
    assert clashing.seen.table.laid == (False, False, False)
    assert Evening(clashing.entries).played_game.played == clashing.evening.played_game.played


@pytest.mark.parametrize("card", ["4", "5"])
def test_a_player_who_guesses_a_hidden_card_hears_the_same_whether_it_is_right(tmp_path: Path, card: str) -> None:
    table = laid(tmp_path / card, "4")
    assert correct(table, 5, "play", seat=ANNA, card=card).what == "chosen again"


# --- Darwinci -------------------------------------------------------------------------------------------------


DARWINCI = discovery.find("darwinci")
TILES = [tile.id for tile in DARWINCI.parse_box(DARWINCI.standin(), "the stand-in").tiles]


def built(folder: Path, hidden: str) -> Table:
    """All have built their first tiles, and no player buys; then Ben offers this tile face down."""
    table = persons(folder, "darwinci")
    while table.seen.table.phase == "setup":
        table._do(table.evening.game.legal(table.evening.state)[0])
    while table.seen.table.phase == "buy":
        table.act("keep", seat=table.evening.state.turn)
    assert table.act("offer", seat=BEN, tile=hidden).kind == "accepted"
    return table


def test_D21_a_build_may_be_corrected_into_a_tile_that_a_player_hides(tmp_path: Path) -> None:
    """Else its refusal would tell who hides it. A player who has named it names another when all tiles lie there."""
    one, other, third = TILES[-3:]
    told = []
    for hidden in (one, other):
        table = built(tmp_path / hidden, hidden)
        wrong = table.evening.played_game.played[5]
        told.append(correct(table, wrong.number, **msgspec.to_builtins(wrong.action) | {"tile": one}))
        told.append(table.shown.newest)
    assert told[0].kind == "corrected"
    assert told[:2] == told[2:]
    table = built(tmp_path / "again", one)
    wrong = table.evening.played_game.played[5]
    correct(table, wrong.number, **msgspec.to_builtins(wrong.action) | {"tile": one})
    assert own(table, BEN).offer is None, "a tile that only stands in is not shown as Ben's"
    stands_in = table.evening.state.offers[BEN]
    table.act("offer", seat=ANNA, tile=stands_in)
    table.act("offer", seat=CLEO, tile=third)
    assert table.newest.what == "hidden choice dropped"
    assert table.newest.facts["seats"] == (BEN,), "Anna's tile is hers, whatever stood in for Ben's"
    table.act("offer", seat=BEN, tile=other)
    assert table.seen.table.offers == (stands_in, other, third)


# --- Carnuta --------------------------------------------------------------------------------------------------


def starting(folder: Path, anna: str = "honey-1", ben: str = "honey-2") -> Table:
    table = persons(folder, "carnuta")
    for seat, card in ((ANNA, anna), (BEN, ben), (CLEO, "honey-3")):
        assert table.act("start", seat=seat, card=card).kind == "accepted"
    return table


def test_C17_a_start_card_that_is_corrected_into_one_that_a_player_hides_is_that_one_to_its_player(
    tmp_path: Path,
) -> None:
    for ben in ("honey-2", "honey-4"):
        table = starting(tmp_path / ben, ben=ben)
        assert correct(table, 2, "start", seat=ANNA, card="honey-2").what == "chosen again"
        assert own(table, ANNA).secret == "honey-2"
        assert own(table, BEN).secret == ben, "nor does Ben hear of it"


def test_C17_a_row_card_that_is_corrected_into_a_start_card_leaves_that_card_in_its_players_hand(
    tmp_path: Path,
) -> None:
    public = []
    for anna in ("honey-1", "honey-2"):
        table = starting(tmp_path / anna, anna, ben="honey-4")
        row = [card.id for card in table.evening.state.box.cards if card.deck == "sun" and "honey" not in card.id]
        for card in row[:2]:
            assert table.act("deal", row="sun", card=card).kind == "accepted"
        assert correct(table, 5, "deal", row="sun", card="honey-2").what == "corrected"
        hand = own(table, ANNA)
        assert (hand.cards, hand.seen_elsewhere) == ((anna,), anna == "honey-2")
        public.append((table.seen.table, table.seen.offered, own(table, BEN), own(table, CLEO)))
    assert public[0] == public[1], "no other player sees whose start card it was"


def discarded(folder: Path, anna: str) -> Table:
    """Anna takes cards until she has to discard one of those that every player has seen; then her turn ends."""
    table = starting(folder, anna)
    hidden = {"honey-1", "honey-2", "honey-3", "honey-4"}
    while True:
        offered = [msgspec.to_builtins(action) for action in table.seen.offered]
        known = {card for hand in table.seen.table.known for card in hand}
        fitting = [action for kind in ("discard", "take", "deal", "done") for action in offered if action["do"] == kind]
        action = next(
            action
            for action in fitting
            if action.get("card") not in hidden and (action["do"] != "discard" or action["card"] in known)
        )
        table.act(**action)
        if table.evening.played_game.played[-2].action.__class__.__name__ == "Discard":
            return table


def test_C17_what_else_may_have_been_discarded_names_no_start_card(tmp_path: Path) -> None:
    tables = [discarded(tmp_path / anna, anna) for anna in ("honey-1", "honey-4")]
    offers = [instead(table, table.evening.played_game.played[-2].number) for table in tables]
    assert offers[0] == offers[1]
    assert {"honey-1", "honey-4"} <= {action["card"] for action in offers[0]}
