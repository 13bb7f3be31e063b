"""The power goes at any moment: what was said to be stored is stored, once, and at most one more is there."""

import os
import random
from collections.abc import Callable
from itertools import count
from multiprocessing import get_context
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.evening_folder import evenings
from companion.journal.store import Journal, read
from tests.journal.killing import until_killed
from tests.journal.table import TONIGHT

pytestmark = pytest.mark.slow

JOURNALS = 4
ROUNDS = 50
"""Of each journal: the longer it is, the longer takes a look at it. Thousands are in tests/campaign."""


def append_for_ever(path: Path, tell: Callable[[int], None]) -> None:
    tell(0)
    journal = Journal.open(path)
    for turn in count(os.getpid()):
        entry = journal.append("action", b"x" * (71 * turn % 2000), "tag", str(os.getpid()), 1.0)
        tell(entry.number)


def create_for_ever(folder: Path, tell: Callable[[int], None]) -> None:
    for number in count():
        tell(number)
        Journal.create(folder, date=TONIGHT).close()


def test_whenever_the_writer_is_killed_every_stored_entry_is_there_once(tmp_path: Path) -> None:
    chance = random.Random(2026)
    in_the_making = sum(killed_again_and_again(chance, tmp_path) for _ in range(JOURNALS))
    more = 10 * JOURNALS
    while not in_the_making:  # when a kill falls is for the machine to say
        assert more, "no kill fell between an entry and the word that it was stored"
        in_the_making, more = killed_again_and_again(chance, tmp_path), more - 1


def killed_again_and_again(chance: random.Random, folder: Path) -> int:
    """How many entries were stored, and the word of it did not come any more."""
    with Journal.create(folder, date=TONIGHT) as journal:
        path = journal.path
    before, in_the_making = 0, 0
    for _ in range(ROUNDS):
        _, *told = until_killed(chance, append_for_ever, path)
        entries = read(path)
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        assert told == list(range(before + 1, before + 1 + len(told)))
        unheard = len(entries) - before - len(told)
        assert unheard in (0, 1)
        assert len({entry.cause for entry in entries[before:]}) <= 1
        before, in_the_making = len(entries), in_the_making + unheard
    with Journal.open(path, folder=folder) as journal:
        assert len(list(journal.entries())) == before
    return in_the_making


def test_a_journal_is_sound_whenever_it_is_read_while_it_is_written(tmp_path: Path) -> None:
    """Ledgers are begun anew meanwhile, and the log is emptied."""
    with Journal.create(tmp_path, date=TONIGHT) as journal:
        path = journal.path
    writer = get_context("fork").Process(target=append_for_ever, args=(path, lambda number: None))
    writer.start()
    try:
        seen = 0
        while seen < 1500:
            entries = len(read(path))
            assert entries >= seen
            seen = entries
    finally:
        writer.kill()
        writer.join()


def test_whenever_the_writer_is_killed_as_an_evening_begins_another_one_can_begin(tmp_path: Path) -> None:
    chance = random.Random(11)
    for _ in range(40):
        until_killed(chance, create_for_ever, tmp_path)
        with Journal.create(tmp_path, date=TONIGHT) as journal:
            assert read(journal.path) == []
    for summary in evenings(tmp_path):
        assert summary.standing in ("empty", "damaged")
        if summary.standing == "damaged":
            with pytest.raises(JournalError, match="was set aside"):
                Journal.open(summary.path, folder=tmp_path)
