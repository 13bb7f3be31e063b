"""Publishes the table that is shown, in a process of its own, and starts that again when it dies.

The process is one more spectator of the referee (`companion.web.live_publisher`), and a client of the hall's broker. It
ends when we do. Without a hall, and without [hall] in table.toml, nothing is published.
"""

import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

import msgspec

from companion.config import HallTableSettings, find_table
from companion.errors import CompanionError, ConfigError, JournalError
from companion.files import PYTHON, appended, load, make_folder, opened_log
from companion.home.paths import home, log_path
from companion.journal.lock import WriterLock
from companion.messages.live_tables import PORT, TLS_PORT, BrokerAccess, LiveOrder, LiveSettings, topic_name

if TYPE_CHECKING:
    from companion.processes.hall_link import HallLink

CERTIFICATE_BYTES = 64 * 1024
PARTING_S = 5.0
PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
"""Between two starts: they double while it dies at once."""
STEADY_S = 30.0
"""After so long the pauses start over."""


WAIT_S = 5.0
"""How often to check whether the screen that publishes this table has left."""


def live_settings(hall: "HallLink | None") -> LiveSettings | None:
    """Where this table is published: to its own broker, else to that of its hall; None: nowhere. Raises ConfigError,
    LinkError."""
    said = find_table(home()).hall
    if said is not None and said.broker:
        return own_broker(said)
    return hall.live(said or HallTableSettings()) if hall else None


def own_broker(settings: HallTableSettings) -> LiveSettings:
    """What [hall] in table.toml says. Raises ConfigError."""
    place = urlsplit(settings.broker)
    tls = place.scheme == "mqtts"
    access = BrokerAccess(
        place.hostname or "",
        place.port or (TLS_PORT if tls else PORT),
        settings.user,
        settings.password,
        tls,
        _certificate(settings.certificate),
    )
    hall, table = topic_name(settings.name) or "home", topic_name(settings.table) or "table"
    return LiveSettings(hall, table, access, settings.table, settings.home_assistant, settings.pause)


def _certificate(path: str) -> str:
    try:
        return load(Path(path), CERTIFICATE_BYTES).decode() if path else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: this certificate of a broker cannot be read: {error}") from None


class LiveTable:
    """One published table. `problem`: why it is not live now; "" if it is, or while it connects.

    Every screen of a table could publish it; a lock beside the referee's socket lets one of them."""

    def __init__(self, socket_path: Path, find: Callable[[], LiveSettings | None]) -> None:
        """`find` says where to publish; it may ask the hall, and raise CompanionError. None: nowhere."""
        self._socket_path, self._find = socket_path, find
        self._held = socket_path.with_suffix(".live")
        self._log = log_path("live")
        self._leaving = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._supervise, name="live table", daemon=True)
        self.problem = ""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """May be called twice."""
        self._leaving.set()
        self._end()
        if self._thread.is_alive():
            self._thread.join(PARTING_S)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """0: it does not run now."""
        return self._process.pid if self._process else 0

    def _end(self) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(PARTING_S)
        except subprocess.TimeoutExpired:
            process.kill()

    def _supervise(self) -> None:
        lock = self._locked()
        try:
            self._keep()
        finally:
            if lock is not None:
                lock.release()

    def _locked(self) -> WriterLock | None:
        """Wait until no other screen publishes this table. None: we leave before that."""
        while not self._leaving.is_set():
            try:
                with appended(self._held):
                    pass
                return WriterLock(self._held)
            except (JournalError, OSError):
                self._leaving.wait(WAIT_S)
        return None

    def _keep(self) -> None:
        pause_s = PAUSE_S
        while not self._leaving.is_set():
            begun = time.monotonic()
            try:
                settings = self._find()
                if settings is None:
                    return
                self._run(settings)
            except CompanionError as error:
                self.problem = str(error)
            except OSError as error:
                self.problem = f"this table cannot be published: {error.strerror}"
            pause_s = PAUSE_S if time.monotonic() - begun > STEADY_S else min(pause_s * 2, LONGEST_PAUSE_S)
            self._leaving.wait(pause_s)

    def _run(self, settings: LiveSettings) -> None:
        """Start it, and take down what it says until it ends. Raises OSError."""
        order = msgspec.json.encode(LiveOrder(str(self._socket_path), settings))
        make_folder(self._log.parent, 0o700)
        with opened_log(self._log) as log:
            self._process = subprocess.Popen(
                [*PYTHON, "-m", "companion", "hall", "--piped"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        with self._process as process:
            assert process.stdin is not None
            assert process.stdout is not None
            if self._leaving.is_set():
                process.kill()
                return
            with suppress(OSError):  # it has died already, and its log says why
                process.stdin.write(order + b"\n")
                process.stdin.flush()
            for line in process.stdout:
                self.problem = line.decode(errors="replace").strip()
                if self.problem:
                    with suppress(OSError), appended(self._log) as log:
                        log.write(line)
