"""Phones and the processes behind them: the server, its keeper, the codes on the table's screen."""

import os
import re
import signal
import ssl
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from companion.errors import LinkError
from companion.services.evenings import Plan, begin_evening
from companion.services.keeper import RefereeKeeper
from companion.services.pace import Pace
from companion.services.phones import PhonesKeeper, PhonesWish, TablePhones, chosen_address
from tests.verbs.command import Command
from tests.verbs.terminal import Terminal

HERE = PhonesWish("127.0.0.1", 18137)


@pytest.fixture
def evening() -> Path:
    return begin_evening(Plan("sioux", ("Anna", "Ben", "Cleo"), kit="none"))


def _join(url: str, code: str, context: ssl.SSLContext | None = None) -> int:
    body = b'{"code": "%s"}' % code.encode()
    request = urllib.request.Request(f"{url}/join", body, {"Content-Type": "application/json", "Origin": url})
    try:
        with urllib.request.urlopen(request, timeout=20, context=context) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_nothing_listens_until_somebody_says_so(evening):
    phones = TablePhones(HERE)
    phones.go_to(evening)
    assert phones.offer() is None
    phones.leave()


def test_a_keeper_lets_phones_in_renews_codes_and_starts_a_dead_server_again(evening):
    with RefereeKeeper(evening, Pace()):
        phones = TablePhones(HERE, wanted=True)
        phones.go_to(evening)
        try:
            offer = phones.offer()
            assert offer is not None
            url, code = offer.links[0].split("/#")
            assert url == offer.url
            assert url.startswith("http://127.0.0.1:18")
            assert _join(url, code) == 204
            phones.renew(0)
            renewed = phones.offer().links[0].split("/#")[1]
            assert renewed != code
            _until(lambda: _join(url, code) == 403)
            assert _join(url, renewed) == 204

            keeper = phones._keeper
            assert isinstance(keeper, PhonesKeeper)
            first = keeper._process
            assert first is not None
            os.kill(first.pid, signal.SIGKILL)
            _until(lambda: keeper._process is not first and _answers(url))
            assert _join(url, renewed) == 204  # the same codes, at the same place
        finally:
            phones.leave()
        assert not _answers(url)


def _answers(url: str) -> bool:
    try:
        return _join(url, "x") in (403, 429)
    except OSError:
        return False


def _until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_codes_are_on_no_command_line_and_in_no_file(evening, home):
    with RefereeKeeper(evening, Pace()):
        phones = TablePhones(HERE, wanted=True)
        phones.go_to(evening)
        try:
            codes = [link.split("#")[1] for link in phones.offer().links.values()]
            assert phones._keeper is not None
            assert phones._keeper._process is not None
            line = Path(f"/proc/{phones._keeper._process.pid}/cmdline").read_bytes()
            written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
            for code in codes:
                assert code.encode() not in line
                assert code.encode() not in written
        finally:
            phones.leave()


def test_tls_brings_a_certificate_of_its_own_for_this_address(evening, home):
    with RefereeKeeper(evening, Pace()):
        phones = TablePhones(PhonesWish("127.0.0.1", 18137, tls=True), wanted=True)
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
        chosen_address(PhonesWish("203.0.113.7"))
    done = Command(capsys)("play", "lascaux", "--phones", "--address", "203.0.113.7")
    assert done.status == 2
    assert "no address of this computer" in done.err


def test_a_phone_server_that_cannot_listen_says_why(evening):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        keeper = PhonesKeeper(evening, PhonesWish("127.0.0.1", 65535))
        with socket.socket() as last:
            last.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            last.bind(("127.0.0.1", 65535))
            last.listen()
            with pytest.raises(LinkError):
                keeper.open()
        keeper.stop()


def test_play_with_phones_shows_codes_on_the_table_s_screen():
    terminal = Terminal(
        "play", "sioux", "--players", "Anna", "Ben", "Cleo", "--kit", "none", "--phones", "--address", "127.0.0.1"
    )
    try:
        terminal.until_painted(r"Scan\s+your\s+code")
        terminal.until_painted(r"█▀▀▀|▀▀▀█|▄▄▄")  # the corner of a code
        terminal.until_painted(r"127\.0\.0\.1:81\d\d")
        assert re.search(r"Others\s+in\s+this\s+Wi-Fi", terminal.text)
        terminal.press("\x1b")
        terminal.until_painted(r"Setting\s+up")
    finally:
        terminal.kill()
        terminal.wait()
