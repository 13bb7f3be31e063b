"""The actions that count, packed: they say the same as a plain list of them."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.game_start import Header, begin
from companion.session import actions
from companion.session.actions import CountedAction, CountedActions

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
FEW = 4
"""So few are packed together here that a short game has many packs."""


class Both:
    """The packed actions, and beside them a plain list."""

    def __init__(self, name: str, seed: int) -> None:
        self.game: Any = discovery.find(name)
        self._chance = random.Random(seed)
        box = self.game.parse_box(self.game.standin(), "the stand-in")
        _setup, self.start = begin(Header(name, ("Anna", "Ben", "Cleo")), box)
        self.packed, self.plain = CountedActions(self.game), list[CountedAction]()
        self.number = 1

    def play(self, count: int) -> None:
        for _ in range(count):
            before = self.plain[-1].step.state if self.plain else self.start
            if not (legal := self.game.legal(before)):
                return
            self.number += self._chance.randint(1, 3)
            action = self._chance.choice(legal)
            step = self.game.at_table(before, action)
            counted = CountedAction(self.number, action, before, step, "tag", thought=(0.5, self.number / 3, 0.1))
            self.packed.append(counted)
            self.plain.append(counted)

    def cut(self, count: int) -> None:
        index = max(0, len(self.plain) - count)
        del self.packed[index:]
        del self.plain[index:]

    def replace(self, count: int) -> None:
        """As a correction does: all of them count as before, but the first was entered in another way."""
        index = max(0, len(self.plain) - count)
        if tail := self.plain[index:]:
            stood_in = replace(tail[0], action=self._another(tail[0]), stand_in=tail[0].counting, dropped=(1,))
            tail = [replace(stood_in, how="screen", corrected_by=self.number + 1), *tail[1:]]
            self.packed[index:] = tail
            self.plain[index:] = tail

    def _another(self, counted: CountedAction) -> Any:
        """What a player hides, where something stands in for it: it need not be legal."""
        return self._chance.choice([*self.game.legal(counted.before), counted.action])


counts = st.integers(0, 40)
changes = st.lists(st.tuples(st.sampled_from(["play", "cut", "replace"]), counts), min_size=1, max_size=6)


@given(name=st.sampled_from(GAMES), seed=st.integers(0, 99), changed=changes, places=st.lists(st.integers(-90, 90)))
def test_packed_actions_say_the_same_as_a_list_of_them(
    name: str, seed: int, changed: list[tuple[str, int]], places: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as few:
        few.setattr(actions, "PACK", FEW)
        both = Both(name, seed)
        both.play(30)
        for change, count in changed:
            getattr(both, change)(count)
        packed, plain = both.packed, both.plain
        assert packed == plain
        assert [*packed] == plain
        assert [*packed.past()] == [(each.counting, each.step.revealed) for each in plain]
        assert [*reversed(packed)] == plain[::-1]
        assert len(packed) == len(plain)
        for place in places:
            assert packed[place:] == plain[place:]
            assert packed[:place] == plain[:place]
            if -len(plain) <= place < len(plain):
                assert packed[place] == plain[place]
        numbers = {each.number: index for index, each in enumerate(plain)}
        assert [packed.find(number) for number in range(both.number + 2)] == [
            numbers.get(number) for number in range(both.number + 2)
        ]


@given(seed=st.integers(0, 99), changed=changes)
def test_the_course_of_a_game_is_the_same_however_much_of_it_is_packed(
    seed: int, changed: list[tuple[str, int]]
) -> None:
    both = Both("lascaux", seed)
    with pytest.MonkeyPatch.context() as few:
        few.setattr(actions, "PACK", FEW)
        both.play(60)
        for change, count in changed:
            getattr(both, change)(count)
        course = [both.game.course(state) for state in (both.start, *(each.step.state for each in both.plain))]
        changes = [now for before, now in zip([None, *course], course, strict=False) if now != before]
        assert list(both.packed.course(both.start)) == changes


def test_only_the_newest_actions_are_kept_whole() -> None:
    both = Both("lascaux", 1)
    both.play(150)
    assert len(both.plain) > 2 * actions.PACK
    both.packed.pack()
    assert both.packed._newest == []
    assert both.packed == both.plain


def test_older_actions_are_packed_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "PACK", FEW)
    both = Both("lascaux", 1)
    for _ in range(60):
        both.play(1)
        assert len(both.packed._newest) < 3 * FEW
    assert both.packed == both.plain


def test_of_the_actions_that_count_none_is_taken_from_the_middle() -> None:
    both = Both("lascaux", 1)
    both.play(5)
    with pytest.raises(ValueError, match="only the newest"):
        del both.packed[1:3]
    assert both.packed == both.plain


def test_as_long_as_nothing_is_replaced_the_revision_stays() -> None:
    both = Both("lascaux", 1)
    both.play(30)
    both.cut(10)
    both.play(10)
    before = both.packed.revision
    both.replace(3)
    assert (before, both.packed.revision) == (0, 1)
