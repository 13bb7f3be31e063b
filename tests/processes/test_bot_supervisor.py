"""Bots in processes of their own: small, idle between two decisions, unable to look anywhere, and restarted."""

import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.gamekit.game import Seat
from companion.journal import evening_folder
from companion.messages.lobby import GamePlan
from companion.processes.bot_supervisor import BotSupervisor
from companion.processes.evenings import begin_evening
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings
from companion.session.entry import action_body
from companion.simulation.seat_position import decided, position_of
from tests.ours import GAMES
from tests.session.worlds import Evenings

MOST_KB = 100 * 1024
LIMIT_S = 60.0


def eventually(condition: Callable[[], object]) -> None:
    limit = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may write no file records no coverage."""
    monkeypatch.setenv("COVERAGE_PROCESS_CONFIG", "")


def position(game: str, level: str = "solid") -> tuple[Seat, bytes]:
    """A decision in a game that was played by chance."""
    evenings = Evenings(game, Random(f"{game} bot"))
    rules = evenings.game
    while len(evenings.entries) < 30 or not any(hasattr(each, "seat") for each in rules.legal(evenings.evening.state)):
        evenings.take("action", action_body(evenings.chance.choice(rules.legal(evenings.evening.state))))
    seat = next(each.seat for each in rules.legal(evenings.evening.state) if hasattr(each, "seat"))
    return seat, position_of(evenings.evening, seat, None, level, 7, hurry=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_decides_in_its_process_as_it_would_in_ours_and_can_open_nothing_there(game: str) -> None:
    seat, at = position(game)
    with BotSupervisor(game) as bots:
        assert bots.ask(seat, at).strip() == decided(at)
        pid = bots.start(seat).pid
        for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
            assert resource.prlimit(pid, limit) == (0, 0)
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        assert int(status.split("VmHWM:")[1].split()[0]) < MOST_KB
        eventually(lambda: _state(pid) == "S")  # it waits for the next line, and for nothing else


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]


def test_a_bot_that_is_killed_is_started_again_and_decides_the_same() -> None:
    seat, at = position("lascaux")
    with BotSupervisor("lascaux") as bots:
        first = bots.ask(seat, at)
        process = bots.start(seat)
        process.kill()
        process.wait()
        assert bots.ask(seat, at) == first
        assert bots.start(seat).pid != process.pid


def test_a_bot_that_is_killed_while_it_thinks_is_asked_again() -> None:
    seat, at = position("darwinci", "strong")
    answers: list[bytes] = []
    with BotSupervisor("darwinci") as bots:
        _seat, easy = position("darwinci", "easy")
        bots.ask(seat, easy)  # its game is loaded
        process = bots.start(seat)
        asking = threading.Thread(target=lambda: answers.append(bots.ask(seat, at)))
        asking.start()
        eventually(lambda: _state(process.pid) == "R")
        process.kill()
        assert asking.is_alive(), "it was killed in the middle of a decision"
        asking.join(60)
        assert bots.start(seat).pid != process.pid
    assert [answer.strip() for answer in answers] == [decided(at)]


def test_a_bot_that_keeps_dying_is_given_up_for_this_decision() -> None:
    with BotSupervisor("lascaux") as bots:
        assert bots.ask(0, b"nonsense") == b""


def test_stopping_ends_all_bots_and_none_is_started_any_more() -> None:
    seat, at = position("lascaux")
    bots = BotSupervisor("lascaux")
    processes = [bots.start(each) for each in range(3)]
    bots.stop()
    assert all(each.poll() is not None for each in processes)
    assert bots.ask(seat, at) == b""


# --- At a table -----------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Iterator[Path]:
    levels = dict.fromkeys(range(3), "easy")
    plan = GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (0, 1, 2), kit="full", seed=5, levels=levels)
    path = begin_evening(plan)
    with RefereeSupervisor(path, SimulationSettings(5, speed=1000.0)):
        yield path


def _bots(referee: int) -> set[int]:
    """The processes that it has started, in any of its threads."""
    threads = Path(f"/proc/{referee}/task").glob("*/children")
    return {int(each) for thread in threads for each in thread.read_text(encoding="utf-8").split()}


def _referee() -> int:
    (pid,) = _bots(os.getpid()) - BEFORE
    return pid


BEFORE: set[int] = set()


@pytest.fixture(autouse=True)
def before() -> None:
    BEFORE.clear()
    BEFORE.update(_bots(os.getpid()))


def _actions(path: Path) -> Callable[[], int]:
    return lambda: evening_folder.summary(path).actions


def test_at_a_table_every_bot_has_a_process_and_the_game_goes_on_when_one_is_killed(table: Path) -> None:
    referee, played = _referee(), _actions(table)
    eventually(lambda: len(_bots(referee)) == 3)
    before, count = _bots(referee), played()
    victim = min(before)
    os.kill(victim, signal.SIGKILL)
    eventually(lambda: len(_bots(referee) - before) == 1 and victim not in _bots(referee))
    eventually(lambda: played() > count + 5)
