"""A computer with things on its USB, as its files tell it."""

from pathlib import Path

CH340 = (0x1A86, 0x7523)
CP2102 = (0x10C4, 0xEA60)
ARDUINO = (0x2341, 0x0043)
NAMES = ("dev/companion", "dev/serial/by-id", "dev/serial/by-path")


class UsbComputer:
    """/dev and /sys below a folder. What is plugged in may be a link to a real pseudo-terminal."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in (*NAMES, "sys/class/tty", "sys/devices", "proc"):
            (root / folder).mkdir(parents=True, exist_ok=True)

    def plug(
        self, name: str, ids: tuple[int, int], target: Path | None = None, lasting: str = "", number: str = ""
    ) -> Path:
        """A port like ttyUSB0. Its path, as it is found: by its name in by-id, if it has one and a number with it."""
        device = self.converter(name, ids, number)
        if target is None:
            device.write_bytes(b"")
        else:
            device.symlink_to(target)
        if not lasting:
            return device
        link = self.call(f"dev/serial/by-id/{lasting}", device)
        return link if number else device

    def converter(self, name: str, ids: tuple[int, int], number: str = "") -> Path:
        """What the kernel says of it. The port is there as soon as it is plugged in."""
        plug = self.root / "sys/devices" / f"usb-{name}"
        folder = plug / "1.0" / name
        folder.mkdir(parents=True)
        (plug / "idVendor").write_text(f"{ids[0]:04x}\n")
        (plug / "idProduct").write_text(f"{ids[1]:04x}\n")
        if number:
            (plug / "serial").write_text(f"{number}\n")
        (self.root / "sys/class/tty" / name).mkdir()
        (self.root / "sys/class/tty" / name / "device").symlink_to(folder)
        return self.root / "dev" / name

    def call(self, name: str, device: Path) -> Path:
        """Udev's name for a port. Of several ports that get the same, the last one has it."""
        link = self.root / name
        link.unlink(missing_ok=True)
        link.symlink_to(device)
        return link

    def unplug(self, name: str) -> None:
        (self.root / "dev" / name).unlink()
        (self.root / "sys/class/tty" / name / "device").unlink()
        (self.root / "sys/class/tty" / name).rmdir()
        for link in (link for folder in NAMES for link in (self.root / folder).iterdir()):
            if not link.exists():
                link.unlink()

    def opened_by(self, process: int, port: Path) -> None:
        """Another program has it."""
        folder = self.root / f"proc/{process}/fd"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "3").symlink_to(port.resolve())
