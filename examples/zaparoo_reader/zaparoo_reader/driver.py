"""Zaparoo's simple serial protocol, read at 115,200 baud.

A board sends a line again and again while a tag is on it, and listens to nothing:

    SCAN<TAB>uid=04a1b2c3d4e5f6<TAB>text=…<TAB>removable=yes

A line without arguments, or a second without a line, says that the tag is gone; after `removable=no` only the former
does. Source: Zaparoo's documentation, "Simple Serial Reader".

Known quirks: the protocol has no check sum, so a number counts when it has come twice in a row, unless its board says
it only once (`removable=no`). A board that hangs is silent, and looks like one without a tag. Nothing can be read from
a tag's memory, or written to it.
"""

import time
from collections.abc import Callable, Collection
from threading import RLock

from msgspec import Struct

from companion.devices.iso14443 import UID_LENGTHS
from companion.devices.serial_port import LineError, PortLine
from companion.devices.tag_field import Failed, Look, Pages, ReaderError, Uid, Written
from companion.troubles import LineTrouble

BAUD = 115_200
GONE_S = 1.0
"""A tag that is not repeated for this long is gone."""
WAIT_S = 0.05
"""How long a look waits for a line."""
LONGEST_LINE = 4096


class Scan(Struct, frozen=True):
    """One line of a board."""

    uid: Uid = b""
    """Empty: the tag's number is missing, or is no number of a tag."""
    is_empty: bool = False
    """No tag is on it."""
    is_removable: bool = True


def read_line(line: bytes) -> Scan | None:
    """What a line says; None: it is no SCAN, so it says nothing."""
    words = line.decode("utf-8", errors="replace").strip("\r\n ").split("\t")
    if words[0] != "SCAN":
        return None
    said = dict(word.partition("=")[::2] for word in words[1:] if word)
    if not said:
        return Scan(is_empty=True)
    return Scan(_number(said.get("uid", "")), is_removable=said.get("removable") != "no")


def _number(text: str) -> Uid:
    try:
        uid = bytes.fromhex(text.replace(":", "").replace("-", ""))
    except ValueError:
        return b""
    return uid if len(uid) in UID_LENGTHS else b""


class SimpleSerial:
    """One reader (`companion.devices.tag_field.TagField`). Several threads may use it; each call is whole."""

    def __init__(self, port: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises ReaderError where there is no such port."""
        self._port, self._clock = port, clock
        self._lock = RLock()
        self._line: PortLine | None = None
        self.restart()

    def restart(self) -> None:
        with self._lock:
            self.close()
            try:
                self._line = PortLine(self._port, BAUD)
            except LineError as error:
                raise self._trouble(error.problem) from None
            self._rest = b""
            self._scan, self._scanned_s = Scan(is_empty=True), self._clock()
            """The newest line, and when it came…"""
            self._tag: Scan | None = None
            """…and the tag that counts, from lines that agree."""
            self._is_known = False
            """Whether it has been found out if a tag was there at the start."""

    def close(self) -> None:
        with self._lock:
            line, self._line = self._line, None
            if line is not None:
                line.close()

    # --- Tags -------------------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """What the board has said, or says soon."""
        with self._lock:
            self._listen(WAIT_S)
            tag = self._tag
            if tag is None:
                return Look(missed=tuple(known))
            if not tag.uid:
                return Look(unclear=True)
            return Look((tag.uid,), tuple(uid for uid in known if uid != tag.uid))

    def inventory(self, known: Collection[Uid]) -> Look:
        """Each line names the tag anew. Only at the start a board has to be waited for: it may be between two lines."""
        with self._lock:
            while not self._is_known:
                self._listen(WAIT_S)
            return self.look(known)

    def _listen(self, within_s: float) -> None:
        for line in self._lines(within_s):
            if scan := read_line(line):
                agrees = scan == self._scan or not scan.is_removable or scan.is_empty
                self._scan, self._scanned_s = scan, self._clock()
                if agrees:
                    self._tag = None if scan.is_empty else scan
                    self._is_known = True
        if self._clock() - self._scanned_s > GONE_S:
            self._is_known = True
            if self._tag and self._tag.is_removable:
                self._tag, self._scan = None, Scan(is_empty=True)

    def _lines(self, within_s: float) -> list[bytes]:
        if self._line is None:
            raise self._trouble(LineTrouble.UNPLUGGED)
        try:
            *lines, self._rest = (self._rest + self._line.read(within_s)).split(b"\n")
        except LineError as error:
            raise self._trouble(error.problem) from None
        self._rest = self._rest[-LONGEST_LINE:]
        return lines

    def _trouble(self, problem: LineTrouble) -> ReaderError:
        return ReaderError(problem, f"The reader on {self._port}")

    # --- Memory -----------------------------------------------------------------------------------------------

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """The protocol has no way to ask."""
        return Failed("refused")

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        return Failed("refused")
