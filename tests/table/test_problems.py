"""Whatever a device says is wrong has words in every language."""

import pytest

from companion.devices import buttons, pins, problems, trouble
from companion.referee import supervision
from companion.table.problems import in_words
from companion.wording import ENGLISH

SAID = (*trouble.PROBLEMS, *pins.PROBLEMS, *problems.PROBLEMS, *buttons.STUCK.values(), supervision.FAILED)


def shout(message: str, context: str = "") -> str:
    return message.upper()


@pytest.mark.parametrize("problem", SAID)
def test_every_problem_that_a_device_knows_is_translated(problem: str):
    assert in_words(problem, shout) == problem.upper()
    assert in_words(problem, ENGLISH.text) == problem


def test_several_problems_are_translated_one_by_one():
    both = f"{pins.NO_DAEMON}; {pins.NO_PINS}"
    assert in_words(both, shout) == both.upper()


def test_what_nobody_knows_stays_as_it_is():
    assert in_words("[Errno 5] smoke", shout) == "[Errno 5] smoke"
