"""A reader that speaks Zaparoo's simple serial protocol: [[reader]] with kind = "zaparoo" in table.toml.

This class is all that Companion asks of a kind of reader. `driver.py` reads the line; `simulated.py` writes one.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from companion.devices.reader_settings import ReaderPace, ReaderSettings, SimulatedReader
from companion.devices.tag_field import TagField
from companion.devices.wired_part import Claim, Mistake, port_claim
from companion.stations import at


class ZaparooSettings(ReaderSettings, frozen=True, kw_only=True):
    kind: ClassVar[str] = "zaparoo"
    title: ClassVar[str] = "a reader with Zaparoo's simple serial protocol"
    # A look waits for news by itself. The driver has already waited a second before it misses a tag.
    pace: ClassVar[ReaderPace] = ReaderPace(look_s=0.0, misses=2, missing_ms=50)
    sees_several: ClassVar[bool] = False
    libraries: ClassVar[tuple[str, ...]] = ("serial",)

    port: Annotated[str, Meta(description='a path in quotes, as in "/dev/ttyACM0"')]
    """Any board can speak this protocol, and none says so: the port has to be named."""

    @classmethod
    def example(cls) -> Self:
        return cls(port="/dev/ttyACM0")

    def mistakes(self) -> Iterator[Mistake]:
        if not self.port.startswith("/"):
            yield Mistake(("port",), 'port: expected a path that begins with /, as in "/dev/ttyACM0"')

    def claims(self) -> Iterator[Claim]:
        yield from ReaderSettings.claims(self)
        yield port_claim(self.port, f"the reader of {at(self.station)}")

    def comments(self) -> Mapping[str, str]:
        return {"port": "or a path in /dev/serial/by-id, which stays the same"}

    def opener(self) -> Callable[[], TagField]:
        from zaparoo_reader.driver import SimpleSerial  # noqa: PLC0415 - needs pyserial

        return lambda: SimpleSerial(self.port)

    @classmethod
    def simulated(cls, folder: Path) -> SimulatedReader:
        from zaparoo_reader.simulated import SimulatedBoard  # noqa: PLC0415 - for demos and tests

        return SimulatedBoard(folder / "zaparoo")
