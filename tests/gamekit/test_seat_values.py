"""Values by seat, and choices that all players make at the same time."""

import pytest

from companion.gamekit import chosen_seats, clockwise, highest, missing_seats, no_such_seat, with_item


def test_one_value_is_another_and_the_rest_stay() -> None:
    assert with_item(("a", "b", "c"), 1, "x") == ("a", "x", "c")
    assert with_item((1,), 0, 2) == (2,)


@pytest.mark.parametrize(
    ("values", "seats"),
    [([1, 3, 2], (1,)), ([3, 1, 3], (0, 2)), ([0, 0], (0, 1)), ([(2, 1), (2, 3)], (1,)), ([-5], (0,))],
)
def test_the_highest_are_one_or_all_who_are_tied(values: list[int], seats: tuple[int, ...]) -> None:
    assert highest(values) == seats


def test_all_seats_from_one_on() -> None:
    assert clockwise(2, 4) == (2, 3, 0, 1)


def test_a_seat_that_does_not_exist_is_refused_with_those_that_do() -> None:
    refusal = no_such_seat("G9", 7, 3)
    assert (refusal.rule, refusal.what, refusal.facts) == ("G9", "no such seat", {"number": 7, "last": 2})


def test_who_has_chosen_and_who_has_not() -> None:
    choices = (None, "red", 0, None, "")
    assert missing_seats(choices) == (0, 3)
    assert chosen_seats(choices) == (1, 2, 4)
