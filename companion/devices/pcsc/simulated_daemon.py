"""The real pcscd, for this process alone, with the virtual reader of the Debian package vsmartcard-vpcd.

pcscd has one fixed place for its socket, so it runs in a mount namespace of its own, where that place is a folder of
ours; the client library is told where by PCSCLITE_CSOCK_NAME. A service that runs on this computer is neither used nor
disturbed. The library remembers the place for as long as a process lives: so there is one folder a process.
"""

import atexit
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from companion.errors import DeviceError

DRIVER = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
"""Source: the files of Debian's package vsmartcard-vpcd."""
NAME = "Virtual PCD PICC"
"""Source: ours; the driver's own reader.conf calls it "Virtual PCD". PICC stands for contactless (PC/SC part 3)."""
START_S = 15.0
"""Source: none, ample."""
PORTS = range(20_000, 32_000)
"""Source: ip_local_port_range of Linux begins at 32,768 (kernel documentation, ip-sysctl)."""
SLOTS = 2
"""The driver listens on so many ports, one after the other, each of them a reader. Source: its
build option --enable-vpcdslots, 2 if it is not given."""
SCRIPT = """\
mkdir -p /run/pcscd && mount --bind "$1" /run/pcscd || exit
pcscd --foreground --config "$2" &
read -r _
kill -KILL $!
"""
"""It ends with the process that started it, in every case: then there is nothing more to read. Source: pcscd(8), and
its fixed folder /run/pcscd in Debian's build."""
NEEDED = "the real pcscd with a virtual reader: sudo apt install pcscd vsmartcard-vpcd"
"""What is told where something is missing. Source: Debian's packages."""


def missing() -> str:
    """Why pcscd cannot be run here; "": it can."""
    if shutil.which("pcscd", path=_path()) is None or not DRIVER.exists():
        return f"needs {NEEDED}"
    command = [*_apart(), "true"]
    if shutil.which("unshare") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        return "needs to be root, or to be allowed a mount namespace of its own (unshare), to run a pcscd apart"
    return ""


class Pcscd:
    """Starts and ends at will. May be called from any thread, one at a time."""

    def __init__(self) -> None:
        """Raises DeviceError if pcscd cannot be run here."""
        if why := missing():
            raise DeviceError(why)
        self._folder = _own_folder()
        self.port = _free_ports()
        self._config = self._folder / "readers"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, reader: bool = True) -> None:
        """With its reader, or without. One that runs goes on."""
        if self._process is not None:
            return
        self._config.write_text(_reader(self.port) if reader else "")
        run = self._folder / "run"
        shutil.rmtree(run, ignore_errors=True)
        run.mkdir()
        self._process = subprocess.Popen(
            [*_apart(), "sh", "-c", SCRIPT, "pcscd", str(run), str(self._config)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PATH": _path()},
            start_new_session=True,
        )
        self._wait_until_it_listens()

    def _wait_until_it_listens(self) -> None:
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process and self._process.poll() is None:
            if self._listens():
                return
            time.sleep(0.01)
        self.kill()
        raise DeviceError("pcscd did not start")

    def _listens(self) -> bool:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self._folder / "run" / "pcscd.comm"))
            return True
        return False

    def kill(self) -> None:
        """As SIGKILL does. Twice is as good as once."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            while self._listens():  # it is no child of ours, so we cannot wait for it
                time.sleep(0.001)

    def silence(self) -> None:
        """As SIGSTOP does: connections are still taken, and not answered."""
        self._signal(signal.SIGSTOP)

    def speak(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, number)


def _reader(port: int) -> str:
    return f'FRIENDLYNAME "{NAME}"\nDEVICENAME /dev/null:0x{port:X}\nLIBPATH {DRIVER}\nCHANNELID 0x{port:X}\n'


def _apart() -> list[str]:
    """What runs a command in a mount namespace of its own."""
    return ["unshare", *(["--map-root-user"] if os.getuid() else []), "--mount"]


def _path() -> str:
    """pcscd is where a user does not look."""
    return f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin"


def _free_ports() -> int:
    """The first of as many as are needed, all of them free at this moment. None that the system gives to
    clients: a card that looks for a daemon which is not there would at last reach itself."""
    while True:
        port = PORTS.start + secrets.randbelow(len(PORTS))
        with ExitStack() as held, suppress(OSError):
            for number in range(SLOTS):
                held.enter_context(socket.socket()).bind(("127.0.0.1", port + number))
            return port


_folders: dict[int, Path] = {}
"""By process: a child gets one of its own."""


def _own_folder() -> Path:
    """Known to the client library from its first call on."""
    if os.getpid() not in _folders:
        folder = Path(tempfile.mkdtemp(prefix="companion-pcscd-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["PCSCLITE_CSOCK_NAME"] = str(folder / "run" / "pcscd.comm")
        _folders[os.getpid()] = folder
    return _folders[os.getpid()]
