"""An action costs as much late in an evening as at its beginning. Counted, not timed, so that it holds anywhere."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bench.evening import LongEvening, Match, OneGame
from companion.gamekit import discovery
from companion.gamekit.simulated import FOLDED, Folded, PastStep
from companion.session.dealt_hands import PastOf
from tests.session.test_actions import Both, changes

ASKED = ("at_table", "apply", "view", "table", "scores", "winners", "awaiting", "offered", "legal", "whereabouts")
"""What the referee asks the rules, as far as that takes time. Their `course` is looked at once for each action."""
EARLY, LATE = 400, 3_000


class Asked:
    """The rules of a game, and how often they were asked what."""

    def __init__(self, name: str) -> None:
        self.counts: Counter[str] = Counter()
        rules = discovery.find(name)
        self.rules = replace(rules, **{part: self._counted(part, getattr(rules, part)) for part in (*ASKED, "course")})

    def _counted(self, part: str, ask: Callable[..., Any] | None) -> Callable[..., Any] | None:
        def asked(*what: Any) -> Any:
            assert ask is not None
            self.counts[part] += 1
            return ask(*what)

        return asked if ask else None


@pytest.fixture(params=[Match, OneGame], ids=["match", "one_game"])
def evening(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    asked = Asked(request.param.plan.game)
    monkeypatch.setattr(discovery, "find", lambda _name: asked.rules)
    with closing(request.param(tmp_path)) as long:
        long.asked = asked
        yield long


def most(evening: LongEvening, counts: Counter[str], upto: int) -> Counter[str]:
    """What the rules are asked for a single signal, at most, until this entry; and how often for the course in all."""
    found: Counter[str] = Counter()
    looks = 0
    while evening.seen.entry < upto:
        for signal in evening.next():
            counts.clear()
            evening._give(signal)
            looks += counts.pop("course", 0)
            found |= counts
    return found | Counter(course=looks)


def test_the_rules_are_asked_no_more_often_late_in_an_evening_than_at_its_beginning(evening: Any) -> None:
    early = most(evening, evening.asked.counts, EARLY)
    evening.reach(LATE)
    late = most(evening, evening.asked.counts, LATE + EARLY)
    assert {part: late[part] for part in ASKED if late[part] > early[part]} == {}
    assert early["at_table"] == 2, "once to judge it, and once to take it from the journal"
    assert late["course"] <= 2 * EARLY


def test_earlier_games_are_scored_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked("sioux")
    monkeypatch.setattr(discovery, "find", lambda _name: asked.rules)
    with closing(Match(tmp_path)) as match:
        match.reach(1_000)
        assert len(match.seen.match) > 2
        asked.counts.clear()
        seen = match.referee.snapshot()
        assert seen.match == match.seen.match
        assert (asked.counts["scores"], asked.counts["winners"]) == ((0, 0) if seen.awaiting else (1, 1))


# --- What persons were dealt ----------------------------------------------------------------------------------


class Taking:
    """A fold over the past that counts its steps: the actions themselves, one after the other."""

    def __init__(self) -> None:
        self.steps = 0
        self.folded: Folded[tuple[Any, ...]] = Folded((), self._take)

    def _take(self, so_far: tuple[Any, ...], step: PastStep) -> tuple[Any, ...]:
        self.steps += 1
        return (*so_far, step.action)


@given(seed=st.integers(0, 99), changed=changes)
def test_what_the_past_comes_to_is_the_same_whenever_it_is_asked_for(seed: int, changed: list[tuple[str, int]]) -> None:
    both, folded, of_a_list = Both("lascaux", seed), Taking().folded, Taking().folded
    for change, count in (("play", 100), *changed):
        getattr(both, change)(count)
        actions = tuple(each.action for each in both.plain)
        assert folded.over(PastOf(both.packed)) == actions
        assert of_a_list.over([*PastOf(both.packed)]) == actions


def test_of_a_long_past_only_what_is_new_is_taken_and_after_an_undo_a_little_more() -> None:
    both, taking = Both("lascaux", 1), Taking()
    both.play(150)
    taking.folded.over(PastOf(both.packed))
    taking.steps = 0
    both.play(1)
    taking.folded.over(PastOf(both.packed))
    assert taking.steps == 1
    both.cut(1)
    taking.folded.over(PastOf(both.packed))
    assert 1 < taking.steps <= 1 + FOLDED
