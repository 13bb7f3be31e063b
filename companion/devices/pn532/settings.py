"""The PN532 in table.toml: [[reader]] with kind = "pn532". All of its keys are checked here."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from companion.devices.reader_settings import FoundReader, ReaderPace, ReaderSettings, SimulatedReader
from companion.devices.tag_field import TagField
from companion.devices.usb_ports import is_open_elsewhere, usb_ports
from companion.devices.wired_part import AUTO, PATHS, Claim, Mistake, PortKey, port_claim, port_mistakes
from companion.stations import at

if TYPE_CHECKING:
    from companion.devices.computer import System
    from companion.devices.finding import Check


class Pn532Settings(ReaderSettings, frozen=True):
    kind: ClassVar[str] = "pn532"
    title: ClassVar[str] = "a PN532 on USB, or on the Pi's UART"
    # In each look it asks all tags again, many times over: half of the usual doubt is enough.
    pace: ClassVar[ReaderPace] = ReaderPace(look_s=0.002, misses=2, missing_ms=100, stalled_s=6.0)
    libraries: ClassVar[tuple[str, ...]] = ("serial",)

    port: PortKey = AUTO
    """Its path, as in /dev/companion/…; "auto": it is looked for."""

    @property
    def named_port(self) -> str | None:
        return None if self.port == AUTO else self.port

    def mistakes(self) -> Iterator[Mistake]:
        return port_mistakes(self.port)

    def claims(self) -> Iterator[Claim]:
        yield from ReaderSettings.claims(self)
        yield port_claim(self.port, f"the reader of {at(self.station)}")

    def comments(self) -> Mapping[str, str]:
        return {"port": f"{PATHS}; auto: it is looked for"}

    def opener(self) -> Callable[[], TagField]:
        from companion.devices.pn532.ports import pn532_on

        return pn532_on(self.named_port)

    def check(self, system: "System") -> "Check":
        from companion.devices.pn532.check import pn532_check

        return pn532_check(self, system)

    @classmethod
    def detect(cls, root: Path) -> FoundReader | None:
        """Anything may be behind a converter: only trying tells."""
        for port in usb_ports(root):
            if port.bridge and not is_open_elsewhere(port.path, root):
                return FoundReader(cls(), port.bridge, may_be="a PN532")
        return None

    def tried(self, root: Path) -> Self:
        """With its port, if that has to be said."""
        from companion.devices.pn532.driver import Pn532
        from companion.devices.pn532.ports import Pn532Finder

        finder = Pn532Finder(root, named=self.named_port)
        Pn532(finder).close()
        return type(self)(self.station, _port_to_name(finder.port, root))

    @classmethod
    def simulated(cls, folder: Path) -> SimulatedReader:
        from companion.devices.pn532.simulated_reader import SimulatedPn532

        return SimulatedPn532(folder / "pn532")


def _port_to_name(path: str, root: Path) -> str:
    """A reader with a serial number is known by it. One without is looked for in every socket; only if something else
    is plugged in that could be it as well, it is known by its socket."""
    could_be = [port for port in usb_ports(root) if port.bridge]
    found = next((port for port in could_be if port.path == path), None)
    if found is None or found.path == found.device:
        return AUTO
    return found.path if found.is_numbered or len(could_be) > 1 else AUTO
