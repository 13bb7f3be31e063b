"""Playing, from end to end: real processes, a real terminal, and plugs that are pulled."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.errors import JournalError, LinkError
from companion.gamekit.snapshot import Snapshot
from companion.home.paths import log_path
from companion.journal.lock import holder
from companion.journal.store import Journal, read
from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.messages.protocol import Reply
from companion.processes.evenings import begin_evening, socket_of
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.link import answers
from companion.referee.referee import Referee
from companion.session.evening import Evening
from tests.referee.screen import FakeScreen
from tests.verbs.command import Command
from tests.verbs.terminal import PATIENCE_S, Terminal

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Ben", "Cleo")
ALL_SIMULATED = ("--players", *NAMES, "--simulated", *NAMES)


class Evenings:
    """The evenings of this home, seen from outside: by their files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def path(self) -> Path:
        (path,) = self.folder.glob("*.journal")
        return path

    def referee(self) -> int | None:
        """The process that has locked the journal."""
        with contextlib.suppress(ValueError):
            return int(holder(self.path))
        return None

    def has_another(self, earlier: int) -> bool:
        return self.referee() not in (None, earlier)

    def entries(self) -> int:
        """How many there are; none as long as the journal is just being made."""
        try:
            return len(read(self.path))
        except (JournalError, ValueError):
            return 0


@pytest.fixture
def evenings(home: Path) -> Iterator[Evenings]:
    evenings = Evenings(home / "evenings")
    yield evenings
    referee = evenings.referee()
    if referee is not None:  # ours: it plays an evening of this test's own home
        os.kill(referee, signal.SIGKILL)


def until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.01)


def play_up_to(path: Path, round_: int) -> None:
    """Simulated people play on, here and unwatched: of eleven rounds one is painted as another."""
    evening = Evening(read(path))
    seat_pads = seat_pads_of(evening)
    table = simulated_table(evening, seat_pads, SimulationSettings(seed=3))
    with Journal.open(path) as journal:
        referee = Referee(journal, evening, seat_pads)
        while (seen := referee.snapshot()).table.round < round_:
            for _wait, given in table.next(seen, 0).steps:
                (referee.heed if isinstance(given, Act) else referee.hear)(given, time.time())


# --- On a terminal --------------------------------------------------------------------------------------------


def test_a_demo_plays_to_its_result_and_ends_with_q(home: Path) -> None:
    with Terminal("demo", "lascaux", "--seed", "7", "--speed", "1000") as terminal:
        terminal.until_painted("wins the game|share the victory")
        assert terminal.quit() == 0
    assert not home.exists(), "a demo is not kept"


def test_companion_deals_at_a_table_without_readers_and_without_cards(evenings: Evenings) -> None:
    with Terminal("play", "lascaux", "--players", *NAMES, "--kit", "none", "--deal", "--speed", "60") as terminal:
        terminal.until_painted("choose a marker|choose")
        assert evenings.entries() > 3
        assert terminal.quit() == 0


def test_the_referee_is_killed_in_mid_game_and_the_screen_recovers_by_itself(evenings: Evenings) -> None:
    play_up_to(begin_evening(GamePlan("lascaux", NAMES, tuple(range(len(NAMES))))), 8)
    begun = evenings.entries()
    with Terminal("resume", "--seed", "3", "--speed", "60") as terminal:
        terminal.until(lambda: evenings.entries() > begun + 5, "the game to get going")
        first = evenings.referee()
        assert first is not None
        os.kill(first, signal.SIGKILL)
        before = evenings.entries()
        terminal.forget()
        terminal.until(partial(evenings.has_another, first), "another referee")
        terminal.until(lambda: evenings.entries() > before + 5, "the game to go on")
        terminal.until_painted("wins the game|share the victory")
        assert terminal.quit() == 0
        assert f"This evening is saved as {evenings.path.stem}." in terminal.text
    evening = Evening(read(evenings.path))
    assert evening.played_game.finished
    until(lambda: evenings.referee() is None, "the referee to leave with its screen")


def test_the_screen_is_killed_the_referee_plays_on_and_resume_joins_it_or_starts_another(evenings: Evenings) -> None:
    with Terminal("play", *ALL_SIMULATED, "--seed", "3", "--speed", "4") as terminal:
        terminal.until(lambda: evenings.entries() > 5, "the game to get going")
        terminal.kill()
    referee, before = evenings.referee(), evenings.entries()
    assert referee is not None
    until(lambda: evenings.entries() > before, "the referee to play on")
    with Terminal("resume") as terminal:
        terminal.until_painted("Anna")
        assert evenings.referee() == referee, "the one that runs is joined"
        assert terminal.quit() == 0
    os.kill(referee, signal.SIGKILL)
    until(lambda: not answers(socket_of(evenings.path)), "the referee to be gone")
    play_up_to(evenings.path, 9)
    before = evenings.entries()
    with Terminal("resume", "--speed", "200", "--seed", "3") as terminal:
        terminal.until_painted("wins the game|share the victory")
        assert evenings.has_another(referee)
        assert terminal.quit() == 0
    evening = Evening(read(evenings.path))
    assert evening.played_game.finished
    assert evening.number > before


def test_a_journal_outside_the_evenings_folder_can_be_resumed(evenings: Evenings, tmp_path: Path) -> None:
    path = begin_evening(GamePlan("lascaux", ("Xenia", "Yves", "Zoe"), (0, 1, 2)))
    elsewhere = path.rename(tmp_path / "elsewhere.journal")
    with Terminal("resume", str(elsewhere), "--seed", "1", "--speed", "200") as terminal:
        terminal.until_painted("Xenia")
        terminal.until(lambda: len(read(elsewhere)) > 5, "the game to get going")
        assert terminal.quit() == 0
    assert elsewhere.exists()
    assert evenings.entries() == 0


def test_a_damaged_evening_is_not_resumed_and_the_terminal_is_left_as_it_was(evenings: Evenings) -> None:
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2)))
    path.write_bytes(b"no journal at all")
    with Terminal("resume", path.stem) as terminal:
        assert terminal.wait() == 2
        assert "the referee did not start" in terminal.text
        assert "set aside" in terminal.text
        assert "Traceback" not in terminal.text


# --- Without a terminal ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def start(*words: str) -> "Iterator[subprocess.Popen[str]]":
    """A process that does not outlive the test."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def seen(path: Path) -> Snapshot:
    with FakeScreen(socket_of(path)) as screen:
        return screen.snapshot()


def test_a_referee_alone_serves_any_screen_and_ends_when_it_is_told_to(evenings: Evenings) -> None:
    with start("table", *ALL_SIMULATED, "--seed", "3", "--speed", "500", "--option", "stones=secret") as referee:
        until(lambda: evenings.entries() and answers(socket_of(evenings.path)), "the referee")
        assert [player.name for player in seen(evenings.path).players] == ["Anna", "Ben", "Cleo"]
        assert evenings.referee() == referee.pid
        until(lambda: seen(evenings.path).awaiting is None, "the end of the game")
        referee.send_signal(signal.SIGTERM)
        out, err = referee.communicate(timeout=PATIENCE_S)
    assert (referee.returncode, out, err) == (0, "", "")
    assert not socket_of(evenings.path).exists()
    assert evenings.referee() is None


def test_two_referees_cannot_play_the_same_evening(evenings: Evenings) -> None:
    with start("table", "--players", "Anna", "Ben", "Cleo") as first:
        until(lambda: evenings.entries() and answers(socket_of(evenings.path)), "the referee")
        with start("table", "--evening", evenings.path.stem) as second:
            _, err = second.communicate(timeout=PATIENCE_S)
        assert second.returncode == 2
        assert f"this evening is being played by another referee (process {first.pid})" in err
        assert "Traceback" not in err
        first.send_signal(signal.SIGINT)
        assert first.wait(PATIENCE_S) == 0


def test_a_screen_is_told_who_is_playing_and_who_is_not(evenings: Evenings, capsys: pytest.CaptureFixture[str]) -> None:
    command = Command(capsys)
    idle = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2)))
    said = command("screen", idle.stem)
    assert said == (
        2,
        "",
        f"companion: {idle.stem} is not being played now; `companion resume {idle.stem}` resumes it\n",
    )
    paths = [idle, begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2)))]
    supervisors = [RefereeSupervisor(path, SimulationSettings(speed=0.05)) for path in paths]
    with contextlib.ExitStack() as playing:
        for supervisor in supervisors:
            playing.enter_context(supervisor)
        said = command("screen")
        assert said == (
            2,
            "",
            f"companion: several referees are running, name one: {paths[0].stem}, {paths[1].stem}\n",
        )
        assert "the screen needs a terminal" in command("screen", idle.stem).err
    assert evenings.referee() is None


# --- Keeping a referee alive ----------------------------------------------------------------------------------


def test_a_referee_that_dies_is_started_again(evenings: Evenings) -> None:
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo")))
    with RefereeSupervisor(path, SimulationSettings()) as supervisor:
        for _ in range(2):
            before = evenings.referee()
            assert before is not None
            os.kill(before, signal.SIGKILL)
            until(partial(evenings.has_another, before), "another referee")
            until(lambda: answers(socket_of(path)), "it to listen")
    assert supervisor.problem == ""
    assert evenings.referee() is None


def test_every_screen_keeps_its_referee_at_work_even_one_that_did_not_start_it(evenings: Evenings) -> None:
    with Terminal("play", *ALL_SIMULATED, "--seed", "3", "--speed", "4") as first:
        first.until(lambda: evenings.entries() > 2, "the game to get going")
        with Terminal("screen") as second:
            second.until_painted("Anna")
            first.kill()
            before = evenings.referee()
            assert before is not None, "it stays for the screen that is left"
            os.kill(before, signal.SIGKILL)
            second.until(partial(evenings.has_another, before), "another referee")
            entries = evenings.entries()
            second.until(lambda: evenings.entries() > entries, "the game to go on")
            assert second.quit() == 0
    until(lambda: evenings.referee() is None, "the referee to leave with the last screen")


def test_of_several_keepers_one_starts_the_referee(evenings: Evenings) -> None:
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo")))
    supervisors = [RefereeSupervisor(path, SimulationSettings()) for _ in range(3)]
    with contextlib.ExitStack() as looking:
        for supervisor in supervisors:
            looking.enter_context(supervisor)
        assert len([supervisor for supervisor in supervisors if supervisor._is_ours()]) == 1
        for _ in range(2):
            before = evenings.referee()
            assert before is not None
            os.kill(before, signal.SIGKILL)
            until(partial(evenings.has_another, before), "another referee")
            until(lambda: sum(supervisor._is_ours() for supervisor in supervisors) == 1, "the others to give way")
            until(lambda: answers(socket_of(path)), "it to listen")
    assert [supervisor.problem for supervisor in supervisors] == ["", "", ""]
    until(lambda: evenings.referee() is None, "the referee to go with the last of them")


def test_a_referee_stays_for_other_screens_when_the_one_that_started_it_goes(evenings: Evenings) -> None:
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo")))
    with RefereeSupervisor(path, SimulationSettings()):
        before = evenings.referee()
        screen = FakeScreen(socket_of(path))
        screen.snapshot()
    with screen:
        assert evenings.referee() == before
        screen.say(Act("wish", {"do": "draw", "card": "aurochs-brown-blue"}))
        heard = iter(screen.hear, None)
        assert any(isinstance(message, Reply) and message.id == "wish" for message in heard)


def test_a_referee_that_dies_again_and_again_is_given_up_with_its_last_words(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.processes.referee_supervisor.RESTARTS", 1)
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo")))
    with RefereeSupervisor(path, SimulationSettings()) as supervisor:
        referee = evenings.referee()
        assert referee is not None
        path.rename(path.with_suffix(".gone"))
        os.kill(referee, signal.SIGKILL)
        until(lambda: supervisor.problem, "the supervisor to give up")
    assert supervisor.problem.startswith("the referee keeps stopping: there is no evening")


def test_a_referee_that_cannot_even_be_started_again_is_told(evenings: Evenings) -> None:
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo")))
    with RefereeSupervisor(path, SimulationSettings()) as supervisor:
        referee = evenings.referee()
        assert referee is not None
        logs = log_path(path.stem).parent
        logs.rename(logs.with_suffix(".gone"))
        logs.touch()  # no log can be written any more
        os.kill(referee, signal.SIGKILL)
        until(lambda: supervisor.problem, "the supervisor to give up")
    assert supervisor.problem.startswith("the referee could not be restarted: ")


def test_a_referee_that_cannot_start_says_why(evenings: Evenings) -> None:
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo")))
    path.write_bytes(b"")
    with pytest.raises(LinkError, match=r"the referee did not start: .* as a power cut leaves it"):
        RefereeSupervisor(path, SimulationSettings()).start()


# --- Where people decide what to play -------------------------------------------------------------------------


def test_a_newcomer_is_in_a_game_after_one_enter_and_comes_back_to_the_start(evenings: Evenings) -> None:
    with Terminal("play", "--speed", "20", "--seed", "3") as terminal:
        terminal.until_painted("Play Lascaux against Ben and Cleo")
        terminal.press("\r")
        terminal.until(lambda: evenings.entries() > 1, "the game to get going, without setting up what is simulated")
        terminal.until_painted("Choose a marker|Companion deals the cards")
        first = evenings.referee()
        terminal.forget()
        terminal.press("q")
        terminal.until_painted("Leave the game?")
        terminal.press("y")
        terminal.until_painted("Resume: Lascaux with Anna, Ben and Cleo")
        until(lambda: evenings.referee() is None, "the referee to go with its people")
        before = evenings.entries()
        terminal.forget()
        terminal.press("r")
        terminal.until_painted("Choose a marker|Companion deals the cards")
        terminal.until(partial(evenings.has_another, first or 0), "another referee")
        terminal.press("\r\r\r\r\r")
        terminal.until(lambda: evenings.entries() >= before, "the evening to go on")
        terminal.kill()
    assert evenings.path.exists()


def test_the_start_screen_leaves_nothing_behind(evenings: Evenings) -> None:
    with Terminal("play", "--theme", "light", "--language", "de") as terminal:
        terminal.until_painted("Lascaux gegen Ben und Cleo spielen")
        terminal.press("q")
        assert terminal.wait() == 0
    assert not list(evenings.folder.glob("*.journal"))


def test_what_simulated_players_will_choose_cannot_be_told_from_a_command_line(evenings: Evenings) -> None:
    """Every user of this computer can read it, and a seed reveals all secrets."""
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2)))
    with RefereeSupervisor(path, SimulationSettings(seed=7654321)):
        number = evenings.referee()
        for part in ("cmdline", "environ"):
            assert b"7654321" not in Path(f"/proc/{number}/{part}").read_bytes()


def test_the_seed_that_a_keeper_tells_its_referee_is_the_one_it_plays_by(home: Path) -> None:
    def begun(seed: str) -> list[str]:
        path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (0, 1, 2), seed=1))
        words = ["table", "--evening", str(path), "--seed-follows", "--speed", "1000"]
        with subprocess.Popen([sys.executable, "-m", "companion", *words], stdin=subprocess.PIPE) as referee:
            assert referee.stdin is not None
            referee.stdin.write(f"{seed}\n".encode())
            referee.stdin.close()
            until(lambda: len(read(path)) > 12, "some actions")
            referee.terminate()
        return [entry.body.decode() for entry in read(path)[1:12]]

    assert begun("5") == begun("5")
    assert begun("5") != begun("6")
