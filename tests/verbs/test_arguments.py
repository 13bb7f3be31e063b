"""What is said on the command line about players becomes a plan with seats."""

import pytest

from companion.cli import read
from companion.errors import UsageError
from companion.messages.lobby import GamePlan
from companion.verbs.arguments import game_plan


def planned(*words: str) -> GamePlan:
    return game_plan(read(["table", "lascaux", *words]))


def who(*words: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All players, and those whom the computer plays."""
    plan = planned(*words)
    return plan.players, tuple(plan.players[seat] for seat in plan.simulated)


def test_when_no_player_is_named_one_person_plays_against_simulated_neighbours() -> None:
    assert who() == (("Anna", "Ben", "Cleo"), ("Ben", "Cleo"))


def test_named_players_are_people_unless_it_is_said_otherwise() -> None:
    assert who("--players", "Xenia", "Yves", "Zoe") == (("Xenia", "Yves", "Zoe"), ())


def test_some_of_those_who_are_named_are_simulated() -> None:
    assert who("--players", "Xenia", "Yves", "Zoe", "--simulated", "Zoe", "Xenia")[1] == ("Zoe", "Xenia")


def test_only_simulated_players_named_the_others_are_people() -> None:
    assert who("--simulated", "Zoe") == (("Anna", "Ben", "Zoe"), ("Zoe",))
    assert who("--simulated", "Anna", "Ben") == (("Cleo", "Anna", "Ben"), ("Anna", "Ben"))


def test_with_four_simulated_players_one_person_plays_too() -> None:
    players, simulated = who("--simulated", "W", "X", "Y", "Z")
    assert (players, simulated) == (("Anna", "W", "X", "Y", "Z"), ("W", "X", "Y", "Z"))


def test_no_simulated_and_no_named_players_is_three_people() -> None:
    assert who("--simulated") == (("Anna", "Ben", "Cleo"), ())


def test_without_readers_no_player_is_simulated_unless_they_are_named() -> None:
    assert who("--kit", "none") == (("Anna", "Ben", "Cleo"), ())
    assert who("--kit", "none", "--simulated", "Ben")[1] == ("Ben",)


def test_the_start_player_is_found_by_name() -> None:
    assert planned("--players", "Xenia", "Yves", "Zoe", "--first", "Zoe").first == 2


def test_a_hostile_name_is_the_same_name_when_it_is_said_again() -> None:
    plan = planned("--players", "\x1bEvil", "E" * 500, "Zoe", "--simulated", "E" * 500, "--first", "\x1bEvil")
    assert (plan.players[1], plan.simulated, plan.first) == ("E" * 15 + "…", (1,), 0)


@pytest.mark.parametrize("said", [("--first", "Zoe"), ("--players", "Anna", "Ben", "Cleo", "--simulated", "Zoe")])
def test_a_player_who_has_no_seat_is_reported(said: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="Zoe is not at the table; the players are Anna, Ben, Cleo"):
        planned(*said)
