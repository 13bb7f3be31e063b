"""The Pi's pins through gpiozero and lgpio, for boards on which pigpio does not run: the Pi 5, the newest system.

The kernel reports raw edges, so what bounces is for `Buttons` to judge. Importing lgpio makes a pipe in the working
folder, or in the folder that LG_WD names, into which it then takes the whole process: unless somebody has named one we
name that for temporary files, and go back. A pin factory that somebody has set (`gpiozero.Device.pin_factory`) is used
in place of lgpio, and not closed.
"""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from companion.devices.pins import BUSY, NO_GPIOZERO, NO_PINS, NO_PIPE, UNUSABLE, Edge, PinsError, Start, Wiring


class GpiozeroPins:
    def __init__(self) -> None:
        self._pins: dict[int, Any] = {}
        self._handlers: list[Callable[[float, int], None]] = []
        """gpiozero itself holds them only weakly."""
        self._own_factory: Any = None

    def open(self, wiring: Wiring, edge: Edge, lost: Callable[[], None]) -> Start:
        factory = self._factory()
        try:
            for number in wiring.inputs:
                self._listen(factory, number, edge)
            for number in wiring.outputs:
                pin = self._pins[number] = factory.pin(f"GPIO{number}")
                pin.output_with_state(0)
            levels = {number: int(self._pins[number].state) for number in wiring.inputs}
        except Exception as error:  # lgpio's own errors have no other base
            raise PinsError(BUSY if "busy" in str(error) else UNUSABLE) from error
        return Start(_microseconds(factory.ticks()), levels, wiring.steady_us)

    def pump(self) -> None:
        """gpiozero has a thread that does."""

    def write(self, pin: int, level: int) -> None:
        try:
            self._pins[pin].state = level
        except Exception as error:
            raise PinsError(UNUSABLE) from error

    def beat(self) -> None:
        """The kernel does not go away."""

    def abort(self) -> None:
        """Nothing here waits for anybody."""

    def close(self) -> None:
        pins, self._pins = self._pins, {}
        factory, self._own_factory = self._own_factory, None
        with contextlib.suppress(Exception):  # what cannot be let go is gone already
            for pin in pins.values():
                pin.close()
            if factory is not None:
                factory.close()

    def _factory(self) -> Any:
        try:
            from gpiozero import Device  # noqa: PLC0415 — only who has buttons on a Pi needs it

            if Device.pin_factory is not None:
                return Device.pin_factory
            with _staying_here():
                from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 — starts a thread and makes a pipe

                self._own_factory = LGPIOFactory()
        except ImportError:
            raise PinsError(NO_GPIOZERO) from None
        except OSError:
            raise PinsError(NO_PIPE) from None
        except Exception as error:
            raise PinsError(NO_PINS) from error
        return self._own_factory

    def _listen(self, factory: Any, number: int, edge: Edge) -> None:
        def heard(seconds: float, level: int) -> None:
            edge(number, int(level), _microseconds(seconds))

        pin = self._pins[number] = factory.pin(f"GPIO{number}")
        pin.input_with_pull("up")
        pin.bounce = None
        pin.edges = "both"
        self._handlers.append(heard)
        pin.when_changed = heard


@contextlib.contextmanager
def _staying_here() -> Iterator[None]:
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield
    finally:
        os.fchdir(folder)
        os.close(folder)


def _microseconds(seconds: float) -> int:
    return int(seconds * 1_000_000)
