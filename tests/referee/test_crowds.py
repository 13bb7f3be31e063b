"""Many who connect, and mean harm or are only broken: the referee's memory stays what it is, and newcomers get in."""

import asyncio
import contextlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.messages.protocol import PROTOCOL, Fault, Reply, ScreenHello
from companion.processes.evenings import begin_evening, socket_of
from companion.referee import link as link_module
from companion.referee.link import LINE_LIMIT, NEWCOMERS, UNREAD_BYTES, answers
from companion.session import seen_ids
from tests.places import short_folder
from tests.referee.screen import FakeScreen
from tests.referee.table import Table
from tests.referee.test_link import Client, draw, joined, serving, until, within

HELLO = msgspec.json.encode(ScreenHello(PROTOCOL)) + b"\n"


def unicorn(name: str) -> Act:
    """Is refused."""
    return Act(name, {"do": "draw", "card": "unicorn"})


# --- Ids and replies ------------------------------------------------------------------------------------------


def test_an_id_that_is_longer_than_any_of_ours_is_not_read(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path):
            screen = await Client.join(path)
            await screen.snapshot()
            screen.say(unicorn("x" * 65))
            (fault,) = await screen.rest()
            assert isinstance(fault, Fault)
            assert len(fault.message) < 400
            await screen.close()
        assert table.referee.session._answered._ids == {}

    within(evening())


def test_what_was_refused_is_known_for_a_while_and_not_for_ever(table: Table) -> None:
    for number in range(seen_ids.KEPT + 10):
        assert table.heed(unicorn(f"u{number}")).kind == "refused"
    assert table.heed(unicorn(f"u{seen_ids.KEPT}")).kind == "repeated"
    assert table.heed(unicorn("u0")).kind == "refused"
    assert len(table.referee.session._answered._ids) == seen_ids.KEPT


def test_a_client_that_asks_on_and_on_and_reads_no_answer_is_dropped_before_that_costs_much(
    table: Table, path: Path
) -> None:
    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as good:
            bad = await Client.join(path)
            waiting: list[int] = []
            for number in range(3000):
                bad.say(unicorn(f"u{number}"))
                await asyncio.sleep(0)
                waiting += [screen._unread for screen in process._link._screens]
            await until(lambda: process._link.screens == 1)
            assert max(waiting) <= UNREAD_BYTES + 1000
            good.say(draw())
            assert (await good.reply()).told.kind == "accepted"
            await bad.close()

    within(evening())


# --- Who says nothing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [b"", b"{", b'{"is":"hello"'], ids=["nothing", "a letter", "half a hello"])
def test_a_client_that_says_no_hello_in_time_is_disconnected(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(link_module, "HELLO_S", 0.2)

    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as good:
            silent = await Client.connect(path)
            silent.writer.write(said)
            assert await silent.rest() == [Fault("no hello within 0.2 s")]
            await silent.close()
            await until(lambda: len(process._link._visits) == 1)
            good.say(draw())  # after its hello a client may stay silent as long as it likes
            assert (await good.reply()).told.kind == "accepted"

    within(evening())


def test_a_crowd_that_says_nothing_keeps_no_client_out(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path) as process:
            crowd = [await Client.connect(path) for _ in range(5 * NEWCOMERS)]
            async with joined(path) as good:
                await good.snapshot()
                await until(lambda: len(process._link._visits) <= NEWCOMERS + 1)
            for silent in crowd:
                await silent.close()

    within(evening())


def test_there_is_an_end_to_the_number_of_screens_and_it_is_told(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "SCREENS", 2)

    async def evening() -> None:
        async with serving(table, path), joined(path) as one, joined(path) as two:
            await one.snapshot()
            await two.snapshot()
            third = await Client.join(path)
            assert await third.rest() == [Fault("2 screens are at this table already")]
            await third.close()

    within(evening())


# --- The real process -----------------------------------------------------------------------------------------


class RealReferee:
    """`companion table` in a process of its own, with as many open files as a system gives it by default."""

    def __init__(self) -> None:
        self.path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (), kit="none"))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "table", "--evening", str(self.path)],
        )
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
        deadline = time.monotonic() + 60
        while not answers(self.socket):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    @property
    def socket(self) -> Path:
        return socket_of(self.path)

    @property
    def most_memory(self) -> int:
        """KiB, at any time so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0])


@pytest.fixture
def referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RealReferee]:
    sockets = short_folder()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(sockets))
    referee = RealReferee()
    yield referee
    referee.process.send_signal(signal.SIGTERM)
    assert referee.process.wait(60) == 0
    shutil.rmtree(sockets)


def connected(referee: RealReferee, said: bytes = b"") -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.connect(str(referee.socket))  # waits for its turn, if many do
    line.settimeout(30)
    line.sendall(said)
    return line


@pytest.mark.slow
def test_ten_thousand_refusals_leave_the_memory_as_it_was(referee: RealReferee) -> None:
    with FakeScreen(referee.socket) as screen:
        screen.snapshot()
        ask(screen, 1000)
        before = referee.most_memory
        ask(screen, 10_000)
        assert referee.most_memory - before < 4_000


def ask(screen: FakeScreen, count: int) -> None:
    """Ten at a time, one of them as long as a line may be. Each is refused."""
    cards = ("x" * (LINE_LIMIT - 200), *["unicorn"] * 9)
    for _ in range(count // len(cards)):
        asked = [Act(f"{time.monotonic_ns()}", {"do": "draw", "card": card}) for card in cards]
        screen.send_raw(b"".join(msgspec.json.encode(act) + b"\n" for act in asked))
        for act in asked:
            while not isinstance(reply := screen.hear(), Reply):
                assert reply is not None, "the referee has gone"
            assert (reply.id, reply.told.kind) == (act.id, "refused")


@pytest.mark.slow
def test_a_hundred_screens_that_do_not_read_cost_little(referee: RealReferee) -> None:
    before = referee.most_memory
    with contextlib.ExitStack() as crowd:
        lines = [crowd.enter_context(connected(referee, HELLO)) for _ in range(100)]
        said = b"".join(msgspec.json.encode(unicorn(f"{number}")) + b"\n" for number in range(300))
        for line in lines:
            with contextlib.suppress(OSError):  # dropped already
                line.sendall(said)
        with FakeScreen(referee.socket) as good:
            good.snapshot()
            ask(good, 50)
        assert referee.most_memory - before < 60_000


@pytest.mark.slow
def test_a_thousand_and_ten_silent_ones_do_not_keep_a_newcomer_out(referee: RealReferee) -> None:
    files: Any = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, files[1]), files[1]))
    try:
        with contextlib.ExitStack() as crowd:
            for _ in range(1010):
                crowd.enter_context(connected(referee))
            began = time.monotonic()
            with FakeScreen(referee.socket) as good:
                good.snapshot()
            assert time.monotonic() - began < 10
            assert len(list(Path(f"/proc/{referee.process.pid}/fd").iterdir())) < 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
