"""The RC522 in table.toml: [[reader]] with kind = "rc522". All of its keys are checked here.

What is left out is as kit one is wired (hardware/kit-one.md).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from companion.devices.gpio.header_pins import HEADER, KIT_ONE, SPI, selects
from companion.devices.gpio.settings import NUMBER, pin_claim, pin_comment
from companion.devices.reader_settings import ReaderSettings, SimulatedReader
from companion.devices.tag_field import TagField
from companion.devices.wired_part import Claim, Mistake
from companion.stations import at

if TYPE_CHECKING:
    from companion.devices.computer import System
    from companion.devices.finding import Check


class Rc522Settings(ReaderSettings, frozen=True):
    kind: ClassVar[str] = "rc522"
    title: ClassVar[str] = "an RC522 on the Pi's SPI bus"
    libraries: ClassVar[tuple[str, ...]] = ("mfrc522",)

    bus: Annotated[int, NUMBER, Meta(description="the number of an SPI bus: 0 or 1")] = 0
    device: Annotated[int, NUMBER, Meta(description="the number of a chip-select: 0, 1 or 2")] = 0
    """/dev/spidev<bus>.<device>"""
    reset: Annotated[int, NUMBER, Meta(description="the BCM number of a pin, as in reset = 25")] = KIT_ONE["reset"]

    def mistakes(self) -> Iterator[Mistake]:
        if self.bus not in SPI:
            words = f"there is no SPI bus {self.bus} for readers; take {' or '.join(map(str, SPI))}"
            yield Mistake(("bus",), words)
        elif self.device >= selects(self.bus):
            words = f"SPI bus {self.bus} has no device {self.device}; take one from 0 to {selects(self.bus) - 1}"
            yield Mistake(("device",), words)

    def claims(self) -> Iterator[Claim]:
        yield from ReaderSettings.claims(self)
        user = f"the reader of {at(self.station)}"
        refusal = "{user} (line {line}) has this bus and device already; each reader needs a device of its own"
        yield Claim("SPI device", (self.bus, self.device), ("device",), user, refusal)
        yield pin_claim("reset", self.reset, f"the reset of {user}")

    def shared_pins(self) -> Mapping[int, str]:
        where = f"where the reader of {at(self.station)} is"
        return {pin: f"SPI bus {self.bus} ({signal}), {where}" for signal, pin in SPI.get(self.bus, {}).items()}

    def comments(self) -> Mapping[str, str]:
        select = SPI[self.bus][f"CE{self.device}"]
        return {
            "bus": f"/dev/spidev{self.bus}.{self.device}",
            "device": f"chip-select CE{self.device}: GPIO{select}, header pin {HEADER[select]}",
            "reset": pin_comment(self.reset),
        }

    def opener(self) -> Callable[[], TagField]:
        from companion.devices.rc522.driver import Rc522

        return partial(Rc522, self.bus, self.device, self.reset)

    def check(self, system: "System") -> "Check":
        from companion.devices.rc522.check import rc522_check

        return rc522_check(self, system)

    @classmethod
    def simulated(cls, folder: Path) -> SimulatedReader:
        from companion.devices.rc522.simulated_reader import SimulatedRc522

        return SimulatedRc522(cls())
