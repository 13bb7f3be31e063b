"""`companion config`: a table.toml to begin with, and what is in force."""

from pathlib import Path

import pytest

from companion.config import parse_table, read_table
from companion.config.table import FULL_TABLE, KIT_ONE_TABLE, Table
from tests.verbs.command import Command


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_it_writes_kit_one_and_says_where(companion: Command, home: Path) -> None:
    said = companion("config")
    assert said.status == 0
    assert said.out.startswith(f"{home}/table.toml: written, as kit one is wired.\n")
    assert "companion doctor" in said.out
    assert read_table(home / "table.toml") == KIT_ONE_TABLE


def test_it_writes_the_full_kit_too(companion: Command, home: Path) -> None:
    assert companion("config", "--kit", "full").status == 0
    assert read_table(home / "table.toml") == FULL_TABLE


def test_it_never_writes_over_a_table_unless_forced(companion: Command, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text("# mine\n")
    said = companion("config")
    assert said.status == 2
    assert said.err == f"companion: {home}/table.toml is there already; --show prints it, --force overwrites it\n"
    assert (home / "table.toml").read_text() == "# mine\n"
    assert companion("config", "--force").status == 0
    assert read_table(home / "table.toml") == KIT_ONE_TABLE
    assert [path.name for path in home.iterdir()] == ["table.toml"]


def test_it_writes_where_it_is_told_to(companion: Command, home: Path, tmp_path: Path) -> None:
    assert companion("config", "--table", str(tmp_path / "second" / "table.toml")).status == 0
    assert read_table(tmp_path / "second" / "table.toml").kit == "one"
    assert not (home / "table.toml").exists()


@pytest.mark.parametrize("place", ["/proc/nothing/table.toml", "a\0b", ""])
def test_a_place_that_cannot_be_written_is_told(companion: Command, place: str) -> None:
    said = companion("config", "--table", place, "--force")
    assert said.status == 2
    assert "cannot write this" in said.err


def test_what_is_in_force_is_shown_as_toml(companion: Command, home: Path) -> None:
    companion("config", "--kit", "full")
    said = companion("config", "--show")
    assert said.status == 0
    assert f"from {home}/table.toml (kit: full)" in said.out
    assert parse_table(said.out, "shown") == FULL_TABLE


def test_where_nothing_is_wired_that_is_shown(companion: Command, home: Path) -> None:
    said = companion("config", "--show")
    assert said.status == 0
    assert f"There is no {home}/table.toml" in said.out
    assert parse_table(said.out, "shown") == Table()


def test_a_table_that_is_wrong_is_told_with_its_line(companion: Command, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text("\n[[lamp]]\npin = 99\n")
    said = companion("config", "--show")
    assert said.status == 2
    assert said.err.startswith(f"companion: {home}/table.toml, line 3: a Pi has no pin GPIO99; free are 4, 5, 6")


def test_a_home_that_is_a_file_is_named_as_what_it_is(companion: Command, home: Path) -> None:
    home.write_text("")
    said = companion("config")
    assert said.status == 2
    assert f"cannot write this: {home} is no folder" in said.err
