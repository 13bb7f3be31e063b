"""Changes that no test notices are named; the checkout is never touched."""

import ast
import shutil
from pathlib import Path
from random import Random

import pytest

from tools import mutants
from tools.changes import changes
from tools.mutants import Area, Copy, Trial, sample, summary

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
from area.least import least


def test_the_least_even_number_below_the_bound():
    assert least([2, 4, 1], 4) == 2
    assert least([4, 2], 5) == 2
    assert least([9]) == least([4], 4) == 0
"""


AREA = Area(("area",), ("tests",))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than these tests
    root = tmp_path / "checkout"
    for folder, name, text in (("area", "least", SOURCE), ("tests", "test_least", TESTS.encode())):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
        (root / folder / f"{name}.py").write_bytes(text)
    (root / "pyproject.toml").write_text('[tool.coverage.run]\nsource = ["area"]\n')
    shutil.copytree(mutants.ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__", "*_*"))
    return root


@pytest.fixture
def copy(checkout: Path, tmp_path: Path) -> Copy:
    return Copy(checkout, tmp_path / "scratch")


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


def test_what_a_type_is_called_is_left_alone() -> None:
    assert changes("post.py", b"Post: TypeAlias = Callable[[Action], None]\n") == []
    assert changes("cells.py", b"Cells = dict[tuple[int, int], tuple[str, str]]\n") == []


def test_the_kinds_that_tests_once_overlooked_are_among_the_changes() -> None:
    """A tuple emptied, a ruling's number and its sentence swapped, 0 turned into -1."""
    source = b'step = Step("D2", "offer", 0)\nseats = ("hunter",)\n'
    changed = [change.applied(source).decode() for change in changes("steps.py", source)]
    assert "step = (Step('offer', 'D2', 0))\nseats = (\"hunter\",)\n" in changed
    assert 'step = Step("D2", "offer", -1)\nseats = ("hunter",)\n' in changed
    assert 'step = Step("D2", "offer", 0)\nseats = (())\n' in changed


def test_a_change_is_noticed_or_named_and_the_checkout_stays_as_it_was(checkout: Path, copy: Copy) -> None:
    reach = copy.reach(AREA, 1)
    wanted = {"below[0] + 0": "alive", "number < bound": "noticed", "below.sort()": "noticed"}
    found = {change.before: change for change in changes("area/least.py", SOURCE)}
    done = [copy.try_out(found[before], reach) for before in wanted]
    assert [trial.fate for trial in done] == list(wanted.values())
    assert (checkout / "area" / "least.py").read_bytes() == SOURCE == (copy.root / "area" / "least.py").read_bytes()
    told = summary(done, {})
    assert told[1:3] == ["  2 of 3  area/least.py", "2 of 3 changes were noticed."]
    assert [line.split(":")[1] for line in told[3:-1]] == ["13"]
    assert told[-1] == "1 of them is a hole in the tests."


def test_a_change_that_is_explained_is_reported_with_its_reason_and_is_no_hole() -> None:
    change = changes("area/least.py", SOURCE)[0]
    told = summary([Trial(change, "alive", 1.0)], {change.key: "adds nothing"})
    assert told[-2].endswith("explained: adds nothing")
    assert told[-1] == "0 are holes."


def test_every_explained_change_is_one_that_can_be_drawn() -> None:
    """An explanation that outlives its line would hide nothing, and mislead."""
    reasons = mutants.explained()
    paths = {path for path, _, _ in reasons}
    known = {each.key for path in paths for each in changes(path, (mutants.ROOT / path).read_bytes())}
    assert reasons.keys() - known == set()


def test_a_change_meets_only_the_tests_that_enter_its_line(checkout: Path, copy: Copy) -> None:
    more = f"{TESTS}\n\ndef test_none():\n    assert least([]) == 0\n\n\ndef test_elsewhere():\n    pass\n"
    (copy.root / "tests" / "test_least.py").write_text(more)
    reach = copy.reach(AREA, 1)
    found = {change.before: change for change in changes("area/least.py", SOURCE)}
    all_of_them = {"test_the_least_even_number_below_the_bound", "test_none"}
    assert {test.partition("::")[2] for test in reach.tests(found["not below"])} == all_of_them
    assert [test.partition("::")[2] for test in reach.tests(found["below[0] + 0"])] == [
        "test_the_least_even_number_below_the_bound"
    ]


def test_a_line_that_only_a_child_process_enters_meets_the_test_that_starts_it(copy: Copy) -> None:
    (copy.root / "pyproject.toml").write_text(
        '[tool.coverage.run]\nsource = ["area"]\nparallel = true\npatch = ["subprocess"]\n'
    )
    (copy.root / "tests" / "test_least.py").write_text(
        "import subprocess\nimport sys\n\nfrom area import least\n\n\n"
        "def test_in_a_child():\n    child = 'from area.least import least; print(least([2]))'\n"
        "    assert subprocess.check_output([sys.executable, '-c', child]) == b'2\\n'\n\n\n"
        "def test_elsewhere():\n    assert least\n"
    )
    reach = copy.reach(AREA, 1)
    (change,) = [each for each in changes("area/least.py", SOURCE) if each.before == "below.sort()"]
    assert [test.partition("::")[2] for test in reach.tests(change)] == ["test_in_a_child"]


def test_a_constant_meets_all_tests_that_enter_its_file(copy: Copy) -> None:
    """The first of them imports it, but any of them may rely on it."""
    constant = SOURCE.replace(b"\n\ndef least", b"BOUND = 3\n\n\ndef least")
    (copy.root / "area" / "least.py").write_bytes(constant)
    late = TESTS.removeprefix("from area.least import least\n").replace(
        "():\n", "():\n    from area.least import least\n"
    )
    (copy.root / "tests" / "test_least.py").write_text(f"{late}\n\n{late.replace('the_bound', 'another')}")
    (change,) = [each for each in changes("area/least.py", constant) if (each.before, each.after) == ("3", "4")]
    assert change.at_import
    assert len(copy.reach(AREA, 1).tests(change)) == 2


def test_what_no_test_enters_is_named(copy: Copy) -> None:
    (copy.root / "tests" / "test_least.py").write_text("def test_nothing():\n    pass\n")
    trial = copy.try_out(changes("area/least.py", SOURCE)[0], copy.reach(AREA, 1))
    assert (trial.fate, summary([trial], {})[2]) == ("unreached", "0 of 1 changes were noticed.")


def test_what_takes_too_long_counts_as_noticed(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "SPARE_S", 2.0)
    endless = SOURCE.replace(
        b"    below.sort()\n", b"    left = 1\n    while left:\n        left -= 1\n    below.sort()\n"
    )
    (copy.root / "area" / "least.py").write_bytes(endless)
    (change,) = [each for each in changes("area/least.py", endless) if each.before == "left -= 1"]
    trial = copy.try_out(change, copy.reach(AREA, 1))
    assert (trial.fate, summary([trial], {})[2]) == ("timeout", "1 of 1 changes were noticed.")


def test_a_test_that_takes_long_has_to_fail_twice(copy: Copy, tmp_path: Path) -> None:
    """It may have failed because the machine was busy."""
    flag = tmp_path / "flag"
    waits = (
        f"    from pathlib import Path\n    import time\n    time.sleep(1.2)\n    flag = Path({str(flag)!r})\n"
        "    assert not flag.exists() or flag.unlink()\n"
    )
    (copy.root / "tests" / "test_least.py").write_text(
        f"from area.least import least\n\n\ndef test_waits():\n    assert least([2]) == 2\n{waits}"
    )
    reach = copy.reach(AREA, 1)
    found = {change.before: change for change in changes("area/least.py", SOURCE)}
    flag.touch()
    assert copy.try_out(found["below.sort()"], reach).fate == "alive"
    assert not flag.exists(), "the test failed once"
    assert copy.try_out(found["not below"], reach).fate == "noticed"


def test_a_run_is_continued_from_its_file_and_what_was_missed_meets_new_tests(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "ROOT", checkout)
    monkeypatch.setattr(mutants, "AREAS", {"area": AREA})
    (checkout / "tests" / "test_least.py").write_text(
        "from area.least import least\n\n\ndef test_none():\n    assert least([9]) == 0\n"
    )
    file = tmp_path / "verdicts.jsonl"
    words = ["--jobs", "1", "--results", str(file)]
    mutants.main([*words, "--count", "3"])
    first = file.read_bytes().splitlines()
    assert len(first) == 3
    mutants.main(words)
    lines = file.read_bytes().splitlines()
    assert lines[:3] == first
    assert len(lines) == len(mutants.earlier(file)) == len({each.key for each in changes("area/least.py", SOURCE)})
    missed = {key for key, trial in mutants.earlier(file).items() if trial.is_missed}
    (checkout / "tests" / "test_more.py").write_text(TESTS)
    mutants.main([*words, "--again", "--tests", "tests/test_more.py"])
    assert len(file.read_bytes().splitlines()) == len(lines) + len(missed)
    left = [trial.change.before for trial in mutants.earlier(file).values() if trial.is_missed]
    assert len(missed) > len(left)
    assert left == ["below[0] + 0"], "nothing plus nothing, and nothing less nothing"
    assert f"{len(lines) - 1} of {len(lines)} changes were noticed." in capsys.readouterr().out


def test_the_same_seed_draws_the_same_changes_and_each_once(copy: Copy) -> None:
    areas = {"one": AREA, "another": AREA}
    drawn = sample(copy, areas, Random(7), 9)
    assert drawn == sample(copy, areas, Random(7), 9) != sample(copy, areas, Random(8), 9)
    assert [len({*each}) for each in drawn.values()] == [5, 4]
    assert len(sample(copy, {"area": AREA}, Random(7), None)["area"]) == len(
        {each.key for each in changes("area/least.py", SOURCE)}
    )


def test_a_test_that_fails_already_is_named_and_proves_nothing(copy: Copy, capsys: pytest.CaptureFixture[str]) -> None:
    (copy.root / "tests" / "test_least.py").write_text(f"{TESTS}    assert False\n")
    reach = copy.reach(AREA, 1)
    assert "fails without any change, left out: tests/test_least.py::test_the_least" in capsys.readouterr().out
    assert copy.try_out(changes("area/least.py", SOURCE)[0], reach).fate == "unreached"


def test_every_area_has_sources_and_tests_and_no_source_is_in_two() -> None:
    """Patterns that match nothing would hide a folder that has moved."""
    seen: dict[str, str] = {}
    root = Path(mutants.ROOT)
    for name, area in mutants.AREAS.items():
        for pattern in (*area.sources, *area.tests, *area.spared):
            assert list(root.glob(pattern)), pattern
        spared = {path for each in area.spared for folder in root.glob(each) for path in folder.rglob("*.py")}
        for each in area.sources:
            for path in (path for folder in root.glob(each) for path in folder.rglob("*.py")):
                assert path in spared or seen.setdefault(str(path), name) == name


def test_a_trial_is_reported_with_its_place() -> None:
    change = changes("area/least.py", SOURCE)[0]
    assert str(Trial(change, "alive", 1.0).change).startswith("area/least.py:")
