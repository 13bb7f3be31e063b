"""Whatever a stranger's package does when it is imported, it does it in another process, and no other game notices."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import import_trials
from companion.errors import GameError
from companion.gamekit import discovery
from companion.gamekit.template import write_game
from tests.ours import GAMES
from tests.strangers import announce

Plant = Callable[..., Path]
GOOD = {"name": "rude", "api": 1, "rules": "rude.rules:GAME", "words": "rude.face:FACE"}
RULES = """
from msgspec.structs import replace
from companion.gamekit import discovery
GAME = replace(discovery.find("lascaux"), name="rude")
"""


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plant]:
    """Puts a package on the path, with this in its __init__, its rules and its words (FACE in face.py)."""
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("IMPORTS", str(tmp_path / "imports"))
    (tmp_path / "imports").touch()

    def write(init: str = "", rules: str = RULES, face: str = "FACE = {}") -> Path:
        folder = tmp_path / "site" / "rude"
        folder.mkdir(parents=True)
        count = "import os\nwith open(os.environ['IMPORTS'], 'a') as file: file.write('x')\n"
        (folder / "__init__.py").write_text(f"{count}MANIFEST = {GOOD}\n{init}\n")
        (folder / "rules.py").write_text(rules)
        (folder / "face.py").write_text(face)
        announce(tmp_path / "site", "rude", "rude", package="rude-games")
        discovery.found.cache_clear()
        return folder

    yield write
    discovery.found.cache_clear()
    for module in [module for module in sys.modules if module.partition(".")[0] == "rude"]:
        del sys.modules[module]


def imports() -> int:
    return len(Path(os.environ["IMPORTS"]).read_text())


def look() -> str:
    """Why the game cannot be played; "" if it can. All others can, in any case."""
    discovery.found.cache_clear()
    assert [game.name for game in discovery.playable()][:4] == list(GAMES)
    return "".join(each.reason for each in discovery.unusable() if each.package == "rude-games")


RUDE = {
    "raise KeyboardInterrupt": "rude:MANIFEST cannot be imported (KeyboardInterrupt, in rude/__init__.py, line 4)",
    "raise SystemExit(3)": "rude:MANIFEST cannot be imported (SystemExit: 3, in rude/__init__.py, line 4)",
    "raise type('Odd', (BaseException,), {})('no')": "(Odd: no, in rude/__init__.py, line 4)",
    "raise BaseExceptionGroup('x', [KeyboardInterrupt()])": "BaseExceptionGroup",
    "os._exit(0)": "rude:MANIFEST cannot be imported (it ends the process with status 0)",
    "os._exit(7)": "rude:MANIFEST cannot be imported (it ends the process with status 7)",
    "os.kill(os.getpid(), 9)": "rude:MANIFEST cannot be imported (it ends the process by SIGKILL)",
    "import ctypes; ctypes.string_at(0)": "(it ends the process by SIGSEGV), in rude/__init__.py, line 4",
    "x = b'x' * 10**11": "(MemoryError, in rude/__init__.py, line 4)",
    "def f(): f()\nf()": "RecursionError",
    "1 = 2": "SyntaxError",
}


@pytest.mark.parametrize("init", RUDE)
def test_a_package_that_ends_its_process_is_listed_with_the_reason_and_the_line(plant: Plant, init: str) -> None:
    plant(init)
    assert RUDE[init] in look()


@pytest.mark.parametrize("part", ["rules", "face"])
def test_a_part_is_tried_like_the_manifest(plant: Plant, part: str) -> None:
    plant(**{part: "import os\n\nos._exit(3)"})
    assert look().startswith(
        f"rude.{part}:{'GAME' if part == 'rules' else 'FACE'} cannot be imported (it ends the process with status 3)"
    )


def test_a_package_with_a_catalogue_that_cannot_be_read_is_listed_with_the_file_and_the_line(plant: Plant) -> None:
    """At the table it would fail when somebody chooses the language."""
    folder = plant(init='MANIFEST["locale"] = "rude"')
    catalogue = folder / "locale" / "de" / "LC_MESSAGES" / "companion.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\nmsgid "mole\n')
    assert look().startswith(f"{catalogue}, line 3: expected msgid, msgstr or a text in quotes")
    catalogue.write_text(catalogue.read_text().replace('"mole', '"mole"\nmsgstr "Maulwurf"'))
    assert look() == ""


def test_a_package_that_hangs_is_given_up_and_says_where(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_trials, "LIMIT_S", 6.0)
    plant(face="import threading\n\nthreading.Event().wait()")
    reason = look()
    assert reason.startswith("rude.face:FACE is not imported within 6 seconds, in rude/face.py, line 3: ")
    assert "`companion doctor` tries it again" in reason


def test_a_package_that_was_too_slow_once_is_tried_again(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = tmp_path / "busy"
    busy.touch()
    plant(face=f"import os, time\nwhile os.path.exists({str(busy)!r}): time.sleep(0.01)\nFACE = {{}}")
    with monkeypatch.context() as impatient:
        impatient.setattr(import_trials, "LIMIT_S", 3.0)
        assert "is not imported within 3 seconds" in look()
    busy.unlink()
    monkeypatch.setattr(import_trials, "LIMIT_S", 120.0)
    assert look() == ""


def test_a_package_whose_process_was_killed_once_is_tried_again(plant: Plant, tmp_path: Path) -> None:
    """As the kernel does where memory is short."""
    full = tmp_path / "full"
    full.touch()
    plant(f"if os.path.exists({str(full)!r}): os.kill(os.getpid(), 9)")
    assert "it ends the process by SIGKILL" in look()
    full.unlink()
    assert look() == ""


@pytest.mark.parametrize("end", ["pass", "os._exit(7)", "os.kill(os.getpid(), 9)", "time.sleep(600)"])
def test_a_process_that_a_package_has_hidden_in_another_session_is_ended(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    if "sleep" in end:
        monkeypatch.setattr(import_trials, "LIMIT_S", 6.0)
    left = tmp_path / "left"
    plant(
        f"""
import time
if {import_trials.IN_TRIAL!r} in os.environ:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open({str(left)!r} + '~', 'w') as file: file.write(str(os.getpid()))
            os.rename({str(left)!r} + '~', {str(left)!r})
            os.execvp('sleep', ['sleep', '600'])
        os._exit(0)
    while not os.path.exists({str(left)!r}): time.sleep(0.01)
    {end}
"""
    )
    assert bool(look()) == (end != "pass")
    process = Path("/proc") / left.read_text()
    deadline = time.monotonic() + 60
    while process.exists() and "(zombie)" not in (process / "status").read_text():
        assert time.monotonic() < deadline, f"{process} is still there"
        time.sleep(0.01)


def test_a_package_may_print_read_and_fork_as_it_likes(plant: Plant, capfd: pytest.CaptureFixture[str]) -> None:
    chatter = (
        "import sys\nprint('{\"problem\": \"rubbish\"}')\nsys.stdin.read()\nsys.stderr.write('x' * 200_000)\n"
        "os.write(1, b'x' * 200_000)\nif os.fork() == 0: os.execvp('sleep', ['sleep', '600'])\n"
    )
    plant(f"if '{import_trials.IN_TRIAL}' in os.environ:\n    " + chatter.replace("\n", "\n    "))
    assert look() == ""
    assert discovery.find("rude").name == "rude"
    assert capfd.readouterr() == ("", "")


def test_a_package_is_tried_once_and_not_imported_before_it_is_needed(plant: Plant) -> None:
    plant()
    discovery.found()
    assert imports() == 1
    assert "rude" in discovery.names()
    assert "rude" not in sys.modules
    for _ in range(3):
        discovery.found.cache_clear()
        discovery.found()
    assert imports() == 1
    assert look() == ""


def test_a_package_that_was_changed_is_tried_again_although_its_version_is_the_same(plant: Plant) -> None:
    folder = plant("raise RuntimeError")
    assert "RuntimeError" in look()
    (folder / "__init__.py").write_text(f"MANIFEST = {GOOD}\n")
    assert look() == ""
    (folder / "face.py").write_text("raise ValueError")
    assert "ValueError" in look()


def test_a_package_whose_library_is_installed_later_is_tried_again(plant: Plant, tmp_path: Path) -> None:
    plant("import a_library_of_theirs")
    assert "No module named 'a_library_of_theirs'" in look()
    (tmp_path / "site" / "a_library_of_theirs.py").touch()
    assert look() == ""


def test_what_is_remembered_may_be_damaged_and_the_doctor_forgets_it(plant: Plant, tmp_path: Path) -> None:
    plant()
    discovery.found()
    (note,) = (tmp_path / "cache" / "companion" / "packages").iterdir()
    for number, rubbish in enumerate((b"", b"{", b"[1]", b'{"key": 7}', b"\xff" * 500_000), 2):
        note.write_bytes(rubbish)
        discovery.found.cache_clear()
        assert "rude" in discovery.names()
        assert imports() == number
    discovery.look_again()
    assert "rude" in discovery.names()
    assert imports() == 7


def test_where_nothing_can_be_remembered_it_is_tried_each_time(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant()
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    for number in (1, 2):
        discovery.found.cache_clear()
        assert "rude" in discovery.names()
        assert imports() == number


@pytest.mark.parametrize(
    "end", ["raise KeyboardInterrupt", "raise SystemExit", "raise type('Odd', (BaseException,), {})"]
)
def test_a_package_that_fails_after_all_disturbs_no_other_game(plant: Plant, end: str) -> None:
    plant(rules=f"import os\nif '{import_trials.IN_TRIAL}' not in os.environ: {end}\n{RULES}")
    assert "rude" in discovery.names()
    with pytest.raises(GameError, match=r"rude\.rules:GAME of rude-games cannot be loaded .*in rude/rules\.py, line 2"):
        discovery.find("rude")
    assert "rude.rules:GAME of rude-games cannot be loaded" in look()


def test_a_real_ctrl_c_while_a_package_is_imported_is_one(plant: Plant) -> None:
    plant(rules=f"import os\nif '{import_trials.IN_TRIAL}' not in os.environ: os.kill(os.getpid(), 2)\n{RULES}")
    with pytest.raises(KeyboardInterrupt):
        discovery.find("rude")


def test_a_package_that_asks_for_the_games_while_it_is_tried_finds_ours(tmp_path: Path, plant: Plant) -> None:
    plant(rules=f"{RULES}\nassert discovery.names() == {GAMES}, discovery.names()")
    discovery.found()
    assert "rude" in discovery.names()


def test_a_game_from_the_starter_is_found(tmp_path: Path, plant: Plant) -> None:
    write_game("hen-party", tmp_path / "site")
    announce(tmp_path / "site", "hen-party", "hen_party")
    discovery.found.cache_clear()
    assert discovery.names()[-1] == "hen-party"


WRONG_PARTS = {
    '"face": "rude.rules:GAME"': "names rude.rules:GAME as face: expected a Face, found a Game",
    '"face": "companion.gamekit.screen:Face"': "as face: expected a Face, found the class Face",
    '"players": "rude.rules:replace"': "expected a class whose objects are made of a seed, seats and a kit, found a ",
    '"judgement": "rude.rules:GAME"': "as judgement: expected a class of Judgement, found a Game",
    '"enrolment": "rude.face:FACE"': "as enrolment: expected an EnrolmentPlan, found a dict",
    '"paper": "rude.face:FACE"': "as paper: expected a function of a box and a translator, found a dict",
    '"words": "rude.rules:GAME"': "as words: expected a mapping of sentences, found a Game",
    '"words": "rude.face:WORDS"': "rude.face:WORDS cannot be imported (AttributeError: module 'rude.face' has no",
    '"figures": "rude"': "names rude as figures, and there is no folder",
    '"figures": "ruder"': "ruder cannot be imported (ModuleNotFoundError: No module named 'ruder')",
    '"locale": "ruder"': "ruder cannot be imported (ModuleNotFoundError: No module named 'ruder')",
    '"looks": "rude.face:FACE"': "unknown field `looks`",
}


@pytest.mark.parametrize("part", WRONG_PARTS)
def test_a_manifest_that_names_something_else_as_a_part_is_told_what_is_expected_there(plant: Plant, part: str) -> None:
    plant(f"MANIFEST = MANIFEST | {{{part}}}")
    assert WRONG_PARTS[part] in look()
