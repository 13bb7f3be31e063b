"""What a kind of reader is to Companion: one class, found by its entry point (`companion.devices.reader_kinds`).

Its fields are the keys of a [[reader]] in table.toml. Its methods say all the rest: what can be wrong with these keys,
how to open the reader, how the doctor checks it, how it is found when it is plugged in, and what simulates it.
docs/add-a-reader.md explains it with an example.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from msgspec import Struct

from companion.devices.roll_call import MISSES, MISSING_MS
from companion.devices.tag_field import ReaderError, TagField
from companion.devices.wired_part import Claim, StationKey, WiredPart, station_claim, toml_line
from companion.errors import DeviceError
from companion.stations import CENTRE, at
from companion.troubles import ReaderTrouble, Trouble

if TYPE_CHECKING:
    from companion.devices.computer import System
    from companion.devices.finding import Check, Finding


class ReaderPace(Struct, frozen=True):
    """How often a reader is asked, and how long its silence is tolerated."""

    look_s: float = 0.03
    """Between two looks…"""
    hurry_s: float = 0.005
    """…and just after a tag has come, or while one is missing. A flickering tag is met while it has power, even if that
    is no longer than 60 ms."""
    first_pause_s: float = 0.05
    """After a fault; the pauses double while it lasts."""
    longest_pause_s: float = 0.5
    """Soon after a fault is over, the tags in the field are known."""
    steady_looks: int = 30
    """After this many good looks the pauses start over."""
    misses: int = MISSES
    missing_ms: int = MISSING_MS
    """How often and for how long a tag has to be missed before it counts as lifted."""
    stalled_s: float = 2.0
    """A look that takes longer hangs."""


class FoundReader(Struct, frozen=True):
    """A reader that seems to be plugged in."""

    settings: "ReaderSettings"
    name: str
    """What it calls itself, or the converter that it is on."""
    may_be: str = ""
    """What it may be, if only trying tells: "a PN532". "": there is no doubt."""


class SimulatedReader(Protocol):
    """A reader without hardware, which the real driver opens. It is plugged in while it is entered."""

    @property
    def settings(self) -> "ReaderSettings":
        """What table.toml says of it."""
        ...

    @property
    def fault_names(self) -> Sequence[str]:
        """Everything that can go wrong with it."""
        ...

    @property
    def unseen_faults(self) -> Sequence[str]:
        """Those among the faults that look like a field without tags, even to the best driver."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def lay(self, uid: str) -> None: ...

    def lift(self, uid: str) -> None: ...

    def spoil(self, fault: str) -> None: ...

    def mend(self) -> None:
        """Everything works again, and the reader is plugged in."""
        ...


class ReaderSettings(WiredPart, frozen=True):
    """A [[reader]] of table.toml. Each kind of reader is a subclass, and its keys are the fields."""

    kind: ClassVar[str] = ""
    """Its name in table.toml, and that of its entry point."""
    title: ClassVar[str] = ""
    """What it is, behind its kind in table.toml: "an RC522 on the Pi's SPI bus"."""
    pace: ClassVar[ReaderPace] = ReaderPace()
    sees_several: ClassVar[bool] = True
    """Whether it tells every tag in its field. Otherwise it shows one at a time."""
    no_library: ClassVar[Trouble] = ReaderTrouble.NO_DRIVER
    """Said where the library that it needs is not installed."""
    libraries: ClassVar[tuple[str, ...]] = ()
    """The modules it cannot work without, for the test that leaves them out."""

    station: StationKey = CENTRE

    @property
    def name_for_people(self) -> str:
        return f"reader of {at(self.station)}"

    # --- table.toml -------------------------------------------------------------------------------------------

    @classmethod
    def example(cls) -> Self:
        """What `companion config --reader` writes. Override it where a key cannot be left out."""
        return cls()

    def claims(self) -> Iterator[Claim]:
        """Extend this with `yield from ReaderSettings.claims(self)`."""
        yield station_claim("reader", self.station)

    def lines(self) -> Iterator[str]:
        yield toml_line("kind", self.kind, self.title)
        yield from WiredPart.lines(self)

    # --- The reader itself ------------------------------------------------------------------------------------

    def opener(self) -> Callable[[], TagField]:
        """Import the driver, and return what opens the field. That is called again whenever the reader was lost.

        May raise ImportError; what it returns may raise ReaderError."""
        raise NotImplementedError

    def check(self, system: "System") -> "Check":
        """What the doctor does with it. This one opens the reader, and counts the tags on it."""
        from companion.devices.finding import Check, Finding

        subject = self.name_for_people

        def look() -> "Iterator[Finding]":
            try:
                yield working(subject, FieldOpener(self)(), f"{self.title} answers")
            except ReaderError as trouble:
                yield Finding.problem(subject, trouble.problem, trouble.problem.remedy)

        return Check(subject, look)

    # --- A reader that is plugged in while there is no table.toml ---------------------------------------------

    @classmethod
    def detect(cls, root: Path) -> FoundReader | None:
        """The first reader of this kind that seems to be plugged in. `root`: the computer's files. Opens nothing."""
        return None

    def tried(self, root: Path) -> Self:
        """Open it, and return the settings to write down. Raises ReaderError, ImportError."""
        self.opener()().close()
        return self

    # --- Without hardware -------------------------------------------------------------------------------------

    @classmethod
    def simulated(cls, folder: Path) -> SimulatedReader:
        """What stands in for it in `companion demo` and in tests. `folder`: for its files.

        Raises DeviceError where nothing does, or where it cannot run."""
        raise DeviceError(f"readers of kind {cls.kind!r} cannot be simulated")

    @classmethod
    def simulation_needs(cls) -> str:
        """What is missing on this computer to simulate it: "needs …"; "": nothing."""
        return ""


class FieldOpener:
    """Opens a reader's field. The driver is imported at the first try, so a missing library is a fault of this reader
    alone."""

    def __init__(self, reader: ReaderSettings) -> None:
        self._reader = reader
        self._open: Callable[[], TagField] | None = None

    def __call__(self) -> TagField:
        """Raises ReaderError."""
        try:
            self._open = self._open or self._reader.opener()
        except ImportError as error:
            where = f"The reader of {at(self._reader.station)}"
            raise ReaderError(self._reader.no_library, where, str(error)) from error
        return self._open()


def working(subject: str, field: TagField, words: str) -> "Finding":
    """A reader that was opened: count the tags on it, and close it."""
    from companion.devices.finding import Finding, lying

    try:
        tags = field.inventory(()).seen
    except ReaderError as trouble:
        return Finding.problem(subject, trouble.problem, trouble.problem.remedy)
    finally:
        field.close()
    return Finding.ok(subject, f"{words}{lying(len(tags))}")
