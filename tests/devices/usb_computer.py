"""A computer with things on its USB, as its files tell it."""

from pathlib import Path

CH340 = (0x1A86, 0x7523)
ARDUINO = (0x2341, 0x0043)


class UsbComputer:
    """/dev and /sys below a folder. What is plugged in may be a link to a real pseudo-terminal."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("dev/serial/by-id", "sys/class/tty", "sys/devices", "proc"):
            (root / folder).mkdir(parents=True, exist_ok=True)

    def plug(self, name: str, ids: tuple[int, int], target: Path | None = None, lasting: str = "") -> Path:
        """A port like ttyUSB0. Its path, as it is found: by its lasting name, if it has one."""
        device = self.root / "dev" / name
        if target is None:
            device.write_bytes(b"")
        else:
            device.symlink_to(target)
        plug = self.root / "sys/devices" / f"usb-{name}"
        folder = plug / "1.0" / name
        folder.mkdir(parents=True)
        (plug / "idVendor").write_text(f"{ids[0]:04x}\n")
        (plug / "idProduct").write_text(f"{ids[1]:04x}\n")
        (self.root / "sys/class/tty" / name).mkdir()
        (self.root / "sys/class/tty" / name / "device").symlink_to(folder)
        if not lasting:
            return device
        link = self.root / "dev/serial/by-id" / lasting
        link.symlink_to(device)
        return link

    def unplug(self, name: str) -> None:
        (self.root / "dev" / name).unlink()
        (self.root / "sys/class/tty" / name / "device").unlink()
        (self.root / "sys/class/tty" / name).rmdir()
        for link in (self.root / "dev/serial/by-id").iterdir():
            if not link.exists():
                link.unlink()

    def opened_by(self, process: int, port: Path) -> None:
        """Another program has it."""
        folder = self.root / f"proc/{process}/fd"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "3").symlink_to(port.resolve())
