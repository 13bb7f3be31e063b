"""A screen looks as it did the last time; the command line has the last word, and a damaged file does no harm."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from companion.home.preferences import LooksFile
from companion.language.screen_language import language
from companion.messages.looks import Chosen
from companion.screen import app as screen_app
from companion.screen.app import CompanionApp
from tests.screen.evening_flow import visit
from tests.screen.table import evening, snapshot
from tests.verbs.terminal import Terminal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "screen.toml"


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, str]]:
    """How a screen would look that is run like this, in a system that speaks English."""
    monkeypatch.setenv("LANGUAGE", "en")
    looks: list[tuple[str, str]] = []
    monkeypatch.setattr(CompanionApp, "run", lambda app: looks.append((language().code, app.theme)))

    def run(**how: Any) -> tuple[str, str]:
        screen_app.run(Path("nowhere"), **how)
        return looks[-1]

    return run


def play(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


def test_language_and_theme_are_kept_as_soon_as_they_are_chosen(file: Path) -> None:
    async def story() -> None:
        async with evening(snapshot(), memory=LooksFile(file)) as tonight:
            await tonight.press("l")
            assert LooksFile(file).recall() == Chosen("de", None)
            await tonight.press("t")
            assert LooksFile(file).recall() == Chosen("de", "light")
            await tonight.press("l", "t")
            assert LooksFile(file).recall() == Chosen("en", "contrast")

    play(story)
    assert sorted(path.name for path in file.parent.iterdir()) == [".lock", "screen.toml"]


def test_the_next_screen_looks_as_the_last_one_did(file: Path, shown: Callable[..., tuple[str, str]]) -> None:
    LooksFile(file).keep(language="de", theme="contrast")
    assert shown(memory=LooksFile(file)) == ("de", "contrast")


def test_the_command_line_has_the_last_word(file: Path, shown: Callable[..., tuple[str, str]]) -> None:
    LooksFile(file).keep(language="de", theme="contrast")
    assert shown(memory=LooksFile(file), language="en", theme="light") == ("en", "light")


def test_what_the_command_line_said_is_remembered_as_if_it_had_been_chosen(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    LooksFile(file).keep(language="en", theme="contrast", speech="brief")

    def show(app: CompanionApp) -> None:
        async def story() -> None:
            async with app.run_test() as pilot:
                for _turn in range(200):
                    await pilot.pause()
                    if LooksFile(file).recall().language == "de":
                        return

        play(story)

    monkeypatch.setattr(CompanionApp, "show", show)
    screen_app.run(lobby=None, memory=LooksFile(file), language="de")
    assert LooksFile(file).recall() == Chosen("de", "contrast", "brief")


def test_what_was_not_chosen_is_as_the_system_says(file: Path, shown: Callable[..., tuple[str, str]]) -> None:
    assert shown(memory=LooksFile(file)) == ("en", "dark")
    LooksFile(file).keep(theme="light")
    assert shown(memory=LooksFile(file)) == ("en", "light")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"language = ", "screen.toml: "),
        (b"\xff\xfe", "screen.toml: "),
        (b'language = "fr"', "screen.toml: language = 'fr': one of en, de is known"),
        (b'theme = "pink"', "screen.toml: theme = 'pink': one of dark, light, contrast is known"),
        (b"theme = 7", "screen.toml: "),
    ],
)
def test_a_damaged_file_is_told_and_ignored_until_a_user_chooses_anew(
    file: Path, shown: Callable[..., tuple[str, str]], text: bytes, problem: str
) -> None:
    file.parent.mkdir()
    file.write_bytes(text)
    memory = LooksFile(file)
    assert shown(memory=memory) == ("en", "dark")
    assert memory.problem.startswith(problem)
    memory.keep(theme="light")
    assert LooksFile(file).recall() == Chosen(None, "light")


def test_a_damaged_file_is_told_on_the_first_screen(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("language = 'xx'")
    memory = LooksFile(file)
    memory.recall()

    async def story() -> None:
        async with visit(memory=memory) as guests:
            assert "Your last choices could not be read" in guests.text()

    play(story)


def test_a_choice_that_cannot_be_kept_counts_all_the_same_and_is_told(file: Path) -> None:
    file.parent.write_text("a file where a folder should be")

    async def story() -> None:
        async with evening(snapshot(), memory=LooksFile(file)) as tonight:
            await tonight.press("l")
            assert "Diese Einstellung" in tonight.text()
            assert language().code == "de"

    play(story)


def test_the_start_screen_is_german_the_next_evening_unless_the_command_line_says_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In real terminals: the whole way from the command line to the file and back."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    for words, painted, keys in (
        ((), "Play Lascaux against Ben and Cleo", "l"),
        ((), "Lascaux gegen Ben und Cleo spielen", ""),
        (("--language", "en"), "Play Lascaux against Ben and Cleo", ""),
    ):
        with Terminal("play", *words) as terminal:
            terminal.until_painted(painted)
            if keys:
                terminal.press(keys)
                terminal.until_painted("Lascaux gegen Ben und Cleo spielen")
            terminal.press("q")
            assert terminal.wait() == 0
    assert (tmp_path / "screen.toml").read_text() == 'language = "en"\n', "that is remembered, too"
