"""A client that has no code makes the phones' server write nothing: a card wears out, and a full one ends the
evening."""

import resource
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening
from companion.processes.phone_server import PhoneSettings, TablePhones
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings

CONNECTIONS = 60
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

GET, POST = b"GET / HTTP/1.1\r\nHost: HOST\r\n", b"POST /join HTTP/1.1\r\nHost: HOST\r\nOrigin: ORIGIN\r\n"
TABLE = b"GET /table HTTP/1.1\r\nHost: HOST\r\nOrigin: ORIGIN\r\n"
JSON = b"Content-Type: application/json\r\n"
FLOODS = {
    "no HTTP": b"\0\xff" * 500,
    "a bad version": b"GET / HTTP/9.9\r\n\r\n",
    "a bad header": GET + b"A b\r\n\r\n",
    "a header with a zero": GET + b"A: \0\r\n\r\n",
    "a huge header": GET + b"A: " + b"a" * 20_000 + b"\r\n\r\n",
    "a huge path": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    "a bad path": b"GET /../../etc/passwd%00 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a bad address": b"GET http://[::1 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a bad length": POST + b"Content-Length: -5\r\n\r\n",
    "bad chunks": POST + JSON + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    "a bad encoding": POST + JSON + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
    "a bad code": POST + JSON + b'Content-Length: 12\r\n\r\n{"code":"x"}',
    "a WebSocket without a code": TABLE + UPGRADE + KEY + b"\r\n" + b"\xff" * 2000,
    "a WebSocket without a key": TABLE + UPGRADE + b"\r\n",
    "a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 300,
}


def _written(home: Path) -> dict[str, tuple[int, int]]:
    """All files of the owner, but for the journal: a referee is at work there."""
    found = {path: path.stat() for path in home.rglob("*") if path.is_file() and "evenings" not in path.parts}
    return {str(path): (stat.st_size, stat.st_mtime_ns) for path, stat in found.items()}


def _flood(url: str, request: bytes) -> None:
    place = urlsplit(url)
    for number in range(CONNECTIONS):
        with socket.socket() as line, suppress(OSError):
            line.settimeout(5)
            line.connect((place.hostname, place.port))
            line.sendall(request * (1 + number % 3))
            line.shutdown(socket.SHUT_WR)
            while line.recv(65536):  # it has been answered, or ended
                pass


@pytest.mark.parametrize("tls", [False, True])
def test_a_client_that_has_no_code_causes_no_write(tls, home):
    """Malformed requests of every kind, through TLS or against it."""
    evening = begin_evening(GamePlan("sioux", ("Anna", "Ben", "Cleo"), kit="none"))
    with RefereeSupervisor(evening, SimulationSettings()):
        phones = TablePhones(PhoneSettings("127.0.0.1", 0, tls), wanted=True)
        phones.go_to(evening)
        try:
            offer = phones.offer()
            assert offer is not None
            host = urlsplit(offer.url).netloc.encode()
            before = _written(home)
            for flood in FLOODS.values():
                request = flood.replace(b"HOST", host).replace(b"ORIGIN", offer.url.encode())
                _flood(offer.url, request)
                if tls:
                    _through_tls(offer.url, request)
            assert _written(home) == before
            assert phones._supervisor is not None
            assert phones._supervisor._process is not None
            pid = phones._supervisor._process.pid
            assert resource.prlimit(pid, resource.RLIMIT_FSIZE) == (0, 0)  # it could not even if it wanted
            after = phones.offer()
            assert after is not None
            assert after.links == offer.links
        finally:
            phones.leave()


def _through_tls(url: str, request: bytes) -> None:
    place = urlsplit(url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for _ in range(3):
        with suppress(OSError):
            line = socket.create_connection((place.hostname or "", place.port or 0), 5)
            with line, context.wrap_socket(line) as inner:
                inner.sendall(request)
                inner.recv(65536)
