"""Lets phones come to a table: their server in a process of its own, kept at work, with codes that only we know.

The server is told its codes on its standard input, and reports on its standard output who has come: nothing of it is in
a file or on a command line. It ends when we do.
"""

import importlib.util
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.config import find_table
from companion.errors import ConfigError, LinkError
from companion.files import appended, load_end, make_folder
from companion.home.paths import home, log_path
from companion.messages.phones import PORT, ForServer, FromServer, PhonesOffer, Wifi
from companion.services.addresses import addresses, is_own
from companion.web.guests import moved_along, new_code, new_codes

SEATS = 12
"""More than any game has; a code that is never shown is worth nothing."""
NEEDED = ("aiohttp", "segno")
START_S = 20.0
"""How long the server may take to start on a slow machine."""
PARTING_S = 5.0
RESTARTS, RESTARTS_WITHIN_S = 5, 30.0
"""More often than this, and starting the server again will not help."""
TAIL = 4096

_decoder = msgspec.json.Decoder(FromServer)


class PhonesWish(Struct, frozen=True):
    """What was said about phones. No address: the one where others find this machine."""

    address: str = ""
    port: int = PORT
    tls: bool = False


def missing() -> list[str]:
    """What has to be installed before phones can come."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def chosen_address(wish: PhonesWish) -> str:
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
        raise LinkError("this computer is in no network: join a Wi-Fi or make one (docs/phones.md), then try again")
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
    """`PhonesDesk` for whichever table people have gone to. `wanted`: somebody has already asked for phones."""

    def __init__(self, wish: PhonesWish, *, wanted: bool = False) -> None:
        self._wish, self.wanted = wish, wanted
        self._keeper: PhonesKeeper | None = None

    def go_to(self, evening: Path) -> None:
        """Raises LinkError if phones are wanted and cannot come."""
        self.leave()
        self._keeper = PhonesKeeper(evening, self._wish, wifi())
        if self.wanted:
            self._keeper.open()

    def check(self) -> None:
        """Whether phones could come at all, asked before an evening is begun. Raises LinkError."""
        chosen_address(self._wish)

    def leave(self) -> None:
        if self._keeper is not None:
            self._keeper.stop()
            self._keeper = None

    def open(self) -> None:
        if self._keeper is None:
            raise LinkError("phones can come when there is a table")
        self._keeper.open()

    def offer(self) -> PhonesOffer | None:
        return self._keeper.offer() if self._keeper else None

    def renew(self, seat: int) -> None:
        if self._keeper is not None:
            self._keeper.renew(seat)

    @property
    def problem(self) -> str:
        return self._keeper.problem if self._keeper else ""


class PhonesKeeper:
    """`companion.messages.phones.PhonesDesk` for one table."""

    def __init__(self, evening: Path, wish: PhonesWish, wifi: Wifi | None = None) -> None:
        self._evening, self._wish, self._wifi = evening, wish, wifi
        self._codes = new_codes(range(SEATS))
        self._process: subprocess.Popen[bytes] | None = None
        self._said: FromServer | None = None
        self._listening = threading.Event()
        self._leaving = False
        self._keeper: threading.Thread | None = None
        self._log = log_path(f"{evening.stem}-phones")
        self.problem = ""

    # --- Opening and closing ----------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the server and wait until it listens. Raises LinkError."""
        if self._keeper is not None and self._keeper.is_alive():
            return
        self._wish = msgspec.structs.replace(self._wish, address=chosen_address(self._wish))
        self.problem, self._leaving = "", False
        self._listening.clear()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()
        self._listening.wait(START_S)
        if self._said is None:
            self.stop()
            raise LinkError(self.problem or "the phones' server does not answer")

    def stop(self) -> None:
        """May be called twice."""
        self._leaving = True
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(PARTING_S)
            if process.poll() is None:
                process.kill()
        if self._keeper is not None and self._keeper is not threading.current_thread():
            self._keeper.join(PARTING_S)
        self._said = None

    def offer(self) -> PhonesOffer | None:
        said = self._said
        if said is None:
            return None
        links = {chair: f"{said.url}/#{code}" for chair, code in self._codes.items()}
        return PhonesOffer(said.url, links, said.counts, self._wifi, self._wish.tls)

    def renew(self, seat: int) -> None:
        if seat in self._codes:
            self._codes[seat] = new_code()
            self._tell({seat: self._codes[seat]})

    # --- The process ------------------------------------------------------------------------------------------

    def _tell(self, codes: dict[int, str]) -> None:
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError, ValueError):  # one that has just died is told all codes when it starts again
                process.stdin.write(msgspec.json.encode(ForServer(codes)) + b"\n")
                process.stdin.flush()

    def _keep(self) -> None:
        starts: list[float] = []
        while not self._leaving:
            starts = [start for start in starts if time.monotonic() - start < RESTARTS_WITHIN_S]
            if len(starts) > RESTARTS or (starts and self._said is None):
                self.problem, self._said = self._last_words(), None
                break
            starts.append(time.monotonic())
            try:
                self._process = self._start()
            except OSError as error:
                self.problem = f"the phones' server cannot be started: {error.strerror}"
                break
            self._tell(dict(self._codes))
            self._hear(self._process)
        self._listening.set()

    def _hear(self, process: "subprocess.Popen[bytes]") -> None:
        """Until it ends."""
        assert process.stdout is not None
        assert process.stdin is not None
        with process.stdout as said:
            for line in said:
                with suppress(msgspec.MsgspecError):
                    self._said = _decoder.decode(line)
                    self._codes = moved_along(self._codes, self._said.moved)
                    self._wish = msgspec.structs.replace(self._wish, port=int(self._said.url.rpartition(":")[2]))
                    self._listening.set()
        process.wait()
        with suppress(OSError):
            process.stdin.close()

    def _start(self) -> "subprocess.Popen[bytes]":
        make_folder(self._log.parent, 0o700)
        arguments = ["phones", str(self._evening), "--piped", "--address", self._wish.address]
        arguments += ["--port", str(self._wish.port), *(["--tls"] if self._wish.tls else [])]
        with appended(self._log) as log:
            return subprocess.Popen(
                [sys.executable, "-m", "companion", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )

    def _last_words(self) -> str:
        with suppress(OSError):
            lines = load_end(self._log, TAIL).decode(errors="replace").split("\n")
            said = [line.strip() for line in lines if line.strip()]
            if said:
                return said[-1].removeprefix("companion: ")
        return "the phones' server stopped again and again"
