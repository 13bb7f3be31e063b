"""A game of an earlier kit runs against this one, what has moved says what to write instead, and an index of games says
what can be installed."""

import json
import os
import re
import shutil
import warnings
from pathlib import Path

import pytest

from companion.gamekit import ending
from companion.gamekit.deprecation import KitDeprecationWarning
from companion.gamekit.manifest import API
from tests.bulls import written
from tests.strangers import announce, run_in
from tests.verbs.command import Command

KITS = Path(__file__).parents[1] / "data" / "kits"


# --- The promise ----------------------------------------------------------------------------------------------


def test_there_is_a_game_of_this_kit() -> None:
    assert [int(folder.name) for folder in sorted(KITS.iterdir())][-1] == API


@pytest.mark.slow
@pytest.mark.parametrize("kit", sorted(KITS.glob("*/*")), ids=lambda path: "/".join(path.parts[-2:]))
def test_a_game_of_an_earlier_kit_keeps_its_contract_and_its_own_tests(kit: Path, tmp_path: Path) -> None:
    """As it was written then: not a line of it has changed. It hears of nothing that it should write otherwise."""
    folder = Path(shutil.copytree(kit, tmp_path / "game"))
    announce(folder, kit.name, kit.name)
    tested = run_in(folder, "-W", "error::DeprecationWarning:gops", "-m", "pytest", "-q", "-c", os.devnull, "tests")
    assert re.search(r"^\d+ passed in", tested, re.MULTILINE), tested
    assert f"{kit.name} keeps the contract" in run_in(folder, "-m", "companion", "check", kit.name)


# --- What has moved -------------------------------------------------------------------------------------------


def test_a_name_that_has_moved_still_works_and_says_what_to_write_instead() -> None:
    with pytest.warns(KitDeprecationWarning, match="tied_for_the_most is deprecated: write .+tied_for_the_best"):
        assert ending.tied_for_the_most is ending.tied_for_the_best
    with pytest.raises(AttributeError, match="has no attribute 'tied'"):
        _ = ending.tied


def test_check_names_the_line_that_uses_something_deprecated(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "def scores(state: State):\n": "def scores(state: State):\n    from companion.gamekit import ending\n\n"
            "    ending.tied_for_the_most  # noqa: B018\n"
        },
    )
    told = run_in(folder, "-m", "companion", "check", "bulls")
    assert len(re.findall(r"bulls\.py, line \d+: companion.gamekit.ending.tied_for_the_most is deprecated", told)) == 1
    assert "bulls keeps the contract" in told


def test_nothing_of_ours_uses_what_is_deprecated() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", KitDeprecationWarning)
        from companion.gamekit import contract, default_rules, parts

        assert contract
        assert default_rules
        assert parts


# --- An index -------------------------------------------------------------------------------------------------


def index(path: Path, *games: dict[str, object]) -> str:
    path.write_text(json.dumps({"schema": 1, "made": "by hand", "games": games}))
    return str(path)


HENS = {"name": "hen-party", "package": "companion-hen-party", "version": "1.2", "api": 1}


def test_an_index_says_of_each_game_how_to_get_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = index(
        tmp_path / "index.json",
        HENS | {"title": "Hen Party", "players": [2, 6], "summary": "Hens, and a \x1b[2Jfox", "stars": 5},
        HENS | {"name": "later", "api": 2},
        HENS | {"name": "earlier", "api": 0},
        {"name": "fonts", "package": "msgspec", "version": "0.0.1", "api": 1},
    )
    said = Command(capsys)("games", "--available", file)
    assert (said.status, said.err) == (0, "")
    told = "hen-party  Hen Party, 2 to 6 players: Hens, and a [2Jfox\n    pip install companion-hen-party  (1.2)\n"
    assert told in said.out
    assert "needs a newer Companion (kit 2; this one has kit 1)" in said.out
    assert "was written for an older Companion (kit 0; this one has kit 1)" in said.out
    assert re.search(r"installed \([\d.]+\); pip install --upgrade msgspec brings 0\.0\.1", said.out)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "there is no such file"),
        ("games", "this is no index of games"),
        ('{"schema": 2, "games": []}', "this is no index of games"),
        ('{"schema": 1, "games": [{"name": "hen"}]}', "missing required field `package`"),
        (json.dumps({"schema": 1, "games": [HENS | {"name": "x" * 300}]}), "length <= 200"),
    ],
)
def test_what_is_no_index_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, problem: str
) -> None:
    if text is not None:
        (tmp_path / "index.json").write_text(text)
    said = Command(capsys)("games", "--available", str(tmp_path / "index.json"))
    assert (said.status, problem in said.err) == (2, True)


def test_an_empty_index_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Command(capsys)("games", "--available", index(tmp_path / "i.json")).out == "The index lists no game.\n"
