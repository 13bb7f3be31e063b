"""What is around the guest: readers with tags on its SPI bus, fingers on its header, a satellite at its USB.

The chips and the satellite are those of the tests: a register-level RC522, and the compiled firmware on an emulated
ATmega328P. They run outside, so a guest that loses its power leaves every tag where it is.
"""

import socket
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite.emulator_client import Workbench
from companion.devices.satellite.emulator_commands import LayTag, LiftTag, Plug, PressButton, Unplug
from companion.devices.simulated.tags import Tag, sticker
from companion.stations import CENTRE, PADS
from tools.virtual_pi.machine import BUS, Guest

QUESTION, ANSWER = struct.Struct("<IBBH"), struct.Struct("<II")
"""See guest/vspi.c."""
PINS = {"green": 5, "red": 6}
"""As in the table.toml of kit one."""
BOUNCES = 3
ENDED = "ended"
"""A program of hands that guest/lean.c started, and that has gone."""


class Bench:
    """`connect` it to a guest that runs; when that has gone, to the next one."""

    def __init__(self, folder: Path) -> None:
        self.chip = Chip()
        """Its reader."""
        self.told: list[str] = []
        """What the hands inside have said, line by line."""
        self._slower = 1
        self._tags: dict[str, Tag] = {}
        self._header: socket.socket | None = None
        self._line = folder / "satellite"
        self._satellite: Workbench | None = None
        self._news = threading.Condition()

    def connect(self, guest: Guest) -> None:
        self._header, self._slower = guest.port("header"), guest.slower
        for serve, line in ((self._bus, guest.port(BUS)), (self._hands, guest.port("hands"))):
            threading.Thread(target=_until_it_has_gone, args=(serve, line), daemon=True).start()

    def close(self) -> None:
        if self._satellite:
            self._satellite.close()

    # --- The bus ----------------------------------------------------------------------------------------------

    def _bus(self, line: socket.socket) -> None:
        while True:
            number, select, fresh, length = QUESTION.unpack(_exactly(line, QUESTION.size))
            sent = _exactly(line, length)
            line.sendall(ANSWER.pack(number, length) + self._answer(select, bool(fresh), sent))

    def _answer(self, select: int, fresh: bool, sent: bytes) -> bytes:
        """One reader, at the first select line. Being selected again ends whatever was going on."""
        if select:
            return b"\xff" * len(sent)
        now_us = time.monotonic() * 1e6 / self._slower
        if fresh:
            self.chip.select(now_us)
        return bytes(self.chip.exchange(octet, now_us) for octet in sent)

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, station: str, uid: str) -> None:
        if station == CENTRE:
            self.chip.field.place(self._tag(uid))
        else:
            self._on_usb.do(LayTag(PADS.index(station), uid))

    def lift(self, station: str, uid: str) -> None:
        if station == CENTRE:
            self.chip.field.lift(self._tag(uid))
        else:
            self._on_usb.do(LiftTag(PADS.index(station), uid))

    def press(self, station: str, button: str, for_ms: float = 90.0) -> None:
        """For so long by the guest's clock. It bounces. The Pi's buttons come up while others do something else."""
        if station != CENTRE:
            self._on_usb.do(PressButton(PADS.index(station), button, for_ms))
            return
        self.hold(PINS[button])
        threading.Timer(for_ms / 1000 * self._slower, self.let_go, (PINS[button],)).start()

    def hold(self, pin: int) -> None:
        """Connect a pin of the header to ground."""
        self._touch(f"{pin} 0\n" + f"{pin} 1\n{pin} 0\n" * BOUNCES)

    def let_go(self, pin: int) -> None:
        self._touch(f"{pin} 1\n" + f"{pin} 0\n{pin} 1\n" * BOUNCES)

    def _touch(self, lines: str) -> None:
        assert self._header is not None
        self._header.sendall(lines.encode())

    def _tag(self, uid: str) -> Tag:
        return self._tags.setdefault(uid, sticker(uid))

    # --- The satellite ----------------------------------------------------------------------------------------

    @property
    def _on_usb(self) -> Workbench:
        assert self._satellite is not None, "there is no satellite on this bench"
        return self._satellite

    def plug_satellite(self, guest: Guest, number: int) -> None:
        """Into the socket of this number. It has no power before."""
        if self._satellite is None:
            self._satellite = Workbench(self._line, slower=guest.slower)
        else:
            self._satellite.do(Plug())
        _await(self._line.is_symlink, "the satellite's line")
        guest.plug(self._line.resolve(), number)

    def unplug_satellite(self, guest: Guest) -> None:
        """Its power goes first: a byte for a converter that has just gone is the end of QEMU."""
        self._on_usb.do(Unplug())
        _await(lambda: not self._line.is_symlink(), "the end of the satellite's line")
        guest.unplug()

    # --- What hands inside want, and say -----------------------------------------------------------------------

    def _hands(self, line: socket.socket) -> None:
        with line.makefile("r", encoding="utf-8") as lines:
            for said in lines:
                match said.split():
                    case ["lay", station, uid]:
                        self.lay(station, uid)
                    case ["lift", station, uid]:
                        self.lift(station, uid)
                    case ["press", station, button, for_ms]:
                        self.press(station, button, float(for_ms))
                with self._news:
                    self.told.append(said.strip())
                    self._news.notify_all()

    def hears(self, word: str, since: int, within_s: float) -> str:
        """The first line that begins with this word, behind so many lines."""
        deadline = time.monotonic() + within_s
        with self._news:
            while True:
                for line in self.told[since:]:
                    if line.split()[0] == word:
                        return line
                    if line.split()[0] == ENDED:
                        raise AssertionError(f"the hands inside have gone, before “{word}”: {line}")
                if not self._news.wait(deadline - time.monotonic()):
                    raise AssertionError(f"the hands inside said nothing of “{word}”, but {self.told[-3:]}")

    def reached(self, since: int = 0) -> int:
        """How far the journal has come for sure, as told behind so many lines."""
        with self._news:
            told = [line.split() for line in self.told[since:]]
        return max((int(words[1]) for words in told if words[0] == "entry"), default=0)


def _exactly(line: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = line.recv(count - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def _until_it_has_gone(serve: Callable[[socket.socket], None], line: socket.socket) -> None:
    try:
        with line:
            serve(line)
    except OSError:
        pass


def _await(is_so: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.02)
