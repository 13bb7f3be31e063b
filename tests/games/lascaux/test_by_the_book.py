"""The rules agree with a second, slow and obvious reading of the rule book, in random games and in the written ones."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings

from companion.games.lascaux.rules import GAME

from .by_the_book import ByTheBook
from .table import STANDIN
from .test_properties import play, seeds, setups

GAMES = sorted((Path(__file__).parents[2] / "data" / "lascaux").glob("*.jsonl"))


@settings(max_examples=40, deadline=None)
@given(setups, seeds)
def test_random_games_go_as_the_book_says(setup, seed):
    cards = {card.id: card.colours for card in setup.box.cards}
    book = ByTheBook(setup.players, setup.first, setup.options.direction, cards, setup.options.first_stone)
    for state, action, step in play(setup, Random(seed)):
        assert state.phase != "bid" or set(GAME.awaiting(state).do) == book.bids()
        book.do(**msgspec.to_builtins(action))
        assert msgspec.json.decode(msgspec.json.encode(GAME.table(step.state))) == book.table()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_is_written_in_the_whole_games_is_what_the_book_says(path):
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)
    options = {"direction": "clockwise"} | header.get("options", {})
    cards = {card.id: card.colours for card in STANDIN.cards}
    first_stone = options.get("first_stone", "may")
    book = ByTheBook(len(header["players"]), header.get("first", 0), options["direction"], cards, first_stone)
    told = json.loads(json.dumps(book.table()))
    for line, after in pairwise(lines):
        if line.startswith("{") and after.startswith("#="):
            book.do(**json.loads(line))
            told |= json.loads(after[2:])
            assert told == book.table()
