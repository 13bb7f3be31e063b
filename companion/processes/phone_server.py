"""Starts the phone server in a process of its own, and restarts it when it dies.

The server may do nothing on this computer but listen. On a Pi systemd starts it, under a user of its own, when we
connect to its socket (hardware/pi/companion-phones@.socket). Elsewhere we start it ourselves. In both cases one socket
connects us: we send the valid codes and the game, and pass on a connection to the referee; the server reports which
phones have connected. It ends when we do.
"""

import asyncio
import importlib.util
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from companion.config import find_table
from companion.errors import ConfigError, JournalError, LinkError, UsageError
from companion.files import PRIVATE, PYTHON, appended, is_private, load, load_end, make_folder, opened_log, store_all
from companion.gamekit import discovery
from companion.home.crash_log import note
from companion.home.paths import home, log_path, people_path
from companion.journal import evening_folder
from companion.journal.lock import WriterLock
from companion.messages.looks import Preference
from companion.messages.phone_access import (
    ENROLLER,
    MESSAGE_BYTES,
    PORT,
    EnrolmentView,
    EnrolmentWish,
    ForServer,
    FromServer,
    PhonesOffer,
    ResultsWish,
    ServerPlace,
    Wifi,
)
from companion.processes.certificate import Certificate, certificate
from companion.processes.evenings import codes_of, socket_of
from companion.processes.network_addresses import addresses, is_own
from companion.referee.link import make_private
from companion.troubles import to_add
from companion.web.access_codes import WATCHING, Guest, new_code, new_codes

if TYPE_CHECKING:
    from companion.processes.analysis_process import AnalysisProcess

# --- Join codes -----------------------------------------------------------------------------------------------

SEATS = 12
"""More than any game has. A code that is never shown lets no phone in."""
BYTES = 16 * 1024


class Codes:
    """The codes by which phones join an evening, in a private file beside its journal. One supervisor at a time holds
    them: a second one would admit phones that the first has sent away."""

    def __init__(self, evening: Path) -> None:
        """The stored codes, or new ones. Raises LinkError."""
        self._path = codes_of(evening)
        self._lock = _lock(evening)
        self.all = _stored(self._path) or new_codes(range(SEATS))
        self._store()

    def renew(self, person: Guest) -> str:
        self.all = self.all | {person: new_code()}
        self._store()
        return self.all[person]

    def release(self) -> None:
        """May be called twice."""
        self._lock.release()

    def _store(self) -> None:
        """If the disk is full or read-only, there will be new codes at the next start. An old code must not come back,
        so the file is removed then."""
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


def _stored(path: Path) -> dict[Guest, str]:
    """The stored codes. Empty if there are none, or if other users could have read or written them."""
    try:
        if not is_private(path):
            return {}
        found = msgspec.json.decode(load(path, BYTES), type=dict[Guest, str])
    except (OSError, ValueError):
        return {}
    return found if found.keys() == {*range(SEATS), WATCHING} and all(map(len, found.values())) else {}


# --- The server -----------------------------------------------------------------------------------------------

UNIT = Path("/run/companion-phones")
"""The folder in which systemd listens, on a socket with our user's name: hardware/pi/companion-phones@.socket."""
CONNECT_S = 5.0
"""How long the referee may take to accept a connection."""
NEEDED = ("aiohttp", "segno")
START_S = 20.0
"""How long the server may take to start on a slow machine."""
PARTING_S = 5.0
RESTARTS, RESTARTS_WITHIN_S = 5, 30.0
"""After so many restarts in this time we give up: one more will not help."""
TAIL = 4096
PAGE_BYTES = MESSAGE_BYTES * 3 // 4
"""A page of results is shortened rather than longer: JSON has backslashes before quotation marks."""

_decoder = msgspec.json.Decoder(FromServer)


class PhoneSettings(Struct, frozen=True):
    """Where phones connect. Without an address: this computer's own in its network."""

    address: str = ""
    port: int = PORT
    tls: bool = False


def missing() -> list[str]:
    """The packages that have to be installed for phones."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def chosen_address(settings: PhoneSettings) -> str:
    """The address to listen on. Raises LinkError."""
    if absent := missing():
        raise LinkError(f"phones need {' and '.join(absent)}: {to_add('phones')}")
    if settings.address:
        if not is_own(settings.address):
            raise LinkError(f"{settings.address} is no address of this computer; it has {_listed(addresses())}")
        return settings.address
    found = addresses()
    if not found:
        raise LinkError("this computer is not in a network: join a Wi-Fi or make one (docs/phones.md), then try again")
    return found[0]


def link_address(settings: PhoneSettings) -> str:
    """The address for links on stickers: where phones connect if no other program takes the port. Raises LinkError."""
    address = chosen_address(settings)
    host = f"[{address}]" if ":" in address else address
    return f"{'https' if settings.tls else 'http'}://{host}:{settings.port}"


def _listed(found: list[str]) -> str:
    return ", ".join(found) or "none in a network"


def wifi() -> Wifi | None:
    """The network in table.toml. Mistakes in that file are reported elsewhere."""
    with suppress(ConfigError):
        named = find_table(home()).wifi
        return Wifi(named.name, named.password) if named else None
    return None


class TablePhones:
    """`PhoneAccess` for the table that is shown now. `wanted`: open it for phones at once."""

    def __init__(self, settings: PhoneSettings, *, wanted: bool = False) -> None:
        self.settings, self.wanted = settings, wanted
        self._supervisor: PhoneServerSupervisor | None = None

    def go_to(self, evening: Path) -> None:
        """Raises LinkError if phones are wanted but cannot connect."""
        self.leave()
        self._supervisor = PhoneServerSupervisor(evening, self.settings, wifi())
        if self.wanted:
            self._supervisor.open()

    def check(self) -> None:
        """Check that phones could connect, before an evening is started. Raises LinkError."""
        chosen_address(self.settings)

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

    def renew(self, person: int) -> None:
        if self._supervisor is not None:
            self._supervisor.renew(person)

    @property
    def problem(self) -> str:
        return self._supervisor.problem if self._supervisor else ""


def _user_name() -> str:
    """As systemd names this user's socket; the number where a container gives a user none."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


class ServerSupervisor:
    """`companion.messages.phone_access.PhoneAccess` for one server. What it is for its subclasses say."""

    def __init__(self, name: str, settings: PhoneSettings, wifi: Wifi | None = None, unit: Path = UNIT) -> None:
        """`name`: for its log."""
        self._settings, self._wifi = settings, wifi
        self._unit = unit / _user_name()
        self._codes: Codes | EnrolmentCode | None = None
        self._certificate: Certificate | None = None
        self._line: socket.socket | None = None
        """The connection to the server."""
        self._process: subprocess.Popen[bytes] | None = None
        """The server, if we have started it ourselves."""
        self._said: FromServer | None = None
        self._listening = threading.Event()
        self._leaving = False
        self._thread: threading.Thread | None = None
        self._log = log_path(f"{name}-phones")
        self.problem = ""

    def new_codes(self) -> "Codes | EnrolmentCode":
        """Raises LinkError."""
        raise NotImplementedError

    def game(self) -> discovery.Found:
        """Whose looks the server may load."""
        raise NotImplementedError

    def heed(self, said: FromServer) -> None:
        """What its phones want."""
        raise NotImplementedError

    # --- Opening and closing ----------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the server and wait until it listens. Raises LinkError."""
        if self._thread is not None and self._thread.is_alive():
            return
        address = chosen_address(self._settings)
        self._settings = msgspec.structs.replace(self._settings, address=address)
        self._certificate = certificate(address) if self._settings.tls else None
        codes = self._codes = self._codes or self.new_codes()
        self.problem, self._leaving = "", False
        self._listening.clear()
        self._thread = threading.Thread(target=self._supervise, args=(codes, self.game()), daemon=True)
        self._thread.start()
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
                line.shutdown(socket.SHUT_WR)  # the server ends, and then our thread
        if process is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(PARTING_S)
            if process.poll() is None:
                process.kill()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(PARTING_S)
        self._said = None
        if self._codes is not None:
            self._codes.release()
            self._codes = None

    def offer(self) -> PhonesOffer | None:
        said, codes, made = self._said, self._codes, self._certificate
        if said is None or codes is None:
            return None
        links = {person: f"{said.url}/#{code}" for person, code in codes.all.items()}
        is_new = bool(made and made.is_new)
        return PhonesOffer(said.url, links, said.counts, self._wifi, self._settings.tls, is_new, said.trust)

    def renew(self, person: int) -> None:
        """The new code counts even if it cannot be stored: the old one must stop working."""
        if self._codes is not None and person in self._codes.all:
            self._tell(ForServer({person: self._codes.renew(person)}))

    def renew_all(self) -> None:
        """New codes for all players and the spectators."""
        for person in self._codes.all if self._codes is not None else ():
            self.renew(person)

    # --- The process ------------------------------------------------------------------------------------------

    def _tell(self, order: ForServer, connected: socket.socket | None = None) -> None:
        line = self._line
        if line is not None:
            with suppress(OSError):  # it has just died: it gets everything when it is restarted
                socket.send_fds(line, [msgspec.json.encode(order)], [connected.fileno()] if connected else [])

    def _supervise(self, codes: "Codes | EnrolmentCode", game: discovery.Found) -> None:
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

    def _brief(self, codes: "Codes | EnrolmentCode", game: discovery.Found) -> None:
        """Send everything that the server needs to start."""
        pem = self._certificate.pem if self._certificate else ""
        place = ServerPlace(self._settings.address, self._settings.port, certificate=pem)
        self._tell(self.briefing(ForServer(codes.all, place, game)))

    def briefing(self, order: ForServer) -> ForServer:
        """Its first packet."""
        return order

    def _hear(self, line: socket.socket) -> None:
        """Read its messages until it ends. Anything else that it sends is ignored: strangers can connect to it."""
        while packet := _packet(line):
            with suppress(msgspec.MsgspecError, ValueError, RecursionError):
                said = _decoder.decode(packet)
                if said.crash:
                    note(f"the phones' server: {said.crash}")
                elif said.problem:
                    self.problem = said.problem
                elif said.url:
                    self._settings = msgspec.structs.replace(self._settings, port=_port(said.url))
                    self._said = said
                    self._listening.set()
                    self.changed()
                else:
                    self.heed(said)

    def changed(self) -> None:
        """It listens, or a phone has connected or left."""

    def _unit_line(self) -> socket.socket | None:
        """A connection to a server that systemd starts; None if it does not."""
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
                    [*PYTHON, "-m", "companion", "phones", "--piped"],
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


class PhoneServerSupervisor(ServerSupervisor):
    """The phones of one evening."""

    def __init__(self, evening: Path, settings: PhoneSettings, wifi: Wifi | None = None, unit: Path = UNIT) -> None:
        super().__init__(evening.stem, settings, wifi, unit)
        self._evening = evening
        self._analysis: AnalysisProcess | None = None

    def new_codes(self) -> Codes:
        return Codes(self._evening)

    def game(self) -> discovery.Found:
        return discovery.found().only(evening_folder.summary(self._evening).game)

    def briefing(self, order: ForServer) -> ForServer:
        return msgspec.structs.replace(order, preferences=preferences_of(evening_folder.summary(self._evening)))

    def heed(self, said: FromServer) -> None:
        if said.wants_referee:
            self._connect()
        elif said.wants_results:
            self._tell(ForServer(results=self._results(said.wants_results)))

    def _connect(self) -> None:
        """Connect to the referee and pass the connection on: the server may not connect itself."""
        with socket.socket(socket.AF_UNIX) as connected:
            connected.settimeout(CONNECT_S)
            try:
                connected.connect(os.fspath(socket_of(self._evening)))
            except OSError:
                self._tell(ForServer(referee=False))
            else:
                self._tell(ForServer(referee=True), connected)

    def _results(self, wish: ResultsWish) -> str:
        from companion.people.statistics_pages import results_of  # only a table with phones needs it

        return results_of(self._evening, wish, PAGE_BYTES, self._analyse)

    def _analyse(self, number: int) -> None:
        """Begin to analyse this game, once."""
        from companion.processes.analysis_process import AnalysisProcess

        self._analysis = self._analysis or AnalysisProcess()
        self._analysis.begin(self._evening, number)

    def stop(self) -> None:
        if self._analysis is not None:
            self._analysis.stop()
        super().stop()


def preferences_of(evening: evening_folder.Summary) -> dict[Guest, Preference]:
    """What the players of an evening want on their phones. A mistake in the list of people is reported elsewhere."""
    from companion.people.persons import load_people  # only a table with phones needs it

    with suppress(UsageError):
        people = load_people(people_path())
        named = zip(evening.people, evening.players, strict=True)
        return {person: people.who(evening.id, name).preference for person, name in named}
    return {}


class EnrolmentCode:
    """The code of one phone that enrols. It is on no disk: after a restart there is a new one."""

    def __init__(self) -> None:
        self.all: dict[Guest, str] = {ENROLLER: new_code()}

    def renew(self, person: Guest) -> str:
        self.all = {person: new_code()}
        return self.all[person]

    def release(self) -> None:
        """There is nothing to release."""


class EnrolmentPhoneServer(ServerSupervisor):
    """`companion.messages.phone_access.EnrolmentPhones`: encrypted, because a phone reads no sticker otherwise."""

    def __init__(self, game: str, settings: PhoneSettings, wifi: Wifi | None = None, unit: Path = UNIT) -> None:
        """`game`: whose box is enrolled; "": player cards are read."""
        super().__init__(f"enrol-{game}" if game else "cards", msgspec.structs.replace(settings, tls=True), wifi, unit)
        self._game = game
        self._view = EnrolmentView(0, {})
        self._call: Callable[[FromServer | None], object] = lambda said: None

    def new_codes(self) -> EnrolmentCode:
        return EnrolmentCode()

    def game(self) -> discovery.Found:
        return discovery.found().only(self._game)

    def briefing(self, order: ForServer) -> ForServer:
        return msgspec.structs.replace(order, enrolment=self._view)

    def show(self, view: EnrolmentView) -> None:
        if view != self._view:
            self._view = view
            self._tell(ForServer(enrolment=view))

    def heed(self, said: FromServer) -> None:
        self._call(said)

    def changed(self) -> None:
        self._call(None)

    async def listen(self, heed: Callable[[EnrolmentWish], object], changed: Callable[[], object]) -> None:
        loop, heard = asyncio.get_running_loop(), asyncio.Queue[FromServer | None]()

        def call(said: FromServer | None) -> None:
            with suppress(RuntimeError):  # the screen has closed meanwhile
                loop.call_soon_threadsafe(heard.put_nowait, said)

        self._call = call
        try:
            while True:
                said = await heard.get()
                if said is None:
                    changed()
                elif said.wish is not None:
                    heed(said.wish)
        finally:
            self._call = lambda said: None


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
