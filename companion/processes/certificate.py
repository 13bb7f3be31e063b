"""A certificate of this table's own, for people who want what phones say to be encrypted.

Nobody vouches for it: a phone warns once, and then knows it. So it stays the same from evening to evening, and is
replaced only when it has to be. `openssl` makes it and reads it; where that is missing, we say so.
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
"""No longer: phones reject certificates that last for years."""
RENEWED = timedelta(days=30)
"""So long before it ends there is a new one: no evening has one that expires."""
BYTES = 64 * 1024
BUILT = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock that is right says less. A certificate that was made by such a clock would have expired when it is made."""
PURPOSE = ("basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", "extendedKeyUsage=serverAuth")
"""It stands for this table and can vouch for nobody else, even on a phone whose owner has chosen to trust it."""


class Certificate(Struct, frozen=True):
    pem: str
    """With its key."""
    is_new: bool = False

    def __repr__(self) -> str:
        """Without the key: a repr ends up in logs."""
        return "Certificate()"


class CertificateFacts(Struct, frozen=True):
    """What a certificate says of itself."""

    addresses: tuple[str, ...]
    since: datetime
    until: datetime
    is_server: bool
    """It is for servers and for nothing else; those of earlier versions could vouch for others."""


def certificate(address: str, now: datetime | None = None) -> Certificate:
    """The one that is there, if it is for this address and for some time to come; else a new one. Raises LinkError."""
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
    """Whether phones would take it. One from the future is kept: it is this computer's clock that is wrong, and phones
    have their own."""
    return known is not None and known.is_server and address in known.addresses and now < known.until - RENEWED


def facts(path: Path) -> CertificateFacts | None:
    """What the certificate says; None if there is none that could be used. Raises LinkError without openssl."""
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
    """openssl writes FD00:0:0:0:0:0:0:2, and we say fd00::2."""
    return str(ipaddress.ip_address(address))


def _key(path: Path) -> Path:
    return path.with_suffix(".key")


def _make(path: Path, names: Sequence[str], now: datetime) -> None:
    if now < BUILT:
        raise LinkError(
            f"a certificate needs the right time, but the clock says {now:%d %b %Y}: connect this computer to a "
            "network or set it (`sudo timedatectl set-time '2026-11-16 20:00'`), or do without --tls"
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
            raise LinkError("openssl could not make a certificate; do without --tls")
        store_all({path: load(made, BYTES), _key(path): load(made_key, BYTES)}, PRIVATE)


def _openssl(*words: str) -> str:
    """What it says; "" if it fails. Raises LinkError."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise LinkError("--tls needs openssl: `sudo apt install openssl`, or do without --tls")
    done = subprocess.run([openssl, *words], capture_output=True, check=False, env={"LC_ALL": "C"})
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""
