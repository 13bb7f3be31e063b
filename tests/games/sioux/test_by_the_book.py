"""The rules agree with a second, slow and obvious reading of the rule book: in all reveals of a set, in random games
and in the written ones."""

import json
from itertools import combinations_with_replacement, pairwise, product
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from companion.gamekit.game_start import read_action
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Play

from .by_the_book import ByTheBook
from .table import STANDIN, Table, box
from .test_properties import play, seeds, setups

GAMES = sorted((Path(__file__).parents[2] / "data" / "sioux").glob("*.jsonl"))


def told(state):
    return msgspec.json.decode(msgspec.json.encode(GAME.table(state)))


@settings(max_examples=40, deadline=None)
@given(setups, seeds)
def test_random_games_go_as_the_book_says(setup, seed):
    book = ByTheBook(setup.players, msgspec.to_builtins(setup.options), setup.box)
    for _, action, step in play(setup, Random(seed)):
        book.do(**msgspec.to_builtins(action))
        assert told(step.state) == book.table()
        awaiting = GAME.awaiting(step.state)
        assert list(awaiting.seats if awaiting else ()) == book.awaited()


# --- All reveals of a set -------------------------------------------------------------------------------------

HERDS = ("bison deer", "bear rabbit", "deer turkey", "turkey", "")
"""Different totals, so that every prey and every swap can be seen; seat 1 and seat 2 are level, for gifts."""
SIX_TO_EIGHT = box(2, 4, 6, 7, 8, 9, 11, 12, 13)


def in_hand(players: int, which_box, **options) -> tuple[Table, ByTheBook]:
    table = Table(players, box=which_box, **options).with_prey(*HERDS[:players]).with_hunter(players - 1)
    book = ByTheBook(players, options, which_box)
    for seat, animals in enumerate(HERDS[:players]):
        for animal in animals.split():
            book.bank.remove(animal)
            book.prey[seat].append(animal)
    book.hunter_owner = players - 1
    book.hands[players - 1].append("hunter")
    return table, book


def reveals_go_as_the_book_says(hunts, players, which_box, **options):
    """Each of these reveals, from the same table; also what the shaman's value and a silent tie lead to."""
    table, book = in_hand(players, which_box, **options)
    start = table.state
    for hunt in hunts:
        places = tuple([[card.card for card in start.hands[seat]].index(card) for seat, card in enumerate(hunt)])
        last = hunt[-1]
        before = replace(start, laid=(*places[:-1], None), choices=((),) * (players - 1) + (start.hands[-1],))
        state = GAME.apply(before, Play(players - 1, last)).state
        compare(state, book, hunt)


def compare(state, book, hunt):
    """The book plays the same reveal, from a copy of its table."""
    book = book.copy()
    for seat, card in enumerate(hunt):
        book.do_play(seat, card)
    assert told(state) == book.table(), hunt
    while state.phase in ("name", "crow"):
        action = GAME.legal(state)[-1]
        state = GAME.apply(state, action).state
        book.do(**msgspec.to_builtins(action))
        assert told(state) == book.table(), (hunt, action)


def all_reveals(players: int, which_box):
    cards = [card.id for card in which_box.tribe]
    return product(*[cards] * (players - 1), [*cards, "hunter"])


def reveals_up_to_seats(players: int, which_box):
    """Every choice of cards, the last player's and that of all others together; the others in changing order."""
    cards = [card.id for card in which_box.tribe]
    for number, chosen in enumerate(combinations_with_replacement(cards, players - 1)):
        turned = number % (players - 1)
        for last in (*cards, "hunter"):
            yield (*chosen[turned:], *chosen[:turned], last)


@pytest.mark.parametrize("which_box", [STANDIN, SIX_TO_EIGHT], ids=["stand-in", "six to eight"])
def test_all_reveals_of_three(which_box):
    for blocks in (True, False):
        reveals_go_as_the_book_says(all_reveals(3, which_box), 3, which_box, hunter_blocks_swap=blocks)


def with_shaman(hunts):
    """With 6, 7 and 8 in the set it is the shaman that makes a difference."""
    return (hunt for hunt in hunts if "shaman" in hunt)


def test_all_reveals_of_four():
    reveals_go_as_the_book_says(all_reveals(4, STANDIN), 4, STANDIN)


def test_all_reveals_of_four_with_a_shaman_among_6_7_and_8():
    reveals_go_as_the_book_says(with_shaman(all_reveals(4, SIX_TO_EIGHT)), 4, SIX_TO_EIGHT)


def test_all_reveals_of_four_beside_the_hunter():
    cards = [card.id for card in STANDIN.tribe]
    hunts = product(*[cards] * 3, ["hunter"])
    reveals_go_as_the_book_says(hunts, 4, STANDIN, hunter_blocks_swap=False)


def test_all_reveals_of_five_whatever_they_played():
    reveals_go_as_the_book_says(reveals_up_to_seats(5, STANDIN), 5, STANDIN)


def test_all_reveals_of_five_with_a_shaman_among_6_7_and_8():
    reveals_go_as_the_book_says(with_shaman(reveals_up_to_seats(5, SIX_TO_EIGHT)), 5, SIX_TO_EIGHT)


# --- The written games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_is_written_in_the_whole_games_is_what_the_book_says(path):
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)
    text = (path.parent / header["box"]).read_text(encoding="utf-8") if "box" in header else GAME.standin()
    book = ByTheBook(len(header["players"]), header.get("options", {}), GAME.parse_box(text, "box"))
    shown = json.loads(json.dumps(book.table()))
    for line, after in pairwise(lines):
        if line.startswith("{") and after.startswith("#="):
            book.do(**msgspec.to_builtins(read_action(GAME, json.loads(line))))
            shown |= json.loads(after[2:])
            assert shown == book.table()
