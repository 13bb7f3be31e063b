"""What every way to the Pi's pins can do."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct

from companion.errors import DeviceError
from companion.troubles import SEVERAL, PinsTrouble

USER_PINS = range(28)
"""The pins of the header, by their BCM numbers."""

Edge: TypeAlias = Callable[[int, int, int], None]
"""Takes pin, level and time in microseconds. Called in any thread, so it only passes them on; it never raises."""


class PinsError(DeviceError):
    """The pins cannot be reached: for one reason, or for one on each way to them."""

    def __init__(self, *problems: PinsTrouble) -> None:
        self.problems = problems
        super().__init__(SEVERAL.join(problems))


class PinWiring(Struct, frozen=True):
    """What is needed of the pins."""

    inputs: tuple[int, ...]
    """Buttons to ground: they get a pull-up."""
    outputs: tuple[int, ...]
    """Lamps and a buzzer: dark and silent at first."""
    steady_us: int
    """How long a level of an input should last to count."""


class PinsOpened(Struct, frozen=True):
    """How things stand when the pins are open."""

    at_us: int
    levels: dict[int, int]
    steady_us: int
    """How long a level still has to last: 0 where only steady ones are reported."""
    line: int | None = None
    """If there is something to be read here (a file descriptor), `pump` has to be called; None: edges come by
    themselves, in a thread of the library."""


class Pins(Protocol):
    """One connection to the pins, used once. All calls but `abort` and `pump` may block, and come from one thread."""

    def open(self, wiring: PinWiring, edge: Edge, lost: Callable[[], None]) -> PinsOpened:
        """Arrange the pins and report every edge from now on. `lost` is called, in any thread, when there will be no
        more. Raises PinsError."""
        ...

    def pump(self) -> None:
        """Report what can be read. Does not block."""
        ...

    def write(self, pin: int, level: int) -> None:
        """Raises PinsError."""
        ...

    def beat(self) -> None:
        """Look whether the other side is still alive. Raises PinsError if not."""
        ...

    def abort(self) -> None:
        """From any thread: let the call that blocks now fail, and every one after it."""
        ...

    def close(self) -> None:
        """Let the pins go. May be called twice, and at any time; never raises."""
        ...
