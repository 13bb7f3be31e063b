"""The command line: what it answers when it is asked for help, and when what it is told makes no sense."""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from companion import __version__, verbs
from companion.cli import main, read
from companion.gamekit import discovery
from companion.gamekit.table_options import table_options
from tests.ours import GAMES
from tests.verbs.command import Command

VERBS = (
    *("play", "table", "demo", "screen", "faults", "resume", "games", "export", "config", "doctor", "enroll", "tags"),
    *("print", "replay", "phones", "hall", "adjudicate", "update", "new-game", "people", "stats", "check", "try"),
)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "120")
    return Command(capsys)


# --- Asking ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--version"], ["--vers"]])
def test_the_version_is_told_also_when_it_is_abbreviated(command: Command, words: list[str]) -> None:
    assert command(*words) == (0, f"companion {__version__}\n", "")


def test_help_lists_every_verb_with_what_it_does(command: Command) -> None:
    said = command("--help")
    assert said.status == 0
    for verb in VERBS:
        assert re.search(rf"^ +{verb}\s+\w+ \w+", said.out, re.MULTILINE), f"{verb} is not explained"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_and_all_its_options(command: Command, verb: str) -> None:
    said = command(verb, "--help")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(f"usage: companion {verb}")
    assert "==SUPPRESS==" not in said.out
    assert "--parent" not in said.out
    assert "--root" not in said.out


ACTIONS = [[verb] for verb in verbs.VERBS] + [
    ["tags", action] for action in ("check", "export", "merge", "list", "write")
]


@pytest.mark.parametrize("words", ACTIONS, ids=" ".join)
def test_every_help_has_a_line_on_what_it_does_and_an_example_that_can_be_typed(
    command: Command, words: list[str]
) -> None:
    _usage, about, *rest = command(*words, "--help").out.split("\n\n")
    assert re.fullmatch(r"[A-Z].+\.", about), about
    examples = re.findall(r"^  (companion .*)$", "\n".join(rest), re.MULTILINE)
    assert examples, "no example"
    for example in examples:
        typed = shlex.split(example)[1:]
        assert typed[: len(words)] == words
        assert read(typed).verb == words[0]


@pytest.mark.parametrize("words", [[], *ACTIONS, ["play", "sioux"], ["demo", "carnuta"]], ids=" ".join)
def test_no_help_breaks_a_word_at_any_width(
    command: Command, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    wide = set(re.split(r"[\s\[\]]+", command(*words, "--help").out))
    for columns in (66, 80, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        said = command(*words, "--help").out
        assert set(re.split(r"[\s\[\]]+", said)) <= wide
        assert max(map(len, said.splitlines())) <= columns


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("verb", ["play", "demo", "table"])
def test_the_help_of_a_game_lists_its_table_options(command: Command, verb: str, game: str) -> None:
    said = command(verb, game, "--help").out
    for option in table_options(discovery.find(game).options).values():
        for value in option.values:
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            assert f"--option {option.name}={shown}" in said


def test_without_a_game_the_help_of_play_lists_no_options_of_one(command: Command) -> None:
    assert "--option stones=" not in command("play", "--help").out


def test_a_terminal_gets_whole_words_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["table", "--players", "Anna", "Ben"]) == 2
    said = capsys.readouterr().err
    assert said == "companion: lascaux is for 3 to 5\nplayers, you named 2\n"


def test_every_verb_of_the_help_has_a_file_and_every_file_is_a_verb_of_the_help() -> None:
    files = {path.stem.replace("_", "-") for path in Path(str(verbs.__file__)).parent.glob("*.py")}
    files -= {"--init--", "arguments", "parser"}  # what several verbs share
    assert files == set(VERBS) == set(verbs.VERBS)


LOADED = "import sys; from companion.cli import main; main(sys.argv[1:]); print(*sorted(sys.modules))"


def loaded(*words: str) -> set[str]:
    """What a process has imported that was told this."""
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_asked_for_the_version_alone_it_imports_no_parser_no_game_and_no_library() -> None:
    modules = loaded("--version")
    assert modules & {"argparse", "msgspec", "textual", "tomllib"} == set()
    ours = {name for name in modules if name.split(".")[0] == "companion"}
    assert ours == {"companion", "companion.cli", "companion.errors", "companion.verbs"}


def test_only_the_verb_that_is_said_is_imported_and_no_screen_where_none_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))  # an evening in it would need its rules
    modules = loaded("games")
    said = {name for name in modules if name.startswith("companion.verbs.")}
    assert said == {"companion.verbs.games", "companion.verbs.parser"}
    assert modules & {"textual", "companion.screen", "companion.games.lascaux.rules"} == set()


def test_a_verb_explains_itself_without_a_screen() -> None:
    """Textual takes longer to import than everything else together."""
    code = """
import sys
from companion.cli import read
for verb in sys.argv[1:]:
    try:
        read([verb, "--help"])
    except SystemExit:
        if "textual" in sys.modules:
            sys.exit(verb)
"""
    done = subprocess.run([sys.executable, "-c", code, *VERBS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), "this verb imports Textual"
    assert done.stdout.count("usage: companion") == len(VERBS)


def test_the_module_is_the_command() -> None:
    said = subprocess.run([sys.executable, "-m", "companion", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"companion {__version__}\n"


def test_without_a_verb_companion_shows_what_it_can_do(command: Command) -> None:
    said = command()
    assert (said.status, said.err) == (0, "")
    assert said.out == command("--help").out
    assert set(VERBS) <= set(said.out.split())


def test_a_game_s_name_may_be_typed_in_any_way(command: Command) -> None:
    usual, capital = (command("demo", name, "--headless", "--seed", "1") for name in ("lascaux", "Lascaux"))
    assert capital == usual
    assert capital.status == 0
    assert command("demo", "Laskaux", "--headless").err.startswith(
        "companion: there is no game 'Laskaux'; did you mean lascaux? Companion knows lascaux"
    )


# --- What makes no sense --------------------------------------------------------------------------------------

NONSENSE = {
    "only an option": (["--loud"], "companion: VERB is not given"),
    "an unknown verb": (["dance"], "companion: there is no verb 'dance'"),
    "a verb that is nearly right": (["pley"], "companion: there is no verb 'pley'; did you mean play?"),
    "an unknown option": (["games", "--loud"], "companion games: there is no option --loud"),
    "an option that is nearly right": (
        ["play", "--playrs", "Anna"],
        "companion play: there is no option --playrs; did you mean --players?",
    ),
    "an action that is nearly right": (
        ["tags", "chek", "lascaux"],
        "companion tags: there is no action 'chek'; did you mean check?",
    ),
    "an option of an action": (
        ["tags", "check", "lascaux", "--red=3"],
        "companion tags check: there is no option --red; did you mean --reads?",
    ),
    "a word too many": (["games", "all"], "companion games: 'all' is one word too many"),
    "a hidden option": (["doctor", "--rooot", "/"], "companion doctor: there is no option --rooot"),
    "no file": (["adjudicate"], "companion adjudicate: file is not given"),
    "an option without its value": (["play", "--box"], "companion play: --box needs a value"),
    "options that exclude each other": (
        ["demo", "--drivers", "--firmware"],
        "companion demo: --firmware and --drivers exclude each other",
    ),
    "an option without a value": (["play", "--option", "stones"], "--option: expected NAME=VALUE, got 'stones'"),
    "an unknown kit": (["play", "--kit", "two"], "--kit: 'two' is not one of none, one, full"),
    "a kit that is nearly right": (["play", "--kit", "ful"], "none, one, full; did you mean full?"),
    "a demo without readers": (["demo", "--kit", "none"], "--kit: 'none' is not one of one, full"),
    "a seed that is a word": (["demo", "--seed", "lucky"], "--seed: 'lucky' is not a whole number"),
    "no speed at all": (["demo", "--speed", "0"], "expected a number from 0.05 to 1000, got '0'"),
    "a speed that is no number": (["demo", "--speed", "nan"], "expected a number from 0.05 to 1000, got 'nan'"),
    "endless speed": (["demo", "--speed", "inf"], "expected a number from 0.05 to 1000, got 'inf'"),
    "more mischief than there is": (["demo", "--mischief", "1.1"], "expected a number from 0 to 1, got '1.1'"),
    "no game at all": (["export", "--game", "0"], "expected a whole number, 1 or more, got '0'"),
    "a game before the first": (["export", "--game", "-1"], "expected a whole number, 1 or more, got '-1'"),
    "half a game": (["export", "--game", "1.5"], "expected a whole number, 1 or more, got '1.5'"),
    "too many players": (["demo", "--players", "many"], "--players: 'many' is not a whole number"),
    "no day": (["stats", "--since", "monday"], "--since: 'monday' is not a day such as 2026-11-18"),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_takes_two_lines_what_is_wrong_and_where_help_is_and_exit_status_2(
    command: Command, name: str
) -> None:
    words, expected = NONSENSE[name]
    said = command(*words)
    assert (said.status, said.out) == (2, "")
    wrong, more = said.err.splitlines()
    assert expected in wrong
    assert wrong.startswith("companion")
    assert re.fullmatch(r"`companion[\w -]* --help` shows what you can type\.", more)


IMPOSSIBLE = {
    "too few players": (
        ["play", "--players", "Anna", "Ben"],
        "lascaux is for 3 to 5 players, you named 2",
    ),
    "too many players": (
        ["table", "--players", "Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny"],
        "lascaux is for 3 to 5 players, you named 6",
    ),
    "too few for a demo": (["demo", "--headless", "--players", "2"], "lascaux is for 3 to 5 players, you asked for 2"),
    "less than no players": (
        ["demo", "--headless", "--players", "-1"],
        "lascaux is for 3 to 5 players, you asked for -1",
    ),
    "an unknown game": (
        ["table", "chess"],
        f"there is no game 'chess'; Companion knows {', '.join(GAMES)}",
    ),
    "a demo of an unknown game": (
        ["demo", "chess"],
        f"there is no game 'chess'; Companion knows {', '.join(GAMES)}",
    ),
    "an unknown table option": (
        ["table", "--option", "colour=red"],
        "lascaux has no option 'colour'; it has stones, tie, direction, first_stone, match",
    ),
    "a misspelt table option": (
        ["table", "--option", "stone=secret"],
        "lascaux has no option 'stone'; it has stones, tie, direction, first_stone, match; did you mean stones?",
    ),
    "a value that an option does not have": (
        ["table", "--option", "stones=heavy"],
        "option stones: 'heavy' is not one of 'open', 'secret'",
    ),
    "a value of another type": (
        ["table", "--option", "stones=true"],
        "option stones: true is not one of 'open', 'secret'",
    ),
    "an unknown table option of a demo": (
        ["demo", "--headless", "--option", "stones=heavy"],
        "option stones: 'heavy' is not one of 'open', 'secret'",
    ),
    "two of the same name": (
        ["table", "--players", "Anna", "Ben", "Anna"],
        "two players are called Anna: give each player a different name",
    ),
    "two that sound the same": (
        ["table", "--players", "Anna", "Ben", "anna"],
        "two players are called Anna: give each player a different name",
    ),
    "two that look the same": (
        ["table", "--players", "Anna", "Ben", " An\x07na\u200b"],
        "two players are called Anna: give each player a different name",
    ),
    "a name that cannot be shown": (
        ["table", "--players", "Anna", "Ben", "\x1b\x07"],
        "a player needs a name that can be shown",
    ),
    "no name": (["table", "--players", "Anna", "Ben", ""], "a player needs a name that can be shown"),
    "a start player who is not there": (
        ["table", "--players", "Anna", "Ben", "Cleo", "--first", "Zoe"],
        "Zoe is not at the table; the players are Anna, Ben, Cleo",
    ),
    "a simulated player who is not there": (
        ["table", "--players", "Anna", "Ben", "Cleo", "--simulated", "Zoe"],
        "Zoe is not at the table; the players are Anna, Ben, Cleo",
    ),
    "simulated players without readers": (
        ["table", "--kit", "none", "--players", "Anna", "Ben", "Cleo", "--simulated", "Anna", "Ben", "Cleo"],
        "bots with real pieces need a person whose hands move them",
    ),
    "an evening that never was": (
        ["table", "--evening", "2001-01-01-1"],
        "there is no evening '2001-01-01-1' in {home}/evenings; `companion games` lists them",
    ),
    "an export of an evening that never was": (
        ["export", "2001-01-01-1"],
        "there is no evening '2001-01-01-1' in {home}/evenings; `companion games` lists them",
    ),
    "an evening with an endless name": (
        ["export", "x" * 300],
        "there is no evening '" + "x" * 300 + "' in {home}/evenings; `companion games` lists them",
    ),
    "an evening with an impossible name": (
        ["export", "a\0b"],
        "there is no evening 'a\\x00b' in {home}/evenings; `companion games` lists them",
    ),
    "an export of nothing": (["export"], "no evening has been played yet; `companion play` starts one"),
    "a screen without a table": (
        ["screen"],
        "no referee is running; `companion play` starts an evening, `companion resume` resumes one",
    ),
    "a screen for an evening that never was": (
        ["screen", "2001-01-01-1"],
        "there is no evening '2001-01-01-1' in {home}/evenings; `companion games` lists them",
    ),
    "a transcript that is not there": (
        ["adjudicate", "nowhere.jsonl"],
        "nowhere.jsonl: this transcript is missing: there is no such file",
    ),
    "a box that is not there": (
        ["table", "--box", "nowhere.toml"],
        "nowhere.toml: this box is missing: there is no such file",
    ),
    "a table.toml that is not there": (
        ["doctor", "--table", "nowhere.toml"],
        "nowhere.toml: this table.toml is missing; `companion config` writes one",
    ),
    "a list of plays that is not there": (
        ["stats", "--import", "nowhere.csv"],
        "nowhere.csv: this list of plays is missing: there is no such file",
    ),
    "an export of a file that is not there": (
        ["export", "somewhere/nowhere.companion"],
        "somewhere/nowhere.companion: this file is missing",
    ),
    "a box with an endless name": (
        ["table", "--box", "x" * 300],
        "x" * 300 + ": cannot read this box: File name too long",
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_is_impossible_is_told_in_one_line_and_nothing_is_begun(
    command: Command, tmp_path: Path, name: str
) -> None:
    words, expected = IMPOSSIBLE[name]
    said = command(*words)
    assert (said.status, said.out) == (2, "")
    assert said.err == f"companion: {expected.format(home=tmp_path / 'home')}\n"
    assert not (tmp_path / "home").exists()


def test_a_name_from_outside_cannot_paint_the_terminal(command: Command) -> None:
    said = command("table", "--box", "\x1b[31mred\x07.toml")
    assert said.err == "companion: [31mred.toml: this box is missing: there is no such file\n"


def test_an_argument_from_outside_cannot_paint_the_terminal_either(command: Command) -> None:
    said = command("games", "\x1b[31mred\x07")
    assert said.err.startswith("companion games: '\\x1b[31mred\\x07' is one word too many\n")
    assert "\x1b" not in command("\x1b[31mred").err


def test_without_an_evening_there_is_nothing_to_resume(command: Command) -> None:
    said = command("resume")
    assert said == (2, "", "companion: there is no evening to resume; `companion play` starts one\n")


@pytest.mark.parametrize("verb", ["play", "demo"])
def test_without_a_terminal_the_screen_says_so_and_nothing_is_begun(
    command: Command, tmp_path: Path, verb: str
) -> None:
    said = command(verb)
    assert said.status == 2
    assert said.err == "companion: the screen needs a terminal; `companion demo --headless` prints a game without one\n"
    assert not (tmp_path / "home").exists()


TERMINALS = {
    "dumb": ((30, 100), {"TERM": "dumb"}, "the screen needs a terminal that can be drawn on, and this"),
    "old": ((30, 100), {"PYTHONIOENCODING": "latin-1"}, "the screen needs UTF-8, and this terminal has iso8859-1; try"),
    "small": ((10, 20), {}, "this terminal has 20 columns and 10 rows: make it larger, 66 and 20 are best"),
}


@pytest.mark.parametrize("name", TERMINALS)
def test_a_terminal_that_cannot_show_a_table_gets_one_line(tmp_path: Path, name: str) -> None:
    size, environment, line = TERMINALS[name]
    own, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    env = os.environ | {"TERM": "xterm", "COMPANION_HOME": str(tmp_path)} | environment
    command = [sys.executable, "-m", "companion", "play"]
    done = subprocess.run(command, stdin=its, stdout=its, stderr=subprocess.PIPE, env=env, text=True, check=False)
    os.close(own)
    os.close(its)
    assert done.returncode == 2
    assert done.stderr.startswith(f"companion: {line}")
    assert done.stderr.count("\n") == 1


def test_a_letter_that_the_output_does_not_have_ends_nothing(tmp_path: Path) -> None:
    """As the arrows of `companion doctor`."""
    env = os.environ | {"PYTHONIOENCODING": "ascii", "COMPANION_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "companion", "people"]
    subprocess.run([*command, "--add", "Zoë"], env=env, capture_output=True, check=True)
    assert "Zoë" in subprocess.run(command, env=env, capture_output=True, check=True).stdout.decode()


def test_the_output_is_closed_early_and_the_command_ends_quietly(tmp_path: Path) -> None:
    """companion demo --headless | head -1"""
    line = f"{sys.executable} -m companion demo --headless --seed 1 --mischief 0.5 | head -1; echo ${{PIPESTATUS[0]}}"
    said = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        check=True,
        env={"COMPANION_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert said.stderr == ""
    assert said.stdout.splitlines()[-1] in ("141", "0")


INTERRUPTED = """
import sys
from companion.cli import main

class Impatience:
    def find_spec(self, name, path=None, target=None):
        if name == "companion.verbs.demo":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatience())
sys.exit(main(["demo", "--headless"]))
"""


def test_ctrl_c_while_a_verb_is_being_imported_ends_it_without_a_traceback() -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_what_a_kiosk_says_is_in_the_systems_log_too(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its terminal ends with it."""
    import syslog

    logged: list[str] = []
    monkeypatch.setattr(syslog, "syslog", lambda level, words: logged.append(words))
    assert command("play").status == 2
    assert logged == []
    told = command("play", "--kiosk")
    assert told.status == 2
    assert logged == [told.err.strip()]
    assert "the screen needs a terminal" in told.err
