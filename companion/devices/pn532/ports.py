"""Where the PN532 is: on the port that was named, or on one where it is found without harm to other devices.

What is done to find it, in this order:

1. Nothing is opened but ports on USB whose converter is one that PN532 boards come with (`usb_ports.BRIDGES`).
2. A port that another program has open is left alone, whether it is locked or not.
3. A port that is asked gets, at 115,200 baud, the wake-up (two bytes 55 and zeros), the sign to end a command (00 00
   FF 00 FF 00) and Diagnose with a number to be echoed (00 00 FF 06 FA D4 00 00 80 80 80 AC 00). These hold no line
   end, no letter but U, no key that interrupts, and no byte with which a frame of Zigbee sticks begins; to a satellite
   they are noise at another speed, to a printer half a line without an end. Without an answer SAMConfiguration
   follows: a chip may sleep so deeply that it hears nothing else. As opening its port may have reset the chip, that is
   done twice, the second time after 0.2 s.
4. A port that does not answer is left alone for 5 s, then for longer and longer, up to ten minutes; a named port, up
   to half a minute. Something else that is plugged in there is asked at once.

What cannot be helped: opening a port raises DTR, which restarts many microcontrollers. If you have such a thing on the
same kind of converter, name the reader's port.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

from companion.devices.pn532.commands import BAUD, ByteLine, Pn532Link
from companion.devices.pn532.driver import Pn532, awake
from companion.devices.serial_port import LineError, PortLine
from companion.devices.tag_field import ReaderError
from companion.devices.usb_ports import is_open_elsewhere, usb_ports
from companion.troubles import LineTrouble, Pn532Trouble, Trouble, most_telling

SHUN_S = (5.0, 600.0)
"""How long anything that is not a PN532 is left alone: at first, and at most."""
NAMED_SHUN_S = 30.0
"""At most, if table.toml names the port."""


_OPEN = partial(PortLine, baud=BAUD)


def pn532_on(port: str | None) -> Callable[[], Pn532]:
    """Opens the reader on this port; without one, on the first on which it is found. Raises ReaderError."""
    finder = Pn532Finder(named=port)
    return lambda: Pn532(finder)


class _Shunned(Struct, frozen=True):
    plug: tuple[int, int, int] | None
    """What was plugged in there: another plug makes another file, which may get an old number."""
    problem: Trouble
    for_s: float
    until_s: float


class Pn532Finder:
    """Finds the chip, again and again if need be."""

    def __init__(
        self,
        root: Path = Path("/"),
        open_line: Callable[[str], ByteLine] = _OPEN,
        clock: Callable[[], float] = time.monotonic,
        named: str | None = None,
    ) -> None:
        """`named`: the only port that is asked, on any converter."""
        self._root, self._open_line, self._clock, self._named = root, open_line, clock, named
        self._shunned: dict[str, _Shunned] = {}
        self.port = ""
        """Where it was found last."""

    def __call__(self) -> Pn532Link:
        """A link to a chip that has answered. Raises ReaderError."""
        named = [self._named] if self._named else []
        ports = named or [port.path for port in usb_ports(self._root) if port.bridge]
        self._shunned = {
            port: shunned for port, shunned in self._shunned.items() if port in ports and shunned.plug == _plug(port)
        }
        for port in sorted(ports, key=lambda port: port != self.port):
            shunned = self._shunned.get(port)
            if shunned and self._clock() < shunned.until_s:
                continue
            try:
                return self._visit(port)
            except ReaderError as error:
                self._shun(port, self._in_words(error.problem))
        told = [shunned.problem for shunned in self._shunned.values()]
        where = "The PN532" if self._named is None else f"The PN532 on {self._named}"
        raise ReaderError(most_telling(told, LineTrouble.UNPLUGGED), where)

    def _in_words(self, problem: Trouble) -> Trouble:
        return Pn532Trouble.WRONG_PORT if self._named and problem is Pn532Trouble.NO_PN532 else problem

    def _visit(self, port: str) -> Pn532Link:
        where = f"The PN532 on {port}"
        if self._named is None and is_open_elsewhere(port, self._root):
            raise ReaderError(LineTrouble.IN_USE, where)
        try:
            link = Pn532Link(self._open_line(port), where, self._clock)
        except LineError as error:
            raise ReaderError(error.problem, where) from None
        try:
            awake(link)
        except BaseException:
            link.close()
            raise
        self._shunned.pop(port, None)
        self.port = port
        return link

    def _shun(self, port: str, problem: Trouble) -> None:
        """A port that could not be opened may be at any time; only ports that were asked are left alone. One on which
        it was before is asked again at once."""
        for_s = 0.0
        if isinstance(problem, Pn532Trouble) and port != self.port:
            most_s = SHUN_S[1] if self._named is None else NAMED_SHUN_S
            for_s = min(self._shunned[port].for_s * 2, most_s) if port in self._shunned else SHUN_S[0]
        self._shunned[port] = _Shunned(_plug(port), problem, max(for_s, 1.0), self._clock() + for_s)


def _plug(port: str) -> tuple[int, int, int] | None:
    with suppress(OSError):
        found = Path(port).stat()
        return found.st_dev, found.st_ino, found.st_ctime_ns
    return None
