"""What a button does is a function that it was given: nobody puts the name of one together and looks it up."""

import ast

import pytest

from tests.house import MODULES, called, calls, is_within

SCREENS = [module for module in MODULES if is_within(module, "companion.screen", "companion.gamekit.screen")]


@pytest.mark.parametrize("module", SCREENS)
def test_nobody_jumps_to_a_name_that_is_put_together(module: str) -> None:
    jumps = [node for node in calls(module) if called(node) in ("run_action", "getattr", "hasattr")]
    made = [ast.unparse(node) for node in jumps if any(isinstance(each, ast.JoinedStr) for each in ast.walk(node))]
    assert made == []


@pytest.mark.parametrize("module", SCREENS)
def test_nobody_reads_a_number_or_a_verb_out_of_a_buttons_name(module: str) -> None:
    read = [node for node in calls(module) if called(node) in ("int", "partition", "rpartition", "split")]
    assert [ast.unparse(node) for node in read if ".name or" in ast.unparse(node)] == []
