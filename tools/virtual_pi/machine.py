"""A guest under QEMU: a command line into it, its screen as a picture, its plugs, its power switch."""

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

BOOT_S = 600.0
"""A busy machine emulates slowly; an idle one needs half a minute."""


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Guest:
    """One that runs. `run` does something in it, `picture` shows what is on its screen."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: Path) -> None:
        self._process, self._folder = process, folder
        self._control = _Lines(folder / "control")
        self._control.read()  # greets
        self._ask("qmp_capabilities")
        self._agent = _Lines(folder / "agent")

    def run(self, command: str, user: str = "", within_s: float = 300.0) -> Answer:
        self._agent.write({"command": command, "user": user})
        told = self._agent.read(within_s)
        return Answer(told["status"], told["out"], told["err"])

    def must(self, command: str, user: str = "", within_s: float = 300.0) -> str:
        """What it says, if it goes well."""
        answer = self.run(command, user, within_s)
        if answer.status:
            raise AssertionError(f"{command}: {answer.status}\n{answer.out[-2000:]}{answer.err[-2000:]}")
        return answer.out

    def picture(self, file: Path) -> Path:
        """A PNG, or a PPM where this QEMU knows no other."""
        self._ask("screendump", filename=str(file), format="png")
        return file

    def plug(self, **device: object) -> None:
        self._ask("device_add", **device)

    def unplug(self, name: str) -> None:
        self._ask("device_del", id=name)

    def cut_power(self) -> None:
        """Without a word to anybody inside."""
        self._process.kill()
        self._process.wait()

    def _ask(self, command: str, **arguments: object) -> Any:
        self._control.write({"execute": command, "arguments": arguments})
        while True:
            told = self._control.read()
            if "error" in told:
                raise AssertionError(f"{command}: {told['error']}")
            if "return" in told:
                return told["return"]


class _Lines:
    """A socket that carries JSON, line by line."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        deadline = time.monotonic() + 30
        while True:
            try:
                self._socket.connect(str(path))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self._heard = b""

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


@contextmanager
def booted(image: Path, shares: dict[str, Path], *, memory_mb: int = 1536) -> Iterator[Guest]:
    """`image`: a folder with disk.qcow2, vmlinuz and initrd. `shares`: what the guest mounts, by its tag."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = subprocess.Popen(_command(image, folder, shares, memory_mb), stdin=subprocess.DEVNULL)
        try:
            guest = Guest(process, folder)
            guest.must("true", within_s=BOOT_S)
            yield guest
        finally:
            with suppress(OSError):
                process.kill()
            process.wait()


def _command(image: Path, folder: Path, shares: dict[str, Path], memory_mb: int) -> list[str]:
    shared = [
        f"local,path={path},mount_tag={tag},security_model=none,readonly=on,multidevs=remap"
        for tag, path in shares.items()
    ]
    return [
        *("qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2"),
        *("-m", str(memory_mb), "-display", "none", "-vga", "virtio", "-nic", "none"),
        *("-kernel", str(image / "vmlinuz"), "-initrd", str(image / "initrd")),
        *(
            "-append",
            "root=/dev/vda rw console=ttyS0 console=tty0 loglevel=4 systemd.show_status=1 mitigations=off",
        ),
        *("-serial", f"file:{folder}/serial"),
        *("-drive", f"file={image}/disk.qcow2,if=virtio,cache=writeback"),
        *("-qmp", f"unix:{folder}/control,server=on,wait=off"),
        *("-device", "virtio-serial", "-chardev", f"socket,id=agent,path={folder}/agent,server=on,wait=off"),
        *("-device", "virtserialport,chardev=agent,name=companion", "-device", "qemu-xhci"),
        *(word for share in shared for word in ("-virtfs", share)),
    ]
