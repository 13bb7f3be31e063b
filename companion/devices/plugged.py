"""What is plugged into this computer's USB, as its files tell it: /dev and /sys. Nothing is opened here."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

BRIDGES = {
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x5523): "CH341",
    (0x1A86, 0x55D3): "CH343",
    (0x1A86, 0x55D4): "CH9102",
    (0x10C4, 0xEA60): "CP210x",
    (0x0403, 0x6001): "FT232",
    (0x0403, 0x6015): "FT231X",
    (0x067B, 0x2303): "PL2303",
}
"""The converters that PN532 boards come with. Satellites, printers and many other things have them, too."""
BY_ID = "dev/serial/by-id"
PARENTS = 4
"""How many folders above a port's own to look for what it is plugged into."""


class PluggedPort(Struct, frozen=True):
    """A serial port on USB."""

    path: str
    """By its name in /dev/serial/by-id where there is one: that stays the same."""
    device: str
    vendor: int
    product: int

    @property
    def bridge(self) -> str:
        """The converter, if it is one of those; else ""."""
        return BRIDGES.get((self.vendor, self.product), "")


def usb_ports(root: Path = Path("/")) -> list[PluggedPort]:
    """Every serial port on USB, in the order of their names."""
    lasting = {_target(link): link for link in _listed(root / BY_ID)}
    found = []
    for folder in _listed(root / "sys/class/tty"):
        device = root / "dev" / folder.name
        numbers = _numbers(folder / "device")
        if numbers and device.exists():
            found.append(PluggedPort(str(lasting.get(device.resolve(), device)), str(device), *numbers))
    return sorted(found, key=lambda port: port.path)


def is_open_elsewhere(port: str, root: Path = Path("/")) -> bool:
    """Whether another program has this port open, as far as this user may know. Not every program locks it."""
    with suppress(OSError):
        wanted = str(Path(port).resolve())
        return any(wanted == target for target in _open_files(root / "proc"))
    return False


def _open_files(processes: Path) -> Iterator[str]:
    own = str(os.getpid())
    for process in _listed(processes):
        if process.name.isdecimal() and process.name != own:
            for descriptor in _listed(process / "fd"):
                with suppress(OSError):
                    yield str(descriptor.readlink())


def _listed(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.iterdir())
    return []


def _target(link: Path) -> Path:
    with suppress(OSError):
        return link.resolve()
    return link


def _numbers(device: Path) -> tuple[int, int] | None:
    """Vendor and product of what a port is on; None: it is not on USB."""
    with suppress(OSError, ValueError):
        folder = device.resolve(strict=True)
        for place in (folder, *list(folder.parents)[:PARENTS]):
            if (place / "idVendor").exists():
                return int((place / "idVendor").read_text(), 16), int((place / "idProduct").read_text(), 16)
    return None
