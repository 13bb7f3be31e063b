"""Phones and the processes behind them: the server, its supervisor, the codes on the table's screen."""

import asyncio
import os
import pwd
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.errors import LinkError
from companion.journal import evening_folder
from companion.messages.lobby import GamePlan
from companion.messages.looks import Preference
from companion.messages.phone_access import SPECTATORS, FromServer
from companion.people.persons import change_people
from companion.processes import phone_server as services
from companion.processes.evenings import begin_evening, codes_of
from companion.processes.phone_server import (
    SEATS,
    Codes,
    PhoneServerSupervisor,
    PhoneSettings,
    TablePhones,
    chosen_address,
    preferences_of,
)
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings
from companion.verbs.phones import _print_codes
from tests.people.evenings import played
from tests.strangers import GOPS, gops_installed
from tests.verbs.command import Command
from tests.verbs.terminal import Terminal
from tests.web.evening import BarePhone

HERE = PhoneSettings("127.0.0.1", 0)
"""Any free port: a server of another test must not answer instead, or be in the way."""
LIMIT_S = 300.0
"""For what has to happen: many tests may run beside these."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "START_S", LIMIT_S)
    monkeypatch.setattr(services, "PARTING_S", LIMIT_S)


@pytest.fixture
def evening() -> Path:
    return begin_evening(GamePlan("sioux", ("Anna", "Ben", "Cleo"), kit="none"))


def _join(url: str, code: str, context: ssl.SSLContext | None = None) -> int:
    body = b'{"code": "%s"}' % code.encode()
    request = urllib.request.Request(f"{url}/join", body, {"Content-Type": "application/json", "Origin": url})
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S, context=context) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_codes_on_a_terminal_are_for_persons_and_a_television_and_not_for_simulated_players(capsys):
    path = begin_evening(GamePlan("sioux", ("Anna", "Ben", "Cleo"), (1,), kit="full"))
    with RefereeSupervisor(path, SimulationSettings()):
        supervisor = PhoneServerSupervisor(path, HERE)
        supervisor.open()
        try:
            _print_codes(supervisor, path)
        finally:
            supervisor.stop()
    told = capsys.readouterr().out
    assert [name for name in ("Anna:", "Ben:", "Cleo:", "only watching:") if name in told] == [
        "Anna:",
        "Cleo:",
        "only watching:",
    ]
    assert "/wall#" in told


def test_nothing_listens_until_a_user_says_so(evening):
    phones = TablePhones(HERE)
    phones.go_to(evening)
    assert phones.offer() is None
    phones.leave()


def test_the_phones_of_an_evening_are_told_what_their_players_want(evening, home):
    """By the player, wherever they sit now; a mistake in the list of people keeps no phone away."""
    change_people(home / "people.toml", lambda people: people.added("Ben", language="de", announcements="full"))
    assert preferences_of(evening_folder.summary(evening)) == {
        0: Preference(),
        1: Preference("de", "full"),
        2: Preference(),
    }
    (home / "people.toml").write_text("person = 1")
    assert preferences_of(evening_folder.summary(evening)) == {}


def test_a_phone_with_a_code_sees_the_results_and_one_without_sees_nothing(evening, home):
    tonight = played(evening.parent, "lascaux", ("Anna", "Ben", "Cleo")).path
    phones = PhoneServerSupervisor(tonight, HERE)
    phones.open()
    try:
        offer = phones.offer()
        assert offer is not None
        url, code = offer.links[SPECTATORS].split("/#")
        assert _results(url, "", "en")[0] == 401
        cookie = _cookie(url, code)
        status, page, policy = _results(url, cookie, "de")
        assert (status, "Alle Spiele: 1 Partie" in page, "Lascaux" in page) == (200, True, True)
        assert "style-src 'sha256-" in policy
        assert _results(url, cookie, "xx")[0] == 404
        status, page, _policy = _results(url, cookie, "de", person="Ben", game="lascaux")
        assert (status, "<h1>Ben: Lascaux</h1>" in page, "Gegen die anderen" in page) == (200, True, True)
        assert "Dazu passt keine beendete Partie." in _results(url, cookie, "de", since="2099-01-01")[1]
    finally:
        phones.stop()


def _cookie(url: str, code: str) -> str:
    body = b'{"code": "%s"}' % code.encode()
    request = urllib.request.Request(f"{url}/join", body, {"Content-Type": "application/json", "Origin": url})
    with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


def _results(url: str, cookie: str, language: str, **selected: str) -> tuple[int, str, str]:
    query = urllib.parse.urlencode({"language": language, **selected})
    request = urllib.request.Request(f"{url}/results?{query}", headers={"Cookie": cookie})
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            return int(answer.status), answer.read().decode(), answer.headers["Content-Security-Policy"]
    except urllib.error.HTTPError as error:
        return error.code, "", ""


def test_a_keeper_lets_phones_in_renews_codes_and_starts_a_dead_server_again(evening):
    with RefereeSupervisor(evening, SimulationSettings()):
        phones = TablePhones(HERE, wanted=True)
        phones.go_to(evening)
        try:
            offer = phones.offer()
            assert offer is not None
            url, code = offer.links[0].split("/#")
            assert url == offer.url
            assert url.startswith("http://127.0.0.1:")
            assert _join(url, code) == 204
            phones.renew(0)
            renewed = phones.offer().links[0].split("/#")[1]
            assert renewed != code
            _until(lambda: _join(url, code) == 403)
            assert _join(url, renewed) == 204

            supervisor = phones._supervisor
            assert isinstance(supervisor, PhoneServerSupervisor)
            first = supervisor._process
            assert first is not None
            os.kill(first.pid, signal.SIGKILL)
            _until(lambda: supervisor._process is not first and _answers(url))
            assert _join(url, renewed) == 204  # the same codes, at the same place
        finally:
            phones.leave()
        assert not _answers(url)


def _answers(url: str) -> bool:
    try:
        return _join(url, "x") in (403, 429)
    except OSError:
        return False


def _until(condition: Any) -> Any:
    deadline = time.monotonic() + LIMIT_S
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def test_the_codes_are_on_no_command_line_and_in_one_file_that_only_its_owner_reads(evening, home):
    with RefereeSupervisor(evening, SimulationSettings()):
        phones = TablePhones(HERE, wanted=True)
        phones.go_to(evening)
        try:
            codes = [link.split("#")[1] for link in phones.offer().links.values()]
            assert phones._supervisor is not None
            assert phones._supervisor._process is not None
            line = Path(f"/proc/{phones._supervisor._process.pid}/cmdline").read_bytes()
            kept = evening.with_name(f"{evening.name}-phones")
            assert kept.stat().st_mode & 0o777 == 0o600
            written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file() and path != kept)
            for code in codes:
                assert code.encode() not in line
                assert code.encode() not in written
        finally:
            phones.leave()


def test_a_resumed_evening_has_the_codes_that_it_had_and_no_replaced_one(evening):
    """Whatever has died meanwhile: the phones' server, the screen, the referee, the computer."""
    found = []
    for _ in range(2):
        with RefereeSupervisor(evening, SimulationSettings()):
            phones = TablePhones(HERE, wanted=True)
            phones.go_to(evening)
            try:
                found.append(_codes(phones))
                if len(found) == 1:
                    phones.renew(1)
                    phones.renew(SPECTATORS)
                    found.append(_codes(phones))
            finally:
                phones.leave()
    first, renewed, again = found
    assert renewed == again
    assert {guest for guest, code in first.items() if renewed[guest] != code} == {1, SPECTATORS}


def _codes(phones: TablePhones) -> dict[int, str]:
    """Without the address: where the port has been taken meanwhile, it is another one."""
    offer = phones.offer()
    assert offer is not None
    return {guest: link.split("/#")[1] for guest, link in offer.links.items()}


def test_codes_that_others_could_have_read_are_replaced(evening):
    codes = Codes(evening)
    before = codes.all
    codes.release()
    codes_of(evening).chmod(0o644)
    codes = Codes(evening)
    assert not set(codes.all.values()) & set(before.values())
    assert codes_of(evening).stat().st_mode & 0o777 == 0o600
    codes.release()


@pytest.mark.parametrize("damaged", [b"", b"{}", b"[]", b'{"0": ""}', b"\xff" * 100_000])
def test_codes_that_are_damaged_are_replaced(evening, damaged):
    codes_of(evening).write_bytes(damaged)
    codes_of(evening).chmod(0o600)
    codes = Codes(evening)
    assert len(set(codes.all.values())) == SEATS + 1
    codes.release()


def test_a_second_keeper_of_the_same_evening_is_told_who_has_the_codes(evening):
    """Otherwise one of them would let in what the other has sent away."""
    codes = Codes(evening)
    with pytest.raises(LinkError, match="another screen of this evening"):
        Codes(evening)
    codes.release()
    Codes(evening).release()


def test_the_codes_go_with_the_evening_when_it_is_removed(evening, home):
    Codes(evening).release()
    evening_folder.remove(evening, home / "removed")
    assert not list(evening.parent.iterdir())
    assert [path for path in (home / "removed").iterdir() if path.name.endswith("-phones")]


def test_new_codes_for_all_end_the_spectators_code_too(evening):
    with RefereeSupervisor(evening, SimulationSettings()):
        supervisor = PhoneServerSupervisor(evening, HERE)
        supervisor.open()
        try:
            offer = supervisor.offer()
            old = {guest: link.split("#")[1] for guest, link in offer.links.items()}
            supervisor.renew_all()
            for guest in (SPECTATORS, 0, 1, 2):
                _until(lambda guest=guest: _join(offer.url, old[guest]) in (403, 429))
                assert _join(offer.url, supervisor.offer().links[guest].split("#")[1]) == 204
        finally:
            supervisor.stop()


def test_a_server_that_systemd_starts_is_used_where_there_is_one(evening, tmp_path):
    """Here a process of ours stands for it: it listens as companion-phones@.socket does, and starts what the unit
    starts, with the connection as its standard input."""
    with RefereeSupervisor(evening, SimulationSettings()), SystemdSocket(tmp_path) as unit:
        supervisor = PhoneServerSupervisor(evening, HERE, unit=tmp_path)
        supervisor.open()
        try:
            offer = supervisor.offer()
            assert supervisor._process is None
            assert _join(offer.url, offer.links[0].split("#")[1]) == 204
            unit.kill()
            _until(lambda: unit.started == 2 and _answers(offer.url))
            assert _join(offer.url, offer.links[0].split("#")[1]) == 204
        finally:
            supervisor.stop()
        assert unit.wait() == 0  # it has ended by itself when its supervisor left


SERVER = ("-m", "companion", "phones", "--piped")
CONFINED = """
import sys

def refuse(event, _said):
    if event in ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"):
        raise BlockingIOError(11, "Resource temporarily unavailable")

sys.addaudithook(refuse)
sys.argv[1:] = ["phones", "--piped"]
from companion.cli import main
sys.exit(main())
"""
"""A server that can start no process. A resource limit holds for all users but root."""


class SystemdSocket:
    def __init__(self, folder: Path, *command: str, **environment: str) -> None:
        self._command = [sys.executable, *(command or SERVER)]
        self._environment = {**os.environ, **environment}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.bind(str(folder / pwd.getpwuid(os.getuid()).pw_name))
        self._socket.listen()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def started(self) -> int:
        return len(self._processes)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _address = self._socket.accept()
                with line:
                    started = subprocess.Popen(self._command, stdin=line.fileno(), env=self._environment)
                    self._processes.append(started)

    def kill(self) -> None:
        self._processes[-1].kill()

    def wait(self) -> int:
        return self._processes[-1].wait(LIMIT_S)

    def __enter__(self) -> "SystemdSocket":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture
def gops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An evening of a game from elsewhere."""
    (site := tmp_path / "site").mkdir()
    monkeypatch.setenv("PYTHONPATH", f"{site}:{GOPS}")
    with gops_installed(site, monkeypatch):
        yield begin_evening(GamePlan("gops", ("Anna", "Ben", "Cleo"), kit="none"))


def test_a_confined_server_shows_a_strangers_game_although_it_can_try_no_package(gops, tmp_path):
    """As on a Pi: it sees no home, so it recalls no trial either."""

    async def title(url: str, code: str) -> Any:
        async with BarePhone(SimpleNamespace(url=url, codes={0: code}), 0) as phone:  # type: ignore[arg-type]
            return (await phone.sit()).view["title"]

    with (
        RefereeSupervisor(gops, SimulationSettings()),
        SystemdSocket(tmp_path, "-c", CONFINED, XDG_CACHE_HOME="/proc/nowhere"),
    ):
        supervisor = PhoneServerSupervisor(gops, HERE, unit=tmp_path)
        supervisor.open()
        try:
            assert asyncio.run(title(*supervisor.offer().links[0].split("/#"))) == "GOPS"
        finally:
            supervisor.stop()


class ScriptedServer:
    """Listens as systemd does. What it says is up to the test."""

    def __init__(self, folder: Path, *packets: bytes) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.bind(str(folder / pwd.getpwuid(os.getuid()).pw_name))
        self._socket.listen()
        self._packets = packets
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def _talk(self) -> None:
        line, _address = self._socket.accept()
        with self._socket, line:
            for packet in self._packets:
                line.send(packet)
            while line.recv(65536):
                pass


MALFORMED = (
    b'{"url": "http://127.0.0.1:x"}',
    b'{"url": "http://127.0.0.1:99999999"}',
    b'{"url": "http://[::1"}',
    b'{"url": "\xff"}',
    b'{"url": 7}',
    b'{"x": ' + b"[" * 100_000,
    b"\xff",
)


@pytest.mark.parametrize("packet", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_report_of_the_server_is_ignored(evening, tmp_path, packet):
    sound = FromServer("http://127.0.0.1:18137", {0: 1})
    ScriptedServer(tmp_path, packet, msgspec.json.encode(sound))
    supervisor = PhoneServerSupervisor(evening, HERE, unit=tmp_path)
    supervisor.open()
    try:
        assert supervisor.offer().url == sound.url
        assert supervisor.offer().counts == {0: 1}
    finally:
        supervisor.stop()


@pytest.mark.parametrize(("url", "port"), [("http://127.0.0.1", 80), ("https://[::1]", 443), ("http://[::1]:81", 81)])
def test_a_server_at_the_usual_port_of_browsers_names_none(evening, tmp_path, url, port):
    ScriptedServer(tmp_path, msgspec.json.encode(FromServer(url)))
    supervisor = PhoneServerSupervisor(evening, HERE, unit=tmp_path)
    supervisor.open()
    try:
        assert supervisor.offer().url == url
        assert supervisor._settings.port == port  # one that is started again comes back there
    finally:
        supervisor.stop()


def test_a_keeper_that_is_stopped_while_it_starts_a_server_does_not_miss_its_codes(evening, tmp_path, monkeypatch):
    """A machine may be so slow that `stop` does not wait for its thread to end."""
    monkeypatch.setattr(services, "PARTING_S", 0.01)
    monkeypatch.setattr(services, "START_S", 0.01)
    stopped, crashes = threading.Event(), []
    monkeypatch.setattr(threading, "excepthook", crashes.append)
    ScriptedServer(tmp_path)

    class SlowSupervisor(PhoneServerSupervisor):
        def _unit_line(self) -> socket.socket | None:
            assert stopped.wait(LIMIT_S)
            return super()._unit_line()

    supervisor = SlowSupervisor(evening, HERE, unit=tmp_path)
    with pytest.raises(LinkError, match="does not answer"):
        supervisor.open()
    stopped.set()
    line = _until(lambda: supervisor._line)
    line.shutdown(socket.SHUT_WR)
    supervisor._thread.join(LIMIT_S)
    assert not crashes


def test_tls_brings_a_certificate_of_its_own_for_this_address(evening, home):
    with RefereeSupervisor(evening, SimulationSettings()):
        phones = TablePhones(msgspec.structs.replace(HERE, tls=True), wanted=True)
        phones.go_to(evening)
        try:
            offer = phones.offer()
            assert offer.encrypted
            url, code = offer.links[1].split("/#")
            assert url.startswith("https://")
            trusting = ssl.create_default_context(cafile=home / "phones" / "certificate.pem")
            assert _join(url, code, trusting) == 204
            assert (home / "phones" / "certificate.key").stat().st_mode & 0o077 == 0
        finally:
            phones.leave()


def test_an_address_that_is_not_ours_is_told_before_anything_begins(capsys):
    with pytest.raises(LinkError, match="no address of this computer"):
        chosen_address(PhoneSettings("203.0.113.7"))
    done = Command(capsys)("play", "lascaux", "--phones", "--address", "203.0.113.7")
    assert done.status == 2
    assert "no address of this computer" in done.err


def test_a_phone_server_that_cannot_listen_says_why(evening):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        supervisor = PhoneServerSupervisor(evening, PhoneSettings("127.0.0.1", 65535))
        with socket.socket() as last:
            last.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            last.bind(("127.0.0.1", 65535))
            last.listen()
            with pytest.raises(LinkError, match="port 65535 is taken"):
                supervisor.open()
        supervisor.stop()


def test_play_with_phones_shows_codes_on_the_table_s_screen():
    terminal = Terminal(
        "play", "sioux", "--players", "Anna", "Ben", "Cleo", "--kit", "none", "--phones", "--address", "127.0.0.1"
    )
    try:
        terminal.until_painted(r"Scan\s+your\s+code")
        terminal.until_painted(r"█▀▀▀|▀▀▀█|▄▄▄")  # the corner of a code
        terminal.until_painted(r"127\.0\.0\.1:81\d\d")
        assert re.search(r"Others\s+on\s+this\s+Wi-Fi", terminal.text)
        terminal.press("\x1b")
        terminal.until_painted(r"Setting\s+up")
    finally:
        terminal.kill()
        terminal.wait()
