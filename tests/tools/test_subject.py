"""Subjects of commits."""

from pathlib import Path

import pytest

from tools.subject import LONGEST, complaints, main


@pytest.mark.parametrize(
    "message", ["sioux: name duels", f"web: {'x' * (LONGEST - 5)}", "ci: add a quick job\n\nAnd why.", "Merge main."]
)
def test_a_short_subject_is_as_it_should_be(message: str) -> None:
    assert complaints(message) == []


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("x" * (LONGEST + 1), "72 characters"),
        ("sioux: name duels.", "full stop"),
        ("sioux: name duels\nand another", "empty line"),
        ("A free edge has a name of its own", "names its area"),
        ("Fewer things: done anew", "names its area"),
        ("   \n\nWhy", "begins with a subject"),
    ],
)
def test_what_is_wrong_with_a_subject_is_said(message: str, complaint: str) -> None:
    assert complaint in " ".join(complaints(message))


def test_comments_of_git_are_no_part_of_the_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "COMMIT_EDITMSG"
    path.write_text("sioux: name duels\n# On branch main\n")
    assert main(path) == 0
    path.write_text("# On branch main\n")
    assert main(path) == 1
    assert "begins with a subject" in capsys.readouterr().err
