"""What is plugged into this computer's USB, from the files in /dev and /sys. Nothing is opened here."""

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
PARENTS = 4
"""How many folders above a port's own to look for what it is plugged into."""
OURS, BY_ID, BY_PATH = "dev/companion", "dev/serial/by-id", "dev/serial/by-path"
"""Where udev keeps lasting names: ours from hardware/pi/70-companion.rules, and those that every Linux has."""
NUMBERED = "number-"
"""How those of our names begin that go by the converter's own number; others go by the socket."""
FACTORY_NUMBERS = ("0001",)
"""The serial number of every CP2102 from the factory: it identifies none."""


class PluggedPort(Struct, frozen=True):
    """A serial port on USB."""

    path: str
    """By a name that stays and that no other has: by its own number, else by its socket, else as the kernel has it."""
    device: str
    vendor: int
    product: int
    is_numbered: bool
    """The path is its number's: it stays the same in whichever socket."""

    @property
    def bridge(self) -> str:
        """The converter, if it is one of those; else ""."""
        return BRIDGES.get((self.vendor, self.product), "")


def usb_ports(root: Path = Path("/")) -> list[PluggedPort]:
    """Every serial port on USB, each once, in the order of their names."""
    devices = [root / "dev" / folder.name for folder in _listed(root / "sys/class/tty")]
    plugs = {device: plug for device in devices if device.exists() and (plug := _plug(device.name, root))}
    names = _names(root)
    found = []
    for device, plug in plugs.items():
        others = [other for at, other in plugs.items() if at != device]
        path, is_numbered = _lasting(names.get(_target(device), []), plug, others)
        found.append(PluggedPort(str(path or device), str(device), plug.vendor, plug.product, is_numbered))
    return sorted(found, key=lambda port: port.path)


def _names(root: Path) -> dict[Path, list[Path]]:
    """The names that udev gave to each device."""
    names: dict[Path, list[Path]] = {}
    for link in (link for folder in (OURS, BY_ID, BY_PATH) for link in _listed(root / folder)):
        names.setdefault(_target(link), []).append(link)
    return names


def _lasting(names: list[Path], plug: "_Plug", others: "list[_Plug]") -> tuple[Path | None, bool]:
    """A name that stays and is this port's alone, and whether it is its number's. All CH340 share one name in by-id,
    which leads to any of them; all CP2102 as they come share one by their number. Then the socket tells them apart."""
    known = plug.number and plug.number not in FACTORY_NUMBERS
    numbers, sockets = [], []
    for name in names:
        if name.name.startswith(NUMBERED) and name.parent.name == Path(OURS).name:
            numbers += [name] if known and all(plug.number != other.number for other in others) else []
        elif name.parent.name == Path(BY_ID).name:
            numbers += [name] if known and not any(map(plug.looks_like, others)) else []
        else:
            sockets.append(name)
    return next(iter(numbers + sockets), None), bool(numbers)


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


class _Plug(Struct, frozen=True):
    """What a port is on."""

    folder: Path
    vendor: int
    product: int
    number: str
    """Its serial number; "" if it has none."""

    def looks_like(self, other: "_Plug") -> bool:
        """Another converter that says exactly the same of itself."""
        same = (self.vendor, self.product, self.number) == (other.vendor, other.product, other.number)
        return same and self.folder != other.folder


def _plug(name: str, root: Path) -> _Plug | None:
    """What a port is on; None: it is not on USB."""
    with suppress(OSError, ValueError):
        folder = (root / "sys/class/tty" / name / "device").resolve(strict=True)
        for place in (folder, *list(folder.parents)[:PARENTS]):
            if (place / "idVendor").exists():
                vendor, product = (int((place / end).read_text(), 16) for end in ("idVendor", "idProduct"))
                return _Plug(place, vendor, product, _number(place))
    return None


def _number(place: Path) -> str:
    with suppress(OSError, ValueError):
        return (place / "serial").read_text(encoding="utf-8", errors="replace").strip()
    return ""
