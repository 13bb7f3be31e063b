"""Commands to a PN532 and their answers, over a serial line (NXP UM0701-02, 6.2.2).

A command is acknowledged first, within milliseconds, and answered later. A command without ACK did not arrive, or the
chip sleeps: it is woken and asked again. An answer that comes before the ACK belongs to an older question, and counts
for nothing. A damaged answer is asked for again by NACK. An ACK from the host ends a command that is under way: so the
chip may wait for tags by itself, for as long as we like.
"""

import os
import select
import time
from collections.abc import Callable
from typing import Protocol

from companion.devices.field import ReaderError
from companion.devices.pn532_frames import CHIP, AnyFrame, BareFrame, ContentFrame, FrameSplitter, command_frame
from companion.devices.ports import LineError, OpenPort, open_port
from companion.troubles import LineTrouble, Pn532Trouble

BAUD = 115_200
"""What the chip begins with (UM0701-02, 7.2.8)."""
ACK_S = 0.08
"""The chip takes less than 15 ms; a USB converter and a busy computer take the rest."""
ANSWER_S = 0.5
"""For everything that does not wait for a tag."""
TRIES = 3
WAKE_UP = b"\x55\x55" + bytes(14)
"""Wakes a chip that sleeps; one that is awake ignores it (UM0701-02, 7.2.11: any byte on HSU). Long enough for its
oscillator to start (2 ms at most) before a frame comes."""
CHUNK = 512


class ByteLine(Protocol):
    """Bytes in and out. Both may raise LineError."""

    def write(self, data: bytes) -> None: ...

    def read(self, within_s: float) -> bytes:
        """What has arrived; waits for it no longer than told."""
        ...

    def close(self) -> None:
        """Idempotent."""
        ...


class PortLine:
    """A `ByteLine` on a serial port. Raises LineError if it cannot be opened."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._opened: OpenPort | None = open_port(port, BAUD)

    def write(self, data: bytes) -> None:
        """A line that takes no more hangs. The chip will be found silent."""
        try:
            os.write(self._fd, data)
        except BlockingIOError:
            return
        except OSError:
            raise LineError(self._port, LineTrouble.UNPLUGGED) from None

    def read(self, within_s: float) -> bytes:
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
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()


class Pn532Link:
    """One chip at the end of a line."""

    def __init__(self, line: ByteLine, where: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`where`: what it is called when something is wrong."""
        self._line, self.where, self._clock = line, where, clock
        self._splitter = FrameSplitter()
        self._early: list[AnyFrame] = []
        """What came together with an ACK."""

    def close(self) -> None:
        self._line.close()

    def greet(self, question: int, wake: int, mode: bytes) -> bytes:
        """The answer to a question that changes nothing. A chip that does not answer may sleep so deeply that only the
        command `wake` helps. Raises ReaderError with NO_PN532 if nobody answers even then."""
        for prelude in (False, True):
            try:
                self._line.write(WAKE_UP)
                if prelude:
                    self.ask(wake, mode, ANSWER_S, tries=1)
                return self.ask(question, b"", ANSWER_S, tries=1) or b""
            except LineError as error:
                raise ReaderError(error.problem, self.where) from None
            except ReaderError as error:
                if error.problem not in (Pn532Trouble.SILENT, Pn532Trouble.GARBLED):
                    raise
        raise self._trouble(Pn532Trouble.NO_PN532)

    def command(self, code: int, data: bytes = b"", answer_s: float = ANSWER_S) -> bytes:
        """What the chip answers. Raises ReaderError if it does not."""
        answer = self.ask(code, data, answer_s)
        if answer is None:
            raise self._trouble(Pn532Trouble.SILENT)
        return answer

    def ask(self, code: int, data: bytes, answer_s: float, tries: int = TRIES) -> bytes | None:
        """What the chip answers within this time; None: it has taken the command and would go on, but was told to end
        it. Raises ReaderError if it does not hear at all, or cannot be understood."""
        try:
            return self._ask(code, data, answer_s, tries)
        except LineError as error:
            raise ReaderError(error.problem, self.where) from None

    def _ask(self, code: int, data: bytes, answer_s: float, tries: int) -> bytes | None:
        bad = self._splitter.bad
        for attempt in range(tries):
            self._drop_what_is_old()
            self._line.write((WAKE_UP if attempt else b"") + command_frame(code, data))
            if not self._acknowledged():
                continue
            answer = self._answer(code, answer_s)
            if answer is not None:
                return answer
            self._line.write(BareFrame.ACK.value)
            return None
        garbled = self._splitter.bad > bad
        raise self._trouble(Pn532Trouble.GARBLED if garbled else Pn532Trouble.SILENT)

    def _drop_what_is_old(self) -> None:
        while self._line.read(0.0):
            pass
        self._splitter.forget()

    def _acknowledged(self) -> bool:
        until = self._clock() + ACK_S
        while (left := until - self._clock()) > 0:
            arrived = self._splitter.feed(self._line.read(left))
            if BareFrame.ACK in arrived:
                self._early = arrived[arrived.index(BareFrame.ACK) + 1 :]
                return True
        return False

    def _answer(self, code: int, answer_s: float) -> bytes | None:
        """None: none came in time. One that came damaged is asked for again."""
        until = self._clock() + answer_s
        arrived, self._early = self._early, []
        bad = self._splitter.bad
        for _ in range(1 + TRIES):
            while (answer := self._answer_in(arrived, code)) is None:
                left = until - self._clock()
                if self._splitter.bad > bad or left <= 0:
                    break
                arrived = self._splitter.feed(self._line.read(left))
            if answer is not None or not (self._splitter.bad > bad or self._splitter.is_half_way):
                return answer
            bad, until = self._splitter.bad, max(until, self._clock() + ACK_S)
            arrived = []
            self._splitter.forget()
            self._line.write(BareFrame.NACK.value)
        raise self._trouble(Pn532Trouble.GARBLED)

    def _answer_in(self, arrived: list[AnyFrame], code: int) -> bytes | None:
        for each in arrived:
            if isinstance(each, ContentFrame) and each.is_error:
                raise self._trouble(Pn532Trouble.REFUSES)
            if isinstance(each, ContentFrame) and each.content[:2] == bytes([CHIP, code + 1]):
                return each.content[2:]
        return None

    def _trouble(self, problem: Pn532Trouble) -> ReaderError:
        return ReaderError(problem, self.where)
