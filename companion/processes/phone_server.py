"""Lets phones come to a table: their server in a process of its own, kept at work, with codes that only we know.

The server has no right on this computer but to listen. On a Pi systemd starts it, as a user of its own, when we connect
to its socket (hardware/pi/companion-phones@.socket); elsewhere we start it ourselves. Either way one socket leads to
it: over it we say which codes are valid and which game is played, and hand over a connection to the referee; it reports
who has come. It ends when we do.
"""

import importlib.util
import os
import pwd
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from companion.config import find_table
from companion.errors import ConfigError, JournalError, LinkError
from companion.files import PRIVATE, appended, is_private, load, load_end, make_folder, opened_log, store_all
from companion.gamekit import discovery
from companion.home.crash_log import note
from companion.home.paths import home, log_path
from companion.journal import evening_folder
from companion.journal.lock import WriterLock
from companion.messages.phone_access import MESSAGE_BYTES, PORT, ForServer, FromServer, PhonesOffer, ServerPlace, Wifi
from companion.processes.certificate import Certificate, certificate
from companion.processes.evenings import codes_of, socket_of
from companion.processes.network_addresses import addresses, is_own
from companion.referee.link import make_private
from companion.web.access_codes import WATCHING, Guest, new_code, new_codes

# --- The codes by which phones come to an evening: kept beside its journal, for its owner's eyes only.

SEATS = 12
"""More than any game has; a code that is never shown is worth nothing."""
BYTES = 16 * 1024


class Codes:
    """Held by one keeper at a time: with two of them, one would let in what the other has sent away."""

    def __init__(self, evening: Path) -> None:
        """Those that are kept, else new ones. Raises LinkError."""
        self._path = codes_of(evening)
        self._lock = _lock(evening)
        self.all = _kept(self._path) or new_codes(range(SEATS))
        self._store()

    def renew(self, guest: Guest) -> str:
        self.all = self.all | {guest: new_code()}
        self._store()
        return self.all[guest]

    def release(self) -> None:
        """May be called twice."""
        self._lock.release()

    def _store(self) -> None:
        """A disk that is full or only read costs phones their codes at the next start, and nothing now. But an old
        code must not come back: then there are none."""
        try:
            store_all({self._path: msgspec.json.encode(self.all)}, PRIVATE)
        except OSError:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _lock(evening: Path) -> WriterLock:
    held = socket_of(evening).with_suffix(".phones")
    try:
        make_private(held.parent)
        with appended(held):
            pass
        return WriterLock(held)
    except JournalError:
        words = "another screen of this evening already shows codes for phones (F4 there); use those"
        raise LinkError(words) from None
    except OSError as error:
        raise LinkError(f"{held}: phones cannot be let in: {error.strerror}") from None


def _kept(path: Path) -> dict[Guest, str]:
    """Nothing, if there are none, or if others could have read or written them."""
    try:
        if not is_private(path):
            return {}
        found = msgspec.json.decode(load(path, BYTES), type=dict[Guest, str])
    except (OSError, ValueError):
        return {}
    return found if found.keys() == {*range(SEATS), WATCHING} and all(map(len, found.values())) else {}


UNIT = Path("/run/companion-phones")
"""Where systemd listens for us, under our name: hardware/pi/companion-phones@.socket."""
CONNECT_S = 5.0
"""How long the referee may take to take a connection."""
NEEDED = ("aiohttp", "segno")
START_S = 20.0
"""How long the server may take to start on a slow machine."""
PARTING_S = 5.0
RESTARTS, RESTARTS_WITHIN_S = 5, 30.0
"""More often than this, and starting the server again will not help."""
TAIL = 4096

_decoder = msgspec.json.Decoder(FromServer)


class PhoneSettings(Struct, frozen=True):
    """What was said about phones. No address: the one where others find this machine."""

    address: str = ""
    port: int = PORT
    tls: bool = False


def missing() -> list[str]:
    """What has to be installed before phones can come."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def chosen_address(wish: PhoneSettings) -> str:
    """Where to listen. Raises LinkError."""
    if absent := missing():
        how = f"pip install {' '.join(absent)}; on a Pi, `make install` again"
        raise LinkError(f"phones need {' and '.join(absent)}: {how}")
    if wish.address:
        if not is_own(wish.address):
            raise LinkError(f"{wish.address} is no address of this computer; it has {_listed(addresses())}")
        return wish.address
    found = addresses()
    if not found:
        raise LinkError("this computer is not in a network: join a Wi-Fi or make one (docs/phones.md), then try again")
    return found[0]


def _listed(found: list[str]) -> str:
    return ", ".join(found) or "none in a network"


def wifi() -> Wifi | None:
    """The network that table.toml names. What is wrong there is told elsewhere."""
    with suppress(ConfigError):
        named = find_table(home()).wifi
        return Wifi(named.name, named.password) if named else None
    return None


class TablePhones:
    """`PhoneAccess` for whichever table people have gone to. `wanted`: somebody has already asked for phones."""

    def __init__(self, wish: PhoneSettings, *, wanted: bool = False) -> None:
        self._wish, self.wanted = wish, wanted
        self._supervisor: PhoneServerSupervisor | None = None

    def go_to(self, evening: Path) -> None:
        """Raises LinkError if phones are wanted and cannot come."""
        self.leave()
        self._supervisor = PhoneServerSupervisor(evening, self._wish, wifi())
        if self.wanted:
            self._supervisor.open()

    def check(self) -> None:
        """Whether phones could come at all, asked before an evening is begun. Raises LinkError."""
        chosen_address(self._wish)

    def leave(self) -> None:
        if self._supervisor is not None:
            self._supervisor.stop()
            self._supervisor = None

    def open(self) -> None:
        if self._supervisor is None:
            raise LinkError("phones can connect once a table is running")
        self._supervisor.open()

    def offer(self) -> PhonesOffer | None:
        return self._supervisor.offer() if self._supervisor else None

    def renew(self, guest: int) -> None:
        if self._supervisor is not None:
            self._supervisor.renew(guest)

    @property
    def problem(self) -> str:
        return self._supervisor.problem if self._supervisor else ""


class PhoneServerSupervisor:
    """`companion.messages.phone_access.PhoneAccess` for one table."""

    def __init__(self, evening: Path, wish: PhoneSettings, wifi: Wifi | None = None, unit: Path = UNIT) -> None:
        self._evening, self._wish, self._wifi = evening, wish, wifi
        self._unit = unit / pwd.getpwuid(os.getuid()).pw_name
        self._codes: Codes | None = None
        self._certificate: Certificate | None = None
        self._line: socket.socket | None = None
        """To the server."""
        self._process: subprocess.Popen[bytes] | None = None
        """The server, if we have started it ourselves."""
        self._said: FromServer | None = None
        self._listening = threading.Event()
        self._leaving = False
        self._supervisor: threading.Thread | None = None
        self._log = log_path(f"{evening.stem}-phones")
        self.problem = ""

    # --- Opening and closing ----------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the server and wait until it listens. Raises LinkError."""
        if self._supervisor is not None and self._supervisor.is_alive():
            return
        address = chosen_address(self._wish)
        self._wish = msgspec.structs.replace(self._wish, address=address)
        self._certificate = certificate(address) if self._wish.tls else None
        codes = self._codes = self._codes or Codes(self._evening)
        game = discovery.found().only(evening_folder.summary(self._evening).game)
        self.problem, self._leaving = "", False
        self._listening.clear()
        self._supervisor = threading.Thread(target=self._keep, args=(codes, game), daemon=True)
        self._supervisor.start()
        self._listening.wait(START_S)
        if self._said is None:
            self.stop()
            raise LinkError(self.problem or "the phones' server does not answer")

    def stop(self) -> None:
        """May be called twice."""
        self._leaving = True
        line, process = self._line, self._process
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_WR)  # it ends, and then so does what we hear of it
        if process is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(PARTING_S)
            if process.poll() is None:
                process.kill()
        if self._supervisor is not None and self._supervisor is not threading.current_thread():
            self._supervisor.join(PARTING_S)
        self._said = None
        if self._codes is not None:
            self._codes.release()
            self._codes = None

    def offer(self) -> PhonesOffer | None:
        said, codes, made = self._said, self._codes, self._certificate
        if said is None or codes is None:
            return None
        links = {guest: f"{said.url}/#{code}" for guest, code in codes.all.items()}
        return PhonesOffer(said.url, links, said.counts, self._wifi, self._wish.tls, bool(made and made.is_new))

    def renew(self, guest: int) -> None:
        """Where the new code cannot be kept, it counts all the same: the old one must be dead."""
        if self._codes is not None and guest in self._codes.all:
            self._tell(ForServer({guest: self._codes.renew(guest)}))

    def renew_all(self) -> None:
        """Also the spectators' code."""
        for guest in self._codes.all if self._codes is not None else ():
            self.renew(guest)

    # --- The process ------------------------------------------------------------------------------------------

    def _tell(self, order: ForServer, connected: socket.socket | None = None) -> None:
        line = self._line
        if line is not None:
            with suppress(OSError):  # one that has just died is told everything when it starts again
                socket.send_fds(line, [msgspec.json.encode(order)], [connected.fileno()] if connected else [])

    def _keep(self, codes: Codes, game: discovery.Found) -> None:
        starts: list[float] = []
        while not self._leaving:
            starts = [start for start in starts if time.monotonic() - start < RESTARTS_WITHIN_S]
            if len(starts) > RESTARTS or (starts and self._said is None):
                self.problem, self._said = self.problem or self._last_words(), None
                break
            starts.append(time.monotonic())
            try:
                self._line = self._unit_line() or self._start()
            except OSError as error:
                self.problem = f"the phones' server cannot be started: {error.strerror}"
                break
            with self._line as line:
                self._brief(codes, game)
                self._hear(line)
                self._line = None
            if self._process is not None:
                self._process.wait()
        self._listening.set()

    def _brief(self, codes: Codes, game: discovery.Found) -> None:
        """All that a server has to know to begin."""
        pem = self._certificate.pem if self._certificate else ""
        self._tell(ForServer(codes.all, ServerPlace(self._wish.address, self._wish.port, certificate=pem), game))

    def _hear(self, line: socket.socket) -> None:
        """Until it ends. It is confined because strangers talk to it: whatever else it may send is ignored."""
        while packet := _packet(line):
            with suppress(msgspec.MsgspecError, ValueError, RecursionError):
                said = _decoder.decode(packet)
                if said.crash:
                    note(f"the phones' server: {said.crash}")
                elif said.wants_referee:
                    self._connect()
                elif said.problem:
                    self.problem = said.problem
                elif said.url:
                    self._wish = msgspec.structs.replace(self._wish, port=_port(said.url))
                    self._said = said
                    self._listening.set()

    def _connect(self) -> None:
        """Hand a connection to the referee over: the server cannot make one."""
        with socket.socket(socket.AF_UNIX) as connected:
            connected.settimeout(CONNECT_S)
            try:
                connected.connect(os.fspath(socket_of(self._evening)))
            except OSError:
                self._tell(ForServer(referee=False))
            else:
                self._tell(ForServer(referee=True), connected)

    def _unit_line(self) -> socket.socket | None:
        """To a server that systemd starts for us; None where it does not."""
        self._process = None
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            line.connect(os.fspath(self._unit))
        except OSError:
            line.close()
            return None
        return line

    def _start(self) -> socket.socket:
        make_folder(self._log.parent, 0o700)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, opened_log(self._log) as log:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "companion", "phones", "--piped"],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    start_new_session=True,
                )
            except OSError:
                ours.close()
                raise
        return ours

    def _last_words(self) -> str:
        with suppress(OSError):
            lines = load_end(self._log, TAIL).decode(errors="replace").split("\n")
            said = [line.strip() for line in lines if line.strip()]
            if said:
                return said[-1].removeprefix("companion: ")
        return "the phones' server keeps stopping"


def _port(url: str) -> int:
    """Raises ValueError."""
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def _packet(line: socket.socket) -> bytes:
    """The next message; b"" when the server has gone."""
    try:
        return line.recv(MESSAGE_BYTES)
    except OSError:
        return b""
