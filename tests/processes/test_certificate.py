"""The table's own certificate: it stays the same while it can, is replaced in time, and vouches for no other."""

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.errors import LinkError
from companion.home.paths import certificate_path
from companion.processes.certificate import DAYS, RENEWED, certificate, facts
from companion.web.server_process import tls_context

HERE = "127.0.0.1"


def test_it_stays_the_same_from_evening_to_evening(home: Path) -> None:
    """A phone warns once for each."""
    first = certificate(HERE)
    assert first.is_new
    again = certificate(HERE)
    assert not again.is_new
    assert again.pem == first.pem
    tls_context(again.pem)


def test_it_stands_for_this_table_and_can_vouch_for_no_other(home: Path) -> None:
    certificate(HERE)
    said = subprocess.run(
        ["openssl", "x509", "-in", certificate_path(), "-noout", "-text"], capture_output=True, text=True, check=True
    ).stdout
    assert "CA:FALSE" in said
    assert "CA:TRUE" not in said
    assert "TLS Web Server Authentication" in said
    assert f"IP Address:{HERE}" in said
    known = facts(certificate_path())
    assert known is not None
    assert timedelta(0) < known.until - datetime.now(UTC) <= timedelta(days=DAYS)
    for path in (certificate_path(), certificate_path().with_suffix(".key")):
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("later", "is_new"),
    [
        (timedelta(days=DAYS) - RENEWED - timedelta(days=1), False),
        (timedelta(days=DAYS) - RENEWED + timedelta(days=1), True),
        (timedelta(days=DAYS + 1), True),
    ],
)
def test_it_is_replaced_before_it_expires(home: Path, later: timedelta, is_new: bool) -> None:
    first = certificate(HERE)
    assert certificate(HERE, datetime.now(UTC) + later).is_new is is_new
    assert (certificate(HERE).pem != first.pem) is is_new


def test_one_from_before_that_could_vouch_for_others_is_replaced(home: Path) -> None:
    certificate(HERE)
    path, key = certificate_path(), certificate_path().with_suffix(".key")
    old = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    old += ["-subj", "/CN=Companion", "-addext", f"subjectAltName=IP:{HERE}", "-out", str(path), "-keyout", str(key)]
    subprocess.run(old, capture_output=True, check=True)
    assert certificate(HERE).is_new


def test_another_address_needs_another_one(home: Path) -> None:
    certificate("::1")
    assert not certificate("::1").is_new
    assert certificate("127.0.0.3").is_new


@pytest.mark.parametrize("damage", [b"", b"rubbish"])
def test_a_damaged_one_is_replaced(home: Path, damage: bytes) -> None:
    certificate(HERE)
    certificate_path().write_bytes(damage)
    assert certificate(HERE).is_new
    assert not certificate(HERE).is_new


def test_a_clock_that_is_not_set_makes_none_and_says_what_to_do(home: Path) -> None:
    """It would have expired before it is made, by the phones' clocks."""
    with pytest.raises(LinkError, match=r"the clock says 01 Jan 1970: connect .*set-time"):
        certificate(HERE, datetime.fromtimestamp(0, UTC))


def test_a_clock_that_is_not_set_keeps_the_one_that_is_there(home: Path) -> None:
    """By this clock it is not valid yet; by the phones' it is."""
    certificate(HERE)
    assert not certificate(HERE, datetime.fromtimestamp(0, UTC)).is_new
