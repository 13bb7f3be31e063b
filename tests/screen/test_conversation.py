"""What a screen may post: all that its declaration allows it, and nothing if it only watches."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.gamekit.snapshot import LookedBackAt, Puzzle
from companion.screen.app import CompanionApp
from companion.screen.conversation import Conversation
from tests.referee.table import Table

POSTS: list[Callable[[Conversation], Any]] = [
    lambda talk: talk.act({"do": "draw", "card": "aurochs-brown-blue"}),
    lambda talk: talk.undo(3),
    lambda talk: talk.correct(2, 3, {"do": "draw", "card": "aurochs-brown-blue"}),
    lambda talk: talk.agree(0, 1),
    lambda talk: talk.decline(1),
    lambda talk: talk.looked_over(),
    lambda talk: talk.turn(1),
    lambda talk: talk.enlist("pieces", {}),
    lambda talk: talk.next_game((), 0, {}),
    lambda talk: talk.pause(on=True),
    lambda talk: talk.drive(2.0),
    lambda talk: talk.end_match(),
]


def conversation(folder: Path, *, watch: bool) -> Conversation:
    return Conversation(CompanionApp(None), folder / "socket", exit_with_referee=False, watch=watch, way_out=None)


@pytest.mark.parametrize("post", POSTS)
def test_a_screen_posts_and_one_that_only_watches_does_not(tmp_path: Path, post: Callable[[Conversation], Any]) -> None:
    for watch in (False, True):
        talk = conversation(tmp_path, watch=watch)
        post(talk)
        assert len(talk.link.unanswered) == (0 if watch else 1)


def test_a_screen_that_only_watches_asks_for_no_hand(tmp_path: Path) -> None:
    for watch in (False, True):
        talk = conversation(tmp_path, watch=watch)
        talk.peek(0, lambda _own: None)
        assert talk.peeking is not watch


def test_only_a_replay_goes_to_another_step_and_it_posts_nothing_else(tmp_path: Path) -> None:
    live = conversation(tmp_path, watch=False)
    live.go(3)
    assert live.link.unanswered == ()
    talk = conversation(tmp_path, watch=True)
    talk._heard(replace(Table(tmp_path).seen, replay=LookedBackAt(0, 5, True)))
    for post in POSTS:
        post(talk)
    assert talk.link.unanswered == ()
    talk.go(3)
    talk.peek(0, lambda _own: None)
    assert len(talk.link.unanswered) == 1
    assert talk.peeking


def test_a_puzzle_takes_an_action_and_nothing_else_of_the_game(tmp_path: Path) -> None:
    talk = conversation(tmp_path, watch=False)
    talk._heard(replace(Table(tmp_path).seen, replay=LookedBackAt(3, 3, False, Puzzle(0, 3))))
    for post in POSTS:
        post(talk)
    assert len(talk.link.unanswered) == 1
