"""What a button does is a function that it was given: no code builds the name of one and looks it up."""

import ast

import pytest

from tests.source_tree import MODULES, called, calls, is_within

PLACES = ("companion.screen", "companion.gamekit.screen", "companion.games.*.screen")
SCREENS = [module for module in MODULES if is_within(module, *PLACES)]


@pytest.mark.parametrize("module", SCREENS)
def test_no_code_calls_a_name_that_it_has_built(module: str) -> None:
    """The slots of the bar are data: what each stands for is a field of theirs."""
    jumps = [node for node in calls(module) if called(node) in ("run_action", "hasattr")]
    assert [ast.unparse(node) for node in jumps if not is_written_out(node.args[-1])] == []


def is_written_out(name: ast.expr) -> bool:
    return isinstance(name, ast.Constant) or ast.unparse(name) == "slot.name"


@pytest.mark.parametrize("module", SCREENS)
def test_no_code_reads_a_number_or_a_verb_out_of_a_buttons_name(module: str) -> None:
    read = [node for node in calls(module) if called(node) in ("int", "partition", "rpartition", "split")]
    assert [ast.unparse(node) for node in read if ".name or" in ast.unparse(node)] == []
