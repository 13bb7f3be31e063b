"""Changes that no test notices are named; the checkout is never touched."""

import ast
from pathlib import Path
from random import Random

import pytest

from tools import mutants
from tools.changes import changes
from tools.mutants import House, Trial, summary

SOURCE = b'''\
"""Words: 1 < 2."""

from collections.abc import Sequence


def least(numbers: Sequence[int], bound: int = 3) -> int:
    """The least one below the bound; 0 if there is none."""
    below = [number for number in numbers if number < bound and not number % 2]
    below.sort()
    assert below != [7]
    if not below:
        return 0
    return below[0] + 0
'''
TESTS = """\
from room.least import least


def test_the_least_even_number_below_the_bound():
    assert least([2, 4, 1], 4) == 2
    assert least([4, 2], 5) == 2
    assert least([9]) == least([4], 4) == 0
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than these tests
    root = tmp_path / "checkout"
    for folder, name, text in (("room", "least", SOURCE), ("tests", "test_least", TESTS.encode())):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
        (root / folder / f"{name}.py").write_bytes(text)
    return root


def house(checkout: Path, tmp_path: Path) -> House:
    return House(checkout, tmp_path / "scratch", {"room": "tests"})


def test_every_change_is_python_and_only_one_place_of_it_is_new() -> None:
    found = changes("least.py", SOURCE)
    assert {change.kind for change in found} == {
        *("comparison", "and, or", "negation", "arithmetic", "off by one", "dropped call", "condition"),
        "returns nothing",
    }
    for change in found:
        changed = change.applied(SOURCE)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))
        pairs = zip(SOURCE.splitlines(), changed.splitlines(), strict=True)
        assert [number for number, (old, new) in enumerate(pairs, 1) if old != new] == [change.line]


def test_every_change_of_a_real_file_is_python() -> None:
    for path in sorted((mutants.ROOT / "companion" / "games" / "sioux" / "rules").glob("*.py")):
        source = path.read_bytes()
        for change in changes(path.name, source):
            compile(change.applied(source), path.name, "exec")


def test_types_texts_and_asserts_are_left_alone() -> None:
    lines = {change.line for change in changes("least.py", SOURCE)}
    assert lines <= {6, 8, 9, 11, 12, 13}
    assert not any("Sequence" in change.before or '"' in change.before for change in changes("least.py", SOURCE))


def test_a_change_is_noticed_or_named_and_the_checkout_stays_as_it_was(checkout: Path, tmp_path: Path) -> None:
    copy = house(checkout, tmp_path)
    wanted = {"below[0] + 0": "alive", "number < bound": "noticed", "below.sort()": "noticed"}
    found = {change.before: change for change in changes("room/least.py", SOURCE)}
    done = [copy.try_out(found[before]) for before in wanted]
    assert [trial.fate for trial in done] == list(wanted.values())
    assert (checkout / "room" / "least.py").read_bytes() == SOURCE == (copy.root / "room" / "least.py").read_bytes()
    told = summary(done)
    assert told[1] == "2 of 3 changes were noticed."
    assert [line.split(":")[1] for line in told[2:]] == ["13"]


def test_what_takes_too_long_counts_as_noticed(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "SECONDS", 0)
    monkeypatch.setattr(mutants, "PATIENCE", 2)
    endless = SOURCE.replace(
        b"    below.sort()\n", b"    left = 1\n    while left:\n        left -= 1\n    below.sort()\n"
    )
    (checkout / "room" / "least.py").write_bytes(endless)
    copy = house(checkout, tmp_path)
    (change,) = [each for each in changes("room/least.py", endless) if each.before == "left -= 1"]
    trial = copy.try_out(change)
    assert (trial.fate, summary([trial])[1]) == ("timeout", "1 of 1 changes were noticed.")


def test_the_same_seed_draws_the_same_changes_and_each_once(checkout: Path, tmp_path: Path) -> None:
    copy = house(checkout, tmp_path)
    drawn = copy.sample(Random(7), 8)
    assert drawn == copy.sample(Random(7), 8) != copy.sample(Random(8), 8)
    assert len(drawn) == len(set(map(str, drawn))) == 8
    assert len(copy.sample(Random(7), 1000)) == len(changes("room/least.py", SOURCE))


def test_a_house_whose_tests_fail_already_is_not_tried(checkout: Path, tmp_path: Path) -> None:
    (checkout / "tests" / "test_least.py").write_text("def test_nothing():\n    assert False\n")
    copy = house(checkout, tmp_path)
    with pytest.raises(SystemExit, match="mend that first"):
        copy.try_out(copy.sample(Random(1), 1)[0])


def test_every_room_and_its_tests_are_there() -> None:
    for room, tests in mutants.ROOMS.items():
        assert (mutants.ROOT / room).is_dir()
        assert any((mutants.ROOT / tests).rglob("test_*.py"))


def test_a_trial_is_told_with_its_place() -> None:
    change = changes("room/least.py", SOURCE)[0]
    assert str(Trial(change, "alive", 1.0).change).startswith("room/least.py:")
