"""Commands to a PN532 and their answers, over a serial line (NXP UM0701-02, 6.2.2).

A command is acknowledged, and answered later. Neither says which command it belongs to, and both may be late: a command
that is simply sent again may get the answer to the first one. So every command is sent once, and only while the chip is
*in step*: every earlier command has been answered. Otherwise it is brought into step first: it is woken, told to
end what it does (6.2.1.3), and has to echo a number that no other echo had (Diagnose, 7.2.1). As a chip in that state
may have lost its power, it is then told all its settings again.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import Protocol, TypeAlias

from companion.devices.pn532.frames import CHIP, AnyFrame, BareFrame, ContentFrame, FrameSplitter, command_frame
from companion.devices.serial_port import LineError
from companion.devices.tag_field import ReaderError
from companion.troubles import Pn532Trouble

BAUD = 115_200
"""What the chip begins with (UM0701-02, 7.2.8)."""
DIAGNOSE = 0x00  # 7.2.1
SAM_CONFIGURATION = 0x14  # 7.2.10
ECHO = b"\x00\x80\x80"
"""Diagnose: the test of the line, which sends its parameters back. Two more make the frame long enough: its length is
none of the keys 03, 04 and 05, which a prompt would take for an order."""
NORMAL_MODE = bytes([0x01, 0x00, 0x00])
"""SAMConfiguration: no SAM, no time limit, no IRQ pin."""
TOKENS = range(0x80, 0xA0)
"""What is echoed. Chosen so that a frame with one of them, which strangers on other ports may hear, too, has no byte
that means something to them: no printable one, no line end, no FE (TI's Zigbee), 7E or 7D (Silicon Labs' Zigbee, XBee),
C0 or DB (SLIP). GetFirmwareVersion, two bytes long, would have FE as the check sum of its length."""

ACK_S = 0.15
"""The chip takes less than 15 ms (UM 6.2.3); 50 to 90 are reported, by a USB converter and a busy computer."""
ANSWER_S = 0.3
"""For everything that does not wait for a tag, after its ACK."""
ECHO_S = 0.2
"""For an echo, with its ACK."""
GAP_S = 0.1
"""A frame that stops in the middle for so long has lost its rest."""
TURN_S = 0.002
"""Between an answer and the next command: 1 ms helped in nfcpy#257."""
ABORT_S = 0.03
"""Between the sign to end a command and the next one (libnfc#167); what still comes meanwhile is dropped."""
BABBLE_S = 0.2
"""For no longer than this is a line listened to that never falls silent."""
TRIES = 3
WAKE_UP = b"\x55\x55" + bytes(22)
"""Wakes a chip that sleeps; one that is awake ignores it (UM0701-02, 7.2.11: any byte on HSU). With 2.08 ms long enough
for its oscillator to start (2 ms at most) before a frame comes."""
GREETINGS_S = (0.0, 0.0, 0.2, 0.3)
"""How long to wait before each attempt to find a chip: opening its port may have reset it."""

Setting: TypeAlias = tuple[int, bytes]
"""A command that makes a setting, and its data."""


class ByteLine(Protocol):
    """Bytes in and out. Both may raise LineError."""

    def write(self, data: bytes) -> None: ...

    def read(self, within_s: float) -> bytes:
        """What has arrived; waits for it no longer than told."""
        ...

    def close(self) -> None:
        """Idempotent."""
        ...


class Pn532Link:
    """One chip at the end of a line."""

    def __init__(self, line: ByteLine, where: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`where`: what it is called when something is wrong."""
        self._line, self.where, self.clock = line, where, clock
        self.settings: Sequence[Setting] = ()
        """What the chip has to be told whenever it may have forgotten it."""
        self.asked_s = self.acknowledged_s = 0.0
        """When the last command was sent, and when its ACK came, by the clock."""
        self._splitter = FrameSplitter()
        self._arrived: list[AnyFrame] = []
        self._tokens = cycle(TOKENS)
        self.in_step = False
        """The chip has answered every command."""
        self._is_garbled = False

    def close(self) -> None:
        self._line.close()

    def greet(self) -> None:
        """Find the chip, and tell it the settings. Raises ReaderError with NO_PN532 if there is none.

        The first thing that is asked changes nothing; only if it has no answer, SAMConfiguration follows: a chip may
        sleep so deeply that it hears nothing else."""
        with self._told():
            if not any(self._found(rest_s, deeply=place % 2 == 1) for place, rest_s in enumerate(GREETINGS_S)):
                raise self._trouble(Pn532Trouble.NO_PN532)

    def command(self, code: int, data: bytes = b"", answer_s: float = ANSWER_S) -> bytes:
        """What the chip answers. Only for what may be done twice. Raises ReaderError if there is no answer."""
        for _ in range(TRIES):
            answer = self.ask(code, data, answer_s)
            if answer is not None:
                return answer
        raise self.failure()

    def ask(self, code: int, data: bytes, answer_s: float) -> bytes | None:
        """What the chip answers, within this time after its ACK; None: nothing, or nothing that can be understood. Then
        it is unknown whether the command was carried out. Raises ReaderError if the chip cannot be brought into step
        before, or refuses."""
        with self._told():
            if not self.in_step and not any(self._found(0.0, deeply=attempt > 0) for attempt in range(TRIES)):
                raise self.failure()
            return self._asked(code, data, answer_s)

    def doubt(self) -> None:
        """What the chip said makes no sense: bring it into step before anything else."""
        self.in_step, self._is_garbled = False, True

    def failure(self) -> ReaderError:
        """What to say about a chip that gives no answer."""
        return self._trouble(Pn532Trouble.GARBLED if self._is_garbled else Pn532Trouble.SILENT)

    # --- Into step --------------------------------------------------------------------------------------------

    def _found(self, rest_s: float, *, deeply: bool) -> bool:
        """Wake the chip, end what it does, and let it answer. `deeply`: it may hear SAMConfiguration only."""
        self._drop(rest_s)
        self._line.write(WAKE_UP + BareFrame.ACK.value)
        self._drop(ABORT_S)
        if deeply:
            self._does(SAM_CONFIGURATION, NORMAL_MODE)
        self.in_step = self._echoes() and all(self._does(code, data) for code, data in self.settings)
        return self.in_step

    def _does(self, code: int, data: bytes) -> bool:
        try:
            return self._asked(code, data, ANSWER_S) is not None
        except ReaderError:
            return False

    def _echoes(self) -> bool:
        """Whether the chip says the very number that it is told now: what comes later belongs to no older command."""
        self._drop(TURN_S)
        echo = ECHO + bytes([next(self._tokens)])
        self._line.write(command_frame(DIAGNOSE, echo))
        wanted = ContentFrame(bytes([CHIP, DIAGNOSE + 1]) + echo)
        until = self.clock() + ECHO_S
        while self.clock() < until:
            if self._next_frame(until) == wanted:
                return True
        return False

    # --- One command ------------------------------------------------------------------------------------------

    def _asked(self, code: int, data: bytes, answer_s: float) -> bytes | None:
        """What comes before the ACK is a late answer to an older command. Without an ACK the chip is out of step."""
        self._drop(TURN_S)
        self.in_step = False
        self._line.write(command_frame(code, data))
        self.asked_s = self.clock()
        arrived = self._next_frame(self.asked_s + ACK_S)
        while isinstance(arrived, ContentFrame):
            arrived = self._next_frame(self.asked_s + ACK_S)
        self.acknowledged_s = self.clock()
        if arrived is not BareFrame.ACK:
            return None
        arrived = self._next_frame(self.clock() + answer_s)
        if not isinstance(arrived, ContentFrame):
            return None
        if arrived.is_error:
            raise self._trouble(Pn532Trouble.REFUSES)
        if arrived.content[:2] != bytes([CHIP, code + 1]):
            return None
        self.in_step, self._is_garbled = True, False
        return arrived.content[2:]

    def _next_frame(self, until: float) -> AnyFrame | None:
        """None: none came in time, or it was damaged."""
        while not self._arrived:
            left, half_way = until - self.clock(), self._splitter.is_half_way
            if left <= 0:
                return None
            data, bad = self._line.read(min(left, GAP_S) if half_way else left), self._splitter.bad
            self._arrived += self._splitter.feed(data)
            if self._splitter.bad > bad or (half_way and not data):
                self._is_garbled = True
                self._splitter.forget()
                break
        return self._arrived.pop(0) if self._arrived else None

    def _drop(self, for_s: float) -> None:
        """What is there, and what comes within this time."""
        until = self.clock() + for_s
        babbling = until + BABBLE_S
        while (self._line.read(max(0.0, until - self.clock())) and self.clock() < babbling) or self.clock() < until:
            pass
        self._splitter.forget()
        self._arrived.clear()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """A line that has gone is a reader that fails."""
        try:
            yield
        except LineError as error:
            raise ReaderError(error.problem, self.where) from None

    def _trouble(self, problem: Pn532Trouble) -> ReaderError:
        return ReaderError(problem, self.where)
