"""What the library `mfrc522` wants of `RPi.GPIO`: one reset pin, up or down. Here through gpiod, on every Pi.

RPi.GPIO itself knows no Pi 5, and has to be compiled where there is no package of it. A program that has imported it
already keeps it; where gpiod is missing it is tried, too.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from types import ModuleType
from typing import Any

from companion.devices.gpio.gpiod_pins import header_chip, library, translated
from companion.devices.gpio.pins import PinsError

CONSUMER = "companion reader"


class ResetPins(ModuleType):
    """`RPi.GPIO`, as far as readers use it. Pins are BCM numbers. A pin that several readers share is taken once."""

    BOARD, BCM, OUT, IN, LOW, HIGH = 10, 11, 0, 1, 0, 1

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self._requests: dict[int, Any] = {}
        self._lock = Lock()

    def getmode(self) -> int:
        return self.BCM

    def setmode(self, mode: int) -> None:
        if mode != self.BCM:
            raise ValueError("pins are counted by their BCM numbers here")

    def setwarnings(self, on: bool) -> None:
        """There are none."""

    def setup(self, pin: int, direction: int) -> None:
        """Raises PinsError. The pin is up from the first moment, so that a chip that is awake stays so."""
        if direction != self.OUT:
            raise ValueError("a reset pin is an output")
        with self._lock:
            if pin not in self._requests:
                gpiod, path = library(), header_chip()
                with translated():
                    output = gpiod.LineSettings(gpiod.line.Direction.OUTPUT, output_value=gpiod.line.Value.ACTIVE)
                    self._requests[pin] = gpiod.request_lines(path, {pin: output}, CONSUMER)

    def output(self, pin: int, level: int) -> None:
        value = library().line.Value
        with self._lock, translated():
            self._requests[pin].set_value(pin, value.ACTIVE if level else value.INACTIVE)

    def cleanup(self, pin: int | None = None) -> None:
        """Let this pin go, or all."""
        with self._lock:
            for each in [pin] if pin is not None else list(self._requests):
                request = self._requests.pop(each, None)
                if request is not None:
                    with suppress(OSError):
                        request.release()


@contextmanager
def lent() -> Iterator[None]:
    """While this lasts, `import RPi.GPIO` gives our pins, unless it was imported before, or gpiod is missing."""
    try:
        library()
    except PinsError:
        yield
        return
    if "RPi.GPIO" in sys.modules:
        yield
        return
    before = sys.modules.get("RPi")
    package = ModuleType("RPi")
    package.__path__ = []
    package.__dict__["GPIO"] = sys.modules["RPi.GPIO"] = ResetPins()
    sys.modules["RPi"] = package
    try:
        yield
    finally:
        del sys.modules["RPi.GPIO"], sys.modules["RPi"]
        if before is not None:
            sys.modules["RPi"] = before
