"""The kernel's way to the pins of the header: its chip, found by its label, and what the library's errors mean.

A Pi has several chips (a Pi 5 a dozen), and their numbers change with the kernel; their labels don't.
"""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType

from companion.devices.gpio.pins import USER_PINS, PinsError
from companion.troubles import PinsTrouble

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Of the Pi 5, the Pi 4, and those before it with the Zero 2: on each the header's pins are lines 0 to 27."""
MOST_CHIPS = 32

_TROUBLES = {
    errno.EBUSY: PinsTrouble.BUSY,
    errno.EACCES: PinsTrouble.FORBIDDEN,
    errno.EPERM: PinsTrouble.FORBIDDEN,
    errno.ENODEV: PinsTrouble.NO_PINS,
}


def library() -> ModuleType:
    """libgpiod's own bindings. Raises PinsError where they are not installed, or are those of libgpiod 1."""
    try:
        import gpiod  # noqa: PLC0415 — only tables with something on a Pi's pins need it
    except ImportError:
        raise PinsError(PinsTrouble.NO_GPIOD) from None
    if not hasattr(gpiod, "request_lines"):
        raise PinsError(PinsTrouble.NO_GPIOD)
    return gpiod


def header_chip() -> str:
    """The file of the chip that has the header's pins. Raises PinsError."""
    gpiod = library()
    trouble = PinsTrouble.NO_PINS
    for path in (f"/dev/gpiochip{number}" for number in range(MOST_CHIPS)):
        try:
            with gpiod.Chip(path) as chip:
                info = chip.get_info()
        except PermissionError:
            trouble = PinsTrouble.FORBIDDEN
        except OSError:
            continue
        else:
            if info.label in LABELS and info.num_lines >= len(USER_PINS):
                return path
    raise PinsError(trouble)


def users(pins: Iterable[int]) -> set[str]:
    """The names under which programs use these pins now. Raises PinsError."""
    path = header_chip()
    with translated(), library().Chip(path) as chip:
        told = [chip.get_line_info(pin) for pin in pins]
    return {line.consumer for line in told if line.used}


@contextmanager
def translated() -> Iterator[None]:
    """What the kernel has against it, in our words."""
    try:
        yield
    except OSError as error:
        raise PinsError(_TROUBLES.get(error.errno or 0, PinsTrouble.UNUSABLE)) from error
