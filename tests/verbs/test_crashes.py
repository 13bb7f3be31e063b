"""A mistake of ours tells where it was made and what to do, and never a value: it might be a player's secret."""

import asyncio
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from companion.crash import ERRORS, FRAMES, STATUS, account, headline
from companion.files import store
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Draw
from companion.home.crash_log import KEPT, MOST, WAITING, _Writer, note
from companion.home.paths import crashes_path
from companion.journal.store import Journal, read
from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.messages.protocol import PROTOCOL, ScreenHello
from companion.processes.evenings import begin_evening, socket_of
from companion.referee.link import answers
from companion.session.entry import action_body
from companion.session.evening import Evening
from companion.verbs.demo import temporary_home
from tests.verbs.command import Command
from tests.verbs.crashing import SECRET
from tests.verbs.terminal import Terminal


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


# --- Accounts -------------------------------------------------------------------------------------------------


def failing(secret: str, depth: int = 0) -> None:
    kept = {"chosen": secret}
    if depth:
        return failing(secret, depth - 1)
    raise KeyError(kept["chosen"])


def caught(secret: str = SECRET, depth: int = 0) -> Exception:
    try:
        failing(secret, depth)
    except KeyError as error:
        return error
    raise AssertionError


def test_an_account_says_what_and_where_without_any_value() -> None:
    told = account(caught())
    assert SECRET not in told
    assert told.startswith("KeyError in tests/verbs/test_crashes.py, line ")
    assert re.search(r"tests/verbs/test_crashes.py:\d+ failing$", told)


def test_an_endless_recursion_is_told_in_short() -> None:
    assert len(account(caught(depth=900)).splitlines()) == 2 * FRAMES + 2


def test_causes_and_groups_are_told_too_and_are_not_endless() -> None:
    one = ExceptionGroup(SECRET, [caught(), ValueError(SECRET)])
    one.__cause__ = caught()
    one.__context__ = one
    told = account(one)
    assert (told.count("KeyError in"), told.count("ValueError")) == (2, 1)
    assert SECRET not in told
    many = ExceptionGroup("", [caught() for _ in range(1000)])
    assert account(many).count("KeyError in") == ERRORS - 1
    assert headline(ValueError()) == "ValueError"


def test_the_log_of_crashes_keeps_the_newest_and_does_not_grow(home: Path) -> None:
    for number in range(3):
        assert note(f"account {number} " + "x" * KEPT)
    kept = crashes_path().read_text()
    assert len(kept) < 2 * KEPT + 200
    assert "account 2" in kept
    assert "account 0" not in kept


def test_the_same_mistake_a_thousand_times_is_written_once_a_minute(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    monkeypatch.setattr("companion.home.crash_log.store", lambda path, text: (written.append(text), store(path, text)))
    for _ in range(1000):
        assert note("KeyError in companion/x.py, line 1\n  somewhere")
    assert len(written) == 1
    earlier = f"{datetime.now().astimezone() - timedelta(seconds=61):%Y-%m-%d %H:%M:%S%z}"
    crashes_path().write_text(re.sub(r"^\S+ \S+", earlier, crashes_path().read_text()))
    assert note("KeyError in companion/x.py, line 1\n  somewhere")
    assert len(written) == 2


def test_however_many_kinds_of_mistakes_there_are_the_log_grows_slowly(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not by each process for itself: one that is started again and again has the same limit."""
    noted = [note(f"KeyError in companion/x.py, line {number}") for number in range(100)]
    assert noted == [True] * MOST + [False] * (100 - MOST)
    assert len(crashes_path().read_text()) < 100 * MOST


def test_a_mistake_in_a_loop_is_written_by_another_thread(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flush on a slow card takes a while, and the loop has a game to referee."""
    wrote, go_on = queue.Queue[int](), threading.Event()

    def slow(_account: str) -> bool:
        go_on.wait(20)
        wrote.put(threading.get_ident())
        return True

    monkeypatch.setattr("companion.home.crash_log.note", slow)
    writer = _Writer()
    for number in range(10 * WAITING):  # returns at once, however much waits
        writer.put(f"account {number}")
    go_on.set()
    writer.finish()
    assert wrote.qsize() <= WAITING + 1
    assert wrote.get() != threading.get_ident()


def test_a_log_that_cannot_be_written_is_no_second_crash(home: Path) -> None:
    crashes_path().mkdir(parents=True)
    assert not note("account")


@pytest.mark.parametrize("crashed", [True, False])
def test_a_demo_leaves_nothing_but_the_account_of_a_crash(home: Path, crashed: bool) -> None:
    with temporary_home():
        told = crashes_path()
        if crashed:
            note("account")
    assert told.exists() is crashed
    assert told.parents[1].exists() is crashed
    assert crashes_path().is_relative_to(home)
    shutil.rmtree(told.parents[1], ignore_errors=True)


# --- On the command line --------------------------------------------------------------------------------------


def test_a_verb_that_fails_says_where_its_log_is_and_ends_with_70(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.verbs.games.evening_folder.evenings", lambda _folder: failing(SECRET))
    said = command("games")
    assert said.status == STATUS == 70
    assert said.err.count("\n") == 1
    assert str(crashes_path()) in said.err
    assert "KeyError" in said.err
    assert SECRET not in said.out + said.err + crashes_path().read_text()


def test_without_a_log_it_is_all_told_on_the_terminal(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashes_path().mkdir(parents=True)
    monkeypatch.setattr("companion.verbs.games.evening_folder.evenings", lambda _folder: failing(SECRET))
    said = command("games")
    assert said.status == STATUS
    assert "test_crashes.py" in said.err
    assert SECRET not in said.err


# --- Where nothing catches it ----------------------------------------------------------------------------------

UNCAUGHT = {
    "a thread": "threading.Thread(target=fail).start()",
    "a task that nothing awaits": "asyncio.run(forgetful())",
    "a callback": "asyncio.run(called_back())",
    "a thread pool that nothing asks": "asyncio.run(asyncio.wait_for(pooled(), 5))",
    "what is being thrown away": "Careless()",
    "a library's log": "logging.getLogger('some').exception('it says %s', 'zzsecret')",
    "the end of the program": "fail()",
}
PROGRAM = """
import asyncio, gc, logging, threading
from companion.home.crash_log import keep_values_out

def fail(*_):
    chosen = "zzsecret"
    raise KeyError(chosen)

class Careless:
    __del__ = fail

async def forgetful():
    async def task():
        fail()
    asyncio.create_task(task(), name="zzsecret")
    await asyncio.sleep(0.01)
    gc.collect()

async def called_back():
    asyncio.get_running_loop().call_soon(fail, "zzsecret")
    await asyncio.sleep(0.01)

async def pooled():
    asyncio.get_running_loop().run_in_executor(None, fail)
    await asyncio.sleep(0.1)
    gc.collect()

keep_values_out()
"""


@pytest.mark.parametrize("place", UNCAUGHT)
def test_an_uncaught_error_is_reported_in_the_log(home: Path, place: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM + UNCAUGHT[place]], capture_output=True, text=True, check=False, timeout=60
    )
    told = crashes_path().read_text() if crashes_path().exists() else ""
    assert SECRET not in ran.stdout + ran.stderr + told
    assert ran.stdout + ran.stderr == ""
    assert place.startswith("a library") or "KeyError" in told


# --- On the shared terminal -----------------------------------------------------------------------------------

SCREEN = (
    "companion.messages.client:RefereeLink.post",
    "companion.messages.client:RefereeLink._send",
    "companion.messages.client:RefereeLink._hear",
    "companion.messages.client:RefereeLink._read",
    "companion.screen.conversation:Conversation.act",
    "companion.screen.conversation:Conversation._heard",
    "companion.screen.conversation:Conversation._draw",
    "companion.screen.conversation:Conversation._see",
    "companion.screen.screens.handover:Secret.picked",
    "companion.screen.screens.handover:Handing.begin",
    "companion.screen.screens.table_screen:TableScreen.show",
    "companion.screen.screens.table_screen:TableScreen.answer",
    "companion.gamekit.screen.dialog:Dialog.leave",
    "companion.screen.contrast:readable_after",
)
REFEREE = (
    "companion.session.session:Session._judge",
    "companion.referee.referee:Referee._write",
    "companion.session.evening:Evening.take",
)


@pytest.fixture
def choosing(home: Path, tmp_path: Path) -> Path:
    """Three people are about to choose in secret. A colour has a name that is found nowhere else."""
    box = tmp_path / "telltale.toml"
    box.write_text(GAME.standin().replace('"brown"', f'"{SECRET}"'))
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), box=box, kit="none"))
    evening = Evening(read(path))
    with Journal.open(path) as journal:
        while evening.state.phase == "draw":
            card = next(action for action in GAME.legal(evening.state) if isinstance(action, Draw))
            evening.take(journal.append("action", action_body(card), "screen", "", time.time()))
    return path


def choose(terminal: Terminal) -> None:
    """The table is as it should be; Anna takes the screen and chooses the first colour, which is the telltale one."""
    steps = [(rf"\({page}/4\)", "\r") for page in range(1, 5)]
    for sign, key in (*steps, ("Choose", "c"), ("Hand the screen to Anna", "\r"), ("only you should see this", "1")):
        terminal.until_painted(sign)
        deadline = time.monotonic() + 0.7  # what is pressed at once is not taken: see calm.py
        while time.monotonic() < deadline:
            terminal.read(0.1)
        terminal.press(key)


def everything_kept(home: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in (home / "logs").glob("*"))


@pytest.mark.slow
@pytest.mark.parametrize("place", SCREEN)
def test_a_screen_that_fails_with_a_secret_on_board_tells_nothing_of_it(home: Path, choosing: Path, place: str) -> None:
    with Terminal(place, "--", "resume", str(choosing), module="tests.verbs.crashing") as terminal:
        choose(terminal)
        assert terminal.wait() == STATUS
        told = terminal.left_behind
    assert "a mistake in Companion itself" in told
    assert str(crashes_path()) in re.sub(r"\s", "", told)
    assert SECRET not in told
    assert "KeyError" in crashes_path().read_text()
    assert SECRET not in everything_kept(home)


# --- In the referee -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("place", REFEREE)
def test_a_referee_that_fails_with_a_secret_on_board_tells_nothing_of_it(
    home: Path, choosing: Path, place: str
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.verbs.crashing", place, "--", "table", "--evening", str(choosing)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as referee:
        asyncio.run(asyncio.wait_for(say(choosing, Act("a1", {"do": "choose", "seat": 0, "colour": SECRET})), 60))
        said = referee.communicate(timeout=60)[0].decode()
    assert referee.returncode == STATUS
    assert "a mistake in Companion itself" in said.splitlines()[-1]
    assert SECRET not in said + everything_kept(home)
    assert "KeyError" in crashes_path().read_text()


async def say(path: Path, intention: Act) -> None:
    """Until the referee has gone; what it told meanwhile is no secret but for the box, which names every colour."""
    deadline = time.monotonic() + 60
    while not answers(socket_of(path)):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    reader, writer = await asyncio.open_unix_connection(socket_of(path), limit=1 << 24)
    for message in (ScreenHello(PROTOCOL), intention):
        writer.write(msgspec.json.encode(message) + b"\n")
    await reader.read()
    writer.close()
