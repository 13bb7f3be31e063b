"""A serial port, opened by pyserial, and what can be wrong with it.

Quirks:

- Every change of a setting may block when a USB converter hangs. So a port is configured once, when it is opened; time
  limits that are set later are kept in Python alone.
- A line that is unplugged while it is being opened makes pyserial raise `termios.error`, which is no OSError.
- Opening a port raises DTR, which resets many boards. Closing it would lower DTR again, also when this process dies, so
  HUPCL is cleared: only the first opening after the plug resets a board.
"""

import errno
import os
import select
from contextlib import suppress

import serial

from companion.errors import DeviceError
from companion.troubles import LineTrouble

try:
    import termios
except ImportError:  # not a Unix: there pyserial raises OSError alone
    termios = None  # type: ignore[assignment]

_TERMIOS = () if termios is None else (termios.error,)
CHUNK = 512
"""How many bytes are read at once."""

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
    """Reading and writing do not block, and no other program may open it. Raises LineError."""
    try:
        opened = OpenPort(port, baud, timeout=0, write_timeout=0, exclusive=True)
    except (OSError, ValueError, *_TERMIOS) as error:
        raise LineError(port, line_trouble(error)) from None
    if termios is not None:
        with suppress(OSError, *_TERMIOS):
            settings = termios.tcgetattr(opened.fileno())
            settings[2] &= ~termios.HUPCL
            termios.tcsetattr(opened.fileno(), termios.TCSANOW, settings)
    with suppress(OSError, ValueError, NotImplementedError):
        opened.set_low_latency_mode(True)  # some converters else hold bytes back for 16 ms
    return opened


class PortLine:
    """Bytes to and from an open port. Every method may raise LineError."""

    def __init__(self, port: str, baud: int) -> None:
        self._port = port
        self._opened: OpenPort | None = open_port(port, baud)

    def write(self, data: bytes) -> None:
        """Drops what the line does not take. The device will be found silent."""
        try:
            os.write(self._fd, data)
        except BlockingIOError:
            return
        except OSError:
            raise LineError(self._port, LineTrouble.UNPLUGGED) from None

    def read(self, within_s: float) -> bytes:
        """What has arrived, or arrives in this time."""
        try:
            ready, _, _ = select.select([self._fd], [], [], max(0.0, within_s))
            if not ready:
                return b""
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return b""
        except (OSError, ValueError):
            data = b""
        if not data:
            raise LineError(self._port, LineTrouble.UNPLUGGED)
        return data

    @property
    def _fd(self) -> int:
        if self._opened is None:
            raise LineError(self._port, LineTrouble.UNPLUGGED)
        return int(self._opened.fileno())

    def close(self) -> None:
        """Idempotent, and never raises."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()


def line_trouble(error: Exception) -> LineTrouble:
    """pyserial gives an error number of its own, or that of the error behind it, or none."""
    for each in (error, error.__context__):
        number = each.errno if isinstance(each, OSError) else each.args[0] if isinstance(each, _TERMIOS) else None
        if number in _PROBLEMS:
            return _PROBLEMS[number]
    return LineTrouble.CANNOT_OPEN
