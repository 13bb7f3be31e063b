"""Where the PN532 is: on the port that was named, or on one that it is found on without harm to anybody else.

What is done to find it, in this order:

1. Nothing is opened but ports on USB whose converter is one that PN532 boards come with (`plugged.BRIDGES`).
2. A port that another program has open is left alone, whether it is locked or not.
3. Whatever is asked gets the wake-up (two bytes 55 and zeros) and GetFirmwareVersion: 00 00 FF 02 FE D4 02 2A 00, at
   115,200 baud. It holds no line feed, no letter but U and no key that interrupts; to a satellite it is noise at
   another speed, to a printer half a line without an end. If nobody answers, SAMConfiguration follows once: a chip may
   sleep so deeply that it hears nothing else.
4. Whatever does not answer is left alone for 5 s, then for longer and longer, up to ten minutes.

What cannot be helped: opening a port raises DTR, which restarts many microcontrollers. If you have such a thing on the
same kind of converter, name the reader's port.
"""

import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.devices.field import ReaderError
from companion.devices.plugged import is_open_elsewhere, usb_ports
from companion.devices.pn532 import Pn532, awake
from companion.devices.pn532_link import ByteLine, Pn532Link, PortLine
from companion.devices.ports import LineError
from companion.troubles import LineTrouble, Pn532Trouble, Trouble, most_telling

SHUN_S = (5.0, 600.0)
"""How long anything that is not a PN532 is left alone: at first, and at most."""


def pn532_on(port: str | None) -> Callable[[], Pn532]:
    """Opens the reader on this port; without one, on the first on which it is found. Raises ReaderError."""
    find = Pn532Finder() if port is None else lambda: open_link(port)
    return lambda: Pn532(find)


def open_link(port: str) -> Pn532Link:
    """Raises ReaderError."""
    try:
        return Pn532Link(PortLine(port), f"The PN532 on {port}")
    except LineError as error:
        raise ReaderError(error.problem, f"The PN532 on {port}") from None


class _Shunned(Struct, frozen=True):
    problem: Trouble
    for_s: float
    until_s: float


class Pn532Finder:
    """Finds the chip, again and again if need be."""

    def __init__(
        self,
        root: Path = Path("/"),
        open_line: Callable[[str], ByteLine] = PortLine,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root, self._open_line, self._clock = root, open_line, clock
        self._shunned: dict[str, _Shunned] = {}
        self.port = ""
        """Where it was found last."""

    def __call__(self) -> Pn532Link:
        """A link to a chip that has answered. Raises ReaderError."""
        ports = [port.path for port in usb_ports(self._root) if port.bridge]
        self._shunned = {port: shunned for port, shunned in self._shunned.items() if port in ports}
        for port in sorted(ports, key=lambda port: port != self.port):
            shunned = self._shunned.get(port)
            if shunned and self._clock() < shunned.until_s:
                continue
            try:
                return self._visit(port)
            except ReaderError as error:
                self._shun(port, error.problem)
        told = [shunned.problem for shunned in self._shunned.values()]
        raise ReaderError(most_telling(told, LineTrouble.UNPLUGGED), "The PN532")

    def _visit(self, port: str) -> Pn532Link:
        where = f"The PN532 on {port}"
        if is_open_elsewhere(port, self._root):
            raise ReaderError(LineTrouble.IN_USE, where)
        try:
            link = Pn532Link(self._open_line(port), where)
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
        """A port that could not be opened may be at any time; only those who were asked are left alone. One on which it
        was before is asked again at once."""
        for_s = 0.0
        if isinstance(problem, Pn532Trouble) and port != self.port:
            for_s = min(self._shunned[port].for_s * 2, SHUN_S[1]) if port in self._shunned else SHUN_S[0]
        self._shunned[port] = _Shunned(problem, max(for_s, 1.0), self._clock() + for_s)
