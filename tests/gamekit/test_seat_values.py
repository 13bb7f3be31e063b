"""Values by seat, and choices that all make in secret at the same time."""

import msgspec
import pytest

from companion.gamekit import Sealed, clockwise, highest, no_such_seat, with_item


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


def test_sealed_choices_are_made_in_any_order_changed_and_opened_together() -> None:
    nobody = Sealed[str].for_all(3)
    assert (nobody.missing, nobody.made, nobody.are_all_made) == ((0, 1, 2), (), False)
    two = nobody.with_choice(2, "red").with_choice(0, "blue")
    assert (two.missing, two.made, two.are_all_made) == ((1,), (0, 2), False)
    assert nobody == (None, None, None)
    all_made = two.with_choice(0, "green").with_choice(1, "red")
    assert all_made.are_all_made
    assert all_made.opened == ("green", "red", "red")


def test_a_choice_may_be_anything_but_none() -> None:
    assert Sealed[int].for_all(2).with_choice(0, 0).made == (0,)


def test_sealed_choices_are_a_tuple_that_is_equal_hashed_and_written_like_one() -> None:
    sealed = Sealed[str].for_all(2).with_choice(1, "red")
    assert sealed == (None, "red")
    assert hash(sealed) == hash((None, "red"))
    assert msgspec.json.encode(sealed) == b'[null,"red"]'
