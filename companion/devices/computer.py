"""The computer under the table, as its files describe it: /dev, /proc, /sys.

The root of these is a parameter, so that a test can lay out any computer.
"""

import contextlib
import ipaddress
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from companion.devices.finding import Finding

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

MODEL = "proc/device-tree/model"
NO_PI = "run Companion on the Pi that this is wired to; on this computer `companion play` simulates a table"
LISTENING = "0A"
"""The state of a socket in /proc/net/tcp."""
PATIENCE_S = 5.0
"""How long a program may take that is asked something."""
POINT = 4
"""Which word of /proc/self/mountinfo is the place, counted from 0."""


def may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


class System:
    def __init__(
        self,
        root: Path = Path("/"),
        may: Callable[[Path], bool] = may_use,
        group_of: Callable[[Path], str] = Path.group,
    ) -> None:
        """`may`: whether we may read and write a file. `group_of`: who else may."""
        self._root = root
        self._may = may
        self._group_of = group_of

    @property
    def model(self) -> str:
        """ "Raspberry Pi 4 Model B Rev 1.5"; "" if unknown."""
        return self.text(MODEL).strip("\0\n ")

    @property
    def is_pi(self) -> bool:
        return "Raspberry Pi" in self.model

    @property
    def is_pi_5(self) -> bool:
        """The boards with the RP1 chip, to whose pins pigpio has no way."""
        return (
            re.search(r"Raspberry Pi (Compute Module )?5", self.model) is not None or "Raspberry Pi 500" in self.model
        )

    @property
    def release(self) -> tuple[str, int]:
        """How the system calls itself, and its number: "Debian GNU/Linux 13 (trixie)", 13."""
        told = dict(line.partition("=")[::2] for line in self.text("etc/os-release").splitlines())
        version = told.get("VERSION_ID", "").strip('"').partition(".")[0]
        return told.get("PRETTY_NAME", "an unknown system").strip('"'), int(version) if version.isdecimal() else 0

    def there(self, name: str) -> bool:
        """Whether a file like /dev/spidev0.0 exists."""
        return self.path(name).exists()

    def usable(self, name: str) -> bool:
        return self._may(self.path(name))

    def group(self, name: str) -> str:
        """The group that may use a file."""
        try:
            return self._group_of(self.path(name))
        except (KeyError, OSError):
            return ""

    def matching(self, folder: str, pattern: str) -> list[str]:
        """The files of a folder, by their whole names."""
        with contextlib.suppress(OSError):
            return sorted(f"{folder}/{path.name}" for path in self.path(folder).glob(pattern))
        return []

    def listening(self, port: int) -> list[Address]:
        """The addresses at which a program on this computer waits for connections to a port."""
        return [
            address
            for table in ("tcp", "tcp6")
            for address, at in sockets(self.text(f"proc/net/{table}"), LISTENING)
            if at == port
        ]

    def file_system(self, path: Path) -> str:
        """The kind of file system that a file is on: "ext4"; "" if unknown."""
        lies, kind = Path("/"), ""
        for point, each in mounts(self.text("proc/self/mountinfo")):
            if path.is_relative_to(point) and point.is_relative_to(lies):  # of two at one place the later one hides
                lies, kind = point, each
        return kind

    def path(self, name: str) -> Path:
        return self._root / name.removeprefix("/")

    def linked(self, name: str) -> str:
        """The last part of what a link leads to; "" if there is none."""
        try:
            return self.path(name).readlink().name
        except OSError:
            return ""

    def says(self, program: str, *words: str) -> str:
        """What a program of this computer prints; "" if it is not there, fails, or takes its time."""
        try:
            done = subprocess.run(
                [self.path(program), *words], capture_output=True, text=True, check=True, timeout=PATIENCE_S
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return ""
        return done.stdout

    def text(self, name: str) -> str:
        """ "" if it cannot be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def no_permission(subject: str, system: System, *files: str) -> Finding | None:
    """The first of these files that is there but closed to us, and how to get in."""
    for file in files:
        if system.there(file) and not system.usable(file):
            return Finding.problem(subject, f"no permission on {file}", _way_in(system.group(file)))
    return None


def _way_in(group: str) -> str:
    """Never the group root: its members may do much more than this."""
    if group in ("", "root"):
        return "it is root's alone here: `make install` brings a rule for it; then log out and in again"
    return f"`sudo usermod -aG {group} $USER`, then log out and in again"


def mounts(table: str) -> Iterator[tuple[Path, str]]:
    """Where something is mounted, and its kind, from a table like /proc/self/mountinfo: proc(5). Its fifth word is the
    place, with blanks and their like in octal; the kind is the first word behind the dash."""
    for line in table.splitlines():
        before, _, behind = line.partition(" - ")
        if len(words := before.split()) > POINT and behind.split():
            point = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), words[POINT])
            yield Path(point), behind.split()[0]


def sockets(table: str, state: str) -> Iterator[tuple[Address, int]]:
    """The local ends of all sockets in a table like /proc/net/tcp that are in this state.

    An address is written as 32-bit words in the order of the machine's memory, "0100007F:22B8" for 127.0.0.1:8888.
    """
    for line in table.splitlines()[1:]:
        match = re.match(r"\s*\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) [0-9A-F:]+ ([0-9A-F]{2}) ", line)
        if match and match[3] == state:
            raw = bytes.fromhex(match[1])
            words = [raw[at : at + 4][::-1] for at in range(0, len(raw), 4)]
            yield ipaddress.ip_address(b"".join(words)), int(match[2], 16)


def is_local(address: Address) -> bool:
    """Whether only this computer reaches it, even if it is an IPv4 address written as IPv6."""
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
