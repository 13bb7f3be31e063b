"""The RC522 reader (MFRC522) on the Pi's SPI bus, and the tags in its field.

Wiring: see hardware/. 3.3 V only; SDA is chip select, RST any free GPIO (the reset pin, a BCM number).

Known quirks: the chip sees about two stickers on top of each other, but not three; a tag that lies still answers REQA
only once, so it is halted when it has told its UID, and called by it from then on; a chip without power looks like an
empty field unless its version is read.

How tags are found (ISO 14443-3): REQA wakes newcomers, which are told apart bit by bit, selected and halted, until REQA
meets silence. A known tag is woken by WUPA and selected by its UID; all others that woke fall back.
"""

import time
from collections.abc import Callable, Collection
from threading import RLock
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from companion.devices import iso14443 as iso
from companion.devices.rc522.reset_pin import lent
from companion.devices.tag_field import Failed, Look, Pages, ReaderError, Uid, Written
from companion.troubles import CopyRemark, ReaderTrouble, Trouble

if TYPE_CHECKING:
    from companion.devices.rc522.transceiver import TagReply, Transceiver

SPEED_HZ = 1_000_000
MOST_TAGS = 8
"""More than a chip can feed. If so many seem to be there, something is wrong with what it hears."""
READ_US, WRITE_US = 6_000, 12_000
"""When memory has not answered by then it never will (NTAG21x: 5 and 10 ms)."""
TRIES = 3
"""How often a tag that answers may fail to be understood in one look, and how often a known tag is called."""
ASKS = 3
"""How often one question is put, if no tag answers it: a tag that has not heard it, or was not heard, still waits."""

_Done = TypeVar("_Done")
_Unread: TypeAlias = Literal["silent", "garbled"]
"""A tag answered, and then could not be understood."""
_Called: TypeAlias = Literal["seen", "hardly", "silent", "woken", "garbled"]
"""What became of calling a tag: `hardly`: seen, but a question went unanswered; `woken`: a tag woke up, but did not
answer to this UID."""
_HEARD = ("seen", "hardly")


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

    @property
    def odd(self) -> tuple[str, ...]:
        """Registers that this copy of the chip does not keep as the data sheet promises; none, in most."""
        return self._chip.odd

    @property
    def remark(self) -> Trouble | None:
        """What people should know of a reader that works."""
        return CopyRemark.ODD_COPY if self.odd else None

    def restart(self) -> None:
        with self._lock:
            self._chip.restart()

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            self._chip.close()

    # --- Tags in the field ------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """Which tags have come, and which of the known ones are still there."""
        with self._lock:
            return self._checked(self._look(known))

    def _checked(self, look: Look) -> Look:
        """Silence only counts from a chip that can hear."""
        if look.missed or not look.seen:
            self._chip.check_hearing()
        return look

    def _look(self, known: Collection[Uid], *, is_inventory: bool = False) -> Look:
        newcomers = self._newcomers(known)
        called = self._call([uid for uid in known if uid not in newcomers.seen])
        seen = (*newcomers.seen, *(uid for uid, became in called.items() if became in _HEARD))
        # A known tag that answers like a newcomer had lost its power.
        back = () if is_inventory else tuple(uid for uid in newcomers.seen if uid in known)
        hardly = (*back, *(uid for uid, became in called.items() if became == "hardly"))
        # If no other known tag could have woken in its place, it was probably the one that was called: no miss.
        absent = ("silent", "woken") if len({*known, *seen}) > 1 else ("silent",)
        missed = tuple(uid for uid, became in called.items() if became in absent)
        return Look(seen, missed, newcomers.unclear or "garbled" in called.values(), hardly)

    def inventory(self, known: Collection[Uid]) -> Look:
        """The same, but from the beginning: the field goes off and on, and all tags have to answer again."""
        with self._lock:
            self._chip.switch_field(False)
            self._chip.switch_field(True)
            return self._checked(self._look(known, is_inventory=True))

    def _newcomers(self, known: Collection[Uid]) -> Look:
        """All tags that have come. While no tag is known all may be woken: so a tag that was halted by mistake is not
        lost."""
        seen: list[Uid] = []
        failures: list[_Unread] = []
        while len(seen) < MOST_TAGS and len(failures) < TRIES:
            request = iso.REQA if known or seen else iso.WUPA
            if self._wake(request, again=bool(failures)).silent:
                break
            uid = self._identify()
            if isinstance(uid, str) or uid in seen:
                failures.append(uid if isinstance(uid, str) else "silent")  # it had lost its power for a moment
                continue
            failures.clear()
            seen.append(uid)
            self._halt()
        return Look(tuple(seen), (), "garbled" in failures or len(seen) == MOST_TAGS)

    def _wake(self, request: int, *, again: bool) -> "TagReply":
        """`again`: a tag that was left half-way takes the first request for an error, and hears the second."""
        reply = self._request(request)
        return self._request(request) if reply.silent and again else reply

    def _request(self, request: int) -> "TagReply":
        return self._chip.exchange(bytes([request]), last_bits=iso.SHORT_FRAME_BITS)

    def _halt(self) -> None:
        self._chip.exchange(iso.HALT)

    # --- One tag of several -----------------------------------------------------------------------------------

    def _identify(self) -> Uid | _Unread:
        """The UID of one of the tags that woke; it is selected then.

        A tag that was selected and not heard has gone on to the next level, and so do we. Of the last
        one, which only its answer proves, it is called by its name."""
        levels: list[bytes] = []
        for level in range(len(iso.SELECTS)):
            four = self._resolve(level)
            if isinstance(four, str):
                return four
            levels.append(four)
            sak = self._select(level, four)
            if sak == "garbled":
                return "garbled"
            goes_on = iso.goes_on(level, four) if isinstance(sak, str) else bool(sak & iso.CASCADE_BIT)
            if not goes_on:
                uid: Uid | _Unread = iso.uid_of(levels) or "garbled"
                return uid if sak != "silent" or self._answers_to(uid) else "silent"
        return "garbled"

    def _answers_to(self, uid: Uid | _Unread) -> bool:
        return isinstance(uid, bytes) and any(self._attempt(uid, again=True) in _HEARD for _ in range(ASKS))

    def _resolve(self, level: int) -> bytes | _Unread:
        """Four bytes of one UID. Where answers collide, the tags with the other bit drop out.

        In an answer that begins with the first bit the chip tells where they collide. In all others data sheets can be
        read in two ways, so one bit is taken at a time: the first is either undisturbed, or that of a tag."""
        known, bits = 0, 0
        while bits <= iso.LEVEL_BITS:
            frame, odd = iso.anticollision(level, known, bits)
            for _ in range(ASKS):
                reply = self._chip.exchange(frame, last_bits=odd, align=odd, expected_bits=40 - bits)
                if not reply.silent:
                    break
            if reply.silent or reply.garbled:
                return "silent" if reply.silent else "garbled"
            rest = reply.value >> odd
            if not reply.collided:
                whole = known | rest << bits
                fits = reply.bits == 40 - bits + odd
                return (iso.level_of(whole.to_bytes(5, "little")) if fits else None) or "garbled"
            if not bits and reply.position:
                bits = reply.position
                known = rest & (1 << bits - 1) - 1 | 1 << bits - 1
            else:
                known |= (rest & 1) << bits
                bits += 1
        return "garbled"

    def _select(self, level: int, four: bytes) -> int | _Unread:
        """What kind of tag it is (SAK)."""
        reply = self._chip.exchange(iso.select(level, four), expected_bits=24)
        if reply.silent:
            return "silent"
        sak = iso.sak_of(reply.whole or b"")
        return "garbled" if sak is None else sak

    # --- A tag whose UID is known -----------------------------------------------------------------------------

    def _call(self, uids: Collection[Uid]) -> dict[Uid, _Called]:
        """Whether these tags are there; they are halted again afterwards. A tag that is not heard is called again
        after all others: so each is called as often as can be, and one that has power only now and then is met."""
        became: dict[Uid, _Called] = {}
        for _ in range(TRIES):
            for uid in uids:
                if became.get(uid) not in _HEARD:
                    became[uid] = self._attempted(uid, became.get(uid))
                    if became[uid] in _HEARD:
                        self._halt()
        return became

    def _summon(self, uid: Uid) -> _Called:
        """Wake it and select it, at a later attempt if need be."""
        became = self._attempted(uid, None)
        for _ in range(TRIES - 1):
            if became in _HEARD:
                break
            became = self._attempted(uid, became)
        return became

    def _attempted(self, uid: Uid, before: _Called | None) -> _Called:
        """What one more attempt has come to. What was heard once is not forgotten."""
        if before is None:
            return self._attempt(uid, again=False)
        later = self._attempt(uid, again=True)
        return "hardly" if later in _HEARD else max(before, later, key=("silent", "woken", "garbled").index)

    def _attempt(self, uid: Uid, *, again: bool) -> _Called:
        """All levels, whether or not each is answered: the last one only this very tag answers, and only if it has
        heard all of them."""
        if self._wake(iso.WUPA, again=again).silent:
            return "silent"
        saks = [self._select(level, four) for level, four in enumerate(iso.cascade(uid))]
        if "garbled" in saks:
            return "garbled"
        return "woken" if saks[-1] == "silent" else "hardly" if "silent" in saks else "seen"

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
        """Select, act, halt; once more if the tag was not heard."""
        outcome: _Done | Failed = Failed("no answer")
        with self._lock:
            for _ in range(2):
                became = self._summon(uid)
                outcome = act() if became in _HEARD else Failed("garbled" if became == "garbled" else "no answer")
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


def _failure(reply: "TagReply") -> Failed:
    if reply.silent:
        return Failed("no answer")
    return Failed("refused" if reply.bits == iso.ACK_BITS and not reply.garbled else "garbled")


def _open(bus: int, device: int, reset_pin: int, speed_hz: int, sleep: Callable[[float], None]) -> "Transceiver":
    """The library is imported here and not before: it cannot be, where there is no Pi."""
    try:
        with lent():
            from companion.devices.rc522.transceiver import Transceiver  # noqa: PLC0415 — see above
    except (ImportError, RuntimeError) as error:
        place = f"The reader on SPI bus {bus}, device {device}"
        raise ReaderError(ReaderTrouble.NO_DRIVER, place, str(error)) from error
    return Transceiver(bus, device, reset_pin, speed_hz, sleep)
