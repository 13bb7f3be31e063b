"""A certificate of this table's own, for people who want what phones say to be encrypted.

Nobody vouches for it: a phone warns once, and then knows it. `openssl` makes it; where that is missing, we say so.
"""

import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path

from companion.errors import LinkError
from companion.files import changing, load, make_folder, store_all
from companion.home.paths import certificate_path

DAYS = 825
"""No longer: phones reject certificates that last for years."""
BYTES = 64 * 1024


def certificate(address: str) -> ssl.SSLContext:
    """The one that is there, if it is for this address; else a new one. Raises LinkError."""
    path = certificate_path()
    key = path.with_suffix(".key")
    try:
        make_folder(path.parent, 0o700)
        with changing(path.parent):
            if not _is_for(path, key, address):
                _make(path, key, address)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path, key)
    except (OSError, ssl.SSLError) as error:
        raise LinkError(f"{path}: this certificate cannot be used: {error}; delete it, and a new one is made") from None
    return context


def _is_for(path: Path, key: Path, address: str) -> bool:
    """Its address is written down beside it."""
    note = path.with_suffix(".address")
    if not (path.exists() and key.exists() and note.exists()):
        return False
    return load(note, BYTES).decode(errors="replace").strip() == address


def _make(path: Path, key: Path, address: str) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        raise LinkError("--tls needs openssl: `sudo apt install openssl`, or do without --tls")
    with tempfile.TemporaryDirectory(prefix="companion-tls-") as folder:
        made, made_key = Path(folder, "certificate"), Path(folder, "key")
        command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        command += ["-days", str(DAYS), "-subj", "/CN=Companion", "-addext", f"subjectAltName=IP:{address}"]
        command += ["-out", str(made), "-keyout", str(made_key)]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode != 0:
            raise LinkError("openssl could not make a certificate; do without --tls")
        contents: dict[Path, str | bytes] = {
            path: load(made, BYTES),
            key: load(made_key, BYTES),
            path.with_suffix(".address"): address,
        }
        store_all(contents, 0o600)
