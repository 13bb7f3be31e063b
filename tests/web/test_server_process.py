"""The process of the phones' server and its keeper: what is said over the socket between them."""

import asyncio
import logging
import os
import resource
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from companion.errors import BoxError
from companion.language.screen_language import speak
from companion.messages.phone_access import ForServer, FromServer, ServerPlace
from companion.web.access_codes import new_codes
from companion.web.server_process import CRASHES, SupervisorLink, _keep_quiet, _unexpected, serve
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


@pytest.mark.parametrize(
    ("what", "reported"),
    [
        ({"exception": ValueError()}, 1),
        ({"message": "no exception"}, 0),
        ({"exception": ValueError(), "transport": None}, 0),
        ({"exception": ValueError(), "protocol": None}, 0),
        ({"exception": KeyboardInterrupt()}, 0),
    ],
)
def test_a_mistake_in_a_task_is_reported_unless_a_connection_may_have_caused_it(what, reported):
    told: list[BaseException] = []

    class Listener:
        report = told.append

    _unexpected(what, Listener())
    assert len(told) == reported


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


@pytest.mark.parametrize(("language", "words"), [("en", "cannot be shown"), ("de", "nicht zeigen")])
@pytest.mark.parametrize(("mistake", "is_reported"), [(ZeroDivisionError(), True), (BoxError("of a game"), False)])
def test_a_mistake_in_a_face_is_reported_and_the_phone_says_in_its_language_that_it_cannot_show_the_table(
    mistake, is_reported, language, words, monkeypatch
):
    """A game that is not installed is no mistake of ours."""

    def broken(*_: object) -> None:
        speak("de" if language == "en" else "en")  # whatever the phone before this one spoke
        raise mistake

    async def play() -> None:
        async with evening() as table:
            monkeypatch.setattr("companion.web.hub.view", broken)
            async with BarePhone(table, 0) as phone:
                assert await phone.join() == 204
                phone.socket = await phone.session.ws_connect(f"{table.url}/table", headers=phone.origin)
                await phone.say({"is": "hello", "language": language})
                told = await phone.hear(lambda message: message["is"] == "problem")
                assert words in told["text"]
            assert [type(each) for each in table.reported[:1]] == ([ZeroDivisionError] if is_reported else [])

    asyncio.run(play())


ASKED = """
import ctypes, os, resource
from companion.files import confine
confine()
prctl = ctypes.CDLL(None).prctl
limits = [resource.getrlimit(each) for each in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE)]
print(prctl(39, 0, 0, 0, 0), prctl(3, 0, 0, 0, 0), limits == [(0, 0)] * 3, os.getcwd())
"""


def test_a_confined_process_gains_no_rights_shows_its_memory_to_no_other_and_holds_no_folder():
    """linux/prctl.h: 39 asks for PR_SET_NO_NEW_PRIVS, 3 for PR_SET_DUMPABLE."""
    plain = {**os.environ, "COVERAGE_PROCESS_CONFIG": ""}  # what may write no file records none
    said = subprocess.run([sys.executable, "-c", ASKED], env=plain, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["1", "0", "True", "/"]


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


def test_nothing_that_a_client_sends_gets_onto_the_table_s_screen_by_way_of_a_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Libraries log malformed requests as errors, and Python prints errors where nobody has said otherwise."""
    try:
        _keep_quiet()
        logging.getLogger("aiohttp.server").critical("a malformed request")
    finally:
        logging.disable(logging.NOTSET)
    assert not caplog.records


def test_a_server_that_finds_its_port_taken_says_so_and_ends_without_a_report(pair):
    ours, theirs = pair
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = ServerPlace("127.0.0.1", taken.getsockname()[1], 1)
        ours.send(msgspec.json.encode(ForServer(place=place, codes=new_codes(range(3)))))
        try:
            asyncio.run(serve(theirs))
        finally:
            logging.disable(logging.NOTSET)
    said = _said(ours)
    assert "is taken" in said.problem
    assert said.url == ""
    for end in pair:
        end.close()


@pytest.mark.parametrize("first", [None, ForServer()])
def test_a_server_that_is_not_told_where_to_listen_ends(pair, first):
    ours, theirs = pair
    if first is not None:
        ours.send(msgspec.json.encode(first))
    ours.close()
    try:
        asyncio.run(serve(theirs))
    finally:
        logging.disable(logging.NOTSET)
        theirs.close()
