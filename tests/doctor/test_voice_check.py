"""What the doctor says about announcements."""

from pathlib import Path

import pytest

from companion.devices.finding import Finding, findings
from companion.doctor.voice_check import voice_check
from tests.voice import need_espeak


def found(speech: str) -> Finding:
    (finding,) = findings([voice_check(speech)])
    return finding


def player(folder: Path, status: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An aplay that writes down what it was to play."""
    program = folder / "aplay"
    program.write_text(f'#!/bin/sh\necho "$2" >> {folder}/played\nexit {status}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr("companion.voice.PLAYERS", (("aplay", "-q"),))
    return folder / "played"


def test_where_announcements_are_off_nothing_is_heard_and_nothing_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_espeak()
    played = player(tmp_path, 0, monkeypatch)
    finding = found("off")
    assert finding.verdict == "ok"
    assert "announcements are off" in finding.words
    assert not played.exists()


def test_where_they_are_on_something_is_said_in_both_languages_and_a_person_has_to_listen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_espeak()
    played = player(tmp_path, 0, monkeypatch)
    finding = found("brief")
    assert (finding.verdict, finding.advice) == ("check", "did you hear it?")
    assert len(played.read_text().splitlines()) == 2


def test_a_sound_card_that_does_not_work_is_a_problem_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_espeak()
    player(tmp_path, 1, monkeypatch)
    finding = found("full")
    assert finding.verdict == "problem"
    assert "aplay -l" in finding.advice


def test_a_missing_program_is_a_problem_only_for_those_who_want_to_hear_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert found("full").verdict == "problem"
    assert "apt install espeak-ng" in found("full").advice
    assert found("off").verdict == "ok"
