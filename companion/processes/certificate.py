"""The self-signed certificate with which phones connect over HTTPS.

A phone warns about it once. So it stays the same from evening to evening, and is replaced only when necessary.
`openssl` makes and reads it.
"""

import ipaddress
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct

from companion.errors import LinkError
from companion.files import PRIVATE, changing, load, make_folder, store_all
from companion.home.paths import certificate_path
from companion.processes.network_addresses import addresses

DAYS = 825
"""Phones reject certificates that are valid longer."""
RENEWED = timedelta(days=30)
"""A new one is made so long before the old one expires, so that it does not expire during an evening."""
BYTES = 64 * 1024
BUILT = datetime(2026, 1, 1, tzinfo=UTC)
"""An earlier date means that the clock is wrong. A certificate made by such a clock would have expired already."""
PURPOSE = ("basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", "extendedKeyUsage=serverAuth")
"""Only for this server: it cannot sign other certificates, even on a phone whose owner trusts it."""


class Certificate(Struct, frozen=True):
    pem: str
    """The certificate and its key."""
    is_new: bool = False

    def __repr__(self) -> str:
        """Without the key: a repr ends up in logs."""
        return "Certificate()"


class CertificateFacts(Struct, frozen=True):
    """What a certificate states."""

    addresses: tuple[str, ...]
    since: datetime
    until: datetime
    is_server: bool
    """It is for servers only, and cannot sign other certificates."""


def certificate(address: str, now: datetime | None = None) -> Certificate:
    """The stored certificate, if it is valid for this address and long enough; else a new one. Raises LinkError."""
    path = certificate_path()
    now = now or datetime.now(UTC)
    try:
        make_folder(path.parent, 0o700)
        with changing(path.parent):
            is_new = not serves(facts(path), address, now)
            if is_new:
                _make(path, (address, *addresses()), now)
            return Certificate(load(path, BYTES).decode() + load(_key(path), BYTES).decode(), is_new)
    except (OSError, UnicodeDecodeError) as error:
        raise LinkError(f"{path}: this certificate cannot be used: {error}; delete it to get a new one") from None


def serves(known: CertificateFacts | None, address: str, now: datetime) -> bool:
    """Whether phones would accept it. One from the future is kept: then this computer's clock is wrong, and phones use
    their own."""
    return known is not None and known.is_server and address in known.addresses and now < known.until - RENEWED


def facts(path: Path) -> CertificateFacts | None:
    """What the certificate states; None if there is no usable one. Raises LinkError without openssl."""
    if not (path.exists() and _key(path).exists()):
        return None
    said = _openssl("x509", "-in", str(path), "-noout", "-dates", "-text")
    with suppress(ValueError, IndexError):
        found = re.findall(r"IP Address:([0-9A-Fa-f:.]+)", said)
        since, until = (_moment(re.findall(rf"^{name}=(.*)$", said, re.MULTILINE)[0]) for name in _ENDS)
        is_server = "CA:FALSE" in said and "TLS Web Server Authentication" in said
        return CertificateFacts(tuple(map(_plain, found)), since, until, is_server)
    return None


_ENDS = ("notBefore", "notAfter")


def _moment(said: str) -> datetime:
    """Jan  1 00:00:00 2026 GMT"""
    return datetime.strptime(said.removesuffix(" GMT"), "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)


def _plain(address: str) -> str:
    """openssl prints FD00:0:0:0:0:0:0:2, we use fd00::2."""
    return str(ipaddress.ip_address(address))


def _key(path: Path) -> Path:
    return path.with_suffix(".key")


def _make(path: Path, names: Sequence[str], now: datetime) -> None:
    if now < BUILT:
        raise LinkError(
            f"a certificate needs the right time, but the clock says {now:%d %b %Y}: connect this computer to a "
            "network or set it (`sudo timedatectl set-time '2026-11-16 20:00'`)"
        )
    named = ",".join(f"IP:{name}" for name in dict.fromkeys(names))
    with tempfile.TemporaryDirectory(prefix="companion-tls-") as folder:
        made, made_key = Path(folder, "certificate"), Path(folder, "key")
        extensions = [word for each in (*PURPOSE, f"subjectAltName={named}") for word in ("-addext", each)]
        wanted = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(DAYS)]
        _openssl(
            "req", "-x509", *wanted, "-subj", "/CN=Companion", *extensions, "-out", str(made), "-keyout", str(made_key)
        )
        if not made.exists():
            raise LinkError("openssl could not make a certificate")
        store_all({path: load(made, BYTES), _key(path): load(made_key, BYTES)}, PRIVATE)


def _openssl(*words: str) -> str:
    """Its output; "" if it fails. Raises LinkError if it is not installed."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise LinkError("a certificate needs openssl: `sudo apt install openssl`")
    done = subprocess.run([openssl, *words], capture_output=True, check=False, env={"LC_ALL": "C"})
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""
