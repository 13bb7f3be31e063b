"""Debian's Mosquitto as the hall's own broker: its configuration, passwords and rights are written here.

Every client is known. A table writes its own topics and reads the commands for itself; a display reads all tables; Home
Assistant may also pause them; the hall reads everything and writes nothing. Nothing is kept on the disk by the broker:
after a restart every table publishes its newest state again.
"""

import asyncio
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from companion.errors import LinkError
from companion.files import PRIVATE, load, make_folder, store, store_all
from companion.hall.credentials import credential_hash
from companion.messages.live_tables import ROOT, TLS_PORT, VIEW_BYTES, TableTopics
from companion.web.server import LAST_PORT

PLACES = ("mosquitto", "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")
MISSING = (
    "live tables need Mosquitto: `sudo apt install mosquitto`; or name another broker with --broker, "
    "or do without with --no-live"
)
START_S = 10.0
LOOK_S = 0.2
"""How often to check that it is still running."""
RESTART_S, RESTARTS, RESTARTS_WITHIN_S = 0.5, 5, 30.0
"""After so many restarts in this time it stays off: one more will not help."""
PARTING_S = 5.0
PID, PID_BYTES = "mosquitto.pid", 20
LOG_TAIL = 4096
PORTS = 10
"""How many ports are tried if others are in use."""
HALL, DISPLAY, HOME = ("_hall", "_display", "_home")
"""Users that are no tables: no table's name in a topic begins like this."""
OPEN_FILES = 10_000
"""Files and sockets that the broker may have open: one for each table."""


def mosquitto_path() -> str | None:
    return next((found for place in PLACES if (found := shutil.which(place))), None)


class BrokerPlace(Struct, frozen=True):
    """Where the hall's broker listens."""

    address: str
    port: int = TLS_PORT
    ports: int = PORTS
    certificate: str = ""
    """With its key, as PEM; "": the connection is not encrypted, for tests on this computer."""

    def __repr__(self) -> str:
        """Without the key: a repr ends up in logs."""
        return f"BrokerPlace({self.address!r}, {self.port})"


# --- Its files ------------------------------------------------------------------------------------------------


def password_lines(users: Mapping[str, str]) -> str:
    """Mosquitto's password file. `users`: name → hash."""
    return "".join(f"{name}:{hashed}\n" for name, hashed in users.items())


def right_lines(hall: str, tables: Mapping[str, str]) -> str:
    """Mosquitto's list of rights (`acl_file`). What is not allowed here is forbidden."""
    everything = f"{ROOT}/{hall}/tables"
    sections = [
        (HALL, [f"topic read {everything}/#"]),
        (DISPLAY, [f"topic read {everything}/#"]),
        (
            HOME,
            [
                f"topic read {everything}/#",
                "topic read homeassistant/#",
                "topic write homeassistant/status",
                f"topic write {everything}/+/pause",
            ],
        ),
        *((table, _table_rights(TableTopics(hall, table))) for table in tables),
    ]
    return "\n".join("\n".join([f"user {user}", *rights, ""]) for user, rights in sections)


def _table_rights(topics: TableTopics) -> list[str]:
    """A table reads back its presence: a broker drops what is forbidden without a word."""
    return [
        f"topic readwrite {topics.presence}",
        f"topic write {topics.glance}",
        f"topic write {topics.view}",
        f"topic write {topics.discovery}",
        f"topic read {topics.pause}",
    ]


def configuration(folder: Path, place: BrokerPlace, user: str) -> str:
    lines = [
        "# Written by `companion hall` at every start.",
        f"listener {place.port} {place.address}",
        "allow_anonymous false",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'rights'}",
        "persistence false",
        "set_tcp_nodelay true",
        f"max_packet_size {VIEW_BYTES + 1024}",
        "max_queued_messages 20000",
        "max_keepalive 120",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "connection_messages false",
        f"user {user}",  # else it would leave root's rights, and could not read these files
    ]
    if place.certificate:
        lines += [f"certfile {folder / 'certificate.pem'}", f"keyfile {folder / 'key.pem'}", "tls_version tlsv1.2"]
    return "\n".join(lines) + "\n"


# --- Its process ----------------------------------------------------------------------------------------------


class Mosquitto:
    """One broker. `passwords` holds those of the users that are no tables; they stay the same from night to night."""

    def __init__(
        self,
        folder: Path,
        hall: str,
        place: BrokerPlace,
        passwords: Mapping[str, str],
        told: Callable[[str], None] = lambda problem: None,
    ) -> None:
        """`folder`: for its files, with hashes and the key. `told`: gets each new problem in one line, and "" when it
        runs."""
        self._folder, self._hall, self._told = folder, hall, told
        self._words = b""
        """The end of what it has said. It is kept nowhere else: any stranger can make it say a line, by a handshake
        that fails."""
        self._heard: int | None = None
        self.place = place
        self._users = {name: credential_hash(password) for name, password in passwords.items()}
        self._tables: dict[str, str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def open(self, tables: Mapping[str, str]) -> None:
        """Start it and wait until it listens. `tables`: name in topics → hash of its credential. Raises LinkError."""
        if mosquitto_path() is None:
            raise LinkError(MISSING)
        self._tables = dict(tables)
        await self._end_stale()
        self.place = _free(self.place)
        try:
            self._write()
            self._start()
        except OSError as error:
            raise LinkError(f"Mosquitto cannot be started: {error}") from None
        if not await self._listens():
            await self._end()
            raise LinkError(f"Mosquitto does not start: {self._last_words()}")
        self._keeping = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """May be called twice."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
            self._keeping = None
        await self._end()

    def admit(self, tables: Mapping[str, str]) -> None:
        """These tables, and no others. Clients that stay connected keep the rights they have."""
        if dict(tables) != self._tables:
            self._tables = dict(tables)
            try:
                self._write()
            except OSError as error:
                self._tables = None  # written with the next change
                self._told(f"the broker's passwords cannot be written: {error.strerror}; new tables are not live")
                return
            if self._process is not None and self._is_running():
                self._process.send_signal(signal.SIGHUP)

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _write(self) -> None:
        make_folder(self._folder, 0o700)
        user = os.environ.get("USER", "root") if os.getuid() else "root"
        certificate, _, key = self.place.certificate.partition("-----BEGIN PRIVATE KEY-----")
        files = {
            "passwords": password_lines({**self._users, **(self._tables or {})}),
            "rights": right_lines(self._hall, self._tables or {}),
            "mosquitto.conf": configuration(self._folder, self.place, user),
            **({"certificate.pem": certificate, "key.pem": f"-----BEGIN PRIVATE KEY-----{key}"} if key else {}),
        }
        store_all({self._folder / name: text for name, text in files.items()}, PRIVATE)

    def _start(self) -> None:
        found = mosquitto_path() or PLACES[0]
        setpriv = shutil.which("setpriv")  # so the broker ends when the hall is killed; only Linux has it
        self._hear_all()
        self._heard, telling = os.pipe()
        os.set_blocking(self._heard, False)
        asyncio.get_running_loop().add_reader(self._heard, self._hear)
        try:
            self._process = subprocess.Popen(
                [
                    *([setpriv, "--pdeathsig", "TERM"] if setpriv else []),
                    found,
                    "-c",
                    str(self._folder / "mosquitto.conf"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=telling,
                stderr=telling,
                start_new_session=True,
            )
        finally:
            os.close(telling)
        _raise_limit(self._process.pid)
        store(self._folder / PID, str(self._process.pid), PRIVATE)

    async def _end_stale(self) -> None:
        """A hall that was killed has left its broker behind. It is ours if it was started with our configuration."""
        with suppress(OSError, ValueError):
            pid = int(load(self._folder / PID, PID_BYTES))
            started = Path(f"/proc/{pid}/cmdline").read_bytes()
            if os.fsencode(self._folder / "mosquitto.conf") in started.split(b"\0"):
                os.kill(pid, signal.SIGTERM)
                deadline = time.monotonic() + PARTING_S
                while Path(f"/proc/{pid}/cmdline").read_bytes() == started and time.monotonic() < deadline:
                    await asyncio.sleep(0.02)

    async def _listens(self) -> bool:
        """With TLS it accepts connections before it has read its certificate: only a handshake tells."""
        deadline = time.monotonic() + START_S
        anyone = ssl._create_unverified_context() if self.place.certificate else None  # our own, on this computer
        while self._is_running() and time.monotonic() < deadline:
            with suppress(OSError):
                _reader, writer = await asyncio.open_connection(self.place.address, self.place.port, ssl=anyone)
                writer.close()
                return True
            await asyncio.sleep(0.02)
        return False

    async def _keep(self) -> None:
        """Restart it when it dies."""
        starts: list[float] = []
        while True:
            while self._is_running():
                await asyncio.sleep(LOOK_S)
            starts = [start for start in starts if time.monotonic() - start < RESTARTS_WITHIN_S]
            if len(starts) >= RESTARTS:
                self._told(f"Mosquitto keeps stopping: {self._last_words()}; tables are not live")
                return
            starts.append(time.monotonic())
            self._told("Mosquitto has stopped; it is started again")
            await asyncio.sleep(RESTART_S)
            with suppress(OSError):
                self._start()
                if await self._listens():
                    self._told("")

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            self._hear_all()
            return
        process.terminate()
        deadline = time.monotonic() + PARTING_S
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        process.kill()
        process.wait()
        self._hear_all()

    def _hear(self) -> bool:
        """Whether it may say more now."""
        data = b""
        if self._heard is not None:
            try:
                data = os.read(self._heard, LOG_TAIL)
            except BlockingIOError:
                return False
            self._words = (self._words + data)[-LOG_TAIL:]
        if not data and self._heard is not None:
            asyncio.get_running_loop().remove_reader(self._heard)
            os.close(self._heard)
            self._heard = None
        return bool(data)

    def _hear_all(self) -> None:
        """Of a broker that has ended."""
        while self._hear():
            pass

    def _last_words(self) -> str:
        lines = self._words.decode(errors="replace").split("\n")
        said = [line.partition(": ")[2] or line for line in lines if line.strip()]
        errors = [line for line in said if "Error" in line]
        return (errors or said or ["it says nothing"])[-1].strip()


def _free(place: BrokerPlace) -> BrokerPlace:
    """This port, or the next free one. Raises LinkError."""
    family = socket.AF_INET6 if ":" in place.address else socket.AF_INET
    for port in range(place.port, min(place.port + place.ports, LAST_PORT + 1)) if place.port else (0,):
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with suppress(OSError):
                tried.bind((place.address, port))
                found = tried.getsockname()[1]
                return BrokerPlace(place.address, found, place.ports, place.certificate)
    raise LinkError(f"Mosquitto cannot listen on {place.address}: port {place.port} is taken; say --broker-port")


def _raise_limit(pid: int) -> None:
    """The broker may have as many connections as this user may have."""
    with suppress(OSError, ValueError, AttributeError, ImportError):  # only Linux has it
        import resource  # noqa: PLC0415 - no Windows has it

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (wanted, hard))
