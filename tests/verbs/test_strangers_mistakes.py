"""A mistake in somebody else's game is told as theirs, with package, file and line; one of ours stays ours."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.crash import STATUS, GameFault, fault_of
from companion.gamekit.starting import write_game
from tests.strangers import announce, run_in

PACKAGES = {"hen_party": "companion-hen-party"}


@pytest.fixture
def hens(tmp_path: Path) -> Path:
    """A game that is found, with a mistake in it."""
    write_game("hen-party", tmp_path / "hens")
    folder = tmp_path / "hens"
    announce(folder, "hen-party", "hen_party")
    return folder


def plant(folder: Path, after: str) -> int:
    """The number of the line that fails from now on."""
    rules = folder / "hen_party" / "rules.py"
    lines = rules.read_text().replace("heap = state.heap - action.count", after)
    rules.write_text(lines)
    return next(number for number, line in enumerate(lines.splitlines(), 1) if after in line)


def told(folder: Path) -> str:
    return run_in(folder, "-m", "companion", "adjudicate", "tests/first.jsonl", status=STATUS).splitlines()[-1]


def test_a_mistake_in_a_strangers_game_names_its_package_file_and_line(hens: Path) -> None:
    line = plant(hens, "heap = state.heap // 0")
    said = told(hens)
    place = f"ZeroDivisionError in hen_party/rules.py, line {line}."
    assert f"a mistake in the game of companion-hen-party, not yours: {place}" in said
    assert "Please tell its author" in said
    assert "Companion itself" not in said
    assert "hen_party/rules.py" in (hens / "home" / "logs" / "crashes.log").read_text()


def calling(module: str, inner: Callable[[], None]) -> Callable[[], None]:
    """A function of this module that calls another one."""
    where: dict[str, Any] = {"__name__": module, "inner": inner}
    exec(compile("def call():\n    inner()", f"/x/{module.replace('.', '/')}.py", "exec"), where)
    return where["call"]


def fail() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("frames", "is_theirs"),
    [
        (("companion.referee.referee", "hen_party.rules"), True),
        (("companion.referee.referee", "hen_party.rules", "companion.gamekit.box", "msgspec"), True),
        (("companion.referee.referee", "companion.gamekit.box"), False),
        (("companion.referee.referee", "hen_partying.rules"), False),
    ],
)
def test_it_is_their_mistake_if_their_game_was_at_work(frames: tuple[str, ...], is_theirs: bool) -> None:
    call = fail
    for module in reversed(frames):
        call = calling(module, call)
    with pytest.raises(ZeroDivisionError) as failed:
        call()
    place = GameFault(PACKAGES["hen_party"], "ZeroDivisionError in hen_party/rules.py, line 2")
    assert fault_of(failed.value, PACKAGES) == (place if is_theirs else None)
    assert fault_of(ExceptionGroup("", [failed.value]), PACKAGES) == (place if is_theirs else None)
