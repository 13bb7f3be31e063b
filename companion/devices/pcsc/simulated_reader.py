"""A contactless reader behind the real pcscd: simulated tags in its field, and what it makes of them.

    with VirtualReader() as reader:
        … Reader("centre", FieldOpener(reader.settings)) …
        reader.lay("04A1B2C3D4E5F6")
        reader.spoil("killed")

Its driver in pcscd (vpcd) takes any program that connects to its port for a card. So a card is inserted by connecting
and taken out by leaving; in between two bytes of length and then what is said: one byte for power (00 off, 01 on, 02
reset) and for the ATR (04), else a command for the card. Source: vsmartcard's documentation of vpcd, "Creating a
Virtual Smart Card". What a card is asked, FF CA, FF B0 and FF D6, is from PC/SC part 3, 3.2.2.1.
"""

import contextlib
import socket
import struct
import threading
import time
from typing import Self

from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pcsc.simulated_daemon import NAME, Pcscd
from companion.devices.simulated.coupler import Coupler
from companion.devices.simulated.shared_field import TRAITS, SimulatedField, StickerHands

LOOK_S = 0.02
"""How often the reader looks into its field. Source: none; real readers differ, CCID does not say."""
TRIES = 4
"""A card that keeps silent so often in a row is gone. Source: none, chosen so that a weak tag is not."""
ANSWER_S = 2.0
"""Source: none, ample."""
UNHEEDED_S = 5.0
"""A card that pcscd has not spoken to for this long is inserted again: pcscd's driver may overlook one that comes just
as another one has gone, and our driver asks every card that is told several times a second. Source: seen
here, with Debian's vsmartcard-vpcd."""
HEAD = bytes.fromhex("3B8F8001804F0CA000000306")
"""A storage card by its PC/SC registered identifier; the standard and the name follow. Source: PC/SC part 3,
3.1.3.2.3.1."""
ULTRALIGHT, CLASSIC, UNNAMED = bytes([0x03, 0x00, 0x03]), bytes([0x03, 0x00, 0x01]), bytes([0x03, 0x00, 0x00])
"""Source: PC/SC part 3, supplemental document, names of storage cards."""
DONE, FAILED, UNKNOWN = b"\x90\x00", b"\x63\x00", b"\x6a\x81"
"""Source: PC/SC part 3, 3.2.2.1, and ISO 7816-4, 5.6."""
TELL_ATR = 4
"""Source: VPCD_CTRL_ATR in vpcd.h."""


class VirtualReader(StickerHands):
    """Starts when it is entered, with its pcscd. Safe to use from any thread."""

    FAULTS = ("killed", "silent", "unplugged", "failing")
    """pcscd is killed, or stopped; it knows no reader; every command to a card fails."""
    fault_names = (*FAULTS, *TRAITS)
    unseen_faults = tuple(TRAITS)
    settings = PcscSettings()

    def __init__(self) -> None:
        """Raises DeviceError if pcscd cannot be run here."""
        super().__init__(SimulatedField())
        self.pcscd = Pcscd()
        self.name = f"{NAME} 00 00"
        self.fault = ""
        self._lock = threading.RLock()
        self._coupler = Coupler(self.field)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="virtual reader", daemon=True)

    def __enter__(self) -> Self:
        self.field.switch(True, _now_us())
        self.pcscd.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self.pcscd.speak()
        self.pcscd.kill()
        self._thread.join()

    # --- Misfortunes ------------------------------------------------------------------------------------------

    def spoil(self, fault: str) -> None:
        """Let this go wrong, and nothing else; "": all is well again."""
        if fault in TRAITS:
            self.weaken(fault)
            return
        before, self.fault = self.fault, fault
        if before == "silent":
            self.pcscd.speak()
        if before in ("killed", "unplugged") or fault in ("killed", "unplugged"):
            self.pcscd.kill()
        if fault == "silent":
            self.pcscd.silence()
        elif fault != "killed":
            self.pcscd.start(reader=fault != "unplugged")

    def mend(self) -> None:
        self.weaken("")
        self.spoil("")

    # --- The reader's own work --------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            uid = self._first()
            if uid is None:
                self._stop.wait(LOOK_S)
                continue
            with contextlib.suppress(OSError, EOFError):
                self._insert(uid)
            self._stop.wait(LOOK_S)

    def _first(self) -> bytes | None:
        """One of the tags that are there."""
        with self._lock:
            self._coupler.now_us = _now_us()
            for tag in self.field.tags:
                if self._coupler.summon(tag.uid):
                    return tag.uid
        return None

    def _insert(self, uid: bytes) -> None:
        """Be this card for as long as it lies there."""
        with socket.create_connection(("127.0.0.1", self.pcscd.port), timeout=ANSWER_S) as line:
            line.settimeout(LOOK_S)
            misses, heeded_s = 0, time.monotonic()
            while misses < TRIES and not self._stop.is_set():
                said = _receive(line)
                if self.fault == "silent" or (said is not None and len(said) > 1):
                    heeded_s = time.monotonic()
                if time.monotonic() - heeded_s > UNHEEDED_S:
                    return
                if said is not None:
                    answer = self._answer(uid, said)
                    if answer is not None:
                        line.sendall(struct.pack(">H", len(answer)) + answer)
                misses = 0 if self._is_there(uid) else misses + 1

    def _is_there(self, uid: bytes) -> bool:
        with self._lock:
            self._coupler.now_us = _now_us()
            return self._coupler.summon(uid) is not None

    # --- What a card is asked ---------------------------------------------------------------------------------

    def _answer(self, uid: bytes, said: bytes) -> bytes | None:
        if len(said) == 1:
            return self._control(uid, said[0])
        with self._lock:
            self._coupler.now_us = _now_us()
            return self._obey(uid, said)

    def _control(self, uid: bytes, what: int) -> bytes | None:
        if what != TELL_ATR:
            return None  # power is the field's
        kind = {4: CLASSIC, 7: ULTRALIGHT}.get(len(uid), UNNAMED)
        atr = HEAD + kind + bytes(4)
        check = 0
        for octet in atr[1:]:
            check ^= octet
        return atr + bytes([check])

    def _obey(self, uid: bytes, command: bytes) -> bytes:
        if self.fault == "failing":
            return FAILED
        match tuple(command[:4]), command[4:]:
            case (0xFF, 0xCA, 0x00, 0x00), _:
                return uid + DONE if self._coupler.summon(uid) else FAILED
            case (0xFF, 0xB0, 0x00, page), size:
                read = self._exchange(uid, bytes([0x30, page]))
                return FAILED if read is None else read[: size[0] if size else len(read)] + DONE
            case (0xFF, 0xD6, 0x00, page), rest if len(rest) == 5 and rest[0] == 4:
                return FAILED if self._exchange(uid, bytes([0xA2, page]) + rest[1:]) is None else DONE
        return UNKNOWN

    def _exchange(self, uid: bytes, command: bytes) -> bytes | None:
        answer = self._coupler.exchange(command) if self._coupler.summon(uid) else "silent"
        return None if isinstance(answer, str) else answer


def _receive(line: socket.socket) -> bytes | None:
    """What pcscd's driver says; None: nothing at this moment. Raises EOFError when it has gone."""
    try:
        head = line.recv(2)
    except TimeoutError:
        return None
    if not head:
        raise EOFError
    (size,) = struct.unpack(">H", head if len(head) == 2 else head + _exactly(line, 1))
    return _exactly(line, size)


def _exactly(line: socket.socket, size: int) -> bytes:
    until = time.monotonic() + ANSWER_S
    data = b""
    while len(data) < size:
        with contextlib.suppress(TimeoutError):
            part = line.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        if time.monotonic() > until:
            raise EOFError
    return data


def _now_us() -> float:
    return time.monotonic() * 1e6
