"""A guest under QEMU: a command line into it, its screen as a picture, its plugs, its power switch."""

import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tools.virtual_pi.workshop import Workshop

BOOT_S = 900.0
"""A busy machine emulates slowly; an idle one needs half a minute."""
USER = "anna"
SLOWER = 5
"""So many of our seconds are one of the guest's: see slow_clock.c."""
VMLINUZ, INITRD, TREE = "vmlinuz", "initrd", "pi.dtb"
"""What it starts from, beside its disk."""
PORTS = ("agent", "header", "hands")
"""Lines between inside and outside, by the names that they have in /dev/virtio-ports…"""
BUS = "spi"
"""…and the one that guest/vspi.c takes for itself."""
PANEL, KEYBOARD = ("-device", "virtio-gpu-pci"), ("-device", "virtio-keyboard-pci")
USB = ("-device", "qemu-xhci,id=usb,p2=8,p3=8")


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Guest:
    """One that runs. `run` does something in it, `picture` shows what is on its screen."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: Path, slower: int) -> None:
        self._process, self._folder, self.slower = process, folder, slower
        self._control = _Lines(connected(folder / "control"))
        self._control.read()  # greets
        self._ask("qmp_capabilities")
        self._agent = _Lines(connected(folder / "agent"))
        self._asked = 0

    def port(self, name: str) -> socket.socket:
        """The outer end of a line, for the simulated part at it."""
        return connected(self._folder / name)

    def run(self, command: str, user: str = "", within_s: float = 600.0) -> Answer:
        """Raises TimeoutError. What comes later than that is known by its number, and dropped."""
        self._asked += 1
        number = f"answer {self._asked}"
        self._agent.write({"command": f"trap 'echo {number} >&2' EXIT\n{command}", "user": user})
        while True:
            told = self._agent.read(within_s)
            err, sign, _ = told["err"].rpartition(number)
            if sign:
                return Answer(told["status"], told["out"], err)

    def must(self, command: str, user: str = "", within_s: float = 600.0) -> str:
        """What it says, if it goes well."""
        answer = self.run(command, user, within_s)
        if answer.status:
            raise AssertionError(f"{command}: {answer.status}\n{answer.out[-2000:]}{answer.err[-2000:]}")
        return answer.out

    def awaits(self, command: str, user: str = "", within_s: float = 600.0) -> str:
        """What it says as soon as it succeeds, even if it restarts meanwhile and forgets the command."""
        deadline = time.monotonic() + within_s
        while True:
            try:
                answer = self.run(command, user, within_s=60.0)
            except TimeoutError:
                answer = Answer(-1, "", "it says nothing")
            if not answer.status:
                return answer.out
            if time.monotonic() > deadline:
                raise AssertionError(f"{command}: still {answer.status}\n{answer.out[-2000:]}{answer.err[-2000:]}")
            time.sleep(0.5)

    def picture(self, file: Path) -> Path:
        """A PPM: while QEMU packs a PNG, the guest stands still."""
        self._ask("screendump", filename=str(file))
        return file

    def key(self, *names: str) -> None:
        """Keys of its keyboard, one after the other, by QEMU's names: "ret", "a", "f1"."""
        for name in names:
            self._ask("send-key", keys=[{"type": "qcode", "data": name}])

    def plug(self, line: Path, number: int) -> None:
        """A converter from USB to this serial line, into the socket of this number."""
        self._ask("chardev-add", id="line", backend={"type": "serial", "data": {"device": str(line)}})
        self._ask("device_add", driver="usb-serial", chardev="line", id="satellite", bus="usb.0", port=str(number))

    def unplug(self) -> None:
        self._ask("device_del", id="satellite")
        deadline = time.monotonic() + 30
        while True:
            try:
                self._ask("chardev-remove", id="line")
                return
            except AssertionError:  # the guest has not let it go yet
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def keep(self, name: str) -> None:
        """Remember everything, memory and disk, as it is now."""
        said = self._ask("human-monitor-command", **{"command-line": f"savevm {name}"})
        if said:
            raise AssertionError(said)

    def spent_s(self) -> float:
        """How much of our processors it has had so far. A busy machine makes it slower, and this no larger."""
        words = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")

    def switch_off(self) -> None:
        """QEMU ends in order, with all its logs."""
        self._ask("quit")
        self._process.wait(60)

    def cut_power(self) -> None:
        """Without a warning to the system inside."""
        self._process.kill()
        self._process.wait()

    def _ask(self, command: str, **arguments: object) -> Any:
        self._control.write({"execute": command, "arguments": arguments})
        while True:
            told = self._control.read(300.0)
            if "error" in told:
                raise AssertionError(f"{command}: {told['error']}")
            if "return" in told:
                return told["return"]


def connected(path: Path) -> socket.socket:
    """Even if it takes a while until the other end listens."""
    deadline = time.monotonic() + 30
    while True:
        end = socket.socket(socket.AF_UNIX)
        try:
            end.connect(str(path))
            return end
        except OSError:
            end.close()
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class _Lines:
    """A socket that carries JSON, line by line."""

    def __init__(self, end: socket.socket) -> None:
        self._socket, self._heard = end, b""

    def write(self, what: object) -> None:
        self._socket.sendall(json.dumps(what).encode() + b"\n")

    def read(self, within_s: float = 60.0) -> Any:
        self._socket.settimeout(within_s)
        while b"\n" not in self._heard:
            piece = self._socket.recv(65536)
            if not piece:
                raise AssertionError("the guest has gone")
            self._heard += piece
        line, _, self._heard = self._heard.partition(b"\n")
        return json.loads(line)


class Start(NamedTuple):
    """How it comes up: from its disk, or from what was kept under a name; and with which disks besides."""

    kept: str = ""
    words: str = ""
    """More for the kernel's command line."""
    disks: Sequence[str] = ()
    """-drive and -blockdev, as QEMU wants them."""
    slower: int = SLOWER
    """How many of our seconds are one of its own."""
    listens: bool = True
    """Whether an agent inside obeys commands: then start-up waits for it."""
    bare: bool = False
    """Without panel, keyboard and USB."""
    keyboard: bool = True


FROM_DISK = Start()
TRUSTING = "mitigations=off kpti=off init_on_alloc=0 hardened_usercopy=off cryptomgr.notests cgroup_disable=memory"
"""There is no spy inside, and trying each cipher costs the kernel a second at every start. The last is what a Pi's
firmware says, too."""


class Disks(NamedTuple):
    image: Path
    """A folder with what it starts from, and slow_clock.so."""
    workshop: Workshop
    own: Path
    """What the guest starts from, and writes to…"""
    card: Path
    """…and what it finds on its second disk."""


@contextmanager
def switched_on(disks: Disks, start: Start = FROM_DISK) -> Iterator[Guest]:
    with tempfile.TemporaryDirectory(prefix="companion-guest-") as name:
        folder = Path(name)
        slowed = {"LD_PRELOAD": str(disks.image / "slow_clock.so"), "SLOWER": str(start.slower)}
        surroundings = os.environ | disks.workshop.surroundings() | slowed
        process = subprocess.Popen(_command(disks, folder, start), stdin=subprocess.DEVNULL, env=surroundings)
        try:
            guest = Guest(process, folder, start.slower)
            if start.listens:
                guest.must("true", within_s=BOOT_S)
            yield guest
        finally:
            with suppress(OSError):
                process.kill()
            process.wait()


def _command(disks: Disks, folder: Path, start: Start) -> list[str]:
    said = f"root=/dev/vda rw console=ttyAMA0 console=tty0 loglevel=4 {TRUSTING} {start.words}"
    image = disks.image
    return [
        *(*disks.workshop.qemu(), "-accel", "tcg,thread=multi", "-dtb", str(image / TREE)),
        *("-kernel", str(image / VMLINUZ), "-initrd", str(image / INITRD), "-append", said),
        *("-display", "none", "-nic", "none", *(() if start.bare else PANEL)),
        *(KEYBOARD if start.keyboard and not start.bare else ()),
        *("-serial", f"file:{disks.own}.log", "-qmp", f"unix:{folder}/control,server=on,wait=off"),
        *("-drive", f"file={disks.own},if=virtio,cache=writeback"),
        *("-drive", f"file={disks.card},if=virtio,format=raw,readonly=on"),
        *(*_lines(folder, "virtconsole", (BUS,)), *_lines(folder, "virtserialport", PORTS)),
        *(() if start.bare else USB),
        *start.disks,
        *(("-loadvm", start.kept) if start.kept else ()),
    ]


def _lines(folder: Path, kind: str, names: Sequence[str]) -> Iterator[str]:
    """A device with a socket out here for each of its lines. All who listen at one device wake up when anything comes
    over it: so the bus has one of its own. Without ioeventfd, because the kernel waits busily until what it says has
    been taken, and that had better be at once."""
    yield from ("-device", f"virtio-serial-pci,id={kind},ioeventfd=off")
    for name in names:
        yield from ("-chardev", f"socket,id={name},path={folder}/{name},server=on,wait=off")
        yield from ("-device", f"{kind},bus={kind}.0,chardev={name},name={name}")
