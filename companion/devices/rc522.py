"""The RC522 reader (MFRC522) on the Pi's SPI bus, and the tags in its field.

Wiring: see hardware/. 3.3 V only; SDA is chip select, RST any free GPIO (the reset pin, a BCM number).

Known quirks: the chip sees about two stickers on each other, three not; a tag that lies still answers REQA only once,
so it is halted when it has told its UID, and called by it from then on; a chip without power looks like an empty field
to whoever does not read its version.

How tags are found (ISO 14443-3): REQA wakes newcomers, which are told apart bit by bit, selected and halted, until
REQA meets silence. A known tag is woken by WUPA and selected by its UID; all others that woke fall back.
"""

import time
from collections.abc import Callable, Collection
from threading import RLock
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from companion.devices import iso14443 as iso
from companion.devices.field import Failed, Look, Pages, Uid, Written
from companion.devices.trouble import ReaderError

if TYPE_CHECKING:
    from companion.devices.transceiver import Reply, Transceiver

SPEED_HZ = 1_000_000
MOST_TAGS = 8
"""More than a chip can feed. If so many seem to be there, something is wrong with what it hears."""
READ_US, WRITE_US = 6_000, 12_000
"""When memory has not answered by then it never will (NTAG21x: 5 and 10 ms)."""
TRIES = 3
"""How often somebody who answers may fail to be made out in one look."""

_Done = TypeVar("_Done")
_Called: TypeAlias = Literal["seen", "silent", "woken", "garbled"]
"""What became of calling a tag: `woken`: somebody woke up, but did not answer to this UID."""


class Rc522:
    """One reader. May be used by several threads; each call is whole."""

    def __init__(
        self,
        bus: int,
        device: int,
        reset_pin: int,
        *,
        speed_hz: int = SPEED_HZ,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises ReaderError where there is no library, no bus, or no chip that answers."""
        self._chip = _open(bus, device, reset_pin, speed_hz, sleep)
        self._lock = RLock()

    @property
    def version(self) -> int:
        """0x91 or 0x92; copies tell others."""
        return self._chip.version

    def restart(self) -> None:
        with self._lock:
            self._chip.restart()

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            self._chip.close()

    # --- Who is there -----------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """Who has come, and who of the known ones is still there."""
        with self._lock:
            seen, unclear = self._newcomers(known)
            called = {uid: self._call(uid) for uid in known if uid not in seen}
            seen += [uid for uid, became in called.items() if became == "seen"]
            # If nobody is there who could have woken in its place, it was probably the one that was called: no miss.
            absent = ("silent", "woken") if seen else ("silent",)
            missed = tuple(uid for uid, became in called.items() if became in absent)
            return Look(tuple(seen), missed, unclear or "garbled" in called.values())

    def inventory(self, known: Collection[Uid]) -> Look:
        """The same, but from the beginning: the field goes off and on, and everybody has to answer anew."""
        with self._lock:
            self._chip.switch_field(False)
            self._chip.switch_field(True)
            return self.look(known)

    def _newcomers(self, known: Collection[Uid]) -> tuple[list[Uid], bool]:
        """Everybody who has come, and whether somebody could not be made out. While nobody is known all may be woken:
        so a tag that was halted by mistake is not lost."""
        seen: list[Uid] = []
        failures = 0
        while len(seen) < MOST_TAGS and failures < TRIES:
            request = iso.REQA if known or seen else iso.WUPA
            if self._wake(request, again=bool(failures)).silent:
                return seen, failures > 0
            uid = self._identify()
            if uid is None or uid in seen:
                failures += 1
                continue
            failures = 0
            seen.append(uid)
            self._halt()
        return seen, True

    def _wake(self, request: int, *, again: bool) -> "Reply":
        """`again`: a tag that was left half-way takes the first request for an error, and hears the second."""
        reply = self._request(request)
        return self._request(request) if reply.silent and again else reply

    def _request(self, request: int) -> "Reply":
        return self._chip.exchange(bytes([request]), last_bits=iso.SHORT_FRAME_BITS)

    def _halt(self) -> None:
        self._chip.exchange(iso.HALT)

    # --- One tag of several -----------------------------------------------------------------------------------

    def _identify(self) -> Uid | None:
        """The UID of one of those who woke; it is selected then. None: not to be made out."""
        levels: list[bytes] = []
        for level in range(len(iso.SELECTS)):
            four = self._resolve(level)
            sak = None if four is None else self._select(level, four)
            if isinstance(sak, str) or sak is None or four is None:
                return None
            levels.append(four)
            if not sak & iso.CASCADE_BIT:
                return iso.uid_of(levels)
        return None

    def _resolve(self, level: int) -> bytes | None:
        """Four bytes of one UID. Where answers collide, those who have the other bit drop out.

        In an answer that begins with the first bit the chip tells where they collide. In all others data sheets can be
        read in two ways, so one bit is taken at a time: the first is either undisturbed, or somebody has it."""
        known, bits = 0, 0
        while bits <= iso.LEVEL_BITS:
            frame, odd = iso.anticollision(level, known, bits)
            reply = self._chip.exchange(frame, last_bits=odd, align=odd, expected_bits=40 - bits)
            if reply.silent or reply.garbled:
                return None
            rest = reply.value >> odd
            if not reply.collided:
                whole = known | rest << bits
                return iso.level_of(whole.to_bytes(5, "little")) if reply.bits == 40 - bits + odd else None
            if not bits and reply.position:
                bits = reply.position
                known = rest & (1 << bits - 1) - 1 | 1 << bits - 1
            else:
                known |= (rest & 1) << bits
                bits += 1
        return None

    def _select(self, level: int, four: bytes) -> int | Literal["silent", "garbled"]:
        """What kind of tag it is (SAK)."""
        reply = self._chip.exchange(iso.select(level, four), expected_bits=24)
        if reply.silent:
            return "silent"
        sak = iso.sak_of(reply.whole or b"")
        return "garbled" if sak is None else sak

    # --- A tag whose UID is known -----------------------------------------------------------------------------

    def _call(self, uid: Uid) -> _Called:
        """Whether this tag is there. It is halted again afterwards."""
        became = self._summon(uid)
        if became == "seen":
            self._halt()
        return became

    def _summon(self, uid: Uid) -> _Called:
        """Wake it and select it, at the second attempt if need be. What was heard once is not forgotten."""
        first = self._attempt(uid, again=False)
        if first == "seen":
            return first
        second = self._attempt(uid, again=True)
        return second if second == "seen" else max(first, second, key=("silent", "woken", "garbled").index)

    def _attempt(self, uid: Uid, *, again: bool) -> _Called:
        if self._wake(iso.WUPA, again=again).silent:
            return "silent"
        for level, four in enumerate(iso.cascade(uid)):
            sak = self._select(level, four)
            if isinstance(sak, str):
                return "garbled" if sak == "garbled" else "woken"
        return "seen"

    # --- Its memory -------------------------------------------------------------------------------------------

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """Four pages of an NTAG or Ultralight, beginning with this one. A MIFARE Classic tag does not answer."""
        return self._command(uid, lambda: self._read(page))

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        """The four bytes of one page. Acknowledged means stored."""
        if len(data) != iso.PAGE_BYTES:
            raise ValueError(f"a page has {iso.PAGE_BYTES} bytes, not {len(data)}")
        return self._command(uid, lambda: self._write(page, data))

    def _command(self, uid: Uid, act: Callable[[], _Done | Failed]) -> _Done | Failed:
        """Select, act, halt; once more where somebody was not heard."""
        outcome: _Done | Failed = Failed("no answer")
        with self._lock:
            for _ in range(2):
                became = self._summon(uid)
                outcome = act() if became == "seen" else Failed("garbled" if became == "garbled" else "no answer")
                if not isinstance(outcome, Failed) or outcome.why == "refused":
                    break
            self._halt()
        return outcome

    def _read(self, page: int) -> Pages | Failed:
        reply = self._chip.exchange(iso.read(page), expected_bits=144, patience_us=READ_US)
        data = iso.without_crc(reply.whole or b"")
        if data is not None and len(data) == iso.READ_PAGES * iso.PAGE_BYTES:
            return Pages(page, data)
        return _failure(reply)

    def _write(self, page: int, data: bytes) -> Written | Failed:
        reply = self._chip.exchange(iso.write(page, data), expected_bits=4, patience_us=WRITE_US)
        acknowledged = reply.bits == iso.ACK_BITS and reply.value == iso.ACK and not reply.garbled
        return Written(page) if acknowledged else _failure(reply)


def _failure(reply: "Reply") -> Failed:
    if reply.silent:
        return Failed("no answer")
    return Failed("refused" if reply.bits == iso.ACK_BITS and not reply.garbled else "garbled")


def _open(bus: int, device: int, reset_pin: int, speed_hz: int, sleep: Callable[[float], None]) -> "Transceiver":
    """The library is imported here and not before: it cannot be, where there is no Pi."""
    try:
        from companion.devices.transceiver import Transceiver  # noqa: PLC0415 — see above
    except (ImportError, RuntimeError) as error:
        place = f"The reader on SPI bus {bus}, device {device}"
        raise ReaderError("the driver cannot be loaded", place, str(error)) from error
    return Transceiver(bus, device, reset_pin, speed_hz, sleep)
