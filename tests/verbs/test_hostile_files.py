"""Damaged and foreign files: a command says what is wrong with them in one line, soon."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.home.paths import box_path, evenings_folder, looks_path, pack_path, progress_path
from tests.verbs.command import Command

NESTED = "a = " + "[" * 30_000
DOTTED = ".".join("a" * 30_000) + " = 1"
COLOUR = "\x1b[31mred\x07"


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


FILES: dict[str, tuple[Callable[[], Path], list[str]]] = {
    "a box": (lambda: box_path("lascaux"), ["demo", "--headless"]),
    "a pack": (lambda: pack_path("lascaux"), ["tags", "list", "lascaux"]),
    "a table": (lambda: evenings_folder().with_name("table.toml"), ["config", "--show"]),
}


@pytest.mark.parametrize("text", [NESTED, DOTTED], ids=["nested", "dotted"])
@pytest.mark.parametrize("name", FILES)
def test_toml_that_would_take_for_ever_or_end_the_process_is_refused(command: Command, name: str, text: str) -> None:
    find, words = FILES[name]
    find().parent.mkdir(parents=True)
    find().write_text(text)
    said = command(*words)
    assert (said.status, said.out) == (2, "")
    assert "it is nested too deeply" in said.err or "a key in it has more than 16 parts" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", FILES)
def test_a_pipe_is_not_waited_for(command: Command, name: str) -> None:
    find, words = FILES[name]
    find().parent.mkdir(parents=True)
    os.mkfifo(find())
    said = command(*words)
    assert said.status == 2
    assert "this is a pipe or a device, not a file" in said.err


def test_a_transcript_that_is_a_pipe_is_not_waited_for(command: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.jsonl")
    said = command("adjudicate", str(tmp_path / "game.jsonl"))
    assert (said.status, said.out) == (2, "")
    assert "cannot read this transcript: this is a pipe or a device, not a file" in said.err


def test_a_journal_whose_log_is_a_pipe_is_not_waited_for(command: Command) -> None:
    evenings_folder().mkdir(parents=True)
    (evenings_folder() / "2026-11-16-1.journal").write_bytes(b"x" * 100)
    os.mkfifo(evenings_folder() / "2026-11-16-1.journal-wal")
    assert command("games").out == "2026-11-16-1  this journal is damaged: its write-ahead log is no file\n"


@pytest.mark.parametrize("text", ["[" * 200_000, '{"game": "lascaux", "base": "", "x": ' + "[" * 200_000])
def test_progress_that_is_nested_without_end_is_told(command: Command, text: str) -> None:
    progress_path("lascaux").parent.mkdir(parents=True)
    progress_path("lascaux").write_text(text)
    said = command("tags", "check", "lascaux", "--without-reader")
    assert said.status == 1
    assert "half done: " in said.out
    assert "--start-over` sets it aside" in said.out
    assert "recursion" not in said.out


def test_looks_that_are_nested_without_end_are_a_problem_and_no_more() -> None:
    from companion.home.preferences import LooksFile

    looks_path().parent.mkdir(parents=True)
    for text in (NESTED, DOTTED):
        looks_path().write_text(text)
        looks = LooksFile(looks_path())
        looks.recall()
        assert looks.problem.startswith("screen.toml: ")


# --- Names that would paint the terminal --------------------------------------------------------------------------


def test_no_name_of_a_journal_paints_the_terminal(command: Command) -> None:
    evenings_folder().mkdir(parents=True)
    (evenings_folder() / f"{COLOUR}.journal").write_bytes(b"nonsense")
    said = command("games")
    assert "red" in said.out
    assert "\x1b" not in said.out + said.err
    for words in (["export", COLOUR], ["table", "--evening", COLOUR], ["resume"], ["games"]):
        said = command(*words)
        assert "\x1b" not in said.out + said.err, words


def test_no_name_of_a_written_file_paints_the_terminal(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.messages.lobby import GamePlan
    from companion.processes.evenings import begin_evening

    begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2)))
    for words in (
        ["export", "-o", str(tmp_path / f"{COLOUR}.jsonl")],
        ["config", "--table", str(tmp_path / f"{COLOUR}.toml")],
        ["config", "--table", str(tmp_path / f"{COLOUR}.toml"), "--show"],
        ["adjudicate", str(tmp_path / f"{COLOUR}.jsonl")],
    ):
        said = command(*words)
        assert said.status == 0, said
        assert "\x1b" not in said.out + said.err, words
