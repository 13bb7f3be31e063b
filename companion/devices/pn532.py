"""The PN532 reader on USB, or on a Pi's UART (HSU, 115,200 baud), and the tags in its field.

A board on USB needs nothing but its plug; its switches have to stand on HSU (often both on 0). On a Pi: 3.3 V or 5 V as
printed, TXD of one to RXD of the other. Sections below are those of NXP's user manual, UM0701-02.

Known quirks: the chip takes care of two tags at a time (7.3.5), so after two it is asked whether there are more; a tag
that it has found stays selected and hears nothing else, so whoever lies there is asked again after the field was off;
the chip waits for a tag forever, so it is told when to end (6.2.1.3); after a reset it sleeps in a mode without a
field, which only SAMConfiguration ends (7.2.10).
"""

import time
from collections.abc import Callable, Collection, Iterator
from threading import RLock
from typing import Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.devices import iso14443 as iso
from companion.devices.field import Failed, Look, Pages, ReaderError, Uid, Written
from companion.devices.pn532_link import Pn532Link
from companion.troubles import Pn532Trouble

GET_FIRMWARE_VERSION = 0x02  # 7.2.2
GET_GENERAL_STATUS = 0x04  # 7.2.3
SET_PARAMETERS = 0x12  # 7.2.9
SAM_CONFIGURATION = 0x14  # 7.2.10
RF_CONFIGURATION = 0x32  # 7.3.1
IN_DATA_EXCHANGE = 0x40  # 7.3.8
IN_DESELECT = 0x44  # 7.3.10
IN_LIST_PASSIVE_TARGET = 0x4A  # 7.3.5

IC_PN532 = 0x32
NORMAL_MODE = bytes([0x01, 0x00, 0x00])
"""SAMConfiguration: no SAM, no time limit, no IRQ pin."""
PARAMETERS = bytes([0x04])
"""SetParameters without the automatic RATS: a bank card that lies on the table is asked for its number alone."""
RF_FIELD, FIELD_OFF = 0x01, 0x00
RETRIES = bytes([0x05, 0xFF, 0x01, 0xFF])
"""RFConfiguration, MaxRetries: look for tags until told to end. That is also the default after a reset."""
TYPE_A = 0x00
MOST_AT_ONCE = 2
MOST_TAGS = 8
"""More than an antenna can feed. If so many seem to be there, something is wrong with what is heard."""

EMPTY_S = 0.3
"""How long the chip waits for the first tag by itself: it tells at once when one comes."""
CHECK_LOOKS = 6
"""After this many looks into an empty field the chip itself is checked."""
CALL_S = 0.04
"""How long those who lie there have to answer again: several times what the chip needs for one round of questions."""
WEAK_S = 0.15
"""The same for a tag that once answered only when it was called by its name."""
REST_S = 0.02
"""Between two calls while somebody lies there."""
OFF_S = 0.006
"""Tags forget everything when the field is off for 5 ms (ISO 14443-3, 5.1)."""
EXCHANGE_S = 0.5
DOUBT_LOOKS = 10
"""For how many looks a number that was read once is remembered: some three seconds in an empty field, less where tags
lie. Forever would be too long: on a line that is noisy for hours the same wrong number comes twice."""
TIME_OUT = 0x01
GARBLED = (0x02, 0x03, 0x05, 0x06, 0x0A, 0x0B)
"""Statuses of 7.1: check sum, parity, framing, collision, field, protocol. All others mean that the tag refused."""

_Done = TypeVar("_Done")


class Target(NamedTuple):
    number: int
    uid: Uid


class Pn532:
    """One reader. May be used by several threads; each call is whole."""

    def __init__(self, open_link: Callable[[], Pn532Link], *, sleep: Callable[[float], None] = time.sleep) -> None:
        """`open_link`: finds the chip's line. Raises ReaderError where no chip answers."""
        self._open_link, self._sleep = open_link, sleep
        self._lock = RLock()
        self._link: Pn532Link | None = None
        self._selected: Target | None = None
        self._empty_looks = 0
        self._weak: set[Uid] = set()
        self._read_once: dict[Uid, int] = {}
        """Who may be there, and for how many more looks that is remembered: see `_call_all`."""
        self.version = ""
        """Of its firmware: "1.6"."""
        self.restart()

    def restart(self) -> None:
        """A line that has gone is looked for again."""
        with self._lock:
            self.close()
            link = self._open_link()
            try:
                self.version = awake(link)
            except BaseException:
                link.close()
                raise
            self._link = link

    def close(self) -> None:
        """Idempotent."""
        with self._lock:
            link, self._link, self._selected = self._link, None, None
            if link is not None:
                link.close()

    # --- Who is there -----------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """Who has come, and who of the known ones is still there. While nobody is known the chip waits for one."""
        with self._lock:
            if known:
                self._sleep(REST_S)
                return self._call_all(known)
            self._empty_looks += 1
            if self._empty_looks % CHECK_LOOKS == 0:
                self._status()  # a chip that takes commands and never answers them looks like an empty table
            return self._call_all(known, EMPTY_S)

    def inventory(self, known: Collection[Uid]) -> Look:
        """The same, but from the beginning: the field goes off and on, and everybody has to answer again."""
        with self._lock:
            return self._call_all(known)

    def _call_all(self, known: Collection[Uid], within_s: float = CALL_S) -> Look:
        """A newcomer counts when it has been read twice: the check sum of a frame has eight bits, and on a noisy line a
        UID that nobody has comes through now and then. As long as it was read only once, somebody counts as not
        understood."""
        look = self._call_once(known, within_s)
        if any(uid not in known and uid not in self._read_once for uid in look.seen):
            before, look = look.seen, self._call_once(known)
        else:
            before = ()
        heard = [uid for uid in look.seen if uid in known or uid in before or uid in self._read_once]
        doubtful = [uid for uid in (*before, *look.seen) if uid not in heard]
        waiting = {uid: looks - 1 for uid, looks in self._read_once.items() if looks > 1}
        waiting |= dict.fromkeys(doubtful, DOUBT_LOOKS)
        self._read_once = {uid: looks for uid, looks in waiting.items() if uid not in (*known, *heard)}
        return replace(look, seen=tuple(heard), unclear=look.unclear or bool(doubtful))

    def _call_once(self, known: Collection[Uid], within_s: float = CALL_S) -> Look:
        """Every look begins with a fresh field: so nobody is lost who was found just when the chip was told to end."""
        self._switch_off()
        return replace(self._seen(self._list(within_s), known), anew=True)

    def _switch_off(self) -> None:
        """The next search switches the field on again (7.3.5)."""
        self._selected = None
        self._command(RF_CONFIGURATION, bytes([RF_FIELD, FIELD_OFF]))
        self._sleep(OFF_S)

    def _seen(self, found: "list[Target] | None", known: Collection[Uid]) -> Look:
        """`found`: the first ones; None: somebody could not be understood."""
        seen: list[Uid] = []
        while found and len(seen) < MOST_TAGS:
            newcomers = [target.uid for target in found if target.uid not in seen]
            seen += newcomers
            if len(found) < MOST_AT_ONCE or not newcomers:
                break
            self._command(IN_DESELECT, b"\x00")
            found = self._list(CALL_S)
        called = {uid: self._call(uid) for uid in known if uid not in seen}
        seen += [uid for uid, became in called.items() if became == "seen"]
        missed = tuple(uid for uid, became in called.items() if became == "missed")
        unclear = found is None or "unclear" in called.values() or len(seen) >= MOST_TAGS
        return Look(tuple(seen), missed, unclear)

    def _call(self, uid: Uid) -> Literal["seen", "missed", "unclear"]:
        """Whether somebody who was expected is there: asked by name, before anybody says that they are gone.

        An answer that was lost on the line leaves its tag in the chip's care: that says nothing about the tag."""
        patience_s = WEAK_S if uid in self._weak else CALL_S
        if found := self._list(patience_s, b"".join(iso.cascade(uid))):
            self._weak.add(uid)
            return "seen" if found[0].uid == uid else "unclear"
        return "unclear" if self._status() or found is None else "missed"

    def _status(self) -> int:
        """How many tags are in the chip's care (7.2.3). A chip that was reset has no field: it has to start over."""
        status = self._command(GET_GENERAL_STATUS)
        if len(status) < 3 or not status[1]:
            raise self._trouble(Pn532Trouble.WITHOUT_POWER)
        return status[2]

    def _list(self, within_s: float, wanted: bytes = b"") -> "list[Target] | None":
        """Who answers within this time; None: it could not be understood. `wanted`: only a tag whose UID begins so."""
        most = 1 if wanted else MOST_AT_ONCE
        answer = self._linked.ask(IN_LIST_PASSIVE_TARGET, bytes([most, TYPE_A]) + wanted, within_s)
        if answer is None:
            return []
        try:
            return list(targets_in(answer))
        except ValueError:
            return None

    # --- Its memory -------------------------------------------------------------------------------------------

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """Four pages of an NTAG or Ultralight, beginning with this one. A MIFARE Classic tag does not answer."""

        def read(target: Target) -> Pages | Failed:
            data = self._exchange(target, bytes([iso.READ, page]))
            if isinstance(data, Failed):
                return data
            return Pages(page, data) if len(data) == iso.READ_PAGES * iso.PAGE_BYTES else Failed("garbled")

        return self._with(uid, read)

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        """The four bytes of one page. Acknowledged means stored."""
        if len(data) != iso.PAGE_BYTES:
            raise ValueError(f"a page has {iso.PAGE_BYTES} bytes, not {len(data)}")

        def write(target: Target) -> Written | Failed:
            answer = self._exchange(target, bytes([iso.WRITE, page]) + data)
            return answer if isinstance(answer, Failed) else Written(page)

        return self._with(uid, write)

    def _with(self, uid: Uid, act: Callable[[Target], _Done | Failed]) -> _Done | Failed:
        """Select, and act; once more where somebody was not heard."""
        outcome: _Done | Failed = Failed("no answer")
        with self._lock:
            for _ in range(2):
                target = self._select(uid)
                outcome = act(target) if target else Failed("no answer")
                if not isinstance(outcome, Failed):
                    return outcome
                self._selected = None  # whatever a tag refuses sends it back
                if outcome.why == "refused":
                    break
        return outcome

    def _select(self, uid: Uid) -> Target | None:
        """This very tag, whoever else lies there (7.3.5, InitiatorData). One that is selected stays so."""
        if self._selected is None or self._selected.uid != uid:
            self._switch_off()
            found = self._list(CALL_S, b"".join(iso.cascade(uid))) or []
            self._selected = next((target for target in found if target.uid == uid), None)
        return self._selected

    def _exchange(self, target: Target, data: bytes) -> bytes | Failed:
        status, *answer = self._command(IN_DATA_EXCHANGE, bytes([target.number]) + data, EXCHANGE_S) or [TIME_OUT]
        if not status & 0x3F:
            return bytes(answer)
        why = status & 0x3F
        return Failed("no answer" if why == TIME_OUT else "garbled" if why in GARBLED else "refused")

    # --- The chip ---------------------------------------------------------------------------------------------

    @property
    def _linked(self) -> Pn532Link:
        if self._link is None:
            raise ReaderError(Pn532Trouble.SILENT, "The PN532")
        return self._link

    def _command(self, code: int, data: bytes = b"", answer_s: float = EXCHANGE_S) -> bytes:
        return self._linked.command(code, data, answer_s)

    def _trouble(self, problem: Pn532Trouble) -> ReaderError:
        return ReaderError(problem, self._linked.where)


def awake(link: Pn532Link) -> str:
    """Wake the chip, and tell it all that it has to know. Its firmware. Raises ReaderError if it is no PN532.

    The first question changes nothing and means nothing to anybody else; only who answers it is told more."""
    version = link.greet(GET_FIRMWARE_VERSION, SAM_CONFIGURATION, NORMAL_MODE)
    if len(version) < 3 or version[0] != IC_PN532:
        raise ReaderError(Pn532Trouble.NO_PN532, link.where)
    link.command(SAM_CONFIGURATION, NORMAL_MODE)
    link.command(SET_PARAMETERS, PARAMETERS)
    link.command(RF_CONFIGURATION, RETRIES)
    return f"{version[1]}.{version[2]}"


def targets_in(answer: bytes) -> Iterator[Target]:
    """Who was listed, type A: number, SENS_RES, SEL_RES, length, UID (7.3.5). Raises ValueError where an answer makes
    no sense. An ATS comes only where RATS was asked for, which `PARAMETERS` forbid."""
    if not answer:
        raise ValueError("no number of targets")
    rest = answer[1:]
    for _ in range(answer[0]):
        head, uid = rest[:5], rest[5 : 5 + (rest[4] if len(rest) > 4 else 0)]
        if len(head) < 5 or len(uid) != head[4] or len(uid) not in iso.UID_LENGTHS:
            raise ValueError("half a target")
        yield Target(head[0], uid)
        rest = rest[5 + len(uid) :]
