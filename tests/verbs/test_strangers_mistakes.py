"""A bug in a third-party game is reported as theirs, with package, file and line; one of ours stays ours."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.crash import STATUS, GameFault, fault_of
from companion.gamekit.template import write_game
from companion.messages.intentions import Act
from companion.messages.protocol import Fault, Reply
from companion.processes.evenings import socket_of
from tests.referee.screen import FakeScreen
from tests.strangers import announce, run_in
from tests.verbs.terminal import Terminal

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


# --- At the table ---------------------------------------------------------------------------------------------

TAKE = {"do": "take", "seat": 0, "count": 1}


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(folder), "COMPANION_HOME": str(folder / "home")}


def begun(folder: Path) -> Path:
    plan = "GamePlan('hen-party', ('Anna', 'Ben'), kit='none')"
    begin = f"from companion.processes.evenings import *; print(begin_evening({plan}))"
    return Path(run_in(folder, "-c", begin).strip())


def table(folder: Path, path: Path) -> "subprocess.Popen[str]":
    """The referee of this evening, listening."""
    words = [sys.executable, "-c", "from companion.cli import main; raise SystemExit(main())"]
    referee = subprocess.Popen(
        [*words, "table", "--evening", str(path)],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not socket_of(path).exists():
        assert referee.poll() is None, referee.communicate()
    return referee


def test_rules_that_fail_at_the_table_are_named_on_the_screen_and_in_the_last_words(hens: Path) -> None:
    line = plant(hens, "heap = state.heap // 0")
    path = begun(hens)
    referee = table(hens, path)
    with FakeScreen(socket_of(path)) as screen:
        screen.snapshot()
        screen.say(Act("1", TAKE))
        while not isinstance(message := screen.hear(), Fault):
            assert message is not None
    place = f"ZeroDivisionError in hen_party/rules.py, line {line}"
    assert f"the game of companion-hen-party failed ({place}) and starts over" in message.message
    _, words = referee.communicate()
    assert referee.returncode == STATUS
    assert f"a mistake in the game of companion-hen-party, not yours: {place}." in words


def test_what_fails_before_the_table_can_be_shown_is_named_where_people_look(
    hens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`companion resume` in a real terminal, with the referee in a process of its own."""
    path = begun(hens)
    rules = hens / "hen_party" / "rules.py"
    rules.write_text(rules.read_text().replace("return [Take(state.turn,", "return [Take(1 // 0 or state.turn,"))
    line = next(number for number, each in enumerate(rules.read_text().splitlines(), 1) if "1 // 0" in each)
    for name, value in environment(hens).items():
        monkeypatch.setenv(name, value)
    with Terminal("resume", path.stem) as terminal:
        assert terminal.wait() == 2
        words = " ".join(terminal.text.split())
    assert "a mistake in the game of companion-hen-party, not yours" in words
    assert f"ZeroDivisionError in hen_party/rules.py, line {line}." in words


def test_people_at_the_screen_read_whose_game_has_failed(hens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = plant(hens, "heap = state.heap // 0")
    path = begun(hens)
    for name, value in environment(hens).items():
        monkeypatch.setenv(name, value)
    with Terminal("resume", path.stem) as terminal:
        terminal.until_painted("Take")
        ready_s = time.monotonic() + 3  # a screen that was just painted takes a key for a late one
        terminal.until(lambda: time.monotonic() > ready_s)
        terminal.press("a")
        terminal.until_painted("Cancel")
        terminal.press("1")
        terminal.until_painted("the game of companion-hen-party failed")
        terminal.until_painted(f"ZeroDivisionError in hen_party/rules.py, line {line}")


def test_an_evening_whose_game_fails_since_is_listed_with_package_and_line_and_waits(hens: Path) -> None:
    path = begun(hens)
    referee = table(hens, path)
    with FakeScreen(socket_of(path)) as screen:
        screen.snapshot()
        screen.say(Act("1", TAKE))
        while not isinstance(screen.hear(), Reply):
            pass
    referee.terminate()
    referee.communicate()
    before = path.read_bytes()
    line = plant(hens, "heap = state.heap // 0")
    place = f"ZeroDivisionError in hen_party/rules.py, line {line}"
    words = f"this evening waits for its game: there is a mistake in companion-hen-party: {place}"
    assert words in run_in(hens, "-m", "companion", "games")
    assert words in run_in(hens, "-m", "companion", "resume", status=2)
    assert path.read_bytes() == before


# --- Sentences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "shown", "why"),
    [
        (
            "{seet} takes {count:counter|counters}",
            "{seet} takes 1 counter",
            "names {seet}, and what is said with it has",
        ),
        ("{seat takes", "{seat takes", "has braces that cannot be read"),
        ("{seat.name} takes", "{seat.name} takes", "has braces that cannot be read"),
        ("{0} takes", "{0} takes", "has braces that cannot be read"),
    ],
)
@pytest.mark.parametrize("command", [("adjudicate", "tests/first.jsonl"), ("demo", "hen-party", "--headless")])
def test_a_sentence_that_names_a_fact_which_is_not_there_is_shown_and_told_as_the_games_mistake(
    hens: Path, wrong: str, shown: str, why: str, command: tuple[str, ...]
) -> None:
    words = hens / "hen_party" / "sentences.py"
    sentence = (
        wrong + words.read_text().partition('"takes": "{seat} takes {count:counter|counters}')[2].partition('"')[0]
    )
    words.write_text(words.read_text().replace("{seat} takes {count:counter|counters}", wrong))
    done = subprocess.run(
        [sys.executable, "-m", "companion", *command],
        cwd=hens,
        env=environment(hens),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    if command[0] == "demo":
        assert shown in done.stdout
        assert "a mistake in the game of companion-hen-party, not yours: its sentence “" in done.stderr
        assert f"“{sentence}” {why}" in done.stderr
        assert "Companion itself" not in done.stderr
        assert sentence in (hens / "home" / "logs" / "crashes.log").read_text()


def test_the_contract_finds_a_sentence_that_names_a_fact_which_is_not_there(hens: Path) -> None:
    words = hens / "hen_party" / "sentences.py"
    words.write_text(words.read_text().replace("{seat} takes {count", "{seet} takes {count"))
    said = run_in(hens, "-m", "pytest", "-q", "-k", "has_a_sentence_and_its_facts", status=1)
    assert "every fact that a sentence names is given with it: '{seet} takes" in said
