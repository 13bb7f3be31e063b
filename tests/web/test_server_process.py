"""The process of the phones' server and its keeper: what is said over the socket between them."""

import asyncio
import resource
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from companion.messages.phone_access import ForServer, FromServer, ServerPlace
from companion.web.access_codes import new_codes
from companion.web.server_process import CRASHES, SupervisorLink
from tests.web.evening import BarePhone, evening


@pytest.fixture
def pair() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(20)
    return ours, theirs


def _said(line: socket.socket) -> FromServer:
    return msgspec.json.decode(line.recv(65536), type=FromServer)


def test_a_mistake_that_happens_again_and_again_is_reported_a_few_times(pair):
    ours, theirs = pair

    async def play() -> None:
        supervisor = SupervisorLink(theirs)
        for _ in range(1000):
            supervisor.report(KeyError("a secret"))

    asyncio.run(play())
    theirs.close()
    reports = []
    while packet := ours.recv(65536):
        reports.append(msgspec.json.decode(packet, type=FromServer))
    assert len(reports) == CRASHES
    assert {report.crash for report in reports} == {"KeyError"}  # and never a value
    ours.close()


def test_a_question_for_the_referee_that_is_lost_is_given_up_so_that_it_can_be_asked_again(pair, monkeypatch):
    """A keeper that is slow leaves the socket full, and then packets are dropped."""
    ours, theirs = pair
    monkeypatch.setattr("companion.web.server_process.REFEREE_S", 0.01)

    async def play() -> None:
        supervisor = SupervisorLink(theirs)
        with suppress(BlockingIOError):
            while True:
                theirs.send(b"{}")
        lost = asyncio.create_task(supervisor.referee())
        assert (await asyncio.wait([lost], timeout=60))[0]
        assert isinstance(lost.exception(), OSError)
        ours.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                assert not _said(ours).wants_referee  # it was lost
        asked = asyncio.create_task(supervisor.referee())
        monkeypatch.setattr("companion.web.server_process.REFEREE_S", 60)
        await asyncio.sleep(0)
        assert _said(ours).wants_referee
        connected, referee = socket.socketpair()
        with connected, referee:
            socket.send_fds(ours, [msgspec.json.encode(ForServer(referee=True))], [connected.fileno()])
            _reader, writer = await asked
            writer.close()

    asyncio.run(play())
    ours.close()
    theirs.close()


def test_a_mistake_in_a_face_is_reported_and_the_phone_says_that_it_cannot_show_the_table(monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async def play() -> None:
        async with evening() as table:
            monkeypatch.setattr("companion.web.hub.view", broken)
            async with BarePhone(table, 0) as phone:
                assert await phone.join() == 204
                phone.socket = await phone.session.ws_connect(f"{table.url}/table", headers=phone.origin)
                await phone.say({"is": "hello"})
                told = await phone.hear(lambda message: message["is"] == "problem")
                assert "cannot be shown" in told["text"]
            assert isinstance(table.reported[0], ZeroDivisionError)

    asyncio.run(play())


def test_the_server_gives_up_what_it_does_not_need_once_it_listens(pair):
    ours, theirs = pair
    server = subprocess.Popen([sys.executable, "-m", "companion", "phones", "--piped"], stdin=theirs.fileno())
    theirs.close()
    try:
        ours.send(msgspec.json.encode(ForServer(new_codes(range(3)), ServerPlace("127.0.0.1", 0))))
        first = _said(ours)
        assert first.url.startswith("http://127.0.0.1:")
        assert _said(ours).wants_referee  # it cannot find one by itself
        for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE):
            assert resource.prlimit(server.pid, limit) == (0, 0)
        assert "NoNewPrivs:\t1" in Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
        ours.send(msgspec.json.encode(ForServer(referee=False)))
        assert _said(ours).wants_referee  # it asks again
    finally:
        ours.close()
        assert server.wait(30) == 0  # its keeper has gone
