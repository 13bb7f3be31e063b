"""A serial port, opened by pyserial, and what can be wrong with it.

Quirks that are dealt with here:

- Every change of a setting may block when a USB converter hangs. So a port is configured once, when it is opened; time
  limits that are set later are kept in Python alone.
- A line that is unplugged while it is being opened makes pyserial raise `termios.error`, which is no OSError.
- Opening a port raises DTR, which resets many boards. Closing it would lower DTR again, also when this process dies, so
  HUPCL is cleared: only the first opening after the plug resets a board.
"""

import errno
import termios
from contextlib import suppress

import serial

from companion.errors import DeviceError
from companion.troubles import LineTrouble

_PROBLEMS = {
    **dict.fromkeys((errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO), LineTrouble.UNPLUGGED),
    **dict.fromkeys((errno.EACCES, errno.EPERM), LineTrouble.NO_PERMISSION),
    **dict.fromkeys((errno.EBUSY, errno.EAGAIN), LineTrouble.IN_USE),
    **dict.fromkeys((errno.ENOTTY, errno.EISDIR, errno.EINVAL), LineTrouble.NO_SERIAL_LINE),
}


class LineError(DeviceError):
    """A line cannot be opened, or has gone. Its problem is a `LineTrouble`."""

    def __init__(self, port: str, problem: LineTrouble) -> None:
        self.problem = problem
        super().__init__(f"{port}: {problem}; {problem.remedy}")


class OpenPort(serial.Serial):  # type: ignore[misc, unused-ignore]  # without types where it is not installed
    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Only when it is opened; what is changed later is kept in Python alone."""
        if force_update:
            super()._reconfigure_port(force_update)


def open_port(port: str, baud: int) -> OpenPort:
    """Without waiting for anything that it reads or writes, and for nobody else. Raises LineError."""
    try:
        opened = OpenPort(port, baud, timeout=0, write_timeout=0, exclusive=True)
    except (OSError, ValueError, termios.error) as error:
        raise LineError(port, line_trouble(error)) from None
    with suppress(OSError, termios.error):
        settings = termios.tcgetattr(opened.fileno())
        settings[2] &= ~termios.HUPCL
        termios.tcsetattr(opened.fileno(), termios.TCSANOW, settings)
    with suppress(OSError, ValueError, NotImplementedError):
        opened.set_low_latency_mode(True)  # some converters else hold bytes back for 16 ms
    return opened


def line_trouble(error: Exception) -> LineTrouble:
    """pyserial tells the number of an error as its own, or keeps it in the error behind it, or not at all."""
    for each in (error, error.__context__):
        number = each.errno if isinstance(each, OSError) else each.args[0] if isinstance(each, termios.error) else None
        if number in _PROBLEMS:
            return _PROBLEMS[number]
    return LineTrouble.CANNOT_OPEN
